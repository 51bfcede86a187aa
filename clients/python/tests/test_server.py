"""Against a server: the same bytes, numbers and answers for the same values."""
import asyncio
import importlib
import importlib.util
import random
import unittest
from decimal import Decimal

import support
import probds
from probds import probds_hash
from probds.adapters import register, register_async
from probds.bloom import Bloom
from probds.hll import Hll
from support import TYPES

server = None


def setUpModule():
    global server
    server = support.find_server()


def tearDownModule():
    if server is not None:
        server.close()


def hex_of(sketch):
    return sketch.to_bytes().hex()


class Values(unittest.TestCase):
    def test_hashes(self):
        for name, (sql, value) in TYPES.items():
            numbers = sorted({*range(20), *random.Random(name).sample(range(10 ** 6), 80)})
            rows = server.rows('SELECT probds_hash(%s)::text FROM unnest(ARRAY%s) i ORDER BY i'
                               % (sql, numbers))
            for i, (h,) in zip(numbers, rows):
                if name in ('cidr', 'time', 'timetz') and i > 65000:
                    continue        # more than there are of these
                self.assertEqual(probds_hash(value(i)), int(h), '%s %d' % (name, i))

    def test_hashes_of_texts_of_all_lengths(self):
        rows = server.rows("SELECT probds_hash(repeat('\u20ac9', n))::text"
                           " FROM generate_series(0, 70) n ORDER BY n")
        for n, (h,) in enumerate(rows):
            self.assertEqual(probds_hash('\u20ac9' * n), int(h))

    def test_numerics(self):
        noise = random.Random(4)
        numbers = ['%s%de%d' % (noise.choice(['', '-']), noise.randrange(10 ** noise.randrange(40)),
                                noise.randrange(-30, 30)) for _ in range(500)]
        numbers += ['1e131071', '-9e-16383', '0.' + '0' * 16382 + '1', '9' * 500 + '.5']
        rows = server.rows("SELECT probds_hash(n::numeric)::text FROM unnest('{%s}'::text[])"
                           " WITH ORDINALITY u(n, o) ORDER BY o" % ','.join(numbers))
        for text, (h,) in zip(numbers, rows):
            self.assertEqual(probds_hash(Decimal(text)), int(h), text)


