# pgsource.sh: a PostgreSQL built from its source, kept below CACHE; sourced by sh
# after lib.sh
#
#   CACHE          where the source's archive and what is built are kept
#   MAJOR_WANTED   which PostgreSQL
#   SOURCE_SUITE   of which release of Debian (or Ubuntu); sid has the newest
#
# The source comes from the mirror that this machine's apt uses: test/mirror.sh.
. "$HERE/mirror.sh"

CACHE=${CACHE:-/var/tmp/probds-memcheck}
MAJOR_WANTED=${MAJOR_WANTED:-18}
SOURCE_SUITE=${SOURCE_SUITE:-sid}

# The archive of Debian's source package, in CACHE
fetch_source() {
    ! ls "$CACHE/postgresql-${MAJOR_WANTED}"_*.orig.tar.* >/dev/null 2>&1 || return 0
    know_mirrors
    uri=$(mirror debian)
    [ -n "$uri" ] || die "apt knows no mirror of Debian: set DEBIAN_MIRROR"
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -e $keys ] || apt_install debian-archive-keyring || exit 1
    mkdir -p "$CACHE/apt/lists/partial"
    echo "deb-src [signed-by=$keys] $uri $SOURCE_SUITE main" >"$CACHE/apt/sources.list"
    options="-q -o Dir::Etc::sourcelist=$CACHE/apt/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$CACHE/apt/lists -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=root"
    apt-get $options update >/dev/null
    (cd "$CACHE" && apt-get $options source --download-only "postgresql-$MAJOR_WANTED" >/dev/null)
}

# build_source PREFIX CFLAGS [PACKAGE...]: with assertions, installed below PREFIX;
# the packages are needed besides the usual ones
build_source() {
    prefix=$1
    flags=$2
    shift 2
    apt_install bison flex perl zlib1g-dev libicu-dev libxml2-dev pkg-config gcc make dpkg-dev bzip2 "$@"
    fetch_source
    work=$(mktemp -d "$CACHE/build.XXXXXX")
    (cd "$work" && tar xf "$CACHE/postgresql-${MAJOR_WANTED}"_*.orig.tar.* &&
        cd "postgresql-$MAJOR_WANTED".* &&
        ./configure -q --prefix="$prefix" --enable-cassert --enable-debug --enable-tap-tests \
            --with-icu --with-libxml --without-readline CFLAGS="$flags" &&
        make -s -j "$(nproc)" all && make -s install && make -s -C src/test/isolation install &&
        for c in postgres_fdw dblink hstore ltree citext; do make -s -C contrib/$c install || exit 1; done &&
        cp src/tools/valgrind.supp "$prefix") >"$prefix.log" 2>&1 || {
        tail -n 20 "$prefix.log" >&2
        return 1
    }
    rm -rf "$work"
}
