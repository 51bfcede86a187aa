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
SELECT topk_total(topk_empty()) AS nothing, topk_total(topk_add(topk_empty(), 1)) AS one, topk_total(topk_add(topk_add(topk_empty(), 1), 1)) AS twice, topk_total(topk_add(topk_empty(), 1, 100)) AS weight;
-- no casts: literals, columns, expressions, parameters
PREPARE add_int(int) AS SELECT topk_frequency(topk_add(topk_agg(i, 9), $1), $1) AS times FROM generate_series(1, 3) i;
EXECUTE add_int(3);
EXECUTE add_int(4);
SELECT topk_frequency(topk_add(topk_add(topk_empty(), 'a'), 'b'), 'b') AS literals, topk_frequency(topk_add(topk_empty(), now()::date), now()::date) AS date,
    topk_frequency(topk_add(topk_empty(), ROW(1, 'x')), ROW(1, 'x'::text)) AS record, topk_frequency(topk_add(topk_empty(), ARRAY[1, 2, 3]), '{1,2,3}'::int[]) AS one_array;
-- the same sums of weights, the same sketch
SELECT topk_add(topk_add(topk_empty(9), 1), 2) = topk_agg(i, 9) AS agg, topk_add_all(topk_empty(9), ARRAY[2, 1]) = topk_agg(i, 9) AS add_all,
    topk_add(topk_empty(9), 1) || topk_add(topk_empty(9), 2) = topk_agg(i, 9) AS merge, topk_add(topk_add(topk_empty(), 1, 2), 1, 3) = topk_add(topk_empty(), 1, 5) AS weights FROM generate_series(1, 2) i;
-- numbers of all widths are the same values
SELECT topk_add(topk_empty(), 42) = topk_add(topk_empty(), 42::bigint) AS bigint, topk_add(topk_empty(), 42) = topk_add(topk_empty(), 42::smallint) AS smallint,
    topk_add(topk_empty(), 42) = topk_add(topk_empty(), 42.00) AS numeric, topk_add(topk_empty(), 42) = topk_add(topk_empty(), 42::oid) AS oid, topk_add(topk_add(topk_empty(), 1), '42') = topk_add_all(topk_empty(), ARRAY[1, 42]) AS literal;
-- weights of 0 and NULL are nothing
SELECT topk_add(topk_empty(), 'a', 0) = topk_empty() AS zero, topk_add(topk_empty(), 'a', NULL) = topk_empty() AS null, topk_add(s, 2, 0) = s AS zero_of_some, topk_add(NULL, 1, 2) IS NULL AS null_sketch, topk_add(s, NULL, 2) = s AS null_value
FROM (SELECT topk_agg(1, 20) AS s) q;
-- one by one through all forms, each as built at once
WITH RECURSIVE grown(n, s) AS (SELECT 1, topk_add(topk_empty(9), 1) UNION ALL SELECT n + 1, topk_add(s, n + 1) FROM grown WHERE n < 300)
SELECT bool_and(s = (SELECT topk_agg(x, 9) FROM generate_series(1, n) x)) AS as_built FROM grown;

-- ---------- add_all ----------
SELECT topk_total(topk_add_all(topk_empty(), ARRAY[1, 2, 2, 3])) AS elements, topk_add_all(topk_empty(), '{}'::int[]) = topk_empty() AS none,
    topk_total(topk_add_all(topk_empty(), ARRAY[1, NULL, NULL])) AS nulls, topk_total(topk_add_all(topk_empty(), ARRAY[[1, 2], [2, 3]])) AS matrix,
    topk_frequency(topk_add_all(topk_empty(), '[5:6]={x,y}'::text[]), 'y') AS bounds, topk_add_all(topk_empty(), (SELECT array_agg(i) FROM generate_series(1, 5000) i)) = (SELECT topk_agg(i, 20) FROM generate_series(1, 5000) i) AS many;

-- ---------- union ----------
SELECT topk_total(topk_agg(i, 9) || topk_agg(i + 5, 9)) AS union, topk_merge(topk_agg(i, 9), topk_agg(i + 5, 9)) = topk_agg(i, 9) || topk_agg(i + 5, 9) AS same,
    topk_agg(i, 9) || topk_agg(i + 5, 9) = topk_agg(i + 5, 9) || topk_agg(i, 9) AS commutes, topk_agg(i, 9) || topk_agg(i, 9) = topk_agg(i, 2, 9) AS adds_up,
    topk_agg(i, 9) || topk_empty(9) = topk_agg(i, 9) AS nothing_more FROM generate_series(1, 10) i;
