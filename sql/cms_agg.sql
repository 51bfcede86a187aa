-- The aggregates: cms_agg, cms_merge_agg (cms_agg_conservative is in cms_conservative, windows in cms_window)

-- ---------- with and without weights, with and without epsilon and delta ----------
SELECT n, i.epsilon, i.delta, i.width, i.depth, i.encoding, i.bytes, i.total, i.error, v.c -> 7 AS "7"
FROM (SELECT cms_agg(i % 100) AS a, cms_agg_weighted(i % 100, 3) AS b, cms_agg(i % 100, 0.01, 0.05) AS c, cms_agg_weighted(i % 100, 3, 0.01, 0.05) AS d FROM generate_series(1, 1000) i) q,
    LATERAL (VALUES (1, a), (2, b), (3, c), (4, d)) v(n, c), cms_info(v.c) i ORDER BY n;
-- what is left out is a weight of 1, 0.001 and 0.01
SELECT cms_agg(i) = cms_agg_weighted(i, 1) AS weight, cms_agg(i) = cms_agg(i, 0.001, 0.01) AS parameters, cms_agg(i) = cms_agg_weighted(i, 1, 0.001, 0.01) AS both,
    cms_agg(i) = cms_agg_weighted(i, 2) AS other_weight, cms_agg(i) = cms_agg(i, 0.002, 0.01) AS other_epsilon, cms_agg(i) = cms_agg(i, 0.001, 0.02) AS other_delta FROM generate_series(1, 100) i;
-- a weight is so many times the value
SELECT cms_agg_weighted(i, i) = (SELECT cms_agg(x) FROM generate_series(1, 50) x, generate_series(1, x)) AS repeated, cms_agg_weighted(i, 0) = cms_empty() AS zero, cms_agg_weighted(i, 3000000000) -> 7 AS large FROM generate_series(1, 50) i;
-- negative ones take out; what sums to zero leaves nothing, not even a kind
SELECT cms_agg_weighted(v, w) = cms_agg(v) FILTER (WHERE w = 1 AND v <= 50) AS taken_out, cms_agg_weighted(v, w) -> 7 AS "7", cms_agg_weighted(v, w) -> 70 AS "70", cms_total(cms_agg_weighted(v, w)) AS total
FROM (SELECT v, 1 AS w FROM generate_series(1, 100) v UNION ALL SELECT v, -1 FROM generate_series(51, 100) v) q;
SELECT cms_agg_weighted(v, w) = cms_empty() AS nothing_left, (cms_info(cms_agg_weighted(v, w))).kind FROM (SELECT v, w FROM unnest(ARRAY[5, -5]) w, generate_series(1, 1000) v ORDER BY w DESC) q;
-- an order in which more is taken out than is there is refused, whatever follows
SELECT cms_agg_weighted(1, w) FROM unnest(ARRAY[1, -2, 1]) w;

-- no rows, and rows without values or weights
SELECT cms_agg(i) IS NULL AS agg, cms_agg_weighted(i, 2) IS NULL AS weight, cms_agg(i, 0.1, 0.1) IS NULL AS parameters, cms_agg_weighted(i, 2, 0.1, 0.1) IS NULL AS both, cms_merge_agg(NULL::cms) IS NULL AS merge FROM generate_series(1, 0) i;
SELECT cms_agg(NULL::int) = cms_empty() AS agg, cms_agg_weighted(NULL::text, 2) = cms_empty() AS weight, cms_agg_weighted(1, NULL) = cms_empty() AS null_weight, cms_agg(NULL::uuid, 0.1, 0.1) = cms_empty(0.1, 0.1) AS parameters,
    cms_agg_weighted(1, NULL, 0.1, 0.1) = cms_empty(0.1, 0.1) AS both, cms_merge_agg(NULL::cms) IS NULL AS merge FROM generate_series(1, 3);
