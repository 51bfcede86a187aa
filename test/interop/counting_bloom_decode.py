#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored counting_bloom values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library and sketch_bytes.py beside it.

    counting_bloom_decode.py HEX...      show what is in these payloads
    counting_bloom_decode.py --check     read lines from standard input, print "ok" or
                                         "not ok" for each (test/t/010_format.pl)
"""
import sys

sys.dont_write_bytecode = True
from sketch_bytes import (MASK, VALUES, BitReader, BitWriter, Malformed, get_header, get_varint,
                          main, put_header,
                          put_varint, reader_of)

EMPTY, CODED, ARRAY = 0, 1, 2
BLOCKED, CLASSIC = 0, 1
MOST = 15                                       # a saturated counter
MOST_COUNTERS = (0x3fffffff - 4095) // 256 * 512
REMIX = 0x9e3779b97f4a7c15


# ---------- a filter ----------

class Filter:
    def __init__(self, layout, rate, capacity, k, m, kind):
        self.layout, self.rate, self.capacity = layout, rate, capacity
        self.k, self.m, self.kind = k, m, kind
        self.counters = {}                      # by number, without zeros

    def places(self, h):
        """the counters of a hash, each once"""
        h1, h2 = h
        if self.layout == CLASSIC:
            return {((h1 + i * h2) & MASK >> 1) % self.m for i in range(self.k)}
        size = self.m if self.m <= 4096 else 512
        base = (h1 * (self.m // 512) >> 64) * 512 if self.m > 4096 else 0
        found = set()
        for _ in range(self.k):
            found.add(base + ((h2 >> 32) * size >> 32))
            h2 = h2 * REMIX & MASK
        return found

    def count(self, h):
        return min(self.counters.get(i, 0) for i in self.places(h))

    def add(self, h):
        for i in self.places(h):
            self.counters[i] = min(MOST, self.counters.get(i, 0) + 1)

    def remove(self, h):
        for i in self.places(h):
            if self.counters[i] < MOST:
                self.counters[i] -= 1
                if not self.counters[i]:
                    del self.counters[i]

    def merge(self, other):
        for i, c in other.counters.items():
            self.counters[i] = min(MOST, self.counters.get(i, 0) + c)
        self.capacity, self.rate = max((self.capacity, self.rate), (other.capacity, other.rate))
        self.kind = self.kind or other.kind

    def subtract(self, other):
        for i, c in other.counters.items():
            if self.counters[i] < MOST:
                self.counters[i] -= c
                if not self.counters[i]:
                    del self.counters[i]

    def state(self):
        return (self.layout, self.rate, self.capacity, self.k, self.m, self.kind
                if self.counters else 0,
                self.counters)


# ---------- codes ----------

def bits_of(counts, q):
    """of counts less 1, Rice coded with q"""
    return sum((c - 1 >> q) + 1 + q for c in counts)


def code_of(counts):
    """0 if all are 1, else one more than the q that takes the fewest bits"""
    return 0 if set(counts) == {1} else 1 + min(range(4), key=lambda q: bits_of(counts, q))


def layout_of(m, n):
    """r, s and the number of segments"""
    mean = max(1, 985 * m // (1024 * n))
    s = 9
    while 1 << s < m and n << (s + 1) <= 512 * m:
        s += 1
    return mean.bit_length() - 1, s, (m - 1 >> s) + 1


# ---------- reading ----------

def decode(data):
    family, encoding, kind, at = get_header(data)
    if data[0] != 0x61:
        raise Malformed('not a counting_bloom of version 1')
    if family > CLASSIC or encoding > ARRAY:
        raise Malformed('family or encoding')
    rate = int.from_bytes(data[at:at + 2], 'little')
    if len(data) < at + 2 or not 0 < rate <= 8100:
        raise Malformed('rate')
    capacity, at = get_varint(data, at + 2)
    if not 0 < capacity < 1 << 63 or at >= len(data):
        raise Malformed('capacity')
    k = data[at]
    words, at = get_varint(data, at + 1)
    m = 64 * words
    if not 1 <= k <= 40 or not 0 < m <= MOST_COUNTERS or family == BLOCKED and m > 4096 and m % 512:
        raise Malformed('hashes or size')
    f = Filter(family, rate, capacity, k, m, kind)
    if encoding == EMPTY:
        if at != len(data):
            raise Malformed('something after the end')
    elif encoding == ARRAY:
        if len(data) - at != m // 2:
            raise Malformed('length')
        for i in range(m):
            c = data[at + i // 2] >> i % 2 * 4 & 15
            if c:
                f.counters[i] = c
    else:
        decode_coded(f, data, at)
    if encode(f) != data:
        raise Malformed('would be written otherwise')
    return f


def decode_coded(f, data, at):
    n, at = get_varint(data, at)
    if not 1 <= n <= f.m or at >= len(data) or data[at] > 4:
        raise Malformed('number of counters, or the code of counts')
    code = data[at]
    at += 1
    r, s, segments = layout_of(f.m, n)
    base = at + (4 * segments if segments > 1 else 0)
    begin = 0
    for segment in range(segments):
        end = len(data) - base
        if segments > 1:
            if base > len(data):
                raise Malformed('ends within its directory')
            end = int.from_bytes(data[at + 4 * segment:at + 4 * segment + 4], 'little')
        if not begin <= end <= len(data) - base:
            raise Malformed('directory')
        bits = BitReader(data[base + begin:base + end])
        following, last = segment << s, min((segment + 1) << s, f.m)
        while bits.size - bits.at > 7 or bits.more():
            i = following + (bits.get_unary() << r)
            i += bits.get(r)
            c = 1 + (bits.get_unary() << code - 1) + bits.get(code - 1) if code else 1
            if i >= last or c > MOST:
                raise Malformed('counter')
            f.counters[i] = c
            following = i + 1
        begin = end
    if base + begin != len(data) or len(f.counters) != n:
        raise Malformed('number of counters, or something after the end')


# ---------- writing ----------

def encode(f):
    head = put_varint(f.capacity) + bytes([f.k]) + put_varint(f.m // 64)

    def headed(encoding):
        return put_header(0x61, f.layout, encoding, f.kind) + f.rate.to_bytes(2, 'little') + head

    if not f.counters:
        return headed(EMPTY)
    counts = list(f.counters.values())
    code = code_of(counts)
    n = len(counts)
    r, s, segments = layout_of(f.m, n)
    bits = n * (1 + r) + (f.m - n >> r) + (bits_of(counts, code - 1) if code else 0)
    if bits + 40 * segments >= 4 * f.m:
        array = bytearray(f.m // 2)
        for i, c in f.counters.items():
            array[i // 2] |= c << i % 2 * 4
        return headed(ARRAY) + bytes(array)
    writers = [BitWriter() for _ in range(segments)]
    following = [segment << s for segment in range(segments)]
    for i, c in sorted(f.counters.items()):
        gap = i - following[i >> s]
        bits = writers[i >> s]
        bits.put_rice(gap, r)
        if code:
            bits.put_rice(c - 1, code - 1)
        following[i >> s] = i + 1
    directory = data = b''
    for bits in writers:
        data += bits.bytes()
        directory += len(data).to_bytes(4, 'little')
    return headed(CODED) + put_varint(n) + bytes([code]) + (directory
        if segments > 1 else b'') + data


# ---------- commands ----------

stored = reader_of(decode)

def show(payload):
    f = decode(payload)
    print('%s, rate code %d, capacity %d, %d hashes, %d counters, kind %x, %d not zero, '
          '%d saturated'
          % ('classic' if f.layout else 'blocked', f.rate, f.capacity, f.k, f.m, f.kind,
             len(f.counters),
             sum(c == MOST for c in f.counters.values())))
    for i, c in sorted(f.counters.items()):
        print('%d: %d' % (i, c))


def check(what, *field):
    """What is wrong about a line, or nothing:

    values    kind n modulus removed payload    of the values i mod modulus, i from 1 to n, less
              those
                                                of the i that "removed" divides, if it is not 0
    union     payload payload payload-of-their-union
    subtract  payload payload payload-of-their-difference
    count     kind payload i count
    """
    if what == 'values':
        kind, value = VALUES[field[0]]
        n, modulus, removed = map(int, field[1:4])
        payload = bytes.fromhex(field[4])
        f = decode(payload)
        own = Filter(f.layout, f.rate, f.capacity, f.k, f.m, kind)
        hashes = {i: value(i) for i in range(modulus)}
        for i in range(1, n + 1):
            own.add(hashes[i % modulus])
        for i in range(1, n + 1):
            if removed and i % removed == 0:
                own.remove(hashes[i % modulus])
        if f.state() != own.state() and own.counters:
            return 'holds something else than its values'
        return '' if encode(own) == payload else 'would be written otherwise'
    if what in ('union', 'subtract'):
        a, b = decode(bytes.fromhex(field[0])), decode(bytes.fromhex(field[1]))
        if what == 'union':
            a.merge(b)
        else:
            a.subtract(b)
        return '' if encode(a) == bytes.fromhex(field[2]) else 'another ' + what
    if what == 'count':
        found = stored(field[1]).count(VALUES[field[0]][1](int(field[2])))
        return '' if found == int(field[3]) else 'the count is %d' % found
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
