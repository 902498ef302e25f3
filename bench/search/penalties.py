"""Questions about penalties: found in an invented penalty guide, and not answered if no such document is loaded.

`python -m bench.search.penalties HOME` prints both figures; HOME is built if it is missing.
"""

import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.measure import use_only_seed_digests
from rulestone import Library

TESTS = Path(__file__).parents[2] / "tests"
GUIDE = TESTS / "support" / "books" / "penalties.en.txt"
RULES = TESTS / "support" / "books" / "hundreds.en.txt"
LIMIT = 10
Row = tuple[str, str, str]
"""Language, section of the guide, question."""


def rows() -> list[Row]:
    """The questions."""
    with (TESTS / "cases" / "penalties.tsv").open(encoding="utf-8", newline="") as lines:
        return [(row["lang"], row["section"], row["question"]) for row in csv.DictReader(lines, delimiter="\t")]


def find_rules(library: Library, questions: Sequence[Row]) -> Iterator[tuple[Row, bool]]:
    """Each question, and whether a rule of its section is among the first ten hits."""
    for row in questions:
        hits = library.search(row[2], games="ferry", limit=LIMIT)["hits"]
        yield row, any(hit["book"] == "pg" and hit["locator"].split("~")[0] == row[1] for hit in hits)


def find_abstentions(library: Library, questions: Sequence[Row], game: str) -> Iterator[tuple[Row, bool]]:
    """Each question, and whether search abstains."""
    for row in questions:
        yield row, library.search(row[2], games=game, limit=LIMIT)["abstained"]


def main(home: Path) -> None:
    """Prints the figures and the failed questions."""
    use_only_seed_digests()
    questions, fresh = rows(), not home.exists()
    with Library.open(home / "without") as without:
        if fresh:
            without.add(RULES, game="ferry", edition="2021-05-03")
        for game in ("ferry", "dm", "ygo"):
            _print(f"abstained, {game} without a guide", list(find_abstentions(without, questions, game)))
    with Library.open(home / "with") as library:
        if fresh:
            library.add([RULES, GUIDE], game="ferry")
        _print(f"in {LIMIT}", list(find_rules(library, questions)))


def _print(name: str, results: Sequence[tuple[Row, bool]]) -> None:
    for lang in ("en", "ja", "zh"):
        of_lang = [right for row, right in results if row[0] == lang]
        print(f"{name}, {lang}: {sum(of_lang)} of {len(of_lang)}")
    print(f"{name}: {sum(right for _, right in results) / len(results):.3f}")
    for row, right in results:
        if not right:
            print("  ", *row)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
