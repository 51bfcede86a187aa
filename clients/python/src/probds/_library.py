"""Sketches of all types by libprobds, the shared library of clients/c (probds.h), with ctypes.

The library is the file that PROBDS_LIBRARY names, else the one in this folder, else the one that
the system has.  Where PROBDS_LIBRARY is set and empty there is none.
"""
from __future__ import annotations

import ctypes
import itertools
import operator
import os
import threading
import warnings
from array import array
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint8, c_uint64
from ctypes import c_uint32, c_void_p
from decimal import Decimal
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Tuple, Type, TypeVar

from . import bloom as _bloom
from . import hll as _hll
from ._arrays import parts_of
from ._bytes import get_header, has_signature
from ._sketch import Buffer, Sketch, all_of, buffer_of
from .errors import ArgumentError, FormatError, KindError, LibraryError, MismatchError
from .values import BOOLEAN, BYTES, DATE, FLOAT, NUMBER, TEXT, TIMESTAMP, TIMESTAMPTZ, UUID
from .values import canonical

N = TypeVar('N', bound='Native')

NAME = 'libprobds.so.1'
CANONICAL = 256                 # PROBDS_CANONICAL
NO_ANSWER = 7
MISMATCH = 4
# what the codes of probds.h are, from PROBDS_CORRUPT on
ERRORS: List[Type[Exception]] = [
    FormatError, ArgumentError, KindError, MismatchError, ArgumentError, ArgumentError,
    ArgumentError, MemoryError]
CHUNK = 1 << 16                 # values that are added at once


class _Error(ctypes.Structure):
    _fields_ = [('code', c_int), ('sentence', ctypes.c_char * 240)]


# probds_value, whose union ctypes would not pass: with an integer (or the bits of a double) and
# with the address of bytes
class _Number(ctypes.Structure):
    _fields_ = [('kind', ctypes.c_int32), ('signature', c_uint32), ('number', c_int64),
                ('length', c_size_t)]


class _Bytes(ctypes.Structure):
    _fields_ = [('kind', ctypes.c_int32), ('signature', c_uint32), ('bytes', c_char_p)] + (
        [('rest', ctypes.c_int32)] if ctypes.sizeof(c_void_p) == 4 else []) + [
            ('length', c_size_t)]


class _Value:
    """The type of an argument that is one of the two."""

    @staticmethod
    def from_param(value: Any) -> Any:
        return value


class _Item(ctypes.Structure):
    _fields_ = [('text', c_void_p), ('length', c_size_t), ('lower', c_int64),
                ('frequency', c_int64)]


_FIELD = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
_REAL, _WHOLE, _SIZE = POINTER(c_double), POINTER(c_int64), POINTER(c_size_t)

# of each function that is called, the arguments without the error, which is the last one of all
FUNCTIONS: Dict[str, Tuple[Any, ...]] = {
    'new': (c_char_p, c_char_p, c_void_p, POINTER(c_void_p)),
    'from_bytes': (c_char_p, c_size_t, c_void_p, POINTER(c_void_p)),
    'to_bytes': (c_void_p, POINTER(c_void_p), _SIZE),
    'merge': (c_void_p, c_void_p),
    'add': (c_void_p, _Value, c_int64),
    'add_integers': (c_void_p, c_int, c_void_p, c_size_t),
    'add_floats': (c_void_p, c_void_p, c_size_t),
    'add_lines': (c_void_p, c_int, ctypes.c_char, c_char_p, c_size_t, _SIZE, POINTER(c_uint64)),
    'remove': (c_void_p, _Value),
    'cardinality': (c_void_p, _REAL),
    'cardinality_bounds': (c_void_p, c_double, _REAL, _REAL, _REAL),
    'contains': (c_void_p, _Value, POINTER(c_int)),
    'frequency': (c_void_p, _Value, _WHOLE, _WHOLE, _WHOLE),
    'total': (c_void_p, _WHOLE),
    'top': (c_void_p, POINTER(_Item), c_size_t, _SIZE),
    'quantile': (c_void_p, c_double, _REAL, _REAL, _REAL),
    'rank': (c_void_p, c_double, _REAL),
    'jaccard': (c_void_p, c_void_p, _REAL),
    'intersection': (c_void_p, c_void_p, _REAL),
    'info': (c_void_p, _FIELD, c_void_p),
}


