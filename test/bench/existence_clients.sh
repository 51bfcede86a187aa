#!/bin/bash
# INSERT by many clients at once: into tables with an existence index, with hash, with btree
# and without an index, interleaved.  Medians of RUNS, as ratios to the table without one.
#
#     PGHOST=... PGUSER=... test/bench/existence_clients.sh
#
# Needs a server of your own on Linux with probds installed, as a superuser, and pgbench; it
# makes and drops the schema existence_clients.  ROWS (2000000) that each table begins with,
# text of 32 characters; CLIENTS (16); RUNS (5).  A run is TRANSACTIONS (2000) of each client
# with one row each, or a fiftieth of that with 100 rows each (SIZES: "1 100").
#
# "throughput" is transactions a second, "CPU" the server's CPU time a transaction, which
# depends less on what else the machine does.
set -eu
rows=${ROWS:-2000000}
clients=${CLIENTS:-16}
runs=${RUNS:-5}
sizes=${SIZES:-1 100}
transactions=${TRANSACTIONS:-2000}
psql() { command psql -XqAt -v ON_ERROR_STOP=1 "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"; psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS existence_clients CASCADE"' EXIT

psql -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS probds" \
	-c "DROP SCHEMA IF EXISTS existence_clients CASCADE" -c "CREATE SCHEMA existence_clients"
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
export PGOPTIONS="-c search_path=existence_clients,$ours,public -c client_min_messages=warning"
postmaster=$(psql -c "SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)")
ticks=$(getconf CLK_TCK)

methods='none existence hash btree'
for am in $methods; do
	psql -c "CREATE TABLE t_$am (k text)" -c "INSERT INTO t_$am SELECT md5(i::text) FROM generate_series(1, $rows) i"
	[ $am = none ] || psql -c "CREATE INDEX ON t_$am USING $am (k)"
done
psql -c "VACUUM ANALYZE" -c CHECKPOINT

# the CPU seconds of all sessions that have ended
ended() { awk -v ticks="$ticks" '{ sub(/.*\) /, ""); print ($14 + $15) / ticks }' "/proc/$postmaster/stat"; }
# run NAME TABLE ROWS TRANSACTIONS
run() {
	echo "INSERT INTO t_$2 SELECT md5(random()::text) FROM generate_series(1, $3)" >"$work/script"
	[ "$3" != 1 ] || echo "INSERT INTO t_$2 VALUES (md5(random()::text))" >"$work/script"
	local before children
	before=$(ended)
	children=$(pgrep -c -P "$postmaster")
	pgbench -n -M prepared -c "$clients" -j 2 -t "$4" -f "$work/script" >"$work/out" 2>&1
	# the last sessions end after their clients
	while [ "$(pgrep -c -P "$postmaster")" -gt "$children" ]; do sleep 0.1; done
	sed -n 's/^tps = \([0-9.]*\).*/\1/p' "$work/out" | tail -n 1 >>"$work/tps.$1.$2"
	awk -v a="$before" -v b="$(ended)" -v n=$(($4 * clients)) 'BEGIN { print (b - a) / n * 1e6 }' >>"$work/cpu.$1.$2"
}
of() { sort -g "$work/$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

for n in $sizes; do
	each=$((n == 1 ? transactions : transactions / 50))
	# the first change of a page after a checkpoint logs the page: not counted
	for am in $methods; do run "warm$n" $am $n "$each"; done
	for r in $(seq "$runs"); do
		for am in $methods; do run $n $am $n "$each"; done
	done
	echo "$clients clients, $n rows a transaction, $((each * clients)) transactions, median of $runs"
	for am in $methods; do
		awk -v am="$am" -v tps="$(of "tps.$n.$am")" -v of="$(of "tps.$n.none")" -v cpu="$(of "cpu.$n.$am")" -v than="$(of "cpu.$n.none")" \
			'BEGIN { printf "%-10s %8.0f a second (%.3f x), %7.1f us of CPU (%.3f x)\n", am, tps, tps / of, cpu, cpu / than }'
	done
done
