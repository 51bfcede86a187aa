LOAD 'probds';
-- The rows of a range that are not whole groups of a rollup: how many the source is asked for
SET timezone = 'UTC';
SET max_parallel_workers_per_gather = 0;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_indexonlyscan = off;
CREATE TABLE visit (at timestamptz NOT NULL, number int NOT NULL, day date NOT NULL, amount int);
INSERT INTO visit SELECT t, n, t::date, n % 7
    FROM (SELECT '2026-03-28'::timestamptz + n * interval '10 min' AS t, n
    FROM generate_series(0, 999) n) q;
CREATE INDEX ON visit (at);
CREATE INDEX ON visit (number);
CREATE INDEX ON visit (day);
VACUUM ANALYZE visit;
SELECT probds_create_rollup('daily', 'SELECT at::date AS d, count(*) AS n, sum(amount) AS amount
    FROM visit GROUP BY 1');
SELECT probds_create_rollup('hundreds', 'SELECT number / 100 AS h, count(*) AS n
    FROM visit GROUP BY 1');
SELECT probds_create_rollup('monthly', 'SELECT date_trunc(''month'', day) AS m, count(*) AS n
    FROM visit GROUP BY 1');
VACUUM ANALYZE visit;
SET probds.answer_from_rollups = on;
-- within a transaction: how many rows of the source were read since it was asked before
CREATE TEMPORARY TABLE before (n bigint);
INSERT INTO before VALUES (0);
\set now '(SELECT coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0) FROM pg_stat_xact_user_tables WHERE relname = ''visit'')'
\set begin 'BEGIN; UPDATE before SET n = ' :now
\set read 'WITH now AS (SELECT ' :now ' AS n) UPDATE before SET n = now.n FROM now RETURNING now.n - (SELECT n FROM before) AS read'

:begin;
-- whole groups: no row
SELECT count(*), sum(amount) FROM visit WHERE at >= '2026-03-29' AND at < '2026-04-02';
:read;
-- two edges: their rows, and no other
SELECT count(*), sum(amount) FROM visit WHERE at >= '2026-03-29 22:00' AND at <= '2026-04-02 01:00';
:read;
-- one edge, by what is known when it is planned
PREPARE since(timestamptz) AS SELECT count(*) FROM visit WHERE at > $1 - interval '1 hour';
EXECUTE since('2026-03-29');
:read;
SELECT count(*) FROM visit WHERE at <= now() + interval '1000 years';
:read;
-- not known then: rows of the group that are outside of the range are read, too
SET plan_cache_mode = force_generic_plan;
EXECUTE since('2026-03-29 01:00');
:read;
EXECUTE since('2026-03-29 00:59:59.999999');
EXECUTE since('2026-04-01 12:34:56');
RESET plan_cache_mode;
SELECT count(*) FROM visit WHERE at <= statement_timestamp() + interval '1000 years';
:read;
-- (none where the range is whole groups)
SELECT sum((SELECT count(*) FROM visit WHERE at >= t AND at < t + interval '1 day'))
    FROM generate_series('2026-03-27'::timestamptz, '2026-04-02', '1 day') t;
:read;
-- a date after the last timestamp
SET plan_cache_mode = force_generic_plan;
PREPARE until(date) AS SELECT count(*) FROM visit WHERE at < $1;
EXECUTE until('294276-12-31');
EXECUTE until('294277-01-01');
EXECUTE until('5874897-12-31');
EXECUTE until('infinity');
RESET plan_cache_mode;
:read;
-- numbers
SELECT count(*) FROM visit WHERE number BETWEEN 200 AND 499;
:read;
SELECT count(*) FROM visit WHERE number BETWEEN 198 AND 500;
:read;
-- dates
SELECT count(*) FROM visit WHERE day >= '2026-03-01' AND day < '2026-05-01';
:read;
SELECT count(*) FROM visit WHERE day >= '2026-03-30' AND day <= '2026-04-30';
:read;
COMMIT;

-- no whole group
SET probds.explain_rollups = on;
SELECT count(*) FROM visit WHERE at >= '2026-03-29 00:00:01' AND at < '2026-03-29 23:59:59';
SELECT count(*) FROM visit WHERE at >= '2026-03-29 00:00:01' AND at < '2026-03-30 23:59:59';
SELECT count(*) FROM visit WHERE at >= '2026-03-29 00:00:00.000001' AND at < '2026-03-31';
SET probds.explain_rollups = off;

-- the group of 0 is twice as long
INSERT INTO visit SELECT '2026-03-28', n, '2026-03-28', 0 FROM generate_series(-250, -1) n;
SELECT count(*) FROM visit WHERE number >= -99 AND number < 100;
SELECT count(*) FROM visit WHERE number >= -100 AND number < 99;
SELECT count(*) FROM visit WHERE number >= -199 AND number < 200;
-- the last values
SELECT count(*) FROM visit WHERE at >= '4714-11-24 00:00:00 BC' AND at < '294276-12-31 23:59:59.999999';
SELECT count(*) FROM visit WHERE number >= -2147483648 AND number <= 2147483647;
SELECT count(*) FROM visit WHERE day >= '-infinity' AND day < 'infinity';
SELECT count(*) FROM visit WHERE day >= '4714-11-24 BC' AND day <= '5874897-12-31';

-- groups wait: while it is planned, and only after that, by a function that lies
UPDATE visit SET amount = 100 WHERE at < '2026-03-28 01:00';
SELECT sum(amount) FROM visit WHERE at < '2026-03-31';
CALL probds_refresh_rollup('daily');
CREATE FUNCTION change() RETURNS int LANGUAGE plpgsql AS $$BEGIN
    UPDATE visit SET amount = 1000 WHERE at = '2026-03-30';
    INSERT INTO visit VALUES ('2026-03-29', 7, '2026-03-29', 1);
    RETURN 0;
END$$;
CREATE FUNCTION lie() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$BEGIN
    RETURN change();
END$$;
SELECT sum(amount) FROM visit WHERE at < '2026-04-01' HAVING sum(amount) > lie();
SELECT sum(amount) FROM visit WHERE at < '2026-04-01' HAVING sum(amount) > 0;
SET probds.answer_from_rollups = off;
SELECT sum(amount) FROM visit WHERE at < '2026-04-01';

-- a condition on a range, of which the last column of many is a part
CREATE TABLE pair (k int NOT NULL, v int NOT NULL, n int);
INSERT INTO pair SELECT i % 50, i % 10, i FROM generate_series(1, 1000) i;
SELECT probds_create_rollup('wide', 'SELECT count(*) AS n, ' ||
    string_agg('sum(n + ' || i || ') AS s' || i, ', ') || ', k, (k + v) / 10 AS g FROM pair
    GROUP BY k, (k + v) / 10') FROM generate_series(1, 68) i;
SELECT count(*), sum(n + 1), sum(n + 2) FROM pair WHERE k + v >= 15 AND k + v < 42;
SET probds.answer_from_rollups = on;
SELECT count(*), sum(n + 1), sum(n + 2) FROM pair WHERE k + v >= 15 AND k + v < 42;
SELECT probds_drop_rollup('wide');
DROP TABLE pair;

-- who writes into a table and reads its rollup in turn looks up once what the rollups are
CALL probds_refresh_rollup('daily');
SELECT count(*) FROM visit;
BEGIN;
SELECT coalesce(sum(seq_scan), 0) AS before FROM pg_stat_xact_user_tables
    WHERE relname = 'daily_options' \gset
INSERT INTO visit VALUES ('2026-05-01', 1, '2026-05-01', 1);
SELECT count(*) FROM visit;
INSERT INTO visit VALUES ('2026-05-01', 1, '2026-05-01', 1);
SELECT count(*) FROM visit;
INSERT INTO visit VALUES ('2026-05-01', 1, '2026-05-01', 1);
SELECT coalesce(sum(seq_scan), 0) - :before <= 1 AS looked_up_once FROM pg_stat_xact_user_tables
    WHERE relname = 'daily_options';
COMMIT;

SELECT probds_drop_rollup(r) FROM unnest('{daily,hundreds,monthly}'::text[]) r;
DROP TABLE visit;
DROP FUNCTION lie(), change();
