#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored fuse values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library, sketch_bytes.py and cuckoo_decode.py beside it.

    fuse_decode.py HEX...      show what is in these payloads
    fuse_decode.py --check     read lines from standard input, print "ok" or
                               "not ok" for each (test/t/010_format.pl)
"""
import sys

sys.dont_write_bytecode = True
from cuckoo_decode import code_of, rate_of
from minhash_decode import fmix
from sketch_bytes import (MASK, VALUES, Malformed, get_header, get_varint, main, put_header,
                          put_varint, reader_of)

EMPTY, HASHES, FINISHED = 0, 1, 2
MOST_VALUES = 1 << 26
PART = 32768
SEEDS = 64


class Filter:
    """hashes, a sorted list; or count and parts, a list of (seed, slots), a slot a number."""

    def __init__(self, rate, kind):
        self.rate, self.kind = rate, kind
        self.count, self.hashes, self.parts = 0, None, None

    def bits(self):
        return next(b for b in range(4, 33) if b == 32 or rate_of(self.rate) * (1 << b) >= 1)

    def contains(self, h):
        if self.parts is None:
            return h in (self.hashes or [])
        part = h * len(self.parts) >> 64
        seed, slots = self.parts[part]
        if not slots:
            return False
        start, chosen, fingerprint = equation(within(h, len(self.parts), seed), len(slots),
                                              self.bits())
        for i in range(64):
            if chosen >> i & 1:
                fingerprint ^= slots[start + i]
        return fingerprint == 0

    def finished(self):
        """The filter of the hashes."""
        f = Filter(self.rate, self.kind)
        f.count = len(self.hashes)
        parts = -(-f.count // PART)
        own = [[] for _ in range(parts)]
        for h in self.hashes:
            own[h * parts >> 64].append(h)
        f.parts = [first_solved(hashes, parts, self.bits()) for hashes in own]
        return f

    def state(self):
        return self.rate, self.kind, self.count, self.hashes, self.parts


# ---------- a part ----------

def within(h, parts, seed):
    w = h * parts & MASK
    return fmix(w + seed * 0x9e3779b97f4a7c15 & MASK) if seed else w


def equation(w, m, bits):
    """Where the window begins, which of its slots are chosen, and what they come to."""
    window = min(m, 64)
    chosen = fmix(w)
    fingerprint = (chosen * 0x9e3779b97f4a7c15 & MASK) >> 64 - bits
    return w * (m - window + 1) >> 64, chosen & (1 << window) - 1, fingerprint


def first_solved(hashes, parts, bits):
    """The seed and the slots of a part."""
    n = len(hashes)
    for seed in range(SEEDS) if n else []:
        more = n // 20 + (n // 50 if n > 4096 else 0) + n * seed // 128 + seed // 4
        m = (n + more + 7) // 8 * 8
        slots = solved([equation(within(h, parts, seed), m, bits) for h in hashes], m)
        if slots is not None:
            return seed, slots
    return 0, []


def solved(equations, m):
    """Gaussian elimination; slots that are free are 0."""
    rows = {}
    for at, chosen, value in equations:
        while chosen:
            zeros = (chosen & -chosen).bit_length() - 1
            at, chosen = at + zeros, chosen >> zeros
            if at not in rows:
                rows[at] = chosen, value
                break
            chosen, value = chosen ^ rows[at][0], value ^ rows[at][1]
        if not chosen and value:
            return None
    slots = [0] * m
    for at in sorted(rows, reverse=True):
        row, value = rows[at]
        for i in range(1, row.bit_length()):
            if row >> i & 1:
                value ^= slots[at + i]
        slots[at] = value
    return slots


# ---------- bytes ----------

def get_slots(data, bits):
    slots = []
    for at in range(0, len(data), 8 * bits):
        block = data[at:at + 8 * bits]
        width = len(block) // bits
        words = [int.from_bytes(block[c * width:(c + 1) * width], 'little') for c in range(bits)]
        slots += [sum((word >> i & 1) << c for c, word in enumerate(words))
                  for i in range(8 * width)]
    return slots


def put_slots(slots, bits):
    out = b''
    for at in range(0, len(slots), 64):
        block = slots[at:at + 64]
        for c in range(bits):
            word = sum((slot >> c & 1) << i for i, slot in enumerate(block))
            out += word.to_bytes(len(block) // 8, 'little')
    return out


def decode(data):
    family, encoding, kind, at = get_header(data)
    if data[0] != 0xa1:
        raise Malformed('not a fuse of version 1')
    if family or encoding > FINISHED:
        raise Malformed('family or encoding')
    f = Filter(int.from_bytes(data[at:at + 2], 'little'), kind)
    at += 2
    if at > len(data) or not 1 <= f.rate <= 8100:
        raise Malformed('rate')
    if encoding == EMPTY:
        if at != len(data):
            raise Malformed('something after the end')
        return f
    f.count, at = get_varint(data, at)
    if not 1 <= f.count <= MOST_VALUES:
        raise Malformed('number of values')
    if encoding == HASHES:
        if len(data) - at != 8 * f.count:
            raise Malformed('length')
        f.hashes = [int.from_bytes(data[i:i + 8], 'little') for i in range(at, len(data), 8)]
        if any(a >= b for a, b in zip(f.hashes, f.hashes[1:])):
            raise Malformed('order of hashes')
        return f
    parts, bits = -(-f.count // PART), f.bits()
    if len(data) - at < 4 * parts:
        raise Malformed('directory')
    entries = [int.from_bytes(data[i:i + 4], 'little') for i in range(at, at + 4 * parts, 4)]
    at += 4 * parts
    begin, f.parts = 0, []
    for entry in entries:
        end = entry // SEEDS
        if end < begin or at + end * bits > len(data):
            raise Malformed('end of a part')
        f.parts.append((entry % SEEDS, get_slots(data[at + begin * bits:at + end * bits], bits)))
        begin = end
    if at + begin * bits != len(data) or 8 * begin < f.count:
        raise Malformed('length')
    return f


def encode(f):
    encoding = EMPTY if not f.count else FINISHED if f.parts is not None else HASHES
    out = put_header(0xa1, 0, encoding, f.kind) + f.rate.to_bytes(2, 'little')
    if encoding != EMPTY:
        out += put_varint(f.count)
    if encoding == HASHES:
        return out + b''.join(h.to_bytes(8, 'little') for h in f.hashes)
    end = 0
    for seed, slots in f.parts or []:
        end += len(slots) // 8
        out += (end * SEEDS + seed).to_bytes(4, 'little')
    return out + b''.join(put_slots(slots, f.bits()) for _, slots in f.parts or [])


# ---------- commands ----------

stored = reader_of(decode)

def show(payload):
    f = decode(payload)
    print('rate %g, kind %x, %d values' % (rate_of(f.rate), f.kind, f.count))
    for seed, slots in f.parts or []:
        print('seed %2d, %d slots' % (seed, len(slots)))


def check(what, *field):
    """What is wrong about a line, or nothing:

    values    kind n rate payload             of the rows from 1 to n
    hashes    kind n rate payload             the same, of a state
    contains  payload kind i answer
    """
    if what in ('values', 'hashes'):
        kind, value = VALUES[field[0]]
        own = Filter(code_of(field[2]), kind)
        own.hashes = sorted({value(i)[0] for i in range(1, int(field[1]) + 1)})
        own.count = len(own.hashes)
        if what == 'values':
            own = own.finished()
        if decode(bytes.fromhex(field[3])).state() != own.state():
            return 'holds something else than its values'
        return '' if encode(own).hex() == field[3] else 'would be written otherwise'
    if what == 'contains':
        own = stored(field[0]).contains(VALUES[field[1]][1](int(field[2]))[0])
        return '' if own == (field[3] == 't') else 'it says %r' % own
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
