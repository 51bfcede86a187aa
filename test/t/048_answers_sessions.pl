# A session that answers from rollups, while another one makes, alters and repairs them
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('sessions');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "session_preload_libraries = 'probds'\ntimezone = 'UTC'\n");
$node->start;
$node->safe_psql('postgres', q(
CREATE EXTENSION probds;
CREATE TABLE ev (at timestamptz NOT NULL, amount int);
INSERT INTO ev SELECT '2026-03-01'::timestamptz + i * '10 min'::interval, i % 7
FROM generate_series(0, 1999) i;
));

my $dashboard = $node->background_psql('postgres');
$dashboard->query_safe('SET probds.answer_from_rollups = on');

sub other { $node->safe_psql('postgres', $_[0]); }

# The count, and whether the rollup gives it
sub count_is
{
	my ($count, $from_rollup, $name) = @_;
	is($dashboard->query_safe('SELECT count(*) FROM ev'), $count, $name);
	my $plan = $dashboard->query_safe('EXPLAIN (COSTS OFF) SELECT count(*) FROM ev');
	($from_rollup ? \&like : \&unlike)->($plan, qr/daily_parts/,
		"$name: from the " . ($from_rollup ? 'rollup' : 'source'));
}

sub begin { $dashboard->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1'); }
sub commit { $dashboard->query_safe('COMMIT'); }

begin();
other("SELECT probds_create_rollup('daily', 'SELECT at::date AS day, count(*) AS hits FROM ev "
	. "GROUP BY 1')");
count_is(2000, 0, 'a rollup that was made after the snapshot');
commit();
count_is(2000, 1, 'after that transaction');

# what an old snapshot shows of the options is forgotten with the transaction
begin();
other("SELECT probds_alter_rollup('daily', retention => '1 day'); "
	. "CALL probds_refresh_rollup('daily')");
is(other('SELECT coalesce(sum(hits), 0) FROM daily'), 0, 'old groups are gone');
count_is(2000, 0, 'a retention that was set after the snapshot');
commit();
count_is(2000, 0, 'a retention that was set before');
other("SELECT probds_alter_rollup('daily', retention => '0')");
count_is(2000, 0, 'no retention any more');
begin();
other("CALL probds_rebuild_rollup('daily')");
count_is(2000, 0, 'a snapshot without the groups, and it is rebuilt now');
commit();
count_is(2000, 1, 'rebuilt');

# the snapshot shows parts that have missed a change, and then the rollup is rebuilt
other('CREATE ROLE somebody; ALTER TABLE daily_parts OWNER TO somebody');
other("INSERT INTO ev VALUES ('2026-03-01', 1)");
other('ALTER TABLE daily_parts OWNER TO CURRENT_USER');
begin();
count_is(2001, 0, 'changes were missed');
other("CALL probds_rebuild_rollup('daily')");
count_is(2001, 0, 'changes were missed before the snapshot, and it is rebuilt now');
commit();
count_is(2001, 1, 'after the rebuild');

# so does the snapshot of another session, for one that knows the rollup as it is now
other('ALTER TABLE daily_parts OWNER TO somebody');
other("INSERT INTO ev VALUES ('2026-03-01', 1)");
other('ALTER TABLE daily_parts OWNER TO CURRENT_USER');
my $exporter = $node->background_psql('postgres');
my $snapshot = $exporter->query_safe(
	'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_export_snapshot()');
other("CALL probds_rebuild_rollup('daily')");
count_is(2002, 1, 'rebuilt after the snapshot of another session');
$dashboard->query_safe(
	"BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '$snapshot'");
count_is(2002, 0, 'the snapshot of another session');
commit();
count_is(2002, 1, 'after it');
$exporter->quit;

# a driver's Execute message: EXPLAIN plans as the query does
my $script = $node->basedir . '/explain.sql';
append_to_file($script, "EXPLAIN SELECT amount, count(*) FROM ev GROUP BY 1;\n");
$ENV{PGOPTIONS} = '-c probds.answer_from_rollups=on -c probds.explain_rollups=on';
$node->command_checks_all([ 'pgbench', '-n', '-t', '1', '-M', 'extended', '-f', $script ], 0, [],
	[qr/rollup public\.daily does not answer the query: it groups by day/],
	'EXPLAIN in the extended protocol');
delete $ENV{PGOPTIONS};

# NOT NULL for new rows only
SKIP:
{
	skip 'before 18 NOT NULL is for all rows', 1 if $node->safe_psql('postgres',
		'SHOW server_version_num') < 180000;
	other('CREATE TABLE half (g int, v int); INSERT INTO half VALUES (1, NULL), (1, 2)');
	other("SELECT probds_create_rollup('halves', 'SELECT g, count(*) AS n FROM half GROUP BY 1')");
	other('ALTER TABLE half ADD CONSTRAINT sure NOT NULL v NOT VALID');
	is($dashboard->query_safe('SELECT count(v) FROM half'), '1', 'NOT NULL that is not valid');
}

$dashboard->quit;
$node->stop;
done_testing();
