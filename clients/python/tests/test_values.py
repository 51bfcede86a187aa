"""Hashes, kinds and canonical bytes, with the vectors of doc/hashing.md."""
import datetime
import decimal
import enum
import ipaddress
import unittest
import uuid
from decimal import Decimal

import support  # noqa: F401
from probds import KindError, Value, canonical, probds_hash
from probds._bytes import described, kind_name
from probds._hash import murmur3, murmur64a, xxhash64

# kind, value, canonical bytes, hash
VECTORS = [
    (1, 42, '2a00000000000000', -5283633198602748424),
    (1, -1, 'ffffffffffffffff', -6853156495446839949),
    (1, 4294967295, 'ffffffff00000000', -6086722372487961354),
    (1, Decimal('42.00'), '2a00000000000000', -5283633198602748424),
    (1, Decimal('4.2E1'), '2a00000000000000', -5283633198602748424),
    (1, -2 ** 63, '0000000000000080', 78142285821850151),
    (1, Decimal('-9223372036854775808'), '0000000000000080', 78142285821850151),
    (1, 2 ** 63, '0104009a032c0d70016515b016', 3655055817362981557),
    (1, Decimal('9223372036854775808'), '0104009a032c0d70016515b016', 3655055817362981557),
    (1, Decimal('1.50'), '01000001008813', 2122775074331806081),
    (1, Decimal('-0.00012'), '02ffff0100d007', -9095123036444213659),
    (1, Decimal('1e30'), '0107006400', -8613520503864380695),
    (1, 10 ** 30, '0107006400', -8613520503864380695),
    (1, Decimal('NaN'), '03', 8244620721157455449),
    (1, Decimal('Infinity'), '04', -7520911895099602387),
    (5, 0.1, '9a9999999999b93f', -4759005337917139),
    (5, -0.0, '0000000000000000', 2945182322382062539),
    (5, float('nan'), '000000000000f87f', 3958114705316880442),
    (5, -float('nan'), '000000000000f87f', 3958114705316880442),
    (5, float('-inf'), '000000000000f0ff', 796547275549774552),
    (6, True, '01', 8849112093580131862),
    (2, 'foo', '666f6f', -2129773440516405919),
    (2, '', '', 0),
    (2, 'caf\u00e9', '636166c3a9', -6708179634213395235),
    (3, b'\x00\xff', '00ff', -2476662096183316416),
    (3, bytearray(b'\x00\xff'), '00ff', -2476662096183316416),
    (3, memoryview(b'\x00\xff'), '00ff', -2476662096183316416),
    (4, uuid.UUID('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'), 'a0eebc999c0b4ef8bb6d6bb9bd380a11',
     -874653215435296113),
    (7, datetime.date(2000, 1, 2), '0100000000000000', 19144387141682250),
    (8, datetime.time(1, 2, 3), 'c078e8dd00000000', 3564945010686508179),
    (9, datetime.time(1, 2, 3, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
     'c078e8dd00000000e0e3ffff', 7626972112569709600),
    (10, datetime.datetime(2000, 1, 2), '0060d71d14000000', -356589497984370872),
    (11, datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone(-datetime.timedelta(hours=1))),
     '00a493d600000000', -5842370609088701451),
    (12, datetime.timedelta(31, 3600), '0044a873700200000000000000000000', -6390263975790669099),
    (12, -datetime.timedelta(1), '00a028e2ebffffffffffffffffffffff', -8642422043172419018),
    (13, ipaddress.ip_address('192.0.2.1'), '0420c0000201', -5080284547442272108),
    (13, ipaddress.ip_interface('2001:db8::1/64'), '064020010db8000000000000000000000001',
     -1473959968285363955),
    (13, ipaddress.ip_network('192.0.2.0/24'), '0418c0000200', 4727268453026265895),
    (17, Value(17, b'ok'), '6f6b', -8241427523826474817),
]


class Vectors(unittest.TestCase):
    def test_vectors(self):
        for kind, value, data, h in VECTORS:
            with self.subTest(value=value):
                self.assertEqual(canonical(value), (kind, bytes.fromhex(data)))
                self.assertEqual(probds_hash(value), h)

    def test_equal_numbers_are_alike(self):
        for text in ('0', '-0', '1', '-17', '99999999', '9223372036854775807',
                     '9223372036854775808', '-9223372036854775809', '123456789012345678901234'):
            whole = canonical(int(text))
            for same in (text + '.0', text + '.000000', text + 'E0'):
                self.assertEqual(canonical(Decimal(same)), whole, same)
        self.assertEqual(canonical(Decimal('0.10')), canonical(Decimal('1e-1')))
        self.assertNotEqual(canonical(Decimal('0.1'))[1], canonical(Decimal('0.01'))[1])

    def test_decimal_ignores_the_context(self):
        value = Decimal('1234567890.12345678901234567890123456789')
        with decimal.localcontext() as context:
            context.prec = 3
            narrow = canonical(value)
        self.assertEqual(narrow, canonical(value))

    def test_signatures(self):
        for code, description, name in (
                (20, b'\1\2', 'record eb1184b7'),
                (65, b'discrete\0\1', 'range of number be17d4b1'),
                (71, b'discrete\0\7', 'range of date 2972e4c4'),
                (203, b'continuous\0\x0b', 'array of range of timestamptz 31811a87'),
                (26, b'pg_lsn\0pg_lsn_ops\0', 'opclass-hashed 1eed444b')):
            self.assertEqual(kind_name(described(code, description)), name)

    def test_hashes(self):
        self.assertEqual(murmur3(b''), (0, 0))
        self.assertEqual(murmur3(b'\1\2')[0] & 0xffffffff, 0xeb1184b7)
        # of every length around a block: all of them differ
        data = bytes(range(100))
        self.assertEqual(len({murmur3(data[:n]) for n in range(100)}), 100)
        self.assertEqual(len({murmur64a(data[:n], 5) for n in range(1, 100)}), 99)
        # those of the reference implementation
        self.assertEqual(xxhash64(b''), 0xef46db3751d8e999)
        self.assertEqual(xxhash64(b'a'), 0xd24ec4f1a98c6e5b)
        self.assertEqual(xxhash64(b'Nobody inspects the spammish repetition'), 0xfbcea83c8a378bf1)


class Refused(unittest.TestCase):
    def test_types(self):
        class Color(enum.Enum):
            RED = 'red'

        class Level(enum.IntEnum):
            LOW = 1

        for value in (None, [1], (1, 2), {}, set(), 1j, object(), Color.RED, Level.LOW,
                      Value(0, b''), Value(25, b''), Value(63, b''), Value(24, b'1'),
                      Value(2 | 7 << 8, b'x'), Value(20 | 1 << 40, b'x')):
            with self.subTest(value=value), self.assertRaises(KindError):
                canonical(value)

    def test_values(self):
        for value in ('a\0b', '\ud800', Decimal('sNaN'), Decimal('1e131072'), Decimal('1e-16384'),
                      datetime.time(1, tzinfo=datetime.timezone(datetime.timedelta(0, 0, 5)))):
            with self.subTest(value=value), self.assertRaises(ValueError):
                canonical(value)


if __name__ == '__main__':
    unittest.main()
