"""Time for n, 2n, 4n and 8n characters of worst-case texts: linear time grows 8 times, quadratic time 64 times.

For every step the text with the largest growth is shown. Below a few milliseconds growth is noise.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from bench.measure import alternate, cpu_seconds
from corpus.catalogue import catalogue
from corpus.errors import RulestoneError
from corpus.reference import parse_reference
from corpus.words.text import fold_text, remove_torn_spaces
from ingest.cite import Citer
from ingest.dates import stated_date
from ingest.fit import blocks_of
from ingest.language import language
from ingest.lines import make_layout
from ingest.read.charset import detect_encoding, is_mojibake
from ingest.read.formats import html_text

FIRST_LENGTH = 2_500
"""Characters of the shortest text."""
LENGTH_FACTORS = (1, 2, 4, 8)
MAX_RATIO = 16
"""Growth over 8 times the characters that still counts as linear: twice the ideal."""
MIN_SECONDS = 0.005
"""Minimum seconds for the longest text; below this, growth is noise and is not judged."""
SLOW_SECONDS = 0.03
"""Minimum seconds for the shortest text from which one measurement is enough."""
WORST_COUNT = 3
"""Number of shapes, the slowest for the shortest text, that are measured at every length."""

SHAPE_HEADS = ("", "400.1. ", "1-1-1. ", "# ", "Example", "漢 ", "1.1. A.\n400.1. A.\nExample")
SHAPE_BODIES = (
    *("1", "9.", "1.1.", "1-", "a", "A. ", " ", "\t", ".", ". ", "(", "[", "#", "*", "* ", "`", "_", "|", "-", ">", "<a"),
    *("漢", "漢 ", "《", "「", "。", "１．", "４００．３Ｂ", "…", "例", "第1", "第1章"),
    *("rule 1.1, ", "rules 400.1 and ", "400.7a–d ", "1.1-1.9, ", "see ", "Example: ", "{Tick} ", "2024-01-01 "),
    *("\n", "1.1.\n", "1. a\n", "400.1. a\n", "400.1a a\n", "1-1-1. a\n", "* a\n", "# a\n", "a\n\n", "1\n\n", "| a |\n"),
)
SHAPE_TAIL = "x"


class Growth(NamedTuple):
    """The seconds of one step over texts of one shape."""

    text: str  # the beginning and the end of the shortest text
    seconds: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The time of the longest text divided by that of the shortest."""
        return self.seconds[-1] / self.seconds[0] if self.seconds[-1] > MIN_SECONDS else 0.0


def _parsing_steps(slug: str) -> Callable[[str], object]:
    grammar = catalogue().grammars[slug]
    return _tolerate_refusal(lambda text: blocks_of(make_layout(text), grammar))


def _citation_steps(slug: str) -> Callable[[str], object]:
    numbers = {f"{400 + section}.{rule}": "" for section in range(20) for rule in range(1, 20)}
    return Citer(catalogue().grammars[slug], numbers).citations


def _tolerate_refusal(step: Callable[[str], object]) -> Callable[[str], object]:
    """A step that may refuse a text, which must be fast in either case."""

    def run_step(text: str) -> None:
        with suppress(RulestoneError):
            step(text)

    return run_step


def steps() -> Mapping[str, Callable[[str], object]]:
    """The measured steps: everything that processes a file or a user's words."""
    steps_by_name: dict[str, Callable[[str], object]] = {
        "page": make_layout,
        "fold": fold_text,
        "heal ja": partial(remove_torn_spaces, lang="ja"),
        "heal zh": partial(remove_torn_spaces, lang="zh-Hans"),
        "dates": stated_date,
        "language": _tolerate_refusal(lambda text: language(text, "text")),
        "mojibake": is_mojibake,
        "detect": lambda text: detect_encoding(text.encode("gb18030", "replace")),
        "html": html_text,
        "reference": _tolerate_refusal(parse_reference),
        "cite hundreds": _citation_steps("hundreds"),
        "cite dashed": _citation_steps("dashed"),
    }
    return steps_by_name | {f"split {slug}": _parsing_steps(slug) for slug in catalogue().grammars}


def make_text(shape: tuple[str, str], length: int) -> str:
    """A text of about this many characters: a head, a repeated body, and a tail."""
    head, body = shape
    return head + body * (length // len(body)) + SHAPE_TAIL


def worst_shapes(step: Callable[[str], object]) -> list[tuple[str, str]]:
    """The shapes that take longest."""
    shapes = [(head, body) for head in SHAPE_HEADS for body in SHAPE_BODIES]
    step(make_text(shapes[0], FIRST_LENGTH))  # compiles its expressions
    return sorted(shapes, key=lambda shape: cpu_seconds(partial(step, make_text(shape, FIRST_LENGTH))), reverse=True)[:WORST_COUNT]


def measure_growth(step: Callable[[str], object], shape: tuple[str, str]) -> Growth:
    """The growth of a step's time with the length of a text of one shape: the best of five times, or one if it is slow."""
    rounds = 5 if cpu_seconds(partial(step, make_text(shape, FIRST_LENGTH))) < SLOW_SECONDS else 1
    works = [partial(cpu_seconds, partial(step, make_text(shape, FIRST_LENGTH * times))) for times in LENGTH_FACTORS]
    head, body = shape
    return Growth(f"{head}{body}{body}…{SHAPE_TAIL}", tuple(min(column) for column in alternate(rounds, *works)))


def main() -> bool:
    """Whether all steps are linear."""
    lengths = "".join(f"{FIRST_LENGTH * times:>9,}" for times in LENGTH_FACTORS)
    print(f"\ngrowth of time (8 × is linear, 64 × quadratic; target ≤ {MAX_RATIO} ×)\n{'step':<28}{lengths}   growth")
    linear = True
    for name, step in steps().items():
        most = max((measure_growth(step, shape) for shape in worst_shapes(step)), key=lambda grown: grown.ratio)
        times = "".join(f"{seconds * 1000:>6.1f} ms" for seconds in most.seconds)
        ratio_text = f"{most.ratio:6.1f} ×" if most.ratio else "   fast "
        verdict = "OVER" if most.ratio > MAX_RATIO else "    "
        print(f"{name:<28}{times}{ratio_text} {verdict} {most.text!r}", flush=True)
        linear = linear and most.ratio <= MAX_RATIO
    return linear


if __name__ == "__main__":
    sys.exit(not main())
