"""psycopg 3 by text, by prepared statements, by binary, and with values in the statement
itself: see drivers.py."""

import re
import sys

try:
    import psycopg
    from psycopg.types.json import Jsonb
except ImportError:
    print('ok - psycopg 3 # SKIP it is not installed')
    sys.exit(0)

import drivers
from drivers import Driver


def adapt(kind, value):
    return Jsonb(value) if kind.name == 'jsonb' else value


def program(what, placeholder='%s', cursor=psycopg.Cursor, binary=False,
            hows=(drivers.NATIVE, drivers.TEXT),
            refused=None, born=None, **options):
    db = psycopg.connect(autocommit=True)
    cursor = cursor(db)
    if binary:
        cursor.format = psycopg.pq.Format.BINARY

    def run(sql, values):
        sql = re.sub(r'\$(\d)', r'%%(p\1)%s' % placeholder[1], sql)
        cursor.execute(sql, {'p%d' % (i + 1): v for i, v in enumerate(values)}, **options)
        return cursor.fetchall() if cursor.description else []

    driver = Driver('psycopg %s%s' % (psycopg.__version__, what), run, adapt, typed_texts=binary,
                    bytes_cast=binary,
                    prepares=options.get('prepare', False), refused=refused, born=born)
    driver.all(hows)
    driver.check('COPY in binary', copy_binary, driver, db)
    return driver.failures


def numeric_float(how, kind, argument):
    # 0.5 in a statement is a numeric, not a float
    single_float = kind.name == 'float' and argument[0] not in '[<'
    return '22000' if how == drivers.NATIVE and single_float else None


def copy_binary(driver, db):
    with db.cursor() as source, db.cursor() as target:
        with source.copy('COPY s TO STDOUT (FORMAT binary)') as out:
            data = [bytes(chunk) for chunk in out]
        with target.copy('COPY copied FROM STDIN (FORMAT binary)') as into:
            for chunk in data:
                into.write(chunk)
    return driver.differs()


failures = program('', hows=(drivers.NATIVE, drivers.TEXT, drivers.CAST))
failures += program(', prepare', prepare=True)
failures += program(', binary', placeholder='%b', binary=True)
failures += program(', ClientCursor', cursor=psycopg.ClientCursor, hows=(drivers.NATIVE,),
                    refused=numeric_float,
                    born={'float': 'number'})
sys.exit(1 if failures else 0)
