-- Of all types: the type modifier, a promise about the parameters
\set types `echo "${PROBDS_SRC:-.}/test/types/check.sql"`
\set ECHO none
\i :types
DELETE FROM types WHERE fixed;
\set ECHO all

-- ---------- what fits ----------
CALL pg_temp.each('CREATE TABLE {type}_kept (n int, s {type}({usual}), more {type}({large}), "any" {type}, UNIQUE (n))');
CALL pg_temp.each('INSERT INTO {type}_kept SELECT 1, {type}_agg(i, {usual}), {type}_agg(i, {large}), {type}_agg(i, {other}) FROM generate_series(1, 5) i');
CALL pg_temp.each('INSERT INTO {type}_kept VALUES (2, {type}_empty({usual}), {type}_empty({large}), {type}_empty({other})), (3, NULL, NULL, NULL)');
-- literals
DO $$
DECLARE
    t types;
    literal text;
BEGIN
    FOR t IN SELECT * FROM types LOOP
        EXECUTE format('SELECT s FROM %s_kept WHERE n = 1', t.type) INTO literal;
        EXECUTE format('INSERT INTO %s_kept (n, s) VALUES (4, %L), (5, %L)', t.type, literal, '\x' || encode(decode(literal, 'base64'), 'hex'));
    END LOOP;
END
$$;
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'stored', $$SELECT count(*) = 5 AND count(s) = 4 AND bool_and(s = CASE n WHEN 2 THEN {type}_empty({usual}) ELSE {type}_add_all({type}_empty({usual}), '{1,2,3,4,5}'::int[]) END) FROM {type}_kept$$),
    (3, 'others are others', $$SELECT count(DISTINCT atttypmod) = 1 + ('{usual}' <> '{large}')::int FROM pg_attribute a WHERE attrelid = '{type}_kept'::regclass AND attname IN ('s', 'more')$$)
) c(n, "check", statement) ORDER BY n;
CALL pg_temp.each($$DO 'BEGIN EXECUTE (SELECT format(''CREATE TABLE {type}_again (s %s)'', format_type(atttypid, atttypmod)) FROM pg_attribute WHERE attrelid = ''{type}_kept''::regclass AND attname = ''s''); END'$$);
SELECT pg_temp.verdict($$SELECT count(*) = 2 AND count(DISTINCT atttypmod) = 1 AND min(atttypmod) >= 0 FROM pg_attribute WHERE attrelid IN ('{type}_kept'::regclass, '{type}_again'::regclass) AND attname = 's'$$) AS read_as_shown;
CALL pg_temp.each('DROP TABLE {type}_again');

-- ---------- what does not ----------
-- the promise is about empty ones, too
SELECT c.check, pg_temp.verdict(statement, '22000') FROM (VALUES
    (1, 'another sketch', $$INSERT INTO {type}_kept (s) VALUES ({type}_add({type}_empty({other}), 1))$$),
    (2, 'an empty one', $$INSERT INTO {type}_kept (s) VALUES ({type}_empty({other}))$$),
    (3, 'an aggregate', $$INSERT INTO {type}_kept (s) SELECT {type}_agg(i, {other}) FROM generate_series(1, 5) i$$),
    (4, 'UPDATE', $$UPDATE {type}_kept SET s = "any" WHERE n = 1$$),
    (5, 'a literal', $$DO 'BEGIN EXECUTE (SELECT format(''INSERT INTO {type}_kept (s) VALUES (%L)'', "any") FROM {type}_kept WHERE n = 1); END'$$),
    (6, 'digits', $$DO 'BEGIN EXECUTE (SELECT format(''INSERT INTO {type}_kept (s) VALUES (%L)'', "any"::bytea) FROM {type}_kept WHERE n = 1); END'$$),
    (7, 'a variable', $$DO 'DECLARE s {type}({usual}); BEGIN s := {type}_empty({usual}); s := {type}_add(s, 1); s := {type}_empty({other}); END'$$),
    (8, 'a column changed', $$ALTER TABLE {type}_kept ALTER "any" TYPE {type}({usual})$$),
    (9, 'a default', $$ALTER TABLE {type}_kept ADD new {type}({usual}) DEFAULT {type}_empty({other})$$),
    (10, 'COPY as text', $$SELECT pg_temp.copy_text('{type}_kept (s)', "any"::text) FROM {type}_kept WHERE n = 1$$),
    (11, 'COPY as binary', $$SELECT pg_temp.copy_binary('{type}_kept (s)', "any"::bytea) FROM {type}_kept WHERE n = 1$$),
    (12, 'a column with a modifier changed', $$ALTER TABLE {type}_kept ALTER s TYPE {type}({other})$$)
) c(n, "check", statement) ORDER BY n;
-- what an operator has folded
SELECT pg_temp.verdict($$UPDATE {type}_kept SET s = s || {type}_add({type}_empty({folds}), 1) WHERE n = 1$$, '22000', 'unites AND folds IS NOT NULL') AS a_union;
SELECT pg_temp.verdict('SELECT count(*) = 5 FROM {type}_kept') AS nothing_came;

