"""HyperLogLog: how many distinct values there were."""
from __future__ import annotations

from typing import Dict, Iterator, List, Optional, Sequence, Tuple

from . import _hll_estimate
from ._bytes import (BitReader, BitWriter, get_header, get_varint, kind_name, put_header,
                     put_varint)
from ._hash import murmur3, murmur64a
from ._sketch import Buffer, Sketch, buffer_of
from .errors import FormatError, KindError, MismatchError

NATIVE, REDIS, DATASKETCHES, INT32 = range(4)
FAMILIES = ['native', 'redis', 'datasketches', 'int32']
FAMILY_KINDS = {REDIS: [2, 3, 24], DATASKETCHES: [1, 2, 3, 5, 24], INT32: [1]}
OF_TOKENS = (NATIVE, INT32)
FIRST = 0x11                    # type hll, version 1
EMPTY, SPARSE, DENSE = range(3)
CELL_BITS = 26
CELLS = 1 << CELL_BITS
# what an exception code below 7 stands for: value - base
EXCEPTIONS = [-1, -2, 7, 8, 9, 10, 11]


def most_tokens(p: int) -> int:
    """Return how many tokens a sketch holds before it turns to registers."""
    return (3 << p) // 16


def most_rank(family: int, p: int) -> int:
    """Return the largest value of a register."""
    return 63 if family == DATASKETCHES else 65 - p


def _trailing_zeros(x: int, width: int) -> int:
    return (x & -x).bit_length() - 1 if x else width


def token_of(h: int, p: int) -> Tuple[int, int]:
    """Return the cell of a hash, and its rank or 0 where the cell tells it."""
    cell = h % CELLS
    if cell >= 1 << p:
        return cell, 0
    return cell, _trailing_zeros(h >> CELL_BITS, 64 - CELL_BITS) + 1


def register_of(h: int, p: int) -> Tuple[int, int]:
    """Return the index of a hash and its rank."""
    return h % (1 << p), _trailing_zeros(h >> p, 64 - p) + 1


def _folded(above: int, value: int, p: int, q: int) -> int:
    """Return the value at precision q of one at p whose index has this above its low q bits."""
    return _trailing_zeros(above, 0) + 1 if above else value + p - q


def _check_precision(precision: int) -> None:
    if isinstance(precision, bool) or not isinstance(precision, int):
        raise TypeError('hll precision must be a whole number, not %r' % (precision,))
    if not 4 <= precision <= 18:
        raise ValueError('hll precision must be between 4 and 18, not %d' % precision)


