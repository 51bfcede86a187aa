-- Rollups and those who would like to be somebody else: no role runs code as another
\set SHOW_CONTEXT never
SET TimeZone = 'UTC';
SET client_min_messages = warning;
-- (as it is from PostgreSQL 15 on)
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
CREATE ROLE regress_probds_owner;
CREATE ROLE regress_probds_writer;
CREATE ROLE regress_probds_thief;

-- ---------- a search_path that is up to no good ----------
CREATE TABLE visits (id bigserial, ts timestamptz, country text, visitor text);
CREATE TABLE parted (at date, who int);
CREATE SCHEMA evil;
CREATE FUNCTION evil.format(text, text) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $1';
CREATE FUNCTION evil.array_to_string(anyarray, text) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $2';
CREATE FUNCTION evil.count() RETURNS int LANGUAGE sql AS 'SELECT 1/0';
CREATE FUNCTION evil.max(bigint) RETURNS int LANGUAGE sql AS 'SELECT 1/0';
CREATE FUNCTION evil.current_setting(text) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $1';
CREATE FUNCTION evil.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $1';
CREATE FUNCTION evil.pg_get_serial_sequence(text, text) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $1';
CREATE FUNCTION evil.pg_sequence_last_value(regclass) RETURNS bigint LANGUAGE sql AS 'SELECT 1/0::bigint';
CREATE FUNCTION evil.eq(int, int) RETURNS boolean LANGUAGE sql AS 'SELECT 1/0 = 1';
CREATE FUNCTION evil.eq(oid, oid) RETURNS boolean LANGUAGE sql AS 'SELECT 1/0 = 1';
CREATE FUNCTION evil.eq(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT 1/0 = 1';
CREATE OPERATOR evil.= (LEFTARG = int, RIGHTARG = int, FUNCTION = evil.eq);
CREATE OPERATOR evil.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = evil.eq);
CREATE OPERATOR evil.> (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = evil.eq);
CREATE OPERATOR evil.<= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = evil.eq);
CREATE OPERATOR evil.+ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4mul);
CREATE DOMAIN evil.text AS int;
CREATE DOMAIN evil.int8 AS text;
CREATE DOMAIN evil.regclass AS int;
SET search_path = evil, pg_catalog, public;
-- the caller's + is what the caller says it is, and stays so
SELECT probds_create_rollup('public.good', 'public.parted', ARRAY['at'::pg_catalog.text], ARRAY['sum(who + 2) AS who', 'hll_agg(who) AS whos'], slots => 2);
SELECT probds_create_rollup('public.good_numbered', 'public.visits', ARRAY['country'::pg_catalog.text], ARRAY['hll_agg(visitor) AS whos'], refresh => 'id');
INSERT INTO parted (at, who) VALUES ('2024-01-10', 11), ('2024-01-10', 12);
INSERT INTO visits (ts, country, visitor) VALUES ('2024-01-01', 'de', 'a');
CALL probds_refresh_rollup('public.good_numbered');
UPDATE visits SET visitor = 'b';
TRUNCATE parted;
INSERT INTO parted (at, who) VALUES ('2024-01-10', 11), ('2024-01-10', 12);
SELECT probds_create_rollup_view('public.good_view', 'public.good', ARRAY[]::pg_catalog.text[]);
SELECT probds_fold_rollup('public.good') OPERATOR(pg_catalog.>) 0 AS folded, probds_rebuild_rollup('public.good'), probds_rebuild_rollup('public.good_numbered');
SELECT rollup, source, refresh, slots, rows_behind, status FROM probds_rollups();
SELECT sketch_column, sketches FROM probds_health() WHERE sketch_column LIKE 'public.good_numbered.%';
RESET search_path;
SELECT who = (SELECT sum(2 * who) FROM parted) AS same FROM good_view;
SELECT country, #whos AS whos FROM good_numbered;
SET search_path = evil, pg_catalog, public;
SELECT probds_drop_rollup('public.good'), probds_drop_rollup('public.good_numbered');
SET search_path = '';
SELECT public.probds_create_rollup('good', 'public.parted', ARRAY['at'], ARRAY['public.hll_agg(who)']);
SELECT public.probds_create_rollup('public.good', 'public.parted', ARRAY['at'], ARRAY['public.hll_agg(who)']);
INSERT INTO public.parted (at, who) VALUES ('2024-01-10', 13);
SELECT public.probds_drop_rollup('public.good');
RESET search_path;
DROP SCHEMA evil CASCADE;

