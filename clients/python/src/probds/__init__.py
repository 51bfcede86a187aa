"""Sketches of the PostgreSQL extension probds, in an application.

Sketches are read from and written to the bytes that the server stores: the same values give the
same bytes here and there.  All types are those of the shared library libprobds.  Without it, Hll
and Bloom are plain Python, which probds.hll and probds.bloom always are.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Type

from ._library import library_version
from ._sketch import Sketch
from .errors import ArgumentError, Error, FormatError, KindError, LibraryError, MismatchError
from .sketches import (Bloom, Cms, CountingBloom, Cuckoo, Ddsketch, Fuse, Hll, Item, Minhash,
                       ScalableBloom, Topk)
from .values import Value, canonical, probds_hash

#: the types that can be used here, by their names in SQL
types: Dict[str, Type[Sketch]] = {cls.type_name: cls for cls in (
    Hll, Bloom, Cms, Topk, Cuckoo, CountingBloom, ScalableBloom, Minhash, Ddsketch, Fuse)}

if not TYPE_CHECKING and library_version() is None:
    from .bloom import Bloom
    from .hll import Hll
    types = {'hll': Hll, 'bloom': Bloom}

__version__ = '1.1.0'
__all__ = ['ArgumentError', 'Bloom', 'Cms', 'CountingBloom', 'Cuckoo', 'Ddsketch', 'Error',
           'FormatError', 'Fuse', 'Hll', 'Item', 'KindError', 'LibraryError', 'Minhash',
           'MismatchError', 'ScalableBloom', 'Sketch', 'Topk', 'Value', 'canonical',
           'library_version', 'probds_hash', 'types']
