-- What a sketch answers, and how far off it says it may be

-- each of 1 to k so often as its number
CREATE FUNCTION pg_temp.ints(k int, e float8 DEFAULT 0.001, d float8 DEFAULT 0.01) RETURNS cms LANGUAGE sql AS 'SELECT coalesce(cms_agg_weighted(i, i, e, d), cms_empty(e, d)) FROM generate_series(1, k) i';

-- ---------- frequency, bounds ----------
-- never too low; the bounds hold for all but a share of delta
SELECT e, d, k, count(*) AS values, bool_and(f >= v) AS one_sided, bool_and(b.estimate = f AND b.upper = f AND b.lower <= f AND b.lower >= 0) AS nested,
    count(*) FILTER (WHERE v < b.lower) <= d * count(*) AS bounds, count(*) FILTER (WHERE f > v + cms_error(c) * cms_total(c)) <= d * count(*) AS within, bool_and(f - b.lower <= round(cms_error(c) * cms_total(c))) AS no_wider
FROM (VALUES (0.1, 0.1), (0.01, 0.1), (0.01, 0.01), (0.001, 0.01)) p(e, d), unnest(ARRAY[10, 300, 3000]) k, pg_temp.ints(k, e, d) c, generate_series(0, k) v, cms_frequency(c, v) f, cms_bounds(c, v) b GROUP BY e, d, k ORDER BY e, d, k;
-- exact while there is room
SELECT bool_and(c -> v = v) AS exact, bool_and(c -> -v = 0) AS none FROM pg_temp.ints(100) c, generate_series(1, 100) v;
SELECT * FROM cms_bounds(pg_temp.ints(1000), 500);
SELECT * FROM cms_bounds(cms_empty(), 1);
SELECT cms_bounds(cms_add(cms_empty(0.999, 0.5), 1, 9223372036854775807), 1);
-- as operator, function, literal
SELECT c -> 7 AS a, cms_frequency(c, 7) AS b, c -> '7' AS c, c -> 7.0 AS d, c -> 7::smallint AS e, cms_empty() -> 7 AS f, cms_empty() -> 'x'::text AS g FROM pg_temp.ints(10) c;
-- arrays, of any dimensions
SELECT cms_frequencies(c, ARRAY[1, 5, 50, NULL, 5]) AS a, cms_frequencies(c, '{}'::int[]) AS b, cms_frequencies(c, ARRAY[[1, 2], [3, 4]]) AS c, cms_frequencies(c, '[5:6]={1,2}'::bigint[]) AS d, cms_frequencies(cms_empty(), ARRAY['x']) AS e FROM pg_temp.ints(10) c;

-- ---------- total, error ----------
SELECT k, cms_total(c) AS total, cms_error(c) AS error, round(cms_error(c) * cms_total(c)) AS absolute, floor(cms_total(c) * exp(1) / (cms_info(c)).width) AS in_theory FROM unnest(ARRAY[0, 1, 10, 1000, 60000]) k, pg_temp.ints(k) c ORDER BY k;
SELECT cms_error(cms_add(cms_empty(e, d), 1, 9223372036854775807)) AS error FROM (VALUES (0.999, 0.5), (0.001, 0.01)) q(e, d);

-- ---------- inner product ----------
-- at least the exact one, and for most pairs of sketches within epsilon of the product of the totals
SELECT k, l, p AS product, exact, p >= exact AS one_sided, p <= exact + 0.01 * cms_total(a) * cms_total(b) AS within
FROM unnest(ARRAY[0, 10, 1000]) k, unnest(ARRAY[1, 500, 5000]) l, pg_temp.ints(k, 0.01) a, pg_temp.ints(l, 0.01) b, cms_inner_product(a, b) p, LATERAL (SELECT coalesce(sum(i::numeric * i), 0) AS exact FROM generate_series(1, least(k, l)) i) q ORDER BY k, l;
SELECT cms_inner_product(a, a) AS largest, cms_inner_product(a, b) AS product, cms_inner_product(b, cms_empty()) AS nothing FROM (SELECT cms_add(cms_empty(), 1, 9223372036854775807) AS a, cms_add(cms_empty(), 1, 3) AS b) q;
-- the size of a join
SELECT cms_inner_product(cms_agg(i % 70), cms_agg(i % 50)) AS rows, (SELECT count(*) FROM generate_series(1, 1000) a JOIN generate_series(1, 1000) b ON a % 70 = b % 50) AS exact FROM generate_series(1, 1000) i;

-- ---------- info ----------
\x
SELECT * FROM cms_info(cms_empty());
SELECT * FROM cms_info(pg_temp.ints(100));
SELECT * FROM cms_info(pg_temp.ints(10000));
SELECT * FROM cms_info(cms_empty(0.25, 1e-9, true));
SELECT * FROM cms_info(cms_add(cms_empty(0.25, 1e-9, true), 'x', 1000000));
\x
-- the shape: width e / epsilon, depth ln 1 / delta, both rounded up; three digits of each are kept
SELECT e, d, i.epsilon, i.delta, width, depth, width = ceil(exp(1) / i.epsilon) AS as_epsilon, depth = ceil(ln(1 / i.delta)) AS as_delta
FROM (VALUES (0.999999, 0.999999), (0.5, 0.5), (0.1, 0.36), (0.1, 0.37), (0.01, 0.01), (0.001, 0.01), (0.0012345, 0.01), (0.0001, 0.001), (0.000001, 0.000001), (0.00001, 1e-9)) p(e, d), cms_info(cms_empty(e, d)) i ORDER BY 1, 2;

-- ---------- sizes ----------
-- 2,719 x 5 counters: nothing, 100 values, more
SELECT n, i.encoding, i.counter_bytes, i.bytes, round(i.fill::numeric, 3) AS fill FROM unnest(ARRAY[0, 1, 10, 100, 1000, 1500, 2000, 100000, 2000000]) n, LATERAL (SELECT coalesce(cms_agg(i), cms_empty()) AS c FROM generate_series(1, n) i) q, cms_info(c) i ORDER BY n;
SELECT w, i.encoding, i.counter_bytes, i.bytes FROM unnest(ARRAY[1, 10, 1000, 100000, 10000000, 1000000000000]) w, LATERAL (SELECT cms_agg_weighted(i, w) AS c FROM generate_series(1, 2500) i) q, cms_info(c) i ORDER BY w;
SELECT w, i.encoding, i.bytes FROM unnest(ARRAY[1, 10, 1000, 100000, 10000000, 1000000000000]) w, LATERAL (SELECT cms_agg_weighted(i, w) AS c FROM generate_series(1, 100) i) q, cms_info(c) i ORDER BY w;
