"""The patterns of a language (`ingest/data/patterns/*.toml`): cue words, and sequences of them as spaCy's token patterns."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

from corpus.errors import InputError
from corpus.languages import language_of

Token = dict[str, Any]
_CUE = re.compile(r"[A-Z]{2,}\Z")
GAP_LIMITS = {"..": (3, 6), "...": (16, 40), "LABEL": (5, 12)}
"""Maximum number of tokens of an element, in English and in Japanese and Chinese. Checked after the match: spaCy expands `{,16}`
to sixteen optional tokens and tries every combination, whereas `*` is a single operator.
"""
_NEGATING_CUES = ["CAN", "CANNOT", "OTHERS", "EXCEPT"]
"""A gap does not cross these, because the text after them has another subject."""
_MAX_VARIANTS = 200  # sequences from one pattern


def token_sequences(words: str, tokenise: Callable[[str], list[str]]) -> list[tuple[bool, list[Token], list[str]]]:
    """(whether it must open its sentence, token patterns, the element of each of them) for every reading.

    `tokenise` returns the norms of a literal's tokens. Raises ValueError for a pattern with too many readings.
    """
    elements = words.split()
    is_anchored = elements[:1] == ["^"]
    readings = list(product(*(list(_element_choices(element, tokenise)) for element in elements[is_anchored:])))
    if len(readings) > _MAX_VARIANTS:
        raise ValueError(f"{words!r} stands for {len(readings)} sequences; split it into two patterns")
    return [
        (is_anchored, [token for _, tokens in reading for token in tokens], [name for name, tokens in reading for _ in tokens])
        for reading in readings
    ]


def _element_choices(element: str, tokenise: Callable[[str], list[str]]) -> Iterator[tuple[str, list[Token]]]:
    """The token sequences that one element represents."""
    if element in ("..", "..."):
        yield element, [{"ENT_TYPE": {"NOT_IN": _NEGATING_CUES}, "OP": "*"}]
        return
    if element == "LABEL":
        yield "LABEL", [{"IS_QUOTE": False, "TEXT": {"NOT_IN": list("、，,。.;；：:「」『』")}, "OP": "+"}]
        return
    if element == "NUM":
        yield "NUM", [{"NORM": {"REGEX": "^[0-9]{1,3}$"}}]
        yield "NUM", [{"ENT_TYPE": "NUM"}]
        return
    optional = element.endswith("?") and len(element) > 1
    parts = (element[:-1] if optional else element).split("|") if element != "|" else ["|"]
    if optional:
        yield "", []
    cues = [part for part in parts if _CUE.match(part)]
    literals = [tokenise(part) for part in parts if part and not _CUE.match(part)]
    if cues:
        yield cues[0] if len(cues) == 1 else "cue", [{"ENT_TYPE": {"IN": cues}}]
    single = [tokens[0] for tokens in literals if len(tokens) == 1]
    if single:
        yield "word", [{"NORM": {"IN": single}}]
    for tokens in literals:
        if len(tokens) > 1:
            yield "word", [{"NORM": token} for token in tokens]


def within_limits(alignment: Sequence[int], names: Sequence[str], *, cjk: bool) -> bool:
    """Whether every gap and label of a match is within its limit."""
    lengths = Counter(alignment)
    return all(lengths[index] <= GAP_LIMITS[name][cjk] for index, name in enumerate(names) if name in GAP_LIMITS)


def required_tokens(tokens: Sequence[Token]) -> tuple[frozenset[str], ...]:
    """The requirements of these token patterns: at least one cue or norm of each set."""
    sets = []
    for token in tokens:
        for name in ("ENT_TYPE", "NORM"):
            requirement = token.get(name)
            if "OP" not in token and requirement:
                words = requirement.get("IN") if isinstance(requirement, dict) else [requirement]
                sets += [frozenset(words)] if words else []
    return tuple(sets)


def positions_of_element(alignment: Sequence[int], names: Sequence[str], element: str) -> list[int]:
    """Positions in a match whose token comes from the element `element`."""
    return [place for place, index in enumerate(alignment) if names[index] == element]


SUBJECT_KINDS = ("named", "here", "all", "others")
"""The zones that a pattern refers to: the named ones, the zone of the section, all, or the rest."""
VALUES = {
    "visibility": (
        "public",
        "hidden",
        "unseen",
        "seen",
        "owner",
        "others-not",
        "face-up",
        "face-down",
        "part-public",
        "part-hidden",
        "defined",
    ),
    "sharing": ("per-player", "shared", "possessed"),
    "ordering": ("fixed", "managed", "free", "newest-on-top"),
    "capacity": ("number", "unlimited"),
    "zone": ("list-after", "list-before", "definition", "denial", "introduced", "composite", "union", "chapter", "event"),
}
"""The values of patterns; `settle` turns them into values of claims."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Sequences of words and cues (explained in en.toml), with their value and zones."""

    property: str
    value: str
    subject: str
    words: tuple[str, ...]
    without: tuple[str, ...]  # cues that must not follow in the sentence


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns and word lists of one language."""

    lang: str
    cjk: bool
    cues: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, int]
    variants: Mapping[str, str]  # character → its variant in the patterns
    ends: str  # characters that end a sentence
    join: frozenset[str]  # between the members of a list
    filler: frozenset[str]  # besides, inside a list
    not_labels: frozenset[str]  # headings of general rules
    areas: tuple[str, ...]  # last words of a label that may be left out
    common: frozenset[str]  # labels that need no definition in a chapter about zones
    owner_sees: frozenset[str]  # labels for cards that a player holds, hidden only from the others
    patterns: tuple[Pattern, ...]

    @property
    def variant_table(self) -> dict[int, str]:
        """The variants for `str.translate`."""
        return str.maketrans(dict(self.variants))


@cache
def patterns(lang: str) -> Patterns:
    """The patterns for a language tag; zh-Hant and zh-Hans share theirs. Raises InputError with the position of an error."""
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
            variants={pair[0]: pair[1] for pair in data.get("variants", {}).get("pairs", "").split()},
            ends=data["sentence"]["ends"],
            join=frozenset(lists["join"]),
            filler=frozenset(lists["filler"]),
            not_labels=frozenset(data["labels"]["general"]),
            areas=tuple(data["labels"]["areas"]),
            common=frozenset(data["labels"]["common"]),
            owner_sees=frozenset(data["labels"]["owner_sees"]),
            patterns=(
                Pattern("zone", "event", "here", tuple(_split_words(data["sentence"]["events"])), ()),
                *(_pattern(row) for row in data["pattern"]),
            ),
        )
    except (tomllib.TOMLDecodeError, KeyError, ValueError, TypeError) as fault:
        raise InputError(
            "{file} cannot be read: {fault!r}; correct the error there", file=f"ingest/data/patterns/{name}.toml", fault=fault
        ) from fault


def _pattern(row: Mapping[str, Any]) -> Pattern:
    pattern = Pattern(
        row["property"], row["value"], row.get("subject", "named"), tuple(_split_words(row["words"])), tuple(row.get("without", ()))
    )
    if pattern.value not in VALUES[pattern.property] or pattern.subject not in SUBJECT_KINDS:
        raise ValueError(f"{pattern.property} = {pattern.value} of {pattern.subject} is nothing that a pattern can say")
    return pattern


def _split_words(words: Sequence[str]) -> Sequence[str]:
    if isinstance(words, str):
        raise TypeError(f"words = {words!r} must be a list")
    return words
