"""Bloom filters: was a value there?  "No" is certain."""
from __future__ import annotations

import itertools
import math
from typing import Any, Callable, Iterator, List, Optional, Set, Tuple

from . import _bloom_size
from ._bloom_size import BLOCK, BLOCKED, CLASSIC, MOST_BITS, MOST_HASHES, SINGLE
from ._bytes import (BitReader, BitWriter, get_header, get_varint, kind_name, put_header,
                     put_varint)
from ._hash import MASK, murmur3, murmur64a, xxhash64
from ._sketch import Buffer, Sketch, buffer_of
from .errors import FormatError, KindError, MismatchError
from .values import canonical

GUAVA32, REDIS, PARQUET, PARQUET32 = range(2, 6)
FAMILIES = ['blocked', 'classic', 'guava32', 'redis', 'parquet', 'parquet32']
FAMILY_KINDS = {REDIS: [2, 3, 24], PARQUET: [1, 2, 3, 4, 24], PARQUET32: [1, 24]}
FIRST = 0x21                    # type bloom, version 1
EMPTY, SPARSE, ARRAY = range(3)
EXPLICIT = 0x8000
REMIX = 0x9e3779b97f4a7c15
SALT = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
        0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31]
CHUNK = 1 << 16                 # bytes whose bits are counted at once


# how many bits of a number are set (Python 3.10 has a method for that)
_ones: Callable[[int], int] = getattr(int, 'bit_count', None) or (
    lambda number: bin(number).count('1'))


def _count_bits(data: Buffer) -> int:
    return sum(_ones(int.from_bytes(data[at:at + CHUNK], 'little'))
               for at in range(0, len(data), CHUNK))


