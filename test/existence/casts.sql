-- Random queries with casts on both sides of "=", each with existence indexes and gates, and with
-- sequential scans alone.  The types are those of all casts that change no datum, and more.
--
--     psql -v queries=50000 -v seed=0.5 -f test/existence/casts.sql
--
-- Needs a superuser, and probds in the search path.  Makes and drops the schema existence_casts.
-- The last row has four numbers: queries that ran, that used an existence index, that were refused
-- both ways, and that differed.  Each that differed is a warning.
\if :{?queries} \else \set queries 50000 \endif
\if :{?seed} \else \set seed 0.5 \endif
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS existence_casts CASCADE;
CREATE SCHEMA existence_casts;
SELECT set_config('search_path', 'existence_casts, ' || current_setting('search_path'), false) AS
    path \gset
SELECT count(*) > 0 AS has_citext FROM pg_available_extensions WHERE name = 'citext' \gset
\if :has_citext
CREATE EXTENSION IF NOT EXISTS citext;
\endif
SELECT count(*) > 0 AS has_icu FROM pg_collation WHERE collname = 'und-x-icu' \gset
\if :has_icu
CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
\endif

-- types of somebody's own
CREATE DOMAIN over_oid AS oid;
CREATE DOMAIN over_text AS text;
CREATE DOMAIN over_bpchar AS bpchar;
CREATE TYPE pair AS (a text, b oid);
CREATE TYPE cased_range AS RANGE (subtype = text, subtype_opclass = text_pattern_ops);
CREATE TYPE padded_range AS RANGE (subtype = text, subtype_opclass = bpchar_ops);
CREATE TYPE varchar_range AS RANGE (subtype = varchar);
CREATE TYPE own;
CREATE FUNCTION own_in(cstring) RETURNS own LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION own_out(own) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE own (INPUT = own_in, OUTPUT = own_out, LIKE = text, COLLATABLE = true);
CREATE CAST (own AS text) WITHOUT FUNCTION;
CREATE CAST (text AS own) WITHOUT FUNCTION;
CREATE CAST (own AS bpchar) WITHOUT FUNCTION;
CREATE FUNCTION own_eq(own, own) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS
    'SELECT lower($1::text) OPERATOR(pg_catalog.=) lower($2::text)';
CREATE FUNCTION own_hash(own) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS
    'SELECT hashtext(lower($1::text))';
CREATE OPERATOR = (LEFTARG = own, RIGHTARG = own, FUNCTION = own_eq, HASHES);
CREATE OPERATOR CLASS own_ops DEFAULT FOR TYPE own USING hash AS OPERATOR 1 =, FUNCTION 1
    own_hash(own);

-- columns, their types, and the values that each can have
CREATE TABLE kind (n serial, type text, values text[]);
INSERT INTO kind (type)
    SELECT DISTINCT format_type(t, NULL) FROM pg_cast, unnest(ARRAY[castsource, casttarget]) t WHERE
        castmethod = 'b'
    UNION SELECT
        unnest('{smallint,bigint,real,double precision,numeric,name,"\"char\"",boolean,date,time,
            timestamp,timestamptz,interval,money,uuid,"char(4)",over_oid,over_text,over_bpchar,
            "oid[]","integer[]","text[]","varchar[]","bpchar[]",pair,cased_range,padded_range,
            varchar_range,xid}'::text[])
    UNION SELECT 'text COLLATE caseless' WHERE EXISTS (SELECT FROM pg_collation WHERE collname =
        'caseless')
    UNION SELECT 'text COLLATE "C"' ORDER BY 1;
-- to_regtype() and the like fail for names that do not exist; a value is what its type can read
DO $$
DECLARE
    k record;
    v text;
    read text;
    canonical text[];
BEGIN
    FOR k IN SELECT * FROM kind LOOP
        canonical := '{}';
        FOREACH v IN ARRAY
            '{-1,4294967295,0,5,1259,2147483648,-5,65535,a,"a  ",A,"A  ",b,"",true,f,10.0.0.0/8,
                10.0.0.1,::1,1010,0000,10,2026-03-01,2026-03-01 12:00,infinity,12:00,1 mon,30 days,
                x00,"{-1,5}","{a,b}","{\"a  \",b}","{A,b}","{}","(a,5)","(\"a \",4294967295)",
                "[a,b)","[A,b)","[\"a \",b)",empty,00000000-0000-0000-0000-000000000001,<a/>,
                "{\"a\": 1}",1.5,1.50}'::text[]
                LOOP
            BEGIN
                EXECUTE format('SELECT (%L::%s)::text', v, k.type) INTO read;
                canonical := canonical || v;
            EXCEPTION WHEN OTHERS THEN
            END;
        END LOOP;
        UPDATE kind SET values = canonical WHERE n = k.n;
    END LOOP;
END $$;
DELETE FROM kind WHERE values = '{}';

