"""The passages of an index in arrays on disk, memory-mapped: every passage is looked at."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from search.index import sentences, vectors
from search.index.cosines import runs
from search.index.engine import Asked, Facts, Flags, Scored
from search.index.lexical import Lexical, Scores
from search.rank.settings import Settings

_SPREAD = 64
"""Of so many passages that have a term one is looked at first: of a common word that is enough."""


class Mapped:
    """See Engine."""

    def __init__(self, folder: Path, facts: Facts, encoded: int) -> None:
        self.lexical = Lexical(folder)
        self._facts, self._encoded = facts, encoded
        self._vectors, self._rows = vectors.read(folder)
        self._sentences = sentences.read(folder) if encoded else None
        self._runs_of: dict[str, tuple[slice, ...]] = {}  # worked out when a game is first asked

    def scores(self, asked: Asked, settings: Settings, questions: slice) -> Scored:
        """See Engine."""
        return Scored(
            self.lexical.scores(asked.terms, settings, questions),
            None if asked.static is None else self._static(asked.static, asked.games),
            None if asked.sentence is None else self._meant(asked.sentence),
        )

    def _static(self, vector: Scores, games: Sequence[str]) -> Scores:
        only = [run for game in games for run in self._runs(game)] if games else None
        return self._vectors.cosines(vector, only).take(self._rows)

    def _runs(self, game: str) -> tuple[slice, ...]:
        """Where the vectors of a game's passages lie."""
        if game not in self._runs_of:
            own = self._facts.game[self._facts.whose[: len(self._rows)]] == self._facts.code(game)
            self._runs_of[game] = runs(self._rows[np.flatnonzero(own)])
        return self._runs_of[game]

    def _meant(self, vector: Scores) -> Scores:
        cosines = np.zeros(self._encoded, dtype=np.float32)
        if self._sentences:
            cosines[self._sentences.rows] = self._sentences.vectors.cosines(vector)
        return cosines

    def mean(self) -> Scores:
        """See Engine."""
        return self._sentences.vectors.mean() if self._sentences else np.zeros(0, dtype=np.float32)

    def has(self, term: str, allowed: Flags | None) -> bool:
        """See Engine."""
        having = self.lexical.postings(term)[0]
        if allowed is None or not len(having):
            return bool(len(having))
        return any(bool(allowed[self._facts.whose[some]].any()) for some in (having[::_SPREAD], having))

    def met(self, owners: Sequence[int], terms: Sequence[str]) -> Flags:
        """See Engine."""
        bounds = self._facts.bounds[:, :, np.array(owners, dtype=np.intp)]
        cuts = np.array([self.lexical.postings(term)[0].searchsorted(bounds) for term in terms])
        cuts = cuts.reshape(len(terms), *bounds.shape)  # also without any term
        flags: Flags = np.any(cuts[:, :, 1] > cuts[:, :, 0], axis=1).reshape(len(terms), len(owners))
        return flags
