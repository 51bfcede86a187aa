#!/bin/sh
# links.sh: links and anchors of the pages lead somewhere
cd "$(dirname "$0")/../.." || exit 1
command -v perl >/dev/null || { echo "ok - links # SKIP no perl"; exit 0; }
exec perl test/lint/links.pl
