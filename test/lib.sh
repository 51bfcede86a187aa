# lib.sh: what test/run and demo/run share; sourced by sh
#
# Find a PostgreSQL (or install one), build this tree in a temporary folder,
# run a server of one's own there as an unprivileged user, and take it all away
# again.  Nothing is installed into the system's PostgreSQL folders: the
# private server is told to look for the extension in the temporary folder.
#
# Variables that others use:
#   ROOT       this repository
#   W          the temporary folder: src/ (copy), dest/ (installed), data/, run/
#   AS         prefix to run a command as the unprivileged user
#   PG_CONFIG  BIN (folder of its programs)  MAJOR (its version)
#   PG_MAKE    what make must be told besides PG_CONFIG

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
die() { warn "$0: $*"; exit 1; }

# --- packages ---------------------------------------------------------------

# as_root COMMAND...: directly, or through sudo
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif ! command -v sudo >/dev/null; then return 1
    elif [ -t 0 ]; then sudo "$@"
    else sudo -n "$@"
    fi
}

apt_quiet() {
    as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
        apt-get -q -y --no-install-recommends -o Dpkg::Use-Pty=0 \
        -o DPkg::Lock::Timeout=120 "$@" </dev/null >>"$APT_LOG" 2>&1
}

# apt_install PACKAGE...: fails, with the reason printed, when it cannot be done
apt_install() {
    command -v apt-get >/dev/null || {
        warn "missing: $* (Debian's names), and there is no apt-get here to install them"
        return 1
    }
    warn "installing $*"
    APT_LOG=$(mktemp /tmp/probds-apt.XXXXXX)
    # the package lists may be absent (fresh container) or old
    if apt_quiet install "$@" || { apt_quiet update && apt_quiet install "$@"; }; then
        rm -f "$APT_LOG"
        return 0
    fi
    tail -n 5 "$APT_LOG" >&2
    rm -f "$APT_LOG"
    warn "could not install them; as root:  apt-get update && apt-get install $*"
    return 1
}

# What is missing to build anything at all, as package names
missing_tools() {
    command -v make >/dev/null || printf 'make '
    command -v gcc >/dev/null || printf 'gcc '
    # Debian's gcc package comes without the C library's headers
    [ -e /usr/include/stdio.h ] || printf 'libc6-dev '
}

# The newest server whose packages are here, as the path of its pg_config
newest_pg_config() {
    ls -d /usr/lib/postgresql/*/bin/postgres 2>/dev/null | sort -V |
        sed 's,/postgres$,/pg_config,' | while read -r c; do
            [ ! -x "$c" ] || echo "$c"
        done | tail -n 1
}

# Installs the distribution's server, but creates no cluster.  A demo or a test run should not
# leave a database service behind.
install_server() {
    conf=/etc/postgresql-common/createcluster.conf
    if [ ! -e "$conf" ] && apt_install postgresql-common; then
        as_root cp -p "$conf" "$conf.probds" &&
            echo 'create_main_cluster = false' | as_root tee -a "$conf" >/dev/null
    fi
    rc=0
    apt_install postgresql || rc=$?
    [ ! -e "$conf.probds" ] || as_root mv "$conf.probds" "$conf"
    return $rc
}

# find_postgres [PG_CONFIG]: sets PG_CONFIG, BIN and MAJOR, or dies
find_postgres() {
    PG_CONFIG=${1:-}
    [ -n "$PG_CONFIG" ] || PG_CONFIG=$(newest_pg_config)
    if [ -z "$PG_CONFIG" ] && command -v pg_config >/dev/null &&
        [ -x "$(pg_config --bindir)/postgres" ]; then
        PG_CONFIG=$(command -v pg_config)
    fi
    if [ -z "$PG_CONFIG" ]; then
        install_server || exit 1
        PG_CONFIG=$(newest_pg_config)
    fi
    case $PG_CONFIG in
        /*) ;;
        */*) PG_CONFIG=$PWD/$PG_CONFIG ;;
        *) PG_CONFIG=$(command -v "$PG_CONFIG") ;;
    esac
    [ -n "$PG_CONFIG" ] && [ -x "$PG_CONFIG" ] || die "no PostgreSQL found; give the path of its pg_config"
    BIN=$("$PG_CONFIG" --bindir)
    [ -x "$BIN/postgres" ] || die "$PG_CONFIG is of a PostgreSQL without a server ($BIN/postgres)"
    MAJOR=$("$PG_CONFIG" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
}

