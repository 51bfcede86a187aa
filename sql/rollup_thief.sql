-- A thief with a rollup of somebody else's table, with and without rights on it, and with look-alikes
\set SHOW_CONTEXT never
SET TimeZone = 'UTC';
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE ROLE probds_victim;
CREATE ROLE probds_thief;
CREATE ROLE probds_reader;
CREATE SCHEMA shop AUTHORIZATION probds_victim;
CREATE SCHEMA loot AUTHORIZATION probds_thief;
GRANT USAGE ON SCHEMA shop TO PUBLIC;
GRANT CREATE ON SCHEMA public TO probds_thief;

-- a thief's function: its result is a group, so that rows show as whom it ran; it notes that, too
SET ROLE probds_thief;
CREATE TABLE loot.ran (who text);
GRANT INSERT ON loot.ran TO PUBLIC;
GRANT USAGE ON SCHEMA loot TO PUBLIC;
CREATE FUNCTION loot.whoami(anyelement) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN current_user; END $$;
CREATE FUNCTION loot.spy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO loot.ran VALUES (current_user); RETURN coalesce(NEW, OLD); END $$;

SET ROLE probds_victim;
CREATE TABLE shop.visits (id int, day date, who text);
INSERT INTO shop.visits SELECT i, '2026-01-01'::date + i % 3, 'v' || i FROM generate_series(1, 30) i;
SELECT probds_create_rollup('shop.daily', 'SELECT day, hll_agg(who) AS who, count(*) AS n FROM shop.visits GROUP BY day');
GRANT SELECT ON shop.daily TO probds_reader;

-- ---------- who may read ----------
SET ROLE probds_reader;
SELECT count(*) FROM shop.daily;
TABLE shop.daily_parts;
TABLE shop.daily_query;
TABLE shop.daily_options;
SELECT rollup, status FROM probds_rollups();
SELECT * FROM _probds_rollup_touched(NULL::shop.daily_query, '00000000-0000-0000-0000-000000000000', false);
SET ROLE probds_victim;
UPDATE shop.visits SET who = 'x' WHERE id = 1;
SET ROLE probds_reader;
SELECT sum(n) FROM shop.daily;
SELECT * FROM _probds_rollup_touched(NULL::shop.daily_query, gen_random_uuid(), false);
SET ROLE probds_thief;
TABLE shop.daily;
SELECT rollup, status FROM probds_rollups();

-- ---------- who may change it ----------
SET ROLE probds_reader;
CALL probds_refresh_rollup('shop.daily');
CALL probds_rebuild_rollup('shop.daily');
SELECT probds_fold_rollup('shop.daily');
SELECT probds_alter_rollup('shop.daily', live => false);
SELECT probds_add_rollup_column('shop.daily', 'max(id) AS id');
SELECT probds_drop_rollup_column('shop.daily', 'n');
SELECT probds_alter_rollup_source('shop.visits', 'ADD COLUMN x int');
SELECT probds_drop_rollup('shop.daily');
INSERT INTO shop.daily_parts (n) VALUES (1);
-- by a schedule, only one's own
RESET ROLE;
UPDATE shop.daily_options SET schedule = '1 second';
CALL probds_refresh_due_rollups();
SELECT groups_waiting FROM probds_rollups();

-- ---------- a source of somebody else's ----------
SET ROLE probds_thief;
SELECT probds_create_rollup('loot.daily', 'SELECT day, count(*) AS n FROM shop.visits GROUP BY day');
-- one put together by hand, of a view that needs no rights to be made
CREATE VIEW loot.mine_query AS SELECT who, count(*) AS n FROM shop.visits GROUP BY who;
CREATE TABLE loot.mine_parts (probds_touched boolean, who text, n bigint);
CREATE VIEW loot.mine AS SELECT who, n FROM loot.mine_parts;
CREATE TABLE loot.mine_options AS SELECT 2 AS probds_rollup, NULL::loot.mine_query AS query, NULL::loot.mine_parts AS stored, NULL::loot.mine AS shown,
    true AS live, true AS built, '{}'::text[] AS settings, gen_random_uuid() AS secret, NULL::interval AS retention, NULL::interval AS frozen_after, NULL::interval AS schedule;
