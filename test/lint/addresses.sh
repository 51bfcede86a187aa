#!/bin/sh
# addresses.sh: the maintainer and the addresses stand in packaging/addresses; others agree
#
#   sh test/lint/addresses.sh             compares them
#   sh test/lint/addresses.sh --release   placeholders are failures, too
cd "$(dirname "$0")/../.." || exit 1
rc=0
. ./packaging/addresses || exit 1

# equal WHAT GOT WANT
equal() {
    if [ "$2" = "$3" ]; then
        echo "ok - addresses: $1"
    else
        echo "not ok - addresses: $1 is '$2', not '$3'"
        rc=1
    fi
}

# field FILE PATTERN: what PATTERN's group matches first
field() { sed -n "s|$2|\1|p" "$1" | head -n 1; }

who="$maintainer <$email>"
equal "META.json: maintainer" "$(field META.json '^   "maintainer": "\(.*\)",*$')" "$maintainer"
equal "META.json: generated_by" "$(field META.json '^   "generated_by": "\(.*\)",*$')" "$maintainer"
equal "META.json: homepage" "$(field META.json '^      "homepage": "\(.*\)",*$')" "$homepage"
equal "META.json: repository" "$(field META.json '^         "url": "\(.*\)",*$')" "$repository"
equal "META.json: bugtracker" "$(field META.json '^         "web": "\(.*\)",*$')" "$bugtracker"
debian=packaging/debian
equal "control.in: Maintainer" "$(field $debian/control.in '^Maintainer: \(.*\)')" "$who"
equal "control.in: Homepage" "$(field $debian/control.in '^Homepage: \(.*\)')" "$homepage"
equal "control.in: Vcs-Git" "$(field $debian/control.in '^Vcs-Git: \(.*\)')" "$repository"
equal "debian/changelog" "$(field $debian/changelog '^ -- \(.*>\)  .*')" "$who"
equal "copyright: Upstream-Contact" "$(field $debian/copyright '^Upstream-Contact: \(.*\)')" "$who"
equal "copyright: Source" "$(field $debian/copyright '^Source: \(.*\)')" "$homepage"
spec=packaging/rpm/probds.spec
equal "probds.spec: URL" "$(field $spec '^URL: *\(.*\)')" "$homepage"
equal "probds.spec: Source0" "$(field $spec '^Source0: *\(.*\)')" "$downloads/%{distname}.zip"
equal "probds.spec: changelog" "$(field $spec '^\* ... ... [0-9]* [0-9]* \(.*>\) - .*')" "$who"
python=clients/python/pyproject.toml
equal "pyproject.toml: name" "$(field $python '.*{ name = "\([^"]*\)".*')" "$maintainer"
equal "pyproject.toml: email" "$(field $python '.*email = "\([^"]*\)".*')" "$email"
equal "pyproject.toml: Homepage" "$(field $python '^Homepage = "\(.*\)"')" "$homepage"
equal "pyproject.toml: Repository" "$(field $python '^Repository = "\(.*\)"')" "$repository"
equal "pyproject.toml: Issues" "$(field $python '^Issues = "\(.*\)"')" "$bugtracker"

placeholders=$(sed -n "s/^\([a-z]*\)='.*example\.org.*/\1/p" packaging/addresses | tr '\n' ' ')
status=$(field META.json '^   "release_status": "\(.*\)",*$')
if [ "${1:-}" = --release ] || [ "$status" = stable ]; then
    equal "placeholders in packaging/addresses" "$placeholders" ""
    equal "files with placeholders" "$(grep -l 'probds[.@]example\.org' META.json $python \
        $debian/* packaging/addresses $spec 2>/dev/null | tr '\n' ' ')" ""
fi
exit $rc