# ---------- the library ----------


def _open(path: str) -> Dict[str, Any]:
    """Return the functions of a library by their names.  Raises OSError or AttributeError."""
    library = ctypes.CDLL(path)
    found: Dict[str, Any] = {}
    for name, arguments in FUNCTIONS.items():
        function = getattr(library, 'probds_' + name)
        function.argtypes = [*arguments, POINTER(_Error)]
        function.restype = c_int
        found[name] = function
    library.probds_free.argtypes = library.probds_kind.argtypes = [c_void_p]
    library.probds_free.restype = None
    library.probds_library_version.restype = c_char_p
    # what has no function of its own: a library that lacks it does not know the type
    found['free'], found['kind'] = library.probds_free, library.probds_kind
    found['version'] = library.probds_library_version().decode()
    handle = c_void_p()
    if found['new'](b'fuse', None, None, byref(handle), None):
        raise AttributeError('the type fuse')
    found['free'](handle)
    return found


def _load() -> Tuple[Dict[str, Any], str]:
    """Return the functions of the library, none without one, and the reason."""
    named = os.environ.get('PROBDS_LIBRARY')
    bundled = os.path.join(os.path.dirname(os.path.abspath(__file__)), NAME)
    if named == '':
        return {}, 'PROBDS_LIBRARY is empty'
    path = named or (bundled if os.path.exists(bundled) else NAME)
    try:
        return _open(path), ''
    except OSError as error:
        why = str(error)
    except AttributeError as error:
        why = '%s is older than this package: %s' % (path, error)
        if not named:
            warnings.warn(why + '; hll and bloom are plain Python', RuntimeWarning, stacklevel=4)
    if named:
        raise LibraryError('PROBDS_LIBRARY: ' + why)
    return {}, why


_library, _reason = _load()


def library_version() -> Optional[str]:
    """Return the version of libprobds, or None without it: hll and bloom are plain Python then."""
    return _library.get('version')


# ---------- values ----------


def _value_of(value: Any) -> Any:
    """Return a probds_value, which may point into the value.  Raises as canonical() does."""
    kind, data = canonical(value)
    if kind == FLOAT or kind == BOOLEAN or kind in (NUMBER, DATE, TIMESTAMP, TIMESTAMPTZ) and \
            len(data) == 8:
        return _Number(kind, 0, int.from_bytes(data, 'little', signed=len(data) == 8), 0)
    if kind not in (TEXT, BYTES, UUID):
        return _Bytes(kind & 255 | CANONICAL, kind >> 8, data, len(data))
    return _Bytes(kind, 0, data, len(data))


def _weight_of(weight: Any) -> int:
    weight = operator.index(weight)
    if not -1 << 63 <= weight < 1 << 63:
        raise ArgumentError('A weight has 64 bits.')
    return weight


def _option(name: str, value: Any) -> str:
    text = str(int(value) if isinstance(value, bool) else value)
    if isinstance(value, str) != (name == 'layout'):
        raise TypeError('%s must be a %s, not %r' % (
            name, 'str' if name == 'layout' else 'number', value))
    if ',' in text or '\0' in text:
        raise ArgumentError('%s cannot be %r' % (name, value))
    return '%s=%s' % (name, text)


# ---------- all types ----------


