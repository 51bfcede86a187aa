#!/bin/bash
# Measures what sketches cost: bytes stored, WAL of one added value, pages that one probe
# reads, and CPU time of building, probing and merging, as a ratio to count().
#
#     PGHOST=... PGUSER=... test/bench/costs.sh [TYPE ...]
#
# TYPE: hll, bloom, cms, topk, cuckoo, counting_bloom, scalable_bloom, minhash, ddsketch or
# existence; all that the server has unless named.  Needs a superuser, and a server of your own with
# probds installed, best without other writers, since WAL is counted by its position.  Makes
# and drops the schema costs_bench.
#
# Environment:
#   ROWS    1000000
#   SIZES   "1000 10000 100000 1000000"; each must divide ROWS
#   RUNS    3, of which the medians are printed
#   LARGE   none; one more size, for the bytes only
#   PARTS   "wal pages build probe merge": the parts that are measured
#
# Values are distinct bigints.  For a size n the table of ROWS rows is ROWS / n sketches of n
# values.  Filters are made for n values at 1 %; other parameters are the defaults.  Bytes, WAL
# and pages do not depend on how busy the machine is.  Times are CPU seconds of the session.
set -eu
rows=${ROWS:-1000000}
sizes=${SIZES:-1000 10000 100000 1000000}
runs=${RUNS:-3}
parts=" ${PARTS:-wal pages build probe merge} "
# wants PART: is it to be measured?
wants() { case $parts in *" $1 "*) ;; *) false ;; esac; }
psql() { command psql -XqAt -v ON_ERROR_STOP=1 "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"; psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS costs_bench CASCADE"' EXIT

psql -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS probds" \
	-c "DROP SCHEMA IF EXISTS costs_bench CASCADE" -c "CREATE SCHEMA costs_bench"
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
export PGOPTIONS="-c search_path=costs_bench,$ours,public -c client_min_messages=warning -c jit=off
 -c max_parallel_workers_per_gather=0 -c max_parallel_maintenance_workers=0 -c work_mem=1GB
 -c maintenance_work_mem=256MB -c synchronize_seqscans=off"
PGOPTIONS=$(echo "$PGOPTIONS" | tr -d '\n')

psql <<SQL
CREATE FUNCTION cpu() RETURNS float8 LANGUAGE sql AS \$\$
    SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 100), ' ', 1)::float8 / 1e9
\$\$;
CREATE UNLOGGED TABLE src AS SELECT i::bigint AS v FROM generate_series(0, $rows - 1) i;
CREATE SEQUENCE new CACHE 100000;
VACUUM ANALYZE src;
SQL

# cpu QUERY: the CPU seconds of a query that returns one row, the second time it runs
cpu() {
	psql <<SQL | tail -n 1
\o /dev/null
$1;
\o
SELECT cpu() AS a \gset
\o /dev/null
$1;
\o
SELECT cpu() - :a;
SQL
}
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
# ratio QUERY BASE: how much more CPU time a query takes than another, in turn
ratio() {
	rm -f "$work"/ours "$work"/base
	for _ in $(seq "$runs"); do
		cpu "$2" >> "$work/base"
		cpu "$1" >> "$work/ours"
	done
	awk -v a="$(median < "$work/ours")" -v b="$(median < "$work/base")" 'BEGIN { printf "%.2f", a / b }'
}

# aggregate TYPE N: the aggregate over v, for n values
aggregate() {
	case $1 in
		hll|cms|minhash|scalable_bloom|ddsketch) echo "$1_agg(v)" ;;
		bloom|cuckoo|counting_bloom) echo "$1_agg(v, $2)" ;;
		topk) echo "topk_agg(v)" ;;
	esac
}
# probe TYPE: a value beside a sketch s
probe() {
	case $1 in
		bloom|cuckoo|counting_bloom|scalable_bloom) echo "s @> v" ;;
		cms|topk) echo "(s -> v) > 0" ;;
	esac
}
# pages SQL: how many pages a statement reads, planning aside
pages() {
	wants pages || return 0
	psql -c "$1" -c "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) $1" |
		awk '/^Planning/ { exit } /Buffers: shared/ && !n { for (i = 1; i <= NF; i++) if ($i ~ /^(hit|read)=/) { sub(/.*=/, "", $i); n += $i } } END { print n + 0 }'
}
# wal SQL: bytes of WAL that a statement writes, its commit aside, the median of nine.  It runs a
# few times before, so that its pages have been logged whole before that
wal() {
	local i
	wants wal || { echo 0; return; }
	for i in 1 2 3; do echo "$1;"; done > "$work/warm"
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "EXPLAIN (ANALYZE, WAL, COSTS OFF, TIMING OFF, SUMMARY OFF) $1;"
	done > "$work/measured"
	psql -f "$work/warm" -f "$work/measured" |
		awk '/WAL: / { for (i = 1; i <= NF; i++) if ($i ~ /^bytes=/) { sub(/.*=/, "", $i); if ($i + 0 > n) n = $i + 0 } } /^(Update|Insert)/ { if (n) print n; n = 0 } END { print n + 0 }' |
		median
}

