#!/bin/bash
# Measures how costs grow: with the number of rows, of groups, with the size of sketches, and
# with the size of a filter.
#
#     test/bench/growth.sh [rows groups sketches filters ...] > doc/performance.tsv
#     gnuplot -e "type='performance'; data='doc/performance.tsv'; folder='doc'" \
#         test/accuracy/plot.gp
#
# Runs a server of its own, or with PGHOST the caller's, on Linux with probds installed, as a
# superuser.  On the caller's it makes and drops the schema growth_bench.
#
# A line has the part, the job, x, and nanoseconds of CPU of the session, the median of RUNS:
#     rows      x rows in one group; for each row
#     groups    ROWS rows in x groups; for each row
#     sketches  stored sketches of x bytes; for each sketch that is merged
#     filters   a filter of x bytes, as a constant; for each of ROWS probes, less the scan.  The
#               lines "access" are the machine's random access in as many bytes (latency.c).
# Environment: RUNS (5), ROWS (3000000), SIZES (10000 ... 10000000) of the part rows, GROUPS_OF
# (1 ... 1000000), KEYS (10000 ... 100000000) that the filters are made for
set -eu
. "$(dirname "$0")/lib.sh"
runs=${RUNS:-5}
rows=${ROWS:-3000000}
sizes=${SIZES:-10000 100000 1000000 10000000}
groups=${GROUPS_OF:-1 10 100 1000 10000 100000 1000000}
keys=${KEYS:-10000 100000 1000000 10000000 100000000}
export RUNS=$runs ROWS=$rows SIZES=$sizes GROUPS_OF=$groups KEYS=$keys
own_server growth.sh "$@"
[ "${1:-}" != --inner ] || shift
wanted=" $* "
wants() { case "$wanted" in "  "|*" $1 "*) return 0 ;; *) return 1 ;; esac; }

psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS growth_bench CASCADE" \
	-c "CREATE SCHEMA growth_bench" -c "CREATE EXTENSION IF NOT EXISTS probds"
peer=
! install_peer || peer=1
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
export PGOPTIONS="-c search_path=growth_bench,$ours,public,peer_bench -c jit=off -c work_mem=4GB
 -c max_parallel_workers_per_gather=0 -c synchronize_seqscans=off -c client_min_messages=warning"
PGOPTIONS=$(echo "$PGOPTIONS" | tr -d '\n')
timers

# ns QUERY N [TIMES]: nanoseconds of each of n
ns() {
	local i times=${3:-1}
	for i in $(seq 0 "$runs"); do
		# the first warms the cache
		psql -c "SELECT bench_ms(\$q\$$1\$q\$, $times) * 1e6 / $2" | { [ "$i" = 0 ] && cat >/dev/null || cat; }
	done | median
}
report() { printf '%s\t%s\t%s\t%.4g\n' "$1" "$2" "$3" "$4"; }
# the aggregates that are compared, on the column v; those with a size are made for $1 values
agg() { echo "SELECT count(a) FROM (SELECT $1 AS a FROM $2) q"; }

printf 'part\tjob\tx\tns\n'
if wants rows; then
	most=$(tr ' ' '\n' <<< "$sizes" | sort -g | tail -n 1)
	psql -c "CREATE UNLOGGED TABLE numbers AS SELECT hashint8extended(i, 7) AS v FROM generate_series(1::bigint, $most) i"
	for n in $sizes; do
		psql -c "CREATE UNLOGGED TABLE a_few AS SELECT v FROM numbers LIMIT $n" -c "VACUUM ANALYZE a_few"
		times=$((n < 1000000 ? 1000000 / n : 1))
		for job in "count:count(v)" "hll_agg:hll_agg(v)" "bloom_agg:bloom_agg(v, $n)" "cms_agg:cms_agg(v)" \
			"topk_agg:topk_agg(v, 100)" "minhash_agg:minhash_agg(v)" "exact:count(DISTINCT v)"; do
			[ "$n" -le 10000000 ] || [ "${job%%:*}" != exact ] || continue
			report rows "${job%%:*}" "$n" "$(ns "$(agg "${job#*:}" a_few)" "$n" "$times")"
		done
		psql -c "DROP TABLE a_few"
	done
	psql -c "DROP TABLE numbers"
