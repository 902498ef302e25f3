"""The books of one bundle: their rules, editions and threads."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from corpus.address import RS, EditionKey, graph_iri, iri_of, is_iri, path_of
from corpus.catalogue import catalogue, document_of, game_rank
from corpus.chronology import Period, is_partial_date, newest_first, oldest_first, parse_period, period_of
from corpus.errors import NotFoundError
from corpus.messages import Message, message
from corpus.ordinals import path_in
from corpus.reference import Reference, title_of
from corpus.store import statements
from corpus.store.currency import CurrencyTable
from corpus.store.documents import FILE_NAME, Documents, NewDocuments
from corpus.store.engine import Store
from corpus.store.home.checksums import STORE_FOLDER, check_store
from corpus.store.home.manifest import Manifest, PairEntry, read_manifest, titles_of
from corpus.store.records import Records, edition_of
from corpus.store.rulings import RulingStore
from corpus.store.threads.recorded import Threads
from corpus.store.threads.step import Pair, Step

if TYPE_CHECKING:
    from corpus.contract import Child, EditionSummary, RuleRecord, RulingSource, Successor


_MAX_CACHED = 128
"""Maximum number of cached results: the words of an edition, the changes between two."""
_EDITION_PARTS = 3
"""Number of segments in the path of an edition; that of a rule has more."""
_ADD_COMMAND = "rulestone add FILE"
_NO_GAME_MESSAGE = message("no book of a game {game} is loaded; loaded games: {loaded}")
_NO_RULE_MESSAGE = {
    (False, False): message("no rule {locator}; loaded books: {loaded}"),
    (False, True): message("no rule {locator} with a text in {lang}; loaded books: {loaded}"),
    (True, False): message("no rule {locator} in {scope}; loaded books: {loaded}"),
    (True, True): message("no rule {locator} in {scope} with a text in {lang}; loaded books: {loaded}"),
}
"""Keyed by whether a scope and a language were given."""


class Books:
    """The rules, editions and threads of one bundle, opened for reading."""

    def __init__(self, store: Store, manifest: Manifest, documents: Documents | None = None) -> None:
        """`documents` are the records of all editions in the manifest; None requires a manifest without editions."""
        self.store = store
        self.documents = NewDocuments() if documents is None else documents
        self.manifest = manifest
        self.records = Records(self.documents, manifest.editions)
        self.currency = CurrencyTable(manifest.editions.values())
        self.successors: dict[str, Successor | None] = {}  # computed once: a bundle never changes
        self._cache: dict[Hashable, Any] = {}
        self._whole: Self | None = None
        self.is_later: Callable[[EditionKey], bool] = lambda _: False
        """Whether an edition, loaded or not, is later than that date."""

    @property
    def today(self) -> Self:
        """The books as of today, also if this object shows another date."""
        return self._whole or self

    @classmethod
    def open(cls, bundle: Path) -> Self:
        """Opens a bundle's folder."""
        store = Store(bundle / STORE_FOLDER, read_only=True, check=partial(check_store, bundle))
        return cls(store, read_manifest(bundle), Documents(bundle / FILE_NAME))

    @cached_property
    def rulings(self) -> RulingStore:
        """The rulings, which do not depend on the date."""
        return RulingStore(self.documents, self.manifest)

    @cached_property
    def threads(self) -> Threads:
        """The same rules across the editions."""
        return Threads(self.documents, (entry.pair for entry in self.manifest.pairs))

    def cached(self, key: Hashable, function: Callable[[], Any]) -> Any:  # noqa: ANN401
        """Caches the results of a function by key; the oldest results are dropped."""
        if key not in self._cache:
            self._cache[key] = function()
            for oldest in list(self._cache)[:-_MAX_CACHED]:
                self._cache.pop(oldest, None)
        return self._cache[key] if key in self._cache else function()

    def as_of_day(self, moment: Period) -> Self:
        """The knowledge base as of a date: without the editions that are certainly later."""
        return self.without(lambda key: (age := period_of(key)) is not None and moment.is_before(age))

    def without(self, is_excluded: Callable[[EditionKey], bool]) -> Self:
        """The knowledge base without some editions."""
        there = {key: entry for key, entry in self.manifest.editions.items() if not is_excluded(key)}
        pairs = [entry for entry in self.manifest.pairs if all(key in there for key in entry.pair)]
        then = type(self)(self.store, replace(self.manifest, editions=there, pairs=pairs), self.documents)
        then._whole, then.is_later = self.today, is_excluded
        return then

    def rules(self, reference: Reference, book_lang: str | None = None) -> "list[RuleRecord]":
        """The rules a reference names, the current editions first, then by date; `book_lang` is the book's language.

        Raises NotFoundError if no edition has it.
        """
        editions = self._editions(reference)
        matching = [key for key in editions if reference.edition in (None, key.edition)]
        if not matching and is_partial_date(reference.edition):
            records = self._in_force(reference)
        elif not matching and editions:
            raise _not_loaded(reference, editions)
        else:
            records = self.by_locator(reference.locator, matching)
            if not reference.edition:  # without digest-only editions that are hidden by another edition
                keys = [edition_of(record) for record in records]
                records = [record for record, key in zip(records, keys, strict=True) if not self.is_hidden(key, keys)]
        records = [record for record in records if not book_lang or book_lang in record["texts"]]
        if not records and (later := self._later_editions(reference)):
            raise NotFoundError(
                "no rule {locator} at that time: the oldest loaded edition that has one is {edition}",
                locator=reference.locator,
                edition=str(later[0]),
            )
        if not records:
            raise _no_rule(reference, book_lang, (self._whole or self).manifest.editions)
        for record in records if book_lang else ():
            record["latest_in"] = self.currency.currency_of(edition_of(record), record["locator"]).latest_in([book_lang or ""])
        return sorted(records, key=_rank)

    def _later_editions(self, reference: Reference) -> list[EditionKey]:
        """The editions that have a rule but are later than the requested moment, the oldest first."""
        if self._whole is None:
            return []
        keys = [key for key in self._whole._editions(reference) if reference.edition in (None, key.edition)]
        return sorted(map(edition_of, self._whole.by_locator(reference.locator, keys)), key=oldest_first)

    def by_locator(self, locator: str, editions: Iterable[EditionKey] | None = None) -> "list[RuleRecord]":
        """The rules with a locator in some editions (None: in every one)."""
        keys = self.manifest.editions if editions is None else editions
        if path := path_in(locator):
            return list(self.by_iri(iri for key in keys for iri in self.records.cited_as(path, key)).values())
        return list(self.by_iri(f"{key.iri}/{locator}" for key in keys).values())

    def by_iri(self, iris: Iterable[str]) -> "dict[str, RuleRecord]":
        """Address → record; unknown addresses are left out."""
        return {record["iri"]: record for record in self._add_currency(self.records.by_iri(iris))}

    def is_hidden(self, key: EditionKey, others: Collection[EditionKey]) -> bool:
        """Whether a digest-only edition is hidden by another edition of its book that has the same rules.

        The other one is either loaded, or digest-only and later.
        """
        editions = self.manifest.editions
        beside = [other for other in others if (other.game, other.book) == (key.game, key.book) and other != key]
        return not editions[key].languages and any(
            editions[other].languages or newest_first(other) < newest_first(key) for other in beside
        )

    def children_of(self, record: "RuleRecord") -> "list[Child]":
        """The parts of a rule, with their words."""
        children = self.by_iri(child["iri"] for child in record["children"])
        pairs = [(child, children.get(child["iri"])) for child in record["children"]]
        return [
            {**child, "texts": rule["texts"] if rule else {}, "digest": rule["digest"] if rule else {}} for child, rule in pairs
        ]

    def all_records(self) -> "Iterator[RuleRecord]":
        """Every rule of every edition, edition by edition in document order."""
        for key in sorted(self.manifest.editions, key=str):
            yield from self.records_of(key)

    def compact_records(self, editions: Collection[EditionKey] | None = None) -> "Iterator[RuleRecord]":
        """The rules of some editions (None: of all) in the same order, with `current` but without threads, which take longer."""
        for key in sorted(self.manifest.editions if editions is None else editions, key=str):
            for record in self.stored_records(key):
                record["current"] = self.currency.currency_of(key, record["locator"]).is_current
                yield record

    def records_of(self, key: EditionKey) -> "Iterator[RuleRecord]":
        """Every rule of one edition in document order."""
        yield from self._add_currency(self.stored_records(key))

    def stored_records(self, key: EditionKey) -> "list[RuleRecord]":
        """The same as stored, without their relation to other editions."""
        return list(self.records.records_of(key))

    def title(self, game: str, book: str) -> str:
        """A book's title: `Flesh and Blood CR` for a game that only its books or the user name."""
        name = None if f"{game}/{book}" in catalogue().books else title_of(titles_of(self.manifest).get(game, ()))
        return f"{name} {book.upper()}" if name else catalogue().book(game, book).title

    def document(self, game: str, book: str) -> str:
        """The kind of a book: `rules`, `tournament` or `penalties`."""
        entries = (entry for key, entry in self.manifest.editions.items() if (key.game, key.book) == (game, book))
        titles = (title for entry in entries for title in entry.titles)
        kind: str = self.cached(("document", game, book), lambda: document_of(game, book, titles))
        return kind

    def editions(self) -> "list[EditionSummary]":
        """Every edition with its languages, its files and whether it is current."""
        return [
            {
                "iri": entry.key.iri,
                "game": entry.game,
                "book": entry.book,
                "edition": entry.edition,
                "title": self.title(entry.game, entry.book),
                "rules": entry.rules,
                "current": self.currency.has_current(entry.key),
                "order_unknown": self.currency.unordered_editions(entry.key),
                "languages": [
                    {
                        "lang": lang,
                        "authority": authority,
                        "current": self.currency.has_current(entry.key),
                        "files": list(entry.files[lang]),
                    }
                    for lang, authority in entry.languages.items()
                ],
                "dangling_citations": entry.dangling,
            }
            for entry in sorted(self.manifest.editions.values(), key=lambda entry: str(entry.key))
        ]

    def ruling_sources(self) -> "list[RulingSource]":
        """Every source of rulings with its languages and files."""
        return [
            {
                "iri": iri_of(entry.name),
                "game": entry.game,
                "source": entry.source,
                "rulings": entry.rulings,
                "older": entry.older,
                "withdrawn": entry.withdrawn,
                "languages": list(entry.languages),
                "authorities": list(entry.authorities),
                "files": list(entry.files),
            }
            for entry in sorted(self.manifest.rulings, key=lambda entry: entry.name)
        ]

    # The graph: the store has the current editions; statements about the others are derived from their records.

    @cached_property
    def unstored_editions(self) -> list[EditionKey]:
        """The editions that are not in the store."""
        editions = self.today.manifest.editions.items()
        return [key for key, entry in editions if entry.languages and graph_iri(key, statements.RECORDS) not in entry.graphs]

    @cached_property
    def unstored_pairs(self) -> list[PairEntry]:
        """The pairs of neighbouring editions that are not in the store."""
        return [entry for entry in self.today.manifest.pairs if statements.pair_graph(entry.pair) not in entry.graphs]

    def unstored_quads(self) -> Iterator[bytes]:
        """These graphs as sorted N-Quads, one after the other."""
        records, pairs = self.today.records, {entry.pair for entry in self.unstored_pairs}
        for key in self.unstored_editions:
            yield from statements.graphs_of(key, records.records_of(key), records.edition_languages(key)).values()
        for pair, steps, threads in self.steps():
            if pair in pairs:
                yield statements.pair_statements(pair, steps, threads, replaced=self.is_replacement(pair))

    def steps(self, book: EditionKey | None = None) -> Iterator[tuple[Pair, list[Step], statements.ThreadsOfRules]]:
        """Every step between neighbouring editions of a book (None: of all), with the threads so far, the oldest first."""
        threads, whole = statements.ThreadsOfRules(), self.today
        entries = (entry for entry in whole.manifest.pairs if book is None or (entry.game, entry.book) == (book.game, book.book))
        for pair in (entry.pair for entry in entries):
            steps = statements.all_steps(whole.threads.pair(*pair), *map(whole.records.locators_of, pair))
            threads.add_edition(steps)
            yield pair, steps, threads

    def is_replacement(self, pair: Pair) -> bool:
        """Whether the newer edition of a pair has the parts of the older one, or most of it."""
        old, _ = pair
        outside = sum(iri.startswith(f"{old.iri}/") for iri in self.today.threads.pair(*pair).outside)
        return 2 * outside < len(self.today.records.locators_of(old))

    def triples(self, iri: str | None = None) -> Iterator[str]:
        """The statements about a rule or edition and its parts (without `iri`, about everything), as N-Triples lines.

        The graphs of positions are left out, because each rule has its own position.
        """
        if iri is not None and not is_iri(iri):
            return iter(())
        parts = f"<{RS}hasCitation>|<{RS}hasExample>|<{RS}hasNote>"
        which = f"{{ BIND(<{iri}> AS ?s) }} UNION {{ GRAPH ?h {{ <{iri}> {parts} ?s }} }}" if iri else ""
        lines = self.store.construct(
            f'CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {which} GRAPH ?g {{ ?s ?p ?o }} FILTER(!STRENDS(STR(?g), "/records")) }}'
        )
        return chain(lines, self._unstored_triples() if iri is None else self._unstored_about(iri))

    def quads(self) -> Iterator[str]:
        """All quads as N-Quads lines, sorted: the same knowledge gives the same bytes."""
        return merge(self.store.dump(), sorted(line for lines in self.unstored_quads() for line in _lines(lines)))

    def _unstored_triples(self) -> Iterator[str]:
        for line in (line for lines in self.unstored_quads() for line in _lines(lines)):
            statement, graph, _ = line.rsplit(" ", 2)
            if not graph.endswith(f"/{statements.RECORDS}>"):
                yield f"{statement} ."

    def _unstored_about(self, iri: str) -> Iterator[str]:
        """The statements about a rule with its parts, or about an edition."""
        path, records = path_of(iri).split("/", 3), self.today.records
        key = EditionKey(*(*path, "", "", "")[:3])
        if key in self.unstored_editions:
            texts = records.edition_languages(key)
            about_it = (
                statements.edition_statements(key, texts)
                if len(path) == _EDITION_PARTS
                else chain.from_iterable(statements.rule_statements(record, texts) for record in records.by_iri([iri]))
            )
            yield from (statement.triple() for statement in about_it if statement.part != statements.RECORDS)
        pairs = [entry.pair for entry in self.unstored_pairs if key in entry.pair]
        for pair, steps, threads in self.steps(key) if pairs else ():
            if pair in pairs:
                own = [step for step in steps if iri in (step.old, step.new)]
                for line in _lines(statements.pair_statements(pair, own, threads, replaced=self.is_replacement(pair))):
                    if line.startswith(f"<{iri}> "):
                        yield f"{line.rsplit(' ', 2)[0]} ."

    def _editions(self, reference: Reference) -> list[EditionKey]:
        """The editions of the book that a reference names, or of all books."""
        keys = self.manifest.editions
        return [key for key in keys if reference.game in (None, key.game) and reference.book in (None, key.book)]

    def _in_force(self, reference: Reference) -> "list[RuleRecord]":
        """The rules in force at the end of a year or month. Raises NotFoundError if no edition is old enough."""
        moment = parse_period(reference.edition or "")
        assert moment is not None
        then = self.as_of_day(moment)
        old = [key for key in then._editions(reference) if period_of(key)]
        if not old:
            raise _not_loaded(reference, self._editions(reference))
        records = then.by_locator(reference.locator, old)
        there = self.by_iri(record["iri"] for record in records if record["current"])
        return list(there.values())

    def _add_currency(self, records: "Iterable[RuleRecord]") -> "list[RuleRecord]":
        """Records of the known editions, each with its relation to the others."""
        current = [record for record in records if edition_of(record) in self.manifest.editions]
        for record in current:
            standing = self.currency.currency_of(edition_of(record), record["locator"])
            record["current"] = standing.is_current
            record["superseded_by"] = None
            if standing.later:
                entry = standing.later[0]
                now = next((step.new for step in self.threads.steps_to_edition(record["iri"], entry.key) if step.new), None)
                record["superseded_by"] = {"game": entry.game, "book": entry.book, "edition": entry.edition, "iri": now}
            record["latest_in"] = standing.latest_in(record["texts"])
            record["order_unknown"] = [key.edition for key in standing.unordered]
        return current


