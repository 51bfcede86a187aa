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
SELECT #hll_empty() AS nothing, #hll_add(hll_empty(), 1) AS one, #hll_add(hll_add(hll_empty(), 1), 2) AS two,
    #hll_add(hll_add(hll_empty(), 1), 1) AS twice_the_same;
-- no casts: literals, columns, expressions, parameters
PREPARE add_int(int) AS SELECT #hll_add(hll_agg(i), $1) FROM generate_series(1, 3) i;
EXECUTE add_int(3);
EXECUTE add_int(4);
SELECT #hll_add(hll_add(hll_empty(), 'a'), 'b') AS literals, #hll_add(hll_empty(), now()::date) AS date,
    #hll_add(hll_empty(), ROW(1, 'x')) AS record, #hll_add(hll_empty(), ARRAY[1, 2, 3]) AS one_array;
-- the same set of values, the same sketch
SELECT hll_add(hll_add(hll_empty(), 1), 2) = hll_agg(i) AS agg, hll_add_all(hll_empty(), ARRAY[2, 1]) = hll_agg(i) AS add_all,
    hll_add(hll_empty(), 1) || hll_add(hll_empty(), 2) = hll_agg(i) AS merge
FROM generate_series(1, 2) i;
-- numbers of all widths are the same values
SELECT hll_add(hll_empty(), 42) = hll_add(hll_empty(), 42::bigint) AS bigint, hll_add(hll_empty(), 42) = hll_add(hll_empty(), 42::smallint) AS smallint,
    hll_add(hll_empty(), 42) = hll_add(hll_empty(), 42.00) AS numeric, hll_add(hll_empty(), 42) = hll_add(hll_empty(), 42::oid) AS oid;

-- ---------- add_all ----------
SELECT #hll_add_all(hll_empty(), ARRAY[1, 2, 2, 3]) AS elements, #hll_add_all(hll_empty(), '{}'::int[]) AS none,
    #hll_add_all(hll_empty(), ARRAY[1, NULL, NULL]) AS nulls, #hll_add_all(hll_empty(), ARRAY[[1, 2], [2, 3]]) AS matrix,
    #hll_add_all(hll_empty(), '[5:6]={x,y}'::text[]) AS bounds, #hll_add_all(hll_empty(), (SELECT array_agg(i) FROM generate_series(1, 5000) i)) AS many;
-- a column of type anyarray: only its value knows of what
CREATE TEMP TABLE common AS SELECT i % 3 AS number, 'text ' || i % 2 AS text FROM generate_series(1, 100) i;
ANALYZE common;
SELECT attname, #hll_add_all(hll_empty(), most_common_vals) AS cardinality, (hll_info(hll_add_all(hll_empty(), most_common_vals))).kind
FROM pg_stats WHERE schemaname LIKE 'pg\_temp%' AND tablename = 'common' ORDER BY attname;

-- ---------- merge ----------
SELECT #(hll_agg(i) || hll_agg(i + 5)) AS union, hll_merge(hll_agg(i), hll_agg(i + 5)) = hll_agg(i) || hll_agg(i + 5) AS same,
    hll_agg(i) || hll_agg(i + 5) = hll_agg(i + 5) || hll_agg(i) AS commutes, hll_agg(i) || hll_agg(i) = hll_agg(i) AS idempotent,
    hll_agg(i) || hll_empty() = hll_agg(i) AS nothing_more
FROM generate_series(1, 10) i;
-- different precisions fold to the lower one, also where one side is empty
SELECT a.p, b.p, (hll_info(a.s || b.s)).precision_bits AS merged, a.s || b.s = b.s || a.s AS commutes,
    a.s || b.s = hll_reduce(a.s, least(a.p, b.p)) || hll_reduce(b.s, least(a.p, b.p)) AS as_reduced
FROM (SELECT p, hll_agg(i, p) AS s FROM unnest(ARRAY[4, 12, 18]) p, generate_series(1, 1000) i GROUP BY p) a,
    (SELECT p, hll_agg(i, p) AS s FROM unnest(ARRAY[4, 12, 18]) p, generate_series(501, 1500) i GROUP BY p) b
ORDER BY 1, 2;
SELECT (hll_info(hll_empty(10) || hll_add(hll_empty(12), 1))).precision_bits AS empty_left, (hll_info(hll_add(hll_empty(12), 1) || hll_empty(10))).precision_bits AS empty_right,
    (hll_info(hll_empty(10) || hll_empty(12))).precision_bits AS empty_both;

-- ---------- NULL ----------
SELECT hll_add(NULL, 1) IS NULL AS null_sketch, hll_add(hll_agg(i), NULL) = hll_agg(i) AS null_value, hll_add(hll_agg(i), NULL::int) = hll_agg(i) AS null_int,
    hll_add_all(hll_agg(i), NULL::int[]) = hll_agg(i) AS null_array, hll_add_all(NULL, ARRAY[1]) IS NULL AS null_sketch_all
