-- Rollups that are damaged: they stop no writer, and probds_rollups() says what is wrong
\set SHOW_CONTEXT never
SET TimeZone = 'UTC';
SET client_min_messages = warning;
CREATE TABLE visits (id int, day date, who text);
CREATE VIEW status AS SELECT rollup::text, groups_waiting AS wait, status FROM probds_rollups() ORDER BY rollup::text;
SELECT probds_create_rollup('daily', 'SELECT day, hll_agg(who) AS who, count(*) AS n FROM visits GROUP BY day');
INSERT INTO visits SELECT i, '2026-01-01'::date + i % 3, 'v' || i FROM generate_series(1, 30) i;
TABLE status;

-- ---------- its options are gone, or are others ----------
CREATE TABLE kept AS SELECT probds_rollup, live, built, settings, secret FROM daily_options;
DELETE FROM daily_options;
INSERT INTO visits VALUES (31, '2026-01-01', 'not seen');
UPDATE visits SET who = 'not seen' WHERE id = 1;
DELETE FROM visits WHERE id = 2;
TABLE status;
\set VERBOSITY terse
SELECT count(*) FROM daily;
CALL probds_refresh_rollup('daily');
\set VERBOSITY default
INSERT INTO daily_options (probds_rollup, live, built, settings, secret) TABLE kept;
TABLE status;
CALL probds_rebuild_rollup('daily');
TABLE status;
SELECT count(*) FROM (TABLE daily EXCEPT TABLE daily_query) d;
UPDATE daily_options SET probds_rollup = 99;
INSERT INTO visits VALUES (32, '2026-01-01', 'not seen');
TABLE status;
UPDATE daily_options SET probds_rollup = (SELECT probds_rollup FROM kept);
TABLE status;
INSERT INTO daily_options (probds_rollup, live, built, settings, secret) TABLE kept;
UPDATE daily_options SET settings = '{no_such_setting,1,TimeZone,UTC}';
INSERT INTO visits VALUES (33, '2026-01-01', 'seen');
TABLE status;
CALL probds_rebuild_rollup('daily');
SELECT count(*) FROM (TABLE daily EXCEPT TABLE daily_query) d;
TABLE status;
DROP TABLE kept;

-- ---------- parts of several owners ----------
CREATE ROLE probds_other;
GRANT CREATE ON SCHEMA public TO probds_other;
ALTER VIEW daily_query OWNER TO probds_other;
INSERT INTO visits VALUES (34, '2026-01-01', 'not seen');
TABLE status;
CALL probds_refresh_rollup('daily');
ALTER VIEW daily_query OWNER TO CURRENT_USER;
TABLE status;
CALL probds_rebuild_rollup('daily');
SELECT count(*) FROM (TABLE daily EXCEPT TABLE daily_query) d;
TABLE status;
REVOKE CREATE ON SCHEMA public FROM probds_other;
DROP ROLE probds_other;

-- ---------- triggers ----------
ALTER TABLE visits DISABLE TRIGGER USER;
TABLE status;
ALTER TABLE visits ENABLE ALWAYS TRIGGER _probds_rollup_insert;
ALTER TABLE visits ENABLE TRIGGER _probds_rollup_update;
ALTER TABLE visits ENABLE TRIGGER _probds_rollup_delete;
DROP TRIGGER _probds_rollup_truncate ON visits;
TABLE status;
CALL probds_rebuild_rollup('daily');
TABLE status;
-- the source becomes a partition
CREATE TABLE years (id int, day date, who text) PARTITION BY RANGE (day);
ALTER TABLE years ATTACH PARTITION visits FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
TABLE status;
ALTER TABLE years DETACH PARTITION visits;
DROP TABLE years;

-- ---------- parts are dropped with CASCADE ----------
CREATE TABLE other (k int, v int);
CREATE FUNCTION norm(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 % 10';
SELECT probds_create_rollup(name, 'SELECT norm(k) AS k, count(*) AS n FROM other GROUP BY 1') FROM unnest('{a,b,c,d,e}'::text[]) name;
SET client_min_messages = error;
DROP VIEW a CASCADE;
DROP TABLE b_parts CASCADE;
DROP TABLE c_options CASCADE;
DROP VIEW d_query CASCADE;
INSERT INTO other SELECT i, i FROM generate_series(1, 20) i;
UPDATE other SET k = 7;
DELETE FROM other WHERE v = 1;
SELECT k, n FROM e;
TABLE status;
ALTER TABLE e_parts DROP COLUMN n CASCADE;
INSERT INTO other VALUES (1, 1);
TRUNCATE other;
TABLE status;
-- what is left goes by the name of the rollup, or by that of the list
SELECT probds_drop_rollup(name) FROM unnest('{a,b,c,d}'::text[]) name;
SELECT probds_drop_rollup('e_options');
SELECT relname FROM pg_class WHERE relname ~ '^[a-e](_(parts|query|options))?$' ORDER BY 1;
SELECT probds_drop_rollup('a');
SET client_min_messages = warning;
SELECT probds_create_rollup('again', 'SELECT norm(k) AS k, count(*) AS n FROM other GROUP BY 1');
DROP FUNCTION norm(int) CASCADE;
INSERT INTO other VALUES (1, 1);
SELECT probds_drop_rollup('again');
SELECT probds_create_rollup('again', 'SELECT k, count(*) AS n FROM other GROUP BY 1');
DROP TABLE other CASCADE;
TABLE status;
SELECT probds_drop_rollup('again');
SELECT relname FROM pg_class WHERE relname ~ '^again';

SELECT probds_drop_rollup('daily');
DROP VIEW status;
DROP TABLE visits;
