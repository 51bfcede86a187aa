-- The aggregates: bloom_agg, bloom_merge_agg, bloom_intersect_agg

-- ---------- with and without a capacity, a rate, a layout ----------
SELECT n, i.capacity, i.promised_rate, i.layout, i.bits, i.hashes, i.items, i.bytes, i.status
FROM (SELECT bloom_agg(i) AS a, bloom_agg(i, 2000) AS b, bloom_agg(i, 2000, 0.001) AS c, bloom_agg(i, 2000, 0.001, 'classic') AS d FROM generate_series(1, 1000) i) q,
    LATERAL (VALUES (1, a), (2, b), (3, c), (4, d)) v(n, filter), bloom_info(filter) i ORDER BY n;
-- what is left out is 1 % and blocked; without a capacity it is the number of distinct values
SELECT bloom_agg(i) = bloom_agg(i, 1000) AS capacity, bloom_agg(i, 1000) = bloom_agg(i, 1000, 0.01) AS rate, bloom_agg(i, 1000, 0.01) = bloom_agg(i, 1000, 0.01, 'blocked') AS layout,
    bloom_agg(i) = bloom_agg(i, 999) AS other_capacity, bloom_agg(i, 1000) = bloom_agg(i, 1000, 0.02) AS other_rate, bloom_agg(i, 1000, 0.01) = bloom_agg(i, 1000, 0.01, 'classic') AS other_layout
FROM generate_series(1, 1000) i;
SELECT bloom_agg(i % 10) = bloom_agg(i % 10, 10) AS distinct, (bloom_info(bloom_agg(i % 10))).capacity FROM generate_series(1, 1000) i;
SELECT n, i.capacity, i.bits, i.hashes, i.items, i.encoding, i.bytes FROM unnest(ARRAY[1, 2, 10, 100, 10000]) n, LATERAL (SELECT bloom_agg(i) AS f FROM generate_series(1, n) i) q, bloom_info(f) i ORDER BY n;

-- no rows, and rows without values
SELECT bloom_agg(i) IS NULL AS agg, bloom_agg(i, 10) IS NULL AS agg_10, bloom_agg(i, 10, 0.1) IS NULL AS agg_rate, bloom_agg(i, 10, 0.1, 'classic') IS NULL AS agg_layout,
    bloom_merge_agg(NULL::bloom) IS NULL AS merge, bloom_intersect_agg(NULL::bloom) IS NULL AS intersect FROM generate_series(1, 0) i;
SELECT bloom_agg(NULL::int) = bloom_empty(1) AS agg, bloom_agg(NULL::int, 10) = bloom_empty(10) AS agg_10, bloom_agg(NULL::text, 10, 0.1) = bloom_empty(10, 0.1) AS agg_rate,
    bloom_agg(NULL::uuid, 10, 0.1, 'classic') = bloom_empty(10, 0.1, 'classic') AS agg_layout, bloom_merge_agg(NULL::bloom) IS NULL AS merge,
    bloom_intersect_agg(NULL::bloom) IS NULL AS intersect FROM generate_series(1, 3) i;
SELECT bloom_cardinality(bloom_agg(nullif(i, 2), 100)) AS skips_null, (bloom_info(bloom_agg(nullif(i, 2)))).capacity FROM generate_series(1, 3) i;

-- ---------- each type by itself, without a cast ----------
\set values `echo "${PROBDS_SRC:-.}/test/types/values.sql"`
\set ECHO none
\i :values
\set ECHO all
-- the four forms, against what adding makes
SELECT answer, count(*) FROM value_types, pg_temp.of_column(n, $$
    SELECT bloom_cardinality(f_100) AS items, (bloom_info(f)).capacity, f = bloom_add(bloom_add(bloom_empty(2), a), b) AND f_9 = bloom_add(bloom_add(bloom_empty(9), a), b)
        AND f_rate = bloom_add(bloom_add(bloom_empty(9, 0.1), a), b) AND f_layout = bloom_add(bloom_add(bloom_empty(9, 0.1, 'classic'), a), b) AS as_added
    FROM (SELECT bloom_agg(v) AS f, bloom_agg(v, 9) AS f_9, bloom_agg(v, 100) AS f_100, bloom_agg(v, 9, 0.1) AS f_rate, bloom_agg(v, 9, 0.1, 'classic') AS f_layout FROM t) q, pair $$) GROUP BY 1;
