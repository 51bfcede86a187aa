# lib-stages.sh: the stages of test/run, as the unprivileged user, in the copy
#
# A stage writes what it has to say to $log and says with "tally" how it went.
# Only the log of a stage that failed is shown.
set -eu

. "$W/src/test/lib.sh"
client_env
cd "$W/src"

passed=0
failed=0
skipped=0
broken=

now() { date +%s.%N; }

# result NAME PASSED FAILED SKIPPED [REMARK]: count, and print a stage's line
result() {
    passed=$((passed + $2))
    failed=$((failed + $3))
    skipped=$((skipped + $4))
    seconds=$(echo "$(now) $started" | awk '{printf "%.1f", $1 - $2}')
    what="$2 passed"
    [ "$3" = 0 ] || what="$what, $3 FAILED"
    [ "$4" = 0 ] || what="$what, $4 skipped"
    printf '%-10s %-36s %6s s  %s\n' "$1" "$what" "$seconds" "${5:-}"
    [ "$3" = 0 ] || broken="$broken $1"
}

skip() { result "$1" 0 0 1 "$2"; }

# show FILE [LINES]: what a failed stage said
show() {
    [ -s "$1" ] || return 0
    head -n "${2:-200}" "$1" | sed 's/^/    /'
    [ "$(wc -l <"$1")" -le "${2:-200}" ] || echo "    ... ($(wc -l <"$1") lines)"
}

# tally NAME STATUS LOG [REMARK]: count "N passed, N failed" lines, or else "ok" and
# "not ok" lines.  A program that died is a failure whatever it printed.
tally() {
    counts=$(awk -v rc="$2" '
        /^[0-9]+ passed, [0-9]+ failed/ {
            sp += $1; sf += $3; sums++
            if (match($0, /[0-9]+ skipped/)) ss += substr($0, RSTART)
        }
        /^not ok / && !/# TODO/ { f++; next }
        # a file that died, beside others where tests failed
        /^ *Parse errors: No plan found/ { f++; next }
        /^ok .*# SKIP/ { s++; next }
        /^ok / { p++ }
        END {
            if (sums) { p = sp; f = sf; s = ss }
            if (rc != 0 && f == 0) f = 1
            print p + 0, f + 0, s + 0
        }' "$3")
    set -- "$1" "$2" "$3" $counts "${4:-}"
    result "$1" "$4" "$5" "$6" "$7"
    [ "$5" != 0 ] || return 0
    # what failed and what was said about it; all of it when that is nothing
    grep '^not ok\|^ *#\|[eE][rR][rR][oO][rR]:\|[wW]arning:\|^[0-9]* passed, [1-9]' "$3" >"$3.bad" || cp "$3" "$3.bad"
    show "$3.bad"
}

# a stage whose program is a script of its own
script_stage() {
    [ -e "test/$1/run" ] || { skip "$1" "no test/$1/run"; return; }
    rc=0
    "test/$1/run" >"$log" 2>&1 || rc=$?
    tally "$1" $rc "$log"
}

stage_lint() {
    need_build
    rc=0
    for t in test/lint/*.sh; do
        PG_CONFIG="$PG_CONFIG" sh "$t" || rc=1
    done >"$log" 2>&1
    tally lint $rc "$log"
}

stage_unit() {
    rc=0
    make -s -k -j "$(jobs)" build-unit ${COVERAGE:+UNIT_CFLAGS='-g -O0 --coverage'} >"$log" 2>&1 || rc=1
    for t in build/unit/*_test; do
        [ -x "$t" ] || continue
        # LeakSanitizer needs ptrace, which containers forbid
        { ASAN_OPTIONS=detect_leaks=0 "$t" >"$t.log" 2>&1 || echo "# ${t##*/}: status $?" >>"$t.log"; } &
    done
    wait
    for t in build/unit/*_test.log; do
        [ -e "$t" ] || continue
        ! grep -q '^# .*_test: status ' "$t" || rc=1
        echo "# $(basename "$t" .log)"
        cat "$t"
    done >>"$log"
    tally unit $rc "$log"
}

# NAME_test.c is linked with libNAME, if its header is here.  NAME_test.sh finds
# a server by the PG* variables; what it lacks it reports as "ok # SKIP".
stage_interop() {
    rc=0
    : >"$log"
    mkdir -p build/interop
    for t in test/interop/*_test.c; do
        [ -e "$t" ] || continue
        lib=$(basename "$t" _test.c)
        if ! echo "#include <$lib.h>" | cc -E - >/dev/null 2>&1; then
            echo "0 passed, 0 failed, 1 skipped: $lib.h is not installed" >>"$log"
            continue
        fi
        {
            make -s build-unit && cc -std=c11 -Wall -Wextra -Werror -g -O1 \
                -fsanitize=address,undefined -Isrc -Itest/unit -o "build/interop/$lib" "$t" \
                $(find build/unit -name '*.o') "-l$lib" -lm &&
                ASAN_OPTIONS=detect_leaks=0 "build/interop/$lib"
        } >>"$log" 2>&1 || rc=$?
    done
    for t in test/interop/*_test.sh; do
        [ -e "$t" ] || continue
        need_server || break
        sh "$t" >"$log.sh" 2>&1 || rc=$?
        cat "$log.sh" >>"$log"
        # a script may only say "ok" and "not ok"
        grep -q '^[0-9]* passed, [0-9]* failed' "$log.sh" ||
            awk '/^ok .*# SKIP/ { s++; next } /^ok / { p++ } /^not ok / { f++ }
                END { printf "%d passed, %d failed, %d skipped\n", p, f, s }' "$log.sh" >>"$log"
    done
    tally interop $rc "$log" "$(sed -n 's/^0 passed, 0 failed, 1 skipped: //p' "$log")"
}

stage_fuzz() { script_stage fuzz; }
stage_accuracy() { script_stage accuracy; }

# --- what needs the server -----------------------------------------------------

# The extension, built without a warning and installed below $W/dest
need_build() {
    [ -z "${built:-}" ] || return 0
    built=failed
    started=$(now)
    rc=0
    if [ -n "${COVERAGE:-}" ]; then
        build PG_CFLAGS=-Werror COPT='-O0 --coverage' PG_LDFLAGS=--coverage with_llvm=no >"$W/build.log" 2>&1 || rc=$?
    else
        build PG_CFLAGS=-Werror >"$W/build.log" 2>&1 || rc=$?
    fi
    if [ $rc = 0 ]; then
        built=ok
        result build 1 0 0 "$("$PG_CONFIG" --version)"
    else
        result build 0 1 0
        show "$W/build.log"
    fi
    started=$(now)
}

need_server() {
    need_build
    [ "$built" = ok ] || return 1
    [ -z "${server:-}" ] || [ "$server" = ok ] || return 1
    [ -z "${server:-}" ] || return 0
    server=failed
    if server_start >"$W/start.log" 2>&1; then
        server=ok
    else
        result server 0 1 0
        show "$W/start.log"
        return 1
    fi
}

check() { make -s -k PG_CONFIG="$PG_CONFIG" $PG_MAKE installcheck "$@"; }

# pg_regress says "test x ... ok" up to 15, "ok 1 - x" from 16 on
pg_regress_result() {
    sed -n -e 's/^test  *//' \
        -e 's/^ *\([^ ]*\) *\.\.\. ok.*/ok - \1/' \
        -e 's/^ *\([^ ]*\) *\.\.\. .*FAILED.*/not ok - \1/' \
        -e '/^ok /p' -e '/^not ok /p' "$log" >"$log.tests"
    [ $2 = 0 ] || [ -s "$3" ] || cat "$log" >>"$log.tests"
    tally "$1" "$2" "$log.tests"
    [ $2 = 0 ] || show "$3" 400
}

