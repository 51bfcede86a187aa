#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads, writes and fills scalable_bloom values.

It follows that page step by step and shares nothing with the C code; slow and simple: to test
the page, and to start from in an application.  Layers are the Bloom of the Python package in
clients/python.

    scalable_bloom_decode.py HEX...     show what is in these payloads
    scalable_bloom_decode.py --check    read lines from standard input, print "ok" or
                                        "not ok" for each (test/t/010_format.pl)
"""
import math
import sys

sys.dont_write_bytecode = True
from sketch_bytes import (VALUES, Malformed, get_header, get_varint, main, put_header,
                          put_varint, reader_of)
from probds._bloom_size import TooLarge, code_of, rate_of, shape_for
from probds.bloom import BLOCKED, FAMILY_KINDS, REDIS, SINGLE, Bloom, hash_in_family

FIRST = 0x71                    # type scalable_bloom, version 1
EMPTY, LAYERS = 0, 1
MOST_LAYERS, MOST_EXPANSION = 1024, 32768
MOST_CODE = 8100


def layer_rate(layer):
    return rate_of(layer.rate_code) if layer.rate_code else 0


def order(layer):
    data = layer.to_bytes()
    return layer.capacity, -layer_rate(layer), -layer.bits_set(), len(data), data


def is_within(a, b):
    """of two layers: does a say nothing that b does not?"""
    return ((a.bits, a.hashes, a.capacity, a.rate_code) == (b.bits, b.hashes, b.capacity,
        b.rate_code)
            and set(a.set_bits()) <= set(b.set_bits()))


def full_bits(layer):
    """how many bits of a layer are set when it is full"""
    m, k, n = layer.bits, layer.hashes, layer.capacity
    if layer.family == BLOCKED and m > SINGLE:
        hit = -math.expm1(k * math.log1p(-1 / 512))
        zeros = math.exp(n * math.log1p(-hit / (m // 512)))
    else:
        zeros = math.exp(n * k * math.log1p(-1 / m))
    return min(max(int(m * (1 - zeros)), 1), m)


class Scalable:
    def __init__(self, family, rate_code, capacity, expansion, kind=0):
        self.family, self.rate_code = family, rate_code
        self.capacity, self.expansion = capacity, expansion
        self.kind = kind
        self.layers = []

    def contains(self, h):
        return any(layer._contains_hash(*h) for layer in self.layers)

    def new_layer(self, capacity, rate):
        code = code_of(max(rate, 1e-9))
        return Bloom(BLOCKED, *shape_for(capacity, code, BLOCKED), capacity, code, self.kind)

    def add(self, h):
        """of our own family"""
        if self.contains(h):
            return
        rate = rate_of(self.rate_code)
        if not self.layers:
            self.layers.append(self.new_layer(self.capacity, rate / 2))
        last = self.layers[-1]
        if last.bits_set() >= full_bits(last):
            left = 0.88 * rate - sum(map(layer_rate, self.layers))
            last = self.new_layer(last.capacity * self.expansion, max(left / 5, rate / 10000))
            self.layers.append(last)
        last._add_hash(*h)

    def united(self, other):
        both = Scalable(self.family, max(self.rate_code, other.rate_code, key=rate_of),
                        max(self.capacity, other.capacity), max(self.expansion, other.expansion),
                        self.kind or other.kind)
        layers = sorted(self.layers + other.layers, key=order)
        for i, layer in enumerate(layers):
            if not any(is_within(layer, kept) for kept in both.layers):
                both.layers.append(layer)
        return both


def encode(s):
    head = put_header(FIRST, s.family, LAYERS if s.layers else EMPTY, s.kind if s.layers else 0)
    head += s.rate_code.to_bytes(2, 'little') + put_varint(s.capacity) + put_varint(s.expansion)
    if not s.layers:
        return head
    layers = [layer.to_bytes() for layer in sorted(s.layers, key=order)]
    ends = [sum(map(len, layers[:i + 1])) for i in range(len(layers))]
    directory = b''.join(end.to_bytes(4, 'little') for end in ends) if len(layers) > 1 else b''
    return head + put_varint(len(layers)) + directory + b''.join(layers)


def require(condition, why):
    if not condition:
        raise Malformed(why)


def decode(data):
    require(data[:1] == bytes([FIRST]), 'another type or version')
    family, encoding, kind, at = get_header(data)
    require(family in (BLOCKED, REDIS), 'unknown family')
    require(encoding in (EMPTY, LAYERS), 'unknown encoding')
    require(kind == 0 or kind in FAMILY_KINDS.get(family, [kind]),
            'a kind that the family does not hold')
    require(len(data) >= at + 2, 'no rate')
    code = int.from_bytes(data[at:at + 2], 'little')
    require(0 < code <= MOST_CODE, 'no such rate')
    capacity, at = get_varint(data, at + 2)
    expansion, at = get_varint(data, at)
    require(0 < capacity < 1 << 63 and expansion <= MOST_EXPANSION,
            'capacity or expansion out of range')
    if family == BLOCKED:
        require(expansion > 0 and rate_of(code) >= 1e-5, 'expansion or rate out of range')
        try:
            shape_for(capacity, code_of(max(rate_of(code) / 2, 1e-9)), BLOCKED)
        except TooLarge:
            raise Malformed('capacity too large') from None
    s = Scalable(family, code, capacity, expansion, kind)
    if encoding == EMPTY:
        require(at == len(data), 'bytes behind the end')
        return s
    n, at = get_varint(data, at)
    require(0 < n <= MOST_LAYERS, 'number of layers')
    start = at + (4 * n if n > 1 else 0)
    require(start <= len(data), 'cut directory')
    ends = [int.from_bytes(data[at + 4 * i:at + 4 * i + 4], 'little')
            for i in range(n)] if n > 1 else [len(data) - start]
    begin = 0
    for end in ends:
        require(begin < end <= len(data) - start, 'directory')
        layer = Bloom.from_bytes(data[start + begin:start + end])
        require(layer.kind == kind and layer.family == family and layer.capacity > 0
                and layer.bits_set() > 0, 'layer')
        require(not s.layers or order(s.layers[-1]) < order(layer), 'order of layers')
        require(not any(is_within(layer, before) for before in s.layers), 'layer in another')
        s.layers.append(layer)
        begin = end
    require(begin == len(data) - start, 'bytes behind the end')
    return s


# ---------- commands ----------

stored = reader_of(decode)

def show(payload):
    s = decode(payload)
    print('capacity %d, rate %g, expansion %d, kind %x, %d layers' % (
        s.capacity, rate_of(s.rate_code), s.expansion, s.kind, len(s.layers)))
    for layer in s.layers:
        print('  %d bits, %d hashes, capacity %d, rate %g, %d bits set, %.2f values' % (
            layer.bits, layer.hashes, layer.capacity, layer_rate(layer), layer.bits_set(),
            layer.estimate()))


def check(what, *field):
    """What is wrong about a line, or nothing:

    grown      kind n capacity rate expansion payload    the values 1 to n, one after the other
    collected  kind n capacity rate expansion payload    the same by scalable_bloom_agg
    union      payload payload payload-of-their-union
    contains   kind payload i answer
    asked      payload text answer                       of RedisBloom's family
    same       payload                                   is written as it was read
    """
    if what in ('grown', 'collected'):
        kind, h = VALUES[field[0]]
        n, capacity, expansion = int(field[1]), int(field[2]), int(field[4])
        code = code_of(float(field[3]))
        own = Scalable(BLOCKED, code, capacity, expansion, kind)
        if what == 'collected' and n > 0:
            own.layers.append(own.new_layer(max(n, capacity), rate_of(code) / 2))
        for i in range(1, n + 1):
            own.layers[0]._add_hash(*h(i)) if what == 'collected' else own.add(h(i))
        if encode(own) != bytes.fromhex(field[5]):
            return 'would be written otherwise'
        payload = bytes.fromhex(field[5])
        return '' if encode(decode(payload)) == payload else 'is read otherwise'
    if what == 'union':
        a, b = decode(bytes.fromhex(field[0])), decode(bytes.fromhex(field[1]))
        return '' if encode(a.united(b)) == bytes.fromhex(field[2]) else 'another union'
    if what == 'contains':
        found = stored(field[1]).contains(VALUES[field[0]][1](int(field[2])))
        return '' if found == (field[3] == 't') else 'the answer is ' + 'ft'[found]
    if what == 'asked':
        found = stored(field[0]).contains(hash_in_family(REDIS, field[1].encode()))
        return '' if found == (field[2] == 't') else 'the answer is ' + 'ft'[found]
    if what == 'same':
        payload = bytes.fromhex(field[0])
        return '' if encode(decode(payload)) == payload else 'is written otherwise'
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
