-- Scalar functions, operators, equality and what rests on it

-- Does the plan of a query have such a node?
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

-- ---------- add ----------
SELECT bloom_cardinality(bloom_empty(9)) AS nothing, bloom_cardinality(bloom_add(bloom_empty(9), 1)) AS one, bloom_cardinality(bloom_add(bloom_add(bloom_empty(9), 1), 2)) AS two,
    bloom_add(bloom_add(bloom_empty(9), 1), 1) = bloom_add(bloom_empty(9), 1) AS twice_the_same;
-- no casts: literals, columns, expressions, parameters
PREPARE add_int(int) AS SELECT bloom_add(bloom_agg(i, 9), $1) = bloom_agg(i, 9) AS known FROM generate_series(1, 3) i;
EXECUTE add_int(3);
EXECUTE add_int(4);
SELECT bloom_cardinality(bloom_add(bloom_add(bloom_empty(9), 'a'), 'b')) AS literals, bloom_cardinality(bloom_add(bloom_empty(9), now()::date)) AS date,
    bloom_cardinality(bloom_add(bloom_empty(9), ROW(1, 'x'))) AS record, bloom_cardinality(bloom_add(bloom_empty(9), ARRAY[1, 2, 3])) AS one_array;
-- the same set of values, the same filter
SELECT bloom_add(bloom_add(bloom_empty(9), 1), 2) = bloom_agg(i, 9) AS agg, bloom_add_all(bloom_empty(9), ARRAY[2, 1]) = bloom_agg(i, 9) AS add_all,
    bloom_add(bloom_empty(9), 1) || bloom_add(bloom_empty(9), 2) = bloom_agg(i, 9) AS merge FROM generate_series(1, 2) i;
-- numbers of all widths are the same values
SELECT bloom_add(bloom_empty(9), 42) = bloom_add(bloom_empty(9), 42::bigint) AS bigint, bloom_add(bloom_empty(9), 42) = bloom_add(bloom_empty(9), 42::smallint) AS smallint,
    bloom_add(bloom_empty(9), 42) = bloom_add(bloom_empty(9), 42.00) AS numeric, bloom_add(bloom_empty(9), 42) = bloom_add(bloom_empty(9), 42::oid) AS oid;
-- from list to array of bits, one by one, each as built at once; in an array of bits an old filter stays as it was
SELECT layout, bool_and(f = (SELECT bloom_agg(x, 200, 0.01, layout) FROM generate_series(1, n) x)) AS as_built
FROM unnest(ARRAY['blocked', 'classic']) layout, LATERAL (WITH RECURSIVE grown(n, f) AS (SELECT 1, bloom_add(bloom_empty(200, 0.01, layout), 1) UNION ALL SELECT n + 1, bloom_add(f, n + 1) FROM grown WHERE n < 300)
    SELECT n, f FROM grown) g GROUP BY layout ORDER BY layout;

-- ---------- add_all ----------
SELECT bloom_cardinality(bloom_add_all(bloom_empty(99), ARRAY[1, 2, 2, 3])) AS elements, bloom_add_all(bloom_empty(99), '{}'::int[]) = bloom_empty(99) AS none,
    bloom_cardinality(bloom_add_all(bloom_empty(99), ARRAY[1, NULL, NULL])) AS nulls, bloom_cardinality(bloom_add_all(bloom_empty(99), ARRAY[[1, 2], [2, 3]])) AS matrix,
    bloom_cardinality(bloom_add_all(bloom_empty(99), '[5:6]={x,y}'::text[])) AS bounds,
    bloom_add_all(bloom_empty(5000), (SELECT array_agg(i) FROM generate_series(1, 5000) i)) = (SELECT bloom_agg(i) FROM generate_series(1, 5000) i) AS many;
-- a column of type anyarray: only its value knows of what
CREATE TEMP TABLE common AS SELECT i % 3 AS number, 'text ' || i % 2 AS text FROM generate_series(1, 100) i;
ANALYZE common;
SELECT attname, bloom_cardinality(bloom_add_all(bloom_empty(9), most_common_vals)) AS cardinality, (bloom_info(bloom_add_all(bloom_empty(9), most_common_vals))).kind
FROM pg_stats WHERE schemaname LIKE 'pg\_temp%' AND tablename = 'common' ORDER BY attname;