-- ---------- COPY of what fits ----------
CALL pg_temp.each('CREATE TEMP TABLE {type}_copied (s {type}({usual}))');
CALL pg_temp.each($$DO 'BEGIN PERFORM pg_temp.copy_text(''{type}_copied'', s::text), pg_temp.copy_binary(''{type}_copied'', s::bytea) FROM {type}_kept WHERE n = 1; END'$$);
SELECT pg_temp.verdict('SELECT count(*) = 2 AND bool_and(c.s = k.s) FROM {type}_copied c, {type}_kept k WHERE k.n = 1') AS copied;

-- ---------- an explicit cast ----------
SELECT c.check, pg_temp.verdict(statement, expected, condition) FROM (VALUES
    (1, 'nothing to do', 'true', 'true', $$SELECT {type}_agg(i, {usual})::{type}({usual}) = {type}_agg(i, {usual}) FROM generate_series(1, 10) i$$),
    (2, 'an empty one becomes any other', 'true', 'true', $$SELECT {type}_empty({usual})::{type}({other}) = {type}_empty({other}) AND {type}_empty({other})::{type}({usual}) = {type}_empty({usual})
        AND CAST({type}_empty({usual}) AS {type}({large})) = {type}_empty({large})$$),
    (3, 'NULL', 'true', 'true', $$SELECT NULL::{type}({other}) IS NULL$$),
    (4, 'folded', 'true', 'folds IS NOT NULL', $$SELECT {type}_agg(i, {usual})::{type}({folds}) = {type}_agg(i, {folds}) FROM generate_series(1, 10) i$$),
    (5, 'folded twice', 'true', 'folds IS NOT NULL', $$SELECT {type}_agg(i, {usual})::{type}({folds})::{type}({folds}) = {type}_agg(i, {folds}) FROM generate_series(1, 10) i$$),
    (6, 'refused', '22000', 'refuses IS NOT NULL', $$SELECT {type}_agg(i, {usual})::{type}({refuses}) FROM generate_series(1, 10) i$$),
    (7, 'refused in an array', '22000', 'refuses IS NOT NULL', $$SELECT ARRAY[{type}_agg(i, {usual})]::{type}({refuses})[] FROM generate_series(1, 10) i$$),
    (8, 'in an array', 'true', 'true', $$SELECT (ARRAY[{type}_empty({usual}), NULL])::{type}({other})[] = ARRAY[{type}_empty({other}), NULL]$$),
    (9, 'another type is none', '42846', 'type <> ''hll''', $$SELECT hll_empty()::{type}$$),
    (10, 'folded, of many values', 'true', 'folds IS NOT NULL AND exact > 20000', $$SELECT {type}_agg(i, {usual})::{type}({folds}) = {type}_agg(i, {folds}) FROM generate_series(1, 20000) i$$),
    (11, 'a literal', 'true', 'folds IS NOT NULL', $$SELECT pg_temp.answer(format('SELECT %1$L::{type}({folds})', s))::{type} = {type}_agg(i, {folds}) AND pg_temp.answer(format('SELECT (''{NULL,%s}''::{type}({folds})[])[2]', s))::{type} = {type}_agg(i, {folds})
        AND pg_temp.answer(format('SELECT {type}({usual}) %L', s)) = s::text FROM generate_series(1, 10) i, LATERAL (SELECT {type}_agg(i, {usual}) AS s FROM generate_series(1, 10) i) q GROUP BY s$$)
) c(n, "check", expected, condition, statement) ORDER BY n;

