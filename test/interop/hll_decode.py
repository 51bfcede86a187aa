#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored hll values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library.

    hll_decode.py HEX...      show what is in these payloads
    hll_decode.py --check     read lines from standard input, print "ok" or
                              "not ok" for each (test/t/010_format.pl)
"""
import math
import sys

CELL_BITS = 26
CELLS = 1 << CELL_BITS
KINDS = [*range(1, 24), *range(32, 63)]                     # without the bits for range and array
SEVENTH = {0: -1, 1: -2, 2: 7, 3: 8, 4: 9, 5: 10, 6: 11}   # exception code: value - base


class Malformed(Exception):
    pass


# ---------- from value to hash: MurmurHash3 x64_128, seed 0 ----------

MASK = (1 << 64) - 1
C1, C2 = 0x87c37b91114253d5, 0x4cf5ad432745937f


def rotl(x, r):
    return (x << r | x >> (64 - r)) & MASK


def fmix(k):
    k ^= k >> 33
    k = k * 0xff51afd7ed558ccd & MASK
    k ^= k >> 33
    k = k * 0xc4ceb9fe1a85ec53 & MASK
    return k ^ k >> 33


def murmur3(data):
    """h1, the first 64 bits."""
    h1 = h2 = 0
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        k1 = int.from_bytes(data[at:at + 8], 'little')
        k2 = int.from_bytes(data[at + 8:at + 16], 'little')
        h1 ^= rotl(k1 * C1 & MASK, 31) * C2 & MASK
        h1 = ((rotl(h1, 27) + h2) * 5 + 0x52dce729) & MASK
        h2 ^= rotl(k2 * C2 & MASK, 33) * C1 & MASK
        h2 = ((rotl(h2, 31) + h1) * 5 + 0x38495ab5) & MASK
    tail = data[whole:]
    k1 = int.from_bytes(tail[:8], 'little')
    k2 = int.from_bytes(tail[8:], 'little')
    h2 ^= rotl(k2 * C2 & MASK, 33) * C1 & MASK
    h1 ^= rotl(k1 * C1 & MASK, 31) * C2 & MASK
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    return (fmix(h1) + fmix(h2)) & MASK


def hash_int(i):
    return murmur3((i & MASK).to_bytes(8, 'little'))


def hash_text(s):
    return murmur3(s.encode())


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

    def __init__(self, p, kind=0):
        self.p = p
        self.kind = kind
        self.tokens = {}
        self.registers = None

    def add(self, h):
        if self.registers is None:
            cell, rank = token_of(h, self.p)
            self.tokens[cell] = max(rank, self.tokens.get(cell, 0))
            self.turn()
        else:
            index, rank = register_of(h, self.p)
            self.registers[index] = max(rank, self.registers[index])

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
        s = Sketch(p, self.kind)
        if self.registers is None:
            s.tokens = {cell: rank if cell < 1 << p else 0 for cell, rank in self.tokens.items()}
            s.turn()
            return s
        s.tokens, s.registers = None, [0] * (1 << p)
        for i, value in enumerate(self.registers):
            if value:
                above = i >> p
                value = trailing_zeros(above, 0) + 1 if above else value + self.p - p
                s.registers[i % (1 << p)] = max(s.registers[i % (1 << p)], value)
        return s

    def union(self, other):
        p = min(self.p, other.p)
        a, b = self.reduced(p), other.reduced(p)
        s = Sketch(p, self.kind or other.kind)
        if a.registers is None and b.registers is None:
            s.tokens = {cell: max(a.tokens.get(cell, 0), b.tokens.get(cell, 0)) for cell in a.tokens.keys() | b.tokens.keys()}
            s.turn()
        else:
            s.tokens, s.registers = None, [max(x, y) for x, y in zip(a.as_registers(), b.as_registers())]
        return s

    def state(self):
        return self.p, self.kind, self.tokens, self.registers

    def cardinality(self):
        """Linear counting; or the n that makes the registers likeliest, by bisection."""
        if self.registers is None:
            return -CELLS * math.log1p(-len(self.tokens) / CELLS)
        q, m = 64 - self.p, 1 << self.p
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

def get_varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data):
            raise Malformed('ends within a number')
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            if byte == 0 and shift > 7:
                raise Malformed('a number longer than it need be')
            return value, at


def put_varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


class BitReader:
    def __init__(self, data):
        self.bits = int.from_bytes(data, 'little')
        self.size = 8 * len(data)
        self.at = 0

    def get(self, n):
        if self.at + n > self.size:
            raise Malformed('ends within its bits')
        value = self.bits >> self.at & ((1 << n) - 1)
        self.at += n
        return value

    def get_unary(self):
        n = 0
        while self.get(1) == 0:
            n += 1
        return n

    def end(self):
        if self.size - self.at > 7 or self.bits >> self.at:
            raise Malformed('something after the end')


class BitWriter:
    def __init__(self):
        self.parts = []

    def put(self, value, n):
        self.parts.append(format(value, '0%db' % n)[::-1] if n else '')

    def bytes(self):
        s = ''.join(self.parts)
        s += '0' * (-len(s) % 8)
        return bytes(int(s[i:i + 8][::-1], 2) for i in range(0, len(s), 8))


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
    if len(data) < 4:
        raise Malformed('shorter than a header')
    if data[0] != 0x11:
        raise Malformed('not an hll of version 1')
    if data[1] >> 4 != 0:
        raise Malformed('another hash family')
    encoding, kind, p = data[1] & 15, data[2], data[3]
    if encoding > 2 or not 4 <= p <= 18 or (encoding == 0) != (kind == 0):
        raise Malformed('header')
    if kind and kind & 63 not in KINDS:
        raise Malformed('kind of value')
    s = Sketch(p, kind)
    if encoding == 0:
        if len(data) > 4:
            raise Malformed('something after the end')
    elif encoding == 1:
        n, at = get_varint(data, 4)
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
        if len(data) < 6 or not data[4] <= data[5] <= 65 - p or data[5] == 0:
            raise Malformed('values of registers')
        lo, hi = data[4], data[5]
        count, at = [0] * 62, 6
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
        if [s.registers.count(v) for v in range(62)] != count:
            raise Malformed('registers')
    return s


def encode(s):
    def head(encoding):
        return bytes([0x11, encoding, s.kind if encoding else 0, s.p])

    if s.registers is None:
        if not s.tokens:
            return head(0)
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

    count = [s.registers.count(v) for v in range(62)]
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

def show(text):
    s = decode(bytes.fromhex(text.replace('\\x', '')))
    print('precision %d, kind %d, cardinality %.2f' % (s.p, s.kind, s.cardinality()))
    if s.registers is None:
        print('tokens (cell:rank): ' + ' '.join('%d' % c + (':%d' % r if r else '') for c, r in sorted(s.tokens.items())))
    else:
        print('registers: ' + ' '.join(map(str, s.registers)))


def built(what, n, p):
    kind, h = {'int': (1, hash_int), 'text': (2, lambda i: hash_text('value %d' % i))}[what]
    s = Sketch(p, kind if n else 0)
    for i in range(1, n + 1):
        s.add(h(i))
    return s


def check(line):
    """What is wrong about a line, or nothing.  Fields are separated by tabs:

    values  kind n precision payload cardinality
    union   payload payload payload-of-their-union
    reduce  payload precision payload-reduced
    bad     payload
    """
    what, *field = line.rstrip('\n').split('\t')
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


def main(args):
    if args == ['--check']:
        bad = 0
        for line in sys.stdin:
            name = ' '.join(f if len(f) < 24 else f[:21] + '...' for f in line.split())
            try:
                why = check(line)
            except Malformed as e:
                why = 'malformed: %s' % e
            bad += why != ''
            print('%s - %s%s' % ('not ok' if why else 'ok', name, ' # ' + why if why else ''))
        return bad > 0
    for text in args:
        show(text)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
