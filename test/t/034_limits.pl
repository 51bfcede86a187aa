# Sketches of the greatest size, many merges, many groups.  What takes longer is in
# test/leaks limits; that a long call can be ended, in 036_interrupts.pl.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SketchTypes;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('limits');
$node->init;
$node->append_conf('postgresql.conf',
	"jit = off\nmax_parallel_workers_per_gather = 0\nautovacuum = off\nfsync = off\nwork_mem = "
	. "'1GB'");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');

# --- the greatest parameters --------------------------------------------------------
my %type = SketchTypes::sketch_types($node, 'postgres');
my @types = SketchTypes::growing(\%type);
my @limited = grep { $type{$_}->{greatest} } @types;

# The SQLSTATE of a statement, or what it answered
$node->safe_psql(
	'postgres', q(
CREATE FUNCTION try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE statement INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$));
foreach my $type (@limited)
{
	my ($most, $beyond, $state) = ("${type}_empty($type{$type}->{greatest})",
		"${type}_empty($type{$type}->{beyond})", $type{$type}->{beyond_error});

	$node->safe_psql('postgres',
		"CREATE TABLE great_$type AS SELECT ${type}_add(${type}_add($most, 1), 2) || "
		. "${type}_add($most, 3) AS s");
	is($node->safe_psql('postgres',
		"SELECT (SELECT bool_and($type{$type}->{holds}) FROM generate_series(1, 3) v) "
		. "AND s::text::$type = s AND s::bytea::$type = s AND (SELECT ${type}_merge_agg(x) "
		. "FROM (SELECT s AS x UNION ALL SELECT s) q) IS NOT NULL FROM great_$type"),
		't', "$most, stored, asked and merged");
	is($node->safe_psql('postgres', "SELECT try('SELECT $beyond')"), $state, "$beyond is an error");
}
is($node->safe_psql('postgres',
	"SELECT try('SELECT bloom_agg(1, 5000000000)'), try('SELECT cms_agg(1, 1e-9, 1e-9)'), "
	. "try('SELECT NULL::bloom(900000000)')"),
	'54000|54000|54000', 'as it is of aggregates and modifiers');
is($node->safe_psql('postgres',
	"SELECT length(item) FROM unnest('{4096,4097,300000000}'::int[]) n, "
	. "topk_items(topk_add(topk_empty(), repeat('x', n)))"),
	"4096\n4100\n4100", 'topk: the longest text, and longer ones');

# whose text is longer than a quarter of what the server can allocate
is($node->safe_psql('postgres', q(
SELECT length(s::text), s::text::bloom = s
FROM bloom_from_guava(decode('0106' || lpad(to_hex(25300000), 8, '0'), 'hex')
    || decode(repeat('a5', 8 * 25300000), 'hex')) s)),
	'269866684|t', 'bloom: a large filter by its text');

# dumped and restored
my $dump = PostgreSQL::Test::Utils::tempdir . '/great.sql';
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr('postgres') ], 'dumped');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-f', $dump,
	'-d', $node->connstr('restored') ], 'restored');
my $sums = 'SELECT ' . join(', ', map { "(SELECT md5(s::bytea) FROM great_$_)" } @limited);
is($node->safe_psql('restored', $sums), $node->safe_psql('postgres', $sums), 'and the same');

# --- many merges ----------------------------------------------------------------------
my %agg = map { $_ => SketchTypes::agg($type{$_}, 'i', 'other') } @types;
# (of types whose aggregates make the sketch that a union makes)
foreach my $type (grep { $type{$_}->{as_added} eq 'true' } @types)
{
	# as many values as the parameters are for
	my $distinct = $type{$type}->{usual} eq $type{$type}->{large} && $type{$type}->{exact} > 100000
		? 100000 : 1000;

	(my $of = $agg{$type}) =~ s/\bi\b/(i % $distinct)/g;
	$node->safe_psql('postgres',
		"CREATE TABLE part_$type AS SELECT i, $of AS s FROM generate_series(1, 100000) i "
		. "GROUP BY i");
	is( $node->safe_psql('postgres', qq(
SELECT ${type}_merge_agg(s) = (SELECT $of FROM generate_series(1, 100000) i) FROM part_$type)),
		't', "$type: an aggregate of 100,000 sketches");
	$node->safe_psql('postgres', qq(
DO \$\$
DECLARE
    chain $type;
    p $type;
BEGIN
    FOR p IN SELECT s FROM part_$type LOOP
        chain := chain || p;
    END LOOP;
    IF chain <> (SELECT ${type}_merge_agg(s) FROM part_$type) THEN
        RAISE EXCEPTION 'chain';
    END IF;
    -- two and two, up to the root
    CREATE TEMP TABLE level AS TABLE part_$type;
    WHILE (SELECT count(*) > 1 FROM level) LOOP
        CREATE TEMP TABLE upper AS SELECT (i + 1) / 2 AS i, ${type}_merge_agg(s) AS s FROM level
        GROUP BY 1;
        DROP TABLE level;
        ALTER TABLE upper RENAME TO level;
    END LOOP;
    IF chain <> (SELECT s FROM level) THEN
        RAISE EXCEPTION 'tree';
    END IF;
END
\$\$));
	pass("$type: a chain of 100,000 merges and a tree of them are the same");
}

# --- many groups ------------------------------------------------------------------------
foreach my $type (@types)
{
	is($node->safe_psql('postgres',
		"SELECT count(s) FROM (SELECT $agg{$type} AS s "
		. "FROM (SELECT generate_series(1, 200000) AS i) q GROUP BY i) r"),
		200000, "$type: 200,000 groups");
}

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|terminated by signal/, 'no crash');
done_testing();
