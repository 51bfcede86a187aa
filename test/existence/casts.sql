-- Random queries with casts on both sides of "=", each with existence indexes or gates, and with
-- sequential scans alone.  The types are those of all casts that change no datum, and more.
--
--     psql -v queries=50000 -v seed=0.5 -f test/existence/casts.sql
--
-- Needs a superuser, and probds in the search path.  Makes and drops the schema existence_casts.
-- The last row has the numbers of queries that ran, that used an existence index, that used a gate,
-- that were refused both ways, and that differed.  Each that differed is a warning.
\if :{?queries} \else \set queries 50000 \endif
\if :{?seed} \else \set seed 0.5 \endif
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
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

-- Types of columns, and the values that each can have.  A type's values are canonical texts.
CREATE TABLE kind (n serial PRIMARY KEY, type text, collated text DEFAULT '', choice text[]);
INSERT INTO kind (type)
    SELECT DISTINCT format_type(t, NULL) FROM pg_cast, unnest(ARRAY[castsource, casttarget]) t WHERE
        castmethod = 'b'
    UNION SELECT
        unnest('{smallint,bigint,real,double precision,numeric,name,"\"char\"",boolean,date,time,
            timestamp,timestamptz,interval,money,uuid,"char(4)",over_oid,over_text,over_bpchar,
                "oid[]","integer[]","text[]","varchar[]","bpchar[]",pair,cased_range,padded_range,
                    varchar_range,xid}'::text[])
    ORDER BY 1;
INSERT INTO kind (type, collated) SELECT 'text', format(' COLLATE %I', collname) FROM pg_collation
    WHERE collname IN ('caseless', 'C') ORDER BY collname;
