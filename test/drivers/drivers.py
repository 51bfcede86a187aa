"""What the programs for Python's drivers share: the values, the cases, the TAP lines.

A program makes a Driver with a function that runs a statement, and says where its
driver differs; everything else is here.  The programs for node-pg and JDBC do the
same in their languages.
"""

import datetime
import decimal
import ipaddress
import json
import os
import re
import sys
import traceback
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
EAST = datetime.timezone(datetime.timedelta(hours=2))

# How often a statement is run with some kinds where it is prepared: the server makes a
# generic plan for the sixth time
TIMES_PREPARED = 7
PREPARED = ('text', 'int', 'timestamptz')

# How the values are given
NATIVE = 'native'       # as what the language has for them, without a cast
TEXT = 'text'           # as their text, without a cast
CAST = 'cast'           # as what the language has for them, with a cast


class Kind:
    """Two values that the sketches hold (the same one for bool), and one that they do not."""

    def __init__(self, name, sql_type, a, b, z):
        self.name, self.sql_type, self.a, self.b, self.z = name, sql_type, a, b, z


KINDS = [
    Kind('text', 'text', 'clé', 'a "b", {c} \\d', 'O\'Neill'),
    Kind('int', 'integer', 42, -7, 43),
    Kind('bigint', 'bigint', 2 ** 40, -2 ** 62, 2 ** 41),
    Kind('numeric', 'numeric', decimal.Decimal('1.50'), decimal.Decimal('1e30'),
         decimal.Decimal('1.51')),
    Kind('uuid', 'uuid', uuid.UUID(int=1), uuid.UUID(int=2), uuid.UUID(int=3)),
    Kind('date', 'date', datetime.date(2026, 1, 31), datetime.date(2026, 2, 1),
         datetime.date(2026, 1, 2)),
    Kind('timestamp', 'timestamp', datetime.datetime(2026, 1, 31, 12, 0, 0, 250000),
         datetime.datetime(2026, 2, 1), datetime.datetime(2026, 1, 2)),
    Kind('timestamptz', 'timestamptz', datetime.datetime(2026, 1, 31, 12, 0, 0, 250000, EAST),
         datetime.datetime(2026, 2, 1, tzinfo=EAST), datetime.datetime(2026, 1, 2, tzinfo=EAST)),
    Kind('bytea', 'bytea', b'\\x61', b'\x00\xff', b'a'),
    Kind('bool', 'boolean', True, True, False),
    Kind('inet', 'inet', ipaddress.ip_address('10.0.0.1'), ipaddress.ip_address('fe80::1'),
         ipaddress.ip_address('10.0.0.2')),
    Kind('jsonb', 'jsonb', {'a': 1}, {'a': [1, 'x']}, {'a': 2}),
    Kind('enum', 'mood', 'happy', 'sad', 'so-so'),
    Kind('float', 'double precision', 0.1, 1e300, 0.2),
    Kind('interval', 'interval', datetime.timedelta(hours=1), datetime.timedelta(days=2),
         datetime.timedelta(hours=2)),
]

# Kinds whose text has several readings, so that a cast must say which
UNREADABLE = ('float', 'interval')

# The columns of table s, and their types
SKETCHES = {'h': 'hll', 'f': 'bloom', 'c': 'cms', 't': 'topk', 'u': 'cuckoo', 'g': 'counting_bloom',
            'y': 'scalable_bloom', 'm': 'minhash'}

SCHEMA = """
CREATE EXTENSION IF NOT EXISTS probds;
DROP SCHEMA IF EXISTS work CASCADE;
CREATE SCHEMA work;
SET search_path = work, public;
CREATE TYPE mood AS ENUM ('happy', 'sad', 'so-so');
CREATE TABLE s (kind text PRIMARY KEY, %s);
CREATE TABLE fresh (LIKE s INCLUDING ALL);
CREATE TABLE copied (LIKE s INCLUDING ALL)
""" % ', '.join(map(' '.join, SKETCHES.items()))


class Case:
    def __init__(self, sql, arguments, want):
        self.sql, self.arguments = sql, arguments.split()
        self.want = {'true': True, 'false': False, 'null': None}.get(want, want)
        if isinstance(self.want, str):
            self.want = int(want)


def read_cases():
    with open(os.path.join(HERE, 'cases.sql'), encoding='utf-8') as file:
        return [Case(*re.fullmatch(r'(.*); -- (.*): (\S+)', line.strip()).groups())
                for line in file if line.strip() and not line.startswith('--')]


