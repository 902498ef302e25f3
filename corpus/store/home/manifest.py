"""`manifest.json` of a bundle: the added files and the editions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from corpus.address import RULINGS, EditionKey
from corpus.errors import DamagedError, EnvironmentFault, OtherVersionError
from corpus.reference import GameName
from corpus.store.home import checksums
from corpus.store.home.given import Given, GivenKind

FILE_NAME = "manifest.json"
FORMAT_VERSION = 14
"""Format of a bundle and its search index. Increase it with every change: a bundle in another format is rebuilt."""


def key_of_row(row: Mapping[str, str]) -> EditionKey:
    """The edition that an entry of `AddedFile.readings` names."""
    return EditionKey(row["game"], row["book"], row["edition"])


class AddedFile(NamedTuple):
    """A file that was added, with the options that the user gave."""

    sha256: str
    name: str
    hints: Mapping[str, str | None]
    readings: tuple[Mapping[str, str], ...]  # game, book, edition, lang of the editions found in it
    why: tuple[str, ...]
    without: tuple[str, ...] = ()  # readings (`game/book/edition lang`) replaced by another file
    rulings: tuple[str, ...] = ()  # sources (`game/rulings/source`) of its rulings; empty for a rulebook

    def editions(self) -> set[EditionKey]:
        """The editions in it."""
        return {key_of_row(reading) for reading in self.readings}


class CardsEntry(NamedTuple):
    """A file of cards that was added."""

    sha256: str
    name: str
    game: str | None  # options that the user gave for it
    cards: int
    games: tuple[str, ...]
    langs: tuple[str, ...]


class JudgementsEntry(NamedTuple):
    """A curator's file: verdicts about the rules that rulings rest on."""

    sha256: str
    name: str
    rows: int


class TableEntry(NamedTuple):
    """A table that a person filled in; the bundle holds it in `tables/{kind}/`."""

    kind: GivenKind
    sha256: str
    name: str


class EditionEntry(NamedTuple):
    """An edition in a bundle."""

    game: str
    book: str
    edition: str
    grammar: str
    rules: int  # addressed nodes
    chapters: tuple[str, ...]  # its top-level divisions, as `divisions` names them: "4", or "4 401" without the chapter
    covers: tuple[str, ...]  # those of them that are loaded
    chapter_titles: Mapping[str, tuple[str, ...]]  # for chapters named after a file: their folded titles, each with a `=` before it
    languages: Mapping[str, str]  # loaded language → authority; empty for an edition known from the digest alone
    files: Mapping[str, tuple[str, ...]]  # language → names of the files
    dangling: int  # citations that do not resolve
    fingerprint: str  # of its records
    graphs: Mapping[str, str]  # named graph in the store → sha256 of its sorted N-Quads
    titles: tuple[str, ...] = ()  # first lines of its files, which may name the game

    @property
    def key(self) -> EditionKey:
        """Its key."""
        return EditionKey(self.game, self.book, self.edition)


class PairEntry(NamedTuple):
    """Two neighbouring editions of a book whose rules were compared."""

    game: str
    book: str
    old: str
    new: str
    made_of: str  # hash of the compared data
    begun: str  # hash of that and of the previous pairs, which determine the names of threads
    graphs: Mapping[str, str]  # named graph in the store → sha256 of its sorted N-Quads

    @property
    def pair(self) -> tuple[EditionKey, EditionKey]:
        """The keys of the two."""
        return EditionKey(self.game, self.book, self.old), EditionKey(self.game, self.book, self.new)


class RulingsEntry(NamedTuple):
    """The rulings of one source in a bundle."""

    game: str
    source: str
    rulings: int  # the valid ones
    older: int  # older answers
    withdrawn: int
    languages: tuple[str, ...]
    authorities: tuple[str, ...]
    files: tuple[str, ...]
    graphs: Mapping[str, str]  # named graph → sha256 of its sorted N-Quads

    @property
    def name(self) -> str:
        """The name of these rulings in `AddedFile.rulings` and in their addresses."""
        return rulings_name(self.game, self.source)


def rulings_name(game: str, source: str) -> str:
    """The rulings of a source by name: `mtg/rulings/wotc`."""
    return f"{game}/{RULINGS}/{source}"


