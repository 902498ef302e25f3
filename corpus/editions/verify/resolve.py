"""Resolves citations: the rule in the cited edition, or the reason why it is unknown.

The rules that the citations of a text need are looked up for many numbers at once.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import EditionKey, split_rule
from corpus.catalogue import DOCUMENT_LABELS, Grammar, catalogue
from corpus.chronology import newest_first
from corpus.editions.citations.context import CitationMention, CitedNumber
from corpus.editions.citations.find import find
from corpus.editions.citations.numbers import Numbering, fits_numbering
from corpus.editions.moment import (
    DateOrigin,
    InForce,
    Scope,
    edition_in_address,
    have_same_words,
    in_force,
    is_certainly_missing,
    main_book,
    uncertainty_reason,
    with_text,
)
from corpus.messages import Message, message
from corpus.ordinals import Path, fold_path, path_in
from corpus.reference import names_of
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
            grammar = catalogue().grammars.get(entry.grammar)
            grammars.setdefault(entry.game, {}).update({entry.grammar: grammar} if grammar else {})
        titles = titles_of(self.knowledge.manifest)
        names = {game: names_of(game, titles.get(game, ())) for game in grammars}
        by_game = {game: tuple(of.values()) for game, of in grammars.items()}
        with_articles = frozenset(key.game for key in self.keys if self.knowledge.records.has_articles(key))
        return Numbering(by_game, names, self.existing_numbers, with_articles)

    def existing_numbers(self, locators: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """The numbers that exist in books, with the games of these books."""
        unique = list(dict.fromkeys(locators))
        self._look_up(unique)
        return {
            number: frozenset(split_rule(iri).key.game for iri in self._iris[number]) for number in unique if self._iris[number]
        }

    def rules_at(self, locator: str) -> "list[RuleRecord]":
        """The rules of that number in all editions: current ones first, then by date; original books before summaries."""
        self._look_up([locator])
        return sorted(self.rules(self._iris[locator]), key=_rank)

    def rules(self, iris: Iterable[str]) -> "list[RuleRecord]":
        """Address → rule; unknown addresses are left out."""
        addresses = list(iris)
        if missing := [iri for iri in addresses if iri not in self._records]:
            self._records.update(self.knowledge.by_iri(missing))
        return [self._records[iri] for iri in addresses if iri in self._records]

    def rule_and_parts(self, record: "RuleRecord") -> "Sequence[RuleRecord]":
        """A rule and all its descendants, in document order."""
        records = [record]
        for rule in records:
            if len(records) > _MAX_PARTS:
                break
            records.extend(self.rules(child["iri"] for child in rule["children"]))
        return sorted(records, key=lambda rule: rule["order"])

    def rules_between(self, first: "RuleRecord", last: "RuleRecord") -> "list[RuleRecord]":
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
        for iri in self.knowledge.records.addresses_of(locator for locator in new if not path_in(locator)):
            locator = split_rule(iri).locator
            self._iris[locator] = (*self._iris[locator], iri)


def _rank(record: "RuleRecord") -> tuple[object, ...]:
    retells = catalogue().book(record["game"], record["book"]).summarises is not None
    return retells, not record["current"], record["game"], record["book"], *newest_first(edition_of(record))


class CitationStatus(StrEnum):
    """The statuses of a citation, in order of precedence."""

    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    UNCHECKED = "unchecked"
    MISQUOTED = "misquoted"
    REUSED = "reused"
    MOVED = "moved"
    EDITED = "edited"
    EXISTS = "exists"  # the number was looked up, and no words were compared
    VERIFIED = "verified"


@dataclass(frozen=True, slots=True)
class ResolvedCitation:
    """A citation and its rule; without one, the status, the reason and the candidate rules.

    `around` has the rule with that number in each loaded edition around the date, if no edition of that date is loaded.
    With `record`, all of these are the same rule; otherwise only a quotation can decide between them.
    """

    item: CitedNumber
    game: str | None = None
    record: "RuleRecord | None" = None
    status: CitationStatus | None = None
    note: Message | None = None
    edition: str | None = None
    candidates: "tuple[RuleRecord, ...]" = ()
    around: "tuple[RuleRecord, ...]" = ()
    own: bool = False  # the citation names its edition


def resolve(lookup: RuleLookup, mention: CitationMention, scope: Scope) -> list[ResolvedCitation]:
    """The rule of a citation; for a range, every rule. `scope` is the default edition."""
    through = mention.item.through
    if through is None:
        return [_resolve(lookup, mention, mention.item, scope)]
    if not mention.games and len(common := _games_with_both_ends(lookup, mention.item)) == 1:
        mention = replace(mention, games=common)
    first = _resolve(lookup, mention, mention.item, scope)
    last = _resolve(lookup, mention, replace(mention.item, number=through), scope)
    ends = [next(iter((citation.record, *citation.around)), None) for citation in (first, last)]
    if not ends[0] or not ends[1] or ends[0]["edition"] != ends[1]["edition"]:
        return [first, last]
    if ends[0]["parent"] != ends[1]["parent"]:
        note = message(
            "{first} and {last} are in different sections; only these two were looked up",
            first=ends[0]["locator"],
            last=ends[1]["locator"],
        )
        return [replace(citation, note=citation.note or note) for citation in (first, last)]
    numbers = [record["locator"] for record in lookup.rules_between(ends[0], ends[1])]
    inner = [_resolve(lookup, mention, replace(mention.item, number=number), scope) for number in numbers[1:-1]]
    return [first, *inner, last] if len(numbers) > 1 else [first]


def _games_with_both_ends(lookup: RuleLookup, item: CitedNumber) -> tuple[str, ...]:
    """The games that have both ends of a range."""
    holders = lookup.existing_numbers(filter(None, (item.number, item.through)))
    return tuple(frozenset[str](holders.get(item.number, ())).intersection(holders.get(item.through or "", ())))


def _resolve(lookup: RuleLookup, mention: CitationMention, item: CitedNumber, scope: Scope) -> ResolvedCitation:
    if mention.elsewhere:
        return ResolvedCitation(
            item, status=CitationStatus.UNCHECKED, note=message("no rulebook of {game} is loaded", game=mention.elsewhere)
        )
    edition = mention.edition or mention.when or scope.named
    records = [record for record in lookup.rules_at(item.number) if _is_meant_book(lookup, mention, record["game"], record["book"])]
    games = _game_with_edition(lookup, edition, _games(mention, records))
    if len(games) > 1:
        return _ambiguous_citation(item, records, games)
    if not games:
        games = tuple(sorted({entry.game for entry in lookup.entries(lookup.keys) if entry.languages}))
        if len(games) != 1:
            return _resolve_in_no_game(lookup, mention, item, games, scope)
    [game] = games
    there = [record for record in records if record["game"] == game]
    citation = _resolve_in_game(lookup, mention, item, there, game, scope)
    if path := path_in(item.number):
        citation = _resolve_article(lookup, mention, citation, path, there)
    return replace(citation, game=game, own=bool(mention.edition or mention.when))


def _resolve_in_no_game(
    lookup: RuleLookup, mention: CitationMention, item: CitedNumber, games: Sequence[str], scope: Scope
) -> ResolvedCitation:
    """A number that no loaded game has, in a text that names none.

    It does not exist if it has the form of some games' numbers, and each of these is loaded whole; `games` are those with texts.
    """
    unknown = ResolvedCitation(
        item, status=CitationStatus.UNCHECKED, note=message("no loaded book has a rule {number}", number=item.number)
    )
    possible = [game for game in games if fits_numbering(item.number, lookup.numbering.grammars.get(game, ()))]
    if path_in(item.number) or not possible:
        return unknown
    missing = [_resolve_in_game(lookup, mention, item, (), game, scope) for game in possible]
    if any(citation.status is not CitationStatus.NOT_FOUND for citation in missing):
        return unknown
    note = message("no rule {number} in {games}, the loaded games with such numbers", games=", ".join(possible), number=item.number)
    return ResolvedCitation(item, status=CitationStatus.NOT_FOUND, note=note)


def _resolve_in_game(
    lookup: RuleLookup, mention: CitationMention, item: CitedNumber, records: "Sequence[RuleRecord]", game: str, scope: Scope
) -> ResolvedCitation:
    keys = [key for key in lookup.keys if key.game == game and _is_meant_book(lookup, mention, key.game, key.book)]
    if path_in(item.number):
        keys = [key for key in keys if lookup.knowledge.records.has_articles(key)]
    edition = mention.edition or mention.when or scope.named
    if not keys and mention.document:
        note = message("{document} of {game} are not loaded", document=DOCUMENT_LABELS[mention.document], game=game)
        return ResolvedCitation(item, status=CitationStatus.UNCHECKED, note=note, edition=edition)
    if not keys:
        return ResolvedCitation(
            item, status=CitationStatus.UNCHECKED, note=message("no rulebook of {game} is loaded", game=game), edition=edition
        )
    if edition is None:
        return _resolve_in_current_edition(lookup, item, records, keys)
    if mention.edition:
        key = next(filter(None, (edition_in_address(edition, keys_of) for keys_of in _group_by_book(keys))), None)
        return (
            _resolve_in_edition(lookup, item, records, key) if key else _not_loaded_citation(item, game, edition, keys, records[:1])
        )
    own_scope = replace(scope, why=DateOrigin.AS_OF, named=mention.when, until=None, named_itself=False) if mention.when else scope
    return _resolve_on_date(lookup, item, records, game, keys, own_scope)


def _resolve_article(
    lookup: RuleLookup, mention: CitationMention, citation: ResolvedCitation, path: Path, records: "Sequence[RuleRecord]"
) -> ResolvedCitation:
    """The rule of a cited article (第3条), which must be the only one in its edition and whose book must be named.

    Every law and contract has an article 3. If the parts of an article have no numbers, the whole article is searched for a cited
    part.
    """
    number, record = citation.item.number, citation.record
    if record is None:
        article = _containing_article(lookup, citation, path)
        if article is None:
            return citation
        note = message(
            "the parts of {article} have no numbers; {number} was not looked up", article=article["locator"], number=number
        )
        return replace(citation, status=CitationStatus.UNCHECKED, note=note, candidates=(article,), around=(article,))
    same = tuple(other for other in records if edition_of(other) == edition_of(record))
    if len(same) > 1:
        note = message(
            "{edition} has several articles {number}; name the chapter before it", edition=record["edition"], number=number
        )
        return replace(citation, record=None, status=CitationStatus.AMBIGUOUS, note=note, candidates=same, around=same)
    if mention.games or mention.document or mention.book:
        return citation
    note = message("other texts also have an article {number}; name the game or the document next to it", number=number)
    return replace(citation, record=None, status=CitationStatus.UNCHECKED, note=note, candidates=same, around=same)


def _containing_article(lookup: RuleLookup, citation: ResolvedCitation, path: Path) -> "RuleRecord | None":
    """The article of a part that was not found, if none of its parts has such a number."""
    end = next((at for at, step in enumerate(path, 1) if step.unit == "条"), len(path))
    if citation.status is not CitationStatus.NOT_FOUND or end == len(path):
        return None
    articles = [record for record in lookup.rules_at(fold_path(path[:end])) if record["edition"] == citation.edition]
    units = {step.unit for record in articles for child in record["children"] for step in path_in(child["locator"])[-1:]}
    return articles[0] if len(articles) == 1 and path[-1].unit not in units else None


def _is_meant_book(lookup: RuleLookup, mention: CitationMention, game: str, book: str) -> bool:
    return mention.book in (None, book) and lookup.is_document(game, book, mention.document)


def _games(mention: CitationMention, records: "Sequence[RuleRecord]") -> tuple[str, ...]:
    """The candidate games of a citation: the named one; if several or none are named, those that have the number."""
    if len(mention.games) == 1:
        return mention.games
    holding = dict.fromkeys(record["game"] for record in records)
    return tuple(game for game in holding if not mention.games or game in mention.games)


def _game_with_edition(lookup: RuleLookup, edition: str | None, games: tuple[str, ...]) -> tuple[str, ...]:
    """The only one of the games with an edition of that name."""
    having = tuple(game for game in games if any(key.game == game and key.edition == edition for key in lookup.keys))
    return having if len(having) == 1 else games


def _group_by_book(keys: Sequence[EditionKey]) -> list[list[EditionKey]]:
    books: dict[str, list[EditionKey]] = {}
    for key in keys:
        books.setdefault(key.book, []).append(key)
    return list(books.values())


def _resolve_in_current_edition(
    lookup: RuleLookup, item: CitedNumber, records: "Sequence[RuleRecord]", keys: Sequence[EditionKey]
) -> ResolvedCitation:
    """The number in the current edition, else in the latest that has it."""
    if records:
        return ResolvedCitation(item, record=records[0], edition=records[0]["edition"])
    return _resolve_in_edition(lookup, item, (), main_book(lookup.entries(keys))[-1].key)


def _resolve_in_edition(
    lookup: RuleLookup, item: CitedNumber, records: "Sequence[RuleRecord]", key: EditionKey
) -> ResolvedCitation:
    """The number in one edition only."""
    record = next((record for record in records if edition_of(record) == key), None)
    if record:
        return ResolvedCitation(item, record=record, edition=key.edition)
    if not is_certainly_missing(lookup.entries([key])[0], item.number):
        note = message("only a part of {edition} is known; add the book to look up {number}", edition=str(key), number=item.number)
        return ResolvedCitation(item, status=CitationStatus.UNCHECKED, note=note, edition=key.edition)
    note = message("{edition} has no rule {number}", edition=key.edition, number=item.number)
    if other := ", ".join(dict.fromkeys(rule["edition"] for rule in records if rule["book"] == key.book)):
        note = message("{edition} has no rule {number}; it is in {other}", edition=key.edition, number=item.number, other=other)
    return ResolvedCitation(item, status=CitationStatus.NOT_FOUND, note=note, edition=key.edition)


def _resolve_on_date(
    lookup: RuleLookup, item: CitedNumber, records: "Sequence[RuleRecord]", game: str, keys: Sequence[EditionKey], scope: Scope
) -> ResolvedCitation:
    """The number in the edition of a date, if that is loaded, else in those around it."""
    books = [_scope_in_book(lookup, editions, scope) for editions in _group_by_book(keys)]
    exact = [force.exact for force in books if force.exact]
    if exact:
        having = next((key for key in exact if any(edition_of(record) == key for record in records)), None)
        return _resolve_in_edition(lookup, item, records, having or main_book(lookup.entries(exact))[-1].key)
    around = [force for force in books if force.around]
    if not around:
        return _not_loaded_citation(item, game, scope.named or "", keys, records[:1])
    having_any = [force for force in around if any(edition_of(record) in force.around for record in records)]
    force = max(having_any or around, key=lambda force: max(lookup.entries([key])[0].rules for key in force.around))
    return _resolve_around_date(item, records, force, scope)


def _scope_in_book(lookup: RuleLookup, keys: Sequence[EditionKey], scope: Scope) -> InForce:
    """The editions of a book for a date, among those with texts if there are any; a name may refer to any of them."""
    force = in_force(scope, with_text(lookup.entries(keys)))
    return force if force.exact else replace(force, exact=in_force(scope, keys).exact)


def _resolve_around_date(
    item: CitedNumber, all_records: "Sequence[RuleRecord]", in_force: InForce, scope: Scope
) -> ResolvedCitation:
    """The number in the editions around a date: certain if it is one rule with the same words in all of them."""
    by_key = {edition_of(record): record for record in all_records}
    records = tuple(by_key[key] for key in in_force.around if key in by_key)
    edition = in_force.around[0].edition if in_force.has_earlier else None
    in_all = in_force.has_earlier and in_force.has_later and len(records) == len(in_force.around)
    if in_all and all(have_same_words(records[0], rule) for rule in records[1:]):
        return ResolvedCitation(item, record=records[0], edition=edition, around=records)
    day = f"{scope.named}/{scope.until}" if scope.until else scope.named or ""
    note = uncertainty_reason(item.number, day, in_force, records)
    return ResolvedCitation(item, status=CitationStatus.UNCHECKED, note=note, edition=edition, candidates=records, around=records)


def _ambiguous_citation(item: CitedNumber, records: "Sequence[RuleRecord]", games: Sequence[str]) -> ResolvedCitation:
    """The first rule of each game, current ones first."""
    first = [next(record for record in records if record["game"] == game) for game in games]
    note = message(
        "{games} have a rule {number}; name the game in the text or as an option", games=", ".join(games), number=item.number
    )
    return ResolvedCitation(item, status=CitationStatus.AMBIGUOUS, note=note, candidates=tuple(first))


def _not_loaded_citation(
    item: CitedNumber, game: str, edition: str, keys: Sequence[EditionKey], candidates: "Sequence[RuleRecord]"
) -> ResolvedCitation:
    edition_list = ", ".join(sorted(key.edition for key in keys))
    note = message(
        "the edition {named} of {game} is not loaded; loaded editions: {loaded}", named=edition, game=game, loaded=edition_list
    )
    return ResolvedCitation(item, status=CitationStatus.UNCHECKED, note=note, edition=edition, candidates=tuple(candidates))


def assumed_edition(lookup: RuleLookup, game: str, scope: Scope) -> str | None:
    """The default edition of a game's citations; None if no loaded edition was in force."""
    editions = main_book(lookup.entries([key for key in lookup.keys if key.game == game]))
    if not editions:
        return None
    if scope.named is None:
        return max(editions, key=lambda entry: lookup.knowledge.currency.has_current(entry.key)).edition
    force = _scope_in_book(lookup, [entry.key for entry in editions], scope)
    if force.exact:
        return force.exact.edition
    return force.around[0].edition if force.has_earlier else None


_POSSIBLE_NUMBER = re.compile(r"\d|://")
"""A quick test: every citation has a digit or an address, and most rulings have neither."""


class ResolvedText(NamedTuple):
    """Words of a text that cite a rule, and its address; None if no loaded book contains it."""

    start: int
    end: int
    locator: str
    rule: str | None


def resolve_citations(lookup: RuleLookup, text: str, game: str, as_of: str | None = None) -> Iterator[ResolvedText]:
    """The citations of a text about a game, in order: in the edition of its date if loaded, else in the current one."""
    if not _POSSIBLE_NUMBER.search(text):
        return
    editions = {key.edition for key in lookup.keys if key.game == game}
    scope = Scope(DateOrigin.AS_OF, as_of) if as_of in editions else Scope()
    for mention in find(text, lookup.numbering, game).mentions:
        items = resolve(lookup, mention, scope)
        if scope.named and not any(item.record for item in items):
            items = resolve(lookup, mention, Scope())
        for item, record in ((citation.item, citation.record) for citation in items):
            yield ResolvedText(item.start, item.end, item.number, record["iri"] if record else None)
