"""Questions about penalties: found in an invented penalty guide, and not answered if no such document is loaded.

`python -m bench.search.penalties HOME` prints both figures; HOME is built if it is missing.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.measure import use_only_seed_digests
from bench.search.runs import ABSTAINED, TEN, Outcome, RankedList, Search, evaluate, mean
from bench.search.topics import Topic, table_rows
from rulestone import Library

TESTS = Path(__file__).parents[2] / "tests"
GUIDE = TESTS / "support" / "books" / "penalties.en.txt"
RULES = TESTS / "support" / "books" / "hundreds.en.txt"


def penalties() -> list[Topic]:
    """The questions; each needs a section of the guide."""
    return [
        Topic(f"penalty-{nth}", "penalties", row["lang"], row["question"], needs=(row["section"],))
        for nth, row in enumerate(table_rows(TESTS / "cases" / "penalties.tsv"))
    ]


def guide_search(library: Library, game: str) -> Search:
    """Search in a game as a function to the sections of the guide."""

    def rank(topic: Topic) -> RankedList:
        body = library.search(topic.query, games=game, limit=TEN)
        return RankedList([hit["locator"].split("~")[0] for hit in body["hits"] if hit["book"] == "pg"], body["abstained"])

    return rank


def main(home: Path) -> None:
    """Prints the figures and the failed questions."""
    use_only_seed_digests()
    topics, fresh = penalties(), not home.exists()
    with Library.open(home / "without") as without:
        if fresh:
            without.add(RULES, game="ferry", edition="2021-05-03")
        for game in ("ferry", "dm", "ygo"):
            _print(f"abstained, {game} without a guide", evaluate(topics, guide_search(without, game)), ABSTAINED)
    with Library.open(home / "with") as library:
        if fresh:
            library.add([RULES, GUIDE], game="ferry")
        _print(f"in {TEN}", evaluate(topics, guide_search(library, "ferry")), f"Success@{TEN}")


def _print(name: str, outcomes: Sequence[Outcome], measure: str) -> None:
    for lang in ("en", "ja", "zh"):
        of_lang = [one.figures[measure] for one in outcomes if one.topic.lang == lang]
        print(f"{name}, {lang}: {sum(of_lang):.0f} of {len(of_lang)}")
    print(f"{name}: {mean(outcomes, measure):.3f}")
    for one in outcomes:
        if not one.figures[measure]:
            print("  ", one.topic.lang, *one.topic.needs, one.topic.query)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
