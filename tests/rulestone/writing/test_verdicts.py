"""Verdicts on proposed matches: printed as a table, added, kept by builds, exported, and taken back."""

import shutil
from pathlib import Path

import pytest

from corpus.address import concept_iri, concept_name
from corpus.errors import InputError
from corpus.model import Authority
from corpus.store.home import Home
from ingest.recognise import Hints
from rulestone import Library
from rulestone.writing.add import add, build
from tests.rulestone.writing.test_ontology import CASES, state
from tests.support.commands import call

pytestmark = pytest.mark.slow
HAND = concept_iri("ferry/hand")


@pytest.fixture
def home(digest_home: Home, tmp_path: Path) -> Home:
    """The digest and an invented book."""
    home = Home(Path(shutil.copytree(digest_home.path, tmp_path / "home")))
    file = tmp_path / "ferry.txt"
    file.write_text(CASES["book"][0]["text"].lstrip("\n"), encoding="utf-8")
    add(home, [file], Hints("ferry", "cr", "2024-01-01", "en", Authority.OFFICIAL))
    return home


def hub(home: Home, concept: str) -> tuple[str | None, bool]:
    """The cross-game concept of a zone, and whether it is proposed."""
    body = next(zone for zone in Library(home).zones(games="ferry")["zones"] if zone["concept"] == concept)
    if proposed := body["proposed_hub"]:
        return concept_name(proposed["concept"]), True
    return body["hub"] and concept_name(body["hub"]), False


def test_a_curator_confirms_and_takes_it_back(home: Home, tmp_path: Path) -> None:
    before = state(home)
    assert hub(home, HAND) == ("hand", True)
    table = [line.split("\t") for line in call(home.path, "mappings", "--game", "ferry").out.splitlines()]
    row = next(cells for cells in table if cells[0] == "ferry/hand")
    assert row[1:6] == ["hand", "", "", "", "Hand"]
    row[2:5] = ["yes", "Aki", "2026-11-28"]
    judged = tmp_path / "judged.tsv"
    judged.write_text("\n".join("\t".join(cells) for cells in table) + "\n", encoding="utf-8")
    assert call(home.path, "mappings", judged, "--json").json() == {"added": {"file": "judged.tsv", "verdicts": 1}}
    assert hub(home, HAND) == ("hand", False)
    assert "ferry/hand" not in call(home.path, "mappings").out
    exported = b"".join(Library(home).export("sssom")).decode().splitlines()
    line = next(line for line in exported if line.startswith("concept:ferry/hand\t") and "scheme:hub" in line)
    assert line.endswith("rs:accepted\tAki\t2026-11-28\trulestone mappings")
    judged_state = state(home)
    build(home)
    assert state(home) == judged_state
    assert call(home.path, "remove", "judged.tsv").code == 0
    assert state(home) == before


def test_a_bad_row_saves_nothing(home: Home, tmp_path: Path) -> None:
    judged = tmp_path / "judged.tsv"
    rows = ("concept\thub\tverdict\twho\twhen", "ferry/hand\thand\tyes\tAki\t", "ferry/none\thand\tyes\tAki\t", "")
    judged.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 3: concept 'ferry/none'"):
        Library(home).judge_mappings(judged)
    assert hub(home, HAND) == ("hand", True)
