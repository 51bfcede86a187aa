#!/bin/sh
# circles.sh: no file depends on one that depends on it
#
# A file depends on another if it names a function or a variable that the other defines.  Object
# files tell: those of the module, and of the library and the command where they are built.
cd "$(dirname "$0")/../.." || exit 1
built=$(dirname "${PROBDS_SO:-probds.so}")
rc=0

# circles: from the lines of nm -A -P -g, the files of each circle
circles() {
    awk '{ sub(/:$/, "", $1) }
        $3 == "U" { by[++n] = $1; needs[n] = $2; next }
        { defines[$2] = $1 }
        END { for (i = 1; i <= n; i++) if (needs[i] in defines) print by[i], defines[needs[i]] }' |
        tsort 2>&1 >/dev/null | sed 's/^tsort: //'
}

for folder in src build/lib/clients/c build/lib/clients/command; do
    objects=$(find "$built/$folder" -name '*.o' 2>/dev/null)
    [ -n "$objects" ] || continue
    found=$(nm -A -P -g $objects | circles)
    if [ -z "$found" ]; then
        echo "ok - circles: none in $folder"
    else
        echo "not ok - circles in $folder:" $found
        rc=1
    fi
done

# it finds one
if [ "$(printf '%s\n' 'a.o: f T 0 0' 'a.o: g U' 'b.o: g T 0 0' 'b.o: f U' | circles | grep -c '\.o$')" = 2 ]; then
    echo "ok - circles: a circle is found"
else
    echo "not ok - circles: a circle is not found"
    rc=1
fi
exit $rc
