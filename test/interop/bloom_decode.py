#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored bloom values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library and sketch_bytes.py beside it.

    bloom_decode.py HEX...      show what is in these payloads
    bloom_decode.py --check     read lines from standard input, print "ok" or
                                "not ok" for each (test/t/010_format.pl)
"""
import math
import sys

sys.dont_write_bytecode = True
from sketch_bytes import (MASK, VALUES, BitReader, BitWriter, Malformed, get_header, get_varint, hash_int, main,
                          murmur3, murmur64a, put_header, put_varint, rotl)

BLOCKED, CLASSIC, GUAVA32, REDIS, PARQUET, PARQUET32 = range(6)
FAMILIES = ['blocked', 'classic', 'guava32', 'redis', 'parquet', 'parquet32']
FAMILY_KINDS = {REDIS: [2, 3, 24], PARQUET: [1, 2, 3, 4, 24], PARQUET32: [1, 24]}
EMPTY, SPARSE, ARRAY = 0, 1, 2
SINGLE = 4096                   # bits: up to here a blocked filter is one block
BLOCK = 512
MOST_BITS = (0x3fffffff - 2047) // 64 * 512
EXPLICIT = 0x8000
REMIX = 0x9e3779b97f4a7c15
SALT = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31]


# ---------- rates of three decimal digits ----------

def rate_of(code):
    return (100 + (code - 1) % 900) / 10 ** (3 + (code - 1) // 900)


def code_of(rate):
    exponent = 0
    while exponent < 8 and rate * 10 ** (3 + exponent) < 100 - 1e-7:
        exponent += 1
    return 1 + 900 * exponent + int(rate * 10 ** (3 + exponent) + 1e-7) - 100


# ---------- from capacity and rate to size ----------

def expected_rate(m, k, n):
    """of false positives, of one block of m bits with n values in it"""
    one, two, three = ((1 - i / m) ** (k * n) for i in (1, 2, 3))
    square = one / m + (1 - 1 / m) * two
    cube = one / m ** 2 + 3 / m * (1 - 1 / m) * two + (1 - 1 / m) * (1 - 2 / m) * three
    mean, variance = 1 - one, max(square - one * one, 0)
    third = 3 * one * square - 2 * one ** 3 - cube
    power = [1, 0, 0]
    for i in range(1, k + 1):
        power = [mean * power[0] + (i - 1) * variance * power[1]
                 + (i - 1) * (i - 2) / 2 * third * power[2], power[0], power[1]]
    return power[0]


def shape_of(capacity, rate, family):
    """m and k, where they follow from capacity and rate and need not be told; or None"""
    if family > CLASSIC:
        return None
    ideal = -math.log2(rate)
    k = int(ideal + 0.5) if ideal >= 1 else 1
    bits = ideal / math.log(2) if ideal >= 1 else -1 / math.log(1 - rate)
    m = math.ceil(math.ceil(bits * capacity) / 64) * 64
    if m > SINGLE:
        return None
    while family == BLOCKED and m <= SINGLE and expected_rate(m, k, capacity) > 1.006 * rate:
        m += 64
    return (m, k) if m <= SINGLE else None


# ---------- from value to hash in other families ----------

P1, P2, P3 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9
P4, P5 = 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5


def xxhash64(data):
    """of less than 32 bytes"""
    def number(n):
        nonlocal data
        v, data = int.from_bytes(data[:n], 'little'), data[n:]
        return v

    assert len(data) < 32
    h = P5 + len(data) & MASK
    while len(data) >= 8:
        h ^= rotl(number(8) * P2 & MASK, 31) * P1 & MASK
        h = rotl(h, 27) * P1 + P4 & MASK
    if len(data) >= 4:
        h ^= number(4) * P1 & MASK
        h = rotl(h, 23) * P2 + P3 & MASK
    while data:
        h ^= number(1) * P5 & MASK
        h = rotl(h, 11) * P1 & MASK
    h = (h ^ h >> 33) * P2 & MASK
    h = (h ^ h >> 29) * P3 & MASK
    return h ^ h >> 32


def foreign_hash(family, data):
    """of canonical bytes; two halves, as h1 and h2"""
    if family <= GUAVA32:
        return murmur3(data)
    if family == REDIS:
        a = murmur64a(data, 0xc6a4a7935bd1e995)
        return a, murmur64a(data, a)
    return xxhash64(data[:4] if family == PARQUET32 else data), 0


# ---------- from hash to bits ----------

def positions(family, m, k, h1, h2):
    if family == GUAVA32:
        a, b = h1 % 2 ** 32, h1 // 2 ** 32
        c = [(a + (i + 1) * b) % 2 ** 32 for i in range(k)]
        return [(x if x < 2 ** 31 else 2 ** 32 - 1 - x) % m for x in c]
    if family == REDIS:
        return [(h1 + i * h2) % 2 ** 64 % m for i in range(k)]
    if family in (PARQUET, PARQUET32):
        block = h1 // 2 ** 32 * (m // 256) // 2 ** 32
        return [256 * block + 32 * i + h1 * SALT[i] % 2 ** 32 // 2 ** 27 for i in range(8)]
    if family == CLASSIC:
        return [((h1 + i * h2 & MASK) & MASK >> 1) % m for i in range(k)]
    b = m if m <= SINGLE else BLOCK
    block = (h1 * (m // b)) >> 64
    found = []
    x = h2
    for _ in range(k):
        found.append(block * b + ((x >> 32) * b >> 32))
        x = x * REMIX & MASK
    return found


class Filter:
    def __init__(self, family, m, k, capacity, code, kind=0):
        self.family, self.m, self.k, self.capacity, self.code = family, m, k, capacity, code
        self.kind = kind
        self.bits = set()

    def positions(self, h):
        return positions(self.family, self.m, self.k, *h)

    def add(self, h):
        self.bits.update(self.positions(h))

    def contains(self, h):
        return all(i in self.bits for i in self.positions(h))

    def like(self, other, bits):
        """A filter of these bits, and of what two were planned for."""
        plan = max((self.capacity, self.code), (other.capacity, other.code))
        f = Filter(self.family, self.m, self.k, *plan, self.kind or other.kind)
        f.bits = bits
        return f

    def state(self):
        return self.family, self.m, self.k, self.kind, self.bits

    def cardinality(self):
        """Each block's fill inverted."""
        b = BLOCK if self.family == BLOCKED and self.m > SINGLE else self.m
        fill = {}
        for i in self.bits:
            fill[i // b] = fill.get(i // b, 0) + 1
        return sum(-b / self.k * math.log(1 - min(n, b - 0.5) / b) for n in fill.values())


# ---------- bytes ----------

def rice_parameter(span, n):
    return max(985 * span // (1024 * n), 1).bit_length() - 1


def cells_of(f):
    """bits of a cell, number of cells"""
    b = min(f.m, SINGLE) if f.family != BLOCKED or f.m <= SINGLE else BLOCK
    return b, (f.m + b - 1) // b


def segments_of(cells, n):
    """cells of a segment as a power of 2, number of segments"""
    s = 0
    while 2 ** s < cells and n * 2 ** (s + 1) <= 512 * cells:
        s += 1
    return s, (cells + 2 ** s - 1) >> s


def decode(data):
    family, encoding, kind, at = get_header(data)
    if data[0] != 0x21:
        raise Malformed('not a bloom of version 1')
    if len(data) < at + 2:
        raise Malformed('ends within its header')
    code = int.from_bytes(data[at:at + 2], 'little')
    if family > PARQUET32 or encoding > 2:
        raise Malformed('family or encoding')
    if kind and kind not in FAMILY_KINDS.get(family, [kind]):
        raise Malformed('kind')
    if code & ~EXPLICIT > 8100:
        raise Malformed('rate')
    capacity, at = get_varint(data, at + 2)
    if capacity >= 1 << 63:
        raise Malformed('capacity')
    follows = shape_of(capacity, rate_of(code & ~EXPLICIT), family) if capacity and code & ~EXPLICIT else None
    if code & EXPLICIT:
        if at >= len(data):
            raise Malformed('ends within its header')
        k = data[at]
        words, at = get_varint(data, at + 1)
        m = 64 * words
        if not 1 <= k <= 40 or not 1 <= m <= MOST_BITS or family == BLOCKED and m > SINGLE and m % BLOCK:
            raise Malformed('size')
        if family in (PARQUET, PARQUET32) and (k != 8 or m % 256):
            raise Malformed('size')
        if follows == (m, k):
            raise Malformed('a size that need not be told')
    elif follows is None:
        raise Malformed('no size')
    else:
        m, k = follows
    f = Filter(family, m, k, capacity, code & ~EXPLICIT, kind)

    if encoding == EMPTY:
        if at != len(data):
            raise Malformed('something after the end')
    elif encoding == ARRAY:
        if len(data) - at != m // 8:
            raise Malformed('length')
        f.bits = {8 * i + j for i, byte in enumerate(data[at:]) for j in range(8) if byte >> j & 1}
        if len(f.bits) <= m // 8:
            raise Malformed('so few bits are a list')
    else:
        n, at = get_varint(data, at)
        used, at = get_varint(data, at)
        b, cells = cells_of(f)
        if not 1 <= n <= m // 8 or not 1 <= used <= min(n, cells):
            raise Malformed('numbers of bits or cells')
        shift, segments = segments_of(cells, n)
        ends = [None]
        if segments > 1:
            if len(data) - at < 4 * segments:
                raise Malformed('ends within its directory')
            ends = [int.from_bytes(data[at + 4 * i:at + 4 * i + 4], 'little') for i in range(segments)]
            at += 4 * segments
        else:
            ends = [len(data) - at]
        start = seen = 0
        for segment, end in enumerate(ends):
            if not start <= end <= len(data) - at:
                raise Malformed('directory')
            seen += read_segment(f, segment, shift, b, cells, used, data[at + start:at + end])
            start = end
        if at + start != len(data):
            raise Malformed('something after the end')
        if len(f.bits) != n or seen != used:
            raise Malformed('another number of bits or cells')
    return f


def read_segment(f, segment, shift, b, cells, used, data):
    """Adds the bits of one segment; how many cells there are in it."""
    bits = BitReader(data)
    seen = 0
    following, last = segment << shift, min((segment + 1) << shift, cells)
    while bits.bits >> bits.at:
        r = rice_parameter(cells, used)
        cell = following + (bits.get_unary() << r | bits.get(r))
        log = bits.get_unary()
        count = 1 << log | bits.get(log)
        if cell >= last or count > b:
            raise Malformed('cell')
        r = rice_parameter(b, count)
        place = -1
        for _ in range(count):
            place += 1 + (bits.get_unary() << r | bits.get(r))
            if place >= b or cell * b + place >= f.m:
                raise Malformed('place')
            f.bits.add(cell * b + place)
        following = cell + 1
        seen += 1
    bits.end()
    return seen


def encode(f):
    def rice(out, value, r):
        out.put(1 << (value >> r), (value >> r) + 1)
        out.put(value & (1 << r) - 1, r)

    n = len(f.bits)
    encoding = EMPTY if n == 0 else SPARSE if n <= f.m // 8 else ARRAY
    follows = f.capacity and f.code and shape_of(f.capacity, rate_of(f.code), f.family) == (f.m, f.k)
    head = put_header(0x21, f.family, encoding, f.kind)
    head += (f.code | (0 if follows else EXPLICIT)).to_bytes(2, 'little') + put_varint(f.capacity)
    if not follows:
        head += bytes([f.k]) + put_varint(f.m // 64)
    if encoding == EMPTY:
        return head
    if encoding == ARRAY:
        array = bytearray(f.m // 8)
        for i in f.bits:
            array[i // 8] |= 1 << i % 8
        return head + bytes(array)

    b, cells = cells_of(f)
    places = {}
    for i in sorted(f.bits):
        places.setdefault(i // b, []).append(i % b)
    shift, segments = segments_of(cells, n)
    data, ends = b'', b''
    for segment in range(segments):
        out = BitWriter()
        following = segment << shift
        for cell in [c for c in sorted(places) if c >> shift == segment]:
            rice(out, cell - following, rice_parameter(cells, len(places)))
            count = len(places[cell])
            log = count.bit_length() - 1
            out.put(1 << log, log + 1)
            out.put(count & (1 << log) - 1, log)
            before = -1
            for place in places[cell]:
                rice(out, place - before - 1, rice_parameter(b, count))
                before = place
            following = cell + 1
        data += out.bytes()
        ends += len(data).to_bytes(4, 'little')
    return head + put_varint(n) + put_varint(len(places)) + (ends if segments > 1 else b'') + data


# ---------- commands ----------

LAYOUTS = {'blocked': BLOCKED, 'classic': CLASSIC}
CANONICAL = {'int': (1, lambda i: i.to_bytes(8, 'little')), 'text': (2, lambda i: b'value %d' % i)}

def show(payload):
    f = decode(payload)
    print('%s, %d bits, %d hashes, capacity %d, rate %g, kind %x, cardinality %.2f' % (
        FAMILIES[f.family], f.m, f.k, f.capacity, rate_of(f.code) if f.code else 0, f.kind, f.cardinality()))
    print('set: ' + ' '.join(map(str, sorted(f.bits))))


def check(what, *field):
    """What is wrong about a line, or nothing:

    values     kind n capacity rate layout payload cardinality
    union      payload payload payload-of-their-union
    intersect  payload payload payload-of-their-intersection
    size       capacity rate layout bits hashes
    contains   kind payload i answer
    foreign    family kind n payload        the values 1 to n in a filter of that family
    asked      family kind payload i answer
    bad        payload
    """
    if what in ('foreign', 'asked'):
        family = FAMILIES.index(field[0])
        kind, data = CANONICAL[field[1]]
        f = decode(bytes.fromhex(field[3] if what == 'foreign' else field[2]))
        if f.family != family:
            return 'is of another family'
        if what == 'asked':
            found = f.contains(foreign_hash(family, data(int(field[3]))))
            return '' if found == (field[4] == 't') else 'the answer is ' + 'ft'[found]
        own = Filter(family, f.m, f.k, f.capacity, f.code, kind if field[2] != '0' else 0)
        for i in range(1, int(field[2]) + 1):
            own.add(foreign_hash(family, data(i)))
        if own.state() != f.state():
            return 'holds something else than its values'
        return '' if encode(own) == bytes.fromhex(field[3]) else 'would be written otherwise'
    if what == 'values':
        n, capacity, rate = int(field[1]), int(field[2]), float(field[3])
        family, payload, cardinality = LAYOUTS[field[4]], bytes.fromhex(field[5]), int(field[6])
        kind, h = VALUES[field[0]]
        f = decode(payload)
        if (f.family, f.capacity, f.code) != (family, capacity, code_of(rate)):
            return 'was planned for something else'
        own = Filter(family, f.m, f.k, capacity, f.code, kind if n else 0)
        for i in range(1, n + 1):
            own.add(h(i))
        if own.state() != f.state():
            return 'holds something else than its values'
        if encode(own) != payload:
            return 'would be written otherwise'
        # of small ones, and of one that is all but full, nobody knows well
        if f.m >= 256 and len(f.bits) < 0.95 * f.m and abs(f.cardinality() - cardinality) > 1 + 0.02 * cardinality:
            return 'cardinality is %.3f, the server says %d' % (f.cardinality(), cardinality)
        return ''
    if what in ('union', 'intersect'):
        a, b = decode(bytes.fromhex(field[0])), decode(bytes.fromhex(field[1]))
        both = a.like(b, a.bits | b.bits if what == 'union' else a.bits & b.bits)
        return '' if encode(both) == bytes.fromhex(field[2]) else 'another ' + what
    if what == 'size':
        found = shape_of(int(field[0]), rate_of(code_of(float(field[1]))), LAYOUTS[field[2]])
        told = int(field[3]), int(field[4])
        if found is None or field[2] == 'classic' and told[0] > found[0]:
            # one that is told; the textbook's, or more for the sake of the rate
            return '' if told[0] > (found or (SINGLE,))[0] and (found is None or told[1] == found[1]) else 'smaller than %r' % (found,)
        return '' if found == told else 'would be %r' % (found,)
    if what == 'contains':
        found = decode(bytes.fromhex(field[1])).contains(VALUES[field[0]][1](int(field[2])))
        return '' if found == (field[3] == 't') else 'the answer is ' + 'ft'[found]
    if what == 'bad':
        try:
            f = decode(bytes.fromhex(field[0]))
        except Malformed:
            return ''
        return 'accepted as %r' % (f.state(),)
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check))
