#!/bin/bash
# Times existence indexes against btree, hash, contrib/bloom (if the server has it) and no index,
# interleaved in one run.  The results are medians of RUNS, in CPU seconds of the session, so that
# other load matters little.
#
#     test/bench/existence.sh [size build insert copy probe join plan grow ...]
#
# Runs a server of its own.  With PGHOST the server is the caller's, on Linux with probds
# installed, as a superuser, best with shared_buffers of 2 GB and max_wal_size of 8 GB.  It makes
# and drops the schema existence_bench there.  ROWS (10000000) is the number of keys, text of 32
# characters; PROBES (1000000); RUNS (3).  Each probe of contrib/bloom reads all of its index, so
# PROBES_BLOOM (20) are made.
set -eu
rows=${ROWS:-10000000}
probes=${PROBES:-1000000}
runs=${RUNS:-3}
probes_bloom=${PROBES_BLOOM:-20}
. "$(dirname "$0")/lib.sh"
export ROWS=$rows PROBES=$probes RUNS=$runs PROBES_BLOOM=$probes_bloom
own_server existence.sh "$@"
[ "${1:-}" != --inner ] || shift
psql -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS probds" \
	-c "DROP SCHEMA IF EXISTS existence_bench CASCADE" -c "CREATE SCHEMA existence_bench"
[ -n "$OWN" ] || trap 'psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS existence_bench CASCADE"; rm -f "$latency_program"' EXIT
peers="btree hash"
if [ "$(psql -c "SELECT count(*) FROM pg_available_extensions WHERE name = 'bloom'")" = 1 ]; then
	psql -c "CREATE EXTENSION IF NOT EXISTS bloom SCHEMA existence_bench"
	peers="$peers bloom"
fi
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
export PGOPTIONS="-c search_path=existence_bench,$ours,public -c client_min_messages=warning -c max_parallel_workers_per_gather=0 -c max_parallel_maintenance_workers=0 -c maintenance_work_mem=256MB -c jit=off -c work_mem=256MB -c synchronize_seqscans=off"

wanted=" $* "
wants() { case "$wanted" in "  "|*" $1 "*) return 0 ;; *) return 1 ;; esac; }

psql -c "CREATE FUNCTION cpu() RETURNS float8 LANGUAGE sql AS \$\$ SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 100), ' ', 1)::float8 / 1e9 \$\$"

# cpu BEFORE STATEMENT: the CPU seconds of a statement, after some that are not counted
cpu() {
	psql <<SQL | tail -n 1
$1;
SELECT cpu() AS a \gset
\o /dev/null
$2;
\o
SELECT cpu() - :a;
SQL
}
# record NAME SECONDS
work=$(mktemp -d)
record() { echo "$2" >> "$work/$1"; }
of() { median < "$work/$1"; }
per_row() { awk -v a="$1" -v b="$2" -v n="$3" 'BEGIN { printf "%.2f", (a - b) / n * 1e6 }'; }

echo "$rows keys, $(psql -c 'SHOW server_version'), CPU seconds, median of $runs"
psql -c "CREATE UNLOGGED TABLE src AS SELECT md5(i::text) AS k FROM generate_series(1, $rows) i" -c "VACUUM ANALYZE src"

if wants build || wants size; then
	for r in $(seq "$runs"); do
		for am in existence $peers; do
			psql -c "DROP INDEX IF EXISTS src_$am"
			record "build_$am" "$(cpu "SELECT count(*) FROM src" "CREATE INDEX src_$am ON src USING $am (k)")"
		done
	done
	echo "build: existence $(of build_existence), btree $(of build_btree), hash $(of build_hash)$(case $peers in *bloom) echo ", contrib/bloom $(of build_bloom)" ;; esac); existence/btree $(ratio "$(of build_existence)" "$(of build_btree)")"
	psql -c "SELECT format('size built: existence %s MB (%s x bloom_size), btree %s MB, hash %s MB', round(pg_relation_size('src_existence') / 1e6, 1), round(pg_relation_size('src_existence')::numeric / (bloom_size($rows)).bytes, 4), round(pg_relation_size('src_btree') / 1e6, 1), round(pg_relation_size('src_hash') / 1e6, 1))"
	case $peers in *bloom)
		psql -c "SELECT format('size of contrib/bloom: %s MB', round(pg_relation_size('src_bloom') / 1e6, 1))" ;;
	esac
	psql -c "SELECT format('rate after build: %s of %s absent keys', count(*), $probes) FROM generate_series(1, $probes) i WHERE existence_might_contain('src', 'k', 'absent ' || i)"
fi

