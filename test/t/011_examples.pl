# The examples in README.md and doc/ are real: each block of SQL is run, and where a block of
# output follows it, that is what came out.  A page that creates the extension begins in an empty
# database.  Blocks below a comment "with the extension hll"
# run in a database of their own that has postgresql-hll in place of probds, where the server
# has postgresql-hll.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use IPC::Run;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('examples');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
# when it comes depends on how long all this takes
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;

# What psql prints for a script, errors among the rest.  Rows come in one order, of
# which a topk of many values can tell
sub output_of
{
	my ($db, $sql) = @_;
	local $ENV{PGOPTIONS} =
		'-c datestyle=ISO -c timezone=UTC -c lc_messages=C -c max_parallel_workers_per_gather=0 -c '
		. 'synchronize_seqscans=off';
	IPC::Run::run([ 'psql', '-X', '-q', '-d', $node->connstr($db) ], '<', \$sql, '>&', \my $out);
	return $out;
}

# Spaces at ends of lines do not matter, nor what depends on the last bits of a
# floating-point number.  Of a call that fits nothing 19 says the same in two lines
my $casts = 'You might need to add explicit type casts.';
my %no_match = map {
	($_ => "HINT:  No $_ matches the given name and argument types. ")
} qw(function operator);

sub plain
{
	my ($text) = @_;
	$text =~ s/\r//g;
	$text =~ s/[ \t]+$//mg;
	$text =~ s/(\.\d{6})\d{4,}/$1/g;
	$text =~ s/^DETAIL:  (Could not choose .*\.)\nHINT:  /HINT:  $1 /mg;
	my $no = qr/^DETAIL:  No (\w+) of that name accepts the given argument types\.\nHINT:  /m;
	$text =~ s/$no/$no_match{$1}/g;
	$text =~ s/^DETAIL:  There is no (\w+) of that name\.$/$no_match{$1} . $casts/meg;
	$text =~ s/\s+\z//;
	return $text;
}

# How large a table is depends on the alignment of its rows
my $narrow = $node->safe_psql('postgres', 'SELECT max_data_alignment < 8 FROM pg_control_init()') eq
	't';
my $by_layout = qr/pg_relation_size/;

# a "char" counts as a string before PostgreSQL 15, so that it is not ambiguous
my $char_is_string = $node->safe_psql('postgres', 'SHOW server_version_num') < 150000;

my $peer = $node->safe_psql('postgres',
	"SELECT count(*) FROM pg_available_extensions WHERE name = 'hll'");
if ($peer)
{
	# its name is in the page
	$node->safe_psql('postgres', 'CREATE DATABASE shop');
	$node->safe_psql('shop', 'CREATE EXTENSION hll');
}

my $examples = 0;
foreach my $file ('README.md', glob('doc/*.md doc/recipes/*.md'))
{
	my ($name) = lc($file) =~ /(\w+)\.md$/;
	my $text = slurp_file($file);
	next unless $text =~ /^```sql$/m;

	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, 'CREATE EXTENSION probds') unless $text
		=~ /\A(?:(?!^```sql\n).)*^```sql\nCREATE EXTENSION probds;/ms;
	while ($text
		=~ /^(<!-- with the extension hll -->\n)?^```sql\n(.*?)^```\n(?:\n*^```\n(.*?)^```\n)?/msg)
	{
		my ($with_peer, $sql, $want) = ($1, $2, $3);
		my ($first) = $sql =~ /^(.{1,60})/;
		$examples++;
		if ($with_peer && !$peer)
		{
		  SKIP: { skip("$file: $first: postgresql-hll is not installed", 1); }
			next;
		}
		my $got = output_of($with_peer ? 'shop' : $name, $sql);
		if (defined $want)
		{
			($got, $want) = map { plain($_) } $got, $want;
			($got, $want) = map { s/\d+/N/gr =~ s/ +/ /gr =~ s/-+/-/gr } $got, $want if $narrow
				&& $sql =~ $by_layout;
			# (what it is for all rows, and then what it is after the cast)
			$want =~ s/^ERROR: .*?\n(?= +hash\n)//s
				&& $got =~ s/^ +hash\n-+\n(?: +-?\d+\n)+\(\d+ rows\)\n+(?= +hash\n)//
				if $char_is_string && $sql =~ /probds_hash\(relkind\)/;
			is($got, $want, "$file: $first");
		}
		else
		{
			unlike($got, qr/^ERROR/m, "$file: $first");
		}
	}
}
cmp_ok($examples, '>', 10, 'there are examples');

$node->stop;
done_testing();
