"""The front door, one module for each part of it; a new kind of question is a class of its own that `Library` inherits."""

from rulestone.library.library import Library
from rulestone.library.opened import Built

__all__ = ["Built", "Library"]
