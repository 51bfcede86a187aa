-- What a sketch answers, and how far off it says it may be

-- integers a to b as a sketch
CREATE FUNCTION pg_temp.ints(a int, b int, p int DEFAULT 14) RETURNS hll LANGUAGE sql AS 'SELECT coalesce(hll_agg(i, p), hll_empty(p)) FROM generate_series(a, b) i';

-- ---------- one sketch ----------
SELECT n, #s AS cardinality, i.encoding, round(hll_error(s)::numeric, 6) AS error, b.lower, b.estimate, b.upper, b99.lower AS lower99, b99.upper AS upper99,
    n BETWEEN b.lower AND b.upper AS inside, b99.lower <= b.lower AND b.upper <= b99.upper AS wider
FROM unnest(ARRAY[0, 1, 2, 10, 100, 1000, 3000, 3072, 3073, 5000, 20000, 100000, 300000]) n, pg_temp.ints(1, n) s, hll_info(s) i, hll_bounds(s) b, hll_bounds(s, 0.99) b99
ORDER BY n;
-- every precision: within four standard errors, and no more sure than is right
SELECT p, bool_and(#s = n) FILTER (WHERE n <= 3) AS exact, bool_and(abs((#s) - n) <= 4 * hll_error(s) * n + 0.5) AS within_4_errors,
    round(max(hll_error(s))::numeric, 5) AS largest_error, round((1.0367 / sqrt(2 ^ p))::numeric, 5) AS in_theory, bool_and(b.lower <= #s AND #s = b.estimate AND #s <= b.upper) AS nested,
    string_agg(left(i.encoding, 1), '' ORDER BY n) AS encodings
FROM generate_series(4, 18) p, unnest(ARRAY[1, 2, 3, 10, 100, 1000, 10000, 100000]) n, pg_temp.ints(1, n, p) s, hll_bounds(s) b, hll_info(s) i
GROUP BY p ORDER BY p;
-- hll_info
\x
SELECT * FROM hll_info(hll_empty());
SELECT precision_bits, registers, encoding, kind, family, bytes, round(fill::numeric, 4) AS fill, cardinality, round(error::numeric, 6) AS error FROM hll_info(pg_temp.ints(1, 100));
SELECT precision_bits, registers, encoding, kind, family, bytes, round(fill::numeric, 4) AS fill, cardinality, round(error::numeric, 6) AS error FROM hll_info(pg_temp.ints(1, 20000));
SELECT precision_bits, registers, encoding, kind, family, bytes, round(fill::numeric, 4) AS fill, cardinality, round(error::numeric, 6) AS error FROM hll_info(pg_temp.ints(1, 20000, 4));
\x
-- fill of registers that tokens stand for, near what it will be
SELECT round((hll_info(pg_temp.ints(1, 3000))).fill::numeric, 2) AS sparse, round((hll_info(pg_temp.ints(1, 3100))).fill::numeric, 2) AS dense;
-- more confidence, wider bounds; a small sketch is sure
SELECT confidence, b.* FROM unnest(ARRAY[0.0001, 0.5, 0.68, 0.95, 0.99, 0.999999]) confidence, hll_bounds(pg_temp.ints(1, 100000), confidence) b ORDER BY 1;
SELECT n, b.* FROM unnest(ARRAY[1, 10, 100]) n, hll_bounds(pg_temp.ints(1, n), 0.999) b ORDER BY 1;
-- hardly any registers, and next to no doubt allowed
SELECT * FROM hll_bounds(pg_temp.ints(1, 100000, 4), 0.999999999);
-- the lower one is never below what the registers prove
SELECT n, b.lower >= (i.fill * i.registers)::numeric AS proven FROM unnest(ARRAY[4, 10, 30]) n, pg_temp.ints(1, n, 4) s, hll_bounds(s, 0.9999) b, hll_info(s) i ORDER BY n;

-- ---------- two sketches ----------
CREATE FUNCTION pg_temp.both(a hll, b hll, OUT "union" bigint, OUT merged bigint, OUT intersection bigint, OUT lower bigint, OUT estimate bigint, OUT upper bigint, OUT jaccard numeric, OUT commutes boolean)
LANGUAGE sql AS $$
    SELECT hll_union_cardinality(a, b), #(a || b), hll_intersection_cardinality(a, b), i.lower, i.estimate, i.upper, round(hll_jaccard(a, b)::numeric, 4),
        hll_union_cardinality(a, b) = hll_union_cardinality(b, a) AND hll_intersection_cardinality(a, b) IS NOT DISTINCT FROM hll_intersection_cardinality(b, a)
        AND hll_intersection_bounds(a, b) = hll_intersection_bounds(b, a) AND round(hll_jaccard(a, b)::numeric, 9) IS NOT DISTINCT FROM round(hll_jaccard(b, a)::numeric, 9)
    FROM hll_intersection_bounds(a, b) i
$$;
-- small sets: exact but for a chance of one in 2^26 a pair, which the bounds know
SELECT what, exact, r."union", r.merged, r.intersection, r.jaccard, r.commutes, exact BETWEEN lower AND upper AND estimate BETWEEN lower AND upper AS inside, upper - lower <= 2 AS narrow
FROM (VALUES
    (1, 'empty, empty', 0, hll_empty(), hll_empty()), (2, 'empty, 1', 0, hll_empty(), pg_temp.ints(1, 1)), (3, 'the same one', 1, pg_temp.ints(1, 1), pg_temp.ints(1, 1)),
    (4, '1, another', 0, pg_temp.ints(1, 1), pg_temp.ints(2, 2)), (5, '10, disjoint', 0, pg_temp.ints(1, 10), pg_temp.ints(11, 20)),
    (6, '1000, identical', 1000, pg_temp.ints(1, 1000), pg_temp.ints(1, 1000)), (7, '1000, half', 500, pg_temp.ints(1, 1000), pg_temp.ints(501, 1500)),
    (8, '1000, subset', 10, pg_temp.ints(1, 1000), pg_temp.ints(1, 10)), (9, '1000, disjoint', 0, pg_temp.ints(1, 1000), pg_temp.ints(1001, 2000)),
    (10, '1000, one in common', 1, pg_temp.ints(1, 1000), pg_temp.ints(1000, 1999))) q(n, what, exact, a, b), pg_temp.both(a, b) r ORDER BY n;
-- large ones
SELECT what, exact, r."union", r.merged, r.intersection, r.jaccard, r.commutes, exact BETWEEN lower AND upper AND estimate BETWEEN lower AND upper AS inside
FROM (VALUES
    (1, '100000, identical', 100000, pg_temp.ints(1, 100000), pg_temp.ints(1, 100000)), (2, '100000, half', 50000, pg_temp.ints(1, 100000), pg_temp.ints(50001, 150000)),
    (3, '100000, a tenth', 10000, pg_temp.ints(1, 100000), pg_temp.ints(90001, 190000)), (4, '100000, subset', 10000, pg_temp.ints(1, 100000), pg_temp.ints(1, 10000)),
    (5, '100000, small subset', 1000, pg_temp.ints(1, 100000), pg_temp.ints(1, 1000)), (6, '100000, a hundredth', 1000, pg_temp.ints(1, 100000), pg_temp.ints(99001, 199000)),
    (7, '100000, disjoint', 0, pg_temp.ints(1, 100000), pg_temp.ints(100001, 200000)), (8, '100000, one value of it', 1, pg_temp.ints(1, 100000), pg_temp.ints(1, 1)),
    (9, '100000, empty', 0, pg_temp.ints(1, 100000), hll_empty()), (10, 'precision 14 and 12', 50000, pg_temp.ints(1, 100000), pg_temp.ints(50001, 150000, 12)),
    (11, 'precision 18 and 4', 50000, pg_temp.ints(1, 100000, 18), pg_temp.ints(50001, 150000, 4))) q(n, what, exact, a, b), pg_temp.both(a, b) r ORDER BY n;
-- Disjoint ones.  Where a small overlap cannot be told from none there is no
-- number (it is said to be told from one standard error on), but always a bound.
SELECT shift, hll_intersection_cardinality(a, b) AS cardinality, round(hll_jaccard(a, b)::numeric, 4) AS jaccard, i.*
FROM generate_series(1, 8) shift, pg_temp.ints(1, 20000) a, pg_temp.ints(20000 * shift + 1, 20000 * shift + 20000) b, hll_intersection_bounds(a, b) i ORDER BY shift;
-- more confidence, wider bounds
SELECT confidence, b.* FROM unnest(ARRAY[0.5, 0.95, 0.999]) confidence, hll_intersection_bounds(pg_temp.ints(1, 100000), pg_temp.ints(90001, 190000), confidence) b ORDER BY 1;
-- of one sketch with itself
SELECT p, hll_union_cardinality(s, s) - #s AS union_off, hll_intersection_cardinality(s, s) - #s AS intersection_off, round(hll_jaccard(s, s)::numeric, 6) AS jaccard
FROM unnest(ARRAY[4, 12, 14, 18]) p, pg_temp.ints(1, 50000, p) s ORDER BY p;

-- ---------- reduce ----------
SELECT p, bool_and(hll_reduce(s, q) = pg_temp.ints(1, n, q)) AS as_built FROM generate_series(4, 18, 7) p, generate_series(4, 18) q, unnest(ARRAY[0, 3, 200, 3000, 50000]) n, pg_temp.ints(1, n, p) s
WHERE q <= p GROUP BY p ORDER BY p;
SELECT hll_reduce(s, 14) = s AS nothing_to_do, hll_reduce(hll_reduce(s, 12), 10) = hll_reduce(s, 10) AS in_steps, hll_reduce(s || t, 10) = hll_reduce(s, 10) || hll_reduce(t, 10) AS before_or_after
FROM (SELECT pg_temp.ints(1, 5000) AS s, pg_temp.ints(3000, 20000) AS t) q;
SELECT (hll_info(hll_reduce(hll_empty(), 10))).precision_bits AS empty, (hll_info(hll_reduce(hll_empty(10), 14))).precision_bits AS empty_up;
