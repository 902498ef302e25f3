"""The passages of an index in Milvus: those near by any leg are found there, and of their owners each passage is looked at.

Milvus gives what each passage scores, never terms or vectors themselves: little is sent, and the formulas are those of the arrays.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from search.encode.cache import levels_of
from search.index.engine import Asked, Facts, Flags, Opening, Places, Scored
from search.index.field import Field
from search.index.lexical import Scores, Vocabulary
from search.index.milvus.collections import LEGS, MEANT, MOST, NEAR, WORDS, Collections, Found
from search.rank.settings import Settings

POOL = 200
"""So many passages are taken of each leg and game."""
MEAN = -1
"""The number of the row that holds the mean of all vectors, and of its owner and game."""
_FIRST = 64
"""Passages with a term that are looked at first."""
Sparse = Mapping[int, float]


class Search(NamedTuple):
    """One search of a leg."""

    leg: str
    asked: Sequence[Sparse | Scores]
    wanted: str
    limit: int


def opening(collections: Collections, seal: str) -> Opening:
    """Opens the indexes of the bundle with a seal; that raises EnvironmentFault where Milvus holds another one."""
    return partial(MilvusEngine, collections, seal)


class MilvusEngine:
    """See Engine."""

    def __init__(self, collections: Collections, seal: str, folder: Path, facts: Facts, encoded: int) -> None:
        self.lexical = Vocabulary(folder)
        self._collections, self._facts, self._encoded = collections, facts, encoded
        self._with_vector = int(np.searchsorted(facts.field, Field.CONTEXT))
        self._names = collections.loaded(seal, folder.name, LEGS if encoded else LEGS[:-1])
        self._counts = (facts.bounds[:, 1] - facts.bounds[:, 0]).sum(axis=0)  # passages of each owner
        self._pool = ThreadPoolExecutor(collections.at_once, thread_name_prefix="milvus")

    def scores(self, asked: Asked, settings: Settings, questions: slice) -> Scored:
        """See Engine: each leg finds what is near, and all legs score what any has found, its kin, and the places asked for."""
        owners = self._facts.kin(np.union1d(self._near(asked), asked.places))
        return Scored(
            self._words(asked.terms, settings, questions, owners),
            None if asked.static is None else self._cosines(NEAR, asked.static, owners, self._with_vector),
            None if asked.sentence is None else self._cosines(MEANT, asked.sentence, owners, self._encoded),
        )

    def _near(self, asked: Asked) -> Places:
        """The owners that are near by any leg, in each of the games asked, ascending."""
        games = [self._facts.code(game) for game in asked.games or self._facts.games]
        heard = "" if asked.within is None else f" and lang in [-1, {asked.within}]"
        wanted = [f"game == {game}{heard}" for game in games]
        searches = [Search(leg, [vector], which, POOL) for leg, vector in self._asked(asked) for which in wanted]
        if asked.games:  # words count as a share of the best of all
            searches += [Search(WORDS, [vector], f"game >= 0{heard}", _FIRST) for leg, vector in self._asked(asked) if leg == WORDS]
        parts = [hits.passages for answer in self._answers(searches) for hits in answer]
        return np.unique(self._facts.whose[np.concatenate(parts or [np.zeros(0, dtype=np.int64)])]).astype(np.intp)

    def _asked(self, asked: Asked) -> Iterator[tuple[str, Sparse | Scores]]:
        """What is asked of each leg."""
        if impact := self._impact(asked.terms):
            yield WORDS, impact
        for leg, vector in ((NEAR, asked.static), (MEANT, asked.sentence)):
            if vector is not None and vector.any():
                yield leg, _levels(vector)

    def _words(self, terms: Mapping[str, float], settings: Settings, questions: slice, owners: Places) -> Scores:
        scores = np.zeros(self.lexical.passages, dtype=np.float32)
        impact = self._impact(terms)
        if not impact:
            return scores
        asked = [impact, {self._presence(term): float(weight) for term, weight in terms.items() if self._knows(term)}]
        for having, held in self._answers([Search(WORDS, asked, *piece) for piece in self._pieces(owners)]):
            both = np.intersect1d(having.passages, held.passages, assume_unique=True)
            sums = having.scores[having.passages.searchsorted(both)], held.scores[held.passages.searchsorted(both)]
            own = slice(*map(int, both.searchsorted([questions.start, questions.stop])))
            scores[both] = self.lexical.worth(terms, sums, settings, own, self.lexical.mass[both[own]])
        return scores

    def _cosines(self, leg: str, vector: Scores, owners: Places, size: int) -> Scores:
        scores = np.zeros(size, dtype=np.float32)
        if vector.any():
            for [hits] in self._answers([Search(leg, [_levels(vector)], *piece) for piece in self._pieces(owners)]):
                scores[hits.passages] = np.maximum(hits.scores, 0)
        return scores

    def mean(self) -> Scores:
        """See Engine."""
        with self._collections.told():
            [row] = self._collections.client.get(self._names[MEANT], ids=[MEAN], output_fields=["vector"])
        return np.array(row["vector"], dtype=np.float32)

    def has(self, term: str, allowed: Flags | None) -> bool:
        """See Engine. Of the commonest terms so many passages are looked at as one search may give."""
        if allowed is None or not self.lexical.count(term):
            return self.lexical.count(term) > 0
        games = np.unique(self._facts.game[allowed]).tolist()
        for limit in (_FIRST, MOST):
            [[hits]] = self._answers([Search(WORDS, [{self._presence(term): 1.0}], f"game in {games}", limit)])
            if allowed[self._facts.whose[hits.passages]].any() or len(hits.passages) < limit:
                break
        return bool(allowed[self._facts.whose[hits.passages]].any())

    def met(self, owners: Sequence[int], terms: Sequence[str]) -> Flags:
        """See Engine."""
        flags: Flags = np.zeros((len(terms), len(owners)), dtype=np.bool_)
        known = [nth for nth, term in enumerate(terms) if self._knows(term)]
        if known and len(owners):
            asked, among = [{self._presence(terms[nth]): 1.0} for nth in known], np.unique(np.array(owners, dtype=np.intp))
            for answer in self._answers([Search(WORDS, asked, *piece) for piece in self._pieces(among)]):
                for nth, hits in zip(known, answer, strict=True):
                    flags[nth] |= np.isin(owners, self._facts.whose[hits.passages])
        return flags

    def _knows(self, term: str) -> bool:
        return term in self.lexical.vocabulary

    def _impact(self, terms: Mapping[str, float]) -> Sparse:
        """Weighted terms as a sparse vector, whose product with that of a passage is the sum of what they are worth in it."""
        return {self.lexical.vocabulary[term]: float(weight) for term, weight in terms.items() if self._knows(term)}

    def _presence(self, term: str) -> int:
        """The dimension that has for each passage with a term how rare it is."""
        return len(self.lexical.vocabulary) + self.lexical.vocabulary[term]

    def _pieces(self, owners: Places) -> Iterator[tuple[str, int]]:
        """The passages of some owners as expressions, each of no more than one search may give, and how many these are."""
        cut = np.cumsum(self._counts[owners]) // (MOST - int(self._counts.max(initial=0)))
        for part in np.split(owners, np.flatnonzero(np.diff(cut)) + 1):
            if count := int(self._counts[part].sum()):
                yield f"owner in {part.tolist()}", count

    def _answers(self, searches: Sequence[Search]) -> Iterator[list[Found]]:
        return self._pool.map(self._answer, searches)

    def _answer(self, search: Search) -> list[Found]:
        return self._collections.search(self._names[search.leg], search.asked, search.wanted, search.limit)


def _levels(vector: Scores) -> Scores:
    """A vector of unit length as it is compared: in 8 bits."""
    levels: Scores = levels_of(vector[None])[0].astype(np.float32)
    return levels
