-- The same values so often are the same bytes, whatever way led there.  The
-- digests pin the format: a release that changes one of them cannot read what
-- earlier ones have stored.

-- Shapes small and large, weights that need 1 to 8 bytes, from one value to all counters
CREATE TEMP TABLE sets AS
SELECT row_number() OVER (ORDER BY e, d, w, n) AS id, e, d, w, n, (SELECT cms_agg_weighted(i, i % 3 * w + 1, e, d) FROM generate_series(1, n) i) AS c
FROM (VALUES (0.5, 0.5), (0.05, 0.1), (0.001, 0.01), (0.0001, 0.0001)) p(e, d), unnest(ARRAY[0, 100, 30000, 5000000000]) w, unnest(ARRAY[1, 7, 90, 1500, 15000]) n;
SELECT e, d, w, n, i.encoding, i.counter_bytes, i.bytes, md5(c::bytea) FROM sets, cms_info(c) i ORDER BY id;
-- other kinds, and conservative in the order of the rows
SELECT n, md5(cms_agg('value ' || i)::bytea) AS text, md5(cms_agg(md5(i::text)::uuid)::bytea) AS uuid, md5(cms_agg(i / 8.0)::bytea) AS numeric, md5(cms_agg('10.0.0.0'::inet + i)::bytea) AS inet, md5(cms_agg_conservative(i % 700 ORDER BY i)::bytea) AS conservative
FROM unnest(ARRAY[1, 100, 10000]) n, generate_series(1, n) i GROUP BY n ORDER BY n;
SELECT e, d, cms_empty(e, d)::bytea AS plain, cms_empty(e, d, true)::bytea AS conservative FROM (VALUES (0.999, 0.999), (0.5, 0.5), (0.001, 0.01), (0.0123, 0.0456), (1e-7, 0.3)) p(e, d);

-- ---------- the order of rows, and how weights are split ----------
SELECT bool_and(c = (SELECT cms_agg_weighted(i, i % 3 * w + 1, e, d) FROM generate_series(n, 1, -1) i)) AS backwards,
    bool_and(c = (SELECT cms_agg_weighted(i, i % 3 * w + 1, e, d ORDER BY md5(i::text)) FROM generate_series(1, n) i)) AS shuffled,
    bool_and(c = (SELECT cms_agg_weighted(i, v, e, d) FROM generate_series(1, n) i, LATERAL (VALUES (i % 3 * w), (1::bigint)) v(v))) AS weights_split,
    bool_and(c = (SELECT cms_agg_weighted(i, v, e, d ORDER BY v DESC) FROM generate_series(1, n + 10) i, LATERAL (VALUES (i % 3 * w + 5), (CASE WHEN i <= n THEN -4 ELSE -(i % 3 * w + 5) END)) v(v))) AS taken_out,
    bool_and(c = (SELECT cms_agg_weighted(nullif(i, n + 1), i % 3 * w + 1, e, d) FROM generate_series(1, n + 1) i)) AS with_a_null
FROM sets;
SELECT n, cms_agg(i % 90) = cms_agg(i % 90 ORDER BY md5(i::text)) AS shuffled, cms_agg(i % 90) = cms_agg(i % 90 ORDER BY i % 90) AS sorted FROM unnest(ARRAY[1, 2, 7, 500, 20000]) n, generate_series(1, n) i GROUP BY n ORDER BY n;

-- ---------- splits and merges ----------
CREATE FUNCTION pg_temp.merged(s sets, parts int, of text) RETURNS cms LANGUAGE plpgsql AS $$
DECLARE
    result cms;
BEGIN
    EXECUTE format('SELECT cms_merge_agg(c) FROM (SELECT cms_agg_weighted(i, i %% 3 * $4 + 1, $2, $3) AS c FROM generate_series(1, $1) i GROUP BY %s) q', of) INTO result USING s.n, s.e, s.d, s.w, parts;
    RETURN result;
END
$$;
SELECT bool_and(c = pg_temp.merged(s, 2, 'i % $5')) AS odd_and_even, bool_and(c = pg_temp.merged(s, 2, 'i * $5 / $1')) AS halves, bool_and(c = pg_temp.merged(s, 17, 'i % $5')) AS seventeen, bool_and(c = pg_temp.merged(s, 5, '(i = $5)')) AS one_and_the_rest FROM sets s;
SELECT bool_and(cms_subtract(c || other, other) = c) AS added_and_taken, bool_and(cms_subtract(c, c) = cms_empty(e, d)) AS nothing_left, bool_and(c || cms_empty(e, d) = c AND cms_empty(e, d) || c = c) AS empty,
    bool_and(cms_subtract(c, part) || part = c) AS taken_and_added, bool_and(merged = c || c) AS merge_agg
FROM sets, LATERAL (SELECT cms_agg_weighted(-i, i * i, e, d) AS other FROM generate_series(1, 500) i) o, LATERAL (SELECT cms_agg(i, e, d) AS part FROM generate_series(1, n, 3) i) p, LATERAL (SELECT cms_merge_agg(x) AS merged FROM unnest(ARRAY[c, NULL, cms_empty(e, d), c]) x) m;
SELECT bool_and(cms_add_all(cms_empty(e, d), (SELECT array_agg(i) FROM generate_series(1, n) i)) = c) AS add_all FROM sets WHERE w = 0;

