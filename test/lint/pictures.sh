#!/bin/sh
# pictures.sh: no text of a picture in doc/pictures runs out of its frame, in the widest of the
# fonts that the pictures name (DejaVu Sans)
cd "$(dirname "$0")/../.." || exit 1
command -v perl >/dev/null || { echo "ok - pictures # SKIP no perl"; exit 0; }
exec perl test/lint/pictures.pl doc/pictures/*.svg
