#!/bin/sh
# hll_families_test.sh: sketches of other hash families against hll_decode.py, the
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
CREATE TEMP TABLE s AS
SELECT family, p, n, CASE family WHEN 'redis' THEN hll_add_all(e, (SELECT array_agg('value ' || i) FROM generate_series(1, n) i))
    ELSE hll_add_all(e, (SELECT array_agg(i) FROM generate_series(1, n) i)) END AS s
FROM (VALUES ('redis', hll_from_redis('\x48594c4c0100000000000000000000007fff')), ('datasketches', hll_from_datasketches('\x0201070c030c0008'))) f(family, nothing),
    unnest('{4,8,12,14,18}'::int[]) p, unnest('{0,1,5,50,1000,20000}'::int[]) n, LATERAL (SELECT hll_reduce(nothing, p) AS e WHERE p <= 14 OR family = 'datasketches') e
WHERE NOT (p = 18 AND n > 1000);
CREATE FUNCTION pg_temp.hex(s hll) RETURNS text LANGUAGE sql AS $$ SELECT encode(s::bytea, 'hex') $$;
SELECT 'values', family, n, p, pg_temp.hex(s), #s FROM s ORDER BY family, p, n;
SELECT 'reduce', pg_temp.hex(s), q, pg_temp.hex(hll_reduce(s, q)) FROM s, unnest('{4,7,11}'::int[]) q WHERE q <= p AND n > 0 AND p < 18 ORDER BY family, p, n, q;
SELECT 'union', pg_temp.hex(a.s), pg_temp.hex(b.s), pg_temp.hex(a.s || b.s) FROM s a JOIN s b ON a.n % 20 = 0 AND b.n < 1000 AND (a.family = b.family OR a.n = 0 OR b.n = 0) AND a.p IN (8, 14) AND b.p IN (8, 12)
ORDER BY a.family, a.p, a.n, b.family, b.p, b.n;
-- families, kinds, precisions and values that do not go together
SELECT 'bad', encode(set_byte(s::bytea, at, value), 'hex') FROM s, (VALUES (1, 18 + 32), (1, 17), (1, 33), (2, 4), (2, 0), (3, 15), (3, 19)) d(at, value)
WHERE family = 'redis' AND n IN (1, 1000) AND p = 14 ORDER BY n, at, value;
SELECT 'bad', encode(set_byte(s::bytea, at, value), 'hex') FROM s, (VALUES (1, 18), (5, 64), (2, 22)) d(at, value)
WHERE family = 'datasketches' AND n = 1000 AND p = 12 ORDER BY n, at, value;
SQL
)
echo "$lines" | python3 "$HERE/hll_decode.py" --check
