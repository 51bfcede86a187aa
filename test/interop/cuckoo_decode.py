#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored cuckoo values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library and sketch_bytes.py beside it.

    cuckoo_decode.py HEX...      show what is in these payloads
    cuckoo_decode.py --check     read lines from standard input, print "ok" or
                                 "not ok" for each (test/t/010_format.pl)
"""
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
from sketch_bytes import (VALUES, BitReader, BitWriter, Malformed, get_header, get_varint, main,
                          put_header,
                          put_varint, reader_of)

EMPTY, CLASSES, COUNTS = 0, 1, 2
MOST_CAPACITY = 1 << 32
MOST_COPIES = (1 << 63) - 1


# ---------- capacity and rate ----------

def rate_of(code):
    return Fraction(100 + (code - 1) % 900, 10 ** (3 + (code - 1) // 900))


def code_of(rate):
    """of a decimal as text, rounded down to three digits"""
    rate = Fraction(rate)
    exponent = 0
    while exponent < 8 and rate * 10 ** (3 + exponent) < 100:
        exponent += 1
    return 1 + 900 * exponent + int(rate * 10 ** (3 + exponent)) - 100


# ---------- a filter ----------

class Filter:
    def __init__(self, capacity, rate, kind):
        self.capacity, self.rate, self.kind = capacity, rate, kind
        self.m = -int(-capacity // rate_of(rate))
        self.copies = {}                        # by class, none of them 0

    def count(self, h):
        return self.copies.get(h[0] * self.m >> 64, 0)

    def add(self, h, n=1):
        c = h[0] * self.m >> 64
        self.copies[c] = self.copies.get(c, 0) + n
        if not self.copies[c]:
            del self.copies[c]

    def merge(self, other):
        for c, n in other.copies.items():
            self.copies[c] = self.copies.get(c, 0) + n

    def total(self):
        return sum(self.copies.values())

    def state(self):
        return (self.capacity, self.rate, self.kind if self.copies else 0, self.copies)


def rice_of(m, d):
    mean = 985 * m // (1024 * d) if m < 1 << 53 else m // 1024 // d * 985
    return max(mean, 1).bit_length() - 1


def segments_of(m, d):
    shift = min(7 + (m // d).bit_length() - 1, (m - 1).bit_length())
    return shift, (m - 1 >> shift) + 1


def coding_of(m, copies):
    """the encoding, and the order of its counts"""
    repeated = [n - 1 for n in copies if n > 1]
    counted = len(repeated) * (rice_of(m, len(copies)) + 1) > len(copies)
    logs = sorted(n.bit_length() - 1 for n in (copies if counted else repeated))
    return COUNTS if counted else CLASSES, logs[(len(logs) - 1) // 2] if logs else None


# ---------- reading ----------

def decode(data):
    family, encoding, kind, at = get_header(data)
    if data[0] != 0x51:
        raise Malformed('type or version')
    if family or encoding > COUNTS:
        raise Malformed('family or encoding')
    capacity, at = get_varint(data, at)
    rate = int.from_bytes(data[at:at + 2], 'little')
    at += 2
    if len(data) < at:
        raise Malformed('ends within its header')
    if not 1 <= capacity <= MOST_CAPACITY or not 1 <= rate <= 8100:
        raise Malformed('capacity or rate')
    f = Filter(capacity, rate, kind)
    if encoding == EMPTY:
        if len(data) > at:
            raise Malformed('bytes after the end')
        return f
    d, at = get_varint(data, at)
    more, at = get_varint(data, at)
    if not 1 <= d <= f.m or d + more > MOST_COPIES or (encoding == COUNTS and not more):
        raise Malformed('number of classes or copies')
    order = None
    if more:
        if at == len(data):
            raise Malformed('ends within its header')
        order = data[at]
        at += 1
        if order > 62:
            raise Malformed('order')
    read_segments(f, data[at:], encoding, d, more > 0, order)
    if len(f.copies) != d or f.total() != d + more or coding_of(f.m,
        f.copies.values()) != (encoding, order):
        raise Malformed('numbers, encoding or order')
    return f


def read_segments(f, data, encoding, d, repeats, order):
    def number():
        return bits.get_unary() << r | bits.get(r)

    def count():
        log = order + bits.get_unary()
        if log > 63:
            raise Malformed('count')
        return (1 << log | bits.get(log)) + 1 - (1 << order)

    shift, segments = segments_of(f.m, d)
    r = rice_of(f.m, d)
    ends, at = [len(data)], 0
    if segments > 1:
        at = 4 * segments
        if len(data) < at:
            raise Malformed('directory')
        ends = [at + int.from_bytes(data[4 * i:4 * i + 4], 'little') for i in range(segments)]
    if ends[-1] != len(data) or ends != sorted(ends):
        raise Malformed('directory')
    for segment, end in enumerate(ends):
        bits = BitReader(data[at:end])
        following, last = segment << shift, min((segment + 1) << shift, f.m)
        while bits.more():
            gap, copies = number(), 1
            if encoding == CLASSES:
                if gap == 0 and repeats:
                    copies = 1 + count()
                    gap = number()
                gap -= 1
            c = following + gap
            if gap < 0 or c >= last:
                raise Malformed('class')
            f.copies[c] = count() if encoding == COUNTS else copies
            following = c + 1
        bits.end()
        at = end


# ---------- writing ----------

def encode(f):
    def number(out, value):
        out.put(1 << (value >> r), (value >> r) + 1)
        out.put(value & (1 << r) - 1, r)

    def count(out, value):
        u = value - 1 + (1 << order)
        log = u.bit_length() - 1
        out.put(1 << log - order, log - order + 1)
        out.put(u & (1 << log) - 1, log)

    d = len(f.copies)
    encoding, order = coding_of(f.m, f.copies.values()) if d else (EMPTY, None)
    head = put_header(0x51, 0, encoding, f.kind) + put_varint(f.capacity) + f.rate.to_bytes(2,
        'little')
    if not d:
        return head
    head += put_varint(d) + put_varint(f.total() - d) + (bytes([order])
        if order is not None else b'')
    r = rice_of(f.m, d)
    shift, segments = segments_of(f.m, d)
    in_segment = {}
    for c in sorted(f.copies):
        in_segment.setdefault(c >> shift, []).append(c)
    data, ends = b'', b''
    for segment in range(segments):
        out = BitWriter()
        following = segment << shift
        for c in in_segment.get(segment, []):
            if encoding == COUNTS:
                number(out, c - following)
                count(out, f.copies[c])
            else:
                if f.copies[c] > 1:
                    number(out, 0)
                    count(out, f.copies[c] - 1)
                number(out, c - following + 1)
            following = c + 1
        data += out.bytes()
        ends += len(data).to_bytes(4, 'little')
    return head + (ends if segments > 1 else b'') + data


# ---------- commands ----------

stored = reader_of(decode)

def show(payload):
    f = decode(payload)
    print('capacity %d at %g, %d classes, kind %x, %d copies' % (f.capacity, rate_of(f.rate), f.m,
        f.kind, f.total()))
    print(' '.join('%d:%d' % c for c in sorted(f.copies.items())))


def check(what, *field):
    """What is wrong about a line, or nothing:

    values     kind n modulus capacity rate payload
               (i mod modulus for i from 1 to n)
    union      payload payload payload-of-their-union
    remove     kind payload i payload-without-it
    count      kind payload i answer
    """
    if what == 'values':
        kind, h = VALUES[field[0]]
        own = Filter(int(field[3]), code_of(field[4]), kind)
        for i in range(1, int(field[1]) + 1):
            own.add(h(i % int(field[2])))
        payload = bytes.fromhex(field[5])
        if own.state() != decode(payload).state():
            return 'holds something else than its values'
        return '' if encode(own) == payload else 'would be written otherwise'
    if what == 'union':
        a, b = decode(bytes.fromhex(field[0])), decode(bytes.fromhex(field[1]))
        a.merge(b)
        a.kind = a.kind or b.kind
        return '' if encode(a) == bytes.fromhex(field[2]) else 'another union'
    if what == 'remove':
        f = decode(bytes.fromhex(field[1]))
        f.add(VALUES[field[0]][1](int(field[2])), -1)
        return '' if encode(f) == bytes.fromhex(field[3]) else 'another rest'
    if what == 'count':
        found = stored(field[1]).count(VALUES[field[0]][1](int(field[2])))
        return '' if found == int(field[3]) else 'the count is %d' % found
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
