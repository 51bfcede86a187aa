-- The tables that test/bench/run times hll on: 10 million rows (:rows), in cache.
-- v and t hold 5 million distinct values; "day" 365, k10k 10,000 and k100k
-- 100,000 groups of random rows.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
DROP TABLE IF EXISTS bench_rows, bench_sketches;

CREATE TABLE bench_rows AS
SELECT v,
       'https://www.example.org/articles/' || lpad(v::text, 10, '0') || '/some-page.html' AS t,
       (hashint8extended(i, 1) & 1023) % 365 AS day,
       ((hashint8extended(i, 2) & 1073741823) % 10000)::int AS k10k,
       ((hashint8extended(i, 3) & 1073741823) % 100000)::int AS k100k
FROM (SELECT i, (hashint8extended(i, 7) & 9007199254740991) % 5000000 AS v
      FROM generate_series(1::bigint, :rows) i) s;
VACUUM ANALYZE bench_rows;

-- 10,000 dense sketches of precision 14 from each: 20,000 values
CREATE TABLE bench_sketches (ours hll, peer :peer_type);
INSERT INTO bench_sketches
SELECT (SELECT hll_agg(g * 7000 + x) FROM generate_series(1, 20000) x),
       (SELECT :peer_sketch FROM generate_series(1, 20000) x)
FROM generate_series(1::bigint, 10000) g;
VACUUM ANALYZE bench_sketches;
