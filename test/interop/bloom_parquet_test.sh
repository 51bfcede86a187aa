#!/bin/sh
# bloom_parquet_test.sh: against DuckDB, which writes and reads the split block filters
# of Parquet files
#
# Wants node, and in DUCKDB a folder in which DuckDB has been installed (npm install
# @duckdb/node-api; Debian has no package).  Without these it is skipped.
set -eu

. "$(dirname "$0")/database.sh"

if [ ! -e "${DUCKDB:-}/node_modules/@duckdb/node-api" ] || ! command -v node >/dev/null; then
    echo "ok # SKIP DuckDB is not installed: DUCKDB names no folder with it"
    exit 0
fi
export DUCKDB

own_database "ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"

node "$HERE/bloom_duckdb.mjs" write "$W/f.parquet" >"$W/written" 2>"$W/log" || { cat "$W/log"; echo "not ok - DuckDB does not run"; exit 1; }

sql <<'SQL'
CREATE EXTENSION probds;
CREATE TABLE verdict (n serial, ok boolean NOT NULL, what text);
CREATE FUNCTION report(ok boolean, what text) RETURNS text LANGUAGE sql AS $$
    INSERT INTO verdict (ok, what) VALUES (coalesce(ok, false), what);
    SELECT CASE WHEN ok THEN 'ok' ELSE 'not ok' END || ' - Parquet: ' || what
$$;
CREATE TABLE written (name text, physical text, hex text);
SQL
sql -c '\copy written FROM pstdin' <"$W/written"

sql <<'SQL'
-- the type that is given here in place of a column's type, and its key k
CREATE TABLE col (name text, type regtype, family text, key text, another text);
INSERT INTO col VALUES
    ('i4', 'int', 'parquet32', 'k - 1000', '77777::INTEGER'), ('i2', 'smallint', 'parquet32', 'k - 1000', '7777::SMALLINT'),
    ('i8', 'bigint', 'parquet', 'k * 10000000000', '77777'), ('t', 'text', 'parquet', '''clé '' || k', '''77777'''),
    ('b', 'bytea', 'parquet', 'convert_to(''clé '' || k, ''UTF8'')', 'encode(''77777'')'), ('u', 'uuid', 'parquet', 'md5(k::text)::uuid', NULL),
    ('d', 'int', 'parquet32', 'date ''2020-01-01'' + k - date ''1970-01-01''', 'DATE ''2182-12-14''');
CREATE FUNCTION ask(query text, f bloom) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE query INTO answer USING f;
    RETURN answer;
END
$$;
CREATE TABLE trip AS
SELECT name, physical, type, family, key, another, bytes, bloom_from_parquet(bytes, type) AS here,
    bloom_from_parquet(substr(bytes, 1, position('\x00001c1c00001c1c000000'::bytea IN bytes) + 10) || decode(repeat('00', length(bytes) - position('\x00001c1c00001c1c000000'::bytea IN bytes) - 10), 'hex'), type) AS nothing
FROM (SELECT *, decode(hex, 'hex') AS bytes FROM written) w JOIN col USING (name);
SELECT report(count(*) = 7 AND bool_and(i.family = trip.family), 'filters of columns of ' || string_agg(physical, ', ' ORDER BY name)) FROM trip, bloom_info(here) i;
SELECT report(bool_and(ask(format('SELECT bool_and($1 @> (%s)) FROM generate_series(0, 1999) k', key), here)::boolean), 'all that is there is found here') FROM trip;
SELECT report(sum(ask(format('SELECT count(*) FILTER (WHERE $1 @> (%s)) FROM generate_series(1000000, 1001999) k', key), here)::int) < 7 * 2000 * 0.02, 'and little else') FROM trip;
SELECT report(bool_and(bloom_to_parquet(here) = bytes), 'written again in the same bytes') FROM trip;
SELECT report(bool_and(ask(format('SELECT bloom_to_parquet(bloom_add_all($1, (SELECT array_agg(%s) FROM generate_series(0, 1999) k)))', key), nothing) = bytes::text), 'filled here with the same values: the same bytes') FROM trip;
SQL

# a value more, added here, is seen there; and before that it was not (of UUIDs DuckDB
# asks no filter)
sql -F "$(printf '\t')" >"$W/sent" <<'SQL'
CREATE TABLE sent AS
SELECT name, another, f.n, encode(bloom_to_parquet(f.filter), 'hex') AS hex
FROM trip, LATERAL (VALUES (1, here), (2, CASE name WHEN 'i4' THEN bloom_add(here, 77777) WHEN 'i2' THEN bloom_add(here, 7777) WHEN 'i8' THEN bloom_add(here, 77777) WHEN 't' THEN bloom_add(here, '77777'::text)
    WHEN 'b' THEN bloom_add(here, '77777'::bytea) ELSE bloom_add(here, date '2182-12-14' - date '1970-01-01') END)) f(n, filter)
WHERE name <> 'u';
SELECT name, hex, another FROM sent ORDER BY name, n;
SQL
node "$HERE/bloom_duckdb.mjs" read "$W/f.parquet" <"$W/sent" >"$W/read" 2>"$W/log" || { cat "$W/log"; echo "not ok - DuckDB does not read them"; exit 1; }
said=$(tr -d '\n' <"$W/read")
sql -c "SELECT report('$said' = repeat('ft', 6), 'values added here are seen there, and were not before')"
[ "$(sql -c 'SELECT count(*) = 6 AND bool_and(ok) FROM verdict')" = t ]
