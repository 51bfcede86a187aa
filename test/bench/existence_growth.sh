#!/bin/bash
# Lets an existence index grow from empty and measures it at each of several numbers of keys:
# size, false-positive rate, CPU time of an insertion and of a probe.
#
#     PGHOST=... PGUSER=... test/bench/existence_growth.sh > doc/existence_growth.tsv
#     gnuplot -e "type='existence_growth'; data='doc/existence_growth.tsv'; folder='doc'" \
#         test/accuracy/plot.gp
#
# Needs a server of your own on Linux with probds installed, and a superuser.  Best with
# shared_buffers of 2 GB and max_wal_size of 8 GB.  Creates and drops the schema
# existence_growth.  KEYS: the numbers of keys, bigints, at which it measures. 200 million of
# them take 7.3 GB, and some GB for WAL and a build.  SAMPLE (1000000) insertions and probes are
# timed each time.  RATE (0.01) is the promised rate.  The keys between are inserted by JOBS (4)
# sessions at once.
#
# A line has the mode (grown; built: by REINDEX at the end), keys, layers, bytes, and bytes by
# bloom_size's.  Then come the promised, reported and measured rates.  The last columns are
# microseconds of CPU: an INSERT of a row without and with the index, a probe of an absent and
# of a present key.
set -eu
keys=${KEYS:-1000000 2000000 5000000 10000000 20000000 50000000 100000000 200000000}
sample=${SAMPLE:-1000000}
rate=${RATE:-0.01}
jobs=${JOBS:-4}
psql() { command psql -XqAt -F "$(printf '\t')" -v ON_ERROR_STOP=1 "$@"; }
trap 'psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS existence_growth CASCADE"' EXIT

psql -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS probds" \
	-c "DROP SCHEMA IF EXISTS existence_growth CASCADE" -c "CREATE SCHEMA existence_growth"
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
export PGOPTIONS="-c search_path=existence_growth,$ours,public -c client_min_messages=warning -c max_parallel_workers_per_gather=0 -c max_parallel_maintenance_workers=0 -c maintenance_work_mem=512MB -c jit=off -c synchronous_commit=off"
psql <<SQL
CREATE FUNCTION cpu() RETURNS float8 LANGUAGE sql
AS \$\$ SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 100), ' ', 1)::float8 / 1e9 \$\$;
CREATE TABLE grown (k bigint);
CREATE TABLE plain (k bigint);
CREATE INDEX grown_k ON grown USING existence (k) WITH (false_positive_rate = $rate);
SQL

# cpu STATEMENT: the microseconds of CPU that each of "sample" rows took
cpu() {
	psql <<SQL | tail -n 1
SELECT count(*) FROM generate_series(1, 1000);
SELECT cpu() AS a \gset
\o /dev/null
$1;
\o
SELECT round(((cpu() - :a) / $sample * 1e6)::numeric, 3);
SQL
}
# fill FIRST LAST
fill() {
	local job pids=
	for job in $(seq "$jobs"); do
		psql -c "INSERT INTO grown SELECT generate_series($1::bigint + $job - 1, $2, $jobs)" &
		pids="$pids $!"
	done
	for job in $pids; do wait "$job"; done
}
# report MODE KEYS INSERT_PLAIN INSERT
report() {
	local scan absent present
	# present keys in no order, spread over all of them: multiples of a prime that is coprime
	present="(i * 7919 % $2) + 1"
	scan=$(cpu "SELECT count(*) FROM generate_series(1, $sample::bigint) i WHERE $present > 0")
	absent=$(cpu "SELECT count(*) FROM generate_series(1, $sample::bigint) i WHERE existence_might_contain('grown', 'k', 0 - ($present))")
	present=$(cpu "SELECT count(*) FROM generate_series(1, $sample::bigint) i WHERE existence_might_contain('grown', 'k', $present)")
	psql -c "SELECT '$1', $2, layers, bytes, (bloom_size($2, $rate)).bytes, promised_rate,
    false_positive_rate::numeric(12, 8),
    ((SELECT count(*) FROM generate_series(1, $sample::bigint) i
      WHERE existence_might_contain('grown', 'k', 0 - i * 3)) / $sample.0)::numeric(12, 8), $3, $4,
    $absent - $scan, $present - $scan FROM existence_info('grown', 'k')"
}

printf 'mode\tkeys\tlayers\tbytes\tbloom_size\tpromised\treported\trate\tinsert_plain\tinsert\tprobe_absent\tprobe_present\n'
done=0
for n in $keys; do
	fill $((done + 1)) $((n - sample))
	# the first change of a page after a checkpoint logs all of it: not in what is timed
	plain=$(cpu "INSERT INTO plain SELECT generate_series($n::bigint - $sample + 1, $n::bigint)")
	with=$(cpu "INSERT INTO grown SELECT generate_series($n::bigint - $sample + 1, $n::bigint)")
	psql -c "TRUNCATE plain"
	done=$n
	report grown "$n" "$plain" "$with"
done
echo "existence_verify: $(psql -c "SELECT existence_verify('grown', 'k')") rows" >&2
before=$(date +%s)
cpu=$(sample=1 cpu "REINDEX INDEX grown_k")
echo "REINDEX: $(awk -v a="$cpu" 'BEGIN { printf "%.1f", a / 1e6 }') s of CPU, $(($(date +%s) - before)) s" >&2
report built "$done" 0 0
