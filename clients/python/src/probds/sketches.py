"""The types of libprobds.  Methods have the names that functions have in SQL."""
from __future__ import annotations

import ctypes
import math
import operator
from ctypes import byref, c_double, c_int, c_int64, c_size_t
from decimal import Decimal
from typing import Any, List, NamedTuple, Optional, Tuple, TypeVar

from . import bloom as _bloom
from . import hll as _hll
from ._library import Found, Native, value_of
from ._sketch import Sketch
from .errors import ArgumentError

N = TypeVar('N', bound=Native)

# ---------- answers that several types give ----------


class _Distinct(Native):
    __slots__ = ()

    def cardinality(self) -> int:
        """Return the estimated number of distinct values."""
        return int(self._ask('cardinality', 1, c_double))


class _Bounded(_Distinct):
    __slots__ = ()

    def cardinality_bounds(self, confidence: float = 0.95) -> Tuple[int, int, int]:
        """Return a lower bound, the estimate and an upper bound at a confidence."""
        lower, estimate, upper = self._ask('cardinality_bounds', 3, c_double,
                                             float(confidence))
        return int(lower), int(estimate), int(upper)

    def jaccard(self: N, other: N) -> Optional[float]:
        """Return how similar two sets are, 0 to 1; None if that cannot be told."""
        found: Optional[float] = self._both(
            lambda handle: self._ask('jaccard', 1, c_double, handle), other)
        return found


class _Filter(_Distinct):
    __slots__ = ()

    def contains(self, value: Any) -> bool:
        """Was the value added?  False is certain, True is probable.

        Raises KindError if the filter holds values of another kind, and for None.
        """
        return bool(self._ask('contains', 1, c_int, self._value(value)))

    def __contains__(self, value: Any) -> bool:
        return self.contains(value)


class _Counting(Native):
    __slots__ = ()

    def frequency_bounds(self, value: Any) -> Tuple[int, int, int]:
        """Return a lower bound, the estimate and an upper bound of how often a value was added."""
        found: Tuple[int, int, int] = self._ask('frequency', 3, c_int64,
                                                self._value(value))
        return found

    def total(self) -> int:
        """Return the sum of all weights."""
        return int(self._ask('total', 1, c_int64))


class _Frequencies(_Counting):
    __slots__ = ()

    def frequency(self, value: Any) -> int:
        """Return how often a value was added."""
        return self.frequency_bounds(value)[1]


class _Removing(_Filter, _Counting):
    __slots__ = ()

    def count(self, value: Any) -> int:
        """Return how often a value may have been added."""
        return self.frequency_bounds(value)[1]

    def remove(self, value: Any) -> None:
        """Take out a value that was added.  Raises ArgumentError if it is not there."""
        self._call('remove', self._value(value))


# ---------- the types ----------


def _plain(module: Any, name: str) -> Any:
    """Return a property that plain Python reads from the bytes."""
    return property(lambda self: getattr(module.from_bytes(self.to_bytes()), name))


class Hll(_Bounded):
    """A HyperLogLog sketch: the number of distinct values, in a few kilobytes."""

    __slots__ = ()
    type_name = 'hll'
    precision = _plain(_hll.Hll, 'precision')

    @classmethod
    def empty(cls, precision: int = 14) -> Hll:
        """Return an empty sketch with 2^precision registers, 4 to 18."""
        return cls._empty(precision=precision)

    def reduce(self, precision: int) -> Hll:
        """Return a copy at a lower precision, as if it had been built at that."""
        return self.from_bytes(_hll.Hll.from_bytes(self.to_bytes()).reduce(precision).to_bytes())

    def intersection_cardinality(self, other: Hll) -> Optional[int]:
        """Return how many values are in both; None if that cannot be told."""
        found = self._both(lambda handle: self._ask('intersection', 1, c_double, handle), other)
        return None if found is None else int(found)


class Bloom(_Filter):
    """A Bloom filter: a set that may say yes to a value that was never added."""

    __slots__ = ()
    type_name = 'bloom'
    capacity, layout, bits, hashes, rate_code, false_positive_rate = (
        _plain(_bloom.Bloom, name) for name in ('capacity', 'layout', 'bits', 'hashes',
                                                'rate_code', 'false_positive_rate'))

    @classmethod
    def empty(cls, capacity: Optional[float] = None, false_positive_rate: float = 0.01,
              layout: str = 'blocked') -> Bloom:
        """Return an empty filter; without a capacity it is sized for the values when it is stored.

        The layout is 'blocked', 'classic' or 'guava'.
        """
        return cls._empty(capacity=capacity, rate=false_positive_rate, layout=layout)

    def intersect(self, other: Bloom) -> None:
        """Keep only the bits that are set in both filters."""
        if not isinstance(other, Sketch) or other.type_name != 'bloom':
            raise TypeError('only a Bloom goes with a Bloom')
        both = _bloom.Bloom.from_bytes(self.to_bytes())
        both.intersect(_bloom.Bloom.from_bytes(other.to_bytes()))
        new = self.from_bytes(both.to_bytes())
        with self._lock:
            self._handle, new._handle = new._handle, self._handle

    def __and__(self, other: Bloom) -> Bloom:
        if type(other) is not type(self):
            return NotImplemented
        both = self.copy()
        both.intersect(other)
        return both

    def __iand__(self, other: Bloom) -> Bloom:
        if type(other) is not type(self):
            return NotImplemented
        self.intersect(other)
        return self


