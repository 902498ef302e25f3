"""The patterns of a language, read from `ingest/data/patterns/*.toml`: cue words, and what a sequence of them says."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from corpus.errors import InputError
from corpus.languages import language_of

SUBJECTS = ("named", "here", "all", "others")
"""Whose property a pattern states: of the zones it names, of the zone whose section it stands in, of all, of the rest."""
VALUES = {
    "visibility": ("public", "hidden", "unseen", "seen", "owner", "others-not", "face-up", "face-down", "defined"),
    "sharing": ("per-player", "shared", "possessed"),
    "ordering": ("fixed", "managed", "free", "newest-on-top"),
    "capacity": ("number", "unlimited"),
    "zone": ("list-after", "list-before", "definition", "denial", "introduced", "composite", "chapter", "event"),
}
"""What a pattern may say; `settle` turns these into values of claims."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Sequences of words and cues (the language is explained in en.toml), and what they say of whom."""

    property: str
    value: str
    subject: str
    words: tuple[str, ...]
    without: tuple[str, ...]  # cues that must not stand in the sentence from the match on


@dataclass(frozen=True, slots=True)
class Patterns:
    """Everything known of how one language speaks of zones."""

    lang: str
    cjk: bool
    cues: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, int]
    variants: Mapping[str, str]  # character → the one that the patterns are written with
    ends: str  # characters that end a sentence
    join: frozenset[str]  # between the members of a list
    filler: frozenset[str]  # besides, inside a list
    not_labels: frozenset[str]  # headings of general rules
    areas: tuple[str, ...]  # last words of a label that may be left out
    common: frozenset[str]  # labels that need no definition in a chapter about zones
    owner_sees: frozenset[str]  # labels of what a player holds: hidden from the others only
    patterns: tuple[Pattern, ...]

    @property
    def turned(self) -> dict[int, str]:
        """The variants for `str.translate`."""
        return str.maketrans(dict(self.variants))


@cache
def patterns(lang: str) -> Patterns:
    """The patterns for a language tag; zh-Hant and zh-Hans share theirs. Raises InputError that says what is wrong where."""
    name = language_of(lang)
    return parse(files("ingest").joinpath("data/patterns", f"{name}.toml").read_text(encoding="utf-8"), name)


def parse(text: str, name: str) -> Patterns:
    """The patterns in a TOML text; `name` is the language."""
    try:
        data = tomllib.loads(text)
        lists = data["lists"]
        return Patterns(
            lang=name,
            cjk=name in ("ja", "zh"),
            cues={cue: tuple(words) for cue, words in data["cues"].items()},
            numbers=dict(data["numbers"]),
            variants=_variants(data.get("variants", {}).get("pairs", "")),
            ends=data["sentence"]["ends"],
            join=frozenset(lists["join"]),
            filler=frozenset(lists["filler"]),
            not_labels=frozenset(data["labels"]["general"]),
            areas=tuple(data["labels"]["areas"]),
            common=frozenset(data["labels"]["common"]),
            owner_sees=frozenset(data["labels"]["owner_sees"]),
            patterns=(_event(data["sentence"]["events"]), *(_pattern(row) for row in data["pattern"])),
        )
    except (tomllib.TOMLDecodeError, KeyError, ValueError, TypeError) as fault:
        raise InputError(
            "{file} cannot be read: {fault!r}; correct that place", file=f"ingest/data/patterns/{name}.toml", fault=fault
        ) from fault


def _variants(pairs: str) -> dict[str, str]:
    """`區区` maps the first character to the second."""
    return {pair[0]: pair[1] for pair in pairs.split()}


def _pattern(row: Mapping[str, Any]) -> Pattern:
    pattern = Pattern(
        row["property"],
        row["value"],
        row.get("subject", "named"),
        tuple(_list(row["words"])),
        tuple(row.get("without", ())),
    )
    if pattern.value not in VALUES[pattern.property] or pattern.subject not in SUBJECTS:
        raise ValueError(f"{pattern.property} = {pattern.value} of {pattern.subject} is nothing that a pattern can say")
    return pattern


def _event(words: Sequence[str]) -> Pattern:
    """What makes a sentence about a single event, not about what a zone is like."""
    return Pattern("zone", "event", "here", tuple(_list(words)), ())


def _list(words: Sequence[str]) -> Sequence[str]:
    if isinstance(words, str):
        raise TypeError(f"words = {words!r} must be a list")
    return words
