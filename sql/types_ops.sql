-- Of all types: adding, union, equality and order, and what rests on them
\set types `echo "${PROBDS_SRC:-.}/test/types/check.sql"`
\set ECHO none
\i :types
DELETE FROM types WHERE fixed;
\set ECHO all

-- ---------- add, add_all ----------
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'the same values, the same sketch', $$/* as added */ SELECT {type}_add({type}_add({type}_empty({usual}), 1), 2) = {type}_agg(i, {usual}) AND {type}_add_all({type}_empty({usual}), ARRAY[2, 1]) = {type}_agg(i, {usual})
        AND {type}_add({type}_empty({usual}), 1) || {type}_add({type}_empty({usual}), 2) = {type}_agg(i, {usual}) FROM generate_series(1, 2) i$$),
    (2, 'numbers of all widths', $$/* any value */ SELECT count(*) = 1 FROM (SELECT s FROM unnest(ARRAY[{type}_add({type}_empty({usual}), 42), {type}_add({type}_empty({usual}), 42::bigint), {type}_add({type}_empty({usual}), 42::smallint),
        {type}_add({type}_empty({usual}), 42.00), {type}_add({type}_empty({usual}), 42::oid)]) s GROUP BY s) q$$),
    (3, 'without casts', $$/* any value */ SELECT {type}_add({type}_empty({usual}), 'a') = {type}_add({type}_empty({usual}), 'a'::text) AND {type}_add({type}_empty({usual}), now()::date) <> {type}_empty({usual})
        AND {type}_add({type}_empty({usual}), ROW(1, 'x')) <> {type}_empty({usual}) AND {type}_add({type}_empty({usual}), ARRAY[1, 2, 3]) <> {type}_add_all({type}_empty({usual}), ARRAY[1, 2, 3])$$),
    (5, 'a literal is read as what the sketch holds', $$SELECT {type}_add({type}_add({type}_empty({usual}), 1), '42') = {type}_add({type}_add({type}_empty({usual}), 1), 42)$$),
    (6, 'what was added is there', $$SELECT bool_and({holds}) FROM (SELECT {type}_add({type}_agg(i, {usual}), 0) AS s FROM generate_series(1, 50) i) q, generate_series(0, 50) v$$),
    (7, 'one by one as all at once', $$/* as added */ WITH RECURSIVE grown(n, s) AS (SELECT 1, {type}_add({type}_empty({usual}), 1) UNION ALL SELECT n + 1, {type}_add(s, n + 1) FROM grown WHERE n < 300)
        SELECT bool_and(s = (SELECT {type}_agg(x, {usual}) FROM generate_series(1, n) x)) FROM grown$$),
    (8, 'all elements of an array', $$SELECT {type}_add_all({type}_empty({usual}), ARRAY[[1, 2], [2, 3]]) = {type}_agg(v, {usual}) FROM unnest('{1,2,2,3}'::int[]) v$$),
    (9, 'of none', $$SELECT {type}_add_all({type}_empty({usual}), '{}'::int[]) = {type}_empty({usual})$$),
    (10, 'NULL elements are skipped', $$SELECT {type}_add_all({type}_empty({usual}), ARRAY[1, NULL, NULL]) = {type}_add({type}_empty({usual}), 1)$$),
    (11, 'lower bounds do not matter', $$/* any value */ SELECT {type}_add_all({type}_empty({usual}), '[5:6]={x,y}'::text[]) = {type}_add_all({type}_empty({usual}), '{y,x}'::text[])$$),
    (12, 'thousands of elements', $$SELECT {type}_add_all({type}_empty({large}), array_agg(i)) = {type}_agg(i, {large}) FROM generate_series(1, 5000) i$$)
) c(n, "check", statement) ORDER BY n;
-- untyped parameters, as drivers send them
CALL pg_temp.each($$PREPARE add_{type}(text) AS SELECT {type}_add({type}_agg(i, {usual}), $1) = {type}_agg(i, {usual}) || {type}_add({type}_empty({usual}), $1::int) FROM generate_series(1, 3) i$$);
SELECT pg_temp.verdict($$/* as added */ EXECUTE add_{type}('4')$$) AS a_parameter;
-- a column of type anyarray: only its value knows of what
CREATE TEMP TABLE common AS SELECT i % 3 AS number, 'text ' || i % 2 AS text FROM generate_series(1, 100) i;
ANALYZE common;
SELECT pg_temp.verdict($$/* any value */ /* as added */ SELECT string_agg(attname || ' ' || ({type}_info({type}_add_all({type}_empty({usual}), most_common_vals))).kind, ', ' ORDER BY attname)
    FROM pg_stats WHERE schemaname LIKE 'pg\_temp%' AND tablename = 'common'$$, 'number number, text text') AS anyarray;

