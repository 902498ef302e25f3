"""Exports of the whole knowledge base, packs for browsers, and the report of checks."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from corpus.editions.rulings import with_changes
from corpus.errors import InputError
from corpus.store.books import Books
from corpus.store.home.disk import fingerprint
from rulestone.library.base import LibraryBase, keep_open
from rulestone.library.linked_data import turtle_of

if TYPE_CHECKING:
    from corpus import contract
    from corpus.contract import RuleRecord, Ruling
    from ontology.knowledge import Knowledge
    from rulestone.packs import Part


_WORDLESS: Mapping[str, object] = {"texts": {}, "examples": [], "notes": [], "table": None}
SharedBooks = frozenset[str] | None
"""The books (`mtg/cr`, for rulings `mtg/rulings`) whose words an export contains; None: all."""


class Lines(NamedTuple):
    """An export as JSON Lines. `seal` is a hash of its bundle: equal seals mean equal lines."""

    seal: str
    lines: Iterator[bytes]


class Exports(LibraryBase):
    """Writes everything."""

    def export(self, kind: str) -> Iterator[bytes]:
        """Everything, piece by piece: `jsonl` (one rule per line), `nquads`, `turtle`, or the mappings as `sssom`.

        Raises InputError for another kind.
        """
        if kind not in KINDS:
            raise InputError("{given!r} cannot be exported; expected {kinds}", given=kind[:40], kinds=", ".join(KINDS))
        bundle = self._bundle()
        return keep_open(KINDS[kind](bundle.knowledge), bundle)

    def lines(self, books: SharedBooks = None) -> Lines:
        """The rules and rulings as JSON Lines, with the words of `books` and a hash that changes whenever they do."""
        bundle = self._bundle()
        if books is None:
            return Lines(bundle.seal, keep_open(_jsonl(bundle.knowledge), bundle))
        shared = (found for body in everything(bundle.knowledge) if (found := _shared(body, books)))
        return Lines(fingerprint(bundle.seal, *sorted(books)), keep_open(map(line, shared), bundle))

    def packs(self) -> "Sequence[Part]":
        """The packs for use offline, each with its game and language; None if it is for all of them."""
        bundle = self._bundle()
        return bundle.packs.parts

    def pack(self, name: str, books: SharedBooks = None) -> bytes:
        """A pack as JSON, for the scripts of the pages (docs/page.md), with the words of `books`.

        Raises NotFoundError for an unknown name.
        """
        bundle = self._bundle()
        return bundle.packs.pack(name, books)

    def check(self) -> "contract.Findings":
        """The findings of every check: errors in the knowledge base, and disputes as information."""
        from corpus.store.sparql.querying import complete
        from ontology.checks.report import findings

        bundle = self._bundle()
        with complete(bundle.path, bundle.knowledge) as knowledge:
            every = [(finding.is_information, finding.body()) for finding in findings(knowledge)]
        return {
            "findings": [finding for is_information, finding in every if not is_information],
            "information": [finding for is_information, finding in every if is_information],
        }


def _jsonl(knowledge: "Knowledge") -> Iterator[bytes]:
    """One rule per line, edition by edition in document order; then one ruling per line, including older answers, by address."""
    return map(line, everything(knowledge))


def _nquads(knowledge: "Knowledge") -> Iterator[bytes]:
    """Every quad, sorted: the same knowledge gives the same bytes."""
    return (line.encode() + b"\n" for line in knowledge.quads())


def _turtle(knowledge: "Knowledge") -> Iterator[bytes]:
    """Every triple except the look-up records, in one graph."""
    yield turtle_of(knowledge.triples())


def _sssom(_: "Knowledge") -> Iterator[bytes]:
    """The mappings between concepts and between rules of two games as one SSSOM/TSV file, each in both directions."""
    from ontology.shipped import mappings
    from ontology.sssom import FOLDERS, both_ways, write

    yield write(row for folder in FOLDERS for row in both_ways(mappings(folder))).encode()


KINDS: "dict[str, Callable[[Knowledge], Iterator[bytes]]]" = {
    "jsonl": _jsonl,
    "nquads": _nquads,
    "turtle": _turtle,
    "sssom": _sssom,
}


def everything(knowledge: Books) -> "Iterator[RuleRecord | Ruling]":
    """Rules edition by edition in document order; then rulings with older answers, by address."""
    yield from knowledge.every_record()
    yield from with_changes(knowledge, knowledge.rulings.every())


def _shared(body: "RuleRecord | Ruling", books: frozenset[str]) -> "Mapping[str, object] | None":
    """A rule or ruling of a book in `books`; for other books, a rule without its words, as if its book were not loaded."""
    if body["kind"] == "ruling":
        return body if f"{body['game']}/rulings" in books else None
    rule = cast("RuleRecord", body)
    return rule if f"{rule['game']}/{rule['book']}" in books else {**rule, **_WORDLESS}


def line(body: Mapping[str, object]) -> bytes:
    """A body as a line of JSON."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
