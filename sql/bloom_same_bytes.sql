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
SELECT n, bloom_agg(i) = bloom_agg(i ORDER BY md5(i::text)) AS shuffled, bloom_agg(i) = bloom_agg(i ORDER BY -i) AS backwards, bloom_agg(i) = bloom_agg(i, n) AS as_told, bloom_agg(i) = bloom_agg(nullif(i % (n + 1), 0)) AS others
FROM unnest(ARRAY[1, 2, 7, 500, 20000]) n, generate_series(1, n) i GROUP BY n ORDER BY n;

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
-- The bytes of all groups as one number, and whether the plan has such a node
CREATE FUNCTION pg_temp.digest(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('SELECT count(*) || '' groups, '' || md5(string_agg(k || '':'' || coalesce(md5(f::bytea), ''NULL''), '','' ORDER BY k)) FROM (%s) q', query) INTO answer;
    RETURN answer;
END
$$;
CREATE FUNCTION pg_temp.plan_has(query text, node text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line LIKE '%' || node || '%' THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END
$$;
-- groups of 1, 2, 4, ... 32,768 rows in the column g
CREATE TABLE bloom_rows AS SELECT i, length(ltrim(i::bit(20)::text, '0')) - 1 AS g, i % 7 AS c, i - i % 3 AS v, 'user ' || i - i % 3 AS t FROM generate_series(1, 65535) i;
INSERT INTO bloom_rows SELECT 0, -1, 0 FROM generate_series(1, 9);
CREATE TABLE bloom_parts (LIKE bloom_rows) PARTITION BY HASH (g);
CREATE TABLE bloom_part_0 PARTITION OF bloom_parts FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE bloom_part_1 PARTITION OF bloom_parts FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE bloom_part_2 PARTITION OF bloom_parts FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO bloom_parts TABLE bloom_rows;
CREATE TABLE bloom_stored AS SELECT g, i % 11 AS part, bloom_agg(v, 5000) AS f FROM bloom_rows GROUP BY 1, 2;
ALTER TABLE bloom_rows SET (parallel_workers = 2);
ALTER TABLE bloom_part_0 SET (parallel_workers = 2);
ALTER TABLE bloom_part_1 SET (parallel_workers = 2);
ALTER TABLE bloom_part_2 SET (parallel_workers = 2);
ALTER TABLE bloom_stored SET (parallel_workers = 2);
ANALYZE bloom_rows, bloom_parts, bloom_stored;
CREATE TEMP TABLE query AS SELECT n, q FROM (VALUES
    (1, 'SELECT g AS k, bloom_agg(v) AS f FROM bloom_rows GROUP BY g'), (2, 'SELECT g AS k, bloom_agg(t, 100000) AS f FROM bloom_rows GROUP BY g'),
    (3, 'SELECT g AS k, bloom_agg(v, 900, 0.001) AS f FROM bloom_rows GROUP BY g'), (4, 'SELECT g AS k, bloom_agg(t, 900, 0.1, ''classic'') AS f FROM bloom_rows GROUP BY g'),
    (5, 'SELECT 0 AS k, bloom_agg(t) AS f FROM bloom_rows'), (6, 'SELECT 0 AS k, bloom_agg(v, 5000) AS f FROM bloom_rows'), (7, 'SELECT 0 AS k, bloom_agg(v::numeric, 1000000, 0.01, ''classic'') AS f FROM bloom_rows'),
    (8, 'SELECT g AS k, bloom_merge_agg(f) AS f FROM bloom_stored GROUP BY g'), (9, 'SELECT 0 AS k, bloom_merge_agg(f) AS f FROM bloom_stored'), (10, 'SELECT 0 AS k, bloom_intersect_agg(f) AS f FROM bloom_stored WHERE g = 15'),
    (11, 'SELECT g AS k, bloom_intersect_agg(f) AS f FROM bloom_stored GROUP BY g'), (12, 'SELECT g AS k, bloom_agg(v) AS f FROM bloom_parts GROUP BY g'), (13, 'SELECT c AS k, bloom_agg(v, 5000) AS f FROM bloom_parts GROUP BY c'),
    (14, 'SELECT 0 AS k, bloom_agg(t) AS f FROM bloom_parts')) x(n, q);
SET max_parallel_workers_per_gather = 0;
SET enable_hashagg = off;
CREATE TEMP TABLE answer AS SELECT n, pg_temp.digest(q) AS sorted FROM query;
SELECT n, sorted FROM answer ORDER BY n;
RESET enable_hashagg;
SET enable_sort = off;
SELECT count(*) AS hashed, bool_and(pg_temp.digest(q) = sorted) AS same FROM query JOIN answer USING (n);
RESET enable_sort;
SET enable_partitionwise_aggregate = on;
SELECT count(*) AS partition_wise, bool_and(pg_temp.plan_has(q, 'Append')) AS planned, bool_and(pg_temp.digest(q) = sorted) AS same FROM query JOIN answer USING (n) WHERE n >= 12;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
-- (one without a capacity has no combine function)
SELECT count(*) AS parallel, bool_and(pg_temp.plan_has(q, 'Gather')) AS planned, bool_and(pg_temp.plan_has(q, 'Partial') = (n NOT IN (1, 5))) FILTER (WHERE n < 12) AS partial, bool_and(pg_temp.digest(q) = sorted) AS same FROM query JOIN answer USING (n);
SET parallel_leader_participation = off;
SELECT count(*) AS without_leader, bool_and(pg_temp.digest(q) = sorted) AS same FROM query JOIN answer USING (n);
-- the whole as from its parts
SELECT (SELECT bloom_merge_agg(f) FROM bloom_stored) = (SELECT bloom_agg(v, 5000) FROM bloom_rows) AS merged, (SELECT bloom_agg(t) FROM bloom_parts) = (SELECT bloom_agg(t) FROM bloom_rows) AS partitioned;
RESET parallel_leader_participation;
RESET min_parallel_table_scan_size;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
RESET max_parallel_workers_per_gather;
RESET enable_partitionwise_aggregate;
DROP TABLE bloom_rows, bloom_parts, bloom_stored;

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