def _lines(quads: bytes) -> list[str]:
    """The lines of N-Quads: texts may contain characters that `str.splitlines` treats as line ends."""
    return quads.decode().split("\n")[:-1]


def _rank(record: "RuleRecord") -> tuple[Any, ...]:
    return not record["current"], game_rank(record["game"]), record["book"], *newest_first(edition_of(record))


def _not_loaded(reference: Reference, editions: Collection[EditionKey]) -> NotFoundError:
    """The error for an edition that is not loaded; it lists the loaded ones."""
    books: dict[str, list[EditionKey]] = {}
    for key in sorted(editions, key=newest_first):
        books.setdefault(f"{key.game}/{key.book}", []).append(key)
    by_book = [f"{book} {', '.join(key.edition for key in keys)}" for book, keys in sorted(books.items())]
    edition_list: str | Message = "; ".join(by_book) or message("no books")
    if is_partial_date(reference.edition):
        text = message("no edition from {wanted} or before is loaded; loaded editions: {loaded}").text
    else:
        text = message("the edition {wanted} is not loaded; loaded editions: {loaded}").text
    return NotFoundError(text, wanted=reference.edition, loaded=edition_list, command=_ADD_COMMAND)


def _no_rule(reference: Reference, book_lang: str | None, editions: Collection[EditionKey]) -> NotFoundError:
    """The error for a number that no edition in question has; it lists the loaded books of the game, or the loaded games."""
    own = [key for key in editions if reference.game in (None, key.game)]
    if reference.game and not own:
        games = ", ".join(sorted({key.game for key in editions}, key=game_rank))
        return NotFoundError(_NO_GAME_MESSAGE.text, game=reference.game, loaded=games or message("none"), command=_ADD_COMMAND)
    scope = "/".join(part for part in (reference.game, reference.book, reference.edition) if part)
    text = _NO_RULE_MESSAGE[bool(scope), bool(book_lang)].text
    books = ", ".join(sorted({f"{key.game}/{key.book}" for key in own}))
    loaded_books = books or message("no books")
    return NotFoundError(text, locator=reference.locator, scope=scope, lang=book_lang, loaded=loaded_books, command=_ADD_COMMAND)