-- a plain literal is text, as everywhere
SELECT bloom_agg('a') = bloom_agg('a'::text) AS text, (bloom_info(bloom_agg(NULL))).kind FROM generate_series(1, 2);
-- two columns at once: a row
SELECT bloom_agg(ROW(i, 'x')) = bloom_agg(ROW(i, 'x'::text), 100) AS pairs FROM generate_series(1, 100) i;

-- ---------- a capacity of any numeric type ----------
SELECT count(DISTINCT f::text) AS one FROM (SELECT unnest(ARRAY[bloom_agg(i, 1000000), bloom_agg(i, 1e6), bloom_agg(i, 1000000::bigint), bloom_agg(i, 1000000.0), bloom_agg(i, '1e6'), bloom_agg(i, 999999.5), bloom_agg(i, 1e6::real), bloom_agg(i, 1e6, 0.01), bloom_agg(i, 1000000, 0.01, 'blocked')]) AS f FROM generate_series(1, 10) i) q;
SELECT bloom_empty(1e6) = bloom_empty(1000000) AS empty, bloom_empty(capacity => 1e6, false_positive_rate => 0.001) = bloom_empty(1000000, 1e-3) AS named, (bloom_size(1e6)).bits = (bloom_size(1000000)).bits AS size, NULL::bloom(1e6) IS NULL AS modifier;
PREPARE untyped_capacity AS SELECT bloom_agg(i, $1) = bloom_agg(i, 1000) AS same FROM generate_series(1, 10) i;
EXECUTE untyped_capacity(1000);

-- ---------- parameters of each group its own ----------
SELECT c, i.capacity, i.promised_rate, i.layout, i.bits, i.hashes, i.items
FROM (SELECT c, (SELECT bloom_agg(i, c, 1.0 / c, CASE WHEN c % 2 = 0 THEN 'blocked' ELSE 'classic' END) FROM generate_series(1, c) i) AS f FROM unnest(ARRAY[10, 101, 1000, 1001]) c) q, bloom_info(f) i ORDER BY c;
PREPARE by_capacity(bigint, float8, text) AS SELECT bloom_agg(i, $1, $2, $3) = bloom_add_all(bloom_empty($1, $2, $3), array_agg(i)) AS same FROM generate_series(1, 100) i;
EXECUTE by_capacity(100, 0.01, 'blocked');
EXECUTE by_capacity(100000, 0.2, 'classic');

-- ---------- FILTER, DISTINCT, ORDER BY ----------
SELECT bloom_agg(i) FILTER (WHERE i % 2 = 0) = bloom_agg(2 * i) FILTER (WHERE i <= 500) AS even, bloom_agg(i) FILTER (WHERE false) IS NULL AS none,
    bloom_agg(i, 99) FILTER (WHERE i < 11) = (SELECT bloom_agg(x, 99) FROM generate_series(1, 10) x) AS ten, bloom_agg(DISTINCT i / 2) = bloom_agg(i / 2) AS distinct_same,
    bloom_agg(i ORDER BY -i) = bloom_agg(i) AS order_same, bloom_agg(DISTINCT i::text, 100, 0.1) = bloom_agg(i::text, 100, 0.1) AS distinct_3,
    bloom_agg(i::text, 100, 0.1, 'classic' ORDER BY md5(i::text)) = bloom_agg(i::text, 100, 0.1, 'classic') AS order_4,
    bloom_merge_agg(DISTINCT bloom_add(bloom_empty(9), i % 5)) = bloom_agg(i % 5, 9) AS merge_distinct
FROM generate_series(1, 1000) i;