-- ---------- every plan: serial, parallel, hashed, sorted, partition-wise ----------
\set plans `echo "${PROBDS_SRC:-.}/test/types/plans.sql"`
\set ECHO none
\i :plans
\set ECHO all
CALL pg_temp.make_rows();
CREATE VIEW cms_rows AS SELECT i, g, c AS d, n * n % 9973 AS v, 'user ' || n * n % 9973 AS t, (n % 5) * (n % 1000) AS w FROM plan_rows;
CREATE VIEW cms_parts AS SELECT i, g, c AS d, n * n % 9973 AS v, 'user ' || n * n % 9973 AS t, (n % 5) * (n % 1000) AS w FROM plan_parts;
CREATE TABLE cms_stored WITH (parallel_workers = 2) AS SELECT g, d, cms_agg_weighted(v, w) AS c FROM cms_rows GROUP BY 1, 2;
ANALYZE cms_stored;
-- (one over "any", as records are, has no combine function)
SELECT n, pg_temp.all_plans(q) FROM (VALUES
    (1, 'SELECT g AS k, cms_agg(v) AS s FROM cms_rows GROUP BY g'), (2, 'SELECT g AS k, cms_agg(t) AS s FROM cms_rows GROUP BY g'), (3, 'SELECT g AS k, cms_agg_weighted(v, w) AS s FROM cms_rows GROUP BY g'),
    (4, 'SELECT g AS k, cms_agg_weighted(t, w, 0.02, 0.3) AS s FROM cms_rows GROUP BY g'), (5, 'SELECT 0 AS k, cms_agg(t) AS s FROM cms_rows'), (6, 'SELECT 0 AS k, cms_agg_weighted(v, w) AS s FROM cms_rows'),
    (7, 'SELECT 0 AS k, cms_agg(v::numeric, 0.0001, 0.0001) AS s FROM cms_rows'), (8, 'SELECT g AS k, cms_merge_agg(c) AS s FROM cms_stored GROUP BY g'), (9, 'SELECT 0 AS k, cms_merge_agg(c) AS s FROM cms_stored'),
    (10, 'SELECT d AS k, cms_agg_weighted(nullif(v, 5), nullif(w, 8)) AS s FROM cms_rows GROUP BY d'), (11, 'SELECT 0 AS k, cms_agg(ROW(v, t)) AS s FROM cms_rows')) x(n, q) ORDER BY n;
-- over partitions, of which it depends on the server whether they are aggregated in parts
SELECT n, regexp_replace(pg_temp.all_plans(q), ', in parts$', '') FROM (VALUES
    (12, 'SELECT g AS k, cms_agg(v) AS s FROM cms_parts GROUP BY g'), (13, 'SELECT d AS k, cms_agg_weighted(v, w) AS s FROM cms_parts GROUP BY d'), (14, 'SELECT 0 AS k, cms_agg(t) AS s FROM cms_parts')) x(n, q) ORDER BY n;
-- the whole as from its parts: by days, by partitions
SELECT (SELECT cms_merge_agg(c) FROM cms_stored) = (SELECT cms_agg_weighted(v, w) FROM cms_rows) AS merged, (SELECT cms_agg(t) FROM cms_parts) = (SELECT cms_agg(t) FROM cms_rows) AS partitioned,
    (SELECT cms_merge_agg(c) FROM (SELECT cms_agg(t) AS c FROM cms_rows GROUP BY d) q) = (SELECT cms_agg(t) FROM cms_rows) AS by_days,
    (SELECT cms_agg_weighted(v, w) OVER () FROM cms_rows LIMIT 1) = (SELECT cms_agg_weighted(v, w) FROM cms_rows) AS window;
-- a hash table that spills
SET work_mem = '64kB';
SET enable_sort = off;
SELECT (SELECT md5(string_agg(md5(c::bytea), ',' ORDER BY k)) FROM (SELECT i % 3000 AS k, cms_agg_weighted(v, w) AS c FROM cms_rows GROUP BY 1) q) =
    (SELECT md5(string_agg(md5(c::bytea), ',' ORDER BY k)) FROM (SELECT k, cms_merge_agg(c) AS c FROM (SELECT i % 3000 AS k, d, cms_agg_weighted(v, w) AS c FROM cms_rows GROUP BY 1, 2) p GROUP BY k) q) AS spilled;
RESET work_mem;
RESET enable_sort;
DROP TABLE cms_stored;
DROP VIEW cms_rows, cms_parts;
DROP TABLE plan_rows, plan_parts;

-- ---------- stored and read back ----------
CREATE TEMP TABLE stored (id int, plain cms, main cms, extended cms, external cms);
ALTER TABLE stored ALTER main SET STORAGE main, ALTER extended SET STORAGE extended;
INSERT INTO stored SELECT id, c, c, c, c FROM sets;
SELECT count(*) AS sketches, bool_and(plain = main AND main = extended AND extended = external) AS equal, bool_and(plain -> 7 = main -> 7 AND main -> 7 = extended -> 7 AND extended -> 7 = external -> 7) AS frequency,
    bool_and(plain = c AND main::bytea = c::bytea AND cms_info(extended) = cms_info(c)) AS bytes FROM stored JOIN sets USING (id);
