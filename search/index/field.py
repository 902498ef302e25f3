"""The parts of a rule that are searched."""

from enum import IntEnum


class Field(IntEnum):
    """A part of a rule that is searched for itself."""

    TEXT = 0  # its own sentences, examples and notes
    GLOSS = 1
    ASKED = 2  # one question
    CONTEXT = 3  # the titles above it, its number, its headword; the last, for it alone has no vector
