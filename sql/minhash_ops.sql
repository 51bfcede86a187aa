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
SELECT #minhash_empty() AS nothing, #minhash_add(minhash_empty(), 1) AS one, #minhash_add(minhash_add(minhash_empty(), 1), 2) AS two,
    #minhash_add(minhash_add(minhash_empty(), 1), 1) AS twice_the_same;
-- no casts: literals, columns, expressions, parameters
PREPARE add_int(int) AS SELECT #minhash_add(minhash_agg(i), $1) FROM generate_series(1, 3) i;
EXECUTE add_int(3);
EXECUTE add_int(4);
SELECT #minhash_add(minhash_add(minhash_empty(), 'a'), 'b') AS literals, #minhash_add(minhash_empty(), now()::date) AS date,
    #minhash_add(minhash_empty(), ROW(1, 'x')) AS record, #minhash_add(minhash_empty(), ARRAY[1, 2, 3]) AS one_array;
-- the same set of values, the same sketch
SELECT minhash_add(minhash_add(minhash_empty(), 1), 2) = minhash_agg(i) AS agg, minhash_add_all(minhash_empty(), ARRAY[2, 1]) = minhash_agg(i) AS add_all,
    minhash_add(minhash_empty(), 1) || minhash_add(minhash_empty(), 2) = minhash_agg(i) AS merge
FROM generate_series(1, 2) i;
-- numbers of all widths are the same values
SELECT minhash_add(minhash_empty(), 42) = minhash_add(minhash_empty(), 42::bigint) AS bigint, minhash_add(minhash_empty(), 42) = minhash_add(minhash_empty(), 42::smallint) AS smallint,
    minhash_add(minhash_empty(), 42) = minhash_add(minhash_empty(), 42.00) AS numeric, minhash_add(minhash_empty(), 42) = minhash_add(minhash_empty(), 42::oid) AS oid;

-- ---------- add_all ----------
SELECT #minhash_add_all(minhash_empty(), ARRAY[1, 2, 2, 3]) AS elements, #minhash_add_all(minhash_empty(), '{}'::int[]) AS none,
    #minhash_add_all(minhash_empty(), ARRAY[1, NULL, NULL]) AS nulls, #minhash_add_all(minhash_empty(), ARRAY[[1, 2], [2, 3]]) AS matrix,
    #minhash_add_all(minhash_empty(), '[5:6]={x,y}'::text[]) AS bounds, minhash_add_all(minhash_empty(), (SELECT array_agg(i) FROM generate_series(1, 5000) i)) = (SELECT minhash_agg(i) FROM generate_series(1, 5000) i) AS many;
-- a column of type anyarray: only its value knows of what
CREATE TEMP TABLE common AS SELECT i % 3 AS number, 'text ' || i % 2 AS text FROM generate_series(1, 100) i;
ANALYZE common;
SELECT attname, #minhash_add_all(minhash_empty(), most_common_vals) AS cardinality, (minhash_info(minhash_add_all(minhash_empty(), most_common_vals))).kind
FROM pg_stats WHERE schemaname LIKE 'pg\_temp%' AND tablename = 'common' ORDER BY attname;

-- ---------- merge ----------
SELECT #(minhash_agg(i) || minhash_agg(i + 5)) AS union, minhash_merge(minhash_agg(i), minhash_agg(i + 5)) = minhash_agg(i) || minhash_agg(i + 5) AS same,
    minhash_agg(i) || minhash_agg(i + 5) = minhash_agg(i + 5) || minhash_agg(i) AS commutes, minhash_agg(i) || minhash_agg(i) = minhash_agg(i) AS idempotent,
    minhash_agg(i) || minhash_empty() = minhash_agg(i) AS nothing_more
