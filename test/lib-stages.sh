# lib-stages.sh: the stages of test/run, as the unprivileged user, in the copy
#
# A stage writes what it has to say to $log, has it judged, part by part, and ends with
# end_stage: see lib-report.sh.  Only of parts that failed is anything shown.
set -eu

. "$W/src/test/lib.sh"
. "$W/src/test/lib-report.sh"
client_env
cd "$W/src"

# When to give up waiting for a server or a session: none of these decides what a test
# says, unless something hangs
export PGCTLTIMEOUT=1800 PG_TEST_TIMEOUT_DEFAULT=1800 PGISOLATIONTIMEOUT=1800

# an error in the runner itself
ended_early() {
    rc=$?
    [ -n "${finished:-}" ] || {
        echo "the runner ended in the middle of the stage $stage, with status $rc:"
        [ ! -e "$log" ] || tail -n 20 "$log" | sed 's/^/    /'
        echo "$passed passed, $((failed + 1)) failed"
        [ $rc != 0 ] || rc=1
    }
    exit $rc
}
stage=
log=$W/none
trap ended_early EXIT

# part NAME COMMAND...: run it and have it judged
part() {
    name=$1 log=$W/$stage.$(basename "$1").log
    shift
    rc=0
    "$@" >"$log" 2>&1 || rc=$?
    judge "$name" $rc "$log"
}

