"""What stored sketches are made of: varints, bit streams, headers and kinds (doc/format.md)."""
from __future__ import annotations

from typing import List, Tuple

from ._hash import murmur3
from .errors import FormatError

# ---------- numbers and bits ----------


def get_varint(data: bytes, at: int) -> Tuple[int, int]:
    """Return the number that stands at a position, and the position behind it."""
    value = shift = 0
    while True:
        if at >= len(data):
            raise FormatError('ends within a number')
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            if byte == 0 and shift > 7:
                raise FormatError('a number is longer than necessary')
            return value, at
        if shift > 63:
            raise FormatError('a number is too large')


def put_varint(value: int) -> bytes:
    """Return the bytes of a number."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


class BitReader:
    """Reads a bit stream, which fills each byte from its lowest bit upwards."""

    def __init__(self, data: bytes) -> None:
        self.data = memoryview(data)
        self.size = 8 * len(data)
        self.at = 0

    def _window(self, n: int) -> int:
        """Return the next n bits, as far as there are any."""
        first, shift = self.at >> 3, self.at & 7
        return int.from_bytes(self.data[first:(self.at + n + 7) >> 3], 'little') >> shift

    def get(self, n: int) -> int:
        """Read a number of n bits."""
        if self.at + n > self.size:
            raise FormatError('ends within its bits')
        value = self._window(n) & (1 << n) - 1
        self.at += n
        return value

    def get_unary(self) -> int:
        """Read the zeros before the next one, and the one; return how many zeros."""
        start = self.at
        n = 64
        while self.at < self.size:
            window = self._window(n)
            if window:
                self.at += (window & -window).bit_length()
                return self.at - start - 1
            # long runs of zeros in larger steps, in whole bytes
            self.at = (self.at + n + 7) & ~7
            n = 4096
        raise FormatError('ends within its bits')

    def more(self) -> bool:
        """Is any of the bits that follow a one?"""
        first, shift = self.at >> 3, self.at & 7
        rest = self.data[first:]
        return len(rest) > 0 and (rest[0] >> shift != 0 or any(rest[1:]))

    def end(self) -> None:
        """Check that nothing follows except the zeros that fill up the last byte."""
        if self.size - self.at > 7 or self.more():
            raise FormatError('something follows the end')


class BitWriter:
    """Writes a bit stream."""

    def __init__(self) -> None:
        self.parts: List[str] = []

    def put(self, value: int, n: int) -> None:
        """Write a number of n bits."""
        if n:
            self.parts.append(format(value, '0%db' % n)[::-1])

    def put_unary(self, n: int) -> None:
        """Write n zeros and a one."""
        self.parts.append('0' * n + '1')

    def put_rice(self, value: int, r: int) -> None:
        """Write a number, Rice coded with r."""
        self.put_unary(value >> r)
        self.put(value & (1 << r) - 1, r)

    def bytes(self) -> bytes:
        """Return what has been written, in whole bytes."""
        bits = ''.join(self.parts)
        return int('0' + bits[::-1], 2).to_bytes((len(bits) + 7) // 8, 'little')


# ---------- kinds ----------

# A kind is a number here: its code in the low 8 bits, above it the signature if it has one.

RECORD, MULTIRANGE, COLLATED, NESTED, OPCLASS = 20, 21, 22, 25, 26
RANGE, ARRAY = 64, 128
KINDS = ['none', 'number', 'text', 'bytea', 'uuid', 'float', 'boolean', 'date', 'time', 'timetz',
         'timestamp', 'timestamptz', 'interval', 'inet', 'macaddr', 'macaddr8', 'jsonb', 'enum',
         'bit', 'money', 'record', 'multirange', 'collated text', 'citext', 'hash', 'nested type',
         'opclass-hashed']


def has_signature(code: int) -> bool:
    """Does a kind with this code have a signature?"""
    return bool(code & RANGE) or code & 63 in (RECORD, MULTIRANGE, COLLATED, NESTED, OPCLASS)


def is_kind(code: int) -> bool:
    """Is this the code of a kind?"""
    return 1 <= code & 63 <= OPCLASS and code != NESTED and code < 256


def kind_name(kind: int) -> str:
    """Return the name of a kind, as hll_info() and bloom_info() show it."""
    code = kind & 255
    name = KINDS[code & 63]
    if code & RANGE:
        name = 'range of ' + name
    if code & ARRAY:
        name = 'array of ' + name
    return '%s %08x' % (name, kind >> 8) if has_signature(code) else name


def described(code: int, description: bytes) -> int:
    """Return the kind with this code whose signature is that of a description."""
    return code | (murmur3(description)[0] & 0xffffffff) << 8


# ---------- what every sketch begins with ----------


def get_header(data: bytes) -> Tuple[int, int, int, int]:
    """Return the family, the encoding and the kind of a sketch, and where its header ends."""
    if len(data) < 3:
        raise FormatError('shorter than a header')
    family, encoding, code = data[1] >> 4, data[1] & 15, data[2]
    if (encoding == 0) != (code == 0):
        raise FormatError('the kind does not fit the encoding')
    if code and not is_kind(code):
        raise FormatError('unknown kind of values')
    if not has_signature(code):
        return family, encoding, code, 3
    if len(data) < 7:
        raise FormatError('ends within its header')
    return family, encoding, code | int.from_bytes(data[3:7], 'little') << 8, 7


def put_header(first: int, family: int, encoding: int, kind: int) -> bytes:
    """Return a header; an empty sketch (encoding 0) has no kind."""
    code = kind & 255 if encoding else 0
    head = bytes([first, family << 4 | encoding, code])
    return head + (kind >> 8).to_bytes(4, 'little') if has_signature(code) else head