class Native(Sketch):
    """A sketch of the library.

    Threads may share one: each call has the sketch for itself.
    """

    __slots__ = ('_handle', '_lock', '_error')

    _handle: Optional[int]
    _lock: Any
    _error: _Error

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        raise TypeError('call %s.empty(), from_bytes() or from_text()' % cls.__name__)

    def __del__(self) -> None:
        handle = getattr(self, '_handle', None)
        if handle:
            self._handle = None
            _library['free'](handle)

    @classmethod
    def _made(cls: Type[N], function: str, *args: Any) -> N:
        if not _library:
            raise LibraryError('%s needs libprobds (%s)' % (cls.__name__, _reason))
        self: N = object.__new__(cls)
        self._handle, self._lock, self._error = None, threading.RLock(), _Error()
        handle = c_void_p()
        if _library[function](*args, None, byref(handle), byref(self._error)):
            raise self._said()
        self._handle = handle.value
        return self

    @classmethod
    def _empty(cls: Type[N], **options: Any) -> N:
        text = ','.join(_option(name, value) for name, value in options.items()
                        if value is not None)
        return cls._made('new', cls.type_name.encode(), text.encode())

    @classmethod
    def from_bytes(cls: Type[N], data: Buffer) -> N:
        """Read a sketch from the bytes that sketch::bytea gives.  Raises FormatError."""
        data = buffer_of(cls, data)
        self = cls._made('from_bytes', data, len(data))
        if data[0] >> 4 != NUMBERS[cls.type_name]:
            raise FormatError('These bytes are another sketch than a %s.' % cls.type_name)
        return self

    def to_bytes(self) -> bytes:
        """Return the stored bytes, which are those that the server writes for the same values."""
        at, length = c_void_p(), c_size_t()
        with self._lock:
            self._call('to_bytes', byref(at), byref(length))
            return ctypes.string_at(at.value or 0, length.value)

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return '<%s %s kind=%s>' % (type(self).__name__,
                                    str(self.info()['parameters']).replace(',', ' '),
                                    self.kind_name)

    # ---------- calls ----------

    def _said(self) -> Exception:
        """Return the error that the library has told."""
        code = self._error.code
        return ERRORS[code - 1](self._error.sentence.decode(errors='replace'))

    def _call(self, function: str, *args: Any) -> None:
        with self._lock:
            if _library[function](self._handle, *args, byref(self._error)):
                raise self._said()

    def _ask(self, function: str, count: int, kind: Any, *args: Any) -> Any:
        """Return what a function writes behind its arguments; None if there is no answer."""
        found = [kind() for _ in range(count)]
        with self._lock:
            if _library[function](self._handle, *args, *map(byref, found), byref(self._error)):
                if self._error.code == NO_ANSWER:
                    return None
                raise self._said()
        return tuple(f.value for f in found) if count > 1 else found[0].value

    def _of_value(self, call: Callable[..., Any], *args: Any) -> Any:
        """Call with a value: what does not go together are kinds then."""
        try:
            return call(*args)
        except MismatchError as error:
            raise KindError(str(error)) from None

    def _both(self: N, function: Callable[..., Any], other: N, *args: Any) -> Any:
        """Call with the handle of another sketch, which no thread changes meanwhile."""
        if not isinstance(other, Sketch) or other.type_name != self.type_name:
            raise TypeError('only a %s goes with a %s' % ((type(self).__name__,) * 2))
        if not isinstance(other, Native):
            other = type(self).from_bytes(other.to_bytes())
        first, second = sorted((self, other), key=id)
        with first._lock, second._lock:
            self._joined_kind(other)
            return function(*args, other._handle)

    # ---------- what all types do ----------

    @property
    def kind(self) -> int:      # type: ignore[override]
        """The code of the kind of the values, above it the signature; 0 if empty."""
        with self._lock:
            code: int = _library['kind'](self._handle)
            return get_header(self.to_bytes())[2] if has_signature(code) else code

    @property
    def family(self) -> int:    # type: ignore[override]
        """The hash family (doc/format.md)."""
        return self.to_bytes()[1] >> 4

    def _value(self, value: Any) -> Any:
        return _value_of(value)

    def add(self, value: Any, weight: int = 1) -> None:
        """Add a value.  None is skipped, as SQL skips NULL.  A cms, a topk and a ddsketch take a
        weight.

        Raises KindError if the sketch holds values of another kind.
        """
        if value is not None:
            self._of_value(self._call, 'add', self._value(value), _weight_of(weight))

    def add_all(self, values: Iterable[Any]) -> None:
        """Add many values, as add() does.

        Arrays of numpy, and series of pandas without what is missing there, are added as a whole.
        """
        parts = parts_of(values)
        if parts is None:
            rest = iter(all_of(values))
            while True:
                some = list(itertools.islice(rest, CHUNK))
                if not some:
                    return
                self._of_value(self._add_list, some)
        for kind, part in parts:
            if kind is None:
                self.add_all(part)
            elif kind == FLOAT:
                self._of_value(self._call, 'add_floats', part.ctypes.data, len(part))
            else:
                self._of_value(self._call, 'add_integers', kind, part.ctypes.data, len(part))

    def _add_list(self, values: List[Any]) -> None:
        types = set(map(type, values))
        if type(None) in types:
            values = [value for value in values if value is not None]
            types.remove(type(None))
        only = types.pop() if len(types) == 1 else None
        try:
            if only is str:
                text = '\0'.join(values).encode()
                if text.count(0) != len(values) - 1:
                    raise ValueError('a text of PostgreSQL cannot contain the character 0')
                self._add_lines(TEXT, b'\0', text)
                return
            if only is bytes:
                data = b''.join(values)
                separator = next((s for s in map(bytes, zip(range(256))) if s not in data), b'')
                if separator:
                    self._add_lines(BYTES, separator, separator.join(values))
                    return
            if only is int or only is float:
                numbers = array('q' if only is int else 'd', values)
                where, n = numbers.buffer_info()
                if only is int:
                    self._call('add_integers', NUMBER, where, n)
                else:
                    self._call('add_floats', where, n)
                return
        except OverflowError:   # a number of more than 64 bits
            pass
        for value in values:
            self.add(value)

    def _add_lines(self, kind: int, separator: bytes, text: bytes) -> None:
        text += separator
        self._call('add_lines', kind, separator, text, len(text), byref(c_size_t()),
                   byref(c_uint64()))

    def merge(self: N, other: N) -> None:   # type: ignore[override]
        """Add everything that is in the other sketch.

        Raises KindError if the sketches hold values of different kinds, and MismatchError if they
        cannot be merged.
        """
        self._both(lambda handle: self._call('merge', handle), other)

    def info(self) -> Dict[str, Any]:
        """Return the facts about the sketch that there are, by name."""
        facts: Dict[str, Any] = {}

        def field(context: Any, name: bytes, text: bytes) -> None:
            facts[name.decode()] = text.decode()

        self._call('info', _FIELD(field), None)
        for name in ('distinct_values', 'total', 'capacity', 'bytes'):
            if name in facts:
                facts[name] = int(facts[name])
        for name in ('fill', 'false_positive_rate', 'error'):
            if name in facts:
                facts[name] = float(facts[name])
        return facts