wanted=${*:-hll bloom cms topk cuckoo counting_bloom scalable_bloom minhash ddsketch existence}
echo "$(psql -c 'SHOW server_version'), $rows rows, medians of $runs"
printf '%-15s %9s %11s %11s %7s %8s %8s %8s\n' type values bytes "WAL added" pages build probe merge
for type in $wanted; do
	[ "$type" = existence ] || [ "$(psql -c "SELECT to_regtype('$type') IS NOT NULL")" = t ] ||
		{ echo "$type: this version does not have it"; continue; }
	for n in $sizes; do
		psql -c "DROP TABLE IF EXISTS t, one, keyed"
		by="SELECT count(a) FROM (SELECT %s AS a FROM src GROUP BY v / $n) q"
		base=$(printf "$by" "count(v)")
		if [ "$type" = existence ]; then
			psql -c "CREATE TABLE keyed AS SELECT v FROM src LIMIT $n" -c "CREATE INDEX keyed_v ON keyed USING existence (v)" -c "VACUUM ANALYZE keyed"
			bytes=$(psql -c "SELECT bytes FROM existence_info('keyed', 'v')")
			probe="existence_might_contain('keyed', 'v', v)"
			pages=$(pages "SELECT existence_might_contain('keyed', 'v', 5::bigint)")
			psql -c "CREATE TABLE one AS SELECT v FROM keyed"
			# the row's own WAL is measured on a table without the index; so many rows that
			# every page of the index has changed
			warm=$((n / 50 > 2000 ? n / 50 : 2000))
			psql -c "CHECKPOINT" -c "INSERT INTO keyed SELECT -nextval('new') FROM generate_series(1, $warm)"
			with=$(wal "INSERT INTO keyed SELECT -nextval('new') FROM generate_series(1, 100)")
			without=$(wal "INSERT INTO one SELECT -nextval('new') FROM generate_series(1, 100)")
			added=$(((with - without) / 100))
			build="" merge=""
			time="SELECT count(*) FROM src WHERE $probe"
		else
			agg=$(aggregate "$type" "$n")
			probe=$(probe "$type")
			psql -c "CREATE TABLE t AS SELECT $agg AS s FROM src GROUP BY v / $n" -c "CREATE TABLE one AS SELECT * FROM t LIMIT 1" -c "VACUUM ANALYZE t, one"
			bytes=$(psql -c "SELECT length(s::bytea) FROM one")
			added=$(wal "UPDATE one SET s = ${type}_add(s, -nextval('new'))")
			pages="" time=""
			[ -z "$probe" ] || {
				pages=$(pages "SELECT ${probe/v/5::bigint} FROM one")
				time="SELECT count(*) FROM src, one WHERE $probe"
			}
			build=$(printf "$by" "$agg")
			merge="SELECT count(*) FROM (SELECT ${type}_merge_agg(s) FROM t) q"
			[ "$type" != scalable_bloom ] || merge=""
			# a single sketch has nothing to merge with
			[ "$n" -lt "$rows" ] || merge=""
		fi
		wants build || build=""
		wants probe || time=""
		wants merge || merge=""
		printf '%-15s %9d %11d %11d %7s %8s %8s %8s\n' "$type" "$n" "$bytes" "$added" "${pages:--}" \
			"$([ -z "$build" ] && echo - || ratio "$build" "$base")" \
			"$([ -z "$time" ] && echo - || ratio "$time" "SELECT count(*) FROM src, (SELECT -1::bigint AS s) q WHERE v <> s")" \
			"$([ -z "$merge" ] && echo - || ratio "$merge" "SELECT count(v) FROM src")"
	done
	if [ -n "${LARGE:-}" ] && [ "$type" != existence ]; then
		printf '%-15s %9d %11d\n' "$type" "$LARGE" "$(psql -c "SELECT length($(aggregate "$type" "$LARGE")::bytea) FROM (SELECT generate_series(1, $LARGE::bigint) AS v) q")"
	fi
done
