"""BM25 over terms (bm25s), memory-mapped, with a weight for each term of the query."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]
K1, B = 1.2, 0.6
"""Robertson and Zaragoza's saturation and length normalisation; figures between 0.6 and 2, 0.3 and 0.9 differ within noise."""

_LONG = 8
"""Letters from which on a word may hold two slips."""


def write(folder: Path, passages: Sequence[Sequence[str]]) -> None:
    """Writes the index of some passages, each a bag of terms."""
    from bm25s import BM25

    vocabulary: dict[str, int] = {}
    ids = [[vocabulary.setdefault(term, len(vocabulary)) for term in terms] for terms in passages]
    index = BM25(method="lucene", k1=K1, b=B)
    if vocabulary:
        index.index((ids, vocabulary), show_progress=False, create_empty_token=False)
        index.save(folder, show_progress=False)


class Lexical:
    """An index on disk. Thread-safe: nothing changes after it is opened."""

    def __init__(self, folder: Path) -> None:
        self.vocabulary: Mapping[str, int] = json.loads((folder / "vocab.index.json").read_text(encoding="utf-8"))
        self._data, self._indices, self._indptr = (
            np.load(folder / f"{name}.csc.index.npy", mmap_mode="r").view(np.ndarray) for name in ("data", "indices", "indptr")
        )
        self._words: list[str] | None = None  # Latin words, gathered when the first slip is to be mended
        self.passages = int(json.loads((folder / "params.index.json").read_text(encoding="utf-8"))["num_docs"])

    def scores(self, terms: Mapping[str, float]) -> Scores:
        """The score of every passage, shape (passages,), for weighted terms."""
        found = np.zeros(self.passages, dtype=np.float32)
        for term, weight in terms.items():
            where, values = self.postings(term)
            found[where] += np.float32(weight) * values
        return found

    def postings(self, term: str) -> tuple[NDArray[np.int32], Scores]:
        """The passages that have a term and what it is worth in each; empty for an unknown term."""
        column = self.vocabulary.get(term)
        start, end = (0, 0) if column is None else (self._indptr[column], self._indptr[column + 1])
        return self._indices[start:end], self._data[start:end]

    def rarity(self, term: str) -> float:
        """Lucene's inverse document frequency; that of a term in no passage for an unknown one."""
        count = len(self.postings(term)[0])
        return float(np.log1p((self.passages - count + 0.5) / (count + 0.5)))

    def nearest(self, word: str) -> str | None:
        """The commonest known word of Latin script that one slip of the finger (two in a long word) turns into this one."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        slips = 1 if len(word) < _LONG else 2
        near = extract(word, self._latin(), scorer=OSA.distance, score_cutoff=slips, limit=8)
        best = min(near, key=lambda one: (one[1], -len(self.postings(one[0])[0]), one[0]), default=None)
        return str(best[0]) if best and best[0][:1] == word[:1] else None

    def _latin(self) -> list[str]:
        if self._words is None:
            self._words = [term for term in self.vocabulary if len(term) > 2 and term.isascii() and term.isalpha()]
        return self._words

    def known(self, terms: Iterable[str]) -> list[str]:
        """Those terms that stand in any passage."""
        return [term for term in terms if term in self.vocabulary]