# ---------- answers that several types give ----------


class _Distinct(Native):
    __slots__ = ()

    def cardinality(self) -> int:
        """Return the estimated number of distinct values."""
        return int(self._ask('cardinality', 1, c_double))


class _Bounded(_Distinct):
    __slots__ = ()

    def cardinality_bounds(self, confidence: float = 0.95) -> Tuple[int, int, int]:
        """Return a lower bound, the estimate and an upper bound at a confidence."""
        lower, estimate, upper = self._ask('cardinality_bounds', 3, c_double,
                                             float(confidence))
        return int(lower), int(estimate), int(upper)

    def jaccard(self: N, other: N) -> Optional[float]:
        """Return how similar two sets are, 0 to 1; None if that cannot be told."""
        return self._both(lambda handle: self._ask('jaccard', 1, c_double, handle), other)


class _Filter(_Distinct):
    __slots__ = ()

    def contains(self, value: Any) -> bool:
        """Was the value added?  False is certain, True is probable.

        Raises KindError if the filter holds values of another kind, and for None.
        """
        return bool(self._of_value(self._ask, 'contains', 1, c_int, self._value(value)))

    def __contains__(self, value: Any) -> bool:
        return self.contains(value)


class _Counting(Native):
    __slots__ = ()

    def frequency_bounds(self, value: Any) -> Tuple[int, int, int]:
        """Return a lower bound, the estimate and an upper bound of how often a value was added."""
        found: Tuple[int, int, int] = self._of_value(self._ask, 'frequency', 3, c_int64,
                                                     self._value(value))
        return found

    def total(self) -> int:
        """Return the sum of all weights."""
        return int(self._ask('total', 1, c_int64))


