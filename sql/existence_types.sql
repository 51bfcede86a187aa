-- Keys of every type that probds hashes; "no" is certain, and another type is an error
\set answer `echo "${PROBDS_SRC:-.}/test/types/answer.sql"`
\set ECHO none
\i :answer
\set ECHO all
CREATE DOMAIN pg_temp.short AS varchar(20) CHECK (length(VALUE) < 10);
CREATE TYPE pg_temp.pair AS (i int, t text);

-- two rows, a key of each and one that is in neither; an untyped literal of the first
-- (of some types a text has several readings)
CREATE FUNCTION pg_temp.keys(type text, a text, b text, other text, OUT here text, OUT elsewhere text, OUT literal text,
                             OUT array_any text, OUT array_all text, OUT verified text) LANGUAGE plpgsql AS $$
DECLARE
    f text := format('existence_might_contain(''pg_temp.keyed'', ''k'', %%L::%s)', type);
BEGIN
    EXECUTE format('CREATE TEMP TABLE keyed (k %1$s); INSERT INTO keyed VALUES (%2$L), (NULL), (%2$L); CREATE INDEX ON keyed USING existence (k); INSERT INTO keyed VALUES (%3$L)', type, a, b);
    here := pg_temp.answer('SELECT ' || format(f, a) || ' AND ' || format(f, b), true);
    elsewhere := pg_temp.answer('SELECT ' || format(f, other), true);
    literal := pg_temp.answer(format('SELECT existence_might_contain(''pg_temp.keyed'', ''k'', %L)', a), true);
    array_any := pg_temp.answer(format('SELECT existence_might_contain_any(''pg_temp.keyed'', ''k'', ARRAY[%L, %L]::%s[])', a, other, type), true);
    array_all := pg_temp.answer(format('SELECT existence_might_contain_all(''pg_temp.keyed'', ''k'', ARRAY[%L, %L]::%s[])', a, other, type), true);
    verified := existence_verify('pg_temp.keyed', 'k');
    DROP TABLE keyed;
END $$;
SELECT type, (pg_temp.keys(type, a, b, other)).*
FROM (VALUES (1, 'smallint', '1', '-2', '3'), (2, 'integer', '1', '2', '3'), (3, 'bigint', '1', '9000000000', '3'), (4, 'numeric', '1.50', '2', '1.51'), (5, 'oid', '1', '2', '3'),
    (6, 'real', '0.1', '-0', '3'), (7, 'double precision', '0.1', 'nan', '3'), (8, 'boolean', 't', 't', 'f'), (9, 'text', 'a', '', 'b'), (10, 'varchar(3)', 'a', 'ab', 'b'), (11, 'char(3)', 'a', 'ab', 'b'),
    (12, 'name', 'a', 'ab', 'b'), (13, 'bytea', '\x00', '\x', '\x01'), (14, 'uuid', '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000003'),
    (15, 'date', '2026-01-31', 'infinity', '2026-02-01'), (16, 'time', '12:00:00', '24:00:00', '13:00'), (17, 'timetz', '12:00+01', '13:00+01', '11:00+00'), (18, 'timestamp', '2026-01-31 12:00:00', '2026-01-31', '2026-02-01'),
    (19, 'timestamptz', '2026-01-31 12:00:00+00', '2026-01-31 00:00+00', '2026-02-01 00:00+00'), (20, 'interval', '1 day', '25 hours', '2 days'), (21, 'inet', '192.0.2.1', '192.0.2.0/24', '192.0.2.2'), (22, 'macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:04', '08:00:2b:01:02:05'),
    (23, 'jsonb', '{"a": 1.0}', '[]', '{"a": 2}'), (24, 'bit(3)', '101', '111', '100'), (25, 'money', '1', '2', '3'), (26, 'integer[]', '{1,2}', '{}', '{2,1}'), (27, 'text[]', '{a,NULL}', '{}', '{a}'), (28, 'int4range', '[1,2]', 'empty', '[1,2)'),
    (29, 'numrange', '[1,2]', 'empty', '[1,2)'), (30, 'pg_temp.short', 'a', 'b', 'c'), (31, 'pg_temp.pair', '(1,a)', '(1,)', '(,a)'), (32, 'pg_lsn', '0/1', '0/2', '0/3')) v (n, type, a, b, other)
ORDER BY n;

-- numbers are of one kind whatever their type, so are texts
CREATE TABLE existence_number (i int, b bigint, n numeric, t text, v varchar, c char(10));
INSERT INTO existence_number SELECT i, i, i, i, i, i FROM generate_series(1, 100) i;
CREATE INDEX ON existence_number USING existence (i);
CREATE INDEX ON existence_number USING existence (n);
CREATE INDEX ON existence_number USING existence (t);
CREATE INDEX ON existence_number USING existence (c);
SELECT existence_might_contain('existence_number', 'i', 7::bigint) AS big, existence_might_contain('existence_number', 'i', 7.0) AS with_zero, existence_might_contain('existence_number', 'i', 7.5) AS none,
    existence_might_contain('existence_number', 'n', 7::smallint) AS small, existence_might_contain('existence_number', 'i', '7') AS literal, existence_might_contain('existence_number', 'i', ' +7 ') AS another,
    existence_might_contain('existence_number', 't', '7'::varchar) AS vary, existence_might_contain('existence_number', 'c', '7') AS padded, existence_might_contain('existence_number', 'c', '7  '::char(7)) AS padding, existence_might_contain('existence_number', 't', '07') AS other;

