"""Rules whose words were changed: matched by what they still share and by where they stand."""

from collections.abc import Iterable, Iterator

from corpus.editions.threads.matches import Matches
from corpus.editions.threads.shingles import Shingles
from corpus.store.threads.rule import StoredRule

_SURE, _LIKELY, _PLACED = 0.75, 0.55, 0.42
"""Scores that are accepted round by round: what is surest first, since it tells the place of what is not."""
_CONTEXT = 0.25
"""What the places of two rules weigh beside their words."""
_LEAST = 0.2
"""Similarity of words below which no place makes two rules one, titles and entries of one name apart."""


def match_edited(matches: Matches) -> None:
    """Matches rules of similar words, best first."""
    old, new = list(matches.free_old()), list(matches.free_new())
    shingles = Shingles([*matches.old.rules.values(), *matches.new.rules.values()])
    likeness = {(rule.locator, other.locator): shingles.alike(rule, other) for rule, other in shingles.candidates(old, new)}
    for least in (_SURE, _LIKELY, _PLACED):
        while _round(matches, shingles, likeness, least):
            pass


def _round(matches: Matches, shingles: Shingles, likeness: dict[tuple[str, str], float], least: float) -> int:
    """Accepts what scores at least so much, the best first; how many."""
    for rule, other in _placed(matches):
        if (rule.locator, other.locator) not in likeness:
            likeness[rule.locator, other.locator] = shingles.alike(rule, other)
    scored = sorted(_scored(matches, likeness, least), reverse=True)
    return sum(matches.add(old, new) for _, _, old, new in scored)


def _scored(matches: Matches, likeness: dict[tuple[str, str], float], least: float) -> Iterator[tuple[float, int, str, str]]:
    for (old, new), alike in likeness.items():
        if old in matches.forward or new in matches.back:
            continue
        score = alike + _CONTEXT * matches.context(old, new)
        if score >= least and (alike >= _LEAST or _one_name(old, new)):
            yield score, -matches.old.at[old], old, new


def _one_name(old: str, new: str) -> bool:
    """Whether both are the glossary's entry of one name."""
    return old == new and old.startswith("glossary/")


def _placed(matches: Matches) -> Iterator[tuple[StoredRule, StoredRule]]:
    """Pairs that are compared because of their place: of one number, between the same neighbours, parts of the same rule."""
    for rule in matches.free_old():
        for locator in dict.fromkeys(_places(matches, rule)):
            if locator not in matches.back:
                yield rule, matches.new.rules[locator]


def _places(matches: Matches, rule: StoredRule) -> Iterator[str]:
    if rule.locator in matches.new.rules:
        yield rule.locator
    for step in (-1, 1):
        near = matches.old.beside(rule.locator, step)
        there = matches.new.beside(matches.forward[near], -step) if near in matches.forward else None
        if there is not None:
            yield there
    if rule.parent in matches.forward:
        yield from _some(matches.new.children.get(matches.forward[rule.parent], ()))


def _some(locators: Iterable[str], most: int = 30) -> Iterator[str]:
    """Not all parts of a rule that has very many."""
    yield from list(locators)[:most]
