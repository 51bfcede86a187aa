# roots.sh: where test/matrix runs the tests, and how that is made; sourced by sh
#
# A root is the folder of a minimal system: $MATRIX_ROOTS/NAME.  The file .made in
# it says from what; it is written last, so a root that has it is whole.

# --- what the machine must have -----------------------------------------------

# open_roots: the tools, the folder, and no second run beside this one
open_roots() {
    command -v apt-get >/dev/null || die "needs Debian or Ubuntu: roots are made with apt"
    tools=
    command -v mmdebstrap >/dev/null || tools="$tools mmdebstrap"
    command -v arch-test >/dev/null || tools="$tools arch-test"
    [ -z "$tools" ] || apt_install $tools || exit 1
    mkdir -p "$MATRIX_ROOTS"
    # in /var/tmp someone else could have made it; what is in it runs as root
    [ -O "$MATRIX_ROOTS" ] || die "$MATRIX_ROOTS belongs to another user"
    chmod go-w "$MATRIX_ROOTS"
    exec 9>"$MATRIX_ROOTS/.lock"
    flock -n 9 || die "another run uses $MATRIX_ROOTS"
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

# apt_uri ORIGIN LABEL: of a repository that apt has here
apt_uri() {
    apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
        awk -F'|' -v origin="$1" -v label="$2" '$1 == origin && $2 == label { sub("/+$", "", $3); print $3; exit }'
}

# mirror debian|debian-security|ubuntu: its URI, or nothing.  A mirror that has one
# of the two distributions tends to have the other beside it.
mirror() {
    case $1 in
        debian) uri=${DEBIAN_MIRROR:-$(apt_uri Debian Debian)} other=$(apt_uri Ubuntu Ubuntu) ;;
        debian-security) uri=${DEBIAN_MIRROR:+-} other= ;;
        ubuntu) uri=${UBUNTU_MIRROR:-$(apt_uri Ubuntu Ubuntu)} other=$(apt_uri Debian Debian) ;;
    esac
    case $1 in
        # another mirror was named: this one may be out of reach
        debian-security) [ "$uri" = - ] || apt_uri Debian Debian-Security ;;
        *) echo "${uri:-${other:+${other%/*}/$1}}" ;;
    esac
}

# sources [released]: sources.list of the target: with what came after the release,
# unless told otherwise
sources() {
    uri=$(mirror "$DISTRIBUTION")
    case $DISTRIBUTION in
        debian)
            echo "deb $uri $SUITE main"
            security=$(mirror debian-security)
            for suite in $SUITE $OLDER_SUITES; do
                [ "$suite" = "$SUITE" ] || echo "deb $uri $suite main"
                # the suite to become stable has no security support of its own
                [ -n "${1:-}" ] || [ -z "$security" ] || [ "$suite" = forky ] ||
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

recipe() { echo "$SUITE $ARCH:" $( (packages; unpacked) | tr ' ' '\n' | LC_ALL=C sort); }

# has_root NAME: made, and as one would make it today
has_root() { [ "$(cat "$MATRIX_ROOTS/$1/.made" 2>/dev/null)" = "$(recipe)" ]; }

# make_root NAME: anew; its log says why when it fails
make_root() {
    root=$MATRIX_ROOTS/$1
    root_log=$root.root.log
    keyring >"$root_log" 2>&1 || return 1
    keys=$(tail -n 1 "$root_log")
    rm -rf --one-file-system "$root"
    # mirrors that are filled on demand can lack a part of a suite with updates
    bootstrap || bootstrap released || return 1
    recipe >"$root.new/.made"
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
        cross="ln -s $ARCH-linux-gnu-gcc \"\$1/usr/bin/gcc\"; ln -s $ARCH-linux-gnu-gcc \"\$1/usr/bin/cc\""
    fi
    set -- --variant=minbase --architectures="$architectures" --keyring="$keys" \
        --include="$(echo $(packages) | tr ' ' ,)" \
        --dpkgopt=force-unsafe-io --dpkgopt=force-confold \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --essential-hook='mkdir -p "$1/etc/postgresql-common" &&
            echo "create_main_cluster = false" >"$1/etc/postgresql-common/createcluster.conf"' \
        --customize-hook='cd "$1/tmp" && APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get -q download '"$(echo $(unpacked))"' &&
            for deb in *.deb; do dpkg-deb -x "$deb" "$1" || exit 1; done && rm -f *.deb' \
        ${cross:+--customize-hook="$cross"}
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
