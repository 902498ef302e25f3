"""Situations for teaching and measuring: game states as players and judges type them, with the rules that decide them.

`data/situations.tsv` has one a row. An id is game, batch and number. A batch is wholly for teaching or wholly for measuring; a game
without a digest is wholly for measuring. Every needed rule is a locator in the edition that EDITIONS names.
"""

import csv
from functools import cache
from typing import Literal, NamedTuple, cast

from search.settings import DATA

FILE = DATA / "situations.tsv"
EDITIONS = {
    "dm": "dm/cr/2025-12-17",
    "fow": "fow/cr/2025-09-18",
    "mtg": "mtg/cr/2025-02-07",
    "onepiece": "onepiece/cr/2025-02-21",
    "ygo": "ygo/rulebook/undated-2",
}
"""Game → the edition whose locators are needed."""
Split = Literal["teach", "measure"]


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