class Hll(Sketch):
    """A HyperLogLog sketch: the number of distinct values, in a few kilobytes.

    While there are few values, the sketch holds tokens, {cell: rank}, where the rank is 0 if the
    cell tells it.  With more than 3/16 * 2^precision tokens it turns to 2^precision registers.
    """

    __slots__ = ('precision', 'tokens', 'registers')

    type_name = 'hll'
    precision: int
    tokens: Dict[int, int]
    registers: Optional[bytearray]

    def __init__(self, precision: int = 14, kind: int = 0, family: int = NATIVE) -> None:
        _check_precision(precision)
        self.precision = precision
        self.kind = kind
        self.family = family
        self.tokens = {}
        self.registers = None if family in OF_TOKENS else bytearray(1 << precision)

    @classmethod
    def empty(cls, precision: int = 14) -> Hll:
        """Return an empty sketch with 2^precision registers, 4 to 18."""
        return cls(precision)

    def __repr__(self) -> str:
        return '<Hll precision=%d kind=%s cardinality=%d>' % (
            self.precision, self.kind_name, self.cardinality())

    # ---------- values ----------

    def _put(self, kind: int, data: bytes) -> None:
        if self.family == NATIVE:
            self._add_hash(murmur3(data)[0])
        else:
            if kind not in FAMILY_KINDS[self.family]:
                raise KindError('hll of the %s hash family cannot take a value of kind %s'
                                % (FAMILIES[self.family], kind_name(kind)))
            if kind == 1 and len(data) != 8:
                raise KindError('hll of the %s hash family cannot take a number that is not a '
                                'bigint' % FAMILIES[self.family])
            if self.family == DATASKETCHES and not data:
                return          # that system does not count an empty string
            self._put_foreign(data)
        self.kind = kind

    def _put_foreign(self, data: bytes) -> None:
        """Add canonical bytes in the way of another system."""
        if self.family == INT32:
            if data[4:] != (b'\xff' if data[3] & 128 else b'\0') * 4:
                raise KindError('hll of the int32 hash family cannot take a number that is not an '
                                'integer of 4 bytes')
            self._add_hash(murmur3(data[:4])[0])
        elif self.family == REDIS:
            self._raise(*register_of(murmur64a(data, 0xadc83b19), self.precision))
        else:
            h1, h2 = murmur3(data, 9001)
            self._raise(h1 % (1 << self.precision), min(64 - h2.bit_length(), 62) + 1)

    def _add_hash(self, h: int) -> None:
        """Add a hash h1."""
        if self.registers is not None:
            self._raise(*register_of(h, self.precision))
            return
        cell, rank = token_of(h, self.precision)
        self.tokens[cell] = max(rank, self.tokens.get(cell, 0))
        self._turn()

    def _raise(self, index: int, value: int) -> None:
        assert self.registers is not None
        if value > self.registers[index]:
            self.registers[index] = value

    # ---------- state ----------

    def _turn(self) -> None:
        """Turn from tokens to registers once there are too many tokens."""
        if self.registers is None and len(self.tokens) > most_tokens(self.precision):
            self.registers = self.as_registers()
            self.tokens = {}

    def as_registers(self) -> bytearray:
        """Return the registers, also of a sketch that holds tokens."""
        if self.registers is not None:
            return self.registers
        registers = bytearray(1 << self.precision)
        for index, value in self._token_registers():
            if value > registers[index]:
                registers[index] = value
        return registers

    def _token_registers(self) -> Iterator[Tuple[int, int]]:
        """Return the register that each token stands for, and a value of it."""
        p = self.precision
        for cell, rank in self.tokens.items():
            yield cell % (1 << p), _folded(cell >> p, rank, CELL_BITS, p)

    def reduce(self, precision: int) -> Hll:
        """Return a copy at a lower precision, as if it had been built at that.

        An empty sketch can also take a higher one; for any other that is a ValueError.
        """
        _check_precision(precision)
        if precision > self.precision and (self.kind or self.family == REDIS and precision > 14):
            raise ValueError('cannot reduce an hll of precision %d to precision %d'
                             % (self.precision, precision))
        reduced = Hll(precision, self.kind, self.family)
        if self.registers is None:
            reduced.tokens = {cell: rank if cell < 1 << precision else 0
                              for cell, rank in self.tokens.items()}
            reduced._turn()
            return reduced
        if precision == self.precision:
            reduced.registers = bytearray(self.registers)
            return reduced
        reduced.registers = bytearray(1 << precision)
        for i, value in enumerate(self.registers):
            if value:
                if self.family != DATASKETCHES:
                    value = _folded(i >> precision, value, self.precision, precision)
                reduced._raise(i % (1 << precision), value)
        return reduced

    def merge(self, other: Hll) -> None:
        """Add everything that is in the other sketch.

        The precision becomes the lower one of the two.  Raises KindError if the sketches hold
        values of different kinds, and MismatchError if they are of different hash families.
        """
        if not isinstance(other, Hll):
            raise TypeError('only an Hll can be merged into an Hll')
        if self.kind and other.kind and self.family != other.family:
            raise MismatchError('cannot combine hll values of different hash families')
        kind = self._joined_kind(other)
        # an empty sketch takes the other's family; of two empty ones the higher number stays
        family = (self.family if self.kind else other.family if other.kind
                  else max(self.family, other.family))
        p = min(self.precision, other.precision)
        if not self.kind:
            self._become(Hll(p, 0, family))
        elif self.precision > p:
            self._become(self.reduce(p))
        if other.kind:
            self._unite(other.reduce(p) if other.precision > p else other)
        self.kind = kind

    def _become(self, other: Hll) -> None:
        self.precision, self.kind, self.family = other.precision, other.kind, other.family
        self.tokens, self.registers = other.tokens, other.registers

    def _unite(self, other: Hll) -> None:
        """Add what is in a sketch of the same precision and family."""
        if other.registers is None and self.registers is None:
            for cell, rank in other.tokens.items():
                self.tokens[cell] = max(rank, self.tokens.get(cell, 0))
            self._turn()
        elif other.registers is None:
            for index, value in other._token_registers():
                self._raise(index, value)
        else:
            self.registers = bytearray(
                x if x > y else y for x, y in zip(self.as_registers(), other.registers))
            self.tokens = {}

    # ---------- answers ----------

    def estimate(self) -> float:
        """Return the estimated number of distinct values, not rounded."""
        if self.registers is None:
            return _hll_estimate.linear_count(len(self.tokens))
        q = most_rank(self.family, self.precision) - 1
        count = [self.registers.count(k) for k in range(q + 2)]
        return _hll_estimate.maximum_likelihood(count, 1 << self.precision, q)

    def cardinality(self) -> int:
        """Return the estimated number of distinct values, the same as hll_cardinality()."""
        n = self.estimate()
        return round(n) if n < 9.2e18 else (1 << 63) - 1

    # ---------- bytes ----------

    @classmethod
    def from_bytes(cls, data: Buffer) -> Hll:
        """Read an hll from the bytes that hll::bytea gives.  Raises FormatError."""
        return _decode(buffer_of(cls, data))

    def to_bytes(self) -> bytes:
        """Return the stored bytes, which are those that the server writes for the same values."""
        if self.registers is None and not self.tokens or \
                self.registers is not None and not any(self.registers):
            return self._head(EMPTY)
        return self._sparse() if self.registers is None else self._dense(self.registers)

    def _head(self, encoding: int) -> bytes:
        return put_header(FIRST, self.family, encoding, self.kind) + bytes([self.precision])

    def _sparse(self) -> bytes:
        k = _rice_parameter(len(self.tokens))
        out = BitWriter()
        following = 0
        for cell, rank in sorted(self.tokens.items()):
            out.put_rice(cell - following, k)
            if cell < 1 << self.precision:
                out.put(rank, 6)
            following = cell + 1
        return self._head(SPARSE) + put_varint(len(self.tokens)) + out.bytes()

    def _dense(self, registers: bytearray) -> bytes:
        count = [registers.count(v) for v in range(64)]
        lo, hi = min(registers), max(registers)
        base, _, _ = _packing(count, self.precision)
        symbols = registers.translate(bytes(
            v - base if 0 <= v - base < 7 else 7 for v in range(256)))
        codes = {base + d: code for code, d in enumerate(EXCEPTIONS)}
        exceptions, escapes = BitWriter(), BitWriter()
        at = symbols.find(7)
        while at >= 0:
            value = registers[at]
            code = codes.get(value, 7)
            exceptions.put(code, 3)
            if code == 7:
                escapes.put(value, 6)
            at = symbols.find(7, at + 1)
        return b''.join([
            self._head(DENSE), bytes([lo, hi]), *(put_varint(n) for n in count[lo:hi + 1]),
            _planes(symbols), escapes.bytes(), exceptions.bytes()])


