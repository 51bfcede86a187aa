-- count(DISTINCT x) computed by approx_count_distinct(x), where the setting says so, and where it
-- must not be
\set SHOW_CONTEXT never
SET client_min_messages = warning;
LOAD 'probds';
SET max_parallel_workers_per_gather = 0;
CREATE ROLE regress_probds_dashboard;
CREATE ROLE regress_probds_other;
GRANT regress_probds_other TO regress_probds_dashboard;
CREATE TABLE ev AS SELECT i AS id, i % 7 AS g, i % 3 AS h, 'v' || i % 20000 AS v, i % 10000 AS n FROM generate_series(1, 40000) i;
INSERT INTO ev SELECT -i, i % 7, i % 3, NULL, NULL FROM generate_series(1, 100) i;
ANALYZE ev;
CREATE VIEW ev_view AS SELECT g, count(DISTINCT v) AS vs FROM ev GROUP BY g;
GRANT SELECT ON ev, ev_view TO PUBLIC;

-- ---------- the settings ----------
SHOW probds.approximate_count_distinct;
SHOW probds.approximate_precision;
SET probds.approximate_precision = 3;
SET probds.approximate_precision = 19;
SELECT count(DISTINCT v) FROM ev;
SET probds.approximate_count_distinct = on;
SELECT count(DISTINCT v), approx_count_distinct(v), pg_typeof(count(DISTINCT v)) FROM ev;
SET probds.approximate_precision = 10;
SELECT count(DISTINCT v), approx_count_distinct(v, 10) FROM ev;
RESET probds.approximate_precision;

-- ---------- EXPLAIN shows it ----------
EXPLAIN (VERBOSE, COSTS OFF) SELECT count(DISTINCT v) FILTER (WHERE n > 5) FROM ev;
SET probds.approximate_precision = 10;
EXPLAIN (VERBOSE, COSTS OFF) SELECT count(DISTINCT v) FROM ev;
RESET probds.approximate_precision;
-- parallel plans, and groups in a hash table, which count(DISTINCT x) cannot have
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (VERBOSE, COSTS OFF) SELECT count(DISTINCT v) FROM ev;
SELECT count(DISTINCT v) FROM ev;
SELECT bool_and(vs = approximate) AS approximate FROM (SELECT count(DISTINCT v) AS vs, approx_count_distinct(v) AS approximate FROM ev GROUP BY g) q;
RESET max_parallel_workers_per_gather;
SET max_parallel_workers_per_gather = 0;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT g, count(DISTINCT v) FROM ev GROUP BY g;
RESET enable_sort;