FROM generate_series(1, 2) i;
SELECT hll_agg(i) || NULL = hll_agg(i) AS right_null, NULL || hll_agg(i) = hll_agg(i) AS left_null, (NULL::hll || NULL::hll) IS NULL AS both,
    hll_merge(NULL, NULL) IS NULL AS merge_both, #NULL::hll IS NULL AS cardinality
FROM generate_series(1, 2) i;
SELECT hll_empty(NULL) IS NULL AS empty, hll_cardinality(NULL) IS NULL AS cardinality, hll_error(NULL) IS NULL AS error, hll_bounds(NULL) IS NULL AS bounds,
    hll_info(NULL) IS NULL AS info, hll_reduce(NULL, 12) IS NULL AS reduce, hll_union_cardinality(NULL, hll_empty()) IS NULL AS union_cardinality,
    hll_intersection_cardinality(hll_empty(), NULL) IS NULL AS intersection, hll_jaccard(NULL, hll_empty()) IS NULL AS jaccard,
    NULL::hll = hll_empty() IS NULL AS equal, NULL::hll IS DISTINCT FROM hll_empty() AS distinct;

-- ---------- = and its relations ----------
SELECT hll_agg(i) = hll_agg(-(-i)) AS equal, hll_agg(i) <> hll_agg(-i) AS not_equal, hll_agg(i) = hll_agg(i::bigint) AS other_width,
    hll_agg(i) = hll_agg(i::text) AS other_kind, hll_agg(i) = hll_agg(i, 12) AS other_precision, hll_empty() = hll_empty(12) AS empty_ones,
    hll_agg(i) IS DISTINCT FROM hll_agg(i) AS distinct, hll_agg(i) IS NOT DISTINCT FROM NULL AS null
FROM generate_series(1, 5) i;
-- with a literal on one side
SELECT hll_empty() = 'EQAADg==' AS right, 'EQAADg==' = hll_empty() AS left, hll_empty() IN ('EQAABA==', 'EQAADg==') AS in_list;

