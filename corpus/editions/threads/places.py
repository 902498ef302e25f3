"""Where a rule stands among the others of its edition: its parent, its neighbours, its parts."""

from collections.abc import Iterable, Mapping, Sequence

from corpus.store.threads.rule import StoredRule


class Places:
    """The rules of one edition in document order, and what is around each of them."""

    def __init__(self, rules: Iterable[StoredRule]) -> None:
        self.rules: Mapping[str, StoredRule] = {rule.locator: rule for rule in sorted(rules, key=lambda rule: rule.order)}
        order = list(self.rules)
        self.at = {locator: place for place, locator in enumerate(order)}
        self.order: Sequence[str] = order
        self.children: dict[str | None, list[str]] = {}
        for locator, rule in self.rules.items():
            self.children.setdefault(rule.parent, []).append(locator)

    def parent(self, locator: str) -> str | None:
        """The rule above."""
        return self.rules[locator].parent

    def beside(self, locator: str, step: int) -> str | None:
        """The rule `step` places on in the book, whatever its level; None at the ends."""
        place = self.at[locator] + step
        return self.order[place] if 0 <= place < len(self.order) else None

    def chapter(self, locator: str) -> str:
        """The outermost rule above, or the rule itself."""
        above = self.rules[locator].parent
        while above is not None and above in self.rules:
            locator, above = above, self.rules[above].parent
        return locator
