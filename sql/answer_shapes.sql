LOAD 'probds';
-- Ordinary queries of unusual shapes over the source of a rollup, by roles with few rights
SET timezone = 'UTC';
CREATE TABLE visit (at timestamptz NOT NULL, ts timestamp NOT NULL, d date NOT NULL, country text,
    amount int);
INSERT INTO visit SELECT t, t, t, (ARRAY['de', 'fr'])[1 + n % 2], n % 7
    FROM (SELECT '2026-03-28'::timestamptz + n * interval '1 hour' AS t, n
    FROM generate_series(0, 99) n) q;
SELECT probds_create_rollup('daily', 'SELECT at::date AS day, country, count(*) AS n,
    hll_agg(amount) AS amounts FROM visit GROUP BY 1, 2');
CREATE ROLE regress_reader;
GRANT SELECT ON visit, daily TO regress_reader;
\set yes 'SET probds.answer_from_rollups = on; SET probds.explain_rollups = on;'
\set no 'SET probds.answer_from_rollups = off; SET probds.explain_rollups = off;'

-- a subquery over a table with policies, beside the source of a rollup
CREATE TABLE agent (hidden text, boss text, country text, name text);
INSERT INTO agent VALUES ('x', 'regress_reader', 'de', 'open'), ('x', 'nobody', 'fr', 'secret'),
    ('x', 'nobody', 'de', 'secret');
SELECT probds_create_rollup('agents', 'SELECT boss, count(*) AS n FROM agent GROUP BY 1');
GRANT SELECT ON agent, agents TO regress_reader;
ALTER TABLE agent ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON agent USING (boss = current_user);
SET ROLE regress_reader;
:yes
SELECT name, count(*) FROM visit JOIN (SELECT name, country AS c FROM agent) a ON country = c
    GROUP BY 1;
:no
SELECT name, count(*) FROM visit JOIN (SELECT name, country AS c FROM agent) a ON country = c
    GROUP BY 1;
RESET ROLE;
SELECT probds_drop_rollup('agents');
DROP TABLE agent;

-- functions that the reader may not execute: of reading, of ranges, of their edges
REVOKE EXECUTE ON FUNCTION _probds_rollup_touched FROM PUBLIC;
SET ROLE regress_reader;
:yes
SELECT count(*) FROM visit;
RESET ROLE;
GRANT EXECUTE ON FUNCTION _probds_rollup_touched TO PUBLIC;
REVOKE EXECUTE ON FUNCTION _probds_shift FROM PUBLIC;
SET ROLE regress_reader;
SELECT count(*) FROM visit WHERE at <= '2026-03-30 07:30';
RESET ROLE;
GRANT EXECUTE ON FUNCTION _probds_shift TO PUBLIC;
REVOKE EXECUTE ON FUNCTION hll_agg("any") FROM PUBLIC;
SET ROLE regress_reader;
SELECT approx_count_distinct(amount) FROM visit WHERE at < '2026-03-30 07:30';
RESET ROLE;
GRANT EXECUTE ON FUNCTION hll_agg("any") TO PUBLIC;
SELECT approx_count_distinct(amount) FROM visit WHERE at < '2026-03-30 07:30';
:no

-- bounds near the ends of the calendar, whose groups or times in UTC are out of range
SET timezone = 'America/New_York';
SELECT probds_create_rollup('bins', 'SELECT date_bin(''8 hours'', ts, ''1970-01-01'') AS bin,
    count(*) AS n FROM visit GROUP BY 1');
SELECT probds_create_rollup('days', 'SELECT at::date AS day, count(*) AS n FROM visit GROUP BY 1');
SELECT probds_create_rollup('months', 'SELECT date_trunc(''month'', d) AS month, count(*) AS n
    FROM visit GROUP BY 1');
SET probds.answer_from_rollups = on;
SELECT count(*) FROM visit WHERE ts < '294276-12-31 23:59:59';
SELECT count(*) FROM visit WHERE at < '294276-12-31 23:59:59'::timestamp;
SELECT count(*) FROM visit WHERE d < '300000-01-01';
PREPARE until(timestamp) AS SELECT count(*) FROM visit WHERE at < $1;
EXECUTE until('294276-12-31 23:59:59');
SET timezone = 'Europe/Berlin';
SELECT probds_create_rollup('days_in_berlin', 'SELECT at::date AS day, count(*) AS n FROM visit
    GROUP BY 1');
SELECT count(*) FROM visit WHERE at >= '4714-11-24 BC'::date;
SELECT count(*) FROM visit WHERE at >= '4714-11-24 BC'::timestamp;
RESET timezone;
:no
DEALLOCATE until;
SELECT probds_drop_rollup(r) FROM unnest('{bins,days,months,days_in_berlin}'::text[]) r;

-- a policy that counts, and a reader who can make and forge a rollup of what the policy counts
CREATE TABLE boss (name text, area int);
CREATE TABLE secret (area int, text text);
INSERT INTO boss VALUES ('nobody', 1), ('regress_reader', 2);
INSERT INTO secret VALUES (1, 'secret'), (2, 'open');
GRANT SELECT, TRIGGER ON boss TO regress_reader;
GRANT SELECT ON secret TO regress_reader;
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY bosses ON secret USING ((SELECT count(*) FROM boss b
    WHERE b.name = current_user::text AND b.area = secret.area) > 0);
GRANT CREATE ON SCHEMA public TO regress_reader;
SET ROLE regress_reader;
SELECT probds_create_rollup('forged', 'SELECT name, area, count(*) AS n FROM boss GROUP BY 1, 2');
ALTER TABLE forged_parts DISABLE TRIGGER USER;
UPDATE forged_parts SET name = 'regress_reader';
:yes
SELECT * FROM secret;
-- his own query, which nobody but himself is deceived by
SELECT name, count(*) FROM boss GROUP BY 1;
:no
SELECT probds_drop_rollup('forged');
RESET ROLE;
REVOKE CREATE ON SCHEMA public FROM regress_reader;
DROP TABLE secret, boss;

-- an hour of local time that was twice
SET timezone = 'Europe/Berlin';
CREATE TABLE night (at timestamptz NOT NULL);
INSERT INTO night SELECT '2026-10-25 00:00+02'::timestamptz + n * interval '17 min'
    FROM generate_series(0, 20) n;
SELECT probds_create_rollup('local_hours', 'SELECT date_trunc(''hour'', at::timestamp) AS hour,
    count(*) AS n FROM night GROUP BY 1');
:yes
SELECT date_trunc('hour', at) AS hour, count(*) FROM night GROUP BY 1 ORDER BY 1;
-- and on a clock that is never set
SET timezone = 'UTC';
SELECT probds_create_rollup('hours', 'SELECT date_trunc(''hour'', at::timestamp) AS hour,
    count(*) AS n FROM night GROUP BY 1');
:yes
SELECT date_trunc('HOUR', at) AS hour, count(*) FROM night GROUP BY 1 ORDER BY 1;
:no
SELECT probds_drop_rollup(r) FROM unnest('{local_hours,hours}'::text[]) r;
DROP TABLE night;

-- names of objects, which depend on the search path, and rights, which depend on who asks
CREATE TABLE seen (what regclass NOT NULL);
INSERT INTO seen VALUES ('visit'), ('visit'), ('pg_class');
SELECT probds_create_rollup('names', 'SELECT what::text AS what, count(*) AS n FROM seen GROUP BY 1');
SELECT probds_create_rollup('more_names', 'SELECT concat(what) AS what, count(*) AS n FROM seen
    GROUP BY 1');
SELECT probds_create_rollup('rights', 'SELECT has_table_privilege(what, ''SELECT'') AS may,
    count(*) AS n FROM seen GROUP BY 1');
SELECT probds_create_rollup('objects', 'SELECT what, count(*) AS n FROM seen GROUP BY 1');
:yes
SET search_path = pg_catalog;
SELECT what::text, concat(what), count(*) FROM public.seen GROUP BY what ORDER BY 3;
RESET search_path;
SELECT probds_drop_rollup('objects');
SET search_path = pg_catalog;
SELECT what::text, count(*) FROM public.seen GROUP BY 1 ORDER BY 2;
SELECT has_table_privilege(what, 'SELECT'), count(*) FROM public.seen GROUP BY 1;
RESET search_path;
:no
SELECT probds_drop_rollup(r) FROM unnest('{names,more_names,rights}'::text[]) r;
-- also by an operator, in a row, and from a name
ALTER TABLE seen ADD name text DEFAULT 'pg_class';
SELECT probds_create_rollup('joined', 'SELECT what || ''!'' AS what, count(*) AS n FROM seen GROUP BY 1');
SELECT probds_create_rollup('whole', 'SELECT seen::text AS what, count(*) AS n FROM seen GROUP BY 1');
SELECT probds_create_rollup('found', 'SELECT name::regclass AS what, name::regtype AS type,
    count(*) AS n FROM seen GROUP BY 1, 2');
CREATE SCHEMA nearer CREATE TABLE pg_class ();
SET search_path = nearer, public, pg_catalog;
:yes
SELECT what || '!' AS what, count(*) FROM seen GROUP BY 1 ORDER BY 2;
SELECT seen::text AS what, count(*) FROM seen GROUP BY 1 ORDER BY 2;
SELECT name::regclass::text = 'pg_class' AS nearer, name::regtype::text = 'pg_class' AS nearer_type,
    count(*) FROM seen GROUP BY name::regclass, name::regtype;
:no
RESET search_path;
SELECT probds_drop_rollup(r) FROM unnest('{joined,whole,found}'::text[]) r;
-- also in XML, which not every server can make: so there are no rows
TRUNCATE seen;
SELECT probds_create_rollup('elements', 'SELECT xmlelement(name a, what)::text AS a,
    count(*) AS n FROM seen GROUP BY 1');
:yes
SELECT xmlelement(name a, what)::text AS a, count(*) FROM seen GROUP BY 1;
SELECT probds_drop_rollup('elements');
SELECT probds_create_rollup('attributes', 'SELECT xmlelement(name a, xmlattributes(what))::text AS a,
    count(*) AS n FROM seen GROUP BY 1');
SELECT xmlelement(name a, xmlattributes(what))::text AS a, count(*) FROM seen GROUP BY 1;
:no
SELECT probds_drop_rollup('attributes');
-- and in JSON, which 16 makes in the same way
SELECT CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'xmlforest(what)'
    ELSE 'JSON_ARRAY(what)' END AS made \gset
SELECT probds_create_rollup('made', 'SELECT ' || :'made' || '::text AS a, count(*) AS n
    FROM seen GROUP BY 1');
:yes
SELECT :made::text AS a, count(*) FROM seen GROUP BY 1;
:no
SELECT probds_drop_rollup('made');
DROP SCHEMA nearer CASCADE;
DROP TABLE seen;

-- what a session knows of tables that came and went does not stay
SET probds.answer_from_rollups = on;
\set ECHO none
\o /dev/null
SELECT 'CREATE TEMPORARY TABLE passing (a int)', 'SELECT a, count(*) FROM passing GROUP BY 1',
    'DROP TABLE passing' FROM generate_series(1, 300) \gexec
\o
\set ECHO all
SELECT count(*) < 150 FROM pg_backend_memory_contexts WHERE name = 'rollups of a table';
:no

-- an abbreviation of a zone, which means what a setting says
CREATE TABLE far (at timestamptz NOT NULL);
INSERT INTO far SELECT '2026-01-01 00:00+00'::timestamptz + n * interval '1 hour'
    FROM generate_series(0, 47) n;
SELECT probds_create_rollup('far_days', 'SELECT (at AT TIME ZONE ''IST'')::date AS day,
    count(*) AS n FROM far GROUP BY 1');
:yes
SELECT (at AT TIME ZONE 'IST')::date AS day, count(*) FROM far GROUP BY 1 ORDER BY 1;
SET timezone_abbreviations = 'India';
SELECT (at AT TIME ZONE 'IST')::date AS day, count(*) FROM far GROUP BY 1 ORDER BY 1;
RESET timezone_abbreviations;
:no
SELECT probds_drop_rollup('far_days');
DROP TABLE far;

SET timezone = 'UTC';
-- months and days of age() are those of the session's clock
CREATE TABLE life (born timestamptz NOT NULL, died timestamptz NOT NULL);
INSERT INTO life SELECT '2026-01-31 00:00+00'::timestamptz + n * interval '33 hours',
    '2026-03-01 00:00+00'::timestamptz + n * interval '1 hour' FROM generate_series(0, 5) n;
SELECT probds_create_rollup('lives', 'SELECT extract(day FROM age(died, born))::int AS days,
    count(*) AS n FROM life GROUP BY 1');
:yes
SELECT extract(day FROM age(died, born))::int AS days, count(*) FROM life GROUP BY 1 ORDER BY 1;
SET timezone = 'America/New_York';
SELECT extract(day FROM age(died, born))::int AS days, count(*) FROM life GROUP BY 1 ORDER BY 1;
RESET timezone;
:no
SELECT probds_drop_rollup('lives');
DROP TABLE life;

-- a function of the owner's that is stable, for other reasons than the settings
CREATE FUNCTION who_and(text) RETURNS text STABLE LANGUAGE plpgsql AS
    $$BEGIN RETURN current_user || ', ' || $1; END$$;
SELECT probds_create_rollup('readers', 'SELECT who_and(country) AS who, count(*) AS n FROM visit
    GROUP BY 1');
GRANT SELECT ON readers TO regress_reader;
SELECT probds_drop_rollup('daily');
SET ROLE regress_reader;
:yes
SELECT who_and(country), count(*) FROM visit GROUP BY 1 ORDER BY 1;
RESET ROLE;
:no
SELECT probds_drop_rollup('readers');
DROP FUNCTION who_and(text);
DROP TABLE visit;
DROP ROLE regress_reader;
