"""What ranking asks of the passages of an index, whoever holds their terms and vectors.

An engine may look at every passage, as arrays in a file are looked through, or at those alone that may be among the first.
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

    def code(self, game: str) -> int:
        """The place of a game in `games`; -1 for one that nothing is of."""
        return self.games.index(game) if game in self.games else -1


class Asked(NamedTuple):
    """A question as an engine looks for what is near it."""

    terms: Mapping[str, float]  # term → weight
    static: Scores | None  # its vectors, of unit length; None without
    sentence: Scores | None
    games: Sequence[str] = ()  # none: all
    within: int | None = None  # place in LANGUAGES of the language that books are read in; None: any


class Engine(Protocol):
    """Terms and vectors of the passages of one index. Thread-safe.

    `among` are the owners that are looked at, ascending; None: all. Scores of the passages of others are 0.
    """

    @property
    def lexical(self) -> Vocabulary:
        """The terms."""

    def candidates(self, asked: Asked) -> Places | None:
        """The owners that are near by any leg, in each of the games asked, ascending; None where all are looked at."""

    def words(self, terms: Mapping[str, float], settings: Settings, questions: slice, among: Places | None) -> Scores:
        """The BM25 score of each passage for weighted terms, as `Lexical.scores` has it, shape (passages,)."""

    def near(self, vector: Scores, games: Sequence[str], among: Places | None) -> Scores:
        """The cosine of each static vector with one of unit length, shape (passages with a vector,), which are the first.

        0 for the opposite. `games` (none: all) are those whose passages are wanted; others may be 0.
        """

    def meant(self, vector: Scores, among: Places | None) -> Scores:
        """The same of sentence embeddings, shape (encoded,); 0 for passages without."""

    def mean(self) -> Scores:
        """The mean of the sentence embeddings, each of unit length; shape (dimensions,)."""

    def has(self, term: str, allowed: Flags | None) -> bool:
        """Whether a passage of any of the owners that are allowed (None: all), shape (owners,), has a term."""

    def met(self, owners: Sequence[int], terms: Sequence[str]) -> Flags:
        """Whether any passage of each owner has a term; shape (terms, owners)."""


Opening = Callable[[Path, Facts, int], Engine]
"""Opens the engine of an index: its folder, what is known of its passages, and how many, the first, may have a sentence vector."""