-- ---------- GROUP BY and its relatives ----------
CREATE TEMP TABLE hits AS
SELECT i, i % 3 AS day, chr(97 + i % 2) AS page, nullif(i % 100, 0) AS visitor, nullif(i % 3, 2) AS site FROM generate_series(1, 900) i;
SELECT day, page, bloom_cardinality(bloom_agg(visitor, 100)) AS visitors, (bloom_info(bloom_agg(visitor))).capacity AS exact, count(DISTINCT visitor) FROM hits GROUP BY day, page ORDER BY day, page;
SELECT day, page, bloom_cardinality(bloom_agg(visitor, 100)) AS visitors, (bloom_info(bloom_agg(visitor))).capacity AS exact FROM hits GROUP BY GROUPING SETS ((day, page), (day), ()) ORDER BY day, page;
SELECT site, bloom_agg(visitor) FILTER (WHERE i > 2000) IS NULL AS no_rows, bloom_cardinality(bloom_agg(CASE WHEN i > 2000 THEN visitor END)) AS no_values FROM hits GROUP BY site ORDER BY site;
SELECT day FROM hits GROUP BY day HAVING (bloom_info(bloom_agg(i))).capacity = 300 ORDER BY day;
-- many groups, from one value to more than was planned for
SELECT g, i.items, i.fill < 1 AS some_zeros, round(i.false_positive_rate::numeric, 4) AS rate, i.encoding, i.status
FROM (SELECT g, bloom_agg(i, 100) AS f FROM generate_series(0, 10) g, generate_series(1, 1 << g) i GROUP BY g) q, bloom_info(f) i ORDER BY g;

-- ---------- windows ----------
SELECT i, bloom_cardinality(bloom_agg(visitor, 20) OVER (ORDER BY i)) AS so_far, (bloom_info(bloom_agg(visitor % 5) OVER w)).capacity AS last_three,
    bloom_cardinality(bloom_agg(visitor, 20) OVER (ORDER BY i ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING)) AS later, bloom_cardinality(bloom_agg(visitor % 7, 100, 0.001) OVER ()) AS all_rows,
    bloom_cardinality(bloom_agg(visitor, 20) FILTER (WHERE visitor > 3) OVER (ORDER BY i)) AS filtered
FROM hits WHERE i <= 10 WINDOW w AS (ORDER BY i ROWS 2 PRECEDING) ORDER BY i;
-- what a window returned stays as it was while the state goes on, whatever form that has
SELECT c, bool_and(f = bloom_add_all(bloom_empty(c), so_far)) AS unchanged, count(DISTINCT f) AS different
FROM (SELECT c, f, so_far FROM unnest(ARRAY[10, 300, 100000]) c, LATERAL (SELECT bloom_agg(i, c) OVER w AS f, array_agg(i) OVER w AS so_far FROM generate_series(1, 300) i WINDOW w AS (ORDER BY i)) l) q
GROUP BY c ORDER BY c;
SELECT bool_and((bloom_info(f)).capacity = i) AS automatic, bool_and(f = (SELECT bloom_agg(x, q.i) FROM generate_series(1, q.i) x)) AS same FROM (SELECT i, bloom_agg(i) OVER (ORDER BY i) AS f FROM generate_series(1, 300) i) q;
-- the last seven days of stored filters, day by day
SELECT d, bloom_cardinality(bloom_merge_agg(f) OVER (ORDER BY d ROWS 6 PRECEDING)) AS week, bloom_cardinality(bloom_merge_agg(f) OVER (ORDER BY d)) AS so_far,
    bloom_cardinality(bloom_intersect_agg(f) OVER (ORDER BY d ROWS 1 PRECEDING)) AS again
FROM (SELECT d, bloom_agg(i, 1000) AS f FROM generate_series(1, 10) d, generate_series(d * 50, d * 50 + 99) i GROUP BY d) q ORDER BY d;

