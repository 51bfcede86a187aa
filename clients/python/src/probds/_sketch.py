"""What all sketches have in common."""
from __future__ import annotations

import base64
import binascii
import copy
from typing import Any, Iterable, Optional, Type, TypeVar, Union

from ._bytes import kind_name
from .errors import FormatError, KindError
from .values import canonical

S = TypeVar('S', bound='Sketch')
Buffer = Union[bytes, bytearray, memoryview]


def buffer_of(cls: Type[Sketch], data: Buffer) -> bytes:
    """Return the bytes to read a sketch from.  Raises TypeError."""
    try:
        return bytes(memoryview(data))
    except TypeError:
        raise TypeError('%s.from_bytes() takes bytes, not %s%s' % (
            cls.__name__, type(data).__name__,
            ': from_text() takes the text of a sketch' if isinstance(data, str) else '')) from None


def all_of(values: Iterable[Any]) -> Iterable[Any]:
    """Return values to add.  Raises TypeError for one that is itself a value."""
    if isinstance(values, (str, bytes, bytearray, memoryview)):
        raise TypeError('add_all() takes many values; a %s is one, which add() takes'
                        % type(values).__name__)
    return values


class Sketch:
    """A sketch that remembers the kind of its values."""

    __slots__ = ('kind', 'family')

    #: the name of the type in SQL
    type_name = 'sketch'

    #: the code of the kind of the values, above it the signature (if the kind has one); 0 if empty
    kind: int
    #: the hash family (doc/format.md); 0 and, for a bloom, 1 are those of probds itself
    family: int

    # ---------- bytes and text ----------

    @classmethod
    def from_bytes(cls: Type[S], data: Buffer) -> S:
        """Read a sketch from the bytes that sketch::bytea gives.  Raises FormatError."""
        raise NotImplementedError

    def to_bytes(self) -> bytes:
        """Return the stored bytes, which are those that the server writes for the same values."""
        raise NotImplementedError

    @classmethod
    def from_text(cls: Type[S], text: str) -> S:
        """Read a sketch from its text: base64, or \\x and hexadecimal digits.

        Raises FormatError.
        """
        if not isinstance(text, str):
            raise TypeError('%s.from_text() takes str, not %s: from_bytes() takes the bytes of a '
                            'sketch' % (cls.__name__, type(text).__name__))
        text = text.strip()
        try:
            if text[:2] in ('\\x', '\\X'):
                data = bytes.fromhex(text[2:])
            else:
                data = base64.b64decode(''.join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            raise FormatError('the text of a sketch is base64, or hexadecimal digits after \\x')
        return cls.from_bytes(data)

    def __str__(self) -> str:
        """Return the text of the sketch, as PostgreSQL prints it."""
        return base64.b64encode(self.to_bytes()).decode()

    def __eq__(self, other: object) -> bool:
        """Are both sketches of the same type with the same bytes?  This is SQL's =."""
        if not isinstance(other, Sketch) or type(other) is not type(self):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    # a sketch can be changed, so it cannot be a key
    __hash__ = None  # type: ignore[assignment]

    def copy(self: S) -> S:
        """Return a copy that can be changed by itself."""
        return copy.deepcopy(self)

    # ---------- values ----------

    @property
    def kind_name(self) -> Optional[str]:
        """The name of the kind of the values, or None if the sketch is empty."""
        return kind_name(self.kind) if self.kind else None

    def _put(self, kind: int, data: bytes) -> None:
        raise NotImplementedError

    def _check_kind(self, kind: int) -> None:
        if self.kind and self.kind != kind:
            raise KindError('%s of %s values cannot take a value of kind %s'
                            % (self.type_name, kind_name(self.kind), kind_name(kind)))

    def _joined_kind(self, other: Sketch) -> int:
        """Return the kind of what is in either of two sketches."""
        if self.kind and other.kind and self.kind != other.kind:
            raise KindError('cannot combine %s of %s values with %s of %s values' % (
                self.type_name, kind_name(self.kind), other.type_name, kind_name(other.kind)))
        return self.kind or other.kind

    def add(self, value: Any) -> None:
        """Add a value.  None is skipped, as SQL skips NULL.

        Raises KindError if the sketch holds values of another kind.
        """
        if value is None:
            return
        kind, data = canonical(value)
        self._check_kind(kind)
        self._put(kind, data)

    def add_all(self, values: Iterable[Any]) -> None:
        """Add many values, as add() does."""
        for value in all_of(values):
            self.add(value)

    # ---------- merging ----------

    def merge(self: S, other: S) -> None:
        """Add everything that is in the other sketch."""
        raise NotImplementedError

    def __or__(self: S, other: S) -> S:
        """Return the union of two sketches."""
        if type(other) is not type(self):
            return NotImplemented
        union = self.copy()
        union.merge(other)
        return union

    def __ior__(self: S, other: S) -> S:
        if type(other) is not type(self):
            return NotImplemented
        self.merge(other)
        return self
