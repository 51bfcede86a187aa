#!/usr/bin/env python3
"""The Python package in clients/python, which follows doc/format.md step by step and shares
nothing with the C code, against stored bloom values.

    bloom_decode.py HEX...      show what is in these payloads
    bloom_decode.py --check     read lines from standard input, print "ok" or
                                "not ok" for each (test/t/010_format.pl)
"""
import sys

sys.dont_write_bytecode = True
from sketch_bytes import VALUES, Malformed, main, reader_of
from probds._bloom_size import SINGLE, code_of, shape_for, small_shape
from probds.bloom import BLOCKED, CLASSIC, FAMILIES, Bloom, hash_in_family

decode, encode = Bloom.from_bytes, Bloom.to_bytes


def state(f):
    return f.family, f.bits, f.hashes, f.kind, sorted(f.set_bits())


# ---------- commands ----------

stored = reader_of(decode)

LAYOUTS = {'blocked': BLOCKED, 'classic': CLASSIC}
CANONICAL = {'int': (1, lambda i: i.to_bytes(8, 'little')), 'text': (2, lambda i: b'value %d' % i)}


def show(payload):
    f = decode(payload)
    print('%s, %d bits, %d hashes, capacity %d, rate %g, kind %x, cardinality %.2f' % (
        f.layout, f.bits, f.hashes, f.capacity, f.false_positive_rate or 0, f.kind, f.estimate()))
    print('set: ' + ' '.join(map(str, f.set_bits())))


def check(what, *field):
    """What is wrong about a line, or nothing:

    values     kind n capacity rate layout payload cardinality
    union      payload payload payload-of-their-union
    intersect  payload payload payload-of-their-intersection
    size       capacity rate layout bits hashes
    contains   kind payload i answer
    foreign    family kind n payload        the values 1 to n in a filter of that family
    asked      family kind payload i answer
    """
    if what in ('foreign', 'asked'):
        family = FAMILIES.index(field[0])
        kind, data = CANONICAL[field[1]]
        f = stored(field[3] if what == 'foreign' else field[2])
        if f.family != family:
            return 'is of another family'
        if what == 'asked':
            found = f._contains_hash(*hash_in_family(family, data(int(field[3]))))
            return '' if found == (field[4] == 't') else 'the answer is ' + 'ft'[found]
        own = Bloom(family, f.bits, f.hashes, f.capacity, f.rate_code,
                    kind if field[2] != '0' else 0)
        for i in range(1, int(field[2]) + 1):
            own._add_hash(*hash_in_family(family, data(i)))
        if state(own) != state(f):
            return 'holds something else than its values'
        return '' if encode(own) == bytes.fromhex(field[3]) else 'would be written otherwise'
    if what == 'values':
        n, capacity, rate = int(field[1]), int(field[2]), float(field[3])
        family, payload, cardinality = LAYOUTS[field[4]], bytes.fromhex(field[5]), int(field[6])
        kind, h = VALUES[field[0]]
        f = decode(payload)
        if (f.family, f.capacity, f.rate_code) != (family, capacity, code_of(rate)):
            return 'was planned for something else'
        own = Bloom(family, f.bits, f.hashes, capacity, f.rate_code, kind if n else 0)
        for i in range(1, n + 1):
            own._add_hash(*h(i))
        if state(own) != state(f):
            return 'holds something else than its values'
        if encode(own) != payload:
            return 'would be written otherwise'
        if f.cardinality() != cardinality:
            return 'cardinality is %.3f, the server says %d' % (f.estimate(), cardinality)
        return ''
    if what in ('union', 'intersect'):
        a, b = stored(field[0]), stored(field[1])
        return '' if encode(a | b
                            if what ==
                            'union' else a & b) == bytes.fromhex(field[2]) else 'another ' + what
    if what == 'size':
        capacity, code, family = int(field[0]), code_of(float(field[1])), LAYOUTS[field[2]]
        follows, told = small_shape(capacity, code, family), (int(field[3]), int(field[4]))
        # one that does not follow is told: larger than a block, or larger than the textbook's
        if follows != told and (told[0] <= SINGLE if follows is None else family != CLASSIC
                                or told[0] <= follows[0]):
            return 'follows as %r' % (follows,)
        found = shape_for(capacity, code, family)
        return '' if found == told else 'would be %r' % (found,)
    if what == 'contains':
        found = stored(field[1])._contains_hash(*VALUES[field[0]][1](int(field[2])))
        return '' if found == (field[3] == 't') else 'the answer is ' + 'ft'[found]
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
