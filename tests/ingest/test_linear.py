"""No text, however hostile, costs more than time linear in its length.

Each shape is measured at two sizes within the same run, never against a clock: eight times the text may cost about eight
times the time, and less than sixteen even on a noisy machine; quadratic code costs sixty-four times as much.
"""

import gc
from collections.abc import Callable
from functools import partial
from time import thread_time

import pytest

from corpus.catalogue import catalogue
from corpus.errors import InputError
from corpus.words.text import remove_torn_spaces
from ingest.cite import Citer
from ingest.dates import stated_date
from ingest.fit import measure_fit
from ingest.lines import make_layout
from ingest.number import NumberJudge
from ingest.split.document import split_document
from ingest.split.restructured import split_rst
from ingest.split.wiki import split_wiki
from tests.support.ferrymen import BOOKS, parsed

SMALL, TIMES, MOST = 1_000, 8, 16
GRAMMARS = catalogue().grammars
TITLES = dict.fromkeys(BOOKS["hundreds-en"].locators.split(), "River")
CITERS = [Citer(GRAMMARS[slug], TITLES) for slug in ("hundreds", "dashed")]
UNITS = {
    **{
        f"runs of {unit!r}": unit
        for unit in ("7", ".", "-", "(", ")", " ", "\t", "\u3000", "a", "章", "か", "、", "。", "*", "_", "|", "`")
    },
    **{f"repeated {unit!r}": unit for unit in ("1.", "1.1.1 ", "100.1a ", "1-1-", "100.1. ", "。100.1. ", "9 ", "e.g. ", "a b ")},
    "nested brackets": "([【「『《",
    "leader dots": ". . ",
    "bullets": "• ",
    "cues": "see rule ",
    "cued numbers": "see rule 100.1, 100.1a–b and ",
    "Japanese cues": "参照：ルール100.1、100.1aから",
    "ordinals": "第4章",
    "examples": "例：",
    "named": "《虹 の",
    "mixed spaces": "船 長 は ",
    "dates": "effective May 3, 2021 ",
    "cells": "{Tick} ",
    "footnotes": "a\\ [#]_ ",
}
LINES = {
    **{f"lines of {unit!r}": unit for unit in ("1", "1.", "a", "• a", "  • a", "# a", "例：a", "100.1.", "100.1. a")},
    **{f"lines with {unit!r}": unit for unit in ("1.1.1. a", "1-1-1. a", "100.1. see", "a. 100.1. b", "**1.1.1**", "※")},
    **{f"lines with {unit!r}": unit for unit in ("| a | b |", "A {Tick} {Cross}", "- a", "====", ".. note::", ".. [#] a")},
    "glossary": "Glossary",
    "back": "Credits",
    "blank lines": "",
}  # fmt: skip


def one_line(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def many_lines(unit: str, size: int) -> str:
    return (unit + "\n") * (size // (len(unit) + 1))


def counted(unit: str, size: int) -> str:
    """Lines that count on: nothing repeats, everything follows."""
    return "".join(f"{place}{unit}\n" for place in range(size // 8))


SHAPES: dict[str, Callable[[int], str]] = {
    **{name: partial(one_line, unit) for name, unit in UNITS.items()},
    **{name: partial(many_lines, unit) for name, unit in LINES.items()},
    **{f"{name}, a line each": partial(many_lines, unit) for name, unit in UNITS.items() if len(unit) > 1},
    "pages": lambda size: counted("", size),
    "pages and words": lambda size: counted("\nwater", size),
    "chapters": lambda size: counted(". a", size),
    "pages with gaps": lambda size: "".join(f"{place * 3 % 9999}\n\nwater {place}\n" for place in range(size // 16)),
    "missing pages": lambda size: "".join(f"{layout_of}\n" for layout_of in (*range(1, 20), 9999)) + "water 17\n" * (size // 9),
    "pages missing at the start": lambda size: (
        "water 17\n" * (size // 9) + "".join(f"{9900 + layout_of}\n" for layout_of in range(20))
    ),
    "restarts": lambda size: "".join(f"100.1. b\n{1000 + place}.2. a\n" for place in range(size // 19)),
    "restarted dashes": lambda size: "".join(f"1-1-1. b\n1-{2 + place // 99}-{1 + place % 99}. a\n" for place in range(size // 22)),
    "growing indents": lambda size: "".join(f"{' ' * (place % 60)}• a\n" for place in range(size // 34)),
    "numbers without words": lambda size: "1. a\n1.1. a\n" + "1.1.1.\n" * (size // 8) + "a\n" * 5,
    "a gap between words": lambda size: "Example" + "\t" * size + "x",
    "an open bracket": lambda size: "(" + "1.1.1. a (\n" * (size // 11),
}
STEPS: dict[str, Callable[[str], object]] = {
    "page": make_layout,
    "numbers": lambda text: [
        NumberJudge(make_layout(text), GRAMMARS[slug]).accepted_candidates() for slug in ("full-hundreds", "dashed")
    ],
    "fit": lambda text: measure_fit(make_layout(text), GRAMMARS["dotted-bullets"]),
    "documents": lambda text: [split_document(make_layout(text), GRAMMARS[slug]) for slug in ("sections", "outline", "headings")],
    "wiki": lambda text: split_wiki(make_layout(text)),
    "citations": lambda text: [citer.citations(text) for citer in CITERS],
    "healing": lambda text: [remove_torn_spaces(text, lang) for lang in ("ja", "zh-Hans")],
    "dates": stated_date,
    "reading": lambda text: parsed(f"1. River\n100. Water\n100.1. Water.\n{text}\n100.2. Rain.", "hundreds", "ja"),
}


def cost(step: Callable[[str], object], text: str, runs: int) -> float:
    """Seconds of processor time of the fastest of some runs."""
    best = float("inf")
    gc.disable()  # its passes over everything alive are no cost of the step
    try:
        for _ in range(runs):
            start = thread_time()
            step(text)
            best = min(best, thread_time() - start)
    finally:
        gc.enable()
    return best


def ratio(step: Callable[[str], object], shape: Callable[[int], str]) -> float:
    """How many times as much the larger text costs; measured again where noise may have been."""
    small, large = shape(SMALL), shape(TIMES * SMALL)
    least = float("inf")
    for runs in (1, 3, 6, 12):
        floor = max(cost(step, small, 2 * runs), 0.0005)  # below it the machine's noise is measured
        least = min(least, cost(step, large, runs) / floor)
        if least < MOST:
            break
    return least


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
def test_time_grows_linearly(name: str) -> None:
    ratios = {shape: ratio(STEPS[name], SHAPES[shape]) for shape in SHAPES}
    assert {shape: round(times) for shape, times in ratios.items() if times >= MOST} == {}


RST = ("lines of '• a'", "footnotes, a line each", "lines with '- a'", "lines with '===='", "lines with '.. note::'", "chapters")


@pytest.mark.slow
@pytest.mark.parametrize("shape", RST)
def test_docutils_grows_linearly_on_what_rulebooks_hold(shape: str) -> None:
    assert ratio(lambda text: split_rst(make_layout(text)), SHAPES[shape]) < MOST


@pytest.mark.parametrize("unit", ["• ", "- ", "1. "])
def test_blocks_nested_without_end_are_refused(unit: str) -> None:
    with pytest.raises(InputError, match="nested too deeply"):
        split_rst(make_layout(unit * 1_300))


def test_a_line_too_long_for_docutils_is_refused() -> None:
    with pytest.raises(InputError, match="a line has 6,000 characters"):
        split_rst(make_layout("1-1-1-" * 1_000))
