-- The tables that test/bench/run times bloom on: 10 million rows (:rows), in
-- cache.  Of the probes one in ten is among the keys; the urls have a btree, and
-- of a tenth as many candidates one in twenty is among them.  The filter that is probed is of
-- 10 million keys whatever :rows is, for 12 MB.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
DROP TABLE IF EXISTS bench_keys, bench_probes, bench_filter, bench_candidates, bench_guard;

CREATE TABLE bench_keys AS
SELECT hashint8extended(i, 7) AS k,
       'https://www.example.org/articles/' || lpad(i::text, 10, '0') || '/some-page.html' AS url,
       CASE WHEN i % 10 = 0 THEN hashint8extended((:rows - i) % 10000000 + 1, 7)
           ELSE hashint8extended(i, 8) END AS probe
FROM generate_series(1::bigint, :rows) i;
CREATE INDEX bench_keys_url ON bench_keys (url);
CREATE TABLE bench_probes AS SELECT probe FROM bench_keys LIMIT :rows / 10;
CREATE TABLE bench_candidates AS
SELECT 'https://www.example.org/articles/' ||
       lpad((CASE WHEN i % 20 = 0 THEN i * 7 % :rows + 1 ELSE :rows + i END)::text, 10, '0') ||
           '/some-page.html' AS url
FROM generate_series(1::bigint, :rows / 10) i;

CREATE TABLE bench_filter AS SELECT bloom_agg(hashint8extended(i, 7), 10000000) AS filter
FROM generate_series(1::bigint, 10000000) i;
CREATE TABLE bench_guard AS SELECT bloom_agg(url, :rows) AS filter FROM bench_keys;
VACUUM ANALYZE bench_keys, bench_probes, bench_candidates, bench_filter, bench_guard;

-- The time of a query in which $1 is the filter of the keys, or of another table, as a constant
CREATE OR REPLACE FUNCTION bench_ms_constant(query text, source text = 'bench_filter')
RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    f bloom;
    t float8;
    n bigint;
BEGIN
    -- by way of bytea: in memory, and no longer where it is stored
    EXECUTE 'SELECT filter::bytea::bloom FROM ' || source INTO f;
    t := bench_now();
    EXECUTE query INTO n USING f;
    RETURN bench_now() - t;
END
$$;
