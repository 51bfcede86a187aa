# lib-show.sh: the demo itself, as the unprivileged user: build, load, show
#
# Status 0: all shown.  3: there was only one day, so nothing to unite.
set -eu

. "$W/src/test/lib.sh"
client_env
export PGCLIENTENCODING=UTF8

sql() { "$BIN/psql" -X -q -v ON_ERROR_STOP=1 "$@"; }
number() { echo "$1" | awk '{ s = $1; while (s ~ /[0-9][0-9][0-9][0-9]/) sub(/[0-9][0-9][0-9]($|,)/, ",&", s); print s }'; }

server="PostgreSQL $("$PG_CONFIG" --version | sed 's/^[^0-9]*//; s/ .*//')"
echo "Building probds and starting a $server of its own" >&2
echo
build >"$W/build.log" 2>&1 || { cat "$W/build.log" >&2; exit 1; }
# the same for both sides of each comparison; the exact side needs the memory
server_start "work_mem = '64MB'" "jit = off" || exit 1
sql -c 'CREATE EXTENSION probds'

case $story in
    log)
        set -- -v "rows=hits" -v "part=day" -v "keys=day" -v "item=visitor" \
            -v "stored=daily" -v "sketch=visitors" \
            -v "group1=date_trunc('week', day)::date" -v "group1_as=week" \
            -v "group2=to_char(day, 'YYYY-MM')" -v "group2_as=month" \
            -v "side=day" -v "parts=days" -v "items=visitors" -v "groups2=Weeks and months" \
            -v "group1_shown=date_trunc('week', day)::date AS week" \
            -v "newest=max(day)" -v "before=earlier day"
        echo "Unique visitors from an access log"
        echo
        echo "  $names"
        echo "  $(number "$lines") lines, $(number $((lines - good))) of them not in log format and left out"
        echo "  loaded into $server as  hits(day date, visitor $type)"
        sql -c "CREATE TABLE hits (day date, visitor $type)"
        sql -c 'COPY hits FROM STDIN' <"$W/rows.tsv"
        ;;
    packages)
        set -- -v "rows=paths" -v "part=package" -v "keys=section, package" -v "item=name" \
            -v "stored=per_package" -v "sketch=names" \
            -v "group1=section" -v "group1_as=section" \
            -v "group2='all packages'::text" -v "group2_as=machine" \
            -v "side=section" -v "parts=packages" -v "items=names" -v "groups2=Sections, and the machine" \
            -v "group1_shown=section" \
            -v "newest=mode() WITHIN GROUP (ORDER BY package)" -v "before=other package"
        echo "The file names of this machine's packages"
        echo
        echo "  No access log was given, so this counts something real that is here: the file"
        echo "  lists of the installed packages (/var/lib/dpkg/info/*.list).  Each path that a"
        echo "  package brings is a row, as a request would be; the package stands for the day,"
        echo "  the last part of the path, the name, for the visitor.  How many different names"
        echo "  has each package, each section, the whole machine?"
        echo
        echo "  $(number "$lines") paths of $(number "$packages") packages, loaded into $server"
        echo "  as  paths(section text, package text, name text)"
        sql -c 'CREATE TABLE paths (section text, package text, name text)'
        sql -c 'COPY paths FROM STDIN' <"$W/rows.tsv"
        ;;
esac
echo
rm -f "$W/rows.tsv"

rc=0
sql -At "$@" -f "$W/src/demo/demo.sql" -f "$W/src/demo/seen.sql" -f "$W/src/demo/top.sql" || rc=$?
[ $rc = 0 ] || exit 1
if [ "$story" = log ] && [ "$days" = 1 ]; then
    echo "The log has one day only, so there is nothing to unite or to compare: give a longer"
    echo "one, or several at once."
    exit 3
fi
