-- The same set of values is the same bytes, whatever way led there.  The
-- digests pin the format: a release that changes one of them cannot read what
-- earlier ones have stored.

-- Both layouts, a single block and many, rates and capacities; nothing, a list, an array of bits, overfilled
CREATE TEMP TABLE sets AS
SELECT row_number() OVER (ORDER BY layout, capacity, rate, n) AS id, layout, capacity, rate, n,
    (SELECT coalesce(bloom_agg(i, capacity, rate, layout), bloom_empty(capacity, rate, layout)) FROM generate_series(1, n) i) AS f
FROM unnest(ARRAY['blocked', 'classic']) layout, (VALUES (10, 0.01), (100, 0.01), (1000, 0.001), (20000, 0.01), (1000000, 0.05)) p(capacity, rate), unnest(ARRAY[0, 1, 7, 90, 1000, 15000]) n
WHERE n <= 100 * capacity;
SELECT s.layout, s.capacity, s.rate, n, i.encoding, i.bytes, md5(f::bytea) FROM sets s, bloom_info(f) i ORDER BY id;
-- without a capacity, other kinds
SELECT n, md5(bloom_agg(i)::bytea) AS int, md5(bloom_agg('value ' || i)::bytea) AS text, md5(bloom_agg(md5(i::text)::uuid)::bytea) AS uuid, md5(bloom_agg(i / 8.0)::bytea) AS numeric,
    md5(bloom_agg('10.0.0.0'::inet + i)::bytea) AS inet FROM unnest(ARRAY[1, 100, 10000]) n, generate_series(1, n) i GROUP BY n ORDER BY n;
SELECT capacity, rate, bloom_empty(capacity, rate)::bytea AS blocked, bloom_empty(capacity, rate, 'classic')::bytea AS classic FROM (VALUES (1, 0.5), (100, 0.01), (426, 0.01), (427, 0.01), (1000000, 0.001), (500000000, 0.001)) p(capacity, rate);

-- ---------- the order of rows ----------
SELECT bool_and(f = (SELECT bloom_agg(i, capacity, rate, layout) FROM generate_series(n, 1, -1) i)) AS backwards,
    bool_and(f = (SELECT bloom_agg(i, capacity, rate, layout ORDER BY md5(i::text)) FROM generate_series(1, n) i)) AS shuffled,
    bool_and(f = (SELECT bloom_agg(i, capacity, rate, layout ORDER BY probds_hash(i)) FROM generate_series(1, n) i)) AS by_hash,
    bool_and(f = (SELECT bloom_agg(least(i, 2 * n - i + 1), capacity, rate, layout) FROM generate_series(1, 2 * n) i)) AS each_twice,
    bool_and(f = (SELECT bloom_agg(nullif(i, n + 1), capacity, rate, layout) FROM generate_series(1, n + 1) i)) AS with_a_null
FROM sets WHERE n > 0;
SELECT n, l.* FROM unnest(ARRAY[1, 2, 7, 500, 20000]) n, LATERAL (SELECT bloom_agg(i) = bloom_agg(i ORDER BY md5(i::text)) AS shuffled, bloom_agg(i) = bloom_agg(i ORDER BY -i) AS backwards, bloom_agg(i) = bloom_agg(i, n) AS as_told, bloom_agg(i) = bloom_agg(nullif(i % (n + 1), 0)) AS others
    FROM generate_series(1, n) i) l ORDER BY n;

-- ---------- splits and merges ----------
CREATE FUNCTION pg_temp.merged(n int, capacity bigint, rate float8, layout text, parts int, of text) RETURNS bloom LANGUAGE plpgsql AS $$
DECLARE
    result bloom;
BEGIN
    EXECUTE format('SELECT bloom_merge_agg(f) FROM (SELECT bloom_agg(i, $2, $3, $4) AS f FROM generate_series(1, $1) i GROUP BY %s) q', of) INTO result USING n, capacity, rate, layout, parts;
    RETURN result;
END
$$;
SELECT bool_and(f = pg_temp.merged(n, capacity, rate, layout, 2, 'i % $5')) AS odd_and_even, bool_and(f = pg_temp.merged(n, capacity, rate, layout, 2, 'i * $5 / $1')) AS halves,
    bool_and(f = pg_temp.merged(n, capacity, rate, layout, 17, 'i % $5')) AS seventeen, bool_and(f = pg_temp.merged(n, capacity, rate, layout, 100, '(i = $5)')) AS one_and_the_rest
FROM sets WHERE n > 0;
-- overlapping parts, a small and a large one, by operator
SELECT bool_and(f || (SELECT bloom_agg(i, capacity, rate, layout) FROM generate_series(1, least(n, 10)) i) = f) AS small_in_large,
    bool_and((SELECT bloom_agg(i, capacity, rate, layout) FROM generate_series(1, n / 2 + 1) i) || (SELECT bloom_agg(i, capacity, rate, layout) FROM generate_series(n / 3 + 1, n) i) = f) AS overlapping,
    bool_and(f || f = f) AS itself, bool_and(f & f = f) AS its_intersection, bool_and(merged = f) AS merge_agg, bool_and(intersected = f) AS intersect_agg,
    bool_and(f & bloom_add_all(f, ARRAY[-1, -2, -3]) = f) AS of_more, bool_and(f || bloom_empty(capacity, rate, layout) = f AND bloom_empty(capacity, rate, layout) || f = f) AS empty
