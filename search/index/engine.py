"""Engines score the passages of an index: their protocol, and the engine that reads the memory-mapped arrays of a bundle.

An engine may score every passage, as `MappedEngine` does, or only the candidates nearest to the question, as a vector database
does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from search.index.bm25 import Bm25Index, Vocabulary
from search.index.embeddings import read_sentences, read_static, row_slices
from search.index.passages import Ids, Scores
from search.index.rules import Flags
from search.settings import SearchSettings

_SAMPLE_STEP = 64
"""Step of the sample of passages that is examined first; it suffices for a frequent term."""


class PassageTable(NamedTuple):
    """The passages of an index and their owners, which are rules or rulings."""

    owner: NDArray[np.int32]  # of each passage
    field: NDArray[np.int8]  # of each passage
    lang: NDArray[np.int8]  # for each passage, a position in LANGUAGES; -1: it counts in every language
    game: NDArray[np.int32]  # for each owner, a position in `games`
    games: Sequence[str]
    bounds: NDArray[np.int32]  # (fields, 2, owners): first passage of each owner and the one after its last, field by field
    related: Callable[[Ids], Ids]  # some owners with those whose scores affect them, ascending

    def game_code(self, game: str) -> int:
        """The position of a game in `games`; -1 if it has no passages."""
        return self.games.index(game) if game in self.games else -1


class EngineQuery(NamedTuple):
    """The query of an engine."""

    terms: Mapping[str, float]  # term → weight
    static: Scores | None = None  # static vector of the question, of unit length
    dense: Scores | None = None  # its sentence embedding, of unit length
    games: Sequence[str] = ()  # games whose passages are needed, none: all; others may score 0
    book_lang: int | None = None  # position in LANGUAGES of the language of books; None: any
    owners: Ids = np.zeros(0, dtype=np.intp)  # owners that must be scored however far they are, ascending


class PassageScores(NamedTuple):
    """The scores of the passages of an index; 0 for passages that are not candidates."""

    bm25: Scores  # shape (passages,)
    static: Scores | None  # cosines of static vectors, at least 0; shape (passages with one,), which precede the others
    dense: Scores | None  # the same of sentence embeddings, shape (passages that may have one,); None without a query vector


class Engine(Protocol):
    """Scores the passages of one index. Thread-safe."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms of the index."""

    def scores(self, query: EngineQuery, settings: SearchSettings, questions: slice) -> PassageScores:
        """The scores of the passages; `questions` are indexed questions."""

    def mean(self) -> Scores:
        """Mean of the sentence embeddings, shape (dimensions,)."""

    def has_term(self, term: str, mask: Flags | None) -> bool:
        """Whether a passage of any allowed owner (None: of any owner) contains a term; `mask` has shape (owners,)."""

    def passages_with(self, term: str) -> Ids:
        """The passages that contain a term, ascending."""

    def terms_in(self, passages: Ids, terms: Sequence[str]) -> Flags:
        """Whether each of some passages, ascending, contains each term, shape (terms, passages)."""

    def matched_terms(self, owners: Sequence[int], terms: Sequence[str]) -> Flags:
        """Whether any passage of each owner contains each term, shape (terms, owners)."""


OpenEngine = Callable[[Path, PassageTable, int], Engine]
"""Opens the engine of an index, from its folder, its passages, and the number of leading passages that may have a sentence
embedding.
"""


def matched_terms(engine: Engine, owners: Sequence[int], terms: Iterable[str]) -> list[list[str]]:
    """For each owner, the terms that any of its passages contains."""
    every = list(terms)
    matches = engine.matched_terms(owners, every)
    return [[every[which] for which in np.flatnonzero(matches[:, nth])] for nth in range(len(owners))]


class MappedEngine:
    """The engine over the memory-mapped arrays of a bundle; it scores every passage. See Engine."""

    def __init__(self, folder: Path, table: PassageTable, encoded_count: int) -> None:
        self.vocabulary = Bm25Index(folder)
        self._table, self._encoded_count = table, encoded_count
        self._static, self._static_rows = read_static(folder)
        self._sentences = read_sentences(folder) if encoded_count else None
        self._slices: dict[str, tuple[slice, ...]] = {}  # computed for the first query of a game

    def scores(self, query: EngineQuery, settings: SearchSettings, questions: slice) -> PassageScores:
        """See Engine."""
        return PassageScores(
            self.vocabulary.scores(query.terms, settings, questions),
            None if query.static is None else self._static_cosines(query.static, query.games),
            None if query.dense is None else self._dense_cosines(query.dense),
        )

    def _static_cosines(self, vector: Scores, games: Sequence[str]) -> Scores:
        only = [rows for game in games for rows in self._game_slices(game)] if games else None
        return self._static.cosines_to(vector, only).take(self._static_rows)

    def _game_slices(self, game: str) -> tuple[slice, ...]:
        """The rows of the vectors of a game's passages."""
        if game not in self._slices:
            own = self._table.game[self._table.owner[: len(self._static_rows)]] == self._table.game_code(game)
            self._slices[game] = row_slices(self._static_rows[np.flatnonzero(own)])
        return self._slices[game]

    def _dense_cosines(self, vector: Scores) -> Scores:
        cosines = np.zeros(self._encoded_count, dtype=np.float32)
        if self._sentences:
            cosines[self._sentences.passages] = self._sentences.vectors.cosines_to(vector)
        return cosines

    def mean(self) -> Scores:
        """See Engine."""
        return self._sentences.vectors.mean_vector() if self._sentences else np.zeros(0, dtype=np.float32)

    def has_term(self, term: str, mask: Flags | None) -> bool:
        """See Engine."""
        rows = self.vocabulary.postings(term)[0]
        if mask is None or not len(rows):
            return bool(len(rows))
        return any(bool(mask[self._table.owner[self.vocabulary.passages_of(some)]].any()) for some in (rows[::_SAMPLE_STEP], rows))

    def passages_with(self, term: str) -> Ids:
        """See Engine."""
        return self.vocabulary.passages_of(self.vocabulary.postings(term)[0])

    def terms_in(self, passages: Ids, terms: Sequence[str]) -> Flags:
        """See Engine."""
        rows = self.vocabulary.rows[passages]
        return self._terms_in_spans(np.stack([rows, rows + 1]), terms)

    def matched_terms(self, owners: Sequence[int], terms: Sequence[str]) -> Flags:
        """See Engine."""
        bounds = self._table.bounds[:, :, np.array(owners, dtype=np.intp)]
        first = self.vocabulary.rows[bounds[:, 0]]  # the passages of an owner in a field have consecutive rows
        flags: Flags = np.any(self._terms_in_spans(np.stack([first, first + bounds[:, 1] - bounds[:, 0]]), terms), axis=1)
        return flags

    def _terms_in_spans(self, spans: NDArray[np.int32], terms: Sequence[str]) -> Flags:
        """Whether any row of each span contains each term, shape (terms, …); `spans` has shape (2, …): first row and end."""
        cuts = np.array([self.vocabulary.postings(term)[0].searchsorted(spans) for term in terms])
        cuts = cuts.reshape(len(terms), *spans.shape)  # without any term, too
        flags: Flags = cuts[:, 1] > cuts[:, 0]
        return flags
