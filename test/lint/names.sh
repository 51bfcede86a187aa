#!/bin/sh
# names.sh: the old name of nothing that was renamed before 1.0 is left in SQL, tests, pages, packages
# or clients
#
# What a user never calls begins with "_", so without it the name is an old one.  The others are
# patterns of grep -E.
cd "$(dirname "$0")/../.." || exit 1

files() {
    find README.md CONTRIBUTING.md META.json src sql expected doc demo test clients packaging -type f \
        ! -name '*.[chod]' ! -name '*.so' ! -name '*.svg' ! -name '*--*.sql' ! -path 'doc/pictures/*' \
        ! -path test/lint/names.sh
}

# offenders FILE...: the lines that have an old name
offenders() {
    internal=$(sed -nE 's/^CREATE (OR REPLACE )?(FUNCTION|AGGREGATE) _([a-z0-9_]+)\(.*/\3/p' \
        $(find src -name '*.sql') | sort -u | paste -sd '|' -)
    types='hll|bloom|cms|topk|cuckoo|counting_bloom|scalable_bloom|minhash|ddsketch|fuse'
    grep -nHE "(^|[^A-Za-z0-9_])($internal)\(|design_rate|[a-z]_[a-z]+\((a|filter) ($types)|\
, count bigint|hll_agg_any|\"error\": [0-9]+, \"frequency\"" "$@" /dev/null
}

rc=0
found=$(offenders $(files) | cut -c1-160)
if [ -z "$found" ]; then
    echo "ok - names: no old name is left"
else
    echo "not ok - names: old names: $found"
    rc=1
fi

# it finds what is left
bad=$(mktemp)
trap 'rm -f "$bad"' EXIT
printf '%s\n' 'SELECT hll_step(NULL, 1);' 'SELECT (bloom_info(b)).design_rate' \
    '### hll_merge(a hll, b hll)' '### cms_add(cms, value [, count bigint])' >"$bad"
if [ "$(offenders "$bad" | wc -l)" = 4 ]; then
    echo "ok - names: old names are found"
else
    echo "not ok - names: old names are found"
    rc=1
fi
exit $rc