-- another kind is an error, not a "no"
SELECT existence_might_contain('existence_number', 'i', t) FROM existence_number LIMIT 1;
SELECT existence_might_contain('existence_number', 't', 7);
SELECT existence_might_contain('existence_number', 'i', '2026-01-31'::date);
SELECT existence_might_contain('existence_number', 'i', 'seven');
SELECT existence_might_contain_any('existence_number', 't', ARRAY[7]);
SELECT existence_might_contain_any('existence_number', 't', '{}'::int[]);

-- parameters without a type, in custom and generic plans
PREPARE ask AS SELECT existence_might_contain('existence_number', 'i', $1) AS i, existence_might_contain('existence_number', 't', $2) AS t, existence_might_contain_all('existence_number', 'i', $3) AS all;
EXECUTE ask('7', '7', '{7,8}');
SET plan_cache_mode = force_generic_plan;
EXECUTE ask('7', 'x', '{7,800}');
EXECUTE ask(' 107', '7', '{}');
RESET plan_cache_mode;
DEALLOCATE ask;

-- NULL
SELECT existence_might_contain('existence_number', 't', NULL) AS nothing, existence_might_contain_any('existence_number', 't', NULL) AS no_array,
    existence_might_contain_any('existence_number', 't', ARRAY[NULL, '7']) AS skipped, existence_might_contain_all('existence_number', 't', ARRAY[NULL, '7']) AS skipped_too,
    existence_might_contain_any('existence_number', 't', '{}'::text[]) AS any_of_none, existence_might_contain_all('existence_number', 't', '{}'::text[]) AS all_of_none;

-- the same names in named notation
SELECT existence_might_contain(relation => 'existence_number', column_name => 't', value => '7');
DROP TABLE existence_number;

-- a label of an enum can be renamed, so there is none of enums, nor of what holds them
CREATE TYPE pg_temp.mood AS ENUM ('good', 'bad');
CREATE DOMAIN pg_temp.moods AS pg_temp.mood[];
CREATE TYPE pg_temp.felt AS (since date, m pg_temp.moods);
CREATE TABLE existence_mood (m pg_temp.mood, a pg_temp.moods, f pg_temp.felt);
CREATE INDEX ON existence_mood USING existence (m);
CREATE INDEX ON existence_mood USING existence (a);
CREATE INDEX ON existence_mood USING existence (f);
DROP TABLE existence_mood;

-- types without an equality, and sketches
CREATE TABLE existence_odd (j json, p point, s hll);
CREATE INDEX ON existence_odd USING existence (j);
CREATE INDEX ON existence_odd USING existence (p);
CREATE INDEX ON existence_odd USING existence (s);
DROP TABLE existence_odd;

-- collations that take different strings for equal; says nothing where ICU is missing
DO $$
DECLARE
    wrong text;
BEGIN
    CREATE COLLATION pg_temp.ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE COLLATION pg_temp.base (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
    CREATE TEMP TABLE collated (k text COLLATE pg_temp.ci);
    INSERT INTO collated VALUES ('Anna'), (U&'\00e9');
    -- "no" under another collation says nothing about what equals the key in the column's
    CREATE INDEX collated_bytes ON collated USING existence (k COLLATE "C");
    EXECUTE $q$
        SELECT string_agg(what || ': ' || got, ', ') FROM (VALUES
            ('column', pg_temp.answer($s$SELECT existence_might_contain('collated', 'k', 'anna')$s$, true), '42704 table "collated" has no existence index on column "k"'),
            ('index', pg_temp.answer($s$SELECT existence_might_contain('collated', 'collated_bytes', 'anna')$s$, true), 'false'),
            ('same bytes', pg_temp.answer($s$SELECT existence_might_contain('collated', 'collated_bytes', 'Anna')$s$, true), 'true')) v (what, got, want) WHERE got <> want $q$ INTO wrong;
    IF wrong IS NOT NULL THEN
        RAISE WARNING 'an index with a collation of its own: %', wrong;
    END IF;
    CREATE INDEX ON collated USING existence (k);
    EXECUTE $q$
        SELECT string_agg(what || ': ' || got, ', ') FROM (VALUES
            ('literal', pg_temp.answer($s$SELECT existence_might_contain('collated', 'k', 'anna')$s$, true), 'true'),
            ('the collation of the column', pg_temp.answer($s$SELECT existence_might_contain('collated', 'k', 'anna' COLLATE pg_temp.ci)$s$, true), 'true'),
            ('another', pg_temp.answer($s$SELECT existence_might_contain('collated', 'k', 'e' COLLATE pg_temp.base)$s$, true), '22000 existence index on "k" has keys of another type of kind collated text'),
            ('array', pg_temp.answer($s$SELECT existence_might_contain_any('collated', 'k', '{x,ANNA}' COLLATE pg_temp.ci)$s$, true), 'true'),
            ('array of another', pg_temp.answer($s$SELECT existence_might_contain_any('collated', 'k', '{e}' COLLATE pg_temp.base)$s$, true), '22000 existence index on "k" has keys of another type of kind collated text')) v (what, got, want) WHERE got <> want $q$ INTO wrong;
    IF wrong IS NOT NULL THEN
        RAISE WARNING 'an index with the collation of its column: %', wrong;
    END IF;
EXCEPTION WHEN feature_not_supported OR undefined_object THEN NULL;
END $$;