class _Frequencies(_Counting):
    __slots__ = ()

    def frequency(self, value: Any) -> int:
        """Return how often a value was added."""
        return self.frequency_bounds(value)[1]


class _Removing(_Filter, _Counting):
    __slots__ = ()

    def count(self, value: Any) -> int:
        """Return how often a value may have been added."""
        return self.frequency_bounds(value)[1]

    def remove(self, value: Any) -> None:
        """Take out a value that was added.  Raises ArgumentError if it is not there."""
        self._of_value(self._call, 'remove', self._value(value))


# ---------- the types ----------


def _plain(module: Any, name: str) -> Any:
    """Return a property that plain Python reads from the bytes."""
    return property(lambda self: getattr(module.from_bytes(self.to_bytes()), name))


class Hll(_Bounded):
    """A HyperLogLog sketch: the number of distinct values, in a few kilobytes."""

    __slots__ = ()
    type_name = 'hll'
    precision = _plain(_hll.Hll, 'precision')

    @classmethod
    def empty(cls, precision: int = 14) -> Hll:
        """Return an empty sketch with 2^precision registers, 4 to 18."""
        return cls._empty(precision=precision)

    def reduce(self, precision: int) -> Hll:
        """Return a copy at a lower precision, as if it had been built at that."""
        return self.from_bytes(_hll.Hll.from_bytes(self.to_bytes()).reduce(precision).to_bytes())

    def intersection_cardinality(self, other: Hll) -> Optional[int]:
        """Return how many values are in both; None if that cannot be told."""
        found = self._both(lambda handle: self._ask('intersection', 1, c_double, handle), other)
        return None if found is None else int(found)


class Bloom(_Filter):
    """A Bloom filter: a set that may say yes to a value that was never added."""

    __slots__ = ()
    type_name = 'bloom'
    capacity, layout, bits, hashes, rate_code, false_positive_rate = (
        _plain(_bloom.Bloom, name) for name in ('capacity', 'layout', 'bits', 'hashes',
                                                'rate_code', 'false_positive_rate'))

    @classmethod
    def empty(cls, capacity: Optional[float] = None, false_positive_rate: float = 0.01,
              layout: str = 'blocked') -> Bloom:
        """Return an empty filter; without a capacity it is sized for the values when it is stored.

        The layout is 'blocked', 'classic' or 'guava'.
        """
        return cls._empty(capacity=capacity, rate=false_positive_rate, layout=layout)

    def intersect(self, other: Bloom) -> None:
        """Keep only the bits that are set in both filters."""
        if not isinstance(other, Sketch) or other.type_name != 'bloom':
            raise TypeError('only a Bloom goes with a Bloom')
        both = _bloom.Bloom.from_bytes(self.to_bytes())
        both.intersect(_bloom.Bloom.from_bytes(other.to_bytes()))
        new = self.from_bytes(both.to_bytes())
        with self._lock:
            self._handle, new._handle = new._handle, self._handle

    def __and__(self, other: Bloom) -> Bloom:
        if type(other) is not type(self):
            return NotImplemented
        both = self.copy()
        both.intersect(other)
        return both

    def __iand__(self, other: Bloom) -> Bloom:
        if type(other) is not type(self):
            return NotImplemented
        self.intersect(other)
        return self


class Cms(_Frequencies):
    """A Count-Min sketch: how often values occurred."""

    __slots__ = ()
    type_name = 'cms'

    @classmethod
    def empty(cls, epsilon: float = 0.001, delta: float = 0.01, conservative: bool = False) -> Cms:
        """Return an empty sketch."""
        return cls._empty(epsilon=epsilon, delta=delta, conservative=bool(conservative))


class Item(NamedTuple):
    """A frequent value, as its text in SQL, and how often it occurred: at least, and at most."""

    item: str
    frequency: int
    lower: int


