# mirror.sh: where packages come from: from where this machine's apt gets its own; sourced
# by sh
#
#   DEBIAN_MIRROR UBUNTU_MIRROR   URIs instead of those

# know_mirrors: apt knows whose its repositories are from their lists, which a new machine
# has not fetched yet
know_mirrors() {
    [ -n "$(apt-get indextargets --format '$(ORIGIN)' 'Created-By: Packages' | tr -d '\n')" ] ||
        as_root apt-get -q update >/dev/null 2>&1 || true
}

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
