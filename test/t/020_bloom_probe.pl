# Probes of stored Bloom filters: right in every form that a value can have, few buffers for one
# probe, one fetch for many, never an answer from an older version. Also the planner's estimates
# for them.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FindBin;
use lib $FindBin::RealBin;
use SketchTypes;

my $node = PostgreSQL::Test::Cluster->new('probe');
$node->init;
$node->append_conf(
	'postgresql.conf', q(
jit = off
autovacuum = off
max_parallel_workers_per_gather = 0
));
$node->start;

# rows() runs a query and says how many rows were expected and came
SketchTypes::create_buffers($node, 'postgres');
$node->safe_psql(
	'postgres', q(
CREATE FUNCTION rows(query text, OUT expected float8, OUT got float8) LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT json) ' || query INTO plan;
    expected := plan -> 0 -> 'Plan' ->> 'Plan Rows';
    got := plan -> 0 -> 'Plan' ->> 'Actual Rows';
END
$$;

-- each filter alone in a table, so that a scan of that is one buffer
CREATE TABLE blocked AS SELECT bloom_agg(i, 10000000) AS f FROM generate_series(1, 2500000) i;
CREATE TABLE sparse AS SELECT bloom_agg(i, 10000000) AS f FROM generate_series(1, 20000) i;
CREATE TABLE classic AS SELECT bloom_agg(i, 1000000, 0.01, 'classic') AS f
FROM generate_series(1, 500000) i;
CREATE TABLE other AS SELECT bloom_agg(i, 100000) AS f FROM generate_series(1, 50000) i;

-- one in two is in the filters
CREATE TABLE keys AS SELECT CASE WHEN i % 2 = 0 THEN 1 + i % 20000 ELSE -i END AS k
FROM generate_series(1, 100000) i;
));
$node->safe_psql('postgres', 'VACUUM ANALYZE');
is( $node->safe_psql('postgres', q(
SELECT string_agg(name || ' ' || (bloom_info(f)).encoding || ' ' ||
    pg_size_pretty(pg_column_size(f)::bigint / 100000 * 100000), ', ' ORDER BY name)
FROM (SELECT 'blocked', f FROM blocked UNION ALL SELECT 'sparse', f FROM sparse
    UNION ALL SELECT 'classic', f FROM classic) q(name, f))),
	'blocked array 12 MB, classic array 1074 kB, sparse sparse 98 kB', 'three filters out of line');

# --- one probe -------------------------------------------------------------------

# Nothing in shared buffers, but the session has seen a TOAST table before: the
# system catalogs it reads about it are not what a probe reads
sub cold
{
	my ($table, @keys) = @_;
	my $script = "SELECT bloom_contains(f, 1) FROM $table \\g /dev/null\n";
	$script .= "SELECT buffers('SELECT bloom_contains(f, $_) FROM $table');\n" foreach @keys;
	$node->restart;
	return split /\n/, $node->safe_psql('postgres', $script);
}

sub at_most
{
	my ($what, $limit, @counts) = @_;
	my ($max) = sort { $b <=> $a } @counts;
	ok(@counts > 0 && $max <= $limit, "$what: at most $limit buffers, $max at the most")
		or diag("@counts");
	return;
}

at_most('a key that is in the blocked filter', 10, cold('blocked', 1 .. 20));
at_most('a key that is not', 10, cold('blocked', -20 .. -1));
at_most('a key that is in the sparse filter', 10, cold('sparse', 1 .. 20));
at_most('a key that is not', 10, cold('sparse', -20 .. -1));
# a slice for each bit of the classic one, up to the first that is not set
at_most('a key that is in the classic filter', 5 + 7 * 4, cold('classic', 1 .. 20));
cmp_ok(eval { my $sum = 0; $sum += $_ foreach cold('classic', -20 .. -1); $sum / 20 }, '<=', 14,
	'a key that is not: half of that');
is($node->safe_psql('postgres',
	"SELECT buffers('SELECT bloom_contains(f, NULL::int) FROM blocked') <= 1"),
	't', 'nothing is read for NULL');

# --- many probes of one ------------------------------------------------------------

