"""The engine of an index in Milvus: each signal finds candidates, and then every passage of their owners is scored.

Milvus returns scores of passages, never terms or vectors, so little data is transferred. The formulas are those of `MappedEngine`.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from search.encode.cache import quantise
from search.index.bm25 import Vocabulary
from search.index.engine import EngineQuery, PassageScores, PassageTable
from search.index.milvus.collections import BM25, DENSE, MAX_HITS, SIGNALS, STATIC, Collections, FoundPassages
from search.index.passages import Ids, Scores
from search.index.rules import Flags
from search.settings import Field, SearchSettings

CANDIDATE_COUNT = 200
"""Number of passages that each signal finds in each game."""
MEAN_OWNER = -1
"""Id, owner and game of the row with the mean of all vectors."""
_SAMPLE_STEP = 64
"""Number of passages with a term that are examined first."""
SparseVector = Mapping[int, float]


class MilvusSearch(NamedTuple):
    """One search request."""

    signal: str
    vectors: Sequence[SparseVector | Scores]
    expression: str
    limit: int


class MilvusEngine:
    """See Engine."""

    def __init__(self, collections: Collections, seal: str, folder: Path, table: PassageTable, encoded_count: int) -> None:
        """`seal` is that of the bundle. Raises EnvironmentFault if Milvus holds another bundle."""
        self.vocabulary = Vocabulary(folder)
        self._collections, self._table, self._encoded_count = collections, table, encoded_count
        self._with_static = int(np.searchsorted(table.field, Field.CONTEXT))
        self._names = collections.load(seal, folder.name, SIGNALS if encoded_count else SIGNALS[:-1])
        self._passage_counts = (table.bounds[:, 1] - table.bounds[:, 0]).sum(axis=0)  # of each owner
        self._pool = ThreadPoolExecutor(collections.concurrency, thread_name_prefix="milvus")

    def scores(self, query: EngineQuery, settings: SearchSettings, questions: slice) -> PassageScores:
        """See Engine: every signal scores the union of the candidates, the owners related to them, and the owners in the query."""
        owners = self._table.related(np.union1d(self._candidates(query), query.owners))
        return PassageScores(
            self._bm25_scores(query.terms, settings, questions, owners),
            None if query.static is None else self._cosine_scores(STATIC, query.static, owners, self._with_static),
            None if query.dense is None else self._cosine_scores(DENSE, query.dense, owners, self._encoded_count),
        )

    def _candidates(self, query: EngineQuery) -> Ids:
        """The owners of the nearest passages by each signal in each game, ascending."""
        games = [self._table.game_code(game) for game in query.games or self._table.games]
        in_lang = "" if query.book_lang is None else f" and lang in [-1, {query.book_lang}]"
        expressions = [f"game == {game}{in_lang}" for game in games]
        vectors = list(self._query_vectors(query))
        searches = [MilvusSearch(signal, [vector], which, CANDIDATE_COUNT) for signal, vector in vectors for which in expressions]
        if query.games:  # BM25 is normalised by the best passage of all games
            searches += [
                MilvusSearch(BM25, [vector], f"game >= 0{in_lang}", _SAMPLE_STEP) for signal, vector in vectors if signal == BM25
            ]
        parts = [hits.passages for answer in self._run_searches(searches) for hits in answer]
        return np.unique(self._table.owner[np.concatenate(parts or [np.zeros(0, dtype=np.int64)])]).astype(np.intp)

    def _query_vectors(self, query: EngineQuery) -> Iterator[tuple[str, SparseVector | Scores]]:
        if impact := self._impact_vector(query.terms):
            yield BM25, impact
        for signal, vector in ((STATIC, query.static), (DENSE, query.dense)):
            if vector is not None and vector.any():
                yield signal, _quantise_query(vector)

    def _bm25_scores(self, terms: Mapping[str, float], settings: SearchSettings, questions: slice, owners: Ids) -> Scores:
        scores = np.zeros(self.vocabulary.passages, dtype=np.float32)
        impact = self._impact_vector(terms)
        if not impact:
            return scores
        idf = {self._idf_dimension(term): float(weight) for term, weight in terms.items() if self._is_known(term)}
        for impacts, idf_sums in self._run_searches([MilvusSearch(BM25, [impact, idf], *batch) for batch in self._batches(owners)]):
            both = np.intersect1d(impacts.passages, idf_sums.passages, assume_unique=True)
            sums = impacts.scores[impacts.passages.searchsorted(both)], idf_sums.scores[idf_sums.passages.searchsorted(both)]
            own = slice(*map(int, both.searchsorted([questions.start, questions.stop])))
            scores[both] = self.vocabulary.score(terms, sums, settings, own, self.vocabulary.total_idf(both[own]))
        return scores

    def _cosine_scores(self, signal: str, vector: Scores, owners: Ids, size: int) -> Scores:
        scores = np.zeros(size, dtype=np.float32)
        if vector.any():
            for [hits] in self._run_searches(
                [MilvusSearch(signal, [_quantise_query(vector)], *batch) for batch in self._batches(owners)]
            ):
                scores[hits.passages] = np.maximum(hits.scores, 0)
        return scores

    def mean(self) -> Scores:
        """See Engine."""
        with self._collections.convert_errors():
            [row] = self._collections.client.get(self._names[DENSE], ids=[MEAN_OWNER], output_fields=["vector"])
        return np.array(row["vector"], dtype=np.float32)

    def has_term(self, term: str, mask: Flags | None) -> bool:
        """See Engine. For the most frequent terms, only as many passages are checked as one search may return."""
        if mask is None or not self.vocabulary.passage_count(term):
            return self.vocabulary.passage_count(term) > 0
        games = np.unique(self._table.game[mask]).tolist()
        for limit in (_SAMPLE_STEP, MAX_HITS):
            [[hits]] = self._run_searches([MilvusSearch(BM25, [{self._idf_dimension(term): 1.0}], f"game in {games}", limit)])
            if mask[self._table.owner[hits.passages]].any() or len(hits.passages) < limit:
                break
        return bool(mask[self._table.owner[hits.passages]].any())

    def passages_with(self, term: str) -> Ids:
        """See Engine. For the most frequent terms, only as many passages as one search may return."""
        if not self._is_known(term):
            return np.zeros(0, dtype=np.intp)
        [[hits]] = self._run_searches([MilvusSearch(BM25, [{self._idf_dimension(term): 1.0}], "game >= 0", MAX_HITS)])
        return np.sort(hits.passages).astype(np.intp)

    def terms_in(self, passages: Ids, terms: Sequence[str]) -> Flags:
        """See Engine."""
        flags: Flags = np.array([np.isin(passages, self.passages_with(term)) for term in terms], dtype=np.bool_)
        return flags.reshape(len(terms), len(passages))

    def matched_terms(self, owners: Sequence[int], terms: Sequence[str]) -> Flags:
        """See Engine."""
        flags: Flags = np.zeros((len(terms), len(owners)), dtype=np.bool_)
        known_terms = [nth for nth, term in enumerate(terms) if self._is_known(term)]
        if known_terms and len(owners):
            vectors = [{self._idf_dimension(terms[nth]): 1.0} for nth in known_terms]
            distinct = np.unique(np.array(owners, dtype=np.intp))
            for answer in self._run_searches([MilvusSearch(BM25, vectors, *batch) for batch in self._batches(distinct)]):
                for nth, hits in zip(known_terms, answer, strict=True):
                    flags[nth] |= np.isin(owners, self._table.owner[hits.passages])
        return flags

    def _is_known(self, term: str) -> bool:
        return term in self.vocabulary.terms

    def _impact_vector(self, terms: Mapping[str, float]) -> SparseVector:
        """A sparse vector whose product with a passage's is the weighted sum of the terms' BM25 scores in it."""
        return {self.vocabulary.terms[term]: float(weight) for term, weight in terms.items() if self._is_known(term)}

    def _idf_dimension(self, term: str) -> int:
        """The dimension with the idf of a term in each passage that contains it."""
        return len(self.vocabulary.terms) + self.vocabulary.terms[term]

    def _batches(self, owners: Ids) -> Iterator[tuple[str, int]]:
        """Expressions for the passages of owners, each for no more passages than one search may return, and their numbers."""
        batch_numbers = np.cumsum(self._passage_counts[owners]) // (MAX_HITS - int(self._passage_counts.max(initial=0)))
        for part in np.split(owners, np.flatnonzero(np.diff(batch_numbers)) + 1):
            if count := int(self._passage_counts[part].sum()):
                yield f"owner in {part.tolist()}", count

    def _run_searches(self, searches: Sequence[MilvusSearch]) -> Iterator[list[FoundPassages]]:
        return self._pool.map(self._search, searches)

    def _search(self, search: MilvusSearch) -> list[FoundPassages]:
        return self._collections.search(self._names[search.signal], search.vectors, search.expression, search.limit)


def _quantise_query(vector: Scores) -> Scores:
    """A query vector of unit length as int8 codes, the precision of the stored ones."""
    codes: Scores = quantise(vector[None])[0].astype(np.float32)
    return codes
