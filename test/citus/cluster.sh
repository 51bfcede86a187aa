# cluster.sh: the cluster of test/citus/run, as the unprivileged user
set -eu

. "$W/src/test/lib.sh"
client_env
cd "$W/src/test/citus"

COORDINATOR=7000
WORKERS='7001 7002'
LAST=7002

sql() { psql -X -q -v ON_ERROR_STOP=1 "$@"; }

# node PORT FOLDER: a server of the copy of PostgreSQL in FOLDER
node() {
    "$2$BIN/initdb" -D "$W/data$1" -A trust -U postgres --no-sync --encoding=UTF8 --locale=C >"$W/initdb.log" 2>&1 || {
        cat "$W/initdb.log" >&2
        return 1
    }
    {
        printf '%s\n' "${SERVER_SETTINGS:-}"
        echo "listen_addresses = ''"
        echo "unix_socket_directories = '$W/run'"
        echo "port = $1"
        echo "fsync = off"
        echo "max_connections = 150"
        echo "max_prepared_transactions = 100"
        echo "shared_preload_libraries = 'citus'"
        echo "citus.enable_statistics_collection = off"
        echo "citus.local_hostname = '$W/run'"
        echo "citus.shard_count = 32"
        # cores are few, and each connection is one more process
        echo "citus.max_adaptive_executor_pool_size = 1"
    } >>"$W/data$1/postgresql.conf"
    "$2$BIN/pg_ctl" -s -w -D "$W/data$1" -l "$W/log$1" start >/dev/null || {
        tail -n 5 "$W/log$1" >&2
        return 1
    }
}

# database NAME: on all nodes, which know each other in it
database() {
    for port in $COORDINATOR $WORKERS; do
        PGOPTIONS='-c client_min_messages=error' sql -p "$port" -d postgres -c "CREATE DATABASE $1"
        sql -p "$port" -d "$1" -c 'CREATE EXTENSION citus'
    done
    {
        echo "SELECT citus_set_coordinator_host('$W/run', $COORDINATOR);"
        for port in $WORKERS; do echo "SELECT citus_add_node('$W/run', $port);"; done
    } | sql -p $COORDINATOR -d "$1" -o /dev/null
}

# refused WHAT COMMAND PATTERN: the command's message, on standard error, is counted by
# whether it matches
refused() {
    PGOPTIONS='-c client_min_messages=error' sql -d "$PGDATABASE" -c "$2" >"$W/refused.log" 2>&1 || true
    if grep -q "$3" "$W/refused.log"; then ok=true; else ok=false; fi
    sql -d probds -v what="$1" -v call="$2" -v ok=$ok -v remark="$(head -n 1 "$W/refused.log")" <<'END'
INSERT INTO verdict (ok, call, what, remark) VALUES (:ok, :'call', :'what', :'remark');
END
}

build >"$W/build.log" 2>&1 || { tail -n 20 "$W/build.log"; exit 1; }
# the last worker has files of its own, so that some can be missing there
cp -R "$W/dest" "$W/dest$LAST"
for port in $COORDINATOR $WORKERS; do
    if [ "$port" = $LAST ]; then node "$port" "$W/dest$LAST"; else node "$port" "$W/dest"; fi
done
export PGPORT=$COORDINATOR PGDATABASE=probds
database probds
sql -At -c 'SELECT citus_version()' -c 'SELECT version()'

sql -c 'CREATE EXTENSION citext' -c 'CREATE EXTENSION probds' 2>/dev/null
PGOPTIONS='-c client_min_messages=error' sql -o /dev/null -f setup.sql -f without.sql
# later than the tables
sql -c 'CREATE EXTENSION probds_citus'
sql -f citext.sql
sql -c 'CREATE EXTENSION probds_citext'
PGOPTIONS='-c client_min_messages=error' sql -o /dev/null -f combinations.sql -f cases.sql -f existence.sql -f rollup.sql

# ---------- a worker with other files ----------

lib=$W/dest$LAST$("$PG_CONFIG" --pkglibdir)
extension=$W/dest$LAST$("$PG_CONFIG" --sharedir)/extension

database bare
mv "$lib/probds.so" "$W/kept.so"
refused 'a worker without the library' 'SELECT hll_agg(text) FROM many' 'could not access file ".*probds"'
# a library without what is looked for in it
cp "$lib/citext.so" "$lib/probds.so"
refused 'a worker with another library' 'SELECT hll_agg(text) FROM many' 'could not find function "probds_hll_agg"'
mv "$W/kept.so" "$lib/probds.so"

mv "$extension/probds.control" "$W/kept.control"
PGDATABASE=bare refused 'CREATE EXTENSION where a worker lacks it' 'CREATE EXTENSION probds' 'extension "probds" is not available'
mv "$W/kept.control" "$extension/probds.control"

# in another schema, which is not in the search_path
sql -d bare -c 'CREATE SCHEMA elsewhere' -c 'CREATE EXTENSION probds SCHEMA elsewhere' -c 'CREATE EXTENSION probds_citus SCHEMA elsewhere' 2>/dev/null || true
PGOPTIONS='-c client_min_messages=error' sql -d bare -o /dev/null <<'END'
CREATE TABLE hit (id int, v text);
SELECT create_distributed_table('hit', 'id');
INSERT INTO hit SELECT i % 50, 'value ' || i FROM generate_series(1, 1000) i;
CREATE TABLE answer AS SELECT elsewhere.hll_cardinality(elsewhere.hll_agg(v, 16)) AS n, elsewhere.bloom_contains(elsewhere.bloom_agg(v, 1000), 'value 7') AS has FROM hit;
END
sql -c "INSERT INTO verdict (ok, call, what) VALUES ('$(sql -d bare -At -c 'SELECT n BETWEEN 990 AND 1010 AND has FROM answer')', 'elsewhere.hll_agg(v, 16)', 'in another schema')"

# ---------- the page of the documentation ----------

database page
PATH=$BIN:$PATH PGDATABASE=page perl page.pl ../../doc/recipes/several_machines.md >"$W/blocks"
sql -c "COPY verdict (ok, call, remark) FROM STDIN" <"$W/blocks"
sql -c "UPDATE verdict SET what = 'several_machines.md' WHERE what IS NULL"

# ---------- the report ----------

sql -At -v table="$W/table.md" -f report.sql
cat "$W/table.md"
# with --write this goes into the page
if [ -z "${WRITE:-}" ]; then
    awk '/^<!-- table: citus -->/ { on = 1; next } /^<!-- end -->/ { on = 0 } on && /^[|]/' ../../doc/recipes/several_machines.md >"$W/page.md"
    ok=true
    diff "$W/page.md" "$W/table.md" >"$W/page.diff" || { ok=false; echo 'not ok - several_machines.md has another table:'; cat "$W/page.diff"; }
    sql -c "INSERT INTO verdict (ok, call, what) VALUES ($ok, 'the table', 'several_machines.md')"
fi
sql -At <<'END' | tee "$W/counts"
SELECT format('%s passed, %s failed', count(*) FILTER (WHERE ok), count(*) FILTER (WHERE NOT ok)) FROM verdict;
END
grep -q ' 0 failed$' "$W/counts"
