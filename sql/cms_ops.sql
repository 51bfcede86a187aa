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
SELECT cms_add(cms_empty(), 1) -> 1 AS once, cms_add(cms_add(cms_empty(), 1), 1) -> 1 AS twice, cms_add(cms_empty(), 1, 5) -> 1 AS five, cms_add(cms_add(cms_empty(), 1, 5), 1, -2) -> 1 AS taken_out,
    cms_add(cms_add(cms_empty(), 1, 5), 1, -5) = cms_empty() AS all_of_it, cms_add(cms_empty(), 1, 0) = cms_empty() AS zero, cms_add(cms_agg(i), 1, 0) = cms_agg(i) AS zero_more FROM generate_series(1, 3) i;
-- no casts: literals, columns, expressions, parameters
PREPARE add_int(int, bigint) AS SELECT cms_add(cms_agg(i), $1, $2) -> $1 AS f FROM generate_series(1, 3) i;
EXECUTE add_int(3, 10);
EXECUTE add_int(4, 10);
SELECT cms_add(cms_add(cms_empty(), 'a'), 'a', 2) -> 'a' AS literals, cms_add(cms_empty(), now()::date) -> now()::date AS date, cms_add(cms_empty(), ROW(1, 'x'), 3) -> ROW(1, 'x') AS record, cms_add(cms_empty(), ARRAY[1, 2], 4) -> ARRAY[1, 2] AS one_array;
-- the same values so often, the same sketch
SELECT cms_add(cms_add(cms_empty(), 1), 2) = cms_agg(i) AS agg, cms_add_all(cms_empty(), ARRAY[2, 1]) = cms_agg(i) AS add_all, cms_add(cms_empty(), 1) || cms_add(cms_empty(), 2) = cms_agg(i) AS merge FROM generate_series(1, 2) i;
-- numbers of all widths are the same values
SELECT cms_add(cms_empty(), 42) -> 42::bigint AS bigint, cms_add(cms_empty(), 42) -> 42::smallint AS smallint, cms_add(cms_empty(), 42) -> 42.00 AS numeric, cms_add(cms_empty(), 42) -> 42::oid AS oid;
-- one by one across every switch of encoding, as built at once
SELECT bool_and(c = (SELECT cms_agg(x, x * x, 0.05, 0.1) FROM generate_series(1, n) x)) AS as_built, string_agg(DISTINCT i.encoding || coalesce(i.counter_bytes::text, ''), ' ') AS encodings
FROM (WITH RECURSIVE grown(n, c) AS (SELECT 1, cms_add(cms_empty(0.05, 0.1), 1) UNION ALL SELECT n + 1, cms_add(c, n + 1, (n + 1) * (n + 1)) FROM grown WHERE n < 400) SELECT n, c FROM grown) g, cms_info(c) i;

-- ---------- add_all ----------
SELECT cms_add_all(cms_empty(), ARRAY[1, 2, 2, 3]) -> 2 AS elements, cms_add_all(cms_empty(), '{}'::int[]) = cms_empty() AS none, cms_total(cms_add_all(cms_empty(), ARRAY[1, NULL, NULL])) AS nulls,
    cms_add_all(cms_empty(), ARRAY[[1, 2], [2, 3]]) -> 2 AS matrix, cms_add_all(cms_empty(), '[5:6]={x,x}'::text[]) -> 'x'::text AS bounds,
    cms_add_all(cms_empty(), (SELECT array_agg(i % 100) FROM generate_series(1, 5000) i)) = (SELECT cms_agg(i % 100) FROM generate_series(1, 5000) i) AS many;

-- ---------- union and difference ----------
SELECT (cms_agg(i) || cms_agg(i + 5)) -> 7 AS union, cms_merge(cms_agg(i), cms_agg(i + 5)) = cms_agg(i) || cms_agg(i + 5) AS same, cms_agg(i) || cms_agg(i + 5) = cms_agg(i + 5) || cms_agg(i) AS commutes,
    cms_agg(i) || cms_agg(i) = cms_agg(i, 2) AS doubles, cms_agg(i) || cms_empty() = cms_agg(i) AS nothing_more FROM generate_series(1, 10) i;
