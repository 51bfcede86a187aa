#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored hll values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library and sketch_bytes.py beside it.

    hll_decode.py HEX...      show what is in these payloads
    hll_decode.py --check     read lines from standard input, print "ok" or
                              "not ok" for each (test/t/010_format.pl)
"""
import math
import sys

sys.dont_write_bytecode = True
from sketch_bytes import (VALUES, BitReader, BitWriter, Malformed, get_header, get_varint, main, murmur3, murmur64a,
                          put_header, put_varint)

CELL_BITS = 26
CELLS = 1 << CELL_BITS
SEVENTH = {0: -1, 1: -2, 2: 7, 3: 8, 4: 9, 5: 10, 6: 11}   # exception code: value - base
NATIVE, REDIS, DATASKETCHES, INT32 = range(4)
FAMILY_KINDS = {REDIS: [2, 3, 24], DATASKETCHES: [1, 2, 3, 5, 24], INT32: [1]}
OF_TOKENS = (NATIVE, INT32)


# ---------- from value to register in other families ----------

def foreign_register(family, data, p):
    """index and value, or nothing"""
    if family == REDIS:
        return register_of(murmur64a(data, 0xadc83b19), p)
    if not data:
        return None
    h1, h2 = murmur3(data, 9001)
    return h1 % (1 << p), min(64 - h2.bit_length(), 62) + 1


def most_rank(family, p):
    return 63 if family == DATASKETCHES else 65 - p


# ---------- from hash to state ----------

def trailing_zeros(x, width):
    return (x & -x).bit_length() - 1 if x else width


def token_of(h, p):
    cell = h % CELLS
    return cell, trailing_zeros(h >> CELL_BITS, 64 - CELL_BITS) + 1 if cell < 1 << p else 0


def register_of(h, p):
    return h % (1 << p), trailing_zeros(h >> p, 64 - p) + 1


class Sketch:
    """tokens: {cell: rank, 0 where it is not kept}, or registers: a list."""

    def __init__(self, p, kind=0, family=NATIVE):
        self.p = p
        self.kind = kind
        self.family = family
        self.tokens = {} if family in OF_TOKENS else None
        self.registers = None if family in OF_TOKENS else [0] * (1 << p)

    def put(self, index, value):
        self.registers[index] = max(value, self.registers[index])

    def add(self, h):
        if self.registers is None:
            cell, rank = token_of(h, self.p)
            self.tokens[cell] = max(rank, self.tokens.get(cell, 0))
            self.turn()
        else:
            self.put(*register_of(h, self.p))

    def turn(self):
        """From tokens to registers once there are more than 3/16 of 2^p."""
        if self.registers is None and len(self.tokens) > 3 * 2 ** self.p // 16:
            self.registers = self.as_registers()
            self.tokens = None

    def as_registers(self):
        if self.registers is not None:
            return self.registers
        r = [0] * (1 << self.p)
        for cell, rank in self.tokens.items():
            index, above = cell % (1 << self.p), cell >> self.p
            value = trailing_zeros(above, 0) + 1 if above else rank + CELL_BITS - self.p
            r[index] = max(r[index], value)
        return r

    def reduced(self, p):
        s = Sketch(p, self.kind, self.family)
        if self.registers is None:
            s.tokens = {cell: rank if cell < 1 << p else 0 for cell, rank in self.tokens.items()}
            s.turn()
            return s
        s.tokens, s.registers = None, [0] * (1 << p)
        for i, value in enumerate(self.registers):
            if value:
                above = i >> p
                if self.family != DATASKETCHES:
                    value = trailing_zeros(above, 0) + 1 if above else value + self.p - p
                s.put(i % (1 << p), value)
        return s

    def union(self, other):
        p = min(self.p, other.p)
        a, b = self.reduced(p), other.reduced(p)
        # what holds nothing takes the other's family; of two such the higher number stays
        if a.kind and b.kind and a.family != b.family:
            raise Malformed('two hash families')
        family = a.family if a.kind else b.family if b.kind else max(a.family, b.family)
        a, b = (x if x.kind else Sketch(p, 0, family) for x in (a, b))
        s = Sketch(p, self.kind or other.kind, family)
        if a.registers is None and b.registers is None:
            s.tokens = {cell: max(a.tokens.get(cell, 0), b.tokens.get(cell, 0)) for cell in a.tokens.keys() | b.tokens.keys()}
            s.turn()
        else:
            s.tokens, s.registers = None, [max(x, y) for x, y in zip(a.as_registers(), b.as_registers())]
        return s

    def state(self):
        return self.p, self.kind, self.family, self.tokens, self.registers

    def cardinality(self):
        """Linear counting; or the n that makes the registers likeliest, by bisection."""
        if self.registers is None:
            return -CELLS * math.log1p(-len(self.tokens) / CELLS)
        q, m = most_rank(self.family, self.p) - 1, 1 << self.p
        count = [self.registers.count(k) for k in range(q + 2)]
        if count[0] == m:
            return 0.0

        def slope(x):
            """of the logarithm of the likelihood, at the rate x = n / m"""
            s = 0.0
            for k in range(q + 2):
                f = 2.0 ** -min(k, q)
                if k <= q:
                    s -= count[k] * f
                if k > 0 and count[k] and x * f < 700:
                    s += count[k] * f / math.expm1(x * f)
            return s

        lo, hi = 1e-12, 2.0 ** 64
        for _ in range(200):
            mid = math.sqrt(lo * hi)
            lo, hi = (mid, hi) if slope(mid) > 0 else (lo, mid)
        return m * lo


# ---------- bytes ----------

def rice_parameter(n):
    return (64587157 // n).bit_length() - 1


def packing(count, p):
    """base, number of exceptions, number of escapes"""
    best = base = 0
    for b in range(len(count) - 6):
        inside = sum(count[b:b + 7])
        if b == 0 or inside > best:
            best, base = inside, b
    coded = best + sum(count[v] for v in (base - 1, base - 2, *range(base + 7, base + 12)) if 0 <= v < len(count))
    return base, 2 ** p - best, 2 ** p - coded


def plane_bits(c):
    """Where bits 0, 1 and 2 of the symbols of column c are: (plane, bit) each."""
    return [((3 * c + i) // 8, (3 * c + i) % 8) for i in range(3)]


def decode(data):
    family, encoding, kind, at = get_header(data)
    if data[0] != 0x11:
        raise Malformed('not an hll of version 1')
    p = data[at] if at < len(data) else 0
    if encoding > 2 or not 4 <= p <= 18:
        raise Malformed('encoding or precision')
    at += 1
    if family > INT32 or family not in OF_TOKENS and encoding == 1 or family == REDIS and p > 14:
        raise Malformed('hash family')
    if family and kind and kind not in FAMILY_KINDS[family]:
        raise Malformed('kind of value in this hash family')
    s = Sketch(p, kind, family)
    if encoding == 0:
        if len(data) > at:
            raise Malformed('something after the end')
    elif encoding == 1:
        n, at = get_varint(data, at)
        if not 1 <= n <= 3 * 2 ** p // 16:
            raise Malformed('number of tokens')
        k = rice_parameter(n)
        bits = BitReader(data[at:])
        following = 0
        for _ in range(n):
            high = bits.get_unary()
            cell = following + (high << k | bits.get(k))
            if cell >= CELLS:
                raise Malformed('cell')
            rank = bits.get(6) if cell < 1 << p else 0
            if cell < 1 << p and not 1 <= rank <= 39:
                raise Malformed('rank')
            s.tokens[cell] = rank
            following = cell + 1
        bits.end()
    else:
        lo, hi = data[at:at + 2] if len(data) >= at + 2 else (1, 0)
        if not lo <= hi <= most_rank(family, p) or hi == 0:
            raise Malformed('values of registers')
        count, at = [0] * 64, at + 2
        for value in range(lo, hi + 1):
            count[value], at = get_varint(data, at)
        if sum(count) != 1 << p or not count[lo] or not count[hi]:
            raise Malformed('histogram')
        base, exceptions, escapes = packing(count, p)
        w = 2 ** p // 8
        planes = data[at:at + 3 * w]
        at += 3 * w
        escape_bytes, exception_bytes = (6 * escapes + 7) // 8, (3 * exceptions + 7) // 8
        if len(data) != at + escape_bytes + exception_bytes:
            raise Malformed('length')
        escape = BitReader(data[at:at + escape_bytes])
        exception = BitReader(data[at + escape_bytes:])
        s.tokens, s.registers = None, []
        for c in range(8):
            where = plane_bits(c)
            for j in range(w):
                symbol = sum((planes[plane * w + j] >> bit & 1) << i for i, (plane, bit) in enumerate(where))
                if symbol < 7:
                    value = base + symbol
                else:
                    code = exception.get(3)
                    value = escape.get(6) if code == 7 else base + SEVENTH[code]
                s.registers.append(value)
        escape.end()
        exception.end()
        if [s.registers.count(v) for v in range(64)] != count:
            raise Malformed('registers')
    return s


def encode(s):
    def head(encoding):
        return put_header(0x11, s.family, encoding, s.kind) + bytes([s.p])

    if not any(s.registers or s.tokens):
        return head(0)
    if s.registers is None:
        n = len(s.tokens)
        k = rice_parameter(n)
        out = BitWriter()
        following = 0
        for cell, rank in sorted(s.tokens.items()):
            gap = cell - following
            out.put(1 << (gap >> k), (gap >> k) + 1)
            out.put(gap & ((1 << k) - 1), k)
            if cell < 1 << s.p:
                out.put(rank, 6)
            following = cell + 1
        return head(1) + put_varint(n) + out.bytes()

    count = [s.registers.count(v) for v in range(64)]
    lo, hi = min(s.registers), max(s.registers)
    base, _, _ = packing(count, s.p)
    w = 2 ** s.p // 8
    planes = bytearray(3 * w)
    escape, exception = BitWriter(), BitWriter()
    codes = {d: code for code, d in SEVENTH.items()}
    for i, value in enumerate(s.registers):
        symbol = value - base if 0 <= value - base < 7 else 7
        for bit, (plane, at) in enumerate(plane_bits(i // w)):
            planes[plane * w + i % w] |= (symbol >> bit & 1) << at
        if symbol == 7:
            code = codes.get(value - base, 7)
            exception.put(code, 3)
            if code == 7:
                escape.put(value, 6)
    return (head(2) + bytes([lo, hi]) + b''.join(put_varint(count[v]) for v in range(lo, hi + 1)) +
            bytes(planes) + escape.bytes() + exception.bytes())


# ---------- commands ----------

def show(payload):
    s = decode(payload)
    print('precision %d, kind %x, family %d, cardinality %.2f' % (s.p, s.kind, s.family, s.cardinality()))
    if s.registers is None:
        print('tokens (cell:rank): ' + ' '.join('%d' % c + (':%d' % r if r else '') for c, r in sorted(s.tokens.items())))
    else:
        print('registers: ' + ' '.join(map(str, s.registers)))


def built(what, n, p):
    """ints; texts 'value 1' and so on; rows of both; ranges; texts in the Redis family; ints in that of DataSketches and in int32"""
    if what in ('redis', 'datasketches'):
        s = Sketch(p, 0 if not n else 2 if what == 'redis' else 1, REDIS if what == 'redis' else DATASKETCHES)
        for i in range(1, n + 1):
            data = b'value %d' % i if what == 'redis' else i.to_bytes(8, 'little')
            s.put(*foreign_register(s.family, data, p))
        return s
    if what == 'int32':
        s = Sketch(p, 1 if n else 0, INT32)
        for i in range(1, n + 1):
            s.add(murmur3(i.to_bytes(4, 'little'), 0)[0])
        return s
    kind, h = VALUES[what]
    s = Sketch(p, kind if n else 0)
    for i in range(1, n + 1):
        s.add(h(i)[0])
    return s


def check(what, *field):
    """What is wrong about a line, or nothing:

    values  kind n precision payload cardinality
    union   payload payload payload-of-their-union
    reduce  payload precision payload-reduced
    bad     payload
    """
    if what == 'values':
        kind, n, p, payload, cardinality = field[0], int(field[1]), int(field[2]), bytes.fromhex(field[3]), int(field[4])
        s, own = decode(payload), built(kind, n, p)
        if s.state() != own.state():
            return 'holds something else than its values'
        if encode(own) != payload:
            return 'would be written otherwise'
        if abs(s.cardinality() - cardinality) > 0.51 + 1e-4 * cardinality:
            return 'cardinality is %.3f, the server says %d' % (s.cardinality(), cardinality)
        return ''
    if what == 'union':
        a, b, c = map(bytes.fromhex, field)
        return '' if encode(decode(a).union(decode(b))) == c else 'another union'
    if what == 'reduce':
        return '' if encode(decode(bytes.fromhex(field[0])).reduced(int(field[1]))) == bytes.fromhex(field[2]) else 'otherwise reduced'
    if what == 'bad':
        try:
            s = decode(bytes.fromhex(field[0]))
        except Malformed:
            return ''
        return 'accepted as %r' % (s.state(),)
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check))