# at_once FILE...: run programs, as many at a time as there are CPUs, and have each judged
at_once() {
    # LeakSanitizer needs ptrace, which containers forbid
    printf '%s\n' "$@" | ASAN_OPTIONS=detect_leaks=0 xargs -P "$(jobs)" -n 1 sh -c '
        out=$0.${1##*/}
        case $1 in *.sh) set -- sh "$1" ;; esac
        { "$@" >"$out.log" 2>&1 && echo 0 || echo $?; } >"$out.status"' "$W/$stage"
    for t in "$@"; do
        judge "$t" "$(cat "$W/$stage.${t##*/}.status")" "$W/$stage.${t##*/}.log"
    done
}

# a stage whose program is a script of its own
script_stage() {
    [ -e "test/$1/run" ] || { skip "$1" "no test/$1/run"; return; }
    part "test/$1/run" "test/$1/run"
    end_stage "$1"
}

# of the runner itself: what it shows of tests that fail
stage_runner() { script_stage runner; }

stage_lint() {
    need_build
    export PG_CONFIG
    for t in test/lint/*.sh; do
        part "$t" sh "$t"
    done
    end_stage lint
}

stage_unit() {
    rc=0
    make -s -k -j "$(jobs)" build-unit ${COVERAGE:+UNIT_CFLAGS='-g -O0 --coverage'} \
        >"$log" 2>&1 || rc=$?
    [ $rc = 0 ] || judge 'make build-unit' $rc "$log"
    at_once $(find build/unit -name '*_test' | sort) \
        $([ ! -x build/unit/probds ] || echo test/unit/command_test.sh)
    end_stage unit
}

# interop_c LIBRARY: its test against our code
interop_c() {
    make -s build/unit/libpure.a && cc -std=c11 -Wall -Wextra -Werror -g -O1 \
        -fsanitize=address,undefined -iquote src/base $(printf -- "-iquote %s " src/sketch/*) \
        -iquote test/unit -o "build/interop/$1" "test/interop/$1_test.c" build/unit/libpure.a \
        "-l$1" -lm && ASAN_OPTIONS=detect_leaks=0 "build/interop/$1"
}

# NAME_test.c is linked with libNAME, if its header is here.  What NAME_test.sh lacks it reports as
# "ok # SKIP".
stage_interop() {
    mkdir -p build/interop
    for t in test/interop/*_test.c; do
        [ -e "$t" ] || continue
        lib=$(basename "$t" _test.c)
        if echo "#include <$lib.h>" | cc -E - >/dev/null 2>&1; then
            part "$t" interop_c "$lib"
        else
            echo "1..0 # SKIP $lib.h is not installed" >"$log"
            judge "$t" 0 "$log"
        fi
    done
    ! need_server || at_once test/interop/*_test.sh
    end_stage interop
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
        build PG_CFLAGS=-Werror COPT='-O0 --coverage' PG_LDFLAGS=--coverage with_llvm=no \
            >"$W/build.log" 2>&1 || rc=$?
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
    # when autovacuum comes depends on how long the tests take
    if server_start 'autovacuum = off' >"$W/start.log" 2>&1; then
        server=ok
    else
        result server 0 1 0
        show "$W/start.log"
        return 1
    fi
}

check() { make -s -k PG_CONFIG="$PG_CONFIG" $PG_MAKE installcheck "$@"; }

# Twice as many files at a time as there are CPUs, so that no CPU waits for the last ones.  Each
# process has a database of its own, in which no snapshot of another one holds back a vacuum.
stage_regress() {
    ls sql/*.sql >/dev/null 2>&1 || { skip regress "no sql/*.sql"; return; }
    need_server || return 0
    tests=$(for t in ${TESTS:-$(basename -s .sql sql/*.sql)}; do
        echo "$(stat -c %s "sql/$t.sql" 2>/dev/null || echo 0) $t"
    done | sort -rn | cut -d ' ' -f 2)
    many=$((2 * $(jobs)))
    rc=0
    for i in $(seq "$many"); do
        some=$(echo "$tests" | awk -v i="$i" -v many="$many" 'NR % many == i % many' | sort)
        [ -n "$some" ] || continue
        # some tests copy to results
        mkdir -p "build/regress.$i" results
        { check TAP_TESTS= ISOLATION= REGRESS="$(echo $some)" CONTRIB_TESTDB="regression_$i" \
            EXTRA_REGRESS_OPTS="--outputdir=$PWD/build/regress.$i" >"$log.$i.part" 2>&1 ||
            touch "$log.failed"; } &
    done
    wait
    cat "$log".*.part >"$log"
    cat build/regress.*/regression.diffs >regression.diffs 2>/dev/null || true
    [ ! -e "$log.failed" ] || rc=1
    judge_pg_regress $rc "$log" regression.diffs
    end_stage regress
}

stage_golden() {
    need_server || return 0
    script_stage golden
}

stage_isolation() {
    ls test/isolation/specs/*.spec >/dev/null 2>&1 || return 0
    need_server || return 0
    rc=0
    check TAP_TESTS= REGRESS= >"$log" 2>&1 || rc=$?
    judge_pg_regress $rc "$log" output_iso/regression.diffs
    end_stage isolation
}

stage_tap() {
    ls test/t/*.pl >/dev/null 2>&1 || { skip tap "no test/t/*.pl"; return; }
    need_build
    [ "$built" = ok ] || return 0
    server_conf >"$W/tap.conf"
    rc=0
    # (DATA is a name of the Makefile's)
    TEMP_CONFIG="$W/tap.conf" PROBDS_DATA="$DATA" \
        PROBDS_INCLUDE="$(echo "$PG_MAKE" | sed -n 's/.*includedir_server=\([^ ]*\).*/\1/p')" \
        check REGRESS= ISOLATION= ${PROVE_TESTS:+PROVE_TESTS="$PROVE_TESTS"} \
        PROVE="$W/src/test/prove.sh" PROVE_FLAGS='--verbose --merge' >"$log" 2>&1 || rc=$?
    judge_tap $rc "$log" tmp_check/log
    end_stage tap
}

stage_data() {
    [ -e test/data/run ] || { skip data "no test/data/run"; return; }
    [ -n "$DATA" ] || { skip data "the real data is not here (../shared/data)"; return; }
    need_server || return 0
    export DATA
    part test/data/run test/data/run
    end_stage data
}

for stage in "$@"; do
    log=$W/$stage.log
    begin_stage
    "stage_$stage"
done
[ "${server:-}" != ok ] || server_stop || true

# which lines were run, for test/coverage
[ -z "${COVERAGE:-}" ] || gcovr --root . --filter 'src/' .

[ -z "$broken" ] || echo "failed:$broken"
# what there is to look at, for a caller that keeps it
[ -z "${LOGS:-}" ] || for f in "$W"/*.log regression.diffs output_iso tmp_check/log; do
    [ ! -e "$f" ] || cp -r "$f" "$LOGS/"
done
finished=yes
if [ $skipped = 0 ]; then echo "$passed passed, $failed failed"
else echo "$passed passed, $failed failed, $skipped skipped"
fi
[ $failed = 0 ] && [ $passed -gt 0 ]
