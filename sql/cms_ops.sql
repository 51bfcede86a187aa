-- Scalar functions and operators; what all types have is in types_ops

-- ---------- add ----------
SELECT cms_add(cms_empty(), 1) -> 1 AS once, cms_add(cms_add(cms_empty(), 1), 1) -> 1 AS twice, cms_add(cms_empty(), 1, 5) -> 1 AS five, cms_add(cms_add(cms_empty(), 1, 5), 1, -2) -> 1 AS taken_out,
    cms_add(cms_add(cms_empty(), 1, 5), 1, -5) = cms_empty() AS all_of_it, cms_add(cms_empty(), 1, 0) = cms_empty() AS zero, cms_add(cms_agg(i), 1, 0) = cms_agg(i) AS zero_more FROM generate_series(1, 3) i;
-- no casts: literals, columns, expressions, parameters
PREPARE add_int(int, bigint) AS SELECT cms_add(cms_agg(i), $1, $2) -> $1 AS f FROM generate_series(1, 3) i;
EXECUTE add_int(3, 10);
EXECUTE add_int(4, 10);
SELECT cms_add(cms_add(cms_empty(), 'a'), 'a', 2) -> 'a' AS literals, cms_add(cms_empty(), now()::date) -> now()::date AS date, cms_add(cms_empty(), ROW(1, 'x'), 3) -> ROW(1, 'x') AS record, cms_add(cms_empty(), ARRAY[1, 2], 4) -> ARRAY[1, 2] AS one_array;
-- one by one across every switch of encoding, as built at once
SELECT bool_and(c = (SELECT cms_agg_weighted(x, x * x, 0.05, 0.1) FROM generate_series(1, n) x)) AS as_built, string_agg(DISTINCT i.encoding || coalesce(i.counter_bytes::text, ''), ' ') AS encodings
FROM (WITH RECURSIVE grown(n, c) AS (SELECT 1, cms_add(cms_empty(0.05, 0.1), 1) UNION ALL SELECT n + 1, cms_add(c, n + 1, (n + 1) * (n + 1)) FROM grown WHERE n < 400) SELECT n, c FROM grown) g, cms_info(c) i;

-- ---------- add_all ----------
SELECT cms_add_all(cms_empty(), ARRAY[1, 2, 2, 3]) -> 2 AS elements, cms_add_all(cms_empty(), '{}'::int[]) = cms_empty() AS none, cms_total(cms_add_all(cms_empty(), ARRAY[1, NULL, NULL])) AS nulls,
    cms_add_all(cms_empty(), ARRAY[[1, 2], [2, 3]]) -> 2 AS matrix, cms_add_all(cms_empty(), '[5:6]={x,x}'::text[]) -> 'x'::text AS bounds,
    cms_add_all(cms_empty(), (SELECT array_agg(i % 100) FROM generate_series(1, 5000) i)) = (SELECT cms_agg(i % 100) FROM generate_series(1, 5000) i) AS many;

-- ---------- union and difference ----------
SELECT (cms_agg(i) || cms_agg(i + 5)) -> 7 AS union, cms_merge(cms_agg(i), cms_agg(i + 5)) = cms_agg(i) || cms_agg(i + 5) AS same, cms_agg(i) || cms_agg(i + 5) = cms_agg(i + 5) || cms_agg(i) AS commutes,
    cms_agg(i) || cms_agg(i) = cms_agg_weighted(i, 2) AS doubles, cms_agg(i) || cms_empty() = cms_agg(i) AS nothing_more FROM generate_series(1, 10) i;
SELECT cms_subtract(cms_agg_weighted(i, 2), cms_agg(i)) = cms_agg(i) AS half, cms_subtract(cms_agg(i), cms_agg(i)) = cms_empty() AS all, cms_subtract(cms_agg(i), cms_empty()) = cms_agg(i) AS nothing,
    cms_subtract(cms_agg(i), cms_agg(i) FILTER (WHERE i <= 5)) = cms_agg(i) FILTER (WHERE i > 5) AS since FROM generate_series(1, 10) i;
-- of all encodings with each other
CREATE TEMP TABLE parts AS SELECT n, w, cms_agg_weighted(i, w, 0.01, 0.1) AS c FROM unnest(ARRAY[1, 30, 250, 5000]) n, unnest(ARRAY[1, 300, 100000, 10000000000]) w, generate_series(n / 3 + 1, n) i GROUP BY n, w;
SELECT count(*), bool_and(cms_subtract(a.c || b.c, b.c) = a.c) AS back, bool_and(a.c || b.c = b.c || a.c) AS commutes, bool_and(cms_total(a.c || b.c) = cms_total(a.c) + cms_total(b.c)) AS totals,
    bool_and((a.c || b.c) -> 1 >= (a.c -> 1) + (b.c -> 1)) AS at_least, bool_and((a.c || b.c) || b.c = a.c || (b.c || b.c)) AS associates,
    bool_and(a.c || b.c = (SELECT cms_agg_weighted(i, w, 0.01, 0.1) FROM (SELECT i, a.w FROM generate_series(a.n / 3 + 1, a.n) i UNION ALL SELECT i, b.w FROM generate_series(b.n / 3 + 1, b.n) i) q)) AS as_built FROM parts a, parts b;
SELECT (cms_info(c)).encoding, (cms_info(c)).counter_bytes, count(*) FROM parts GROUP BY 1, 2 ORDER BY 1, 2;

-- ---------- NULL ----------
SELECT cms_subtract(cms_agg(i), NULL) = cms_agg(i) AS subtract_null, cms_subtract(NULL, cms_agg(i)) IS NULL AS subtract_from_null FROM generate_series(1, 2) i;
SELECT cms_agg(i) -> NULL IS NULL AS frequency, cms_frequency(NULL, 1) IS NULL AS of_null, cms_frequencies(cms_agg(i), ARRAY[1, NULL, 9]) AS elements, cms_frequencies(cms_agg(i), NULL::int[]) IS NULL AS array, cms_bounds(cms_agg(i), NULL::int) IS NULL AS bounds,
    cms_inner_product(cms_agg(i), NULL) IS NULL AS product, cms_total(NULL) IS NULL AS total, cms_error(NULL) IS NULL AS error, cms_info(NULL) IS NULL AS info, cms_empty(NULL) IS NULL AS empty, NULL::cms IS DISTINCT FROM cms_empty() AS distinct FROM generate_series(1, 2) i;

-- ---------- = ----------
SELECT cms_agg(i) = cms_agg_weighted(i, 2) AS other_counts, cms_agg(i) = cms_agg_conservative(i) AS conservative, cms_empty() = cms_empty(0.001, 0.02) AS empty_ones FROM generate_series(1, 5) i;

-- ---------- large values, at rest and packed into a row ----------
-- asked once, and again and again, in pieces and whole
CREATE TEMP TABLE stored AS
SELECT e, n, w, (SELECT cms_agg_weighted(i, w, e, 0.01) FROM generate_series(1, n) i) AS c FROM unnest(ARRAY[0.01, 0.001, 0.0001, 0.00001]) e, unnest(ARRAY[1, 100000]) w, unnest(ARRAY[100, 20000]) n;
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
