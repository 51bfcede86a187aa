-- ddsketch.sql: quantiles by ddsketch, by percentile_cont and by tdigest
--
--     psql -v rows=10000000 -f test/bench/ddsketch.sql
--
-- Medians of five rounds, in which the queries take turns, in milliseconds of wall time.  Then
-- bytes, and the largest error of nine quantiles.  Wants probds and tdigest (Debian:
-- postgresql-15-tdigest) in the database.  Leaves nothing behind.  doc/ddsketch.md has the tables.
\set ON_ERROR_STOP on
\pset footer off
SET jit = off;
SET work_mem = '1GB';
SET max_parallel_workers_per_gather = 0;

CREATE SCHEMA bench_ddsketch;
SET search_path = bench_ddsketch, public;
SELECT setseed(0.5) \g /dev/null
CREATE UNLOGGED TABLE latency AS
SELECT exp(2 + 1.5 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())) AS ms,
    (i * 7919 % 365)::int AS day, (i * 7919 % 10000)::int AS page
FROM generate_series(1, :rows::bigint) i;
CREATE TABLE kept AS SELECT ddsketch_agg(ms) AS sketch, tdigest(ms, 100) AS digest
FROM latency GROUP BY page;
VACUUM ANALYZE latency, kept;

CREATE TABLE job (n int, name text, query text);
INSERT INTO job VALUES
(1, 'avg', 'SELECT avg(ms) FROM latency'),
(2, 'ddsketch', 'SELECT ddsketch_quantile(ddsketch_agg(ms), 0.95) FROM latency'),
(3, 'tdigest', 'SELECT tdigest_percentile(ms, 100, 0.95) FROM latency'),
(4, 'percentile_cont', 'SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) FROM latency'),
(5, 'avg, 365 groups', 'SELECT count(a) FROM (SELECT avg(ms) a FROM latency GROUP BY day) q'),
(6, 'ddsketch, 365 groups', 'SELECT count(a) FROM (SELECT ddsketch_agg(ms) a FROM latency
    GROUP BY day) q'),
(7, 'tdigest, 365 groups', 'SELECT count(a) FROM (SELECT tdigest(ms, 100) a FROM latency
    GROUP BY day) q'),
(8, 'percentile_cont, 365 groups', 'SELECT count(a) FROM (SELECT percentile_cont(0.95)
    WITHIN GROUP (ORDER BY ms) a FROM latency GROUP BY day) q'),
(9, 'avg, 10,000 groups', 'SELECT count(a) FROM (SELECT avg(ms) a FROM latency GROUP BY page) q'),
(10, 'ddsketch, 10,000 groups', 'SELECT count(a) FROM (SELECT ddsketch_agg(ms) a FROM latency
    GROUP BY page) q'),
(11, 'tdigest, 10,000 groups', 'SELECT count(a) FROM (SELECT tdigest(ms, 100) a FROM latency
    GROUP BY page) q'),
(12, 'ddsketch, 10,000 merged', 'SELECT ddsketch_count(ddsketch_merge_agg(sketch)) FROM kept'),
(13, 'tdigest, 10,000 merged', 'SELECT tdigest_count(tdigest(digest)) FROM kept'),
(14, 'ddsketch, 10,000 quantiles', 'SELECT sum(ddsketch_quantile(sketch, 0.95)) FROM kept');
CREATE TABLE way (n int, settings text);
INSERT INTO way VALUES (1, 'SELECT');
\ir turns.sql
SELECT job.name, round(ms::numeric, 1) AS ms,
    round((ms / first_value(ms) OVER (PARTITION BY split_part(name, ', ', 2) ORDER BY n))::numeric,
        2) AS of_avg
FROM median JOIN job ON n = job ORDER BY n;

-- bytes, and errors; 300 and 1000 are compressions
CREATE TABLE quantile AS
SELECT '{0.001,0.01,0.1,0.25,0.5,0.75,0.9,0.99,0.999}'::float8[] AS q, percentile_cont(
    '{0.001,0.01,0.1,0.25,0.5,0.75,0.9,0.99,0.999}'::float8[]) WITHIN GROUP (ORDER BY ms) AS exact
FROM latency;
CREATE FUNCTION largest(estimates float8[]) RETURNS text LANGUAGE sql
AS $$SELECT round(100 * max(abs(e / x - 1))::numeric, 2) || ' %'
    FROM quantile, unnest(estimates, exact) u (e, x)$$;
SELECT name, bytes, largest(estimates) AS largest_error FROM quantile, LATERAL (
    SELECT 'ddsketch' AS name, pg_column_size(s) AS bytes, ddsketch_quantiles(s, q) AS estimates
    FROM (SELECT ddsketch_agg(ms) AS s FROM latency) d
    UNION ALL
    SELECT 'tdigest ' || c, pg_column_size(s),
        (SELECT tdigest_percentile(one, q) FROM (VALUES (s)) v (one))
    FROM (SELECT 100 AS c, tdigest(ms, 100) AS s FROM latency
        UNION ALL SELECT 300, tdigest(ms, 300) FROM latency
        UNION ALL SELECT 1000, tdigest(ms, 1000) FROM latency) d) t;
\set QUIET on
SET client_min_messages = warning;
DROP SCHEMA bench_ddsketch CASCADE;
