# roots.sh: where test/matrix and test/fresh run the tests, and how that is made;
# sourced by sh after lib.sh and mirror.sh
#
# A root is the folder of a minimal system: $MATRIX_ROOTS/NAME.  The file .made in
# it says from what; it is written last, so a root that has it is whole.
#
# Variables that say what a root is made of:
#   DISTRIBUTION SUITE ARCH NATIVE   the system, its CPU, and this machine's
#   MAJOR OLDER OLDER_SUITES EXTRA   see test/matrix
#   AHEAD                            of the suite "experimental": PostgreSQL MAJOR
#   BARE                             not empty: nothing but the system

# --- what the machine must have -----------------------------------------------

# open_roots: the tools and the folder
open_roots() {
    [ "$(id -u)" = 0 ] || die "needs root, for mounts and chroot (the tests themselves run as nobody)"
    command -v apt-get >/dev/null || die "needs Debian or Ubuntu: roots are made with apt"
    tools=
    command -v mmdebstrap >/dev/null || tools="$tools mmdebstrap"
    command -v arch-test >/dev/null || tools="$tools arch-test"
    [ -z "$tools" ] || apt_install $tools || exit 1
    know_mirrors
    mkdir -p "$MATRIX_ROOTS"
    # in /var/tmp someone else could have made it; what is in it runs as root
    [ -O "$MATRIX_ROOTS" ] || die "$MATRIX_ROOTS belongs to another user"
    chmod go-w "$MATRIX_ROOTS"
}

# lock_root NAME: fails when another run uses that root.  One is held at a time.
lock_root() {
    exec 9>"$MATRIX_ROOTS/.$1.lock"
    flock -n 9
}

# emulated: whether the target's programs run under qemu
emulated() {
    case $ARCH in
        "$NATIVE"|i386) return 1 ;;
    esac
}

# lacking: says why the target cannot run on this machine, and fails then
lacking() {
    [ "$ARCH" = "$NATIVE" ] || arch-test "$ARCH" >/dev/null || {
        echo "this machine does not run $ARCH programs$(! emulated || echo ', nor can it with qemu')"
        return 1
    }
    [ -n "$(mirror $DISTRIBUTION)" ] || { echo "apt knows no mirror of $DISTRIBUTION: set DEBIAN_MIRROR or UBUNTU_MIRROR"; return 1; }
}

# open_qemu ARCH: the kernel hands programs of that CPU to qemu.  A system with
# binfmt.d has it so already; in a container or a bare machine it is registered
# for the time of the run.
open_qemu() {
    ! arch-test "$1" >/dev/null 2>&1 || return 0
    [ -e "/usr/lib/binfmt.d/qemu-$1.conf" ] || apt_install qemu-user-static || return 0
    binfmt=/proc/sys/fs/binfmt_misc
    if [ ! -e $binfmt/register ]; then
        mount -t binfmt_misc binfmt_misc $binfmt 2>/dev/null || return 0
        BINFMT_MOUNTED=1
    fi
    if [ ! -e "$binfmt/qemu-$1" ]; then
        grep -v '^#' "/usr/lib/binfmt.d/qemu-$1.conf" >$binfmt/register || return 0
        BINFMT_REGISTERED="${BINFMT_REGISTERED:-} $1"
    fi
}

close_qemu() {
    for cpu in ${BINFMT_REGISTERED:-}; do
        echo -1 >"/proc/sys/fs/binfmt_misc/qemu-$cpu" || true
    done
    [ -z "${BINFMT_MOUNTED:-}" ] || umount /proc/sys/fs/binfmt_misc || true
    BINFMT_REGISTERED=
    BINFMT_MOUNTED=
}

# --- where packages come from ----------------------------------------------------

# sources [released]: sources.list of the target: with what came after the release,
# unless told otherwise
sources() {
    uri=$(mirror "$DISTRIBUTION")
    case $DISTRIBUTION in
        debian)
            echo "deb $uri $SUITE main"
            [ -z "${AHEAD:-}" ] || echo "deb $uri experimental main"
            security=$(mirror debian-security)
            for suite in $SUITE $OLDER_SUITES; do
                [ "$suite" = "$SUITE" ] || echo "deb $uri $suite main"
                # what is to become stable has no security support of its own
                [ -n "${1:-}" ] || [ -z "$security" ] || [ "$suite" = forky ] || [ "$suite" = sid ] ||
                    echo "deb $security $suite-security main"
            done
            ;;
        ubuntu)
            echo "deb $uri $SUITE main universe"
            [ -n "${1:-}" ] || for part in updates security; do
                echo "deb $uri $SUITE-$part main universe"
            done
            ;;
    esac
}

# keyring: the file with the distribution's keys.  Debian 12 has Ubuntu's in no
# package of its own; the next release has, and Debian's keys vouch for that one.
keyring() {
    file=/usr/share/keyrings/$DISTRIBUTION-archive-keyring.gpg
    if [ ! -e "$file" ] && [ "$DISTRIBUTION" = debian ]; then
        apt_install debian-archive-keyring || return 1
    elif [ ! -e "$file" ]; then
        keys=$MATRIX_ROOTS/.keys
        file=$keys$file
        [ -e "$file" ] || fetch_ubuntu_keys || return 1
    fi
    echo "$file"
}

fetch_ubuntu_keys() {
    rm -rf "$keys"
    mkdir -p "$keys/lists/partial" "$keys/cache/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror debian) trixie main" >"$keys/sources.list"
    set -- -q -o Dir::Etc::SourceList="$keys/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::State::Lists="$keys/lists" -o Dir::Cache="$keys/cache" -o APT::Sandbox::User=root
    ( cd "$keys" && apt-get "$@" update && apt-get "$@" download ubuntu-keyring &&
        dpkg-deb -x ubuntu-keyring_*.deb . && rm -rf lists cache ) >&2
}

