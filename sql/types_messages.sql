-- Of all types: what an error says, with its detail and its hint
\set types `echo "${PROBDS_SRC:-.}/test/types/check.sql"`
\set ECHO none
\i :types
\set ECHO all
\pset format unaligned
\pset tuples_only

-- ---------- parameters ----------
SELECT m FROM (VALUES
    (1, 'that are none', 'true', 'SELECT {type}_empty({a_bad})'),
    (2, 'NULL', 'true', 'SELECT {type}_agg(i, {nothing}) FROM generate_series(1, 3) i'), (3, 'that change', 'true', 'SELECT {type}_agg(i, {changing}) FROM generate_series(1, 3) i'),
    (4, 'beyond the greatest', 'beyond IS NOT NULL', 'SELECT {type}_empty({beyond})'),
    (5, 'a word', 'true', 'SELECT NULL::{type}(many)'),
    (6, 'a fraction', 'true', 'SELECT NULL::{type}(14.5)'),
    (7, 'too many', 'true', 'SELECT NULL::{type}({usual}, 1, 1, 1, 1)')
) c(n, name, condition, statement), pg_temp.messages(name, statement, condition) WITH ORDINALITY m(m, o) ORDER BY c.n, o;
-- wherever they stand, they are refused in the same words
SELECT c.check, pg_temp.verdict(format($$SELECT bool_and(pg_temp.answer(format(%L, b), true) = pg_temp.answer(format('SELECT {type}_empty(%%s)', b), true)) FROM regexp_split_to_table('{bad}', '[|]') b$$, statement)) FROM (VALUES
    (1, 'an aggregate', 'SELECT {type}_agg(i, %s) FROM generate_series(1, 3) i'), (2, 'a type', 'SELECT NULL::{type}(%s)'), (3, 'a column', 'CREATE TEMP TABLE bad (s {type}(%s))')
) c(n, "check", statement) ORDER BY n;

-- ---------- type modifiers ----------
CALL pg_temp.each('CREATE TEMP TABLE {type}_kept (s {type}({usual}))');
-- as the server shows them, and as they are stored in its catalogs
SELECT pg_temp.messages('stored as', $$SELECT concat_ws(' is ', format_type(atttypid, atttypmod), atttypmod) FROM pg_attribute WHERE attrelid = '{type}_kept'::regclass AND attnum = 1$$);
SELECT m FROM (VALUES
    (1, 'another sketch', 'true', 'INSERT INTO {type}_kept SELECT {type}_agg(i, {other}) FROM generate_series(1, 5) i'),
    (2, 'an empty one', 'true', 'INSERT INTO {type}_kept VALUES ({type}_empty({other}))'),
    (3, 'larger', $$usual <> large$$, 'INSERT INTO {type}_kept SELECT {type}_agg(i, {large}) FROM generate_series(1, 5) i'),
    (4, 'a cast', 'refuses IS NOT NULL', 'SELECT {type}_agg(i, {usual})::{type}({refuses}) FROM generate_series(1, 10) i'),
    (5, 'that nobody can write', 'true', 'SELECT {type}_typmod_out(-2)'), (6, 'a large number', 'true', 'SELECT {type}_typmod_out(2147483647)'),
    (7, 'in input', 'true', 'SELECT {type}_in({type}_empty({usual})::text::cstring, 0, 2147483647)'),
    (8, 'in a cast', 'true', 'SELECT {type}({type}_add({type}_empty({usual}), 1), 2147483647, true)')
) c(n, name, condition, statement), pg_temp.messages(name, statement, condition) WITH ORDINALITY m(m, o) ORDER BY c.n, o;

