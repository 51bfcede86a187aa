#!/bin/sh
# sql.sh: statements that our code executes cannot be turned against whoever runs them
#
# Says what sql.pl finds, in what ships and in a few faults that it must find.
cd "$(dirname "$0")/../.." || exit 1
command -v perl >/dev/null || { echo "ok - statements # SKIP no perl"; exit 0; }
exec perl test/lint/sql.pl