SELECT cms_total(cms_agg(nullif(i, 2))) AS skips_null, cms_total(cms_agg_weighted(i, nullif(i, 2))) AS skips_null_weight FROM generate_series(1, 3) i;

-- ---------- each type by itself, without a cast ----------
\set values `echo "${PROBDS_SRC:-.}/test/types/values.sql"`
\set ECHO none
\i :values
\set ECHO all
-- all forms, against what adding makes
SELECT answer, count(*) FROM value_types, pg_temp.of_column(n, $$
    SELECT c -> a AS first, cms_frequency(c, b) AS second, c = cms_add(cms_add(cms_empty(), a, 2), b, 2) AND tens = cms_add(cms_add(cms_empty(), a, 20), b, 20)
        AND small = cms_add(cms_add(cms_empty(0.1, 0.1), a, 2), b, 2) AND small_tens = cms_add(cms_add(cms_empty(0.1, 0.1), a, 20), b, 20)
        AND conservative = cms_add(cms_add(cms_empty(0.1, 0.1, true), a, 20), b, 20) AS as_added
    FROM (SELECT cms_agg(v) AS c, cms_agg_weighted(v, 10) AS tens, cms_agg(v, 0.1, 0.1) AS small, cms_agg_weighted(v, 10, 0.1, 0.1) AS small_tens, cms_agg_conservative_weighted(v, 10, 0.1, 0.1) AS conservative FROM t) q, pair $$) GROUP BY 1;
-- arrays are values; weights of any integer type
SELECT cms_agg(x) -> ARRAY[1, 2] AS array, cms_agg_weighted(x, 2::smallint) -> ARRAY[1, 2] AS smallint_weight, cms_agg_weighted(x, 2::bigint) -> ARRAY[3] AS bigint_weight FROM (VALUES (ARRAY[1, 2]), (ARRAY[3]), (ARRAY[1, 2])) q(x);
-- a plain literal is text, as everywhere
SELECT cms_agg('a') -> 'a'::text AS text, (cms_info(cms_agg(NULL))).kind FROM generate_series(1, 2);
-- two columns at once: a row
SELECT cms_agg(ROW(i % 3, 'x')) -> ROW(1, 'x'::text) AS pairs FROM generate_series(1, 100) i;

-- ---------- parameters of each group its own ----------
SELECT e, i.epsilon, i.delta, i.width, i.depth, i.total FROM (SELECT e, (SELECT cms_agg(i, e, e / 2) FROM generate_series(1, 100) i) AS c FROM unnest(ARRAY[0.5, 0.02, 0.003]) e) q, cms_info(c) i ORDER BY e;
PREPARE by_parameters(float8, float8) AS SELECT cms_agg(i, $1, $2) = cms_add_all(cms_empty($1, $2), array_agg(i)) AS same FROM generate_series(1, 100) i;
EXECUTE by_parameters(0.01, 0.01);
EXECUTE by_parameters(0.2, 0.3);

-- ---------- FILTER, DISTINCT, ORDER BY ----------
SELECT cms_agg(i) FILTER (WHERE i % 2 = 0) = cms_agg(2 * i) FILTER (WHERE i <= 500) AS even, cms_agg(i) FILTER (WHERE false) IS NULL AS none,
    cms_agg(DISTINCT i / 2) -> 7 AS distinct, cms_agg_weighted(DISTINCT i / 2, 5) -> 7 AS distinct_weighted, cms_agg(i ORDER BY -i) = cms_agg(i) AS order_same,
    cms_agg_weighted(i::text, i ORDER BY md5(i::text)) = cms_agg_weighted(i::text, i) AS order_weighted FROM generate_series(1, 1000) i;

