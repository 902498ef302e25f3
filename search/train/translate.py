"""Which tokens of two languages stand for each other, learnt from rules that are printed in both.

IBM Model 1 (Brown et al. 1993) in both directions: how likely a token of one language is to become one of the other in a
translation. Kept is what both directions believe, as the product of the two.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from search.train.lsa import TokenPair, Tokens

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

ROUNDS = 5
"""Rounds of expectation and maximisation; more change nothing that search would notice."""
_CANDIDATES = 30
"""Tokens of the other language that a token may stand for, those that go along with it best, before the first round."""
_FAR = 0.02
"""Dice's coefficient below which two tokens have nothing to do with each other."""
_LEAST = 2e-3
"""Probability below which a translation is dropped."""
_FAINT = 1e-3
"""Product of both directions below which a translation is dropped in the end."""


class Translations(NamedTuple):
    """How far tokens of two languages stand for each other."""

    tokens: tuple[Sequence[str], Sequence[str]]  # of each language, sorted
    counts: tuple[Sequence[int], Sequence[int]]  # texts that have them
    belief: "csr_matrix"  # shape (tokens of the one, tokens of the other), 0–1


def learn(pairs: Sequence[TokenPair]) -> Translations:
    """Learns from rules in two languages; deterministic. 3,800 rules of Magic in two languages take 5 s of one core."""
    (first, mine), (second, other) = (_counted([pair[side] for pair in pairs]) for side in (0, 1))
    support = _support(mine, other)
    there = _likely(support, mine, other)
    back = _likely(support.T.tocsr(), other, mine)
    both = there.multiply(back.T).tocsr()
    both.data[both.data < _FAINT] = 0
    both.eliminate_zeros()
    return Translations((first, second), (_sums(mine), _sums(other)), both)


def _sums(matrix: "csr_matrix") -> list[int]:
    return [int(total) for total in np.asarray(matrix.sum(axis=0)).ravel()]


def _counted(texts: Sequence[Tokens]) -> tuple[list[str], "csr_matrix"]:
    """The tokens of some texts, sorted, and which text has which: shape (texts, tokens), of ones."""
    from scipy.sparse import csr_matrix

    tokens = sorted({token for text in texts for token in text})
    places = {token: place for place, token in enumerate(tokens)}
    rows = [sorted({places[token] for token in text}) for text in texts]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([place for row in rows for place in row], dtype=np.int32)
    return tokens, csr_matrix((np.ones(len(columns), dtype=np.float32), columns, ends), shape=(len(texts), len(tokens)))


def _support(mine: "csr_matrix", other: "csr_matrix") -> "csr_matrix":
    """The candidates of each token by Dice's coefficient, from either side; what is no candidate is zero for good."""
    from scipy.sparse import csr_matrix

    together = (mine.T @ other).tocoo()
    often, rarely = (np.asarray(side.sum(axis=0)).ravel() for side in (mine, other))
    dice = 2 * together.data.astype(np.float64) / (often[together.row] + rarely[together.col])
    far = dice < _FAR
    near = csr_matrix((dice[~far], (together.row[~far], together.col[~far])), shape=together.shape)
    return _best(near).maximum(_best(near.T.tocsr()).T).tocsr()


def _best(matrix: "csr_matrix") -> "csr_matrix":
    """The highest figures of each row, ties in the order of the columns."""
    matrix.sort_indices()
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    order = np.argsort(rows + (1 - matrix.data), kind="stable")  # by row, then by figure: the sum never reaches the next row
    rank = np.arange(matrix.nnz) - np.repeat(matrix.indptr[:-1], np.diff(matrix.indptr))
    kept = matrix.copy()
    kept.data[order[rank >= _CANDIDATES]] = 0
    kept.eliminate_zeros()
    return kept


def _likely(support: "csr_matrix", mine: "csr_matrix", other: "csr_matrix") -> "csr_matrix":
    """How likely each token is to become each candidate: shape (tokens, tokens of the other language), rows of sum 1."""
    table, turned = _shares(support), mine.T.tocsr()
    for _ in range(ROUNDS):
        due = other.multiply(mine @ table).tocsr()
        due.data = 1 / np.maximum(due.data, 1e-9)
        table = _shares(table.multiply(turned @ due).tocsr())
        table.data[table.data < _LEAST] = 0
        table.eliminate_zeros()
    return table


def _shares(matrix: "csr_matrix") -> "csr_matrix":
    """Each row as shares of its sum."""
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    shares = matrix.copy()
    shares.data = (matrix.data / np.repeat(np.maximum(sums, 1e-9), np.diff(matrix.indptr))).astype(np.float32)
    return shares
