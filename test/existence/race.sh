#!/bin/bash
# Looks up committed keys while others write: the index grows, transactions roll back,
# indexes are rebuilt concurrently.  A key that is not found is a false negative.  Then
# serializable transactions claim the same keys: "not there", insert.  A key that two of them
# claimed is a failure.  The last lines say how many there were; the status is 1 if any.
#
#     PGHOST=... PGUSER=... test/existence/race.sh [PROBES]
#
# Needs a server of your own with probds installed; it makes and drops the schema
# existence_race.  PROBES (100000000); WRITERS (8); PROBERS (5) take turns at the ways to
# look up; CLAIMS (20000) keys that each of the writers tries to claim.  For crashes see
# test/t/040_existence.pl (EXISTENCE_CRASHES=50).
set -eu
probes=${1:-100000000}
writers=${WRITERS:-8}
probers=${PROBERS:-5}
claims=${CLAIMS:-20000}
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
# a lookup by the planner's way is a nested loop: the gate in front of the hash index
export PGOPTIONS="-c search_path=existence_race,$ours,public -c client_min_messages=warning -c synchronous_commit=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off -c enable_memoize=off -c jit=off"
psql <<'SQL'
CREATE TABLE seen (id bigint GENERATED ALWAYS AS IDENTITY, k text);
CREATE INDEX seen_k ON seen USING existence (k);
CREATE INDEX ON seen USING hash (k);
CREATE INDEX ON seen (id);
-- plan as for a large table, from the beginning
INSERT INTO seen (k) SELECT 'first ' || i FROM generate_series(1, 20000) i;
ANALYZE seen;
-- Transactions of all sizes, of which some are rolled back, with some time between them: who
-- looks up needs most of the CPU
CREATE PROCEDURE write(me int, n int) LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1..n LOOP
        INSERT INTO seen (k) SELECT me || ' ' || i || ' ' || j || random() FROM generate_series(1, 1 + i % 40) j;
        IF i % 5 = 0 THEN
            ROLLBACK;
        ELSE
            COMMIT;
        END IF;
        PERFORM pg_sleep(0.01);
    END LOOP;
END $$;
-- The newest rows, and others anywhere, with earlier knowledge of the index: each statement
-- with a new snapshot, or with the transaction's snapshot
CREATE PROCEDURE probe(way text, seconds float8, INOUT probed bigint, INOUT missing bigint) LANGUAGE plpgsql AS $$
DECLARE
    until timestamptz := clock_timestamp() + seconds * interval '1 second';
    highest bigint;
    start bigint;
    n bigint;
    m bigint;
BEGIN
    WHILE clock_timestamp() < until LOOP
        FOR i IN 1..4 LOOP
            -- (the lowest id is behind all rows that were deleted and not vacuumed)
            SELECT max(id) INTO highest FROM seen;
            start := highest - CASE WHEN i % 2 = 1 THEN 5000 ELSE floor(random() * 400000) END;
            IF way = 'array' THEN
                SELECT sum(cardinality(ks)), count(*) FILTER (WHERE NOT existence_might_contain_all('seen', 'k', ks)) INTO n, m
                FROM (SELECT array_agg(k) AS ks FROM seen WHERE id > start AND id <= start + 5000 GROUP BY id / 500) part;
            ELSIF way = 'gate' THEN
                -- (statistics would tell the planner that all keys are there, and so no gate is worth it)
                SELECT count(*), count(*) FILTER (WHERE s.k IS NULL) INTO n, m
                FROM (SELECT k FROM seen WHERE id > start AND id <= start + 5000 OFFSET 0) w LEFT JOIN seen s ON s.k = w.k || '';
            ELSE
                SELECT count(*), count(*) FILTER (WHERE NOT existence_might_contain('seen', 'k', k)) INTO n, m
                FROM seen WHERE id > start AND id <= start + 5000;
            END IF;
            probed := probed + coalesce(n, 0);
            missing := missing + coalesce(m, 0);
        END LOOP;
        COMMIT;
    END LOOP;
END $$;
SQL
psql -c "EXPLAIN (COSTS OFF) SELECT FROM (SELECT k FROM seen WHERE id > 1000 AND id <= 6000 OFFSET 0) w LEFT JOIN seen s ON s.k = w.k || ''" |
	grep -q 'Existence Gate' || { echo "no gate in the plan" >&2; exit 1; }

