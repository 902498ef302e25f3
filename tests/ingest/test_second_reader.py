"""The parser against a second, dumb reader: the numbers of every numbered text, their order, and where each rule ends.

A book that the parser does not read rightly yet has `fails`, its reason, and is removed from that list when it does.
"""

import re
import shutil
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from corpus.model import Reading
from ingest.pipeline import parse
from ingest.read.document import read
from ingest.recognise import Hints
from tests.support.ferrymen import document, faults
from tests.support.second_reader import NumberedBook, rules_of_nodes, rules_of_text
from tests.support.texts import TEXTS, plain_text

CASES = Path(__file__).parents[1] / "cases"
REAL: dict[str, dict[str, Any]] = tomllib.loads((CASES / "numbered_books.toml").read_text("utf-8"))
SHAPES: dict[str, dict[str, Any]] = tomllib.loads((CASES / "numbered_shapes.toml").read_text("utf-8"))
GAMES = ("riftbound", "digimon", "gundam", "lorcana", "lovelive")  # the catalogue does not recognise their books by itself


def params(cases: dict[str, dict[str, Any]]) -> list[Any]:
    """The names of some cases; one with `fails` is expected to fail, and must."""
    marks = {
        name: [pytest.mark.xfail(strict=True, reason=case["fails"])] if "fails" in case else [] for name, case in cases.items()
    }
    return [pytest.param(name, marks=marks[name], id=name) for name in cases]


def numbered_book(case: dict[str, Any], cases: dict[str, dict[str, Any]]) -> NumberedBook:
    settings = cases[case["like"]] | case if "like" in case else case
    names = settings.keys() & NumberedBook.__dataclass_fields__.keys()
    fields: dict[str, Any] = {name: tuple(settings[name]) if isinstance(settings[name], list) else settings[name] for name in names}
    return NumberedBook(**fields)


def differences(reading: Reading, text: str, book: NumberedBook) -> dict[str, list[str]]:
    """The numbers that only one reader has, whether the order differs, and the rules that end differently."""
    dumb, ours = rules_of_text(text, book), rules_of_nodes(reading.nodes)
    printed, counts = Counter(number for number, _ in dumb), Counter(number for number, _ in ours)
    both = printed & counts
    order = [[number for number, _ in rules if number in both] for rules in (dumb, ours)]
    ends = Counter(rule for rule in dumb if rule[0] not in book.garbled) - Counter(ours)
    by_kind = {
        "lost": sorted((printed - counts).elements()),
        "invented": sorted((counts - printed).elements()),
        "order": [] if order[0] == order[1] else ["differs"],
        "ends": [f"{number} …{words}" for number, words in ends if number in both],
    }
    return {what: wrong for what, wrong in by_kind.items() if wrong}


def grown(case: dict[str, Any]) -> str:
    """The text of a shape; `{each:…}` stands for its lines with n = 1 … 12."""

    def repeated(match: re.Match[str]) -> str:
        return "".join(match[1].replace("{n}", str(n)) for n in range(1, 13))

    return re.sub(r"\{each:(.*?\n)\}\n", repeated, case["text"], flags=re.S)


@pytest.mark.parametrize("name", params(SHAPES))
def test_every_shape_of_a_numbered_book_is_read_whole(name: str) -> None:
    case = SHAPES[name]
    text = grown(case)
    (reading,) = parse(document(text, case.get("media", "text")), Hints(game="ferry", lang=case.get("lang", "en")))
    assert differences(reading, text, numbered_book(case, SHAPES)) == {}
    assert faults(text, [reading]) == []


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize("name", params(REAL))
def test_every_real_numbered_book_is_read_whole(name: str) -> None:
    file = TEXTS / name
    if file.suffix == ".pdf" and not shutil.which("pdftotext"):
        pytest.skip("pdftotext is missing: apt-get install poppler-utils")
    game = next((slug for slug in GAMES if file.name.startswith(slug) or file.parent.name == slug), None)
    reading = parse(read(file), Hints(game=game))[0]
    assert differences(reading, plain_text(file), numbered_book(REAL[name], REAL)) == {}
