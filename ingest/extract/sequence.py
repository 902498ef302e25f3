"""From the words of a pattern to spaCy's token patterns (Matcher). The language is explained in ingest/patterns/en.toml."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

Token = dict[str, Any]
_CUE = re.compile(r"[A-Z]{2,}\Z")
LIMITS = {"..": (3, 6), "...": (16, 40), "LABEL": (5, 12)}
"""Tokens that an element takes at most: in English, in Japanese and Chinese. Checked after the match: for spaCy `{,16}` is
sixteen optional tokens, tried in every combination, and `*` is one."""
_TURNS = ["CAN", "CANNOT", "OTHERS", "EXCEPT"]
"""No gap passes over these: what stands behind them is said of something else."""
NAMES = ("LABEL", "NUM")
"""Elements whose words are read from the match."""
_EXPANDED = 200  # sequences from one pattern


def sequences(words: str, split: Callable[[str], list[str]], *, cjk: bool) -> list[tuple[bool, list[Token], list[str]]]:
    """(whether it must open its sentence, token patterns, the element each of them comes from) for every reading.

    `split` gives the norms of a literal's tokens. Raises ValueError for a pattern with too many readings.
    """
    elements = words.split()
    anchored = elements[:1] == ["^"]
    choices = [list(_choices(element, split, cjk=cjk)) for element in elements[anchored:]]
    readings = list(product(*choices))
    if len(readings) > _EXPANDED:
        raise ValueError(f"{words!r} stands for {len(readings)} sequences; split it into two patterns")
    return [
        (anchored, [token for _, tokens in reading for token in tokens], [name for name, tokens in reading for _ in tokens])
        for reading in readings
    ]


def _choices(element: str, split: Callable[[str], list[str]], *, cjk: bool) -> Iterator[tuple[str, list[Token]]]:
    """The token sequences that one element stands for."""
    if element in ("..", "..."):
        yield element, [{"ENT_TYPE": {"NOT_IN": _TURNS}, "OP": "*"}]
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
    literals = [split(part) for part in parts if part and not _CUE.match(part)]
    if cues:
        yield cues[0] if len(cues) == 1 else "cue", [{"ENT_TYPE": {"IN": cues}}]
    single = [tokens[0] for tokens in literals if len(tokens) == 1]
    if single:
        yield "word", [{"NORM": {"IN": single}}]
    for tokens in literals:
        if len(tokens) > 1:
            yield "word", [{"NORM": token} for token in tokens]


def within_limits(alignment: Sequence[int], names: Sequence[str], *, cjk: bool) -> bool:
    """Whether no gap or label of a match is longer than it may be."""
    taken = Counter(alignment)
    return all(taken[index] <= LIMITS[name][cjk] for index, name in enumerate(names) if name in LIMITS)


def needed(tokens: Sequence[Token]) -> tuple[frozenset[str], ...]:
    """What a sentence must hold for these token patterns to match: of each set one cue or norm."""
    sets = []
    for token in tokens:
        for name in ("ENT_TYPE", "NORM"):
            wanted = token.get(name)
            if "OP" not in token and wanted:
                words = wanted.get("IN") if isinstance(wanted, dict) else [wanted]
                sets += [frozenset(words)] if words else []
    return tuple(sets)


def names_at(alignment: Sequence[int], names: Sequence[str], wanted: str) -> list[int]:
    """Places in a match whose token comes from the element `wanted`."""
    return [place for place, index in enumerate(alignment) if names[index] == wanted]
