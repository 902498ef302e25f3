"""Rules that stayed as they are, or moved word for word."""

from collections.abc import Callable, Iterable, Sequence

from corpus.editions.threads.matches import Matches
from corpus.store.threads.rule import StoredRule

Words = Callable[[StoredRule], str]


def match_exact(matches: Matches) -> None:
    """Matches rules of the same words, references masked.

    First those in their old place, then those whose words are unlike all others, at last those that repeat, by what is around them.
    """
    _in_place(matches)
    for words in (_folded, _masked):
        _unique(matches, words)
    for words in (_folded, _masked):
        while _repeated(matches, words):
            pass


def _folded(rule: StoredRule) -> str:
    return rule.folded


def _masked(rule: StoredRule) -> str:
    return rule.masked


def _in_place(matches: Matches) -> None:
    for locator, rule in matches.old.rules.items():
        there = matches.new.rules.get(locator)
        if there and rule.lang == there.lang and rule.folded and rule.folded == there.folded:
            matches.add(locator, locator)


def _unique(matches: Matches, words: Words) -> None:
    new = _grouped(matches.free_new(), words)
    for text, olds in _grouped(matches.free_old(), words).items():
        if len(olds) == 1 and len(new.get(text, ())) == 1:
            matches.add(olds[0].locator, new[text][0].locator)


def _repeated(matches: Matches, words: Words) -> int:
    """Matches rules of the same repeated words whose surroundings match; how many."""
    new = _grouped(matches.free_new(), words)
    pairs = [
        (matches.context(rule.locator, other.locator), -rule.order, rule.locator, other.locator)
        for text, olds in _grouped(matches.free_old(), words).items()
        for rule in olds
        for other in _near(rule, new.get(text, ()))
    ]
    return sum(matches.add(old, there) for score, _, old, there in sorted(pairs, reverse=True) if score > 0)


def _near(rule: StoredRule, others: Sequence[StoredRule], most: int = 40) -> Sequence[StoredRule]:
    """Of very many rules with the same words those that stand closest."""
    return others if len(others) <= most else sorted(others, key=lambda other: abs(other.order - rule.order))[:most]


def _grouped(rules: Iterable[StoredRule], words: Words) -> dict[str, list[StoredRule]]:
    groups: dict[str, list[StoredRule]] = {}
    for rule in rules:
        if text := words(rule):
            groups.setdefault(f"{rule.lang} {text}", []).append(rule)
    return groups
