#!/bin/bash
# Times statements into the source of a rollup against the plain INSERT, and eight writers.
#
#     PGHOST=... PGUSER=... test/bench/rollup.sh [SECONDS]
#
# Prepared statements of 1, 10, 1,000 and 20,000 rows, up to 100 in a transaction: without a
# rollup, with one of two aggregates (day and country), and with topk added.  They are interleaved,
# and the ratio to the plain INSERT is the median of RUNS (5).  Then CLIENTS (8) writers of pgbench
# commit one row each: into one group, into a group each, and without a rollup.  Printed are medians
# of RUNS runs of SECONDS (10), interleaved, and their ratios.  It checks that nothing is lost.
#
# Needs a server of your own with probds installed, and pgbench in the path; it makes and drops
# the schema rollup_bench.  The server must be idle otherwise, and as it is in production: with
# fsync.
set -eu
seconds=${1:-10}
clients=${CLIENTS:-8}
runs=${RUNS:-5}
psql() { command psql -XqAt -v ON_ERROR_STOP=1 "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"; psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS rollup_bench CASCADE"' EXIT

psql -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS probds"
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
export PGOPTIONS="-c search_path=rollup_bench,$ours,public -c client_min_messages=warning"
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# setup: three tables, and the rollups of two of them
setup() {
	psql -c "DROP SCHEMA IF EXISTS rollup_bench CASCADE" -c "CREATE SCHEMA rollup_bench" >/dev/null
	local kind
	for kind in none two topk; do
		psql -c "CREATE TABLE $kind (at date, country int, visitor bigint, url bigint)"
	done
	local two="SELECT at, country, hll_agg(visitor) AS visitors, count(*) AS hits"
	psql -c "SELECT probds_create_rollup('of_two', '$two FROM two GROUP BY 1, 2')" \
		-c "SELECT probds_create_rollup('of_topk', '$two, topk_agg(url, 10) AS urls FROM topk GROUP BY 1, 2')" >/dev/null
}

# statements KIND ROWS TIMES: milliseconds for a statement; five groups in each
statements() {
	{
		echo 'BEGIN;'
		for i in $(seq "$3"); do
			echo "INSERT INTO $1 SELECT '2026-03-01', g % 5, $i * 1000 + g, g % 300 FROM generate_series(1, $2) g;"
		done
		echo 'COMMIT;'
	} >"$work/$1.sql"
	pgbench -n -M prepared -f "$work/$1.sql" -t "${4:-20}" 2>/dev/null | awk -v n="$3" '/^latency average/ { print $4 / n }'
}

# check SOURCE ROLLUP: the rollup has every row that was committed, and the same sketches
check() {
	[ "$(psql -c "SELECT count(*) FROM (SELECT at, country, visitors, hits FROM $2 EXCEPT SELECT at, country, hll_agg(visitor), count(*) FROM $1 GROUP BY 1, 2) w")" = 0 ] &&
		[ "$(psql -c "SELECT coalesce(sum(hits), 0) = (SELECT count(*) FROM $1) FROM $2")" = t ] ||
		{ touch "$work/lost"; echo "$2 is not what is in the table"; }
}

echo "milliseconds for a statement, and times the plain INSERT; median of $runs, $(nproc) cores:"
printf '%8s %10s %10s %8s %10s %8s\n' rows plain two times "and topk" times
for rows in 1 10 1000 20000; do
	times=$((20000 / rows))
	[ $times -le 100 ] || times=100
	[ $times -ge 5 ] || times=5
	rm -f "$work"/*.ms
	setup
	for kind in none two topk; do statements $kind "$rows" 2 1 >/dev/null; done
	for _ in $(seq "$runs"); do
		for kind in none two topk; do statements $kind "$rows" $times >>"$work/$kind.ms"; done
		psql -c VACUUM
	done
	check two of_two
	check topk of_topk
	for kind in two topk; do
		paste "$work/$kind.ms" "$work/none.ms" | awk '{ print $1 / $2 }' | median >"$work/$kind.times"
	done
	printf '%8s %10.3f %10.3f %8.2f %10.3f %8.2f\n' "$rows" "$(median <"$work/none.ms")" \
		"$(median <"$work/two.ms")" "$(cat "$work/two.times")" "$(median <"$work/topk.ms")" \
		"$(cat "$work/topk.times")"
done

cat >"$work/one.sql" <<'SQL'
\set v random(1, 1000000000)
INSERT INTO two VALUES ('2026-03-01', 1, :v, 1);
SQL
cat >"$work/each.sql" <<'SQL'
\set v random(1, 1000000000)
INSERT INTO two VALUES ('2026-03-01', 10 + :client_id, :v, 1);
SQL
cat >"$work/none.sql" <<'SQL'
\set v random(1, 1000000000)
INSERT INTO none VALUES ('2026-03-01', 1, :v, 1);
SQL
rm -f "$work"/*.tps
setup
for _ in $(seq "$runs"); do
	for kind in one each none; do
		psql -c CHECKPOINT
		pgbench -n -M prepared -c "$clients" -j "$clients" -T "$seconds" -f "$work/$kind.sql" 2>/dev/null |
			sed -n 's/^tps = \([0-9.]*\).*without initial.*/\1/p; s/^tps = \([0-9.]*\) (excluding.*/\1/p' >>"$work/$kind.tps"
	done
done
check two of_two
echo
echo "inserts of one row a second by $clients writers, each committed; median of $runs, $seconds s:"
one=$(median <"$work/one.tps")
each=$(median <"$work/each.tps")
none=$(median <"$work/none.tps")
printf 'one group %.0f, a group each %.0f, no rollup %.0f\n' "$one" "$each" "$none"
awk -v a="$one" -v b="$each" -v c="$none" 'BEGIN {
	printf "one group: %.2f of a group each, %.2f of no rollup\n", a / b, a / c }'
echo "parts of the group now: $(psql -c "SELECT count(*) FROM of_two_parts WHERE country = 1")"
if [ -e "$work/lost" ]; then echo "rows were lost or counted twice"; exit 1; fi
echo "nothing was lost"
