-- What a table has of the types, damaged since it was checked: an error that says so
\set types `echo "${PROBDS_SRC:-.}/test/types/check.sql"`
\set ECHO none
\i :types
DELETE FROM types WHERE fixed;
\set ECHO all
CALL pg_temp.each($$CREATE FUNCTION unchecked_{type}(cstring) RETURNS {type} LANGUAGE internal IMMUTABLE STRICT AS 'byteain'$$);
CALL pg_temp.each($$CREATE FUNCTION raw({type}) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'byteaout'$$);
CREATE FUNCTION pg_temp.same(anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT $1';
CALL pg_temp.each('CREATE AGGREGATE keep({type}) (SFUNC = {type}_merge, STYPE = {type}, FINALFUNC = pg_temp.same)');

-- the code that a question is answered by, or the answer
CREATE FUNCTION code_of(question text, bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE 'SELECT (' || question || ')::text' INTO answer USING bytes::text;
    RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate;
END
$$;

CREATE TABLE sound (type text, bytes bytea, state bytea);
CALL pg_temp.each($$INSERT INTO sound SELECT '{type}', s::bytea, (SELECT raw(keep(v))::text::bytea FROM (VALUES (s), ({type}_empty({usual}))) v (v)) FROM (SELECT {type}_agg(i, {usual}) AS s FROM generate_series(1, 20) i) q GROUP BY s$$);
-- and of more values than fit into a small one
CALL pg_temp.each($$INSERT INTO sound SELECT '{type}', s::bytea, (SELECT raw(keep(v))::text::bytea FROM (VALUES (s), ({type}_empty({other}))) v (v)) FROM (SELECT {type}_agg(i, {other}) AS s FROM generate_series(1, 300) i) q GROUP BY s$$);

-- a damaged state of approx_percentile in a TOAST table, which the union passes through
CREATE AGGREGATE state_of(float8, float8) (SFUNC = _ddsketch_percentile_step, STYPE = ddsketch);
CREATE AGGREGATE finish(ddsketch) (SFUNC = ddsketch_merge, STYPE = ddsketch, FINALFUNC = _ddsketch_final_percentile);
CREATE TABLE states AS SELECT n, unchecked_ddsketch(CASE n WHEN 0 THEN state ELSE set_byte(state, n, 255) END::text::cstring) AS s
FROM (SELECT raw(state_of(i, 0.5))::text::bytea AS state FROM generate_series(1, 3000) i) q, unnest('{0,10}'::int[]) n;
SELECT n, code_of('(SELECT finish(s) FROM states WHERE n = get_byte($1::bytea, 0))', set_byte('\x00', 0, n)) AS finished FROM states ORDER BY n;
DROP AGGREGATE state_of(float8, float8), finish(ddsketch);
DROP TABLE states;

-- the first bytes alone: hll looked at the third before there were so many
SELECT type, n, code_of(format('(SELECT %1$s_merge_agg(unchecked_%1$s($1::cstring)) FROM generate_series(1, 2))', type), substr(bytes, 1, n)) AS merge_agg,
    code_of(format('unchecked_%1$s($1::cstring) || %1$s_empty(%2$s)', type, usual), substr(bytes, 1, n)) AS merge
FROM (SELECT DISTINCT ON (type) * FROM sound JOIN types USING (type) ORDER BY type, length(bytes)) q, generate_series(0, 3) n ORDER BY type, n;

-- a step looks at no byte of a state behind its end (which only a sanitizer sees): called by
-- itself, and in an aggregate of a user's own that begins with a sketch of few bytes
SELECT type, code_of(format('_%1$s_step(unchecked_%1$s($1::cstring), 1, %2$s)', type, usual), substr(bytes, 1, n)) AS step, count(*)
FROM sound JOIN types USING (type), generate_series(0, 14) n GROUP BY 1, 2 ORDER BY 1, 2;
DO $$
DECLARE
    t types;
    aggregate record;
    begun text;
BEGIN
    FOR t IN SELECT * FROM types LOOP
        EXECUTE format('SELECT %s_empty(%s)::text', t.type, t.usual) INTO begun;
        FOR aggregate IN SELECT pg_get_function_arguments(a.aggfnoid) AS args
            FROM pg_aggregate a JOIN pg_proc p ON p.oid = a.aggfnoid
                JOIN pg_proc step ON step.oid = a.aggtransfn
            WHERE p.proname = t.type || '_agg' AND step.proname = format('_%s_step', t.type)
        LOOP
            EXECUTE format('CREATE AGGREGATE begun_%s(%s) (SFUNC = _%1$s_step, STYPE = %1$s, INITCOND = %3$L)',
                t.type, aggregate.args, begun);
        END LOOP;
    END LOOP;
END
$$;
SELECT type, pg_temp.answer(format('SELECT begun_%1$s(i, %2$s)::bytea = %1$s_agg(i, %2$s)::bytea FROM generate_series(1, 20) i', type, usual)) AS same
FROM types ORDER BY type;
DO $$
DECLARE
    made regprocedure;
BEGIN
    FOR made IN SELECT oid FROM pg_proc WHERE proname LIKE 'begun\_%' LOOP
        EXECUTE format('DROP AGGREGATE %s', made);
    END LOOP;
END
$$;

-- a total, and no counter above 0: the union divided by their number
WITH dense AS (SELECT s::bytea AS bytes, (i).width * (i).depth AS counters
    FROM (SELECT s, cms_info(s) AS i FROM (SELECT cms_agg(i, 0.1, 0.1) AS s FROM generate_series(1, 100) i) a) b),
damaged AS (SELECT substr(bytes, 1, length(bytes) - counters) || decode(repeat('00', counters), 'hex') AS bytes FROM dense)
SELECT code_of('unchecked_cms($1::cstring) || unchecked_cms($1::cstring)', bytes) AS merge,
    code_of('(SELECT cms_merge_agg(unchecked_cms($1::cstring)) FROM generate_series(1, 2))', bytes) AS merge_agg,
    code_of('cms_subtract(unchecked_cms($1::cstring), cms_empty(0.1, 0.1))', bytes) AS subtract FROM damaged;

-- a stored value with the one bit pattern that says that it is a state
SELECT type, code_of(format('unchecked_%1$s($1::cstring) || unchecked_%1$s($1::cstring)', type), set_byte(bytes, 1, get_byte(bytes, 1) | 15)) AS merge,
    code_of(format('(SELECT %1$s_merge_agg(unchecked_%1$s($1::cstring)) FROM generate_series(1, 2))', type), set_byte(bytes, 1, get_byte(bytes, 1) | 15)) AS merge_agg,
    code_of(format('unchecked_%1$s($1::cstring)', type), set_byte(bytes, 1, get_byte(bytes, 1) | 15)) AS output
FROM sound ORDER BY type, length(state);

-- a state as it is, from a table, and with each byte of its head and what follows in turn
-- another: the head lies, or what is asked fits it
SELECT type, code_of(format('unchecked_%1$s($1::cstring) || unchecked_%1$s($1::cstring)', type), state) AS merge,
    code_of(format('(SELECT %1$s_merge_agg(unchecked_%1$s($1::cstring)) FROM generate_series(1, 2))', type), state) AS merge_agg,
    code_of(format('unchecked_%1$s($1::cstring)::bytea', type), state) AS bytes
FROM sound ORDER BY type, length(state);
SELECT type, what, code, count(*) > 0 AS some
FROM sound, generate_series(0, least(length(state), 200) - 1) at, (VALUES (0), (1), (127), (255)) v (byte),
    LATERAL (VALUES ('merge', code_of(format('unchecked_%1$s($1::cstring) || unchecked_%1$s($1::cstring)', type), set_byte(state, at, byte))),
        ('merge_agg', code_of(format('(SELECT %1$s_merge_agg(unchecked_%1$s($1::cstring)) FROM generate_series(1, 2))', type), set_byte(state, at, byte))),
        ('output', code_of(format('unchecked_%1$s($1::cstring)', type), set_byte(state, at, byte)))) AS a (what, code)
WHERE at <> 1 AND get_byte(state, at) <> byte
GROUP BY type, what, code ORDER BY type, what, code COLLATE "C";
-- a cms whose table has a count in a free slot, which was an item of position -1
SELECT code, count(*) > 0 AS some FROM (SELECT raw(keep(s))::text::bytea AS state FROM (VALUES (cms_add(cms_empty(), 1)), (cms_empty())) one (s)) q, generate_series(length(state) / 2, length(state) - 1) at,
    LATERAL code_of('(SELECT cms_merge_agg(unchecked_cms($1::cstring)) FROM generate_series(1, 2))', set_byte(state, at, 1)) code
WHERE substr(state, at - 15, 32) = decode(repeat('00', 32), 'hex')
GROUP BY code ORDER BY code COLLATE "C";
-- cut off
SELECT type, code, count(*) > 0 AS some FROM sound, generate_series(3, length(state) - 1, 1 + length(state) / 1000) n,
    LATERAL code_of(format('unchecked_%1$s($1::cstring) || unchecked_%1$s($1::cstring)', type), substr(state, 1, n)) code
GROUP BY type, code ORDER BY type, code COLLATE "C";

DROP TABLE sound;
DROP FUNCTION code_of;
CALL pg_temp.each('DROP AGGREGATE keep({type})');
CALL pg_temp.each('DROP FUNCTION raw({type}), unchecked_{type}');