-- "plain" has existence indexes on columns, "gated" btree or hash indexes beside them, "expressed"
-- existence indexes on casts.  "keys" is what they are joined with.  Not all types can have them.
CREATE TABLE tried (what text, error text);
CREATE PROCEDURE try(statement text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    INSERT INTO tried VALUES (statement, NULL);
EXCEPTION WHEN OTHERS THEN
    INSERT INTO tried VALUES (statement, SQLERRM);
END $$;
SELECT 'CREATE TABLE ' || t || ' (id serial, ' || string_agg('c' || n || ' ' || type, ', ' ORDER BY
    n) || ')' FROM kind, unnest('{plain,gated,expressed,keys}'::text[]) t GROUP BY t \gexec
-- each value but the first is there; the first, and others now and then, only in "keys"
SELECT format('INSERT INTO %s (c%s) VALUES (%L::%s)', t, n, v, type) FROM kind, unnest(values) WITH
    ORDINALITY u (v, i), unnest('{plain,gated,expressed,keys}'::text[]) t WHERE i % 4 <> 1 OR t =
        'keys' \gexec
SELECT format('CALL try(%L)', format('CREATE INDEX %s_existence_%s ON %s USING existence (c%s)', t,
    n, t, n)) FROM kind, unnest('{plain,gated}'::text[]) t \gexec
SELECT format('CALL try(%L)', format('CREATE INDEX ON gated USING %s (c%s)', am, n)) FROM kind,
    unnest('{btree,hash}'::text[]) am
    -- the server's own hash_range() knows the subtype's default operator class alone
    WHERE NOT (am = 'hash' AND type = 'padded_range') \gexec
SELECT format('CALL try(%L)',
    format('CREATE INDEX expressed_existence_%s_%s ON expressed USING existence ((c%s::%s))', s.n,
        d.n, s.n, d.type)) FROM kind s, kind d, pg_cast WHERE s.type = format_type(castsource, NULL)
            AND d.type = format_type(casttarget, NULL) AND castmethod = 'b' \gexec
ANALYZE;

-- One of an array
CREATE FUNCTION any_of(list anyarray) RETURNS anyelement LANGUAGE sql VOLATILE AS
    'SELECT list[1 + floor(random() * cardinality(list))::int]';
-- A type that values of a type can be cast to, often itself
CREATE FUNCTION any_cast(type text) RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT any_of(array_agg(t)) FROM (SELECT format_type(casttarget, NULL) FROM pg_cast WHERE
        format_type(castsource, NULL) = type
        UNION ALL SELECT 'text' WHERE type IN ('over_text', 'text COLLATE caseless',
            'text COLLATE "C"')
        UNION ALL SELECT 'bpchar' WHERE type = 'over_bpchar' UNION ALL SELECT 'oid' WHERE type =
            'over_oid'
        UNION ALL SELECT 'integer[]' WHERE type = 'oid[]' UNION ALL SELECT 'oid[]' WHERE type =
            'integer[]'
        UNION ALL SELECT 'text[]' WHERE type IN ('bpchar[]', 'varchar[]') UNION ALL SELECT
            'bpchar[]' WHERE type IN ('text[]', 'varchar[]')
        UNION ALL SELECT type) u (t)
$$;

-- Results and plan of a statement with these settings; which of several errors comes first does not
-- matter
CREATE FUNCTION answer(indexed boolean, prepare text, ask text, OUT rows text, OUT plan text)
    LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    PERFORM set_config(s, (indexed = (s IN ('enable_bitmapscan', 'enable_indexscan',
        'probds.existence_gate')))::text, true)
        FROM unnest('{enable_seqscan,enable_bitmapscan,enable_indexscan,
            probds.existence_gate}'::text[])
            s;
    plan := '';
    IF prepare <> '' THEN
        EXECUTE prepare;
    END IF;
    EXECUTE ask INTO rows;
    IF indexed THEN
        FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || ask LOOP
            plan := plan || line;
        END LOOP;
    END IF;
    IF prepare <> '' THEN
        DEALLOCATE asked;
    END IF;
EXCEPTION WHEN OTHERS THEN
    rows := 'error';
    IF prepare <> '' AND EXISTS (SELECT FROM pg_prepared_statements WHERE name = 'asked') THEN
        DEALLOCATE asked;
    END IF;
END $$;

CREATE FUNCTION run_queries(queries int, OUT ran int, OUT used_index int, OUT used_gate int, OUT
    refused int, OUT "differ" int) LANGUAGE plpgsql AS $$
DECLARE
    k record;
    l record;
    side text;
    value text;
    source text;
    prepare text;
    ask text;
    tab text;
    way int;
    truth record;
    got record;
BEGIN
    ran := 0; used_index := 0; used_gate := 0; refused := 0; "differ" := 0;
    WHILE ran < queries LOOP
        SELECT * INTO k FROM kind ORDER BY random() LIMIT 1;
        tab := any_of('{plain,gated,expressed}'::text[]);
        source := k.type;
        side := 't.c' || k.n;
        FOR i IN 1..floor(random() * 3) LOOP
            source := any_cast(source);
            side := format('(%s)::%s', side, source);
        END LOOP;
        -- of that type, of one that casts lead to, or of any
        SELECT * INTO l FROM kind WHERE type = any_of(ARRAY[source, source, source,
            any_cast(source), k.type]) LIMIT 1;
        CONTINUE WHEN l.type IS NULL;
        way := floor(random() * 7);
        value := quote_literal(any_of(l.values));
        prepare := '';
        IF way IN (1, 3) THEN
            prepare :=
                format('PREPARE asked AS SELECT string_agg(id::text, '','' ORDER BY id) FROM %s t
                    WHERE ',
                    tab);
        END IF;
        source := CASE way
            WHEN 0 THEN format('%s::%s', value, l.type)
            WHEN 1 THEN format('$1::%s', l.type)
            WHEN 2 THEN format('ANY (ARRAY[%s::%s, %L::%s])', value, l.type, any_of(l.values),
                l.type)
            WHEN 3 THEN format('ANY ($1::%s[])', regexp_replace(l.type, ' COLLATE.*', ''))
            ELSE 'k.c' || l.n END;
        IF way NOT IN (2, 3) AND random() < 0.5 THEN
            source := format('(%s)::%s', source, any_cast(l.type));
        END IF;
        source := CASE WHEN way IN (2, 3) OR random() < 0.7 THEN format('%s = %s', side, source)
            ELSE format('%s = %s', source, side) END;
        ask := CASE way
            WHEN 0 THEN format('SELECT string_agg(id::text, '','' ORDER BY id) FROM %s t WHERE %s',
                tab, source)
            WHEN 1 THEN format('EXECUTE asked (%s)', value)
            WHEN 2 THEN format('SELECT string_agg(id::text, '','' ORDER BY id) FROM %s t WHERE %s',
                tab, source)
            WHEN 3 THEN format('EXECUTE asked (ARRAY[%s, NULL])', value)
            WHEN 4 THEN
                format('SELECT string_agg(k.id || ''-'' || t.id, '','' ORDER BY k.id, t.id) FROM
                    keys k, %s t WHERE %s',
                    tab, source)
            WHEN 5 THEN
                format('SELECT string_agg(k.id::text, '','' ORDER BY k.id) FROM keys k WHERE NOT
                    EXISTS (SELECT FROM %s t WHERE %s)',
                    tab, source)
            ELSE format('SELECT string_agg(k.id || ''-'' || t.id, '','' ORDER BY k.id, t.id) FROM
                keys k LEFT JOIN %s t ON %s',
                tab, source) END;
        IF prepare <> '' THEN
            prepare := prepare || source;
            -- of the type that the parameter is cast from
            prepare := replace(prepare, 'PREPARE asked AS', format('PREPARE asked (%s) AS',
                regexp_replace(l.type, ' COLLATE.*', '') || CASE way WHEN 3 THEN '[]' ELSE '' END));
        END IF;
        truth := answer(false, prepare, ask);
        got := answer(true, prepare, ask);
        ran := ran + 1;
        refused := refused + coalesce(truth.rows = 'error' AND got.rows = 'error', false)::int;
        used_index := used_index + (got.plan ~ 'Bitmap Index Scan on \w*_existence_')::int;
        used_gate := used_gate + (got.plan ~ 'Existence Gate')::int;
        IF truth.rows IS DISTINCT FROM got.rows THEN
            "differ" := "differ" + 1;
            RAISE WARNING E'% %\n% instead of %\n%', prepare, ask, got.rows, truth.rows, got.plan;
        END IF;
    END LOOP;
END $$;

-- existence_might_contain() for a share of all values and columns: a "no" beside a row is wrong.
-- A char(n) is trimmed before the function sees it, so a varchar column is not asked for one.
CREATE FUNCTION run_functions(share float8, OUT called int, OUT said_no int, OUT wrong int) LANGUAGE
    plpgsql AS $$
DECLARE
    q record;
    is_there boolean;
    might boolean;
BEGIN
    called := 0; said_no := 0; wrong := 0;
    FOR q IN SELECT k.n, format('%L::%s', v, l.type) AS value FROM kind k, kind l, unnest(l.values)
        v WHERE random() < share AND NOT (k.type = 'character varying' AND l.type ~
            'character$|char\(4\)|bpchar$') LOOP
        BEGIN
            EXECUTE
                format('SELECT EXISTS (SELECT FROM plain WHERE c%s = %s),
                    existence_might_contain(''plain'', ''c%s'', %s)',
                    q.n, q.value, q.n, q.value) INTO is_there, might;
            called := called + 1;
            said_no := said_no + (NOT might)::int;
            IF is_there AND NOT might THEN
                wrong := wrong + 1;
                RAISE WARNING 'existence_might_contain(): c% % = %', q.n, (SELECT type FROM kind
                    WHERE n = q.n), q.value;
            END IF;
        EXCEPTION WHEN OTHERS THEN
        END;
    END LOOP;
END $$;

SET plan_cache_mode = force_generic_plan;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SELECT setseed(:seed) \g /dev/null
\pset footer off
SELECT count(*) FILTER (WHERE error IS NULL) AS indexes, count(*) FILTER (WHERE error IS NOT NULL)
    AS refused FROM tried;
SELECT * FROM run_functions(least(1, :queries / 50000.0));
SELECT * FROM run_queries(:queries);
DROP SCHEMA existence_casts CASCADE;
