"""Hll without a server: the examples of doc/format.md, unions, damaged bytes, accuracy."""
import base64
import math
import pickle
import random
import unittest

import support
from probds import FormatError, KindError, MismatchError, Value
from probds.bloom import Bloom
from probds.hll import DATASKETCHES, INT32, REDIS, Hll


def of(values, precision=14):
    sketch = Hll.empty(precision)
    sketch.add_all(values)
    return sketch


class Examples(unittest.TestCase):
    def test_format(self):
        for sketch, data in (
                (of([]), '1100000e'),
                (of([1]), '1101010e012a111704'),
                (of([105], 18), '11010112011d5f0104'),
                (of([support.TYPES['record'][1](1)]), None),
                (of([Value(support.PAIR, b'\1' + support.framed(support.number(1)) + b'\2'
                           + support.framed(b'a'))]), '110114b78411eb0e01d3b8d001'),
                (of(range(1, 61), 4), '110201040108030205010202000155bbb8e3752903')):
            if data is not None:
                self.assertEqual(sketch.to_bytes().hex(), data)
            self.assertEqual(Hll.from_bytes(sketch.to_bytes()), sketch)

    def test_text(self):
        sketch = of(['a', 'b'])
        data = sketch.to_bytes()
        self.assertEqual(str(sketch), base64.b64encode(data).decode())
        for text in (str(sketch), ' %s\n' % sketch, '\\x' + data.hex(), '\\X' + data.hex().upper(),
                     base64.encodebytes(data).decode()):
            self.assertEqual(Hll.from_text(text), sketch)
        for text in ('', '=', 'hello!', str(sketch)[:-1], '\\x110', '\\xzz', data.hex(),
                     str(Bloom.empty(10)), 'EQA\u00e4'):
            with self.subTest(text=text), self.assertRaises(FormatError):
                Hll.from_text(text)

    def test_buffers(self):
        data = of(range(10)).to_bytes()
        for buffer in (bytearray(data), memoryview(data), memoryview(bytearray(data))):
            self.assertEqual(Hll.from_bytes(buffer).to_bytes(), data)

    def test_repr(self):
        self.assertEqual(repr(of(['x'])), '<Hll precision=14 kind=text cardinality=1>')
        self.assertEqual(repr(Hll.empty(4)), '<Hll precision=4 kind=None cardinality=0>')