FROM generate_series(1, 10) i;
-- different k fold to the smaller one, also where one side is empty
SELECT a.p, b.p, (minhash_info(a.s || b.s)).k AS merged, a.s || b.s = b.s || a.s AS commutes,
    a.s || b.s = (SELECT minhash_agg(i, least(a.p, b.p)) FROM generate_series(1, 1500) i) AS as_built
FROM (SELECT p, minhash_agg(i, p) AS s FROM unnest(ARRAY[16, 128, 1024]) p, generate_series(1, 1000) i GROUP BY p) a,
    (SELECT p, minhash_agg(i, p) AS s FROM unnest(ARRAY[16, 128, 1024]) p, generate_series(501, 1500) i GROUP BY p) b
ORDER BY 1, 2;
SELECT (minhash_info(minhash_empty(32) || minhash_add(minhash_empty(64), 1))).k AS empty_left, (minhash_info(minhash_add(minhash_empty(64), 1) || minhash_empty(32))).k AS empty_right,
    (minhash_info(minhash_empty(32) || minhash_empty(64))).k AS empty_both;

-- ---------- NULL ----------
SELECT minhash_add(NULL, 1) IS NULL AS null_sketch, minhash_add(minhash_agg(i), NULL) = minhash_agg(i) AS null_value, minhash_add(minhash_agg(i), NULL::int) = minhash_agg(i) AS null_int,
    minhash_add_all(minhash_agg(i), NULL::int[]) = minhash_agg(i) AS null_array, minhash_add_all(NULL, ARRAY[1]) IS NULL AS null_sketch_all
FROM generate_series(1, 2) i;
SELECT minhash_agg(i) || NULL = minhash_agg(i) AS right_null, NULL || minhash_agg(i) = minhash_agg(i) AS left_null, (NULL::minhash || NULL::minhash) IS NULL AS both,
    minhash_merge(NULL, NULL) IS NULL AS merge_both, #NULL::minhash IS NULL AS cardinality
FROM generate_series(1, 2) i;
SELECT minhash_empty(NULL) IS NULL AS empty, minhash_cardinality(NULL) IS NULL AS cardinality, minhash_bounds(NULL) IS NULL AS bounds,
    minhash_info(NULL) IS NULL AS info, minhash_jaccard(NULL, minhash_empty()) IS NULL AS jaccard,
    NULL::minhash = minhash_empty() IS NULL AS equal, NULL::minhash IS DISTINCT FROM minhash_empty() AS distinct;

-- ---------- = and its relations ----------
SELECT minhash_agg(i) = minhash_agg(-(-i)) AS equal, minhash_agg(i) <> minhash_agg(-i) AS not_equal, minhash_agg(i) = minhash_agg(i::bigint) AS other_width,
    minhash_agg(i) = minhash_agg(i::text) AS other_kind, minhash_agg(i) = minhash_agg(i, 64) AS other_k, minhash_empty() = minhash_empty(64) AS empty_ones,
    minhash_agg(i) IS DISTINCT FROM minhash_agg(i) AS distinct, minhash_agg(i) IS NOT DISTINCT FROM NULL AS null
FROM generate_series(1, 5) i;
-- with a literal on one side
SELECT minhash_empty() = 'gQAABw==' AS right, 'gQAABw==' = minhash_empty() AS left, minhash_empty() IN ('gQAABA==', 'gQAABw==') AS in_list;

CREATE TEMP TABLE s AS
SELECT n, minhash_agg(i) AS h FROM generate_series(0, 59) n, generate_series(1, n % 20 + 1) i GROUP BY n;
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
SELECT minhash_empty() < minhash_empty();
SELECT count(*) AS pairs, bool_and((a.h *< b.h) = (a.h::bytea < b.h::bytea)) AS lt, bool_and((a.h *<= b.h) = (a.h::bytea <= b.h::bytea)) AS le,
    bool_and((a.h *> b.h) = (a.h::bytea > b.h::bytea)) AS gt, bool_and((a.h *>= b.h) = (a.h::bytea >= b.h::bytea)) AS ge,
    bool_and((a.h = b.h) = (a.h::bytea = b.h::bytea)) AS eq, bool_and((a.h <> b.h) = (a.h::bytea <> b.h::bytea)) AS ne,
    bool_and(minhash_cmp(a.h, b.h) = -minhash_cmp(b.h, a.h) AND (minhash_cmp(a.h, b.h) < 0) = (a.h *< b.h)) AS cmp,
    bool_and((a.h = b.h) = (minhash_hash(a.h) = minhash_hash(b.h))) AS hash, bool_and((a.h = b.h) = (minhash_hash_extended(a.h, 7) = minhash_hash_extended(b.h, 7))) AS hash_extended