-- of all sizes, exact and not: from either side
SELECT count(*), bool_and(a.s || b.s = b.s || a.s) AS commutes, bool_and(topk_total(a.s || b.s) = topk_total(a.s) + topk_total(b.s)) AS total, bool_and((topk_info(a.s || b.s)).error <= topk_total(a.s || b.s) / 2049) AS error,
    bool_and(a.s || b.s = (SELECT topk_add_all(topk_add_all(topk_empty(9), array_agg(x)), (SELECT array_agg(x) FROM generate_series(b.n / 2, b.n + 10) x)) FROM generate_series(1, a.n) x)) FILTER (WHERE a.n + b.n < 2000) AS as_added
FROM (SELECT n, topk_agg(i, 9) AS s FROM unnest(ARRAY[1, 10, 200, 1500, 3000, 9000]) n, generate_series(1, n) i GROUP BY n) a,
    (SELECT n, topk_agg(i, 9) AS s FROM unnest(ARRAY[1, 10, 200, 1500, 3000, 9000]) n, generate_series(n / 2, n + 10) i GROUP BY n) b;

-- ---------- NULL ----------
SELECT topk_add(NULL, 1) IS NULL AS null_sketch, topk_add(topk_agg(i, 9), NULL) = topk_agg(i, 9) AS null_value, topk_add(topk_agg(i, 9), NULL::int) = topk_agg(i, 9) AS null_int,
    topk_add_all(topk_agg(i, 9), NULL::int[]) = topk_agg(i, 9) AS null_array, topk_add_all(NULL, ARRAY[1]) IS NULL AS null_sketch_all FROM generate_series(1, 2) i;
SELECT topk_agg(i, 9) || NULL = topk_agg(i, 9) AS right_null, NULL || topk_agg(i, 9) = topk_agg(i, 9) AS left_null, (NULL::topk || NULL::topk) IS NULL AS both, topk_empty(NULL) IS NULL AS empty FROM generate_series(1, 2) i;
SELECT NULL::topk = topk_empty() IS NULL AS equal, NULL::topk IS DISTINCT FROM topk_empty() AS distinct;

-- ---------- = and its relations ----------
SELECT topk_agg(i, 9) = topk_agg(-(-i), 9) AS equal, topk_agg(i, 9) <> topk_agg(-i, 9) AS not_equal, topk_agg(i, 9) = topk_agg(i::bigint, 9) AS other_width, topk_agg(i, 9) = topk_agg(i::text, 9) AS other_kind,
    topk_agg(i, 9) = topk_agg(i, 10) AS other_k, topk_agg(i, 9) = topk_agg(i, 2, 9) AS other_counts, topk_agg(i, 9) IS DISTINCT FROM topk_agg(i, 9) AS distinct, topk_agg(i, 9) IS NOT DISTINCT FROM NULL AS null FROM generate_series(1, 5) i;
-- with a literal on one side
SELECT topk_empty() = 'QQAAFA==' AS right, 'QQAAFA==' = topk_empty() AS left, topk_empty() IN ('QQAAAQ==', 'QQAAFA==') AS in_list;

CREATE TEMP TABLE s AS
SELECT n, topk_agg(i, 20) AS s FROM generate_series(0, 59) n, generate_series(1, n % 20 + 1) i GROUP BY n;
ANALYZE s;
SELECT count(*), count(DISTINCT s) AS different, count(DISTINCT topk_total(s)) AS totals FROM s;
SELECT count(*) FROM (SELECT DISTINCT s FROM s) q;
SELECT topk_total(s) AS total, count(*), array_agg(n ORDER BY n) FROM s WHERE n % 20 < 3 GROUP BY s ORDER BY 1;
SELECT count(*) AS union, (SELECT count(*) FROM (SELECT s FROM s WHERE n < 30 INTERSECT SELECT s FROM s WHERE n >= 30) q) AS intersect,
    (SELECT count(*) FROM (SELECT s FROM s WHERE n < 20 EXCEPT SELECT s FROM s WHERE n >= 45) q) AS except FROM (SELECT s FROM s UNION SELECT s FROM s) q;

