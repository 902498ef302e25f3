"""Rulestone as a library: open a knowledge base and query it."""

from typing import TYPE_CHECKING

from corpus import offline as _offline  # noqa: F401 - sets environment variables that later imports read
from corpus.errors import EnvironmentFault, InputError, NotFoundError, RulestoneError

if TYPE_CHECKING:
    from rulestone.library import Built, Library

__all__ = ["Built", "EnvironmentFault", "InputError", "Library", "NotFoundError", "RulestoneError"]


def __getattr__(name: str) -> object:
    """Imports the library on first use, because a command that only prints help does not need it."""
    if name in ("Built", "Library"):
        from rulestone import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