-- ---------- what is no sketch ----------
SELECT m FROM (VALUES
    (1, 'words', $$SELECT 'unique visitors'::{type}$$), (2, 'nothing', $$SELECT ''::{type}$$), (3, 'half a byte', $$SELECT '\x1'::{type}$$),
    (4, 'many words', $$SELECT repeat('what is this? ', 10)::{type}$$), (5, 'words that are base64', $$SELECT 'what does this mean'::{type}$$), (6, 'others', $$SELECT 'some more data here'::{type}$$),
    (7, 'of another type', $$SELECT '\xf1000000'::{type}$$), (8, 'no bytes', $$SELECT ''::bytea::{type}$$), (9, 'one byte', $$SELECT '\x12'::bytea::{type}$$),
    (10, 'another version', $$SELECT set_byte(s, 0, get_byte(s, 0) + 1)::{type} FROM CAST({type}_empty({usual}) AS bytea) s$$),
    (11, 'a state', $$SELECT set_byte(s, 1, get_byte(s, 1) | 15)::{type} FROM CAST({type}_empty({usual}) AS bytea) s$$),
    (12, 'cut off', $$SELECT substr(s, 1, length(s) - 1)::{type} FROM CAST({type}_add({type}_empty({usual}), 1) AS bytea) s$$),
    (13, 'longer', $$SELECT (s || '\x00')::{type} FROM CAST({type}_add({type}_empty({usual}), 1) AS bytea) s$$),
    (14, 'longer than nothing', $$SELECT (s || '\x00')::{type} FROM CAST({type}_empty({usual}) AS bytea) s$$),
    (15, 'received', $$SELECT pg_temp.copy_binary('{type}_kept (s)', '\xff')$$)
) c(n, name, statement), pg_temp.messages(name, statement) WITH ORDINALITY m(m, o) ORDER BY c.n, o;

-- ---------- what does not go together ----------
SELECT m FROM (VALUES
    (1, 'numbers and texts', 'true', $$SELECT {type}_agg(i, {usual}) || {type}_agg(i::text, {usual}) FROM generate_series(1, 3) i$$),
    (2, 'in an aggregate', 'true', $$SELECT {type}_merge_agg(s) FROM unnest(ARRAY[{type}_empty({usual}), {type}_add({type}_empty({usual}), gen_random_uuid()), {type}_add({type}_empty({usual}), 'a'::text)]) s$$),
    (3, 'a text added to numbers', 'true', $$SELECT {type}_add({type}_agg(i, {usual}), (SELECT 'seven'::text)) FROM generate_series(1, 3) i$$),
    (4, 'an array added to texts', 'true', $$SELECT {type}_add({type}_agg(i::text, {usual}), ARRAY['seven']) FROM generate_series(1, 3) i$$),
    (5, 'numbers of an array added to texts', 'true', $$SELECT {type}_add_all({type}_agg(i::text, {usual}), ARRAY[1, 2]) FROM generate_series(1, 3) i$$),
    (6, 'a literal', 'true', $$SELECT {type}_add({type}_agg(i, {usual}), 'seven') FROM generate_series(1, 3) i$$),
    (7, 'json', 'true', $$SELECT {type}_add({type}_agg(i, {usual}), '{"a": 1}'::json) FROM generate_series(1, 3) i$$),
    (8, 'json aggregated', 'true', $$SELECT {type}_agg('{}'::json, {usual})$$),
    (9, 'a point', 'true', $$SELECT {type}_add({type}_agg(i, {usual}), point '(1, 2)') FROM generate_series(1, 3) i$$),
    (10, 'points in an array', 'true', $$SELECT {type}_agg(ARRAY['(1,2)'::point], {usual})$$),
    (11, 'a sketch', 'true', $$SELECT {type}_agg({type}_empty({usual}), {usual})$$),
    (12, 'other parameters', 'NOT unites', $$SELECT {type}_empty({usual}) || {type}_empty({other})$$),
    (13, 'in an aggregate', 'NOT unites', $$SELECT {type}_merge_agg(s) FROM unnest(ARRAY[{type}_add({type}_empty({usual}), 1), {type}_add({type}_empty({other}), 1)]) s$$),
    (14, 'by name', 'true', $$SELECT _{type}_final({type}_empty({usual}))$$)
) c(n, name, condition, statement), pg_temp.messages(name, statement, condition) WITH ORDINALITY m(m, o) ORDER BY c.n, o;
CALL pg_temp.each('DROP TABLE {type}_kept');
