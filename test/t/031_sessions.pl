# Many sessions that merge into the same rows lose nothing; a query that is cancelled ends and
# the session continues (036_interrupts.pl: in the middle of a long call, too).
use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('sessions');
$node->init;
$node->append_conf('postgresql.conf',
	"max_connections = 40\njit = off\nmax_parallel_workers_per_gather = 0\ntemp_file_limit = "
	. "'1GB'");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');

# --- 16 clients merge into the same few rows ------------------------------------
# What each of them added is recorded in the same transaction.
my $clients = 16;
my $times = 50;
my %type = (
	hll => { empty => 'hll_empty()', all => 'hll_agg(v)' },
	bloom => { empty => 'bloom_empty(10000)', all => 'bloom_agg(v, 10000)' });
my @types = sort keys %type;

$node->safe_psql('postgres',
	'CREATE TABLE added (k int, v int); CREATE TABLE total (k int PRIMARY KEY, '
	  . join(', ', map { "$_ $_" } @types) . ')');
my %script = (
	'a sketch of one value merged' => join(', ', map { "$_ = t.$_ || excluded.$_" } @types),
	'a value added' => join(', ', map { "$_ = ${_}_add(t.$_, :v)" } @types));
my $file = PostgreSQL::Test::Utils::tempdir . '/script';
foreach my $what (sort keys %script)
{
	$node->safe_psql('postgres', 'TRUNCATE added, total');
	my $first = join(', ', map { "${_}_add($type{$_}->{empty}, :v)" } @types);
	open(my $f, '>', $file) or die $!;
	print $f qq(
\\set k random(1, 3)
\\set v random(1, 1000000)
BEGIN;
INSERT INTO added VALUES (:k, :v);
INSERT INTO total AS t VALUES (:k, $first) ON CONFLICT (k) DO UPDATE SET $script{$what};
COMMIT;
);
	close $f;
	$node->command_ok([ 'pgbench', '-n', '-c', $clients, '-j', 2, '-t', $times, '-f', $file, '-d',
		$node->connstr('postgres') ],
		"$clients clients, $what");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM added'), $clients * $times,
		"all were done, $what");
	foreach my $type (@types)
	{
		is( $node->safe_psql('postgres', qq(
SELECT count(*), count(*) FILTER (WHERE t.$type = a.s)
FROM total t JOIN (SELECT k, $type{$type}->{all} AS s FROM added GROUP BY k) a USING (k))),
			'3|3', "nothing is lost: $type, $what");
	}
}

# --- cancelled in the middle ------------------------------------------------------
# A sequence tells from outside how far a query has come.  (A set of rows in FROM
# would be written to disk first; in a target list it comes row by row.)
$node->safe_psql('postgres', 'CREATE SEQUENCE progress');
my $endless =
	"FROM (SELECT nextval('progress') AS v FROM (SELECT generate_series(1, 1000000000000)) rows) q";
foreach my $call (
	'hll_agg(v)', 'hll_agg(v::text, 18)', 'hll_merge_agg(hll_add(hll_empty(), v))',
		'approx_count_distinct(v::numeric)',
	'bloom_agg(v)', 'bloom_agg(v, 1000000)', "bloom_agg(v::text, 1000000, 0.01, 'classic')",
	'bloom_merge_agg(bloom_add(bloom_empty(1000), v))')
{
	foreach my $groups ('', 'GROUP BY v % 1000')
	{
		$node->safe_psql('postgres', "SELECT setval('progress', 1)");
		my ($out, $err) = ('', '');
		my $psql = IPC::Run::start(
			[
				'psql', '-X', '-q', '-A', '-t', '-d', $node->connstr('postgres'),
				'-c', "SET application_name = 'endless'",
				'-c', "SELECT $call $endless $groups",
				'-c', 'SELECT #hll_agg(i) FROM generate_series(1, 3) i'
			],
			'>', \$out, '2>', \$err);
		my $begun = $node->poll_query_until('postgres', 'SELECT last_value > 20000 FROM progress');
		my $cancelled = $node->safe_psql('postgres',
			"SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity "
			. "WHERE application_name = 'endless'");
		$psql->finish;
		ok( $begun && $cancelled == 1 && $err =~ /^ERROR:  canceling statement due to user request/
			&& $out eq "3\n",
			"cancelled in the middle: $call $groups")
				or diag("begun: $begun, cancelled: $cancelled\n$err\n$out");
	}
}

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|terminated by signal/, 'no crash');
done_testing();
