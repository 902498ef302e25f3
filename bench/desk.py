"""How quickly translators are served: a whole book as TMX and XLIFF, its drift, a termbase, and the lines of a concordance.

    python -m bench.desk HOME [BOOK]

HOME is a knowledge base with a book in two languages. Queries of the concordance are names of concepts of all loaded games in every
language, the most frequent words, and expressions; each is asked once after one that reads the texts.
"""

import sys
from collections.abc import Callable, Iterator
from statistics import median
from typing import NamedTuple

from bench.measure import computed, machine, report, timed
from rulestone import Library

BITEXT, DRIFT, FIRST, CONCORDANCE = 20.0, 60.0, 20.0, 100.0
"""Targets: seconds, and milliseconds, of processor time."""
_EXPRESSIONS = (
    r"(?:may|can) (?:\w+ ){1,3}cards?",
    r"\{[WUBRGT]\}",
    r"instead",
    r"(\w+\s?)+;",
    r"カード.{0,5}墓地",
    r"每.{1,8}牌手",
)
_FREQUENT = ("card", "the", "player", "カード", "牌", "的", "ability", "+1/+1 counter")


def queries(library: Library) -> Iterator[tuple[str, bool]]:
    """What is asked, and whether it is an expression."""
    for word in _FREQUENT:
        yield word, False
    for concept in library.concepts(kind="zone", limit=1000)["concepts"]:
        for lang in ("en", "ja", "zh"):
            [whole] = library.concept(concept["concept"], lang=lang)["concepts"][:1]
            yield whole["label"], False
    for expression in _EXPRESSIONS:
        yield expression, True


class Cost(NamedTuple):
    """Seconds of processor time, and seconds by the clock."""

    computed: float
    waited: float


def cost(work: Callable[[], object]) -> Cost:
    """What a call costs."""
    waited: list[float] = []
    seconds = computed(lambda: waited.append(timed(work)))
    return Cost(seconds, waited[0])


def main(home: str, book: str = "mtg/cr") -> bool:
    """Prints the figures, of processor time; whether each is within its target."""
    print(machine(), flush=True)
    with Library.open(home, create=False) as library:
        fits = [
            whole("TMX of a book in two languages", BITEXT, lambda: sum(map(len, library.bitext("tmx", book)))),
            whole("XLIFF of it", BITEXT, lambda: sum(map(len, library.bitext("xliff", book)))),
            whole("TBX of all games", BITEXT, lambda: library.termbase("tbx")),
            whole("drift of it", DRIFT, lambda: library.drift(book, "en", "zh")),
            whole("concordance, the first", FIRST, lambda: library.concordance("zone")),
        ]
        asked = list(dict.fromkeys(queries(library)))
        costs = [cost(lambda query=query: library.concordance(query[0], regex=query[1])) for query in asked]  # type: ignore[misc]
    sides = (sorted(spent.computed * 1000 for spent in costs), sorted(spent.waited * 1000 for spent in costs))
    behind = [f"median {median(side):.0f}, most {side[-1]:.0f}" for side in sides]
    late, waited = (side[int(len(side) * 0.95)] for side in sides)
    told = f"{behind[0]}; by the clock p95 {waited:.0f}, {behind[1]}"
    return all([*fits, report(f"concordance, p95 of {len(asked)} queries", late, CONCORDANCE, "ms", told)])


def whole(name: str, most: float, work: Callable[[], object]) -> bool:
    """Reports what something costs that is asked for once."""
    spent = cost(work)
    return report(name, spent.computed, most, "s", f"{spent.waited:.1f} s by the clock")


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
