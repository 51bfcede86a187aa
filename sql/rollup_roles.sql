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
CREATE FUNCTION evil.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT 1/0; SELECT pg_catalog.now()';
CREATE FUNCTION evil.hash_record_extended(record, bigint) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN 1/0; END';
CREATE FUNCTION evil.current_setting(text) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $1';
CREATE FUNCTION evil.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $1';
CREATE FUNCTION evil.eq(int, int) RETURNS boolean LANGUAGE sql AS 'SELECT 1/0 = 1';
CREATE FUNCTION evil.eq(oid, oid) RETURNS boolean LANGUAGE sql AS 'SELECT 1/0 = 1';
CREATE FUNCTION evil.eq(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT 1/0 = 1';
CREATE FUNCTION evil.eq(tid, tid) RETURNS boolean LANGUAGE sql AS 'SELECT 1/0 = 1';
CREATE OPERATOR evil.= (LEFTARG = int, RIGHTARG = int, FUNCTION = evil.eq);
CREATE OPERATOR evil.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = evil.eq);
CREATE OPERATOR evil.= (LEFTARG = tid, RIGHTARG = tid, FUNCTION = evil.eq);
CREATE OPERATOR evil.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = evil.eq);
CREATE OPERATOR evil.> (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = evil.eq);
CREATE OPERATOR evil.<= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = evil.eq);
CREATE OPERATOR evil.+ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4mul);
CREATE DOMAIN evil.text AS int;
CREATE DOMAIN evil.int8 AS text;
CREATE DOMAIN evil.regclass AS int;
SET search_path = evil, pg_catalog, public;
-- the caller's + is what the caller says it is, and stays so
SELECT probds_create_rollup('public.good', 'SELECT at, who % 3 AS k, sum(who + 2) AS who, hll_agg(who) AS whos FROM public.parted GROUP BY 1, 2', retention => '1000 years');
SELECT probds_create_rollup('public.good_stale', 'SELECT country, hll_agg(visitor) AS whos FROM public.visits GROUP BY 1', live => false);
SELECT probds_create_rollup('public.good_total', 'SELECT hll_merge_agg(whos) AS whos FROM public.good_stale');
INSERT INTO parted (at, who) VALUES ('2024-01-10', 11), ('2024-01-10', 12);
INSERT INTO visits (ts, country, visitor) VALUES ('2024-01-01', 'de', 'a');
CALL probds_refresh_rollup('public.good_stale');
UPDATE visits SET visitor = 'b';
TRUNCATE parted;
INSERT INTO parted (at, who) VALUES ('2024-01-10', 11), ('2024-01-10', 12);
INSERT INTO parted (at, who) VALUES ('2024-01-10', 11), ('2024-01-10', 12);
SELECT probds_create_rollup_view('public.good_view', 'public.good', ARRAY[]::pg_catalog.text[]);
SELECT probds_fold_rollup('public.good') OPERATOR(pg_catalog.>) 0::pg_catalog.int8 AS folded;
DELETE FROM parted WHERE who OPERATOR(pg_catalog.=) 12;
SELECT who FROM public.good_view;
SELECT probds_add_rollup_column('public.good', 'max(who + 2) AS most');
SELECT probds_alter_rollup('public.good', live => false, retention => '900 years');
CALL probds_rebuild_rollup('public.good');
CALL probds_rebuild_rollup('public.good_stale');
CALL probds_refresh_rollup('public.good_total');
CALL probds_refresh_due_rollups();
SELECT rollup, source, live, groups_waiting, status FROM probds_rollups();
SELECT sketch_column, sketches FROM probds_health() WHERE sketch_column LIKE 'public.good_stale_parts.%';
RESET search_path;
SELECT who = (SELECT sum(2 * who) FROM parted) AS same FROM good_view;
SELECT who, most FROM good;
SELECT country, #whos AS whos FROM good_stale;
SET search_path = evil, pg_catalog, public;
SELECT probds_drop_rollup('public.good_total'), probds_drop_rollup('public.good'), probds_drop_rollup('public.good_stale');
SET search_path = '';
SELECT public.probds_create_rollup('good', 'SELECT at, public.hll_agg(who) FROM public.parted GROUP BY 1');
SELECT public.probds_create_rollup('public.good', 'SELECT at, public.hll_agg(who) FROM public.parted GROUP BY 1');
INSERT INTO public.parted (at, who) VALUES ('2024-01-10', 13);
UPDATE public.parted SET who = 14;
SELECT at, public.hll_cardinality(hll_agg) FROM public.good;
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
SELECT probds_create_rollup('owned.counted', 'SELECT tg_op, hll_agg(who) AS who, count(*) AS n FROM owned.hits GROUP BY 1');
SELECT probds_create_rollup('owned.counted_total', 'SELECT hll_merge_agg(who) AS who, sum(n) AS n FROM owned.counted');
SET ROLE regress_probds_writer;
INSERT INTO owned.hits (who, tg_op) SELECT i, 'x' FROM generate_series(1, 100) i;
INSERT INTO owned.hits (id, who, tg_op) VALUES (1, 1, 'x');
UPDATE owned.hits SET who = 1000 WHERE who = 1;
SELECT * FROM owned.counted;
SELECT * FROM owned.counted_parts;
SELECT * FROM owned.counted_options;
SELECT * FROM owned.counted_query;
CALL probds_refresh_rollup('owned.counted');
CALL probds_rebuild_rollup('owned.counted');
SELECT probds_fold_rollup('owned.counted');
SELECT probds_alter_rollup('owned.counted', live => false);
SELECT probds_add_rollup_column('owned.counted', 'max(who) AS most');
SELECT probds_drop_rollup('owned.counted');
SELECT * FROM probds_rollups();
SELECT probds_create_rollup('owned.theirs', 'SELECT count(*) FROM owned.hits');
CREATE TEMP TABLE mine AS SELECT FROM (SELECT count(*) FROM owned.hits) h;
SET ROLE regress_probds_owner;
SELECT tg_op, #who AS who, n FROM owned.counted UNION ALL SELECT 'all', #who, n FROM owned.counted_total;
CALL probds_refresh_rollup('owned.counted_total');
SELECT tg_op, #who AS who, n FROM owned.counted UNION ALL SELECT 'all', #who, n FROM owned.counted_total;
SELECT rollup, groups_waiting, status FROM probds_rollups() ORDER BY rollup::text;
-- who may read the rollup reads what waits, too, without a right on the source
GRANT SELECT ON owned.counted TO regress_probds_thief;
GRANT USAGE ON SCHEMA owned TO regress_probds_thief;
DELETE FROM owned.hits WHERE who < 51;
SET ROLE regress_probds_thief;
SELECT tg_op, #who AS who, n FROM owned.counted;
SELECT rollup, source, live, groups_waiting, status FROM probds_rollups();
SELECT count(*) FROM owned.hits;
SELECT * FROM _probds_rollup_touched(NULL::owned.counted_query, NULL, false);
SELECT * FROM _probds_rollup_touched(NULL::owned.counted_query, '00000000-0000-0000-0000-000000000000', false);
SELECT * FROM _probds_rollup_touched(NULL::owned.counted_query, (SELECT secret FROM owned.counted_options), false);
RESET ROLE;
-- parts with different owners: that rollup stops, its source does not
ALTER VIEW owned.counted_total OWNER TO regress_probds_writer;
INSERT INTO owned.hits (who, tg_op) VALUES (1, 'x');
CALL probds_refresh_rollup('owned.counted_total');
SELECT rollup, status FROM probds_rollups() ORDER BY rollup::text;
ALTER VIEW owned.counted_total OWNER TO regress_probds_owner;
CALL probds_rebuild_rollup('owned.counted_total');
SELECT n = (SELECT count(*) FROM owned.hits) AS same FROM owned.counted_total;
SET ROLE regress_probds_owner;
SELECT probds_create_rollup('public.mine', 'SELECT count(*) FROM owned.hits');
SELECT probds_create_rollup('owned.theirs', 'SELECT count(*) FROM public.parted');
RESET ROLE;
-- reading is not enough: the triggers are the source's
GRANT CREATE ON SCHEMA owned TO regress_probds_thief;
GRANT SELECT ON visits TO regress_probds_thief;
SET ROLE regress_probds_thief;
SELECT probds_create_rollup('owned.read_only', 'SELECT count(*) AS n FROM public.visits');
RESET ROLE;
GRANT TRIGGER ON visits TO regress_probds_thief;
REVOKE SELECT ON visits FROM regress_probds_thief;
GRANT SELECT (country) ON visits TO regress_probds_thief;
SET ROLE regress_probds_thief;
SELECT probds_create_rollup('owned.read_only', 'SELECT country, count(visitor) AS n FROM public.visits GROUP BY 1');
SELECT probds_create_rollup('owned.read_only', 'SELECT country, count(*) AS n FROM public.visits GROUP BY 1');
-- of somebody else's rollup
SELECT probds_create_rollup('owned.above', 'SELECT sum(n) FROM owned.counted');
RESET ROLE;
GRANT TRIGGER ON owned.counted TO regress_probds_thief;
SET ROLE regress_probds_thief;
SELECT probds_create_rollup('owned.above', 'SELECT sum(n) FROM owned.counted');
RESET ROLE;
UPDATE owned.hits SET tg_op = 'y' WHERE who = 100;
SELECT sum = (SELECT count(*) FROM owned.hits) AS same FROM owned.above;
SET ROLE regress_probds_owner;
SELECT probds_drop_rollup('owned.counted');
REVOKE TRIGGER ON owned.counted FROM regress_probds_thief;
INSERT INTO owned.hits (who, tg_op) VALUES (100, 'y');
SET ROLE regress_probds_thief;
SELECT rollup, groups_waiting, status FROM probds_rollups() WHERE rollup = 'owned.above'::regclass;
SELECT probds_drop_rollup('owned.above');
RESET ROLE;
INSERT INTO visits (ts, country, visitor) VALUES ('2024-01-01', 'it', 'c');
UPDATE visits SET country = 'fr' WHERE country = 'it';
SELECT country, n FROM owned.read_only ORDER BY 1;
REVOKE ALL ON visits FROM regress_probds_thief;
REVOKE SELECT (country) ON visits FROM regress_probds_thief;
-- a right that is gone: nobody is stopped, and it is told
INSERT INTO visits (ts, country, visitor) VALUES ('2024-01-01', 'it', 'c');
SET ROLE regress_probds_thief;
SELECT country, n FROM owned.read_only ORDER BY 1;
SELECT rollup, status FROM probds_rollups() WHERE rollup = 'owned.read_only'::regclass;
CALL probds_rebuild_rollup('owned.read_only');
SELECT probds_drop_rollup('owned.read_only');
RESET ROLE;
SELECT tgname FROM pg_trigger WHERE tgrelid = 'visits'::regclass AND NOT tgisinternal;

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
SELECT probds_create_rollup('victim'::text, 'SELECT ts::date AS day, country, hll_agg(visitor) AS v, count(*) AS n, max(visitor) AS last, cuckoo_agg(visitor, 100) AS c, counting_bloom_agg(visitor, 100) AS b, minhash_agg(visitor) AS m FROM visits GROUP BY 1, 2'::text);
SELECT probds_create_rollup('victim_above'::text, 'SELECT country, hll_merge_agg(v) AS v, sum(n) AS n, cuckoo_merge_agg(c) AS c, counting_bloom_merge_agg(b) AS b, minhash_merge_agg(m) AS m FROM victim GROUP BY 1'::text, live => false);
SELECT probds_create_rollup_view('victim_view'::text, 'victim'::regclass, ARRAY['country']);
INSERT INTO visits (ts, country, visitor) VALUES ('2024-01-01', 'de', 'a'), ('2024-01-01', NULL, 'b');
UPDATE visits SET visitor = 'z' WHERE country = 'fr';
CALL probds_refresh_rollup('victim_above'::regclass);
SELECT country, #v AS v, n FROM victim_view ORDER BY 1;
SELECT country, #v AS v, n FROM victim_above ORDER BY 1;
INSERT INTO visits (ts, country, visitor) VALUES ('2024-01-01', 'de', 'a'), ('2024-01-01', NULL, 'b');
SELECT probds_fold_rollup('victim'::regclass) > 0 AS folded;
CALL probds_rebuild_rollup('victim'::regclass);
CALL probds_rebuild_rollup('victim_above'::regclass);
SELECT probds_add_rollup_column('victim'::regclass, 'topk_agg(visitor, 3) AS top'::text);
SELECT probds_alter_rollup('victim'::regclass, live => false);
UPDATE visits SET visitor = 'c';
SELECT rollup, groups_waiting, status FROM probds_rollups() ORDER BY rollup::text;
SELECT count(*) > 0 AS looked FROM probds_health();
SELECT probds_drop_rollup('victim_above'::text), probds_drop_rollup('victim'::text);
RESET search_path;
SELECT DISTINCT who, what FROM owned.loot;
-- nor do overloads that come after a rollup was made change what its expressions mean
CREATE TABLE fashion (id serial, who varchar(20), at date);
CREATE FUNCTION public.plain(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT lower($1)';
SELECT probds_create_rollup('owned.worn'::text, 'SELECT public.plain(who) AS who, hll_agg(at) AS days, topk_agg(who, 5) AS top FROM fashion WHERE who <> ''nobody'' GROUP BY 1'::text);
SET ROLE regress_probds_thief;
CREATE FUNCTION public.plain(varchar) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM public.carry(); RETURN $1; END $$;
CREATE FUNCTION public.carry() RETURNS void LANGUAGE sql AS $$ INSERT INTO owned.loot VALUES (current_user, 'plain') $$;
CREATE FUNCTION public.step(hll, date) RETURNS hll LANGUAGE plpgsql AS $$ BEGIN PERFORM public.carry(); RETURN $1; END $$;
CREATE AGGREGATE public.hll_agg(date) (SFUNC = public.step, STYPE = hll);
CREATE FUNCTION public.differs(varchar, varchar) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM public.carry(); RETURN true; END $$;
CREATE OPERATOR public.<> (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = public.differs);
CREATE OPERATOR public.= (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = public.differs);
RESET ROLE;
INSERT INTO fashion (who, at) VALUES ('Anna', '2024-01-01'), ('anna', '2024-01-02');
SELECT who, #days AS days, top -> 'anna' AS anna FROM owned.worn;
UPDATE fashion SET at = '2024-01-03' WHERE who = 'Anna'::text;
SELECT who, #days AS days, top -> 'anna' AS anna FROM owned.worn;
CALL probds_refresh_rollup('owned.worn'::regclass);
SELECT probds_add_rollup_column('owned.worn'::regclass, 'count(*) AS n'::text);
CALL probds_rebuild_rollup('owned.worn'::regclass);
SELECT who, #days AS days, top -> 'anna' AS anna, n FROM owned.worn;
SELECT DISTINCT who, what FROM owned.loot;
SELECT probds_drop_rollup('owned.worn'::text);
DROP OWNED BY regress_probds_thief;
DROP TABLE fashion;
DROP FUNCTION public.plain(text);
GRANT USAGE, CREATE ON SCHEMA owned TO regress_probds_thief;

-- ---------- the owner of a partition ----------
-- his policies are not for who reads the source: they neither run as him nor hide rows from a mark
CREATE TABLE shared (id int, k int) PARTITION BY LIST (k);
CREATE TABLE shared_1 PARTITION OF shared FOR VALUES IN (1);
CREATE TABLE shared_2 (LIKE shared);
INSERT INTO shared_1 VALUES (1, 1), (2, 1);
INSERT INTO shared_2 VALUES (3, 2);
GRANT SELECT, TRIGGER ON shared, shared_1 TO regress_probds_owner;
SET ROLE regress_probds_owner;
SELECT probds_create_rollup('owned.of_shared', 'SELECT id, count(*) AS n FROM public.shared GROUP BY 1');
RESET ROLE;
ALTER TABLE shared_1 OWNER TO regress_probds_thief;
ALTER TABLE shared_2 OWNER TO regress_probds_thief;
SET ROLE regress_probds_thief;
CREATE FUNCTION owned.look(int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN INSERT INTO owned.loot VALUES (current_user, 'policy'); RETURN false; END $$;
CREATE POLICY p ON shared_1 USING (owned.look(id));
ALTER TABLE shared_1 ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY p ON shared_2 USING (owned.look(id));
ALTER TABLE shared_2 ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
RESET ROLE;
ALTER TABLE shared ATTACH PARTITION shared_2 FOR VALUES IN (2);
TABLE owned.of_shared ORDER BY id;
ALTER TABLE shared DETACH PARTITION shared_1;
TABLE owned.of_shared ORDER BY id;
SELECT rollup, groups_waiting, status FROM probds_rollups() WHERE rollup::text ~ 'of_shared';
TRUNCATE shared_2;
TABLE owned.of_shared;
SELECT * FROM owned.loot WHERE what = 'policy';
SELECT probds_drop_rollup('owned.of_shared');
DROP TABLE shared, shared_1;
DROP FUNCTION owned.look(int);

-- ---------- the owner of a rollup ----------
-- whatever he puts into its parts, a superuser who calls, reads or writes runs it as him
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
GRANT INSERT, UPDATE, DELETE, SELECT, TRUNCATE ON owned.bait TO PUBLIC;
SELECT probds_create_rollup('owned.trap', 'SELECT owned.steal(who) AS who, count(*) FILTER (WHERE owned.steal(who) > 0) AS n FROM owned.bait WHERE owned.steal(who) IS NOT NULL GROUP BY 1');
SELECT probds_create_rollup('owned.trap_above', 'SELECT owned.steal(who) AS who, sum(n) AS n FROM owned.trap GROUP BY 1', live => false);
CREATE TRIGGER robber BEFORE INSERT OR UPDATE ON owned.trap_parts FOR EACH ROW EXECUTE FUNCTION owned.steal();
CREATE TRIGGER robber_of_deleted AFTER DELETE ON owned.trap_parts FOR EACH ROW EXECUTE FUNCTION owned.steal();
CREATE TRIGGER robber_of_truncation BEFORE TRUNCATE ON owned.trap_parts EXECUTE FUNCTION owned.steal();
CREATE TRIGGER robber_of_options BEFORE UPDATE ON owned.trap_options FOR EACH ROW EXECUTE FUNCTION owned.steal();
CREATE INDEX ON owned.trap_parts (owned.steal(who));
CREATE POLICY p ON owned.trap_parts USING (owned.steal(1) = 1);
ALTER TABLE owned.trap_parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON owned.trap_options USING (owned.steal(1) = 1);
ALTER TABLE owned.trap_options ENABLE ROW LEVEL SECURITY;
RESET ROLE;
INSERT INTO owned.bait (who) VALUES (1), (2);
INSERT INTO owned.bait (who) VALUES (1), (2);
SELECT probds_fold_rollup('owned.trap') > 0 AS folded;
UPDATE owned.bait SET who = 3 WHERE who = 2;
DELETE FROM owned.bait WHERE who = 1;
INSERT INTO owned.bait (who) VALUES (1);
SELECT rollup, groups_waiting, status FROM probds_rollups() WHERE rollup::text ~ 'trap' ORDER BY rollup::text;
SELECT probds_alter_rollup('owned.trap', live => true);
CALL probds_refresh_rollup('owned.trap_above');
CALL probds_rebuild_rollup('owned.trap');
CALL probds_refresh_due_rollups();
SELECT count(*) > 0 AS looked FROM probds_health();
TRUNCATE owned.bait;
INSERT INTO owned.bait (who) VALUES (1), (2);
CREATE TABLE owned.bait_child () INHERITS (owned.bait);
INSERT INTO owned.bait_child (who) VALUES (5);
TRUNCATE owned.bait_child;
DROP TABLE owned.bait_child;
SELECT DISTINCT who FROM owned.loot;
-- who reads a live rollup runs its query as the owner
DELETE FROM owned.bait WHERE who = 2;
SELECT who, n FROM owned.trap ORDER BY 1;
SELECT DISTINCT who FROM owned.loot;
-- a rule is no trigger: what its writer would do is not done
SET ROLE regress_probds_thief;
CREATE RULE burglar AS ON INSERT TO owned.trap_parts DO ALSO INSERT INTO owned.loot VALUES (current_user, 'rule');
RESET ROLE;
INSERT INTO owned.bait (who) VALUES (4);
SELECT rollup, status FROM probds_rollups() WHERE rollup::text ~ 'trap' ORDER BY rollup::text;
SET ROLE regress_probds_thief;
DROP RULE burglar ON owned.trap_parts;
-- a trigger that keeps marks would make a refresh that never ends
CREATE TRIGGER keeper BEFORE DELETE ON owned.trap_parts FOR EACH ROW EXECUTE FUNCTION owned.steal();
RESET ROLE;
UPDATE owned.bait SET who = who + 1;
CALL probds_refresh_rollup('owned.trap');
SELECT probds_fold_rollup('owned.trap');
SELECT rollup, status FROM probds_rollups() WHERE rollup = 'owned.trap'::regclass;
SET ROLE regress_probds_thief;
DROP TRIGGER keeper ON owned.trap_parts;
CALL probds_rebuild_rollup('owned.trap');
-- what is deferred would run when nobody is whom he was
CREATE CONSTRAINT TRIGGER patient AFTER INSERT OR UPDATE ON owned.trap_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION owned.steal();
RESET ROLE;
INSERT INTO owned.bait (who) VALUES (3);
CALL probds_refresh_rollup('owned.trap');
SELECT DISTINCT who FROM owned.loot;
SET ROLE regress_probds_thief;
DROP TRIGGER patient ON owned.trap_parts;
-- the options say nothing that would be executed
UPDATE owned.trap_options SET settings = ARRAY['TimeZone', 'UTC', 'role', 'postgres', 'session_authorization', 'x', 'search_path', 'evil', 'session_preload_libraries', 'x'];
RESET ROLE;
INSERT INTO owned.bait (who) VALUES (3);
CALL probds_refresh_rollup('owned.trap');
SHOW search_path;
-- a policy that applies to him, too: the rollup stops, and nobody else
SET ROLE regress_probds_thief;
ALTER TABLE owned.trap_options FORCE ROW LEVEL SECURITY;
RESET ROLE;
INSERT INTO owned.bait (who) VALUES (6);
CREATE TABLE owned.bait_child () INHERITS (owned.bait);
INSERT INTO owned.bait_child (who) VALUES (5);
DROP TABLE owned.bait_child;
CALL probds_refresh_due_rollups();
CALL probds_rebuild_rollup('owned.trap');
SELECT probds_fold_rollup('owned.trap');
SELECT rollup, status FROM probds_rollups() WHERE rollup::text ~ 'trap' ORDER BY rollup::text;
SET ROLE regress_probds_thief;
ALTER TABLE owned.trap_options NO FORCE ROW LEVEL SECURITY;
RESET ROLE;
SELECT DISTINCT who FROM owned.loot;
-- a view of another owner among the parts, or of another source
SET ROLE regress_probds_thief;
CREATE OR REPLACE VIEW owned.trap_query AS SELECT owned.steal(1) AS who, count(*) AS n FROM owned.hits;
RESET ROLE;
INSERT INTO owned.hits (who, tg_op) VALUES (1, 'z');
INSERT INTO owned.bait (who) VALUES (3);
CALL probds_rebuild_rollup('owned.trap');
SELECT rollup, source, status FROM probds_rollups() WHERE rollup::text ~ 'trap' ORDER BY rollup::text;
SET ROLE regress_probds_thief;
CREATE OR REPLACE VIEW owned.trap_query AS SELECT owned.steal(who) AS who, count(*) FILTER (WHERE owned.steal(who) > 0) AS n FROM owned.bait GROUP BY 1;
RESET ROLE;
GRANT regress_probds_thief TO regress_probds_owner;
ALTER VIEW owned.trap_above OWNER TO regress_probds_owner;
INSERT INTO owned.bait (who) VALUES (4);
CALL probds_refresh_rollup('owned.trap_above');
SELECT rollup, status FROM probds_rollups() WHERE status <> 'ok' ORDER BY rollup::text;
ALTER VIEW owned.trap_above OWNER TO regress_probds_thief;
SELECT probds_drop_rollup('owned.trap_above'), probds_drop_rollup('owned.trap');
SELECT DISTINCT who FROM owned.loot;
DELETE FROM owned.loot;

-- ---------- options that claim the parts of somebody else ----------
SET ROLE regress_probds_thief;
CREATE TABLE owned.fake_options (probds_rollup integer, query owned.counted_query, stored owned.counted_parts, shown owned.counted, live boolean, built boolean, settings text[],
    secret uuid, retention interval, frozen_after interval, schedule interval, refreshing int, groups bigint, groups_done bigint, last_refresh timestamptz, failure text);
INSERT INTO owned.fake_options (probds_rollup, live, built, settings, secret) VALUES (2, true, true, '{}', '00000000-0000-0000-0000-000000000000');
SELECT * FROM _probds_rollup_touched(NULL::owned.counted_query, '00000000-0000-0000-0000-000000000000', false);
CALL probds_rebuild_rollup('owned.fake_options');
CALL probds_refresh_rollup('owned.fake_options');
SELECT probds_fold_rollup('owned.fake_options');
SELECT probds_alter_rollup('owned.fake_options', live => false);
SELECT probds_drop_rollup('owned.fake_options');
-- a query of his own over the parts and the view of somebody else, and over a source that he may not read
CREATE VIEW owned.fake_query AS SELECT tg_op, hll_agg(who) AS who, count(*) AS n FROM owned.hits GROUP BY 1;
CREATE TABLE owned.fake2_options (probds_rollup integer, query owned.fake_query, stored owned.counted_parts, shown owned.counted, live boolean, built boolean, settings text[],
    secret uuid, retention interval, frozen_after interval, schedule interval, refreshing int, groups bigint, groups_done bigint, last_refresh timestamptz, failure text);
INSERT INTO owned.fake2_options (probds_rollup, live, built, settings, secret) VALUES (2, true, true, '{}', '00000000-0000-0000-0000-000000000000');
SELECT * FROM _probds_rollup_touched(NULL::owned.fake_query, '00000000-0000-0000-0000-000000000000', false);
-- all objects belong to him, except the source
CREATE TABLE owned.fake3_parts AS SELECT false AS probds_touched, NULL::text AS tg_op, hll_empty() AS who, 1::bigint AS n;
CREATE VIEW owned.fake3 AS SELECT tg_op, who, n FROM owned.fake3_parts;
CREATE TABLE owned.fake3_options (probds_rollup integer, query owned.fake_query, stored owned.fake3_parts, shown owned.fake3, live boolean, built boolean, settings text[],
    secret uuid, retention interval, frozen_after interval, schedule interval, refreshing int, groups bigint, groups_done bigint, last_refresh timestamptz, failure text);
INSERT INTO owned.fake3_options (probds_rollup, live, built, settings, secret) VALUES (2, true, true, '{}', '00000000-0000-0000-0000-000000000000');
CREATE TRIGGER robber BEFORE INSERT ON owned.fake3_parts FOR EACH ROW EXECUTE FUNCTION owned.steal();
INSERT INTO owned.fake3_parts VALUES (true, 'x', NULL, NULL);
SELECT * FROM _probds_rollup_touched(NULL::owned.fake_query, '00000000-0000-0000-0000-000000000000', false);
CALL probds_refresh_rollup('owned.fake3');
CALL probds_rebuild_rollup('owned.fake3');
RESET ROLE;
INSERT INTO owned.hits (who, tg_op) VALUES (5, 'x');
UPDATE owned.hits SET who = 6 WHERE who = 5;
SELECT tg_op, n FROM owned.fake3_parts ORDER BY 1;
CALL probds_rebuild_rollup('owned.fake3');
SELECT rollup, status FROM probds_rollups() WHERE rollup::text ~ 'fake' ORDER BY rollup::text;
-- nor does a trigger of his lead to a rollup of another source
SET ROLE regress_probds_thief;
CREATE TRIGGER fake AFTER INSERT ON owned.bait REFERENCING NEW TABLE AS probds_rows FOR EACH STATEMENT EXECUTE FUNCTION _probds_rollup_trigger();
INSERT INTO owned.bait (who) VALUES (5);
DROP TRIGGER fake ON owned.bait;
CREATE TRIGGER fake AFTER DELETE ON owned.bait REFERENCING OLD TABLE AS probds_rows FOR EACH STATEMENT EXECUTE FUNCTION _probds_rollup_trigger();
DELETE FROM owned.bait WHERE who = 1;
DROP TRIGGER fake ON owned.bait;
-- a table with children of another kind, whose rows are not the source's
CREATE TABLE owned.bait_above (who int, tg_op text);
ALTER TABLE owned.bait INHERIT owned.bait_above;
ALTER TABLE owned.hits INHERIT owned.bait_above;
DROP TABLE owned.bait_above CASCADE;
RESET ROLE;
DROP TABLE owned.fake_options, owned.fake2_options, owned.fake3_options CASCADE;
DROP VIEW owned.fake3, owned.fake_query;
DROP TABLE owned.fake3_parts;
-- the owner has lost nothing, and does what he could
SET ROLE regress_probds_owner;
SELECT rollup, groups_waiting, status FROM probds_rollups() ORDER BY rollup::text;
INSERT INTO owned.hits (who, tg_op) VALUES (7, 'y');
CALL probds_rebuild_rollup('owned.counted');
SELECT tg_op, #who AS who, n FROM owned.counted ORDER BY 1;
RESET ROLE;
SELECT DISTINCT who FROM owned.loot;
DROP TABLE IF EXISTS owned.bait CASCADE;
DELETE FROM owned.loot;

-- ---------- the owner of the source, with policies ----------
REVOKE regress_probds_thief FROM regress_probds_owner;
SET ROLE regress_probds_thief;
CREATE TABLE owned.bait (id bigserial, who int, h hll);
GRANT SELECT, TRIGGER ON owned.bait TO regress_probds_owner;
GRANT INSERT, UPDATE, DELETE ON owned.bait TO PUBLIC;
SET ROLE regress_probds_owner;
SELECT probds_create_rollup('owned.honest', 'SELECT count(*) AS n, hll_agg(who) AS who FROM owned.bait');
GRANT SELECT ON owned.honest TO regress_probds_writer;
SET ROLE regress_probds_thief;
INSERT INTO owned.bait (who) VALUES (1), (2);
UPDATE owned.bait SET who = 3 WHERE who = 1;
CREATE POLICY p ON owned.bait USING (owned.steal(1) = 1) WITH CHECK (true);
ALTER TABLE owned.bait ENABLE ROW LEVEL SECURITY;
-- another type of a column, with a cast that is the thief's
-- 19 ends the detail in a full stop
\set VERBOSITY terse
ALTER TABLE owned.bait ALTER who TYPE text;
\set VERBOSITY default
SET ROLE regress_probds_writer;
SELECT n, #who AS who FROM owned.honest;
SET ROLE regress_probds_owner;
CALL probds_refresh_rollup('owned.honest');
CALL probds_rebuild_rollup('owned.honest');
SELECT n, #who AS who FROM owned.honest;
SELECT rollup, groups_waiting, status FROM probds_rollups() WHERE rollup::text LIKE '%honest%' ORDER BY rollup::text;
SELECT sketch_column, sketches, remark FROM probds_health() WHERE sketch_column ~ 'bait';
SELECT probds_create_rollup('owned.honest_too', 'SELECT count(*) AS n FROM owned.bait');
RESET ROLE;
SELECT sketch_column, sketches, remark FROM probds_health() WHERE sketch_column ~ 'bait';
SELECT DISTINCT who, what FROM owned.loot;
ALTER TABLE owned.bait FORCE ROW LEVEL SECURITY;
SELECT sketch_column, sketches, remark FROM probds_health() WHERE sketch_column ~ 'bait';
SELECT DISTINCT who, what FROM owned.loot;

SELECT probds_drop_rollup('owned.honest'), probds_drop_rollup('owned.counted_total'), probds_drop_rollup('owned.counted');
SELECT relname FROM pg_class WHERE relnamespace = 'owned'::regnamespace AND relkind IN ('r', 'v', 'S') ORDER BY 1;
SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal;
DROP SCHEMA owned CASCADE;
DROP TABLE visits, parted;
DROP OWNED BY regress_probds_owner, regress_probds_writer, regress_probds_thief;
DROP ROLE regress_probds_owner, regress_probds_writer, regress_probds_thief;
