#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored minhash values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library and sketch_bytes.py beside it.

    minhash_decode.py HEX...   show what is in these payloads
    minhash_decode.py --check  read lines from standard input, print "ok" or
                               "not ok" for each (test/t/010_format.pl)
"""
import math
import sys

sys.dont_write_bytecode = True
from sketch_bytes import (MASK, VALUES, BitReader, BitWriter, Malformed, get_header, get_varint,
                          main, put_header,
                          put_varint, reader_of)

EMPTY, SPARSE, DENSE = 0, 1, 2
RANKS = 48


# ---------- from hash to token and register ----------

def fmix(k):
    """The finalizer of MurmurHash3."""
    for factor in (0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53):
        k = (k ^ k >> 33) * factor & MASK
    return k ^ k >> 33


def token_of(h, log2_k):
    """(bin, rank, below) of the two halves of a hash."""
    h1, h2 = h
    h2 = max(h2, 1 << 16)
    top = h2.bit_length() - 1
    return h1 % (1 << log2_k), 64 - top, 65535 - (h2 >> top - 16) % 65536


class Sketch:
    """Tokens, a set of (bin, rank, below); or registers, k of (rank, below), (0, 0) if empty."""

    def __init__(self, log2_k, kind=0):
        self.log2_k, self.kind = log2_k, kind
        self.tokens, self.registers = set(), None

    def k(self):
        return 1 << self.log2_k

    def raised(self, log2_k):
        """The registers at a k that is no larger."""
        best = [(0, 0)] * (1 << log2_k)
        if self.registers is None:
            found = [(b, (rank, below >> 10)) for b, rank, below in self.tokens]
        else:
            found = list(enumerate(self.registers))
        for b, value in found:
            b %= 1 << log2_k
            best[b] = max(best[b], value)
        return best

    def rest(self):
        if self.registers is None and len(self.tokens) > self.k():
            self.registers, self.tokens = self.raised(self.log2_k), set()
        return self

    def folded(self, log2_k):
        s = Sketch(log2_k, self.kind)
        if self.registers is None:
            s.tokens = {(b % (1 << log2_k), rank, below) for b, rank, below in self.tokens}
        else:
            s.registers = self.raised(log2_k)
        return s.rest()

    def union(self, other):
        log2_k = min(self.log2_k, other.log2_k)
        a, b = self.folded(log2_k), other.folded(log2_k)
        u = Sketch(log2_k, a.kind or b.kind)
        if a.registers is None and b.registers is None:
            u.tokens = a.tokens | b.tokens
        else:
            u.registers = [max(x, y) for x, y in zip(a.raised(log2_k), b.raised(log2_k))]
        return u.rest()

    def jaccard(self, other):
        log2_k = min(self.log2_k, other.log2_k)
        if self.registers is None and other.registers is None:
            a, b = ({(x % (1 << log2_k), rank, below) for x, rank, below in s.tokens}
                    for s in (self, other))
            return len(a & b) / len(a | b) if a or b else None
        a, b = self.raised(log2_k), other.raised(log2_k)
        both = sum(x == y != (0, 0) for x, y in zip(a, b))
        first, second = sum(x > y for x, y in zip(a, b)), sum(x < y for x, y in zip(a, b))
        q = both / (both + first + second)
        share = first / (first + second) if first + second else 0.5
        j = q
        for _ in range(6):
            j = max(0.0,
                    q - (1 - j) * (2 * share * (1 - share) * (1 - j) + j) / 64 / (4 * math.log(2)))
        return j

    def bands(self, bands, rows):
        registers = self.raised(self.log2_k)
        filled = [b for b, value in enumerate(registers) if value != (0, 0)]
        if not filled:
            return []

        def source(b):
            tries = [b] + [fmix((b << 32) + i & MASK) % self.k() for i in range(1, 33)]
            for other in tries:
                if registers[other] != (0, 0):
                    return other
            return max(filled, key=lambda other: fmix((b << 32) + (1 << 31) + other & MASK))

        out = []
        for band in range(bands):
            x = fmix((self.log2_k << 56) + (rows << 32) + band + 1)
            for b in range(band * rows, (band + 1) * rows):
                s = source(b)
                rank, below = registers[s]
                x = fmix(x ^ (s << 16 | rank << 6 | below))
            out.append(x - (1 << 64) if x >> 63 else x)
        return out

    def state(self):
        return self.log2_k, self.kind, self.tokens, self.registers


# ---------- bytes ----------

def put_rank(w, d):
    near = {0: '00', 1: '01', -1: '100', 2: '101'}
    bits = near.get(d) or ('110' + '0' * (d - 3) if d > 0 else '111' + '0' * (-2 - d)) + '1'
    for bit in bits:
        w.put(int(bit), 1)


def get_rank(r):
    if r.get(1) == 0:
        return r.get(1)
    if r.get(1) == 0:
        return 2 if r.get(1) else -1
    return -2 - r.get_unary() if r.get(1) else 3 + r.get_unary()


def rank_bits(d):
    return d + 1 if d >= 3 else 2 - d if d <= -2 else 2 if d in (0, 1) else 3


def best_base(registers):
    """With which they are fewest bits; of several the smallest."""
    counts = [0] * (RANKS + 1)
    for rank, _ in registers:
        counts[rank] += 1
    return min(range(RANKS + 1), key=lambda base: sum(n * rank_bits(rank - base) for rank,
                                                      n in enumerate(counts)))


def decode(data):
    family, encoding, kind, at = get_header(data)
    if data[0] != 0x81:
        raise Malformed('not a minhash of version 1')
    if family or encoding > DENSE:
        raise Malformed('family or encoding')
    if at >= len(data) or not 4 <= data[at] <= 16:
        raise Malformed('k')
    s = Sketch(data[at], kind)
    at += 1
    if encoding == EMPTY:
        if at != len(data):
            raise Malformed('something after the end')
        return s
    if encoding == SPARSE:
        n, at = get_varint(data, at)
        if not 1 <= n <= s.k():
            raise Malformed('number of tokens')
        r = BitReader(data[at:])
        low = (s.k() // n).bit_length() - 1
        last = (0, 0, 0)
        for _ in range(n):
            gap = r.get_unary() << low
            gap |= r.get(low)
            token = last[0] + gap, r.get_unary() + 1, r.get(16)
            if token[0] >= s.k() or token[1] > RANKS or token <= last:
                raise Malformed('token')
            s.tokens.add(token)
            last = token
        r.end()
        return s
    if at >= len(data) or data[at] > RANKS:
        raise Malformed('base')
    base, r, s.registers = data[at], BitReader(data[at + 1:]), []
    for _ in range(s.k()):
        rank = base + get_rank(r)
        if not 0 <= rank <= RANKS:
            raise Malformed('rank')
        s.registers.append((rank, r.get(6)) if rank else (0, 0))
    r.end()
    if base != best_base(s.registers):
        raise Malformed('base')
    if sum((rank - 1) * 64 + below + 1 for rank, below in s.registers if rank) * 1024 <= s.k():
        raise Malformed('registers of no more than k values')
    return s


def encode(s):
    encoding = DENSE if s.registers is not None else SPARSE if s.tokens else EMPTY
    head = put_header(0x81, 0, encoding, s.kind) + bytes([s.log2_k])
    w = BitWriter()
    if encoding == SPARSE:
        head += put_varint(len(s.tokens))
        low = (s.k() // len(s.tokens)).bit_length() - 1
        last = 0
        for b, rank, below in sorted(s.tokens):
            w.put(1 << (b - last >> low), (b - last >> low) + 1)
            w.put(b - last & (1 << low) - 1, low)
            w.put(1 << rank - 1, rank)
            w.put(below, 16)
            last = b
    elif encoding == DENSE:
        base = best_base(s.registers)
        head += bytes([base])
        for rank, below in s.registers:
            put_rank(w, rank - base)
            if rank:
                w.put(below, 6)
    return head + w.bytes()


# ---------- commands ----------

stored = reader_of(decode)

def show(payload):
    s = decode(payload)
    print('k %d, kind %x, %s' % (s.k(), s.kind, 'registers'
                                 if s.registers else '%d tokens' % len(s.tokens)))
    for b, value in enumerate(s.registers) if s.registers else sorted((t[0], t[1:])
        for t in s.tokens):
        print('bin %5d  rank %2d  below %5d' % (b, *value))


def check(what, *field):
    """What is wrong about a line, or nothing:

    values   kind log2_k n payload                 of the rows from 1 to n
    union    payload payload payload-of-their-union
    fold     payload log2_k payload
    jaccard  payload payload answer
    bands    payload bands rows array
    """
    if what == 'values':
        kind, value = VALUES[field[0]]
        own = Sketch(int(field[1]))
        for i in range(1, int(field[2]) + 1):
            own.kind = kind
            own.tokens.add(token_of(value(i), own.log2_k))
        own.rest()
        if decode(bytes.fromhex(field[3])).state() != own.state():
            return 'holds something else than its values'
        return '' if encode(own).hex() == field[3] else 'would be written otherwise'
    if what == 'union':
        a, b = stored(field[0]), stored(field[1])
        return '' if encode(a.union(b)).hex() == field[2] else 'another union'
    if what == 'fold':
        folded = decode(bytes.fromhex(field[0])).folded(int(field[1]))
        return '' if encode(folded).hex() == field[2] else 'folds otherwise'
    if what == 'jaccard':
        own = stored(field[0]).jaccard(stored(field[1]))
        return '' if abs(own - float(field[2])) < 1e-12 else 'the index is %r' % own
    if what == 'bands':
        own = stored(field[0]).bands(int(field[1]), int(field[2]))
        return '' if '{%s}' % ','.join(map(str, own)) == field[3] else 'the bands are %r' % own
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