stage_regress() {
    ls sql/*.sql >/dev/null 2>&1 || { skip regress "no sql/*.sql"; return; }
    need_server || return 0
    rc=0
    check TAP_TESTS= ISOLATION= ${TESTS:+REGRESS="$TESTS"} >"$log" 2>&1 || rc=$?
    pg_regress_result regress $rc regression.diffs
}

stage_golden() {
    need_server || return 0
    script_stage golden
}

stage_isolation() {
    ls test/isolation/specs/*.spec >/dev/null 2>&1 || return 0
    [ -e "$(dirname "$("$PG_CONFIG" --pgxs)")/../test/isolation/pg_isolation_regress" ] || {
        skip isolation "this PostgreSQL comes without pg_isolation_regress"
        return
    }
    need_server || return 0
    rc=0
    check TAP_TESTS= REGRESS= >"$log" 2>&1 || rc=$?
    pg_regress_result isolation $rc output_iso/regression.diffs
}

stage_tap() {
    ls test/t/*.pl >/dev/null 2>&1 || { skip tap "no test/t/*.pl"; return; }
    need_build
    [ "$built" = ok ] || return 0
    server_conf >"$W/tap.conf"
    rc=0
    # (DATA is a name of the Makefile's)
    TEMP_CONFIG="$W/tap.conf" PROBDS_DATA="$DATA" \
        PROBDS_INCLUDE="$(echo "$PG_MAKE" | sed -n 's/.*includedir_server=\([^ ]*\).*/\1/p')" check REGRESS= ISOLATION= PROVE_FLAGS=--verbose >"$log" 2>&1 || rc=$?
    tally tap $rc "$log"
    [ $rc = 0 ] || for f in tmp_check/log/regress_log_*; do
        # a test that died says why only in its own log
        ! tail -n 1 "$f" | grep -q 'test exited with' || {
            echo "    --- ${f##*/}"
            grep -v '^###\|^# Running\|^waiting\|^done\|^server st' "$f" | tail -n 20 | sed 's/^/    /'
        }
    done
}

stage_data() {
    [ -e test/data/run ] || { skip data "no test/data/run"; return; }
    [ -n "$DATA" ] || { skip data "the real data is not here (../shared/data)"; return; }
    need_server || return 0
    rc=0
    DATA="$DATA" test/data/run >"$log" 2>&1 || rc=$?
    tally data $rc "$log"
}

for stage in "$@"; do
    log=$W/$stage.log
    started=$(now)
    "stage_$stage"
done
[ "${server:-}" != ok ] || server_stop || true

# which lines were run, for test/coverage
[ -z "${COVERAGE:-}" ] || gcovr --root . --filter 'src/' .

[ -z "$broken" ] || {
    echo "failed:$broken"
    # what there is to look at, for a caller that keeps it
    [ -z "${LOGS:-}" ] || for f in "$W"/*.log regression.diffs output_iso tmp_check/log; do
        [ ! -e "$f" ] || cp -r "$f" "$LOGS/"
    done
}
if [ $skipped = 0 ]; then echo "$passed passed, $failed failed"
else echo "$passed passed, $failed failed, $skipped skipped"
fi
[ $failed = 0 ] && [ $passed -gt 0 ]
