-- The table that test/bench/run times topk on: 10 million rows (:rows), in cache.
-- Urls as people visit them, the n-th most frequent 1/n as often as the first, of
-- a million; and 10,000 keys with 100 different items each.  In the second table the keys have
-- one of 170 addresses in each row: with 10 million rows 1,000 rows a key.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
DROP TABLE IF EXISTS bench_hits, bench_addresses;

CREATE TABLE bench_hits AS
SELECT 'https://www.example.org/articles/' ||
       lpad((floor(exp((hashint8extended(i, 7) & 9007199254740991) / 9007199254740992.0::float8 *
           ln(1000000::float8)))::bigint)::text, 10, '0') ||
       '/some-page.html' AS url,
       ((hashint8extended(i, 2) & 1073741823) % 10000)::int AS key,
       'item ' || (hashint8extended(i, 3) & 1073741823) % 100 AS item
FROM generate_series(1::bigint, :rows) i;
CREATE TABLE bench_addresses AS
SELECT ((hashint8extended(i, 2) & 1073741823) % 10000)::int AS key,
       'https://www.example.org/articles/' ||
       lpad(((hashint8extended(i, 3) & 1073741823) % 170)::text, 10, '0') || '/page.html' AS url
FROM generate_series(1::bigint, :rows) i;
-- a sketch of all, to be asked about a tenth of them
DROP TABLE IF EXISTS bench_top, bench_asked;
CREATE TABLE bench_top AS SELECT topk_agg(url, 100) AS top FROM bench_hits;
CREATE TABLE bench_asked AS SELECT url FROM bench_hits LIMIT :rows / 10;
VACUUM ANALYZE bench_hits, bench_addresses, bench_top, bench_asked;
