"""Answers from one bundle. Everything is asked of the store in SPARQL; the manifest says which edition is current."""

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.address import NS, EditionKey, graph_iri, is_iri
from corpus.age import newest_first
from corpus.catalogue import catalogue
from corpus.errors import NotFoundError
from corpus.messages import message
from corpus.reference import Reference
from ontology.store.engine import OxigraphStore, Store, values
from ontology.store.manifest import Manifest, current_languages, read_manifest
from ontology.store.threads import Threads

if TYPE_CHECKING:
    from corpus.contract import Child, EditionSummary, RuleRecord, RuleRef, Successor
    from ontology.store.names import Names


_NO_RULE = {
    (False, False): message("no rule {locator}; loaded are {loaded} (rulestone add FILE adds one)"),
    (False, True): message("no rule {locator} with a text in {lang}; loaded are {loaded} (rulestone add FILE adds one)"),
    (True, False): message("no rule {locator} in {scope}; loaded are {loaded} (rulestone add FILE adds one)"),
    (True, True): message("no rule {locator} in {scope} with a text in {lang}; loaded are {loaded} (rulestone add FILE adds one)"),
}
"""By whether a scope and a language were asked for."""


_KEPT = 48
"""Large answers that are kept: the words of an edition, what changed between two."""


class Knowledge:
    """One bundle, opened for reading."""

    def __init__(self, store: Store, manifest: Manifest) -> None:
        self.store = store
        self.manifest = manifest
        self.current = current_languages(manifest.editions.values())
        self.successors: dict[str, Successor | None] = {}  # worked out once: a bundle never changes
        self._kept: dict[Hashable, Any] = {}

    @classmethod
    def open(cls, bundle: Path) -> "Knowledge":
        """Opens a bundle's folder."""
        return cls(OxigraphStore(bundle / "store", read_only=True), read_manifest(bundle))

    @cached_property
    def names(self) -> "Names":
        """The names of every concept, read once: a bundle never changes."""
        from ontology.store.names import names_in  # it brings the stemmer: no look-up by number needs it

        return names_in(self.store)

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

    def rules(self, reference: Reference, within: str | None = None) -> "list[RuleRecord]":
        """The rules a reference names, the current editions first, then by date; `within` is the book's language.

        Raises NotFoundError if no edition has it.
        """
        rows = self.store.select(
            f"SELECT ?record WHERE {{ GRAPH ?g {{ ?rule <{NS}locator> {literal(reference.locator)} ; <{NS}record> ?record }} }}"
        )
        records = [self._dated(json.loads(row["record"]), within) for row in rows]
        records = [record for record in records if _named(record, reference) and (not within or within in record["texts"])]
        if not records:
            raise self._nothing(reference, within)
        games = list(catalogue().games)
        return sorted(records, key=lambda record: self._rank(record, games))

    def by_iri(self, iris: Iterable[str]) -> "dict[str, RuleRecord]":
        """The records of some rules, by address; those that are not there are missing."""
        known = [iri for iri in iris if is_iri(iri)]
        if not known:
            return {}
        rows = self.store.select(f"SELECT ?record WHERE {{ {values('rule', known)} GRAPH ?g {{ ?rule <{NS}record> ?record }} }}")
        records = (self._dated(json.loads(row["record"]), None) for row in rows)
        return {record["iri"]: record for record in records}

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

    def records_of(self, key: EditionKey) -> "Iterator[RuleRecord]":
        """Every rule of one edition in document order."""
        rows = self.store.select(f"SELECT ?record WHERE {{ GRAPH <{graph_iri(key, 'records')}> {{ ?rule <{NS}record> ?record }} }}")
        records = (json.loads(row["record"]) for row in rows)
        yield from (self._dated(record, None) for record in sorted(records, key=lambda record: int(record["order"])))

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
                "current": bool(self.current[entry.key]),
                "languages": [
                    {
                        "lang": lang,
                        "authority": authority,
                        "current": lang in self.current[entry.key],
                        "files": list(entry.files[lang]),
                    }
                    for lang, authority in entry.languages.items()
                ],
                "dangling_citations": entry.dangling,
            }
            for entry in sorted(self.manifest.editions.values(), key=lambda entry: str(entry.key))
        ]

    def triples(self, iri: str | None = None) -> Iterator[str]:
        """What is stated of a rule or edition and of its parts (of everything, without `iri`), as N-Triples lines.

        The look-up records, which say the same as JSON, are left out.
        """
        if iri is not None and not is_iri(iri):
            return iter(())
        parts = f"<{NS}hasCitation>|<{NS}hasExample>|<{NS}hasNote>"
        which = f"{{ BIND(<{iri}> AS ?s) }} UNION {{ GRAPH ?h {{ <{iri}> {parts} ?s }} }}" if iri else ""
        return self.store.construct(
            f'CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {which} GRAPH ?g {{ ?s ?p ?o }} FILTER(!STRENDS(STR(?g), "/records")) }}'
        )

    def _dated(self, record: "RuleRecord", within: str | None) -> "RuleRecord":
        """A record as it stands among the other editions of this bundle."""
        langs = self.current.get(EditionKey(record["game"], record["book"], record["edition"]), frozenset())
        shown = {within} if within else set(record["texts"])
        record["current"] = bool(langs & shown if shown else langs)
        return record

    @staticmethod
    def _rank(record: "RuleRecord", games: Sequence[str]) -> tuple[Any, ...]:
        game = games.index(record["game"]) if record["game"] in games else len(games)
        return not record["current"], game, record["book"], *newest_first(record["edition"])

    def _nothing(self, reference: Reference, within: str | None) -> NotFoundError:
        scope = "/".join(part for part in (reference.game, reference.book, reference.edition) if part)
        text = _NO_RULE[bool(scope), bool(within)].text
        loaded = ", ".join(sorted({f"{key.game}/{key.book}" for key in self.manifest.editions}))
        return NotFoundError(text, locator=reference.locator, scope=scope, lang=within, loaded=loaded or message("no books"))


def literal(text: str) -> str:
    """A text as a SPARQL string."""
    return json.dumps(text, ensure_ascii=False)  # JSON's \u escapes of surrogate pairs are no SPARQL


def _named(record: "RuleRecord", reference: Reference) -> bool:
    asked = (reference.game, reference.book, reference.edition)
    given = (record["game"], record["book"], record["edition"])
    return all(wanted in (None, name) for wanted, name in zip(asked, given, strict=True))


def _with_words(child: "RuleRef", record: "RuleRecord | None") -> "Child":
    return {**child, "texts": record["texts"] if record else {}, "digest": record["digest"] if record else {}}