-- ---------- union ----------
SELECT bloom_cardinality(bloom_agg(i, 99) || bloom_agg(i + 5, 99)) AS union, bloom_merge(bloom_agg(i, 99), bloom_agg(i + 5, 99)) = bloom_agg(i, 99) || bloom_agg(i + 5, 99) AS same,
    bloom_agg(i, 99) || bloom_agg(i + 5, 99) = bloom_agg(i + 5, 99) || bloom_agg(i, 99) AS commutes, bloom_agg(i, 99) || bloom_agg(i, 99) = bloom_agg(i, 99) AS idempotent,
    bloom_agg(i, 99) || bloom_empty(99) = bloom_agg(i, 99) AS nothing_more FROM generate_series(1, 10) i;
-- of a list and a list, a list and an array, two arrays, in both layouts
SELECT layout, count(*), bool_and(a.f || b.f = bloom_add_all(a.f, (SELECT array_agg(i) FROM generate_series(b.n / 2, b.n + 10) i))) AS as_added, bool_and(a.f || b.f = b.f || a.f) AS commutes
FROM unnest(ARRAY['blocked', 'classic']) layout, LATERAL (SELECT n, bloom_agg(i, 3000, 0.01, layout) AS f FROM unnest(ARRAY[1, 10, 200, 2000]) n, generate_series(1, n) i GROUP BY n) a,
    LATERAL (SELECT n, bloom_agg(i, 3000, 0.01, layout) AS f FROM unnest(ARRAY[1, 10, 200, 2000]) n, generate_series(n / 2, n + 10) i GROUP BY n) b GROUP BY layout ORDER BY layout;
-- what they were planned for does not keep apart filters of the same size: the larger plan is kept
SELECT a, b, (bloom_info(bloom_empty(a) || bloom_empty(b))).capacity, (bloom_info(bloom_empty(a) & bloom_empty(b))).capacity AS intersected
FROM (VALUES (12, 13), (13, 12), (13, 13)) q(a, b);

-- ---------- intersection ----------
SELECT layout, count(*), bool_and((a.f & b.f) || c.f = a.f & b.f) AS all_common_there, bool_and(a.f & b.f = b.f & a.f) AS commutes, bool_and((a.f & b.f) || a.f = a.f) AS nothing_more,
    bool_and(a.f & a.f = a.f) AS idempotent, bool_and(a.f & bloom_empty(3000, 0.01, layout) = bloom_empty(3000, 0.01, layout)) AS with_nothing, bool_and(a.f & (b.f & c.f) = (a.f & b.f) & c.f) AS associates,
    bool_and(a.f & (b.f || c.f) = (a.f & b.f) || (a.f & c.f)) AS distributes
FROM unnest(ARRAY['blocked', 'classic']) layout, LATERAL (SELECT n, bloom_agg(i, 3000, 0.01, layout) AS f FROM unnest(ARRAY[1, 10, 200, 2000]) n, generate_series(1, n) i GROUP BY n) a,
    LATERAL (SELECT n, bloom_agg(i, 3000, 0.01, layout) AS f FROM unnest(ARRAY[1, 10, 200, 2000]) n, generate_series(n / 2, n + 10) i GROUP BY n) b,
    LATERAL (SELECT coalesce(bloom_agg(i, 3000, 0.01, layout), bloom_empty(3000, 0.01, layout)) AS f FROM generate_series(greatest(b.n / 2, 1), least(a.n, b.n + 10)) i) c GROUP BY layout ORDER BY layout;
SELECT bloom_intersect(bloom_agg(i, 99), bloom_agg(i + 5, 99)) = bloom_agg(i, 99) & bloom_agg(i + 5, 99) AS same FROM generate_series(1, 10) i;
-- of values that have nothing in common few bits remain, or none
SELECT bloom_cardinality(bloom_agg(i, 1000000) & bloom_agg(-i, 1000000)) AS large, bloom_agg(i, 1000000) & bloom_agg(-i, 1000000) = bloom_empty(1000000) AS empty, bloom_cardinality(bloom_agg(i, 10) & bloom_agg(-i, 10)) AS small
FROM generate_series(1, 10) i;

-- ---------- NULL ----------
SELECT bloom_add(NULL, 1) IS NULL AS null_filter, bloom_add(bloom_agg(i, 9), NULL) = bloom_agg(i, 9) AS null_value, bloom_add(bloom_agg(i, 9), NULL::int) = bloom_agg(i, 9) AS null_int,
    bloom_add_all(bloom_agg(i, 9), NULL::int[]) = bloom_agg(i, 9) AS null_array, bloom_add_all(NULL, ARRAY[1]) IS NULL AS null_filter_all FROM generate_series(1, 2) i;
