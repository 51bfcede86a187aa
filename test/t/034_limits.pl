# Sketches of the greatest size, many merges, many groups; and no call that does
# not end when it is told to.  What takes longer is in test/leaks limits.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

my $node = PostgreSQL::Test::Cluster->new('limits');
$node->init;
$node->append_conf('postgresql.conf', "jit = off\nmax_parallel_workers_per_gather = 0\nautovacuum = off\nfsync = off\nwork_mem = '1GB'");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION probds');

# --- the greatest parameters --------------------------------------------------------
# of each type: what is possible, and what is beyond, with its SQLSTATE
my %greatest = (
	hll => [ 'hll_empty(18)', 'hll_empty(19)', '22023' ],
	bloom => [ 'bloom_empty(866000000)', 'bloom_empty(880000000)', '54000' ],
	cms => [ 'cms_empty(1.02e-7, 0.01)', 'cms_empty(1.01e-7, 0.01)', '54000' ],
	topk => [ 'topk_empty(10000)', 'topk_empty(10001)', '22023' ]);
my @types = sort keys %greatest;

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
foreach my $type (@types)
{
	my ($most, $beyond, $state) = @{ $greatest{$type} };
	my $contains = {
		hll => '#s = 3', bloom => 's @> 1 AND s @> 2 AND s @> 3', cms => 's -> 2 = 1',
		topk => 'topk_frequency(s, 3) = 1' }->{$type};

	$node->safe_psql('postgres', "CREATE TABLE great_$type AS SELECT ${type}_add(${type}_add($most, 1), 2) || ${type}_add($most, 3) AS s");
	is($node->safe_psql('postgres', "SELECT $contains AND s::text::$type = s AND s::bytea::$type = s AND (SELECT ${type}_merge_agg(x) FROM (SELECT s AS x UNION ALL SELECT s) q) IS NOT NULL FROM great_$type"),
		't', "$most, stored, asked and merged");
	is($node->safe_psql('postgres', "SELECT try('SELECT $beyond')"), $state, "$beyond is an error");
}
is($node->safe_psql('postgres', "SELECT try('SELECT bloom_agg(1, 5000000000)'), try('SELECT cms_agg(1, 1e-9, 1e-9)'), try('SELECT NULL::bloom(900000000)')"),
	'54000|54000|54000', 'as it is of aggregates and modifiers');
is($node->safe_psql('postgres', "SELECT length(item) FROM unnest('{4096,4097,300000000}'::int[]) n, topk_items(topk_add(topk_empty(), repeat('x', n)))"),
	"4096\n4100\n4100", 'topk: the longest text, and longer ones');

# dumped and restored
my $dump = PostgreSQL::Test::Utils::tempdir . '/great.sql';
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr('postgres') ], 'dumped');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-f', $dump, '-d', $node->connstr('restored') ], 'restored');
my $sums = 'SELECT ' . join(', ', map { "(SELECT md5(s::bytea) FROM great_$_)" } @types);
is($node->safe_psql('restored', $sums), $node->safe_psql('postgres', $sums), 'and the same');

# --- many merges ----------------------------------------------------------------------
my %agg = (hll => 'hll_agg(i)', bloom => 'bloom_agg(i, 1000)', cms => 'cms_agg(i, 0.01, 0.01)', topk => 'topk_agg(i % 1000, 10)');
foreach my $type (@types)
{
	my $distinct = $type eq 'bloom' ? 1000 : 100000;

	(my $of = $agg{$type}) =~ s/\bi\b/(i % $distinct)/g;
	$node->safe_psql('postgres', "CREATE TABLE part_$type AS SELECT i, $of AS s FROM generate_series(1, 100000) i GROUP BY i");
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
        CREATE TEMP TABLE upper AS SELECT (i + 1) / 2 AS i, ${type}_merge_agg(s) AS s FROM level GROUP BY 1;
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
	is($node->safe_psql('postgres', "SELECT count(s) FROM (SELECT $agg{$type} AS s FROM (SELECT generate_series(1, 200000) AS i) q GROUP BY i) r"),
		200000, "$type: 200,000 groups");
}

