-- The tables that test/bench/run times cms on: 10 million clicks (:rows), in cache,
-- on some 100,000 pages of which the i-th is clicked in proportion to 1 / i
\set ON_ERROR_STOP on
SET client_min_messages = warning;
DROP TABLE IF EXISTS bench_clicks, bench_recent, bench_pages;

CREATE TABLE bench_clicks AS
SELECT i AS ts, 'https://www.example.org/articles/' || lpad(page::text, 10, '0') ||
    '/some-page.html' AS url, page,
       page % 1000 AS weight, (i / 10000)::int AS day
FROM (SELECT i, exp((hashint8extended(i, 7) & 1048575) / 1048576.0 * ln(100000))::int AS page
    FROM generate_series(1::bigint, :rows) i) q;
CREATE TABLE bench_recent AS SELECT ts, url FROM bench_clicks LIMIT :rows / 10;
CREATE TABLE bench_pages AS SELECT cms_agg(url) AS counts FROM bench_clicks;
VACUUM ANALYZE bench_clicks, bench_recent, bench_pages;
