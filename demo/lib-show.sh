# lib-show.sh: the demo itself, as the unprivileged user: build, load, show
#
# Status 0: all shown.  3: there was only one day, so nothing to unite.
set -eu

. "$W/src/test/lib.sh"
client_env
export PGCLIENTENCODING=UTF8

sql() { "$BIN/psql" -X -q -v ON_ERROR_STOP=1 "$@"; }
number() {
    echo "$1" | awk '{
        s = $1
        while (s ~ /[0-9][0-9][0-9][0-9]/) sub(/[0-9][0-9][0-9]($|,)/, ",&", s)
        print s
    }'
}

server="PostgreSQL $("$PG_CONFIG" --version | sed 's/^[^0-9]*//; s/ .*//')"
echo "Building probds and starting a $server of its own" >&2
echo
build >"$W/build.log" 2>&1 || { cat "$W/build.log" >&2; exit 1; }
# the same for both sides of each comparison; the exact side needs the memory
server_start "work_mem = '64MB'" "jit = off" || exit 1
sql -c 'CREATE EXTENSION probds'

case $story in
    log)
        heading='Unique visitors from an access log'
        counts="$(number "$lines") lines,"
        counts="$counts $(number $((lines - good))) of them not in log format and left out"
        origin="$names: $counts."
        echo "$heading"
        echo
        echo "  $names"
        echo "  $counts"
        echo "  loaded into $server as  hits(day date, visitor $type, bytes bigint)"
        sql -c "CREATE TABLE hits (day date, visitor $type, bytes bigint)"
        sql -c 'COPY hits FROM STDIN' <"$W/rows.tsv"
        ;;
    packages)
        heading="The file names of this machine's packages"
        origin="Each path of each installed package is a row:"
        origin="$origin $(number "$lines") paths of $(number "$packages") packages."
        echo "$heading"
        echo
        echo "  No access log was given, so this counts something real that is here: the file"
        echo "  lists of the installed packages (/var/lib/dpkg/info/*.list).  Each path that a"
        echo "  package brings is a row, as a request would be; the package stands for the day,"
        echo "  the last part of the path, the name, for the visitor.  How many different names"
        echo "  has each package, each section, the whole machine?"
        echo
        echo "  $(number "$lines") paths of $(number "$packages") packages, loaded into $server"
        echo "  as  paths(section text, package text, name text, bytes bigint)"
        sql -c 'CREATE TABLE paths (section text, package text, name text, bytes bigint)'
        sql -c 'COPY paths FROM STDIN' <"$W/rows.tsv"
        ;;
esac
echo
rm -f "$W/rows.tsv"

rc=0
report=
[ -z "$html" ] || report='-f report.sql'
cd "$W/src/demo"
# shellcheck disable=SC2086
sql -At -v "html=$W/report.html" -v "heading=$heading" -v "origin=$origin" \
    -f "names_$story.sql" -f demo.sql -f seen.sql -f top.sql -f ordinary.sql -f sizes.sql \
    $report || rc=$?
[ $rc = 0 ] || exit 1
if [ "$story" = log ] && [ "$days" = 1 ]; then
    echo "The log has one day only, so there is nothing to unite or to compare: give a longer"
    echo "one, or several at once."
    exit 3
fi
