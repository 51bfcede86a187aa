-- Scalar functions and operators; what all types have is in types_ops

-- ---------- add ----------
SELECT bloom_cardinality(bloom_empty(9)) AS nothing, bloom_cardinality(bloom_add(bloom_empty(9), 1)) AS one, bloom_cardinality(bloom_add(bloom_add(bloom_empty(9), 1), 2)) AS two,
    bloom_add(bloom_add(bloom_empty(9), 1), 1) = bloom_add(bloom_empty(9), 1) AS twice_the_same;
-- no casts: literals, columns, expressions, parameters
PREPARE add_int(int) AS SELECT bloom_add(bloom_agg(i, 9), $1) = bloom_agg(i, 9) AS known FROM generate_series(1, 3) i;
EXECUTE add_int(3);
EXECUTE add_int(4);
SELECT bloom_cardinality(bloom_add(bloom_add(bloom_empty(9), 'a'), 'b')) AS literals, bloom_cardinality(bloom_add(bloom_empty(9), now()::date)) AS date,
    bloom_cardinality(bloom_add(bloom_empty(9), ROW(1, 'x'))) AS record, bloom_cardinality(bloom_add(bloom_empty(9), ARRAY[1, 2, 3])) AS one_array;
-- from list to array of bits, one by one, each as built at once; in an array of bits an old filter stays as it was
SELECT layout, bool_and(f = (SELECT bloom_agg(x, 200, 0.01, layout) FROM generate_series(1, n) x)) AS as_built
FROM unnest(ARRAY['blocked', 'classic']) layout, LATERAL (WITH RECURSIVE grown(n, f) AS (SELECT 1, bloom_add(bloom_empty(200, 0.01, layout), 1) UNION ALL SELECT n + 1, bloom_add(f, n + 1) FROM grown WHERE n < 300)
    SELECT n, f FROM grown) g GROUP BY layout ORDER BY layout;

-- ---------- add_all ----------
SELECT bloom_cardinality(bloom_add_all(bloom_empty(99), ARRAY[1, 2, 2, 3])) AS elements, bloom_add_all(bloom_empty(99), '{}'::int[]) = bloom_empty(99) AS none,
    bloom_cardinality(bloom_add_all(bloom_empty(99), ARRAY[1, NULL, NULL])) AS nulls, bloom_cardinality(bloom_add_all(bloom_empty(99), ARRAY[[1, 2], [2, 3]])) AS matrix,
    bloom_cardinality(bloom_add_all(bloom_empty(99), '[5:6]={x,y}'::text[])) AS bounds,
    bloom_add_all(bloom_empty(5000), (SELECT array_agg(i) FROM generate_series(1, 5000) i)) = (SELECT bloom_agg(i) FROM generate_series(1, 5000) i) AS many;

-- ---------- union ----------
-- of a list and a list, a list and an array, two arrays, in both layouts
SELECT layout, count(*), bool_and(a.f || b.f = bloom_add_all(a.f, (SELECT array_agg(i) FROM generate_series(b.n / 2, b.n + 10) i))) AS as_added, bool_and(a.f || b.f = b.f || a.f) AS commutes
FROM unnest(ARRAY['blocked', 'classic']) layout, LATERAL (SELECT n, bloom_agg(i, 3000, 0.01, layout) AS f FROM unnest(ARRAY[1, 10, 200, 2000]) n, generate_series(1, n) i GROUP BY n) a,
    LATERAL (SELECT n, bloom_agg(i, 3000, 0.01, layout) AS f FROM unnest(ARRAY[1, 10, 200, 2000]) n, generate_series(n / 2, n + 10) i GROUP BY n) b GROUP BY layout ORDER BY layout;
-- what they were planned for does not keep apart filters of the same size: the larger plan is kept
SELECT a, b, (bloom_info(bloom_empty(a) || bloom_empty(b))).capacity, (bloom_info(bloom_empty(a) & bloom_empty(b))).capacity AS intersected
FROM (VALUES (12, 13), (13, 12), (13, 13)) q(a, b);

