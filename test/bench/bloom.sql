-- The tables that test/bench/run times bloom on: 10 million rows (:rows), in
-- cache.  Of the probes one in ten is among the keys; the urls have a btree, and
-- of a tenth as many candidates one in twenty is among them.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
DROP TABLE IF EXISTS bench_keys, bench_probes, bench_filter, bench_candidates, bench_guard;

CREATE TABLE bench_keys AS
SELECT hashint8extended(i, 7) AS k,
       'https://www.example.org/articles/' || lpad(i::text, 10, '0') || '/some-page.html' AS url,
       CASE WHEN i % 10 = 0 THEN hashint8extended(:rows + 1 - i, 7)
           ELSE hashint8extended(i, 8) END AS probe
FROM generate_series(1::bigint, :rows) i;
CREATE INDEX bench_keys_url ON bench_keys (url);
CREATE TABLE bench_probes AS SELECT probe FROM bench_keys LIMIT :rows / 10;
CREATE TABLE bench_candidates AS
SELECT 'https://www.example.org/articles/' ||
       lpad((CASE WHEN i % 20 = 0 THEN i * 7 % :rows + 1 ELSE :rows + i END)::text, 10, '0') ||
           '/some-page.html' AS url
FROM generate_series(1::bigint, :rows / 10) i;

CREATE TABLE bench_filter AS SELECT bloom_agg(k, :rows) AS filter FROM bench_keys;
CREATE TABLE bench_guard AS SELECT bloom_agg(url, :rows) AS filter FROM bench_keys;
VACUUM ANALYZE bench_keys, bench_probes, bench_candidates, bench_filter, bench_guard;

-- The time of a query in which $1 is the filter of the keys, as a constant
CREATE OR REPLACE FUNCTION bench_ms_constant(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    f bloom;
    t timestamptz;
    n bigint;
BEGIN
    -- by way of bytea: in memory, and no longer where it is stored
    SELECT filter::bytea::bloom INTO f FROM bench_filter;
    t := clock_timestamp();
    EXECUTE query INTO n USING f;
    RETURN extract(epoch FROM clock_timestamp() - t) * 1000;
END
$$;