-- ---------- GROUP BY and its relatives ----------
CREATE TEMP TABLE hits AS
SELECT i, i % 3 AS day, chr(97 + i % 2) AS page, nullif(i % 100, 0) AS visitor FROM generate_series(1, 900) i;
SELECT day, page, cms_agg(visitor) -> 7 AS "7", count(*) FILTER (WHERE visitor = 7), cms_total(cms_agg(visitor)) AS total, count(visitor) FROM hits GROUP BY day, page ORDER BY day, page;
SELECT day, page, cms_agg(visitor) -> 7 AS "7" FROM hits GROUP BY GROUPING SETS ((day, page), (day), ()) ORDER BY day, page;
SELECT day FROM hits GROUP BY day HAVING cms_agg(visitor) -> 7 = 3 ORDER BY day;
-- many groups, from one value to many, each exact where there is room
SELECT g, i.encoding, i.bytes, i.total, (SELECT bool_and(c -> x >= 1) FROM generate_series(1, 1 << g) x) AS one_sided, (SELECT count(*) FROM generate_series(1, 1 << g) x WHERE c -> x > 1) AS over
FROM (SELECT g, cms_agg(i) AS c FROM generate_series(0, 13) g, generate_series(1, 1 << g) i GROUP BY g) q, cms_info(c) i ORDER BY g;

-- ---------- cms_merge_agg ----------
CREATE TEMP TABLE daily AS SELECT day, cms_agg(visitor) AS c FROM hits GROUP BY day;
SELECT cms_merge_agg(c) -> 7 AS "7", cms_merge_agg(c) = (SELECT cms_agg(visitor) FROM hits) AS as_from_rows FROM daily;
-- NULLs are skipped, empty ones add nothing but have a shape
SELECT cms_merge_agg(c) = (SELECT cms_merge_agg(c) FROM daily) AS same FROM (SELECT c FROM daily UNION ALL SELECT NULL UNION ALL SELECT cms_empty()) q;
-- a part without a sketch has no parameters that could meet those of the others
SELECT cms_merge_agg(s) = (SELECT cms_agg(1, 0.1, 0.1)) AS of_parts FROM (SELECT cms_merge_agg(s) AS s FROM (SELECT 1, cms_agg(1, 0.1, 0.1) UNION ALL VALUES (2, NULL::cms), (2, NULL)) q(part, s) GROUP BY part) q;
SELECT cms_merge_agg(c) = cms_empty(0.1, 0.1) AS empty_ones FROM (VALUES (NULL), (cms_empty(0.1, 0.1)), (NULL), (cms_empty(0.1, 0.1))) q(c);
SELECT cms_merge_agg(c) = cms_empty(0.1, 0.1, true) AS conservative FROM (VALUES (NULL), (cms_empty(0.1, 0.1, true)), (NULL)) q(c);

-- ---------- nested ----------
WITH daily AS (SELECT day, cms_agg(visitor) AS c FROM hits GROUP BY day)
SELECT a.day, b.day AS other, (a.c || b.c) -> 7 AS "7", cms_inner_product(a.c, b.c) AS pairs, (SELECT count(*) FROM hits x JOIN hits y USING (visitor) WHERE x.day = a.day AND y.day = b.day) FROM daily a JOIN daily b ON a.day < b.day ORDER BY 1, 2;
SELECT d, l.f FROM generate_series(0, 3) d, LATERAL (SELECT cms_agg(visitor) -> 7 AS f FROM hits WHERE day = d) l ORDER BY d;
-- several at once share their work or not, and do not disturb each other
SELECT cms_agg(i) -> 7 AS a, cms_agg(i, 0.001, 0.01) -> 7 AS b, cms_agg(i::text) -> '7'::text AS c, cms_agg(visitor) -> 7 AS d, cms_agg_weighted(visitor, i) -> 7 AS e, cms_agg_conservative(visitor) -> 7 AS f,
    cms_agg(i) || cms_agg(i + 0) = cms_agg_weighted(i, 2) AS g FROM hits;

-- ---------- sketches are no values ----------
SELECT cms_agg(c) FROM (VALUES (cms_empty())) s(c);
SELECT cms_agg_weighted(c, 5) FROM (VALUES (hll_empty())) s(c);
