"""The words and short patterns of `data/citations.toml`, as parts of regular expressions."""

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from corpus.catalogue import catalogue


@cache
def _phrase_data() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files("corpus").joinpath("data/citations.toml").read_text(encoding="utf-8"))


def phrase_list(table: str, name: str) -> tuple[str, ...]:
    """The entries of a list."""
    return tuple(_phrase_data()[table][name])


def phrase_pattern(table: str, name: str) -> str:
    """An entry that is one pattern."""
    return str(_phrase_data()[table][name])


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
