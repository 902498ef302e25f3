"""Where token vectors start from: latent semantic analysis, so that tokens of the same groups lie near each other.

A token keeps the length it has there: long where it goes along with others, short where it goes with none. Brought to one
length, chance counts as much as translation (measured: docs/model.md).
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from search.encode.encoder import Vectors

Tokens = Sequence[str]
"""One text."""
TokenPair = tuple[Tokens, Tokens]
"""Two texts that belong together: one rule in two languages, or a question and what answers it."""
STEP = 0.06
"""Mean size of a number in the vectors, to which the rate of training is fitted."""


class TokenizedGroup(NamedTuple):
    """A group of texts as tokens: what tells it, and what asks for it."""

    texts: Sequence[Tokens]
    asked: Sequence[Tokens]

    @property
    def all(self) -> list[Tokens]:
        """Every text of the group."""
        return [*self.texts, *self.asked]


def vocabulary(groups: Sequence[TokenizedGroup]) -> list[str]:
    """The tokens of two texts or more, sorted: what stands in a single text leads nowhere."""
    texts = Counter(token for group in groups for text in group.all for token in set(text))
    return sorted(token for token, count in texts.items() if count > 1)


def start(groups: Sequence[TokenizedGroup], tokens: Sequence[str], dimensions: int, seed: int) -> Vectors:
    """Token vectors, shape (tokens, dimensions). Columns beyond the number of groups are zero."""
    from scipy.sparse import csr_matrix
    from sklearn.utils.extmath import randomized_svd

    places = {token: place for place, token in enumerate(tokens)}
    bags = [Counter(places[token] for text in group.all for token in text if token in places) for group in groups]
    bags = [bag for bag in bags if bag]
    columns = np.array([place for bag in bags for place in bag], dtype=np.int64)
    counts = np.array([count for bag in bags for count in bag.values()], dtype=np.float64)
    rarity = np.log1p(len(bags) / np.bincount(columns, minlength=len(tokens)))
    values = (1 + np.log(counts)) * rarity[columns]
    ends = np.cumsum([0, *(len(bag) for bag in bags)])
    values /= np.repeat(np.sqrt(np.add.reduceat(values**2, ends[:-1])), np.diff(ends))
    matrix = csr_matrix((values, columns, ends), shape=(len(bags), len(tokens)))
    rank = min(dimensions, *matrix.shape)
    _, strength, directions = randomized_svd(matrix, rank, n_iter=4, random_state=seed)
    rows = np.zeros((len(tokens), dimensions), dtype=np.float32)
    rows[:, :rank] = directions.T * np.sqrt(strength) * rarity[:, None]
    return rows * np.float32(STEP / np.abs(rows).mean())
