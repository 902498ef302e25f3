"""The library: a module for each topic. A new kind of question is a method of its topic's class, which `Library` inherits."""

from rulestone.library.base import Built
from rulestone.library.library import Library

__all__ = ["Built", "Library"]
