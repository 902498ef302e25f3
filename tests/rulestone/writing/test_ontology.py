"""Claims, names and mappings follow added and removed editions as in a build from nothing."""

import shutil
import tomllib
from pathlib import Path

import pytest

from corpus.address import concept_iri
from corpus.model import Authority
from corpus.store.home import Home
from ingest.recognise import Hints
from ontology.concepts.bundle import CLAIMS, MAPPINGS, NAMES
from ontology.mappings import matches_by_concept
from rulestone.writing.add import AddOptions, add, build
from rulestone.writing.remove import remove
from tests.support.homes import opened
from tests.support.texts import ROOT

pytestmark = pytest.mark.slow
LATER = """\
400. General

400.1. A zone is a shelf of the warehouse.

400.2. Every shelf is painted green or hidden behind the curtain.

404. Graveyard

404.1. A graveyard is the heap where tired cards sleep.

404.2. Each heap is face up, and its cards keep their order.

404.3. Nobody counts the heap twice.
"""
DOCUMENTS = (NAMES, CLAIMS, MAPPINGS)
CASES = tomllib.loads((ROOT / "tests/cases/zones.toml").read_text(encoding="utf-8"))


def state(home: Home) -> dict[str, object]:
    """The graph and the records of concepts."""
    knowledge = opened(home)
    documents = {name: [(entry.name, entry.content) for entry in knowledge.documents.entries(name)] for name in DOCUMENTS}
    about = knowledge.documents.document(NAMES).about
    return {"quads": list(knowledge.quads()), "statuses": knowledge.manifest.statuses, "about": about, **documents}


@pytest.fixture
def home(digest_home: Home, tmp_path: Path) -> Home:
    return Home(Path(shutil.copytree(digest_home.path, tmp_path / "home")))


def put_later(home: Home, text: str = LATER, *, replace: bool = False) -> None:
    file = home.path.with_name("later.txt")
    file.write_text(text, encoding="utf-8")
    add(home, [file], Hints("mtg", "cr", "2031-01-01", "en", Authority.OFFICIAL), AddOptions(replace=replace))


def test_an_edition_changes_claims_as_in_a_build_and_leaves_no_trace(home: Home) -> None:
    before = state(home)
    put_later(home)
    added = state(home)
    superseded = [claim for claim, (_, status) in opened(home).manifest.statuses.items() if status == "superseded"]
    assert superseded
    assert added["quads"] != before["quads"]
    build(home)
    assert state(home) == added
    remove(home, "mtg/cr/2031-01-01")
    assert state(home) == before


def test_an_unchanged_ontology_is_not_made_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    from ontology import shipped

    put_later(home)
    monkeypatch.setattr(shipped, "shipped_graphs", None)
    put_later(home, LATER.replace("Nobody counts", "No captain counts"), replace=True)
    monkeypatch.undo()
    stepwise = state(home)
    build(home)
    assert state(home) == stepwise


def test_an_added_book_of_an_unannotated_game_has_its_proposals(home: Home) -> None:
    file = home.path.with_name("ferry.txt")
    file.write_text(CASES["book"][0]["text"].lstrip("\n"), encoding="utf-8")
    add(home, [file], Hints("ferry", "cr", "2024-01-01", "en", Authority.OFFICIAL))
    added = state(home)
    assert any("/graph/proposed/ferry/" in quad for quad in opened(home).quads())
    matches = matches_by_concept(opened(home).concepts.mappings(), "en")
    proposed = {(match["game"], match["status"]) for match in matches[concept_iri("ferry/hand")]}
    assert proposed >= {(game, "proposed") for game in ("dm", "fow", "mtg", "ygo")}
    build(home)
    assert state(home) == added


def test_matches_go_with_the_book(home: Home) -> None:
    before = state(home)
    file = home.path.with_name("ferry.txt")
    file.write_text(CASES["book"][0]["text"].lstrip("\n"), encoding="utf-8")
    add(home, [file], Hints("ferry", "cr", "2024-01-01", "en", Authority.OFFICIAL))
    remove(home, "ferry.txt")
    assert state(home) == before