-- ---------- writers have no rights on a rollup ----------
CREATE SCHEMA owned AUTHORIZATION regress_probds_owner;
GRANT USAGE ON SCHEMA owned TO regress_probds_writer;
SET ROLE regress_probds_owner;
CREATE TABLE owned.hits (id bigserial, who int, tg_op text);
GRANT INSERT, UPDATE, DELETE, SELECT, TRUNCATE ON owned.hits TO regress_probds_writer;
GRANT USAGE ON SEQUENCE owned.hits_id_seq TO regress_probds_writer;
SELECT probds_create_rollup('owned.counted', 'owned.hits', ARRAY['tg_op'], ARRAY['hll_agg(who) AS who', 'count(*) AS n'], slots => 2);
SELECT probds_create_rollup('owned.counted_later', 'owned.hits', ARRAY['tg_op'], ARRAY['hll_agg(who) AS who', 'count(*) AS n'], refresh => 'id');
SET ROLE regress_probds_writer;
INSERT INTO owned.hits (who, tg_op) SELECT i, 'x' FROM generate_series(1, 100) i;
INSERT INTO owned.hits (id, who, tg_op) VALUES (1, 1, 'x');
UPDATE owned.hits SET who = 1000 WHERE who = 1;
SELECT * FROM owned.counted;
SELECT * FROM owned.counted_progress;
SELECT nextval('owned.counted_changes');
CALL probds_refresh_rollup('owned.counted_later');
SELECT probds_fold_rollup('owned.counted');
SELECT probds_rebuild_rollup('owned.counted');
SELECT probds_drop_rollup('owned.counted');
SELECT * FROM probds_rollups();
SELECT probds_create_rollup('owned.theirs', 'owned.hits', '{}', ARRAY['count(*)']);
SET ROLE regress_probds_owner;
CALL probds_refresh_rollup('owned.counted_later');
SELECT tg_op, #who AS who, n FROM owned.counted UNION ALL SELECT tg_op, #who, n FROM owned.counted_later;
SELECT rollup, status FROM probds_rollups() ORDER BY rollup::text;
-- parts with different owners: that rollup stops, and another one on its source does not
RESET ROLE;
ALTER TABLE owned.counted_later OWNER TO regress_probds_writer;
CALL probds_refresh_rollup('owned.counted_later');
SELECT rollup, status FROM probds_rollups() ORDER BY rollup::text;
ALTER TABLE owned.counted_later OWNER TO regress_probds_owner;
SET ROLE regress_probds_owner;
SELECT probds_create_rollup('public.mine', 'owned.hits', '{}', ARRAY['count(*)']);
SELECT probds_create_rollup('owned.theirs', 'public.parted', '{}', ARRAY['count(*)']);
RESET ROLE;
-- who may read the source, and may not hang triggers on it, may refresh
GRANT CREATE, USAGE ON SCHEMA owned TO regress_probds_thief;
GRANT SELECT ON visits TO regress_probds_thief;
SET ROLE regress_probds_thief;
SELECT probds_create_rollup('owned.read_only', 'public.visits', '{}', ARRAY['count(*) AS n']);
SELECT probds_create_rollup('owned.read_only', 'public.visits', '{}', ARRAY['count(*) AS n'], refresh => 'id');
RESET ROLE;
GRANT SELECT ON SEQUENCE visits_id_seq TO regress_probds_thief;
SET ROLE regress_probds_thief;
SET client_min_messages = notice;
SELECT probds_create_rollup('owned.read_only', 'public.visits', '{}', ARRAY['count(*) AS n'], refresh => 'id');
SET client_min_messages = warning;
CALL probds_refresh_rollup('owned.read_only');
SELECT n = (SELECT count(*) FROM visits) AS same FROM owned.read_only;
SELECT rollup, status FROM probds_rollups();
SELECT probds_drop_rollup('owned.read_only');
RESET ROLE;

