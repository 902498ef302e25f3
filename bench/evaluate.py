"""`make eval`: every figure of quality, written to docs/quality.md; `make eval PARTS="search.books"` measures one part again."""

import argparse
import subprocess
import sys
from pathlib import Path

from bench.measure import RULESTONE, folder_or_temporary, loaded_home, rulebook_folder
from bench.report import Part, check_chosen, write
from bench.search.homes import loaded

_OF_BOOKS = ("search.books", "search.typed", "search.situations", "search.sections", "agents")
"""Parts that use one home with the books of nine games."""
_BESIDE_BOOKS = ("cards", "counterparts")
"""Parts that take that home as an argument."""
_SEARCH_PARTS = ("search.judged", "search.questions", "search.abstention", "search.across", "search.unseen")
_OTHER_PARTS = (
    "answers",
    "answers.keywords",
    "verify",
    "verify.wild",
    "threads",
    "found",
    "align",
    "drift",
    "matching",
    "extraction",
    "digest",
    "agreement",
)
_OPENING = (
    "The accuracy of search, answers, citations, translations and the digest, misses included. `make eval` writes this page; "
    "`make eval PARTS=…` measures some parts again. The commands print more than the page keeps: figures by game, book and kind. "
    "Vectors differ in their last digits between processors, which changes figures of search by up to .005."
)


def main() -> int:
    """Returns 0 if every part ran and met its targets."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="measure only these modules of bench, such as search.books")
    parser.add_argument("--homes", type=Path, help="a folder of homes with books, kept and used again")
    options = parser.parse_args()
    with folder_or_temporary(options.homes) as folder:
        parts = _parts(folder)
        check_chosen(parser, options.parts, parts)
        _make_homes(folder, set(options.parts) or {part.module for part in parts})
        return write("quality.md", "Quality", _OPENING, parts, options.parts)


def _parts(folder: Path) -> list[Part]:
    books, digest, every = folder / "books", folder / "digest", folder / "every"
    return [
        *(Part(name) for name in _SEARCH_PARTS),
        *(Part(name, ("--home", books)) for name in _OF_BOOKS),
        *map(Part, _OTHER_PARTS),
        *(Part(name, (books,)) for name in _BESIDE_BOOKS),
        Part("search.definitions", (digest, "--each", "5")),
        Part("rulings", (every,)),
    ]


def _make_homes(folder: Path, parts: set[str]) -> None:
    """Makes the homes that the chosen parts read and that are missing."""
    if parts & {*_OF_BOOKS, *_BESIDE_BOOKS}:
        loaded(folder / "books")
    if "search.definitions" in parts and not (folder / "digest").exists():
        subprocess.run([RULESTONE, "--home", folder / "digest", "build"], check=True)
    if "rulings" in parts and not (folder / "every").exists():
        files = loaded_home(rulebook_folder())
        subprocess.run([RULESTONE, "--home", folder / "every", "add", *files, "--keep-going"], check=False)


if __name__ == "__main__":
    sys.exit(main())
