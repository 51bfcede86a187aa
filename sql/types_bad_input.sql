-- Of all types: what is no sketch, or does not go together, is refused with the right SQLSTATE
\set types `echo "${PROBDS_SRC:-.}/test/types/check.sql"`
\set ECHO none
\i :types
DELETE FROM types WHERE fixed;
\set ECHO all
CALL pg_temp.make_examples();

-- ---------- parameters ----------
SELECT c.check, pg_temp.verdict(statement, expected) FROM (VALUES
    (1, 'empty', '22023', $$SELECT string_agg(DISTINCT pg_temp.answer(format('SELECT {type}_empty(%s)', b)), ' ') FROM regexp_split_to_table('{bad}', '[|]') b$$),
    (2, 'aggregate', '22023', $$SELECT string_agg(DISTINCT pg_temp.answer(format('SELECT {type}_agg(i, %s) FROM generate_series(1, 3) i', b)), ' ') FROM regexp_split_to_table('{bad}', '[|]') b$$),
    (3, 'aggregate of NULLs', '22023', $$SELECT string_agg(DISTINCT pg_temp.answer(format('SELECT {type}_agg(NULL::int, %s)', b)), ' ') FROM regexp_split_to_table('{bad}', '[|]') b$$),
    (4, 'aggregate of no rows', NULL, $$SELECT string_agg(DISTINCT pg_temp.answer(format('SELECT {type}_agg(1, %s) WHERE false', b)), ' ') FROM regexp_split_to_table('{bad}', '[|]') b$$),
    (5, 'a word', '22P02', $$SELECT {type}_empty('many')$$)
) c(n, "check", expected, statement) ORDER BY n;

-- ---------- text that is no sketch ----------
CREATE FUNCTION pg_temp.texts(good text, digits text) RETURNS SETOF text LANGUAGE sql AS $$
    VALUES (''), (' '), ('x'), ('unique visitors'), ('some more data here'), ('what does this mean'), ('{1,2,3}'), ('\x'), ('\x1'), (repeat('what is this? ', 10)),
        (left(good, -1)), (good || '='), (good || 'x'), (overlay(good PLACING '=' FROM 3)), (overlay(good PLACING '-' FROM 3)), (overlay(good PLACING '_' FROM 3)), (rtrim(good, '=') || '===='),
        (left(digits, -1)), (digits || '0'), (digits || 'ff'), (overlay(digits PLACING 'g' FROM 5)), (overlay(digits PLACING 'y' FROM 2)), (substr(digits, 3)), (good || good), ('é' || good)
$$;
SELECT c.check, pg_temp.verdict(statement, expected) FROM (VALUES
    (1, 'refused', '22P02', $$SELECT string_agg(DISTINCT coalesce(pg_temp.answer(format('SELECT %L::{type}', t)), ''), ' ') FROM (SELECT pg_temp.texts(s::text, s::bytea::text) AS t FROM {type}_examples WHERE id IN (1, 3)) q$$),
    (2, 'of another type', '22P02', $$SELECT string_agg(DISTINCT pg_temp.answer(format('SELECT %L::{type}', CASE '{type}' WHEN 'hll' THEN bloom_empty(9)::text ELSE hll_empty()::text END)), ' ')$$),
    (3, 'its bytes', '22P03', $$SELECT (CASE '{type}' WHEN 'hll' THEN bloom_empty(9)::bytea ELSE hll_empty()::bytea END)::{type}$$),
    (4, 'COPY', '22P02', $$SELECT pg_temp.copy_text('{type}_examples (s)', 'abcd')$$)
) c(n, "check", expected, statement) ORDER BY n;
-- a soft error where the server has them (PostgreSQL 16 and later)
SELECT pg_temp.verdict($$SELECT CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'false|false|true'
    ELSE pg_temp.answer($q$SELECT concat_ws('|', pg_input_is_valid('?', '{type}')::text, pg_input_is_valid({type}_empty({usual})::bytea::text || 'ff', '{type}')::text, pg_input_is_valid({type}_empty({usual})::text, '{type}')::text)$q$) END$$, 'false|false|true') AS soft_errors;

