#!/bin/bash
# Asks for committed keys while others write: the index grows, transactions roll back,
# indexes are made again concurrently.  A key that is not found is a false negative: the
# last line says how many there were, and the status is 1 if there was one.
#
#     PGHOST=... PGUSER=... test/existence/race.sh [PROBES]
#
# Needs a server of your own with probds installed; it makes and drops the schema
# existence_race.  PROBES (100000000); WRITERS (8), PROBERS (2).  For crashes see
# test/t/040_existence.pl (EXISTENCE_CRASHES=50).
set -eu
probes=${1:-100000000}
writers=${WRITERS:-8}
probers=${PROBERS:-2}
psql() { command psql -XqAt -v ON_ERROR_STOP=1 "$@"; }
work=$(mktemp -d)
pids=
cleanup() {
	touch "$work/stop"
	[ -z "$pids" ] || wait $pids 2>/dev/null || true
	psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS existence_race CASCADE"
	rm -rf "$work"
}
trap cleanup EXIT

psql -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS probds" \
	-c "DROP SCHEMA IF EXISTS existence_race CASCADE" -c "CREATE SCHEMA existence_race"
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
export PGOPTIONS="-c search_path=existence_race,$ours,public -c client_min_messages=warning -c synchronous_commit=off"
psql <<'SQL'
CREATE TABLE seen (id bigint GENERATED ALWAYS AS IDENTITY, k text);
CREATE INDEX seen_k ON seen USING existence (k);
CREATE INDEX ON seen (id);
-- transactions of all sizes, of which some are rolled back
CREATE PROCEDURE write(me int, n int) LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1..n LOOP
        INSERT INTO seen (k) SELECT me || ' ' || i || ' ' || j || random() FROM generate_series(1, 1 + i % 40) j;
        IF i % 5 = 0 THEN
            ROLLBACK;
        ELSE
            COMMIT;
        END IF;
    END LOOP;
END $$;
-- the newest rows, at each call with a new snapshot and what was known before of the index
CREATE PROCEDURE probe(rounds int, INOUT probed bigint, INOUT missing bigint) LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
    m bigint;
BEGIN
    FOR i IN 1..rounds LOOP
        SELECT count(*), count(*) FILTER (WHERE NOT existence_might_contain('seen', 'k', k)) INTO n, m
        FROM seen WHERE id > (SELECT max(id) - 2000 FROM seen);
        probed := probed + n;
        missing := missing + m;
        COMMIT;
    END LOOP;
END $$;
SQL

for w in $(seq "$writers"); do
	while [ -d "$work" ] && [ ! -e "$work/stop" ]; do psql -c "CALL write($w, 2000)"; done &
	pids="$pids $!"
done
# the index is made again, and grows again
while [ -d "$work" ] && [ ! -e "$work/stop" ]; do
	psql -c "REINDEX INDEX CONCURRENTLY seen_k" -c "DELETE FROM seen WHERE id < (SELECT max(id) - 500000 FROM seen)" -c "VACUUM seen" >/dev/null
	sleep 1
done &
pids="$pids $!"
for p in $(seq "$probers"); do
	while [ -d "$work" ] && [ ! -e "$work/stop" ]; do psql -c "CALL probe(200, 0, 0)" | tr '|' ' ' >>"$work/probed.$p"; done &
	pids="$pids $!"
done
total=0
while [ "$total" -lt "$probes" ]; do
	sleep 2
	total=$(cat "$work"/probed.* 2>/dev/null | awk '{ n += $1 } END { printf "%d", n }')
done
touch "$work/stop"
wait $pids || true
pids=
pages=$(psql -c "SELECT pg_relation_size('seen_k') / current_setting('block_size')::int")
verified=$(psql -c "SELECT existence_verify('seen', 'k')")
cat "$work"/probed.* | awk -v pages="$pages" -v verified="$verified" \
	'{ n += $1; m += $2 } END { printf "%d probes of committed keys, %d rows verified, %d pages at the end: %d false negatives\n", n, verified, pages, m; exit m > 0 }'
