#!/bin/sh
# floors.sh: who may include whom (src/, DESIGN: base <- room <- pg <- glue)
#
#   src/base/           the C library only
#   src/<room>/ pure    base, its own room; no PostgreSQL, no memory, no errors
#   src/pg/             the server's headers, base; never a room
#   src/<room>/ glue    pg, base, its own room (names: GLUE_NAMES in Makefile; all files
#                       of the rooms in GLUE_ROOMS, except for PURE_FILES)
#   src/existence/      the pure files of bloom, too: its layers are such filters
#   src/probds/         the module: all of these, but of a type only its descriptor
#                       (<room>_type.h), and of the index its header; nobody includes it
#   test/               as a pure file, but of any room; test/citus and test/polls are
#                       libraries for the server, and test/hostile.d is for its source
cd "$(dirname "$0")/../.." || exit 1

glue=$(sed -n 's/^GLUE_NAMES *= *//p' Makefile | sed 's/%//g; s/\.c//g')
glue_rooms=$(sed -n 's/^GLUE_ROOMS *= *//p' Makefile)
pure=$(sed -n 's/^PURE_FILES *= *//p' Makefile | sed 's/\.c//g')

find src test -name '*.[ch]' ! -path 'test/citus/*' ! -path 'test/polls/*' \
    ! -path 'test/hostile.d/*' | sort | awk -v glue_names="$glue" -v glue_rooms="$glue_rooms" \
    -v pure_files="$pure" '
    BEGIN {
        # and what the compilers bring for their vector units
        split("emmintrin arm_neon assert float inttypes limits math stdarg stdbool stddef stdint stdio stdlib string time", c)
        for (i in c) libc["<" c[i] ".h>"] = 1
        n = split(glue_names, suffix, " ")
        split(glue_rooms, c, " ")
        for (i in c) whole[c[i]] = 1
        split(pure_files, c, " ")
        for (i in c) is_pure[c[i]] = 1
    }

    # base, pg, extension, pure, glue or test
    function floor_of(file,   part, i) {
        split(file, part, "/")
        if (part[1] == "test") return "test"
        if (part[2] == "base" || part[2] == "pg") return part[2]
        if (part[2] == "probds") return "extension"
        if (part[2] in whole)
            return substr(file, 1, length(file) - 2) in is_pure ? "pure" : "glue"
        for (i = 1; i <= n; i++)
            if (file ~ (suffix[i] "\\.[ch]$")) return "glue"
        return "pure"
    }

    function bad(why) {
        printf "not ok - %s:%d: %s\n", file, line, why
        failures++
    }

    {
        file = $0
        line = 0
        floor = floor_of(file)
        split(file, part, "/")
        room = part[2]
        strict = floor == "base" || floor == "pure"
        files[floor]++
        while ((getline text < file) > 0) {
            line++
            if (strict && text ~ /(^|[^a-zA-Z0-9_])(palloc0?|repalloc|pfree|ereport|elog|malloc|calloc|realloc|free|printf|abort|exit)[ \t]*\(/ &&
                text !~ /^[ \t]*(\*|\/\*|\/\/)/)
                bad("allocates, raises or prints: a pure file has the caller do that")
            if (text !~ /^[ \t]*#[ \t]*include/) continue
            what = text
            sub(/^[ \t]*#[ \t]*include[ \t]*/, "", what)
            sub(/[ \t]*(\/\*.*)?$/, "", what)
            if (what ~ /^</) {
                if (strict && !(what in libc))
                    bad(what " is not of the C library")
                continue
            }
            gsub(/"/, "", what)
            target = "src/" what
            ours = (getline dummy < target) >= 0
            close(target)
            if (!ours) {
                # the server has no header at a path like ours, but one beside
                # this file could be meant
                beside = file
                sub(/[^\/]*$/, what, beside)
                is_beside = (getline dummy < beside) >= 0
                close(beside)
                if (strict || floor == "test" && what ~ /^(postgres|fmgr|c)\.h$/)
                    bad("\"" what "\" below the PostgreSQL floor")
                else if (is_beside && floor != "test")
                    bad("write \"" room "/" what "\"")
                continue
            }
            to = floor_of(target)
            split(what, part, "/")
            if (floor == "base" && to != "base" ||
                floor == "pure" && !(to == "base" || to == "pure" && (part[1] == room ||
                    room == "existence" && part[1] == "bloom")) ||
                floor == "pg" && !(to == "base" || to == "pg") ||
                floor == "glue" && !(to == "base" || to == "pg" || part[1] == room ||
                    room == "existence" && to == "pure" && part[1] == "bloom" ||
                    room == "health" && part[1] == "existence") ||
                floor == "extension" && !(to == "base" || to == "pg" || part[1] == room ||
                    what == part[1] "/" part[1] "_type.h" || what == "existence/existence.h") ||
                floor == "test" && !(to == "base" || to == "pure"))
                bad("\"" what "\" (" to ") in a file of floor " floor)
        }
        close(file)
    }

    END {
        if (!failures)
            printf "ok - floors: base %d, pure %d, pg %d, glue %d, module %d, tests %d files\n",
                files["base"], files["pure"], files["pg"], files["glue"], files["extension"],
                files["test"]
        exit failures > 0
    }'