-- ---------- bytes that are no sketch ----------
-- Bytes, as text and as bytea: refused alike (NULL), or a sketch (true) that goes out as it
-- came in, and of which one can ask everything
CREATE FUNCTION pg_temp.taken(type text, bytes bytea) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    by_bytea bytea;
    by_text bytea;
    error_of_bytea text;
    error_of_text text;
BEGIN
    BEGIN
        EXECUTE format('SELECT $1::%I::bytea', type) INTO by_bytea USING bytes;
    EXCEPTION WHEN OTHERS THEN
        error_of_bytea := SQLSTATE;
    END;
    BEGIN
        EXECUTE format('SELECT $1::%I::bytea', type) INTO by_text USING bytes::text;
    EXCEPTION WHEN OTHERS THEN
        error_of_text := SQLSTATE;
    END;
    IF error_of_bytea = '22P03' AND error_of_text = '22P02' THEN
        RETURN NULL;
    END IF;
    IF error_of_bytea IS NOT NULL OR error_of_text IS NOT NULL OR by_bytea <> bytes OR by_text <> bytes THEN
        RAISE '%: by bytea %, by text % (%)', bytes, coalesce(error_of_bytea, by_bytea::text), coalesce(error_of_text, by_text::text), type;
    END IF;
    EXECUTE format('SELECT concat(pg_temp.number(s), %1$s_info(s), s = s, %1$s_hash(s), s::text) FROM (SELECT $1::%1$s AS s) q', type) USING bytes;
    -- twice of it may be too much
    BEGIN
        EXECUTE format('SELECT (s || s)::text || %1$s_merge_agg(s) FROM (SELECT $1::%1$s AS s) q GROUP BY s', type) USING bytes;
    EXCEPTION WHEN numeric_value_out_of_range OR program_limit_exceeded THEN
        NULL;
    END;
    RETURN true;
END
$$;
-- the first bytes and the last of each example, long ones in steps
CREATE FUNCTION pg_temp.places(n int) RETURNS SETOF int LANGUAGE sql AS $$
    SELECT DISTINCT i FROM generate_series(0, n - 1) i WHERE i < 100 OR i >= n - 8 OR i % (1 + n / 100) = 0
$$;
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'examples are taken', $$SELECT bool_and(pg_temp.taken('{type}', s::bytea)) FROM {type}_examples$$),
    (2, 'cut off: refused', $$SELECT count(*) > 300 AND count(pg_temp.taken('{type}', substr(s::bytea, 1, at))) = 0 FROM {type}_examples, pg_temp.places(length(s::bytea)) at$$),
    (3, 'longer: refused', $$SELECT count(pg_temp.taken('{type}', s::bytea || more)) = 0 FROM {type}_examples, unnest(ARRAY['\x00', '\x01', '\x80', '\xff', '\x0000000000000000']::bytea[]) more$$),
    (4, 'a bit changed: refused, or a sketch', $$SELECT count(*) > count(pg_temp.taken('{type}', b)) AND count(*) > 500
        FROM (SELECT set_bit(s::bytea, bit, 1 - get_bit(s::bytea, bit)) AS b FROM {type}_examples, pg_temp.places(length(s::bytea)) at, LATERAL (SELECT 8 * at + id % 8 AS bit) x) q$$),
    (5, 'a byte of the head changed', $$SELECT count(*) > count(pg_temp.taken('{type}', b)) AND count(*) > 1000
        FROM (SELECT set_byte(s::bytea, at, v) AS b FROM {type}_examples, generate_series(0, least(length(s::bytea), 12) - 1) at, unnest('{0,1,2,3,5,8,10,16,31,64,127,128,200,255}'::int[]) v) q$$),
    (6, 'another version of the format', $$SELECT bool_and(pg_temp.taken('{type}', set_byte(s::bytea, 0, get_byte(s::bytea, 0) & 240 | v)) IS NULL) FROM {type}_examples, unnest('{0,2,15}'::int[]) v$$),
    (7, 'what says that it is a state', $$SELECT bool_and(pg_temp.taken('{type}', b) IS NULL) FROM (SELECT set_byte(s::bytea, 1, get_byte(s::bytea, 1) | 15) AS b FROM {type}_examples) q$$)
) c(n, "check", statement) ORDER BY n;
-- by way of binary input, without a file
SELECT c.check, pg_temp.verdict(statement, expected) FROM (VALUES
    (1, 'taken', '{"",""}', $$SELECT array_agg(pg_temp.copy_binary('{type}_examples (s)', s::bytea)::text) FROM {type}_examples WHERE id IN (1, 4)$$),
    (2, 'cut off', '22P03', $$SELECT string_agg(DISTINCT pg_temp.answer(format('SELECT pg_temp.copy_binary(''{type}_examples (s)'', %L)', substr(s::bytea, 1, at))), ' ') FROM {type}_examples, generate_series(0, least(length(s::bytea), 20) - 1) at WHERE id = 4$$),
    (3, 'longer', '22P03', $$SELECT pg_temp.copy_binary('{type}_examples (s)', s::bytea || '\x00') FROM {type}_examples WHERE id = 4$$),
    (4, 'a state', '22P03', $$SELECT pg_temp.copy_binary('{type}_examples (s)', set_byte(s::bytea, 1, get_byte(s::bytea, 1) | 15)) FROM {type}_examples WHERE id = 4$$)
) c(n, "check", expected, statement) ORDER BY n;

