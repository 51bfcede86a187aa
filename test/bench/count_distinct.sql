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
CREATE TABLE way (n int, name text, settings text);
INSERT INTO way SELECT n, name, format('SET probds.approximate_count_distinct = %s; '
        'SET max_parallel_workers_per_gather = %s', approximate, workers)
FROM (VALUES (1, 'exact', 'off', 2), (2, 'approximate', 'on', 0), (3, 'two workers', 'on', 2))
    w (n, name, approximate, workers);
\ir turns.sql
SELECT query, name AS way, round(m.ms) AS ms, round((m.ms / exact.ms)::numeric, 3) AS share
FROM median m JOIN median exact ON exact.job = m.job AND exact.way = 1
JOIN job ON job.n = m.job JOIN way ON way.n = m.way ORDER BY m.job, m.way;
\set QUIET on
SET client_min_messages = warning;
DROP SCHEMA bench_count CASCADE;
