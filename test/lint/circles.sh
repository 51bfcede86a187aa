#!/bin/sh
# circles.sh: no file depends on one that depends on it
#
# A file depends on another if it names a function or a variable that the other defines.  Object
# files tell: those of the module, if it is built, and those that are made here of the clients.
cd "$(dirname "$0")/../.." || exit 1
rc=0
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
for file in clients/*/*.c; do
    mkdir -p "$made/$(dirname "$file")"
    ${CC:-cc} -DPROBDS_VERSION='""' -Iclients/c $(find src/base src/sketch -type d | sed 's/^/-iquote /') \
        -c -o "$made/${file%.c}.o" "$file" || rc=1
done
[ $rc = 0 ] || echo "not ok - circles: the clients do not compile"

# circles: from the lines of nm -A -P -g, the files of each circle
circles() {
    awk '{ sub(/:$/, "", $1) }
        $3 == "U" { by[++n] = $1; needs[n] = $2; next }
        { defines[$2] = $1 }
        END { for (i = 1; i <= n; i++) if (needs[i] in defines) print by[i], defines[needs[i]] }' |
        tsort 2>&1 >/dev/null | sed 's/^tsort: //'
}

for folder in "$(dirname "${PROBDS_SO:-probds.so}")/src" "$made"/clients/*/; do
    objects=$(find "$folder" -name '*.o')
    [ -n "$objects" ] || continue
    found=$(nm -A -P -g $objects | circles)
    if [ -z "$found" ]; then
        echo "ok - circles: none in ${folder#"$made"/}"
    else
        echo "not ok - circles in ${folder#"$made"/}:" $found
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