class Topk(_Frequencies):
    """The most frequent values."""

    __slots__ = ()
    type_name = 'topk'

    @classmethod
    def empty(cls, k: int = 20, counters: Optional[int] = None) -> Topk:
        """Return an empty sketch."""
        return cls._empty(k=k, counters=counters)

    def top(self, most: int = 10000) -> List[Item]:
        """Return the most frequent values, at most k, the most frequent one first."""
        most = max(0, min(operator.index(most), 10000))     # k is not larger
        items, n = (_Item * most)(), c_size_t()
        with self._lock:
            self._call('top', items, most, byref(n))
            return [Item(ctypes.string_at(i.text, i.length).decode(), i.frequency, i.lower)
                    for i in items[:n.value]]


class Cuckoo(_Removing):
    """A cuckoo filter: a set from which values can be removed."""

    __slots__ = ()
    type_name = 'cuckoo'

    @classmethod
    def empty(cls, capacity: float, false_positive_rate: float = 0.01) -> Cuckoo:
        """Return an empty filter."""
        return cls._empty(capacity=capacity, rate=false_positive_rate)


class CountingBloom(_Removing):
    """A Bloom filter that values can be removed from."""

    __slots__ = ()
    type_name = 'counting_bloom'

    @classmethod
    def empty(cls, capacity: float, false_positive_rate: float = 0.01,
              layout: str = 'blocked') -> CountingBloom:
        """Return an empty filter.  The layout is 'blocked' or 'classic'."""
        return cls._empty(capacity=capacity, rate=false_positive_rate, layout=layout)


class ScalableBloom(_Filter):
    """A Bloom filter that grows."""

    __slots__ = ()
    type_name = 'scalable_bloom'

    @classmethod
    def empty(cls, capacity: float = 1000, false_positive_rate: float = 0.01,
              expansion: int = 2) -> ScalableBloom:
        """Return an empty filter."""
        return cls._empty(capacity=capacity, rate=false_positive_rate, expansion=expansion)


class Minhash(_Bounded):
    """How similar sets are."""

    __slots__ = ()
    type_name = 'minhash'

    @classmethod
    def empty(cls, k: int = 128) -> Minhash:
        """Return an empty sketch; k is a power of 2."""
        return cls._empty(k=k)


class Ddsketch(_Counting):
    """The distribution of numbers."""

    __slots__ = ()
    type_name = 'ddsketch'

    @classmethod
    def empty(cls, relative_error: float = 0.01, max_buckets: int = 4096) -> Ddsketch:
        """Return an empty sketch."""
        return cls._empty(error=relative_error, buckets=max_buckets)

    def _value(self, value: Any) -> Any:
        if isinstance(value, Decimal) or isinstance(value, int) and value.bit_length() > 63:
            value = float(value)
        return _value_of(value)

    def quantile_bounds(self, quantile: float) -> Optional[Tuple[float, float, float]]:
        """Return a lower bound, the estimate and an upper bound; None if the sketch is empty."""
        found: Optional[Tuple[float, float, float]] = self._ask('quantile', 3, c_double,
                                                                    float(quantile))
        return found

    def quantile(self, quantile: float) -> Optional[float]:
        """Return a quantile, 0 to 1; None if the sketch is empty."""
        bounds = self.quantile_bounds(quantile)
        return None if bounds is None else bounds[1]

    def rank(self, number: float) -> Optional[float]:
        """Return the share of the numbers at or below this one; None if the sketch is empty."""
        found: Optional[float] = self._ask('rank', 1, c_double, float(number))
        return found

    def count(self) -> int:
        """Return the sum of all weights."""
        return self.total()


class Fuse(_Filter):
    """A static filter, for a set that is finished: one that was read, or copied, stays as it is."""

    __slots__ = ()
    type_name = 'fuse'

    @classmethod
    def empty(cls, false_positive_rate: float = 0.01) -> Fuse:
        """Return a filter that takes values until it is read or copied, and is never merged."""
        return cls._empty(rate=false_positive_rate)


TYPES: List[Type[Native]] = [Hll, Bloom, Cms, Topk, Cuckoo, CountingBloom, ScalableBloom, Minhash,
                             Ddsketch, Fuse]
# the first four bits of a sketch
NUMBERS = {cls.type_name: number for number, cls in enumerate(TYPES, 1)}
