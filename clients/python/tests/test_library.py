"""The types of libprobds: answers, arrays, errors, damaged bytes, threads, copies."""
import copy
import datetime
import decimal
import ipaddress
import math
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import uuid

import support
import probds
from probds import (ArgumentError, Bloom, Cms, CountingBloom, Cuckoo, Ddsketch, FormatError, Fuse,
                    Hll, KindError, Minhash, MismatchError, ScalableBloom, Topk)
from probds import bloom as plain_bloom
from probds import hll as plain_hll

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

ROUNDS = int(os.environ.get('PROBDS_MUTATIONS', 300))       # damaged sketches of each type
LIBRARY = os.environ['PROBDS_LIBRARY']
EMPTY = [Hll.empty, Bloom.empty, lambda: Bloom.empty(500), lambda: Cms.empty(0.02), Topk.empty,
         lambda: Cuckoo.empty(500), lambda: CountingBloom.empty(500), ScalableBloom.empty,
         Minhash.empty, Ddsketch.empty, Fuse.empty]
MOMENT = datetime.datetime(2026, 1, 2, 3, 4, 5, 6)
ZONED = MOMENT.replace(tzinfo=datetime.timezone.utc)
# a few values of each kind
VALUES = [
    [1, -7, 2 ** 62], [1, decimal.Decimal('0.5'), 10 ** 30, decimal.Decimal('NaN')],
    ['a', 'b', '\u20ac', ''], [b'a', b'\0\n', b''], [1.5, math.inf, math.nan, -0.0],
    [True, False], [uuid.UUID(int=1)], [MOMENT.date()], [MOMENT], [ZONED], [MOMENT.time()],
    [ZONED.timetz()], [datetime.timedelta(1)], [ipaddress.ip_address('10.0.0.1')],
    [support.TYPES['record'][1](1)], [support.TYPES['int4range'][1](5)]]


def of(make, values):
    sketch = make()
    sketch.add_all(values)
    return sketch


def need_library():
    if probds.library_version() is None:
        raise unittest.SkipTest('there is no build/lib/libprobds.so.1 (make lib)')


