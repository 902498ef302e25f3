"""Exports of the whole knowledge base, packs for browsers, and the report of checks."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from corpus.editions.rulings import add_changes
from corpus.errors import InputError
from corpus.store.books import Books
from corpus.store.home.disk import fingerprint
from rulestone.library.base import LibraryBase, hold_bundle_open
from rulestone.library.linked_data import triples_to_turtle

if TYPE_CHECKING:
    from corpus import contract
    from corpus.contract import RuleRecord, Ruling
    from ontology.knowledge import Knowledge
    from rulestone.packs import PackPart


_EMPTY_TEXT_FIELDS: Mapping[str, object] = {"texts": {}, "examples": [], "notes": [], "table": None}
SharedBooks = frozenset[str] | None
"""The books (`mtg/cr`, for rulings `mtg/rulings`) whose words an export contains; None: all."""


class Lines(NamedTuple):
    """An export as JSON Lines. `seal` is a hash of its bundle: equal seals mean equal lines."""

    seal: str
    lines: Iterator[bytes]


class ExportsMixin(LibraryBase):
    """Writes everything."""

    def export(self, kind: str) -> Iterator[bytes]:
        """Everything, piece by piece: `jsonl` (one rule per line), `nquads`, `turtle`, or the mappings as `sssom`.

        Raises InputError for another kind.
        """
        if kind not in EXPORT_KINDS:
            raise InputError("{given!r} cannot be exported; expected {kinds}", given=kind[:40], kinds=", ".join(EXPORT_KINDS))
        bundle = self._bundle()
        return hold_bundle_open(EXPORT_KINDS[kind](bundle.knowledge), bundle)

    def skill_name(self, path: str) -> str:
        """The name of the skill that `skill` makes for a path, for its folder."""
        from rulestone.editions import parse_loaded_game
        from rulestone.skill.folder import skill_name

        return skill_name(parse_loaded_game(self._bundle().knowledge, path.strip("/").partition("/")[0]))

    def skill(self, path: str, *, lang: str | None = None) -> dict[str, str]:
        """The loaded books of a game, by any of its names, or one book (`game/book/edition`), as a folder for models without tools.

        Path in the folder → text (docs/mcp.md). The texts are in `lang` if the book has it. Raises InputError if no such book is
        loaded.
        """
        from rulestone.editions import parse_edition, parse_loaded_game
        from rulestone.skill.folder import skill_files

        answer, bundle = self._answer_language(lang), self._bundle()
        knowledge = bundle.knowledge
        game = parse_loaded_game(knowledge, path.strip("/"))
        keys_of_game = [entry.key for entry in knowledge.manifest.editions.values() if entry.languages and entry.game == game]
        books = sorted({key.book for key in keys_of_game}) if len(keys_of_game) > 1 else []
        paths = [f"{game}/{book}" for book in books] or [path]
        return skill_files(knowledge, [parse_edition(knowledge, one) for one in paths], answer)

    def lines(self, books: SharedBooks = None) -> Lines:
        """The rules and rulings as JSON Lines, with the words of `books` and a hash that changes whenever they do."""
        bundle = self._bundle()
        if books is None:
            return Lines(bundle.seal, hold_bundle_open(_jsonl_lines(bundle.knowledge), bundle))
        shared = (shared_body for body in all_bodies(bundle.knowledge) if (shared_body := _shared_body(body, books)))
        return Lines(fingerprint(bundle.seal, *sorted(books)), hold_bundle_open(map(json_line, shared), bundle))

    def packs(self) -> "Sequence[PackPart]":
        """The packs for use offline, each with its game and language; None if it is for all of them."""
        bundle = self._bundle()
        return bundle.offline_packs.pack_parts

    def pack(self, name: str, books: SharedBooks = None) -> bytes:
        """A pack as JSON, for the scripts of the pages (docs/page.md), with the words of `books`.

        Raises NotFoundError for an unknown name.
        """
        bundle = self._bundle()
        return bundle.offline_packs.pack(name, books)

    def check(self) -> "contract.Findings":
        """The findings of every check: errors in the knowledge base, and disputes as information."""
        from corpus.store.sparql.complete import with_complete_store
        from ontology.checks.report import findings

        bundle = self._bundle()
        with with_complete_store(bundle.path, bundle.knowledge) as knowledge:
            every = [(finding.is_information, finding.body()) for finding in findings(knowledge)]
        return {
            "findings": [finding for is_information, finding in every if not is_information],
            "information": [finding for is_information, finding in every if is_information],
        }


def _jsonl_lines(knowledge: "Knowledge") -> Iterator[bytes]:
    """One rule per line, edition by edition in document order; then one ruling per line, including older answers, by address."""
    return map(json_line, all_bodies(knowledge))


def _nquads_lines(knowledge: "Knowledge") -> Iterator[bytes]:
    """Every quad, sorted: the same knowledge gives the same bytes."""
    return (line.encode() + b"\n" for line in knowledge.quads())


def _turtle_lines(knowledge: "Knowledge") -> Iterator[bytes]:
    """Every triple except the look-up records, in one graph."""
    yield triples_to_turtle(knowledge.triples())


_ACCEPTED = "rs:accepted"


def _sssom_lines(knowledge: "Knowledge") -> Iterator[bytes]:
    """The mappings of concepts and rules as one SSSOM/TSV file: between two games in both directions, then to the hub.

    Those that are proposed or were judged by curators follow; then each row has its status.
    """
    from ontology.mappings import JUDGED_COUNTERPARTS, PROPOSED_COUNTERPARTS, judged_cases
    from ontology.proposed import JUDGED, PROPOSED
    from ontology.shipped import shipped_links, shipped_mappings, shipped_spokes
    from ontology.spokes import JUDGED_HUB, PROPOSED_HUB, without_lifted
    from ontology.sssom import MAPPING_FOLDERS, MORE_COLUMNS, rows_in, with_inverses, write_mappings

    cases = {(f"scheme:{game}", hub) for game, hub in judged_cases(knowledge.store)}
    rows_by_folder = {folder: without_lifted(shipped_mappings(folder), cases, shipped_links().hub) for folder in MAPPING_FOLDERS}
    rows = [row for some in rows_by_folder.values() for row in with_inverses(some)]
    rows += without_lifted(shipped_spokes(), cases, {})
    graphs = (JUDGED, JUDGED_HUB, JUDGED_COUNTERPARTS, PROPOSED, PROPOSED_HUB, PROPOSED_COUNTERPARTS)
    proposed_rows = [row for graph in graphs for row in rows_in(knowledge.store, graph)]
    if not proposed_rows:
        yield write_mappings(rows).encode()
    else:
        every = [{"status": _ACCEPTED} | {name: cell for name, cell in row.items() if cell} for row in (*rows, *proposed_rows)]
        yield write_mappings(every, more=[*MORE_COLUMNS]).encode()


EXPORT_KINDS: "dict[str, Callable[[Knowledge], Iterator[bytes]]]" = {
    "jsonl": _jsonl_lines,
    "nquads": _nquads_lines,
    "turtle": _turtle_lines,
    "sssom": _sssom_lines,
}


def all_bodies(knowledge: Books) -> "Iterator[RuleRecord | Ruling]":
    """Rules edition by edition in document order; then rulings with older answers, by address."""
    yield from knowledge.all_records()
    yield from add_changes(knowledge, knowledge.rulings.all_rulings())


def _shared_body(body: "RuleRecord | Ruling", books: frozenset[str]) -> "Mapping[str, object] | None":
    """A rule or ruling of a book in `books`; for other books, a rule without its words, as if its book were not loaded."""
    if body["kind"] == "ruling":
        return body if f"{body['game']}/rulings" in books else None
    rule = cast("RuleRecord", body)
    return rule if f"{rule['game']}/{rule['book']}" in books else {**rule, **_EMPTY_TEXT_FIELDS}


def json_line(body: Mapping[str, object]) -> bytes:
    """A body as a line of JSON."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