class State(unittest.TestCase):
    SIZES = (0, 1, 2, 100, 3 << 4, (3 << 4) + 1, 600)

    def test_round_trip_and_order(self):
        shuffle = random.Random(1).shuffle
        for p in (4, 8, 14, 18):
            for n in self.SIZES + ((3 << 10, (3 << 10) + 1, 30000) if p == 14 else ()):
                values = ['value %d' % i for i in range(n)]
                data = of(values, p).to_bytes()
                shuffle(values)
                again = of(values + values[:50], p)
                self.assertEqual(again.to_bytes(), data)
                self.assertEqual(Hll.from_bytes(data).to_bytes(), data)
                self.assertEqual(data[1] & 15, 0 if not n else 1 if n <= 3 << (p - 4) else 2)

    def test_union(self):
        for p, q in ((8, 8), (8, 4), (5, 11), (14, 14)):
            for n in self.SIZES:
                for m in self.SIZES:
                    a, b = of(range(n), p), of(range(n // 2, n // 2 + m), q)
                    before = a.to_bytes(), b.to_bytes()
                    whole = of(set(range(n)) | set(range(n // 2, n // 2 + m)), min(p, q))
                    self.assertEqual(a | b, whole)
                    self.assertEqual((a.to_bytes(), b.to_bytes()), before)
                    self.assertEqual(b | a, whole)
                    a.merge(b)
                    self.assertEqual(a, whole)

    def test_union_with_itself(self):
        sketch = of(range(1000), 6)
        data = sketch.to_bytes()
        sketch |= sketch
        self.assertEqual(sketch.to_bytes(), data)

    def test_a_union_is_a_copy(self):
        a, b = of(range(5)), of(range(9))
        data = b.to_bytes()
        for union in (a | b, b | a, Hll.empty() | b):
            union.add(1000)
        a |= b
        a.add(1000)
        self.assertEqual(b.to_bytes(), data)

    def test_many_small_ones(self):
        union = Hll.empty()
        for i in range(4000):
            union |= of([i])
        self.assertEqual(union, of(range(4000)))

    def test_pickle(self):
        for sketch in (of([]), of([1]), of(range(5000)), Bloom.empty(10)):
            self.assertEqual(pickle.loads(pickle.dumps(sketch)), sketch)

    def test_reduce(self):
        for n in (0, 3, 40, 1000, 9000):
            fine = of(range(n), 14)
            for p in (14, 13, 9, 4):
                self.assertEqual(fine.reduce(p), of(range(n), p))
        self.assertEqual(Hll.empty(10).reduce(11), Hll.empty(11))
        for sketch, precision in ((of([1], 10), 11), (Hll.empty(10), 3), (Hll.empty(10), 19)):
            with self.assertRaises(ValueError):
                sketch.reduce(precision)

    def test_none_is_skipped(self):
        self.assertEqual(of([None, 1, None]), of([1]))
        self.assertEqual(of([None]), Hll.empty())

    def test_equality(self):
        self.assertNotEqual(of([1]), of(['1']))
        self.assertNotEqual(of([1]), of([1], 13))
        self.assertNotEqual(of([1]), str(of([1])))
        with self.assertRaises(TypeError):
            hash(of([1]))


class Kinds(unittest.TestCase):
    def test_values(self):
        sketch = of([1])
        self.assertEqual((sketch.kind, sketch.kind_name), (1, 'number'))
        data = sketch.to_bytes()
        for value in ('1', b'1', 1.0, True, Value(17, b'a'), [1]):
            with self.assertRaises(KindError):
                sketch.add(value)
        self.assertEqual(sketch.to_bytes(), data)
        self.assertIsNone(Hll.empty().kind_name)
        # a value that cannot be added leaves an empty sketch empty
        empty = Hll.empty()
        with self.assertRaises(ValueError):
            empty.add('a\0b')
        self.assertEqual(empty, Hll.empty())

    def test_merges(self):
        numbers, texts = of([1]), of(['1'])
        for merge in (lambda: numbers | texts, lambda: numbers.merge(texts)):
            with self.assertRaisesRegex(KindError, 'hll of number values with hll of text values'):
                merge()
        self.assertEqual(numbers, of([1]))
        rows, ranges = (of([support.TYPES[t][1](1)]) for t in ('record', 'int4range'))
        with self.assertRaises(KindError):
            rows.merge(ranges)
        for other in (Bloom.empty(10), 'x', None, numbers.to_bytes()):
            with self.assertRaises(TypeError):
                numbers | other
            with self.assertRaises(TypeError):
                numbers.merge(other)

    def test_precisions(self):
        for precision in (3, 19, 0, -1):
            with self.assertRaises(ValueError):
                Hll.empty(precision)
        for precision in ('14', 14.0, None, True):
            with self.assertRaises(TypeError):
                Hll.empty(precision)


class Families(unittest.TestCase):
    def test_other_systems(self):
        for family, values in ((REDIS, ['a', 'b']), (DATASKETCHES, [1, -5]), (INT32, [1, -5])):
            sketch = Hll(10, 0, family)
            sketch.add_all(values)
            again = Hll.from_bytes(sketch.to_bytes())
            self.assertEqual((again.family, again), (family, sketch))
            self.assertEqual(sketch.cardinality(), 2)
            self.assertEqual(Hll.empty(10) | sketch, sketch)
            with self.assertRaises(MismatchError):
                sketch | of(values)

    def test_an_empty_string(self):
        for family, n in ((REDIS, 1), (DATASKETCHES, 0)):
            sketch = Hll(10, 0, family)
            sketch.add('')
            self.assertEqual((sketch.cardinality(), sketch.kind), (n, 2 * n))

    def test_values_that_do_not_fit(self):
        for family, value in ((REDIS, 1), (INT32, 2 ** 31), (INT32, 'a'), (INT32, 2 ** 64),
                              (DATASKETCHES, 2 ** 63), (DATASKETCHES, True)):
            sketch = Hll(10, 0, family)
            with self.assertRaises(KindError):
                sketch.add(value)
            self.assertEqual(sketch.kind, 0)


class Cardinality(unittest.TestCase):
    def test_small_ones_are_exact(self):
        for n in (0, 1, 2, 10, 100, 1000):
            self.assertEqual(of(range(n)).cardinality(), n)

    def test_accuracy(self):
        # 1.04 / sqrt(m) of relative standard error; the mean of 40 sketches within 4 of its own
        p, n, sketches = 8, 3000, 40
        errors = [of(range(s * n, s * n + n), p).estimate() / n - 1 for s in range(sketches)]
        sigma = 1.0367 / math.sqrt(1 << p)
        self.assertLess(abs(sum(errors) / sketches), 4 * sigma / math.sqrt(sketches))
        self.assertLess(max(map(abs, errors)), 4.5 * sigma)
        spread = math.sqrt(sum(e * e for e in errors) / sketches)
        self.assertLess(abs(spread / sigma - 1), 4 / math.sqrt(2 * sketches))

    def test_full_registers(self):
        # as if there had been no end of values
        sketch = Hll(4, 1)
        sketch.registers = bytearray([61] * 16)
        self.assertEqual(Hll.from_bytes(sketch.to_bytes()).cardinality(), 2 ** 63 - 1)


class Damaged(unittest.TestCase):
    def payloads(self):
        for n, p in ((0, 14), (1, 14), (3, 18), (12, 6), (20, 4), (60, 4), (500, 5), (300, 18)):
            yield of(range(n), p).to_bytes()
        sketch = Hll(5, 0, REDIS)
        sketch.add_all('value %d' % i for i in range(90))
        yield sketch.to_bytes()
        yield of([support.TYPES['record'][1](1)]).to_bytes()

    def read(self, data):
        """What is accepted is written in the one way that there is."""
        try:
            sketch = Hll.from_bytes(data)
        except FormatError:
            return False
        self.assertEqual(sketch.to_bytes(), bytes(data))
        sketch.cardinality()
        return True

    def test_changed_bits(self):
        accepted = refused = 0
        for data in self.payloads():
            for bit in range(0, 8 * len(data), 1 if len(data) < 100 else 5):
                changed = bytearray(data)
                changed[bit // 8] ^= 1 << bit % 8
                if self.read(changed):
                    accepted += 1
                else:
                    refused += 1
        self.assertGreater(refused, 300)
        self.assertGreater(accepted, 100)

    def test_cut_and_longer(self):
        for data in self.payloads():
            for end in range(len(data)):
                self.assertFalse(self.read(data[:end]))
            for more in (b'\0', b'\1', b'\0' * 9, data):
                self.assertFalse(self.read(data + more))

    def test_noise(self):
        noise = random.Random(2)
        for head in ('', '1101010e', '11020104', '11020112', '1101010e01', '110201040108'):
            for _ in range(300):
                data = bytes(noise.randrange(256) for _ in range(noise.randrange(60)))
                self.read(bytes.fromhex(head) + data)

    def test_known_ones(self):
        for data in ('1200000e', '2100000e', '11f0000e', '1103010e', '110f010e0e0000000000',
                     '1101010e00', '1101010e012a11170400', '1101010e81002a111704', '1100010e',
                     '11000003', '11000013', '11010114aabb', '1101190e012a111704'):
            with self.assertRaises(FormatError):
                Hll.from_bytes(bytes.fromhex(data))
        for data in (None, 5, 'text'):
            with self.assertRaises(TypeError):
                Hll.from_bytes(data)


if __name__ == '__main__':
    unittest.main()