class Cms(_Frequencies):
    """A Count-Min sketch: how often values occurred."""

    __slots__ = ()
    type_name = 'cms'

    @classmethod
    def empty(cls, epsilon: float = 0.001, delta: float = 0.01, conservative: bool = False) -> Cms:
        """Return an empty sketch."""
        return cls._empty(epsilon=epsilon, delta=delta, conservative=bool(conservative))


class Item(NamedTuple):
    """A frequent value, as its text in SQL, and how often it occurred: at least, and at most."""

    item: str
    frequency: int
    lower: int


class Topk(_Frequencies):
    """The most frequent values."""

    __slots__ = ()
    type_name = 'topk'

    @classmethod
    def empty(cls, k: int = 20, counters: Optional[int] = None) -> Topk:
        """Return an empty sketch."""
        return cls._empty(k=k, counters=counters)

    def top(self, most: int = 10000) -> List[Item]:
        """Return the most frequent values, at most k, the most frequent one first."""
        most = max(0, min(operator.index(most), 10000))     # k is not larger
        items, n = (Found * most)(), c_size_t()
        with self._lock:
            self._call('top', items, most, byref(n))
            return [Item(ctypes.string_at(i.text, i.length).decode(), i.frequency, i.lower)
                    for i in items[:n.value]]


class Cuckoo(_Removing):
    """A cuckoo filter: a set from which values can be removed."""

    __slots__ = ()
    type_name = 'cuckoo'

    @classmethod
    def empty(cls, capacity: float, false_positive_rate: float = 0.01) -> Cuckoo:
        """Return an empty filter."""
        return cls._empty(capacity=capacity, rate=false_positive_rate)


class CountingBloom(_Removing):
    """A Bloom filter that values can be removed from."""

    __slots__ = ()
    type_name = 'counting_bloom'

    @classmethod
    def empty(cls, capacity: float, false_positive_rate: float = 0.01,
              layout: str = 'blocked') -> CountingBloom:
        """Return an empty filter.  The layout is 'blocked' or 'classic'."""
        return cls._empty(capacity=capacity, rate=false_positive_rate, layout=layout)


class ScalableBloom(_Filter):
    """A Bloom filter that grows."""

    __slots__ = ()
    type_name = 'scalable_bloom'

    @classmethod
    def empty(cls, capacity: float = 1000, false_positive_rate: float = 0.01,
              expansion: int = 2) -> ScalableBloom:
        """Return an empty filter."""
        return cls._empty(capacity=capacity, rate=false_positive_rate, expansion=expansion)


class Minhash(_Bounded):
    """How similar sets are."""

    __slots__ = ()
    type_name = 'minhash'

    @classmethod
    def empty(cls, k: int = 128) -> Minhash:
        """Return an empty sketch; k is a power of 2."""
        return cls._empty(k=k)


class Ddsketch(_Counting):
    """The distribution of numbers."""

    __slots__ = ()
    type_name = 'ddsketch'

    @classmethod
    def empty(cls, relative_error: float = 0.01, max_buckets: int = 4096) -> Ddsketch:
        """Return an empty sketch."""
        return cls._empty(error=relative_error, buckets=max_buckets)

    def _value(self, value: Any) -> Any:
        if isinstance(value, Decimal) or isinstance(value, int) and value.bit_length() > 63:
            value = Decimal(value)
            if value.is_finite() and math.isinf(value):
                raise ArgumentError('A number of a ddsketch is within the range of a float.')
            value = float(value)
        return value_of(value)

    def quantile_bounds(self, quantile: float) -> Optional[Tuple[float, float, float]]:
        """Return a lower bound, the estimate and an upper bound; None if the sketch is empty."""
        found: Optional[Tuple[float, float, float]] = self._ask('quantile', 3, c_double,
                                                                    float(quantile))
        return found

    def quantile(self, quantile: float) -> Optional[float]:
        """Return a quantile, 0 to 1; None if the sketch is empty."""
        bounds = self.quantile_bounds(quantile)
        return None if bounds is None else bounds[1]

    def rank(self, number: float) -> Optional[float]:
        """Return the share of the numbers at or below this one; None if the sketch is empty."""
        found: Optional[float] = self._ask('rank', 1, c_double, float(number))
        return found

    def count(self) -> int:
        """Return the sum of all weights."""
        return self.total()


class Fuse(_Filter):
    """A static filter, for a set that is finished: one that was read, or copied, stays as it is."""

    __slots__ = ()
    type_name = 'fuse'

    @classmethod
    def empty(cls, false_positive_rate: float = 0.01) -> Fuse:
        """Return a filter that takes values until it is read or copied, and is never merged."""
        return cls._empty(rate=false_positive_rate)
