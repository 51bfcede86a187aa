-- Union of different k, and large values; what all types have is in types_ops

SELECT #minhash_empty() AS nothing, #minhash_add(minhash_empty(), 1) AS one, #minhash_add_all(minhash_empty(), ARRAY[[1, 2], [2, NULL]]) AS elements, #minhash_add(minhash_empty(), ARRAY[1, 2, 3]) AS one_array,
    #minhash_add(minhash_add(minhash_empty(), 'a'), 'b') AS literals, #(minhash_agg(i) || minhash_agg(i + 5)) AS union FROM generate_series(1, 10) i;
-- what takes no value: NULL is NULL
SELECT minhash_bounds(NULL) IS NULL AS bounds, minhash_jaccard(NULL, minhash_empty()) IS NULL AS jaccard, #NULL::minhash IS NULL AS operator;

-- different k fold to the smaller one, also where one side is empty
SELECT a.k, b.k, (minhash_info(a.s || b.s)).k AS merged, a.s || b.s = b.s || a.s AS commutes,
    a.s || b.s = (SELECT minhash_agg(i, least(a.k, b.k)) FROM generate_series(1, 1500) i) AS as_built
FROM (SELECT k, (SELECT minhash_agg(i, k) FROM generate_series(1, 1000) i) AS s FROM unnest(ARRAY[16, 128, 1024]) k) a,
    (SELECT k, (SELECT minhash_agg(i, k) FROM generate_series(501, 1500) i) AS s FROM unnest(ARRAY[16, 128, 1024]) k) b
ORDER BY 1, 2;
SELECT (minhash_info(minhash_empty(32) || minhash_add(minhash_empty(64), 1))).k AS empty_left, (minhash_info(minhash_add(minhash_empty(64), 1) || minhash_empty(32))).k AS empty_right,
    (minhash_info(minhash_empty(32) || minhash_empty(64))).k AS empty_both;

-- large values, at rest and packed into a row
CREATE TEMP TABLE stored AS SELECT k, (SELECT minhash_agg(i, k) FROM generate_series(1, 60000) i) AS h FROM unnest(ARRAY[16, 128, 1024, 16384, 65536]) k;
SELECT k, (minhash_info(h)).bytes, #h = #(h::text::minhash) AS same, minhash_bounds(h) = minhash_bounds(h::text::minhash) AS bounds, minhash_jaccard(h, h::text::minhash) AS jaccard FROM stored ORDER BY k;
-- compressed by hand: what a column of another storage would do
ALTER TABLE stored ALTER h SET STORAGE main;
INSERT INTO stored SELECT k + 1, h::text::minhash FROM stored;
SELECT bool_and(#a.h = #b.h AND a.h = b.h AND a.h || b.h = a.h) AS same FROM stored a JOIN stored b ON b.k = a.k + 1;
