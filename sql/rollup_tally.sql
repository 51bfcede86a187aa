-- A source that has no triggers is counted at each refresh: late and deleted rows are told
SET TimeZone = 'UTC';
CREATE SCHEMA tallied;
SET search_path = tallied, public;
SET client_min_messages = warning;
CREATE TABLE hits (id bigserial, site int, who text);
INSERT INTO hits (site, who) SELECT i % 7, 'who ' || i % 300 FROM generate_series(1, 1000) i;
CREATE ROLE regress_probds_reader;
GRANT USAGE, CREATE ON SCHEMA tallied TO regress_probds_reader;
GRANT SELECT ON hits, hits_id_seq TO regress_probds_reader;
CREATE VIEW status AS SELECT rollup, status FROM probds_rollups() WHERE source = 'hits'::regclass ORDER BY rollup::text;
GRANT SELECT ON status TO regress_probds_reader;

-- the owner may read it, and may not hang triggers on it
SET ROLE regress_probds_reader;
SET client_min_messages = notice;
SELECT probds_create_rollup('by_site', 'hits', ARRAY['site'], ARRAY['hll_agg(who) AS who', 'count(*) AS n', 'sum(id) AS sum'], refresh => 'id');
SET client_min_messages = warning;
-- nothing is told while nothing is wrong
CALL probds_refresh_rollup('by_site', batch => 300);
CALL probds_refresh_rollup('by_site');
RESET ROLE;
INSERT INTO hits (site, who) SELECT i % 9, 'who ' || i FROM generate_series(1, 500) i;
INSERT INTO hits (site, who) VALUES (3, 'x'), (4, 'y');
SELECT nextval('hits_id_seq') > 0 AS "a gap in the numbers";
SET ROLE regress_probds_reader;
CALL probds_refresh_rollup('by_site', batch => 100);
CALL probds_refresh_rollup('by_site');
SELECT count(*) AS wrong FROM (TABLE by_site EXCEPT ALL TABLE by_site_rollup) d;
TABLE status;

-- a number that had been passed
RESET ROLE;
INSERT INTO hits VALUES (-5, 1, 'who came late');
SET ROLE regress_probds_reader;
CALL probds_refresh_rollup('by_site');
-- is told once
CALL probds_refresh_rollup('by_site');
TABLE status;
SELECT count(*) AS wrong FROM (TABLE by_site EXCEPT ALL TABLE by_site_rollup) d;
SELECT probds_rebuild_rollup('by_site');
SELECT count(*) AS wrong FROM (TABLE by_site EXCEPT ALL TABLE by_site_rollup) d;
TABLE status;
CALL probds_refresh_rollup('by_site');

-- a number that was taken before the refresh, in a statement of its own
RESET ROLE;
SELECT nextval('hits_id_seq') AS number \gset
INSERT INTO hits (site, who) VALUES (1, 'in time');
SET ROLE regress_probds_reader;
CALL probds_refresh_rollup('by_site');
RESET ROLE;
INSERT INTO hits VALUES (:number, 1, 'late');
SET ROLE regress_probds_reader;
CALL probds_refresh_rollup('by_site');
TABLE status;
SELECT probds_rebuild_rollup('by_site');

-- as many rows as before, and others
RESET ROLE;
INSERT INTO hits VALUES (-7, 1, 'late');
DELETE FROM hits WHERE id = 17;
SET ROLE regress_probds_reader;
CALL probds_refresh_rollup('by_site');
SELECT probds_rebuild_rollup('by_site');

-- no row
RESET ROLE;
TRUNCATE hits;
SET ROLE regress_probds_reader;
CALL probds_refresh_rollup('by_site');
SELECT probds_rebuild_rollup('by_site');
SELECT count(*) FROM by_site;
RESET ROLE;
INSERT INTO hits (site, who) SELECT i % 7, 'who ' || i FROM generate_series(1, 100) i;
SET ROLE regress_probds_reader;
CALL probds_refresh_rollup('by_site');
SELECT count(*) AS wrong FROM (TABLE by_site EXCEPT ALL TABLE by_site_rollup) d;
TABLE status;

-- without the rows that were there
SELECT probds_create_rollup('from_now_on', 'hits', '{}', ARRAY['count(*) AS n'], refresh => 'id', backfill => false);
RESET ROLE;
INSERT INTO hits (site, who) VALUES (1, 'a'), (2, 'b');
INSERT INTO hits VALUES (-9, 1, 'late');
SET ROLE regress_probds_reader;
CALL probds_refresh_rollup('from_now_on');
TABLE from_now_on;
SELECT probds_drop_rollup('by_site'), probds_drop_rollup('from_now_on');
RESET ROLE;

-- triggers that are switched off, or go: from the next refresh on
SELECT probds_create_rollup('mine', 'hits', '{}', ARRAY['count(*) AS n'], refresh => 'id');
CALL probds_refresh_rollup('mine');
SELECT rows_counted, numbers_counted FROM mine_progress;
TABLE status;
ALTER TABLE hits DISABLE TRIGGER mine_late;
TABLE status;
CALL probds_refresh_rollup('mine');
INSERT INTO hits VALUES (-11, 1, 'late');
CALL probds_refresh_rollup('mine');
ALTER TABLE hits ENABLE TRIGGER mine_late;
SELECT probds_rebuild_rollup('mine');
SELECT rows_counted, numbers_counted FROM mine_progress;
DROP TRIGGER mine_changes ON hits;
CALL probds_refresh_rollup('mine');
DELETE FROM hits WHERE id = -11;
CALL probds_refresh_rollup('mine');
TABLE status;
SELECT probds_rebuild_rollup('mine');
TABLE status;
SELECT probds_drop_rollup('mine');

-- where numbers of a worker of Citus begin, and no trigger tells of them
SET ROLE regress_probds_reader;
SELECT probds_create_rollup('central', 'hits', '{}', ARRAY['count(*) AS n'], refresh => 'id');
CALL probds_refresh_rollup('central');
RESET ROLE;
INSERT INTO hits VALUES (281474976710657, 1, 'through a worker');
SET ROLE regress_probds_reader;
\set SHOW_CONTEXT never
CALL probds_refresh_rollup('central');
RESET ROLE;

\set VERBOSITY terse
DROP SCHEMA tallied CASCADE;
DROP ROLE regress_probds_reader;