-- ---------- what does not go together ----------
CALL pg_temp.each($$
CREATE TEMP TABLE {type}_kinds AS
SELECT {type}_agg(i, {usual}) AS numbers, {type}_agg(i::text, {usual}) AS texts, {type}_agg(md5(i::text)::uuid, {usual}) AS uuids, {type}_agg(ROW(i, i::text), {usual}) AS records,
    {type}_empty({usual}) AS nothing, {type}_agg(i, {other}) AS others FROM generate_series(1, 10) i
$$, 'NOT numbers');
SELECT c.check, pg_temp.verdict(statement || ' FROM {type}_kinds', expected, condition || ' AND NOT numbers') FROM (VALUES
    (1, 'numbers and texts', '22000', 'true', 'SELECT numbers || texts'), (2, 'texts and numbers', '22000', 'true', 'SELECT {type}_merge(texts, numbers)'),
    (3, 'records and numbers', '22000', 'true', 'SELECT records || numbers'), (4, 'in an aggregate', '22000', 'true', 'SELECT (SELECT {type}_merge_agg(s) FROM unnest(ARRAY[nothing, uuids, texts]) s)'),
    (5, 'a text added to numbers', '22000', 'true', 'SELECT {type}_add(numbers, (SELECT ''7''::text))'), (6, 'a number added to texts', '22000', 'true', 'SELECT {type}_add(texts, 7)'),
    (7, 'a float added to numbers', '22000', 'true', 'SELECT {type}_add(numbers, 7.0::float8)'), (8, 'an array added to texts', '22000', 'true', 'SELECT {type}_add(texts, ARRAY[''7''])'),
    (9, 'numbers of an array added to texts', '22000', 'true', 'SELECT {type}_add_all(texts, ARRAY[1])'), (10, 'another record', '22000', 'true', 'SELECT {type}_add(records, ROW(1, 2))'),
    (11, 'a literal that is no number', '22P02', 'true', 'SELECT {type}_add(numbers, ''seven'')'), (12, 'a literal that is no array', '22P02', 'true', 'SELECT {type}_add_all(numbers, ''seven'')'),
    (13, 'other parameters', '22000', 'NOT unites', 'SELECT numbers || others'), (14, 'in the other order', '22000', 'NOT unites', 'SELECT {type}_merge(others, numbers)'),
    (15, 'in an aggregate', '22000', 'NOT unites', 'SELECT (SELECT {type}_merge_agg(s) FROM unnest(ARRAY[nothing, numbers, others]) s)'), (16, 'empty ones', '22000', 'NOT unites', 'SELECT {type}_empty({usual}) || {type}_empty({other})'),
    (17, 'a value without an equality', '42883', 'true', 'SELECT {type}_add(nothing, ''1''::json)'), (18, 'in an aggregate', '42883', 'true', 'SELECT (SELECT {type}_agg(p, {usual}) FROM (VALUES (''(1,2)''::point)) v(p))'),
    (19, 'a sketch as a value', '42804', 'true', 'SELECT {type}_add(nothing, numbers)'), (20, 'in an aggregate', '42804', 'true', 'SELECT (SELECT {type}_agg(s, {usual}) FROM unnest(ARRAY[numbers]) s)'),
    (21, 'of another type', '42804', 'true', 'SELECT (SELECT {type}_agg(s, {usual}) FROM (VALUES (hll_empty())) v(s))'), (22, 'in an array', '42804', 'true', 'SELECT (SELECT {type}_agg(s, {usual}) FROM (VALUES (ARRAY[numbers])) v(s))')
) c(n, "check", expected, condition, statement) ORDER BY n;
SELECT c.check, pg_temp.verdict(statement || ' FROM {type}_kinds', 'true', condition || ' AND NOT numbers') FROM (VALUES
    (1, 'nothing goes with every kind', 'true', 'SELECT nothing || texts = texts AND numbers || nothing = numbers AND nothing || uuids = uuids AND records || nothing = records'),
    (2, 'numbers are of one kind', 'true', 'SELECT {type}_add(numbers, 7.0) = {type}_add(numbers, 7::smallint) AND {type}_add(numbers, ''7'') = {type}_add(numbers, 7)'),
    (3, 'no elements are of no kind', 'true', 'SELECT {type}_add_all(texts, ARRAY[]::int[]) = texts AND {type}_add_all(texts, NULL::int[]) = texts AND {type}_add(texts, NULL::int) = texts'),
    (4, 'unlike, not an error', 'true', 'SELECT numbers <> texts AND NOT numbers = uuids AND (numbers *< texts) = (numbers::bytea < texts::bytea)'),
    (5, 'other parameters unite', 'unites', 'SELECT numbers || others = others || numbers AND {type}_empty({usual}) || {type}_empty({other}) = {type}_empty({other}) || {type}_empty({usual})')
) c(n, "check", condition, statement) ORDER BY n;