if wants insert; then
	n=$((rows / 10))
	for r in $(seq "$runs"); do
		for am in none existence $peers; do
			psql -c "DROP TABLE IF EXISTS t_$am" -c "CREATE TABLE t_$am (k text)"
			[ $am = none ] || psql -c "CREATE INDEX ON t_$am USING $am (k)"
			# a table that has rows already
			psql -c "INSERT INTO t_$am SELECT k FROM src LIMIT $((n * 2))" -c CHECKPOINT
			# after a checkpoint pages are logged whole: not counted
			psql -c "INSERT INTO t_$am SELECT k || 'x' FROM src LIMIT $n"
			a=$(psql -c "SELECT pg_current_wal_insert_lsn()")
			record "insert_$am" "$(cpu "SELECT count(*) FROM src" "INSERT INTO t_$am SELECT k || 'y' FROM src LIMIT $n")"
			record "wal_$am" "$(psql -c "SELECT (pg_current_wal_insert_lsn() - '$a') / $n.0")"
			[ $am != existence ] || {
				a=$(psql -c "SELECT pg_current_wal_insert_lsn()")
				record again "$(cpu "SELECT count(*) FROM src" "INSERT INTO t_$am SELECT k || 'y' FROM src LIMIT $n")"
				record wal_again "$(psql -c "SELECT (pg_current_wal_insert_lsn() - '$a') / $n.0")"
			}
		done
	done
	for am in existence $peers; do
		echo "insert: $am adds $(per_row "$(of insert_$am)" "$(of insert_none)" "$n") us and $(awk -v a="$(of wal_$am)" -v b="$(of wal_none)" 'BEGIN { printf "%.1f", a - b }') bytes of WAL a row"
	done
	echo "insert: existence, keys that are there: $(per_row "$(of again)" "$(of insert_none)" "$n") us and $(awk -v a="$(of wal_again)" -v b="$(of wal_none)" 'BEGIN { printf "%.1f", a - b }') bytes of WAL a row"
	psql -c "DROP TABLE IF EXISTS t_none, t_existence, t_btree, t_hash, t_bloom"
fi

if wants copy; then
	n=$((rows / 10))
	for part in x y; do
		psql -c "COPY (SELECT k || '$part' FROM src LIMIT $n) TO STDOUT" >"$work/rows.$part"
	done
	for r in $(seq "$runs"); do
		for am in none existence $peers; do
			psql -c "DROP TABLE IF EXISTS t_$am" -c "CREATE TABLE t_$am (k text)"
			[ $am = none ] || psql -c "CREATE INDEX ON t_$am USING $am (k)"
			psql -c "INSERT INTO t_$am SELECT k FROM src LIMIT $((n * 2))" -c CHECKPOINT
			psql -c "\\copy t_$am FROM '$work/rows.x'"
			record "copy_$am" "$(cpu "SELECT count(*) FROM src" "\\copy t_$am FROM '$work/rows.y'")"
		done
	done
	for am in existence $peers; do
		echo "copy: $am adds $(per_row "$(of copy_$am)" "$(of copy_none)" "$n") us a row"
	done
	psql -c "DROP TABLE IF EXISTS t_none, t_existence, t_btree, t_hash, t_bloom"
fi

if wants probe || wants join; then
	for am in $peers; do
		psql -c "DROP INDEX IF EXISTS src_$am"
	done
	psql -c "CREATE INDEX IF NOT EXISTS src_existence ON src USING existence (k)" \
		-c "CREATE UNLOGGED TABLE absent AS SELECT md5('absent ' || i) AS k FROM generate_series(1, $probes) i" \
		-c "CREATE UNLOGGED TABLE mixed AS SELECT CASE WHEN i % 100 = 0 THEN md5((i * 7 % $rows + 1)::text) ELSE md5('absent ' || i) END AS k FROM generate_series(1, $probes) i" \
		-c "CREATE UNLOGGED TABLE present AS SELECT md5((i * 7 % $rows + 1)::text) AS k FROM generate_series(1, $probes) i" \
		-c "VACUUM ANALYZE absent, mixed, present"
