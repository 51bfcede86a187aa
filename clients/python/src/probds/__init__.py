"""Sketches of the PostgreSQL extension probds, in an application.

Hll counts distinct values, Bloom tells whether a value was there.  Both are read from and written
to the bytes that the server stores: the same values give the same bytes here and there.
"""
from __future__ import annotations

from .bloom import Bloom
from .errors import Error, FormatError, KindError, MismatchError
from .hll import Hll
from .values import Value, canonical, probds_hash

__version__ = '1.1.0'
__all__ = ['Bloom', 'Error', 'FormatError', 'Hll', 'KindError', 'MismatchError', 'Value',
           'canonical', 'probds_hash']
