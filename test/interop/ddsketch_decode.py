#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored ddsketch values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library and sketch_bytes.py beside it.

    ddsketch_decode.py HEX...   show what is in these payloads
    ddsketch_decode.py --check  read lines from standard input, print "ok" or
                                "not ok" for each (test/t/010_format.pl)
"""
import math
import struct
import sys

sys.dont_write_bytecode = True
from sketch_bytes import (BitReader, BitWriter, Malformed, get_header, get_varint, main,
                          put_header, put_varint)

MOST = (1 << 63) - 1
NUMBER, INTERVAL = 1, 12
ZEROS, MINUS, PLUS, NAN, NEGATIVE, POSITIVE, ONE = 1, 2, 4, 8, 16, 32, 64


# ---------- from a number to its bucket ----------

BITS = 300
ROOTS = [2 << BITS]
for _ in range(20):
    ROOTS.append(math.isqrt(ROOTS[-1] << BITS))


def index_of(value, scale):
    """The index of a number that is neither zero, nor infinite, nor NaN."""
    mantissa, exponent = math.frexp(abs(value))
    # mantissa * 2 is from 1 to below 2, exactly
    fraction = int(mantissa * 2 ** 53) << BITS - 52
    exponent -= 1
    j, edge = -1, 1 << BITS
    if fraction > edge:
        j = 0
        for root in ROOTS[1:max(scale, 0) + 1]:
            j *= 2
            if edge * root >> BITS < fraction:
                edge, j = edge * root >> BITS, j + 1
    return (exponent << scale) + j if scale > 0 else exponent + min(j, 0) >> -scale


def is_number(value):
    return value != 0 and math.isfinite(value)


class Sketch:
    def __init__(self, asked, most, kind=0):
        self.asked, self.most, self.kind = asked, most, kind
        self.scale = asked
        # (negative, index): count
        self.buckets = {}
        self.total = self.zeros = self.minus = self.plus = self.nan = 0
        self.min, self.max = math.inf, -math.inf

    def add(self, value, weight=1):
        self.total += weight
        if math.isnan(value):
            self.nan += weight
        elif math.isinf(value):
            self.minus += weight * (value < 0)
            self.plus += weight * (value > 0)
        else:
            self.min, self.max = min(self.min, value), max(self.max, value)
            if value == 0:
                self.zeros += weight
            else:
                key = value < 0, index_of(value, self.scale)
                self.buckets[key] = self.buckets.get(key, 0) + weight

    def to_scale(self, scale):
        before, self.buckets = self.buckets, {}
        for (negative, index), count in before.items():
            key = negative, index >> self.scale - scale
            self.buckets[key] = self.buckets.get(key, 0) + count
        self.scale = scale

    def fit(self):
        while len(self.buckets) > self.most and self.scale > -10:
            self.to_scale(self.scale - 1)
        return self

    def folded(self, asked, most):
        self.asked, self.most = asked, most
        if self.scale > asked:
            self.to_scale(asked)
        return self.fit()

    def union(self, other):
        all_ = Sketch(min(self.asked, other.asked), min(self.most, other.most),
                      self.kind or other.kind)
        all_.scale = min(self.scale, other.scale)
        for s in self, other:
            s.to_scale(all_.scale)
            for key, count in s.buckets.items():
                all_.buckets[key] = all_.buckets.get(key, 0) + count
            for name in 'total', 'zeros', 'minus', 'plus', 'nan':
                setattr(all_, name, getattr(all_, name) + getattr(s, name))
        all_.min, all_.max = min(self.min, other.min), max(self.max, other.max)
        return all_.fit()

    def side(self, negative):
        """(index, count) of the buckets of a sign, from the largest index down."""
        return sorted(((i, c) for (n, i), c in self.buckets.items() if n == negative),
                      reverse=True)

    def state(self):
        return (self.asked, self.most, self.kind, self.scale, self.buckets, self.total,
                self.zeros, self.minus, self.plus, self.nan, self.min, self.max)


# ---------- symbols ----------

def put_power(w, v, k):
    q = (v >> k) + 1
    m = q.bit_length()
    w.put(1 << m - 1, m)
    w.put(q & (1 << m - 1) - 1, m - 1)
    w.put(v & (1 << k) - 1, k)


def get_power(r, k):
    m = r.get_unary()
    if m + k > 63:
        raise Malformed('number')
    return (1 << m | r.get(m)) - 1 << k | r.get(k)


def put_by(w, v, k):
    if v >> k < 16:
        w.put(1 << (v >> k), (v >> k) + 1)
        w.put(v & (1 << k) - 1, k)
    else:
        w.put(0, 16)
        put_power(w, v - (16 << k), k)


def get_by(r, k):
    for q in range(16):
        if r.get(1):
            return q << k | r.get(k)
    return (16 << k) + get_power(r, k)


def predicted(before):
    p = sum(before) // 2
    n = p.bit_length()
    return p, n // 2 if p < 8 else (n + 1) // 2


def put_count(w, c, p, k):
    put_by(w, c if c > 2 * p else 2 * (c - p) - 1 if c > p else 2 * (p - c), k)


def get_count(r, p, k):
    v = get_by(r, k)
    return v if v > 2 * p else p + (v + 1) // 2 if v % 2 else p - v // 2


def put_side(w, side):
    before, last = (1, 1), None
    for index, count in side:
        certain = last is None
        p, k = predicted(before)
        if not certain and last - index > 1:
            put_count(w, 0, p, k)
            put_power(w, last - index - 2, 3)
            before, certain = (0, before[0]), True
            p, k = predicted(before)
        if certain:
            put_count(w, count - 1, max(p - 1, 0), k)
        else:
            put_count(w, count, p, k)
        before, last = (count, before[0]), index


def get_side(r, index, n, least):
    before, certain, side = (1, 1), True, []
    while len(side) < n:
        p, k = predicted(before)
        if not certain:
            count = get_count(r, p, k)
            if count == 0:
                index -= get_power(r, 3) + 1
                before, certain = (0, before[0]), True
                p, k = predicted(before)
        if certain:
            count = get_count(r, max(p - 1, 0), k) + 1
        if index < least or count > MOST:
            raise Malformed('bucket')
        side.append((index, count))
        before, index, certain = (count, before[0]), index - 1, False
    return side


# ---------- the stored form ----------

def stored_ends(flags):
    """Are min and max stored?"""
    sides = flags & (NEGATIVE | POSITIVE)
    return (flags & NEGATIVE or sides and not flags & ZEROS,
            not flags & ONE and (flags & POSITIVE or sides and not flags & ZEROS))


def encode(s):
    head = put_header(0x91, 0, 1 if s.total else 0, s.kind) + bytes([s.asked + 10])
    head += put_varint(s.most)
    if not s.total:
        return head
    sides = s.side(True), s.side(False)
    flags = sum(flag for flag, is_set in (
        (ZEROS, s.zeros), (MINUS, s.minus), (PLUS, s.plus), (NAN, s.nan), (NEGATIVE, sides[0]),
        (POSITIVE, sides[1]), (ONE, s.buckets and s.min == s.max)) if is_set)
    head += bytes([s.asked - s.scale, flags]) + put_varint(s.total)
    for count in s.zeros, s.minus, s.plus, s.nan:
        if count:
            head += put_varint(count)
    for stored, end in zip(stored_ends(flags), (s.min, s.max)):
        if stored:
            head += struct.pack('<d', end)
    w = BitWriter()
    for side in sides:
        if side:
            head += put_varint(len(side))
        put_side(w, side)
    return head + w.bytes()


def decode(data):
    family, encoding, kind, at = get_header(data)
    if data[0] != 0x91 or family or encoding > 1 or kind not in (0, NUMBER, INTERVAL):
        raise Malformed('header')
    if at >= len(data) or data[at] > 30:
        raise Malformed('scale')
    asked = data[at] - 10
    most, at = get_varint(data, at + 1)
    if not 16 <= most <= 65536:
        raise Malformed('max_buckets')
    s = Sketch(asked, most, kind)
    if not encoding:
        if at != len(data):
            raise Malformed('data behind nothing')
        return s
    if at + 2 > len(data) or data[at] > asked + 10:
        raise Malformed('coarser')
    s.scale = asked - data[at]
    flags = data[at + 1]
    if flags > 127 or flags & ONE and (flags & ZEROS or
                                       bool(flags & NEGATIVE) == bool(flags & POSITIVE)):
        raise Malformed('flags')
    s.total, at = get_varint(data, at + 2)
    counts = []
    for flag in ZEROS, MINUS, PLUS, NAN:
        count = 0
        if flags & flag:
            count, at = get_varint(data, at)
            if not count:
                raise Malformed('count')
        counts.append(count)
    s.zeros, s.minus, s.plus, s.nan = counts
    ends = []
    for stored in stored_ends(flags):
        end = 0.0
        if stored:
            if at + 8 > len(data):
                raise Malformed('end')
            end, = struct.unpack('<d', data[at:at + 8])
            at += 8
            if not is_number(end):
                raise Malformed('end')
        ends.append(end)
    if flags & ONE:
        ends[1] = ends[0]
    low, high = ends
    if (low >= 0 if flags & NEGATIVE else low < 0) or \
            (high <= 0 if flags & POSITIVE else high > 0) or low > high or \
            all(stored_ends(flags)) and low == high:
        raise Malformed('ends')
    numbers = []
    for flag in NEGATIVE, POSITIVE:
        n = 0
        if flags & flag:
            n, at = get_varint(data, at)
            if not n:
                raise Malformed('buckets')
        numbers.append(n)
    if sum(numbers) > most:
        raise Malformed('buckets')
    r = BitReader(data[at:])
    least = index_of(5e-324, s.scale)
    for negative, n, end in (True, numbers[0], low), (False, numbers[1], high):
        if n:
            for index, count in get_side(r, index_of(end, s.scale), n, least):
                s.buckets[negative, index] = count
    r.end()
    in_buckets = sum(s.buckets.values())
    if s.total > MOST or in_buckets + sum(counts) != s.total:
        raise Malformed('total')
    if s.zeros or s.buckets:
        s.min, s.max = low, high
    if not s.zeros and s.buckets:
        if not numbers[0] and index_of(low, s.scale) != s.side(False)[-1][0] or \
                not numbers[1] and index_of(high, s.scale) != s.side(True)[-1][0]:
            raise Malformed('ends')
    if in_buckets + s.zeros == 1 and s.min != s.max:
        raise Malformed('ends')
    if s.scale < asked and sum(min(c, 2) for c in s.buckets.values()) <= most:
        raise Malformed('coarser without need')
    return s


# ---------- commands ----------

def show(payload):
    s = decode(payload)
    print('scale %d of %d, kind %x, %d values, zeros %d, infinities %d and %d, NaN %d, %r to %r'
          % (s.scale, s.asked, s.kind, s.total, s.zeros, s.minus, s.plus, s.nan, s.min, s.max))
    for (negative, index), count in sorted(s.buckets.items()):
        print('%s%d: %d' % ('-' if negative else '+', index, count))


def check(what, *field):
    """What is wrong about a line, or nothing:

    values  scale max_buckets payload number...
    union   payload payload payload-of-their-union
    fold    payload scale max_buckets payload
    """
    if what == 'values':
        s = Sketch(int(field[0]), int(field[1]), NUMBER if len(field) > 3 else 0)
        for text in field[3:]:
            s.add(float(text))
        s.fit()
        if decode(bytes.fromhex(field[2])).state() != s.state():
            return 'holds something else than its values'
        return '' if encode(s).hex() == field[2] else 'would be written otherwise'
    if what == 'union':
        a, b = decode(bytes.fromhex(field[0])), decode(bytes.fromhex(field[1]))
        return '' if encode(a.union(b)).hex() == field[2] else 'another union'
    if what == 'fold':
        folded = decode(bytes.fromhex(field[0])).folded(int(field[1]), int(field[2]))
        return '' if encode(folded).hex() == field[3] else 'folds otherwise'
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
