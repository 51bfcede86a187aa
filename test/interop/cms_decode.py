#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored cms values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library and sketch_bytes.py beside it.

    cms_decode.py HEX...      show what is in these payloads
    cms_decode.py --check     read lines from standard input, print "ok" or
                              "not ok" for each (test/t/010_format.pl)
"""
import functools
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

sys.dont_write_bytecode = True
from sketch_bytes import (MASK, VALUES, BitReader, BitWriter, Malformed, get_header, get_varint,
                          main, put_header,
                          put_varint, reader_of)

# DENSE and the three above it: counters of 1, 2, 4, 8 bytes
EMPTY, SPARSE, DENSE = 0, 1, 2
MOST_COUNTERS = (0x3fffffff - 2047) // 8
REMIX = 0x9e3779b97f4a7c15

getcontext().prec = 60
E = Decimal(1).exp()


# ---------- epsilon and delta ----------

def rate_of(code):
    return Fraction(100 + (code - 1) % 900, 10 ** (3 + (code - 1) // 900))


def code_of(rate):
    """of a decimal as text, rounded down to three digits"""
    rate = Fraction(rate)
    exponent = 0
    while exponent < 8 and rate * 10 ** (3 + exponent) < 100:
        exponent += 1
    return 1 + 900 * exponent + int(rate * 10 ** (3 + exponent)) - 100


@functools.lru_cache(None)
def shape_of(epsilon, delta):
    """width and depth"""
    e, d = (Decimal(r.numerator) / Decimal(r.denominator)
            for r in (rate_of(epsilon), rate_of(delta)))
    width = int(E / e) + 1
    depth = 1
    while (-Decimal(depth)).exp() >= d:
        depth += 1
    return width, depth


# ---------- a sketch ----------

class Sketch:
    def __init__(self, epsilon, delta, conservative, kind):
        self.epsilon, self.delta, self.conservative, self.kind = epsilon, delta, conservative, kind
        self.width, self.depth = shape_of(epsilon, delta)
        self.total = 0
        self.counters = {}                      # by position, without zeros

    def positions(self, h):
        x, h2 = h
        for row in range(self.depth):
            yield row * self.width + (x * self.width >> 64)
            x = (x * REMIX + h2) & MASK

    def frequency(self, h):
        return min(self.counters.get(i, 0) for i in self.positions(h))

    def add(self, h, weight):
        least = self.frequency(h)
        for i in self.positions(h):
            c = self.counters.get(i, 0)
            self.counters[i] = max(c, least + weight) if self.conservative else c + weight
            if not self.counters[i]:
                del self.counters[i]
        self.total += weight

    def merge(self, other, sign):
        for i, c in other.counters.items():
            self.counters[i] = self.counters.get(i, 0) + sign * c
            if not self.counters[i]:
                del self.counters[i]
        self.total += sign * other.total

    def product(self, other):
        rows = [0] * self.depth
        for i, c in self.counters.items():
            rows[i // self.width] += c * other.counters.get(i, 0)
        return min(rows)

    def state(self):
        return (self.epsilon, self.delta, self.conservative, self.kind if self.total else 0,
                self.total, self.counters)


def segments_of(m, n):
    shift = 0
    while 1 << shift < m and n << (shift + 1) <= 512 * m:
        shift += 1
    return shift, (m - 1 >> shift) + 1


def order_of(counters):
    logs = sorted(c.bit_length() - 1 for c in counters)
    return logs[(len(logs) - 1) // 2]


# ---------- reading ----------

def decode(data):
    family, encoding, kind, at = get_header(data)
    if data[0] != 0x31:
        raise Malformed('type or version')
    if family or encoding > DENSE + 3:
        raise Malformed('family or encoding')
    # from here on as if the kind had no signature
    data = data[:3] + data[at:]
    if len(data) < 13:
        raise Malformed('ends within its header')
    if data[3] > 1:
        raise Malformed('flags')
    epsilon, delta = (int.from_bytes(data[at:at + 2], 'little') for at in (5, 7))
    if not 1 <= epsilon <= 8100 or not 1 <= delta <= 8100:
        raise Malformed('epsilon or delta')
    s = Sketch(epsilon, delta, data[3] == 1, kind)
    if (s.width, s.depth) != (int.from_bytes(data[9:13], 'little'),
                              data[4]) or s.width * s.depth > MOST_COUNTERS:
        raise Malformed('width or depth')
    if encoding == EMPTY:
        if len(data) > 13:
            raise Malformed('bytes after the end')
        return s
    s.total = int.from_bytes(data[13:21], 'little')
    if len(data) < 21 or not 1 <= s.total < 1 << 63:
        raise Malformed('total')
    if encoding == SPARSE:
        read_list(s, data[21:])
    else:
        read_array(s, 1 << (encoding - DENSE), data[21:])
    check_sums(s)
    return s


def read_list(s, data):
    m = s.width * s.depth
    n, at = get_varint(data, 0)
    if not 1 <= n <= m // 2 or at == len(data):
        raise Malformed('number of counters')
    order = data[at]
    at += 1
    if order > 62:
        raise Malformed('order')
    shift, segments = segments_of(m, n)
    ends = [len(data) - at]
    if segments > 1:
        if len(data) - at < 4 * segments:
            raise Malformed('directory')
        ends = [int.from_bytes(data[at + 4 * i:at + 4 * i + 4], 'little') for i in range(segments)]
        at += 4 * segments
    if ends[-1] != len(data) - at or ends != sorted(ends):
        raise Malformed('directory')
    r = (m // n).bit_length() - 1
    start = 0
    for segment, end in enumerate(ends):
        bits = BitReader(data[at + start:at + end])
        position, last = (segment << shift) - 1, min((segment + 1) << shift, m)
        while bits.more():
            position += 1 + (bits.get_unary() << r | bits.get(r))
            log = order + bits.get_unary()
            if position >= last or log > 63:
                raise Malformed('counter')
            c = (1 << log | bits.get(log)) + 1 - (1 << order)
            if c >= 1 << 63:
                raise Malformed('counter')
            s.counters[position] = c
        bits.end()
        start = end
    if len(s.counters) != n or order_of(s.counters.values()) != order:
        raise Malformed('number of counters, or order')


def read_array(s, width, data):
    m = s.width * s.depth
    if len(data) != m * width:
        raise Malformed('length')
    for i in range(m):
        c = int.from_bytes(data[i * width:(i + 1) * width], 'little')
        if c:
            s.counters[i] = c
    if len(s.counters) <= m // 2:
        raise Malformed('would be a list')
    if width_for(max(s.counters.values())) != width:
        raise Malformed('wider than need be')


def width_for(largest):
    return next(w for w in (1, 2, 4, 8) if largest < 1 << 8 * w)


def check_sums(s):
    rows = [0] * s.depth
    for i, c in s.counters.items():
        rows[i // s.width] += c
    if s.conservative:
        right = min(rows) > 0 and max(rows) <= s.total <= sum(rows)
    else:
        right = min(rows) == max(rows) == s.total
    if not right:
        raise Malformed('sums')


# ---------- writing ----------

def encode(s):
    def rice(out, value, r):
        out.put(1 << (value >> r), (value >> r) + 1)
        out.put(value & (1 << r) - 1, r)

    m, n = s.width * s.depth, len(s.counters)
    width = width_for(max(s.counters.values())) if n else 0
    encoding = EMPTY if n == 0 else SPARSE if n <= m // 2 else DENSE + [1, 2, 4, 8].index(width)
    head = put_header(0x31, 0, encoding, s.kind) + bytes([s.conservative, s.depth])
    head += s.epsilon.to_bytes(2, 'little') + s.delta.to_bytes(2, 'little') + s.width.to_bytes(4,
        'little')
    if encoding == EMPTY:
        return head
    head += s.total.to_bytes(8, 'little')
    if encoding >= DENSE:
        return head + b''.join(s.counters.get(i, 0).to_bytes(width, 'little') for i in range(m))

    order = order_of(s.counters.values())
    shift, segments = segments_of(m, n)
    data, ends = b'', b''
    for segment in range(segments):
        out = BitWriter()
        following = segment << shift
        for i in sorted(i for i in s.counters if i >> shift == segment):
            rice(out, i - following, (m // n).bit_length() - 1)
            u = s.counters[i] - 1 + (1 << order)
            log = u.bit_length() - 1
            out.put(1 << log - order, log - order + 1)
            out.put(u & (1 << log) - 1, log)
            following = i + 1
        data += out.bytes()
        ends += len(data).to_bytes(4, 'little')
    return head + put_varint(n) + bytes([order]) + (ends if segments > 1 else b'') + data


# ---------- commands ----------

stored = reader_of(decode)


def show(payload):
    s = decode(payload)
    print('epsilon %g, delta %g, %d x %d%s, kind %x, total %d' % (
        rate_of(s.epsilon), rate_of(s.delta), s.width, s.depth, ', conservative'
        if s.conservative else '', s.kind, s.total))
    print(' '.join('%d:%d' % c for c in sorted(s.counters.items())))


def check(what, *field):
    """What is wrong about a line, or nothing:

    values     kind n factor epsilon delta conservative payload
               (the i-th value, i mod 1000, weighs 1 + i * factor, i from 1 to n)
    union      payload payload payload-of-their-union
    subtract   payload payload payload-of-their-difference
    product    payload payload inner-product
    frequency  kind payload i answer
    """
    if what == 'values':
        kind, h = VALUES[field[0]]
        n, factor, payload = int(field[1]), int(field[2]), bytes.fromhex(field[6])
        own = Sketch(code_of(field[3]), code_of(field[4]), field[5] == 't', kind)
        for i in range(1, n + 1):
            own.add(h(i % 1000), 1 + i * factor)
        if own.state() != decode(payload).state():
            return 'holds something else than its values'
        return '' if encode(own) == payload else 'would be written otherwise'
    if what in ('union', 'subtract'):
        a, b = decode(bytes.fromhex(field[0])), stored(field[1])
        a.merge(b, 1 if what == 'union' else -1)
        a.kind = a.kind or b.kind
        return '' if encode(a) == bytes.fromhex(field[2]) else 'another ' + what
    if what == 'product':
        found = stored(field[0]).product(stored(field[1]))
        return '' if found == int(field[2]) else 'the product is %d' % found
    if what == 'frequency':
        found = stored(field[1]).frequency(VALUES[field[0]][1](int(field[2])))
        return '' if found == int(field[3]) else 'the frequency is %d' % found
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
