"""The walk of docs/translators.md from two files to a termbase in OmegaT: every command as it stands there."""

import csv
import re
import shlex
from pathlib import Path

import pytest
from lxml import etree
from openpyxl import load_workbook

from tests.support.commands import call
from tests.support.editions import DIGEST
from tests.support.texts import ROOT

PAGE = (ROOT / "docs" / "translators.md").read_text("utf-8")
WALK = PAGE[PAGE.index("## From two files") : PAGE.index("## A translation memory of a book")]
BLOCK = re.compile(r"^```(sh|csv)\n(.*?)^```", re.MULTILINE | re.DOTALL)
RULES = (
    ("A ferry that sinks goes to the graveyard.", "沉没的渡船进入坟墓场。"),
    ("Shuffle 2 cards into the library.", "将3张牌洗入牌库。"),
    ("Captains steer.", "船长掌舵。"),
    ("A rope is tied at the pier.", "绳索系在码头。"),
    ("Nobody steers at night.", "夜里无人掌舵。"),
    ("A goose pays no toll.", "鹅不付费。"),
)
"""Of an invented book; one figure of its translation is wrong."""


def book(lang: int) -> str:
    """The book in one of its languages."""
    head = ("1. Basics\n\n100. General\n\n", "1. 基础\n\n100. 总则\n\n")[lang]
    return head + "\n".join(f"100.{nth}. {rule[lang]}" for nth, rule in enumerate(RULES, 1)) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A translator's folder with two invented books."""
    for lang, name in enumerate(("cr.en.txt", "cr.zh.txt")):
        (tmp_path / name).write_text(book(lang), encoding="utf-8")
    monkeypatch.setenv("RULESTONE_DIGEST", DIGEST)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def take_every_row(file: Path) -> None:
    """A person's work in a spreadsheet: `take` in the first column of every line."""
    head, *rows = csv.reader(file.read_text("utf-8-sig").splitlines())
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([head, *(["take", *row[1:]] for row in rows)])


def run(home: Path, line: str) -> str:
    """One line of a block; a finding of drift is no failure."""
    program, *arguments = shlex.split(line)
    if program == "mkdir":
        for name in arguments[1:]:
            Path(name).mkdir(parents=True)
        return ""
    assert program == "rulestone"
    ended = call(home, *arguments)
    assert ended.code == (1 if arguments[0] == "drift" else 0), ended.err
    return ended.out


@pytest.mark.slow
def test_the_walk_runs_as_it_is_written(folder: Path) -> None:
    outputs: dict[str, str] = {}
    for kind, block in BLOCK.findall(WALK):
        if kind == "csv":
            (folder / "mine.csv").write_text(block, encoding="utf-8")
            continue
        if "terms apply" in block:
            take_every_row(folder / "proposals.csv")
        outputs |= {line: run(folder / "home", line) for line in block.splitlines()}
    tables = {
        name: out
        for line, out in outputs.items()
        for name in ("editions", "concordance", "terms list")
        if f"rulestone {name}" in line
    }
    assert "2025-02-07" in tables["editions"]
    assert "坟墓场" in tables["concordance"]
    assert "坟场" in tables["terms list"]
    assert "3" in (folder / "drift.html").read_text("utf-8")
    assert len(list(load_workbook(folder / "terms.xlsx").worksheets[0].rows)) > 10
    units = [[seg.text for seg in unit.iter("seg")] for unit in etree.parse(str(folder / "project/tm/mtg.tmx")).iter("tu")]
    assert list(RULES[0]) in units
    assert "坟场" in {term.text for term in etree.parse(str(folder / "project/glossary/mtg.tbx")).iter("term")}