-- hashed and sorted, joined both ways: the same
SET enable_hashagg = off;
SELECT pg_temp.plan_has('SELECT s FROM s GROUP BY s', 'HashAggregate') AS hashed, count(*) FROM (SELECT s FROM s GROUP BY s) q;
RESET enable_hashagg;
SET enable_sort = off;
SELECT pg_temp.plan_has('SELECT s FROM s GROUP BY s', 'HashAggregate') AS hashed, count(*) FROM (SELECT s FROM s GROUP BY s) q;
RESET enable_sort;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SELECT pg_temp.plan_has('SELECT 1 FROM s a JOIN s b USING (s)', 'Hash Join') AS hash_join, count(*) FROM s a JOIN s b USING (s);
RESET enable_mergejoin;
SET enable_hashjoin = off;
SELECT pg_temp.plan_has('SELECT 1 FROM s a JOIN s b USING (s)', 'Merge Join') AS merge_join, count(*) FROM s a JOIN s b USING (s);
RESET enable_hashjoin;
RESET enable_nestloop;

-- the order is total, and that of the bytes; "<" would say something of the values
SELECT topk_empty() < topk_empty();
SELECT count(*) AS pairs, bool_and((a.s *< b.s) = (a.s::bytea < b.s::bytea)) AS lt, bool_and((a.s *<= b.s) = (a.s::bytea <= b.s::bytea)) AS le, bool_and((a.s *> b.s) = (a.s::bytea > b.s::bytea)) AS gt,
    bool_and((a.s *>= b.s) = (a.s::bytea >= b.s::bytea)) AS ge, bool_and((a.s = b.s) = (a.s::bytea = b.s::bytea)) AS eq, bool_and((a.s <> b.s) = (a.s::bytea <> b.s::bytea)) AS ne,
    bool_and(topk_cmp(a.s, b.s) = -topk_cmp(b.s, a.s) AND (topk_cmp(a.s, b.s) < 0) = (a.s *< b.s)) AS cmp,
    bool_and((a.s = b.s) = (topk_hash(a.s) = topk_hash(b.s))) AS hash, bool_and((a.s = b.s) = (topk_hash_extended(a.s, 7) = topk_hash_extended(b.s, 7))) AS hash_extended
FROM s a, s b;

-- indexes
CREATE INDEX s_btree ON s (s);
CREATE INDEX s_hash ON s USING hash (s);
CREATE INDEX s_total ON s (topk_total(s));
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE s *< 'QQEBFAIAAgIBAQABMTI='$$, 's_btree') AS btree, count(*) = (SELECT count(*) FROM s WHERE s::bytea < 'QQEBFAIAAgIBAQABMTI='::topk::bytea) AS same FROM s WHERE s *< 'QQEBFAIAAgIBAQABMTI=';
DROP INDEX s_btree;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE s = 'QQEBFAEAAQEBATE='$$, 's_hash') AS hash, array_agg(n ORDER BY n) FROM s WHERE s = 'QQEBFAEAAQEBATE=';
SELECT pg_temp.plan_has('SELECT n FROM s WHERE topk_total(s) = 3', 's_total') AS by_total, array_agg(n ORDER BY n) FROM s WHERE topk_total(s) = 3;
RESET enable_seqscan;
RESET enable_bitmapscan;
CREATE UNIQUE INDEX ON s (n, s);
INSERT INTO s SELECT n, s FROM s WHERE n = 3 ON CONFLICT DO NOTHING;
SELECT count(*) FROM s;
CREATE TEMP TABLE partitioned (s topk) PARTITION BY HASH (s);
CREATE TEMP TABLE partition_0 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE partition_1 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO partitioned SELECT s FROM s;
SELECT count(*), count(DISTINCT s) FROM partitioned;

-- ---------- upserts ----------
CREATE TEMP TABLE seen (client text PRIMARY KEY, pages topk(10) NOT NULL DEFAULT topk_empty(10));
INSERT INTO seen VALUES ('ann', topk_add(topk_empty(10), '/'));
INSERT INTO seen AS s VALUES ('ann', topk_add(topk_empty(10), '/about')) ON CONFLICT (client) DO UPDATE SET pages = s.pages || excluded.pages;
INSERT INTO seen (client) VALUES ('bob');
UPDATE seen SET pages = topk_add(pages, '/', 3) RETURNING client, topk_total(pages) AS total, (SELECT string_agg(item || ' ' || frequency, ', ') FROM topk_items(pages)) AS pages;
