"""BM25 over memory-mapped postings, with a weight for each term of the query.

Passages with the same terms share a row of the postings: the editions of a book repeat most of its rules. Frequencies and mean
lengths count every passage, so that the scores are those of an index with a row for each.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.index import arrays
from search.index.passages import Ids, Scores
from search.index.spelling import Spelling
from search.settings import SEARCH, SearchSettings

Rows = NDArray[np.int32]
"""The row of each passage, shape (passages,). The passages of a field precede those of the next one, and so do their rows."""
Postings = tuple[NDArray[np.int32], Scores]
"""The rows that contain a term, ascending, and its BM25 score in each."""
Sums = tuple[Scores, Scores]
"""For some passages or rows: the summed BM25 scores and the summed idf of the query's terms, each of the same shape."""
_MIN_VALUE = 1e-6
_LOW_BITS, _LOW, _MAX_COUNT = 32, (1 << 32) - 1, np.iinfo(np.uint16).max


class Bags(NamedTuple):
    """Some passages as bags of terms: the number of terms of each, and its distinct terms with their numbers."""

    length: NDArray[np.int32]  # shape (passages,)
    begins: NDArray[np.int64]  # first entry of each passage, and the end of the last one
    terms: NDArray[np.int32]  # ids, shape (entries,)
    counts: NDArray[np.uint16]  # shape (entries,)

    @classmethod
    def joined(cls, parts: "Sequence[Bags]") -> "Bags":
        """Passages one after the other."""
        ends = list(accumulate((len(part.terms) for part in parts), initial=0))
        begins = [part.begins[:-1] + end for part, end in zip(parts, ends, strict=False)]
        return cls(
            np.concatenate([part.length for part in parts]),
            np.concatenate([*begins, np.array(ends[-1:])]),
            np.concatenate([part.terms for part in parts]),
            np.concatenate([part.counts for part in parts]),
        )

    def rows(self, passages: NDArray[np.intp]) -> "Bags":
        """Some of the passages, in this order."""
        if len(passages) and np.array_equal(passages, np.arange(passages[0], passages[0] + len(passages))):
            return self._slice(int(passages[0]), int(passages[0]) + len(passages))
        sizes = np.diff(self.begins)[passages]
        begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        entries = np.repeat(self.begins[passages] - begins[:-1], sizes) + np.arange(begins[-1])
        return Bags(self.length[passages], begins, self.terms[entries], self.counts[entries])

    def _slice(self, first: int, end: int) -> "Bags":
        begin, stop = int(self.begins[first]), int(self.begins[end])
        begins = self.begins[first : end + 1] - begin
        return Bags(self.length[first:end], begins, self.terms[begin:stop], self.counts[begin:stop])


NO_BAGS = Bags(np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint16))


def counted_terms(bags: Sequence[Sequence[str]]) -> tuple[list[str], Bags]:
    """The sorted vocabulary of some passages, and their terms by position in it.

    Passages may share a bag, which is converted once.
    """
    vocabulary: dict[str, int] = {}
    ids_of_bag: dict[int, list[int]] = {}
    for bag in bags:
        if id(bag) not in ids_of_bag:
            ids_of_bag[id(bag)] = [vocabulary.setdefault(term, len(vocabulary)) for term in bag]
    ids = [ids_of_bag[id(bag)] for bag in bags]
    lengths = np.fromiter(map(len, ids), dtype=np.int32, count=len(ids))
    terms = sorted(vocabulary)
    places = np.zeros(len(terms), dtype=np.int64)
    places[[vocabulary[term] for term in terms]] = np.arange(len(terms))
    every = places[np.fromiter(chain.from_iterable(ids), dtype=np.int32, count=int(lengths.sum()))]
    entries, counts = np.unique(_pairs(np.repeat(np.arange(len(ids)), lengths), every), return_counts=True)
    begins = np.searchsorted(entries, _pairs(np.arange(len(ids) + 1), 0)).astype(np.int64)
    return terms, Bags(lengths, begins, (entries & _LOW).astype(np.int32), np.minimum(counts, _MAX_COUNT).astype(np.uint16))


def _pairs(high: NDArray[Any], low: NDArray[Any] | int) -> NDArray[np.int64]:
    """Pairs of integers as one each, whose order is that of the pairs; NumPy sorts these faster than SciPy sorts a matrix."""
    pairs = high.astype(np.int64)
    pairs <<= _LOW_BITS
    pairs |= low
    return pairs