for w in $(seq "$writers"); do
	while [ -d "$work" ] && [ ! -e "$work/stop" ]; do psql -c "CALL write($w, 500)" 2>>"$work/errors"; done &
	pids="$pids $!"
done
# the index is rebuilt, and grows again; sometimes there is a second one, or only a new one
while [ -d "$work" ] && [ ! -e "$work/stop" ]; do
	psql -c "REINDEX INDEX CONCURRENTLY seen_k" >/dev/null 2>>"$work/errors"
	psql -c "CREATE INDEX CONCURRENTLY seen_new ON seen USING existence (k)" \
		-c "DROP INDEX CONCURRENTLY seen_k" -c "ALTER INDEX seen_new RENAME TO seen_k" \
		-c "DELETE FROM seen WHERE id < (SELECT max(id) - 500000 FROM seen)" -c "VACUUM seen" >/dev/null 2>>"$work/errors"
	echo . >>"$work/rebuilt"
	sleep 1
done &
pids="$pids $!"
ways=('function' 'array' 'gate' 'serializable' 'old snapshot')
for p in $(seq "$probers"); do
	way=${ways[$(((p - 1) % ${#ways[@]}))]}
	case $way in
		serializable) isolation=serializable ;;
		'old snapshot') isolation='repeatable\ read' ;;
		*) isolation='read\ committed' ;;
	esac
	while [ -d "$work" ] && [ ! -e "$work/stop" ]; do
		PGOPTIONS="$PGOPTIONS -c default_transaction_isolation=$isolation" \
			psql -c "CALL probe('$way', 5, 0, 0)" >"$work/last.$p" 2>>"$work/errors" ||
			{ sleep 1; continue; }
		sed "s/^/$way|/" "$work/last.$p" >>"$work/probed.$p"
	done &
	pids="$pids $!"
done
total=0
while [ "$total" -lt "$probes" ]; do
	sleep 2
	[ ! -s "$work/errors" ] || break
	total=$(cat "$work"/probed.* 2>/dev/null | awk -F'|' '{ n += $2 } END { printf "%d", n }')
done
touch "$work/stop"
wait $pids || true
pids=

bad=0
if [ -s "$work/errors" ]; then
	sort "$work/errors" | uniq -c >&2
	bad=1
fi
pages=$(psql -c "SELECT pg_relation_size('seen_k') / current_setting('block_size')::int")
verified=$(psql -c "SELECT existence_verify('seen', 'k')")
echo "$(wc -l <"$work/rebuilt") times a new index, $pages pages at the end, $verified rows verified"
cat "$work"/probed.* | awk -F'|' '{ n += $2; m += $3; of[$1] += $2; missing[$1] += $3 }
	END { for (way in of) printf "%s: %d probes, %d false negatives\n", way, of[way], missing[way]
		printf "%d probes of committed keys: %d false negatives\n", n, m; exit m > 0 }' || bad=1

# --- claims -------------------------------------------------------------------------
psql -c "CREATE TABLE claimed (k text)" -c "CREATE INDEX ON claimed USING existence (k)"
seq 1 5 "$claims" | awk '{ printf "INSERT INTO claimed SELECT k FROM (SELECT '"'claim '"' || i AS k FROM generate_series(%d, %d) i) c WHERE NOT existence_might_contain('"'claimed', 'k'"', k);\n", $1, $1 + 4 }' >"$work/claims"
for w in $(seq "$writers"); do
	PGOPTIONS="$PGOPTIONS -c default_transaction_isolation=serializable" \
		psql -v ON_ERROR_STOP=0 -f "$work/claims" >/dev/null 2>"$work/claims.$w" &
	pids="$pids $!"
done
wait $pids || true
pids=
refused=$(cat "$work"/claims.* | grep -c 'could not serialize' || true)
others=$(cat "$work"/claims.* | grep ERROR | grep -vc 'could not serialize' || true)
psql -F ' ' -c "SELECT count(*), count(DISTINCT k) FROM claimed" | {
	read -r n distinct
	echo "$((claims / 5 * writers)) serializable transactions, of which $refused were refused, claimed $distinct keys: $((n - distinct)) twice, $others other errors"
	[ "$n" = "$distinct" ] && [ "$n" -gt 0 ] && [ "$others" = 0 ]
} || bad=1
exit $bad
