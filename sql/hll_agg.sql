-- The aggregates: hll_agg, hll_merge_agg, approx_count_distinct

-- ---------- what is counted ----------
SELECT #hll_agg(i) AS distinct, approx_count_distinct(i) AS in_one_step FROM generate_series(1, 1000) i;
SELECT #hll_agg(i % 10) AS distinct, approx_count_distinct(i % 10) AS in_one_step FROM generate_series(1, 1000) i;
-- no rows, rows without values, one value
SELECT hll_agg(i) IS NULL AS agg, approx_count_distinct(i) AS count, hll_agg(i, 12) IS NULL AS agg_12, approx_count_distinct(i, 12) AS count_12,
    hll_merge_agg(NULL::hll) IS NULL AS merge FROM generate_series(1, 0) i;
SELECT hll_agg(NULL::int) = hll_empty() AS agg, approx_count_distinct(NULL::int) AS count, hll_agg(NULL::text, 12) = hll_empty(12) AS agg_12,
    approx_count_distinct(NULL::text, 12) AS count_12, hll_merge_agg(NULL::hll) IS NULL AS merge FROM generate_series(1, 3) i;
SELECT #hll_agg(nullif(i, 2)) AS skips_null, approx_count_distinct(nullif(i, 2)) AS count FROM generate_series(1, 3) i;

-- ---------- each type by itself, without a cast ----------
\set values `echo "${PROBDS_SRC:-.}/test/types/values.sql"`
\set ECHO none
\i :values
\set ECHO all
CREATE FUNCTION pg_temp.column_of(n int, OUT agg bigint, OUT agg_18 bigint, OUT count bigint, OUT count_12 bigint, OUT as_added boolean) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT #hll_agg(v), #hll_agg(v, 18), approx_count_distinct(v), approx_count_distinct(v, 12),
        hll_agg(v) = hll_add(hll_add(hll_empty(), (SELECT v FROM column_%1$s LIMIT 1)), (SELECT v FROM column_%1$s OFFSET 1 LIMIT 1)) FROM column_%1$s', n) INTO agg, agg_18, count, count_12, as_added;
END
$$;
SELECT agg, agg_18, c.count, count_12, as_added, count(*) AS types FROM value_types, pg_temp.column_of(n) c GROUP BY 1, 2, 3, 4, 5;
-- a plain literal is text, as everywhere
SELECT hll_agg('a') = hll_agg('a'::text) AS text, (hll_info(hll_agg(NULL))).kind FROM generate_series(1, 2);
-- the one type that needs a cast (before 14 it does not), and those that have no equality to count by
SELECT #hll_agg(relkind::text) > 2 AS char FROM pg_class;
SELECT hll_agg('{}'::json);
SELECT hll_agg('(1,2)'::point);
SELECT hll_agg('a b'::tsvector);

-- ---------- precision ----------
SELECT p, l.* FROM generate_series(4, 18) p, LATERAL (
    SELECT (hll_info(hll_agg(i, p))).precision_bits, (hll_info(hll_agg(i, p))).registers, hll_agg(i, p) = hll_reduce(hll_agg(i, 18), p) AS as_reduced,
        #hll_agg(i, p) = approx_count_distinct(i, p) AS same_count
    FROM generate_series(1, 5000) i) l ORDER BY p;
