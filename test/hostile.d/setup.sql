-- What the tests with hostile bytes at the SQL level consist of; wants the extension and
-- a superuser.  test/hostile and test/t/034_hostile.pl fill the table payload and call
--
--     SELECT attack(type, first, last, folder)      for parts of the payloads
--     SELECT * FROM verdict()                       once
--
-- An input is refused by an error of the right code, or taken and then every function
-- answers.

\ir ../types/types.sql
CREATE TABLE sketch_type AS SELECT * FROM types;

CREATE TABLE payload (type text, foreigner boolean, id serial, bytes bytea);
CREATE INDEX ON payload (type, id);

-- What happened: an error's code, or NULL.  "call" is what was asked of a value that got in.
CREATE TABLE outcome (type text, way text, call text, id int, code text, message text,
    n bigint DEFAULT 1);


-- a final function that changes nothing
CREATE FUNCTION same(anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT $1';

/*
 * The calls of everything in the extension that takes a value v of the type, and
 * sometimes another, w; v and w are columns.
 */
CREATE FUNCTION calls(type text) RETURNS SETOF text LANGUAGE sql AS $$
WITH functions AS (
    SELECT p.*, p.oid::regproc::text AS name
    FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
    WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
        AND d.deptype = 'e'
        AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'probds')
        AND type::regtype = ANY (p.proargtypes::oid[])
            AND 'internal'::regtype <> ALL (p.proargtypes::oid[])
        -- called by itself, which all refuse in the same place
        AND NOT EXISTS (SELECT FROM pg_aggregate a
            WHERE p.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn,
                a.aggminvtransfn, a.aggmfinalfn) AND p.proname NOT LIKE '%combine')
), choices AS (
    -- one call for each choice of "any" and of the first sketch
    SELECT f.oid, f.name, f.prokind, f.proretset, f.prorettype, c.choice,
        (SELECT string_agg(CASE
            WHEN t = type::regtype THEN
                CASE WHEN count_before = 0 THEN c.first ELSE c.second END
            WHEN t = '"any"'::regtype OR t = 'anynonarray'::regtype
                OR t = 'anyelement'::regtype THEN c.value
            WHEN t = 'anyarray'::regtype THEN format('ARRAY[%s]', c.value)
            WHEN t = 'integer'::regtype THEN '10'
            WHEN t = 'bigint'::regtype THEN '7::bigint'
            WHEN t = 'smallint'::regtype THEN '7::smallint'
            WHEN t = 'double precision'::regtype THEN CASE f.proargnames[n]
                WHEN 'capacity' THEN '100' ELSE '0.5::float8' END
            WHEN t = 'boolean'::regtype THEN 'true'
            -- literals, which are read as what the sketch holds
            WHEN t = 'text'::regtype AND f.proargnames[n] = 'value' THEN '''7'''
            WHEN t = 'text'::regtype AND f.proargnames[n] = 'elements' THEN '''{7,NULL,8}'''
            WHEN t = 'text'::regtype THEN '''abc'''
            WHEN t = 'bytea'::regtype THEN '''\x61''::bytea'
            WHEN t = 'oid'::regtype THEN '7::oid'
            WHEN t = 'uuid'::regtype THEN '''00000000-0000-0000-0000-000000000001''::uuid'
            WHEN t = 'inet'::regtype THEN '''10.0.0.1''::inet'
            ELSE format('NULL::%s', t::regtype) END, ', ' ORDER BY n)
         FROM (SELECT t, n, count(*) FILTER (WHERE t = type::regtype)
                   OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING
                       AND 1 PRECEDING) AS count_before
               FROM unnest(f.proargtypes::oid[]) WITH ORDINALITY AS a(t, n)) args) AS args
    FROM functions f, (VALUES (1, '42', 'v', 'w'), (2, '''abc''::text', 'w', 'v'),
        (3, '0.5::float8', 'v', 'v')) AS c(choice, value, first, second)
)
SELECT DISTINCT CASE
    WHEN prokind = 'a' THEN format('(SELECT %s(%s) FROM (VALUES (v, w), (w, v)) AS r (v, w))::text',
        name, args)
    -- whose text may be larger than a value can be
    WHEN prorettype = 'bytea'::regtype THEN format('length(%s(%s))::text', name, args)
    WHEN proretset THEN format('(SELECT count(*) || max(r::text) FROM %s(%s) r)', name, args)
    ELSE format('(%s(%s))::text', name, args) END
FROM choices
-- those without "any" and with one sketch are the same in all three
UNION VALUES
    ('v::bytea::text'), (format('(v::bytea::%1$I = v)::text', type)),
        (format('(v::text::%1$I = v)::text', type)),
    ('(SELECT count(*) FROM (SELECT x FROM (VALUES (v), (w), (v)) AS t(x) GROUP BY x) q)::text'),
    ('(SELECT string_agg(x::text, '','' ORDER BY x) FROM (VALUES (v), (w), (v)) AS t(x))'),
    (format('(SELECT string_agg(m::text, '','') FROM (SELECT %1$I(x) OVER (ROWS 1 PRECEDING) AS m '
        'FROM (VALUES (v), (w), (v)) AS t(x)) q)', coalesce(to_regproc(type || '_merge_agg')::text,
        'keep_' || type))),
    (format('(SELECT keep_%1$s(x) FROM (VALUES (v), (w)) AS t(x))::text', type)),
    (format('(SELECT keep_%1$s(k) FROM (SELECT keep_%1$s(x) AS k FROM (VALUES (v), (w)) AS t(x)) '
        'q)::text', type))
$$;

/*
 * Of each type: a table, a way past the checks into it, an aggregate that returns its
 * state, and a function that asks a stored value everything.
 */
CREATE PROCEDURE make_face(type text) LANGUAGE plpgsql AS $do$
DECLARE
    body text := '';
    call text;
BEGIN
    -- what bytes the server takes for a value, and what bytes a value is
    EXECUTE format('CREATE FUNCTION unchecked_%1$s(cstring) RETURNS %1$I '
        'LANGUAGE internal IMMUTABLE STRICT AS ''byteain''', type);
    EXECUTE format('CREATE FUNCTION raw_%1$s(%1$I) RETURNS cstring '
        'LANGUAGE internal IMMUTABLE STRICT AS ''byteaout''', type);
    EXECUTE format('CREATE AGGREGATE keep_%1$s(%1$I) (SFUNC = %1$s_merge, STYPE = %1$I, '
        'FINALFUNC = same)', type);
    IF to_regproc(type || '_merge_agg') IS NULL THEN
        EXECUTE format('CREATE AGGREGATE state_%1$s("any") (SFUNC = _%1$s_step, STYPE = %1$I, '
            'FINALFUNC = same)', type);
    END IF;
    EXECUTE format('CREATE TABLE stored_%1$s (id int PRIMARY KEY, v %1$I, w %1$I)', type);
    EXECUTE format('CREATE TABLE copied_%1$s (v %1$I)', type);
    FOR call IN SELECT * FROM calls(type) LOOP
        body := body || format($q$
    BEGIN
        SELECT %1$s INTO answer FROM stored_%3$s WHERE id = number;
        answers := answers + 1;
        IF answer = 'false' AND %4$L AND way <> 'past the checks' AND way <> 'damaged state' THEN
            INSERT INTO outcome VALUES (%3$L, way, %2$L, number, 'differs', answer);
        END IF;
    EXCEPTION WHEN OTHERS THEN
        INSERT INTO outcome VALUES (%3$L, way, %2$L, number, sqlstate, sqlerrm);
    END;
$q$, call, call, type, call LIKE '(v::%= v)::text');
    END LOOP;
    EXECUTE format($q$CREATE FUNCTION ask_%s(way text, number int) RETURNS int
        LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $f$
DECLARE
    answers int := 0;
    answer text;
BEGIN%s
    RETURN answers;
END $f$$q$, type, body);
END
$do$;

-- Text with one to three of its characters changed, taken out or put in twice
CREATE FUNCTION damaged_text(t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    at int;
    what text;
BEGIN
    FOR i IN 1 .. 1 + floor(random() * 3)::int LOOP
        at := 1 + floor(random() * greatest(length(t), 1))::int;
        what := (ARRAY['', '=', '==', ' ', E'\n', '/', '+', '-', 'A', 'z', '\', '\x', 'é', '€',
            E'\x01', substr(t, at, 8)])[1 + floor(random() * 16)::int];
        t := overlay(t PLACING what FROM at FOR floor(random() * 3)::int);
    END LOOP;
    RETURN t;
END
$$;

-- Bytes of a state with some of them changed, mostly in its head, or cut off
CREATE FUNCTION damaged_state(b bytea) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
    at int;
BEGIN
    FOR i IN 1 .. 1 + floor(random() * 3)::int LOOP
        at := floor(random() * CASE WHEN random() < 0.7 THEN least(length(b), 110)
            ELSE length(b) END)::int;
        b := set_byte(b, at,
            (ARRAY[0, 1, 2, 127, 128, 255, floor(random() * 256)::int,
            get_byte(b, at) # (1 << floor(random() * 8)::int)])[1 + floor(random() * 8)::int]);
    END LOOP;
    IF random() < 0.15 THEN
        b := substr(b, 1, floor(random() * length(b))::int);
    END IF;
    -- what says that it is a state
    RETURN CASE WHEN length(b) < 3 THEN b ELSE set_byte(b, 1, get_byte(b, 1) | 15) END;
END
$$;

-- A value got in: store it, ask it.
CREATE FUNCTION ask(type text, way text, number int, bytes bytea, other bytea) RETURNS int
    LANGUAGE plpgsql AS $$
DECLARE
    answers int;
BEGIN
    EXECUTE format('INSERT INTO stored_%1$s VALUES ($1, unchecked_%1$s($2::text::cstring), '
        'unchecked_%1$s($3::text::cstring))', type)
        USING number, bytes, other;
    EXECUTE format('SELECT ask_%s($1, $2)', type) INTO answers USING way, number;
    INSERT INTO outcome VALUES (type, way, 'answered', number, NULL, NULL, answers);
    EXECUTE format('DELETE FROM stored_%s', type);
    RETURN answers;
END
$$;

/*
 * The payloads of a type from first to last, all ways; binary goes through a file in
 * the folder.
 */
CREATE FUNCTION attack(type text, first int, last int, folder text) RETURNS void
    LANGUAGE plpgsql AS $do$
DECLARE
    p payload;
    way text;
    input text;
    file text := folder || '/' || type || '.bin';
    taken bytea;                -- what the payload has become
    accepted boolean;           -- by the cast
    other bytea;                -- the last that was accepted
    importer text;
    arguments text;
    state bytea;
BEGIN
    PERFORM setseed(first / 1e9);
    EXECUTE (SELECT format('SELECT %s_agg(i, %s)::bytea FROM generate_series(1, 50) i', t.type,
        usual) FROM sketch_type t WHERE t.type = attack.type) INTO other;
    FOR p IN SELECT * FROM payload WHERE payload.type = attack.type AND id BETWEEN first AND last
        ORDER BY id LOOP
        RAISE LOG 'hostile: % payload %', type, p.id;
        IF p.foreigner THEN
            FOR importer, arguments IN SELECT oid::regproc,
                    CASE WHEN pronargs = 1 THEN '$1'
                        WHEN proargtypes[1] = 'boolean'::regtype THEN '$1, true'
                        ELSE '$1, ''text''' END
                FROM pg_proc
                WHERE proname LIKE type || '\_from\_%' AND proname <> type || '_from_bytea'
                    AND proargtypes[0] = 'bytea'::regtype ORDER BY 1
            LOOP
                BEGIN
                    EXECUTE format('SELECT (%s(%s))::bytea', importer, arguments) INTO taken
                        USING p.bytes;
                    INSERT INTO outcome VALUES (type, importer, NULL, p.id, NULL);
                EXCEPTION WHEN OTHERS THEN
                    INSERT INTO outcome VALUES (type, importer, NULL, p.id, sqlstate, sqlerrm);
                    CONTINUE;
                END;
                PERFORM ask(type, importer, p.id, taken, other);
                other := taken;
            END LOOP;
            CONTINUE;
        END IF;

        FOREACH way IN ARRAY ARRAY['bytea', 'base64', 'hexadecimal', 'damaged text', 'COPY BINARY']
            LOOP
            taken := NULL;
            BEGIN
                input := CASE way WHEN 'base64' THEN encode(p.bytes, 'base64')
                    WHEN 'hexadecimal' THEN p.bytes::text
                    WHEN 'damaged text' THEN damaged_text(CASE
                        WHEN random() < 0.8 THEN translate(encode(p.bytes, 'base64'), E'\n', '')
                        ELSE p.bytes::text END) END;
                IF way = 'bytea' THEN
                    EXECUTE format('SELECT $1::%I::bytea', type) INTO taken USING p.bytes;
                ELSIF way = 'COPY BINARY' THEN
                    EXECUTE format('COPY (SELECT bytes FROM payload WHERE id = %s) TO %L '
                        '(FORMAT binary)', p.id, file);
                    EXECUTE format('COPY copied_%s FROM %L (FORMAT binary)', type, file);
                    EXECUTE format('DELETE FROM copied_%s RETURNING v::bytea', type) INTO taken;
                ELSE
                    EXECUTE format('SELECT $1::%I::bytea', type) INTO taken USING input;
                END IF;
                INSERT INTO outcome VALUES (type, way, NULL, p.id, NULL);
            EXCEPTION WHEN OTHERS THEN
                INSERT INTO outcome VALUES (type, way, NULL, p.id, sqlstate, sqlerrm);
            END;
            IF way = 'bytea' THEN
                accepted := taken IS NOT NULL;
            ELSIF way <> 'damaged text' AND taken IS DISTINCT FROM (CASE
                WHEN accepted THEN p.bytes END) THEN
                INSERT INTO outcome
                    VALUES (type, way, 'as by the cast', p.id, 'differs', taken::text);
            END IF;
            IF taken IS NOT NULL
                AND (way = 'bytea' OR way = 'damaged text' AND taken <> p.bytes) THEN
                PERFORM ask(type, way, p.id, taken, other);
            END IF;
        END LOOP;

        -- into a table, past all checks
        IF NOT accepted THEN
            INSERT INTO outcome VALUES (type, 'past the checks', NULL, p.id, NULL);
            PERFORM ask(type, 'past the checks', p.id, p.bytes, other);
            CONTINUE;
        END IF;
        -- the state of an aggregate, as it is and damaged
        EXECUTE format(CASE WHEN to_regproc(type || '_merge_agg') IS NULL
            THEN 'SELECT raw_%1$s(state_%1$s(x))::text FROM unnest($1) x'
            ELSE 'SELECT raw_%1$s(keep_%1$s(x::%1$I))::text FROM unnest($1) x' END, type)
            INTO state USING ARRAY[p.bytes, p.bytes];
        INSERT INTO outcome VALUES (type, 'state', NULL, p.id, NULL);
        PERFORM ask(type, 'state', p.id, state, other);
        FOR i IN 1 .. 3 LOOP
            INSERT INTO outcome VALUES (type, 'damaged state', NULL, p.id, NULL);
            PERFORM ask(type, 'damaged state', p.id, damaged_state(state), other);
        END LOOP;
        other := p.bytes;
    END LOOP;
END
$do$;

/*
 * Which codes there may be.  Refused: only the right one.  Asked: that a question does not
 * fit the value, or a parameter the function; of what came past the checks also XX001,
 * and there alone.
 */
CREATE FUNCTION is_right(o outcome) RETURNS boolean LANGUAGE sql AS $$
SELECT CASE
    WHEN o.code IS NULL THEN true
    WHEN o.call IS NULL AND o.way IN ('base64', 'hexadecimal', 'damaged text') THEN o.code = '22P02'
    WHEN o.call IS NULL AND o.way IN ('bytea', 'COPY BINARY') THEN o.code = '22P03'
    -- the other system's value may be one that cannot be had here
    WHEN o.call IS NULL THEN o.code IN ('22P03', '22023', '54000', '0A000')
    ELSE o.code IN ('22000', '22003', '22007', '22008', '22023', '22004', '22P02', '54000', '0A000',
        '42804')
        OR o.code = '42883' AND o.call ~ '_hll_(no_operator|refuse_value)'
        OR o.code IN ('XX001', '22P03', '22021') AND o.way IN ('past the checks', 'damaged state')
END
$$;

CREATE FUNCTION verdict() RETURNS SETOF text LANGUAGE sql AS $$
WITH ways AS (
    SELECT type, way, bool_and(is_right(o)) AS ok, count(*) FILTER (WHERE call IS NULL) AS tried,
        count(*) FILTER (WHERE call IS NULL AND code IS NULL) AS taken,
        coalesce(sum(n) FILTER (WHERE call = 'answered'), 0) AS answers,
        (SELECT string_agg(format('%s %s', n, code), ', ')
            FROM (SELECT code, count(*) AS n FROM outcome r
            WHERE r.type = o.type AND r.way = o.way AND r.call IS NULL AND code IS NOT NULL
                GROUP BY code ORDER BY code) q) AS refused,
        (SELECT string_agg(format('%s %s', n, code), ', ')
            FROM (SELECT code, count(*) AS n FROM outcome r
            WHERE r.type = o.type AND r.way = o.way AND r.call IS NOT NULL AND code IS NOT NULL
                GROUP BY code ORDER BY code) q) AS errors
    FROM outcome o GROUP BY type, way
)
SELECT format('%s - %s, %s: %s tried; refused: %s; taken: %s, with %s answers; errors: %s',
    CASE WHEN ok THEN 'ok' ELSE 'not ok' END, type, way, tried, coalesce(refused, '0'), taken,
        answers, coalesce(errors, '0')) FROM (SELECT * FROM ways ORDER BY type, way) w
UNION ALL
SELECT format('#   %s, %s: %s times %s: %s (first: payload %s): %s', type, way, count(*), code,
    call, min(id), left(min(message), 200))
FROM outcome o WHERE NOT is_right(o) GROUP BY type, way, code, call
UNION ALL
SELECT format('%s passed, %s failed', count(*) FILTER (WHERE ok), count(*) FILTER (WHERE NOT ok))
FROM ways
$$;

DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT type FROM sketch_type LOOP
        CALL make_face(name);
    END LOOP;
END
$$;
