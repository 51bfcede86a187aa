-- Similarity, containment, size, bands: what is exact, and that the rest is where it must be
\set plans `echo "${PROBDS_SRC:-.}/test/types/plans.sql"`
\set ECHO none
\i :plans
\set ECHO all

-- the numbers from a to b
CREATE FUNCTION pg_temp.m(a int, b int, k int DEFAULT 128) RETURNS minhash LANGUAGE sql AS 'SELECT coalesce(minhash_agg(i, k), minhash_empty(k)) FROM generate_series(a, b) i';

-- ---------- up to k values: exact ----------
SELECT minhash_jaccard(pg_temp.m(1, 100), pg_temp.m(51, 150)) AS a_third, minhash_jaccard(pg_temp.m(1, 100), pg_temp.m(1, 100)) AS equal, minhash_jaccard(pg_temp.m(1, 100), pg_temp.m(101, 200)) AS disjoint,
    minhash_containment(pg_temp.m(1, 100), pg_temp.m(81, 130)) AS a_fifth, minhash_containment(pg_temp.m(81, 130), pg_temp.m(1, 100)) AS other_way, minhash_containment(pg_temp.m(1, 10), pg_temp.m(1, 100)) AS all_of_it;
SELECT minhash_jaccard_bounds(pg_temp.m(1, 100), pg_temp.m(51, 150)), minhash_bounds(pg_temp.m(1, 128)), #pg_temp.m(1, 128) AS cardinality;
SELECT count(*), bool_and(minhash_jaccard(pg_temp.m(1, a), pg_temp.m(b, b + 99)) = greatest(0, a - b + 1)::float8 / (a + 100 - greatest(0, a - b + 1))) AS exact, bool_and(#pg_temp.m(1, a) = a) AS counted
FROM generate_series(1, 100, 9) a, generate_series(1, 130, 11) b;
-- of different k: at the smaller one
SELECT minhash_jaccard(pg_temp.m(1, 100), pg_temp.m(51, 150, 1024)) AS tokens, minhash_jaccard(pg_temp.m(1, 1000), pg_temp.m(501, 1500, 1024)) = minhash_jaccard(pg_temp.m(1, 1000), pg_temp.m(501, 1500)) AS registers;

-- ---------- nothing ----------
SELECT minhash_jaccard(minhash_empty(), minhash_empty()) AS nothing, minhash_jaccard(minhash_empty(), pg_temp.m(1, 5)) AS one_empty, minhash_jaccard(pg_temp.m(1, 500), minhash_empty()) AS other_empty,
    minhash_containment(minhash_empty(), pg_temp.m(1, 5)) AS of_nothing, minhash_containment(pg_temp.m(1, 5), minhash_empty()) AS in_nothing, minhash_jaccard_bounds(minhash_empty(), minhash_empty()) AS bounds,
    #minhash_empty() AS cardinality, minhash_bounds(minhash_empty()) AS cardinality_bounds, minhash_bands(minhash_empty(), 32, 4) AS bands;
SELECT minhash_jaccard(NULL, minhash_empty()) AS jaccard, minhash_containment(minhash_empty(), NULL) AS containment, minhash_jaccard_bounds(minhash_empty(), NULL) AS bounds, minhash_jaccard_bounds(minhash_empty(), minhash_empty(), NULL) AS confidence,
    minhash_cardinality(NULL) AS cardinality, #NULL::minhash AS operator, minhash_bounds(NULL) AS bounds, minhash_info(NULL) AS info, minhash_bands(NULL, 1, 1) AS bands, minhash_bands(minhash_empty(), NULL, 1) AS no_bands;

-- ---------- more than k values: within four standard errors ----------
SELECT k, j, round(minhash_jaccard(a, b)::numeric, 4) AS jaccard, abs(minhash_jaccard(a, b) - j) <= 4 * sqrt(j * (1 - j) / k) AS near, abs(minhash_containment(a, b) - 2 * j / (1 + j)) < 6 / sqrt(k) AS contained,
    b99.lower <= j AND j <= b99.upper AND b99.lower <= b95.lower AND b95.upper <= b99.upper AND b95.lower <= b95.estimate AND b95.estimate <= b95.upper AS bounds, b95.estimate = minhash_jaccard(a, b) AS same
FROM unnest(ARRAY[16, 128, 1024]) k, unnest(ARRAY[0.05, 0.2, 0.5, 0.8, 0.95]) j,
    LATERAL (SELECT pg_temp.m(1, 10000, k) AS a, pg_temp.m(10001 - (2 * j / (1 + j) * 10000)::int, 20000 - (2 * j / (1 + j) * 10000)::int, k) AS b) s,
    LATERAL minhash_jaccard_bounds(a, b) b95, LATERAL minhash_jaccard_bounds(a, b, 0.99) b99 ORDER BY k, j;
SELECT minhash_jaccard(a, a) AS equal, minhash_containment(a, a) AS contained, (minhash_jaccard_bounds(a, a)).upper AS upper, minhash_jaccard(a, c) AS disjoint, minhash_containment(a, c) AS not_contained, (minhash_jaccard_bounds(a, c)).lower AS lower,
    minhash_containment(b, a) AS part, minhash_jaccard(a, b) = minhash_jaccard(b, a) AS symmetric
FROM (SELECT pg_temp.m(1, 5000) AS a, pg_temp.m(1, 1000) AS b, pg_temp.m(10001, 12000) AS c) q;
SELECT k, n, minhash_cardinality(m) AS cardinality, abs(minhash_cardinality(m) - n) <= 4 * n * error AS near, b.lower <= n AND n <= b.upper AS bounds, b.estimate = #m AS same, error <= 1.1 / sqrt(k) AS error
FROM unnest(ARRAY[16, 128, 1024]) k, unnest(ARRAY[1025, 2000, 10000]) n, LATERAL (SELECT pg_temp.m(1, n, k) AS m) s, LATERAL minhash_bounds(m, 0.9999) b, LATERAL (SELECT (minhash_info(m)).error) i ORDER BY k, n;

-- ---------- info ----------
SELECT n, (minhash_info(pg_temp.m(1, n))).* FROM unnest(ARRAY[0, 1, 64, 128, 129, 1000]) n ORDER BY n;
SELECT kind, bytes FROM minhash_info(minhash_add(minhash_empty(), ROW(1, 'x')));

-- ---------- bands ----------
-- stored in indexes: always the same
SELECT minhash_bands(pg_temp.m(1, 3), 4, 2) AS few, minhash_bands(pg_temp.m(1, 1000), 4, 2) AS many;
SELECT cardinality(minhash_bands(pg_temp.m(1, 1000), bands => 32, rows => 4)) AS bands, cardinality(minhash_bands(pg_temp.m(1, 1000), 1, 128)) AS one, cardinality(minhash_bands(pg_temp.m(1, 1), 128, 1)) AS most,
    minhash_bands(pg_temp.m(1, 50), 20, 5) = minhash_bands(minhash_add_all(minhash_empty(), (SELECT array_agg(51 - i) FROM generate_series(1, 50) i)), 20, 5) AS of_equal_sets,
    minhash_bands(pg_temp.m(1, 1000), 32, 4) && minhash_bands(pg_temp.m(2001, 3000), 32, 4) AS disjoint, minhash_bands(pg_temp.m(1, 1000), 32, 4) && minhash_bands(pg_temp.m(51, 1050), 32, 4) AS similar,
    minhash_bands(pg_temp.m(1, 1000), 16, 4) = (minhash_bands(pg_temp.m(1, 1000), 32, 4))[1:16] AS first_ones, minhash_bands(pg_temp.m(1, 1000), 16, 4) && minhash_bands(pg_temp.m(1, 1000), 16, 5) AS of_other_rows;
-- found through a plain index
CREATE TEMP TABLE sets AS SELECT i AS id, pg_temp.m(i * 10, i * 10 + 99 + i % 3 * 100) AS m FROM generate_series(1, 600) i;
CREATE INDEX sets_bands ON sets USING gin (minhash_bands(m, 42, 3));
ANALYZE sets;
SET enable_seqscan = off;
SELECT pg_temp.plan_has($$SELECT id FROM sets WHERE minhash_bands(m, 42, 3) && minhash_bands((SELECT m FROM sets WHERE id = 77), 42, 3)$$, 'Bitmap Index Scan on sets_bands') AS by_index;
SELECT array_agg(id ORDER BY id) FROM sets WHERE minhash_bands(m, 42, 3) && minhash_bands((SELECT m FROM sets WHERE id = 77), 42, 3) AND minhash_jaccard(m, (SELECT m FROM sets WHERE id = 77)) >= 0.5;
-- all pairs of an index of 0.7 and more, and how many of lower ones come with them
SELECT count(*) FILTER (WHERE j >= 0.7) AS similar, count(*) FILTER (WHERE j >= 0.7 AND found) AS found, count(*) FILTER (WHERE j = 0 AND found) AS false_ones
FROM (SELECT minhash_jaccard(a.m, b.m) AS j, minhash_bands(a.m, 42, 3) && minhash_bands(b.m, 42, 3) AS found FROM sets a, sets b WHERE a.id < b.id AND a.id < 100) q;
RESET enable_seqscan;

-- ---------- what is refused ----------
SELECT minhash_bands(minhash_empty(), 33, 4);
SELECT minhash_bands(minhash_empty(), 2147483647, 2147483647);
SELECT minhash_bands(minhash_empty(), 0, 4);
SELECT minhash_bands(minhash_empty(), 4, -1);
SELECT minhash_jaccard(minhash_add(minhash_empty(), 1), minhash_add(minhash_empty(), 'a'));
SELECT minhash_containment(minhash_add(minhash_empty(), 1), minhash_add(minhash_empty(), date '2000-01-01'));
SELECT minhash_jaccard_bounds(minhash_empty(), minhash_empty(), 1);
SELECT minhash_bounds(minhash_empty(), 0);
SELECT minhash_bounds(minhash_empty(), 'NaN');

-- ---------- many: what all have in common ----------
-- sparse: exact, whatever k each has
SELECT minhash_intersection_bounds(ARRAY[pg_temp.m(1, 100), pg_temp.m(50, 140), pg_temp.m(60, 110)]) AS three, minhash_intersection_bounds(ARRAY[pg_temp.m(1, 100), pg_temp.m(50, 140, 1024), pg_temp.m(60, 110, 4096)]) AS of_different_k,
    minhash_intersection_bounds(ARRAY[pg_temp.m(1, 100), pg_temp.m(1, 50), pg_temp.m(51, 100)]) AS nothing, minhash_intersection_bounds(ARRAY[pg_temp.m(1, 7)]) AS one, minhash_intersection_bounds(ARRAY[[pg_temp.m(1, 7)], [pg_temp.m(3, 9)]]) AS two_dimensions;
-- dense: the truth between bounds; of one set, its size; the order does not matter
SELECT k, (i).lower <= (i).estimate AND (i).estimate <= (i).upper AS ordered, 30000 BETWEEN (i).lower AND (i).upper AS holds, (i).upper - (i).lower < 600000 / sqrt(k) AS narrow, i = minhash_intersection_bounds(ARRAY[c, a, b], 0.9999) AS in_any_order,
    minhash_intersection_bounds(ARRAY[a]) = minhash_bounds(a) AS of_one, minhash_intersection_bounds(ARRAY[a, a, a]) = minhash_bounds(a) AS of_the_same, minhash_intersection_bounds(ARRAY[a, b]) = minhash_intersection_bounds(ARRAY[a, b], 0.95) AS default
FROM unnest(ARRAY[128, 1024]) k, pg_temp.m(1, 60000, k) a, pg_temp.m(30001, 100000, k) b, pg_temp.m(20001, 80000, k) c, LATERAL (SELECT minhash_intersection_bounds(ARRAY[a, b, c], 0.9999) AS i OFFSET 0) q ORDER BY k;
-- two that are alike, and one that has nothing of them: what is equal by chance does not count; no more than a sparse one has
SELECT (minhash_intersection_bounds(ARRAY[a, a, b])).lower AS lower, (minhash_intersection_bounds(ARRAY[a, a, b])).estimate < 300 AS nearly_nothing, (minhash_intersection_bounds(ARRAY[a, few])).upper <= 20 AS at_most_few
FROM pg_temp.m(1, 50000, 4096) a, pg_temp.m(50001, 100000, 4096) b, pg_temp.m(1, 20, 4096) few;
-- nothing, and what is not known
SELECT minhash_intersection_bounds('{}') AS none, minhash_intersection_bounds(ARRAY[pg_temp.m(1, 5), NULL]) AS with_null, minhash_intersection_bounds(NULL) AS unknown, minhash_intersection_bounds(ARRAY[pg_temp.m(1, 5)], NULL) AS confidence,
    minhash_intersection_bounds(ARRAY[minhash_empty(), pg_temp.m(1, 5000)]) AS with_empty, minhash_intersection_bounds(ARRAY[minhash_empty(), minhash_empty()]) AS all_empty;
SELECT minhash_intersection_bounds(ARRAY[minhash_agg(i), minhash_agg(i::text)]) FROM generate_series(1, 3) i;
SELECT minhash_intersection_bounds(ARRAY[pg_temp.m(1, 5)], 1);
