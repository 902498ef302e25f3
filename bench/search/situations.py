"""Situations with cards, searched in complete books: `python -m bench.search.situations [--home HOME]`.

`situations.tsv` has game states as players and judges type them, each with the rules that decide it. Prints by game and language,
for the measured half: the share of the needed rules in the first ten, how often one is in the first three, the share in the first
fifty, and how often search abstains, which is always an error here.
"""

from collections.abc import Iterator, Sequence

from bench.search.homes import home_option, opened
from bench.search.runs import ABSTAINED, Group, Outcome, by, evaluate, print_table, product_search
from bench.search.topics import MEASURE, situations

FIFTY = 50


def groups(outcomes: Sequence[Outcome]) -> Iterator[Group]:
    """All outcomes, those of each game, and those of each language."""
    yield "all", outcomes
    yield from by(outcomes, lambda topic: topic.lang, "all {}")
    for game, own in by(outcomes, lambda topic: topic.game, "  {}"):
        yield game, own
        yield from by(own, lambda topic: topic.lang, "    {}")


def main() -> None:
    """Prints the figures."""
    with opened(home_option(__doc__)) as library:
        topics = [topic for topic in situations() if topic.half == MEASURE]
        outcomes = evaluate(topics, product_search(library.searcher(), FIFTY))
    print_table("situations", ("R@10", "Success@3", "R@50", ABSTAINED), groups(outcomes))


if __name__ == "__main__":
    main()