fi
if wants probe; then
	exists="SELECT count(*) FROM absent a WHERE EXISTS (SELECT FROM src s WHERE s.k = a.k OFFSET 0)"
	for am in btree hash; do
		psql -c "CREATE INDEX src_$am ON src USING $am (k)"
		for r in $(seq "$runs"); do
			record scan "$(cpu "SELECT count(*) FROM absent" "SELECT count(k) FROM absent")"
			record probe "$(cpu "SELECT count(*) FROM absent" "SELECT count(*) FROM absent WHERE existence_might_contain('src', 'k', k)")"
			record present "$(cpu "SELECT count(*) FROM absent" "SELECT count(*) FROM present WHERE existence_might_contain('src', 'k', k)")"
			record "exists_$am" "$(cpu "SET probds.existence_gate = off; SET enable_seqscan = on; SELECT count(*) FROM absent" "$exists")"
		done
		psql -c "DROP INDEX src_$am"
	done
	echo "probe: $probes absent keys: function $(of probe) (the scan itself $(of scan)), present $(of present); EXISTS by btree $(of exists_btree), by hash $(of exists_hash); $(ratio "$(of probe)" "$(of exists_btree)") x btree, $(ratio "$(of probe)" "$(of exists_hash)") x hash"
	case $peers in *bloom)
		psql -c "CREATE INDEX src_bloom ON src USING bloom (k)" -c "CREATE UNLOGGED TABLE few AS SELECT k FROM absent LIMIT $probes_bloom"
		for r in $(seq "$runs"); do
			record exists_bloom "$(cpu "SET probds.existence_gate = off; SET enable_seqscan = off; SELECT count(*) FROM few" "${exists/absent/few}")"
		done
		psql -c "DROP INDEX src_bloom"
		echo "probe by contrib/bloom: $(awk -v a="$(of exists_bloom)" -v n="$probes_bloom" 'BEGIN { printf "%.0f", a / n * 1e6 }') us each; existence $(awk -v a="$(of probe)" -v b="$(of scan)" -v n="$probes" 'BEGIN { printf "%.2f", (a - b) / n * 1e6 }') us" ;;
	esac
fi
if wants join; then
	psql -c "CREATE INDEX src_btree ON src (k)"
	loop="SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off"
	for t in mixed present; do
		for r in $(seq "$runs"); do
			for gate in on off; do
				record "${t}_$gate" "$(cpu "$loop; SET probds.existence_gate = $gate; SELECT count(*) FROM $t" "SELECT count(*) FROM $t JOIN src USING (k)")"
			done
		done
		echo "nested loop, $t: gate on $(of ${t}_on), off $(of ${t}_off): $(ratio "$(of ${t}_on)" "$(of ${t}_off)") x"
	done
fi

# an anti join that needs the inner table's columns: the plan by default, and others
if wants plan; then
	query="SELECT count(*) FROM outer_table o WHERE NOT EXISTS (SELECT FROM inner_table i WHERE i.k = o.k AND i.n >= 0)"
	small="SET work_mem = '4MB'; SET random_page_cost = ${RANDOM_PAGE_COST:-4}"
	loop="SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off"
	for n in $((rows / 4)) "$rows"; do
		psql -c "DROP TABLE IF EXISTS inner_table" -c "CREATE TABLE inner_table AS SELECT i * 2 AS k, md5(i::text) AS v, i % 100 AS n FROM generate_series(1, $n) i" \
			-c "CREATE INDEX ON inner_table (k)" -c "CREATE INDEX ON inner_table USING existence (k)" -c "VACUUM ANALYZE inner_table"
		for keys in 20000 50000; do
			for percent in 5 50 95; do
				psql -c "DROP TABLE IF EXISTS outer_table" -c "CREATE TABLE outer_table AS SELECT (random() * ($n - 1))::int * 2 + 2 - (random() * 100 < $percent)::int AS k FROM generate_series(1, $keys) i" -c "VACUUM ANALYZE outer_table"
				for r in $(seq "$runs"); do
					for plan in "default $small" "off $small; SET probds.existence_gate = off" "gate $small; $loop" "loop $small; $loop; SET probds.existence_gate = off"; do
						record "plan_${n}_${keys}_${percent}_${plan%% *}" "$(cpu "${plan#* }; $query" "$query")"
					done
				done
				at=plan_${n}_${keys}_${percent}
				echo "$n rows, $keys keys, $percent % absent: by default $(of ${at}_default), without the gate $(of ${at}_off), nested loop with it $(of ${at}_gate), without it $(of ${at}_loop)"
			done
		done
	done
fi

if wants grow; then
	psql -c "CREATE TABLE grown (k text)" -c "CREATE INDEX grown_k ON grown USING existence (k)" -c "INSERT INTO grown SELECT k FROM src"
	psql -c "SELECT format('grown from empty: %s layers, %s x bloom_size, %s of %s absent keys', layers, round(bytes::numeric / (bloom_size($rows)).bytes, 3), (SELECT count(*) FROM generate_series(1, $probes) i WHERE existence_might_contain('grown', 'k', 'absent ' || i)), $probes) FROM existence_info('grown', 'k')"
	echo "REINDEX of it: $(cpu "SELECT 1" "REINDEX INDEX grown_k")"
	psql -c "SELECT format('after that: %s x bloom_size', round(bytes::numeric / (bloom_size($rows)).bytes, 4)) FROM existence_info('grown', 'k')"
fi
rm -rf "$work"
