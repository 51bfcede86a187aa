-- dashboards.sql: queries of dashboards, as they are and answered from rollups
--
--     psql -v rows=10000000 -f test/bench/dashboards.sql
--
-- Medians of five rounds, in which the ways take turns, in milliseconds of wall time; and how many
-- times as fast.  Wants probds in the database.  Leaves nothing behind.
-- doc/ordinary_sql.md has the table.
\set ON_ERROR_STOP on
\pset footer off
LOAD 'probds';
SET jit = off;
SET work_mem = '256MB';
SET TimeZone = 'UTC';

CREATE SCHEMA bench_dashboards;
SET search_path = bench_dashboards, public;
CREATE UNLOGGED TABLE hit AS
SELECT '2025-01-01'::timestamptz + i * (31536000.0 / :rows) * interval '1 s' AS at,
    'country ' || i * 31 % 11 AS country, i * 7919 % (:rows / 5) AS id, (i % 100)::int AS amount
FROM generate_series(0::bigint, :rows - 1) i;
CREATE INDEX ON hit (at);
VACUUM ANALYZE hit;
\o /dev/null
SELECT probds_create_rollup('daily', 'SELECT at::date AS day, hll_agg(id) AS ids, count(*) AS hits
    FROM hit GROUP BY 1');
SELECT probds_create_rollup('by_country', 'SELECT at::date AS day, country, hll_agg(id) AS ids,
    count(*) AS hits, sum(amount) AS amount FROM hit GROUP BY 1, 2');
\o
VACUUM ANALYZE daily_parts, by_country_parts;
PREPARE metabase(timestamptz, timestamptz) AS
SELECT DATE_TRUNC('week', at) AS at, COUNT(DISTINCT id) AS count FROM hit
WHERE (at >= $1) AND (at < $2) GROUP BY DATE_TRUNC('week', at) ORDER BY 1 ASC;

CREATE TABLE job (n int, name text, query text);
INSERT INTO job VALUES
(1, 'Grafana, a quarter by days', $$SELECT floor(extract(epoch from at)/86400)*86400 AS "time",
    count(*) AS hits FROM hit WHERE at BETWEEN '2025-09-01T07:30:00Z' AND '2025-11-30T12:00:00Z'
    GROUP BY 1 ORDER BY 1$$),
(2, 'Metabase, distinct in half a year by weeks',
    $$EXECUTE metabase('2025-03-01 00:00', '2025-09-01 00:00')$$),
(3, 'Superset, distinct by country and month', $$SELECT country AS country,
    DATE_TRUNC('month', at) AS __timestamp, COUNT(DISTINCT id) AS count, SUM(amount) AS amount
    FROM hit WHERE at >= '2025-01-01 00:00:00.000000' AND at < '2025-12-01 00:00:00.000000'
    GROUP BY country, DATE_TRUNC('month', at) ORDER BY count DESC LIMIT 10000$$),
(4, 'distinct by day', 'SELECT at::date, count(DISTINCT id) FROM hit GROUP BY 1'),
(5, 'distinct by day and country',
    'SELECT at::date, country, count(DISTINCT id) FROM hit GROUP BY 1, 2'),
(6, 'distinct in 30 days that begin at 07:30', $$SELECT count(DISTINCT id) FROM hit
    WHERE at >= '2025-03-10 07:30' AND at < '2025-04-09 07:30'$$);
CREATE TABLE way (n int, name text, settings text);
INSERT INTO way SELECT n, name, replace('SET probds.answer_from_rollups = %; '
        'SET probds.approximate_count_distinct = %', '%', setting)
FROM (VALUES (1, 'source', 'off'), (2, 'rollup', 'on')) w (n, name, setting);
\ir turns.sql
SELECT job.name, round(s.ms::numeric, 1) AS source, round(r.ms::numeric, 1) AS rollup,
    round(s.ms / r.ms) AS times
FROM median s JOIN median r USING (job) JOIN job ON n = job WHERE s.way = 1 AND r.way = 2
ORDER BY job;
\set QUIET on
SET client_min_messages = warning;
SELECT probds_drop_rollup('daily'), probds_drop_rollup('by_country') \g /dev/null
DROP SCHEMA bench_dashboards CASCADE;
