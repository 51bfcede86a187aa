-- How many values are in one sketch and not in another
\set SHOW_CONTEXT never
CREATE FUNCTION pg_temp.ints(lo int, hi int, p int DEFAULT 14) RETURNS hll LANGUAGE sql AS
    $$SELECT hll_agg(i, p) FROM generate_series(lo, hi) i$$;
-- small sets exactly, large ones within a few standard errors of the union
SELECT n, shift, hll_difference_cardinality(a, b) AS only_a, shift AS exact, hll_difference_cardinality(a, b) = shift AS same, abs(hll_difference_cardinality(a, b) - shift) <= 0.04 * (n + shift) AS near,
    hll_difference_cardinality(a, a) AS of_itself, hll_difference_cardinality(a, hll_empty()) = #a AS of_nothing, hll_difference_cardinality(hll_empty(), a) AS nothing
FROM (VALUES (100, 30), (1000, 1000), (1000, 1), (100000, 50000), (100000, 1000), (100000, 100000)) v(n, shift), pg_temp.ints(1, n) a, pg_temp.ints(shift + 1, n + shift) b ORDER BY n, shift;
-- only in one, in both, and in either add up
SELECT abs(hll_difference_cardinality(a, b) + hll_difference_cardinality(b, a) + hll_intersection_cardinality(a, b) - hll_union_cardinality(a, b)) <= 2 AS adds_up FROM pg_temp.ints(1, 60000) a, pg_temp.ints(20000, 90000, 12) b;
SELECT hll_difference_cardinality(hll_agg(i), hll_agg(i::text)) FROM generate_series(1, 3) i;

-- ---------- bounds ----------
-- both sparse, one of the two sparse, both dense, different precisions: in order around the estimate, and with the truth between them
SELECT n, m, p, (d).estimate = hll_difference_cardinality(a, b) AS estimate, (d).lower <= (d).estimate AND (d).estimate <= (d).upper AS ordered,
    only_a BETWEEN (d).lower AND (d).upper AS holds, ((d).upper - (d).lower) <= 0.08 * (n + m) AS narrow
FROM (VALUES (1000, 1500, 14, 400), (1000, 90000, 14, 400), (90000, 1000, 14, 89500), (90000, 100000, 14, 30000), (100000, 90000, 12, 50000)) v(n, m, p, only_a),
    pg_temp.ints(1, n) a, pg_temp.ints(only_a + 1, only_a + m, p) b, LATERAL (SELECT hll_difference_bounds(a, b, 0.9999) AS d OFFSET 0) q ORDER BY n, m, p;
-- of nothing, of itself, of what has nothing in common
SELECT hll_difference_bounds(hll_empty(), a) AS nothing, hll_difference_bounds(a, hll_empty()) = hll_bounds(a) AS all_of_it, hll_difference_bounds(a, a) AS of_itself,
    hll_difference_bounds(a, NULL) AS unknown, hll_difference_bounds(few, other) AS few
FROM pg_temp.ints(1, 50000) a, pg_temp.ints(1, 30) few, pg_temp.ints(100, 130) other;
-- a higher confidence is no narrower
SELECT bool_and(narrow.lower >= wide.lower AND narrow.upper <= wide.upper) AS nested
FROM pg_temp.ints(1, 60000) a, pg_temp.ints(20000, 90000) b, unnest(ARRAY[0.1, 0.5, 0.9, 0.99]) c,
    hll_difference_bounds(a, b, c) narrow, hll_difference_bounds(a, b, c + 0.009) wide;
-- 95 % by default
SELECT hll_difference_bounds(a, b) = hll_difference_bounds(a, b, 0.95) AS default FROM pg_temp.ints(1, 60000) a, pg_temp.ints(20000, 90000) b;
SELECT hll_difference_bounds(hll_empty(), hll_empty(), 95);
SELECT hll_difference_bounds(hll_agg(i), hll_agg(i::text)) FROM generate_series(1, 3) i;

-- ---------- the union of many ----------
SELECT hll_union_cardinality(ARRAY[a, NULL, b, c]) = #(a || b || c) AS merged, hll_union_cardinality(ARRAY[[a, b], [c, a]]) = #(a || b || c) AS two_dimensions, hll_union_cardinality(ARRAY[few]) AS one,
    hll_union_cardinality('{}') AS none, hll_union_cardinality(ARRAY[NULL]::hll[]) AS nulls, hll_union_cardinality(NULL::hll[]) AS unknown, hll_union_cardinality(ARRAY[hll_empty(), hll_empty(4)]) AS empty
FROM pg_temp.ints(1, 60000) a, pg_temp.ints(20000, 90000) b, pg_temp.ints(50000, 120000, 10) c, pg_temp.ints(1, 100) few;
SELECT hll_union_cardinality(array_agg(s)) = #hll_merge_agg(s) AS as_the_aggregate FROM (SELECT hll_agg(i) AS s FROM generate_series(1, 5000) i GROUP BY i % 7) q;
SELECT hll_union_cardinality(ARRAY[hll_agg(i), hll_agg(i::text)]) FROM generate_series(1, 3) i;

-- ---------- operators that there are not: the error names the function ----------
CREATE TEMP TABLE s AS SELECT hll_agg(i) AS a FROM generate_series(1, 3) i;
SELECT a - a FROM s;
SELECT a & a FROM s;
SELECT a || 5 FROM s;
SELECT #a - #a FROM s;
-- what is a union, or an array, remains
SELECT (a || NULL) = a AS null, (a || a) = a AS union, cardinality(a || ARRAY[a]) AS prepended, cardinality(ARRAY[a] || a) AS appended FROM s;
-- texts and numbers are concatenated as ever
SELECT 'x' || n::int2 || n::int4 || n::int8 || n::numeric || n::float4 || n::float8 AS left_literal, n::int8 || 'x' AS right_literal, ('x' || n::int8) || NULL IS NULL AS null, 'x' || (n::int8)::oid AS oid, ARRAY[1] || n::int4 AS array FROM generate_series(7, 7) n;
SELECT pg_typeof(hll_empty() || 'x'::text) AS text;