# ---------- from state to bytes and back ----------


def _rice_parameter(n: int) -> int:
    return (64587157 // n).bit_length() - 1


def _packing(count: List[int], p: int) -> Tuple[int, int, int]:
    """Return the base, the number of exceptions and the number of escapes."""
    best = base = 0
    for b in range(len(count) - 6):
        inside = sum(count[b:b + 7])
        if b == 0 or inside > best:
            best, base = inside, b
    coded = best + sum(count[base + d] for d in EXCEPTIONS if 0 <= base + d < len(count))
    return base, 2 ** p - best, 2 ** p - coded


# The symbols of the eight columns of registers fill three planes of bytes. Bit i of the symbol of
# column c is bit (3c + i) mod 8 of a byte of plane (3c + i) / 8.
_PLACES = [(c, i, (3 * c + i) // 8, (3 * c + i) % 8) for c in range(8) for i in range(3)]


def _or(parts: Sequence[bytes]) -> int:
    """Return several strings of bytes of one length, united bit by bit, as a number."""
    united = 0
    for part in parts:
        united |= int.from_bytes(part, 'little')
    return united


def _planes(symbols: bytearray) -> bytes:
    """Return the three planes of all symbols."""
    w = len(symbols) // 8
    columns = [symbols[c * w:c * w + w] for c in range(8)]
    planes = []
    for plane in range(3):
        parts = []
        for c in range(8):
            bits = [(i, to) for column, i, p, to in _PLACES if (column, p) == (c, plane)]
            parts.append(columns[c].translate(bytes(
                sum((s >> i & 1) << to for i, to in bits) for s in range(256))))
        planes.append(_or(parts).to_bytes(w, 'little'))
    return b''.join(planes)


def _symbols(planes: bytes) -> bytes:
    """Return the symbols, a byte each, that three planes hold."""
    w = len(planes) // 3
    columns = []
    for c in range(8):
        parts = []
        for plane in range(3):
            bits = [(i, to) for column, i, p, to in _PLACES if (column, p) == (c, plane)]
            if bits:
                parts.append(planes[plane * w:plane * w + w].translate(bytes(
                    sum((byte >> to & 1) << i for i, to in bits) for byte in range(256))))
        columns.append(_or(parts).to_bytes(w, 'little'))
    return b''.join(columns)


def _decode(data: bytes) -> Hll:
    family, encoding, kind, at = get_header(data)
    if data[0] != FIRST:
        raise FormatError('not an hll of version 1')
    p = data[at] if at < len(data) else 0
    at += 1
    if encoding > DENSE or not 4 <= p <= 18:
        raise FormatError('unknown encoding or precision')
    if family > INT32 or family not in OF_TOKENS and encoding == SPARSE or \
            family == REDIS and p > 14:
        raise FormatError('the hash family does not exist or cannot be encoded like this')
    if family and kind and kind not in FAMILY_KINDS[family]:
        raise FormatError('the hash family does not have this kind of values')
    sketch = Hll(p, kind, family)
    if encoding == EMPTY:
        if len(data) > at:
            raise FormatError('something follows the end')
    elif encoding == SPARSE:
        sketch.tokens = _read_tokens(data, at, p)
    else:
        sketch.registers = _read_registers(data, at, p, most_rank(family, p))
    return sketch


def _read_tokens(data: bytes, at: int, p: int) -> Dict[int, int]:
    n, at = get_varint(data, at)
    if not 1 <= n <= most_tokens(p):
        raise FormatError('wrong number of tokens')
    k = _rice_parameter(n)
    bits = BitReader(data[at:])
    tokens = {}
    following = 0
    for _ in range(n):
        high = bits.get_unary()
        cell = following + (high << k | bits.get(k))
        if cell >= CELLS:
            raise FormatError('a cell is too large')
        rank = bits.get(6) if cell < 1 << p else 0
        if cell < 1 << p and not 1 <= rank <= 65 - CELL_BITS:
            raise FormatError('wrong rank')
        tokens[cell] = rank
        following = cell + 1
    bits.end()
    return tokens


def _read_registers(data: bytes, at: int, p: int, most: int) -> bytearray:
    lo, hi = data[at:at + 2] if len(data) >= at + 2 else (1, 0)
    at += 2
    if not lo <= hi <= most or hi == 0:
        raise FormatError('wrong values of registers')
    count = [0] * 64
    for value in range(lo, hi + 1):
        count[value], at = get_varint(data, at)
    if sum(count) != 1 << p or not count[lo] or not count[hi]:
        raise FormatError('the counts of the registers do not add up')
    base, exceptions, escapes = _packing(count, p)
    planes = (3 << p) // 8
    escape_bytes, exception_bytes = (6 * escapes + 7) // 8, (3 * exceptions + 7) // 8
    if len(data) != at + planes + escape_bytes + exception_bytes:
        raise FormatError('wrong length')
    symbols = _symbols(data[at:at + planes])
    at += planes
    escape = BitReader(data[at:at + escape_bytes])
    exception = BitReader(data[at + escape_bytes:])
    registers = bytearray(symbols.translate(bytes(min(base + s, 255) for s in range(256))))
    where = symbols.find(7)
    while where >= 0:
        code = exception.get(3)
        value = escape.get(6) if code == 7 else base + EXCEPTIONS[code]
        if code == 7 and (0 <= value - base < 7 or value - base in EXCEPTIONS) or value < 0:
            raise FormatError('a register is not written in the one way that there is')
        registers[where] = value
        where = symbols.find(7, where + 1)
    escape.end()
    exception.end()
    if [registers.count(v) for v in range(64)] != count:
        raise FormatError('the registers are not those that were counted')
    return registers