-- ---------- a thief's overloads in the schema of the extension ----------
-- each would win over a call that leaves a type open, and says who runs it (in calls of
-- our own the types are given)
CREATE TABLE owned.loot (who name, what text);
GRANT INSERT ON owned.loot TO PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO regress_probds_thief;
SET ROLE regress_probds_thief;
DO $$
DECLARE
    f record;
    made int := 0;
BEGIN
    -- an overload of each function that rollups and health might call, for related types
    FOR f IN SELECT DISTINCT p.proname, p.pronargs FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
             WHERE p.proname ~ '^_?(probds|hll|bloom|cms|topk|cuckoo|counting|scalable|minhash)' AND p.prokind = 'f' AND p.pronargs BETWEEN 1 AND 9
    LOOP
        FOR t IN 1..4 LOOP
            BEGIN
                EXECUTE format('CREATE FUNCTION public.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', f.proname,
                    array_to_string(array_fill((ARRAY['name', 'varchar', 'anyelement', 'text'])[t], ARRAY[f.pronargs::int]), ', '),
                    CASE t WHEN 3 THEN 'anyelement' ELSE 'text' END,
                    'BEGIN INSERT INTO owned.loot VALUES (current_user, ' || quote_literal(f.proname) || '); RETURN NULL; END');
                made := made + 1;
            EXCEPTION WHEN duplicate_function OR invalid_function_definition THEN NULL;
            END;
        END LOOP;
    END LOOP;
    RAISE WARNING '%', CASE WHEN made > 300 THEN 'overloads made' ELSE 'only ' || made END;
