"""Situations with cards, searched in complete books: `python -m bench.search.situations [--home HOME]`.

`situations.tsv` has game states as players and judges type them, each with the rules that decide it. An id is game, batch and
number. Each batch is used either for training or for evaluation; a game without a digest only for evaluation. Every needed rule
is a locator in the edition that bench.search.books names.

Prints by game and language, for the evaluation half: the share of the needed rules in the first ten, how often one is in the first
three, the share in the first fifty, and how often search abstains, which is always an error here. The game is given, as with a
page's game chip.
"""

import argparse
import csv
import statistics
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, cast

from bench.measure import folder_or_temporary
from bench.search.books import loaded
from bench.search.judged import confidence_interval
from search.searcher import Request, Searcher
from search.settings import SEARCH

FILE = Path(__file__).with_name("situations.tsv")
Split = Literal["teach", "measure"]
TEN, THREE, FIFTY = 10, 3, 50


class Situation(NamedTuple):
    """A question about a game state."""

    ident: str
    game: str  # slug
    lang: str  # BCP 47: en, ja, zh-Hans or zh-Hant
    split: Split
    question: str
    needs: tuple[str, ...]  # locators, each needed to decide it


@cache
def situations() -> tuple[Situation, ...]:
    """All situations, in the order of the file."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(
            Situation(row["id"], row["game"], row["lang"], cast(Split, row["split"]), row["question"], tuple(row["needs"].split()))
            for row in rows
        )


class RankedSituation(NamedTuple):
    """The outcome of a situation."""

    situation: Situation
    ten: float  # share of the needed rules in the first ten
    three: bool  # one of them in the first three
    fifty: float
    abstained: bool


def rank_situation(searcher: Searcher, situation: Situation) -> RankedSituation:
    """Searches for a situation; its ranking is measured even if search abstains."""
    request = Request(situation.question, (situation.game,), limit=FIFTY)
    hits = searcher.rank(searcher.understand(request), request).hits
    rules = [searcher.index.rules[hit.rule] for hit in hits]
    places = {place for place, rule in enumerate(rules) if rule.game == situation.game and rule.locator in situation.needs}
    ten, fifty = (sum(place < cut for place in places) / len(situation.needs) for cut in (TEN, FIFTY))
    return RankedSituation(situation, ten, any(place < THREE for place in places), fifty, searcher.search(request).abstained)


def figures_table(outcomes: Sequence[RankedSituation]) -> Iterable[str]:
    """The figures for all situations, for each game and for each of its languages."""
    yield f"{'situations':<20}{'asked':>6}  in ten [95 %]           one in three  in fifty  abstained"
    yield _figures_line("all", outcomes)
    for lang in sorted({one.situation.lang for one in outcomes}):
        yield _figures_line(f"all {lang}", [one for one in outcomes if one.situation.lang == lang])
    for game in sorted({one.situation.game for one in outcomes}):
        own = [one for one in outcomes if one.situation.game == game]
        yield _figures_line(f"  {game}", own)
        for lang in sorted({one.situation.lang for one in own}):
            yield _figures_line(f"    {lang}", [one for one in own if one.situation.lang == lang])


def _figures_line(name: str, outcomes: Sequence[RankedSituation]) -> str:
    low, high = confidence_interval([one.ten for one in outcomes])
    ten, three, fifty, abstention = (statistics.fmean(column) for column in list(zip(*outcomes, strict=True))[1:])
    return f"{name:<20}{len(outcomes):>6}  {ten:.3f} [{low:.3f}, {high:.3f}]{three:>14.3f}{fifty:>10.3f}{abstention:>11.3f}"


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--home", type=Path, help="a home with the books, kept and used again")
    options = parser.parse_args()
    with folder_or_temporary(options.home) as home:
        searcher = loaded(home).searcher(SEARCH)
        measured_situations = [one for one in situations() if one.split == "measure"]
        print("\n".join(figures_table([rank_situation(searcher, one) for one in measured_situations])))


if __name__ == "__main__":
    main()