@dataclass(slots=True)
class Manifest:
    """The whole list."""

    added: list[AddedFile] = field(default_factory=list)
    editions: dict[EditionKey, EditionEntry] = field(default_factory=dict)
    pairs: list[PairEntry] = field(default_factory=list)
    shipped: dict[str, str] = field(default_factory=dict)  # named graph of the ontology → sha256 of its sorted N-Quads
    statuses: dict[str, tuple[str, str]] = field(default_factory=dict)  # claim → its shipped status and its status here
    cards: list[CardsEntry] = field(default_factory=list)
    judgements: list[JudgementsEntry] = field(default_factory=list)
    tables: list[TableEntry] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)  # source of rulings → fingerprint of the rules on which they rest
    rulings: list[RulingsEntry] = field(default_factory=list)
    dropped: int = 0  # quads removed from the store since it was last rewritten; they still take space
    ontology: str = ""  # hash of all that the graphs in `shipped` are made of; "" if it is unknown

    def given(self) -> list[Given]:
        """All that the user gave: the list with which the bundle can be written again."""
        return [
            *map(_given_file, self.added),
            *(Given(GivenKind.CARDS, file.sha256, file.name, {"game": file.game} if file.game else {}) for file in self.cards),
            *(Given(GivenKind.JUDGEMENTS, file.sha256, file.name, {}) for file in self.judgements),
            *(Given(table.kind, table.sha256, table.name, {}) for table in self.tables),
        ]

    def start_from(self, shipped: "Manifest") -> None:
        """Takes over the editions and the ontology of a bundle of the shipped data alone."""
        self.editions, self.pairs, self.dropped = shipped.editions, shipped.pairs, shipped.dropped
        self.shipped, self.statuses, self.ontology = shipped.shipped, shipped.statuses, shipped.ontology

    def write(self, folder: Path) -> None:
        """Writes it into a bundle."""
        editions = [self.editions[key]._asdict() for key in sorted(self.editions, key=str)]
        files = [file._asdict() for file in self.added]
        pairs = [pair._asdict() for pair in self.pairs]
        body = {"format": FORMAT_VERSION, "added": files, "editions": editions, "pairs": pairs}
        body |= {"shipped": self.shipped, "statuses": self.statuses}
        body |= {"cards": [file._asdict() for file in self.cards], "rulings": [entry._asdict() for entry in self.rulings]}
        body |= {"judgements": [file._asdict() for file in self.judgements], "links": self.links, "dropped": self.dropped}
        body["ontology"] = self.ontology
        body |= {"tables": [table._asdict() for table in self.tables]}
        (folder / FILE_NAME).write_text(json.dumps(body, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def titles_of(manifest: Manifest) -> dict[str, list[str]]:
    """Loaded game → the names that a user gave it, then the first lines of its books' files."""
    titles: dict[str, list[str]] = {}
    for file in manifest.added:
        names = [file.hints.get("title"), *(file.hints.get("alias") or "").split(",")]
        for game in {key.game for key in file.editions()}:
            titles.setdefault(game, []).extend(GameName(name.strip()) for name in names if name and name.strip())
    for key in sorted(manifest.editions, key=str):
        titles.setdefault(key.game, []).extend(manifest.editions[key].titles)
    for entry in manifest.rulings:
        titles.setdefault(entry.game, [])
    return titles


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a bundle. Raises EnvironmentFault for a bundle of another format."""
    try:
        body = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise DamagedError("the bundle {folder} cannot be read ({fault})", folder=folder, fault=fault) from fault
    if body.get("format") != FORMAT_VERSION:
        raise OtherVersionError("the bundle {folder} was written by another version of Rulestone", folder=folder)
    try:
        editions = [EditionEntry(**_lists_to_tuples(row)) for row in body["editions"]]
        files = [AddedFile(**_lists_to_tuples(row)) for row in body["added"]]
        pairs = [PairEntry(*(row[name] for name in PairEntry._fields)) for row in body["pairs"]]  # older ones have more fields
        rulings = [RulingsEntry(**_lists_to_tuples(row)) for row in body.get("rulings", ())]
        by_key = {entry.key: entry for entry in editions}
        return Manifest(
            files,
            by_key,
            pairs,
            body["shipped"],
            _lists_to_tuples(body["statuses"]),
            links=body.get("links", {}),
            rulings=rulings,
            dropped=body["dropped"],
            ontology=body.get("ontology", ""),
            **_read_other_entries(body),
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise DamagedError("the bundle {folder} is damaged ({fault!r})", folder=folder, fault=fault) from fault


def is_current_format(folder: Path) -> bool:
    """Whether a bundle has the current format; damage is not detected here."""
    try:
        read_manifest(folder)
    except OtherVersionError:
        return False
    except EnvironmentFault:
        return True
    return True


def read_base_manifest(base: Path | None) -> Manifest:
    """The manifest of the bundle that a writer starts from, an empty one without a bundle. Raises DamagedError if it changed."""
    if base is None:
        return Manifest()
    checksums.check_manifest(base)
    return read_manifest(base)


def read_given(folder: Path) -> list[Given]:
    """`Manifest.given` of a bundle in any format. Raises DamagedError if it cannot be read."""
    try:
        body = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
        return Manifest([AddedFile(**_lists_to_tuples(row)) for row in body["added"]], **_read_other_entries(body)).given()
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise DamagedError("the bundle {folder} cannot be read ({fault})", folder=folder, fault=fault) from fault


def _given_file(file: AddedFile) -> Given:
    options = {name: value for name, value in file.hints.items() if value is not None}
    readings = file.rulings or tuple(f"{key_of_row(row)} {row['lang']}" for row in file.readings)
    return Given(GivenKind.RULINGS if file.rulings else GivenKind.BOOK, file.sha256, file.name, options, readings, file.without)


def _read_other_entries(body: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of files that are neither books nor rulings, by field."""
    tables = [TableEntry(**{**row, "kind": GivenKind(row["kind"])}) for row in body.get("tables", ())]
    cards = [CardsEntry(**_lists_to_tuples(row)) for row in body.get("cards", ())]
    return {"cards": cards, "judgements": [JudgementsEntry(**row) for row in body.get("judgements", ())], "tables": tables}


def _lists_to_tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
