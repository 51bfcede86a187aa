-- X_size: what a sketch will take, and that one which is built and filled takes no more

-- ---------- what it says ----------
SELECT p, s.* FROM unnest('{4,12,14,18}'::int[]) p, hll_size(p) s ORDER BY p;
SELECT e, d, s.* FROM (VALUES (0.001, 0.01), (0.01, 0.01), (0.01, 0.1)) p(e, d), cms_size(e, d) s ORDER BY e, d;
SELECT k, c, s.* FROM (VALUES (20, NULL), (1000, NULL), (20, 100)) p(k, c), topk_size(k, c) s ORDER BY k, c;
SELECT k, s.* FROM unnest('{16,128,1024}'::int[]) k, minhash_size(k) s ORDER BY k;
SELECT c, r, s.* FROM (VALUES (1000, 0.01), (1000000, 0.01), (1000000, 0.001)) p(c, r), cuckoo_size(c, r) s ORDER BY c, r DESC;
SELECT l, s.* FROM unnest('{blocked,classic}'::text[]) l, counting_bloom_size(1000000, 0.01, l) s ORDER BY l;
SELECT * FROM scalable_bloom_size(1000000, 0.01, 4);
SELECT s.* FROM bloom_size(1000000) s;
-- parameters without a value are those of X_empty
SELECT hll_size() = hll_size(14) AS hll, cms_size() = cms_size(0.001, 0.01) AS cms, topk_size() = topk_size(20, 2048) AS topk,
    minhash_size() = minhash_size(128) AS minhash, cuckoo_size(9) = cuckoo_size(9, 0.01) AS cuckoo, counting_bloom_size(9) = counting_bloom_size(9, 0.01, 'blocked') AS counting_bloom,
    (SELECT array_agg(s) FROM scalable_bloom_size() s) = (SELECT array_agg(s) FROM scalable_bloom_size(1000, 0.01, 2) s) AS scalable_bloom,
    hll_size(NULL) IS NULL AND topk_size(NULL, 9) IS NULL AND cuckoo_size(9, NULL) IS NULL AS null;
-- a scalable_bloom ends where a value cannot be larger, or has no more layers
SELECT count(*), max(bytes) < 1024 ^ 3 AS fits FROM unnest('{1,1000,400000000}'::int[]) c, scalable_bloom_size(c, 0.01, 1) GROUP BY c ORDER BY c;

-- ---------- what is filled takes no more ----------
CREATE FUNCTION pg_temp.ints(n int, seed int) RETURNS bigint[] LANGUAGE sql AS $$ SELECT array_agg(i + seed * 1000000000::bigint) FROM generate_series(1, n) i $$;
-- hll: as many tokens as there can be, and registers at each load
SELECT p, max(octet_length(hll_add_all(hll_empty(p), pg_temp.ints(n, seed))::bytea)) <= (hll_size(p)).bytes AS bytes
FROM unnest('{4,5,8,11,14}'::int[]) p, LATERAL (SELECT (3 << p) / 16 + (12 * s << p) / 30 AS n FROM generate_series(0, 15) s) q, generate_series(1, CASE WHEN p < 9 THEN 20 ELSE 1 END) seed
GROUP BY p ORDER BY p;
-- minhash: as many tokens as there can be, and registers
SELECT k, max(octet_length(minhash_add_all(minhash_empty(k), pg_temp.ints(n, seed))::bytea)) <= s.bytes AS bytes, s.bytes > s.filled_bytes AS less_when_full,
    max(octet_length(minhash_add_all(minhash_empty(k), pg_temp.ints(5 * n, seed))::bytea)) <= s.filled_bytes AS filled_bytes
FROM unnest('{16,32,128,1024}'::int[]) k, minhash_size(k) s, LATERAL (SELECT k + k * i / 50 AS n FROM generate_series(-3, 1) i) q, generate_series(1, 20) seed
GROUP BY k, s.bytes, s.filled_bytes ORDER BY k;
-- cms: counters of all widths
SELECT w, max(octet_length(c::bytea)) <= CASE WHEN w < 1000000 THEN (cms_size(0.01, 0.1)).filled_bytes ELSE (cms_size(0.01, 0.1)).bytes END AS bytes
FROM unnest('{1,1000,1000000000000}'::bigint[]) w, LATERAL (SELECT cms_agg_weighted(i, w + i, 0.01, 0.1) AS c FROM generate_series(1, 2000) i) q GROUP BY w ORDER BY w;
-- topk: texts of 16 bytes, and the longest
SELECT octet_length(topk_agg_weighted(lpad(i::text, 16, 'x'), i * 1000000, 20, 300)::bytea) <= (topk_size(20, 300)).filled_bytes AS filled_bytes,
    octet_length(topk_agg_weighted(ARRAY[repeat('x', 5000) || i], i * 1000000000000, 20, 300)::bytea) <= (topk_size(20, 300)).bytes AS bytes FROM generate_series(1::bigint, 2000) i;
-- cuckoo, counting_bloom, bloom: as many values as the capacity
SELECT r, bool_and(octet_length(cuckoo_add_all(cuckoo_empty(n, r), v)::bytea) <= (cuckoo_size(n, r)).bytes) AS cuckoo,
    bool_and(octet_length(counting_bloom_add_all(counting_bloom_empty(n, r, l), v)::bytea) <= (counting_bloom_size(n, r, l)).filled_bytes) AS counting_bloom,
    bool_and(octet_length(counting_bloom_add_all(counting_bloom_empty(n, r, l), v || v || v || v || v || v || v || v)::bytea) <= (counting_bloom_size(n, r, l)).bytes) AS many_times,
    bool_and(octet_length(bloom_add_all(bloom_empty(n, r, l), v)::bytea) <= (bloom_size(n, r, l)).bytes) AS bloom
FROM unnest('{1,2,10,100,1000,20000}'::int[]) n, unnest('{0.9,0.5,0.1,0.01,0.001,1e-6}'::float8[]) r, unnest('{blocked,classic}'::text[]) l, pg_temp.ints(n, 7) v GROUP BY r ORDER BY r;
-- ... and no more than 3 % less than that, where they are not small
SELECT octet_length(cuckoo_add_all(cuckoo_empty(n), v)::bytea) > 0.97 * (cuckoo_size(n)).bytes AS cuckoo, octet_length(counting_bloom_add_all(counting_bloom_empty(n), v)::bytea) > 0.97 * (counting_bloom_size(n)).filled_bytes AS counting_bloom
FROM CAST(50000 AS int) n, pg_temp.ints(n, 7) v;
-- scalable_bloom: by its layers, filled one by one and at once
SELECT n, octet_length(scalable_bloom_add_all(scalable_bloom_empty(), v)::bytea) <= s.bytes AS one_by_one, octet_length((SELECT scalable_bloom_agg(i) FROM unnest(v) i)::bytea) <= s.bytes AS at_once
FROM unnest('{1,900,2700,6500,14000,60000}'::int[]) n, pg_temp.ints(n, 7) v, LATERAL (SELECT * FROM scalable_bloom_size() WHERE capacity >= n ORDER BY layer LIMIT 1) s ORDER BY n;

-- ---------- out of range ----------
-- where the order was mistaken, the hint says the order
SELECT hll_size(1000);
SELECT bloom_size(0.01, 1000000);
SELECT cuckoo_size(0.01, 1000000);
SELECT counting_bloom_size(0.01, 1000000);
SELECT scalable_bloom_size(0.01, 1000000);
SELECT cms_size(10);
SELECT topk_size(100, 20);
SELECT minhash_size(100);
SELECT cuckoo_size(1e12);