-- ---------- union ----------
SELECT c.check, pg_temp.verdict(statement, 'true', condition) FROM (VALUES
    (1, 'as the aggregate', 'true', $$/* as added */ SELECT {type}_agg(i, {usual}) || {type}_agg(i + 10, {usual}) = (SELECT {type}_agg(x, {usual}) FROM generate_series(1, 20) x) FROM generate_series(1, 10) i$$),
    (2, 'function and operator', 'true', $$SELECT {type}_merge({type}_agg(i, {usual}), {type}_agg(i + 5, {usual})) = {type}_agg(i, {usual}) || {type}_agg(i + 5, {usual}) FROM generate_series(1, 10) i$$),
    (3, 'commutes', 'true', $$SELECT {type}_agg(i, {usual}) || {type}_agg(i + 5, {usual}) = {type}_agg(i + 5, {usual}) || {type}_agg(i, {usual}) FROM generate_series(1, 10) i$$),
    (4, 'with an empty one', 'true', $$SELECT {type}_agg(i, {usual}) || {type}_empty({usual}) = {type}_agg(i, {usual}) AND {type}_empty({usual}) || {type}_agg(i, {usual}) = {type}_agg(i, {usual})
        AND {type}_empty({usual}) || {type}_empty({usual}) = {type}_empty({usual}) FROM generate_series(1, 10) i$$),
    (5, 'with itself, a set', 'NOT counts', $$SELECT {type}_agg(i, {usual}) || {type}_agg(i, {usual}) = {type}_agg(i, {usual}) FROM generate_series(1, 10) i$$),
    (6, 'with itself, counted', 'counts', $$SELECT {type}_agg(i, {usual}) || {type}_agg(i, {usual}) = (SELECT {type}_agg(x % 10 + 1, {usual}) FROM generate_series(1, 20) x) FROM generate_series(1, 10) i$$),
    (7, 'twice the same value, a set', 'NOT counts', $$SELECT {type}_add({type}_agg(i, {usual}), 1) = {type}_agg(i, {usual}) FROM generate_series(1, 10) i$$),
    (8, 'twice the same value, counted', 'counts', $$SELECT {type}_add({type}_agg(i, {usual}), 1) <> {type}_agg(i, {usual}) FROM generate_series(1, 10) i$$),
    (9, 'of all sizes', 'true', $$/* as added */ SELECT bool_and(a.s || b.s = b.s || a.s AND a.s || b.s = (SELECT {type}_agg(x, {large}) FROM (SELECT generate_series(1, a.n) AS x UNION ALL SELECT generate_series(b.n / 2 + 1, b.n)) x))
        FROM (SELECT n, {type}_agg(i, {large}) AS s FROM unnest('{1,10,200,900}'::int[]) n, generate_series(1, n) i GROUP BY n) a,
            (SELECT n, {type}_agg(i, {large}) AS s FROM unnest('{1,10,200,900}'::int[]) n, generate_series(n / 2 + 1, n) i GROUP BY n) b$$)
) c(n, "check", condition, statement) ORDER BY n;

