"""Arrays of numpy and series of pandas as what the library adds at once.

Neither is imported: an array exists only where its package has been.
"""
from __future__ import annotations

import sys
from typing import Any, Iterator, Optional, Tuple

from .errors import KindError
from .values import BOOLEAN, DATE, FLOAT, NUMBER, TIMESTAMP, TIMESTAMPTZ

# (a kind, its values as an array of int64 or float64 in memory), or (None, a list)
Part = Tuple[Optional[int], Any]
# days and microseconds from 1970 to 2000, and the first ones of PostgreSQL
DAYS, MICROSECONDS = 10957, 946684800000000
FIRST_DAY, LAST_DAY, FIRST_MICROSECOND = -2451507, 2145031948, -211813488000000000


def parts_of(values: Any) -> Optional[Iterator[Part]]:
    """Return the parts of an array or a series; None if it is neither."""
    pandas = sys.modules.get('pandas')
    if pandas is not None:
        if isinstance(values, pandas.DataFrame):
            raise TypeError('add_all() takes a column of a DataFrame: values["name"]')
        if isinstance(values, (pandas.Index, pandas.api.extensions.ExtensionArray)):
            values = pandas.Series(values)
        if isinstance(values, pandas.Series):
            return _of_series(pandas, values)
    numpy = sys.modules.get('numpy')
    if numpy is not None and isinstance(values, numpy.ndarray):
        return _of_array(numpy, values)
    return None


def _of_series(pandas: Any, series: Any) -> Iterator[Part]:
    numpy = sys.modules['numpy']
    series = series.dropna()
    if isinstance(series.dtype, pandas.CategoricalDtype):
        series = series.astype(series.dtype.categories.dtype)
    if isinstance(series.dtype, pandas.SparseDtype):
        series = series.sparse.to_dense()
    dtype = series.dtype
    if isinstance(dtype, pandas.DatetimeTZDtype):
        times = series.dt.tz_convert('UTC').dt.tz_localize(None).to_numpy()
        return _of_array(numpy, times, TIMESTAMPTZ)
    if isinstance(dtype, numpy.dtype):
        return _of_array(numpy, series.to_numpy())
    # nullable numbers, from which nothing is missing now
    plain = getattr(dtype, 'numpy_dtype', None)
    if plain is not None and plain.kind in 'iufb':
        return _of_array(numpy, series.to_numpy(dtype=plain))
    return iter([(None, series.tolist())])


def _of_array(numpy: Any, values: Any, zoned: int = TIMESTAMP) -> Iterator[Part]:
    if values.ndim != 1:
        raise TypeError('add_all() takes an array of one dimension, not of %d' % values.ndim)
    if isinstance(values, numpy.ma.MaskedArray):
        values = values.compressed()
    values = numpy.asarray(values)
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind in 'USO':
        yield None, values.tolist()
        return
    if kind == 'u' and size == 8:
        large = values > 0x7fffffffffffffff
        if large.any():
            yield None, values[large].tolist()
            values = values[~large]
    if kind in 'iu':
        yield NUMBER, numpy.ascontiguousarray(values, numpy.int64)
    elif kind == 'b':
        yield BOOLEAN, numpy.ascontiguousarray(values, numpy.int64)
    elif kind == 'f' and size <= 8:
        yield FLOAT, numpy.ascontiguousarray(values, numpy.float64)
    elif kind == 'M' and numpy.datetime_data(values.dtype)[0] in 'YMWD':
        days = _exact(numpy, values, 'M8[D]').view(numpy.int64)
        if ((days - DAYS < FIRST_DAY) | (days > LAST_DAY)).any():
            raise ValueError('a date of PostgreSQL is from 4713 BC to 5874897')
        yield DATE, days - DAYS
    elif kind == 'M':
        times = _exact(numpy, values, 'M8[us]').view(numpy.int64)
        if (times < FIRST_MICROSECOND + MICROSECONDS).any():
            raise ValueError('a timestamp of PostgreSQL is not before 4713 BC')
        yield zoned, times - MICROSECONDS
    elif kind == 'm':
        yield None, _exact(numpy, values, 'm8[us]').tolist()
    else:
        raise KindError('an array of %s cannot be added' % values.dtype)


def _exact(numpy: Any, values: Any, dtype: str) -> Any:
    """Return values in another unit, without those that are no time."""
    values = values[~numpy.isnat(values)]
    converted = numpy.ascontiguousarray(values, dtype)
    if (converted.astype(values.dtype) != values).any():
        raise ValueError('a time of PostgreSQL has whole microseconds, and 64 bits of them: '
                         'round with astype("%s")' % dtype)
    return converted
