"""`make eval`: every figure of quality, written to docs/quality.md; `make eval PARTS="search.books"` measures one part again."""

import argparse
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.measure import RULESTONE, folder_or_temporary, loaded_home, rulebook_folder
from bench.report import Part, check_chosen, write
from bench.search.homes import loaded

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
        selection = [part for part in parts if not options.parts or part.module in options.parts]
        for home in {option for part in selection for option in part.options if isinstance(option, Path)}:
            _BUILDERS[home.name](home)
        return write("quality.md", "Quality", _OPENING, parts, options.parts)


def _parts(folder: Path) -> list[Part]:
    books = folder / "books"
    return [
        *map(Part, ("search.judged", "search.questions", "search.abstention", "search.across", "search.unseen")),
        *(Part(f"search.{name}", ("--home", books)) for name in ("books", "typed", "situations", "sections")),
        Part("agents", ("--home", books)),
        *map(Part, ("answers", "answers.keywords", "verify", "verify.wild", "threads", "found", "align", "drift")),
        *map(Part, ("matching", "extraction", "digest", "agreement")),
        *(Part(name, (books,)) for name in ("cards", "counterparts")),
        Part("search.definitions", (folder / "digest", "--each", "5")),
        Part("rulings", (folder / "every",)),
    ]


def _build_digest(home: Path) -> None:
    if not home.exists():
        subprocess.run([RULESTONE, "--home", home, "build"], check=True)


def _add_every_book(home: Path) -> None:
    if not home.exists():
        subprocess.run([RULESTONE, "--home", home, "add", *loaded_home(rulebook_folder()), "--keep-going"], check=False)


_BUILDERS: Mapping[str, Callable[[Path], object]] = {"books": loaded, "digest": _build_digest, "every": _add_every_book}
"""Functions that make the homes, if they are missing."""


if __name__ == "__main__":
    sys.exit(main())
