"""Prints how well extraction does on the development books, and beside the accepted claims of the annotated games."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.extraction.score import Score, pooled, score
from bench.extraction.tables import FOLDER, Row, accepted, by_hand
from bench.measure import texts
from corpus.address import EditionKey
from corpus.model import Reading
from ingest.extract import Proposals, propose
from ingest.merge import merge
from ingest.pipeline import parse_file
from ingest.recognise import Hints

TARGETS = {"precision": 0.95, "recall": 0.85, "zone_recall": 0.95}
"""Of the development books together, for visibility, sharing and ordering."""


@dataclass(frozen=True, slots=True)
class Book:
    """Files that make one edition, and the table it is measured by: a file of tables/, or none for the accepted claims."""

    name: str
    game: str
    files: tuple[str, ...]
    table: str = ""


DEVELOPMENT = (
    Book("Force of Will 12.7 (en)", "fow", ("fow/comprehensive_rules_12.7.en.txt",), "fow.cr.2025-09-18.en.tsv"),
    Book("One Piece 1.1.8 (en)", "onepiece", ("onepiece/comprehensive_rules.en.md",), "onepiece.cr.2025-02-21.en.tsv"),
    Book("Duel Masters (ja)", "dm", ("dm/dm_rule.ja.md",), "dm.cr.2025-12-17.ja.tsv"),
    Book("Yu-Gi-Oh! (zh)", "ygo", ("ygo/c01/*.rst", "ygo/c02/*.rst"), "ygo.rulebook.undated-2.zh-Hans.tsv"),
)
OTHERS = (
    Book("Duel Masters, summary (ja)", "dm", ("seeds/000-dm-zones.ja.txt",)),
    Book("Force of Will 2015 (ja)", "fow", ("seeds/001-fow-zones.ja.txt",)),
    Book("Magic 2024 (en)", "mtg", ("mtg/20240607_En.txt",)),
    Book("Magic 2024 (zh)", "mtg", ("mtg/20240607_Zh.txt",)),
    Book("Magic 2022 (en)", "mtg", ("mtg/20220610_En.txt",)),
    Book("Magic 2025 (zh)", "mtg", ("mtg/20250207_Zh.txt",)),
    Book("Force of Will 12.7 (en)", "fow", ("fow/comprehensive_rules_12.7.en.txt",)),
    Book("Duel Masters (ja)", "dm", ("dm/dm_rule.ja.md",)),
    Book("Yu-Gi-Oh!, places (zh)", "ygo", ("seeds/004-ygo-places.zh.rst.txt",)),
)
_STANDS_IN = EditionKey("mtg", "cr", "2024-06-07")
"""Editions of Magic that have no claims of their own are held against this one's."""


def proposals_of(folder: Path, book: Book) -> Proposals:
    """The proposals for a book. Its first file's edition counts."""
    files = sorted(file for pattern in book.files for file in folder.glob(pattern))
    readings: list[Reading] = [reading for file in files for reading in parse_file(file, Hints(game=book.game))]
    key = readings[0].key
    return propose(merge(key, [reading for reading in readings if reading.key == key]))


def table_of(book: Book, key: EditionKey) -> Sequence[Row]:
    """The table that a book is measured by."""
    if book.table:
        return by_hand(FOLDER / book.table)
    rows = accepted(key)
    return rows if any(row.asked for row in rows) else accepted(_STANDS_IN)


def measured(folder: Path, books: Sequence[Book]) -> Iterator[Score]:
    """The score of each book."""
    for book in books:
        proposals = proposals_of(folder, book)
        yield score(book.name, table_of(book, proposals.key), proposals)


def main(arguments: Sequence[str]) -> int:
    """0 if the development books reach the targets, otherwise 1. `--short` leaves out the notes."""
    folder, reached = texts(), True
    for title, books in (("development books, tables read by hand", DEVELOPMENT), ("beside the accepted claims", OTHERS)):
        print(f"\n{title}: visibility, sharing, ordering")
        scores = list(measured(folder, books))
        for result in [*scores, pooled(scores, "together")]:
            print(result.line(), flush=True)
        if books is DEVELOPMENT:
            whole = pooled(scores, "")
            reached = all(getattr(whole, name) >= target for name, target in TARGETS.items())
        for result in scores if "--short" not in arguments else ():
            print("\n".join([f"\n{result.name}", *(f"  {note}" for note in result.notes)]), flush=True)
    print("\n" + ", ".join(f"{name} ≥ {target}" for name, target in TARGETS.items()), "reached" if reached else "NOT reached")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