CREATE TEMP TABLE s AS
SELECT n, hll_agg(i) AS h FROM generate_series(0, 59) n, generate_series(1, n % 20 + 1) i GROUP BY n;
ANALYZE s;
SELECT count(*), count(DISTINCT h) AS different, count(DISTINCT #h) AS cardinalities FROM s;
SELECT count(*) FROM (SELECT DISTINCT h FROM s) q;
SELECT #h AS cardinality, count(*), array_agg(n ORDER BY n) FROM s WHERE n % 20 < 3 GROUP BY h ORDER BY 1;
SELECT count(*) AS union, (SELECT count(*) FROM (SELECT h FROM s WHERE n < 30 INTERSECT SELECT h FROM s WHERE n >= 30) q) AS intersect,
    (SELECT count(*) FROM (SELECT h FROM s WHERE n < 20 EXCEPT SELECT h FROM s WHERE n >= 45) q) AS except
FROM (SELECT h FROM s UNION SELECT h FROM s) q;

-- hashed and sorted, joined both ways: the same
SET enable_hashagg = off;
SELECT pg_temp.plan_has('SELECT h FROM s GROUP BY h', 'HashAggregate') AS hashed;
SELECT count(*) FROM (SELECT h FROM s GROUP BY h) q;
RESET enable_hashagg;
SET enable_sort = off;
SELECT pg_temp.plan_has('SELECT h FROM s GROUP BY h', 'HashAggregate') AS hashed;
SELECT count(*) FROM (SELECT h FROM s GROUP BY h) q;
RESET enable_sort;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SELECT pg_temp.plan_has('SELECT 1 FROM s a JOIN s b USING (h)', 'Hash Join') AS hash_join;
SELECT count(*), bool_and(#a.h = #b.h) AS right FROM s a JOIN s b USING (h);
RESET enable_mergejoin;
SET enable_hashjoin = off;
SELECT pg_temp.plan_has('SELECT 1 FROM s a JOIN s b USING (h)', 'Merge Join') AS merge_join;
SELECT count(*), bool_and(#a.h = #b.h) AS right FROM s a JOIN s b USING (h);
RESET enable_hashjoin;
RESET enable_nestloop;

-- the order is total, and that of the bytes; "<" would say something of the values
SELECT hll_empty() < hll_empty();
SELECT count(*) AS pairs, bool_and((a.h *< b.h) = (a.h::bytea < b.h::bytea)) AS lt, bool_and((a.h *<= b.h) = (a.h::bytea <= b.h::bytea)) AS le,
    bool_and((a.h *> b.h) = (a.h::bytea > b.h::bytea)) AS gt, bool_and((a.h *>= b.h) = (a.h::bytea >= b.h::bytea)) AS ge,
    bool_and((a.h = b.h) = (a.h::bytea = b.h::bytea)) AS eq, bool_and((a.h <> b.h) = (a.h::bytea <> b.h::bytea)) AS ne,
    bool_and(hll_cmp(a.h, b.h) = -hll_cmp(b.h, a.h) AND (hll_cmp(a.h, b.h) < 0) = (a.h *< b.h)) AS cmp,
    bool_and((a.h = b.h) = (hll_hash(a.h) = hll_hash(b.h))) AS hash, bool_and((a.h = b.h) = (hll_hash_extended(a.h, 7) = hll_hash_extended(b.h, 7))) AS hash_extended
FROM s a, s b;
SELECT count(*) FILTER (WHERE h *< before) AS out_of_order FROM (SELECT h, lag(h) OVER (ORDER BY h) AS before FROM s) q;

-- indexes
CREATE INDEX s_btree ON s (h);
CREATE INDEX s_hash ON s USING hash (h);
CREATE INDEX s_cardinality ON s (hll_cardinality(h));
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE h *< 'EQEBDgEqERcE'$$, 's_btree') AS btree;
SELECT count(*) = (SELECT count(*) FROM s WHERE h::bytea < 'EQEBDgEqERcE'::hll::bytea) AS same FROM s WHERE h *< 'EQEBDgEqERcE';
DROP INDEX s_btree;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE h = 'EQEBDgEqERcE'$$, 's_hash') AS hash;
SELECT n FROM s WHERE h = 'EQEBDgEqERcE' ORDER BY n;
SELECT pg_temp.plan_has('SELECT n FROM s WHERE hll_cardinality(h) = 3', 's_cardinality') AS by_cardinality;
SELECT n FROM s WHERE hll_cardinality(h) = 3 ORDER BY n;
RESET enable_seqscan;
RESET enable_bitmapscan;
CREATE UNIQUE INDEX ON s (n, h);
INSERT INTO s SELECT n, h FROM s WHERE n = 3 ON CONFLICT DO NOTHING;
SELECT count(*) FROM s;
CREATE TEMP TABLE partitioned (h hll) PARTITION BY HASH (h);
CREATE TEMP TABLE partition_0 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE partition_1 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO partitioned SELECT h FROM s;
SELECT count(*), count(DISTINCT h) FROM partitioned;

-- ---------- upserts ----------
CREATE TEMP TABLE visits (page text PRIMARY KEY, visitors hll NOT NULL DEFAULT hll_empty());
INSERT INTO visits VALUES ('/', hll_add(hll_empty(), 'ann'));
INSERT INTO visits AS v VALUES ('/', hll_add(hll_empty(), 'bob')) ON CONFLICT (page) DO UPDATE SET visitors = v.visitors || excluded.visitors;
INSERT INTO visits (page) VALUES ('/about');
UPDATE visits SET visitors = hll_add(visitors, 'eve') RETURNING page, #visitors AS cardinality;

-- ---------- cardinality of large values, at rest and packed into a row ----------
CREATE TEMP TABLE stored AS
SELECT p, hll_agg(i, p) AS h FROM unnest(ARRAY[4, 11, 12, 14, 16, 18]) p, generate_series(1, 60000) i GROUP BY p;
SELECT p, (hll_info(h)).bytes, #h = #(h::text::hll) AS same, hll_error(h) = hll_error(h::text::hll) AS error, hll_bounds(h) = hll_bounds(h::text::hll) AS bounds
FROM stored ORDER BY p;
-- of a large one only the first TOAST chunk is read
CREATE FUNCTION pg_temp.blocks(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    plan jsonb;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || query INTO plan;
    plan := plan -> 0 -> 'Plan';
    RETURN (plan ->> 'Shared Hit Blocks')::int + (plan ->> 'Shared Read Blocks')::int + (plan ->> 'Local Hit Blocks')::int + (plan ->> 'Local Read Blocks')::int;
END
$$;
SELECT length(h::bytea) FROM stored WHERE p = 18;
SELECT pg_temp.blocks('SELECT #h FROM stored WHERE p = 18') * 2 < pg_temp.blocks('SELECT h::bytea FROM stored WHERE p = 18') AS cardinality,
    pg_temp.blocks('SELECT hll_bounds(h) FROM stored WHERE p = 18') * 2 < pg_temp.blocks('SELECT h::bytea FROM stored WHERE p = 18') AS bounds,
    pg_temp.blocks('SELECT hll_error(h) FROM stored WHERE p = 18') * 2 < pg_temp.blocks('SELECT h::bytea FROM stored WHERE p = 18') AS error;
-- compressed by hand: what a column of another storage would do
ALTER TABLE stored ALTER h SET STORAGE main;
INSERT INTO stored SELECT p + 100, h::text::hll FROM stored;
SELECT bool_and(#a.h = #b.h AND a.h = b.h AND a.h || b.h = a.h) AS same FROM stored a JOIN stored b ON b.p = a.p + 100;
