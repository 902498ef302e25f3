"""The words and short patterns of `data/citations.toml`, as parts of regular expressions."""

import re
from collections.abc import Collection
from functools import cache

from corpus.catalogue import catalogue
from corpus.data_files import read_toml


def phrase_list(table: str, name: str) -> tuple[str, ...]:
    """The entries of a list."""
    return tuple(read_toml("corpus", "citations.toml")[table][name])


def phrase_pattern(table: str, name: str) -> str:
    """An entry that is one pattern."""
    return str(read_toml("corpus", "citations.toml")[table][name])


def alternation(*entries: str) -> str:
    """An alternation of patterns, the longest first, as one group."""
    return f"(?:{'|'.join(sorted(entries, key=len, reverse=True))})"


def whole_words(entries: Collection[str]) -> re.Pattern[str]:
    """A case-insensitive pattern of one of some words; in Latin script only as a whole word."""
    latin = [word for word in entries if word.isascii() and word[0].isalpha() and word != "n't"]
    others = [word for word in entries if word not in latin]
    return compile_pattern(rf"(?<![A-Za-z]){alternation(*latin)}(?![A-Za-z])|{alternation(*others)}")


def citation_words(kind: str) -> tuple[str, ...]:
    """The words that rulebooks themselves use in citations: cue, join, range or unit of the catalogue."""
    return catalogue().citations[kind]


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A case-insensitive pattern."""
    return re.compile(pattern, re.IGNORECASE)
