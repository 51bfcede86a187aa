-- Scalar functions and operators; what all types have is in types_ops

-- ---------- add ----------
SELECT topk_total(topk_empty()) AS nothing, topk_total(topk_add(topk_empty(), 1)) AS one, topk_total(topk_add(topk_add(topk_empty(), 1), 1)) AS twice, topk_total(topk_add(topk_empty(), 1, 100)) AS weight;
-- no casts: literals, columns, expressions, parameters
PREPARE add_int(int) AS SELECT topk_frequency(topk_add(topk_agg(i, 9), $1), $1) AS times FROM generate_series(1, 3) i;
EXECUTE add_int(3);
EXECUTE add_int(4);
SELECT topk_frequency(topk_add(topk_add(topk_empty(), 'a'), 'b'), 'b') AS literals, topk_frequency(topk_add(topk_empty(), now()::date), now()::date) AS date,
    topk_frequency(topk_add(topk_empty(), ROW(1, 'x')), ROW(1, 'x'::text)) AS record, topk_frequency(topk_add(topk_empty(), ARRAY[1, 2, 3]), '{1,2,3}'::int[]) AS one_array;
SELECT topk_add(topk_add(topk_empty(), 1, 2), 1, 3) = topk_add(topk_empty(), 1, 5) AS weights;
-- weights of 0 and NULL are nothing
SELECT topk_add(topk_empty(), 'a', 0) = topk_empty() AS zero, topk_add(topk_empty(), 'a', NULL) = topk_empty() AS null, topk_add(s, 2, 0) = s AS zero_of_some, topk_add(NULL, 1, 2) = topk_add(topk_empty(), 1, 2) AS null_sketch, topk_add(s, NULL, 2) = s AS null_value
FROM (SELECT topk_agg(1, 20) AS s) q;
-- one by one through all forms, each as built at once
WITH RECURSIVE grown(n, s) AS (SELECT 1, topk_add(topk_empty(9), 1) UNION ALL SELECT n + 1, topk_add(s, n + 1) FROM grown WHERE n < 300)
SELECT bool_and(s = (SELECT topk_agg(x, 9) FROM generate_series(1, n) x)) AS as_built FROM grown;

-- ---------- add_all ----------
SELECT topk_total(topk_add_all(topk_empty(), ARRAY[1, 2, 2, 3])) AS elements, topk_add_all(topk_empty(), '{}'::int[]) = topk_empty() AS none,
    topk_total(topk_add_all(topk_empty(), ARRAY[1, NULL, NULL])) AS nulls, topk_total(topk_add_all(topk_empty(), ARRAY[[1, 2], [2, 3]])) AS matrix,
    topk_frequency(topk_add_all(topk_empty(), '[5:6]={x,y}'::text[]), 'y') AS bounds, topk_add_all(topk_empty(), (SELECT array_agg(i) FROM generate_series(1, 5000) i)) = (SELECT topk_agg(i, 20) FROM generate_series(1, 5000) i) AS many;

-- ---------- union ----------
SELECT topk_total(topk_agg(i, 9) || topk_agg(i + 5, 9)) AS union, topk_merge(topk_agg(i, 9), topk_agg(i + 5, 9)) = topk_agg(i, 9) || topk_agg(i + 5, 9) AS same,
    topk_agg(i, 9) || topk_agg(i + 5, 9) = topk_agg(i + 5, 9) || topk_agg(i, 9) AS commutes, topk_agg(i, 9) || topk_agg(i, 9) = topk_agg_weighted(i, 2, 9) AS adds_up,
    topk_agg(i, 9) || topk_empty(9) = topk_agg(i, 9) AS nothing_more FROM generate_series(1, 10) i;
-- of all sizes, exact and not: from either side
SELECT count(*), bool_and(a.s || b.s = b.s || a.s) AS commutes, bool_and(topk_total(a.s || b.s) = topk_total(a.s) + topk_total(b.s)) AS total, bool_and(round((topk_info(a.s || b.s)).error * topk_total(a.s || b.s)) <= topk_total(a.s || b.s) / 2049) AS error,
    bool_and(a.s || b.s = (SELECT topk_add_all(topk_add_all(topk_empty(9), array_agg(x)), (SELECT array_agg(x) FROM generate_series(b.n / 2, b.n + 10) x)) FROM generate_series(1, a.n) x)) FILTER (WHERE a.n + b.n < 2000) AS as_added
FROM (SELECT n, topk_agg(i, 9) AS s FROM unnest(ARRAY[1, 10, 200, 1500, 3000, 9000]) n, generate_series(1, n) i GROUP BY n) a,
    (SELECT n, topk_agg(i, 9) AS s FROM unnest(ARRAY[1, 10, 200, 1500, 3000, 9000]) n, generate_series(n / 2, n + 10) i GROUP BY n) b;

-- ---------- = ----------
SELECT topk_agg(i, 9) = topk_agg_weighted(i, 2, 9) AS other_counts, topk_agg(i, 9) = topk_agg(i, 10) AS other_k FROM generate_series(1, 5) i;
