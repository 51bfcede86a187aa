-- The same set of values is the same bytes, by any plan and any tree of unions.  The
-- digests pin the format: a release that changes one of them cannot read what
-- earlier ones have stored.
CREATE TEMP TABLE sets AS
SELECT row_number() OVER (ORDER BY capacity, rate, n) AS id, capacity, rate, n,
    (SELECT coalesce(scalable_bloom_agg(i, capacity, rate), scalable_bloom_empty(capacity, rate)) FROM generate_series(1, n) i) AS s
FROM (VALUES (10, 0.01), (1000, 0.01), (1000, 0.001), (20000, 0.05)) p(capacity, rate), unnest(ARRAY[0, 1, 7, 900, 1000, 1001, 15000]) n;
SELECT t.capacity, rate, n, layer, i.capacity AS of_layer, encoding, octet_length(s::bytea) AS bytes, md5(s::bytea) FROM sets t, scalable_bloom_info(s) i ORDER BY id;
-- values added one by one, over several layers
SELECT n, md5(scalable_bloom_add_all(scalable_bloom_empty(10), ARRAY(SELECT i FROM generate_series(1, n) i))::bytea) AS int,
    md5(scalable_bloom_add_all(scalable_bloom_empty(10), ARRAY(SELECT 'value ' || i FROM generate_series(1, n) i))::bytea) AS text FROM unnest(ARRAY[1, 10, 100, 10000]) n;
SELECT n, md5(scalable_bloom_agg(i)::bytea) AS int, md5(scalable_bloom_agg('value ' || i)::bytea) AS text, md5(scalable_bloom_agg(md5(i::text)::uuid)::bytea) AS uuid, md5(scalable_bloom_agg(i / 8.0)::bytea) AS numeric,
    md5(scalable_bloom_agg('10.0.0.0'::inet + i)::bytea) AS inet, md5(scalable_bloom_agg(ROW(i, i))::bytea) AS record FROM unnest(ARRAY[1, 100, 10000]) n, generate_series(1, n) i GROUP BY n ORDER BY n;

-- ---------- the order of rows ----------
SELECT bool_and(s = (SELECT scalable_bloom_agg(i, capacity, rate) FROM generate_series(n, 1, -1) i)) AS backwards,
    bool_and(s = (SELECT scalable_bloom_agg(i, capacity, rate ORDER BY md5(i::text)) FROM generate_series(1, n) i)) AS shuffled,
    bool_and(s = (SELECT scalable_bloom_agg(i, capacity, rate ORDER BY probds_hash(i)) FROM generate_series(1, n) i)) AS by_hash,
    bool_and(s = (SELECT scalable_bloom_agg(least(i, 2 * n - i + 1), capacity, rate) FROM generate_series(1, 2 * n) i)) AS each_twice,
    bool_and(s = (SELECT scalable_bloom_agg(nullif(i, n + 1), capacity, rate) FROM generate_series(1, n + 1) i)) AS with_a_null
FROM sets WHERE n > 0;
-- up to nine tenths of the capacity, adding one by one is the same in any order, and the aggregate's bytes
SELECT bool_and(scalable_bloom_add_all(scalable_bloom_empty(capacity, rate), ARRAY(SELECT i FROM generate_series(1, n) i)) = s) AS added,
    bool_and(scalable_bloom_add_all(scalable_bloom_empty(capacity, rate), ARRAY(SELECT i FROM generate_series(n, 1, -1) i)) = s) AS backwards
FROM sets WHERE n <= 0.9 * capacity;

