# lib-report.sh: what a stage of test/run says: its line, and why it failed; sourced
# by sh
#
# A stage consists of parts: a program, a script, a file of tests. judge() counts what a part
# printed and records what to show of it. end_stage() prints the stage's line, and below it a
# paragraph for each part that failed.  The paragraph has the part's name, its exit status, and
# the tests that failed with their diagnostics, or its last lines.
#
# Uses W, a folder for its notes.  The totals are in passed, failed, skipped; the stages
# that failed are in broken.

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

# show FILE [LINES]: its first lines
show() {
    [ -s "$1" ] || return 0
    head -n "${2:-200}" "$1" | sed 's/^/    /'
    [ "$(wc -l <"$1")" -le "${2:-200}" ] || echo "    ... ($(wc -l <"$1") lines)"
}

begin_stage() {
    started=$(now)
    stage_passed=0
    stage_failed=0
    stage_skipped=0
    : >"$W/shown"
    : >"$W/reasons"
}

# end_stage NAME [REMARK]: without a remark, why tests were skipped
end_stage() {
    result "$1" $stage_passed $stage_failed $stage_skipped \
        "${2:-$(sort -u "$W/reasons" | head -n 3 | awk '{ printf "%s%s", sep, $0; sep = "; " }')}"
    show "$W/shown" 600
}

# counts LOG: "PASSED FAILED SKIPPED" of what a part printed: lines "N passed, N failed
# [, N skipped]", or else TAP.  Why something was skipped goes to $W/reasons.
counts() {
    awk -v reasons="$W/reasons" '
        function because(text) {
            sub(/^[ :]*/, "", text)
            if (text != "") print text >>reasons
        }
        /^[0-9]+ passed, [0-9]+ failed/ {
            sums++
            sp += $1
            sf += $3
            if (match($0, /[0-9]+ skipped/)) {
                ss += substr($0, RSTART)
                because(substr($0, RSTART + RLENGTH))
            }
        }
        /^not ok( |$)/ && !/# TODO/ { f++; next }
        /^ok .*# [Ss][Kk][Ii][Pp]/ || /^1\.\.0 # [Ss][Kk][Ii][Pp]/ {
            s++
            because(substr($0, index($0, "# ") + 6))
            next
        }
        /^ok( |$)/ { p++ }
        END {
            if (sums) { p = sp; f = sf; s = ss }
            print p + 0, f + 0, s + 0
        }' "$1"
}

# judge NAME STATUS LOG [LAST [DIED]]: a part that ended with this exit status and
# printed this.  It failed if a test did, or if its status is not 0, or if it said nothing
# of any test.  LAST is the log whose last lines tell more, where it is another one; DIED
# says how it ended before its time, where that is known.
judge() {
    set -- "$1" "$2" "$3" "${4:-$3}" "${5:-}" $(counts "$3")
    stage_passed=$((stage_passed + $6))
    stage_failed=$((stage_failed + $7))
    stage_skipped=$((stage_skipped + $8))
    why=$5
    if [ "$7" = 0 ]; then
        if [ "$2" -gt 128 ] && [ "$2" -le 192 ]; then
            why="${why:+$why, }killed by signal $(($2 - 128))"
        elif [ "$2" != 0 ]; then why="${why:+$why, }exit status $2"
        elif [ $(($6 + $8)) = 0 ]; then
            why="${why:-exit status 0, but not a word about any test}"
        fi
        # it passed
        [ -n "$why" ] || return 0
        stage_failed=$((stage_failed + 1))
        echo "$1: $why (passed before: $6)" >>"$W/shown"
    else
        echo "$1: $7 of $(($6 + $7)) tests FAILED, exit status $2${why:+, $why}" >>"$W/shown"
        grep -e '^not ok\( \|$\)' -e '^ *#' -e '[eE][rR][rR][oO][rR]:' -e '[wW]arning:' \
            -e '^[0-9]* passed, [0-9]* failed' "$3" | grep -v '# TODO' | indent 60 >>"$W/shown"
    fi
    [ -n "$why" ] || return 0
    if [ ! -s "$4" ]; then
        echo "    (it printed nothing)" >>"$W/shown"
    else
        last=
        [ "$4" = "$3" ] || last=" in ${4##*/}"
        echo "  its last lines$last:" >>"$W/shown"
        grep -v '^### \|^# Running: \|^waiting for server\|^server st\|^done$' "$4" |
            tail -n 40 | indent 40 >>"$W/shown"
    fi
}

