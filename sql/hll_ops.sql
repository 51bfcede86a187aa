-- Scalar functions and operators; what all types have is in types_ops

-- ---------- add ----------
SELECT #hll_empty() AS nothing, #hll_add(hll_empty(), 1) AS one, #hll_add(hll_add(hll_empty(), 1), 2) AS two,
    #hll_add(hll_add(hll_empty(), 1), 1) AS twice_the_same;
-- no casts: literals, columns, expressions, parameters
PREPARE add_int(int) AS SELECT #hll_add(hll_agg(i), $1) FROM generate_series(1, 3) i;
EXECUTE add_int(3);
EXECUTE add_int(4);
SELECT #hll_add(hll_add(hll_empty(), 'a'), 'b') AS literals, #hll_add(hll_empty(), now()::date) AS date,
    #hll_add(hll_empty(), ROW(1, 'x')) AS record, #hll_add(hll_empty(), ARRAY[1, 2, 3]) AS one_array;

-- ---------- add_all ----------
SELECT #hll_add_all(hll_empty(), ARRAY[1, 2, 2, 3]) AS elements, #hll_add_all(hll_empty(), '{}'::int[]) AS none,
    #hll_add_all(hll_empty(), ARRAY[1, NULL, NULL]) AS nulls, #hll_add_all(hll_empty(), ARRAY[[1, 2], [2, 3]]) AS matrix,
    #hll_add_all(hll_empty(), '[5:6]={x,y}'::text[]) AS bounds, #hll_add_all(hll_empty(), (SELECT array_agg(i) FROM generate_series(1, 5000) i)) AS many;

-- ---------- merge ----------
-- different precisions fold to the lower one, also where one side is empty
SELECT a.p, b.p, (hll_info(a.s || b.s)).precision_bits AS merged, a.s || b.s = b.s || a.s AS commutes,
    a.s || b.s = hll_reduce(a.s, least(a.p, b.p)) || hll_reduce(b.s, least(a.p, b.p)) AS as_reduced
FROM (SELECT p, (SELECT hll_agg(i, p) FROM generate_series(1, 1000) i) AS s FROM unnest(ARRAY[4, 12, 18]) p) a,
    (SELECT p, (SELECT hll_agg(i, p) FROM generate_series(501, 1500) i) AS s FROM unnest(ARRAY[4, 12, 18]) p) b
ORDER BY 1, 2;
SELECT (hll_info(hll_empty(10) || hll_add(hll_empty(12), 1))).precision_bits AS empty_left, (hll_info(hll_add(hll_empty(12), 1) || hll_empty(10))).precision_bits AS empty_right,
    (hll_info(hll_empty(10) || hll_empty(12))).precision_bits AS empty_both;

-- ---------- NULL ----------
SELECT hll_empty(NULL) IS NULL AS empty, hll_cardinality(NULL) IS NULL AS cardinality, hll_error(NULL) IS NULL AS error, hll_bounds(NULL) IS NULL AS bounds,
    hll_info(NULL) IS NULL AS info, hll_reduce(NULL, 12) IS NULL AS reduce, hll_union_cardinality(NULL, hll_empty()) IS NULL AS union_cardinality,
    hll_intersection_cardinality(hll_empty(), NULL) IS NULL AS intersection, hll_jaccard(NULL, hll_empty()) IS NULL AS jaccard;

-- ---------- cardinality of large values, at rest and packed into a row ----------
CREATE TEMP TABLE stored AS
SELECT p, (SELECT hll_agg(i, p) FROM generate_series(1, 60000) i) AS h FROM unnest(ARRAY[4, 11, 12, 14, 16, 18]) p;
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