-- ---------- intersection ----------
SELECT layout, count(*), bool_and((a.f & b.f) || c.f = a.f & b.f) AS all_common_there, bool_and(a.f & b.f = b.f & a.f) AS commutes, bool_and((a.f & b.f) || a.f = a.f) AS nothing_more,
    bool_and(a.f & a.f = a.f) AS idempotent, bool_and(a.f & bloom_empty(3000, 0.01, layout) = bloom_empty(3000, 0.01, layout)) AS with_nothing, bool_and(a.f & (b.f & c.f) = (a.f & b.f) & c.f) AS associates,
    bool_and(a.f & (b.f || c.f) = (a.f & b.f) || (a.f & c.f)) AS distributes
FROM unnest(ARRAY['blocked', 'classic']) layout, LATERAL (SELECT n, bloom_agg(i, 3000, 0.01, layout) AS f FROM unnest(ARRAY[1, 10, 200, 2000]) n, generate_series(1, n) i GROUP BY n) a,
    LATERAL (SELECT n, bloom_agg(i, 3000, 0.01, layout) AS f FROM unnest(ARRAY[1, 10, 200, 2000]) n, generate_series(n / 2, n + 10) i GROUP BY n) b,
    LATERAL (SELECT coalesce(bloom_agg(i, 3000, 0.01, layout), bloom_empty(3000, 0.01, layout)) AS f FROM generate_series(greatest(b.n / 2, 1), least(a.n, b.n + 10)) i) c GROUP BY layout ORDER BY layout;
SELECT bloom_intersect(bloom_agg(i, 99), bloom_agg(i + 5, 99)) = bloom_agg(i, 99) & bloom_agg(i + 5, 99) AS same FROM generate_series(1, 10) i;
-- of values that have nothing in common few bits remain, or none
SELECT bloom_cardinality(bloom_agg(i, 1000000) & bloom_agg(-i, 1000000)) AS large, bloom_agg(i, 1000000) & bloom_agg(-i, 1000000) = bloom_empty(1000000) AS empty, bloom_cardinality(bloom_agg(i, 10) & bloom_agg(-i, 10)) AS small
FROM generate_series(1, 10) i;

-- ---------- NULL ----------
SELECT (bloom_agg(i, 9) & NULL) IS NULL AS intersect_right,
    (NULL & bloom_agg(i, 9)) IS NULL AS intersect_left FROM generate_series(1, 2) i;
SELECT bloom_empty(NULL) IS NULL AS empty, bloom_size(9, NULL) IS NULL AS size, bloom_cardinality(NULL) IS NULL AS cardinality, bloom_false_positive_rate(NULL) IS NULL AS rate, bloom_info(NULL) IS NULL AS info;

-- ---------- = ----------
SELECT bloom_agg(i, 12) = bloom_agg(i, 13) AS same_size, bloom_empty(9) = bloom_empty(9, 0.02) AS empty_ones, bloom_agg(i, 9) = bloom_agg(i, 9, 0.01, 'classic') AS other_layout FROM generate_series(1, 5) i;

-- ---------- large values, at rest and packed into a row ----------
CREATE TEMP TABLE stored AS
SELECT c, layout, (SELECT bloom_agg(i, c, 0.01, layout) FROM generate_series(1, 20000) i) AS f FROM unnest(ARRAY[10, 1000, 20000, 500000]) c, unnest(ARRAY['blocked', 'classic']) layout;
SELECT c, s.layout, i.encoding, i.bytes, bloom_cardinality(f) = bloom_cardinality(f::text::bloom) AS same, f = f::bytea::bloom AS equal, f || f = f AS merged, f & f = f AS both, bloom_add(f, 20000) = f AS added
FROM stored s, bloom_info(f) i ORDER BY 1, 2;
-- compressed by hand: what a column of another storage would do
CREATE TEMP TABLE compressed (LIKE stored);
ALTER TABLE compressed ALTER f SET STORAGE main;
INSERT INTO compressed SELECT c, layout, f::text::bloom FROM stored;
SELECT count(*), bool_and(bloom_cardinality(a.f) = bloom_cardinality(b.f) AND a.f = b.f AND a.f || b.f = a.f AND b.f & a.f = a.f AND bloom_add(a.f, 1) = b.f) AS same
FROM stored a JOIN compressed b USING (c, layout);
