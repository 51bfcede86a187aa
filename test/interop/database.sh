# database.sh: a database for one test of this folder; sourced by sh
#
# The server is found as psql finds it (PGHOST, PGPORT, PGUSER) and has the extension installed.
# Tests run side by side, so the name of the database has the number of the process.

HERE=$(cd "$(dirname "$0")" && pwd)
PATH=${BIN:+$BIN:}$PATH
from=${PGDATABASE:-postgres}

sql() { psql -X -q -At -v ON_ERROR_STOP=1 "$@"; }

finish() {
    PGOPTIONS='-c client_min_messages=warning' \
        sql -d "$from" -c "DROP DATABASE IF EXISTS probds_interop_$$"
    rm -rf "$W"
}

# own_database [OPTIONS]: with these of CREATE DATABASE; and a folder, W.  Both are gone at the end
own_database() {
    W=$(mktemp -d "${PROBDS_TMP:-/tmp}/probds-interop.XXXXXX")
    trap finish EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    sql -d "$from" -c "CREATE DATABASE probds_interop_$$ TEMPLATE template0 ${1:-}"
    export PGDATABASE="probds_interop_$$"
}
