#!/bin/sh
# english.sh: plain English in all pages, and in the comments and messages of all sources
#
# Prints what english.pl finds: words that we do not use, sentences over 30 words, and messages
# that are not in PostgreSQL's style.  In pages also lines over 100 columns, and columns without a
# name.
cd "$(dirname "$0")/../.." || exit 1
command -v perl >/dev/null || { echo "ok - English # SKIP no perl"; exit 0; }
exec perl test/lint/english.pl
