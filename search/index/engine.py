"""Who holds the terms and vectors of the passages of an index, and scores them.

An engine may score every passage, as the arrays in a bundle do, or those near the question alone, as a server does.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from search.index.lexical import Scores, Vocabulary
from search.rank.settings import Settings

Flags = NDArray[np.bool_]
Places = NDArray[np.intp]


class Facts(NamedTuple):
    """What is known of the passages of an index beside terms and vectors: whose they are (rules', or rulings'), and more."""

    whose: NDArray[np.int32]  # the owner of each passage
    field: NDArray[np.int8]  # of each passage
    lang: NDArray[np.int8]  # of each passage, a place in LANGUAGES; -1: it counts in every language
    game: NDArray[np.int32]  # of each owner, a place in `games`
    games: Sequence[str]
    bounds: NDArray[np.int32]  # (fields, 2, owners): where the passages of an owner begin and end, field by field
    kin: Callable[[Places], Places]  # some owners with those whose scores count for them, ascending

    def code(self, game: str) -> int:
        """The place of a game in `games`; -1 for one that nothing is of."""
        return self.games.index(game) if game in self.games else -1


class Asked(NamedTuple):
    """What passages are scored for."""

    terms: Mapping[str, float]  # term → weight
    static: Scores | None = None  # the question's vectors, of unit length; None without
    sentence: Scores | None = None
    games: Sequence[str] = ()  # whose passages are wanted, none: all; those of others may score 0
    within: int | None = None  # place in LANGUAGES of the language that books are read in; None: any
    places: Places = np.zeros(0, dtype=np.intp)  # owners that rank by more than this, ascending: scored however far they are


class Scored(NamedTuple):
    """The scores of the passages of an index; 0 for those that are far from the question."""

    words: Scores  # BM25, as `Lexical.scores` has it, shape (passages,)
    static: Scores | None  # cosines of the static vectors, 0 for the opposite, shape (passages with one,), which are the first
    meant: Scores | None  # the same of the sentence vectors, shape (encoded,); None where no vector was asked


class Engine(Protocol):
    """Terms and vectors of the passages of one index. Thread-safe."""

    @property
    def lexical(self) -> Vocabulary:
        """The terms."""

    def scores(self, asked: Asked, settings: Settings, questions: slice) -> Scored:
        """The scores of the passages, of which `questions` are questions."""

    def mean(self) -> Scores:
        """The mean of the sentence embeddings, each of unit length; shape (dimensions,)."""

    def has(self, term: str, allowed: Flags | None) -> bool:
        """Whether a passage of any of the owners that are allowed (None: all), shape (owners,), has a term."""

    def met(self, owners: Sequence[int], terms: Sequence[str]) -> Flags:
        """Whether any passage of each owner has a term; shape (terms, owners)."""


Opening = Callable[[Path, Facts, int], Engine]
"""Opens the engine of an index: its folder, what is known of its passages, and how many, the first, may have a sentence vector."""