-- ---------- functions that belong to aggregates, called by name ----------
-- every one of each type but the union, with NULLs and with values: refused, not run
CREATE FUNCTION pg_temp.call_by_name(type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    call text;
    answer text;
    result text := '';
    n int := 0;
BEGIN
    FOR call IN SELECT DISTINCT format('SELECT %s(%s)', f.oid::regproc, a.args)
        FROM pg_proc f, LATERAL (SELECT
                string_agg(format('NULL::%s', CASE t WHEN '"any"'::regtype THEN 'int' ELSE t::regtype::text END), ', ' ORDER BY place),
                string_agg(CASE WHEN t = type::regtype THEN format('(SELECT s FROM %s_examples WHERE id = 3)', type) WHEN t IN ('"any"'::regtype, 'int'::regtype, 'bigint'::regtype, 'smallint'::regtype, 'numeric'::regtype, 'real'::regtype,
                    'double precision'::regtype) THEN format('9::%s', CASE t WHEN '"any"'::regtype THEN 'int' ELSE t::regtype::text END) ELSE format('NULL::%s', t::regtype) END, ', ' ORDER BY place)
            FROM unnest(f.proargtypes::oid[]) WITH ORDINALITY x(t, place)) s(nulls, values), unnest(ARRAY[s.nulls, s.values]) a(args)
        WHERE f.proname LIKE '\_%' AND 'internal'::regtype <> ALL (f.proargtypes::oid[]) AND EXISTS (SELECT FROM pg_aggregate g JOIN pg_proc p ON p.oid = g.aggfnoid
            WHERE p.proname IN (type || '_agg', type || '_merge_agg') AND f.oid IN (g.aggtransfn, g.aggcombinefn, g.aggfinalfn, g.aggmtransfn, g.aggminvtransfn, g.aggmfinalfn))
    LOOP
        n := n + 1;
        answer := pg_temp.answer(call);
        IF answer IS DISTINCT FROM '0A000' AND answer IS DISTINCT FROM '55000' THEN
            result := result || format('%s: %s; ', call, coalesce(answer, 'NULL'));
        END IF;
    END LOOP;
    RETURN CASE WHEN n > 5 AND result = '' THEN 'refused' ELSE n || ' ' || result END;
END
$$;
SELECT pg_temp.verdict($$SELECT pg_temp.call_by_name('{type}')$$, 'refused') AS called_by_name;
