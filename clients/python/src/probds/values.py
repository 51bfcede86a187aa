"""From a Python value to its kind and its canonical bytes (doc/hashing.md)."""
from __future__ import annotations

import datetime
import enum
import ipaddress
import math
import numbers
import struct
import uuid
from decimal import Decimal
from typing import Any, NamedTuple, Tuple

from ._bytes import has_signature, is_kind
from ._hash import murmur3
from .errors import KindError

NUMBER, TEXT, BYTES, UUID, FLOAT, BOOLEAN, DATE, TIME, TIMETZ = range(1, 10)
TIMESTAMP, TIMESTAMPTZ, INTERVAL, INET = range(10, 14)
HASH = 24

_DAY = datetime.date(2000, 1, 1).toordinal()
_EPOCH = datetime.datetime(2000, 1, 1)
_EPOCH_UTC = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
_MICROSECOND = datetime.timedelta(microseconds=1)
_SECOND = datetime.timedelta(seconds=1)


class Value(NamedTuple):
    """A value of a kind that no Python type stands for, as its canonical bytes.

    For example, Value(17, b'ok') is the label 'ok' of an enum.  A kind that has a signature has
    this above its code: code | signature << 8.
    """

    kind: int
    data: bytes


def _signed(value: int, size: int = 8) -> bytes:
    return value.to_bytes(size, 'little', signed=True)


def _integer(value: int) -> bytes:
    if -1 << 63 <= value < 1 << 63:
        return _signed(value)
    return _numeric(Decimal(value))


def _numeric(value: Decimal) -> bytes:
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        if exponent == 'N':
            raise ValueError('a signaling NaN has no value in PostgreSQL')
        return b'\x03' if exponent == 'n' else b'\x05' if sign else b'\x04'
    text = ''.join(map(str, digits)).lstrip('0')
    shorter = text.rstrip('0')
    exponent += len(text) - len(shorter)
    if not shorter:
        return _signed(0)
    if exponent < -16383 or len(shorter) + exponent > 131072:
        raise ValueError('the number has more digits than a numeric of PostgreSQL')
    if exponent >= 0 and len(shorter) + exponent <= 19:
        whole = int(shorter) * 10 ** exponent * (-1 if sign else 1)
        if -1 << 63 <= whole < 1 << 63:
            return _signed(whole)
    # digits base 10000, none of them zero at either end
    last = exponent // 4
    shorter += '0' * (exponent - 4 * last)
    shorter = shorter.zfill((len(shorter) + 3) // 4 * 4)
    groups = [int(shorter[i:i + 4]) for i in range(0, len(shorter), 4)]
    weight = last + len(groups) - 1
    return struct.pack('<Bh%dH' % len(groups), 2 if sign else 1, weight, *groups)


def _float(value: float) -> bytes:
    if math.isnan(value):
        return b'\0\0\0\0\0\0\xf8\x7f'
    return struct.pack('<d', value + 0.0)   # -0 + 0 is 0


def _text(value: str) -> bytes:
    if '\0' in value:
        raise ValueError('a text of PostgreSQL cannot contain the character 0')
    return value.encode()


def _datetime(value: datetime.datetime) -> Tuple[int, bytes]:
    if value.utcoffset() is None:
        return TIMESTAMP, _signed((value.replace(tzinfo=None) - _EPOCH) // _MICROSECOND)
    return TIMESTAMPTZ, _signed((value - _EPOCH_UTC) // _MICROSECOND)


def _time(value: datetime.time) -> Tuple[int, bytes]:
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    local = _signed(seconds * 1000000 + value.microsecond)
    if value.tzinfo is None:
        return TIME, local
    offset = value.utcoffset()
    if offset is None:
        raise KindError('a time of day in a zone whose offset depends on the date has no value')
    if offset % _SECOND:
        raise ValueError('an offset in PostgreSQL is in whole seconds')
    return TIMETZ, local + _signed(-(offset // _SECOND), 4)


def _inet(value: Any) -> bytes:
    if isinstance(value, (ipaddress.IPv4Network, ipaddress.IPv6Network)):
        address, prefix = value.network_address, value.prefixlen
    elif isinstance(value, (ipaddress.IPv4Interface, ipaddress.IPv6Interface)):
        address, prefix = value.ip, value.network.prefixlen
    else:
        address, prefix = value, value.max_prefixlen
    if getattr(address, 'scope_id', None):
        raise ValueError('an inet of PostgreSQL has no scope')
    return bytes([address.version, prefix]) + address.packed


def canonical(value: Any) -> Tuple[int, bytes]:
    """Return the kind of a value and its canonical bytes.

    | Python                                | PostgreSQL                       |
    |---------------------------------------|----------------------------------|
    | bool                                  | boolean                          |
    | int, Decimal                          | smallint, integer, bigint, numeric |
    | float                                 | double precision                 |
    | str                                   | text, varchar, name              |
    | bytes, bytearray, memoryview          | bytea                            |
    | uuid.UUID                             | uuid                             |
    | datetime.date                         | date                             |
    | datetime.time                         | time; timetz if it has an offset |
    | datetime.datetime                     | timestamp; timestamptz if it has an offset |
    | datetime.timedelta                    | interval                         |
    | addresses, interfaces and networks of ipaddress | inet, cidr             |
    | Value                                 | any other type                   |

    Raises KindError for any other type, and ValueError for a value that the type of PostgreSQL
    cannot have.
    """
    if isinstance(value, Value):
        code, signature = value.kind & 255, value.kind >> 8
        if not is_kind(code) or not 0 <= signature < (1 << 32 if has_signature(code) else 1):
            raise KindError('there is no kind %r' % value.kind)
        if value.kind == HASH:
            raise KindError('hashes that were made elsewhere cannot be added')
        return value.kind, bytes(value.data)
    if isinstance(value, enum.Enum):
        raise KindError('%r is ambiguous: pass its name or its value' % value)
    if isinstance(value, str):
        return TEXT, _text(value)
    if type(value).__module__ == 'numpy' and value.dtype.kind in 'fb':
        value = value.item()    # a float of 32 bits, a bool
    if isinstance(value, bool):
        return BOOLEAN, bytes([value])
    if isinstance(value, numbers.Integral):
        return NUMBER, _integer(int(value))
    if isinstance(value, float):
        return FLOAT, _float(value)
    if isinstance(value, Decimal):
        return NUMBER, _numeric(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return BYTES, bytes(value)
    if isinstance(value, uuid.UUID):
        return UUID, value.bytes
    if isinstance(value, datetime.date):
        if value != value:
            raise ValueError('%r is no point in time' % value)
        if isinstance(value, datetime.datetime):
            return _datetime(value)
        return DATE, _signed(value.toordinal() - _DAY)
    if isinstance(value, datetime.time):
        return _time(value)
    if isinstance(value, datetime.timedelta):
        return INTERVAL, _signed(value // _MICROSECOND, 16)
    if isinstance(value, (ipaddress.IPv4Address, ipaddress.IPv6Address,
                          ipaddress.IPv4Network, ipaddress.IPv6Network)):
        return INET, _inet(value)
    raise KindError('a value of type %s cannot be hashed' % type(value).__name__)


def probds_hash(value: Any) -> int:
    """Return the hash of a value, the number that probds_hash(value) gives in SQL."""
    h1 = murmur3(canonical(value)[1])[0]
    return h1 - (1 << 64) if h1 >> 63 else h1
