-- count_distinct.sql: count(DISTINCT x), exact and by probds.approximate_count_distinct
--
--     psql -v rows=10000000 -f test/bench/count_distinct.sql
--
-- Medians of five rounds, in which the ways take turns, in milliseconds of wall time; and the
-- share of the exact time.  Wants probds in the database.  Leaves nothing behind.
-- doc/ordinary_sql.md has the table.
\set ON_ERROR_STOP on
\pset footer off
LOAD 'probds';
SET jit = off;
SET work_mem = '256MB';

CREATE SCHEMA bench_count;
SET search_path = bench_count, public;
CREATE UNLOGGED TABLE hit AS
SELECT '2025-01-01'::date + (i * 365 / :rows)::int AS day, i * 7919 % (:rows / 5) AS id,
    'visitor ' || i * 7919 % (:rows / 5) AS visitor
FROM generate_series(0::bigint, :rows - 1) i;
VACUUM ANALYZE hit;
CREATE TABLE job (n int, query text);
INSERT INTO job VALUES (1, 'SELECT count(DISTINCT id) FROM hit'),
    (2, 'SELECT count(DISTINCT visitor) FROM hit'),
    (3, 'SELECT day, count(DISTINCT id) FROM hit GROUP BY day'),
    (4, 'SELECT day, count(DISTINCT visitor) FROM hit GROUP BY day');
CREATE TABLE way (n int, name text, approximate boolean, workers int);
INSERT INTO way VALUES (1, 'exact', false, 2), (2, 'approximate', true, 0),
    (3, 'two workers', true, 2);
CREATE TABLE took (n serial, job int, way int, ms float8);

-- each row is executed, from left to right
\o /dev/null
SELECT format('SET probds.approximate_count_distinct = %s', approximate),
    format('SET max_parallel_workers_per_gather = %s', workers),
    format('INSERT INTO took (job, way, ms) VALUES (%s, %s, '
        'extract(epoch FROM clock_timestamp()))', job.n, way.n),
    query,
    'UPDATE took SET ms = 1000 * (extract(epoch FROM clock_timestamp())::float8 - ms) '
        'WHERE ms > 1e9'
FROM generate_series(0, 5) round, job, way ORDER BY round, job.n, way.n \gexec
\o
-- the first round of six only warms up
CREATE VIEW median AS
SELECT job, way, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS ms
FROM (SELECT *, row_number() OVER (PARTITION BY job, way ORDER BY n) AS round FROM took) t
WHERE round > 1 GROUP BY job, way;
SELECT query, name AS way, round(m.ms) AS ms, round((m.ms / exact.ms)::numeric, 3) AS share
FROM median m JOIN median exact ON exact.job = m.job AND exact.way = 1
JOIN job ON job.n = m.job JOIN way ON way.n = m.way ORDER BY m.job, m.way;
\set QUIET on
SET client_min_messages = warning;
DROP SCHEMA bench_count CASCADE;