-- ---------- the clauses ----------
SELECT count(DISTINCT v) = approx_count_distinct(v) AS approximate, count(DISTINCT v) <> 20000 AS not_exact FROM ev;
SELECT count(DISTINCT v) FILTER (WHERE n < 5000) = approx_count_distinct(v) FILTER (WHERE n < 5000) AS filter FROM ev;
SELECT bool_and(c = a) AS group_by FROM (SELECT g, count(DISTINCT v) AS c, approx_count_distinct(v) AS a FROM ev GROUP BY g) q;
SELECT bool_and(c = a) AS grouping_sets, count(*) FROM (SELECT g, h, count(DISTINCT v) AS c, approx_count_distinct(v) AS a FROM ev GROUP BY GROUPING SETS ((g), (h), (g, h), ())) q;
SELECT bool_and(c = a) AS cube, count(*) FROM (SELECT g, h, count(DISTINCT v) AS c, approx_count_distinct(v) AS a FROM ev GROUP BY CUBE (g, h)) q;
SELECT g AS having FROM ev WHERE g = 3 GROUP BY g HAVING count(DISTINCT v) = approx_count_distinct(v) AND count(DISTINCT v) <> (SELECT count(*) FROM (SELECT DISTINCT v FROM ev WHERE g = 3 AND v IS NOT NULL) q);
SELECT h AS order_by FROM ev GROUP BY h ORDER BY count(DISTINCT v) - approx_count_distinct(v), h;
SELECT count(DISTINCT v ORDER BY v DESC) = approx_count_distinct(v) AS ordered FROM ev;
SELECT count(DISTINCT v) = (SELECT count(DISTINCT v) FROM ev) AND count(DISTINCT v) = approx_count_distinct(v) AS sublink FROM ev;
WITH q AS (SELECT count(DISTINCT v) AS c FROM ev), m AS MATERIALIZED (SELECT count(DISTINCT n) AS c FROM ev) SELECT q.c = approx_count_distinct(v) AND m.c = approx_count_distinct(n) AS cte FROM ev, q, m GROUP BY q.c, m.c;
SELECT bool_and(vs = a) AS view FROM ev_view JOIN (SELECT g, approx_count_distinct(v) AS a FROM ev GROUP BY g) q USING (g);
SELECT c = a AS lateral FROM (VALUES (1)) w(g), LATERAL (SELECT count(DISTINCT v) AS c, approx_count_distinct(v) AS a FROM ev WHERE ev.g = w.g) q;
SELECT count(DISTINCT c) AS set_operation FROM (SELECT count(DISTINCT v) AS c FROM ev UNION ALL SELECT approx_count_distinct(v) FROM ev) q;
-- of the outer query, in an inner one
SELECT (SELECT count(DISTINCT ev.v)) = approx_count_distinct(v) AS outer_level FROM ev;
SELECT bool_and(c = a) AS over_partitions FROM (SELECT sum(count(DISTINCT v)) OVER (ORDER BY g) AS c, sum(approx_count_distinct(v)) OVER (ORDER BY g) AS a FROM ev GROUP BY g) q;
SELECT count(DISTINCT v) + 0.5 = approx_count_distinct(v) + 0.5 AS expression FROM ev;
VALUES ((SELECT count(DISTINCT v) - approx_count_distinct(v) FROM ev));
-- others stay: without DISTINCT, and other aggregates
SELECT count(v), sum(DISTINCT n), array_length(array_agg(DISTINCT n), 1), count(*) FROM ev;
-- no rows, and rows of NULLs
SELECT count(DISTINCT v) AS no_rows FROM ev WHERE false;
SELECT count(DISTINCT v) AS nulls FROM ev WHERE v IS NULL;
SELECT count(DISTINCT NULL) AS null_literal, count(DISTINCT 'x') AS literal, count(DISTINCT '') AS empty FROM ev;
PREPARE parameter(text) AS SELECT count(DISTINCT $1) FROM ev;
EXECUTE parameter('x');
EXECUTE parameter(NULL);
SELECT count(DISTINCT $1) FROM ev;
COPY (SELECT count(DISTINCT v) - approx_count_distinct(v) AS copied FROM ev) TO STDOUT;
BEGIN;
DECLARE c CURSOR FOR SELECT count(DISTINCT v) - approx_count_distinct(v) AS cursor FROM ev;
FETCH c;
ROLLBACK;
-- several in one message, of which the last one's result is shown
\set SHOW_ALL_RESULTS off
PREPARE plain AS SELECT count(DISTINCT v) AS n FROM public.ev;
SELECT 1 \; SELECT count(DISTINCT v) FROM ev;
SELECT 1 \; EXECUTE plain;