SELECT cms_subtract(cms_agg(i, 2), cms_agg(i)) = cms_agg(i) AS half, cms_subtract(cms_agg(i), cms_agg(i)) = cms_empty() AS all, cms_subtract(cms_agg(i), cms_empty()) = cms_agg(i) AS nothing,
    cms_subtract(cms_agg(i), cms_agg(i) FILTER (WHERE i <= 5)) = cms_agg(i) FILTER (WHERE i > 5) AS since FROM generate_series(1, 10) i;
-- of all encodings with each other
CREATE TEMP TABLE parts AS SELECT n, w, cms_agg(i, w, 0.01, 0.1) AS c FROM unnest(ARRAY[1, 30, 250, 5000]) n, unnest(ARRAY[1, 300, 100000, 10000000000]) w, generate_series(n / 3 + 1, n) i GROUP BY n, w;
SELECT count(*), bool_and(cms_subtract(a.c || b.c, b.c) = a.c) AS back, bool_and(a.c || b.c = b.c || a.c) AS commutes, bool_and(cms_total(a.c || b.c) = cms_total(a.c) + cms_total(b.c)) AS totals,
    bool_and((a.c || b.c) -> 1 >= (a.c -> 1) + (b.c -> 1)) AS at_least, bool_and((a.c || b.c) || b.c = a.c || (b.c || b.c)) AS associates,
    bool_and(a.c || b.c = (SELECT cms_agg(i, w, 0.01, 0.1) FROM (SELECT i, a.w FROM generate_series(a.n / 3 + 1, a.n) i UNION ALL SELECT i, b.w FROM generate_series(b.n / 3 + 1, b.n) i) q)) AS as_built FROM parts a, parts b;
SELECT (cms_info(c)).encoding, (cms_info(c)).counter_bytes, count(*) FROM parts GROUP BY 1, 2 ORDER BY 1, 2;

-- ---------- NULL ----------
SELECT cms_add(NULL, 1) IS NULL AS null_sketch, cms_add(cms_agg(i), NULL) = cms_agg(i) AS null_value, cms_add(cms_agg(i), NULL::int) = cms_agg(i) AS null_int, cms_add(cms_agg(i), 1, NULL) = cms_agg(i) AS null_count,
    cms_add_all(cms_agg(i), NULL::int[]) = cms_agg(i) AS null_array, cms_add_all(NULL, ARRAY[1]) IS NULL AS null_sketch_all FROM generate_series(1, 2) i;
SELECT cms_agg(i) || NULL = cms_agg(i) AS right_null, NULL || cms_agg(i) = cms_agg(i) AS left_null, (NULL::cms || NULL::cms) IS NULL AS both, cms_subtract(cms_agg(i), NULL) = cms_agg(i) AS subtract_null,
    cms_subtract(NULL, cms_agg(i)) IS NULL AS subtract_from_null FROM generate_series(1, 2) i;
SELECT cms_agg(i) -> NULL IS NULL AS frequency, cms_frequency(NULL, 1) IS NULL AS of_null, cms_frequencies(cms_agg(i), ARRAY[1, NULL, 9]) AS elements, cms_frequencies(cms_agg(i), NULL::int[]) IS NULL AS array, cms_bounds(cms_agg(i), NULL::int) IS NULL AS bounds,
    cms_inner_product(cms_agg(i), NULL) IS NULL AS product, cms_total(NULL) IS NULL AS total, cms_error(NULL) IS NULL AS error, cms_info(NULL) IS NULL AS info, cms_empty(NULL) IS NULL AS empty, NULL::cms IS DISTINCT FROM cms_empty() AS distinct FROM generate_series(1, 2) i;

-- ---------- = and its relations ----------
SELECT cms_agg(i) = cms_agg(-(-i)) AS equal, cms_agg(i) <> cms_agg(-i) AS not_equal, cms_agg(i) = cms_agg(i::bigint) AS other_width, cms_agg(i) = cms_agg(i::text) AS other_kind, cms_agg(i) = cms_agg(i, 2) AS other_weight,
    cms_agg(i) = cms_agg(i, 0.002, 0.01) AS other_epsilon, cms_empty() = cms_empty(0.001, 0.02) AS empty_ones, cms_agg(i) = cms_agg_conservative(i) AS conservative,
    cms_agg(i) IS DISTINCT FROM cms_agg(i) AS distinct, cms_agg(i) IS NOT DISTINCT FROM NULL AS null FROM generate_series(1, 5) i;