-- ---------- NULL ----------
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'add', $$SELECT {type}_add(NULL::{type}({usual}), 1) = {type}_add({type}_empty({usual}), 1) AND {type}_add(s, NULL) = s AND {type}_add(s, NULL::int) = s AND {type}_add(s, NULL::uuid) = s FROM (SELECT {type}_agg(i, {usual}) AS s FROM generate_series(1, 2) i) q$$),
    (2, 'add_all', $$SELECT {type}_add_all(s, NULL::int[]) = s AND {type}_add_all(NULL::{type}({usual}), ARRAY[1]) = {type}_add({type}_empty({usual}), 1) FROM (SELECT {type}_agg(i, {usual}) AS s FROM generate_series(1, 2) i) q$$),
    (3, 'merge', $$SELECT s || NULL = s AND NULL || s = s AND (NULL::{type} || NULL::{type}) IS NULL AND {type}_merge(s, NULL) = s AND {type}_merge(NULL, NULL) IS NULL FROM (SELECT {type}_agg(i, {usual}) AS s FROM generate_series(1, 2) i) q$$),
    (4, 'answers', $$/* as added */ SELECT pg_temp.number(NULL::{type}) IS NULL AND {type}_info(NULL) IS NULL AND {type}_empty(NULL) IS NULL$$),
    (5, 'comparison', $$SELECT (NULL::{type} = {type}_empty({usual})) IS NULL AND NULL::{type} IS DISTINCT FROM {type}_empty({usual}) AND {type}_empty({usual}) IS NOT DISTINCT FROM {type}_empty({usual})$$),
    (6, 'casts', $$SELECT NULL::{type}({usual}) IS NULL AND NULL::bytea::{type} IS NULL AND NULL::{type}::bytea IS NULL AND NULL::text::{type} IS NULL$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- = and its relations ----------
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'equal', $$SELECT {type}_agg(i, {usual}) = {type}_agg(-(-i), {usual}) AND {type}_agg(i, {usual}) = {type}_agg(i::bigint, {usual}) AND NOT {type}_agg(i, {usual}) <> {type}_agg(i, {usual}) FROM generate_series(1, 5) i$$),
    (2, 'not equal', $$/* any value */ SELECT {type}_agg(i, {usual}) <> {type}_agg(-i, {usual}) AND {type}_agg(i, {usual}) <> {type}_agg(i::text, {usual}) AND NOT {type}_agg(i, {usual}) = {type}_agg(i, {other}) FROM generate_series(1, 5) i$$),
    (3, 'empty ones of other parameters', $$SELECT {type}_empty({usual}) <> {type}_empty({other})$$)
) c(n, "check", statement) ORDER BY n;
-- "<" would say something of the values
SELECT pg_temp.verdict('SELECT {type}_empty({usual}) < {type}_empty({usual})', '42883') AS less_than;

