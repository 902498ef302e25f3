"""Homes of the benches of search: the books that they need, the glosses, and the texts to score hits with."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measure import rulebook_folder
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


@dataclass(frozen=True, slots=True)
class Library:
    """A bundle to search, and the texts used to score its hits."""

    bundle: Path
    knowledge: Knowledge
    texts: Mapping[str, str]  # rule → its words in the book's language

    def searcher(self, settings: SearchSettings = SEARCH) -> Searcher:
        """Search with some settings."""
        searcher = Searcher(self.bundle, self.knowledge, settings)
        searcher.wait_for_encoder()
        return searcher


def library(home: Home, words: Mapping[str, str] | None = None) -> Library:
    """The current bundle of a home; `words` replace texts that it does not have."""
    bundle = home.current_folder()
    if bundle is None:
        raise SystemExit(f"{home.path} holds no knowledge base")
    knowledge = Knowledge.open(bundle)
    own = {record["iri"]: full_text(record, next(iter(record["texts"]), "")) for record in knowledge.all_records()}
    return Library(bundle, knowledge, own | dict(words or {}))


def loaded(folder: Path, glosses: str = "", files: Sequence[str] = BOOK_FILES) -> Library:
    """A home with the books of nine games, or other files, and the glosses of these patterns (all if empty); built if missing."""
    home = Home(folder)
    if home.current_folder() is None:
        os.environ.pop("RULESTONE_DIGEST", None)
        os.environ |= {"RULESTONE_DIGEST": glosses} if glosses else {}
        add(home, [rulebook_folder() / name for name in files])
        with Loaded.open(folder) as building:
            building.index(lambda done, total, what: print(f"{what} {done}/{total}", file=sys.stderr))
    return library(home)


def home_parser(doc: str | None) -> argparse.ArgumentParser:
    """A parser of `--home`; `doc` is the docstring of the command's module."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("--home", type=Path, help="a home with the books, kept and used again")
    return parser
