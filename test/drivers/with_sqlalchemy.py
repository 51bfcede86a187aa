"""SQLAlchemy over psycopg 2, psycopg 3 (from SQLAlchemy 2.0 on) and asyncpg: see drivers.py.

Statements as text, which the drivers below get as they are, and expressions, in which
SQLAlchemy says what a value is.
"""

import asyncio
import re
import sys

try:
    import sqlalchemy as sa
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.types import UserDefinedType
except ImportError:
    print('ok - SQLAlchemy # SKIP it is not installed')
    sys.exit(0)

import drivers
from drivers import Driver

TYPES = {
    'text': sa.Text(), 'int': sa.Integer(), 'bigint': sa.BigInteger(), 'numeric': sa.Numeric(),
    'uuid': postgresql.UUID(as_uuid=True), 'date': sa.Date(), 'timestamp': sa.DateTime(),
    'timestamptz': sa.DateTime(timezone=True), 'bytea': sa.LargeBinary(), 'bool': sa.Boolean(),
    'float': postgresql.DOUBLE_PRECISION(), 'interval': sa.Interval(),
}


class Sketch(UserDefinedType):
    cache_ok = True

    def __init__(self, name):
        self.name = name

    def get_col_spec(self, **_):
        return self.name


def table(name):
    return sa.Table(name, sa.MetaData(), sa.Column('kind', sa.Text, primary_key=True),
                    *(sa.Column(c, Sketch(t)) for c, t in drivers.SKETCHES.items()))


s = table('s')
copied = table('copied')


def over(dialect):
    """A connection over this driver and a function that runs a statement there."""
    if dialect != 'asyncpg':
        db = sa.create_engine('postgresql+%s://' % dialect, isolation_level='AUTOCOMMIT').connect()
        return db.execute
    from sqlalchemy.ext.asyncio import create_async_engine
    loop = asyncio.new_event_loop()
    db = loop.run_until_complete(create_async_engine('postgresql+asyncpg://',
                                                     isolation_level='AUTOCOMMIT').connect())
    return lambda *arguments: loop.run_until_complete(db.execute(*arguments))


def expressions(kind, typed):
    """Expressions over the sketches of a kind, and what they must give."""
    def value(v):
        return sa.cast(v, TYPES[kind.name]) if typed else v

    def values(*v):
        return sa.cast(list(v), sa.ARRAY(TYPES[kind.name])) if typed else list(v)

    f = sa.func
    a, z = kind.a, kind.z
    return [
        (s.c.f.op('@>')(value(a)), True), (s.c.f.op('@>')(value(z)), False),
        (f.bloom_contains(s.c.f, value(a)), True), (f.bloom_contains(s.c.f, value(z)), False),
        (f.bloom_contains_any(s.c.f, values(z, a)), True),
        (f.bloom_contains_all(s.c.f, values(a, z)), False),
        (s.c.c.op('->')(value(a)), 1), (f.topk_frequency(s.c.t, value(a)), 1),
        (f.hll_add(s.c.h, value(a)) == s.c.h, True),
        (f.hll_add_all(s.c.h, values(a, a)) == s.c.h, True),
        (f.cms_frequency(f.cms_add(s.c.c, value(a), 5), value(a)), 6),
        (f.bloom_contains(f.bloom_add(f.bloom_empty(100, 0.001), value(a)), value(a)), True),
        (s.c.u.op('@>')(value(a)), True), (f.cuckoo_count(f.cuckoo_add(s.c.u, value(a)), value(a)),
                                           2),
        (f.cuckoo_remove(s.c.u, value(a)).op('@>')(value(a)), False),
        (f.cuckoo_contains_any(s.c.u, values(z, a)), True),
        (s.c.g.op('@>')(value(z)), False), (f.counting_bloom_count(s.c.g, value(a)), 1),
        (f.counting_bloom_remove_all(f.counting_bloom_add_all(s.c.g, values(a, z)), values(z, a)) ==
         s.c.g, True),
        (s.c.y.op('@>')(value(a)), True),
        (f.scalable_bloom_contains_all(s.c.y, values(a, z)), False),
        (f.minhash_add(s.c.m, value(a)) == s.c.m, True),
        (f.minhash_jaccard(f.minhash_add(s.c.m, value(a)), s.c.m), 1.0),
    ]


def wrong_expressions(execute, typed, skip=()):
    wrong = []
    for kind in drivers.KINDS:
        if kind.name not in TYPES or kind.name in skip:
            continue
        for i, (expression, want) in enumerate(expressions(kind, typed)):
            try:
                got = execute(sa.select(expression).where(s.c.kind == kind.name)).scalar()
            except Exception as error:
                got = str(error)
            if type(got) is not type(want) or got != want:
                wrong.append('%s, expression %d: %s' % (kind.name, i + 1, got))
    return '\n'.join(wrong)


def written_back(driver, execute):
    for row in execute(sa.select(s)).all():
        execute(copied.insert().values(**row._mapping))
    return driver.differs()


def updated(driver, execute):
    """INSERT and UPDATE with expressions over the sketch itself."""
    f = sa.func
    execute(copied.insert().values(kind='new', h=f.hll_empty(), f=f.bloom_empty(100),
                                   c=f.cms_empty(), t=f.topk_empty(5)))
    for word in 'a b a c a'.split():
        execute(copied.update().where(copied.c.kind == 'new').values(
            h=f.hll_add(copied.c.h, word), f=f.bloom_add(copied.c.f, word),
            c=f.cms_add(copied.c.c, word),
            t=f.topk_add(copied.c.t, word)))
    c = copied.c
    row = execute(sa.select(f.hll_cardinality(c.h), c.f.op('@>')('b'), c.f.op('@>')('x'),
                            c.c.op('->')('a'), c.t.op('->')('a'))).one()
    driver.run('TRUNCATE copied', [])
    return None if tuple(row) == (3, True, False, 3, 3) else 'got %s' % (tuple(row),)


def adapt(kind, value):
    if kind.name == 'jsonb':
        from psycopg2.extras import Json
        return Json(value)
    return str(value) if kind.name == 'inet' else value


def refused(how, kind, argument):
    other_float = kind.name == 'float' and argument != '[]' and argument[0] != '<'
    return '22000' if how == drivers.NATIVE and other_float else None


failures = 0
for dialect in 'psycopg2', 'psycopg', 'asyncpg':
    name = 'SQLAlchemy %s, %s' % (sa.__version__, dialect)
    try:
        execute = over(dialect)
    except (ImportError, sa.exc.NoSuchModuleError):
        print('ok - %s # SKIP it is not installed, or SQLAlchemy does not know it' % name)
        continue

    def run(sql, values, execute=execute):
        result = execute(sa.text(re.sub(r'\$(\d)', r':p\1', sql)),
                         {'p%d' % (i + 1): v for i, v in enumerate(values)})
        return result.all() if result.returns_rows else []

    driver = Driver(name, run, adapt, as_text=('enum', 'inet', 'jsonb'), typed_texts=True,
                    refused=refused, born={'float': 'number'})
    if dialect == 'psycopg2':
        driver.all()
    else:
        run('SET search_path = work, public', [])
    driver.check('expressions with casts', wrong_expressions, execute, True)
    if dialect != 'asyncpg':
        driver.check('expressions with plain values', wrong_expressions, execute, False, ('float',))
    driver.check('INSERT, UPDATE', updated, driver, execute)
    driver.check('sketches written back by expressions', written_back, driver, execute)
    failures += driver.failures
sys.exit(1 if failures else 0)