-- with a literal on one side
SELECT cms_empty() = 'MQAAAAUJB4UDnwoAAA==' AS right, 'MQAAAAUJB4UDnwoAAA==' = cms_empty() AS left, cms_empty() IN ('MQAAAAUJB4UDnwoAAA==', 'MQAAAAMBAAEAHAAAAA==') AS in_list;

CREATE TEMP TABLE s AS
SELECT n, cms_agg(i) AS c FROM generate_series(0, 59) n, generate_series(1, n % 20 + 1) i GROUP BY n;
ANALYZE s;
SELECT count(*), count(DISTINCT c) AS different, count(DISTINCT cms_total(c)) AS totals FROM s;
SELECT cms_total(c) AS total, count(*), array_agg(n ORDER BY n) FROM s WHERE n % 20 < 3 GROUP BY c ORDER BY 1;
SELECT count(*) AS union, (SELECT count(*) FROM (SELECT c FROM s WHERE n < 30 INTERSECT SELECT c FROM s WHERE n >= 30) q) AS intersect,
    (SELECT count(*) FROM (SELECT c FROM s WHERE n < 20 EXCEPT SELECT c FROM s WHERE n >= 45) q) AS except FROM (SELECT c FROM s UNION SELECT c FROM s) q;

-- hashed and sorted, joined both ways: the same
SET enable_hashagg = off;
SELECT pg_temp.plan_has('SELECT c FROM s GROUP BY c', 'HashAggregate') AS hashed;
SELECT count(*) FROM (SELECT c FROM s GROUP BY c) q;
RESET enable_hashagg;
SET enable_sort = off;
SELECT pg_temp.plan_has('SELECT c FROM s GROUP BY c', 'HashAggregate') AS hashed;
SELECT count(*) FROM (SELECT c FROM s GROUP BY c) q;
RESET enable_sort;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SELECT pg_temp.plan_has('SELECT 1 FROM s a JOIN s b USING (c)', 'Hash Join') AS hash_join;
SELECT count(*) FROM s a JOIN s b USING (c);
RESET enable_mergejoin;
SET enable_hashjoin = off;
SELECT pg_temp.plan_has('SELECT 1 FROM s a JOIN s b USING (c)', 'Merge Join') AS merge_join;
SELECT count(*) FROM s a JOIN s b USING (c);
RESET enable_hashjoin;
RESET enable_nestloop;

-- the order is total, and that of the bytes; "<" would say something of the values
SELECT cms_empty() < cms_empty();
SELECT count(*) AS pairs, bool_and((a.c *< b.c) = (a.c::bytea < b.c::bytea)) AS lt, bool_and((a.c *<= b.c) = (a.c::bytea <= b.c::bytea)) AS le, bool_and((a.c *> b.c) = (a.c::bytea > b.c::bytea)) AS gt,
    bool_and((a.c *>= b.c) = (a.c::bytea >= b.c::bytea)) AS ge, bool_and((a.c = b.c) = (a.c::bytea = b.c::bytea)) AS eq, bool_and((a.c <> b.c) = (a.c::bytea <> b.c::bytea)) AS ne,
    bool_and(cms_cmp(a.c, b.c) = -cms_cmp(b.c, a.c) AND (cms_cmp(a.c, b.c) < 0) = (a.c *< b.c)) AS cmp,
    bool_and((a.c = b.c) = (cms_hash(a.c) = cms_hash(b.c))) AS hash, bool_and((a.c = b.c) = (cms_hash_extended(a.c, 7) = cms_hash_extended(b.c, 7))) AS hash_extended
FROM s a, s b;

