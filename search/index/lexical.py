"""BM25 over terms, memory-mapped, with a weight for each term of the query."""

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from search.index import arrays
from search.rank.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

Scores = NDArray[np.float32]
Postings = tuple[NDArray[np.int32], Scores]
"""Passages, ascending, and what a term is worth in each."""
Sums = tuple[Scores, Scores]
"""Of some passages the sum of what terms are worth in each, and how much of what is asked they are; shapes (passages,)."""
K1, B = 1.2, 0.6
"""Robertson and Zaragoza's saturation and length normalisation; figures between 0.6 and 2, 0.3 and 0.9 differ within noise."""

_LEAST = 1e-6
_LONG = 8
"""Letters from which on a word may hold two slips."""


def write(folder: Path, fields: Sequence[Sequence[Sequence[str]]]) -> None:
    """Writes the index of some passages, each a bag of terms, field after field.

    What is rare, and how long a passage is, is told within its field: everyday words are rare in rules and common in
    questions, and a rule must not win because it is asked about.
    """
    from scipy.sparse import vstack

    ids, vocabulary = _numbered(fields)
    share = np.zeros(len(vocabulary))
    parts = []
    for bags in ids:
        part, rarity = _weighed(bags, len(vocabulary))
        there = np.diff(part.indptr)
        part.data /= np.repeat(rarity, there)
        share = np.maximum(share, there / max(len(bags), 1))
        parts.append(part)
    whole = vstack(parts, format="csc", dtype=np.float32)
    rarity = rarity_of(share, whole.shape[0]).astype(np.float32)
    worth = np.repeat(rarity, np.diff(whole.indptr))
    whole.data *= worth
    mass = np.bincount(whole.indices, weights=worth, minlength=whole.shape[0]).astype(np.float32)
    columns = {"data": whole.data, "indices": whole.indices, "indptr": whole.indptr, "rarity": rarity, "mass": mass}
    for name, values in columns.items():
        arrays.save(folder / f"{name}.npy", values)
    words = {"passages": whole.shape[0], "vocabulary": list(vocabulary)}
    (folder / "terms.json").write_text(json.dumps(words, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _weighed(bags: Sequence[Sequence[int]], terms: int) -> "tuple[csc_matrix, NDArray[np.float64]]":
    """BM25 as Lucene has it of each term in each passage of a field, shape (passages, terms), and how rare each term is.

    The figures are those of bm25s, which counts passage by passage in Python and takes four times as long.
    """
    from scipy.sparse import csr_matrix

    lengths = np.fromiter(map(len, bags), dtype=np.int64, count=len(bags))
    begins = np.concatenate([[0], np.cumsum(lengths)])
    every = np.fromiter(chain.from_iterable(bags), dtype=np.int32, count=begins[-1])
    counted = csr_matrix((np.ones(len(every), dtype=np.float32), every, begins), shape=(len(bags), terms))
    counted.sum_duplicates()
    columns = counted.tocsc()
    there = np.diff(columns.indptr)
    rarity = np.log1p((len(bags) - there + 0.5) / (there + 0.5))
    if len(every):
        worth = np.array([log(1 + (len(bags) - having + 0.5) / (having + 0.5)) for having in there.tolist()], dtype=np.float32)
        long = K1 * ((1 - B) + B * lengths / lengths.mean())
        columns.data = (np.repeat(worth, there) * (columns.data / (long[columns.indices] + columns.data))).astype(np.float32)
    return columns, rarity


def _numbered(fields: Sequence[Sequence[Sequence[str]]]) -> tuple[list[list[list[int]]], dict[str, int]]:
    """The bags with a number in the place of each term, and these numbers. One bag may be that of many passages."""
    vocabulary: dict[str, int] = {}
    known: dict[int, list[int]] = {}
    for bag in (bag for bags in fields for bag in bags):
        if id(bag) not in known:
            known[id(bag)] = [vocabulary.setdefault(term, len(vocabulary)) for term in bag]
    return [[known[id(bag)] for bag in bags] for bags in fields], vocabulary


def rarity_of(share: NDArray[np.float64], passages: int) -> NDArray[np.float64]:
    """What a term is worth that stands in a share of a field's passages."""
    return -np.log(np.maximum(share, 0.5 / max(passages, 1)))


def _power(values: Scores, exponent: float) -> Scores:
    """Some figures from 0 on to a power above 0. By logarithms, which processors work out for many at once; that of 0 gives 0."""
    with np.errstate(divide="ignore"):
        raised: Scores = np.log(values)
    raised *= np.float32(exponent)
    return np.exp(raised, out=raised)


class Vocabulary:
    """The terms of an index and what each is worth: all that reading a question asks of it. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        words = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
        self.passages: int = words["passages"]
        self.vocabulary: Mapping[str, int] = {term: column for column, term in enumerate(words["vocabulary"])}
        self._indptr, self._rarity, self.mass = (arrays.load(folder / f"{name}.npy") for name in ("indptr", "rarity", "mass"))
        self._words: list[str] | None = None  # Latin words, gathered when the first slip is to be mended

    def count(self, term: str) -> int:
        """How many passages have a term."""
        column = self.vocabulary.get(term)
        return 0 if column is None else int(self._indptr[column + 1] - self._indptr[column])

    def worth(self, terms: Mapping[str, float], sums: Sums, settings: Settings, questions: slice, mass: Scores) -> Scores:
        """The scores of some passages: BM25, less for what holds little of what is asked and for a question that asks much else.

        `sums` are written over. `questions` are those of the passages that are one, `mass` is all that these ask.
        """
        summed, held = sums
        asked = sum(weight * self.rarity(term) for term, weight in terms.items())
        mass = np.maximum(mass, np.float32(_LEAST))
        share = _power(np.minimum(held[questions] / mass, 1), settings.asks_else)
        summed[questions] *= np.float32(settings.question) * share
        summed *= _power(held / np.float32(max(asked, _LEAST)), settings.asked_share)
        return summed

    def rarity(self, term: str) -> float:
        """What a term is worth: the logarithm of one in how many passages has it; most for an unknown one."""
        column = self.vocabulary.get(term)
        return float(np.log(2 * max(self.passages, 1))) if column is None else float(self._rarity[column])

    def nearest(self, word: str) -> str | None:
        """The commonest known word of Latin script that one slip of the finger (two in a long word) turns into this one."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        slips = 1 if len(word) < _LONG else 2
        near = extract(word, self._latin(), scorer=OSA.distance, score_cutoff=slips, limit=8)
        best = min(near, key=lambda term: (term[1], -self.count(term[0]), term[0]), default=None)
        return str(best[0]) if best and best[0][:1] == word[:1] else None

    def _latin(self) -> list[str]:
        if self._words is None:
            self._words = [term for term in self.vocabulary if len(term) > 2 and term.isascii() and term.isalpha()]
        return self._words


class Lexical(Vocabulary):
    """An index on disk with its postings. Thread-safe: nothing changes after it is opened."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._data, self._indices = (arrays.load(folder / f"{name}.npy") for name in ("data", "indices"))

    def scores(self, terms: Mapping[str, float], settings: Settings = DEFAULT, questions: slice = slice(0)) -> Scores:
        """The score of every passage, shape (passages,), for weighted terms; see `worth`. Most passages have none of the terms."""
        scores = np.zeros(self.passages, dtype=np.float32)
        both = self._summed(terms)
        there = np.flatnonzero(both.view(np.int64) != 0)  # as whole numbers: no other look at them is as quick
        sums, own = both[there], slice(*there.searchsorted((questions.start or 0, questions.stop)).tolist())
        scores[there] = self.worth(terms, (sums.real.copy(), sums.imag.copy()), settings, own, self.mass[there[own]])
        return scores

    def _summed(self, terms: Mapping[str, float]) -> NDArray[np.complex64]:
        """Sums of all passages, the two as parts of one complex number: each is looked up once for each of its terms."""
        both = np.zeros(self.passages, dtype=np.complex64)
        for term, weight in terms.items():
            where, values = self.postings(term)
            each = np.empty(len(where), dtype=np.complex64)
            np.multiply(values, np.float32(weight), out=each.real)
            each.imag = np.float32(weight * self.rarity(term))
            np.add.at(both, where, each)
        return both

    def postings(self, term: str) -> Postings:
        """The passages that have a term and what it is worth in each; empty for an unknown term."""
        column = self.vocabulary.get(term)
        start, end = (0, 0) if column is None else (self._indptr[column], self._indptr[column + 1])
        return self._indices[start:end], self._data[start:end]

    def by_passage(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Scores]:
        """The same by passage: where the terms of each begin, these as places in the vocabulary, and what they are worth."""
        from scipy.sparse import csc_matrix

        shape = self.passages, len(self.vocabulary)
        rows = csc_matrix((self._data, self._indices, self._indptr), shape=shape).tocsr()
        return rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data
