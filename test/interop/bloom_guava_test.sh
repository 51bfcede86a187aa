#!/bin/sh
# bloom_guava_test.sh: against Guava itself: filters written there are probed and added to here,
# and filters from here are probed there
#
# Without a JDK of 11 or later and Guava it is skipped (Debian: default-jdk-headless,
# libguava-java).
set -eu

. "$(dirname "$0")/database.sh"
jar=${GUAVA_JAR:-/usr/share/java/guava.jar}

# with javac: the source is compiled when it is run
if [ ! -e "$jar" ] || ! command -v javac >/dev/null; then
    echo "ok # SKIP Guava or a JDK is not installed"
    exit 0
fi

# (-UsePerfData: it would leave a folder in /tmp)
guava() { java -XX:-UsePerfData -Dfile.encoding=UTF-8 -cp "$jar" "$HERE/BloomGuava.java" "$@"; }

own_database "ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"

guava write >"$W/written" 2>"$W/log" || { cat "$W/log"; echo "not ok - Guava does not run"; exit 1; }

sql <<'SQL'
CREATE EXTENSION probds;
CREATE TABLE verdict (n serial, ok boolean NOT NULL, what text);
CREATE FUNCTION report(ok boolean, what text) RETURNS text LANGUAGE sql AS $$
    INSERT INTO verdict (ok, what) VALUES (coalesce(ok, false), what);
    SELECT CASE WHEN ok THEN 'ok' ELSE 'not ok' END || ' - Guava: ' || what
$$;
CREATE TABLE written (id serial, strategy int, funnel text, keys int, rate float8, hex text);
CREATE FUNCTION key(i bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN i % 3 = 0 THEN 'clé ' ELSE 'key ' END || i $$;
CREATE FUNCTION added(f bloom, funnel text, first bigint, last bigint) RETURNS bloom LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE funnel WHEN 'long' THEN bloom_add_all(f, (SELECT array_agg(i) FROM generate_series(first, last) i))
        WHEN 'utf8' THEN bloom_add_all(f, (SELECT array_agg(key(i)) FROM generate_series(first, last) i))
        ELSE bloom_add_all(f, (SELECT array_agg(convert_to(key(i), 'UTF8')) FROM generate_series(first, last) i)) END
$$;
CREATE FUNCTION found(f bloom, funnel text, first bigint, last bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT count(*) FILTER (WHERE CASE funnel WHEN 'long' THEN f @> i WHEN 'utf8' THEN f @> key(i) ELSE f @> convert_to(key(i), 'UTF8') END)
    FROM generate_series(first, last) i
$$;
-- a filter of the same keys, sized here
CREATE FUNCTION built(funnel text, keys int, rate float8) RETURNS bloom LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE funnel WHEN 'long' THEN (SELECT bloom_agg(i, keys, rate, 'guava') FROM generate_series(0, keys - 1) i)
        WHEN 'utf8' THEN (SELECT bloom_agg(key(i), keys, rate, 'guava') FROM generate_series(0, keys - 1) i)
        ELSE (SELECT bloom_agg(convert_to(key(i), 'UTF8'), keys, rate, 'guava') FROM generate_series(0, keys - 1) i) END
$$;
SQL
sql -c '\copy written (strategy, funnel, keys, rate, hex) FROM pstdin' <"$W/written"

sql <<'SQL'
CREATE TABLE trip AS
SELECT *, bloom_from_guava(bytes, CASE funnel WHEN 'long' THEN 'bigint' WHEN 'utf8' THEN 'text' ELSE 'bytea' END::regtype) AS here
FROM (SELECT *, decode(hex, 'hex') AS bytes FROM written) q;
SELECT report(count(*) = 72 AND count(DISTINCT (strategy, funnel)) = 6 AND bool_and((i.family = 'guava32') = (strategy = 0)), format('%s filters of both strategies and three funnels', count(*)))
FROM trip, bloom_info(here) i;
SELECT report(sum(found(here, funnel, 0, keys - 1)) = sum(keys), format('written there, asked here: all of %s keys found', sum(keys))) FROM trip;
SELECT report(bool_and(bloom_to_guava(here) = bytes), 'and written again in the same bytes') FROM trip;
SELECT report(bool_and(bloom_to_guava(added(bloom_from_guava(substr(bytes, 1, 6) || decode(repeat('00', length(bytes) - 6), 'hex')), funnel, 0, keys - 1)) = bytes),
    'a filter of nothing from there, filled here: the same bytes') FROM trip;
SELECT report(bool_and(bloom_to_guava(built(funnel, keys, rate)) = bytes), format('%s filters built here for as many keys at the same rate: the same bytes, size and all', count(*)))
FROM trip WHERE strategy = 1;
SELECT report(bool_and(bloom_to_guava(here || built(funnel, keys, rate)) = bytes), 'and they merge') FROM trip
WHERE strategy = 1;
SQL

# added to here, and probed there: half as many keys again
sql -F "$(printf '\t')" -c "
CREATE TABLE sent AS SELECT id, strategy, funnel, keys + keys / 2 AS n, added(here, funnel, keys, keys + keys / 2 - 1) AS filter FROM trip WHERE keys > 1;
SELECT funnel, n, encode(bloom_to_guava(filter), 'hex') FROM sent ORDER BY id" >"$W/sent"
guava read <"$W/sent" >"$W/read" 2>"$W/log" || { cat "$W/log"; echo "not ok - Guava does not read them"; exit 1; }
sql -c 'CREATE TABLE answer (n serial, strategy int, found bigint, others bigint)' -c '\copy answer (strategy, found, others) FROM pstdin' <"$W/read"
sql <<'SQL'
CREATE TABLE both_sides AS
SELECT s.*, a.strategy AS there, a.found, a.others, found(s.filter, s.funnel, 1000000000, 1000000000 + s.n - 1) AS others_here
FROM (SELECT *, row_number() OVER (ORDER BY id) AS line FROM sent) s JOIN answer a ON a.n = s.line;
SELECT report(count(*) = 54 AND sum(found) = sum(n) AND bool_and(strategy = there), format('gone on with here, asked there: all of %s keys found', sum(n))) FROM both_sides;
SELECT report(sum(others) > 0 AND bool_and(others = others_here), format('the same %s false positives there and here', sum(others))) FROM both_sides;
SQL
[ "$(sql -c 'SELECT count(*) = 8 AND bool_and(ok) FROM verdict')" = t ]
