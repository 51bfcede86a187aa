#!/bin/sh
# exports.sh: what the library shows to the dynamic linker
#
# If a function of ours had the name of one of the server's, the server's would silently replace
# it.  (The server exports bloom_create, initHyperLogLog, ...)  Between two extensions, the
# library that was loaded first wins.  So everything is hidden except the entry points, and
# these carry our prefix.
cd "$(dirname "$0")/../.." || exit 1
so=${PROBDS_SO:-probds.so}
pg_config=${PG_CONFIG:-pg_config}

if [ ! -e "$so" ]; then
    echo "ok - exports # SKIP $so is not built"
    exit 0
fi

rc=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
exported=$tmp/exported
declared=$tmp/declared
nm -D --defined-only "$so" | awk '{ print $NF }' | sort >"$exported"

strangers=$(grep -v -x -E \
    'Pg_magic_func|_PG_init|pg_finfo_probds_[a-z0-9_]+|probds_[a-z0-9_]+' "$exported" | tr '\n' ' ')
if [ -z "$strangers" ]; then
    echo "ok - exports: $(grep -c '^probds_' "$exported") entry points and nothing else"
else
    echo "not ok - exports: $strangers"
    rc=1
fi

# an entry point of C without a declaration in SQL, or the other way round
version=$(sed -n "s/^default_version *= *'\(.*\)'/\1/p" probds.control)
if [ -e "$(dirname "$so")/probds--$version.sql" ]; then
    sed -n "s/.*'MODULE_PATHNAME', '\(probds_[a-z0-9_]*\)'.*/\1/p" \
        "$(dirname "$so")"/probds*--"$version".sql | sort -u >"$declared"
    odd=$(grep '^probds_' "$exported" |
        comm -3 - "$declared" | tr -s '\t\n' ' ')
    if [ -z "$odd" ]; then
        echo "ok - exports: C entry points and SQL declarations are the same set"
    else
        echo "not ok - exports: in C or in SQL only: $odd"
        rc=1
    fi
fi

server=$("$pg_config" --bindir 2>/dev/null)/postgres
if [ ! -e "$server" ]; then
    echo "ok - exports and the server's # SKIP no server to compare with"
    exit $rc
fi
# Pg_magic_func and _PG_init are not the server's, so any hit is a clash
both=$(nm -D --defined-only "$server" | awk '{ print $NF }' | sort |
    comm -12 - "$exported" | tr '\n' ' ')
if [ -z "$both" ]; then
    echo "ok - exports: no name that the server exports too"
else
    echo "not ok - exports: the server has these too: $both"
    rc=1
fi
exit $rc
