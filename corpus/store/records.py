"""The rules of all editions of a bundle: each edition is a document of its records."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import orjson

from corpus.address import ID, EditionKey, concept_name, path_of, rule_iri, split_rule
from corpus.model import HEADINGS, Kind
from corpus.store.documents import Document, Documents, Entry, NewDocuments, NewEntry, fingerprint

if TYPE_CHECKING:
    from corpus.contract import RuleRecord, Source
    from corpus.store.statements import Text

_OWN = {"edition": "", "order": 0, "previous": None, "next": None, "sources": []}
"""The fields of a record that depend on its edition: position, neighbours and place in the file."""
_FILE = ("lang", "authority", "file", "sha256")
_KINDS = {kind.value: kind.value[0] for kind in Kind}
"""A letter for each kind of rule."""


def edition_of(record: "RuleRecord") -> EditionKey:
    """The edition of a rule."""
    return EditionKey(record["game"], record["book"], record["edition"])


def citation_of(record: "RuleRecord") -> str:
    """The reference to a rule that names its edition: mtg/cr:2025-02-07:400.7."""
    return f"{record['game']}/{record['book']}:{record['edition']}:{record['locator']}"


class Records:
    """The rules of some editions as they are stored, without their relation to other editions. Thread-safe."""

    def __init__(self, documents: Documents, editions: Iterable[EditionKey]) -> None:
        """Every edition must have a document."""
        self.documents = documents
        self._editions = dict.fromkeys(sorted(editions, key=str))

    def located(self, locators: Iterable[str], editions: Collection[EditionKey] | None = None) -> Iterator[str]:
        """The addresses of the rules with the given locators in some editions (None: in all), edition by edition."""
        wanted = list(dict.fromkeys(locators))
        for key in self._editions if editions is None else [key for key in self._editions if key in editions]:
            places = self.documents.document(str(key)).places
            yield from (rule_iri(key, locator) for locator in wanted if locator in places)

    def locators(self, key: EditionKey) -> Sequence[str]:
        """The locators of an edition in document order."""
        return self.documents.document(str(key)).names

    def by_iri(self, iris: Iterable[str]) -> "Iterator[RuleRecord]":
        """The records at the given addresses; unknown addresses are skipped."""
        wanted: dict[EditionKey, list[str]] = {}
        for iri in iris:
            if iri.startswith(ID) and path_of(iri).count("/") > 2:
                key, locator = split_rule(iri)
                wanted.setdefault(key, []).append(locator)
        for key in (key for key in wanted if key in self._editions):
            yield from self._read(key, self.documents.named(str(key), wanted[key]))

    def of(self, key: EditionKey) -> "Iterator[RuleRecord]":
        """The records of an edition in document order."""
        return self._read(key, self.documents.entries(str(key)))

    def words(self, key: EditionKey, lang: str) -> dict[str, str]:
        """Locator → text of the rules of an edition in a language; empty for an edition that is not loaded."""
        if key not in self._editions:
            return {}
        return {record["locator"]: record["texts"][lang]["text"] for record in self.of(key) if lang in record["texts"]}

    def headings(self) -> "Iterator[RuleRecord]":
        """The records of chapters and sections."""
        letters = {_KINDS[kind] for kind in HEADINGS}
        for key in self._editions:
            kinds = self.documents.document(str(key)).about["kinds"]
            places = [place for place, letter in enumerate(kinds) if letter in letters]
            yield from self._read(key, self.documents.entries(str(key), places))

    def naming(self, concepts: Iterable[str], game: str | None = None) -> Iterator[tuple[str, str]]:
        """Pairs of a concept and the address of a rule that mentions it, in one game or in all."""
        wanted = list(dict.fromkeys(concepts))
        for key in self._of_game(game):
            names = self.documents.document(str(key)).names
            for concept in wanted:
                places = self.documents.places(str(key), concept_name(concept))
                yield from ((concept, rule_iri(key, names[place])) for place in places)

    def holding(self, pattern: str, game: str | None = None) -> "Iterator[RuleRecord]":
        """The records that match a regular expression, ignoring case, in one game or in all."""
        fits, known = _in_any_case(pattern), dict[int, bool]()
        for key in self._of_game(game):
            for entry in self.documents.entries(str(key)):
                if entry.body not in known:
                    known[entry.body] = bool(fits(entry.content))
                if known[entry.body]:
                    yield from self._read(key, [entry])

    def texts(self, key: EditionKey) -> "Mapping[str, Text]":
        """The languages that an edition is loaded in."""
        from corpus.store.statements import Text  # imports the graph engine, which a look-up does not need

        told: dict[str, Any] = self.documents.document(str(key)).about["texts"]
        return {lang: Text(*text) for lang, text in told.items()}

    def graphs(self, key: EditionKey) -> Mapping[str, int]:
        """Graph → number of quads, for the graphs derived from the records of an edition."""
        graphs: dict[str, int] = self.documents.document(str(key)).about["graphs"]
        return graphs

    def classes(self, key: EditionKey) -> Counter[str]:
        """Class → number of instances in the graphs of an edition."""
        return Counter(self.documents.document(str(key)).about["classes"])

    def _of_game(self, game: str | None) -> Iterator[EditionKey]:
        return (key for key in self._editions if game in (None, key.game))

    def _read(self, key: EditionKey, entries: Iterable[Entry]) -> "Iterator[RuleRecord]":
        document = self.documents.document(str(key))
        return (_record(key, document, entry) for entry in entries)


def _record(key: EditionKey, document: Document, entry: Entry) -> "RuleRecord":
    """A record with its keys in the order in which they were written."""
    names, files, place = document.names, document.about["files"], entry.place
    body: Any = orjson.loads(entry.content)
    sources = [{**files[file], "start": start, "end": end} for file, start, end in orjson.loads(entry.own)]
    body.update(edition=key.edition, order=place, sources=sources)
    body["previous"] = rule_iri(key, names[place - 1]) if place else None
    body["next"] = rule_iri(key, names[place + 1]) if place + 1 < len(names) else None
    return body  # type: ignore[no-any-return]


def put(
    documents: NewDocuments,
    key: EditionKey,
    records: Sequence["RuleRecord"],
    texts: "Mapping[str, Text]",
    graphs: Mapping[str, bytes],
) -> str:
    """Writes the records of an edition in document order; returns their fingerprint. `graphs` are those derived from them."""
    from corpus.store.statements import classes_of, mentioned

    files = list(dict.fromkeys(_file(source) for record in records for source in record["sources"]))
    entries = [NewEntry(record["locator"], _body(record), _sources(record, files)) for record in records]
    naming: dict[str, list[int]] = {}
    for place, record in enumerate(records):
        for concept in mentioned(record):
            naming.setdefault(concept_name(concept), []).append(place)
    about = {
        "texts": texts,
        "files": [dict(zip(_FILE, file, strict=True)) for file in files],
        "kinds": "".join(_KINDS[record["kind"]] for record in records),
        "graphs": {graph: quads.count(b"\n") for graph, quads in graphs.items()},
        "classes": classes_of(records, texts),
    }
    documents.put(str(key), entries, naming, about)
    return fingerprint(entries, about)


def _body(record: "RuleRecord") -> bytes:
    body = {name: _OWN.get(name, value) for name, value in record.items()}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _sources(record: "RuleRecord", files: list[tuple[str, ...]]) -> str:
    where = [[files.index(_file(source)), source["start"], source["end"]] for source in record["sources"]]
    return json.dumps(where, separators=(",", ":"))


def _file(source: "Source") -> tuple[str, ...]:
    return tuple(source[name] for name in _FILE)  # type: ignore[literal-required]


def _in_any_case(pattern: str) -> Callable[[bytes], object]:
    """Looks in UTF-8 for a regular expression; RE2 takes a fifth of the time of `re`, however many names the expression has."""
    import re2

    options = re2.Options()
    options.case_sensitive, options.never_capture = False, True
    looked_for: Callable[[bytes], object] = re2.compile(pattern.encode(), options).search
    return looked_for