class Without(unittest.TestCase):
    """Without the library, or with an old one."""

    def run_with(self, program, library, path=None):
        # not in the folder of a build: there, probds.so would be the module
        path = path or os.path.dirname(os.path.abspath(support.PACKAGE))
        return subprocess.run(
            [sys.executable, '-B', '-c', program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            encoding='utf-8', cwd=path, env={**os.environ, 'PROBDS_LIBRARY': library,
                                             'PYTHONPATH': path})

    def test_plain_python(self):
        done = self.run_with('''
import probds
h = probds.Hll.empty(); h.add_all(['a', 'b'])
print(probds.library_version(), h.cardinality(), type(h).__module__, *probds.types)
try:
    probds.Cms.empty()
except probds.LibraryError as error:
    print(error)
''', '')
        self.assertEqual((done.stderr, done.stdout), (
            '', 'None 2 probds.hll hll bloom\nCms needs libprobds (PROBDS_LIBRARY is empty)\n'))

    def test_a_library_that_is_named_must_be_one(self):
        for name in ('/nowhere/libprobds.so.1', 'libm.so.6'):
            done = self.run_with('import probds', name)
            self.assertIn('LibraryError: PROBDS_LIBRARY: ', done.stderr)

    def test_a_bundled_library_that_is_old(self):
        old = '/lib/x86_64-linux-gnu/libm.so.6'
        if not os.path.exists(old):
            self.skipTest('there is no %s to take for it' % old)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(support.PACKAGE, os.path.join(folder, 'probds'))
            shutil.copy(old, os.path.join(folder, 'probds', 'libprobds.so.1'))
            program = 'import os; del os.environ["PROBDS_LIBRARY"]; import probds; ' \
                'print(probds.library_version(), probds.Hll.empty().cardinality())'
            done = self.run_with(program, '', folder)
        self.assertIn('is older than this package', done.stderr)
        self.assertEqual(done.stdout, 'None 0\n')


class Native(unittest.TestCase):
    def setUp(self):
        need_library()


class Answers(Native):
    def test_distinct_values(self):
        for cls in (Hll, Minhash):
            sketch = of(cls.empty, map(str, range(100)))
            self.assertEqual(sketch.cardinality(), 100)
            lower, estimate, upper = sketch.cardinality_bounds(0.99)
            self.assertTrue(lower <= estimate == 100 <= upper)
            self.assertAlmostEqual(sketch.jaccard(of(cls.empty, map(str, range(50, 150)))), 1 / 3,
                                   delta=0.01)
            self.assertIsNone(cls.empty().jaccard(cls.empty()))
        self.assertEqual(of(Hll.empty, range(100)).intersection_cardinality(
            of(Hll.empty, range(50, 150))), 50)

    def test_filters(self):
        for make in (lambda: Bloom.empty(1000, 1e-9), Bloom.empty, lambda: Cuckoo.empty(1000, 1e-9),
                     lambda: CountingBloom.empty(1000, 1e-9), ScalableBloom.empty,
                     lambda: Fuse.empty(1e-9)):
            sketch = make()
            self.assertNotIn('a', sketch)
            for i in range(0, 600, 2):          # lookups between values
                sketch.add(i)
                self.assertTrue(sketch.contains(i))
            self.assertTrue(all(i in sketch for i in range(0, 600, 2)))
            self.assertLess(sum(i in sketch for i in range(1, 600, 2)), 20)
            self.assertAlmostEqual(sketch.cardinality(), 300, delta=12)
            for value in ('1', 1.0, None, [1]):
                with self.assertRaises(KindError):
                    value in sketch

    def test_removal(self):
        for cls in (Cuckoo, CountingBloom):
            sketch = of(lambda: cls.empty(100), ['a', 'b', 'a'])
            self.assertEqual((sketch.count('a'), sketch.count('c')), (2, 0))
            sketch.remove('a')
            sketch.remove('a')
            with self.assertRaisesRegex(ArgumentError, 'would be below zero'):
                sketch.remove('a')
            self.assertNotIn('a', sketch)

    def test_frequencies(self):
        for cls in (Cms, Topk):
            sketch = of(cls.empty, ['a', 'b', 'a'])
            sketch.add('b', weight=7)
            sketch.add('b', 0)
            self.assertEqual((sketch.frequency('b'), sketch.total()), (8, 10))
            self.assertEqual(sketch.frequency_bounds('a'), (2, 2, 2))
            for weight, error in ((2 ** 63, ArgumentError), (1.5, TypeError), ('1', TypeError)):
                with self.assertRaises(error):
                    sketch.add('b', weight)
        with self.assertRaises(KindError):
            Topk.empty().add('a', -1)
        with self.assertRaises(KindError):
            Hll.empty().add('a', 2)
        top = of(lambda: Topk.empty(2), list('ccabbc'))
        self.assertEqual(top.top(), [('c', 3, 3), ('b', 2, 2)])
        self.assertEqual([item.item for item in top.top(1)], ['c'])
        self.assertEqual((top.top(0), top.top(-5)), ([], []))
        self.assertEqual(of(Topk.empty, [MOMENT]).top()[0].item, '2026-01-02 03:04:05.000006')

    def test_quantiles(self):
        sketch = of(Ddsketch.empty, range(1, 101))
        sketch.add_all([0.5, decimal.Decimal('0.25'), 10 ** 30])
        self.assertEqual(sketch.count(), 103)
        self.assertAlmostEqual(sketch.quantile(0.5), 50, delta=1)
        lower, estimate, upper = sketch.quantile_bounds(0.9)
        self.assertTrue(lower <= estimate <= upper)
        self.assertAlmostEqual(sketch.rank(50), 0.5, delta=0.02)
        self.assertEqual((Ddsketch.empty().quantile(0.5), Ddsketch.empty().rank(1)), (None, None))
        for wrong, error in ((1.5, ArgumentError), (math.nan, ArgumentError), ('x', ValueError)):
            with self.assertRaises(error):
                sketch.quantile(wrong)
        with self.assertRaisesRegex(KindError, 'takes numbers'):
            sketch.add('1')
        for number in (10 ** 400, decimal.Decimal('-1e999')):
            with self.assertRaises(ArgumentError):
                sketch.add(number)

    def test_bloom_and_hll_of_plain_python(self):
        """The same attributes, unions and intersections in both ways."""
        a, b = (of(lambda: Bloom.empty(100, 0.02), range(*ends)) for ends in ((0, 50), (20, 90)))
        c, d = (plain_bloom.Bloom.from_bytes(x.to_bytes()) for x in (a, b))
        for name in ('capacity', 'layout', 'bits', 'hashes', 'false_positive_rate', 'kind',
                     'kind_name', 'family'):
            self.assertEqual(getattr(a, name), getattr(c, name))
        self.assertEqual((a & b).to_bytes(), (c & d).to_bytes())
        self.assertEqual((a | b).to_bytes(), (c | d).to_bytes())
        a.merge(d)
        a &= b
        self.assertEqual(a.to_bytes(), b.to_bytes())
        sketch = of(lambda: Hll.empty(12), range(9000))
        self.assertEqual((sketch.precision, sketch.reduce(9)),
                         (12, of(lambda: Hll.empty(9), range(9000))))

    def test_info(self):
        info = of(lambda: Cuckoo.empty(100), ['a']).info()
        self.assertEqual((info['type'], info['kind'], info['distinct_values'], info['capacity']),
                         ('cuckoo', 'text', 1, 100))
        for make in EMPTY:
            self.assertIn('kind=None', repr(make()))


class Values(Native):
    def test_values_of_all_kinds(self):
        """One by one, as a list, and by plain Python: the same bytes."""
        for values in VALUES:
            for make in EMPTY:
                sketch, again = make(), make()
                name = sketch.type_name
                try:
                    for value in values:
                        sketch.add(value)
                except KindError:
                    self.assertIn(name, ('topk', 'ddsketch'))
                    continue
                with self.subTest(type=name, values=values):
                    again.add_all(iter([None] + values))
                    self.assertEqual(sketch, again)
                    if name == 'hll':
                        self.assertEqual(sketch.to_bytes(),
                                         of(plain_hll.Hll.empty, values).to_bytes())
                    if name in ('bloom', 'cuckoo', 'fuse'):
                        self.assertTrue(all(value in sketch for value in values))
                    if name != 'ddsketch':
                        self.assertEqual(sketch.kind_name,
                                         of(plain_hll.Hll.empty, values).kind_name)

    def test_large_lists(self):
        values = ['v%d' % (i % 70000) for i in range(200000)]
        self.assertEqual(of(Hll.empty, values), of(Hll.empty, (v for v in values)))
        self.assertEqual(of(Cms.empty, values).total(), 200000)

    def test_large_values_are_added_a_few_at_a_time(self):
        """A generator is not read far ahead, or its values would fill the memory."""
        sketch = Cms.empty()
        ahead = []

        def values(make):
            for i in range(1000):
                ahead.append(i - sketch.total())
                yield make(i)
        for make in (lambda i: '%d ' % i * 5000, lambda i: b'%d ' % i * 5000):
            sketch = Cms.empty()
            sketch.add_all(values(make))
            self.assertEqual(sketch.total(), 1000)
        self.assertLess(max(ahead), 200)

    def test_refused(self):
        for make in EMPTY + [plain_hll.Hll.empty, lambda: plain_bloom.Bloom.empty(10)]:
            for values in ('abc', b'abc', bytearray(b'a'), memoryview(b'a')):
                with self.assertRaisesRegex(TypeError, 'is one, which add.. takes'):
                    make().add_all(values)
            with self.assertRaises(TypeError):
                make().add_all(5)
            for value in ([1], object(), {}, ('a', 1)):
                with self.assertRaises(KindError):
                    make().add(value)
            for text in ('a\0b', '\udc80'):
                for add in (make().add, lambda text: make().add_all([text, 'b'])):
                    with self.assertRaises(ValueError if make != Ddsketch.empty else
                                           (ValueError, KindError)):
                        add(text)

    def test_kinds(self):
        for make in EMPTY:
            sketch = of(make, [1])
            data = sketch.to_bytes()
            for add in (sketch.add, lambda value: sketch.add_all([value])):
                with self.assertRaises(KindError):
                    add('a')
                self.assertEqual(sketch.to_bytes(), data)
            self.assertEqual(sketch.to_bytes(), data)

    def test_options(self):
        for call in (lambda: Hll.empty(3), lambda: Hll.empty(14.5), lambda: Bloom.empty(0),
                     lambda: Bloom.empty(10, 1), lambda: Bloom.empty(1e30),
                     lambda: Bloom.empty(10, 0.1, 'x,rate=0.5'),
                     lambda: Bloom.empty(10, 0.1, 'square'), lambda: Bloom.empty(math.nan),
                     lambda: Cms.empty(1e-9), lambda: Topk.empty(20, 3),
                     lambda: Minhash.empty(100), lambda: Ddsketch.empty(0), lambda: Fuse.empty(2)):
            with self.assertRaises(ArgumentError):
                call()
        for call in (lambda: Hll.empty('14'), lambda: Bloom.empty('10'),
                     lambda: Bloom.empty(10, 0.1, 5), lambda: Hll(14), lambda: Cuckoo.empty()):
            with self.assertRaises(TypeError):
                call()
        self.assertEqual(Bloom.empty(decimal.Decimal(1000), decimal.Decimal('0.02')).to_bytes(),
                         plain_bloom.Bloom.empty(1000, 0.02).to_bytes())


@unittest.skipUnless(numpy, 'numpy is not installed')
class Arrays(Native):
    def same(self, array, values, makes=(Hll.empty, lambda: Cuckoo.empty(1000))):
        for make in makes:
            self.assertEqual(of(make, array), of(make, values))

    def test_dtypes(self):
        n = numpy.arange(-300, 300)
        for dtype in ('i1', 'i2', '<i4', '>i4', 'i8', '>i8'):
            a = n.astype(dtype)
            self.same(a, a.tolist())
        for dtype in ('u1', '>u2', 'u4', 'u8'):
            a = abs(n).astype(dtype)
            self.same(a, a.tolist())
        for dtype in ('f2', '>f4', '<f8', '>f8'):
            a = (n / 7).astype(dtype)
            self.same(a, a.tolist())
        self.same(n > 0, (n > 0).tolist())
        self.same(numpy.array(['a', '\u20ac', '']), ['a', '\u20ac', ''])
        self.same(numpy.array([b'a', b'\n']), [b'a', b'\n'])
        self.same(numpy.array([None, 'a', 'b'], 'O'), ['a', 'b'])
        self.same(numpy.array([2 ** 64 - 1, 5], 'u8'), [2 ** 64 - 1, 5])
        self.same(numpy.array([1.5, math.nan, -0.0, math.inf]), [1.5, math.nan, -0.0, math.inf])
        self.same(n, range(-300, 300), (Ddsketch.empty, Cms.empty, Topk.empty, Fuse.empty))

    def test_layouts(self):
        n = numpy.arange(1000)
        read_only = n.copy()
        read_only.flags.writeable = False
        for a in (n[::7], n[::-1], n.reshape(10, 100)[:, 3], numpy.broadcast_to(7, 50), read_only,
                  n[:0], numpy.frombuffer(b'\0' + n.tobytes(), 'i8', offset=1)):
            self.same(a, a.tolist())
        self.same(numpy.ma.masked_array([1, 2, 3], [0, 1, 0]), [1, 3])

    def test_times(self):
        moments = [datetime.datetime(1, 1, 1), MOMENT, datetime.datetime(9999, 12, 31)]
        dates = [m.date() for m in moments]
        for dtype in ('M8[us]', '>M8[us]', 'M8[25us]'):
            a = numpy.array(moments, 'M8[us]').astype(dtype)
            self.same(a, a.astype('M8[us]').tolist())
        self.same(numpy.array(moments[1:2], 'M8[ns]'), moments[1:2])
        self.same(numpy.array(dates, 'M8[D]'), dates)
        self.same(numpy.array(['2026-01', 'NaT'], 'M8[M]'), [datetime.date(2026, 1, 1)])
        self.same(numpy.array([90, 'NaT'], 'm8[m]'), [datetime.timedelta(minutes=90)])
        for wrong in (numpy.array([1], 'M8[ns]'), numpy.array([1], 'm8[ns]'),
                      numpy.array([2 ** 62], 'M8[s]'), numpy.array([-2 ** 62], 'M8[us]'),
                      numpy.array([2 ** 40], 'M8[D]'), numpy.array([-2 ** 31], 'M8[D]'),
                      numpy.array([2 ** 62], 'M8[Y]')):
            sketch = Hll.empty()
            with self.assertRaises(ValueError):
                sketch.add_all(wrong)
            self.assertEqual(sketch, Hll.empty())

    def test_refused(self):
        for a in (numpy.zeros((2, 2)), numpy.array(5), numpy.array([1j]),
                  numpy.zeros(2, [('a', 'i4')]), numpy.array([[1], 'a'], 'O'),
                  numpy.zeros(2, 'V3')) + ((numpy.zeros(2, 'g'),) if
                                           numpy.dtype('g').itemsize > 8 else ()):
            with self.assertRaises(TypeError, msg=repr(a)):
                Hll.empty().add_all(a)
        sketch = of(Hll.empty, ['a'])
        with self.assertRaises(KindError):
            sketch.add_all(numpy.arange(5))
        with self.assertRaises(KindError):
            Ddsketch.empty().add_all(numpy.array([True]))

    def test_single_values(self):
        for value, plain in ((numpy.int8(5), 5), (numpy.float32(0.1), float(numpy.float32(0.1))),
                             (numpy.float64(0.5), 0.5), (numpy.bool_(True), True),
                             (numpy.str_('a'), 'a'), (numpy.bytes_(b'a'), b'a')):
            self.assertEqual(probds.canonical(value), probds.canonical(plain))
        with self.assertRaises(KindError):
            probds.canonical(numpy.datetime64(5, 'us'))

    def test_a_large_array(self):
        a = numpy.arange(3_000_000)
        self.assertAlmostEqual(of(Hll.empty, a).cardinality() / 3e6, 1, delta=0.03)


@unittest.skipUnless(pandas, 'pandas is not installed')
class Series(Native):
    def same(self, series, values):
        for make in (Hll.empty, lambda: Cuckoo.empty(100)):
            self.assertEqual(of(make, series), of(make, values))

    def test_dtypes(self):
        na = pandas.NA
        zoned = pandas.Series([ZONED, None]).dt.tz_convert('Europe/Berlin')
        for series, values in (
                ([1, 2], [1, 2]), ([1.5, None], [1.5]), (['a', None, 'b'], ['a', 'b']),
                (pandas.Series([1, na], dtype='Int64'), [1]),
                (pandas.Series([2 ** 64 - 1, na], dtype='UInt64'), [2 ** 64 - 1]),
                (pandas.Series([1.5, na], dtype='Float32'), [1.5]),
                (pandas.Series([True, na], dtype='boolean'), [True]),
                (pandas.Series(['a', na], dtype='string'), ['a']),
                (pandas.Series(['a', None, 'b', 'a'], dtype='category'), ['a', 'b', 'a']),
                (pandas.Series([3, 3, 5], dtype='category'), [3, 3, 5]),
                (pandas.arrays.SparseArray([0, 0, 5]), [0, 0, 5]),
                ([MOMENT, None], [MOMENT]), (zoned, [ZONED]),
                ([MOMENT.date(), None], [MOMENT.date()]),
                (pandas.Series([datetime.timedelta(1), None]), [datetime.timedelta(1)]),
                (pandas.Index(['x', 'y']), ['x', 'y']), (pandas.array([1, na]), [1]),
                (pandas.Series([1, 2, 3])[::2], [1, 3]), (pandas.Series([], dtype='object'), [])):
            if isinstance(series, list):
                series = pandas.Series(series)
            with self.subTest(series=series):
                self.same(series, values)

    def test_refused(self):
        with self.assertRaisesRegex(TypeError, 'a column of a DataFrame'):
            Hll.empty().add_all(pandas.DataFrame({'a': [1]}))
        for series in (pandas.Series([1, 'a']), pandas.period_range('2026', periods=2)):
            with self.assertRaises(KindError):
                Hll.empty().add_all(series)
        with self.assertRaises(KindError):
            Hll.empty().add(pandas.NA)
        with self.assertRaises(ValueError):
            Hll.empty().add(pandas.NaT)


class Bytes(Native):
    def sketches(self):
        for make in EMPTY:
            for values in ([], [5], range(40), [str(i) for i in range(400)]):
                if make != Ddsketch.empty or not values or values[0] != '0':
                    yield of(make, values)

    def test_copies(self):
        for sketch in self.sketches():
            data = sketch.to_bytes()
            for again in (copy.copy(sketch), copy.deepcopy(sketch), sketch.copy(),
                          pickle.loads(pickle.dumps(sketch)), type(sketch).from_text(str(sketch)),
                          type(sketch).from_text('\\x' + data.hex()),
                          type(sketch).from_bytes(memoryview(bytearray(data)))):
                self.assertEqual((again.to_bytes(), type(again)), (data, type(sketch)))
                if sketch.type_name != 'fuse':
                    again.add(1 if sketch.kind != 2 else 'x')
            self.assertEqual(sketch.to_bytes(), data)

    def test_wrong_arguments(self):
        for make in EMPTY + [plain_hll.Hll.empty]:
            cls = type(make())
            with self.assertRaisesRegex(TypeError, r'takes bytes, not str: from_text\(\)'):
                cls.from_bytes('EQAADg==')
            with self.assertRaisesRegex(TypeError, r'takes str, not bytes: from_bytes\(\)'):
                cls.from_text(b'EQAADg==')
            for data in (None, 5, [1]):
                with self.assertRaises(TypeError):
                    cls.from_bytes(data)
            other = (Cms if cls is not Cms else Hll).empty()
            with self.assertRaises(FormatError):
                cls.from_bytes(other.to_bytes())
            with self.assertRaises(FormatError):
                cls.from_text(str(other))

    def test_damaged(self):
        """Each is refused, or answers without harm."""
        noise = random.Random(39)
        accepted = refused = 0
        sources = list(self.sketches())
        for sketch in sources:
            data = sketch.to_bytes()
            for i in range(ROUNDS // 4):
                changed = bytearray(data)
                for _ in range(noise.randint(1, 3)):
                    changed[noise.randrange(len(data) if i % 2 else min(len(data), 16))] ^= \
                        1 << noise.randrange(8)
                if i % 4 == 3:
                    del changed[noise.randrange(len(changed)):]
                try:
                    damaged = type(sketch).from_bytes(changed)
                except FormatError as error:
                    self.assertTrue(str(error))
                    refused += 1
                    continue
                accepted += 1
                self.assertEqual(damaged.to_bytes(), bytes(changed))
                self.ask(damaged, sketch)
        self.assertGreater(refused, accepted)
        self.assertGreater(accepted, 10)

    def ask(self, sketch, other):
        for call in (lambda: sketch.cardinality(), lambda: sketch.cardinality_bounds(),
                     lambda: 5 in sketch, lambda: sketch.frequency(5),
                     lambda: sketch.count('5'), lambda: sketch.total(),
                     lambda: sketch.top(), lambda: sketch.quantile(0.5), lambda: sketch.rank(3),
                     lambda: sketch.jaccard(other), sketch.info, lambda: repr(sketch),
                     lambda: sketch.merge(other), lambda: sketch.add(5), lambda: sketch.remove(5)):
            try:
                call()
            except (AttributeError, TypeError, probds.Error):
                pass

    def test_cut(self):
        for sketch in self.sketches():
            data = sketch.to_bytes()
            for end in range(0, len(data), 1 + len(data) // 50):
                with self.assertRaises(FormatError):
                    type(sketch).from_bytes(data[:end])
            with self.assertRaises(FormatError):
                type(sketch).from_bytes(data + b'\0')


class Merging(Native):
    def test_unions(self):
        for make in EMPTY:
            if make == Fuse.empty or make == Bloom.empty:
                continue
            a, b = of(make, range(20)), of(make, range(10, 30))
            before = b.to_bytes()
            union = a | b
            self.assertEqual(b.to_bytes(), before)
            if a.type_name in ('hll', 'bloom', 'minhash'):
                self.assertEqual(union, of(make, range(30)))
            a |= b
            self.assertEqual(a, union)

    def test_with_itself(self):
        for make in EMPTY:
            sketch = of(make, range(50))
            if make == Fuse.empty:
                with self.assertRaisesRegex(ArgumentError, 'cannot be changed or merged'):
                    sketch.merge(sketch)
                continue
            sketch.merge(sketch)
            sketch |= sketch
            sketch.add_all(range(50, 60))
            if sketch.type_name in ('hll', 'bloom', 'minhash') and make != Bloom.empty:
                self.assertEqual(sketch, of(make, range(60)))
            if sketch.type_name in ('cms', 'topk'):
                self.assertEqual(sketch.frequency(7), 4)

    def test_refused(self):
        for make in EMPTY[:-1]:
            sketch = of(make, [1])
            data = sketch.to_bytes()
            for other in (None, 'x', data, (Cms if sketch.type_name != 'cms' else Hll).empty()):
                with self.assertRaises(TypeError):
                    sketch.merge(other)
                with self.assertRaises(TypeError):
                    sketch | other
            if make != Ddsketch.empty:
                with self.assertRaises(KindError):
                    sketch.merge(of(make, ['a']))
            self.assertEqual(sketch.to_bytes(), data)
        for a, b in ((Bloom.empty(10), Bloom.empty(1000)), (Cms.empty(0.1), Cms.empty(0.001)),
                     (Cuckoo.empty(10), Cuckoo.empty(1000, 1e-6))):
            a.add(1)
            b.add(1)
            with self.assertRaises(MismatchError):
                a.merge(b)

    def test_a_fuse_is_finished(self):
        sketch = of(Fuse.empty, range(100))
        read = sketch.copy()
        sketch.add(100)             # the one that was made can still change
        self.assertEqual(sketch.cardinality(), 101)
        with self.assertRaisesRegex(ArgumentError, 'cannot be changed'):
            read.add(100)
        self.assertEqual(read.cardinality(), 100)


class Threads(Native):
    def test_a_shared_sketch(self):
        """Whatever the threads do, it is as if they had taken turns."""
        union, filters = Hll.empty(), Bloom.empty(100000)
        parts = [of(Hll.empty, range(i * 1000, i * 1000 + 1000)) for i in range(6)]
        failed = []

        def work(i):
            try:
                for j in range(30):
                    union.merge(parts[(i + j) % 6])
                    parts[i].merge(parts[(i + 1) % 6])
                    union.add_all(range(j * 100, j * 100 + 300))
                    filters.add_all(range(i * 1000, i * 1000 + 1000))
                    filters.to_bytes(), union.cardinality(), i * 1000 in filters
            except Exception as error:
                failed.append(error)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])
        self.assertEqual(union, of(Hll.empty, range(6000)))
        self.assertEqual(filters, of(lambda: Bloom.empty(100000), range(6000)))


if __name__ == '__main__':
    unittest.main()
