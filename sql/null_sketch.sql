-- X_add and X_add_all of a NULL sketch begin one, as array_append() begins an array
CREATE TEMP TABLE sketches (h hll, h12 hll(12), c cms, c2 cms(0.01, 0.05), k topk, k5 topk(5, 100), m minhash, s scalable_bloom,
    b bloom, b1 bloom(1000, 0.05), u cuckoo, u1 cuckoo(1000), o counting_bloom, o1 counting_bloom(1000, 0.02));
INSERT INTO sketches DEFAULT VALUES;
UPDATE sketches SET h = hll_add(h, 'x'), h12 = hll_add_all(h12, ARRAY['x', 'y']), c = cms_add(c, 1, 7), c2 = cms_add(c2, 1),
    k = topk_add(k, 'x', 3), k5 = topk_add(k5, 'x'), m = minhash_add(m, 'x'), s = scalable_bloom_add(s, 'x'),
    b1 = bloom_add(b1, 'x'), u1 = cuckoo_add(u1, 'x'), o1 = counting_bloom_add_all(o1, '{x,y}');
-- the default parameters, or those of the column's type
SELECT h = hll_agg('x'::text) AS h, h12 = (SELECT hll_agg(v, 12) FROM unnest(ARRAY['x', 'y']) v) AS h12,
    c = cms_agg_weighted(1, 7) AS c, c2 = cms_agg(1, 0.01, 0.05) AS c2, k = topk_agg_weighted('x'::text, 3) AS k,
    k5 = topk_agg('x'::text, 5, 100) AS k5, m = minhash_agg('x'::text) AS m, s = scalable_bloom_add(scalable_bloom_empty(), 'x') AS s,
    b1 = bloom_agg('x'::text, 1000, 0.05) AS b1, u1 = cuckoo_agg('x'::text, 1000) AS u1,
    o1 = (SELECT counting_bloom_agg(v, 1000, 0.02) FROM unnest(ARRAY['x', 'y']) v) AS o1
FROM sketches GROUP BY h, h12, c, c2, k, k5, m, s, b1, u1, o1 \gx
-- a domain has the modifier of its base type
CREATE DOMAIN pg_temp.coarse AS hll(10);
CREATE TEMP TABLE of_domain (h pg_temp.coarse);
INSERT INTO of_domain DEFAULT VALUES;
UPDATE of_domain SET h = hll_add(h, 'x') RETURNING (hll_info(h)).precision_bits;
-- a capacity has no default
UPDATE sketches SET b = bloom_add(b, 'x');
UPDATE sketches SET u = cuckoo_add_all(u, '{1}'::int[]);
UPDATE sketches SET o = counting_bloom_add(o, 1);
UPDATE sketches SET b = bloom_add(coalesce(b, bloom_empty(100)), 'x') RETURNING (bloom_info(b)).capacity;
-- a NULL value changes nothing, and nothing is removed from NULL
SELECT hll_add(NULL, NULL::int) IS NULL AS a, hll_add_all(NULL, NULL::int[]) IS NULL AS b, cms_add(NULL, 1, NULL) IS NULL AS c,
    cuckoo_remove(NULL, 1) IS NULL AS d, counting_bloom_remove_all(NULL, '{1}'::int[]) IS NULL AS e,
    hll_add_all(NULL, '{}'::int[]) = hll_empty() AS f, hll_add_all(NULL, '{NULL}'::int[]) = hll_empty() AS g;
-- variables
DO $$
DECLARE
    h hll(10);
    c cms;
BEGIN
    FOR i IN 1..300 LOOP
        h := hll_add(h, i);
        c := cms_add(c, i % 3);
    END LOOP;
    RAISE NOTICE '% of precision %, %', hll_cardinality(h), (hll_info(h)).precision_bits, cms_frequency(c, 0);
END $$;