def merged_terms(parts: Sequence[tuple[Sequence[str], Bags]]) -> tuple[list[str], Bags]:
    """The sorted vocabulary of passages, each part with its own sorted one, and all the passages by position in it."""
    used_terms = [np.unique(bags.terms).tolist() for _, bags in parts]
    vocabulary = sorted({own[term] for (own, _), terms in zip(parts, used_terms, strict=True) for term in terms})
    places = {term: place for place, term in enumerate(vocabulary)}
    new_bags: list[Bags] = []
    for (own, bags), terms in zip(parts, used_terms, strict=True):
        place = np.zeros(len(own), dtype=np.int32)
        place[terms] = [places[own[term]] for term in terms]
        new_bags.append(bags._replace(terms=place[bags.terms]))
    return vocabulary, Bags.joined(new_bags)


def write_bm25(folder: Path, fields: Sequence[Sequence[Sequence[str]]]) -> None:
    """Writes the index of passages, each of which is a bag of terms, field by field."""
    vocabulary, every = counted_terms([bag for bags in fields for bag in bags])
    ends = np.cumsum([0, *map(len, fields)]).tolist()
    parts = [every.rows(np.arange(first, last)) for first, last in pairwise(ends)]
    write_weights(folder, vocabulary, parts, np.arange(len(every.length), dtype=np.int32))


