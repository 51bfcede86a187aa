-- Literals and parameters without a type: they are read as what the sketch holds

-- The kind of a sketch, and whether the literal was equal to the value in it
CREATE FUNCTION pg_temp.same(sketch hll, more hll) RETURNS TABLE (kind text, same boolean) LANGUAGE sql AS $$
    SELECT (hll_info(more)).kind, sketch = more
$$;

SELECT 'nothing' AS sketch, * FROM pg_temp.same(hll_add(hll_empty(), 'foo'::text), hll_add(hll_empty(), 'foo'))
UNION ALL SELECT 'text', * FROM pg_temp.same(hll_add(hll_empty(), '42'::text), hll_add(hll_add(hll_empty(), '42'::text), '42'))
UNION ALL SELECT 'integer', * FROM pg_temp.same(hll_add(hll_empty(), 42), hll_add(hll_add(hll_empty(), 42), '42'))
UNION ALL SELECT 'numeric', * FROM pg_temp.same(hll_add(hll_empty(), 1.50), hll_add(hll_add(hll_empty(), 1.50), ' 1.5 '))
UNION ALL SELECT 'bytea', * FROM pg_temp.same(hll_add(hll_empty(), '\x61'::bytea), hll_add(hll_add(hll_empty(), '\x61'::bytea), '\x61'))
UNION ALL SELECT 'uuid', * FROM pg_temp.same(hll_add(hll_empty(), 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid),
    hll_add(hll_add(hll_empty(), 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid), 'A0EEBC999C0B4EF8BB6D6BB9BD380A11'))
UNION ALL SELECT 'boolean', * FROM pg_temp.same(hll_add(hll_empty(), true), hll_add(hll_add(hll_empty(), true), 'yes'))
UNION ALL SELECT 'inet', * FROM pg_temp.same(hll_add(hll_empty(), '10.0.0.1'::inet), hll_add(hll_add(hll_empty(), '10.0.0.1'::inet), '10.0.0.1/32'))
UNION ALL SELECT 'macaddr', * FROM pg_temp.same(hll_add(hll_empty(), '08:00:2b:01:02:03'::macaddr), hll_add(hll_add(hll_empty(), '08:00:2b:01:02:03'::macaddr), '08002b010203'))
UNION ALL SELECT 'macaddr8', * FROM pg_temp.same(hll_add(hll_empty(), '08:00:2b:01:02:03:04:05'::macaddr8), hll_add(hll_add(hll_empty(), '08:00:2b:01:02:03:04:05'::macaddr8), '08002b0102030405'))
UNION ALL SELECT 'jsonb', * FROM pg_temp.same(hll_add(hll_empty(), '{"a": 1}'::jsonb), hll_add(hll_add(hll_empty(), '{"a": 1}'::jsonb), '{"a":1.0}'));

CREATE TYPE pg_temp.mood AS ENUM ('sad', 'happy');
SELECT * FROM pg_temp.same(hll_add(hll_empty(), 'happy'::pg_temp.mood), hll_add(hll_add(hll_empty(), 'happy'::pg_temp.mood), 'happy'));

-- one call site, sketches of several kinds
SELECT h.sketch = hll_add(h.sketch, '42') AS same FROM (VALUES
    (1, hll_add(hll_empty(), 42)), (2, hll_add(hll_empty(), '42'::text)), (3, hll_add(hll_empty(), 42::numeric))
) h(n, sketch) ORDER BY n;