# The server's headers.  Debian's package of them drags in clang and LLVM, 1 GB
# that nothing here uses, so when it is absent it is only unpacked, into $W.
find_headers() {
    PG_MAKE=with_llvm=no
    [ ! -e "$("$PG_CONFIG" --includedir-server)/postgres.h" ] || return 0
    command -v apt-get >/dev/null ||
        die "the server's headers are missing ($("$PG_CONFIG" --includedir-server))"
    warn "fetching the headers of PostgreSQL $MAJOR"
    mkdir "$W/headers"
    dev=postgresql-server-dev-$MAJOR
    have=$(dpkg-query -W -f '${Version}' "postgresql-$MAJOR" 2>/dev/null || true)
    ( cd "$W/headers" &&
        { apt-get -q download "$dev=$have" || apt-get -q download "$dev" ||
            { as_root apt-get -q update && apt-get -q download "$dev"; }; } &&
        apt-get -q download libpq-dev &&
        for deb in *.deb; do dpkg-deb -x "$deb" . || exit 1; done
    ) >"$W/headers.log" 2>&1 </dev/null || true
    if [ -e "$W/headers/usr/include/postgresql/$MAJOR/server/postgres.h" ]; then
        PG_MAKE="$PG_MAKE includedir_server=$W/headers/usr/include/postgresql/$MAJOR/server"
        PG_MAKE="$PG_MAKE includedir_internal=$W/headers/usr/include/postgresql/internal"
    else
        apt_install "$dev" || exit 1
    fi
}

# --- the temporary folder ---------------------------------------------------

# open_workdir: makes W and sees to it that nothing stays.  /tmp and not TMPDIR:
# a socket's path must be short, and the unprivileged user must get there.
# A caller that wants to keep the folder sets KEEP=1.
open_workdir() {
    W=$(mktemp -d "${PROBDS_TMP:-/tmp}/probds.XXXXXX")
    KEEP=
    INNER=
    trap 'rc=$?; trap - EXIT; trap "" INT TERM HUP; close_workdir; exit $rc' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    mkdir "$W/src" "$W/dest" "$W/run" "$W/tmp"
    AS=
    if [ "$(id -u)" = 0 ]; then
        # initdb refuses to run as root; setpriv asks no PAM and has no shell
        AS="setpriv --reuid=nobody --regid=nogroup --clear-groups --"
    fi
}

# run_inner COMMAND...: as the unprivileged user, in a process group of its own,
# so that an interrupted caller can end all of it.  Without a terminal to read.
run_inner() {
    rc=0
    setsid $AS "$@" </dev/null &
    INNER=$!
    wait $INNER || rc=$?
    INNER=
    return $rc
}

close_workdir() {
    if [ -n "$INNER" ]; then
        # the shell's own kill, which takes no "--"
        kill -TERM "-$INNER" 2>/dev/null || true
        n=0
        while kill -0 "-$INNER" 2>/dev/null && [ $n -lt 50 ]; do
            sleep 0.1
            n=$((n + 1))
        done
        kill -KILL "-$INNER" 2>/dev/null || true
        KEEP=
    fi
    [ -z "$KEEP" ] || return 0
    end_servers
    cd /
    rm -rf "$W" || { sleep 1; rm -rf "$W"; }
}