-- to store it, and of a column; a column of text comes back
CALL pg_temp.each('CREATE TEMP TABLE {type}_folded AS SELECT {type}_agg(i, {usual}) AS s FROM generate_series(1, 10) i', 'folds IS NOT NULL');
CALL pg_temp.each('ALTER TABLE {type}_folded ALTER s TYPE {type}({folds}) USING s::{type}({folds})', 'folds IS NOT NULL');
CALL pg_temp.each('INSERT INTO {type}_folded SELECT {type}_agg(i, {usual})::{type}({folds}) FROM generate_series(1, 10) i', 'folds IS NOT NULL');
CALL pg_temp.each('ALTER TABLE {type}_folded ALTER s TYPE text', 'folds IS NOT NULL');
CALL pg_temp.each('ALTER TABLE {type}_folded ALTER s TYPE {type}({folds}) USING s::{type}', 'folds IS NOT NULL');
SELECT pg_temp.verdict('SELECT count(*) = 2 AND bool_and(s = (SELECT {type}_agg(i, {folds}) FROM generate_series(1, 10) i)) FROM {type}_folded', 'true', 'folds IS NOT NULL') AS folded;

-- ---------- results have no modifier, columns made of columns do ----------
CALL pg_temp.each('CREATE VIEW {type}_view AS SELECT s, s || s AS merged, {type}_empty({usual})::{type}({other}) AS folded, s::{type} AS free, {type}_merge_agg(s) OVER () AS aggregated FROM {type}_kept');
SELECT pg_temp.verdict($$SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = '{type}_view'::regclass AND atttypmod >= 0$$, 's folded') AS with_modifier;
CALL pg_temp.each('DROP VIEW {type}_view');

-- ---------- ALTER TABLE, defaults, domains, variables ----------
CALL pg_temp.each('ALTER TABLE {type}_kept ADD fresh {type}({usual}) DEFAULT {type}_empty({usual})');
CALL pg_temp.each('UPDATE {type}_kept SET fresh = {type}_add(fresh, 1) WHERE n = 1');
CALL pg_temp.each('ALTER TABLE {type}_kept ALTER s TYPE {type}');
CALL pg_temp.each('ALTER TABLE {type}_kept ALTER s TYPE {type}({usual})');
CALL pg_temp.each($$DO 'DECLARE s {type}({usual}) := {type}_empty({usual}); BEGIN s := {type}_add(s, 1); s := s || s; END'$$);
CALL pg_temp.each('CREATE DOMAIN {type}_domain AS {type}({usual}) CHECK (pg_temp.number(VALUE) < 1000)');
CALL pg_temp.each('CREATE TABLE {type}_by_domain (s {type}_domain)');
CALL pg_temp.each('INSERT INTO {type}_by_domain SELECT {type}_agg(i, {usual}) FROM generate_series(1, 10) i');
SELECT c.check, pg_temp.verdict(statement, expected) FROM (VALUES
    (1, 'a default', 'true', $$SELECT bool_and(fresh = CASE n WHEN 1 THEN {type}_add({type}_empty({usual}), 1) ELSE {type}_empty({usual}) END) FROM {type}_kept$$),
    (2, 'a domain', 'true', $$SELECT bool_and({holds}) FROM (SELECT s, v FROM {type}_by_domain, generate_series(1, 10) v) q$$),
    (3, 'a domain answers and merges', 'true', $$SELECT pg_temp.number(s) = pg_temp.number(s::{type}) AND s || s = s::{type} || s::{type} AND {type}_add(s, 1) = {type}_add(s::{type}, 1) AND s = s::{type} AND (SELECT {type}_merge_agg(s) FROM {type}_by_domain) = s FROM {type}_by_domain$$),
    (4, 'cast to a domain', 'true', $$SELECT {type}_empty({other})::{type}_domain = {type}_empty({usual})$$),
    (5, 'its promise', '22000', $$INSERT INTO {type}_by_domain SELECT {type}_agg(i, {other}) FROM generate_series(1, 10) i$$),
    (6, 'its condition', '23514', $$INSERT INTO {type}_by_domain SELECT {type}_agg(i, {usual}) FROM generate_series(1, 20000) i$$)
) c(n, "check", expected, statement) ORDER BY n;

