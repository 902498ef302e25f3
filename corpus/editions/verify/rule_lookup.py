"""The rules that the citations of a text need, looked up for many numbers at once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from corpus.address import EditionKey, split_rule
from corpus.catalogue import Grammar, catalogue
from corpus.chronology import newest_first
from corpus.editions.citations.numbers import Numbering
from corpus.games import names_of
from corpus.ordinals import path_in
from corpus.store.books import Books
from corpus.store.home.manifest import EditionEntry, titles_of
from corpus.store.records import edition_of

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_MAX_PARTS = 2000
"""Maximum number of parts of a rule whose words are compared; a whole section may be cited."""


class RuleLookup:
    """The parts of a knowledge base that the citations of one text need."""

    def __init__(self, knowledge: Books) -> None:
        self.knowledge = knowledge
        self._iris: dict[str, tuple[str, ...]] = {}
        self._records: dict[str, RuleRecord] = {}

    @property
    def keys(self) -> list[EditionKey]:
        """Every edition."""
        return list(self.knowledge.manifest.editions)

    def is_document(self, game: str, book: str, document: str) -> bool:
        """Whether a book is a document of that kind; any book if no kind is given."""
        return not document or self.knowledge.document(game, book) == document

    def entries(self, keys: Iterable[EditionKey]) -> list[EditionEntry]:
        """The manifest's data about some editions."""
        return [self.knowledge.manifest.editions[key] for key in keys]

    @cached_property
    def numbering(self) -> Numbering:
        """The numberings of each game's books, and their numbers."""
        grammars: dict[str, dict[str, Grammar]] = {}
        for entry in self.knowledge.manifest.editions.values():
            known = catalogue().grammars.get(entry.grammar)
            grammars.setdefault(entry.game, {}).update({entry.grammar: known} if known else {})
        titles = titles_of(self.knowledge.manifest)
        names = {game: names_of(game, titles.get(game, ())) for game in grammars}
        by_game = {game: tuple(of.values()) for game, of in grammars.items()}
        return Numbering(by_game, names, self.held, frozenset(self._with_articles()))

    def _with_articles(self) -> Iterator[str]:
        records = self.knowledge.records
        return (key.game for key in self.keys if records.has_articles(key))

    def held(self, locators: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """The numbers that exist in books, with the games of these books."""
        wanted = list(dict.fromkeys(locators))
        self._look_up(wanted)
        return {
            number: frozenset(split_rule(iri).key.game for iri in self._iris[number]) for number in wanted if self._iris[number]
        }

    def at(self, locator: str) -> "list[RuleRecord]":
        """The rules of that number in all editions: current ones first, then by date; original books before summaries."""
        self._look_up([locator])
        return sorted(self.rules(self._iris[locator]), key=_rank)

    def rules(self, iris: Iterable[str]) -> "list[RuleRecord]":
        """Address → rule; unknown addresses are left out."""
        asked = list(iris)
        self._records.update(self.knowledge.by_iri(iri for iri in asked if iri not in self._records))
        return [self._records[iri] for iri in asked if iri in self._records]

    def with_parts(self, record: "RuleRecord") -> "Sequence[RuleRecord]":
        """A rule and all its descendants, in document order."""
        records = [record]
        for rule in records:
            if len(records) > _MAX_PARTS:
                break
            records.extend(self.rules(child["iri"] for child in rule["children"]))
        return sorted(records, key=lambda rule: rule["order"])

    def between(self, first: "RuleRecord", last: "RuleRecord") -> "list[RuleRecord]":
        """The rules of a range under one parent; only the two ends if their parents differ."""
        parent = next(iter(self.rules([first["parent"] or ""])), None)
        if parent is None or first["parent"] != last["parent"]:
            return [first, last]
        siblings = [child["iri"] for child in parent["children"]]
        return self.rules(siblings[siblings.index(first["iri"]) : siblings.index(last["iri"]) + 1])

    def _look_up(self, locators: Iterable[str]) -> None:
        new = [locator for locator in locators if locator not in self._iris]
        self._iris.update((locator, ()) for locator in new)
        for path, locator in ((path, locator) for locator in new if (path := path_in(locator))):
            self._iris[locator] = tuple(iri for key in self.keys for iri in self.knowledge.records.cited_as(path, key))
        for iri in self.knowledge.records.located(locator for locator in new if not path_in(locator)):
            locator = split_rule(iri).locator
            self._iris[locator] = (*self._iris[locator], iri)


def _rank(record: "RuleRecord") -> tuple[object, ...]:
    retells = catalogue().book(record["game"], record["book"]).summarises is not None
    return retells, not record["current"], record["game"], record["book"], *newest_first(edition_of(record))
