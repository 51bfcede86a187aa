# examples.pl: runs the SQL of a page and compares what psql prints with what the page says
#
#   perl examples.pl PAGE PSQL DATABASE
#
# A block of SQL runs if it, or a block below it, is followed by a block of output; each is
# compared where it has one.  A page without output has nothing to compare and passes, with
# a word.  Of Perl only perl-base, which every Debian has.
use strict;
use warnings;

my ($page, $psql, $database) = @ARGV;
open(my $in, '<', $page) or die "$page: $!\n";
my $text = do { local $/; <$in> };
close($in);

# plain TEXT: without what does not matter: ends of lines, the last bits of numbers
sub plain
{
	my ($text) = @_;
	$text =~ s/[ \t]+$//mg;
	$text =~ s/(\.\d{6})\d{4,}/$1/g;
	$text =~ s/\s+\z//;
	return $text;
}

my @blocks;
my $last = -1;
while ($text =~ /^```sql\n(.*?)^```\n(?:\n*^```\n(.*?)^```\n)?/msg)
{
	push @blocks, [ $1, $2 ];
	$last = $#blocks if defined $2;
}
if ($last < 0)
{
	print "$page: no example with a result\n";
	exit 0;
}

my $file = "/tmp/examples.$$";
my $failed = 0;
foreach my $block (@blocks[ 0 .. $last ])
{
	my ($sql, $want) = @$block;
	open(my $out, '>', "$file.sql") or die "$file.sql: $!\n";
	print $out $sql;
	close($out);
	my $got = `'$psql' -X -q -d '$database' -f '$file.sql' 2>&1`;
	# with -f an error names its place
	$got =~ s/^psql:[^ ]*: (?=[A-Z]+: )//mg;
	if (defined $want ? plain($got) ne plain($want) : $got =~ /^ERROR/m)
	{
		$failed++;
		print "--- statements\n$sql--- page\n", $want // "(no error)\n", "--- psql\n$got";
	}
}
unlink "$file.sql";
exit($failed > 0);
