# Calls keep no memory: a small run of test/leaks, over every function of the extension,
# each called as often on every machine.  Whoever adds one adds a call of it to
# test/leaks.d/leaks.sql.
use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'no /proc here' unless -e '/proc/self/status';

my $node = PostgreSQL::Test::Cluster->new('leaks');
$node->init;
$node->append_conf('postgresql.conf',
	"jit = off\nmax_parallel_workers_per_gather = 0\nautovacuum = off\nfsync = off");
$node->start;
$node->safe_psql('postgres', 'SET client_min_messages = warning; \i ' . dirname(__FILE__)
	. '/../leaks.d/leaks.sql');

sub run
{
	return $node->safe_psql('postgres',
		"SET search_path = leaks, public; SET client_min_messages = warning;\n" . join("\n", @_));
}

is(run('TABLE leaks.forgotten;'), '', 'every function of the extension is called');

my $folder = PostgreSQL::Test::Utils::tempdir;
run('CALL leaks.run(1500, NULL);', 'CALL leaks.loops(20000);',
	"CALL leaks.receive('$folder', 2000);", 'CALL leaks.planned(1000);');
is(run('TABLE leaks.bad;'), '', 'no call keeps memory');
cmp_ok(run('SELECT count(*) FROM leaks.report;'), '>', 700, 'and they were made');

# What looks at memory sees what is kept, here a lock for each call.
{
	run(q(CALL leaks.measure('control', 'kept', '',
		'(SELECT generate_series(1::bigint, %s) AS i) q', 'pg_advisory_xact_lock(i) IS NULL', 4000,
		NULL);));
	is(run("SELECT what FROM leaks.bad WHERE part = 'control';"), 'kept',
		'a call that keeps some is seen');
}

run("CALL leaks.spill(100000, 20000, '1MB');");
is(run('TABLE leaks.unbounded;'), '', 'hash aggregates spill to disk, within bounds');
is(run('SELECT count(*) = 4 + 2 * (SELECT count(*) FROM leaks.sketch_type) FROM leaks.spilled;'),
	't', 'and they were made');

$node->stop;
done_testing();
