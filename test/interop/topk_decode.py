#!/usr/bin/env python3
"""A second implementation of doc/format.md: reads and writes stored topk values.

It follows that page step by step and shares nothing with the C code; slow and
simple: to test the page, and to start from in an application.  Needs nothing
but Python's own library and sketch_bytes.py beside it.

    topk_decode.py HEX...      show what is in these payloads
    topk_decode.py --check     read lines from standard input, print "ok" or
                               "not ok" for each (test/t/010_format.pl)
"""
import functools
import re
import sys

sys.dont_write_bytecode = True
from sketch_bytes import (PAIR_KIND, RANGE_KIND, Malformed, get_header, get_varint, hash_int,
                          hash_pair, hash_range,
                          hash_text, main, murmur3, put_header, put_varint, reader_of)

EMPTY, ITEMS = 0, 1
NUMBER, STRING, DATE, ENUM, CITEXT = 1, 2, 7, 17, 23
MOST_K, MOST_COUNTERS = 10000, 160000
COUNTERS_FOLLOW = 65536
MOST_TOTAL = (1 << 63) - 1
MOST_TEXT, MARK = 4096, b' ...'
INTEGER = re.compile(rb'0|-?[1-9][0-9]*')


def usual_counters(k):
    return max(2048, 16 * k)


# ---------- from text to hash ----------

@functools.lru_cache(None)
def hash_of_text(kind, text):
    """h1 of the value with this text, or None if the text does not tell it."""
    if len(text) > MOST_TEXT:
        return None
    if kind in (STRING, ENUM, CITEXT):
        return murmur3(text)[0]
    if kind == NUMBER and INTEGER.fullmatch(text) and -1 << 63 <= int(text) < 1 << 63:
        return hash_int(int(text))[0]
    return None


# ---------- counting ----------

class Sketch:
    """Items by hash: [upper, error, text]"""

    def __init__(self, k, kind=0, counters=None):
        self.k, self.kind = k, kind
        self.counters = counters or usual_counters(k)
        self.total = self.offset = 0
        self.items = {}

    def add(self, h, text, weight=1):
        self.total += weight
        if h in self.items:
            self.items[h][0] += weight
            return
        if len(self.items) == 2 * self.counters:
            self.purge()
        self.items[h] = [self.offset + weight, self.offset, text]

    def in_order(self):
        return sorted(self.items.items(), key=lambda item: (-item[1][0], item[0]))

    def purge(self):
        order = self.in_order()
        self.offset = order[self.counters][1][0]
        self.items = dict(order[:self.counters])

    def rest(self):
        if len(self.items) > self.counters:
            self.purge()

    def union(self, other):
        """With another of the same k and k', neither of more than k' items."""
        u = Sketch(self.k, self.kind or other.kind, self.counters)
        u.total, u.offset = self.total + other.total, self.offset + other.offset
        for h in {**self.items, **other.items}:
            a = self.items.get(h, [self.offset, self.offset, None])
            b = other.items.get(h, [other.offset, other.offset, None])
            texts = [text for text in (a[2], b[2]) if text is not None]
            u.items[h] = [a[0] + b[0], a[1] + b[1], min(texts, key=lambda text: (len(text), text))]
        u.rest()
        return u

    def bounds(self, h):
        upper, error, _ = self.items.get(h, [self.offset, self.offset, None])
        return upper - error, upper

    def state(self):
        return self.k, self.counters, self.kind, self.total, self.offset, self.items


# ---------- bytes ----------

def decode(data):
    family, encoding, kind, at = get_header(data)
    if data[0] != 0x41:
        raise Malformed('not a topk of version 1')
    if family or encoding > 1:
        raise Malformed('family or encoding')
    k, at = get_varint(data, at)
    counters = None
    if k >= COUNTERS_FOLLOW:
        k -= COUNTERS_FOLLOW
        counters, at = get_varint(data, at)
        if not k <= counters <= MOST_COUNTERS or counters == usual_counters(k):
            raise Malformed('counters')
    if not 1 <= k <= MOST_K:
        raise Malformed('k')
    s = Sketch(k, kind, counters)
    if encoding == EMPTY:
        if at != len(data):
            raise Malformed('something after the end')
        return s

    s.total, at = get_varint(data, at)
    s.offset, at = get_varint(data, at)
    n, at = get_varint(data, at)
    size, at = get_varint(data, at)
    if not 1 <= s.total <= MOST_TOTAL or s.offset > s.total // (s.counters + 1) \
            or n > s.counters:
        raise Malformed('total, offset or number of items')
    record = len(data) - size
    if record < at:
        raise Malformed('ends within its items')
    numbers = data[:record]
    upper, last, above = s.total, -1, 0
    for i in range(n):
        gap, at = get_varint(numbers, at)
        before, upper = upper, s.offset + gap if i == 0 else upper - gap
        error = 0
        if s.offset:
            number, at = get_varint(numbers, at)
            if number > s.offset:
                raise Malformed('error')
            error = s.offset + 1 - number if number else 0
        length, at = get_varint(numbers, at)
        if not max(s.offset, 1) <= upper <= before or length > MOST_TEXT + len(MARK):
            raise Malformed('count or length')
        text = data[record:record + length]
        record += length
        h = hash_of_text(kind, text)
        if h is None:
            h = int.from_bytes(data[record:record + 8], 'little')
            record += 8
        if record > len(data):
            raise Malformed('ends within its texts')
        if length > MOST_TEXT and not text.endswith(MARK):
            raise Malformed('a text that is too long, and has not been cut')
        if 0 in text or h in s.items or i > 0 and upper == before and h < last:
            raise Malformed('text, or order of items')
        try:
            text.decode()
        except UnicodeDecodeError:
            raise Malformed('text')
        last = h
        above += upper - s.offset
        s.items[h] = [upper, error, text]
    if at != len(numbers) or record != len(data):
        raise Malformed('something after the end')
    if above + s.offset * (s.counters + 1) > s.total or s.offset == 0 and above < s.total:
        raise Malformed('counts that are not the total')
    return s


