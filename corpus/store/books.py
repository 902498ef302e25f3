"""The books of one bundle: their rules, editions and threads."""

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from corpus.address import NS, EditionKey, graph_iri, iri_of, is_iri
from corpus.age import Age, age_of
from corpus.catalogue import catalogue
from corpus.reference import Reference
from corpus.store import by_reference
from corpus.store.archive.archive import Archive
from corpus.store.by_reference import edition_of
from corpus.store.currency import Currency
from corpus.store.decoded import decoded
from corpus.store.engine import Store, values
from corpus.store.home.checksums import STORE
from corpus.store.home.manifest import EditionEntry, Manifest, read_manifest
from corpus.store.threads.recorded import Threads

if TYPE_CHECKING:
    from corpus.contract import Child, EditionSummary, RuleRecord, RuleRef, RulingSource, Successor, SupersededBy


_KEPT = 128
"""Large answers that are kept: the words of an edition, what changed between two."""


class Books:
    """The rules, editions and threads of one bundle, opened for reading."""

    def __init__(
        self,
        store: Store,
        manifest: Manifest,
        archive: Archive | None = None,
    ) -> None:
        """`archive` has the superseded editions that are not in the store; without it that has all."""
        self.store = store
        self.archive = Archive() if archive is None else archive
        self.manifest = manifest
        self.currency = Currency(manifest.editions.values())
        self.successors: dict[str, Successor | None] = {}  # worked out once: a bundle never changes
        self._kept: dict[Hashable, Any] = {}
        self._whole: Self | None = None
        self.is_later: Callable[[EditionKey], bool] = lambda _: False
        """Whether an edition, loaded or not, is later than that moment."""

    @property
    def whole(self) -> Self:
        """The books of today, where these are as they stood at another moment."""
        return self._whole or self

    @classmethod
    def open(cls, bundle: Path) -> Self:
        """Opens a bundle's folder."""
        return cls(Store(bundle / STORE, read_only=True), read_manifest(bundle), archive=Archive.of(bundle))

    @cached_property
    def threads(self) -> Threads:
        """The same rules through the editions."""
        return Threads(self.store, (entry.pair for entry in self.manifest.pairs))

    def once(self, what: Hashable, work: Callable[[], Any]) -> Any:  # noqa: ANN401
        """What some work gives, kept for the next who asks for the same: a bundle never changes. Of many the oldest go."""
        if what not in self._kept:
            self._kept[what] = work()
            for oldest in list(self._kept)[:-_KEPT]:
                self._kept.pop(oldest, None)
        return self._kept[what] if what in self._kept else work()

    def at(self, moment: Age) -> Self:
        """The knowledge base as it stood at a moment: without the editions that are surely later."""
        return self.without(lambda key: (age := age_of(key)) is not None and moment.before(age))

    def without(self, later: Callable[[EditionKey], bool]) -> Self:
        """The knowledge base as it would be without some editions."""
        there = {key: entry for key, entry in self.manifest.editions.items() if not later(key)}
        pairs = [entry for entry in self.manifest.pairs if all(key in there for key in entry.pair)]
        then = type(self)(self.store, replace(self.manifest, editions=there, pairs=pairs), archive=self.archive)
        then._whole, then.is_later = self.whole, later
        return then

    def rules(self, reference: Reference, within: str | None = None) -> "list[RuleRecord]":
        """The rules a reference names, the current editions first, then by date; `within` is the book's language.

        Raises NotFoundError if no edition has it.
        """
        return by_reference.rules(self, reference, within)

    def numbered(self, locator: str) -> "list[RuleRecord]":
        """The rules with a locator in every edition, by address."""
        rows = self.store.select(
            f"SELECT ?record WHERE {{ GRAPH ?g {{ ?rule <{NS}locator> {literal(locator)} ; <{NS}record> ?record }} }}"
        )
        return self._standing((*(decoded(row["record"]) for row in rows), *self.archive.records(self.archive.numbered([locator]))))

    def by_iri(self, iris: Iterable[str]) -> "dict[str, RuleRecord]":
        """The records of some rules, by address; those that are not there are missing."""
        known = [iri for iri in iris if is_iri(iri)]
        if not known:
            return {}
        old = list(self.archive.records(known))
        there = {record["iri"] for record in old}
        new = [iri for iri in known if iri not in there]
        query = f"SELECT ?record WHERE {{ {values('rule', new)} GRAPH ?g {{ ?rule <{NS}record> ?record }} }}"
        rows = self.store.select(query) if new else []
        return {record["iri"]: record for record in self._standing((*old, *(decoded(row["record"]) for row in rows)))}

    def with_children(self, record: "RuleRecord") -> Mapping[str, object]:
        """A rule with the words of its children beside their addresses."""
        return {**record, "children": self.children_of(record)}

    def children_of(self, record: "RuleRecord") -> "list[Child]":
        """The parts of a rule, with their words."""
        children = self.by_iri(child["iri"] for child in record["children"])
        return [_with_words(child, children.get(child["iri"])) for child in record["children"]]

    def records(self) -> "Iterator[RuleRecord]":
        """Every rule of every edition, edition by edition in document order."""
        for key in sorted(self.manifest.editions, key=str):
            yield from self.records_of(key)

    def briefly(self) -> "Iterator[RuleRecord]":
        """Every rule in the same order; of how it stands only whether it is current, which costs no look at its thread."""
        for key in sorted(self.manifest.editions, key=str):
            for record in self.stored(key):
                record["current"] = self.currency.of(key, record["locator"]).current
                yield record

    def records_of(self, key: EditionKey) -> "Iterator[RuleRecord]":
        """Every rule of one edition in document order."""
        yield from self._standing(self.stored(key))

    def stored(self, key: EditionKey) -> "list[RuleRecord]":
        """The same as they are stored: nothing is said of how they stand among other editions."""
        if key in self.archive.keys:
            return list(self.archive.stored(key))
        rows = self.store.select(f"SELECT ?record WHERE {{ GRAPH <{graph_iri(key, 'records')}> {{ ?rule <{NS}record> ?record }} }}")
        return sorted((decoded(row["record"]) for row in rows), key=lambda record: int(record["order"]))

    def editions(self) -> "list[EditionSummary]":
        """Every edition with its languages, files and whether it is current."""
        return [
            {
                "iri": entry.key.iri,
                "game": entry.game,
                "book": entry.book,
                "edition": entry.edition,
                "title": catalogue().book(entry.game, entry.book).title,
                "rules": entry.rules,
                "current": self.currency.has_current(entry.key),
                "order_unknown": self.currency.unordered(entry.key),
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

    def triples(self, iri: str | None = None) -> Iterator[str]:
        """What is stated of a rule or edition and of its parts (of everything, without `iri`), as N-Triples lines.

        The look-up records, which say the same as JSON, are left out.
        """
        if iri is not None and not is_iri(iri):
            return iter(())
        parts = f"<{NS}hasCitation>|<{NS}hasExample>|<{NS}hasNote>"
        which = f"{{ BIND(<{iri}> AS ?s) }} UNION {{ GRAPH ?h {{ <{iri}> {parts} ?s }} }}" if iri else ""
        stored = self.store.construct(
            f'CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {which} GRAPH ?g {{ ?s ?p ?o }} FILTER(!STRENDS(STR(?g), "/records")) }}'
        )
        return chain(stored, self.archive.about(iri) if iri is not None else self.archive.triples())

    def quads(self) -> Iterator[str]:
        """All quads as N-Quads lines, sorted: the same knowledge gives the same bytes."""
        return merge(self.store.dump(), sorted(self.archive.lines()))

    def _standing(self, records: "Iterable[RuleRecord]") -> "list[RuleRecord]":
        """Records of the editions that are there, each as it stands among the others."""
        loaded = [record for record in records if edition_of(record) in self.manifest.editions]
        for record in loaded:
            standing = self.currency.of(edition_of(record), record["locator"])
            record["current"] = standing.current
            record["superseded_by"] = self._superseded_by(record["iri"], standing.later[0]) if standing.later else None
            record["latest_in"] = standing.latest_in(record["texts"])
            record["order_unknown"] = [key.edition for key in standing.unordered]
        return loaded

    def _superseded_by(self, iri: str, entry: EditionEntry) -> "SupersededBy":
        now = next((step.new for step in self.threads.at(iri, entry.key) if step.new), None)
        return {"game": entry.game, "book": entry.book, "edition": entry.edition, "iri": now}


def literal(text: str) -> str:
    """A text as a SPARQL string."""
    return json.dumps(text, ensure_ascii=False)  # JSON's \u escapes of surrogate pairs are no SPARQL


def _with_words(child: "RuleRef", record: "RuleRecord | None") -> "Child":
    return {**child, "texts": record["texts"] if record else {}, "digest": record["digest"] if record else {}}
