"""What the decoders beside this file share: values to check with, and their command line.

Hashes, numbers, bits and headers are those of the Python package in clients/python.
"""
import functools
import os
import sys

# (what is shared is plain Python)
os.environ['PROBDS_LIBRARY'] = ''
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '../../clients/python/src'))
# noqa: F401
from probds._bytes import (ARRAY, COLLATED, MULTIRANGE, NESTED, OPCLASS, RANGE, RECORD, BitReader,
                           BitWriter, described, get_header, get_varint, has_signature, put_header,
                           put_varint)
from probds._hash import MASK, murmur64a, rotl  # noqa: F401
from probds._hash import murmur3 as murmur3_once
from probds.errors import FormatError as Malformed

# the values of one check are those of the next
murmur3 = functools.lru_cache(None)(murmur3_once)


def hash_int(i):
    return murmur3((i & MASK).to_bytes(8, 'little'))


def hash_text(s):
    return murmur3(s.encode())


def framed(data):
    return len(data).to_bytes(4, 'little') + data


# rows of an integer and a text, and ranges of integers from i to below i + 2
PAIR_KIND = described(RECORD, bytes([1, 2]))
RANGE_KIND = described(RANGE | 1, b'discrete\0' + bytes([1]))


def hash_pair(i, s):
    return murmur3(b'\x01' + framed((i & MASK).to_bytes(8, 'little')) + b'\x02'
                   + framed(s.encode()))


def hash_range(i):
    return murmur3(b'\x02' + framed((i & MASK).to_bytes(8, 'little'))
                   + framed((i + 2 & MASK).to_bytes(8, 'little')))


# of the values of a check: their kind, and the hash of value i
VALUES = {'int': (1, hash_int), 'text': (2, lambda i: hash_text('value %d' % i)),
          'record': (PAIR_KIND, lambda i: hash_pair(i, 'value %d' % i)),
          'range': (RANGE_KIND, hash_range)}


def reader_of(decode):
    """A function of a payload in hexadecimal: the sketch, which is not to be changed.

    The same one for the lines beside each other that look at it.
    """
    return functools.lru_cache(64)(lambda text: decode(bytes.fromhex(text)))


# ---------- commands ----------

def main(args, show, check, decode):
    """Show payloads given in hexadecimal; or --check lines from standard input.

    Of a check's line, the fields of which are separated by tabs, "check" says
    what is wrong about it, or nothing.  The line "bad" with a payload is of all
    types: the payload is not one of the type.
    """
    if args != ['--check']:
        for text in args:
            show(bytes.fromhex(text.replace('\\x', '')))
        return 0
    bad = 0
    for line in sys.stdin:
        name = ' '.join(f if len(f) < 24 else f[:21] + '...' for f in line.split())
        try:
            what, *field = line.rstrip('\n').split('\t')
            if what == 'bad':
                decode(bytes.fromhex(field[0]))
                why = 'accepted'
            else:
                why = check(what, *field)
        except Malformed as e:
            why = '' if what == 'bad' else 'malformed: %s' % e
        bad += why != ''
        print('%s - %s%s' % ('not ok' if why else 'ok', name, ' # ' + why if why else ''))
    return bad > 0