FROM sets, LATERAL (SELECT bloom_merge_agg(x) AS merged FROM unnest(ARRAY[f, NULL, bloom_empty(capacity, rate, layout), f]) x) m, LATERAL (SELECT bloom_intersect_agg(x) AS intersected FROM unnest(ARRAY[f, NULL, bloom_add(f, 0), f]) x) n
WHERE sets.n > 0;
SELECT bool_and(bloom_add_all(bloom_empty(capacity, rate, layout), (SELECT array_agg(i) FROM generate_series(1, n) i)) = f) AS add_all, bool_and(bloom_add_all(f, ARRAY[1, NULL, n]) = f) AS nothing_new FROM sets WHERE n > 0;

-- ---------- every plan: serial, parallel, hashed, sorted, partition-wise ----------
\set plans `echo "${PROBDS_SRC:-.}/test/types/plans.sql"`
\set ECHO none
\i :plans
\set ECHO all
CALL pg_temp.make_rows();
CREATE VIEW bloom_rows AS SELECT i, g, c, n - n % 3 AS v, 'user ' || n - n % 3 AS t FROM plan_rows;
CREATE VIEW bloom_parts AS SELECT i, g, c, n - n % 3 AS v, 'user ' || n - n % 3 AS t FROM plan_parts;
CREATE TABLE bloom_stored WITH (parallel_workers = 2) AS SELECT g, i % 11 AS part, bloom_agg(v, 5000) AS f FROM bloom_rows GROUP BY 1, 2;
ANALYZE bloom_stored;
-- (one without a capacity has no combine function)
SELECT n, pg_temp.all_plans(q) FROM (VALUES
    (1, 'SELECT g AS k, bloom_agg(v) AS s FROM bloom_rows GROUP BY g'), (2, 'SELECT g AS k, bloom_agg(t, 100000) AS s FROM bloom_rows GROUP BY g'),
    (3, 'SELECT g AS k, bloom_agg(v, 900, 0.001) AS s FROM bloom_rows GROUP BY g'), (4, 'SELECT g AS k, bloom_agg(t, 900, 0.1, ''classic'') AS s FROM bloom_rows GROUP BY g'),
    (5, 'SELECT 0 AS k, bloom_agg(t) AS s FROM bloom_rows'), (6, 'SELECT 0 AS k, bloom_agg(v, 5000) AS s FROM bloom_rows'), (7, 'SELECT 0 AS k, bloom_agg(v::numeric, 1000000, 0.01, ''classic'') AS s FROM bloom_rows'),
    (8, 'SELECT g AS k, bloom_merge_agg(f) AS s FROM bloom_stored GROUP BY g'), (9, 'SELECT 0 AS k, bloom_merge_agg(f) AS s FROM bloom_stored'), (10, 'SELECT 0 AS k, bloom_intersect_agg(f) AS s FROM bloom_stored WHERE g = 15'),
    (11, 'SELECT g AS k, bloom_intersect_agg(f) AS s FROM bloom_stored GROUP BY g')) x(n, q) ORDER BY n;
-- over partitions, of which it depends on the server whether they are aggregated in parts
SELECT n, regexp_replace(pg_temp.all_plans(q), ', in parts$', '') FROM (VALUES
    (12, 'SELECT g AS k, bloom_agg(v) AS s FROM bloom_parts GROUP BY g'), (13, 'SELECT c AS k, bloom_agg(v, 5000) AS s FROM bloom_parts GROUP BY c'), (14, 'SELECT 0 AS k, bloom_agg(t) AS s FROM bloom_parts')) x(n, q) ORDER BY n;
-- the whole as from its parts
SELECT (SELECT bloom_merge_agg(f) FROM bloom_stored) = (SELECT bloom_agg(v, 5000) FROM bloom_rows) AS merged, (SELECT bloom_agg(t) FROM bloom_parts) = (SELECT bloom_agg(t) FROM bloom_rows) AS partitioned;
DROP TABLE bloom_stored;
DROP VIEW bloom_rows, bloom_parts;
DROP TABLE plan_rows, plan_parts;

-- ---------- more distinct values than are kept one by one, without a capacity ----------
-- 2^20 of them, and one more: from there on it is a filter that is folded to a size that they fit in
CREATE TEMP TABLE many AS
SELECT n, (SELECT bloom_agg(i) FROM generate_series(1, n) i) AS f FROM unnest(ARRAY[1 << 20, (1 << 20) + 1]) n;
SELECT n, i.capacity >= n AS fits, i.capacity, i.items, i.bits, i.hashes, i.false_positive_rate < 0.0101 AS as_promised, i.status, md5(f::bytea) FROM many, bloom_info(f) i ORDER BY n;
-- as if it had been built for that capacity, and whatever the order and the duplicates
SELECT n, f = (SELECT bloom_agg(i, capacity) FROM generate_series(n, 1, -1) i) AS as_told FROM (SELECT n, f, (bloom_info(f)).capacity FROM many OFFSET 0) q ORDER BY n;
SELECT f = (SELECT bloom_agg(i) FROM (SELECT i FROM generate_series(n, 1, -1) i UNION ALL SELECT i FROM generate_series(1, 100) i) q) AS backwards FROM many WHERE n > 1 << 20;

-- ---------- stored and read back ----------
CREATE TEMP TABLE stored (id int, plain bloom, main bloom, extended bloom, external bloom);
ALTER TABLE stored ALTER plain SET STORAGE external, ALTER main SET STORAGE main, ALTER extended SET STORAGE extended;
INSERT INTO stored SELECT id, f, f, f, f FROM sets;
SELECT count(*) AS filters, bool_and(plain = main AND main = extended AND extended = external) AS equal,
    bool_and(bloom_cardinality(plain) = bloom_cardinality(main) AND bloom_cardinality(extended) = bloom_cardinality(external)) AS cardinality,
    bool_and(plain || main = extended & external) AS merged, bool_and(md5(plain::bytea) = md5(main::bytea) AND md5(extended::bytea) = md5(external::bytea)) AS bytes FROM stored;
