#!/bin/sh
# meta.sh: META.json is what PGXN takes, and agrees with the tree
cd "$(dirname "$0")/../.." || exit 1
perl -MJSON::PP -e 1 2>/dev/null || { echo "ok - META.json # SKIP no perl with JSON::PP"; exit 0; }
exec perl test/lint/meta.pl META.json
