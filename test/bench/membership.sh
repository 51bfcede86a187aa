#!/bin/bash
# Measures the types that say whether a value is in a set on one workload: bits a value and the
# false-positive rate, at several promised rates.
#
#     PGHOST=... PGUSER=... test/bench/membership.sh > doc/membership.tsv
#     gnuplot -e "type='membership'; data='doc/membership.tsv'; folder='doc'" test/accuracy/plot.gp
#
# Needs a server of your own with probds installed; makes and drops the schema membership_bench.
# KEYS (200000) distinct bigints, each filter made for that many; OTHERS (1000000) values that
# are not among them.  Bytes are those of the stored value, or of the index after a build.  The
# lines of a "grown" filter or index are of one that met the keys one after the other.
set -eu
keys=${KEYS:-200000}
others=${OTHERS:-1000000}
psql() { command psql -XqAt -F "$(printf '\t')" -v ON_ERROR_STOP=1 "$@"; }
trap 'psql -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS membership_bench CASCADE"' EXIT

psql -c "SET client_min_messages = warning" -c "CREATE EXTENSION IF NOT EXISTS probds" \
	-c "DROP SCHEMA IF EXISTS membership_bench CASCADE" -c "CREATE SCHEMA membership_bench"
ours=$(psql -c "SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'")
export PGOPTIONS="-c search_path=membership_bench,$ours,public -c client_min_messages=warning"
psql -c "CREATE UNLOGGED TABLE k AS SELECT i::bigint AS v FROM generate_series(1, $keys) i" \
	-c "CREATE UNLOGGED TABLE o AS SELECT -i::bigint AS v FROM generate_series(1, $others) i"

printf 'type\tpromised\tbits\trate\n'
filter() {
	psql <<SQL
SELECT '$1', $2, round(8.0 * length(f::bytea) / $keys, 2),
    (SELECT count(*) FILTER (WHERE f @> v) FROM o)::float8 / $others
FROM (SELECT $3 AS f FROM k) s;
SQL
}
index() {
	psql -c "CREATE TABLE t (v bigint)" ${4:+-c "$4"} -c "INSERT INTO t TABLE k" ${3:+-c "$3"} -c "
SELECT '$1', $2, round(8.0 * (SELECT sum(bytes) FROM existence_info('t', 'v')) / $keys, 2),
    (SELECT count(*) FILTER (WHERE existence_might_contain('t', 'v', v)) FROM o)::float8 / $others" \
		-c "DROP TABLE t"
}
for rate in 0.03 0.01 0.003 0.001 0.0003 0.0001; do
	filter bloom $rate "bloom_agg(v, $keys, $rate)"
	filter 'bloom, classic' $rate "bloom_agg(v, $keys, $rate, 'classic')"
	filter cuckoo $rate "cuckoo_agg(v, $keys, $rate)"
	filter counting_bloom $rate "counting_bloom_agg(v, $keys, $rate)"
	filter scalable_bloom $rate "scalable_bloom_agg(v, 1000, $rate)"
	filter 'scalable_bloom, grown' $rate \
		"scalable_bloom_add_all(scalable_bloom_empty(1000, $rate), array_agg(v))"
	create="CREATE INDEX ON t USING existence (v) WITH (false_positive_rate = $rate)"
	index 'existence index' $rate "$create" ''
	index 'existence index, grown' $rate '' "$create"
done