SELECT bloom_agg(i, 9) || NULL = bloom_agg(i, 9) AS right_null, NULL || bloom_agg(i, 9) = bloom_agg(i, 9) AS left_null, (NULL::bloom || NULL::bloom) IS NULL AS both, (bloom_agg(i, 9) & NULL) IS NULL AS intersect_right,
    (NULL & bloom_agg(i, 9)) IS NULL AS intersect_left FROM generate_series(1, 2) i;
SELECT bloom_empty(NULL) IS NULL AS empty, bloom_size(9, NULL) IS NULL AS size, bloom_cardinality(NULL) IS NULL AS cardinality, bloom_false_positive_rate(NULL) IS NULL AS rate, bloom_info(NULL) IS NULL AS info,
    NULL::bloom = bloom_empty(9) IS NULL AS equal, NULL::bloom IS DISTINCT FROM bloom_empty(9) AS distinct;

-- ---------- = and its relations ----------
SELECT bloom_agg(i, 9) = bloom_agg(-(-i), 9) AS equal, bloom_agg(i, 9) <> bloom_agg(-i, 9) AS not_equal, bloom_agg(i, 9) = bloom_agg(i::bigint, 9) AS other_width, bloom_agg(i, 9) = bloom_agg(i::text, 9) AS other_kind,
    bloom_agg(i, 9) = bloom_agg(i, 99) AS other_capacity, bloom_agg(i, 12) = bloom_agg(i, 13) AS same_size, bloom_empty(9) = bloom_empty(9, 0.02) AS empty_ones, bloom_agg(i, 9) = bloom_agg(i, 9, 0.01, 'classic') AS other_layout,
    bloom_agg(i, 9) IS DISTINCT FROM bloom_agg(i, 9) AS distinct, bloom_agg(i, 9) IS NOT DISTINCT FROM NULL AS null FROM generate_series(1, 5) i;
-- with a literal on one side
SELECT bloom_empty(100) = 'IQAAhQNk' AS right, 'IQAAhQNk' = bloom_empty(100) AS left, bloom_empty(100) IN ('IQAAhQMB', 'IQAAhQNk') AS in_list;

CREATE TEMP TABLE s AS
SELECT n, bloom_agg(i, 100) AS f FROM generate_series(0, 59) n, generate_series(1, n % 20 + 1) i GROUP BY n;
ANALYZE s;
SELECT count(*), count(DISTINCT f) AS different, count(DISTINCT bloom_cardinality(f)) AS cardinalities FROM s;
SELECT count(*) FROM (SELECT DISTINCT f FROM s) q;
SELECT bloom_cardinality(f) AS cardinality, count(*), array_agg(n ORDER BY n) FROM s WHERE n % 20 < 3 GROUP BY f ORDER BY 1;
SELECT count(*) AS union, (SELECT count(*) FROM (SELECT f FROM s WHERE n < 30 INTERSECT SELECT f FROM s WHERE n >= 30) q) AS intersect,
    (SELECT count(*) FROM (SELECT f FROM s WHERE n < 20 EXCEPT SELECT f FROM s WHERE n >= 45) q) AS except FROM (SELECT f FROM s UNION SELECT f FROM s) q;

-- hashed and sorted, joined both ways: the same
SET enable_hashagg = off;
SELECT pg_temp.plan_has('SELECT f FROM s GROUP BY f', 'HashAggregate') AS hashed;
SELECT count(*) FROM (SELECT f FROM s GROUP BY f) q;
RESET enable_hashagg;
SET enable_sort = off;
SELECT pg_temp.plan_has('SELECT f FROM s GROUP BY f', 'HashAggregate') AS hashed;
SELECT count(*) FROM (SELECT f FROM s GROUP BY f) q;
RESET enable_sort;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SELECT pg_temp.plan_has('SELECT 1 FROM s a JOIN s b USING (f)', 'Hash Join') AS hash_join;
SELECT count(*) FROM s a JOIN s b USING (f);
RESET enable_mergejoin;
SET enable_hashjoin = off;
SELECT pg_temp.plan_has('SELECT 1 FROM s a JOIN s b USING (f)', 'Merge Join') AS merge_join;
SELECT count(*) FROM s a JOIN s b USING (f);
RESET enable_hashjoin;
RESET enable_nestloop;

