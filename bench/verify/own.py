"""Our own cases on the invented books of this folder: `python -m bench.verify.own`.

`hand.tsv` was written by hand; `made.tsv` has every outcome for a rule of the invented books, cited in three languages. A row has a
text, its parameters and every citation in it: `surface=status`, then `>locator today` and `/verdict on the quotation` if these
matter.
"""

import re
import sys
import tempfile
from pathlib import Path

from bench.measure import table_rows, use_only_seed_digests
from bench.verify.case import Case, Expected, print_score, score_cases
from rulestone import Library

FOLDER = Path(__file__).parent
FILES = ("hand.tsv", "made.tsv")
_EXPECTED = re.compile(r"(?P<surface>.+)=(?P<status>[a-z_]+)(?:>(?P<now>[^/]+))?(?:/(?P<quote>[a-z]+))?")


def cases() -> list[Case]:
    """Every case of the files."""
    return [_parse_case(row) for name in FILES for row in table_rows(FOLDER / name)]


def _parse_case(row: dict[str, str]) -> Case:
    expected = tuple(_parse_expected(citation) for citation in row["expected"].split(" | ") if citation)
    text = row["text"].replace("\\n", "\n")
    return Case(f"{row['lang']} {row['kind']}", text, expected, row["game"] or None, row["as_of"] or None)


def _parse_expected(words: str) -> Expected:
    match = _EXPECTED.fullmatch(words)
    assert match, words
    return Expected(match["surface"], match["status"], match["now"], match["quote"])


def put_books(home: Path) -> Library:
    """A knowledge base of the invented books."""
    library = Library.open(home)
    books = sorted((FOLDER / "books").glob("*.txt"))
    for game in dict.fromkeys(book.name.partition(".")[0] for book in books):
        library.add([book for book in books if book.name.startswith(f"{game}.")], game=game, authority="official")
    return library


def main() -> int:
    """Returns 0 if at least 0.98 of the cases are correct and none is falsely reported as verified."""
    use_only_seed_digests()
    with tempfile.TemporaryDirectory(prefix="rulestone-verify-") as folder, put_books(Path(folder) / "home") as library:
        return print_score(score_cases(cases(), library))


if __name__ == "__main__":
    sys.exit(main())
