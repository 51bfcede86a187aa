-- Expressions that do not mention a sketch mean what they meant: every operator
-- that we add to, between values and plain literals of other types, before and
-- after CREATE EXTENSION
SELECT current_database() AS regression_database \gset
CREATE DATABASE probds_neighbours TEMPLATE template0;
\c probds_neighbours
\set VERBOSITY terse
SET client_min_messages = warning;
SET DateStyle = ISO;
SET TimeZone = UTC;

-- extensions with operators of these names, where they are installed
DO $$
DECLARE
    extension name;
BEGIN
    FOR extension IN SELECT name FROM pg_available_extensions WHERE name IN ('citext', 'cube', 'hstore', 'intarray', 'ltree', 'seg') LOOP
        EXECUTE format('CREATE EXTENSION %I', extension);
    END LOOP;
END
$$;

CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN tags AS text[];

-- operands: plain literals, and values of types
CREATE TABLE operand (expression text PRIMARY KEY, literal boolean);
INSERT INTO operand SELECT x, true FROM unnest(ARRAY[
    $$'a'$$, $$''$$, $$'1'$$, $$'{1,2}'$$, $$'{"a": 1}'$$, $$'[1,3)'$$, $$'(1,2)'$$, $$'[(0,0),(1,1)]'$$, $$'((0,0),(1,1))'$$, $$'2000-01-01'$$, $$'101'$$, $$'a=>1'$$, $$'a.b'$$, $$'\x61'$$,
    $$'EQAADg=='$$, $$'IQAAhQNk'$$, $$'MQAAAAUJB4UDnwoAAA=='$$, 'NULL']) x;
INSERT INTO operand VALUES ($$'QQAAFA=='$$, true);
INSERT INTO operand SELECT x, false FROM unnest(ARRAY[
    '1', '1::smallint', '1::bigint', '1.5', '1.5::float8', $$'a'::text$$, $$'a'::varchar$$, $$'a'::char(3)$$, $$'a'::name$$, $$'a'::"char"$$, $$'\x61'::bytea$$, 'true',
    $$B'101'$$, $$'101'::varbit$$, $$'2000-01-01'::date$$, $$'2000-01-01'::timestamp$$, $$'2000-01-01'::timestamptz$$, $$'1 day'::interval$$, $$'12:00'::time$$,
    $$'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid$$, $$'10.0.0.1'::inet$$, $$'10.0.0.0/8'::cidr$$, $$'08:00:2b:01:02:03'::macaddr$$, $$'{"a": 1}'::jsonb$$, $$'{"a": 1}'::json$$,
    'ARRAY[1, 2]', $$ARRAY['a']$$, $$'{a}'::tags$$, $$'{}'::jsonb[]$$, $$'[1,3)'::int4range$$, $$'[1,3)'::numrange$$, $$'(1,2)'::point$$, $$'[(0,0),(1,1)]'::lseg$$, $$'((0,0),(1,1))'::path$$,
    $$'(0,0),(1,1)'::box$$, $$'((0,0),(1,1),(1,0))'::polygon$$, $$'<(0,0),1>'::circle$$, $$'{1,2,3}'::line$$, $$'a b'::tsvector$$, $$'a'::tsquery$$, $$'ok'::mood$$, $$'(1,a)'::pair$$, $$ROW(1, 'a')$$,
    '1::oid', $$'pg_class'::regclass$$, $$'1'::money$$, $$'0/1'::pg_lsn$$]) x;
INSERT INTO operand SELECT format('%L::%s', value, name), false FROM (VALUES ('hstore', 'a=>1'), ('ltree', 'a.b'), ('citext', 'A'), ('cube', '(1,2)'), ('seg', '1..2')) q(name, value)
WHERE EXISTS (SELECT FROM pg_extension WHERE extname = name);

