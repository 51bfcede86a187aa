#!/bin/sh
# files.sh: small rules about files
cd "$(dirname "$0")/../.." || exit 1
rc=0

# rule NAME OFFENDERS
rule() {
    if [ -z "$2" ]; then
        echo "ok - files: $1"
    else
        echo "not ok - files: $1:" $2
        rc=1
    fi
}

rule "no C file over 800 lines" \
    "$(find src test -name '*.[ch]' -exec wc -l {} + |
        awk '$2 != "total" && $1 > 800 { print $2 " (" $1 ")" }')"

rule "PG_VERSION_NUM only in src/server/compat.h" \
    "$(grep -rl PG_VERSION_NUM src | grep -v '^src/server/compat\.h$')"

rule "C files are indented with tabs" \
    "$(grep -lE '^    ' $(find src test -name '*.[ch]') /dev/null)"

rule "no white space at the end of a line (but in results that a tool has printed)" \
    "$(grep -rIlE --exclude='*.svg' --exclude='*.out' '[[:blank:]]$' src test demo sql doc \
        clients packaging Makefile probds.control ./*.md 2>/dev/null)"

# a tab is 4 columns; the script of a version that is out is not changed any more
rule "no line over 100 columns in src and clients" \
    "$(find src clients -name '*.[ch]' -o -name '*.sql' ! -name '*--1.0.sql' -o -name '*.awk' -o -name '*.py' |
        while read -r file; do
            expand -t 4 "$file" | awk -v file="$file" 'length($0) > 100 { print file ":" FNR }'
        done)"

# A tab is four columns.  Left out are results, drawings, data, and what was released.  So are the
# steps of isolation tests and the cases of the drivers, which are a line each.  Pages have their
# lint in english.pl.  The shell scripts, tables and plots of test are left out, too.
command -v perl >/dev/null || echo "ok - files: length of lines # SKIP no perl"
! command -v perl >/dev/null || rule "no line over 100 columns in demo, packaging, clients, test" \
    "$(find demo packaging clients test -type f ! -name '*.svg' ! -name '*.md' \
            ! -path 'test/golden/*' ! -path 'test/update/probds*' ! -path test/drivers/cases.sql |
        grep -E '^(demo|packaging|clients)/|\.(c|h|java|mjs|p[lmy]|sql)$' |
        xargs perl -CSDA -ne '
            chomp; 1 while s/^([^\t]*)\t/$1 . " " x (4 - length($1) % 4)/e;
            print "$ARGV:$.\n" if length > 100; close ARGV if eof' 2>&1)"

# a header is guarded by its path, so that two of one name cannot hide each other
rule "headers are guarded by PDS_<FOLDER>_<NAME>_H" \
    "$(for h in $(find src -name '*.h'); do
        g=$(echo "$h" | sed 's,^src/,PDS_,; s,[/.],_,g' | tr a-z A-Z)
        grep -q "^#ifndef $g\$" "$h" || echo "$h"
    done)"

rule "each sql/ test has its expected/ file and the other way round" \
    "$(for t in sql/*.sql; do
        [ ! -e "$t" ] || [ -e "expected/$(basename "$t" .sql).out" ] || echo "$t"
    done
    for t in expected/*.out; do
        [ ! -e "$t" ] || [ -e "sql/$(basename "$t" .out).sql" ] || echo "$t"
    done)"

# what a stranger greps for: \w+ finds a name that a macro would paste together, if the heading
# of the file has it
words=$(mktemp)
trap 'rm -f "$words"' EXIT
find src -name '*.[ch]' -exec cat {} + | grep -oE '[A-Za-z_0-9]+' | sort -u >"$words"
rule "each C function that SQL names is written out in src" \
    "$(find src -name '*.sql' -exec cat {} + | grep -oE "(MODULE_PATHNAME|libdir/probds)', *'[a-z0-9_]+'" |
        sed "s/'$//; s/.*'//" | sort -u | grep -vxFf "$words")"

# the map is of this country
rule "each file and function that CONTRIBUTING.md names is there" \
    "$(grep -oE 'src/[a-z_/0-9]+\.[chsql]+' CONTRIBUTING.md | sort -u | while read -r file; do
        [ -e "$file" ] || echo "$file"
    done
    grep -oE '\b(pds|probds|existence|bloom|hll|PDS)_[A-Za-z_0-9]+\(\)|\bPDS_[A-Z_]+[A-Z]\b|\b[a-z_]+_(step|args)\(\)' CONTRIBUTING.md |
        tr -d '()' | sort -u | grep -vxFf "$words")"

rule "no folder of src has more than 25 files" \
    "$(find src -name '*.[ch]' -o -name '*.sql' | sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 25 { print $2 " (" $1 ")" }')"

exit $rc
