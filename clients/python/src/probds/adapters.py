"""Sketches out of and into queries: of psycopg 3, psycopg 2, and SQLAlchemy over them.

register(connection) is all that psycopg and psycopg 2 need, and register(engine) SQLAlchemy.
probds.sqlalchemy has the type of a column.
"""
from __future__ import annotations

from typing import Any, Dict, List, Tuple, Type

from . import bloom, hll, types
from ._sketch import Sketch

# the types of the extension, whatever schema it is in
_QUERY = """SELECT t.typname::text, t.oid::int8, t.typarray::int8, t.oid::regtype::text
FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_depend d
    ON d.refclassid = 'pg_catalog.pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
JOIN pg_catalog.pg_type t ON d.classid = 'pg_catalog.pg_type'::regclass AND d.objid = t.oid
WHERE e.extname = 'probds' AND t.typarray <> 0"""


def register(connection: Any) -> None:
    """Let queries of a connection, or of an engine of SQLAlchemy, return sketches and take them.

    The extension must be in the database.  Types that need libprobds remain text without it.
    """
    if hasattr(connection, 'dialect'):
        from sqlalchemy import event

        @event.listens_for(connection, 'connect')
        def connected(dbapi: Any, record: Any) -> None:
            register(dbapi)
        return
    modules = {base.__module__.split('.')[0] for base in type(connection).__mro__}
    driver = 'psycopg' if 'psycopg' in modules else 'psycopg2'
    if driver not in modules:
        raise TypeError('register() takes a connection of psycopg or psycopg2, or an engine of '
                        'SQLAlchemy, not a %s' % type(connection).__name__)
    idle = connection.info.transaction_status == 0
    cursor = connection.cursor()
    cursor.execute(_QUERY)
    _adapt(driver, connection, cursor.fetchall())
    cursor.close()
    if idle:
        connection.rollback()


async def register_async(connection: Any) -> None:
    """As register(), for an AsyncConnection of psycopg."""
    idle = connection.info.transaction_status == 0
    cursor = await connection.execute(_QUERY)
    _adapt('psycopg', connection, await cursor.fetchall())
    if idle:
        await connection.rollback()


def _classes(name: str) -> List[Type[Sketch]]:
    """Return the classes of a type, first the one of what is read."""
    plain: Dict[str, Type[Sketch]] = {'hll': hll.Hll, 'bloom': bloom.Bloom}
    return list(dict.fromkeys(of[name] for of in (types, plain) if name in of))


def _adapt(driver: str, connection: Any, rows: List[Tuple[str, int, int, str]]) -> None:
    if not rows:
        raise LookupError('the database does not have the extension probds')
    for name, oid, array_oid, sql_name in rows:
        if _classes(name):
            (_adapt_3 if driver == 'psycopg' else _adapt_2)(
                connection, _classes(name), name, oid, array_oid, sql_name)


def _adapt_3(connection: Any, classes: List[Type[Sketch]], name: str, oid_: int, array_oid: int,
             sql_name: str) -> None:
    from psycopg.adapt import Dumper, Loader
    from psycopg.pq import Format
    from psycopg.types import TypeInfo

    class TextLoader(Loader):
        def load(self, data: Any) -> Sketch:
            return classes[0].from_text(bytes(data).decode())

    class BinaryLoader(Loader):
        format = Format.BINARY

        def load(self, data: Any) -> Sketch:
            return classes[0].from_bytes(data)

    class TextDumper(Dumper):
        oid = oid_

        def dump(self, obj: Sketch) -> bytes:
            return str(obj).encode()

    class BinaryDumper(Dumper):
        format = Format.BINARY
        oid = oid_

        def dump(self, obj: Sketch) -> bytes:
            return obj.to_bytes()

    TypeInfo(name, oid_, array_oid).register(connection)
    connection.adapters.register_loader(oid_, TextLoader)
    connection.adapters.register_loader(oid_, BinaryLoader)
    for cls in classes:
        connection.adapters.register_dumper(cls, TextDumper)
        connection.adapters.register_dumper(cls, BinaryDumper)


def _adapt_2(connection: Any, classes: List[Type[Sketch]], name: str, oid: int, array_oid: int,
             sql_name: str) -> None:
    from psycopg2.extensions import (AsIs, new_array_type, new_type, register_adapter,
                                     register_type)

    def read(text: Any, cursor: Any) -> Any:
        return None if text is None else classes[0].from_text(text)

    one = new_type((oid,), name, read)
    register_type(one, connection)
    register_type(new_array_type((array_oid,), name + '[]', one), connection)
    for cls in classes:
        # (psycopg 2 has one table of adapters, for all connections)
        register_adapter(cls, lambda sketch: AsIs("'%s'::%s" % (sketch, sql_name)))