FROM s a, s b;
SELECT count(*) FILTER (WHERE h *< before) AS out_of_order FROM (SELECT h, lag(h) OVER (ORDER BY h) AS before FROM s) q;

-- indexes
CREATE INDEX s_btree ON s (h);
CREATE INDEX s_hash ON s USING hash (h);
CREATE INDEX s_cardinality ON s (minhash_cardinality(h));
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE h *< 'gQEBBwGVTJ0A'$$, 's_btree') AS btree;
SELECT count(*) = (SELECT count(*) FROM s WHERE h::bytea < 'gQEBBwGVTJ0A'::minhash::bytea) AS same FROM s WHERE h *< 'gQEBBwGVTJ0A';
DROP INDEX s_btree;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE h = 'gQEBBwGVTJ0A'$$, 's_hash') AS hash;
SELECT n FROM s WHERE h = 'gQEBBwGVTJ0A' ORDER BY n;
SELECT pg_temp.plan_has('SELECT n FROM s WHERE minhash_cardinality(h) = 3', 's_cardinality') AS by_cardinality;
SELECT n FROM s WHERE minhash_cardinality(h) = 3 ORDER BY n;
RESET enable_seqscan;
RESET enable_bitmapscan;
CREATE UNIQUE INDEX ON s (n, h);
INSERT INTO s SELECT n, h FROM s WHERE n = 3 ON CONFLICT DO NOTHING;
SELECT count(*) FROM s;
CREATE TEMP TABLE partitioned (h minhash) PARTITION BY HASH (h);
CREATE TEMP TABLE partition_0 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE partition_1 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO partitioned SELECT h FROM s;
SELECT count(*), count(DISTINCT h) FROM partitioned;

-- ---------- upserts ----------
CREATE TEMP TABLE visits (page text PRIMARY KEY, visitors minhash NOT NULL DEFAULT minhash_empty());
INSERT INTO visits VALUES ('/', minhash_add(minhash_empty(), 'ann'));
INSERT INTO visits AS v VALUES ('/', minhash_add(minhash_empty(), 'bob')) ON CONFLICT (page) DO UPDATE SET visitors = v.visitors || excluded.visitors;
INSERT INTO visits (page) VALUES ('/about');
UPDATE visits SET visitors = minhash_add(visitors, 'eve') RETURNING page, #visitors AS cardinality;

-- ---------- cardinality of large values, at rest and packed into a row ----------
CREATE TEMP TABLE stored AS
SELECT p, minhash_agg(i, p) AS h FROM unnest(ARRAY[16, 128, 1024, 16384, 65536]) p, generate_series(1, 60000) i GROUP BY p;
SELECT p, (minhash_info(h)).bytes, #h = #(h::text::minhash) AS same, minhash_bounds(h) = minhash_bounds(h::text::minhash) AS bounds
FROM stored ORDER BY p;
-- compressed by hand: what a column of another storage would do
ALTER TABLE stored ALTER h SET STORAGE main;
INSERT INTO stored SELECT p + 1, h::text::minhash FROM stored;
SELECT bool_and(#a.h = #b.h AND a.h = b.h AND a.h || b.h = a.h) AS same FROM stored a JOIN stored b ON b.p = a.p + 1;
