"""The parts of a rule that are searched."""

from enum import IntEnum


class Field(IntEnum):
    """A part of a rule that is searched for itself."""

    TEXT = 0  # its own sentences, examples and notes
    CONTEXT = 1  # the titles above it, its number, its headword
    GLOSS = 2
    ASKED = 3  # one question