-- ---------- modifiers that are none ----------
SELECT c.check, pg_temp.verdict(statement, expected) FROM (VALUES
    (1, 'out of range', '22023', $$SELECT string_agg(DISTINCT pg_temp.answer(format('SELECT NULL::{type}(%s)', b)), ' ') FROM regexp_split_to_table('{bad}', '[|]') b$$),
    (2, 'a word', '22P02', $$SELECT string_agg(DISTINCT pg_temp.answer(format('SELECT NULL::{type}(%s)', b)), ' ') FROM unnest('{many,''1x'','' ''}'::text[]) b$$),
    (3, 'too many', '22023', $$SELECT NULL::{type}({usual}, 1, 1, 1, 1)$$),
    (4, 'an array of two dimensions', 'refused', $$SELECT CASE WHEN pg_temp.answer('SELECT {type}_typmod_in(''{{1,2},{3,4}}''::cstring[])') ~ '^(22|0A|42)' THEN 'refused' END$$),
    (5, 'NULL in it', 'refused', $$SELECT CASE WHEN pg_temp.answer('SELECT {type}_typmod_in(''{NULL}''::cstring[])') ~ '^(22|0A|42)' THEN 'refused' END$$)
) c(n, "check", expected, statement) ORDER BY n;

-- ---------- functions called by name, with modifiers that nobody can write ----------
-- an error, or, of a number that means something, an answer that is one
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'out', $$SELECT bool_and(pg_temp.answer(format('SELECT {type}_typmod_out(%s)', n)) ~ '^(22|XX|\(|$)') FROM unnest('{0,1,-2,-2147483648,123456789,2147483647}'::int[]) n$$),
    (2, 'the cast', $$SELECT bool_and(pg_temp.answer(format('SELECT {type}({type}_empty({usual}), %s, %s)', n, e)) ~ '^(22|54|XX|[A-Za-z0-9+/]+=*$)') FROM unnest('{0,-2,-2147483648,123456789,2147483647}'::int[]) n, unnest('{true,false}'::text[]) e$$),
    (3, 'without one', $$SELECT {type}({type}_agg(i, {usual}), -1, true) = {type}_agg(i, {usual}) AND {type}({type}_agg(i, {usual}), -1, false) = {type}_agg(i, {usual}) FROM generate_series(1, 3) i$$),
    (4, 'input', $$SELECT bool_and(pg_temp.answer(format('SELECT {type}_in({type}_empty({usual})::text::cstring, 0, %s)', n)) ~ '^(22|54|XX|[A-Za-z0-9+/]+=*$)') FROM unnest('{0,-2,-2147483648,123456789,2147483647}'::int[]) n$$)
) c(n, "check", statement) ORDER BY n;

CALL pg_temp.each('DROP TABLE {type}_kept, {type}_by_domain');
CALL pg_temp.each('DROP DOMAIN {type}_domain');
