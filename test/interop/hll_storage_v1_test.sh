#!/bin/sh
# hll_storage_v1_test.sh: against postgresql-hll itself, in the same database
#
# Wants a running server, found as psql finds it (PGHOST, PGPORT, PGUSER), with this
# extension installed, and the extension hll available there (Debian:
# postgresql-NN-hll); without that it is skipped.  Everything happens in a database
# of its own, probds_interop, which is dropped at the end.
set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
PATH=${BIN:+$BIN:}$PATH
from=${PGDATABASE:-postgres}

sql() { psql -X -q -v ON_ERROR_STOP=1 "$@"; }

if [ "$(sql -At -d "$from" -c "SELECT count(*) FROM pg_available_extensions WHERE name = 'hll'")" = 0 ]; then
    echo "ok # SKIP postgresql-hll is not installed"
    exit 0
fi

drop() { PGOPTIONS='-c client_min_messages=warning' sql -d "$from" -c 'DROP DATABASE IF EXISTS probds_interop'; }
drop
sql -d "$from" -c 'CREATE DATABASE probds_interop TEMPLATE template0'
trap drop EXIT
export PGDATABASE=probds_interop

rc=0
sql -At -v "trials=${TRIALS:-500}" -f "$HERE/hll_storage_v1.sql" || rc=1
[ $rc = 0 ] || echo "not ok - hll_storage_v1.sql ended early"
[ "$(sql -At -c 'SELECT coalesce(bool_and(ok), false) FROM verdict')" = t ] && [ $rc = 0 ]