END $$;
RESET ROLE;
SET search_path = owned, public;
SELECT probds_create_rollup('victim', 'visits', ARRAY['ts::date AS day', 'country'], ARRAY['hll_agg(visitor) AS v', 'count(*) AS n', 'max(visitor) AS last', 'cuckoo_agg(visitor, 100) AS c', 'counting_bloom_agg(visitor, 100) AS b', 'minhash_agg(visitor) AS m'], slots => 4);
SELECT probds_create_rollup('victim_later', 'visits', ARRAY['country'], ARRAY['hll_agg(visitor) AS v', 'count(*) AS n', 'cuckoo_agg(visitor, 100) AS c', 'counting_bloom_agg(visitor, 100) AS b', 'minhash_agg(visitor) AS m'], refresh => 'id');
SELECT probds_create_rollup_view('victim_view', 'victim', ARRAY['country']);
INSERT INTO visits (ts, country, visitor) VALUES ('2024-01-01', 'de', 'a'), ('2024-01-01', NULL, 'b');
CALL probds_refresh_rollup('victim_later');
SELECT country, #v AS v, n FROM victim_view ORDER BY 1;
SELECT country, #v AS v, n FROM victim_later ORDER BY 1;
SELECT probds_fold_rollup('victim'::regclass) > 0 AS folded;
SELECT probds_rebuild_rollup('victim'::regclass), probds_rebuild_rollup('victim_later'::regclass);
UPDATE visits SET visitor = 'c';
SELECT rollup, status FROM probds_rollups() ORDER BY rollup::text;
SELECT count(*) > 0 AS looked FROM probds_health();
SELECT probds_drop_rollup('victim'), probds_drop_rollup('victim_later');
RESET search_path;
SELECT DISTINCT who, what FROM owned.loot;
-- nor do overloads that come after a rollup was made change what its expressions mean
CREATE TABLE fashion (id serial, who varchar(20), at date);
CREATE FUNCTION public.plain(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT lower($1)';
SELECT probds_create_rollup('owned.worn'::text, 'fashion'::regclass, ARRAY['public.plain(who) AS who'], ARRAY['hll_agg(at) AS days', 'topk_agg(who, 5) AS top']);
SELECT probds_create_rollup('owned.worn_later'::text, 'fashion'::regclass, ARRAY['public.plain(who) AS who'], ARRAY['hll_agg(at) AS days', 'topk_agg(who, 5) AS top'], refresh => 'id');
SET ROLE regress_probds_thief;
CREATE FUNCTION public.plain(varchar) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM public.carry(); RETURN $1; END $$;
CREATE FUNCTION public.carry() RETURNS void LANGUAGE sql AS $$ INSERT INTO owned.loot VALUES (current_user, 'plain') $$;
CREATE FUNCTION public.step(hll, date) RETURNS hll LANGUAGE plpgsql AS $$ BEGIN PERFORM public.carry(); RETURN $1; END $$;
CREATE AGGREGATE public.hll_agg(date) (SFUNC = public.step, STYPE = hll);
RESET ROLE;
INSERT INTO fashion (who, at) VALUES ('Anna', '2024-01-01'), ('anna', '2024-01-02');
CALL probds_refresh_rollup('owned.worn_later'::regclass);
SELECT who, #days AS days, top -> 'anna' AS anna FROM owned.worn UNION ALL SELECT who, #days AS days, top -> 'anna' AS anna FROM owned.worn_later;
SELECT probds_rebuild_rollup('owned.worn'::regclass), probds_rebuild_rollup('owned.worn_later'::regclass);
SELECT who, #days AS days, top -> 'anna' AS anna FROM owned.worn UNION ALL SELECT who, #days AS days, top -> 'anna' AS anna FROM owned.worn_later;
SELECT DISTINCT who, what FROM owned.loot;
SELECT probds_drop_rollup('owned.worn'), probds_drop_rollup('owned.worn_later');
DROP OWNED BY regress_probds_thief;
DROP TABLE fashion;
DROP FUNCTION public.plain(text);
GRANT USAGE, CREATE ON SCHEMA owned TO regress_probds_thief;

-- ---------- the owner of a rollup ----------
-- whatever he puts into its parts, a superuser who calls runs it as him
SET ROLE regress_probds_thief;
CREATE FUNCTION owned.carry() RETURNS void LANGUAGE sql AS $$ INSERT INTO owned.loot VALUES (current_user, 'steal') $$;
CREATE FUNCTION owned.steal(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
$$ BEGIN
    -- immutable, says the thief
    PERFORM owned.carry();
    RETURN $1;
END $$;
CREATE FUNCTION owned.steal() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    INSERT INTO owned.loot VALUES (current_user, TG_NAME);
    RETURN NEW;
END $$;
CREATE TABLE owned.bait (id bigserial, who int);
GRANT INSERT ON owned.bait TO PUBLIC;
SELECT probds_create_rollup('owned.trap', 'owned.bait', ARRAY['owned.steal(who) AS who'], ARRAY['count(*) AS n'], slots => 2);
SELECT probds_create_rollup('owned.trap_later', 'owned.bait', ARRAY['owned.steal(who) AS who'], ARRAY['count(*) AS n'], refresh => 'id');
CREATE TRIGGER robber BEFORE INSERT OR UPDATE OR DELETE ON owned.trap_slots FOR EACH ROW EXECUTE FUNCTION owned.steal();
CREATE TRIGGER robber_later AFTER INSERT OR UPDATE OR DELETE ON owned.trap_later FOR EACH ROW EXECUTE FUNCTION owned.steal();
CREATE TRIGGER robber_of_progress BEFORE UPDATE ON owned.trap_later_progress FOR EACH ROW EXECUTE FUNCTION owned.steal();
CREATE INDEX ON owned.trap_slots (owned.steal(who));
CREATE RULE burglar AS ON UPDATE TO owned.trap_progress DO ALSO INSERT INTO owned.loot VALUES (current_user, 'rule');
CREATE POLICY p ON owned.trap_slots USING (owned.steal(1) = 1);
ALTER TABLE owned.trap_slots ENABLE ROW LEVEL SECURITY;
RESET ROLE;
INSERT INTO owned.bait (who) VALUES (1), (2);
CALL probds_refresh_rollup('owned.trap_later');
SELECT probds_fold_rollup('owned.trap') > 0 AS folded;
SELECT probds_rebuild_rollup('owned.trap'), probds_rebuild_rollup('owned.trap_later');
SELECT count(*) > 0 AS looked FROM probds_health();
SELECT count(*) AS rollups FROM probds_rollups() WHERE status = 'ok';
-- what is deferred would run when nobody is whom he was
SET ROLE regress_probds_thief;
CREATE CONSTRAINT TRIGGER patient AFTER INSERT OR UPDATE ON owned.trap_later DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION owned.steal();
RESET ROLE;
INSERT INTO owned.bait (who) VALUES (3);
CALL probds_refresh_rollup('owned.trap_later');
SET ROLE regress_probds_thief;
DROP TRIGGER patient ON owned.trap_later;
-- the metadata say nothing that would be executed
UPDATE owned.trap_later_progress SET settings = ARRAY['TimeZone', 'UTC', 'role', 'postgres', 'session_authorization', 'x', 'search_path', 'evil', 'session_preload_libraries', 'x'],
    retention = NULL, mode = 'refresh; DROP TABLE owned.hits';
RESET ROLE;
CALL probds_refresh_rollup('owned.trap_later');
SET ROLE regress_probds_thief;
UPDATE owned.trap_later_progress SET mode = 'refresh';
-- a view of another owner among the parts, or a table
CREATE OR REPLACE VIEW owned.trap_rollup AS SELECT owned.steal(probds_rows.who) AS who, count(*) AS n FROM owned.bait probds_rows GROUP BY 1;
CREATE OR REPLACE VIEW owned.trap_rollup AS SELECT owned.steal(1) AS who, count(*) AS n FROM owned.hits probds_rows GROUP BY 1;
RESET ROLE;
SELECT probds_rebuild_rollup('owned.trap');
GRANT regress_probds_thief TO regress_probds_owner;
ALTER TABLE owned.trap_later OWNER TO regress_probds_owner;
INSERT INTO owned.bait (who) VALUES (4);
CALL probds_refresh_rollup('owned.trap_later');
SELECT rollup, status FROM probds_rollups() WHERE status <> 'ok' ORDER BY rollup::text;
ALTER TABLE owned.trap_later OWNER TO regress_probds_thief;
SELECT probds_drop_rollup('owned.trap'), probds_drop_rollup('owned.trap_later');
SELECT DISTINCT who FROM owned.loot;
DELETE FROM owned.loot;
-- metadata that claim the parts of somebody else
SET ROLE regress_probds_thief;
CREATE TABLE owned.fake_progress (probds_rollup integer, definition owned.counted_rollup, stored owned.counted_slots, shown owned.counted,
    mode text, watermark bigint, slots int, settings text[], retention interval, settled bigint, changes_seen bigint, truncated boolean, last_refresh timestamptz);
CREATE SEQUENCE owned.fake_changes OWNED BY owned.fake_progress.changes_seen;
INSERT INTO owned.fake_progress VALUES (1, NULL, NULL, NULL, 'trigger', NULL, 2);
SELECT probds_rebuild_rollup('owned.fake_progress');
SELECT probds_fold_rollup('owned.fake_progress');
SELECT probds_drop_rollup('owned.fake_progress');
-- nor does a trigger lead to a rollup of another source
CREATE TRIGGER fake AFTER INSERT ON owned.bait REFERENCING NEW TABLE AS probds_rows FOR EACH STATEMENT
    WHEN (NULL::owned.counted_progress IS NULL) EXECUTE FUNCTION _probds_rollup_insert();
INSERT INTO owned.bait (who) VALUES (5);
DROP TRIGGER fake ON owned.bait;
CREATE TRIGGER fake AFTER DELETE ON owned.bait FOR EACH STATEMENT
    WHEN (NULL::owned.counted_progress IS NULL) EXECUTE FUNCTION _probds_rollup_change();
DELETE FROM owned.bait WHERE who = 1;
RESET ROLE;
-- the owner has lost nothing, and does what he could
SET ROLE regress_probds_owner;
SELECT rollup, status FROM probds_rollups() ORDER BY rollup::text;
INSERT INTO owned.hits (who, tg_op) VALUES (7, 'y');
SELECT probds_rebuild_rollup('owned.counted');
SELECT tg_op, #who AS who, n FROM owned.counted ORDER BY 1;
RESET ROLE;
DROP TABLE owned.bait CASCADE;
DROP TABLE owned.fake_progress;

-- ---------- the owner of the source, with policies ----------
REVOKE regress_probds_thief FROM regress_probds_owner;
SET ROLE regress_probds_thief;
CREATE TABLE owned.bait (id bigserial, who int, h hll);
GRANT SELECT, TRIGGER ON owned.bait TO regress_probds_owner;
GRANT SELECT ON SEQUENCE owned.bait_id_seq TO regress_probds_owner;
GRANT INSERT ON owned.bait TO PUBLIC;
SET ROLE regress_probds_owner;
SELECT probds_create_rollup('owned.honest', 'owned.bait', '{}', ARRAY['count(*) AS n', 'hll_agg(who) AS who'], refresh => 'id');
SELECT probds_create_rollup('owned.honest_now', 'owned.bait', '{}', ARRAY['count(*) AS n', 'hll_agg(who) AS who']);
SET ROLE regress_probds_thief;
INSERT INTO owned.bait (who) VALUES (1), (2);
CREATE POLICY p ON owned.bait USING (owned.steal(1) = 1) WITH CHECK (true);
ALTER TABLE owned.bait ENABLE ROW LEVEL SECURITY;
-- another type of a column, with a cast that is the thief's
ALTER TABLE owned.bait ALTER who TYPE text;
SET ROLE regress_probds_owner;
CALL probds_refresh_rollup('owned.honest');
SELECT probds_rebuild_rollup('owned.honest');
SELECT probds_rebuild_rollup('owned.honest_now');
SELECT n, #who AS who FROM owned.honest_now;
SELECT rollup, rows_behind, status FROM probds_rollups() WHERE rollup::text LIKE '%honest%' ORDER BY rollup::text;
SELECT sketch_column, sketches, remark FROM probds_health() WHERE sketch_column ~ 'bait';
SELECT probds_create_rollup('owned.honest_too', 'owned.bait', '{}', ARRAY['count(*) AS n'], refresh => 'id');
RESET ROLE;
SELECT sketch_column, sketches, remark FROM probds_health() WHERE sketch_column ~ 'bait';
SELECT DISTINCT who, what FROM owned.loot;
ALTER TABLE owned.bait FORCE ROW LEVEL SECURITY;
SELECT sketch_column, sketches, remark FROM probds_health() WHERE sketch_column ~ 'bait';
SELECT DISTINCT who, what FROM owned.loot;

SELECT probds_drop_rollup('owned.honest'), probds_drop_rollup('owned.honest_now'), probds_drop_rollup('owned.counted'), probds_drop_rollup('owned.counted_later');
SELECT relname FROM pg_class WHERE relnamespace = 'owned'::regnamespace AND relkind IN ('r', 'v', 'S') ORDER BY 1;
DROP SCHEMA owned CASCADE;
DROP TABLE visits, parted;
DROP OWNED BY regress_probds_owner, regress_probds_writer, regress_probds_thief;
DROP ROLE regress_probds_owner, regress_probds_writer, regress_probds_thief;