my $whole = $node->safe_psql('postgres',
	"SELECT buffers('SELECT bloom_cardinality(f) FROM blocked')");
cmp_ok($whole, '>', 1500, 'to read all of the filter takes many buffers');

sub many
{
	my ($settings, $query) = @_;
	return $node->safe_psql('postgres', "$settings SELECT buffers('$query')");
}

# "=" fetches no more than the heads of values that differ in length, and all of those that do not
is($node->safe_psql('postgres',
	'SELECT b.f = c.f, b.f <> c.f, b.f IS DISTINCT FROM s.f FROM blocked b, classic c, sparse s'),
	'f|t|t', 'filters of different lengths are not equal');
# a second time, when the catalogs have been read
my $unequal = q(SELECT
    buffers('SELECT b.f = c.f, c.f <> b.f, b.f = s.f FROM blocked b, classic c, sparse s'));
cmp_ok($node->safe_psql('postgres', "$unequal \\g /dev/null\n$unequal"), '<', 60,
	'and not read to say so');
$node->safe_psql('postgres',
	'CREATE TABLE copied AS SELECT f || bloom_empty(10000000) AS f FROM blocked');
cmp_ok($node->safe_psql('postgres', "SELECT buffers('SELECT b.f = c.f FROM blocked b, copied c')"),
	'>', 2 * 1500, 'filters of the same length are');
is($node->safe_psql('postgres', 'SELECT b.f = c.f FROM blocked b, copied c'), 't',
	'and equal if they are');

my $probe = 'SELECT count(*) FROM keys, %s WHERE bloom_contains(f, k)';
my $keys_buffers = $node->safe_psql('postgres', "SELECT buffers('SELECT count(*) FROM keys')");
my $n = many('', sprintf($probe, 'blocked'));
# slices until they have cost as much time: they take more buffers than the whole
cmp_ok($n, '<', 5 * $whole, "100,000 probes read it once, and some slices before: $n");
cmp_ok(many('', 'SELECT count(*) FROM keys WHERE (SELECT f FROM blocked) @> k'), '<', 5 * $whole,
	'the same as an InitPlan');
cmp_ok(many('', 'SELECT count(*) FROM keys WHERE k <@ (SELECT f FROM blocked)'), '<', 5 * $whole,
	'the same by <@');
cmp_ok(many('',
	'SELECT count(*) FROM (SELECT k FROM keys LIMIT 50) k, blocked WHERE bloom_contains(f, k)'),
	'<', 50 * 5, 'fifty probes do not');
cmp_ok(many('',
	'SELECT bloom_contains_all(f, array_agg) FROM blocked, (SELECT array_agg(1 + k % 10000) '
	. 'FROM keys WHERE k > 0) q'),
	'<', 5 * $whole, 'an array of 50,000 does');
cmp_ok(many("SET probds.probe_cache_size = 0;",
	'SELECT count(*) FROM (SELECT k FROM keys LIMIT 10000) k, blocked WHERE bloom_contains(f, k)'),
	'>', 25000, 'with no memory each probe reads its slice');
cmp_ok(many("SET probds.probe_cache_size = '10MB';",
	'SELECT count(*) FROM (SELECT k FROM keys LIMIT 10000) k, blocked WHERE bloom_contains(f, k)'),
	'>', 25000, 'with less than the filter takes, too');
is( $node->safe_psql('postgres',
	join("\n", map { "SET probds.probe_cache_size = '$_'; " . sprintf($probe, 'blocked')
	. ';' } '0', '100kB', '20MB')),
	join("\n", ($node->safe_psql('postgres', sprintf($probe, 'blocked'))) x 3),
	'and the answers are the same');

{
	my $memory = q(SELECT coalesce(sum(total_bytes), 0) FROM pg_backend_memory_contexts
		WHERE name = 'probds stored sketches');
	my @bytes = split /\n/, $node->safe_psql('postgres', qq(
BEGIN;
DECLARE c CURSOR FOR SELECT count(*) OVER (), k FROM keys, blocked WHERE bloom_contains(f, k);
FETCH 1 FROM c \\g /dev/null
$memory;
CLOSE c;
$memory;
COMMIT;
));
	cmp_ok($bytes[0], '>', 12000000, 'what is kept is kept while the query runs');
	is($bytes[1], '0', 'and not longer');
}

