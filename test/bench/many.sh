#!/bin/bash
# Times what works on many stored sketches: unions, COPY and pg_dump.
#
#     test/bench/many.sh [union] [copy] [dump]      (default: union copy)
#
# Runs a server of its own, or with PGHOST the caller's, on Linux with probds installed, as a
# superuser.  On the caller's it makes and drops the schema many_bench.  If the server has
# postgresql-hll (hll 2.10 or later), it is installed in the schema peer_bench, and its unions are
# timed beside ours.  The script prints the CPU time of the session in milliseconds, because a busy
# machine disturbs it less than the time on the clock.  It takes medians of RUNS rounds (5), in
# which all jobs of a kind take turns.  PART=10 makes a tenth of the sketches.
#
#     union   10,000 dense hll of precision 14, 100,000 of 100 values, 1 million of ten values, and
#             of each what it takes to read them; unions of 2,000 bloom, cms and topk
#     copy    COPY of each type in and out, binary and text, against the same bytes as bytea
#     dump    pg_dump of DUMP (170000) dense hll, some 1 GB, against the same bytes as bytea, by the
#             clock
#
# LIBRARIES="DIR DIR": times each job with the library of these folders instead (they must be in
# probds' place in the catalog without a folder: see test/bench/against).
set -euo pipefail
. "$(dirname "$0")/lib.sh"
runs=${RUNS:-5}
part=${PART:-1}
dump=${DUMP:-170000}
libraries=${LIBRARIES:-}
export RUNS=$runs PART=$part DUMP=$dump LIBRARIES=$libraries
own_server many.sh "$@"
[ "${1:-}" != --inner ] || shift
wanted=" ${*:-union copy} "
if [ -n "$OWN" ]; then
	work=$W/many
	mkdir "$work"
else
	work=$(mktemp -d)
	trap 'rm -rf "$work" "$latency_program"; psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS many_bench CASCADE"' EXIT
fi

psql -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS probds" \
	-c "DROP SCHEMA IF EXISTS many_bench CASCADE" -c "CREATE SCHEMA many_bench"
install_peer || true
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
peer=$(psql -c "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace
	WHERE extname = 'hll'")
setup="SET search_path = many_bench, $ours, public${peer:+, $peer}; SET jit = off;
	SET max_parallel_workers_per_gather = 0; SET work_mem = '2GB'"

# cpu LIBRARY BEFORE QUERY AFTER: milliseconds of the session for the query; what it returns is
# thrown away
cpu() {
	psql <<SQL | tail -n 1
${1:+SET dynamic_library_path = '$1:\$libdir';}
$setup;
\o /dev/null
SELECT hll_agg(1);
$2
\o
SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 100), ' ', 1)::float8 / 1e6 AS a \gset
\o /dev/null
$3
\o
SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 100), ' ', 1)::float8 / 1e6 - :a;
\o /dev/null
$4
SQL
}

