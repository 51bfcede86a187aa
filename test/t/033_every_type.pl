# The life of a value once more, for every type: standby, dump and restore, COPY,
# logical replication without a key, crash.  002_life.pl has it in detail for hll.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SketchTypes;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(allows_streaming => 'logical');
$node->start;
$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;

# a type that has no row in test/types/types.sql has no life here
$node->safe_psql('postgres', 'CREATE DATABASE origin');
$node->safe_psql('origin', 'CREATE EXTENSION probds');
my %type = SketchTypes::sketch_types($node, 'origin');
my @types = sort keys %type;
my @growing = SketchTypes::growing(\%type);
is( $node->safe_psql('origin', q(
SELECT string_agg(typname, ' ' ORDER BY typname COLLATE "C") FROM pg_type t
    JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds') AND t.typtype = 'b'
    AND t.typelem = 0)),
	join(' ', @types), 'all types are here');

# columns have a type modifier where the usual parameters are for many values, too
my $columns =
	join(', ', map { $type{$_}->{usual} eq $type{$_}->{large} ? "$_ $_($type{$_}->{usual})"
	: "$_ $_" } @types);
my $few = join(', ', map { SketchTypes::agg($type{$_}, 'i', 'usual') } @types);
my $many = join(', ', map { SketchTypes::agg($type{$_}, 'i', 'large') } @types);
my $make = qq(
CREATE TABLE kept (id int PRIMARY KEY, $columns);
INSERT INTO kept (id) VALUES (0);
INSERT INTO kept SELECT n, $few FROM unnest('{1,10,100}'::int[]) n, generate_series(1, n) i
GROUP BY n;
INSERT INTO kept SELECT n, $many FROM unnest('{1000,30000}'::int[]) n, generate_series(1, n) i
GROUP BY n;
) . join("\n",
	map { "CREATE INDEX ON kept USING hash ($_); CREATE INDEX ON kept ($_) "
	. "WHERE id <= 10; CREATE INDEX ON kept (md5($_\::bytea));" } @types);
my $digest = 'SELECT count(*), '
	. join(', ',
	map { "count($_), md5(string_agg(id || ':' || coalesce(encode($_\::bytea, 'hex'), 'null'), ',' "
	. "ORDER BY id))" } @types) . ' FROM kept';
my $indexed = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; '
	. 'SET enable_mergejoin = off; SET enable_material = off;'
  . join('', map { "SELECT count(*) FROM kept a JOIN kept b USING ($_);" } @types);

# of values in TOAST, which one reader holds open
my $union = 'SELECT '
  . join(', ', map { "md5(${_}_merge_agg($_)::bytea)" } @growing)
  . ' FROM kept WHERE id >= 1000';

$node->safe_psql('origin', $make);
my $want = $node->safe_psql('origin', $digest);
my $found = join("\n", map { 5 } @types);
is($node->safe_psql('origin', $indexed), $found, 'found by their indexes');

# --- a standby ------------------------------------------------------------------
$node->wait_for_catchup($standby, 'replay', $node->lsn('insert'));
is($standby->safe_psql('origin', $digest), $want, 'the same bytes on a standby');
is($standby->safe_psql('origin', $indexed), $found, 'found by their indexes on a standby');
is( $standby->safe_psql('origin',
	'SELECT count(*) FROM kept, generate_series(1, 30000) i '
	. 'WHERE id = 30000 AND bloom_contains(bloom, i)'),
	'30000', 'a stored filter answers on a standby');
is($standby->safe_psql('origin', $union), $node->safe_psql('origin', $union),
	'the same unions on a standby');

