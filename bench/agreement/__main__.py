"""Agreement of two passes over the rules: `python -m bench.agreement`. `coded.tsv` has the answers of both."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

CODED_FILE = Path(__file__).with_name("coded.tsv")
NUMERIC_PROPERTIES = ("capacity", "hand-limit", "deck-minimum", "deck-maximum", "start-size")
Pairs = Sequence[tuple[str, str]]


def coded_rows() -> list[dict[str, str]]:
    """The codes of both passes, line by line."""
    with CODED_FILE.open(encoding="utf-8") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


def _table(rows: Iterable[dict[str, str]]) -> Iterator[str]:
    grouped: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        grouped.setdefault(row["asked"], []).append((row["first"], row["second"]))
    yield f"{'asked':<20}{'lines':>6}{'agree':>7}{'kappa':>8}"
    for name, pairs in sorted(grouped.items()):
        yield f"{name:<20}{len(pairs):>6}{share(pairs):>7.2f}{_kappa(pairs):>8}"
    by_first: dict[str, list[tuple[str, str]]] = {}
    for first, second in grouped.get("predicate", ()):
        by_first.setdefault(first, []).append((first, second))
    yield from (f"  {name:<18}{len(pairs):>6}{share(pairs):>7.2f}{'':>8}" for name, pairs in sorted(by_first.items()))
    numbers = [pair for name, pairs in grouped.items() if name in NUMERIC_PROPERTIES for pair in pairs]
    closed = [pair for name, pairs in grouped.items() if name not in (*NUMERIC_PROPERTIES, "predicate") for pair in pairs]
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
    seen: dict[str, list[bool]] = {}
    for row in rows:
        if row["asked"] == "predicate":
            seen.setdefault(row["first"], []).append(row["first"] == row["second"])
    return {name: round((sum(agreed) + 1) / (len(agreed) + 2), 2) for name, agreed in seen.items()}


if __name__ == "__main__":
    print("\n".join(_table(coded_rows())))