-- of each type 60 sketches, 20 of them different
CALL pg_temp.each($$
CREATE TEMP TABLE {type}_sets AS SELECT n, {type}_agg(i, {usual}) AS s FROM generate_series(0, 59) n, generate_series(1, n % 20 + 1) i GROUP BY n
$$);
CALL pg_temp.each('ANALYZE {type}_sets');
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'a literal', $$SELECT bool_and(pg_temp.answer(format('SELECT count(*) FROM {type}_sets WHERE s = %1$L AND %1$L = s AND s IN (%2$L, %1$L)', s, {type}_empty({usual}))) = '3') FROM {type}_sets$$),
    (2, 'DISTINCT', $$SELECT count(*) = 20 AND (SELECT count(DISTINCT s) FROM {type}_sets) = 20 FROM (SELECT DISTINCT s FROM {type}_sets) q$$),
    (3, 'GROUP BY', $$SELECT count(*) = 20 AND bool_and(n = 3 AND ns = ARRAY[ns[1], ns[1] + 20, ns[1] + 40]) FROM (SELECT count(*) AS n, array_agg(n ORDER BY n) AS ns FROM {type}_sets GROUP BY s) q$$),
    (4, 'UNION', $$SELECT count(*) = 20 FROM (SELECT s FROM {type}_sets UNION SELECT s FROM {type}_sets) q$$),
    (5, 'INTERSECT', $$SELECT count(*) = 20 FROM (SELECT s FROM {type}_sets WHERE n < 30 INTERSECT SELECT s FROM {type}_sets WHERE n >= 30) q$$),
    (6, 'EXCEPT', $$SELECT count(*) = 5 FROM (SELECT s FROM {type}_sets WHERE n < 20 EXCEPT SELECT s FROM {type}_sets WHERE n >= 45) q$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- hashed and sorted, joined in both ways: the same ----------
SET enable_hashagg = off;
SELECT pg_temp.verdict($$SELECT NOT pg_temp.plan_has('SELECT s FROM {type}_sets GROUP BY s', 'HashAggregate') AND count(*) = 20 FROM (SELECT s FROM {type}_sets GROUP BY s) q$$) AS sorted;
RESET enable_hashagg;
SET enable_sort = off;
SELECT pg_temp.verdict($$SELECT pg_temp.plan_has('SELECT s FROM {type}_sets GROUP BY s', 'HashAggregate') AND count(*) = 20 FROM (SELECT s FROM {type}_sets GROUP BY s) q$$) AS hashed;
RESET enable_sort;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SELECT pg_temp.verdict($$SELECT pg_temp.plan_has('SELECT 1 FROM {type}_sets a JOIN {type}_sets b USING (s)', 'Hash Join') AND count(*) = 180 AND bool_and(a.n % 20 = b.n % 20) FROM {type}_sets a JOIN {type}_sets b USING (s)$$) AS hash_join;
RESET enable_mergejoin;
SET enable_hashjoin = off;
SELECT pg_temp.verdict($$SELECT pg_temp.plan_has('SELECT 1 FROM {type}_sets a JOIN {type}_sets b USING (s)', 'Merge Join') AND count(*) = 180 AND bool_and(a.n % 20 = b.n % 20) FROM {type}_sets a JOIN {type}_sets b USING (s)$$) AS merge_join;
RESET enable_hashjoin;
RESET enable_nestloop;

-- ---------- the order is total, and that of the bytes ----------
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'operators', $$SELECT bool_and((a.s *< b.s) = (a.s::bytea < b.s::bytea) AND (a.s *<= b.s) = (a.s::bytea <= b.s::bytea) AND (a.s *> b.s) = (a.s::bytea > b.s::bytea) AND (a.s *>= b.s) = (a.s::bytea >= b.s::bytea)
        AND (a.s = b.s) = (a.s::bytea = b.s::bytea) AND (a.s <> b.s) = (a.s::bytea <> b.s::bytea)) FROM {type}_sets a, {type}_sets b$$),
    (2, 'cmp', $$SELECT bool_and({type}_cmp(a.s, b.s) = -{type}_cmp(b.s, a.s) AND ({type}_cmp(a.s, b.s) < 0) = (a.s *< b.s)) FROM {type}_sets a, {type}_sets b$$),
    (3, 'hash', $$SELECT bool_and((a.s = b.s) = ({type}_hash(a.s) = {type}_hash(b.s)) AND (a.s = b.s) = ({type}_hash_extended(a.s, 7) = {type}_hash_extended(b.s, 7))) FROM {type}_sets a, {type}_sets b$$),
    (4, 'ORDER BY', $$SELECT count(*) FILTER (WHERE s *< before) = 0 FROM (SELECT s, lag(s) OVER (ORDER BY s) AS before FROM {type}_sets) q$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- indexes ----------
SET enable_seqscan = off;
SET enable_bitmapscan = off;
CALL pg_temp.each('CREATE INDEX {type}_btree ON {type}_sets (s)');
CREATE FUNCTION pg_temp.one_of(type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('SELECT s FROM %s_sets WHERE n = 7', type) INTO answer;
    RETURN answer;
END
$$;
CREATE FUNCTION pg_temp.find(type text, operator text, index text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    query text := format('SELECT count(*) FROM %s_sets WHERE s %s %L', type, operator, pg_temp.one_of(type));
    same boolean;
BEGIN
    EXECUTE format('SELECT (%s) = count(*) FROM %s_sets WHERE s::bytea %s %L::%2$s::bytea AND n > -1', query, type, ltrim(operator, '*'), pg_temp.one_of(type)) INTO same;
    RETURN same AND pg_temp.plan_has(query, index);
END
$$;
SELECT operator, pg_temp.verdict(format($$SELECT pg_temp.find('{type}', %L, '{type}_btree')$$, operator)) AS by_btree FROM unnest('{=,*<,*<=,*>,*>=}'::text[]) operator ORDER BY operator;
CALL pg_temp.each('DROP INDEX {type}_btree');
CALL pg_temp.each('CREATE INDEX {type}_hash_index ON {type}_sets USING hash (s)');
SELECT pg_temp.verdict($$SELECT pg_temp.find('{type}', '=', '{type}_hash_index')$$) AS by_hash;
CALL pg_temp.each('CREATE INDEX {type}_number ON {type}_sets (pg_temp.number(s))');
SELECT pg_temp.verdict($$SELECT pg_temp.plan_has('SELECT n FROM {type}_sets WHERE pg_temp.number(s) = 3', '{type}_number')$$) AS by_expression;
RESET enable_seqscan;
RESET enable_bitmapscan;
CALL pg_temp.each('CREATE UNIQUE INDEX ON {type}_sets (n, s)');
CALL pg_temp.each('INSERT INTO {type}_sets SELECT n, s FROM {type}_sets WHERE n = 3 ON CONFLICT DO NOTHING');
SELECT pg_temp.verdict('SELECT count(*) = 60 FROM {type}_sets') AS on_conflict;
SELECT pg_temp.verdict('INSERT INTO {type}_sets SELECT n, s FROM {type}_sets WHERE n = 3', '23505') AS unique;
CALL pg_temp.each('CREATE TEMP TABLE {type}_parts (s {type}) PARTITION BY HASH (s)');
CALL pg_temp.each('CREATE TEMP TABLE {type}_part_0 PARTITION OF {type}_parts FOR VALUES WITH (MODULUS 2, REMAINDER 0)');
CALL pg_temp.each('CREATE TEMP TABLE {type}_part_1 PARTITION OF {type}_parts FOR VALUES WITH (MODULUS 2, REMAINDER 1)');
CALL pg_temp.each('INSERT INTO {type}_parts SELECT s FROM {type}_sets');
SELECT pg_temp.verdict('SELECT count(*) = 60 AND count(DISTINCT s) = 20 AND (SELECT count(*) FROM {type}_part_0 NATURAL JOIN {type}_part_1) = 0 FROM {type}_parts') AS partitioned;

-- ---------- upserts ----------
CALL pg_temp.each('CREATE TEMP TABLE {type}_page (page text PRIMARY KEY, s {type}({usual}) NOT NULL DEFAULT {type}_empty({usual}))');
CALL pg_temp.each($$INSERT INTO {type}_page VALUES ('/', {type}_add({type}_empty({usual}), 'ann'))$$, 'NOT numbers');
CALL pg_temp.each($$INSERT INTO {type}_page AS p VALUES ('/', {type}_add({type}_empty({usual}), 'bob')) ON CONFLICT (page) DO UPDATE SET s = p.s || excluded.s$$, 'NOT numbers');
CALL pg_temp.each($$INSERT INTO {type}_page (page) VALUES ('/about')$$);
CALL pg_temp.each($$UPDATE {type}_page SET s = {type}_add(s, 'eve')$$, 'NOT numbers');
SELECT pg_temp.verdict($$/* any value */ /* as added */ SELECT bool_and(s = CASE page WHEN '/' THEN {type}_add_all({type}_empty({usual}), '{ann,bob,eve}'::text[]) ELSE {type}_add({type}_empty({usual}), 'eve') END) FROM {type}_page$$) AS upserts;

-- ---------- stored in all ways ----------
CALL pg_temp.make_examples();
CALL pg_temp.each('CREATE TEMP TABLE {type}_stored (id int, plain {type}, main {type}, extended {type}, external {type})');
CALL pg_temp.each('ALTER TABLE {type}_stored ALTER plain SET STORAGE external, ALTER main SET STORAGE main, ALTER extended SET STORAGE extended, ALTER external SET STORAGE external');
CALL pg_temp.each('INSERT INTO {type}_stored SELECT id, s, s::text::{type}, s::text::{type}, s::text::{type} FROM {type}_examples');
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'equal', $$SELECT count(*) > 10 AND bool_and(plain = main AND main = extended AND extended = external AND md5(plain::bytea) = md5(main::bytea) AND md5(extended::bytea) = md5(external::bytea)) FROM {type}_stored$$),
    (2, 'answers', $$/* as added */ SELECT bool_and(pg_temp.number(plain) = pg_temp.number(s) AND pg_temp.number(main) = pg_temp.number(s) AND pg_temp.number(extended) = pg_temp.number(s) AND pg_temp.number(external) = pg_temp.number(s)
        AND {type}_info(plain) = {type}_info(s) AND {type}_info(main) = {type}_info(s)) FROM {type}_stored JOIN {type}_examples USING (id)$$),
    (3, 'merged', $$SELECT bool_and(plain || main = extended || external AND plain || s = s || s) FROM {type}_stored JOIN {type}_examples USING (id)$$),
    (4, 'added to', $$SELECT bool_and({type}_add(plain, 1) = {type}_add(s, 1) AND {type}_add(main, 1) = {type}_add(s, 1) AND {type}_add(extended, 1) = {type}_add(s, 1)) FROM {type}_stored JOIN {type}_examples USING (id) WHERE n > 0$$)
) c(n, "check", statement) ORDER BY n;