CREATE FUNCTION works(statement text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN true;
EXCEPTION WHEN OTHERS THEN
    RETURN false;
END $$;
UPDATE kind SET choice = ARRAY(SELECT v FROM
    unnest('{-1,4294967295,0,5,1259,2147483648,-5,65535,a,"a  ",A,"A  ",b,"",true,f,10.0.0.0/8,
        10.0.0.1,::1,1010,0000,10,2026-03-01,2026-03-01 12:00,infinity,12:00,1 mon,30
            days,x00,"{-1,5}","{a,b}","{\"a  \",b}","{A,b}","{}","(a,5)","(\"a
                \",4294967295)","[a,b)","[A,b)","[\"a
                    \",b)",empty,00000000-0000-0000-0000-000000000001,<a/>,"{\"a\":
                        1}",1.5,1.50}'::text[]) WITH ORDINALITY u (v, i)
    WHERE works(format('SELECT %L::%s', v, type)) ORDER BY i);
DELETE FROM kind WHERE choice = '{}';
-- Casts that change no datum, and casts that no value of the source fails
CREATE TABLE binary_cast AS
    SELECT format_type(castsource, NULL) AS source, format_type(casttarget, NULL) AS target FROM
        pg_cast WHERE castmethod = 'b'
    UNION SELECT * FROM (VALUES ('over_oid', 'oid'), ('over_text', 'text'), ('over_bpchar',
        'bpchar'), ('oid[]', 'integer[]'), ('integer[]', 'oid[]'), ('bpchar[]', 'text[]'),
            ('varchar[]', 'text[]'), ('text[]', 'varchar[]'), ('text[]', 'bpchar[]')) v;
CREATE TABLE any_cast AS
    SELECT source, target FROM (SELECT format_type(castsource, NULL), format_type(casttarget, NULL)
        FROM pg_cast UNION TABLE binary_cast) c (source, target)
    WHERE source <> target AND target IN (SELECT type FROM kind)
        AND works((SELECT format('SELECT %s', string_agg(format('%L::%s::%s', v, source, target),
            ', ')) FROM kind, unnest(choice) v WHERE type = source AND collated = ''))
        AND EXISTS (SELECT FROM kind WHERE type = source);

-- Each type has tables of its own.  "plain" has an existence index on the column, "cast" on a cast
-- of the column.  "gated" and "castgated" have a btree or hash index beside it.  "keys" has the
-- values to join with.
-- (A text that is cast is not always read as a literal is: regclass.)
CREATE FUNCTION rows_of(k kind, remainder int) RETURNS text LANGUAGE sql AS $$
    SELECT 'SELECT * FROM (VALUES ' || string_agg(format('(%s, %L::%s%s)', i, v, k.type,
        k.collated), ', ') || ') v (id, k)' FROM unnest(k.choice) WITH ORDINALITY u (v, i) WHERE
            remainder IS NULL OR i % 2 = remainder
$$;
CREATE TABLE place (tab text, n int, gated boolean);
CREATE PROCEDURE create_place(name text, k kind, gated boolean, expression text) LANGUAGE plpgsql AS
    $$
BEGIN
    EXECUTE format('CREATE TABLE %I (id serial, k %s%s)', name, k.type, k.collated);
    EXECUTE format('INSERT INTO %I (k) SELECT k FROM (%s) v, generate_series(1, 5)', name,
        rows_of(k, k.n % 2));
    EXECUTE format('CREATE INDEX %I ON %I USING existence (%s)', name || '_existence', name,
        expression);
    IF gated THEN
        -- (the server's own hash_range() knows the subtype's default operator class alone)
        IF NOT works(format('CREATE INDEX ON %I USING btree (%s)', name, expression)) AND (k.type =
            'padded_range' OR NOT works(format('CREATE INDEX ON %I USING hash (%s)', name,
                expression))) THEN
            RAISE EXCEPTION 'no index';
        END IF;
    END IF;
    INSERT INTO place VALUES (name, k.n, gated);
EXCEPTION WHEN OTHERS THEN
END $$;
SELECT format('CREATE TABLE keys%s AS %s', n, rows_of(kind, NULL)) FROM kind ORDER BY n \gexec
SELECT format('CALL create_place(%L, %L, %L, %L)', CASE WHEN gated THEN 'gated' ELSE 'plain' END ||
    n, kind, gated, 'k') FROM kind, (VALUES (false), (true)) g (gated) ORDER BY n, gated \gexec
SELECT format('CALL create_place(%L, %L, %L, %L)', CASE WHEN gated THEN 'castgated' ELSE 'cast' END
    || k.n || '_' || row_number() OVER (PARTITION BY k.n, gated ORDER BY target), k, gated,
        format('(k::%s)', target))
    FROM kind k JOIN binary_cast ON source = type, (VALUES (false), (true)) g (gated) WHERE collated
        = '' ORDER BY n, target, gated \gexec
ANALYZE;

-- What stands left of "=": a column or up to two casts of it that change no datum
CREATE TABLE left_side AS
    WITH RECURSIVE side AS (
        SELECT n, 't.k' AS expression, type, 0 AS depth FROM kind
        UNION ALL SELECT n, format('(%s)::%s', expression, target), target, depth + 1 FROM side,
            binary_cast WHERE source = type AND depth < 2)
    SELECT row_number() OVER (PARTITION BY n ORDER BY depth, expression) AS i, count(*) OVER
        (PARTITION BY n) AS of, side.* FROM side;
CREATE UNIQUE INDEX ON left_side (n, i);
-- Types that have a "=" between them; "indexed" if the index of a column can do it
CREATE TABLE comparable AS
    SELECT l.type AS l, r.type AS r, r.n FROM (SELECT DISTINCT type FROM left_side) l, kind r WHERE
        works(format('SELECT NULL::%s = NULL::%s', l.type, r.type));
ALTER TABLE comparable ADD indexed boolean;
SET enable_seqscan = off;
SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION uses_index(statement text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || statement LOOP
        IF line ~ '_existence' THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
EXCEPTION WHEN OTHERS THEN
    RETURN false;
END $$;
UPDATE comparable c SET indexed = coalesce((SELECT
    uses_index(format('SELECT FROM %s WHERE k = (SELECT NULL::%s)', tab, c.r)) FROM kind k JOIN
        place USING (n) WHERE k.type = c.l AND NOT gated ORDER BY k.n LIMIT 1), false);
-- What stands right of it: a value, or a cast of one
CREATE TABLE right_side AS
    SELECT c.l, k.n, k.type, k.collated, k.choice, '%s' AS cast, c.indexed FROM comparable c JOIN
        kind k USING (n)
    UNION ALL SELECT c.l, k.n, k.type, k.collated, k.choice, format('(%%s)::%s', target), c.indexed
        FROM comparable c JOIN any_cast ON target = c.r JOIN kind k ON k.type = source;
ALTER TABLE right_side ADD i int, ADD of int;
UPDATE right_side s SET i = u.i, of = u.of FROM (SELECT ctid AS id, row_number() OVER w AS i,
    count(*) OVER (PARTITION BY l, indexed) AS of FROM right_side WINDOW w AS (PARTITION BY l,
        indexed ORDER BY n, "cast")) u WHERE ctid = u.id;
CREATE UNIQUE INDEX ON right_side (l, indexed, i);
ALTER TABLE place ADD i serial;
CREATE UNIQUE INDEX ON place (i);
CREATE TABLE spot AS SELECT row_number() OVER (PARTITION BY n ORDER BY tab) AS i, count(*) OVER
    (PARTITION BY n) AS of, dense_rank() OVER (ORDER BY n) AS rank, n, tab, gated FROM place;
CREATE UNIQUE INDEX ON spot (rank, i);
ANALYZE left_side, right_side, spot;
CREATE FUNCTION random_below(n bigint) RETURNS int LANGUAGE sql VOLATILE AS
    'SELECT floor(random() * n)::int';

-- Switches existence indexes and gates on, or leaves only sequential scans
CREATE FUNCTION use_indexes(indexed boolean, bitmaps boolean) RETURNS void LANGUAGE sql AS $$
    SELECT set_config('enable_seqscan', (NOT indexed)::text, true), set_config('enable_indexscan',
        indexed::text, true),
        set_config('enable_bitmapscan', (indexed AND bitmaps)::text, true),
            set_config('probds.existence_gate', indexed::text, true);
$$;

-- The rows that a statement gives, and its plan; which of several errors comes first does not
-- matter
CREATE FUNCTION answer(statement text, arguments text, explained boolean, OUT rows text, OUT plan
    text) LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    plan := '';
    EXECUTE 'PREPARE asked' || statement;
    EXECUTE 'EXECUTE asked' || arguments INTO rows;
    IF explained THEN
        FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) EXECUTE asked' || arguments LOOP
            plan := plan || line || E'\n';
        END LOOP;
    END IF;
    DEALLOCATE asked;
EXCEPTION WHEN OTHERS THEN
    rows := 'error';
    DEALLOCATE ALL;
END $$;

CREATE FUNCTION run_queries(queries int, OUT ran int, OUT used_index int, OUT used_gate int, OUT
    refused int, OUT "differ" int, OUT by_way text) LANGUAGE plpgsql AS $$
DECLARE
    place record;
    l record;
    r record;
    way int;
    value text;
    condition text;
    statement text;
    arguments text;
    truth record;
    got record;
    places int := (SELECT max(rank) FROM spot);
    ways int[] := array_fill(0, ARRAY[9]);
BEGIN
    ran := 0; used_index := 0; used_gate := 0; refused := 0; "differ" := 0;
    WHILE ran < queries LOOP
        -- (numbers are drawn first: a condition would draw one for each row)
        way := random_below(places) + 1;
        SELECT s.* INTO place FROM spot s WHERE s.rank = way AND s.i = 1;
        way := random_below(place.of) + 1;
        SELECT s.* INTO place FROM spot s WHERE s.rank = place.rank AND s.i = way;
        SELECT s.* INTO l FROM left_side s WHERE s.n = place.n AND s.i = 1;
        way := random_below(l.of) + 1;
        SELECT s.* INTO l FROM left_side s WHERE s.n = place.n AND s.i = way;
        SELECT s.* INTO r FROM right_side s WHERE s.l = l.type AND s.indexed = (random() < 0.98) AND
            s.i = 1;
        CONTINUE WHEN r.i IS NULL;
        way := random_below(r.of) + 1;
        SELECT s.* INTO r FROM right_side s WHERE s.l = l.type AND s.indexed = r.indexed AND s.i =
            way;

        -- a gate is for joins alone, and a list of arrays is an array
        way := CASE WHEN place.gated THEN 4 + random_below(5) ELSE random_below(9) END;
        IF way IN (2, 3) AND r.type ~ '\[\]$' THEN
            way := way - 2;
        END IF;
        value := quote_literal(r.choice[1 + random_below(cardinality(r.choice))]);
        condition := CASE way
            WHEN 0 THEN format(r.cast, value || '::' || r.type)
            WHEN 1 THEN format(r.cast, '$1')
            WHEN 2 THEN format('ANY (ARRAY[%s, NULL])', format(r.cast, value || '::' || r.type))
            WHEN 3 THEN 'ANY ($1)'
            ELSE format(r.cast, 'k.k') END;
        IF way NOT IN (2, 3) AND random() < 0.3 THEN
            condition := condition || ' = ' || l.expression;
        ELSE
            condition := l.expression || ' = ' || condition;
        END IF;
        arguments := CASE way WHEN 1 THEN format(' (%s)', value) WHEN 3 THEN
            format(' (ARRAY[%s, NULL]::%s[])', value, r.type) ELSE '' END;
        statement := CASE way WHEN 1 THEN format(' (%s)', r.type) WHEN 3 THEN format(' (%s[])',
            r.type) ELSE '' END || CASE
            WHEN way < 4 THEN
                format(' AS SELECT string_agg(id::text, '','' ORDER BY id) FROM %s t WHERE %s',
                    place.tab, condition)
            WHEN way = 4 THEN
                format(' AS SELECT string_agg(k.id || ''-'' || t.id, '','' ORDER BY k.id, t.id)
                    FROM keys%s k JOIN %s t ON %s', r.n, place.tab, condition)
            WHEN way = 5 THEN
                format(' AS SELECT string_agg(k.id::text, '','' ORDER BY k.id) FROM keys%s k WHERE
                    NOT EXISTS (SELECT FROM %s t WHERE %s)', r.n, place.tab, condition)
            WHEN way = 6 THEN
                format(' AS SELECT string_agg(k.id || ''-'' || t.id, '','' ORDER BY k.id, t.id)
                    FROM keys%s k LEFT JOIN %s t ON %s', r.n, place.tab, condition)
            WHEN way = 7 THEN
                format(' AS SELECT string_agg(k.id::text, '','' ORDER BY k.id) FROM keys%s k WHERE
                    EXISTS (SELECT FROM %s t WHERE %s)', r.n, place.tab, condition)
            ELSE format(' AS SELECT string_agg((SELECT count(*) FROM %s t WHERE %s)::text, '',''
                ORDER BY k.id) FROM keys%s k', place.tab, condition, r.n) END;

        PERFORM use_indexes(false, false);
        truth := answer(statement, arguments, false);
        PERFORM use_indexes(true, NOT place.gated);
        got := answer(statement, arguments, true);
        ran := ran + 1;
        IF got.plan ~ 'Existence Gate' THEN
            used_gate := used_gate + 1;
        ELSIF got.plan ~ '_existence' THEN
            used_index := used_index + 1;
            ways[way + 1] := ways[way + 1] + 1;
        END IF;
        IF truth.rows = 'error' AND got.rows = 'error' THEN
            refused := refused + 1;
        ELSIF truth.rows IS DISTINCT FROM got.rows THEN
            "differ" := "differ" + 1;
            RAISE WARNING E'PREPARE asked%; EXECUTE asked%\n% instead of %\n%', statement,
                arguments, got.rows, truth.rows, got.plan;
        END IF;
    END LOOP;
    PERFORM use_indexes(true, true);
    by_way := ways::text;
END $$;

-- existence_might_contain() for a share of all values and columns: a "no" beside a row is wrong.
CREATE FUNCTION run_functions(share float8, OUT called int, OUT said_no int, OUT wrong int) LANGUAGE
    plpgsql AS $$
DECLARE
    q record;
    is_there boolean;
    might boolean;
BEGIN
    called := 0; said_no := 0; wrong := 0;
    FOR q IN SELECT p.tab, format('%L::%s', v, r.type) AS value FROM spot p JOIN kind k USING (n)
        JOIN comparable c ON l = k.type JOIN kind r ON r.n = c.n, unnest(r.choice) v
        WHERE tab ~ '^plain' AND random() < share LOOP
        BEGIN
            EXECUTE
                format('SELECT EXISTS (SELECT FROM %s WHERE k = %s), existence_might_contain(%L,
                    ''k'', %s)', q.tab, q.value, q.tab, q.value) INTO is_there, might;
            called := called + 1;
            said_no := said_no + (NOT might)::int;
            IF is_there AND NOT might THEN
                wrong := wrong + 1;
                RAISE WARNING 'existence_might_contain(): % = %', q.tab, q.value;
            END IF;
        EXCEPTION WHEN OTHERS THEN
        END;
    END LOOP;
END $$;

SELECT setseed(:seed) \g /dev/null
\pset footer off
SELECT count(*) AS indexes FROM spot;
SELECT use_indexes(false, false) \g /dev/null
SELECT * FROM run_functions(least(1, :queries / 50000.0));
SELECT * FROM run_queries(:queries);
DROP SCHEMA existence_casts CASCADE;