-- What an expression gives: its type and value, or its SQLSTATE
CREATE FUNCTION meaning(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('SELECT pg_typeof(x) || %L || coalesce(x::text, %L) FROM (SELECT %s AS x) q', ' ', 'NULL', expression) INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END
$$;

-- what people write, and every operator that we add to, between all of these
CREATE TABLE written AS
SELECT n, e FROM (VALUES
    (1, $$'a' || 'b'$$), (2, $$'a' || 1$$), (3, $$NULL || 'b'$$), (4, $$ARRAY[1] || 2$$), (5, $$ARRAY[1] || '{2}'$$), (6, $$'{"a": 1}'::jsonb || '{"b": 2}'$$), (7, $$5 # 3$$),
    (8, $$# '((0,0),(1,1))'::path$$), (9, $$'a' = 'b'$$), (10, $$# '((0,0),(1,1))'$$), (11, $$'\x61'::bytea || '\x62'$$), (12, $$ARRAY[1, 2] @> '{1}'$$), (13, $$'{1}' <@ ARRAY[1, 2]$$),
    (14, $$'{"a": 1}' @> '{}'::jsonb$$), (15, $$'{"a": 1}'::jsonb -> 'a'$$), (16, $$'[1,3)'::int4range @> 2$$), (17, $$'[1,3)'::int4range @> '2'$$), (18, $$2 <@ '[1,3)'::int4range$$), (19, $$'(1,1)' <@ '((0,0),(2,2))'::box$$),
    (20, $$'{1}' @> '{1}'$$), (21, $$1 <@ '{1}'$$), (22, $$6 & 3$$), (23, $$'10.0.0.7'::inet & '255.0.0.0'$$), (24, $$B'110' & '011'$$), (25, $$'a' & 'b'::tsquery$$), (26, $$'a b'::tsvector @> 'a'$$)) q(n, e);
CREATE TABLE expression AS
SELECT format('%s %s %s', a.expression, operator, b.expression) AS e
FROM operand a, operand b, unnest(ARRAY['||', '&', '#', '@>', '<@', '->', '=', '<>', '*<', '*<=', '*>', '*>=']) operator
WHERE a.literal OR b.literal OR a.expression = b.expression
UNION SELECT format('%s %s', operator, expression) FROM operand, unnest(ARRAY['#', '@@', '-']) operator
UNION SELECT format('%s(%s)', f, expression) FROM operand, unnest(ARRAY['length', 'lower', 'md5', 'text', 'bytea', 'bit_length', 'cardinality', 'hash_array', 'to_jsonb']) f
UNION SELECT format('%s IN (%s, %s)', a.expression, b.expression, a.expression) FROM operand a, operand b WHERE b.literal
UNION SELECT e FROM written
UNION SELECT format('CASE WHEN true THEN %s ELSE %s END', a.expression, b.expression) FROM operand a, operand b WHERE b.literal;

-- planning and executing some ten thousand statements: no transaction log, no JIT
SET jit = off;
CREATE TEMP TABLE before AS SELECT e, meaning(e) AS m FROM expression;
CREATE EXTENSION probds;
CREATE TEMP TABLE after AS SELECT e, meaning(e) AS m FROM expression;

SELECT count(*) > 20000 AS many, count(*) FILTER (WHERE m !~ '^[0-9A-Z]{5}$') > 4000 AS of_which_work FROM before;
-- what worked means what it meant; but NULL *< NULL was one of two rows
SELECT e AS expression, before.m AS before, after.m AS after FROM before JOIN after USING (e) WHERE before.m <> after.m AND before.m !~ '^[0-9A-Z]{5}$' ORDER BY e COLLATE "C" LIMIT 100;
-- what was an error is one; but beside a text a literal can be nothing but a filter.  Before
-- PostgreSQL 15, "char" is of the category of strings, so that holds beside a "char", too
SELECT e AS expression, after.m AS after FROM before JOIN after USING (e) WHERE before.m ~ '^[0-9A-Z]{5}$' AND after.m !~ '^[0-9A-Z]{5}$' AND e !~ 'citext'
    AND (e !~ '"char"' OR current_setting('server_version_num')::int >= 150000) ORDER BY e COLLATE "C";

-- of these, a few that people write
SELECT e AS expression, meaning(e) FROM written ORDER BY n;
-- and with a sketch on one side a literal is a sketch
SELECT e AS expression, meaning(e) FROM (VALUES
    (1, $$hll_empty() || 'EQAADA=='$$), (2, $$'EQAADA==' || hll_empty()$$), (3, $$hll_empty() = 'EQAADg=='$$), (4, $$hll_empty() || NULL$$), (5, $$hll_empty() || 'a'$$),
    (6, $$hll_empty() || 'a'::text$$), (7, $$hll_empty() || 1$$), (8, $$#hll_empty()$$), (9, $$bloom_empty(100) || 'IQAAhQNk'$$), (10, $$'IQAAhQNk' & bloom_empty(100)$$), (11, $$bloom_empty(100) = 'IQAAhQNk'$$),
    (12, $$bloom_empty(100) || 'a'$$), (13, $$bloom_empty(100) || hll_empty()$$), (14, $$bloom_empty(100) & 1$$), (15, $$#bloom_empty(100)$$), (16, $$cms_empty() || 'MQAAAAUJB4UDnwoAAA=='$$), (17, $$'MQAAAAUJB4UDnwoAAA==' = cms_empty()$$),
    (18, $$cms_empty() || 'a'$$), (19, $$cms_empty() || bloom_empty(100)$$), (20, $$'MQAAAAUJB4UDnwoAAA==' -> 1$$)) q(n, e) ORDER BY n;
-- but of a sketch's contents: there a literal is a value, and a sketch is none
SELECT e AS expression, meaning(e) FROM (VALUES
    (1, $$bloom_add(bloom_empty(9), 1) @> '1'$$), (2, $$'1' <@ bloom_add(bloom_empty(9), 1)$$), (3, $$bloom_add(bloom_empty(9), 'a') @> 'a'$$), (4, $$bloom_empty(9) @> NULL$$), (5, $$bloom_empty(9) @> bloom_empty(9)$$),
    (6, $$1 @> bloom_empty(9)$$), (7, $$bloom_empty(9) <@ 1$$), (8, $$bloom_empty(9) -> 1$$), (9, $$'IQAAhQNk' @> 1$$),
    (10, $$cms_add(cms_empty(), 1) -> '1'$$), (11, $$cms_add(cms_empty(), 'a') -> 'a'$$), (12, $$cms_empty() -> NULL$$), (13, $$cms_empty() -> cms_empty()$$), (14, $$cms_empty() @> 1$$)) q(n, e) ORDER BY n;

SELECT e AS expression, meaning(e) FROM (VALUES
    (1, $$topk_empty() || 'QQAAFA=='$$), (2, $$'QQAAFA==' || topk_empty()$$), (3, $$topk_empty() = 'QQAAFA=='$$), (4, $$topk_empty() || NULL$$), (5, $$topk_empty() || 'a'$$), (6, $$topk_empty() || 1$$),
    (7, $$topk_empty() || hll_empty()$$), (8, $$topk_empty() @> 1$$), (9, $$topk_empty() -> 1$$)) q(n, e) ORDER BY n;

\c :regression_database
DROP DATABASE probds_neighbours;