names=() befores=() queries=() afters=()
job() { names+=("$1"); befores+=("$2"); queries+=("$3"); afters+=("${4:-}"); }
# all jobs that were added, in turn; each is said once before what counts, in the same session
go() {
	local i lib round
	rm -f "$work"/time.*
	for round in $(seq "$runs"); do
		for i in "${!names[@]}"; do
			for lib in ${libraries:-""}; do
				cpu "$lib" "${befores[$i]}" "${queries[$i]}" "${afters[$i]}" \
					>> "$work/time.$i.${lib//\//_}"
			done
		done
	done
	for i in "${!names[@]}"; do
		printf '%-44s' "${names[$i]}"
		for lib in ${libraries:-""}; do
			printf ' %9.1f' "$(median < "$work/time.$i.${lib//\//_}")"
		done
		echo
	done
	names=() befores=() queries=() afters=()
}

psql <<SQL
$setup;
CREATE TABLE dense AS SELECT hll_agg(g * 7000 + x) AS v
FROM generate_series(1::bigint, 10000 / $part) g, generate_series(1, 20000) x GROUP BY g;
CREATE TABLE of_100 AS SELECT hll_agg(g * 7000 + x) AS v
FROM generate_series(1::bigint, 100000 / $part) g, generate_series(1, 100) x GROUP BY g;
CREATE TABLE of_10 AS SELECT hll_agg(g * 7000 + x) AS v
FROM generate_series(1::bigint, 1000000 / $part) g, generate_series(1, 10) x GROUP BY g;
CREATE TABLE bloom_t AS SELECT bloom_agg(g * 100 + x, 10000) AS v
FROM generate_series(1, 2000 / $part) g, generate_series(1, 8000) x GROUP BY g;
CREATE TABLE cms_t AS SELECT cms_agg((g * 100 + x)::text, 0.001, 0.01) AS v
FROM generate_series(1, 2000 / $part) g, generate_series(1, 1000) x GROUP BY g;
CREATE TABLE topk_t AS SELECT topk_agg('key' || (g + x % 300), 100) AS v
FROM generate_series(1, 2000 / $part) g, generate_series(1, 1000) x GROUP BY g;
CREATE TABLE cuckoo_t AS SELECT cuckoo_agg(g * 100 + x, 5000) AS v
FROM generate_series(1, 2000 / $part) g, generate_series(1, 5000) x GROUP BY g;
CREATE TABLE minhash_t AS SELECT minhash_agg(g * 100 + x, 2048) AS v
FROM generate_series(1, 2000 / $part) g, generate_series(1, 5000) x GROUP BY g;
SQL
if [ -n "$peer" ] && [[ $wanted == *" union "* ]]; then
	psql <<SQL
$setup;
CREATE TABLE dense_peer AS
SELECT (SELECT hll_add_agg(hll_hash_bigint(g * 7000 + x), 14) FROM generate_series(1, 20000) x) AS v
FROM generate_series(1::bigint, 10000 / $part) g;
CREATE TABLE of_100_peer AS
SELECT (SELECT hll_add_agg(hll_hash_bigint(g * 7000 + x), 14) FROM generate_series(1, 100) x) AS v
FROM generate_series(1::bigint, 100000 / $part) g;
CREATE TABLE of_10_peer AS
SELECT (SELECT hll_add_agg(hll_hash_bigint(g * 7000 + x), 14) FROM generate_series(1, 10) x) AS v
FROM generate_series(1::bigint, 1000000 / $part) g;
SQL
fi
# the same bytes, not compressed and in the same order
bytes_of() {
	psql -c "$setup" -c "CREATE TABLE $1_bytes (v bytea)" \
		-c "ALTER TABLE $1_bytes ALTER v SET STORAGE EXTERNAL" \
		-c "INSERT INTO $1_bytes SELECT v::bytea FROM $1"
}
psql -c "VACUUM ANALYZE" -c "CHECKPOINT"

if [[ $wanted == *" union "* ]]; then
	bytes_of dense
	echo "union (${libraries:-CPU ms})"
	twice() { job "$1" "$2;" "$2;"; }
	for t in dense of_100 of_10; do
		twice "$t: hll_merge_agg" "SELECT hll_cardinality(hll_merge_agg(v)) FROM $t"
		[ -z "$peer" ] ||
			twice "$t: hll_union_agg of postgresql-hll" \
				"SELECT $peer.hll_cardinality($peer.hll_union_agg(v)) FROM ${t}_peer"
		twice "$t: count" "SELECT count(v) FROM $t"
	done
	twice "dense: get_byte() of the same bytes" "SELECT count(get_byte(v, 0)) FROM dense_bytes"
	for t in bloom cms topk; do
		twice "$t: ${t}_merge_agg" "SELECT ${t}_merge_agg(v) IS NULL FROM ${t}_t"
	done
	go
fi

if [[ $wanted == *" copy "* ]]; then
	echo "copy (${libraries:-CPU ms})"
	server_dir=$(psql -c "SHOW data_directory")/many_bench
	for t in dense:hll of_100:hll of_10:hll bloom_t:bloom cms_t:cms topk_t:topk cuckoo_t:cuckoo \
		minhash_t:minhash; do
		table=${t%%:*}
		[ "$(psql -c "SELECT to_regclass('many_bench.${table}_bytes') IS NULL")" = f ] || bytes_of "$table"
		for format in binary text; do
			for what in "$table:${t##*:}" "${table}_bytes:bytea"; do
				file=$server_dir.${what%%:*}.$format
				job "${what%%:*}, $format, out" "" \
					"COPY ${what%%:*} TO '$file' (FORMAT $format);"
				job "${what%%:*}, $format, in" \
					"BEGIN; CREATE TABLE c (v ${what##*:}); ALTER TABLE c ALTER v SET STORAGE EXTERNAL;" \
					"COPY c FROM '$file' (FORMAT $format);" "ROLLBACK;"
			done
		done
	done
	go
	psql -c "COPY (SELECT 1) TO PROGRAM 'rm -f $server_dir.*'"
fi

if [[ $wanted == *" dump "* ]]; then
	psql -c "$setup" -c "CREATE TABLE large AS SELECT v FROM dense, generate_series(0, $dump * $part / 10000) LIMIT $dump"
	bytes_of large
	psql -c "VACUUM ANALYZE" -c "SELECT pg_size_pretty(pg_table_size('many_bench.large'))"
	echo "dump (s by the clock)"
	for round in $(seq "$runs"); do
		for t in large large_bytes; do
			from=$(date +%s.%N)
			command "${BIN:+$BIN/}pg_dump" -a -t "many_bench.$t" > /dev/null
			echo "$from $(date +%s.%N)" | awk '{ print $2 - $1 }' >> "$work/dump.$t"
		done
	done
	for t in large large_bytes; do printf '%-44s %9.2f\n' "pg_dump of $t" "$(median < "$work/dump.$t")"; done
fi
