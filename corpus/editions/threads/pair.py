"""From the rules of two neighbouring editions to what became of each."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from rapidfuzz.distance import Indel

from corpus.editions.threads.edited import match_edited
from corpus.editions.threads.exact import match_exact
from corpus.editions.threads.headings import match_headings
from corpus.editions.threads.matches import Matches
from corpus.editions.threads.pieces import cut_from
from corpus.editions.threads.places import Places
from corpus.store.threads.rule import StoredRule
from corpus.store.threads.step import Kind, Step, kind_of


def steps(old: Iterable[StoredRule], new: Iterable[StoredRule]) -> list[Step]:
    """What became of each rule, by locators: the new rules in document order, then what is gone in that of the old edition.

    A chapter that only one of the editions covers is left out: nobody knows what became of its rules.
    """
    matches = matched(Places(old), Places(new))
    split = cut_from(matches.free_new(), matches.old.rules, _today(matches.forward, matches.new))
    merged = cut_from(matches.free_old(), matches.new.rules, _today(matches.back, matches.old))
    links = [*matches.forward.items(), *split, *((piece, whole) for whole, piece in merged)]
    return list(_Told(matches, dict.fromkeys(links)).steps())


def matched(old: Places, new: Places) -> Matches:
    """Which rule is which, one to one: the same words first, then headings by what stands below them, then similar words."""
    matches = Matches(old, new)
    match_exact(matches)
    for match in (match_headings, match_edited, match_headings):
        match(matches)
    return matches


def similarity(old: StoredRule, new: StoredRule) -> float:
    """The share of the words of both that stand in both, in the same order: 1 for the same words."""
    if old.folded == new.folded:
        return 1.0
    return round(min(Indel.normalized_similarity(old.words, new.words), 0.999), 3)


def _today(partner: Mapping[str, str], places: Places) -> dict[str, str]:
    """What each matched rule says in the other edition, folded and masked."""
    return {locator: places.rules[other].masked for locator, other in partner.items()}


class _Told:
    """Tells matches as steps. `links` are old and new rules with words in common: one to one, or a whole and its pieces."""

    def __init__(self, matches: Matches, links: Iterable[tuple[str, str]]) -> None:
        self.matches = matches
        self.old, self.new = matches.old.rules, matches.new.rules
        self.before: dict[str, list[str]] = {}
        self.after: dict[str, list[str]] = {}
        for earlier, other in links:
            self.after.setdefault(earlier, []).append(other)
            self.before.setdefault(other, []).append(earlier)

    def steps(self) -> Iterator[Step]:
        """See `steps`."""
        covered = _covered(self.matches.old, self.before, self.matches.new)
        for rule in self.new.values():
            yield from (self._step(self.old[earlier], rule) for earlier in self.before.get(rule.locator, ()))
            if rule.locator not in self.before and self.matches.new.chapter(rule.locator) in covered:
                yield Step(Kind.ADDED, None, rule.locator, 0.0)
        covered = _covered(self.matches.new, self.after, self.matches.old)
        for rule in self.old.values():
            if rule.locator not in self.after and self.matches.old.chapter(rule.locator) in covered:
                yield Step(Kind.REMOVED, rule.locator, None, 0.0)

    def _step(self, old: StoredRule, new: StoredRule) -> Step:
        edited = old.folded != new.folded
        kind = kind_of(old.locator, new.locator, edited=edited)
        if len(self.after[old.locator]) > 1:
            kind = Kind.SPLIT
        elif len(self.before[new.locator]) > 1:
            kind = Kind.MERGED
        return Step(kind, old.locator, new.locator, similarity(old, new), edited and self._only_references(old, new))

    def _only_references(self, old: StoredRule, new: StoredRule) -> bool:
        """Whether the words differ by their references alone, and each of these follows the rule that it names."""
        if old.masked != new.masked or len(old.cites) != len(new.cites):
            return False
        return all(there in self.after.get(here, (here,)) for here, there in zip(old.cites, new.cites, strict=True))


def _covered(edition: Places, known: Collection[str], others: Places) -> frozenset[str]:
    """The chapters of the others that this edition speaks of: all, unless it is but a part of the book."""
    chapters = frozenset(others.children.get(None, ()))
    if 2 * len(edition.children.get(None, ())) > len(chapters):
        return chapters
    return frozenset(others.chapter(locator) for locator in known)
