# inner.sh: test/hostile, as the unprivileged user, in the copy
set -eu
N=$1
SEED=$2
PART=${PART:-250}

. "$W/src/test/lib.sh"
client_env
cd "$W/src"

# without PostgreSQL's -fwrapv, which would hide signed overflow
build COPT="-fno-wrapv $SANITIZE" with_llvm=no >"$W/build.log" 2>&1 || { cat "$W/build.log" >&2; exit 1; }
mkdir "$W/payloads"
test/hostile.d/payloads "$W/payloads" "$N" "$SEED"
server_start 'jit = off' 'max_parallel_workers_per_gather = 0' 'log_min_messages = log' \
    'log_min_error_statement = panic' 'autovacuum = off' 'log_checkpoints = off' || exit 1

sql() { "$BIN/psql" -X -q -At -v ON_ERROR_STOP=1 "$@"; }

# wait for the server after a backend has died
recovered() {
    n=0
    until sql -c 'SELECT 1' >/dev/null 2>&1 || [ $n -gt 50 ]; do
        sleep 1
        n=$((n + 1))
    done
}

sql -c 'CREATE EXTENSION probds' -f test/hostile.d/setup.sql
for file in "$W"/payloads/*.hex; do
    target=$(basename "$file" .hex)
    case $target in
        *_foreign) foreigner=true ;;
        *) foreigner=false ;;
    esac
    sql -c "ALTER TABLE payload ALTER type SET DEFAULT '${target%_foreign}', ALTER foreigner SET DEFAULT $foreigner" \
        -c "\\copy payload (bytes) FROM '$file'"
done
sql -c 'ANALYZE payload'

# parts, so that a backend that dies does not take all with it
died=0
for part in $(sql -F , -c "SELECT type, first, least(last, first + $PART - 1)
    FROM (SELECT type, min(id) AS least, max(id) AS last FROM payload GROUP BY type, foreigner) t, generate_series(least, last, $PART) first"); do
    type=${part%%,*}
    range=${part#*,}
    rc=0
    sql -c "SELECT attack('$type', $range, '$W/tmp')" >"$W/part.log" 2>&1 || rc=$?
    [ $rc = 0 ] || {
        died=$((died + 1))
        echo "not ok - $type, payloads $range: $(tail -n 1 "$W/part.log")"
        recovered
    }
done

# every function, called with what nobody means, in sessions of N / 20 calls of each
sql -c 'CREATE EXTENSION citext' -c 'CREATE EXTENSION probds_citext' -c 'CREATE EXTENSION probds_hll' -f test/hostile.d/direct.sql
for part in $(seq 20); do
    sql -c "SET client_min_messages = error; SELECT setseed(($SEED * 20 + $part) % 10000 / 10000.0)" \
        -c "SELECT direct($(((N + 19) / 20)))" >"$W/part.log" 2>&1 || {
        died=$((died + 1))
        echo "not ok - direct calls, part $part: $(tail -n 1 "$W/part.log")"
        recovered
    }
done
# what the sanitizers say, or an assertion, with the payload before it
said='ERROR: AddressSanitizer|runtime error:|^TRAP:|terminated by signal|detected write past chunk'
grep -a -E -A 25 -B 1 "$said" "$W/server.log" | head -n 400 || true
reports=$(grep -a -c -E "$said" "$W/server.log" || true)
sql -c 'SELECT * FROM verdict()' -c 'SELECT * FROM direct_verdict()' >"$W/verdict"
server_stop
grep -v '^[0-9]* passed, ' "$W/verdict"
echo "# sanitizers and assertions: $reports lines; parts that died: $died"
passed=$(grep -c '^ok ' "$W/verdict" || true)
failed=$(($(grep -c '^not ok ' "$W/verdict" || true) + died + (reports > 0)))
echo "$passed passed, $failed failed"
[ $failed = 0 ]
