"""Time at n, 2n, 4n and 8n characters of texts made to be slow: what is linear grows 8 times, what is quadratic 64 times.

Of every step the text that grew most is shown. Below a few milliseconds growth is noise.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from bench.measure import computed, in_turn
from corpus.catalogue import catalogue
from corpus.errors import RulestoneError
from corpus.reference import parse_reference
from corpus.words.text import fold, heal
from ingest.cite import Citer
from ingest.dates import stated
from ingest.fit import blocks_of
from ingest.language import language
from ingest.lines import layout_of
from ingest.read.charset import detect, is_mojibake
from ingest.read.formats import html_text

FIRST = 2_500
"""Characters of the shortest text."""
STEPS = (1, 2, 4, 8)
MOST = 16
"""Growth over 8 times the characters that still counts as linear: twice the ideal."""
LEAST = 0.005
"""Seconds for the longest text below which growth is noise and is not judged."""
SLOW = 0.03
"""Seconds for FIRST characters from which once is enough."""
WORST = 3
"""Of all shapes so many, the slowest at FIRST characters, are measured at every length."""

HEADS = ("", "400.1. ", "1-1-1. ", "# ", "Example", "漢 ", "1.1. A.\n400.1. A.\nExample")
BODIES = (
    *("1", "9.", "1.1.", "1-", "a", "A. ", " ", "\t", ".", ". ", "(", "[", "#", "*", "* ", "`", "_", "|", "-", ">", "<a"),
    *("漢", "漢 ", "《", "「", "。", "１．", "４００．３Ｂ", "…", "例", "第1", "第1章"),
    *("rule 1.1, ", "rules 400.1 and ", "400.7a–d ", "1.1-1.9, ", "see ", "Example: ", "{Tick} ", "2024-01-01 "),
    *("\n", "1.1.\n", "1. a\n", "400.1. a\n", "400.1a a\n", "1-1-1. a\n", "* a\n", "# a\n", "a\n\n", "1\n\n", "| a |\n"),
)
TAIL = "x"


class Growth(NamedTuple):
    """The seconds of one step over texts of one shape."""

    text: str  # the beginning and the end of the shortest text
    seconds: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times longer the longest text takes than the shortest."""
        return self.seconds[-1] / self.seconds[0] if self.seconds[-1] > LEAST else 0.0


def _pieces(slug: str) -> Callable[[str], object]:
    grammar = catalogue().grammars[slug]
    return _tried(lambda text: blocks_of(layout_of(text), grammar))


def _citations(slug: str) -> Callable[[str], object]:
    numbers = {f"{400 + section}.{rule}": "" for section in range(20) for rule in range(1, 20)}
    return Citer(catalogue().grammars[slug], numbers).citations


def _tried(step: Callable[[str], object]) -> Callable[[str], object]:
    """A step that may refuse a text: refused or not, it must not take long."""

    def tried(text: str) -> None:
        with suppress(RulestoneError):
            step(text)

    return tried


def steps() -> Mapping[str, Callable[[str], object]]:
    """The measured steps: everything that a file or a user's words go through."""
    named: dict[str, Callable[[str], object]] = {
        "page": layout_of,
        "fold": fold,
        "heal ja": partial(heal, lang="ja"),
        "heal zh": partial(heal, lang="zh-Hans"),
        "dates": stated,
        "language": _tried(lambda text: language(text, "text")),
        "mojibake": is_mojibake,
        "detect": lambda text: detect(text.encode("gb18030", "replace")),
        "html": html_text,
        "reference": _tried(parse_reference),
        "cite hundreds": _citations("hundreds"),
        "cite dashed": _citations("dashed"),
    }
    return named | {f"split {slug}": _pieces(slug) for slug in catalogue().grammars}


def shaped(shape: tuple[str, str], length: int) -> str:
    """A text of about that many characters: a head, a body again and again, a tail."""
    head, body = shape
    return head + body * (length // len(body)) + TAIL


def worst(step: Callable[[str], object]) -> list[tuple[str, str]]:
    """The shapes that take longest."""
    shapes = [(head, body) for head in HEADS for body in BODIES]
    step(shaped(shapes[0], FIRST))  # compiles its expressions
    return sorted(shapes, key=lambda shape: computed(partial(step, shaped(shape, FIRST))), reverse=True)[:WORST]


def growth(step: Callable[[str], object], shape: tuple[str, str]) -> Growth:
    """How the time of a step grows with the length of a text of one shape: the best of five, or one if it is slow."""
    rounds = 5 if computed(partial(step, shaped(shape, FIRST))) < SLOW else 1
    works = [partial(computed, partial(step, shaped(shape, FIRST * times))) for times in STEPS]
    head, body = shape
    return Growth(f"{head}{body}{body}…{TAIL}", tuple(min(column) for column in in_turn(rounds, *works)))


def main() -> bool:
    """Whether everything is linear."""
    lengths = "".join(f"{FIRST * times:>9,}" for times in STEPS)
    print(f"\ngrowth of time (8 × is linear, 64 × quadratic; target ≤ {MOST} ×)\n{'step':<28}{lengths}   growth")
    linear = True
    for name, step in steps().items():
        most = max((growth(step, shape) for shape in worst(step)), key=lambda grown: grown.ratio)
        times = "".join(f"{seconds * 1000:>6.1f} ms" for seconds in most.seconds)
        told = f"{most.ratio:6.1f} ×" if most.ratio else "   fast "
        verdict = "OVER" if most.ratio > MOST else "    "
        print(f"{name:<28}{times}{told} {verdict} {most.text!r}", flush=True)
        linear = linear and most.ratio <= MOST
    return linear


if __name__ == "__main__":
    sys.exit(not main())
