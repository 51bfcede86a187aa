-- Of all types: text, bytea, COPY, and a state that comes out unfinished
\set types `echo "${PROBDS_SRC:-.}/test/types/check.sql"`
\set ECHO none
\i :types
\set ECHO all
CALL pg_temp.make_examples();

-- every type that the extension has is in test/types/types.sql
SELECT t.typname AS has_no_row FROM pg_type t JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds') AND t.typtype = 'b' AND t.typelem = 0
    AND t.typname NOT IN (SELECT type FROM types);

\set ECHO none
DELETE FROM types WHERE fixed;
\set ECHO all
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'text and back', $$SELECT bool_and(s::text::{type} = s AND s::text::{type}::text = s::text) FROM {type}_examples$$),
    (2, 'text is one line of base64', $$SELECT bool_and(s::text = translate(encode(s::bytea, 'base64'), E'\n', '')) FROM {type}_examples$$),
    (3, 'digits as of bytea', $$SELECT bool_and(s::bytea::text::{type} = s) FROM {type}_examples$$),
    (4, 'digits in upper case', $$SELECT bool_and(upper(s::bytea::text)::{type} = s) FROM {type}_examples$$),
    (5, 'bytea and back', $$SELECT bool_and(s::bytea::{type} = s AND s::bytea::{type}::bytea = s::bytea) FROM {type}_examples$$),
    (6, 'text with the line breaks of encode()', $$SELECT bool_and(encode(s::bytea, 'base64')::{type} = s) FROM {type}_examples$$),
    (7, 'space around base64', $$SELECT bool_and((E' \t' || s::text || E' \r\n')::{type} = s) FROM {type}_examples$$),
    (8, 'space around digits', $$SELECT bool_and((' ' || s::bytea::text || ' ')::{type} = s) FROM {type}_examples$$),
    (9, 'different sketches, different texts', $$SELECT count(DISTINCT s) = count(DISTINCT s::text) AND count(DISTINCT s) > 10 FROM {type}_examples$$),
    (10, 'arrays', $$SELECT array_agg(s)::text::{type}[] = array_agg(s) FROM (SELECT s FROM {type}_examples UNION ALL SELECT NULL) q$$),
    (11, 'rows', $$SELECT bool_and(r::text = format('(%s,1)', s)) FROM (SELECT s, ROW(s, 1) AS r FROM {type}_examples WHERE NOT large) q$$),
    (12, 'JSON', $$SELECT bool_and(to_json(s)::text = format('"%s"', s) AND (json_populate_record(e, row_to_json(e))).s = s) FROM {type}_examples e$$),
    (13, 'what binary output sends is the bytes', $$SELECT bool_and({type}_send(s) = s::bytea) FROM {type}_examples$$),
    (14, 'info says how many bytes', $$/* as added */ SELECT bool_and((x.i).bytes = length(s::bytea)) FROM (SELECT s, {type}_info(s) AS i FROM {type}_examples) x$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- COPY, in psql's folder ----------
-- a column of each type
DO $$
BEGIN
    EXECUTE 'CREATE TEMP TABLE every AS SELECT id' || (SELECT string_agg(format(', %1$s_examples.s AS %1$s', type), '' ORDER BY type) FROM types) || ' FROM '
        || (SELECT string_agg(type || '_examples', ' FULL JOIN ' ORDER BY type) FROM types WHERE type = 'hll') || (SELECT string_agg(format(' FULL JOIN %s_examples USING (id)', type), '' ORDER BY type) FROM types WHERE type <> 'hll');
END
$$;
CREATE TEMP TABLE again (LIKE every);
\copy every TO 'results/types_io.copy'
\copy again FROM 'results/types_io.copy'
\copy every TO 'results/types_io.csv' (FORMAT csv)
\copy again FROM 'results/types_io.csv' (FORMAT csv)
\copy every TO 'results/types_io.bin' (FORMAT binary)
\copy again FROM 'results/types_io.bin' (FORMAT binary)
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'COPY as text, csv, binary', $$SELECT count(*) = 3 * (SELECT count(*) FROM every) AND bool_and(e.{type} IS NOT DISTINCT FROM a.{type} AND e.{type}::bytea IS NOT DISTINCT FROM a.{type}::bytea) FROM every e JOIN again a USING (id)$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- a state that is not finished ----------
-- The state of an aggregate that lacks a final function, or has one that changes nothing, comes out as
-- a sketch like any other.  Without one, what merges sketches makes no state.
CREATE FUNCTION pg_temp.same(anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT $1';
DO $body$
DECLARE
    t types;
    step text;
    types text;
BEGIN
    FOR t IN SELECT * FROM types LOOP
        SELECT aggtransfn::regproc, (SELECT string_agg(format_type(a, NULL), ', ' ORDER BY n) FROM unnest(proargtypes::oid[]) WITH ORDINALITY x(a, n)) INTO STRICT step, types
        FROM pg_aggregate JOIN pg_proc p ON p.oid = aggfnoid
        WHERE proname = t.type || '_agg' AND proargtypes[0] = '"any"'::regtype AND pronargs = 2 + length(t.usual) - length(replace(t.usual, ',', ''))
            AND NOT 'weight' = ANY (proargnames);
        EXECUTE format('CREATE AGGREGATE pg_temp.built_%s(%s) (SFUNC = %s, STYPE = %1$s)', t.type, types, step);
        EXECUTE format('CREATE AGGREGATE pg_temp.merged_%1$s(%1$s) (SFUNC = %1$s_merge, STYPE = %1$s, FINALFUNC = pg_temp.same)', t.type);
        EXECUTE format('CREATE AGGREGATE pg_temp.united_%1$s(%1$s) (SFUNC = %1$s_merge, STYPE = %1$s)', t.type);
    END LOOP;
END
$body$;
CALL pg_temp.each($$
CREATE TEMP TABLE {type}_states AS
SELECT n, (SELECT pg_temp.built_{type}(i, {usual}) FROM generate_series(1, n) i) AS state, (SELECT {type}_agg(i, {usual}) FROM generate_series(1, n) i) AS sketch FROM unnest('{1,2,10,100,500}'::int[]) n
UNION ALL SELECT n, (SELECT pg_temp.built_{type}(i, {large}) FROM generate_series(1, n) i), (SELECT {type}_agg(i, {large}) FROM generate_series(1, n) i) FROM unnest('{1000,10000}'::int[]) n
UNION ALL SELECT n, (SELECT pg_temp.merged_{type}(s) FROM (SELECT {type}_agg(i, {usual}) AS s FROM generate_series(1, n) i GROUP BY i % 7) q), (SELECT {type}_agg(i, {usual}) FROM generate_series(1, n) i) FROM unnest('{1,10,100,500}'::int[]) n
$$);
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'compares as the sketch', $$/* as added */ SELECT bool_and(state = sketch AND NOT state <> sketch AND NOT state *< sketch AND state *>= sketch AND {type}_cmp(state, sketch) = 0) FROM {type}_states$$),
    (2, 'hashes as the sketch', $$/* as added */ SELECT bool_and({type}_hash(state) = {type}_hash(sketch) AND {type}_hash_extended(state, 1) = {type}_hash_extended(sketch, 1)) FROM {type}_states$$),
    (3, 'is written as the sketch', $$/* as added */ SELECT bool_and(state::text = sketch::text AND state::bytea = sketch::bytea AND {type}_send(state) = {type}_send(sketch)) FROM {type}_states$$),
    (4, 'says the same of itself', $$/* as added */ SELECT bool_and({type}_info(state) = {type}_info(sketch) AND pg_temp.number(state) = pg_temp.number(sketch)) FROM {type}_states$$),
    (5, 'takes values', $$/* as added */ SELECT bool_and({type}_add(state, 0) = {type}_add(sketch, 0) AND {type}_add_all(state, '{0,1}'::int[]) = {type}_add_all(sketch, '{0,1}'::int[])) FROM {type}_states$$),
    (6, 'has the values', $$SELECT bool_and({holds}) FROM (SELECT state AS s, 1 AS v FROM {type}_states WHERE n <= {exact}) q$$),
    (7, 'merges on either side', $$/* as added */ SELECT bool_and(state || state = sketch || sketch AND state || sketch = sketch || sketch AND sketch || state = sketch || sketch) FROM {type}_states$$),
    (8, 'is merged by aggregates', $$/* as added */ SELECT {type}_merge_agg(state) = {type}_merge_agg(sketch) FROM {type}_states WHERE n < 1000$$),
    (9, 'has the type modifier', $$/* as added */ SELECT bool_and(state::{type}({usual}) = sketch) FROM {type}_states WHERE n < 1000$$),
    (10, 'in a set', $$/* as added */ SELECT count(*) = (SELECT count(DISTINCT sketch) FROM {type}_states) FROM (SELECT state FROM {type}_states UNION SELECT sketch FROM {type}_states) q$$),
    (11, 'one''s own union is stored', $$/* as added */ SELECT pg_temp.united_{type}(state)::bytea = {type}_merge_agg(sketch)::bytea AND pg_column_size(pg_temp.united_{type}(state)) = pg_column_size({type}_merge_agg(sketch)) FROM {type}_states WHERE n = 100$$),
    (12, 'beside ours', $$/* as added */ SELECT pg_column_size(pg_temp.united_{type}(sketch)) = pg_column_size({type}_merge_agg(sketch)) FROM {type}_states WHERE n = 100$$),
    (13, 'over a window', $$/* as added */ SELECT bool_and(u = pg_column_size(m) OR place = 1) FROM (SELECT row_number() OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) AS place, pg_column_size(pg_temp.united_{type}(state) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING)) AS u, {type}_merge_agg(sketch) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) AS m FROM {type}_states WHERE n = 100) q$$)
) c(n, "check", statement) ORDER BY n;
