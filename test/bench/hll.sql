-- The tables that test/bench/run times hll on: 10 million rows (:rows), in cache.
-- v and t hold half as many distinct values as there are rows; "day" 365, k10k 10,000, k100k
-- 100,000 and k1m 1,000,000 groups of random rows.  Then stored sketches of precision 14, from
-- probds and from postgresql-hll (:peer_type, :peer_agg): :dense of them of 20,000 values,
-- :small of some 100 and :tiny of some ten.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
DROP TABLE IF EXISTS bench_rows, bench_sketches, bench_small, bench_tiny;

CREATE TABLE bench_rows AS
SELECT v,
       'https://www.example.org/articles/' || lpad(v::text, 10, '0') || '/some-page.html' AS t,
       (hashint8extended(i, 1) & 1023) % 365 AS day,
       ((hashint8extended(i, 2) & 1073741823) % 10000)::int AS k10k,
       ((hashint8extended(i, 3) & 1073741823) % 100000)::int AS k100k,
       ((hashint8extended(i, 4) & 1073741823) % 1000000)::int AS k1m
FROM (SELECT i, (hashint8extended(i, 7) & 9007199254740991) % (:rows / 2) AS v
      FROM generate_series(1::bigint, :rows) i) s;

CREATE TABLE bench_sketches (ours hll, peer :peer_type);
INSERT INTO bench_sketches
SELECT (SELECT hll_agg(v) FROM (SELECT g * 7000 + x AS v FROM generate_series(1, 20000) x) q),
       (SELECT :peer_agg FROM (SELECT g * 7000 + x AS v FROM generate_series(1, 20000) x) q)
FROM generate_series(1::bigint, :dense) g;

-- postgresql-hll takes 128 kB for each group that an aggregate is at: one after the other
SET enable_hashagg = off;
CREATE TABLE bench_small AS SELECT hll_agg(v) AS ours, :peer_agg AS peer
FROM (SELECT v, (hashint8extended(v, 5) & 1073741823) % :small AS g
      FROM generate_series(1::bigint, :small * 100::bigint) v) s GROUP BY g;
CREATE TABLE bench_tiny AS SELECT hll_agg(v) AS ours, :peer_agg AS peer
FROM (SELECT v, (hashint8extended(v, 5) & 1073741823) % :tiny AS g
      FROM generate_series(1::bigint, :tiny * 10::bigint) v) s GROUP BY g;
RESET enable_hashagg;
VACUUM ANALYZE bench_rows, bench_sketches, bench_small, bench_tiny;
