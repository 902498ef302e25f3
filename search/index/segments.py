"""The best of some scores that lie together: of each rule its best passage, of each ruling its best piece.

`np.maximum.reduceat` looks at every score for itself. Here the first passages of all rules are compared with the second ones at
once, then with the third ones: as many steps as the rule with the most passages has, each over the rules that have so many.
"""

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]
Scores = NDArray[np.float32]


class Segments:
    """Passages that lie one after the other, those of one owner side by side and owners in ascending order."""

    def __init__(self, whose: NDArray[np.int32], first: int, owners: int) -> None:
        """`whose` passage each is, the first of them at place `first` of all passages; there are so many owners in all."""
        self.span = slice(first, first + len(whose))
        self.starts: Places = np.flatnonzero(np.diff(whose, prepend=-1))
        self.owners: NDArray[np.int32] = whose[self.starts]
        """Those that have any, ascending."""
        self._size = owners
        self._plain = len(whose) == len(self.owners) == owners  # each has one, so that there is nothing to choose
        counts = np.diff(np.append(self.starts, len(whose)))
        most = np.argsort(-counts, kind="stable")
        self._most = self.owners[most].astype(np.intp)
        self._steps = [self.starts[most[: int((counts > nth).sum())]] + nth for nth in range(int(counts.max(initial=0)))]
        self._each = len(self._steps) if len(whose) == len(self._steps) * len(self.owners) else 0
        """How many each owner has, where all have as many."""

    def best(self, scores: Scores) -> Scores:
        """Of scores of all passages the best of each owner, shape (owners,); 0 for one without any. Not to be written to."""
        if self._plain:
            return scores[self.span]
        of_passages = np.zeros(self._size, dtype=np.float32)
        if self._steps:
            of_passages[self._most] = self._even(scores[self.span]) if self._each else self._uneven(scores[self.span])
        return of_passages

    def _even(self, own: Scores) -> Scores:
        """The best of each where all have as many: what is compared lies at equal distances."""
        best = own[:: self._each].copy()
        for nth in range(1, self._each):
            np.maximum(best, own[nth :: self._each], out=best)
        return best

    def _uneven(self, own: Scores) -> Scores:
        best = own.take(self._steps[0])
        for step in self._steps[1:]:
            np.maximum(best[: len(step)], own.take(step, mode="clip"), out=best[: len(step)])
        return best

    def bounds(self) -> NDArray[np.int32]:
        """Where the passages of each owner begin and end among all, shape (2, owners); the same where it has none."""
        ends = np.zeros((2, self._size), dtype=np.int32)
        ends[0, self.owners] = self.starts + self.span.start
        ends[1, self.owners] = np.append(self.starts, self.span.stop - self.span.start)[1:] + self.span.start
        return ends