CREATE TRIGGER spy BEFORE INSERT OR UPDATE OR DELETE ON loot.mine_parts FOR EACH ROW EXECUTE FUNCTION loot.spy();
CREATE TRIGGER spy BEFORE INSERT OR UPDATE OR DELETE ON loot.mine_options FOR EACH ROW EXECUTE FUNCTION loot.spy();
SET ROLE probds_victim;
INSERT INTO shop.visits VALUES (31, '2026-01-01', 'secret');
UPDATE shop.visits SET who = 'secret too' WHERE id = 2;
DELETE FROM shop.visits WHERE id = 3;
SELECT count(*) FROM (TABLE shop.daily EXCEPT TABLE shop.daily_query) d;
SET ROLE probds_thief;
TABLE loot.mine_parts;
TABLE loot.ran;
CALL probds_rebuild_rollup('loot.mine');
-- nor one that takes the parts of the victim's rollup for its own
CREATE TABLE loot.taken (probds_rollup int, query shop.daily_query, stored shop.daily_parts, shown shop.daily);
SET ROLE probds_victim;
SELECT rollup, status FROM probds_rollups();
INSERT INTO shop.visits VALUES (32, '2026-01-01', 'secret');
SELECT count(*) FROM (TABLE shop.daily EXCEPT TABLE shop.daily_query) d;
-- with the rights: the code runs as the thief
GRANT SELECT, TRIGGER ON shop.visits TO probds_thief;
SET ROLE probds_thief;
DROP TABLE loot.mine_options, loot.mine_parts, loot.taken CASCADE;
DROP VIEW loot.mine_query;
SELECT probds_create_rollup('loot.thieves', 'SELECT loot.whoami(day) AS as_whom, count(*) AS n FROM shop.visits GROUP BY 1');
GRANT SELECT ON loot.thieves TO PUBLIC;
CREATE TRIGGER spy AFTER INSERT OR UPDATE OR DELETE ON loot.thieves_parts FOR EACH ROW EXECUTE FUNCTION loot.spy();
SET ROLE probds_victim;
INSERT INTO shop.visits VALUES (33, '2026-01-01', 'x');
UPDATE shop.visits SET day = '2026-01-09' WHERE id = 5;
SELECT as_whom, n FROM loot.thieves;
RESET ROLE;
INSERT INTO shop.visits VALUES (34, '2026-01-01', 'x');
CALL probds_refresh_rollup('loot.thieves');
SELECT probds_fold_rollup('loot.thieves') >= 0 AS folded;
ALTER TABLE shop.visits ADD COLUMN more int;
SELECT as_whom, n = (SELECT count(*) FROM shop.visits) AS all_of_them FROM loot.thieves;
SELECT DISTINCT who FROM loot.ran;
-- a trap: rows that do not go
SET ROLE probds_thief;
CREATE FUNCTION loot.stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER stay BEFORE DELETE ON loot.thieves_parts FOR EACH ROW EXECUTE FUNCTION loot.stay();
RESET ROLE;
UPDATE shop.visits SET day = '2026-01-10' WHERE id = 6;
CALL probds_refresh_rollup('loot.thieves');
DROP TRIGGER stay ON loot.thieves_parts;
-- the rights are taken away: what comes then is not counted, and the status says so
REVOKE SELECT ON shop.visits FROM probds_thief;
INSERT INTO shop.visits VALUES (35, '2026-01-01', 'secret');
SET ROLE probds_thief;
SELECT status ~ 'may not read' AS told FROM probds_rollups() WHERE rollup = 'loot.thieves'::regclass;
SELECT probds_add_rollup_column('loot.thieves', 'max(who) AS who');
CALL probds_rebuild_rollup('loot.thieves');
RESET ROLE;
GRANT SELECT ON shop.visits TO probds_thief;
SET ROLE probds_thief;
SELECT status ~ 'missed' AS told FROM probds_rollups() WHERE rollup = 'loot.thieves'::regclass;
-- row-level security that comes later
RESET ROLE;
ALTER TABLE shop.visits ENABLE ROW LEVEL SECURITY;
SET ROLE probds_victim;
CREATE POLICY mine ON shop.visits FOR SELECT TO probds_thief USING (who <> 'secret');
INSERT INTO shop.visits VALUES (36, '2026-01-02', 'secret');
SELECT count(*) FROM (TABLE shop.daily EXCEPT TABLE shop.daily_query) d;
SET ROLE probds_thief;
SELECT status ~ 'row-level security' AS told FROM probds_rollups() WHERE rollup = 'loot.thieves'::regclass;
SELECT probds_create_rollup('loot.more', 'SELECT who, count(*) AS n FROM shop.visits GROUP BY who');
SELECT probds_drop_rollup('loot.thieves');
RESET ROLE;
ALTER TABLE shop.visits DISABLE ROW LEVEL SECURITY;
DROP POLICY mine ON shop.visits;
REVOKE ALL ON shop.visits FROM probds_thief;

