#!/usr/bin/env python3
"""The Python package in clients/python, which follows doc/format.md step by step and shares
nothing with the C code, against stored hll values.

Only the number of values is estimated in another way than there, which is the server's.

    hll_decode.py HEX...      show what is in these payloads
    hll_decode.py --check     read lines from standard input, print "ok" or
                              "not ok" for each (test/t/010_format.pl)
"""
import math
import sys

sys.dont_write_bytecode = True
from sketch_bytes import VALUES, Malformed, main
from probds.hll import CELLS, DATASKETCHES, INT32, REDIS, Hll, most_rank

decode, encode = Hll.from_bytes, Hll.to_bytes


def state(s):
    return s.precision, s.kind, s.family, s.tokens, s.registers


def likeliest(s):
    """Linear counting; or the n that makes the registers likeliest, by bisection."""
    if s.registers is None:
        return -CELLS * math.log1p(-len(s.tokens) / CELLS)
    q, m = most_rank(s.family, s.precision) - 1, 1 << s.precision
    count = [s.registers.count(k) for k in range(q + 2)]
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


# ---------- commands ----------

def show(payload):
    s = decode(payload)
    print('precision %d, kind %x, family %d, cardinality %.2f' % (s.precision, s.kind, s.family,
        s.estimate()))
    if s.registers is None:
        print('tokens (cell:rank): ' + ' '.join('%d' % c + (':%d' % r if r else '') for c,
                                                r in sorted(s.tokens.items())))
    else:
        print('registers: ' + ' '.join(map(str, s.registers)))


def built(what, n, p):
    """ints; texts 'value 1' and so on; rows of both; ranges; texts in the Redis family; ints in
    that of DataSketches and in int32"""
    families = {'redis': REDIS, 'datasketches': DATASKETCHES, 'int32': INT32}
    if what in families:
        s = Hll(p, 0, families[what])
        s.add_all('value %d' % i if what == 'redis' else i for i in range(1, n + 1))
        return s
    kind, h = VALUES[what]
    s = Hll(p, kind if n else 0)
    for i in range(1, n + 1):
        s._add_hash(h(i)[0])
    return s


def check(what, *field):
    """What is wrong about a line, or nothing:

    values  kind n precision payload cardinality
    union   payload payload payload-of-their-union
    reduce  payload precision payload-reduced
    """
    if what == 'values':
        kind, n, p = field[0], int(field[1]), int(field[2])
        payload, cardinality = bytes.fromhex(field[3]), int(field[4])
        s, own = decode(payload), built(kind, n, p)
        if state(s) != state(own):
            return 'holds something else than its values'
        if encode(own) != payload:
            return 'would be written otherwise'
        if s.cardinality() != cardinality:
            return 'cardinality is %d, the server says %d' % (s.cardinality(), cardinality)
        if abs(likeliest(s) - cardinality) > 0.51 + 1e-4 * cardinality:
            return 'the likeliest number is %.3f, the server says %d' % (likeliest(s), cardinality)
        return ''
    if what == 'union':
        a, b, c = map(bytes.fromhex, field)
        return '' if encode(decode(a) | decode(b)) == c else 'another union'
    if what == 'reduce':
        reduced = decode(bytes.fromhex(field[0])).reduce(int(field[1]))
        return '' if encode(reduced) == bytes.fromhex(field[2]) else 'otherwise reduced'
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
