"""What the decoders beside this file share: hashes, numbers and bits as
doc/hashing.md and doc/format.md describe them, and their command line.

Slow and simple; nothing but Python's own library.
"""
import sys

RECORD, MULTIRANGE, COLLATED, NESTED, OPCLASS = 20, 21, 22, 25, 26
RANGE, ARRAY = 64, 128


class Malformed(Exception):
    pass


# ---------- from value to hash: MurmurHash3 x64_128 ----------

MASK = (1 << 64) - 1
C1, C2 = 0x87c37b91114253d5, 0x4cf5ad432745937f


def rotl(x, r):
    return (x << r | x >> (64 - r)) & MASK


def fmix(k):
    k ^= k >> 33
    k = k * 0xff51afd7ed558ccd & MASK
    k ^= k >> 33
    k = k * 0xc4ceb9fe1a85ec53 & MASK
    return k ^ k >> 33


def murmur3(data, seed=0):
    """h1 and h2, 64 bits each."""
    h1 = h2 = seed
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        k1 = int.from_bytes(data[at:at + 8], 'little')
        k2 = int.from_bytes(data[at + 8:at + 16], 'little')
        h1 ^= rotl(k1 * C1 & MASK, 31) * C2 & MASK
        h1 = ((rotl(h1, 27) + h2) * 5 + 0x52dce729) & MASK
        h2 ^= rotl(k2 * C2 & MASK, 33) * C1 & MASK
        h2 = ((rotl(h2, 31) + h1) * 5 + 0x38495ab5) & MASK
    tail = data[whole:]
    k1 = int.from_bytes(tail[:8], 'little')
    k2 = int.from_bytes(tail[8:], 'little')
    h2 ^= rotl(k2 * C2 & MASK, 33) * C1 & MASK
    h1 ^= rotl(k1 * C1 & MASK, 31) * C2 & MASK
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    h1, h2 = fmix(h1), fmix(h2)
    h1 = (h1 + h2) & MASK
    return h1, (h2 + h1) & MASK


def murmur64a(data, seed):
    m = 0xc6a4a7935bd1e995
    h = seed ^ len(data) * m & MASK
    for at in range(0, len(data) // 8 * 8, 8):
        k = int.from_bytes(data[at:at + 8], 'little') * m & MASK
        h = (h ^ (k ^ k >> 47) * m & MASK) * m & MASK
    tail = data[len(data) // 8 * 8:]
    if tail:
        h = (h ^ int.from_bytes(tail, 'little')) * m & MASK
    h = (h ^ h >> 47) * m & MASK
    return h ^ h >> 47


def hash_int(i):
    return murmur3((i & MASK).to_bytes(8, 'little'))


def hash_text(s):
    return murmur3(s.encode())


# ---------- numbers and bits ----------

def get_varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data):
            raise Malformed('ends within a number')
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            if byte == 0 and shift > 7:
                raise Malformed('a number longer than it need be')
            return value, at


def put_varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


class BitReader:
    def __init__(self, data):
        self.bits = int.from_bytes(data, 'little')
        self.size = 8 * len(data)
        self.at = 0

    def get(self, n):
        if self.at + n > self.size:
            raise Malformed('ends within its bits')
        value = self.bits >> self.at & ((1 << n) - 1)
        self.at += n
        return value

    def get_unary(self):
        n = 0
        while self.get(1) == 0:
            n += 1
        return n

    def end(self):
        if self.size - self.at > 7 or self.bits >> self.at:
            raise Malformed('something after the end')


class BitWriter:
    def __init__(self):
        self.parts = []

    def put(self, value, n):
        self.parts.append(format(value, '0%db' % n)[::-1] if n else '')

    def bytes(self):
        s = ''.join(self.parts)
        s += '0' * (-len(s) % 8)
        return bytes(int(s[i:i + 8][::-1], 2) for i in range(0, len(s), 8))


# ---------- kinds, and what every sketch begins with ----------

# A kind is a number here: its code in the low 8 bits, and above it the signature, if the code has one.

def has_signature(code):
    return bool(code & RANGE) or code & 63 in (RECORD, MULTIRANGE, COLLATED, NESTED, OPCLASS)


def described(code, description):
    """The kind with this code whose signature is that of a description."""
    return code | (murmur3(description)[0] & 0xffffffff) << 8


def get_header(data):
    """Family, encoding and kind of a sketch, and where its header ends."""
    if len(data) < 3:
        raise Malformed('shorter than a header')
    family, encoding, code, at = data[1] >> 4, data[1] & 15, data[2], 3
    if (encoding == 0) != (code == 0):
        raise Malformed('kind of nothing, or none of something')
    if code and (not 1 <= code & 63 <= OPCLASS or code == NESTED):
        raise Malformed('kind')
    if not has_signature(code):
        return family, encoding, code, at
    if len(data) < 7:
        raise Malformed('ends within its header')
    return family, encoding, code | int.from_bytes(data[3:7], 'little') << 8, 7


def put_header(first, family, encoding, kind):
    code = kind & 255 if encoding else 0
    head = bytes([first, family << 4 | encoding, code])
    return head + (kind >> 8).to_bytes(4, 'little') if has_signature(code) else head


def framed(data):
    return len(data).to_bytes(4, 'little') + data


# rows of an integer and a text, and ranges of integers from i to below i + 2
PAIR_KIND = described(RECORD, bytes([1, 2]))
RANGE_KIND = described(RANGE | 1, b'discrete\0' + bytes([1]))


def hash_pair(i, s):
    return murmur3(b'\x01' + framed((i & MASK).to_bytes(8, 'little')) + b'\x02' + framed(s.encode()))


def hash_range(i):
    return murmur3(b'\x02' + framed((i & MASK).to_bytes(8, 'little')) + framed((i + 2 & MASK).to_bytes(8, 'little')))


# of the values of a check: their kind, and the hash of value i
VALUES = {'int': (1, hash_int), 'text': (2, lambda i: hash_text('value %d' % i)),
          'record': (PAIR_KIND, lambda i: hash_pair(i, 'value %d' % i)), 'range': (RANGE_KIND, hash_range)}


# ---------- commands ----------

def main(args, show, check):
    """Show payloads given in hexadecimal; or --check lines from standard input.

    Of a check's line, the fields of which are separated by tabs, "check" says
    what is wrong about it, or nothing.
    """
    if args != ['--check']:
        for text in args:
            show(bytes.fromhex(text.replace('\\x', '')))
        return 0
    bad = 0
    for line in sys.stdin:
        name = ' '.join(f if len(f) < 24 else f[:21] + '...' for f in line.split())
        try:
            why = check(*line.rstrip('\n').split('\t'))
        except Malformed as e:
            why = 'malformed: %s' % e
        bad += why != ''
        print('%s - %s%s' % ('not ok' if why else 'ok', name, ' # ' + why if why else ''))
    return bad > 0
