# page.pl FILE: the blocks "sql citus" of a page, run by psql where PG* variables say
#
# Prints a line for each, for COPY. The line says whether the statement succeeded with the
# output of the block that follows, what the statement begins with, and what came instead.
use strict;
use warnings;

sub plain
{
	my ($text) = @_;
	$text =~ s/[ \t]+$//mg;
	$text =~ s/\s+\z//;
	return $text;
}

open my $file, '<', $ARGV[0] or die "$ARGV[0]: $!";
my $page = do { local $/; <$file> };
$ENV{PGOPTIONS} =
	'-c datestyle=ISO -c timezone=UTC -c lc_messages=C -c client_min_messages=warning';
while ($page =~ /^```sql citus\n(.*?)^```\n(?:\n*^```\n(.*?)^```\n)?/msg)
{
	my ($sql, $want) = ($1, $2);
	open my $script, '>', "$ENV{W}/block.sql" or die $!;
	print $script $sql;
	close $script;
	my $got = `psql -X -q -f $ENV{W}/block.sql 2>&1` =~ s/^psql:\S+:\d+: //mgr
	  =~ s/(executing command on )\S+/${1}worker1:5432/gr;
	my $ok = defined $want ? plain($got) eq plain($want) : $got !~ /^ERROR/m;
	my ($first) = $sql =~ /^(.{1,60})/;
	print join("\t", $ok ? 't' : 'f', map { s/\\/\\\\/gr =~ s/\n/\\n/gr =~ s/\t/\\t/gr } $first,
		$ok ? '' : $got), "\n";
}
