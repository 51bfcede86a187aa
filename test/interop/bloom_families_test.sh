#!/bin/sh
# bloom_families_test.sh: filters of other hash families against bloom_decode.py, the
# second implementation of doc/format.md
#
# Without python3 it is skipped.
set -eu

. "$(dirname "$0")/database.sh"

if ! command -v python3 >/dev/null; then
    echo "ok # SKIP python3 is not installed"
    exit 0
fi

own_database

lines=$(sql -F "$(printf '\t')" <<'SQL'
CREATE EXTENSION probds;
CREATE FUNCTION zeros(n int) RETURNS bytea LANGUAGE sql AS $$ SELECT decode(repeat('00', n), 'hex') $$;
CREATE FUNCTION le(n int) RETURNS bytea LANGUAGE sql AS $$ SELECT set_byte(set_byte(zeros(8), 0, n % 256), 1, n / 256) $$;
-- filters of nothing, of 8 * units bytes (Parquet's of 32 * units)
CREATE TEMP TABLE nothing AS
SELECT 'guava32' AS family, kind, units, bloom_from_guava(set_byte('\x000500000000', 5, units % 256) || zeros(8 * units), type) AS f
FROM unnest('{1,9,200}'::int[]) units, (VALUES ('int', 'bigint'::regtype), ('text', 'text')) k(kind, type)
UNION ALL SELECT 'redis', 'text', units, bloom_from_redis(zeros(8) || '\x010000000500000002000000' || le(8 * units) || le(64 * units) || zeros(8) || '\x7b14ae47e17a743fe9862fb2350e2640080000000a0000000000000000' || zeros(8 * units))
FROM unnest('{1,9,200}'::int[]) units
UNION ALL SELECT family, kind, units, bloom_from_parquet('\x15' || CASE WHEN units < 2 THEN '\x40'::bytea ELSE set_byte(set_byte('\x0000', 0, 128 + units * 64 % 128), 1, units / 2) END || '\x1c1c00001c1c00001c1c000000' || zeros(32 * units), type)
FROM unnest('{1,8,100}'::int[]) units, (VALUES ('parquet', 'int', 'bigint'::regtype), ('parquet', 'text', 'text'), ('parquet32', 'int', 'int')) k(family, kind, type);
CREATE TEMP TABLE s AS
SELECT family, kind, units, n, CASE kind WHEN 'int' THEN bloom_add_all(f, (SELECT array_agg(i) FROM generate_series(1, n) i))
    ELSE bloom_add_all(f, (SELECT array_agg('value ' || i) FROM generate_series(1, n) i)) END AS s
FROM nothing, unnest('{0,1,2,7,60,900}'::int[]) n;
CREATE FUNCTION pg_temp.hex(s bloom) RETURNS text LANGUAGE sql AS $$ SELECT encode(s::bytea, 'hex') $$;
SELECT 'foreign', family, kind, n, pg_temp.hex(s) FROM s ORDER BY family, kind, units, n;
SELECT 'asked', family, kind, pg_temp.hex(s), i, CASE kind WHEN 'int' THEN s @> i ELSE s @> ('value ' || i) END
FROM s, unnest('{1,7,8,61,5000}'::int[]) i WHERE n > 0 ORDER BY family, kind, units, n, i;
SELECT 'union', pg_temp.hex(a.s), pg_temp.hex(b.s), pg_temp.hex(a.s || b.s) FROM s a JOIN s b USING (family, kind, units) WHERE a.n IN (0, 7, 900) ORDER BY family, kind, units, a.n, b.n;
SELECT 'intersect', pg_temp.hex(a.s), pg_temp.hex(b.s), pg_temp.hex(a.s & b.s) FROM s a JOIN s b USING (family, kind, units) WHERE a.n IN (0, 7, 900) ORDER BY family, kind, units, a.n, b.n;
-- families, kinds and sizes that do not go together: what the server refuses
CREATE FUNCTION pg_temp.refused(b bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM b::bloom;
    RETURN false;
EXCEPTION WHEN OTHERS THEN
    RETURN true;
END
$$;
CREATE TEMP TABLE changed AS
SELECT DISTINCT set_byte(s::bytea, at, value) AS b FROM s, (VALUES (1, 16 * 6 + 1), (1, 16 * 3 + 1), (1, 16 * 4 + 1), (1, 16 * 5 + 1), (1, 16 * 4 + 2), (2, 1), (2, 2), (2, 4), (2, 5), (2, 24), (4, 0), (6, 7), (6, 41), (7, 3)) d(at, value)
WHERE n IN (1, 60) AND units < 100 AND set_byte(s::bytea, at, value) <> s::bytea;
SELECT 'bad', encode(b, 'hex') FROM changed WHERE pg_temp.refused(b) ORDER BY b;
SQL
)
echo "$lines" | python3 "$HERE/bloom_decode.py" --check
