#!/bin/bash
# Times ingest into one group of a rollup: the throughput of single-row inserts by 1, 4 and 16
# clients.  The cases are no rollup, a rollup kept by a trigger on one row, one with slots, and
# one with refreshes beside the writers.  Also measures the bytes of WAL that an insert writes
# with a sketch of 6.5 kB in the row, and checks that nothing is lost.
#
#     PGHOST=... PGUSER=... test/bench/slots.sh [SECONDS]
#
# Needs a server of your own with probds installed, and pgbench in the path; it makes
# and drops the schema slots_bench.  The server must be idle otherwise, and as it is
# in production: with fsync, for a commit's wait is what writers of one row queue
# for.  SLOTS (16), CLIENTS ("1 4 16"), RUNS (3): the median of so many is printed.
set -eu
seconds=${1:-10}
slots=${SLOTS:-16}
clients=${CLIENTS:-1 4 16}
runs=${RUNS:-3}
psql() { command psql -XqAt -v ON_ERROR_STOP=1 "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"; psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS slots_bench CASCADE"' EXIT

psql -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS probds"
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
export PGOPTIONS="-c search_path=slots_bench,$ours,public -c client_min_messages=warning"

cat > "$work/insert.sql" <<'SQL'
\set v random(1, 1000000000)
INSERT INTO hit (at, visitor) VALUES ('2026-03-01', :v);
SQL

# setup KIND: the table, empty, and its rollup
setup() {
	psql -c "DROP SCHEMA IF EXISTS slots_bench CASCADE" -c "CREATE SCHEMA slots_bench" \
		-c "CREATE TABLE hit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at date, visitor bigint)" >/dev/null
	local how
	case $1 in
		none) return ;;
		row) how="" ;;
		slots) how=", slots => $slots" ;;
		refresh) how=", refresh => 'id'" ;;
	esac
	psql -c "SELECT probds_create_rollup('daily', 'hit', ARRAY['at'], ARRAY['hll_agg(visitor) AS visitors', 'count(*) AS hits']$how)" >/dev/null
	# as on a day that has begun: the sketch has its full size
	psql -c "INSERT INTO hit (at, visitor) SELECT '2026-03-01', -i FROM generate_series(1, 50000) i"
	[ "$1" != refresh ] || psql -c "CALL probds_refresh_rollup('daily')"
}

# check KIND: the rollup has every row that was committed, and the same sketch
check() {
	[ "$1" != none ] || return 0
	[ "$1" != refresh ] || psql -c "CALL probds_refresh_rollup('daily')"
	[ "$1" != slots ] || psql -c "SELECT probds_fold_rollup('daily')" >/dev/null
	[ "$(psql -c "SELECT hits = (SELECT count(*) FROM hit) AND visitors = (SELECT hll_agg(visitor) FROM hit) FROM daily")" = t ] ||
		{ touch "$work/lost"; echo "$1: the rollup is not what is in the table"; }
}

# wal: where the WAL ends
wal() { psql -c "SELECT pg_current_wal_insert_lsn()"; }

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

echo "inserts of one row a second, one group, $seconds s, median of $runs, $slots slots:"
printf '%8s %12s %12s %12s %12s %12s\n' clients "no rollup" "one row" slots "slots/row" refresh
for c in $clients; do
	for kind in none row slots refresh; do
		for _ in $(seq "$runs"); do
			setup $kind
			psql -c CHECKPOINT
			from=$(wal)
			if [ $kind = refresh ]; then
				while [ ! -e "$work/stop" ]; do psql -c "CALL probds_refresh_rollup('daily')"; sleep 1; done &
			fi
			pgbench -n -M prepared -c "$c" -j "$c" -T "$seconds" -f "$work/insert.sql" 2>/dev/null |
				sed -n 's/^tps = \([0-9.]*\).*without initial.*/\1/p; s/^tps = \([0-9.]*\) (excluding.*/\1/p'
			if [ $kind = refresh ]; then
				touch "$work/stop"
				wait
				rm "$work/stop"
			fi
			psql -c "SELECT ((pg_current_wal_insert_lsn() - '$from') / count(*))::bigint FROM hit WHERE visitor > 0" >> "$work/$kind.wal.$c"
			check $kind >&2
		done | median > "$work/$kind"
	done
	printf '%8s %12.0f %12.0f %12.0f %12.2f %12.0f\n' "$c" "$(cat "$work/none")" "$(cat "$work/row")" "$(cat "$work/slots")" \
		"$(awk -v a="$(cat "$work/slots")" -v b="$(cat "$work/row")" 'BEGIN { print a / b }')" "$(cat "$work/refresh")"
done
echo
echo "bytes of WAL for each of these inserts, median of $runs:"
printf '%8s %12s %12s %12s %12s %12s\n' clients "no rollup" "one row" slots "" refresh
for c in $clients; do
	printf '%8s %12.0f %12.0f %12.0f %12s %12.0f\n' "$c" "$(median < "$work/none.wal.$c")" "$(median < "$work/row.wal.$c")" \
		"$(median < "$work/slots.wal.$c")" "" "$(median < "$work/refresh.wal.$c")"
done
if [ -e "$work/lost" ]; then echo "rows were lost or counted twice"; exit 1; fi
echo "nothing was lost"
