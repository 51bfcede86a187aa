-- turns.sql: times statements in several ways that take turns; for \ir
--
-- Wants the tables job(n, query) and way(n, settings), where the settings are SQL.  Makes the view
-- median(job, way, ms): milliseconds of wall time, medians of five rounds.
CREATE TABLE took (n serial, job int, way int, ms float8);

-- each row is executed, from left to right
\o /dev/null
SELECT settings,
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
