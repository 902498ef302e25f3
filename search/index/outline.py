"""Where a rule stands in its book: the rule it is a part of, its section, and whether that is of a variant of the game."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.contract import RuleRecord
from corpus.words.lexicon import Lexicon
from corpus.words.text import fold
from corpus.words.tokens import Token
from search.index.rules import Flags

FILE = Path(__file__).parents[1] / "data" / "variants.toml"
NOWHERE = -1
"""The place of what there is none of."""
_NUMBER = re.compile(r"^[\d.\-\s]+")
_SAID = "variant"
Places = NDArray[np.int32]
"""A place among the rules, or NOWHERE, for each rule; shape (rules,)."""


class Outline:
    """The outline of the books in an index, by place."""

    def __init__(self, parents: Sequence[int], variants: Sequence[int], heading: Flags) -> None:
        """`parents` has a place for each rule, `variants` the places of the rules of variants."""
        self.parent: Places = np.array(parents, dtype=np.int32)
        self.section = _above(self.parent, heading)
        """The nearest heading above each rule."""
        self.whole = _whole(self.parent, heading)
        """The rule that each is a part of, of however many levels: itself where it stands right under a heading."""
        self.variant: Flags = np.zeros(len(parents), dtype=np.bool_)
        self.variant[list(variants)] = True


def parents(records: Sequence[RuleRecord], places: Mapping[str, int]) -> list[int]:
    """The place of each rule's parent."""
    return [places.get(record["parent"] or "", NOWHERE) for record in records]


def variants(records: Sequence[RuleRecord]) -> list[int]:
    """The places of the rules under a title of `variants.toml`."""
    known, folded = {fold(title) for title in _data()["titles"]}, cache(fold)
    return [place for place, record in enumerate(records) if any(folded(title) in known for title in _titles(record))]


def names_variant(words: Sequence[Token]) -> bool:
    """Whether a question speaks of a variant."""
    return next(iter(_lexicon().find(words)), None) is not None


def variant_words() -> Sequence[str]:
    """The words of a question that speak of a variant."""
    return _data()["words"]


def _titles(record: RuleRecord) -> Iterator[str]:
    return (_NUMBER.sub("", title) for titles in record["headings"].values() for title in titles)


@cache
def _data() -> Mapping[str, list[str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def _lexicon() -> Lexicon:
    return Lexicon((word, _SAID) for word in variant_words())


def _above(parent: Places, heading: Flags) -> Places:
    above = parent.copy()
    while (further := (above >= 0) & ~heading[above]).any():
        above[further] = parent[above[further]]
    return above


def _whole(parent: Places, heading: Flags) -> Places:
    whole = np.arange(len(parent), dtype=np.int32)
    while (further := (parent[whole] >= 0) & ~heading[parent[whole]]).any():
        whole[further] = parent[whole[further]]
    return whole
