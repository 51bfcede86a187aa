#!/bin/sh
# hll_redis_test.sh: against Redis itself: keys come here, grow here, and go back
#
# Wants redis-server and redis-cli; without these it is skipped.  Debian's redis-tools is enough:
# redis-check-rdb is the server under another name, and the package redis-server would start a
# service.  The Redis server is its own, on a socket in a temporary folder.
set -eu

. "$(dirname "$0")/database.sh"

program=$(command -v redis-server || command -v redis-check-rdb || true)
if [ -z "$program" ] || ! command -v redis-cli >/dev/null; then
    echo "ok # SKIP redis-server is not installed"
    exit 0
fi

own_database
ln -s "$program" "$W/redis-server"
"$W/redis-server" --port 0 --unixsocket "$W/socket" --dir "$W" --save '' --daemonize no >"$W/log" 2>&1 &
redis=$!
trap 'kill "$redis" 2>/dev/null || true; finish' EXIT
r() { redis-cli -s "$W/socket" "$@"; }
# as long as it lives
until [ "$(r PING 2>/dev/null)" = PONG ]; do
    grep -q '^State:[[:blank:]]*[^Z]' "/proc/$redis/status" 2>/dev/null || { cat "$W/log"; echo "not ok - redis-server does not start"; exit 1; }
    sleep 0.1
done

sql -c 'CREATE EXTENSION probds; CREATE TABLE k (key text PRIMARY KEY, s hll)'

rc=0
# is WHAT GOT WANT
is() {
    if [ "$2" = "$3" ]; then
        echo "ok - Redis: $1"
    else
        echo "not ok - Redis: $1: $2, not $3"
        rc=1
    fi
}

# Strings travel as hexadecimal digits
get() { r EVAL "return (string.gsub(redis.call('GET', KEYS[1]), '.', function(c) return string.format('%02x', string.byte(c)) end))" 1 "$1"; }
set_hex() { r EVAL "return redis.call('SET', KEYS[1], (string.gsub(ARGV[1], '..', function(h) return string.char(tonumber(h, 16)) end)))" 1 "$1" "$2" >/dev/null; }
# pfadd KEY FROM TO [STEP]: values "value FROM" and so on
pfadd() { r EVAL "for i = ARGV[1], ARGV[2], ARGV[3] do redis.call('PFADD', KEYS[1], 'value ' .. string.format('%d', i)) end" 1 "$1" "$2" "$3" "${4:-1}" >/dev/null; }
# what encoding a string of hexadecimal digits is in
encoding() { case $1 in 48594c4c00*) echo dense ;; 48594c4c01*) echo sparse ;; *) echo none ;; esac; }
# the registers in hexadecimal digits, without the head and its cached number
tail_of() { echo "$1" | cut -c33-; }

echo "# $("$W/redis-server" --version | cut -d' ' -f1-3)"
for n in 1 10 100 1000 1700 2500 10000 100000; do
    more=$((n + n / 2 + 1))
    pfadd "a$n" 1 "$n"
    hex=$(get "a$n")
    sql -c "INSERT INTO k VALUES ('a$n', hll_from_redis('\\x$hex'))"
    # the estimators differ by a little: 0.3 % and 1 are wide enough
    is "$n values, $(encoding "$hex"): the estimate here is near PFCOUNT" \
        "$(sql -c "SELECT abs((#s) - $(r PFCOUNT "a$n")) <= 1 + 0.003 * $n FROM k WHERE key = 'a$n'")" t
    # out again at once
    out=$(sql -c "SELECT encode(hll_to_redis(s), 'hex') FROM k WHERE key = 'a$n'")
    is "$n values come back in the same bytes" "$(tail_of "$out")" "$(tail_of "$hex")"

    # more values here, and all of them on a server that never gave them away
    sql -c "UPDATE k SET s = hll_add_all(s, (SELECT array_agg('value ' || i) FROM generate_series($n / 2 + 1, $more) i)) WHERE key = 'a$n'"
    out=$(sql -c "SELECT encode(hll_to_redis(s), 'hex') FROM k WHERE key = 'a$n'")
    set_hex "b$n" "$out"
    pfadd "c$n" 1 "$more"
    is "$more values, the last of them added here, $(encoding "$out"): PFCOUNT" "$(r PFCOUNT "b$n")" "$(r PFCOUNT "c$n")"
    is "$more values: the same registers" \
        "$(sql -c "SELECT s = hll_from_redis('\\x$(get "c$n")') FROM k WHERE key = 'a$n'")" t
    # and Redis continues with what it got
    pfadd "b$n" "$more" $((2 * more))
    pfadd "c$n" "$more" $((2 * more))
    is "$((2 * more)) values, the last of them added there: PFCOUNT" "$(r PFCOUNT "b$n")" "$(r PFCOUNT "c$n")"
done

# unions here and there, of dense and sparse ones
pfadd u1 1 300
pfadd u2 200 30000
pfadd u3 1 60000 7
r PFMERGE u u1 u2 u3 >/dev/null
is "a union of three: the same registers as PFMERGE" \
    "$(sql -c "SELECT hll_merge_agg(s) = hll_from_redis('\\x$(get u)') FROM (VALUES (hll_from_redis('\\x$(get u1)')), (hll_from_redis('\\x$(get u2)')), (hll_from_redis('\\x$(get u3)'))) v(s)")" t
out=$(sql -c "SELECT encode(hll_to_redis(hll_merge_agg(s)), 'hex') FROM (VALUES (hll_from_redis('\\x$(get u1)')), (hll_from_redis('\\x$(get u2)')), (hll_from_redis('\\x$(get u3)'))) v(s)")
set_hex v "$out"
is "a union of three: PFCOUNT" "$(r PFCOUNT v)" "$(r PFCOUNT u)"

# bytes that are no text
r EVAL "for i = 0, 255 do redis.call('PFADD', KEYS[1], string.char(i) .. '\\0' .. string.char(255 - i)) end" 1 bytes >/dev/null
is "values with all bytes" \
    "$(sql -c "SELECT hll_add_all(hll_from_redis('\\x48594c4c0100000000000000000000007fff', 'bytea'), (SELECT array_agg(set_byte(set_byte('\\x000000', 0, i), 2, 255 - i)) FROM generate_series(0, 255) i)) = hll_from_redis('\\x$(get bytes)', 'bytea')")" t
# a key of nothing, and the empty string as a value
r PFADD nothing >/dev/null
is "a key of nothing" "$(sql -c "SELECT encode(hll_to_redis(hll_from_redis('\\x$(get nothing)')), 'hex')" | cut -c33-)" "$(tail_of "$(get nothing)")"
r PFADD empty '' >/dev/null
is "the empty string counts" "$(sql -c "SELECT hll_add(hll_from_redis('\\x$(get nothing)'), '') = hll_from_redis('\\x$(get empty)')")" t

exit $rc
