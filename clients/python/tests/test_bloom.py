"""Bloom without a server: the examples of doc/format.md, lookups, unions, damaged bytes, rates."""
import math
import random
import unittest
import uuid
from decimal import Decimal

import support  # noqa: F401
from probds import FormatError, KindError, MismatchError
from probds._bloom_size import code_of, rate_of
from probds.bloom import GUAVA32, PARQUET, PARQUET32, REDIS, Bloom
from probds.hll import Hll


def of(values, *plan):
    bloom = Bloom.empty(*plan)
    bloom.add_all(values)
    return bloom


class Examples(unittest.TestCase):
    def test_format(self):
        for bloom, data in (
                (of([], 100), '2100008503' + '64'),
                (of([1], 10), '21010185030a0701f92db99c090d'),
                (of([1, 2], 1000), '2101018583e80706a0010c0241b39775a6b324a8618bb5f02607'),
                (of(range(1, 6), 5), '210201850305a3f05a40e14738ab')):
            self.assertEqual(bloom.to_bytes().hex(), data)
            self.assertEqual(Bloom.from_text(str(bloom)), bloom)

    def test_a_small_filter_in_base64(self):
        self.assertLessEqual(len(str(of(range(100), 100))), 168)

    def test_attributes(self):
        bloom = of(['a'], 1000, 0.02, 'classic')
        self.assertEqual((bloom.capacity, bloom.false_positive_rate, bloom.layout),
                         (1000, 0.02, 'classic'))
        self.assertEqual(repr(bloom), '<Bloom capacity=1000 rate=0.02 layout=classic bits=8192 '
                                      'hashes=6 kind=text>')
        self.assertEqual(bloom.bits_set(), len(list(bloom.set_bits())))


class Plans(unittest.TestCase):
    def test_refused(self):
        for plan in ((0,), (-1,), (0.5,), (float('nan'),), (float('inf'),), (1e30,), (2 ** 63,),
                     (10, 0), (10, 1), (10, -0.1), (10, 1e-10), (10, float('nan')), (10 ** 9, 1e-9),
                     (10 ** 9, 1e-9, 'classic'), (10, 0.01, 'guava'), (10, 0.01, ''),
                     (10, 0.01, 'redis')):
            with self.subTest(plan=plan), self.assertRaises(ValueError):
                Bloom.empty(*plan)

    def test_rates(self):
        for code in range(1, 8101):
            self.assertEqual(code_of(rate_of(code)), code)
        self.assertEqual(Bloom.empty(10, 0.012399).false_positive_rate, 0.0123)
        self.assertEqual(code_of(1e-9), 7201)
        self.assertEqual(code_of(0.9999), 900)

    def test_fractions_of_a_value(self):
        self.assertEqual(Bloom.empty(9.2).capacity, 10)
        self.assertEqual(Bloom.empty(1e6), Bloom.empty(1000000))
        self.assertEqual(Bloom.empty(Decimal(1000), Decimal('0.02')), Bloom.empty(1000, 0.02))
        for plan in (('10',), (10, '0.01'), (None,)):
            with self.assertRaises(TypeError):
                Bloom.empty(*plan)

    def test_an_empty_one_is_small(self):
        bloom = Bloom.empty(8e8)
        self.assertLess(len(bloom.to_bytes()), 20)
        bloom.add('x')
        self.assertTrue('x' in bloom and 'y' not in bloom)
        self.assertLess(len(bloom.to_bytes()), 10 ** 6)