-- what is no such value; bytes have one form, for a driver's text of bytes would be read as others
SELECT hll_add(hll_add(hll_empty(), 'a'::bytea), 'a');
SELECT hll_add(hll_add(hll_empty(), 'a'::bytea), '\x6');
SELECT hll_add(hll_add(hll_empty(), 42), 'foo');
SELECT hll_add(hll_add(hll_empty(), 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid), 'foo');
SELECT hll_add(hll_add(hll_empty(), '10.0.0.1'::inet), '10.0.0.256');
-- ---------- dates and times ----------
-- in the ISO form, and with an offset where there is a time zone: whatever the session's settings
\set answer `echo "${PROBDS_SRC:-.}/test/types/answer.sql"`
\set ECHO none
\i :answer
\set ECHO all
CREATE FUNCTION pg_temp.reads(type text, value text, literal text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN pg_temp.answer(format('SELECT bloom_add(bloom_empty(100), %L::%s) @> %L', value, type, literal));
END
$$;
SET DateStyle = 'SQL, DMY';
SET TimeZone = 'Asia/Tokyo';
SELECT type, literal, pg_temp.reads(type, is_value, literal) FROM (VALUES
    (1, 'date', '03/02/2001', '2001-02-03'), (2, 'date', '03/02/2001', ' 2001-02-03 '), (3, 'date', '03/02/2001', '2001-Feb-03'), (4, 'date', '03/02/2001', '03/02/2001'), (5, 'date', '03/02/2001', '02-03-2001'), (6, 'date', '03/02/2001', '20010203'),
    (7, 'date', '03/02/2001', 'February 3, 2001'), (8, 'date', 'today', 'today'), (9, 'date', 'infinity', 'infinity'), (10, 'date', '-infinity', '-Infinity'), (11, 'date', 'epoch', 'epoch'), (12, 'date', '03/02/2001', ''), (13, 'date', '03/02/2001', '2001-13-03'),
    (14, 'date', '03/02/12001', '12001-02-03'), (15, 'date', '03/02/0044 BC', '0044-02-03 BC'), (16, 'date', '03/02/2001', '2001-02-04'),
    (20, 'time', '12:00', '12:00'), (21, 'time', '12:00', '12:00:00.000'), (22, 'time', '12:00', '12:00 PM'), (23, 'time', 'now', 'now'), (24, 'time', '00:00', 'allballs'),
    (30, 'timestamp', '03/02/2001 12:00', '2001-02-03 12:00:00'), (31, 'timestamp', '03/02/2001 12:00', '2001-02-03T12:00'), (32, 'timestamp', '03/02/2001', '2001-02-03'), (33, 'timestamp', '03/02/2001 12:00', '03/02/2001 12:00'), (34, 'timestamp', 'now', 'now'), (35, 'timestamp', 'infinity', 'infinity'),
    (40, 'timestamptz', '03/02/2001 12:00+00', '2001-02-03 12:00:00+00'), (41, 'timestamptz', '03/02/2001 12:00+00', '2001-02-03T14:00:00+02:00'), (42, 'timestamptz', '03/02/2001 12:00+00', '2001-02-03T12:00:00Z'), (43, 'timestamptz', '03/02/2001 12:00+00', '2001-02-03 08:30:00-03:30'),
    (44, 'timestamptz', '03/02/2001 12:00', '2001-02-03 12:00:00'), (45, 'timestamptz', '03/02/2001', '2001-02-03'), (46, 'timestamptz', '03/02/2001 12:00+00', '03/02/2001 12:00+00'), (47, 'timestamptz', 'now', 'now'), (48, 'timestamptz', '-infinity', '-infinity')) q(n, type, is_value, literal) ORDER BY n;
RESET DateStyle;
RESET TimeZone;
SELECT hll_add(hll_add(hll_empty(), '2000-01-01'::date), '01/02/2000');
SELECT hll_add(hll_add(hll_empty(), '12:00'::time), 'now');
SELECT hll_add(hll_add(hll_empty(), '2000-01-01'::timestamp), 'now');
SELECT hll_add(hll_add(hll_empty(), now()), '2000-01-01 12:00');

-- ---------- kinds whose text could be several values ----------
SELECT hll_add(hll_add(hll_empty(), 0.1::real), '0.1');
SELECT type, pg_temp.reads(type, is_value, is_value) FROM (VALUES
    (1, 'real', '0.5'), (2, 'float8', '0.5'), (3, 'money', '$1'), (4, 'interval', '1 day'), (5, 'timetz', '12:00+00'), (6, 'int[]', '{1}'), (7, 'text[]', '{a}'), (8, 'int4range', '[1,2)'), (9, 'pg_lsn', '0/1'), (10, 'xid', '1')) q(n, type, is_value) ORDER BY n;
SELECT bloom_add(bloom_empty(9), ROW(1, 'a'::text)) @> '(1,a)';
-- what the values were is not known
SELECT hll_add(hll_add_hash(hll_empty(), 1), 'foo');

-- NULL without a type is no value
SELECT hll_add(hll_add(hll_empty(), 42), NULL) = hll_add(hll_empty(), 42) AS same;

-- ---------- parameters ----------
CREATE TEMP TABLE f AS SELECT bloom_agg(i, 100) AS numbers, bloom_agg('t' || i, 100) AS texts, bloom_agg(date '2000-01-01' + i, 100) AS dates, bloom_empty(100) AS nothing FROM generate_series(1, 10) i;
PREPARE untyped AS SELECT numbers @> $1 AS contains, $1 <@ numbers AS contained, bloom_contains(numbers, $1) AS by_name FROM f;
PREPARE as_text(text) AS SELECT numbers @> $1 AS contains, $1 <@ numbers AS contained FROM f;
PREPARE as_varchar(varchar) AS SELECT numbers @> $1 AS contains, $1 <@ numbers AS contained FROM f;
PREPARE as_char(char(5)) AS SELECT numbers @> $1 AS contains, $1 <@ numbers AS contained FROM f;
PREPARE as_int(int) AS SELECT numbers @> $1 AS contains, $1 <@ numbers AS contained FROM f;
PREPARE as_numeric(numeric) AS SELECT numbers @> $1 AS contains FROM f;
PREPARE as_date(date) AS SELECT dates @> $1 AS contains FROM f;
PREPARE wrong(bool) AS SELECT numbers @> $1 AS contains FROM f;
PREPARE computed(text) AS SELECT numbers @> substr($1, 2) AS contains FROM f;
PREPARE of_session(text) AS SELECT numbers @> current_setting($1) AS contains FROM f;
PREPARE added AS INSERT INTO f (numbers) SELECT bloom_add(numbers, $1) FROM f RETURNING numbers @> $1 AS contains, bloom_cardinality(numbers);
PREPARE each AS SELECT $1, numbers @> $1 AS number, 't' || $1 = 't7' AS text FROM f;
-- the same whether the planner knows the parameters or not
CREATE FUNCTION pg_temp.executed(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    custom text;
    generic text;
BEGIN
    SET LOCAL plan_cache_mode = force_custom_plan;
    custom := coalesce(pg_temp.answer('EXECUTE ' || call), 'NULL');
    SET LOCAL plan_cache_mode = force_generic_plan;
    generic := coalesce(pg_temp.answer('EXECUTE ' || call), 'NULL');
    RETURN CASE WHEN custom = generic THEN custom ELSE format('custom: %s, generic: %s', custom, generic) END;
END
$$;
SELECT call, pg_temp.executed(call) FROM (VALUES
    (1, $$untyped('7')$$), (2, $$untyped('7.0')$$), (3, $$untyped('99')$$), (4, $$untyped('seven')$$), (5, 'untyped(NULL)'), (6, $$as_text('7')$$), (7, $$as_varchar('7')$$), (8, $$as_varchar('x')$$), (9, $$as_char('7')$$), (10, 'as_int(7)'), (11, 'as_int(NULL)'),
    (12, 'as_numeric(7.00)'), (13, $$as_date('2000-01-08')$$), (14, 'wrong(true)'), (15, $$computed('x7')$$), (16, $$of_session('block_size')$$)) q(n, call) ORDER BY n;
BEGIN;
EXECUTE added('77');
ROLLBACK;
-- a sketch of each kind at one call site, and an empty one
PREPARE mixed(text) AS SELECT bool_and(s @> $1) AS found, count(*) FROM (SELECT unnest(ARRAY[bloom_agg(7), bloom_agg('7'::text), bloom_agg(7.0), bloom_agg(true), bloom_agg(7::bigint)]) AS s) q WHERE (bloom_info(s)).kind <> 'boolean';
EXECUTE mixed('7');
PREPARE empty(text) AS SELECT nothing @> $1 AS nothing, (bloom_info(bloom_add(nothing, $1))).kind FROM f;
EXECUTE empty('7');

-- ---------- PL/pgSQL: a variable is a parameter ----------
DO $$
DECLARE
    numbers bloom := (SELECT f.numbers FROM f);
    texts bloom := (SELECT f.texts FROM f);
    t text := '7';
    v varchar(5) := '7';
    i int := 7;
    r record;
    n text;
BEGIN
    ASSERT numbers @> t AND numbers @> v AND numbers @> i AND NOT numbers @> (t || '7');
    ASSERT texts @> ('t' || t) AND texts @> 't7';
    ASSERT numbers @> n IS NULL;
    ASSERT (SELECT f.numbers @> t FROM f);
    FOR r IN SELECT x::text AS x FROM generate_series(1, 10) x LOOP
        ASSERT numbers @> r.x;
    END LOOP;
    BEGIN
        PERFORM texts @> i;
        ASSERT false;
    EXCEPTION WHEN data_exception THEN
        RAISE NOTICE '%', sqlerrm;
    END;
    BEGIN
        ASSERT numbers @> ('t' || t);
    EXCEPTION WHEN data_exception THEN
        RAISE NOTICE '%', sqlerrm;
    END;
END $$;

-- ---------- a column of text is text ----------
CREATE TEMP TABLE asked AS SELECT i, i::text AS t, i::text::varchar AS v, i::text::char(3) AS c FROM generate_series(5, 6) i;
SELECT count(*) FROM f, asked WHERE numbers @> t;
SELECT statement, pg_temp.answer(statement) FROM (VALUES
    (1, 'SELECT count(*) FROM f, asked WHERE numbers @> v'), (2, 'SELECT count(*) FROM f, asked WHERE numbers @> c'), (3, 'SELECT count(*) FROM f, asked WHERE c <@ numbers'), (4, 'SELECT count(*) FROM f, asked WHERE numbers @> (t || ''0'')'),
    (5, 'SELECT numbers @> min(t) FROM f, asked GROUP BY numbers'), (6, 'SELECT numbers @> first_value(t) OVER () FROM f, asked'), (7, 'SELECT numbers @> (SELECT t FROM asked LIMIT 1) FROM f'), (8, 'SELECT numbers @> ARRAY(SELECT t FROM asked)::text FROM f'),
    (9, 'SELECT numbers @> x FROM f, (VALUES (''5''), (''6'')) q(x)'), (10, 'SELECT numbers @> current_user::text FROM f'), (11, 'SELECT numbers @> to_char(now(), ''YYYY'') FROM f'), (12, 'SELECT numbers @> coalesce(t, ''5'') FROM f, asked'), (13, 'SELECT bloom_add(numbers, t) FROM f, asked'),
    (14, 'SELECT count(*) FROM f, asked WHERE numbers @> t::int'), (15, 'SELECT count(*) FROM f, asked WHERE numbers @> i'), (16, 'SELECT count(*) FROM f, asked WHERE texts @> (''t'' || t)')) q(n, statement) ORDER BY n;
-- what is computed from literals alone is a literal
SELECT numbers @> ('1' || '0') AS concatenated, numbers @> substr('x10', 2) AS function, numbers @> CASE WHEN true THEN '10' ELSE 'x' END AS "case", numbers @> '10'::varchar(9) AS varchar FROM f;

-- ---------- arrays ----------
SELECT bloom_contains_any(numbers, '{7,99}') AS "any", bloom_contains_all(numbers, '{7,8.0}') AS "all", bloom_contains_all(numbers, '{7,NULL}') AS with_null, bloom_contains_all(numbers, '{{7,8},{9,99}}') AS matrix, bloom_contains_all(numbers, '{}') AS none,
    bloom_contains_any(numbers, NULL) AS null, bloom_contains_any(texts, '{t7,"x y"}') AS texts, bloom_contains_all(dates, '{2000-01-02,2000-01-03}') AS dates, bloom_contains_any(nothing, '{7}') AS nothing FROM f;
SELECT bloom_add_all(numbers, '{7,77}') = bloom_add(numbers, 77) AS bloom, bloom_add_all(nothing, '{a,b}') = bloom_add_all(nothing, ARRAY['a', 'b']) AS empty, hll_add_all(hll_agg(7), '{8,9}') = hll_add_all(hll_agg(7), ARRAY[8, 9]) AS hll,
    cms_frequencies(cms_agg(7), '{7,8,NULL}') AS frequencies, cms_add_all(cms_agg(7), '{7}') -> 7 AS cms, topk_add_all(topk_agg(7), '{7,8}') -> '7' AS topk FROM f GROUP BY numbers, nothing;
PREPARE any_of AS SELECT bloom_contains_any(numbers, $1), cms_frequencies(cms_agg(7), $1) FROM f GROUP BY numbers;
EXECUTE any_of('{7,99}');
EXECUTE any_of(NULL);
PREPARE any_of_ints(int[]) AS SELECT bloom_contains_any(numbers, $1) FROM f;
EXECUTE any_of_ints('{7,99}');
PREPARE any_of_texts(text[]) AS SELECT bloom_contains_any(texts, $1) FROM f;
EXECUTE any_of_texts('{t7,x}');
SELECT statement, pg_temp.answer(statement) FROM (VALUES
    (1, 'SELECT bloom_contains_any(numbers, ''{7'') FROM f'), (2, 'SELECT bloom_contains_any(numbers, ''7'') FROM f'), (3, 'SELECT bloom_contains_any(numbers, ''{a}'') FROM f'), (4, 'SELECT bloom_contains_any(dates, ''{today}'') FROM f'), (5, 'SELECT bloom_contains_any(bloom_agg(0.5::real), ''{0.5}'')'),
    (6, 'SELECT bloom_contains_any(bloom_agg(ARRAY[7]), ''{{7}}'')'), (7, 'SELECT bloom_contains_any(numbers, t) FROM f, asked'), (8, 'SELECT bloom_contains_any(numbers, (SELECT ''{7}''::text)) FROM f'), (9, 'SELECT bloom_contains_any(numbers, ARRAY[''7'']) FROM f'),
    (10, 'SELECT bloom_contains_any(numbers, 7) FROM f')) q(n, statement) ORDER BY n;
SELECT bloom_contains_any(numbers, t) FROM f, asked;
SELECT bloom_contains_any(numbers, '{7,b}') FROM f;

-- under a collation that takes letters of both cases for equal
\set collation `echo "${PROBDS_SRC:-.}/test/types/collation.sql"`
\set ECHO none
\i :collation
\set ECHO all
CALL pg_temp.check_without_case($q$
    SELECT v.* FROM (SELECT bloom_agg(t COLLATE pg_temp.ci) AS f FROM unnest(ARRAY['Anna', 'Berta']) t) names, LATERAL (VALUES
        ('literal', f @> 'ANNA' COLLATE pg_temp.ci), ('array', bloom_contains_all(f, '{ANNA,berta}' COLLATE pg_temp.ci)), ('other', NOT f @> 'Anne' COLLATE pg_temp.ci),
        ('no collation', pg_temp.answer(format('SELECT %L::bloom @> ''Anna''', f)) = '22000'), ('array without', pg_temp.answer(format('SELECT bloom_contains_any(%L::bloom, ''{Anna}'')', f)) = '22000'),
        ('deterministic', pg_temp.answer(format('SELECT %L::bloom @> ''Anna'' COLLATE "C"', f)) = '22000')) v(what, ok) $q$);

-- ---------- ANY and ALL ----------
SELECT numbers @> ANY ('{7,99}') AS "any", numbers @> ALL ('{7,99}') AS "all", '7' <@ ANY (ARRAY[numbers]) AS filters, numbers @> ANY (ARRAY['7', '99']) AS of_literals, texts @> ANY (ARRAY['t7', 'x']) AS texts FROM f;
PREPARE any_operator(text[]) AS SELECT numbers @> ANY ($1) FROM f;
EXECUTE any_operator('{7,99}');
SELECT count(*) FROM f, (SELECT array_agg(t) AS a FROM asked) q WHERE numbers @> ANY (a);

-- ---------- views and functions ----------
CREATE TEMP VIEW asks AS SELECT numbers @> '7' AS number, texts @> 't7' AS text, bloom_contains_all(dates, '{2000-01-02}') AS dates FROM f;
SELECT * FROM asks;
-- inlined, the argument is what the caller wrote; not inlined, it is a parameter
CREATE FUNCTION pg_temp.has(t text) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT f.numbers @> t FROM f';
CREATE FUNCTION pg_temp.in_filter(numbers bloom, t text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT numbers @> t';
CREATE FUNCTION pg_temp.not_inlined(numbers bloom, t text) RETURNS boolean LANGUAGE sql IMMUTABLE SET work_mem = '4MB' AS 'SELECT numbers @> t';
SELECT pg_temp.has('7') AS has, pg_temp.in_filter(numbers, '7') AS inlined, pg_temp.not_inlined(numbers, '7') AS not_inlined FROM f;
SELECT statement, pg_temp.answer(statement) FROM (VALUES (1, 'SELECT bool_and(pg_temp.has(t)) FROM asked'), (2, 'SELECT bool_and(pg_temp.in_filter(numbers, t)) FROM f, asked'), (3, 'SELECT bool_and(pg_temp.not_inlined(numbers, t)) FROM f, asked')) q(n, statement) ORDER BY n;
-- triggers: a field of NEW is a parameter
CREATE FUNCTION pg_temp.seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.i := (SELECT numbers @> NEW.t FROM f)::int;
    RETURN NEW;
END
$$;
CREATE TRIGGER seen BEFORE INSERT ON asked FOR EACH ROW EXECUTE FUNCTION pg_temp.seen();
INSERT INTO asked VALUES (NULL, '7'), (NULL, '99') RETURNING i, t;

-- ---------- aggregates take what they are given ----------
SELECT (hll_info(hll_agg('7'))).kind AS literal, (hll_info(hll_agg('7'::int))).kind AS cast;
SELECT hll_agg('x') = hll_agg('x'::text) AS hll, bloom_agg('x', 10) = bloom_agg('x'::text, 10) AS bloom, cms_agg('x') = cms_agg('x'::text) AS cms, topk_agg('x') = topk_agg('x'::text) AS topk,
    hll_agg(NULL) = hll_agg(NULL::text) AS null, (topk_items(topk_agg('x'))).item, (SELECT hll_agg('x') OVER ()) = hll_agg('x'::text) AS window;
-- without a text overload a parameter must have a type
PREPARE aggregate AS SELECT (hll_info(hll_agg($1))).kind;
PREPARE aggregate(text) AS SELECT (hll_info(hll_agg($1))).kind;
EXECUTE aggregate('7');
