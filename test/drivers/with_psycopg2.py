"""psycopg 2, which writes values into the statement itself: see drivers.py."""

import io
import re
import sys

try:
    import psycopg2
    import psycopg2.extras
except ImportError:
    print('ok - psycopg 2 # SKIP it is not installed')
    sys.exit(0)

import drivers
from drivers import Driver

db = psycopg2.connect('')
db.autocommit = True
cursor = db.cursor()
psycopg2.extras.register_uuid()


def run(sql, values):
    sql = re.sub(r'\$(\d)', r'%(p\1)s', sql)
    cursor.execute(sql, {'p%d' % (i + 1): v for i, v in enumerate(values)})
    return cursor.fetchall() if cursor.description else []


def adapt(kind, value):
    if kind.name == 'jsonb':
        return psycopg2.extras.Json(value)
    return str(value) if kind.name == 'inet' else value


def refused(how, kind, argument):
    # 0.5 in a statement is a numeric, not a float
    other_float = kind.name == 'float' and argument != '[]' and argument[0] != '<'
    return '22000' if how == drivers.NATIVE and other_float else None


def copy_binary(driver):
    data = io.BytesIO()
    cursor.copy_expert('COPY s TO STDOUT (FORMAT binary)', data)
    data.seek(0)
    cursor.copy_expert('COPY copied FROM STDIN (FORMAT binary)', data)
    return driver.differs()


def execute_values(driver):
    """Many rows in one statement."""
    run('CREATE TABLE many (n int, f bloom)', [])
    psycopg2.extras.execute_values(cursor, 'INSERT INTO many VALUES %s',
                                   [(n, None) for n in range(10)],
                                   template='(%s, bloom_add(bloom_empty(100), %s))')
    psycopg2.extras.execute_batch(cursor, 'UPDATE many SET f = bloom_add(f, %s) WHERE n = %s',
                                  [(n, n) for n in range(10)])
    got = driver.one('SELECT count(*) FROM many WHERE f @> n')
    return None if got == 10 else 'got %s' % got


driver = Driver('psycopg ' + psycopg2.__version__.split()[0], run, adapt,
                as_text=('enum', 'inet', 'jsonb'), typed_texts=True,
                refused=refused, born={'float': 'number'})
driver.all()
driver.check('COPY in binary', copy_binary, driver)
driver.check('execute_values, execute_batch', execute_values, driver)
driver.done()
