"""Questions about penalties: answered from a penalty guide, and by no library without one."""

import csv
from pathlib import Path

import pytest

from rulestone import Library
from search.encode.pretrained import is_installed
from tests.support.texts import ROOT

BOOKS = ROOT / "tests" / "support" / "books"
RULES, GUIDE = BOOKS / "hundreds.en.txt", BOOKS / "penalties.en.txt"
MAX_WRONG = 2
"""Number of the 40 questions that search may get wrong."""


def questions() -> list[dict[str, str]]:
    """Questions in three languages, each with the section of the guide that it needs."""
    with (ROOT / "tests" / "cases" / "penalties.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.slow
@pytest.mark.skipif(not is_installed(), reason="no pretrained encoder here")
def test_a_guide_answers_questions_about_penalties(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULESTONE_MODEL")  # static vectors alone find too few
    with Library.open(tmp_path / "home") as library:
        library.add(RULES, game="ferry", edition="2021-05-03")
        for game in ("ferry", "dm", "ygo"):
            answered = [row["question"] for row in questions() if not library.search(row["question"], games=game)["abstained"]]
            assert len(answered) <= MAX_WRONG, (game, answered)
        library.add(GUIDE, game="ferry")
        missed = []
        for row in questions():
            hits = library.search(row["question"], games="ferry", limit=10)["hits"]
            if row["section"] not in [hit["locator"].split("~")[0] for hit in hits if hit["book"] == "pg"]:
                missed.append(f"{row['lang']} {row['section']}")
        assert len(missed) <= MAX_WRONG, missed
