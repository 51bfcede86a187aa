"""asyncpg, which asks the server for the type of each parameter: see drivers.py."""

import asyncio
import io
import json
import sys

try:
    import asyncpg
except ImportError:
    print('ok - asyncpg # SKIP it is not installed')
    sys.exit(0)

import drivers
from drivers import Driver

loop = asyncio.new_event_loop()
wait = loop.run_until_complete


def connect():
    return wait(asyncpg.connect())


db = connect()


def run(sql, values):
    return wait(db.fetch(sql, *values))


def adapt(kind, value):
    return json.dumps(value) if kind.name == 'jsonb' else value


def refused(how, kind, argument):
    # the server says that the parameter is text, and asyncpg takes only a str for that
    if how == drivers.NATIVE and (argument.startswith('[')
                                  or kind.name not in ('text', 'enum', 'jsonb')):
        return 'DataError'
    return None


def copy_binary(driver):
    data = io.BytesIO()
    wait(db.copy_from_table('s', schema_name='work', output=data, format='binary'))
    data.seek(0)
    wait(db.copy_to_table('copied', schema_name='work', source=data, format='binary'))
    return driver.differs()


async def binary_codecs(connection):
    for sketch in drivers.SKETCHES.values():
        await connection.set_type_codec(sketch, schema='public', encoder=bytes, decoder=bytes,
                                        format='binary')


def copy_records(driver):
    """COPY of records that hold sketches as bytes."""
    wait(db.copy_records_to_table('copied', schema_name='work',
                                  records=[tuple(row) for row in run('SELECT * FROM s', [])]))
    return driver.differs()


driver = Driver('asyncpg ' + asyncpg.__version__, run, adapt, texts=drivers.array_text,
                as_text=('enum', 'jsonb'),
                usual=drivers.TEXT, prepares=True, refused=refused)
driver.all()
driver.check('COPY in binary', copy_binary, driver)

wait(binary_codecs(db))
driver.name += ', codecs in binary'
driver.check('a sketch is bytes', lambda: not isinstance(driver.one('SELECT h FROM s LIMIT 1'),
    bytes))
driver.check('sketches written back', driver.written_back)
driver.check('sketches as parameters', driver.asked_as_parameter)
driver.check('copy_records_to_table', copy_records, driver)
wait(db.close())
driver.done()
