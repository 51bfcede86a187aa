#!/bin/sh
# python_client_test.sh: the Python package in clients/python against a server
#
# Without Python 3.9 or later (python3, or PYTHON) it is skipped.  The package talks to the server
# through psycopg, psycopg2 or psql.  libprobds is built first.
set -eu

TESTS=$(cd "$(dirname "$0")/../../clients/python/tests" && pwd)
. "$(dirname "$0")/database.sh"
python=${PYTHON:-python3}

if ! command -v "$python" >/dev/null; then
    echo "ok # SKIP python3 is not installed"
    exit 0
elif ! "$python" -c 'import decimal, unittest, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "ok # SKIP python3 is older than 3.9, or without its standard library"
    exit 0
fi

make -s -C "$TESTS/../../.." lib >/dev/null
own_database "ENCODING 'UTF8'"
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
