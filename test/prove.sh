#!/bin/sh
# prove.sh [FLAG ...] FILE ...: prove, of several files at a time
#
# As many files run as there are CPUs, the largest first.  What each of them printed is shown
# whole, in the order of their names.  (prove --jobs leaves out what the files print.)
set -u
flags=
while [ "${1#-}" != "$1" ]; do
    flags="$flags $1"
    # the folder of -I
    [ "$1" != -I ] || { flags="$flags $2"; shift; }
    shift
done
logs=$(mktemp -d) || exit
trap 'rm -rf "$logs"' EXIT
export flags logs
ls -S "$@" | xargs -P "$(nproc 2>/dev/null || echo 1)" -n 1 sh -c '
    prove $flags "$1" >"$logs/$(basename "$1")" 2>&1 || touch "$logs/failed"' one
cat "$logs"/*.pl
[ ! -e "$logs/failed" ]
