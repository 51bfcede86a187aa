#!/bin/sh
# floors.sh: what the include paths cannot say of the floors of src/
#
# Who may include whom is in the Makefile (SEES_...): a file is compiled with the paths of
# its floor, and finds no other headers of ours.  The pure floors, base and sketch, are
# compiled without PostgreSQL's headers, too.  What is left to look for:
#
#   - a pure file takes headers of the C library only, and neither allocates nor raises
#     errors nor prints: its caller does that
#   - a header is found by its name alone, so there is one of each name
cd "$(dirname "$0")/../.." || exit 1
rc=0

{ find src/base src/sketch -name "*.[ch]"; ls src/existence/existence_layout.[ch] src/existence/existence_table.[ch]; } | sort | awk '
    BEGIN {
        # and what the compilers bring for their vector units
        split("emmintrin immintrin arm_neon assert float inttypes limits math stdarg stdbool stddef stdint stdio stdlib string time", c)
        for (i in c) libc["<" c[i] ".h>"] = 1
    }

    function bad(why) {
        printf "not ok - %s:%d: %s\n", file, line, why
        failures++
    }

    {
        file = $0
        line = 0
        files++
        while ((getline text < file) > 0) {
            line++
            if (text ~ /(^|[^a-zA-Z0-9_])(palloc0?|repalloc|pfree|ereport|elog|malloc|calloc|realloc|free|printf|abort|exit)[ \t]*\(/ &&
                text !~ /^[ \t]*(\*|\/\*|\/\/)/)
                bad("allocates, raises or prints: a pure file has the caller do that")
            if (text ~ /^[ \t]*#[ \t]*include[ \t]*</) {
                sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
                sub(/[ \t]*(\/\*.*)?$/, "", text)
                if (!(text in libc))
                    bad(text " is not of the C library")
            }
        }
        close(file)
    }

    END {
        if (!failures)
            printf "ok - floors: %d pure files\n", files
        exit failures > 0 || !files
    }' || rc=1

twice=$(find src -name '*.h' | sed 's,.*/,,' | sort | uniq -d)
if [ -z "$twice" ]; then
    echo "ok - floors: one header of each name"
else
    echo "not ok - floors: more than one header is called" $twice
    rc=1
fi
exit $rc
