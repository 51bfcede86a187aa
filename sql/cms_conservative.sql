-- Conservative update: closer estimates, never too low; and what it forbids

-- frequencies as of words: the i-th of a thousand values some 20,000 / i times, mixed
CREATE TEMP TABLE words AS
SELECT ('x' || substr(md5(i || 'w'), 1, 8))::bit(32)::bigint AS r, 'word ' || width AS word FROM (SELECT i, (exp(power(((i * 7919) % 50021) / 50021.0, 1) * ln(1000)))::int AS width FROM generate_series(1, 50000) i) q;
CREATE TEMP TABLE truth AS SELECT word, count(*) AS n FROM words GROUP BY word;
SELECT count(*), bool_and(p >= n) AS plain_one_sided, bool_and(c >= n) AS conservative_one_sided, bool_and(c <= p) AS never_above_plain, avg(c - n) <= 0.6 * avg(p - n) AS closer, avg(p - n) > 1 AS worth_it
FROM (SELECT n, plain -> word AS p, conservative -> word AS c FROM truth, (SELECT cms_agg(word, 0.01, 0.01) AS plain, cms_agg_conservative(word, 0.01, 0.01) AS conservative FROM (SELECT word FROM words ORDER BY r OFFSET 0) q) s) q;
-- forms: weights, epsilon and delta; as cms_add makes them
SELECT cms_agg_conservative(i % 10) = cms_agg_conservative_weighted(i % 10, 1) AS weight, cms_agg_conservative(i % 10) = cms_agg_conservative(i % 10, 0.001, 0.01) AS parameters, cms_agg_conservative_weighted(i % 10, 5) = cms_agg_conservative_weighted(i % 10, 5, 0.001, 0.01) AS both,
    cms_agg_conservative(i) = cms_add_all(cms_empty(conservative => true), array_agg(i)) AS as_added, cms_agg_conservative_weighted(i, 3) -> 7 AS "7", (cms_info(cms_agg_conservative(i))).conservative FROM generate_series(1, 100) i;
WITH RECURSIVE grown(n, c) AS (SELECT 0, cms_empty(0.1, 0.1, true) UNION ALL SELECT n + 1, cms_add(c, (n + 1) % 40, n) FROM grown WHERE n < 300)
SELECT bool_and(c = coalesce((SELECT cms_agg_conservative_weighted(x % 40, x - 1, 0.1, 0.1) FROM generate_series(1, n) x), c)) AS one_by_one FROM grown;
-- the order of rows may matter, the total and the bound do not change; each result holds what was put in
SELECT count(DISTINCT c) > 1 AS order_matters, count(DISTINCT cms_total(c)) AS totals, count(DISTINCT cms_error(c)) AS errors FROM
    (SELECT cms_agg_conservative(word, 0.1, 0.1 ORDER BY r) AS c FROM words UNION ALL SELECT cms_agg_conservative(word, 0.1, 0.1 ORDER BY -r) FROM words UNION ALL SELECT cms_agg_conservative(word, 0.1, 0.1 ORDER BY word) FROM words) q;
-- merging adds counters: one-sided still, not above the plain one, above one built in one go
SELECT bool_and(m -> word >= n) AS one_sided, bool_and(m -> word <= plain -> word) AS not_above_plain, m = a || b AS operator, a || b = b || a AS commutes, cms_total(m) = cms_total(plain) AS total
FROM truth, (SELECT cms_merge_agg(c) AS m, min(c::text)::cms AS a, max(c::text)::cms AS b FROM (SELECT cms_agg_conservative(word, 0.01, 0.01) AS c FROM words GROUP BY r % 2) q) s, (SELECT cms_agg(word, 0.01, 0.01) AS plain FROM words) p GROUP BY m, a, b, plain;
-- parallel workers' states are merged, too
CREATE TABLE cms_words AS SELECT * FROM words;
ALTER TABLE cms_words SET (parallel_workers = 2);
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT bool_and(c -> word >= n) AS one_sided, cms_total(c) AS total FROM truth, (SELECT cms_agg_conservative(word, 0.01, 0.01) AS c FROM cms_words) s GROUP BY c;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
DROP TABLE cms_words;

-- ---------- what it forbids ----------
SELECT cms_add(cms_add(cms_empty(conservative => true), 'x', 5), 'x', -1);
SELECT cms_agg_conservative_weighted(1, w) FROM unnest(ARRAY[5, -1]) w;
SELECT cms_subtract(cms_agg_conservative(i), cms_agg_conservative(i)) FROM generate_series(1, 3) i;
SELECT cms_inner_product(cms_agg_conservative(i), cms_agg_conservative(i)) FROM generate_series(1, 3) i;
SELECT cms_inner_product(cms_agg_conservative(i), cms_agg(i)) FROM generate_series(1, 3) i;
SELECT cms_agg_conservative(i) || cms_agg(i) FROM generate_series(1, 3) i;
SELECT cms_subtract(cms_agg(i), cms_agg_conservative(i)) FROM generate_series(1, 3) i;
SELECT cms_merge_agg(c) FROM (VALUES (cms_empty(0.1, 0.1, true)), (cms_empty(0.1, 0.1))) q(c);
-- nothing can be taken from it, and a weight of nothing be added
SELECT cms_subtract(cms_agg_conservative(i), cms_empty(conservative => true)) = cms_agg_conservative(i) AS nothing, cms_add(cms_agg_conservative(i), 1, 0) = cms_agg_conservative(i) AS zero FROM generate_series(1, 3) i;
SELECT cms_add(cms_add(cms_empty(0.5, 0.5, true), 1, 9223372036854775807), 1);
-- a modifier says nothing of it, but no cast forgets rows
SELECT (cms_info(cms_agg_conservative(i)::cms(0.001))).conservative AS kept, (cms_info(cms_empty(conservative => true)::cms(0.1))).conservative AS empty FROM generate_series(1, 3) i;
SELECT cms_agg_conservative(i)::cms(0.001, 0.1) FROM generate_series(1, 3) i;
