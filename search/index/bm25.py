"""BM25 over memory-mapped postings, with a weight for each term of the query."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from search.index import arrays
from search.index.passages import Scores
from search.index.spelling import Spelling
from search.settings import SEARCH, SearchSettings

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

Postings = tuple[NDArray[np.int32], Scores]
"""The passages that contain a term, ascending, and its BM25 score in each."""
Sums = tuple[Scores, Scores]
"""For some passages: the summed BM25 scores and the summed idf of the query's terms, each of shape (passages,)."""
_MIN_VALUE = 1e-6


def write_bm25(folder: Path, fields: Sequence[Sequence[Sequence[str]]]) -> None:
    """Writes the index of passages, each of which is a bag of terms, field by field.

    Term frequencies and lengths are compared within a field: everyday words are rare in rules and common in questions, and a rule
    must not win because it has many indexed questions.
    """
    from scipy.sparse import vstack

    ids, vocabulary = _term_ids(fields)
    share = np.zeros(len(vocabulary))
    parts = []
    for bags in ids:
        part, field_idf = _bm25_weights(bags, len(vocabulary))
        frequency = np.diff(part.indptr)
        part.data /= np.repeat(field_idf, frequency)
        share = np.maximum(share, frequency / max(len(bags), 1))
        parts.append(part)
    matrix = vstack(parts, format="csc", dtype=np.float32)
    idf = -np.log(np.maximum(share, 0.5 / max(matrix.shape[0], 1))).astype(np.float32)  # by the greatest share of any field
    entry_idf = np.repeat(idf, np.diff(matrix.indptr))
    matrix.data *= entry_idf
    total_idf = np.bincount(matrix.indices, weights=entry_idf, minlength=matrix.shape[0]).astype(np.float32)
    columns = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr, "rarity": idf, "mass": total_idf}
    for name, values in columns.items():
        arrays.save(folder / f"{name}.npy", values)
    terms = {"passages": matrix.shape[0], "vocabulary": list(vocabulary)}
    (folder / "terms.json").write_text(json.dumps(terms, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _bm25_weights(bags: Sequence[Sequence[int]], terms: int) -> "tuple[csc_matrix, NDArray[np.float64]]":
    """Lucene's BM25 of each term in each passage of a field, shape (passages, terms), and the idf of each term in the field.

    The numbers equal those of bm25s, which counts each passage in Python and takes four times as long.
    """
    from scipy.sparse import csr_matrix

    lengths = np.fromiter(map(len, bags), dtype=np.int64, count=len(bags))
    begins = np.concatenate([[0], np.cumsum(lengths)])
    every = np.fromiter(chain.from_iterable(bags), dtype=np.int32, count=begins[-1])
    counts = csr_matrix((np.ones(len(every), dtype=np.float32), every, begins), shape=(len(bags), terms))
    counts.sum_duplicates()
    columns = counts.tocsc()
    frequency = np.diff(columns.indptr)
    if len(every):
        idf = np.array([log(1 + (len(bags) - having + 0.5) / (having + 0.5)) for having in frequency.tolist()], dtype=np.float32)
        k1, b = SEARCH.bm25_k1, SEARCH.bm25_b
        norm = k1 * ((1 - b) + b * lengths / lengths.mean())
        columns.data = (np.repeat(idf, frequency) * (columns.data / (norm[columns.indices] + columns.data))).astype(np.float32)
    return columns, np.log1p((len(bags) - frequency + 0.5) / (frequency + 0.5))


def _term_ids(fields: Sequence[Sequence[Sequence[str]]]) -> tuple[list[list[list[int]]], dict[str, int]]:
    """The bags as ids of terms, and the id of each term. Passages may share a bag, which is converted once."""
    vocabulary: dict[str, int] = {}
    converted: dict[int, list[int]] = {}
    for bag in (bag for bags in fields for bag in bags):
        if id(bag) not in converted:
            converted[id(bag)] = [vocabulary.setdefault(term, len(vocabulary)) for term in bag]
    return [[converted[id(bag)] for bag in bags] for bags in fields], vocabulary


def _power_of(values: Scores, exponent: float) -> Scores:
    """Non-negative values to a positive power, through logarithms, which are vectorised; 0 gives 0."""
    with np.errstate(divide="ignore"):
        logs: Scores = np.log(values)
    logs *= np.float32(exponent)
    return np.exp(logs, out=logs)


class Vocabulary:
    """The terms of an index and their frequencies, which suffice for query understanding. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        terms = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
        self.passages: int = terms["passages"]
        self.terms: Mapping[str, int] = {term: column for column, term in enumerate(terms["vocabulary"])}
        self._indptr, self._idf, self.total_idf = (arrays.load(folder / f"{name}.npy") for name in ("indptr", "rarity", "mass"))
        """`total_idf`: summed idf of the terms of each passage, shape (passages,)."""

    def passage_count(self, term: str) -> int:
        """The number of passages that contain a term."""
        column = self.terms.get(term)
        return 0 if column is None else int(self._indptr[column + 1] - self._indptr[column])

    def idf(self, term: str) -> float:
        """The inverse document frequency of a term, with the maximum for an unknown one."""
        column = self.terms.get(term)
        return float(np.log(2 * max(self.passages, 1))) if column is None else float(self._idf[column])

    def score(
        self, terms: Mapping[str, float], sums: Sums, settings: SearchSettings, questions: slice, total_idf: Scores
    ) -> Scores:
        """The scores of passages: BM25, reduced for low coverage of the query, and for indexed questions with many other words.

        `sums` are overwritten. `questions` are the indexed questions among the passages, `total_idf` is their total idf.
        """
        bm25, covered = sums
        query_idf = sum(weight * self.idf(term) for term, weight in terms.items())
        total_idf = np.maximum(total_idf, np.float32(_MIN_VALUE))
        focus = _power_of(np.minimum(covered[questions] / total_idf, 1), settings.question_coverage_power)
        bm25[questions] *= np.float32(settings.question_weight) * focus
        bm25 *= _power_of(covered / np.float32(max(query_idf, _MIN_VALUE)), settings.coverage_power)
        return bm25

    @cached_property
    def spelling(self) -> Spelling:
        """The intended words of mistyped ones."""
        return Spelling(self.terms, self.passage_count)


class Bm25Index(Vocabulary):
    """The vocabulary with its postings. Thread-safe and read-only."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._data, self._indices = (arrays.load(folder / f"{name}.npy") for name in ("data", "indices"))

    def scores(self, terms: Mapping[str, float], settings: SearchSettings = SEARCH, questions: slice = slice(0)) -> Scores:
        """The score of every passage for weighted terms, shape (passages,); see `score`."""
        scores = np.zeros(self.passages, dtype=np.float32)
        every = self._sum_scores(terms)
        found = np.flatnonzero(every.view(np.int64) != 0)  # integer comparison is the fastest
        sums, own = every[found], slice(*found.searchsorted((questions.start or 0, questions.stop)).tolist())
        scores[found] = self.score(terms, (sums.real.copy(), sums.imag.copy()), settings, own, self.total_idf[found[own]])
        return scores

    def _sum_scores(self, terms: Mapping[str, float]) -> NDArray[np.complex64]:
        """Summed BM25 scores and summed idf of every passage as one complex number, so that each posting is added once."""
        sums = np.zeros(self.passages, dtype=np.complex64)
        for term, weight in terms.items():
            passages, scores = self.postings(term)
            posting = np.empty(len(passages), dtype=np.complex64)
            np.multiply(scores, np.float32(weight), out=posting.real)
            posting.imag = np.float32(weight * self.idf(term))
            np.add.at(sums, passages, posting)
        return sums

    def postings(self, term: str) -> Postings:
        """The postings of a term; empty for an unknown one."""
        column = self.terms.get(term)
        start, end = (0, 0) if column is None else (self._indptr[column], self._indptr[column + 1])
        return self._indices[start:end], self._data[start:end]

    def postings_by_passage(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Scores]:
        """The postings by passage: the start of each passage, then the columns of its terms and their scores."""
        from scipy.sparse import csc_matrix

        shape = self.passages, len(self.terms)
        rows = csc_matrix((self._data, self._indices, self._indptr), shape=shape).tocsr()
        return rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data
