"""libprobds, the shared library of clients/c (probds.h), by ctypes; a sketch of any type by it.

The library is the file that PROBDS_LIBRARY names, else the one in this folder, else the one that
the system has.  Where PROBDS_LIBRARY is set and empty there is none.
"""
from __future__ import annotations

import ctypes
import itertools
import operator
import os
import sys
import threading
import warnings
from array import array
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64
from ctypes import c_void_p
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Type, TypeVar

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
OF_TWO = ('merge', 'jaccard', 'intersection')
# what the codes of probds.h are, from PROBDS_CORRUPT on
ERRORS: List[Type[Exception]] = [
    FormatError, ArgumentError, KindError, MismatchError, ArgumentError, ArgumentError,
    ArgumentError, MemoryError]
CHUNK = 1 << 16                 # values that are added at once, at most
CHUNK_BYTES = 1 << 20           # fewer of them if they have more bytes than this


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


class Found(ctypes.Structure):
    """An item of a topk: probds_item."""

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
    'top': (c_void_p, POINTER(Found), c_size_t, _SIZE),
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
    for name, result in (('free', None), ('kind', c_int), ('type', c_char_p)):
        found[name] = getattr(library, 'probds_' + name)
        found[name].argtypes, found[name].restype = [c_void_p], result
    library.probds_library_version.restype = c_char_p
    found['version'] = library.probds_library_version().decode()
    # a type has no function of its own
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


def value_of(value: Any) -> Any:
    """Return a probds_value, which may point into the value.  Raises as canonical() does."""
    if type(value) is str and '\0' not in value:
        data = value.encode()
        return _Bytes(TEXT, 0, data, len(data))
    kind, data = canonical(value)
    if kind == FLOAT or kind == BOOLEAN or kind in (NUMBER, DATE, TIMESTAMP, TIMESTAMPTZ) and \
            len(data) == 8:
        return _Number(kind, 0, int.from_bytes(data, 'little', signed=len(data) == 8), 0)
    if kind not in (TEXT, BYTES, UUID):
        return _Bytes(kind & 255 | CANONICAL, kind >> 8, data, len(data))
    return _Bytes(kind, 0, data, len(data))


def _weight_of(weight: Any) -> int:
    number: int = operator.index(weight)
    if not -1 << 63 <= number < 1 << 63:
        raise ArgumentError('A weight has 64 bits.')
    return number


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

    __slots__ = ('_handle', '_lock', '_error', '_told')

    _handle: Optional[int]
    _lock: Any
    _error: _Error
    _told: Any

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
        self._told = byref(self._error)
        handle = c_void_p()
        if _library[function](*args, None, byref(handle), self._told):
            raise self._said(function)
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
        if _library['type'](self._handle) != cls.type_name.encode():
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

    def _said(self, function: str) -> Exception:
        """Return the error that the library has told."""
        code = self._error.code
        # what does not go together are sketches, or else the kinds of a sketch and of a value
        error: Type[Exception] = (KindError if code == MISMATCH and function not in OF_TWO
                                  else ERRORS[code - 1])
        return error(self._error.sentence.decode(errors='replace'))

    def _call(self, function: str, *args: Any) -> None:
        with self._lock:
            if _library[function](self._handle, *args, self._told):
                raise self._said(function)

    def _ask(self, function: str, count: int, kind: Any, *args: Any) -> Any:
        """Return what a function writes behind its arguments; None if there is no answer."""
        found = [kind() for _ in range(count)]
        with self._lock:
            if _library[function](self._handle, *args, *map(byref, found), self._told):
                if self._error.code == NO_ANSWER:
                    return None
                raise self._said(function)
        return tuple(f.value for f in found) if count > 1 else found[0].value

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
        return value_of(value)

    def add(self, value: Any, weight: int = 1) -> None:
        """Add a value.  None is skipped, as SQL skips NULL.  A cms, a topk and a ddsketch take a
        weight.

        Raises KindError if the sketch holds values of another kind.
        """
        if value is not None:
            self._call('add', self._value(value), _weight_of(weight))

    def add_all(self, values: Iterable[Any]) -> None:
        """Add many values, as add() does.

        Arrays of numpy, and series of pandas without what is missing there, are added as a whole.
        """
        parts = parts_of(values)
        if parts is None:
            rest = iter(all_of(values))
            # (what has a length is in memory already)
            n = CHUNK if hasattr(values, '__len__') else CHUNK >> 9
            while True:
                some = list(itertools.islice(rest, n))
                if not some:
                    return
                n = n << 3 if self._add_list(some) < CHUNK_BYTES else n >> 3
                n = min(max(n, 1), CHUNK)
        for kind, part in parts:
            if kind is None:
                self.add_all(part)
            elif kind == FLOAT:
                self._call('add_floats', part.ctypes.data, len(part))
            else:
                self._call('add_integers', kind, part.ctypes.data, len(part))

    def _add_list(self, values: List[Any]) -> int:
        """Add values.  Return how many bytes they have, about, or 0 for numbers."""
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
                return len(text)
            if only is bytes:
                data = b''.join(values)
                separator = next((s for s in map(bytes, zip(range(256))) if s not in data), b'')
                if separator:
                    self._add_lines(BYTES, separator, separator.join(values))
                    return len(data)
            if only is int or only is float:
                numbers = array('q' if only is int else 'd', values)
                where, n = numbers.buffer_info()
                if only is int:
                    self._call('add_integers', NUMBER, where, n)
                else:
                    self._call('add_floats', where, n)
                return 0
        except OverflowError:   # a number of more than 64 bits
            pass
        for value in values:
            self.add(value)
        return sum(map(sys.getsizeof, values))

    def _add_lines(self, kind: int, separator: bytes, text: bytes) -> None:
        text += separator
        self._call('add_lines', kind, separator, text, len(text), byref(c_size_t()),
                   byref(c_uint64()))

    def merge(self: N, other: N) -> None:
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