-- indexes
CREATE INDEX s_btree ON s (c);
CREATE INDEX s_hash ON s USING hash (c);
CREATE INDEX s_total ON s (cms_total(c));
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE c *< 'MQAAAAUJB4UDnwoAAA=='$$, 's_btree') AS btree;
DROP INDEX s_btree;
SELECT pg_temp.plan_has($$SELECT n FROM s WHERE c = 'MQAAAAUJB4UDnwoAAA=='$$, 's_hash') AS hash;
SELECT n FROM s WHERE c = (SELECT cms_agg(i) FROM generate_series(1, 4) i) ORDER BY n;
SELECT pg_temp.plan_has('SELECT n FROM s WHERE cms_total(c) = 3', 's_total') AS by_total;
SELECT n FROM s WHERE cms_total(c) = 3 ORDER BY n;
RESET enable_seqscan;
RESET enable_bitmapscan;
CREATE UNIQUE INDEX ON s (n, c);
INSERT INTO s SELECT n, c FROM s WHERE n = 3 ON CONFLICT DO NOTHING;
SELECT count(*) FROM s;

-- ---------- upserts ----------
CREATE TEMP TABLE pages (day date PRIMARY KEY, hits cms(0.001, 0.01) NOT NULL DEFAULT cms_empty());
INSERT INTO pages VALUES ('2024-01-01', cms_add(cms_empty(), '/'));
INSERT INTO pages AS p VALUES ('2024-01-01', cms_add(cms_empty(), '/', 5)) ON CONFLICT (day) DO UPDATE SET hits = p.hits || excluded.hits;
INSERT INTO pages (day) VALUES ('2024-01-02');
UPDATE pages SET hits = cms_add(hits, '/shop') RETURNING day, hits -> '/' AS home, hits -> '/shop' AS shop, length(hits::text) AS characters;

-- ---------- large values, at rest and packed into a row ----------
-- asked once, and again and again, in pieces and whole
CREATE TEMP TABLE stored AS
SELECT e, n, w, cms_agg(i, w, e, 0.01) AS c FROM unnest(ARRAY[0.01, 0.001, 0.0001, 0.00001]) e, unnest(ARRAY[1, 100000]) w, unnest(ARRAY[100, 20000]) n, generate_series(1, n) i GROUP BY 1, 2, 3;
SELECT e, n, w, i.encoding, i.counter_bytes, i.bytes, c -> 7 = c::bytea::cms -> 7 AS same, c -> -1 = c::bytea::cms -> -1 AS same_of_none, c = c::text::cms AS equal, cms_subtract(c || c, c) = c AS merged, cms_bounds(c, 7) = cms_bounds(c::bytea::cms, 7) AS bounds,
    cms_frequencies(c, ARRAY[1, 2, -3]) = cms_frequencies(c::bytea::cms, ARRAY[1, 2, -3]) AS frequencies FROM stored, cms_info(c) i ORDER BY 1, 2, 3;
-- compressed by hand: what a column of another storage would do
CREATE TEMP TABLE compressed (LIKE stored);
ALTER TABLE compressed ALTER c SET STORAGE main;
INSERT INTO compressed SELECT e, n, w, c::text::cms FROM stored;
CREATE TEMP TABLE question AS SELECT i AS v FROM generate_series(-50, 150) i;
ANALYZE question, stored, compressed;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT count(*), count(DISTINCT (e, n, w)), bool_and(s.c -> v = s.c::bytea::cms -> v) AS in_memory, bool_and(s.c -> v = c.c -> v) AS compressed, bool_and(v NOT BETWEEN 1 AND n OR s.c -> v >= w) AS one_sided,
    bool_and((cms_frequencies(s.c, ARRAY[v]))[1] = s.c -> v) AS frequencies, bool_and((cms_bounds(c.c, v)).upper = s.c -> v) AS bounds FROM question, stored s JOIN compressed c USING (e, n, w);
SET probds.probe_cache_size = 0;
SELECT count(*), bool_and(s.c -> v = s.c::bytea::cms -> v) AS in_memory, bool_and(s.c -> v = c.c -> v) AS compressed FROM (SELECT v FROM question WHERE v < -40) q, stored s JOIN compressed c USING (e, n, w);
RESET probds.probe_cache_size;
SELECT bool_and(a.c || b.c = b.c || a.c AND a.c = b.c AND cms_total(a.c) = cms_total(b.c) AND cms_error(a.c) = cms_error(b.c) AND cms_info(a.c) = cms_info(b.c) AND cms_inner_product(a.c, b.c) = cms_inner_product(b.c, b.c)) AS same FROM stored a JOIN compressed b USING (e, n, w);
