"""Situations with cards, searched in complete books: `python -m bench.search.situations [--home HOME]`.

`situations.tsv` has game states as players and judges type them, each with the rules that decide it. Prints by game and language,
for the measured half: the share of the needed rules in the first ten, how often one is in the first three, the share in the first
fifty, and how often search abstains, which is always an error here.
"""

from collections.abc import Iterable, Sequence

from bench.measure import folder_or_temporary
from bench.search.homes import home_parser, loaded
from bench.search.runs import ABSTAINED, Outcome, evaluate, mean, product_search, recall
from bench.search.topics import MEASURE, situations

FIFTY = 50


def figures_table(outcomes: Sequence[Outcome]) -> Iterable[str]:
    """The figures for all situations, for each game and for each of its languages."""
    yield f"{'situations':<20}{'asked':>6}  in ten [95 %]           one in three  in fifty  abstained"
    yield from _figures_lines("all", outcomes, "all ")
    for game in sorted({one.topic.game for one in outcomes}):
        yield from _figures_lines(f"  {game}", [one for one in outcomes if one.topic.game == game], "    ")


def _figures_lines(name: str, outcomes: Sequence[Outcome], before_language: str) -> Iterable[str]:
    by_lang = {lang: [one for one in outcomes if one.topic.lang == lang] for lang in sorted({one.topic.lang for one in outcomes})}
    for part, some in ((name, outcomes), *((before_language + lang, own) for lang, own in by_lang.items())):
        three, fifty, abstention = (mean(some, what) for what in ("Success@3", "R@50", ABSTAINED))
        yield f"{part:<20}{len(some):>6}  {recall(some)}{three:>14.3f}{fifty:>10.3f}{abstention:>11.3f}"


def main() -> None:
    """Prints the figures."""
    with folder_or_temporary(home_parser(__doc__).parse_args().home) as home:
        topics = [topic for topic in situations() if topic.half == MEASURE]
        print("\n".join(figures_table(evaluate(topics, product_search(loaded(home).searcher(), FIFTY)))))


if __name__ == "__main__":
    main()
