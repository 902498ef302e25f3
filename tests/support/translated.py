"""A small invented book in two editions without a common language, whose rules bear other numbers in each."""

from pathlib import Path

from corpus.store.home import Home
from tests.support import homes

OLDER, NEWER = "2015-01-01", "2025-01-01"
JAPANESE = """1. 領域
100. 基本
100.1. カードは領域に置かれます。
100.2. カードが別の領域に移動した場合、そのカードは新しいカードとして扱われます。
101. 墓地
101.1. 墓地は公開領域です。破壊されたカードは墓地に置かれます。
101.2. 墓地にあるカードの順番は変更できません。
102. 手札
102.1. 手札は非公開領域です。
102.2. 手札の上限は7枚です。
"""
ENGLISH = """1. Areas
200. Basics
200.1. Cards are placed in zones.
200.2. A card that moves to another zone is treated as a new card.
201. Hand
201.1. The hand is a hidden zone.
201.2. The maximum hand size is 7 cards.
202. Graveyard
202.1. The graveyard is a public zone. Destroyed cards are put into the graveyard.
202.2. The order of cards in the graveyard cannot be changed.
203. Lanterns
203.1. A lantern burns for three nights.
"""
PARTNERS = {
    "100.1": "200.1",
    "100.2": "200.2",
    "101": "202",
    "101.1": "202.1",
    "101.2": "202.2",
    "102": "201",
    "102.1": "201.1",
    "102.2": "201.2",
}


def put(home: Path) -> Home:
    """A home with both editions."""
    homes.put_editions(home, [(JAPANESE, OLDER, "ja"), (ENGLISH, NEWER, "en")])
    return Home(home)
