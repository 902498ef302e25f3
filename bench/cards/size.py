"""What 30,000 cards in three languages cost: the file, opening it, and matching a question, with slips and without."""

import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from corpus.card import Card
from ontology.cards import FILE, Cards, found_in, write
from ontology.cards.key import tokens_of

CARDS, QUESTIONS = 30_000, 300
_DRAW = random.Random(1)
_SYLLABLES = [f"{a}{b}{c}" for a in "bcdfghklmnprstvz" for b in "aeiou" for c in ("", "n", "r", "l", "s", "th")]
_HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 3000)]
_KATAKANA = [chr(code) for code in range(0x30A2, 0x30F3)]


def _some(of: Sequence[str], counts: Sequence[int], between: str = "") -> str:
    return between.join(_DRAW.choices(of, k=_DRAW.choice(counts)))


def cards() -> list[Card]:
    """Invented cards; the lengths of names and texts are those of real ones."""
    words = [_some(_SYLLABLES, (1, 2, 2, 3)) for _ in range(12_000)]
    return [
        Card(
            "mtg",
            str(nth),
            {
                "en": (_some(words, (1, 2, 2, 3, 4), " ").title(),),
                "ja": (_some(_HAN, (2, 3, 4)) + _some(_KATAKANA, (0, 3, 5)),),
                "zh-Hans": (_some(_HAN, (2, 3, 4, 5, 6)),),
            },
            {"en": _some(words[:3000], (35,), " "), "ja": _some(_HAN[:900], (110,)), "zh-Hans": _some(_HAN[:900], (80,))},
        )
        for nth in range(CARDS)
    ]


def questions(some: Sequence[Card]) -> list[str]:
    """Questions that name two cards, a third of them with a slip."""
    asked = []
    for nth in range(QUESTIONS):
        card, other = _DRAW.choices(some, k=2)
        name = card.names["en"][0]
        at = _DRAW.randrange(1, max(2, len(name) - 1))
        asked.append(
            (
                f"if they cast {name} while {other.names['en'][0]} is there what happens to creatures that entered this turn",
                f"相手が{card.names['ja'][0]}を出しているとき、「{other.names['ja'][0]}」は使えますか。墓地のカードはどうなりますか",
                f"does {name[:at]}{name[at + 1 :]} stop the effect of 对手的{other.names['zh-Hans'][0]}在战场上的时候",
            )[nth % 3]
        )
    return asked


def main() -> None:
    """Prints the figures."""
    some, folder = cards(), Path(tempfile.mkdtemp())
    begun = time.perf_counter()
    write(folder / FILE, some)
    print(f"written in {time.perf_counter() - begun:.1f} s, {(folder / FILE).stat().st_size / 1e6:.1f} MB")
    begun = time.perf_counter()
    shelf = Cards(folder)
    print(f"opened in {(time.perf_counter() - begun) * 1e3:.2f} ms")
    for slips in (False, True):
        times = sorted(_milliseconds(question, shelf, slips=slips) for question in questions(some))
        print(f"slips {slips}: median {statistics.median(times):.2f} ms, p95 {times[QUESTIONS * 95 // 100]:.2f} ms")


def _milliseconds(question: str, shelf: Cards, *, slips: bool) -> float:
    best = float("inf")
    for _ in range(3):
        begun = time.perf_counter()
        list(found_in(question, tokens_of(question), shelf, slips=slips))
        best = min(best, (time.perf_counter() - begun) * 1e3)
    return best


if __name__ == "__main__":
    main()