-- the order is total, and that of the bytes; "<" would say something of the values
SELECT bloom_empty(9) < bloom_empty(9);
SELECT count(*) AS pairs, bool_and((a.f *< b.f) = (a.f::bytea < b.f::bytea)) AS lt, bool_and((a.f *<= b.f) = (a.f::bytea <= b.f::bytea)) AS le, bool_and((a.f *> b.f) = (a.f::bytea > b.f::bytea)) AS gt,
    bool_and((a.f *>= b.f) = (a.f::bytea >= b.f::bytea)) AS ge, bool_and((a.f = b.f) = (a.f::bytea = b.f::bytea)) AS eq, bool_and((a.f <> b.f) = (a.f::bytea <> b.f::bytea)) AS ne,
    bool_and(bloom_cmp(a.f, b.f) = -bloom_cmp(b.f, a.f) AND (bloom_cmp(a.f, b.f) < 0) = (a.f *< b.f)) AS cmp,
    bool_and((a.f = b.f) = (bloom_hash(a.f) = bloom_hash(b.f))) AS hash, bool_and((a.f = b.f) = (bloom_hash_extended(a.f, 7) = bloom_hash_extended(b.f, 7))) AS hash_extended
FROM s a, s b;
SELECT count(*) FILTER (WHERE f *< before) AS out_of_order FROM (SELECT f, lag(f) OVER (ORDER BY f) AS before FROM s) q;

-- indexes
CREATE INDEX s_btree ON s (f);
CREATE INDEX s_hash ON s USING hash (f);
CREATE INDEX s_cardinality ON s (bloom_cardinality(f));
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE f *< 'IQEBhQNkBwH5acvyyk4jxAA='$$, 's_btree') AS btree;
SELECT count(*) = (SELECT count(*) FROM s WHERE f::bytea < 'IQEBhQNkBwH5acvyyk4jxAA='::bloom::bytea) AS same FROM s WHERE f *< 'IQEBhQNkBwH5acvyyk4jxAA=';
DROP INDEX s_btree;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE f = 'IQEBhQNkBwH5acvyyk4jxAA='$$, 's_hash') AS hash;
SELECT n FROM s WHERE f = 'IQEBhQNkBwH5acvyyk4jxAA=' ORDER BY n;
SELECT pg_temp.plan_has('SELECT n FROM s WHERE bloom_cardinality(f) = 3', 's_cardinality') AS by_cardinality;
SELECT n FROM s WHERE bloom_cardinality(f) = 3 ORDER BY n;
RESET enable_seqscan;
RESET enable_bitmapscan;
CREATE UNIQUE INDEX ON s (n, f);
INSERT INTO s SELECT n, f FROM s WHERE n = 3 ON CONFLICT DO NOTHING;
SELECT count(*) FROM s;
CREATE TEMP TABLE partitioned (f bloom) PARTITION BY HASH (f);
CREATE TEMP TABLE partition_0 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE partition_1 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO partitioned SELECT f FROM s;
SELECT count(*), count(DISTINCT f) FROM partitioned;

-- ---------- upserts ----------
CREATE TEMP TABLE seen (client text PRIMARY KEY, pages bloom(100) NOT NULL DEFAULT bloom_empty(100));
INSERT INTO seen VALUES ('ann', bloom_add(bloom_empty(100), '/'));
INSERT INTO seen AS s VALUES ('ann', bloom_add(bloom_empty(100), '/about')) ON CONFLICT (client) DO UPDATE SET pages = s.pages || excluded.pages;
INSERT INTO seen (client) VALUES ('bob');
UPDATE seen SET pages = bloom_add(pages, '/shop') RETURNING client, bloom_cardinality(pages) AS pages, length(pages::text) AS characters;

-- ---------- large values, at rest and packed into a row ----------
CREATE TEMP TABLE stored AS
SELECT c, layout, bloom_agg(i, c, 0.01, layout) AS f FROM unnest(ARRAY[10, 1000, 20000, 500000]) c, unnest(ARRAY['blocked', 'classic']) layout, generate_series(1, 20000) i GROUP BY 1, 2;
SELECT c, s.layout, i.encoding, i.bytes, bloom_cardinality(f) = bloom_cardinality(f::text::bloom) AS same, f = f::bytea::bloom AS equal, f || f = f AS merged, f & f = f AS both, bloom_add(f, 20000) = f AS added
FROM stored s, bloom_info(f) i ORDER BY 1, 2;
-- compressed by hand: what a column of another storage would do
CREATE TEMP TABLE compressed (LIKE stored);
ALTER TABLE compressed ALTER f SET STORAGE main;
INSERT INTO compressed SELECT c, layout, f::text::bloom FROM stored;
SELECT count(*), bool_and(bloom_cardinality(a.f) = bloom_cardinality(b.f) AND a.f = b.f AND a.f || b.f = a.f AND b.f & a.f = a.f AND bloom_add(a.f, 1) = b.f) AS same
FROM stored a JOIN compressed b USING (c, layout);
