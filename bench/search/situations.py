"""Situations with cards against whole books: `python -m bench.search.situations [--home HOME]`.

`situations.tsv` has game states as players and judges type them, each with the rules that decide it. An id is game, batch and
number. A batch is wholly for teaching or wholly for measuring; a game without a digest is wholly for measuring. Every needed rule
is a locator in the edition that EDITIONS names.

Prints by game and language, for the measured half: the share of the needed rules in the first ten, how often one is in the first
three, the share in the first fifty, and how often search abstains, which is wrong here. The game is named, as where a page's game
chip is set; `--no-game` leaves it out. `--teach` asks the other half. `--sample 300 --seed 1` prints questions without their rules,
for a second reader to mark.
"""

import argparse
import csv
import random
import shutil
import statistics
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, cast

from bench.search.books import loaded
from bench.search.judged import interval
from search.searcher import Request, Searcher
from search.settings import SEARCH

FILE = Path(__file__).with_name("situations.tsv")
EDITIONS = {
    "dm": "dm/cr/2025-12-17",
    "fow": "fow/cr/2025-09-18",
    "mtg": "mtg/cr/2025-02-07",
    "onepiece": "onepiece/cr/2025-02-21",
    "ygo": "ygo/rulebook/undated-2",
}
"""Game → the edition whose locators are needed."""
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


class Found(NamedTuple):
    """The outcome of a situation."""

    situation: Situation
    ten: float  # share of the needed rules in the first ten
    three: bool  # one of them in the first three
    fifty: float
    abstained: bool


def found(searcher: Searcher, situation: Situation, *, game: bool) -> Found:
    """Asks a situation; its ranking is measured even where search abstains."""
    request = Request(situation.question, (situation.game,) if game else (), limit=FIFTY)
    hits = searcher.rank(searcher.understand(request), request).hits
    rules = [searcher.index.rules[hit.rule] for hit in hits]
    places = {place for place, rule in enumerate(rules) if rule.game == situation.game and rule.locator in situation.needs}
    ten, fifty = (sum(place < cut for place in places) / len(situation.needs) for cut in (TEN, FIFTY))
    return Found(situation, ten, any(place < THREE for place in places), fifty, searcher.search(request)["abstained"])


def table(every: Sequence[Found]) -> Iterable[str]:
    """The figures of all, of each game and of each of its languages."""
    yield f"{'':<20}{'asked':>6}  in ten [95 %]           one in three  in fifty  abstained"
    yield _line("all", every)
    for lang in sorted({one.situation.lang for one in every}):
        yield _line(f"all {lang}", [one for one in every if one.situation.lang == lang])
    for game in sorted({one.situation.game for one in every}):
        own = [one for one in every if one.situation.game == game]
        yield _line(game, own)
        for lang in sorted({one.situation.lang for one in own}):
            yield _line(f"  {lang}", [one for one in own if one.situation.lang == lang])


def _line(name: str, some: Sequence[Found]) -> str:
    low, high = interval([one.ten for one in some])
    ten, three, fifty, abstained = (statistics.fmean(column) for column in list(zip(*some, strict=True))[1:])
    return f"{name:<20}{len(some):>6}  {ten:.3f} [{low:.3f}, {high:.3f}]{three:>14.3f}{fifty:>10.3f}{abstained:>11.3f}"


def sample(every: Sequence[Situation], size: int, seed: int) -> Iterable[str]:
    """`size` questions in the order of the file, each with its id, edition and language, without the rules it needs."""
    for place in sorted(random.Random(seed).sample(range(len(every)), min(size, len(every)))):
        drawn = every[place]
        yield f"{drawn.ident}\t{EDITIONS[drawn.game]}\t{drawn.lang}\t{drawn.question}"


def main() -> None:
    """Prints the figures, or a sample."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--home", type=Path, help="a home with the books, kept and used again")
    parser.add_argument("--teach", action="store_true", help="the half that is taught")
    parser.add_argument("--no-game", action="store_true", help="leave the game unnamed")
    parser.add_argument("--sample", type=int, metavar="N", help="print N questions without their rules and stop")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    options = parser.parse_args()
    if options.sample:
        print("\n".join(sample(situations(), options.sample, options.seed)))
        return
    scratch = options.home or Path(tempfile.mkdtemp())
    try:
        searcher = loaded(scratch).searcher(SEARCH)
        asked = [one for one in situations() if one.split == ("teach" if options.teach else "measure")]
        print("\n".join(table([found(searcher, one, game=not options.no_game) for one in asked])))
    finally:
        if not options.home:
            shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