class Lookups(unittest.TestCase):
    def test_values_are_found(self):
        for layout in ('blocked', 'classic'):
            for capacity, rate in ((1, 0.01), (60, 0.5), (426, 0.01), (427, 0.01), (1500, 1e-9)):
                for n in (0, 1, capacity // 20, capacity, 2 * capacity):
                    bloom = of(range(n), capacity, rate, layout)
                    again = Bloom.from_bytes(bloom.to_bytes())
                    self.assertEqual(again.to_bytes(), bloom.to_bytes())
                    for value in range(n):
                        self.assertIn(value, bloom)
                        self.assertIn(value, again)

    def test_rate(self):
        # of 20,000 other values: at most 5 standard deviations above the planned rate
        for layout in ('blocked', 'classic'):
            for capacity, rate in ((300, 0.01), (3000, 0.01), (3000, 0.1)):
                bloom = of(range(capacity), capacity, rate, layout)
                found = sum(-i in bloom for i in range(1, 20001))
                self.assertLess(found, 20000 * rate + 5 * math.sqrt(20000 * rate))
                self.assertGreater(found, 20000 * rate / 3)

    def test_nothing_is_in_an_empty_one(self):
        for value in (1, 'a', b'', 2.0):
            self.assertNotIn(value, Bloom.empty(10))

    def test_kinds(self):
        bloom = of([1], 10)
        for value in ('1', 1.0, True, b'1', uuid.UUID(int=1)):
            with self.assertRaisesRegex(KindError, 'bloom of number values cannot take'):
                value in bloom
            with self.assertRaises(KindError):
                bloom.add(value)
        for filter in (bloom, Bloom.empty(10)):
            for value in (None, [1], (1, 2)):
                with self.assertRaises(KindError):
                    value in filter
        data = bloom.to_bytes()
        bloom.add(None)
        self.assertEqual(bloom.to_bytes(), data)

    def test_cardinality(self):
        for layout in ('blocked', 'classic'):
            for capacity in (100, 5000):
                for n in (0, 1, capacity // 3, capacity):
                    estimate = of(range(n), capacity, 0.01, layout).cardinality()
                    # the fill of a filter: a standard error of about sqrt(n) / 4
                    self.assertLess(abs(estimate - n), 4 * (1 + math.sqrt(n) / 4))
        # a filter that is full
        self.assertGreater(of(range(5000), 5).cardinality(), 5)


class Merging(unittest.TestCase):
    def test_union_and_intersection(self):
        for layout in ('blocked', 'classic'):
            for capacity in (50, 20000):
                for n in (0, 3, 40, 2000):
                    for m in (0, 5, 3000):
                        plan = (capacity, 0.02, layout)
                        a, b = of(range(n), *plan), of(range(n // 2, n // 2 + m), *plan)
                        before = a.to_bytes(), b.to_bytes()
                        whole = of(set(range(n)) | set(range(n // 2, n // 2 + m)), *plan)
                        self.assertEqual(a | b, whole)
                        self.assertEqual(b | a, whole)
                        self.assertEqual(set((a & b).set_bits()),
                                         set(a.set_bits()) & set(b.set_bits()))
                        self.assertEqual(a & b, b & a)
                        self.assertEqual(Bloom.from_bytes((a & b).to_bytes()), a & b)
                        self.assertEqual((a.to_bytes(), b.to_bytes()), before)
                        a |= b
                        self.assertEqual(a, whole)
                        a &= b
                        self.assertEqual(a, b)

    def test_a_union_is_a_copy(self):
        for capacity in (10, 10 ** 6):
            a, b = of([1], capacity), of([2], capacity)
            data = a.to_bytes(), b.to_bytes()
            for union in (a | b, b | a, a & a, Bloom.empty(capacity) | a):
                union.add_all(range(100))
            self.assertEqual((a.to_bytes(), b.to_bytes()), data)

    def test_the_larger_plan_stays(self):
        a, b = of([1], 1000, 0.01), of([1], 1001, 0.01)
        self.assertEqual((a.bits, a.hashes), (b.bits, b.hashes))
        self.assertEqual((a | b).capacity, 1001)
        self.assertEqual(a | b, b | a)

    def test_of_another_size(self):
        a = of([1], 1000)
        for b in (of([1], 2000), of([1], 1000, 0.001), of([1], 1000, 0.01, 'classic'),
                  Bloom.empty(2000), Bloom(GUAVA32, a.bits, a.hashes, 1000, 901)):
            for merge in (a.merge, a.intersect, a.__or__, a.__and__):
                with self.assertRaises(MismatchError):
                    merge(b)
        with self.assertRaises(KindError):
            a | of(['1'], 1000)
        for other in (Hll.empty(), None, {1}):
            with self.assertRaises(TypeError):
                a | other
            with self.assertRaises(TypeError):
                a & other
            with self.assertRaises(TypeError):
                a.merge(other)
        self.assertEqual(a, of([1], 1000))

    def test_nothing_in_common(self):
        both = of([1], 10 ** 6) & of([2], 10 ** 6)
        self.assertEqual(both, Bloom.empty(10 ** 6))
        self.assertIsNone(both.kind_name)


class Families(unittest.TestCase):
    def test_other_systems(self):
        texts, wide = ['a', 'x' * 31, 'x' * 32, 'x' * 100], [0, -1, 2 ** 62]
        for family, values in ((GUAVA32, texts), (REDIS, texts), (PARQUET, texts), (PARQUET, wide),
                               (PARQUET32, [0, -1, 2 ** 31 - 1])):
            for bits in (256, 4096 * 3):
                bloom = Bloom(family, bits, 8, 0, 0)
                bloom.add_all(values)
                again = Bloom.from_bytes(bloom.to_bytes())
                self.assertEqual((again, again.layout), (bloom, bloom.layout))
                self.assertTrue(all(value in again for value in values))
                self.assertLessEqual(abs(bloom.cardinality() - len(values)), 1)

    def test_values_that_do_not_fit(self):
        for family, value in ((REDIS, 1), (PARQUET, 1.5), (PARQUET, 2 ** 63), (PARQUET32, 2 ** 31),
                              (PARQUET32, 'a')):
            bloom = Bloom(family, 4096, 8, 0, 0)
            with self.assertRaises(KindError):
                bloom.add(value)
            self.assertEqual(bloom.kind, 0)
        bloom = Bloom(PARQUET32, 4096, 8, 0, 0)
        bloom.add(5)
        self.assertNotIn(5 + 2 ** 32, bloom)


class Damaged(unittest.TestCase):
    def payloads(self):
        for values, plan in (([], (60,)), ([1, 2], (60,)), (range(60), (60, 0.5)),
                             (range(9), (427,)), ([1], (3000,)), (range(9), (100000,)),
                             (range(9), (5, 0.0001)), ([7], (3000, 0.01, 'classic')),
                             (range(90), (2000000,))):
            yield of(values, *plan).to_bytes()
        bloom = Bloom(PARQUET, 512, 8, 0, 0)
        bloom.add('x')
        yield bloom.to_bytes()

    def read(self, data):
        """What is accepted is written in the one way that there is."""
        try:
            bloom = Bloom.from_bytes(data)
        except FormatError:
            return False
        self.assertEqual(bloom.to_bytes(), bytes(data))
        return True

    def test_changed_bits(self):
        accepted = refused = 0
        for data in self.payloads():
            for bit in range(0, 8 * len(data), 1 if len(data) < 200 else 7):
                changed = bytearray(data)
                changed[bit // 8] ^= 1 << bit % 8
                if self.read(changed):
                    accepted += 1
                else:
                    refused += 1
        self.assertGreater(refused, 500)
        self.assertGreater(accepted, 100)

    def test_cut_and_longer(self):
        for data in self.payloads():
            for end in range(len(data)):
                self.assertFalse(self.read(data[:end]))
            for more in (b'\0', b'\1', b'\0' * 9, data):
                self.assertFalse(self.read(data + more))

    def test_noise(self):
        noise = random.Random(3)
        for head in ('', '21010185030a', '2101018583e80706a001', '210201850305', '210101858305',
                     '21010185830a07ffffff0f'):
            for _ in range(300):
                data = bytes(noise.randrange(256) for _ in range(noise.randrange(60)))
                self.read(bytes.fromhex(head) + data)

    def test_known_ones(self):
        for data in ('2200000e', '1100000e', '2100', '210000850364' + '00', '212000850364',
                     '216000850364', '210301850364', '210000000064', '210000a51f64', '210000850300',
                     '2100008503e400', '210000858364070f', '210000858364000f', '210000858364290f',
                     '2100008583640700', '21000085836407c0ffffffff7f', '2100008583640741',
                     '210101850364050200', '210202850364ffff', '214000858364' + '0704',
                     '21020185030a01000000000000000000000000000000'):
            with self.subTest(data=data), self.assertRaises(FormatError):
                Bloom.from_bytes(bytes.fromhex(data))

    def test_a_short_one_that_claims_to_be_large(self):
        # 2^29 bits set in a list that is missing, and an array that is
        for encoding in ('01', '02'):
            data = bytes.fromhex('21%s0185830a07' % encoding + '80808040' + '80808080027f')
            with self.assertRaises(FormatError):
                Bloom.from_bytes(data)


if __name__ == '__main__':
    unittest.main()
