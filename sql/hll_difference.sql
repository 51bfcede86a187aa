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
