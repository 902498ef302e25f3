"""Rulestone as a library: open a knowledge base, and ask it."""

from corpus import offline as _offline  # noqa: F401 - before anything imports what it keeps quiet
from corpus.errors import EnvironmentFault, InputError, NotFoundError, RulestoneError
from rulestone.library import Built, Library

__all__ = ["Built", "EnvironmentFault", "InputError", "Library", "NotFoundError", "RulestoneError"]