# Servers that run in the temporary folder, ours and those of TAP tests: they
# have sessions of their own and outlive an interrupted stage.
end_servers() {
    [ -n "${BIN:-}" ] || return 0
    n=0
    while [ $n -lt 100 ]; do
        found=
        for p in /proc/[0-9]*; do
            case $(readlink "$p/cwd" 2>/dev/null) in
                "$W"/*) ;;
                *) continue ;;
            esac
            case $(readlink "$p/exe" 2>/dev/null) in
                "$(readlink -f "$BIN/postgres")" | "$W"/*/postgres) ;;
                *) continue ;;
            esac
            found=1
            [ $n != 0 ] || kill -QUIT "${p#/proc/}" 2>/dev/null || true
        done
        [ -n "$found" ] || return 0
        sleep 0.1
        n=$((n + 1))
    done
}

# copy_tree_to FOLDER: the repository without what a build left in it
copy_tree_to() {
    ( cd "$ROOT" && tar -cf - --exclude=./.git --exclude='*.o' --exclude='*.bc' \
        --exclude='*.so' --exclude=./build --exclude=./results \
        --exclude=./tmp_check --exclude='./probds--*.sql' . ) | tar -C "$1" -xf -
}

# copy_tree: that, to $W/src.  From here on the folder is the unprivileged user's, and
# closed to others: the server in it trusts everyone who reaches its socket.
copy_tree() {
    copy_tree_to "$W/src"
    [ -z "$AS" ] || chown -R nobody:nogroup "$W"
}

# --- as the unprivileged user, in the copy ------------------------------------

jobs() { nproc 2>/dev/null || echo 1; }

# build [VARIABLE=VALUE...]: compile and install below $W/dest
build() {
    make -s -j "$(jobs)" -C "$W/src" PG_CONFIG="$PG_CONFIG" $PG_MAKE "$@" &&
        make -s -C "$W/src" PG_CONFIG="$PG_CONFIG" $PG_MAKE "$@" install DESTDIR="$W/dest"
}

# server_conf: the settings by which a server finds the extension below $W/dest
server_conf() {
    lib=$("$PG_CONFIG" --pkglibdir)
    share=$("$PG_CONFIG" --sharedir)
    echo "dynamic_library_path = '$W/dest$lib:\$libdir'"
    if [ "$MAJOR" -ge 18 ]; then
        echo "extension_control_path = '$W/dest$share:\$system'"
    else
        # a setting of Debian's and Ubuntu's PostgreSQL
        echo "extension_destdir = '$W/dest'"
    fi
    # what the caller knows about this machine
    printf '%s\n' "${SERVER_SETTINGS:-}"
}

# server_start [LINE...]: a new cluster with these lines in its configuration
server_start() {
    server_conf >"$W/server.conf"
    "$BIN/initdb" -D "$W/data" -A trust -U postgres --no-sync --encoding=UTF8 \
        --locale=C >"$W/initdb.log" 2>&1 || { cat "$W/initdb.log" >&2; return 1; }
    {
        cat "$W/server.conf"
        echo "listen_addresses = ''"
        echo "unix_socket_directories = '$W/run'"
        echo "fsync = off"
        for line in "$@"; do echo "$line"; done
    } >>"$W/data/postgresql.conf"
    "$BIN/pg_ctl" -s -w -D "$W/data" -l "$W/server.log" start >/dev/null || {
        tail -n 5 "$W/server.log" >&2
        ! grep -q 'unrecognized configuration parameter "extension_destdir"' "$W/server.log" ||
            warn "this PostgreSQL can only find installed extensions: make install, make installcheck"
        return 1
    }
}

server_stop() {
    "$BIN/pg_ctl" -s -w -D "$W/data" -m fast stop
}

# Settings of the caller's that would lead a client elsewhere
client_env() {
    unset PGPORT PGDATA PGSERVICE PGUSER PGPASSWORD PGOPTIONS PGHOSTADDR PGAPPNAME PSQLRC
    export LC_ALL=C HOME="$W" TMPDIR="$W/tmp"
    export PGHOST="$W/run" PGUSER=postgres PGDATABASE=postgres
}