class SameHll(unittest.TestCase):
    def test_values(self):
        for name, (sql, value) in TYPES.items():
            sizes = (0, 1, 2, 7, 60) if name != 'boolean' else (0, 1, 2)
            rows = server.rows("""
SELECT p::text, n::text, encode(s::bytea, 'hex'), s::text, hll_cardinality(s)::text
FROM unnest('{4,9,14,18}'::int[]) p, unnest('{%s}'::int[]) n,
    LATERAL (SELECT coalesce((SELECT hll_agg(%s, p) FROM generate_series(1, n) i), hll_empty(p))
             AS s) x""" % (','.join(map(str, sizes)), sql))
            self.assertEqual(len(rows), 4 * len(sizes))
            for p, n, data, text, cardinality in rows:
                sketch = Hll.empty(int(p))
                sketch.add_all(map(value, range(1, int(n) + 1)))
                with self.subTest(type=name, precision=p, values=n):
                    self.assertEqual(hex_of(sketch), data)
                    self.assertEqual(str(sketch), text)
                    self.assertEqual(Hll.from_text(text), sketch)
                    self.assertEqual(sketch.cardinality(), int(cardinality))

    def test_sizes(self):
        """From sparse to dense, and far beyond."""
        rows = server.rows("""
SELECT p::text, n::text, encode(s::bytea, 'hex'), hll_cardinality(s)::text
FROM generate_series(4, 18) p,
    LATERAL (SELECT 3 << (p - 4)) m(most), LATERAL (SELECT DISTINCT n FROM unnest(
        ARRAY[most / 2, most - 1, most, most + 1, 2 * most, 5 * most, 20 * most]) n) q,
    LATERAL (SELECT hll_agg(i, p) AS s FROM generate_series(1, n) i) x
WHERE n <= 25000 ORDER BY p, n""")
        self.assertGreater(len(rows), 80)
        sketch, done = Hll.empty(), 0
        for p, n, data, cardinality in rows:
            if int(p) != sketch.precision or done > int(n):
                sketch, done = Hll.empty(int(p)), 0
            sketch.add_all(range(done + 1, int(n) + 1))
            done = int(n)
            with self.subTest(precision=p, values=n):
                self.assertEqual(hex_of(sketch), data)
                self.assertEqual(hex_of(Hll.from_bytes(bytes.fromhex(data))), data)
                self.assertEqual(sketch.cardinality(), int(cardinality))

    def test_cardinality_of_random_registers(self):
        """The estimator alone, up to numbers that nobody counts."""
        noise = random.Random(5)
        sketches = []
        for _ in range(300):
            p = noise.randrange(4, 13)
            sketch = Hll(p, 1)
            low = noise.randrange(0, 62 - p)
            high = noise.randrange(low, 66 - p)
            sketch.registers = bytearray(noise.randint(low, max(high, 1)) for _ in range(1 << p))
            sketches.append(sketch)
        rows = server.rows("SELECT hll_cardinality(s::hll)::text FROM unnest('{%s}'::text[])"
                           " WITH ORDINALITY u(s, o) ORDER BY o" % ','.join(map(str, sketches)))
        for sketch, (cardinality,) in zip(sketches, rows):
            self.assertEqual(sketch.cardinality(), int(cardinality), repr(sketch))

    def test_unions(self):
        rows = server.rows("""
WITH s AS (SELECT p, n, coalesce((SELECT hll_agg(i, p) FROM generate_series(n / 2, n) i
                                  WHERE n > 0), hll_empty(p)) AS s
           FROM unnest('{4,8,12}'::int[]) p, unnest('{0,1,9,100,1000,4000}'::int[]) n)
SELECT encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'), encode((a.s || b.s)::bytea, 'hex')
FROM s a, s b""")
        self.assertEqual(len(rows), 18 * 18)
        for row in rows:
            a, b, union = (Hll.from_bytes(bytes.fromhex(data)) for data in row)
            self.assertEqual(a | b, union)

    def test_merged_there(self):
        """Half of the values counted here, half there."""
        for n in (10, 5000):
            here = Hll.empty(11)
            here.add_all('user %d' % i for i in range(n))
            whole = Hll.empty(11)
            whole.add_all('user %d' % i for i in range(3 * n // 2))
            rows = server.rows("""
SELECT encode((hll_agg('user ' || i, 11) || '\\x%s'::bytea::hll)::bytea, 'hex')
FROM generate_series(%d, %d) i""" % (hex_of(here), n // 2, 3 * n // 2 - 1))
            self.assertEqual(rows, [(hex_of(whole),)])


class SameBloom(unittest.TestCase):
    def test_sizes(self):
        noise = random.Random(6)
        plans = [(c, r) for c in (1, 2, 5, 10, 60, 400, 426, 427, 428, 450, 1000, 12345)
                 for r in (0.999, 0.6, 0.5, 0.3, 0.0999, 0.01, 0.001, 1e-5, 1e-9)]
        plans += [(round(10 ** noise.uniform(0, 8)), 10 ** noise.uniform(-6, -0.05))
                  for _ in range(100)]
        rows = server.rows("""
SELECT c::text, r::text, layout, bits::text, hashes::text,
    encode(bloom_empty(c, r, layout)::bytea, 'hex')
FROM unnest(ARRAY[%s]::float8[], ARRAY[%s]::float8[]) u(c, r),
    unnest('{blocked,classic}'::text[]) layout, bloom_size(c, r, layout)"""
                           % (','.join('%d' % c for c, _ in plans),
                              ','.join(repr(r) for _, r in plans)))
        self.assertEqual(len(rows), 2 * len(plans))
        for capacity, rate, layout, bits, hashes, data in rows:
            bloom = Bloom.empty(float(capacity), float(rate), layout)
            with self.subTest(capacity=capacity, rate=rate, layout=layout):
                self.assertEqual((bloom.bits, bloom.hashes), (int(bits), int(hashes)))
                self.assertEqual(hex_of(bloom), data)

    def test_the_largest(self):
        for layout in ('blocked', 'classic'):
            sql = "SELECT bits::text FROM bloom_size(%d, 0.01, '%s')"
            low, high = 1, 1 << 40
            while high - low > 1:
                middle = (low + high) // 2
                try:
                    Bloom.empty(middle, 0.01, layout)
                    low = middle
                except ValueError:
                    high = middle
            self.assertEqual(server.rows(sql % (low, layout)),
                             [(str(Bloom.empty(low, 0.01, layout).bits),)])
            with self.assertRaises(Exception):
                server.rows(sql % (high, layout))

    def test_values(self):
        for name, (sql, value) in TYPES.items():
            rows = server.rows("""
SELECT c::text, layout, n::text, encode(s::bytea, 'hex'), s::text, bloom_cardinality(s)::text
FROM unnest('{7,427,20000}'::int[]) c, unnest('{blocked,classic}'::text[]) layout,
    unnest('{0,1,2,40}'::int[]) n,
    LATERAL (SELECT coalesce((SELECT bloom_agg(%s, c, 0.01, layout) FROM generate_series(1, n) i),
                             bloom_empty(c, 0.01, layout)) AS s) x""" % sql)
            self.assertEqual(len(rows), 24)
            for capacity, layout, n, data, text, cardinality in rows:
                bloom = Bloom.empty(int(capacity), 0.01, layout)
                bloom.add_all(map(value, range(1, int(n) + 1)))
                with self.subTest(type=name, capacity=capacity, layout=layout, values=n):
                    self.assertEqual(hex_of(bloom), data)
                    self.assertEqual(str(bloom), text)
                    self.assertEqual(bloom.cardinality(), int(cardinality))

    def test_fills(self):
        """From sparse to array, and to overfilled."""
        rows = server.rows("""
SELECT c::text, r::text, layout, n::text, encode(s::bytea, 'hex'), bloom_cardinality(s)::text
FROM unnest('{5,60,427,3000,30000}'::int[]) c, unnest('{0.5,0.01,0.0001}'::float8[]) r,
    unnest('{blocked,classic}'::text[]) layout, unnest('{3,30,300,3000}'::int[]) n,
    LATERAL (SELECT bloom_agg(i, c, r, layout) AS s FROM generate_series(1, n) i) x""")
        self.assertEqual(len(rows), 120)
        encodings = set()
        for capacity, rate, layout, n, data, cardinality in rows:
            bloom = Bloom.empty(int(capacity), float(rate), layout)
            bloom.add_all(range(1, int(n) + 1))
            with self.subTest(capacity=capacity, rate=rate, layout=layout, values=n):
                self.assertEqual(hex_of(bloom), data)
                self.assertEqual(hex_of(Bloom.from_bytes(bytes.fromhex(data))), data)
                self.assertEqual(bloom.cardinality(), int(cardinality))
            encodings.add(data[3])
        self.assertEqual(encodings, {'1', '2'})

    def test_lookups(self):
        """The same false positives."""
        rows = server.rows("""
SELECT encode(s::bytea, 'hex'), string_agg((s @> ('user ' || i))::int::text, '' ORDER BY i)
FROM unnest('{10,427,3000}'::int[]) c, unnest('{blocked,classic}'::text[]) layout,
    LATERAL (SELECT bloom_agg('user ' || i, c, 0.05, layout) AS s FROM generate_series(1, c) i) x,
    generate_series(1, 4000) i GROUP BY s""")
        self.assertEqual(len(rows), 6)
        wrong = 0
        for data, answers in rows:
            bloom = Bloom.from_bytes(bytes.fromhex(data))
            self.assertEqual(''.join('01'['user %d' % i in bloom] for i in range(1, 4001)), answers)
            wrong += answers.count('1')
        self.assertGreater(wrong, 2 * (10 + 427 + 3000))

    def test_unions_and_intersections(self):
        rows = server.rows("""
WITH s AS (SELECT c, layout, n, coalesce((SELECT bloom_agg(i, c, 0.02, layout)
                                          FROM generate_series(n / 2, n) i WHERE n > 0),
                                         bloom_empty(c, 0.02, layout)) AS s
           FROM unnest('{10,3000}'::int[]) c, unnest('{blocked,classic}'::text[]) layout,
               unnest('{0,1,9,300,2000}'::int[]) n)
SELECT encode(a.s::bytea, 'hex'), encode(b.s::bytea, 'hex'), encode((a.s || b.s)::bytea, 'hex'),
    encode((a.s & b.s)::bytea, 'hex')
FROM s a JOIN s b USING (c, layout)""")
        self.assertEqual(len(rows), 100)
        for row in rows:
            a, b, union, both = (Bloom.from_bytes(bytes.fromhex(data)) for data in row)
            self.assertEqual(a | b, union)
            self.assertEqual(a & b, both)


class Refused(unittest.TestCase):
    def test_what_does_not_go_together(self):
        """Each of these is an error there, too."""
        for sql in ("SELECT (hll_add(hll_empty(), 1) || hll_add(hll_empty(), 'a'::text))::text",
                    "SELECT (bloom_empty(1000) || bloom_empty(5000))::text",
                    "SELECT (bloom_empty(1000) || bloom_empty(1000, 0.01, 'classic'))::text",
                    "SELECT (bloom_add(bloom_empty(10), 1) @> 1.0::float8)::text",
                    "SELECT bloom_empty(0)::text", "SELECT bloom_empty(10, 1)::text",
                    "SELECT hll_empty(3)::text",
                    "SELECT hll_reduce(hll_add(hll_empty(10), 1), 11)::text"):
            with self.subTest(sql=sql), self.assertRaises(Exception):
                server.rows(sql)


class Adapters(unittest.TestCase):
    """register(): sketches come out of queries as sketches."""

    def drivers(self):
        found = [importlib.import_module(name) for name in ('psycopg', 'psycopg2')
                 if importlib.util.find_spec(name) is not None]
        return found or self.skipTest('neither psycopg nor psycopg2 is installed')

    def check(self, connection):
        """Each type there and back, one by one and in arrays."""
        cursor = connection.cursor()
        for name, cls in probds.types.items():
            capacity = ', 100' if name in ('bloom', 'cuckoo', 'counting_bloom') else ''
            cursor.execute("SELECT s, ARRAY[s, NULL], NULL::%s, encode(s::bytea, 'hex') FROM"
                           " (SELECT %s_agg(i%s) AS s FROM generate_series(1, 50) i) x"
                           % (name, name, capacity))
            sketch, array, null, data = cursor.fetchone()
            with self.subTest(driver=type(connection).__module__, type=name):
                self.assertEqual((type(sketch), hex_of(sketch)), (cls, data))
                self.assertEqual((array, null), ([sketch, None], None))
                cursor.execute("SELECT encode(%s::bytea, 'hex'), pg_typeof(%s)::text, %s",
                               [sketch, sketch, [sketch]])
                self.assertEqual(cursor.fetchone(), (data, name, [sketch]))

    def test_drivers(self):
        for driver in self.drivers():
            connection = driver.connect('')
            self.addCleanup(connection.close)
            register(connection)
            self.assertEqual(connection.info.transaction_status, 0)
            self.check(connection)
            cursor = connection.cursor()
            # a sketch of plain Python goes in, too
            cursor.execute('SELECT hll_cardinality(%s), %s @> 1', [Hll.empty(), Bloom.empty(10)])
            self.assertEqual(cursor.fetchone(), (0, False))
            if driver.__name__ == 'psycopg':
                cursor = connection.cursor(binary=True)
                cursor.execute('SELECT hll_agg(i) FROM generate_series(1, 9) i')
                self.assertEqual(cursor.fetchone()[0].cardinality(), 9)

    def test_without_the_extension(self):
        for driver in self.drivers():
            connection = driver.connect(dbname='template1')
            self.addCleanup(connection.close)
            with self.assertRaisesRegex(LookupError, 'does not have the extension'):
                register(connection)
        with self.assertRaises(TypeError):
            register(None)

    def test_async(self):
        if 'psycopg' not in [driver.__name__ for driver in self.drivers()]:
            self.skipTest('psycopg is not installed')
        import psycopg

        async def go():
            async with await psycopg.AsyncConnection.connect('') as connection:
                await register_async(connection)
                cursor = await connection.execute('SELECT hll_agg(i) FROM generate_series(1, 9) i')
                return (await cursor.fetchone())[0]

        self.assertEqual(asyncio.run(go()).cardinality(), 9)

    def test_sqlalchemy(self):
        try:
            import sqlalchemy
        except ImportError:
            self.skipTest('sqlalchemy is not installed')
        from probds.sqlalchemy import SketchType
        with self.assertRaisesRegex(ValueError, 'there is no sketch type'):
            SketchType('hyper')
        site = sqlalchemy.Table(
            'site', sqlalchemy.MetaData(), sqlalchemy.Column('name', sqlalchemy.Text),
            sqlalchemy.Column('visitors', SketchType('hll', 12)),
            sqlalchemy.Column('seen', SketchType('bloom', 100, 0.02)), prefixes=['TEMPORARY'])
        visitors, seen = probds.Hll.empty(12), probds.Bloom.empty(100, 0.02)
        visitors.add('anna')
        seen.add('anna')
        for driver in self.drivers():
            for registered in (False, True):
                engine = sqlalchemy.create_engine('postgresql+psycopg2://',
                                                  creator=lambda: driver.connect(''))
                if driver.__name__ == 'psycopg':
                    if sqlalchemy.__version__ < '2':
                        continue        # which knows psycopg 2 only
                    engine = sqlalchemy.create_engine('postgresql+psycopg://',
                                                      creator=lambda: driver.connect(''))
                if registered:
                    register(engine)
                with engine.begin() as connection, self.subTest(driver=driver, at=registered):
                    site.create(connection)
                    connection.execute(site.insert(), [
                        {'name': 'shop', 'visitors': visitors, 'seen': seen},
                        {'name': 'none', 'visitors': None, 'seen': None}])
                    rows = connection.execute(sqlalchemy.select(site).order_by('name')).fetchall()
                    self.assertEqual([tuple(row) for row in rows],
                                     [('none', None, None), ('shop', visitors, seen)])
                    row = connection.execute(sqlalchemy.text(
                        'SELECT visitors, hll_cardinality(visitors) FROM site WHERE seen @> :name'),
                        {'name': 'anna'}).fetchone()
                    self.assertEqual(tuple(row), (visitors if registered else str(visitors), 1))
                    with self.assertRaises(sqlalchemy.exc.StatementError):
                        connection.execute(site.insert(), [{'visitors': seen}])
                engine.dispose()


class Drivers(unittest.TestCase):
    """Sketches as parameters and results."""

    def setUp(self):
        if server.driver is None:
            self.skipTest('no driver is installed')
        self.cursor = server.connection.cursor()
        self.cursor.execute('CREATE TEMP TABLE site (visitors hll, seen bloom)')
        self.addCleanup(self.cursor.execute, 'DROP TABLE pg_temp.site')

    def test_values_as_parameters(self):
        """A driver sends a value as the type that the package takes it for."""
        numbers = [0, 1, 77, 5000]
        other = {'psycopg': {'record', 'int4range'},
                 # it writes a float as a numeric, and knows the others only when told
                 'psycopg2': {'record', 'int4range', 'float', 'uuid', 'inet', 'inet of IPv6',
                              'cidr'}}
        for name, (_, value) in TYPES.items():
            if name in other[server.name]:
                continue
            for i in numbers:
                self.cursor.execute('SELECT probds_hash(%s)', [value(i)])
                with self.subTest(type=name, value=value(i)):
                    self.assertEqual(self.cursor.fetchone(), (probds_hash(value(i)),))

    def test_there_and_back(self):
        visitors, seen = Hll.empty(), Bloom.empty(1000)
        for value in ('anna', 'bert'):
            visitors.add(value)
            seen.add(value)
        self.cursor.execute('INSERT INTO site VALUES (%s, %s)', [str(visitors), str(seen)])
        self.cursor.execute('INSERT INTO site VALUES (%s::bytea::hll, %s::bytea::bloom)',
                            [visitors.to_bytes(), seen.to_bytes()])
        self.cursor.execute('SELECT visitors, seen, visitors::bytea, seen::bytea,'
                            ' hll_cardinality(visitors), seen @> %s FROM site', ['anna'])
        rows = self.cursor.fetchall()
        self.assertEqual(len(rows), 2)
        for row in rows:
            self.assertEqual(Hll.from_text(row[0]), visitors)
            self.assertEqual(Bloom.from_text(row[1]), seen)
            self.assertEqual(Hll.from_bytes(row[2]), visitors)
            self.assertEqual(Bloom.from_bytes(row[3]), seen)
            self.assertEqual(row[4:], (2, True))


if __name__ == '__main__':
    unittest.main()
