-- What tests of bad input include: what becomes of statements and of bytes
\set SHOW_CONTEXT never

-- The SQLSTATE of a statement, or what it answered
CREATE FUNCTION pg_temp.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE statement INTO answer;
    RETURN 'accepted: ' || coalesce(answer, 'NULL');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END
$$;

-- How bytes fare by way of text, and of bytea; both must agree.  What is accepted is a sketch
-- s, written in the one way there is, of which the condition is true
CREATE FUNCTION pg_temp.try_bytes(type text, condition text, bytes bytea) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    by_text text;
    good boolean;
BEGIN
    BEGIN
        EXECUTE format('SELECT $1::%I', type) USING replace(encode(bytes, 'base64'), E'\n', '');
        by_text := 'accepted';
    EXCEPTION WHEN OTHERS THEN
        by_text := SQLSTATE;
    END;
    EXECUTE format('SELECT s::bytea = $1 AND (%s) FROM (SELECT $1::%I AS s) q', condition, type)
        INTO good USING bytes;
    IF by_text <> 'accepted' OR good IS NOT TRUE THEN
        RETURN 'wrong: ' || by_text;
    END IF;
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ', text ' || by_text;
END
$$;

-- Sketches cut off at every byte, with bytes behind them, with each of their bits changed;
-- long ones at every byte or bit of so many.  A changed bit can make another sketch: of other
-- values or another kind of them, of other parameters (there is no checksum).  It cannot make
-- something else.  Wants a table good (n, name, b).
CREATE FUNCTION pg_temp.damage(type text, condition text, every_byte int DEFAULT 1,
    every_bit int DEFAULT 1, OUT name text, OUT bytes int, OUT damage text, OUT outcome text,
    OUT count bigint) RETURNS SETOF record
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT g.name, length(b), d.damage, o.outcome, count(*) FROM good g, LATERAL (
            SELECT 1, 'cut off', substr(b, 1, cut)
            FROM generate_series(0, length(b) - 1, CASE WHEN length(b) > 500 THEN every_byte
                ELSE 1 END) cut
            UNION ALL SELECT 2, 'longer', b || more
            FROM unnest(ARRAY['\x00', '\x01', '\x80', '\xff', '\x0000000000000000']::bytea[]) more
            UNION ALL SELECT 3, 'a bit', set_bit(b, bit, 1 - get_bit(b, bit))
                FROM generate_series(0, 8 * length(b) - 1, CASE WHEN length(b) > 500 THEN every_bit
                ELSE 1 END) bit) d(n, damage, bytes),
        pg_temp.try_bytes(type, condition, d.bytes) o(outcome)
    GROUP BY g.n, g.name, b, d.n, d.damage, o.outcome ORDER BY d.n, g.n, o.outcome;
END
$$;

-- The same for other systems' bytes.  It takes a table vector (name, b), where two letters of
-- the name are the system, and a test's own read_again(system, bytes).  That function returns
-- "accepted" for bytes that go out and come in again.  Each is read by the readers of the
-- others, too.
CREATE FUNCTION pg_temp.try_vector(system text, bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN pg_temp.read_again(system, bytes);
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END
$$;
CREATE FUNCTION pg_temp.damage_vectors(OUT damage text, OUT system text, OUT outcome text,
    OUT count bigint) RETURNS SETOF record LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT d.damage, d.system, o.outcome, count(*)
        FROM (SELECT left(name, 2) AS is_of, b FROM vector) v, LATERAL (
            SELECT 1, 'a bit', is_of, set_bit(b, bit, 1 - get_bit(b, bit))
            FROM generate_series(0, 8 * length(b) - 1) bit
            UNION ALL SELECT 2, 'cut off', is_of, substr(b, 1, cut)
            FROM generate_series(0, length(b) - 1) cut
            UNION ALL SELECT 3, 'longer', is_of, b || more
            FROM unnest(ARRAY['\x00', '\x01', '\x80', '\xff', '\x0000000000000000']::bytea[]) more
            UNION ALL SELECT DISTINCT 4, 'is of ' || v.is_of, left(w.name, 2), v.b FROM vector w
                WHERE left(w.name, 2) <> v.is_of) d(n, damage, system, bytes),
        pg_temp.try_vector(d.system, d.bytes) o(outcome)
    GROUP BY d.n, d.damage, d.system, o.outcome ORDER BY d.n, 2, 3;
END
$$;

-- Why these bytes are refused
CREATE FUNCTION pg_temp.why(type text, bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    EXECUTE format('SELECT $1::%I', type) USING bytes;
    RETURN NULL;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN detail;
END
$$;

-- Every sentence that explains why: of all bytes in the heads of a table good (name, b) changed,
-- of what is cut off or longer, and of more bytes
CREATE FUNCTION pg_temp.every_why(type text, more bytea[] DEFAULT '{}', OUT why text)
    RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT DISTINCT pg_temp.why(type, x) COLLATE "C" FROM (
        SELECT set_byte(b, byte, value) FROM good,
            generate_series(0, least(length(b), 30) - 1) byte, generate_series(0, 255) value
        UNION SELECT substr(b, 1, cut) FROM good, generate_series(0, least(length(b) - 1, 500)) cut
        UNION SELECT b || '\x00' FROM good
        UNION SELECT unnest(more)) q(x) ORDER BY 1;
END
$$;

-- A type modifier as the server shows it; NULL if there can be no such sketch
CREATE FUNCTION pg_temp.shown(modifier text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    shown text;
BEGIN
    EXECUTE format('CREATE TABLE pg_temp.with_modifier (s %s)', modifier);
    SELECT format_type(atttypid, atttypmod) INTO shown FROM pg_attribute
    WHERE attrelid = 'pg_temp.with_modifier'::regclass AND attnum = 1;
    DROP TABLE pg_temp.with_modifier;
    RETURN shown;
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN NULL;
END
$$;
