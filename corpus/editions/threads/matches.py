"""The matches between two editions while they are being found: one to one."""

from collections.abc import Iterator

from corpus.editions.threads.places import Places
from corpus.store.threads.rule import StoredRule


class Matches:
    """Which old rule is which new one, as far as it is known."""

    def __init__(self, old: Places, new: Places) -> None:
        self.old, self.new = old, new
        self.forward: dict[str, str] = {}
        self.back: dict[str, str] = {}

    def add(self, old: str, new: str) -> bool:
        """Matches two rules where both are free; whether they were."""
        if old in self.forward or new in self.back:
            return False
        self.forward[old], self.back[new] = new, old
        return True

    def drop(self, old: str) -> None:
        """Takes a match back."""
        del self.back[self.forward.pop(old)]

    def free_old(self) -> Iterator[StoredRule]:
        """The old rules without a match, in document order."""
        return (rule for locator, rule in self.old.rules.items() if locator not in self.forward)

    def free_new(self) -> Iterator[StoredRule]:
        """The new rules without a match, in document order."""
        return (rule for locator, rule in self.new.rules.items() if locator not in self.back)

    def context(self, old: str, new: str) -> float:
        """How far the places of two rules speak for their being one, from -1 to 1: parents, neighbours, number."""
        return 0.5 * self._parents(old, new) + 0.3 * self._neighbours(old, new) + (0.2 if old == new else 0.0)

    def beside(self, old: str, new: str) -> bool:
        """Whether the rule before or the rule after is a match, too."""
        return self._neighbours(old, new) > 0

    def _parents(self, old: str, new: str) -> float:
        """1 where the parents are matched, -1 where the old one is matched to another, 0 where nobody knows."""
        above, over = self.old.parent(old), self.new.parent(new)
        if above is None or over is None:
            return 1.0 if above == over else 0.0
        if above not in self.forward:
            return 0.0
        return 1.0 if self.forward[above] == over else -1.0

    def _neighbours(self, old: str, new: str) -> float:
        """The share of the two neighbours that are matched to each other."""
        matched = 0
        for step in (-1, 1):
            near, other = self.old.beside(old, step), self.new.beside(new, step)
            if near is not None and self.forward.get(near, "") == other:
                matched += 1
        return matched / 2