# indent LINES: at most so many of what comes in
indent() {
    awk -v most="$1" 'NR <= most { print "    " $0 }
        END { if (NR > most) print "    ... (" NR " lines)" }'
}

# judge_tap STATUS LOG LOGS: what prove printed with --verbose and --merge, each file a
# part.  What a file wrote into a log of its own is in LOGS/regress_log_NAME.
judge_tap() {
    rm -rf "$W/parts"
    mkdir "$W/parts"
    # a log for each file, and a list: name, status, how it died
    awk -v folder="$W/parts" '
        /^[^ ]+\.(pl|t) \.+/ {
            summary = 0
            name = $1
            files[++n] = name
            status[name] = 0
            out = folder "/" n
            printf "" >out
            # prove has no line of its own for a file that is skipped
            if (sub(/^[^ ]+ \.+ skipped:?/, "")) print "1..0 # SKIP" $0 >out
            next
        }
        /^Test Summary Report$/ { summary = 1; next }
        summary && /^[^ ]+ +\(Wstat: / {
            name = $1
            match($0, /Wstat: [0-9]+/)
            wait = substr($0, RSTART + 7, RLENGTH - 7) + 0
            status[name] = wait % 128 ? 128 + wait % 128 : int(wait / 256)
            next
        }
        summary && /^ +Parse errors: / {
            sub(/^ +Parse errors: /, "")
            sub(/^No plan found in TAP output$/, "without a plan")
            how[name] = how[name] (how[name] == "" ? "" : ", ") $0
            next
        }
        # words of prove and not of the file
        summary || /^Dubious, test returned|^Failed [0-9]+\/[0-9]+ subtests|^No subtests run/ ||
            /^All [0-9]+ subtests passed|^ok$|^skipped: |^\t/ { next }
        n { print >out }
        END {
            for (i = 1; i <= n; i++)
                print i, files[i], status[files[i]], how[files[i]] >(folder "/list")
        }' "$2"
    if [ ! -s "$W/parts/list" ]; then
        judge "the TAP tests" "$1" "$2"
        return
    fi
    before=$stage_failed
    while read -r part name status how; do
        last=$W/parts/$part
        own=$3/regress_log_$(basename "$name" .pl)
        # it died: its last words went there
        [ "$status" = 0 ] && [ -z "$how" ] || [ ! -s "$own" ] || last=$own
        judge "$name" "$status" "$W/parts/$part" "$last" "$how"
    done <"$W/parts/list"
    # prove itself
    [ "$1" = 0 ] || [ $stage_failed != "$before" ] || judge "prove" "$1" "$2" "$2" "prove failed"
}

# judge_pg_regress STATUS LOG DIFFS: each SQL file or specification is a test.  pg_regress
# says "test x ... ok" up to 15, "ok 1 - x" from 16 on.
judge_pg_regress() {
    sed -n -e 's/^test  *//' \
        -e 's/^ *\([^ ]*\) *\.\.\. ok.*/ok - \1/' \
        -e 's/^ *\([^ ]*\) *\.\.\. .*FAILED.*/not ok - \1/' \
        -e '/^ok /p' -e '/^not ok /p' "$2" >"$2.tests"
    judge pg_regress "$1" "$2.tests" "$2"
    [ "$1" = 0 ] || [ ! -s "$3" ] || indent 400 <"$3" >>"$W/shown"
}