fi
if wants groups; then
	psql -c "CREATE UNLOGGED TABLE spread AS SELECT hashint8extended(i, 7) % ($rows / 2) AS v,
		(hashint8extended(i, 7) % 1000) AS item, hashint8extended(i, 2) & 1073741823 AS g
		FROM generate_series(1::bigint, $rows) i" -c "VACUUM ANALYZE spread"
	for n in $groups; do
		# a column, so that the planner knows how many there are
		psql -c "CREATE UNLOGGED TABLE grouped AS SELECT v, item, (g % $n)::int AS g FROM spread" -c "VACUUM ANALYZE grouped"
		for job in "count:count(v)" "hll_agg:hll_agg(v)" "cms_agg:cms_agg(v)" "topk_agg:topk_agg(item, 20)" \
			"bloom_agg:bloom_agg(v, $((rows / n < 100 ? 100 : rows / n)))"; do
			report groups "${job%%:*}" "$n" "$(ns "$(agg "${job#*:}" 'grouped GROUP BY g')" "$rows")"
		done
		psql -c "DROP TABLE grouped"
	done
	psql -c "DROP TABLE spread"
fi
if wants sketches; then
	# so many sketches that their bytes are some 30 MB
	# merges JOB SKETCH MERGE: of an aggregate over the column v
	merges() {
		local bytes n
		psql -c "DROP TABLE IF EXISTS one, stored" -c "CREATE UNLOGGED TABLE one AS SELECT $2 AS s FROM generate_series(1::bigint, ${4:-100000}) v"
		bytes=$(psql -c "SELECT pg_column_size(s) FROM one")
		n=$((30000000 / bytes))
		n=$((n > 20000 ? 20000 : n))
		# two different sketches by turns
		psql -c "CREATE UNLOGGED TABLE stored (s $5)" -c "ALTER TABLE stored ALTER s SET STORAGE EXTERNAL" \
			-c "INSERT INTO stored SELECT CASE WHEN i % 2 = 0 THEN a.s ELSE b.s END
			FROM one a, (SELECT $2 AS s FROM generate_series(50000::bigint, 50000 + ${4:-100000}) v) b, generate_series(1, $n) i" \
			-c "VACUUM ANALYZE stored"
		report sketches "$1" "$bytes" "$(ns "SELECT count(a) FROM (SELECT $3 AS a FROM stored) q" "$n")"
	}
	for p in 6 8 10 12 14 16 18; do merges hll "hll_agg(v, $p)" "hll_merge_agg(s)" 300000 hll; done
	if [ -n "$peer" ]; then
		for p in 8 10 12 14 16; do merges postgresql-hll "hll_add_agg(hll_hash_bigint(v), $p)" "hll_union_agg(s)" 300000 peer_bench.hll; done
	fi
	for n in 100 1000 10000 100000 1000000; do merges bloom "bloom_agg(v, $n)" "bloom_merge_agg(s)" "$n" bloom; done
	for e in 0.02 0.01 0.003 0.001 0.0003 0.0001; do merges cms "cms_agg(v, $e, 0.01)" "cms_merge_agg(s)" 300000 cms; done
	for n in 100 1000; do merges topk "topk_agg(v % 50000, $n)" "topk_merge_agg(s)" 300000 topk; done
fi
if wants filters; then
	psql -c "CREATE UNLOGGED TABLE probes AS SELECT hashint8extended(i, 8) AS v FROM generate_series(1::bigint, $rows) i" -c "VACUUM ANALYZE probes" \
		-c "CREATE TABLE filter (f bloom)" \
		-c "CREATE FUNCTION probe(query text) RETURNS float8 LANGUAGE plpgsql AS \$\$
DECLARE filter bloom; t float8; n bigint;
BEGIN
    -- by way of bytea: in memory, and no longer where it is stored
    SELECT f::bytea::bloom INTO filter FROM filter;
    t := bench_now();
    EXECUTE query INTO n USING filter;
    RETURN bench_now() - t;
END \$\$"
	for n in $keys; do
		psql -c "TRUNCATE filter" -c "INSERT INTO filter SELECT bloom_agg(hashint8extended(i, 7), $n) FROM generate_series(1::bigint, $n) i" -c CHECKPOINT
		bytes=$(psql -c "SELECT (bloom_info(f)).bytes FROM filter")
		for i in $(seq 0 "$runs"); do
			psql -c "SELECT (probe('SELECT count(*) FROM probes WHERE \$1 @> v') - probe('SELECT count(*) FROM probes WHERE v <> 0')) * 1e6 / $rows" |
				{ [ "$i" = 0 ] && cat >/dev/null || cat; }
		done | median > "${W:-/tmp}/ns.$$"
		report filters probe "$bytes" "$(cat "${W:-/tmp}/ns.$$")"
		rm "${W:-/tmp}/ns.$$"
		report filters access "$bytes" "$(for i in 1 2 3; do latency "$bytes"; done | median)"
	done
fi
psql -c "DROP SCHEMA growth_bench CASCADE"
[ -n "$OWN" ] || [ -z "$peer" ] || psql -c "DROP SCHEMA peer_bench CASCADE"