-- ---------- bloom_merge_agg ----------
CREATE TEMP TABLE daily AS SELECT day, bloom_agg(i, 1000) AS f FROM hits GROUP BY day;
SELECT bloom_cardinality(bloom_merge_agg(f)) AS all_days, bloom_merge_agg(f) = (SELECT bloom_agg(i, 1000) FROM hits) AS as_from_rows FROM daily;
-- NULLs are skipped, empty ones add nothing
SELECT bloom_merge_agg(f) = (SELECT bloom_merge_agg(f) FROM daily) AS same FROM (SELECT f FROM daily UNION ALL SELECT NULL UNION ALL SELECT bloom_empty(1000)) q;
-- a part without a sketch has no parameters that could meet those of the others
SELECT bloom_merge_agg(s) = (SELECT bloom_agg(1, 1000)) AS of_parts FROM (SELECT bloom_merge_agg(s) AS s FROM (SELECT 1, bloom_agg(1, 1000) UNION ALL VALUES (2, NULL::bloom), (2, NULL)) q(part, s) GROUP BY part) q;
SELECT bloom_merge_agg(f) = bloom_empty(7) AS empty_ones FROM (VALUES (bloom_empty(7)), (NULL), (bloom_empty(7))) q(f);
-- filters of the same size that were planned for different numbers: the larger one, whatever the order
SELECT c, (bloom_info(bloom_merge_agg(f))).capacity, bloom_merge_agg(f) = bloom_agg(i, 13) AS same
FROM (SELECT c, i, CASE WHEN (c + i) % 2 = 0 THEN bloom_add(bloom_empty(12), i) ELSE bloom_add(bloom_empty(13), i) END AS f FROM generate_series(0, 1) c, generate_series(1, 2) i) q GROUP BY c ORDER BY c;

-- ---------- bloom_intersect_agg ----------
-- of what is in all of them nothing is lost
SELECT n, bloom_cardinality(bloom_intersect_agg(f)) AS items, bloom_intersect_agg(f) || everywhere = bloom_intersect_agg(f) AS all_there
FROM unnest(ARRAY[1, 2, 3, 5]) n, LATERAL (SELECT d, bloom_agg(i, 10000) AS f FROM generate_series(1, n) d, generate_series(d * 100, 2000) i GROUP BY d) q,
    LATERAL (SELECT bloom_agg(i, 10000) AS everywhere FROM generate_series(n * 100, 2000) i) e GROUP BY n, everywhere ORDER BY n;
SELECT bloom_intersect_agg(f) = bloom_add(bloom_empty(9), 1) AS skips_null FROM (VALUES (bloom_add(bloom_empty(9), 1)), (NULL), (bloom_add(bloom_add(bloom_empty(9), 1), 2))) q(f);
SELECT bloom_intersect_agg(f) = bloom_empty(9) AS one_is_empty FROM (VALUES (bloom_add(bloom_empty(9), 1)), (bloom_empty(9)), (bloom_add(bloom_empty(9), 1))) q(f);
SELECT bloom_intersect_agg(f) = bloom_empty(9999) AS nothing_in_common FROM (VALUES (bloom_add(bloom_empty(9999), 1)), (bloom_add(bloom_empty(9999), 2)), (bloom_add(bloom_empty(9999), 3))) q(f);

-- ---------- nested ----------
WITH daily AS (SELECT day, bloom_agg((i + day * 150) % 1000, 2000) AS f FROM hits GROUP BY day)
SELECT a.day, b.day AS other, bloom_cardinality(a.f || b.f) AS either, bloom_cardinality(a.f & b.f) AS both FROM daily a JOIN daily b ON a.day < b.day ORDER BY 1, 2;
SELECT d, l.visitors FROM generate_series(0, 3) d, LATERAL (SELECT bloom_cardinality(bloom_agg(visitor, 99)) AS visitors FROM hits WHERE day = d AND visitor < 40) l ORDER BY d;
SELECT bloom_cardinality(bloom_merge_agg(f)) AS total, max(n) AS largest FROM (SELECT bloom_agg(i, 2000) AS f, bloom_cardinality(bloom_agg(i, 2000)) AS n FROM hits GROUP BY page, day) q;
-- several at once share their work or not, and do not disturb each other
SELECT bloom_cardinality(bloom_agg(i, 1000)) AS a, bloom_cardinality(bloom_agg(i, 1000, 0.01)) AS b, bloom_cardinality(bloom_agg(i::text, 1000)) AS c, bloom_cardinality(bloom_agg(visitor, 1000)) AS d,
    (bloom_info(bloom_agg(visitor))).capacity AS e, bloom_agg(i, 1000) || bloom_agg(i + 0, 1000) = bloom_agg(i, 1000) AS f FROM hits;

-- ---------- filters are no values ----------
SELECT bloom_agg(f) FROM (VALUES (bloom_empty(1))) s(f);
SELECT bloom_agg(f, 100) FROM (VALUES (hll_empty())) s(f);
SELECT bloom_agg(ARRAY[f], 100) FROM (VALUES (bloom_empty(1))) s(f);
