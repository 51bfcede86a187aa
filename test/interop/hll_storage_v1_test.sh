#!/bin/sh
# hll_storage_v1_test.sh: against postgresql-hll itself, in the same database
#
# Without the extension hll it is skipped (Debian: postgresql-NN-hll).
set -eu

. "$(dirname "$0")/database.sh"

if [ "$(sql -d "$from" -c "SELECT count(*) FROM pg_available_extensions WHERE name = 'hll'")" = 0 ]; then
    echo "ok # SKIP postgresql-hll is not installed"
    exit 0
fi

own_database

rc=0
sql -v "trials=${TRIALS:-500}" -f "$HERE/hll_storage_v1.sql" || rc=1
[ $rc = 0 ] || echo "not ok - hll_storage_v1.sql ended early"
[ "$(sql -c 'SELECT coalesce(bool_and(ok), false) FROM verdict')" = t ] && [ $rc = 0 ]
