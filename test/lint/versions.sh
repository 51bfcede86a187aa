#!/bin/sh
# versions.sh: the version stands in probds.control; others that must name it agree
cd "$(dirname "$0")/../.." || exit 1
rc=0

version=$(sed -n "s/^default_version *= *'\(.*\)'/\1/p" probds.control)

# equal WHAT GOT WANT
equal() {
    if [ "$2" = "$3" ]; then
        echo "ok - versions: $1 is $2"
    else
        echo "not ok - versions: $1 is '$2', not '$3'"
        rc=1
    fi
}

case $version in
    [0-9]*.[0-9]*) echo "ok - versions: probds.control says $version" ;;
    *) echo "not ok - versions: default_version in probds.control: '$version'"; rc=1 ;;
esac

for control in probds_*.control; do
    equal "$control" "$(sed -n "s/^default_version *= *'\(.*\)'/\1/p" "$control")" "$version"
done

# PGXN wants three numbers
three=$version
case $version in
    *.*.*) ;;
    *) three=$version.0 ;;
esac
n=0
for v in $(sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p' META.json); do
    n=$((n + 1))
    # the last one is the META specification's own
    [ $n -gt 5 ] || equal "META.json ($n)" "$v" "$three"
done
equal "clients/python/pyproject.toml" \
    "$(sed -n 's/^version = "\(.*\)"/\1/p' clients/python/pyproject.toml)" "$three"
equal "clients/python/src/probds/__init__.py" \
    "$(sed -n "s/^__version__ = '\(.*\)'/\1/p" clients/python/src/probds/__init__.py)" "$three"
equal "the newest entry of CHANGELOG.md" \
    "$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)" "$version"
equal "the newest entry of packaging/debian/changelog" \
    "$(sed -n '1s/^probds (\([0-9.]*\)-.*/\1/p' packaging/debian/changelog)" "$version"
equal "packaging/rpm/probds.spec" \
    "$(sed -n 's/^Version: *//p' packaging/rpm/probds.spec)" "$version"
equal "the newest entry of %changelog in probds.spec" \
    "$(sed -n 's/^\* .* - \([0-9.]*\)-.*/\1/p' packaging/rpm/probds.spec | head -n 1)" "$version"

exit $rc
