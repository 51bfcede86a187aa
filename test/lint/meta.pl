# meta.pl: whether META.json keeps to PGXN's specification 1.0.0 and agrees with the tree
#
#   perl test/lint/meta.pl META.json
#
# The tree says what there must be: an entry below "provides" for each control file, in its
# version and with files that exist; a tag for each folder of src/types.
use strict;
use warnings;
use JSON::PP;

my $failed = 0;

# rule NAME OFFENDERS...
sub rule
{
	my ($name, @offenders) = @_;
	$failed++ if @offenders;
	print @offenders ? "not ok - META.json: $name: @offenders\n" : "ok - META.json: $name\n";
}

# slurp FILE: its text
sub slurp
{
	my ($file) = @_;
	open(my $in, '<', $file) or die "$file: $!\n";
	local $/;
	return scalar <$in>;
}

my $meta = eval { JSON::PP->new->utf8->decode(slurp($ARGV[0])) };
rule("it is JSON", $meta ? () : $@ =~ s/\n//r);
exit 1 unless ref $meta eq 'HASH';

my $version = qr/^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[A-Za-z][-0-9A-Za-z]*)?$/;
# a name: two characters or more, no slashes, no control characters
my $term = qr{^[^/\\\p{Cntrl}\s]{2,}$};
# a tag has spaces, too, and 255 characters at most
my $tag = qr{^[^/\\\p{Cntrl}]{1,255}$};
my $url = qr{^(?:https?|git|ssh)://\S+$};

my @required = qw(name version abstract maintainer license provides meta-spec);
my %known = map { $_ => 1 } @required,
	qw(description generated_by no_index prereqs release_status resources tags);
rule("it has what is required", grep { !exists $meta->{$_} } @required);
rule("it has nothing that PGXN does not know", grep { !$known{$_} && !/^[xX]_/ } sort keys %$meta);
rule("abstract, description and maintainer are texts",
	grep { exists $meta->{$_} && (ref $meta->{$_} || $meta->{$_} !~ /\S/) } qw(abstract description
		maintainer));
rule("the license is one that PGXN knows",
	grep { $_ !~
		/^(?:agpl_3|apache_[12]_[01]|artistic_[12]|bsd|gpl_[123]|lgpl_(?:2_1|3_0)|mit
			|mozilla_1_[01]|postgresql|open_source|unrestricted)$/x }
		$meta->{license} // 'none');
rule("the release status is stable, testing or unstable",
	grep { !/^(?:stable|testing|unstable)$/ } $meta->{release_status} // 'stable');
rule("it is by specification 1.0.0", grep { $_ ne '1.0.0' } $meta->{'meta-spec'}{version}
	// 'none');
rule("the name can be one", grep { !/$term/ } $meta->{name});

# ---------- provides ----------

my %default_version;
foreach my $file (glob '*.control')
{
	my ($of) = slurp($file) =~ /^default_version *= *'([^']+)'/m;
	$of .= '.0' while $of !~ /\..*\./;
	$default_version{ $file =~ s/\.control$//r } = $of;
}
my $provides = $meta->{provides} // {};
my @wrong;
rule("each extension is provided", grep { !$provides->{$_} } sort keys %default_version);
rule("each that is provided is an extension", grep { !$default_version{$_} } sort keys %$provides);
foreach my $name (sort keys %$provides)
{
	my $entry = $provides->{$name};
	push @wrong, "$name has no $_" foreach grep { !defined $entry->{$_} } qw(file version abstract);
	push @wrong, "$name: no file $entry->{$_}"
		foreach grep { defined $entry->{$_} && !-f $entry->{$_} } qw(file docfile);
	push @wrong, "$name: $entry->{version} is no version" if $entry->{version} !~ $version;
	push @wrong, "$name: version $entry->{version}, not $default_version{$name}"
		if $entry->{version} ne ($default_version{$name} // $entry->{version});
}
push @wrong, "the version $meta->{version} is not that of $meta->{name}"
	if $meta->{version} ne ($default_version{ $meta->{name} } // '');
rule("provides agrees with the tree", @wrong);

# ---------- the rest ----------

@wrong = ();
foreach my $phase (sort keys %{ $meta->{prereqs} // {} })
{
	push @wrong, $phase unless $phase =~ /^(?:configure|build|test|runtime|develop)$/;
	foreach my $kind (sort keys %{ $meta->{prereqs}{$phase} })
	{
		push @wrong, $kind unless $kind =~ /^(?:requires|recommends|suggests|conflicts)$/;
		my $of = $meta->{prereqs}{$phase}{$kind};
		push @wrong,
			map { "$_ $of->{$_}" } grep { $of->{$_} ne '0' && $of->{$_} !~ $version } sort keys
			%$of;
	}
}
rule("prereqs are phases, kinds and versions", @wrong);

my $resources = $meta->{resources} // {};
rule("resources are addresses",
	(map { "no $_" } grep { !$resources->{$_} } 'homepage'),
	(grep { !/^(?:homepage|bugtracker|repository)$/ && !/^[xX]_/ } sort keys %$resources),
	(grep { defined && $_ !~ $url } $resources->{homepage}, $resources->{bugtracker}{web},
		@{ $resources->{repository} // {} }{qw(url web)}));

my @tags = @{ $meta->{tags} // [] };
my %tagged;
rule("tags can be tags, each once", grep { !/$tag/ || $tagged{$_}++ } @tags);
my @types = map { s{^src/types/}{}r } grep { -d } glob 'src/types/*';
rule("each type is a tag", @types ? grep { !$tagged{$_} } @types : 'no types');
exit($failed > 0);