# --- several filters in turn -----------------------------------------------------

$node->safe_psql(
	'postgres', q(
CREATE TABLE daily (day int, f bloom);
INSERT INTO daily SELECT d,
    (SELECT bloom_agg(d * 100000 + i, 100000) FROM generate_series(1, 60000) i)
    FROM generate_series(1, 20) d;
CREATE TABLE visits AS SELECT i AS id, (1 + i % 20) * 100000 + 1 + i % 1000 AS k
FROM generate_series(1, 4000) i;
));
$node->safe_psql('postgres', 'VACUUM ANALYZE');
my $daily = $node->safe_psql('postgres',
	"SELECT buffers('SELECT sum(bloom_cardinality(f)) FROM daily')");
my $in_turn = q(SET enable_material = off; SET probds.probe_cache_size = '%s';
    SELECT buffers('SELECT count(*), min(day) FROM visits
        LEFT JOIN LATERAL (SELECT day FROM daily WHERE bloom_contains(f, k) OFFSET 0) q ON true'));
my $visits = 4000;
# each visit scans the table of the filters: one buffer
cmp_ok($node->safe_psql('postgres', sprintf($in_turn, '256MB')) - $visits, '<', 5 * $daily,
	'20 filters in turn are read once each');
# memory for some of them: no worse than slices for all
cmp_ok($node->safe_psql('postgres', sprintf($in_turn, '1MB')) - $visits, '<', 20 * $visits * 4 * 2,
	'with memory for half of them no more than twice the slices');
is( $node->safe_psql('postgres', q(
SELECT count(*) FROM visits, daily WHERE day = k / 100000 AND NOT bloom_contains(f, k);
SET probds.probe_cache_size = '1MB';
SELECT count(*) FROM visits, daily WHERE day = k / 100000 AND NOT bloom_contains(f, k);
)), "0\n0", 'no false negative');

# --- every form that a value can have ----------------------------------------------

# The same filters compressed or not, in the row or out of it, short, in
# memory, and as the state of an aggregate that has no final function.
$node->safe_psql(
	'postgres', q(
CREATE AGGREGATE bloom_state(int, float8) (SFUNC = _bloom_step, STYPE = bloom);
CREATE AGGREGATE bloom_state(int) (SFUNC = _bloom_step, STYPE = bloom);

-- with all bits set, which compresses
CREATE FUNCTION full_of(f bloom) RETURNS bloom LANGUAGE sql AS $$
    SELECT (substr(f::bytea, 1, length(f::bytea) - ((bloom_info(f)).bits / 8)::int) ||
        decode(repeat('ff', ((bloom_info(f)).bits / 8)::int), 'hex'))::bloom
$$;

CREATE TABLE source (name text, members int, f bloom);
INSERT INTO source SELECT 'empty', 0, bloom_empty(1000);
INSERT INTO source SELECT 'one', 1, bloom_agg(i, 1000) FROM generate_series(1, 1) i;
INSERT INTO source SELECT 'small', 50, bloom_agg(i) FROM generate_series(1, 50) i;
INSERT INTO source SELECT 'sparse', 300, bloom_agg(i, 1000000) FROM generate_series(1, 300) i;
INSERT INTO source SELECT 'large sparse', 5000, bloom_agg(i, 1000000)
FROM generate_series(1, 5000) i;
INSERT INTO source SELECT 'large array', 50000, bloom_agg(i, 50000)
FROM generate_series(1, 50000) i;
INSERT INTO source SELECT 'small classic', 300, bloom_agg(i, 100000, 0.01, 'classic')
FROM generate_series(1, 300) i;
INSERT INTO source SELECT 'large sparse classic', 5000, bloom_agg(i, 1000000, 0.01, 'classic')
FROM generate_series(1, 5000) i;
INSERT INTO source SELECT 'large classic', 50000, bloom_agg(i, 50000, 0.01, 'classic')
FROM generate_series(1, 50000) i;
INSERT INTO source SELECT 'full', 300, full_of(bloom_agg(i, 5000)) FROM generate_series(1, 5000) i;
INSERT INTO source SELECT 'full and large', 300, full_of(bloom_agg(i, 1000000))
FROM generate_series(1, 300000) i;

CREATE TABLE form (form text, name text, members int, f bloom);
CREATE TABLE form_external (LIKE form);
CREATE TABLE form_extended (LIKE form);
CREATE TABLE form_main (LIKE form);
ALTER TABLE form_extended ALTER f SET STORAGE EXTENDED;
ALTER TABLE form_main ALTER f SET STORAGE MAIN;
ALTER TABLE form_external SET (toast_tuple_target = 128);
ALTER TABLE form_extended SET (toast_tuple_target = 128);
INSERT INTO form_external SELECT 'external', name, members, f::bytea::bloom FROM source;
INSERT INTO form_extended SELECT 'extended', name, members, f::bytea::bloom FROM source;
INSERT INTO form_main SELECT 'main', name, members, f::bytea::bloom FROM source;
INSERT INTO form_external SELECT 'state', 'state of 20', 20, bloom_state(i, 1000)
FROM generate_series(1, 20) i;
INSERT INTO form_external SELECT 'state', 'state of 5000', 5000, bloom_state(i, 5000)
FROM generate_series(1, 5000) i;
INSERT INTO form_external SELECT 'state', 'automatic state', 5000, bloom_state(i)
FROM generate_series(1, 5000) i;
CREATE VIEW forms AS TABLE form_external UNION ALL TABLE form_extended UNION ALL TABLE form_main
    UNION ALL SELECT 'memory', name, members, f::bytea::bloom FROM source
    UNION ALL SELECT 'state in memory', 'state of 20', 20,
        (SELECT bloom_state(i, 1000) FROM generate_series(1, 20) i)
    UNION ALL SELECT 'state in memory', 'state of 5000', 5000,
        (SELECT bloom_state(i, 5000) FROM generate_series(1, 5000) i);
));
is( $node->safe_psql('postgres', q(
SELECT form, name, pg_column_size(f) < octet_length(f::bytea), pg_column_size(f) > 2100 FROM forms
WHERE name LIKE 'full%' AND form <> 'memory' ORDER BY form COLLATE "C", name COLLATE "C")),
	"extended|full|t|f\nextended|full and large|t|t\nexternal|full|f|t\nexternal|full and "
		. "large|f|t\nmain|full|t|f\nmain|full and large|t|t",
	'filters that are compressed, out of line, or both');

# 401 keys are enough to have all kept that is going to be: each filter for all
# keys, or each key for all filters
my %order = (
	'one filter after the other' => q(
SELECT form, name, members, array_agg(k ORDER BY k) FILTER (WHERE yes) AS found
FROM form,
    LATERAL (SELECT k, bloom_contains(f, k) AS yes FROM generate_series(-200, 200) k OFFSET 0) q
    GROUP BY 1, 2, 3),
	'all filters in turn' => q(
SELECT form, name, members, array_agg(k ORDER BY k) FILTER (WHERE yes) AS found
FROM generate_series(-200, 200) k, LATERAL (SELECT form, name, members, bloom_contains(f, k) AS yes
    FROM form OFFSET 0) q GROUP BY 1, 2, 3));
foreach my $cache ('0', '1MB', '256MB')
{
	foreach my $order (sort keys %order)
	{
		# a member that is not found, or forms of which one says what another does not
		my $wrong = $node->safe_psql('postgres', qq(
SET probds.probe_cache_size = '$cache';
WITH form AS MATERIALIZED (TABLE forms), answer AS MATERIALIZED ($order{$order})
SELECT form, name, 'false negative' FROM answer, generate_series(1, 200) i
WHERE i <= members AND NOT coalesce(i = ANY (found), false)
UNION SELECT min(form), name, 'different' FROM answer GROUP BY name, members
HAVING min(found) <> max(found) OR count(found) NOT IN (0, count(*))
UNION SELECT form, name, 'nothing' FROM answer WHERE found IS NULL AND members > 0));
		is($wrong, '', "right in every form, $order, in $cache");
	}
}

# --- versions of a row ---------------------------------------------------------------

# In PL/pgSQL a call site lives for the transaction.  v is a TOAST pointer.
$node->safe_psql(
	'postgres', q(
CREATE TABLE version (n int, f bloom);
INSERT INTO version SELECT n, bloom_agg(n * 1000000 + i, 50000) FROM generate_series(0, 3) n,
    generate_series(1, 50000) i GROUP BY n;
CREATE TABLE current AS SELECT n, f FROM version WHERE n = 0;

CREATE FUNCTION wrong_answers(n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    v bloom;
    wrong int := 0;
BEGIN
    SELECT f INTO v FROM current;
    FOR i IN 1..500 LOOP
        IF NOT bloom_contains(v, n * 1000000 + i) THEN wrong := wrong + 1; END IF;
    END LOOP;
    RETURN wrong + CASE
        WHEN (SELECT count(*) FROM generate_series(1, 500) i
        WHERE bloom_contains(v, (n + 1) * 1000000 + i)) > 50 THEN 1 ELSE 0 END;
END
$$;

CREATE FUNCTION set_version(v int) RETURNS int LANGUAGE sql AS $$
    UPDATE current SET n = v, f = (SELECT f FROM version WHERE n = v) RETURNING n
$$;

CREATE FUNCTION versions() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    wrong int := 0;
BEGIN
    FOR i IN 1..20 LOOP
        PERFORM set_version(i % 3);
        wrong := wrong + wrong_answers(i % 3);
        BEGIN
            PERFORM set_version(3);
            wrong := wrong + wrong_answers(3);
            RAISE EXCEPTION 'back';
        EXCEPTION WHEN raise_exception THEN
            wrong := wrong + wrong_answers(i % 3);
        END;
        wrong := wrong + wrong_answers(i % 3);
    END LOOP;
    RETURN wrong;
END
$$;
));
is($node->safe_psql('postgres', 'SELECT versions()'), '0',
	'updates and rolled back updates between the probes of a function');
is( $node->safe_psql('postgres', q(
BEGIN;
SELECT set_version(1); SELECT wrong_answers(1);
SAVEPOINT s;
SELECT set_version(2); SELECT wrong_answers(2);
ROLLBACK TO SAVEPOINT s;
SELECT wrong_answers(1);
SELECT set_version(3); SELECT wrong_answers(3);
TRUNCATE current; INSERT INTO current SELECT * FROM version WHERE n = 2;
SELECT wrong_answers(2);
COMMIT;
SELECT wrong_answers(2);
)), "1\n0\n2\n0\n0\n3\n0\n0\n0", 'savepoints and TRUNCATE within a transaction');

# a cursor sees the filter as it was
is( $node->safe_psql('postgres', q(
SELECT set_version(0) \g /dev/null
BEGIN;
DECLARE c CURSOR FOR SELECT bloom_contains(f, i)::int FROM current, generate_series(1, 1000) i;
DECLARE d CURSOR WITH HOLD FOR SELECT bloom_contains(f, i)::int FROM current,
    generate_series(1, 1000) i;
FETCH 1 FROM c;
FETCH 1 FROM d;
MOVE 600 FROM c;
MOVE 600 FROM d;
SELECT set_version(1) \g /dev/null
FETCH 1 FROM c;
FETCH 1 FROM d;
COMMIT;
VACUUM current;
MOVE 300 FROM d;
FETCH 1 FROM d;
)), "1\n1\n1\n1\n1", 'cursors see the filter as it was');

# a procedure that commits between its probes
$node->safe_psql(
	'postgres', q(
CREATE PROCEDURE committing(INOUT wrong int) LANGUAGE plpgsql AS $$
BEGIN
    wrong := 0;
    FOR i IN 1..6 LOOP
        PERFORM set_version(i % 3);
        COMMIT;
        wrong := wrong + wrong_answers(i % 3);
        PERFORM set_version(3);
        ROLLBACK;
        wrong := wrong + wrong_answers(i % 3);
    END LOOP;
END
$$;
));
is($node->safe_psql('postgres', 'CALL committing(NULL)'), '0',
	'a procedure that commits and rolls back');

# --- what the planner expects ---------------------------------------------------------

$node->safe_psql(
	'postgres', q(
CREATE TABLE facts AS
SELECT i AS id, i % 1000 AS thousand, 'user ' || i AS name,
    CASE WHEN i % 5 = 0 THEN NULL WHEN i % 3 = 0 THEN 'often' WHEN i % 3 = 1 THEN 'also'
        ELSE 'once ' || i END AS word
FROM generate_series(1, 60000) i;
-- all rows are the sample, so that the estimates are the same each time
SET default_statistics_target = 1000;
ANALYZE facts;
));

# name, filter, condition: %s is the filter as a literal
my @estimates = (
	[ 'ten of many', 'SELECT bloom_agg(i, 1000) FROM generate_series(1, 10) i',
		'bloom_contains(%s, id)' ],
	[ 'half of them', 'SELECT bloom_agg(i) FROM generate_series(1, 30000) i',
		'bloom_contains(%s, id)' ],
	[ 'the same by @>', 'SELECT bloom_agg(i) FROM generate_series(1, 30000) i', '%s::bloom @> id' ],
	[ 'the same by <@', 'SELECT bloom_agg(i) FROM generate_series(1, 30000) i', 'id <@ %s::bloom' ],
	[ 'the others', 'SELECT bloom_agg(i) FROM generate_series(1, 30000) i',
		'NOT bloom_contains(%s, id)' ],
	[ 'false positives', 'SELECT bloom_agg(i) FROM generate_series(100000, 200000) i',
		'bloom_contains(%s, id)' ],
	[ 'an overfilled filter', 'SELECT bloom_agg(i, 1000) FROM generate_series(100000, 103000) i',
		'bloom_contains(%s, id)' ],
	[ 'each value many times', 'SELECT bloom_agg(i) FROM generate_series(0, 99) i',
		'bloom_contains(%s, thousand)' ],
	[ 'the most common value', q(SELECT bloom_agg('often'::text)), 'bloom_contains(%s, word)' ],
	[ 'rare ones', q(SELECT bloom_agg(word) FROM facts
		WHERE word LIKE 'once%'), 'bloom_contains(%s, word)' ],
	[ 'text', q(SELECT bloom_agg(name) FROM facts WHERE id > 50000), '_bloom_contained(name, %s)' ],
	[ 'nothing', 'SELECT bloom_empty(1000)', 'bloom_contains(%s, id)' ]);
foreach my $e (@estimates)
{
	my ($name, $filter, $condition) = @$e;
	my $literal = "'" . $node->safe_psql('postgres', $filter) . "'";
	my $query = 'SELECT * FROM facts WHERE ' . sprintf($condition, $literal);
	my ($expected, $got) = split /\|/,
		$node->safe_psql('postgres', "SELECT * FROM rows(\$q\$$query\$q\$)");
	# a histogram of 1000 steps tells no finer
	ok(abs($expected - $got) <= 0.25 * $got + 0.006 * 60000,
		"rows expected of $name: $expected, and $got came");
}
# what the server allows no one to see is not used
is( $node->safe_psql('postgres', q(
CREATE ROLE reader;
CREATE VIEW even WITH (security_barrier) AS SELECT * FROM facts WHERE id % 2 = 0;
GRANT SELECT ON even TO reader;
SELECT bloom_agg('often'::text) AS f \gset
SET ROLE reader;
PREPARE p AS SELECT * FROM even WHERE bloom_contains(:'f', word);
SELECT count(*) FROM (SELECT * FROM even WHERE bloom_contains(:'f', word)) q;
)), $node->safe_psql('postgres', "SELECT count(*) FROM facts WHERE word = 'often' AND id % 2 = 0"),
	'a view with a security barrier');

# cheaper conditions first, the filter before a subquery
like($node->safe_psql('postgres', q(
EXPLAIN (COSTS OFF) SELECT * FROM facts a
WHERE EXISTS (SELECT FROM facts b WHERE b.id = a.id OFFSET 0)
    AND bloom_contains((SELECT f FROM blocked), id) AND thousand = 5)),
	qr/Filter: \(\(thousand = 5\) AND bloom_contains\(.*\) AND .*SubPlan/,
		'a filter is asked before a subquery');

$node->stop;
done_testing();