SELECT p, (SELECT #hll_agg(i, p) FROM generate_series(1, 100) i) AS cardinality FROM unnest(ARRAY[12, 14]) p ORDER BY p;
PREPARE by_precision(int) AS SELECT (hll_info(hll_agg(i, $1))).precision_bits FROM generate_series(1, 100) i;
EXECUTE by_precision(11);
EXECUTE by_precision(12);

-- ---------- FILTER, DISTINCT, ORDER BY ----------
SELECT #hll_agg(i) FILTER (WHERE i % 2 = 0) AS even, #hll_agg(i) FILTER (WHERE false) AS none, approx_count_distinct(i) FILTER (WHERE i < 11) AS ten,
    approx_count_distinct(i) FILTER (WHERE false) AS zero, hll_agg(DISTINCT i / 2) = hll_agg(i / 2) AS distinct_same, hll_agg(i ORDER BY -i) = hll_agg(i) AS order_same,
    hll_agg(DISTINCT i::text, 12) = hll_agg(i::text, 12) AS distinct_12, hll_agg(i::text, 12 ORDER BY md5(i::text)) = hll_agg(i::text, 12) AS order_12,
    hll_merge_agg(DISTINCT hll_add(hll_empty(), i % 5)) = hll_agg(i % 5) AS merge_distinct
FROM generate_series(1, 1000) i;

-- ---------- GROUP BY and its relatives ----------
CREATE TEMP TABLE hits AS
SELECT i, i % 3 AS day, chr(97 + i % 2) AS page, nullif(i % 100, 0) AS visitor, nullif(i % 3, 2) AS site FROM generate_series(1, 900) i;
SELECT day, page, #hll_agg(visitor) AS visitors, approx_count_distinct(visitor) AS same, count(DISTINCT visitor) AS exact
FROM hits GROUP BY day, page ORDER BY day, page;
SELECT day, page, #hll_agg(visitor) AS visitors, count(DISTINCT visitor) AS exact FROM hits GROUP BY GROUPING SETS ((day, page), (day), ()) ORDER BY day, page;
SELECT day, page, approx_count_distinct(visitor, 11) AS visitors, count(DISTINCT visitor) AS exact FROM hits GROUP BY CUBE (day, page) ORDER BY day, page;
SELECT site, hll_agg(visitor) FILTER (WHERE i > 2000) IS NULL AS no_rows, #hll_agg(CASE WHEN i > 2000 THEN visitor END) AS no_values
FROM hits GROUP BY site ORDER BY site;
SELECT day FROM hits GROUP BY day HAVING #hll_agg(i) = 300 AND approx_count_distinct(page) = 2 ORDER BY #hll_agg(visitor) DESC, day;

-- ---------- windows ----------
SELECT i, #hll_agg(visitor) OVER (ORDER BY i) AS so_far, #hll_agg(visitor % 5) OVER w AS last_three, approx_count_distinct(visitor % 5) OVER w AS count,
    #hll_agg(visitor) OVER (ORDER BY i ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING) AS later, #hll_agg(visitor % 7, 11) OVER () AS all_days,
    #hll_agg(visitor) FILTER (WHERE visitor > 3) OVER (ORDER BY i) AS filtered
FROM hits WHERE i <= 10 WINDOW w AS (ORDER BY i ROWS 2 PRECEDING) ORDER BY i;
-- what a window returned stays as it was while the state goes on
SELECT bool_and(#h = i) AS unchanged, count(DISTINCT h) AS different FROM (SELECT i, hll_agg(i) OVER (ORDER BY i) AS h FROM generate_series(1, 2000) i) q;
-- the frame shrinks: each is begun anew
SELECT count(*) AS frames, bool_and(h = hll_add_all(hll_empty(), frame)) AS right
FROM (SELECT hll_agg(visitor) OVER w AS h, array_agg(visitor) OVER w AS frame FROM hits
    WINDOW w AS (PARTITION BY day ORDER BY i ROWS BETWEEN 20 PRECEDING AND 1 PRECEDING EXCLUDE TIES)) q WHERE frame IS NOT NULL;
-- the last seven days of stored sketches, day by day
SELECT d, #hll_merge_agg(h) OVER (ORDER BY d ROWS 6 PRECEDING) AS week, #hll_merge_agg(h) OVER (ORDER BY d) AS so_far
FROM (SELECT d, hll_agg(i) AS h FROM generate_series(1, 10) d, generate_series(d * 50, d * 50 + 99) i GROUP BY d) q ORDER BY d;

-- ---------- hll_merge_agg ----------
CREATE TEMP TABLE daily AS SELECT day, hll_agg(i) AS h FROM hits GROUP BY day;
SELECT #hll_merge_agg(h) AS all_days, hll_merge_agg(h) = (SELECT hll_agg(i) FROM hits) AS as_from_rows FROM daily;
-- NULLs are skipped, empty ones add nothing
SELECT hll_merge_agg(h) = (SELECT hll_merge_agg(h) FROM daily) AS same FROM (SELECT h FROM daily UNION ALL SELECT NULL UNION ALL SELECT hll_empty()) q;
-- a part without a sketch has no parameters that could meet those of the others
SELECT hll_merge_agg(s) = (SELECT hll_agg(1, 16)) AS of_parts FROM (SELECT hll_merge_agg(s) AS s FROM (SELECT 1, hll_agg(1, 16) UNION ALL VALUES (2, NULL::hll), (2, NULL)) q(part, s) GROUP BY part) q;
SELECT hll_merge_agg(h) = hll_empty() AS empty_ones FROM (VALUES (hll_empty()), (NULL), (hll_empty())) q(h);
-- the lowest precision wins, whatever the order, and also of an empty one
SELECT (hll_info(hll_merge_agg(h ORDER BY p))).precision_bits AS up, (hll_info(hll_merge_agg(h ORDER BY p DESC))).precision_bits AS down,
    hll_merge_agg(h ORDER BY p) = hll_merge_agg(h ORDER BY p DESC) AS same,
    hll_merge_agg(h) = hll_merge_agg(hll_reduce(h, 11)) AS as_reduced, #hll_merge_agg(h) AS cardinality
FROM (SELECT p, (SELECT hll_agg(i, p) FROM generate_series(p, p + 500) i) AS h FROM unnest(ARRAY[11, 12, 14, 18]) p) q;
SELECT (hll_info(hll_merge_agg(h))).precision_bits, #hll_merge_agg(h) AS cardinality FROM (SELECT hll_agg(i) AS h FROM generate_series(1, 10) i UNION ALL SELECT hll_empty(10)) q;
SELECT hll_merge_agg(h) AS all_empty FROM (VALUES (hll_empty(18)), (hll_empty(4)), (hll_empty(14))) q(h);

-- ---------- nested ----------
WITH daily AS (SELECT day, hll_agg(visitor) AS h FROM hits GROUP BY day)
SELECT a.day, b.day AS other, #(a.h || b.h) AS either, hll_intersection_cardinality(a.h, b.h) AS both FROM daily a JOIN daily b ON a.day < b.day ORDER BY 1, 2;
SELECT d, l.visitors, l.count FROM generate_series(0, 3) d, LATERAL (SELECT #hll_agg(visitor) AS visitors, approx_count_distinct(visitor) AS count
    FROM hits WHERE day = d AND visitor < 40) l ORDER BY d;
SELECT #hll_merge_agg(h) AS total, max(n) AS largest FROM (SELECT hll_agg(i) AS h, #hll_agg(i) AS n FROM hits GROUP BY page, day) q;
SELECT approx_count_distinct(n) AS sizes FROM (SELECT #hll_agg(visitor) AS n FROM hits GROUP BY day, page) q;
DO $$
DECLARE
    total hll := hll_empty(12);
    row record;
BEGIN
    FOR row IN SELECT day, hll_agg(i, 12) AS h FROM hits GROUP BY day ORDER BY day LOOP
        total := total || row.h;
        RAISE NOTICE 'to day %: %', row.day, #total;
    END LOOP;
    FOR i IN 1..2000 LOOP
        total := hll_add(total, i);
    END LOOP;
    RAISE NOTICE '%', total = (SELECT hll_agg(i, 12) FROM generate_series(1, 2000) i);
END
$$;
CREATE FUNCTION pg_temp.visitors_of(which int) RETURNS bigint LANGUAGE sql AS 'SELECT approx_count_distinct(visitor) FROM hits WHERE day = which';
SELECT day, pg_temp.visitors_of(day) FROM generate_series(0, 3) day;
CREATE TEMP VIEW overview AS SELECT page, hll_agg(i) AS h FROM hits GROUP BY page;
SELECT page, #h AS rows FROM overview ORDER BY page;

-- several at once share their work or not, and do not disturb each other
SELECT #hll_agg(i) AS a, #hll_agg(i, 14) AS b, #hll_agg(i::text) AS c, #hll_agg(visitor) AS d, approx_count_distinct(visitor) AS e, approx_count_distinct(i) AS f,
    hll_agg(i) || hll_agg(i, 12) = hll_agg(i, 12) AS g
FROM hits;

-- many groups, each from sparse to dense
SELECT bool_and(n = size) FILTER (WHERE size < 3000) AS small_exact, max(abs(n - size) / size::numeric) < 0.024 AS large_within_3_errors
FROM (SELECT g, count(*) AS size, #hll_agg(i) AS n FROM generate_series(0, 15) g, generate_series(1, 1 << g) i GROUP BY g) q;

-- ---------- sketches are no values ----------
SELECT hll_agg(h) FROM (VALUES (hll_empty())) s(h);
SELECT approx_count_distinct(ARRAY[h]) FROM (VALUES (hll_empty())) s(h);