-- ---------- unions ----------
-- of ten sketches, by the aggregate in several orders, by parts, by operator
CREATE TEMP TABLE parts AS
SELECT p, scalable_bloom_agg(i, 100) AS s FROM generate_series(1, 2000) i, LATERAL (SELECT i % 7 AS p) q GROUP BY p
UNION ALL SELECT 7, scalable_bloom_add_all(scalable_bloom_empty(100), ARRAY(SELECT i FROM generate_series(1, 3000) i))
UNION ALL SELECT 8, scalable_bloom_empty(100) UNION ALL SELECT 9, NULL;
CREATE TEMP TABLE united AS SELECT scalable_bloom_merge_agg(s ORDER BY p) AS s FROM parts;
SELECT count(*) AS layers, md5(s::bytea) FROM united, scalable_bloom_info(s) GROUP BY s;
SELECT scalable_bloom_merge_agg(p.s ORDER BY -p) = u.s AS backwards, scalable_bloom_merge_agg(p.s ORDER BY md5(p::text)) = u.s AS shuffled FROM parts p, united u GROUP BY u.s;
SELECT scalable_bloom_merge_agg(q.s) = u.s AS by_parts FROM (SELECT scalable_bloom_merge_agg(s) AS s FROM parts GROUP BY p % 3) q, united u GROUP BY u.s;
SELECT scalable_bloom_merge_agg(q.s) = u.s AS twice FROM (SELECT s FROM parts UNION ALL SELECT s FROM parts) q, united u GROUP BY u.s;
DO $$
DECLARE
    a scalable_bloom;
    one scalable_bloom;
BEGIN
    FOR one IN SELECT s FROM parts ORDER BY md5(p::text || 'x') LOOP
        a := one || a;
    END LOOP;
    RAISE NOTICE 'by operator: %', (SELECT a = s FROM united);
END
$$;

-- ---------- every plan ----------
CREATE TABLE scalable_bloom_rows (k int, v int) PARTITION BY HASH (k);
CREATE TABLE scalable_bloom_rows_0 PARTITION OF scalable_bloom_rows FOR VALUES WITH (MODULUS 2, REMAINDER 0) WITH (parallel_workers = 2);
CREATE TABLE scalable_bloom_rows_1 PARTITION OF scalable_bloom_rows FOR VALUES WITH (MODULUS 2, REMAINDER 1) WITH (parallel_workers = 2);
INSERT INTO scalable_bloom_rows SELECT i % 20, i FROM generate_series(1, 40000) i;
CREATE TABLE scalable_bloom_days WITH (parallel_workers = 2) AS SELECT v % 50 AS d, scalable_bloom_agg(v, 100) AS s FROM scalable_bloom_rows GROUP BY d;
ANALYZE scalable_bloom_rows, scalable_bloom_days;
\set plans `echo "${PROBDS_SRC:-.}/test/types/plans.sql"`
\set ECHO none
\i :plans
\set ECHO all
SELECT number, pg_temp.all_plans(query) FROM (VALUES
    (1, 'SELECT 1 AS k, scalable_bloom_agg(v) AS s FROM scalable_bloom_rows'), (2, 'SELECT k, scalable_bloom_agg(v, 100, 0.05) AS s FROM scalable_bloom_rows GROUP BY k'),
    (3, 'SELECT 1 AS k, scalable_bloom_merge_agg(s) AS s FROM scalable_bloom_days'), (4, 'SELECT d % 5 AS k, scalable_bloom_merge_agg(s) AS s FROM scalable_bloom_days GROUP BY 1')) q(number, query) ORDER BY number;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
-- unions have parallel parts; what collects has none
EXPLAIN (COSTS OFF) SELECT scalable_bloom_merge_agg(s) FROM scalable_bloom_days;
DROP TABLE scalable_bloom_rows, scalable_bloom_days;

-- over a window
SELECT bool_and(f = (SELECT scalable_bloom_agg(j) FROM generate_series(greatest(1, i - 3), i) j)) AS window
FROM (SELECT i, scalable_bloom_agg(i) OVER (ORDER BY i ROWS 3 PRECEDING) AS f FROM generate_series(1, 50) i) q;
-- 10,000 groups
SELECT count(*) AS groups, bool_and(octet_length(f::bytea) < 120) AS small, bool_and(f @> i AND f @> (i + 10000)) AS found
FROM (SELECT i % 10000 AS k, max(i) - 10000 AS i, scalable_bloom_agg(i) AS f FROM generate_series(0, 19999) i GROUP BY 1) q;