-- ---------- look-alikes ----------
SET ROLE probds_thief;
CREATE FUNCTION public._probds_rollup_touched(shop.daily_query, uuid, boolean) RETURNS SETOF shop.daily_query LANGUAGE plpgsql AS $$ BEGIN INSERT INTO loot.ran VALUES ('touched ' || current_user); END $$;
CREATE FUNCTION public.hll_merge_agg(hll, int) RETURNS hll LANGUAGE plpgsql AS $$ BEGIN INSERT INTO loot.ran VALUES ('merge ' || current_user); RETURN $1; END $$;
CREATE FUNCTION public.same(date, date) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN INSERT INTO loot.ran VALUES ('same ' || current_user); RETURN true; END $$;
CREATE OPERATOR public.= (LEFTARG = date, RIGHTARG = date, FUNCTION = public.same);
CREATE FUNCTION public.count(text) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
SET ROLE probds_victim;
SELECT probds_alter_rollup('shop.daily', live => true);
RESET ROLE;
-- nor is it ours as a member of the extension, as the owner of a trusted one can make it
ALTER EXTENSION probds ADD FUNCTION public._probds_rollup_touched(shop.daily_query, uuid, boolean);
SET ROLE probds_victim;
SELECT probds_alter_rollup('shop.daily', live => true);
RESET ROLE;
ALTER EXTENSION probds DROP FUNCTION public._probds_rollup_touched(shop.daily_query, uuid, boolean);
DROP FUNCTION public._probds_rollup_touched(shop.daily_query, uuid, boolean);
SET ROLE probds_victim;
SELECT probds_alter_rollup('shop.daily', live => false);
SELECT probds_alter_rollup('shop.daily', live => true);
UPDATE shop.visits SET who = 'y' WHERE id = 7;
CALL probds_refresh_rollup('shop.daily');
CALL probds_rebuild_rollup('shop.daily');
SELECT probds_fold_rollup('shop.daily') >= 0 AS folded;
SELECT probds_alter_rollup_source('shop.visits', 'ALTER who TYPE varchar');
SELECT count(*) FROM (TABLE shop.daily EXCEPT TABLE shop.daily_query) d;
-- a better fit for the new type is refused
CREATE TABLE shop.sold (what int, n int);
SELECT probds_create_rollup('shop.by_n', 'SELECT n, hll_agg(what) AS what FROM shop.sold GROUP BY n');
SET ROLE probds_thief;
CREATE AGGREGATE public.hll_agg(bigint) (SFUNC = int8pl, STYPE = bigint, INITCOND = '0');
SET ROLE probds_victim;
-- without a position, which is in the text of a view, and majors write that in different ways
CREATE FUNCTION pg_temp.says(command text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
    RETURN probds_alter_rollup_source('shop.sold', command);
EXCEPTION WHEN OTHERS THEN RETURN SQLERRM;
END $$;
SELECT pg_temp.says('ALTER what TYPE bigint');
SELECT pg_temp.says('ADD COLUMN x int; DROP VIEW shop.by_n_query CASCADE');
RESET ROLE;
SELECT who FROM loot.ran WHERE who ~ ' ';

-- ---------- a rollup of somebody else's rollup ----------
SET ROLE probds_victim;
GRANT SELECT ON shop.daily TO probds_thief;
SET ROLE probds_thief;
SELECT probds_create_rollup('loot.weekly', 'SELECT date_trunc(''week'', day)::date AS week, sum(n) AS n FROM shop.daily GROUP BY 1');
SELECT probds_create_rollup_view('loot.weekly', 'shop.daily', ARRAY['loot.whoami(day) AS as_whom']);
SELECT as_whom FROM loot.weekly;

-- ---------- who reads a table of the thief's, and is answered from his rollups, runs none of his code ----------
SET ROLE probds_thief;
CREATE FUNCTION loot.tell(bigint) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'it runs as %', current_user; RETURN $1; END $$;
CREATE FUNCTION loot.ten() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF current_user <> 'probds_thief' THEN RAISE WARNING 'it runs as %', current_user; END IF; RETURN 10; END $$;
CREATE DOMAIN loot.number AS int;
CREATE TABLE loot.bait (k loot.number, n int);
INSERT INTO loot.bait SELECT i % 3, i FROM generate_series(1, 2000) i;
-- a view in the place of the parts
SELECT probds_create_rollup('loot.by_view', 'SELECT k, count(*) AS n FROM loot.bait GROUP BY k');
CREATE VIEW loot.telling AS SELECT probds_touched, k, loot.tell(n) AS n FROM loot.by_view_parts;
ALTER TABLE loot.by_view_options DROP COLUMN stored, ADD COLUMN stored loot.telling;
-- parts of other types: a condition of a domain
SELECT probds_create_rollup('loot.by_domain', 'SELECT k, sum(n) AS s FROM loot.bait GROUP BY k');
CREATE TABLE loot.numbers AS SELECT probds_touched, k::int, s FROM loot.by_domain_parts;
ALTER TABLE loot.by_domain_options DROP COLUMN stored, ADD COLUMN stored loot.numbers;
ALTER DOMAIN loot.number ADD CHECK (loot.tell(VALUE) IS NOT NULL) NOT VALID;
-- a constant of a key
SELECT probds_create_rollup('loot.by_ten', 'SELECT n / loot.ten() AS tens, count(*) AS n FROM loot.bait GROUP BY 1');
GRANT SELECT ON ALL TABLES IN SCHEMA loot TO probds_reader;
SET ROLE probds_reader;
SET probds.answer_from_rollups = on;
SELECT k, count(*) FROM loot.bait GROUP BY k ORDER BY k;
SELECT k, sum(n) FROM loot.bait GROUP BY k ORDER BY k;
SELECT count(*) FROM loot.bait WHERE n >= 5 AND n < 1005;
RESET probds.answer_from_rollups;

-- a function that is a member of the extension, as the owner of a trusted one can make it
SET ROLE probds_thief;
-- (a writer in a hundred folds, and what is folded is checked once more)
ALTER DOMAIN loot.number DROP CONSTRAINT number_check;
SELECT probds_create_rollup('loot.by_last', 'SELECT n % 10 AS last, max(n) AS n FROM loot.bait GROUP BY 1');
GRANT SELECT ON loot.by_last TO probds_reader;
CREATE FUNCTION public._probds_rollup_touched(loot.by_last_query, uuid, boolean) RETURNS SETOF loot.by_last_query LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'it runs as %', current_user; END $$;
RESET ROLE;
ALTER EXTENSION probds ADD FUNCTION public._probds_rollup_touched(loot.by_last_query, uuid, boolean);
UPDATE loot.bait SET n = n + 10 WHERE n = 2000;
SET ROLE probds_reader;
SET probds.answer_from_rollups = on;
SELECT n % 10 AS last, max(n) FROM loot.bait GROUP BY 1 ORDER BY 1 LIMIT 2;
RESET probds.answer_from_rollups;
RESET ROLE;
ALTER EXTENSION probds DROP FUNCTION public._probds_rollup_touched(loot.by_last_query, uuid, boolean);

SET ROLE probds_thief;
CREATE FUNCTION loot.step(hll, int) RETURNS hll LANGUAGE plpgsql AS $$ BEGIN IF current_user <> 'probds_thief' THEN RAISE WARNING 'it runs as %', current_user; END IF; RETURN public.hll_add($1, $2); END $$;
CREATE AGGREGATE loot.hll_agg(int) (SFUNC = loot.step, STYPE = hll);
RESET ROLE;
ALTER EXTENSION probds ADD AGGREGATE loot.hll_agg(int);
SET ROLE probds_thief;
SELECT probds_create_rollup('loot.distinct', 'SELECT n / 10 AS ten, loot.hll_agg(n) AS numbers FROM loot.bait GROUP BY 1');
GRANT SELECT ON loot.distinct TO probds_reader;
SET ROLE probds_reader;
SET probds.answer_from_rollups = on;
SELECT approx_count_distinct(n) BETWEEN 990 AND 1010 AS near FROM loot.bait WHERE n >= 5 AND n < 1005;
RESET probds.answer_from_rollups;
RESET ROLE;
ALTER EXTENSION probds DROP AGGREGATE loot.hll_agg(int);

-- ---------- a rollup of his rollup-like view, over a table or with parts that are not his: neither is locked ----------
CREATE TABLE shop.safe (probds_touched boolean, k int, n bigint);
SET ROLE probds_thief;
CREATE VIEW loot.over_query AS SELECT k, count(*) AS n FROM shop.safe GROUP BY k;
CREATE TABLE loot.over_parts (probds_touched boolean, k int, n bigint);
CREATE VIEW loot.over AS SELECT k, n FROM loot.over_parts;
CREATE TABLE loot.over_options AS SELECT o.probds_rollup, NULL::loot.over_query AS query, NULL::loot.over_parts AS stored, NULL::loot.over AS shown,
    o.live, o.built, o.settings, o.secret, o.retention, o.frozen_after, o.schedule, o.refreshing, o.groups, o.groups_done, o.last_refresh, o.failure FROM loot.by_ten_options o;
CREATE VIEW loot.locked AS SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'shop.safe'::regclass AND mode <> 'AccessShareLock';
SELECT probds_create_rollup('loot.top', 'SELECT k, sum(n) AS s, max(n) AS m FROM loot.over GROUP BY k');
BEGIN;
SELECT probds_drop_rollup_column('loot.top', 'm');
TABLE loot.locked;
ROLLBACK;
ALTER TABLE loot.over_options DROP COLUMN stored, ADD COLUMN stored shop.safe;
BEGIN;
SELECT probds_drop_rollup('loot.top');
TABLE loot.locked;
COMMIT;
SELECT probds_create_rollup('loot.top', 'SELECT k, sum(n) AS s FROM loot.over GROUP BY k');

RESET ROLE;
SET client_min_messages = error;
DROP SCHEMA loot, shop CASCADE;
DROP OWNED BY probds_thief, probds_victim, probds_reader CASCADE;
DROP ROLE probds_thief, probds_victim, probds_reader;
SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal;