# --- a root ------------------------------------------------------------------------

packages() {
    echo make libc6-dev perl libipc-run-perl python3-minimal libpython3-stdlib $EXTRA
    if emulated; then
        # the libraries of the compiler below
        for library in libc6 libisl23 libjansson4 libmpc3 libmpfr6 libzstd1 zlib1g; do echo "$library:$NATIVE"; done
    else
        echo gcc
    fi
    for major in $MAJOR $OLDER; do echo "postgresql-$major"; done
}

# unpacked: packages that are not installed but only unpacked.  Debian's package
# of the server's headers drags in clang and LLVM, 1 GB that nothing here uses.
unpacked() {
    echo libpq-dev
    for major in $MAJOR $OLDER; do echo "postgresql-server-dev-$major"; done
    # A compiler is the one program that would be slow under qemu: this one (of
    # bookworm) is not emulated, and makes code for the root's CPU.  apt cannot
    # install it there: packages for all CPUs count as the root's, not the compiler's.
    ! emulated || {
        for program in gcc gcc-12 cpp-12 binutils; do echo "$program-$ARCH-linux-gnu:$NATIVE"; done
        for library in libgcc-12-dev libgcc-s1 libc6-dev libc6 linux-libc-dev; do echo "$library-$ARCH-cross"; done
        echo "libbinutils:$NATIVE"
    }
}

# recipe: what a root that is kept was made from
recipe() { echo "$SUITE $ARCH:" $( (packages; unpacked) | tr ' ' '\n' | LC_ALL=C sort); }

# has_root NAME: made, and as one would make it today
has_root() { [ "$(cat "$MATRIX_ROOTS/$1/.made" 2>/dev/null)" = "$(recipe)" ]; }

# make_root NAME: from scratch; its log says why when it fails
make_root() {
    root=$MATRIX_ROOTS/$1
    root_log=$root.root.log
    keyring >"$root_log" 2>&1 || return 1
    keys=$(tail -n 1 "$root_log")
    rm -rf --one-file-system "$root"
    # mirrors that are filled on demand can lack a part of a suite with updates
    bootstrap || bootstrap released || return 1
    [ -n "$BARE" ] || recipe >"$root.new/.made"
    mv "$root.new" "$root"
    rm -f "$root_log"
}

# bootstrap [released]: $root.new
bootstrap() {
    rm -rf --one-file-system "$root.new"
    sources "${1:-}" >"$W/sources.list"
    cross=
    architectures=$ARCH
    if emulated; then
        architectures=$ARCH,$NATIVE
        cross="for name in gcc:gcc gcc:cc ar:ar; do
            ln -s $ARCH-linux-gnu-\${name%:*} \"\$1/usr/bin/\${name#*:}\"; done"
    fi
    set -- --variant=minbase --architectures="$architectures" --keyring="$keys" \
        --dpkgopt=force-unsafe-io
    [ -n "$BARE" ] || set -- "$@" \
        --include="$(echo $(packages) | tr ' ' ,)" --dpkgopt=force-confold \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --essential-hook='mkdir -p "$1/etc/postgresql-common" &&
            echo "create_main_cluster = false" >"$1/etc/postgresql-common/createcluster.conf"' \
        --customize-hook='cd "$1/tmp" && APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get -q download '"$(echo $(unpacked))"' &&
            for deb in *.deb; do dpkg-deb -x "$deb" "$1" || exit 1; done && rm -f *.deb' \
        ${cross:+--customize-hook="$cross"}
    [ -z "${AHEAD:-}" ] || set -- "$@" \
        --setup-hook='mkdir -p "$1/etc/apt/preferences.d" &&
            printf "%s\n" "Package: src:postgresql-'"$MAJOR"' src:postgresql-common" \
                "Pin: release a=experimental" "Pin-Priority: 990" >"$1/etc/apt/preferences.d/ahead"'
    # how this machine's apt gets through to the mirror
    apt-config dump --format '%f "%v";%n' Acquire | grep -E '::Proxy|::Check-|::Retries' >"$W/aptopt" || true
    while read -r option; do
        set -- "$@" --aptopt="$option"
    done <"$W/aptopt"
    run_inner timeout -k 10 "$MATRIX_LIMIT" nice -n 10 unshare --mount \
        mmdebstrap "$@" "$SUITE" "$root.new" "$W/sources.list" >>"$root_log" 2>&1 && return 0
    rm -rf --one-file-system "$root.new"
    return 1
}

# enter_root ROOT TMP [VARIABLE=VALUE...] COMMAND...: run a command in a root (see
# enter.sh).  It cannot outlive us
enter_root() {
    enter_in=$1 enter_tmp=$2
    shift 2
    run_inner timeout -k 10 "$MATRIX_LIMIT" nice -n 10 unshare --mount --pid --fork --kill-child \
        bash "$W/enter.sh" "$enter_in" "$enter_tmp" "$ARCH" "$@"
}

# can_enter ROOT: whether this machine allows what enter.sh does; $W/entered.log says why
# not.  A container may be given no mounts or namespaces.
can_enter() {
    mkdir -p "$W/try"
    enter_root "$1" "$W/try" true >"$W/entered.log" 2>&1
}

# open_entrance: the temporary folder.  Here it belongs to root and AS is for the tests
# to set
open_entrance() {
    open_workdir
    trap 'rc=$?; trap - EXIT; trap "" INT TERM HUP; close_workdir; close_qemu; exit $rc' EXIT
    AS=
    # a copy: bash reads on while it runs
    cp "$ROOT/test/matrix.d/enter.sh" "$W"
}
