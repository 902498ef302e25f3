"""Homes of the benches of search: the books that they need, the glosses, and the texts to score hits with."""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from bench.measure import folder_or_temporary, rulebook_folder
from bench.search.topics import BOOKS
from corpus.store.home import Home
from ontology.knowledge import Knowledge
from rulestone import Library as Loaded
from rulestone.writing.add import add
from search.index.passages import full_text
from search.searcher import Searcher
from search.settings import SEARCH, SearchSettings

BOOK_FILES = (
    "dm",
    "ygo",
    "fow",
    "onepiece",
    "mtg/20250207_En.txt",
    "mtg/20250207_Zh.txt",
    "riftbound/core_rules.2026-07-16.en.txt",
    "digimon/comprehensive_rules.2026-08-18.en.md",
    "gundam",
    "lorcana",
)
"""The files and folders of the rulebook folder that hold the books."""
UNGLOSSED = ("fow", "onepiece", "gundam")
"""The games whose glosses a mixed home lacks, as those of a book that nobody glossed."""
MIXED_DIGESTS = ",".join(f"{game}.*" for game in BOOKS if game not in UNGLOSSED)


class Library:
    """The current bundle of a home to search, and the texts used to score its hits."""

    def __init__(self, home: Path, words: Mapping[str, str] | None = None) -> None:
        """`words` replace texts that the home does not have."""
        self.home, self.bundle, self._words = home, bundle_of(home), words or {}
        self.knowledge = Knowledge.open(self.bundle)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Rule → its words in the book's language."""
        own = {record["iri"]: full_text(record, next(iter(record["texts"]), "")) for record in self.knowledge.all_records()}
        return own | dict(self._words)

    def searcher(self, settings: SearchSettings = SEARCH) -> Searcher:
        """Search with some settings."""
        searcher = Searcher(self.bundle, self.knowledge, settings)
        searcher.wait_for_encoder()
        return searcher


def bundle_of(home: Path) -> Path:
    """The current bundle of a home; ends the program with a message if there is none."""
    return Home(home).current_folder() or sys.exit(f"{home} holds no knowledge base")


def loaded(folder: Path, glosses: str = "", files: Sequence[str] = BOOK_FILES) -> Library:
    """A home with the books of nine games, or other files, and the glosses of these patterns (all if empty); built if missing."""
    home = Home(folder)
    if home.current_folder() is None:
        os.environ.pop("RULESTONE_DIGEST", None)
        os.environ |= {"RULESTONE_DIGEST": glosses} if glosses else {}
        add(home, [rulebook_folder() / name for name in files])
        with Loaded.open(folder) as building:
            building.index(lambda count, total, what: print(f"{what} {count}/{total}", file=sys.stderr))
    return Library(folder)


@contextmanager
def opened(folder: Path | None, glosses: str = "", files: Sequence[str] = BOOK_FILES) -> Iterator[Library]:
    """Such a home, in a temporary folder if none is given."""
    with folder_or_temporary(folder) as home:
        yield loaded(home, glosses, files)


def home_parser(doc: str | None) -> argparse.ArgumentParser:
    """A parser of `--home`; `doc` is the docstring of the command's module."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("--home", type=Path, help="a home with the books, kept and used again")
    return parser


def home_option(doc: str | None) -> Path | None:
    """The folder that `--home` names, for a command without other options."""
    home: Path | None = home_parser(doc).parse_args().home
    return home