def write_weights(folder: Path, vocabulary: Sequence[str], fields: Sequence[Bags], rows: Rows) -> None:
    """Writes the index of distinct passages field by field; their terms are positions in `vocabulary`. `rows` are of all passages.

    Term frequencies and lengths are compared within a field: everyday words are rare in rules and common in questions, and a rule
    must not win because it has many indexed questions.
    """
    from scipy.sparse import csr_matrix

    every = Bags.joined(fields)
    row_passages = np.bincount(rows, minlength=len(every.length))  # number of passages of each row
    ends = accumulate((len(bags.length) for bags in fields), initial=0)
    passages_of_fields = [row_passages[first:last] for first, last in pairwise(ends)]
    share, frequencies = np.zeros(len(vocabulary)), np.zeros(len(vocabulary), dtype=np.int64)
    for bags, passages in zip(fields, passages_of_fields, strict=True):
        term_passages = np.bincount(bags.terms, np.repeat(passages, np.diff(bags.begins)), minlength=len(vocabulary))
        share = np.maximum(share, term_passages / max(passages.sum(), 1))
        frequencies += term_passages.astype(np.int64)
    idf = -np.log(np.maximum(share, 0.5 / max(len(rows), 1))).astype(np.float32)  # by the greatest share of any field
    weights = idf[every.terms]
    row = np.repeat(np.arange(len(every.length), dtype=np.int32), np.diff(every.begins))
    total_idf = np.bincount(row, weights=weights, minlength=len(every.length)).astype(np.float32)
    del row
    weights *= np.concatenate(list(map(_saturated_counts, fields, passages_of_fields)) or [weights])
    shape = len(every.length), len(vocabulary)
    postings = csr_matrix((weights, every.terms, every.begins), shape=shape).tocsc()  # keeps the rows of a term in order
    columns = {
        "data": postings.data,
        "indices": postings.indices.astype(np.int32, copy=False),
        "indptr": postings.indptr.astype(np.int32, copy=False),
        "rarity": idf,
        "frequencies": frequencies.astype(np.int32),
        "mass": total_idf,
        "rows": rows.astype(np.int32, copy=False),
    }
    for name, values in columns.items():
        arrays.save(folder / f"{name}.npy", values)
    terms = {"passages": len(rows), "vocabulary": list(vocabulary)}
    (folder / "terms.json").write_text(json.dumps(terms, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _saturated_counts(bags: Bags, passages: NDArray[np.intp]) -> Scores:
    """Lucene's BM25 of each entry of a field without the idf; `passages` has the number of passages of each row."""
    k1, b = SEARCH.bm25_k1, SEARCH.bm25_b
    mean_length = float(bags.length @ passages) / max(int(passages.sum()), 1)
    norm = k1 * ((1 - b) + b * bags.length / max(mean_length, _MIN_VALUE))
    return (bags.counts / (np.repeat(norm, np.diff(bags.begins)) + bags.counts)).astype(np.float32)


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
        self._indptr, self._idf, self._total_idf = (arrays.load(folder / f"{name}.npy") for name in ("indptr", "rarity", "mass"))
        self.row_count = len(self._total_idf)
        has_rows = (folder / "rows.npy").exists()  # an index of the previous version has a row for each passage
        self.rows: Rows = arrays.load(folder / "rows.npy") if has_rows else np.arange(self.passages, dtype=np.int32)
        self._frequencies = arrays.load(folder / "frequencies.npy") if has_rows else np.diff(self._indptr)

    def passage_count(self, term: str) -> int:
        """The number of passages that contain a term."""
        column = self.terms.get(term)
        return 0 if column is None else int(self._frequencies[column])

    def total_idf(self, passages: Ids) -> Scores:
        """The summed idf of the terms of some passages."""
        sums: Scores = self._total_idf[self.rows[passages]]
        return sums

    def idf(self, term: str) -> float:
        """The inverse document frequency of a term, with the maximum for an unknown one."""
        column = self.terms.get(term)
        return float(np.log(2 * max(self.passages, 1))) if column is None else float(self._idf[column])

    def score(
        self, terms: Mapping[str, float], sums: Sums, settings: SearchSettings, questions: slice, total_idf: Scores
    ) -> Scores:
        """The scores of passages or rows: BM25, reduced for low coverage of the query, and for indexed questions with other words.

        `sums` are overwritten. `questions` are the indexed questions among them, `total_idf` is their total idf.
        """
        bm25, covered_idf = sums
        query_idf = sum(weight * self.idf(term) for term, weight in terms.items())
        total_idf = np.maximum(total_idf, np.float32(_MIN_VALUE))
        focus = _power_of(np.minimum(covered_idf[questions] / total_idf, 1), settings.question_coverage_power)
        bm25[questions] *= np.float32(settings.question_weight) * focus
        bm25 *= _power_of(covered_idf / np.float32(max(query_idf, _MIN_VALUE)), settings.coverage_power)
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
        every = self._sum_scores(terms)
        scores = np.zeros(len(every), dtype=np.float32)
        rows = np.flatnonzero(every.view(np.int64) != 0)  # integer comparison is the fastest
        sums, own = every[rows], slice(*rows.searchsorted(self._row_bounds(questions)).tolist())
        scores[rows] = self.score(terms, (sums.real.copy(), sums.imag.copy()), settings, own, self._total_idf[rows[own]])
        return scores.take(self.rows)

    def _row_bounds(self, field: slice) -> tuple[int, int]:
        """The first row of the passages of a field, and the one after their last."""
        starts = (field.start or 0, field.stop)
        first, last = (int(self.rows[start]) if start < self.passages else self.row_count for start in starts)
        return first, last

    def _sum_scores(self, terms: Mapping[str, float]) -> NDArray[np.complex64]:
        """Summed BM25 scores and summed idf of every row as one complex number, so that each posting is added once."""
        sums = np.zeros(self.row_count, dtype=np.complex64)
        for term, weight in terms.items():
            rows, scores = self.postings(term)
            posting = np.empty(len(rows), dtype=np.complex64)
            np.multiply(scores, np.float32(weight), out=posting.real)
            posting.imag = np.float32(weight * self.idf(term))
            np.add.at(sums, rows, posting)
        return sums

    def postings(self, term: str) -> Postings:
        """The postings of a term; empty for an unknown one."""
        column = self.terms.get(term)
        start, end = (0, 0) if column is None else (self._indptr[column], self._indptr[column + 1])
        return self._indices[start:end], self._data[start:end]

    def passages_of(self, rows: NDArray[np.int32]) -> Ids:
        """The passages of some rows, ascending."""
        by_row, begins = self._passages_by_row
        sizes = begins[rows + 1] - begins[rows]
        places = np.repeat(begins[rows] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        return np.sort(by_row[places])

    @cached_property
    def _passages_by_row(self) -> tuple[Ids, Ids]:
        """The passages ordered by row, and the first place of each row in that order."""
        order = np.argsort(self.rows, kind="stable")
        return order, np.searchsorted(self.rows[order], np.arange(self.row_count + 1))

    def postings_by_row(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Scores]:
        """The postings by row: the start of each row, then the columns of its terms and their scores."""
        from scipy.sparse import csc_matrix

        shape = self.row_count, len(self.terms)
        rows = csc_matrix((self._data, self._indices, self._indptr), shape=shape).tocsr()
        return rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data
