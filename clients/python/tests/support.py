"""What the tests share: the package of this tree, values of each type, a server."""
import datetime
import hashlib
import importlib.util
import ipaddress
import os
import shutil
import subprocess
import sys
import unittest
import uuid
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, '..', 'src', 'probds')
sys.path.insert(0, os.path.dirname(PACKAGE))
# the library of this tree, or none: never the one of the system
BUILT = os.path.abspath(os.path.join(HERE, '..', '..', '..', 'build', 'lib', 'libprobds.so.1'))
os.environ.setdefault('PROBDS_LIBRARY', BUILT if os.path.exists(BUILT) else '')

from probds import Value  # noqa: E402
from probds._bytes import RANGE, RECORD, described  # noqa: E402

UTC = datetime.timezone.utc
PAIR = described(RECORD, bytes([1, 2]))
INT_RANGE = described(RANGE | 1, b'discrete\0' + bytes([1]))


def framed(data):
    return len(data).to_bytes(4, 'little') + data


def number(i):
    return i.to_bytes(8, 'little', signed=True)


# Of each type: value i as an SQL expression over i, and here
TYPES = {
    'integer': ('i', lambda i: i),
    'bigint': ('i * -1000000000007', lambda i: i * -1000000000007),
    'numeric': ('i * 0.2500', lambda i: i * Decimal('0.25')),
    'large numeric': ('i * -1e21::numeric', lambda i: i * -10 ** 21),
    'float': ('i / 7::float8', lambda i: i / 7),
    'boolean': ('i % 2 = 0', lambda i: i % 2 == 0),
    'text': ("'v\u00e4lue ' || i", lambda i: 'v\u00e4lue %d' % i),
    'bytea': ("int4send(i)", lambda i: i.to_bytes(4, 'big')),
    'uuid': ('md5(i::text)::uuid',
             lambda i: uuid.UUID(hashlib.md5(b'%d' % i).hexdigest())),
    'date': ("date '1999-12-01' + i",
             lambda i: datetime.date(1999, 12, 1) + datetime.timedelta(i)),
    'time': ("time '00:00' + i * interval '0.700001 s'",
             lambda i: (datetime.datetime(1, 1, 1) + i * datetime.timedelta(0, 0, 700001)).time()),
    'timetz': ("((time '00:00' + i * interval '1 s')::text || '-03:30')::timetz",
               lambda i: ((datetime.datetime(1, 1, 1) + i * datetime.timedelta(0, 1)).time()
                          .replace(tzinfo=datetime.timezone(datetime.timedelta(hours=-3.5))))),
    'timestamp': ("timestamp '1999-12-31' + i * interval '61.000001 s'",
                  lambda i: datetime.datetime(1999, 12, 31) + i * datetime.timedelta(0, 61, 1)),
    'timestamptz': ("timestamptz '1999-12-31 00:00+00' + i * interval '61.000001 s'",
                    lambda i: (datetime.datetime(1999, 12, 31, tzinfo=UTC)
                               + i * datetime.timedelta(0, 61, 1))
                    .astimezone(datetime.timezone(datetime.timedelta(hours=9)))),
    'interval': ("i * interval '-1 hour 1 microsecond'",
                 lambda i: i * datetime.timedelta(0, -3600, 1)),
    'inet': ("inet '10.0.0.0' + i", lambda i: ipaddress.ip_address('10.0.0.0') + i),
    'inet of IPv6': ("set_masklen(inet '2001:db8::' + i, 64)",
                     lambda i: ipaddress.ip_interface(
                         '%s/64' % (ipaddress.ip_address('2001:db8::') + i))),
    'cidr': ("network(set_masklen(inet '10.0.0.0' + i * 256, 24))::cidr",
             lambda i: ipaddress.ip_network(
                 '%s/24' % (ipaddress.ip_address('10.0.0.0') + i * 256))),
    'record': ("ROW(i, 'value ' || i)",
               lambda i: Value(PAIR, b'\1' + framed(number(i))
                               + b'\2' + framed(b'value %d' % i))),
    'int4range': ('int4range(i, i + 2)',
                  lambda i: Value(INT_RANGE, b'\2' + framed(number(i)) + framed(number(i + 2)))),
}


class Server:
    """A server with the extension, through whichever driver there is, or psql."""

    def __init__(self):
        self.driver = None
        for name in ('psycopg', 'psycopg2'):
            if self.driver is None and importlib.util.find_spec(name) is not None:
                try:
                    self.driver = importlib.import_module(name)
                except ImportError:         # psycopg without libpq
                    continue
        self.name = self.driver.__name__ if self.driver else 'psql'
        if self.driver:
            self.connection = self.driver.connect('')
            self.connection.autocommit = True

    def rows(self, sql):
        """Return the rows of a query all of whose columns are text without tabs."""
        if self.driver:
            cursor = self.connection.cursor()
            cursor.execute(sql)
            rows = [tuple(row) for row in cursor.fetchall()]
            cursor.close()
            return rows
        done = subprocess.run(['psql', '-X', '-q', '-At', '-F', '\t', '-v', 'ON_ERROR_STOP=1'],
                              input=sql + ';\n', stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding='utf-8', env={**os.environ, 'PGCLIENTENCODING': 'UTF8'})
        if done.returncode:
            raise RuntimeError(done.stderr)
        return [tuple(line.split('\t')) for line in done.stdout.splitlines()]

    def close(self):
        if self.driver:
            self.connection.close()


def find_server():
    """Return a Server whose database has the extension, or skip the tests that want one.

    The server is found as psql finds it (PGHOST, PGPORT, PGUSER, PGDATABASE).  Where
    PROBDS_SERVER is set, there must be one.
    """
    why = 'there is neither a driver nor psql'
    if shutil.which('psql') or any(importlib.util.find_spec(n) for n in ('psycopg', 'psycopg2')):
        try:
            server = Server()
            if server.rows("SELECT extversion FROM pg_extension WHERE extname = 'probds'"):
                return server
            server.close()
            why = 'the database does not have the extension probds'
        except Exception as error:
            why = 'no server: %s' % str(error).strip().split('\n')[0]
    if os.environ.get('PROBDS_SERVER'):
        raise RuntimeError(why)
    raise unittest.SkipTest(why)
