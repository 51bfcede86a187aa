# links.pl: whether links and anchors of the pages lead somewhere
#
#     perl test/lint/links.pl             checks all pages
#     perl test/lint/links.pl --list      the pages, and the files that they link to
#
# Pages are README.md and its neighbours, doc/, packaging/ and clients/.  Anchors are those that
# GitHub makes of headings.  Each picture has a text for those who do not see it, and a page that
# shows it.  The navigation of the site (packaging/site) has each page.
use strict;
use warnings;
use open qw(:std :encoding(UTF-8));

my @pages = glob('*.md doc/*.md doc/recipes/*.md packaging/*.md clients/*/*.md');
my %text;
my $failed = 0;

# rule NAME OFFENDERS...
sub rule
{
	my ($name, @offenders) = @_;
	$failed++ if @offenders;
	print @offenders ? "not ok - links: $name: @offenders\n" : "ok - links: $name\n";
}

# A page without what is code in it
sub prose
{
	my ($file) = @_;
	return $text{$file} if defined $text{$file};
	open(my $in, '<', $file) or die "$file: $!\n";
	local $/;
	my $page = <$in>;
	$page =~ s/^( *)```.*?^ *```$//msg;
	return $text{$file} = $page;
}

# The anchors of a page; those of headings that occur twice are numbered
my %anchors;

sub anchors
{
	my ($file) = @_;
	return $anchors{$file} if $anchors{$file};
	my %of;
	foreach my $heading (prose($file) =~ /^#+ +(.*?) *$/mg)
	{
		my $anchor = lc($heading) =~ s/\[([^\]]*)\]\([^)]*\)/$1/gr;
		$anchor =~ s/[^\w\- ]//g;
		$anchor =~ s/ /-/g;
		my $n = $of{$anchor}++;
		$of{"$anchor-$n"} = 1 if $n;
	}
	return $anchors{$file} = \%of;
}

my (@broken, @nameless, %linked);
foreach my $page (@pages)
{
	my ($folder) = $page =~ m{^(.*/)?};
	my $text = prose($page) =~ s/^    .*$//mgr;
	push @nameless, "$page: $1" while $text =~ /!\[\s*\]\(([^()\s]+)\)/g;
	$text =~ s/`[^`\n]*`/code/g;
	while ($text =~ /\]\(([^()\s]+)\)|<(?:img|source)\b[^>]*\b(?:src|srcset)="([^"]*)"/g)
	{
		my $link = $1 // $2;
		my ($path, $anchor) = $link =~ /^([^#]*)(?:#(.*))?$/;
		next if $path =~ /^\w+:/;
		my $target = $path eq '' ? $page : ($folder // '') . $path;
		1 while $target =~ s{[^/.]+/\.\./}{};
		my $there = -e $target && $target !~ /\.\./;
		$there = 0 if $there && defined $anchor
			&& !($target =~ /\.md$/ && anchors($target)->{$anchor});
		push @broken, "$page: $link" unless $there;
		$linked{$target} = 1 if -f $target;
	}
}

if (@ARGV && $ARGV[0] eq '--list')
{
	my %all = map { $_ => 1 } @pages, keys %linked;
	print "$_\n" foreach sort keys %all;
	exit;
}
rule('there are pages', @pages > 20 ? () : scalar @pages);
rule('each leads to a file, and to a heading that it has', @broken);
rule('each picture has a text', @nameless);
rule('each picture in doc/ is shown by a page',
	grep { !$linked{$_} } glob('doc/*.svg doc/pictures/*.svg'));
open(my $in, '<', 'packaging/site/mkdocs.yml') or die "packaging/site/mkdocs.yml: $!\n";
my $nav = do { local $/; <$in> };
rule('the navigation of the site has each page', grep { $nav !~ /: \Q$_\E$/m } @pages);
exit($failed > 0);
