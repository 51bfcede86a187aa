"""The errors of this package."""
from __future__ import annotations


class Error(Exception):
    """The base of all errors of this package."""


class FormatError(Error, ValueError):
    """The bytes or the text are not a sketch of this type, or they are corrupt."""


class KindError(Error, TypeError):
    """A value is of another kind than the values in the sketch, or of none that can be hashed.

    Values of different kinds hash differently, so they would never match.
    """


class ArgumentError(Error, ValueError):
    """A parameter, a weight or a count is out of range, or a value to remove is not there."""


class LibraryError(Error, ImportError):
    """A type needs libprobds, and there is none, or an older one."""


class MismatchError(Error, ValueError):
    """Two sketches cannot be merged: they differ in size, layout or hash family."""