def encode(s):
    empty = s.total == 0
    head = put_header(0x41, 0, EMPTY if empty else ITEMS, s.kind)
    if s.counters == usual_counters(s.k):
        head += put_varint(s.k)
    else:
        head += put_varint(s.k + COUNTERS_FOLLOW) + put_varint(s.counters)
    if empty:
        return head
    numbers = records = b''
    before = None
    for h, (upper, error, text) in s.in_order():
        numbers += put_varint(upper - s.offset if before is None else before - upper)
        if s.offset:
            numbers += put_varint(s.offset + 1 - error if error else 0)
        numbers += put_varint(len(text))
        records += text if hash_of_text(s.kind, text) is not None else text + h.to_bytes(8,
            'little')
        before = upper
    return head + b''.join(map(put_varint,
                               (s.total, s.offset, len(s.items), len(records)))) + numbers + records


# ---------- commands ----------

stored = reader_of(decode)

# of the kinds of a check: its number, and the hash and text of value i
VALUES = {
    'int': (NUMBER, lambda i: (hash_int(i)[0], b'%d' % i)),
    'text': (STRING, lambda i: (hash_text('value %d' % i)[0], b'value %d' % i)),
    # days from 2000-01-01 on, within that January
    'date': (DATE, lambda i: (hash_int(i)[0], b'2000-01-%02d' % (i + 1))),
    'record': (PAIR_KIND, lambda i: (hash_pair(i, 'value %d' % i)[0], b'(%d,"value %d")' % (i, i))),
    'range': (RANGE_KIND, lambda i: (hash_range(i)[0], b'[%d,%d)' % (i, i + 2))),
    # of these as many bytes are kept as 4,096 have space for: 1,365 characters of three
    'long': (STRING, lambda i: (hash_text('\u20ac' * (2000 + i))[0], '\u20ac'.encode() * 1365
                                + MARK)),
}


def show(payload):
    s = decode(payload)
    print('k %d, %d counters, kind %x, total %d, offset %d, %d items' % (s.k, s.counters, s.kind,
        s.total, s.offset, len(s.items)))
    for h, (upper, error, text) in s.in_order():
        print('%d to %d  %016x  %s' % (upper - error, upper, h, text.decode()))


def check(what, *field):
    """What is wrong about a line, or nothing:

    values  kind k counters n modulus weighted payload    of the rows i * i mod modulus, i from 1
            to n, of weight i or 1
    union   payload payload payload-of-their-union
    fold    payload k counters payload
    bounds  kind payload i lower upper
    """
    if what == 'values':
        kind, value = VALUES[field[0]]
        k, counters, n, modulus = map(int, field[1:5])
        weighted = field[5] == 't'
        payload = bytes.fromhex(field[6])
        known = {}
        own = Sketch(k, kind, counters)
        for i in range(1, n + 1):
            v = i * i % modulus
            if v not in known:
                known[v] = value(v)
            own.add(*known[v], weight=i if weighted else 1)
        own.rest()
        if decode(payload).state() != own.state() and n > 0:
            return 'holds something else than its values'
        return '' if encode(own) == payload else 'would be written otherwise'
    if what == 'union':
        a, b = stored(field[0]), stored(field[1])
        return '' if encode(a.union(b)) == bytes.fromhex(field[2]) else 'another union'
    if what == 'fold':
        s = decode(bytes.fromhex(field[0]))
        s.k, s.counters = int(field[1]), int(field[2])
        s.rest()
        return '' if encode(s) == bytes.fromhex(field[3]) else 'folds otherwise'
    if what == 'bounds':
        found = stored(field[1]).bounds(VALUES[field[0]][1](int(field[2]))[0])
        return '' if found == (int(field[3]), int(field[4])) else 'the bounds are %r' % (found,)
    return 'no such check'


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:], show, check, decode))
