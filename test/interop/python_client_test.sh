#!/bin/sh
# python_client_test.sh: the Python package in clients/python against a server
#
# Wants a running server, found as psql finds it (PGHOST, PGPORT, PGUSER), with the
# extension installed, and Python 3.9 or later (python3, or PYTHON); without that it is
# skipped.  The package talks to the server through psycopg, psycopg2 or psql.  The
# database is its own, probds_interop.  libprobds is built first.
set -eu

TESTS=$(cd "$(dirname "$0")/../../clients/python/tests" && pwd)
PATH=${BIN:+$BIN:}$PATH
python=${PYTHON:-python3}
from=${PGDATABASE:-postgres}

if ! command -v "$python" >/dev/null; then
    echo "ok # SKIP python3 is not installed"
    exit 0
elif ! "$python" -c 'import decimal, unittest, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "ok # SKIP python3 is older than 3.9, or without its standard library"
    exit 0
fi

make -s -C "$TESTS/../../.." lib >/dev/null
sql() { psql -X -q -At -v ON_ERROR_STOP=1 "$@"; }
drop() { PGOPTIONS='-c client_min_messages=warning' sql -d "$from" -c 'DROP DATABASE IF EXISTS probds_interop'; }
drop
sql -d "$from" -c "CREATE DATABASE probds_interop TEMPLATE template0 ENCODING 'UTF8'"
trap drop EXIT
export PGDATABASE=probds_interop
sql -c 'CREATE EXTENSION probds'

# a server that cannot be reached is an error here
PROBDS_SERVER=1 "$python" -B - "$TESTS" <<'END'
import sys
import unittest


class Tap(unittest.TestResult):
    """Prints a line for each test."""

    def say(self, ok, test, rest=''):
        print('%sok - python: %s%s' % ('' if ok else 'not ', test.id(), rest), flush=True)

    def fail(self, test, error):
        self.say(False, test)
        for line in self._exc_info_to_string(error, test).splitlines()[-30:]:
            print('# ' + line)

    def addSuccess(self, test):
        self.say(True, test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say(True, test, ' # SKIP ' + reason)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.fail(test, error)

    def addError(self, test, error):
        super().addError(test, error)
        self.fail(test, error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.fail(subtest, error)


result = Tap()
unittest.defaultTestLoader.discover(sys.argv[1]).run(result)
sys.exit(not result.wasSuccessful())
END