# --- dump and restore, COPY ---------------------------------------------------------
my $dir = PostgreSQL::Test::Utils::tempdir;
foreach my $format ('plain', 'custom')
{
	$node->safe_psql('postgres', "CREATE DATABASE $format");
	$node->command_ok([ 'pg_dump', '-F', $format, '-d', $node->connstr('origin'), '-f',
		"$dir/$format" ], "pg_dump, $format");
	$node->command_ok(
		$format eq 'plain'
		? [ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($format), '-f',
			"$dir/$format" ]
		: [ 'pg_restore', '--exit-on-error', '-d', $node->connstr($format), "$dir/$format" ],
		"restore, $format");
	is($node->safe_psql($format, $digest), $want, "the same bytes after dump and restore, $format");
}
foreach my $format ('text', 'csv', 'binary')
{
	is( $node->safe_psql('origin', qq(
BEGIN;
COPY kept TO '$dir/copy' (FORMAT $format);
TRUNCATE kept;
COPY kept FROM '$dir/copy' (FORMAT $format);
$digest;
ROLLBACK;
)), $want, "COPY $format");
}

# --- logical replication, rows found by all their columns -----------------------------
my $publisher = $node->connstr . ' dbname=origin';
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->start;
$node->safe_psql('origin',
	'ALTER TABLE kept REPLICA IDENTITY FULL; CREATE PUBLICATION pub FOR TABLE kept');
foreach my $mode ('text', 'binary')
{
	my $option = $mode eq 'binary' ? ', binary = true' : '';
	$subscriber->safe_psql('postgres', "CREATE DATABASE by_$mode");
	$subscriber->safe_psql("by_$mode", qq(
CREATE EXTENSION probds;
CREATE TABLE kept (id int, $columns);
CREATE SUBSCRIPTION sub_$mode CONNECTION '$publisher' PUBLICATION pub
    WITH (slot_name = 'sub_$mode'$option);
));
	$subscriber->poll_query_until("by_$mode",
		"SELECT count(*) > 0 AND bool_and(srsubstate = 'r') FROM pg_subscription_rel")
	  or die 'no initial synchronisation';
	is($subscriber->safe_psql("by_$mode", $digest), $node->safe_psql('origin', $digest),
		"initial copy, $mode");
	# the row of NULLs is updated, too, and keeps them
	$node->safe_psql('origin', 'UPDATE kept SET id = id + 40000, '
		. join(', ', map { "$_ = CASE WHEN $_ IS NOT NULL THEN ${_}_add($_, -id) END" } @growing)
		. "; DELETE FROM kept WHERE id IN (40001, 40100)");
	$node->wait_for_catchup("sub_$mode");
	is($subscriber->safe_psql("by_$mode", $digest), $node->safe_psql('origin', $digest),
		"updates and deletes, $mode");
	$subscriber->safe_psql("by_$mode", "DROP SUBSCRIPTION sub_$mode");
	$node->safe_psql('origin',
		"DROP TABLE kept CASCADE; $make ALTER TABLE kept REPLICA IDENTITY FULL; "
		. "ALTER PUBLICATION pub ADD TABLE kept");
}
$subscriber->stop;

# --- crash, and a standby that takes over ---------------------------------------------
$node->wait_for_catchup($standby, 'replay', $node->lsn('insert'));
$node->stop('immediate');
$node->start;
is($node->safe_psql('origin', $digest), $want, 'the same bytes after a crash');
is($node->safe_psql('origin', $indexed), $found, 'found by their indexes after a crash');
$standby->promote;
is($standby->safe_psql('origin', $digest), $want, 'the same bytes after a standby took over');
$standby->safe_psql('origin', 'UPDATE kept SET ' . join(', ', map { "$_ = $_ || $_" } @growing));
# (as far as the order of values does not matter)
foreach my $t (@types)
{
	my $twice = $type{$t}->{counts} eq 'true' ? ', generate_series(1, 2)' : '';
	my $made = join(' UNION ALL ',
		map { "SELECT n, " . SketchTypes::agg($type{$t}, 'i', $_->[0])
		. " AS s FROM unnest('{$_->[1]}'::int[]) n, generate_series(1, n) i$twice GROUP BY n" }
		[ 'usual', '1,10,100' ], [ 'large', '1000,30000' ]);
	is($standby->safe_psql('origin',
		"SELECT count(*) > 3 AND bool_and($t = s) FROM kept JOIN ($made) made ON n = id "
		. "WHERE n <= $type{$t}->{exact}"),
		't', "and a union with itself is itself, or has all twice: $t");
}

$standby->stop;
$node->stop;
done_testing();