def _places(number: int) -> Iterator[int]:
    """Return the numbers of the bits that are set, in ascending order."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


# ---------- from hash to bits ----------


def hash_in_family(family: int, data: bytes) -> Tuple[int, int]:
    """Return h1 and h2 of canonical bytes (h2 is 0 where the family has none)."""
    if family <= GUAVA32:
        return murmur3(data)
    if family == REDIS:
        a = murmur64a(data, 0xc6a4a7935bd1e995)
        return a, murmur64a(data, a)
    return xxhash64(data[:4] if family == PARQUET32 else data), 0


def positions(family: int, m: int, k: int, h1: int, h2: int) -> List[int]:
    """Return the bits of a hash in a filter of m bits with k hashes."""
    if family == BLOCKED:
        b = m if m <= SINGLE else BLOCK
        start = (h1 * (m // b) >> 64) * b
        found = []
        for _ in range(k):
            found.append(start + ((h2 >> 32) * b >> 32))
            h2 = h2 * REMIX & MASK
        return found
    if family == CLASSIC:
        return [((h1 + i * h2) & MASK >> 1) % m for i in range(k)]
    if family == GUAVA32:
        a, b = h1 % 2 ** 32, h1 // 2 ** 32
        sums = [(a + (i + 1) * b) % 2 ** 32 for i in range(k)]
        return [(c if c < 2 ** 31 else 2 ** 32 - 1 - c) % m for c in sums]
    if family == REDIS:
        return [(h1 + i * h2) % 2 ** 64 % m for i in range(k)]
    start = h1 // 2 ** 32 * (m // 256) // 2 ** 32 * 256
    return [start + 32 * i + h1 * SALT[i] % 2 ** 32 // 2 ** 27 for i in range(8)]


class Bloom(Sketch):
    """A Bloom filter: a set that may say yes to a value that was never added.

    While few bits are set, the filter keeps a set of their numbers, later an array of all bits.
    So an empty filter takes little memory, however large it is.
    """

    __slots__ = ('bits', 'hashes', 'capacity', 'rate_code', '_few', '_array')

    type_name = 'bloom'
    #: the number of bits, m
    bits: int
    #: the number of hashes of a value, k
    hashes: int
    #: the number of values that the filter was planned for, 0 if not known
    capacity: int
    #: the false-positive rate that the filter was planned for, as it is stored
    rate_code: int
    _few: Set[int]
    _array: Optional[bytearray]

    def __init__(self, family: int, bits: int, hashes: int, capacity: int, rate_code: int,
                 kind: int = 0) -> None:
        self.family = family
        self.bits = bits
        self.hashes = hashes
        self.capacity = capacity
        self.rate_code = rate_code
        self.kind = kind
        self._few = set()
        self._array = None

    @classmethod
    def empty(cls, capacity: float, false_positive_rate: float = 0.01,
              layout: str = 'blocked') -> Bloom:
        """Return an empty filter of the size that bloom_empty() takes for these arguments.

        The rate is at least 1e-9 and below 1, and rounded down to three digits.  The layout is
        'blocked' or 'classic'.
        """
        if layout not in FAMILIES[:2]:
            raise ValueError("bloom layout must be 'blocked' or 'classic', not %r" % layout)
        if isinstance(capacity, str) or isinstance(false_positive_rate, str):
            raise TypeError('bloom capacity and false-positive rate must be numbers')
        capacity, false_positive_rate = float(capacity), float(false_positive_rate)
        if not capacity >= 1:
            raise ValueError('bloom capacity must be at least 1, not %g' % capacity)
        code = _bloom_size.code_of(false_positive_rate)
        if code == 0:
            raise ValueError('bloom false-positive rate must be at least 1e-09 and below 1, not %g'
                             % false_positive_rate)
        family = FAMILIES.index(layout)
        try:
            if capacity >= 1 << 63:
                raise _bloom_size.TooLarge
            number = math.ceil(capacity)
            bits, hashes = _bloom_size.shape_for(number, code, family)
        except _bloom_size.TooLarge:
            raise ValueError('bloom filter for %g values would be larger than a value of '
                             'PostgreSQL can be' % capacity) from None
        return cls(family, bits, hashes, number, code)

    def __repr__(self) -> str:
        return '<Bloom capacity=%d rate=%g layout=%s bits=%d hashes=%d kind=%s>' % (
            self.capacity, self.false_positive_rate or 0, self.layout, self.bits, self.hashes,
            self.kind_name)

    @property
    def layout(self) -> str:
        """The layout, or the name of the other system's hash family."""
        return FAMILIES[self.family]

    @property
    def false_positive_rate(self) -> Optional[float]:
        """The rate that the filter was planned for, or None if that is not known."""
        return _bloom_size.rate_of(self.rate_code) if self.rate_code else None

    # ---------- values ----------

    def _is_encodable(self, kind: int, data: bytes) -> bool:
        """Can a value be in a filter of this family?"""
        if self.family < PARQUET or kind != 1:
            return True
        return len(data) == 8 and (
            self.family == PARQUET or data[4:] == (b'\xff' if data[3] & 128 else b'\0') * 4)

    def _check_family(self, kind: int) -> None:
        if kind not in FAMILY_KINDS.get(self.family, [kind]):
            raise KindError('bloom of the %s hash family cannot take a value of kind %s'
                            % (self.layout, kind_name(kind)))

    def _put(self, kind: int, data: bytes) -> None:
        self._check_family(kind)
        if not self._is_encodable(kind, data):
            raise KindError('bloom of the %s hash family cannot take a number that is not an '
                            'integer of %d bytes' % (self.layout,
                                                     4 if self.family == PARQUET32 else 8))
        self._add_hash(*hash_in_family(self.family, data))
        self.kind = kind

    def _add_hash(self, h1: int, h2: int) -> None:
        """Set the bits of a hash."""
        for bit in positions(self.family, self.bits, self.hashes, h1, h2):
            self._set(bit)

    def _contains_hash(self, h1: int, h2: int) -> bool:
        """Are all bits of a hash set?"""
        return all(map(self._is_set, positions(self.family, self.bits, self.hashes, h1, h2)))

    def _set(self, bit: int) -> None:
        if self._array is None:
            self._few.add(bit)
            if len(self._few) > self.bits // 512:
                self._turn()
        else:
            self._array[bit >> 3] |= 1 << (bit & 7)

    def _is_set(self, bit: int) -> bool:
        if self._array is None:
            return bit in self._few
        return bool(self._array[bit >> 3] >> (bit & 7) & 1)

    def _turn(self) -> bytearray:
        """Turn from a set of bits to an array of them; return the array."""
        if self._array is None:
            self._array = bytearray(self.bits // 8)
            few, self._few = self._few, set()
            for bit in few:
                self._set(bit)
        return self._array

    def __contains__(self, value: Any) -> bool:
        """Was the value added?  False is certain, True is probable.

        Raises KindError if the filter holds values of another kind, and for None, of which SQL
        does not say whether it was added.
        """
        kind, data = canonical(value)
        if not self.kind:
            return False
        self._check_kind(kind)
        self._check_family(kind)
        return self._is_encodable(kind, data) and \
            self._contains_hash(*hash_in_family(self.family, data))

    def contains(self, value: Any) -> bool:
        """Was the value added?  The same as value in bloom."""
        return value in self

    # ---------- union and intersection ----------

    def _join(self, other: Bloom) -> None:
        """Take over the kind and the plan of two filters that can be merged."""
        if not isinstance(other, Bloom):
            raise TypeError('only a Bloom can be merged with a Bloom')
        if self.family != other.family and max(self.family, other.family) > CLASSIC:
            raise MismatchError('cannot combine bloom filters of different hash families')
        if (self.family, self.bits, self.hashes) != (other.family, other.bits, other.hashes):
            raise MismatchError(
                'cannot combine bloom filters of different sizes: %d bits, %d hashes, %s and '
                '%d bits, %d hashes, %s' % (self.bits, self.hashes, self.layout,
                                            other.bits, other.hashes, other.layout))
        self.kind = self._joined_kind(other)
        self.capacity, self.rate_code = max((self.capacity, self.rate_code),
                                            (other.capacity, other.rate_code))

    def merge(self, other: Bloom) -> None:
        """Add everything that is in the other filter.

        Raises KindError if the filters hold values of different kinds, and MismatchError if they
        differ in size or layout.
        """
        self._join(other)
        if other._array is None:
            for bit in other._few:
                self._set(bit)
            return
        ours = int.from_bytes(self._turn(), 'little')
        theirs = int.from_bytes(other._array, 'little')
        self._array = bytearray((ours | theirs).to_bytes(self.bits // 8, 'little'))

    def intersect(self, other: Bloom) -> None:
        """Keep only the bits that are set in both filters."""
        self._join(other)
        if self._array is None:
            self._few = set(filter(other._is_set, self._few))
        elif other._array is None:
            self._few, self._array = set(filter(self._is_set, other._few)), None
        else:
            both = int.from_bytes(self._array, 'little') & int.from_bytes(other._array, 'little')
            self._array = bytearray(both.to_bytes(self.bits // 8, 'little'))
        if not self._few and not any(self._array or b''):
            self.kind = 0

    def __and__(self, other: Bloom) -> Bloom:
        """Return the intersection of two filters."""
        if not isinstance(other, Bloom):
            return NotImplemented
        both = self.copy()
        both.intersect(other)
        return both

    def __iand__(self, other: Bloom) -> Bloom:
        if not isinstance(other, Bloom):
            return NotImplemented
        self.intersect(other)
        return self

    # ---------- answers ----------

    def bits_set(self) -> int:
        """Return how many bits are set."""
        return len(self._few) if self._array is None else _count_bits(self._array)

    def estimate(self) -> float:
        """Return the estimated number of distinct values, not rounded."""
        in_blocks = self.family == BLOCKED and self.bits > SINGLE
        b = BLOCK if in_blocks else 32 if self.family >= PARQUET else self.bits
        if self.family == GUAVA32:
            b = min(b, 1 << 31)     # there are no others that 31 bits of a hash could be

        def keys(taken: int) -> float:
            """Return how many values set so many of b bits."""
            return (math.log((b - taken + 0.5) / (b + 0.5)) * (1 + 0.5 / b)
                    / (self.hashes * math.log1p(-1 / b)))

        if not in_blocks and self.family < PARQUET:
            return keys(min(self.bits_set(), b))
        fills = [0] * (b + 1)
        for _, places in self._cells(b):
            fills[_ones(places)] += 1
        estimate = 0.0
        for taken in range(1, b + 1):
            if fills[taken]:
                estimate += fills[taken] * keys(taken)
        return estimate

    def cardinality(self) -> int:
        """Return the estimated number of distinct values, the same as bloom_cardinality()."""
        return round(self.estimate())

    def set_bits(self) -> Iterator[int]:
        """Return the numbers of the bits that are set, in ascending order."""
        for cell, places in self._cells(64):
            for place in _places(places):
                yield cell * 64 + place

    # ---------- bytes ----------

    @classmethod
    def from_bytes(cls, data: Buffer) -> Bloom:
        """Read a bloom from the bytes that bloom::bytea gives.  Raises FormatError."""
        return _decode(buffer_of(cls, data))

    def to_bytes(self) -> bytes:
        """Return the stored bytes, which are those that the server writes for the same values."""
        n = self.bits_set()
        encoding = EMPTY if n == 0 else SPARSE if n <= self.bits // 8 else ARRAY
        follows = _bloom_size.small_shape(
            self.capacity, self.rate_code, self.family) == (self.bits, self.hashes)
        head = put_header(FIRST, self.family, encoding, self.kind)
        head += (self.rate_code | (0 if follows else EXPLICIT)).to_bytes(2, 'little')
        head += put_varint(self.capacity)
        if not follows:
            head += bytes([self.hashes]) + put_varint(self.bits // 64)
        if encoding == EMPTY:
            return head
        if encoding == ARRAY:
            return head + bytes(self._turn())
        return head + self._sparse(n)

    def _cells(self, b: int) -> Iterator[Tuple[int, int]]:
        """Return each cell of b bits that has any set, and these bits as a number."""
        if self._array is None:
            for cell, bits in itertools.groupby(sorted(self._few), lambda bit: bit // b):
                yield cell, sum(1 << bit % b for bit in bits)
            return
        for at in range(0, len(self._array), b // 8):
            bits_here = int.from_bytes(self._array[at:at + b // 8], 'little')
            if bits_here:
                yield at // (b // 8), bits_here

    def _sparse(self, n: int) -> bytes:
        b, cells = _cells_of(self.family, self.bits)
        used = list(self._cells(b))
        shift, segments = _segments_of(cells, n)
        out = BitWriter()
        done: List[bytes] = []
        ends: List[int] = []

        def close(segment: int) -> None:
            """Write the segments before this one."""
            nonlocal out
            while len(ends) < segment:
                done.append(out.bytes())
                ends.append((ends[-1] if ends else 0) + len(done[-1]))
                out = BitWriter()

        r_cells = rice_parameter(cells, len(used))
        following = 0
        for cell, places in used:
            if cell >> shift >= len(ends):
                close(cell >> shift)
                following = max(following, cell >> shift << shift)
            out.put_rice(cell - following, r_cells)
            count = _ones(places)
            log = count.bit_length() - 1
            out.put_unary(log)
            out.put(count & (1 << log) - 1, log)
            r = rice_parameter(b, count)
            before = -1
            for place in _places(places):
                out.put_rice(place - before - 1, r)
                before = place
            following = cell + 1
        close(segments)
        directory = b''.join(end.to_bytes(4, 'little') for end in ends) if segments > 1 else b''
        return put_varint(n) + put_varint(len(used)) + directory + b''.join(done)


# ---------- from state to bytes and back ----------


def rice_parameter(span: int, n: int) -> int:
    """Return the parameter for the gaps of n numbers out of a range."""
    return max(985 * span // (1024 * n), 1).bit_length() - 1


def _cells_of(family: int, m: int) -> Tuple[int, int]:
    """Return the bits of a cell and the number of cells."""
    b = BLOCK if family == BLOCKED and m > SINGLE else min(m, SINGLE)
    return b, (m + b - 1) // b


def _segments_of(cells: int, n: int) -> Tuple[int, int]:
    """Return the cells of a segment as a power of 2, and the number of segments."""
    shift = 0
    while 2 ** shift < cells and n * 2 ** (shift + 1) <= 512 * cells:
        shift += 1
    return shift, (cells + 2 ** shift - 1) >> shift


def _decode(data: bytes) -> Bloom:
    family, encoding, kind, at = get_header(data)
    if data[0] != FIRST:
        raise FormatError('not a bloom of version 1')
    if len(data) < at + 2:
        raise FormatError('ends within its header')
    told = int.from_bytes(data[at:at + 2], 'little')
    code = told & ~EXPLICIT
    if family > PARQUET32 or encoding > ARRAY:
        raise FormatError('unknown hash family or encoding')
    if kind and kind not in FAMILY_KINDS.get(family, [kind]):
        raise FormatError('the hash family does not have this kind of values')
    if code > 8100:
        raise FormatError('unknown rate')
    capacity, at = get_varint(data, at + 2)
    if capacity >= 1 << 63:
        raise FormatError('the capacity is too large')
    follows = _bloom_size.small_shape(capacity, code, family)
    if told & EXPLICIT:
        if at >= len(data):
            raise FormatError('ends within its header')
        k = data[at]
        words, at = get_varint(data, at + 1)
        m = 64 * words
        if not 1 <= k <= MOST_HASHES or not 1 <= m <= MOST_BITS or \
                family == BLOCKED and m > SINGLE and m % BLOCK or \
                family >= PARQUET and (k != 8 or m % 256):
            raise FormatError('a filter cannot have this size')
        if follows == (m, k):
            raise FormatError('the size follows from capacity and rate')
    elif follows is None:
        raise FormatError('the size is missing')
    else:
        m, k = follows
    bloom = Bloom(family, m, k, capacity, code, kind)
    if encoding == EMPTY:
        if at != len(data):
            raise FormatError('something follows the end')
    elif encoding == ARRAY:
        _read_array(bloom, data[at:])
    else:
        _read_list(bloom, data, at)
    return bloom


def _read_array(bloom: Bloom, array: bytes) -> None:
    if len(array) != bloom.bits // 8:
        raise FormatError('wrong length')
    if _count_bits(array) <= bloom.bits // 8:
        raise FormatError('so few bits are written as a list')
    bloom._array = bytearray(array)


def _read_list(bloom: Bloom, data: bytes, at: int) -> None:
    n, at = get_varint(data, at)
    used, at = get_varint(data, at)
    b, cells = _cells_of(bloom.family, bloom.bits)
    if not 1 <= n <= bloom.bits // 8 or not 1 <= used <= min(n, cells):
        raise FormatError('wrong number of bits or cells')
    shift, segments = _segments_of(cells, n)
    if segments > 1:
        if len(data) - at < 4 * segments:
            raise FormatError('ends within its directory')
        ends = [int.from_bytes(data[at + 4 * i:at + 4 * i + 4], 'little') for i in range(segments)]
        at += 4 * segments
    else:
        ends = [len(data) - at]
    start = bits = seen = 0
    for segment, end in enumerate(ends):
        if not start <= end <= len(data) - at:
            raise FormatError('wrong directory')
        in_cells = segment << shift, min((segment + 1) << shift, cells)
        more_bits, more_cells = _read_segment(bloom, data[at + start:at + end], in_cells, b,
                                              rice_parameter(cells, used))
        bits += more_bits
        seen += more_cells
        start = end
    if at + start != len(data):
        raise FormatError('something follows the end')
    if (bits, seen) != (n, used):
        raise FormatError('the numbers of bits and cells are not those that were counted')


def _read_segment(bloom: Bloom, data: bytes, in_cells: Tuple[int, int], b: int,
                  r_cells: int) -> Tuple[int, int]:
    """Set the bits of one segment; return how many bits and cells there are in it."""
    following, last = in_cells
    stream = BitReader(data)
    bits = seen = 0
    while stream.more():
        cell = following + (stream.get_unary() << r_cells | stream.get(r_cells))
        log = stream.get_unary()
        if cell >= last or log > 12:
            raise FormatError('a cell is too large')
        count = 1 << log | stream.get(log)
        if count > b:
            raise FormatError('a cell is too large')
        r = rice_parameter(b, count)
        place = -1
        for _ in range(count):
            place += 1 + (stream.get_unary() << r | stream.get(r))
            if place >= b or cell * b + place >= bloom.bits:
                raise FormatError('a bit is outside of the filter')
            bloom._set(cell * b + place)
        bits += count
        following = cell + 1
        seen += 1
    stream.end()
    return bits, seen