# --- told to end ---------------------------------------------------------------------------
# Values of which all tokens are close together: each is thousands of steps from where
# it belongs
$node->safe_psql(
	'postgres', q(
CREATE TABLE crowd AS
SELECT hll_agg(i, 18) FILTER (WHERE r % 2 = 0) AS a, hll_agg(i, 18) FILTER (WHERE r % 2 = 1) AS b
FROM (SELECT i, row_number() OVER () AS r FROM generate_series(1, 7000000) i WHERE probds_hash(i) & 67108863 BETWEEN 33554432 AND 34014432 LIMIT 49000) keys;
-- a filter of 50 MB of which half is set, a Count-Min sketch of 54 MB, many long texts
CREATE TABLE large AS
SELECT (SELECT bloom_from_guava('\x0106'::bytea || int4send(6250000) || string_agg(decode(repeat('a5', 1000000), 'hex'), ''), 'bigint') FROM generate_series(1, 50)) AS f,
    (SELECT bloom_agg(i, 20000000) FROM generate_series(1, 1000000) i) AS sparse,
    (SELECT cms_agg(i, 8589934592, 0.000002, 0.01) FROM generate_series(1, 1000000) i) AS c,
    (SELECT topk_agg(repeat(md5(i::text), 13), 5000) FROM generate_series(1, 79000) i) AS t,
    (SELECT hll_agg(i, 18) FROM generate_series(1, 300000) i) AS h,
    (SELECT array_agg(i) FROM generate_series(1, 10000000) i) AS list;
ALTER TABLE large ALTER list SET STORAGE EXTERNAL;
));
is($node->safe_psql('postgres', 'SELECT (hll_info(a)).encoding FROM crowd'), 'sparse', 'tokens crowd together');

sub run_for
{
	my ($limit, $query) = @_;
	my $err = '';
	my $start = time;
	$node->psql('postgres', "SET statement_timeout = $limit; $query", stderr => \$err);
	return (time - $start, $err);
}

# one call of some 0.4 s: it ends well before its end
{
	my ($ok, $said);
	for (1 .. 5)
	{
		my ($full, $none) = run_for(0, 'SELECT a || b IS NULL FROM crowd');
		my ($cut, $err) = run_for(1 + int(1000 * $full / 4), 'SELECT a || b IS NULL FROM crowd');
		$said = sprintf("%.3f s, cut short %.3f s: %s%s", $full, $cut, $none, $err);
		$ok = $none eq '' && $err =~ /canceling statement due to statement timeout/ && $cut < 0.7 * $full;
		last if $ok;
	}
	ok($ok, 'a merge of tokens that crowd together') or diag($said);
	note($said);
}

# in memory, again and again: wherever the time is up, it ends soon
my $worst = 0;
foreach my $call (
	'hll_add_all(hll_empty(18), list)', 'bloom_add_all(bloom_empty(10000000), list)', 'cms_add_all(cms_empty(), list)', 'topk_add_all(topk_empty(), list)', 'cms_frequencies(c, list)', 'bloom_contains_all(sparse, list)',
	'f || f', 'f & f', 'f || sparse', 'bloom_cardinality(f)', 'bloom_to_guava(f)', 'bloom_add(f, 1)', 'bloom_hash(f)', 'f::text::bloom', '(\'\x\' || encode(f::bytea, \'hex\'))::bloom', 'f::bytea::bloom', 'sparse || sparse', 'sparse & sparse', 'sparse::bytea::bloom',
	'c || c', 'cms_subtract(c, c)', 'cms_inner_product(c, c)', 'c::bytea::cms', 'cms_info(c)', 'cms_add(c, 1)', 't || t', 't::bytea::topk', 't::topk(2500)', 'topk_add(t, \'x\'::text)', 'topk_frequency(t, \'x\'::text)',
	'hll_intersection_bounds(h, h)', 'hll_jaccard(h, h)', 'h || h')
{
	my $what = $call;
	$what =~ s/f \|\| sparse/f || f || f/;
	my %type_of = (f => 'bloom', sparse => 'bloom', c => 'cms', t => 'topk', h => 'hll', list => 'int[]');
	my @used = grep { $what =~ /\b$_\b/ } sort keys %type_of;
	my ($variables, $columns) = (join(' ', map { "$_ $type_of{$_};" } @used), join(', ', map { "x.$_" } @used));
	my ($took, $err) = run_for(700, qq(
DO \$\$
DECLARE
    $variables ignored bool;
BEGIN
    SELECT $columns INTO @{[join(', ', @used)]} FROM large x;
    FOR i IN 1..1000000 LOOP
        ignored := ($what) IS NULL;
    END LOOP;
END \$\$;));
	ok($err =~ /canceling statement due to statement timeout/ && $took < 0.7 + 5, "ends when its time is up: $call") or diag("$took s: $err");
	$worst = $took if $took > $worst;
}
note(sprintf('0.7 s were over after %.3f s at most', $worst));

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|terminated by signal/, 'no crash');
done_testing();
