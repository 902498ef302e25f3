"""Agreement of two passes over the rules: `python -m bench.agreement`; `--sheets FOLDER` draws the blind sheets again.

`FOLDER/claims.codes` and `mappings.codes` (a number and an answer a line) hold the second coder's answers; `--codes FOLDER`
merges them with the first pass into `coded.tsv`.
"""

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bench.agreement import draw
from bench.digest.glossed import all_nodes
from bench.measure import table_rows

CODED_FILE = Path(__file__).with_name("coded.tsv")
COLUMNS = ("sheet", "asked", "about", "first", "second")
Pairs = Sequence[tuple[str, str]]


def main() -> int:
    """Prints the agreement, or writes the sheets or the codes; returns 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=Path, help="a folder: write the blind sheets there")
    parser.add_argument("--codes", type=Path, help="a folder: set what was coded there beside the first pass")
    options = parser.parse_args()
    if options.sheets or options.codes:
        beside = all_nodes()
        sheets = {"claims": draw.claims(beside), "mappings": draw.mappings(beside)}
        if options.sheets:
            _write(options.sheets, sheets)
        else:
            _join_sheets(options.codes, sheets)
        return 0
    print("\n".join(_table(coded_rows())))
    return 0


def coded_rows() -> list[dict[str, str]]:
    """The codes of both passes, line by line."""
    return table_rows(CODED_FILE)


def _table(rows: Iterable[dict[str, str]]) -> Iterator[str]:
    answers_by_name: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        answers_by_name.setdefault(row["asked"], []).append((row["first"], row["second"]))
    yield f"{'asked':<20}{'lines':>6}{'agree':>7}{'kappa':>8}"
    for name, pairs in sorted(answers_by_name.items()):
        indent = "" if name == "predicate" else "  "
        yield f"{indent + name:<20}{len(pairs):>6}{share(pairs):>7.2f}{_kappa(pairs):>8}"
    by_first: dict[str, list[tuple[str, str]]] = {}
    for first, second in answers_by_name.get("predicate", ()):
        by_first.setdefault(first, []).append((first, second))
    yield from (f"  {name:<18}{len(pairs):>6}{share(pairs):>7.2f}{'':>8}" for name, pairs in sorted(by_first.items()))
    numbers = [pair for name, pairs in answers_by_name.items() if name in draw.NUMERIC_PROPERTIES for pair in pairs]
    closed = [
        pair for name, pairs in answers_by_name.items() if name not in (*draw.NUMERIC_PROPERTIES, "predicate") for pair in pairs
    ]
    for name, pairs in {"all numbers": numbers, "all of claims": [*closed, *numbers]}.items():
        yield f"{name:<20}{len(pairs):>6}{share(pairs):>7.2f}{_kappa(pairs):>8}"


def _kappa(pairs: Pairs) -> str:
    agreement = kappa(pairs)
    return "-" if agreement is None else f"{agreement:.2f}"


def share(pairs: Pairs) -> float:
    """Observed agreement: the share of rows with equal codes."""
    return sum(first == other for first, other in pairs) / len(pairs)


def kappa(pairs: Pairs) -> float | None:
    """Cohen's kappa; None if all answers are equal, because then chance explains the agreement."""
    first, second = (Counter(side) for side in zip(*pairs, strict=True))
    chance = sum(first[answer] * second[answer] for answer in first) / len(pairs) ** 2
    return None if chance == 1 else (share(pairs) - chance) / (1 - chance)


def confidence(rows: Iterable[dict[str, str]]) -> dict[str, float]:
    """Predicate → the probability that another judge agrees, by Laplace's rule of succession."""
    agreements: dict[str, list[bool]] = {}
    for row in rows:
        if row["asked"] == "predicate":
            agreements.setdefault(row["first"], []).append(row["first"] == row["second"])
    return {name: round((sum(is_equal) + 1) / (len(is_equal) + 2), 2) for name, is_equal in agreements.items()}


def _write(folder: Path, sheets: dict[str, list[draw.Question]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, questions in sheets.items():
        with (folder / f"{name}.tsv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
            writer.writerow(("number", "asked", "of", "answers", "rules"))
            for number, question in enumerate(questions, 1):
                answers = " | ".join(question.answers) or f"a number, unlimited or {draw.NO_ANSWER}"
                writer.writerow((number, question.asked, question.concept, answers, " ¶ ".join(question.rules)))


def _join_sheets(folder: Path, sheets: dict[str, list[draw.Question]]) -> None:
    with CODED_FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        for name, questions in sheets.items():
            lines = (folder / f"{name}.codes").read_text(encoding="utf-8").splitlines()
            for question, line in zip(questions, lines, strict=True):
                row = {"sheet": name, "asked": question.asked, "about": question.about, "first": question.first}
                writer.writerow(row | {"second": line.split()[1]})


if __name__ == "__main__":
    sys.exit(main())
