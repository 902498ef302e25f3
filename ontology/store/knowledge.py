"""Answers from one bundle. Everything is asked of the store in SPARQL; the manifest says which edition is current."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.address import NS, EditionKey, graph_iri, is_iri
from corpus.age import newest_first
from corpus.catalogue import catalogue
from corpus.errors import NotFoundError
from corpus.reference import Reference
from ontology.store.engine import OxigraphStore, Store
from ontology.store.manifest import Manifest, current_languages, read_manifest

if TYPE_CHECKING:
    from ontology.answers.naming import Names

Record = dict[str, Any]


class Knowledge:
    """One bundle, opened for reading."""

    def __init__(self, store: Store, manifest: Manifest) -> None:
        self.store = store
        self.manifest = manifest
        self.current = current_languages(manifest.editions.values())
        self.successors: dict[str, Record | None] = {}  # worked out once: a bundle never changes

    @classmethod
    def open(cls, bundle: Path) -> "Knowledge":
        """Opens a bundle's folder."""
        return cls(OxigraphStore(bundle / "store", read_only=True), read_manifest(bundle))

    @cached_property
    def names(self) -> "Names":
        """The names of every concept, read once: a bundle never changes."""
        from ontology.answers.naming import names_in

        return names_in(self.store)

    def rules(self, reference: Reference, within: str | None = None) -> list[Record]:
        """The rules a reference names, the current editions first, then by date; `within` is the book's language.

        Raises NotFoundError if no edition has it.
        """
        rows = self.store.select(
            f"SELECT ?record WHERE {{ GRAPH ?g {{ ?rule <{NS}locator> {literal(reference.locator)} ; <{NS}record> ?record }} }}"
        )
        found = [self._dated(json.loads(row["record"]), within) for row in rows]
        found = [record for record in found if _named(record, reference) and (not within or _has(record, within))]
        if not found:
            raise NotFoundError(self._nothing(reference, within))
        games = list(catalogue().games)
        return sorted(found, key=lambda record: self._rank(record, games))

    def by_iri(self, iris: Iterable[str]) -> dict[str, Record]:
        """The records of some rules, by address; those that are not there are missing."""
        values = " ".join(f"<{iri}>" for iri in iris if is_iri(iri))
        if not values:
            return {}
        rows = self.store.select(
            f"SELECT ?record WHERE {{ VALUES ?rule {{ {values} }} GRAPH ?g {{ ?rule <{NS}record> ?record }} }}"
        )
        records = (self._dated(json.loads(row["record"]), None) for row in rows)
        return {record["iri"]: record for record in records}

    def with_children(self, record: Record) -> Record:
        """A rule with the words of its children beside their addresses."""
        children = self.by_iri(child["iri"] for child in record["children"])
        shown = [{**child, **_words(children.get(child["iri"], {}))} for child in record["children"]]
        return {**record, "children": shown}

    def records(self) -> Iterator[Record]:
        """Every rule of every edition, edition by edition in document order."""
        for key in sorted(self.manifest.editions, key=str):
            yield from self.records_of(key)

    def records_of(self, key: EditionKey) -> Iterator[Record]:
        """Every rule of one edition in document order."""
        rows = self.store.select(f"SELECT ?record WHERE {{ GRAPH <{graph_iri(key, 'records')}> {{ ?rule <{NS}record> ?record }} }}")
        found = (json.loads(row["record"]) for row in rows)
        yield from (self._dated(one, None) for one in sorted(found, key=lambda one: int(one["order"])))

    def editions(self) -> list[Record]:
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

    def _dated(self, record: Record, within: str | None) -> Record:
        """A record as it stands among the other editions of this bundle."""
        langs = self.current.get(EditionKey(record["game"], record["book"], record["edition"]), frozenset())
        shown = {within} if within else set(record["texts"])
        record["current"] = bool(langs & shown if shown else langs)
        return record

    @staticmethod
    def _rank(record: Record, games: Sequence[str]) -> tuple[Any, ...]:
        game = games.index(record["game"]) if record["game"] in games else len(games)
        return not record["current"], game, record["book"], *newest_first(record["edition"])

    def _nothing(self, reference: Reference, within: str | None) -> str:
        where = [part for part in (reference.game, reference.book, reference.edition) if part]
        scope = f" in {'/'.join(where)}" if where else ""
        lang = f" with a text in {within}" if within else ""
        loaded = ", ".join(sorted({f"{key.game}/{key.book}" for key in self.manifest.editions}))
        return f"no rule {reference.locator}{scope}{lang}; loaded are {loaded or 'no books'} (rulestone add FILE adds one)"


def literal(text: str) -> str:
    """A text as a SPARQL string."""
    return json.dumps(text, ensure_ascii=False)  # JSON's \u escapes of surrogate pairs are no SPARQL


def _named(record: Record, reference: Reference) -> bool:
    return all(
        wanted in (None, record[name])
        for name, wanted in (("game", reference.game), ("book", reference.book), ("edition", reference.edition))
    )


def _has(record: Record, lang: str) -> bool:
    return lang in record["texts"]


def _words(record: Record) -> Record:
    return {name: record.get(name, {}) for name in ("texts", "digest")}
