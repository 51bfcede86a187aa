"""Columns of sketches in SQLAlchemy: Column('visitors', SketchType('hll'))."""
from __future__ import annotations

from typing import Any, Callable, Optional

from sqlalchemy.types import UserDefinedType

from . import types
from ._sketch import Sketch


class SketchType(UserDefinedType):      # type: ignore
    """A type of a sketch, with the modifiers that it has in SQL: SketchType('bloom', 1000, 0.01).

    A value is a sketch, in whatever form the driver hands it over.
    """

    cache_ok = True

    def __init__(self, name: str, *modifiers: float) -> None:
        if name not in types:
            raise ValueError('there is no sketch type %r here, but: %s' % (name, ', '.join(types)))
        self.name = name
        self.modifiers = modifiers

    def get_col_spec(self, **kwargs: Any) -> str:
        """Return the type as SQL names it."""
        return self.name + ('(%s)' % ', '.join(map(str, self.modifiers)) if self.modifiers else '')

    def bind_processor(self, dialect: Any) -> Callable[[Any], Optional[str]]:
        """Return what makes a parameter of a sketch: its text, which every driver can send."""
        def send(value: Any) -> Optional[str]:
            if value is None:
                return None
            if not isinstance(value, Sketch) or value.type_name != self.name:
                raise TypeError('a column of %s takes a sketch of this type, not a %s'
                                % (self.name, type(value).__name__))
            return str(value)
        return send

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Any]:
        """Return what makes a sketch of the driver's result."""
        cls = types[self.name]

        def read(value: Any) -> Any:
            if value is None or isinstance(value, Sketch):
                return value
            return cls.from_text(value) if isinstance(value, str) else cls.from_bytes(value)
        return read
