"""As same_bytes.c, by the Python package: value by value, as a list, as an array of numpy.

The package is found by PYTHONPATH, and the library by PROBDS_LIBRARY.
"""
import datetime
import pickle
import sys
import uuid

import probds
from probds import Value

try:
    import numpy
except ImportError:
    numpy = None


def when(text):
    text, zone = (text[:-3], '+00:00') if text.endswith('+00') else (text, '')
    whole, _, fraction = text.partition('.')
    return datetime.datetime.fromisoformat('%s.%s%s' % (whole, fraction.ljust(6, '0'), zone))


def date(text):
    infinity = (2 ** 31 - 1).to_bytes(8, 'little')
    return Value(7, infinity) if text == 'infinity' else datetime.date.fromisoformat(text)


# how a value is read from its text, and the dtype of an array
KINDS = {'number': (int, 'i8'), 'float': (float, '>f8'), 'text': (str, 'U'),
         'uuid': (uuid.UUID, 'O'),
         'bytea': (lambda text: bytes.fromhex(text[2:]), 'O'),
         'boolean': (lambda text: text == 'true', '?'), 'date': (date, 'M8[D]'),
         'timestamp': (when, 'M8[us]'), 'timestamptz': (when, 'O')}
# the options of the library, as arguments here
NAMES = {'rate': 'false_positive_rate', 'error': 'relative_error', 'buckets': 'max_buckets'}


def one_by_one(sketch, values, dtype):
    for value in values:
        sketch.add(value)


def at_once(sketch, values, dtype):
    sketch.add_all(values)


def as_array(sketch, values, dtype):
    if dtype.startswith('M') and any(isinstance(value, Value) for value in values):
        dtype = 'O'
    if dtype == 'U':
        dtype = 'U%d' % max(map(len, values))
    # (numpy.array() would make rows of tuples, and a Value is one)
    every_second = numpy.empty(2 * len(values), dtype)
    for i, value in enumerate(values):
        every_second[2 * i] = value
    sketch.add_all(every_second[::2])


def main():
    columns = [column.split(' ') for column in sys.stdin.readline().rstrip('\n').split('\t')]
    ways = [one_by_one, at_once] + ([as_array] if numpy else [])
    compared = different = 0
    for line in sys.stdin:
        kind, *made, texts = line.rstrip('\n').split('\t', len(columns) + 1)
        read, dtype = KINDS[kind]
        values = [read(text) for text in texts.split('\x1f')[:-1]]
        for (type_name, options), there in zip(columns, made):
            if not there:
                continue
            arguments = dict(option.split('=') for option in options.split(',') if option)
            arguments = {NAMES.get(name, name): value if name == 'layout' else float(value)
                         for name, value in arguments.items()}
            stored = probds.types[type_name].from_bytes(bytes.fromhex(there))
            results = [stored, pickle.loads(pickle.dumps(stored)),
                       type(stored).from_text(str(stored))]
            for way in ways:
                sketch = probds.types[type_name].empty(**arguments)
                way(sketch, values, dtype)
                results.append(sketch)
            for sketch in results:
                compared += 1
                if sketch.to_bytes().hex() != there:
                    different += 1
                    print('not ok - %s, kind %s: the server has %.60s' % (sketch, kind, there))
    print('%d compared, %d different%s' % (compared, different, '' if numpy else ' (no numpy)'))
    return different > 0


sys.exit(main())