-- ---------- types ----------
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (a int, b text);
CREATE TYPE bits AS (b varbit);
CREATE DOMAIN word AS text COLLATE "C" CHECK (VALUE <> '');
CREATE DOMAIN pairs AS pair[];
CREATE COLLATION probds_folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
SELECT string_agg(format('(WITH q AS (SELECT %s AS x FROM generate_series(1, 20000) i) SELECT %L AS type, count(DISTINCT x) = approx_count_distinct(x) AS approximate, count(DISTINCT x) <> (SELECT count(*) FROM (SELECT DISTINCT x FROM q) d) AS not_exact FROM q)', x, type), ' UNION ALL ')
FROM (VALUES ('smallint', 'i::smallint'), ('integer', 'i'), ('bigint', 'i::bigint'), ('numeric', 'i / 3.0'), ('real', 'i::real'), ('double precision', 'i::float8'),
    ('text', 'i::text'), ('varchar', 'i::varchar'), ('char(n)', 'i::char(9)'), ('name', 'i::text::name'), ('bytea', 'decode(md5(i::text), ''hex'')'), ('uuid', 'md5(i::text)::uuid'),
    ('boolean', 'i > 7'), ('date', '''2000-01-01''::date + i'), ('timestamptz', 'to_timestamp(i)'), ('timestamp', 'to_timestamp(i)::timestamp'), ('time', '''0:00''::time + i * ''1 s''::interval'), ('interval', 'i * ''1 s''::interval'),
    ('inet', '''10.0.0.0''::inet + i'), ('macaddr', '''08:00:2b:01:02:03''::macaddr'), ('jsonb', 'to_jsonb(i)'), ('oid', 'i::oid'), ('enum', 'CASE WHEN i > 7 THEN ''ok''::mood ELSE ''sad'' END'),
    ('integer[]', 'ARRAY[i, 1]'), ('text[]', 'ARRAY[i::text]'), ('int4range', 'int4range(0, i)'), ('int4multirange', 'int4multirange(int4range(0, i))'),
    ('composite', '(i, ''b'')::pair'), ('domain', 'i::text::word'), ('domain over an array', 'ARRAY[(i, ''b'')::pair]::pairs'),
    ('nondeterministic', '(''x'' || i)::text COLLATE probds_folded')) t(type, x) \gexec
-- rows of expressions
SELECT count(DISTINCT (g, v)) = approx_count_distinct((g, v)) AS record, count(DISTINCT (g, (v, n, NULL::int), ARRAY[h])) = approx_count_distinct((g, (v, n, NULL::int), ARRAY[h])) AS nested, count(DISTINCT ROW(v)) = approx_count_distinct(ROW(v)) AS of_one,
    count(DISTINCT (g, v)) <> (SELECT count(*) FROM (SELECT DISTINCT g, v FROM ev) q) AS not_exact FROM ev;
-- equal under the collation, or under the type's own =
SELECT count(DISTINCT x COLLATE probds_folded) AS folded, count(DISTINCT x) AS plain FROM (VALUES ('a'), ('A'), ('b')) q(x);
SELECT count(DISTINCT x) AS numbers FROM (VALUES (1.0), (1.00), (2)) q(x);
-- whole rows, and what a subquery calls a row
SELECT count(DISTINCT ev) = approx_count_distinct(ev) AS row FROM ev;
SELECT count(DISTINCT pg_class.oid) AS of_a_catalog FROM pg_class WHERE relname = 'pg_class';
-- stay exact: types without a hash, sketches, and rows of which the planner knows no columns
SELECT string_agg(format('(WITH q AS (SELECT %s AS x FROM generate_series(1, 20000) i) SELECT %L AS type, count(DISTINCT x) = (SELECT count(*) FROM (SELECT DISTINCT x FROM q) d) AS exact FROM q)', x, type), ' UNION ALL ')
FROM (VALUES ('varbit', 'i::bit(32)::varbit'), ('money', 'i::int8::money'), ('varbit[]', 'ARRAY[i::bit(32)]'), ('composite with varbit', 'ROW(i::bit(32))::bits'), ('tsvector', 'to_tsvector(''simple'', i::text)'), ('record', '(i, i::text)'),
    ('hll', 'hll_add(hll_empty(), i)'), ('hll[]', 'ARRAY[hll_add(hll_empty(), i)]')) t(type, x) \gexec
SELECT count(DISTINCT (1, i::bit(32))) AS varbit, count(DISTINCT (1, (i, to_tsvector('simple', i::text)))) AS tsvector FROM generate_series(1, 20000) i;
SELECT count(DISTINCT q) AS exact FROM (SELECT i, i::text AS t FROM generate_series(1, 20000) i) q;
SELECT count(DISTINCT x) FROM (SELECT '1'::json AS x) q;

-- ---------- prepared statements ----------
PREPARE visitors AS SELECT count(DISTINCT v) = approx_count_distinct(v) AS approximate FROM ev;
PREPARE visitors_of(int) AS SELECT count(DISTINCT v) = approx_count_distinct(v) AS approximate FROM ev WHERE g <> $1;
EXECUTE visitors;
SET plan_cache_mode = force_generic_plan;
EXECUTE visitors_of(8);
SET probds.approximate_count_distinct = off;
EXECUTE visitors;
EXECUTE visitors_of(8);
SET probds.approximate_count_distinct = on;
EXECUTE visitors;
EXECUTE visitors_of(8);
BEGIN;
SAVEPOINT s;
SET LOCAL probds.approximate_count_distinct = off;
EXECUTE visitors;
ROLLBACK TO s;
EXECUTE visitors;
SET LOCAL probds.approximate_count_distinct = off;
COMMIT;
EXECUTE visitors;
-- after an error
BEGIN;
SET probds.approximate_count_distinct = off;
EXECUTE visitors;
SELECT 1 / 0;
ROLLBACK;
EXECUTE visitors;
-- another precision is another plan
SET probds.approximate_precision = 6;
EXECUTE visitors;
EXPLAIN (VERBOSE, COSTS OFF) EXECUTE visitors_of(8);
RESET probds.approximate_precision;
EXECUTE visitors;
RESET plan_cache_mode;

-- ---------- what is stored is exact ----------
CREATE TABLE stored AS SELECT count(DISTINCT v) AS n FROM ev;
INSERT INTO stored SELECT count(DISTINCT v) FROM ev;
INSERT INTO stored VALUES ((SELECT count(DISTINCT v) FROM ev));
UPDATE stored SET n = (SELECT count(DISTINCT v) FROM ev);
WITH w AS (INSERT INTO stored SELECT count(DISTINCT v) FROM ev RETURNING n) SELECT n, (SELECT count(DISTINCT v) FROM ev) AS beside FROM w;
SELECT count(DISTINCT v) AS n INTO stored_into FROM ev;
CREATE MATERIALIZED VIEW stored_view AS SELECT count(DISTINCT v) AS n FROM ev;
REFRESH MATERIALIZED VIEW stored_view;
COPY (INSERT INTO stored SELECT count(DISTINCT v) FROM ev RETURNING n) TO STDOUT;
CREATE TEMP TABLE stored_cursor (n bigint);
CREATE RULE also AS ON INSERT TO stored_cursor DO ALSO SELECT count(DISTINCT v) AS by_rule FROM ev;
INSERT INTO stored_cursor VALUES (1);
EXECUTE plain;
CREATE TABLE stored_execute AS EXECUTE plain;
\o /dev/null
EXPLAIN ANALYZE CREATE TABLE stored_explain AS EXECUTE plain;
EXPLAIN ANALYZE CREATE TABLE stored_explained AS SELECT count(DISTINCT v) AS n FROM ev;
\o
EXECUTE plain;
SELECT n, count(*) FROM (TABLE stored UNION ALL TABLE stored_into UNION ALL TABLE stored_view UNION ALL TABLE stored_execute UNION ALL TABLE stored_explain UNION ALL TABLE stored_explained) q GROUP BY n;
-- a view keeps its text
SELECT pg_get_viewdef('ev_view') ~ 'count\(DISTINCT (ev\.)?v\)' AS exact;

-- ---------- what a function executes is exact, whoever calls it ----------
CREATE FUNCTION by_sql(text[]) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT count(DISTINCT x) FROM unnest($1) x';
CREATE FUNCTION by_plpgsql(text[]) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN (SELECT count(DISTINCT x) FROM unnest($1) x); END';
CREATE FUNCTION by_text(text[]) RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE n bigint; BEGIN EXECUTE 'SELECT count(DISTINCT x) FROM unnest($1) x' INTO n USING $1; RETURN n; END $$;
CREATE FUNCTION by_set() RETURNS TABLE (n bigint) LANGUAGE sql STABLE AS 'SELECT count(DISTINCT v) FROM public.ev';
CREATE FUNCTION by_definer() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(DISTINCT v) FROM public.ev';
CREATE FUNCTION by_execute() RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE n bigint; BEGIN EXECUTE 'EXECUTE plain' INTO n; RETURN n; END $$;
CREATE TABLE words AS SELECT array_agg(v) AS vs FROM ev;
SELECT by_sql(vs), by_plpgsql(vs), by_text(vs), n, by_definer(), by_execute() FROM words, by_set();
EXECUTE plain;
-- such as the query of a constraint, an index, a generated column, a default and a trigger
CREATE DOMAIN vocabulary AS text[] CHECK (by_sql(VALUE) = cardinality(VALUE));
CREATE TABLE vocabularies (vs vocabulary, CHECK (by_plpgsql(vs) = cardinality(vs)), n bigint GENERATED ALWAYS AS (by_sql(vs)) STORED, d bigint DEFAULT by_definer());
CREATE INDEX ON vocabularies (by_plpgsql(vs));
CREATE FUNCTION check_vocabulary() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(DISTINCT x) FROM unnest(NEW.vs) x) <> cardinality(NEW.vs) THEN RAISE 'a word is there twice'; END IF; RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER check_vocabulary AFTER INSERT ON vocabularies DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_vocabulary();
SELECT array_agg(DISTINCT v) AS vs FROM ev WHERE v IS NOT NULL \gset
\set ECHO errors
INSERT INTO vocabularies VALUES (:'vs');
COPY vocabularies (vs) FROM PROGRAM 'echo "{$(seq -s , 1 20000)}"';
SELECT count(DISTINCT x) = approx_count_distinct(x) AS approximate FROM unnest(:'vs'::vocabulary) x;
PREPARE of_domain(vocabulary) AS SELECT count(DISTINCT x) = approx_count_distinct(x) AS approximate FROM unnest($1) x;
EXECUTE of_domain(:'vs');
\set ECHO all
SELECT n, d, by_plpgsql(vs) FROM vocabularies;
DO $$ DECLARE n bigint; BEGIN SELECT count(DISTINCT v) INTO n FROM ev; RAISE WARNING '% in a DO block', n; END $$;
-- REFRESH and CREATE TABLE AS, through functions and what they execute
CREATE MATERIALIZED VIEW by_functions AS SELECT by_execute(), by_plpgsql(vs), n FROM words, by_set();
REFRESH MATERIALIZED VIEW by_functions;
TABLE by_functions;

-- ---------- foreign tables: a foreign server may count by itself ----------
CREATE FOREIGN DATA WRAPPER probds_nowhere;
CREATE SERVER probds_nowhere FOREIGN DATA WRAPPER probds_nowhere;
CREATE FOREIGN TABLE far (v text) SERVER probds_nowhere;
-- a query that is not executed
WITH unused AS (SELECT FROM far) SELECT count(DISTINCT v) AS exact FROM ev;
DROP FOREIGN DATA WRAPPER probds_nowhere CASCADE;

-- ---------- row security: a policy's conditions are exact, the query is not ----------
CREATE TABLE secret (owner name, v text);
INSERT INTO secret SELECT 'regress_probds_dashboard', 'v' || i FROM generate_series(1, 20000) i;
INSERT INTO secret VALUES ('postgres', 'hidden');
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON secret USING (owner = current_user AND (SELECT count(DISTINCT e.v) FROM ev e) = 20000);
GRANT SELECT ON secret TO regress_probds_dashboard;
SET ROLE regress_probds_dashboard;
SELECT count(*), count(DISTINCT v) = approx_count_distinct(v) AS approximate FROM secret;
RESET ROLE;

-- ---------- as other roles ----------
-- the plan of one role is not another's
PREPARE who AS SELECT count(DISTINCT v) = approx_count_distinct(v) AS approximate, current_user = 'regress_probds_dashboard' AS dashboard FROM ev;
PREPARE bare AS SELECT count(DISTINCT v) FROM ev;
SELECT n.nspname AS probds FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'probds' \gset
EXECUTE who;
SET ROLE regress_probds_dashboard;
EXECUTE who;
EXECUTE bare;
RESET ROLE;
-- who may not execute our function has the exact answer, and no error
REVOKE EXECUTE ON FUNCTION :"probds".approx_count_distinct("any") FROM PUBLIC;
EXECUTE bare;
SET ROLE regress_probds_dashboard;
EXECUTE bare;
SELECT count(DISTINCT v) FROM ev;
SELECT approx_count_distinct(v) FROM ev;
SET probds.approximate_precision = 10;
EXECUTE bare;
RESET probds.approximate_precision;
EXECUTE bare;
RESET ROLE;
EXECUTE bare;
GRANT EXECUTE ON FUNCTION :"probds".approx_count_distinct("any") TO PUBLIC;
SET ROLE regress_probds_dashboard;
EXECUTE bare;
SET ROLE regress_probds_other;
EXECUTE bare;
RESET ROLE;
-- a definer's function with the caller's setting, and a view of another owner
ALTER FUNCTION by_definer() OWNER TO regress_probds_other;
SELECT by_definer();
ALTER VIEW ev_view OWNER TO regress_probds_other;
SELECT bool_and(vs = a) AS approximate FROM ev_view JOIN (SELECT g, approx_count_distinct(v) AS a FROM ev GROUP BY g) q USING (g);

-- ---------- look-alikes ----------
CREATE SCHEMA evil;
GRANT USAGE ON SCHEMA evil TO PUBLIC;
CREATE FUNCTION evil.step(bigint, "any") RETURNS bigint LANGUAGE internal AS 'int8inc_any';
CREATE FUNCTION evil.step(bigint, anyelement) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RAISE ''evil''; END';
CREATE FUNCTION evil.step(bigint, text) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RAISE ''evil''; END';
CREATE AGGREGATE evil.approx_count_distinct("any") (SFUNC = evil.step, STYPE = bigint, INITCOND = '-1000000');
CREATE AGGREGATE evil.approx_count_distinct(text) (SFUNC = evil.step, STYPE = bigint, INITCOND = '0');
CREATE AGGREGATE evil.approx_count_distinct(anyelement) (SFUNC = evil.step, STYPE = bigint, INITCOND = '0');
CREATE AGGREGATE evil.count("any") (SFUNC = evil.step, STYPE = bigint, INITCOND = '-1000000');
SET search_path = evil, pg_catalog, public;
EXPLAIN (VERBOSE, COSTS OFF) SELECT pg_catalog.count(DISTINCT v) FROM public.ev;
SELECT pg_catalog.count(DISTINCT v) FROM public.ev;
-- this one is not the server's, and stays what it is
SET search_path = evil, public, pg_catalog;
SELECT count(DISTINCT v) FROM public.ev;
RESET search_path;
-- the owner of a trusted extension can add an aggregate to it
ALTER AGGREGATE evil.approx_count_distinct("any") OWNER TO regress_probds_other;
ALTER EXTENSION probds ADD AGGREGATE evil.approx_count_distinct("any");
SELECT count(DISTINCT v) FROM ev;
ALTER EXTENSION probds DROP AGGREGATE evil.approx_count_distinct("any");
-- in another schema, off the search path
SELECT current_setting('search_path') AS path \gset
SET search_path = pg_catalog;
SELECT count(DISTINCT v) <> 20000 AS approximate FROM public.ev;
RESET search_path;

-- ---------- without the library, and without the extension ----------
\c
SET client_min_messages = warning;
-- a setting that nobody knows yet does nothing
SET probds.approximate_count_distinct = on;
SET probds.approximate_precision = 12;
PREPARE bare AS SELECT count(DISTINCT v) FROM ev;
EXECUTE bare;
LOAD 'probds';
SHOW probds.approximate_count_distinct;
SELECT count(DISTINCT v) = approx_count_distinct(v, 12) AS approximate FROM ev;
-- a role that is no superuser can set it for itself once the library is loaded
SET ROLE regress_probds_dashboard;
ALTER ROLE regress_probds_dashboard SET probds.approximate_count_distinct = on;
SET probds.approximate_precision = 13;
SELECT count(DISTINCT v) = approx_count_distinct(v, 13) AS approximate FROM ev;
RESET ROLE;
SELECT current_database() AS regression_database \gset
CREATE DATABASE probds_without TEMPLATE template0;
\c probds_without
LOAD 'probds';
SET probds.approximate_count_distinct = on;
PREPARE many AS SELECT count(DISTINCT i) FROM generate_series(1, 20000) i;
EXECUTE many;
SET client_min_messages = warning;
CREATE SCHEMA "The Sketches";
CREATE EXTENSION probds SCHEMA "The Sketches";
SELECT count(DISTINCT i) = "The Sketches".approx_count_distinct(i) AS approximate FROM generate_series(1, 20000) i;
DEALLOCATE many;
PREPARE many AS SELECT count(DISTINCT i) FROM generate_series(1, 20000) i;
EXECUTE many;
DROP EXTENSION probds;
EXECUTE many;
\c :regression_database
DROP DATABASE probds_without;
SET client_min_messages = warning;
DROP SCHEMA evil CASCADE;
DROP VIEW ev_view;
DROP TABLE ev, words, vocabularies, secret, stored, stored_into, stored_execute, stored_explain, stored_explained CASCADE;
DROP FUNCTION by_set, by_definer, by_text, by_execute, check_vocabulary;
DROP DOMAIN vocabulary;
DROP FUNCTION by_sql, by_plpgsql;
DROP DOMAIN pairs, word;
DROP TYPE mood, pair, bits;
DROP COLLATION probds_folded;
DROP ROLE regress_probds_dashboard, regress_probds_other;