def text_of(value):
    """The text of a value, as the server reads it whatever its settings are."""
    if isinstance(value, bytes):
        return '\\x' + value.hex()
    if isinstance(value, dict):
        return json.dumps(value)
    return None if value is None else str(value)


def array_text(values):
    """The text of an array, of the texts of its elements."""
    def element(value):
        return 'NULL' if value is None else '"%s"' % re.sub(r'(["\\])', r'\\\1', value)
    return '{%s}' % ','.join(map(element, values))


class Driver:
    """All tests of one driver.

    name         of the driver, with its version
    run          a function of a statement with $1, $2 ... and the list of its values: rows
    adapt        a function of a Kind and a value: what an application gives the driver
    texts        what it gives it for a list of texts, where that is no list
    as_text      the kinds for whose values it gives the driver a text, or something that
                 the driver writes as one
    typed_texts  does the server hear that a string is text, and a list of strings an
                 array of texts?
    bytes_cast   does the driver read a sketch as bytes, and call these bytea where it
                 writes them, so that a cast must make a sketch of them?
    usual        how an application gives values without a cast: NATIVE or TEXT
    prepares     is a statement prepared on the server?
    refused      a function of how values are given, a Kind and an argument ("a", "[a,b]"):
                 the error that is documented for that, an SQLSTATE or an exception's
                 name, besides those that all drivers meet
    born         the kinds that an empty sketch gets from a first value, where it is not
                 that of the column: {'int': 'text'}
    """

    def __init__(self, name, run, adapt=None, texts=None, as_text=('enum',), typed_texts=False,
                 bytes_cast=False, usual=NATIVE, prepares=False, refused=None, born=None):
        self.name, self.run = name, run
        self.adapt = adapt or (lambda kind, value: value)
        self.texts = texts or (lambda values: values)
        self.as_text = as_text
        self.typed_texts = typed_texts
        self.bytes_cast = bytes_cast
        self.usual = usual
        self.prepares = prepares
        self.refused_here = refused or (lambda how, kind, argument: None)
        self.born = {**dict.fromkeys(as_text, 'text'),
            **(born or {})} if usual == NATIVE else {k.name: 'text' for k in KINDS}
        self.failures = 0

    def refused(self, how, kind, argument):
        """The error that is documented for such an argument, or None."""
        is_text = how == TEXT or how == NATIVE and kind.name in self.as_text
        if argument in ('kind', '5', 'null'):
            return None
        here = self.refused_here(how, kind, argument)
        if here is None and argument[0] == '<' and kind.name != 'text' and not is_text:
            here = '42704'
        if here is not None or how == CAST:
            return here
        if (argument.startswith('[') and argument != '[]' and is_text and self.typed_texts
                and kind.name != 'text'):
            # an array of texts is no array of numbers
            return '22000'
        return '42804' if kind.name in UNREADABLE and (is_text or argument == '[]') else None

    # --- TAP ---

    def report(self, what, wrong):
        """One line; wrong says what is wrong, and is empty where nothing is."""
        print('%s - %s: %s' % ('not ok' if wrong else 'ok', self.name, what))
        if wrong:
            print('# ' + str(wrong).strip().replace('\n', '\n# '))
        sys.stdout.flush()
        self.failures += bool(wrong)

    def check(self, what, function, *arguments):
        """A line for a function that returns what is wrong."""
        try:
            self.report(what, function(*arguments))
        except Exception:
            self.report(what, traceback.format_exc())

    def done(self):
        sys.exit(1 if self.failures else 0)

    # --- arguments ---

    def value(self, how, kind, name):
        """What the driver is given for a value of cases.sql."""
        value = None if name == 'null' else getattr(kind, name)
        if value is None:
            return None
        return text_of(value) if how == TEXT else self.adapt(kind, value)

    def argument(self, how, kind, name):
        if name == 'kind':
            return kind.name
        if name.isdigit():
            return int(name)
        if name[0] not in '[<':
            return self.value(how, kind, name)
        values = [self.value(how, kind, n) for n in name[1:-1].split(',') if n]
        return self.texts(values) if how == TEXT and name[0] == '[' else values

    @staticmethod
    def cast(sql, kind, arguments):
        """The statement with a cast of each value."""
        def one(match):
            name = arguments[int(match.group(1)) - 1]
            if name == 'kind' or name.isdigit():
                return match.group(0)
            return 'CAST(%s AS %s%s)' % (match.group(0), kind.sql_type, '[]' * (name[0] in '[<'))
        return re.sub(r'\$(\d)', one, sql)

    # --- tests ---

    def one(self, sql, *values):
        return self.run(sql, list(values))[0][0]

    def make(self):
        for statement in SCHEMA.strip().split(';\n'):
            self.run(statement, [])

    def build(self, kind):
        """Rows through parameters, aggregates with parameters."""
        table = 'src_' + kind.name
        self.run('CREATE TABLE %s (v %s)' % (table, kind.sql_type), [])
        for value in [kind.a, kind.b] if kind.a != kind.b else [kind.a]:
            self.run('INSERT INTO %s VALUES (%s)' % (table, 'CAST($1 AS mood)' if self.typed_texts
                                                     and kind.name == 'enum' else '$1'),
                     [self.adapt(kind, value)])
        self.run('INSERT INTO s SELECT $1, hll_agg(v), bloom_agg(v, $2), cms_agg(v), '
                 'topk_agg(v, $3),'
                 ' cuckoo_agg(v, $2), counting_bloom_agg(v, $2), scalable_bloom_agg(v), '
                 'minhash_agg(v) FROM ' + table, [kind.name, 1000, 10])
        got = self.run('SELECT approx_count_distinct(v), approx_count_distinct(v, $1), '
                       'hll_cardinality(hll_agg(v, $1)),'
                       ' bloom_cardinality(bloom_agg(v, $2, $3)), '
                       'cms_total(cms_agg_weighted(v, CAST($5 AS bigint))),'
                       ' jsonb_array_length(approx_top_k(v, $4)), '
                       'cuckoo_cardinality(cuckoo_agg(v, $2, $3)),'
                       ' counting_bloom_cardinality(counting_bloom_agg(v, $2, $3)),'
                       ' scalable_bloom_cardinality(scalable_bloom_agg(v, $2, $3)), '
                       'minhash_cardinality(minhash_agg(v, $6))'
                       ' FROM ' + table, [12, 100, 0.001, 5, 100, 64])[0]
        n = 1 if kind.a == kind.b else 2
        return None if list(got) == [n, n, n, n, n * 100, n, n, n, n,
                                     n] else 'got %s' % (list(got),)

    def case(self, how, case, kind):
        """What is wrong with it, of one kind."""
        sql = self.cast(case.sql, kind, case.arguments) if how == CAST else case.sql
        refused = None
        for name in case.arguments:
            refused = refused or self.refused(how, kind, name)
        again = self.prepares and how == self.usual and kind.name in PREPARED and not refused
        for _ in range(TIMES_PREPARED if again else 1):
            values = [self.argument(how, kind, name) for name in case.arguments]
            try:
                got = self.one(sql, *values)
            except Exception as error:
                if refused is None or refused not in error_names(error):
                    return '%s: %s %s' % (kind.name, '/'.join(error_names(error)), error)
                continue
            if refused:
                return '%s: not refused with %s, but %r' % (kind.name, refused, got)
            if type(got) is not type(case.want) or got != case.want:
                return '%s: %r, not %r' % (kind.name, got, case.want)
        return None

    def cases(self, how):
        for case in read_cases():
            wrong = [w for w in (self.case(how, case, kind) for kind in KINDS) if w]
            self.report('%s: %s -- %s' % (how, case.sql, ' '.join(case.arguments)),
                        '\n'.join(wrong))

    def first_values(self):
        """The kind of a sketch that was empty before its first value."""
        wrong = []
        for kind in KINDS:
            self.run('INSERT INTO fresh '
                     'VALUES ($1, hll_add(hll_empty(), $2), bloom_add(bloom_empty($3), $2),'
                     ' cms_add(cms_empty(), $2), topk_add(topk_empty($4), $2, $5), '
                     'cuckoo_add(cuckoo_empty($3), $2),'
                     ' counting_bloom_add(counting_bloom_empty($3), $2), '
                     'scalable_bloom_add(scalable_bloom_empty($3), $2),'
                     ' minhash_add(minhash_empty(), $2))',
                     [kind.name, self.argument(self.usual, kind, 'a'), 100, 10, 3])
            want = self.born.get(kind.name) or self.one('SELECT (hll_info(h)).kind FROM s '
                                                        'WHERE kind = $1', kind.name)
            kinds = ', '.join('(%s_info(%s)).kind' % (t, c) for c, t in SKETCHES.items())
            got = self.run('SELECT %s FROM fresh WHERE kind = $1' % kinds, [kind.name])[0]
            if list(got) != [want] * len(SKETCHES):
                wrong.append('%s: %s, not %s' % (kind.name, list(got), want))
        return '\n'.join(wrong)

    def upsert(self):
        """One value after the other, into a row that may be there."""
        self.run('CREATE TABLE day (day date PRIMARY KEY, visitors hll, top topk)', [])
        for i in range(20):
            self.run('INSERT INTO day AS d '
                     'VALUES ($1, hll_add(hll_empty(), $2), topk_add(topk_empty($3), $4))'
                     ' ON CONFLICT (day) DO UPDATE SET visitors = hll_add(d.visitors, $2), '
                     'top = topk_add(d.top, $4)',
                     [datetime.date(2026, 1, 1), 'visitor %d' % (i % 7), 5, 'page %d' % (i % 3)])
        got = list(self.run('SELECT hll_cardinality(visitors), topk_total(top), top -> $1 FROM day',
                            ['page 0'])[0])
        return None if got == [7, 20, 7] else 'got %s' % got

    def differs(self):
        """What differs between s and copied, which is emptied for the next."""
        same = self.one('SELECT count(*) FROM s JOIN copied c USING (kind) WHERE '
                        + ' AND '.join('s.%s = c.%s' % (c, c) for c in SKETCHES))
        self.run('TRUNCATE copied', [])
        return None if same == len(KINDS) else '%s of %s rows are the same' % (same, len(KINDS))

    def sketch(self, parameter, sketch_type):
        return 'CAST(%s AS %s)' % (parameter, sketch_type) if self.bytes_cast else parameter

    def written_back(self):
        """Sketches read and written one by one, as what the driver makes of them."""
        insert = 'INSERT INTO copied VALUES ($1, %s)' % ', '.join(
            self.sketch('$%d' % (i + 2), t) for i, t in enumerate(SKETCHES.values()))
        for row in self.run('SELECT kind, %s FROM s' % ', '.join(SKETCHES), []):
            self.run(insert, list(row))
        return self.differs()

    def written_as_bytea(self):
        """The bytes of sketches, which every driver can read and write."""
        insert = 'INSERT INTO copied VALUES ($1, %s)' % ', '.join(
            'CAST(CAST($%d AS bytea) AS %s)' % (i + 2, t) for i, t in enumerate(SKETCHES.values()))
        for row in self.run('SELECT kind, %s FROM s' % ', '.join('CAST(%s AS bytea)' % c
            for c in SKETCHES), []):
            self.run(insert, [row[0], *map(bytes, row[1:])])
        return self.differs()

    def asked_as_parameter(self):
        """Functions and operators over a sketch that is a parameter."""
        h, f = self.run('SELECT h, f FROM s WHERE kind = $1', ['text'])[0]
        p = self.sketch('$1', 'hll')
        got = [self.one('SELECT hll_cardinality(%s)' % p, h),
               self.one('SELECT hll_cardinality(h || %s) FROM s WHERE kind = $2' % p, h, 'text'),
               self.one('SELECT count(*) FROM s WHERE h = %s' % p, h),
               self.one('SELECT bloom_contains(%s, $2)' % self.sketch('$1', 'bloom'), f, 'clé'),
               self.one('SELECT %s @> $2' % self.sketch('$1', 'bloom'), f, 'none')
               if self.bytes_cast else False]
        return None if got == [2, 2, 1, True, False] else 'got %s' % got

    def planned_generically(self):
        n = self.one('SELECT count(*) FROM pg_prepared_statements WHERE generic_plans > 0')
        return None if n > 0 else 'no statement has a generic plan'

    def all(self, hows=(NATIVE, TEXT, CAST)):
        self.make()
        for kind in KINDS:
            self.check('rows and aggregates: %s' % kind.sql_type, self.build, kind)
        for how in hows:
            self.cases(how)
        self.check('the kinds of first values', self.first_values)
        self.check('upsert', self.upsert)
        self.check('sketches written back', self.written_back)
        self.check('sketches written back by bytea', self.written_as_bytea)
        self.check('sketches as parameters', self.asked_as_parameter)
        if self.prepares:
            self.check('prepared statements', self.planned_generically)


def error_names(error):
    """The SQLSTATE and the class of an error, and of what it wraps."""
    names = []
    while error is not None:
        names += [str(getattr(error, name)) for name in ('sqlstate', 'pgcode')
                  if getattr(error, name, None)]
        names.append(type(error).__name__)
        error = getattr(error, 'orig', None) or error.__cause__
    return names
