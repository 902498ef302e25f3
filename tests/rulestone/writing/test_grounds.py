"""Links from rulings to rules: cited, proposed by search, and judged by curators, through every rebuilding."""

import shutil
from pathlib import Path

import pytest

from corpus.errors import InputError, NotFoundError
from corpus.store.home import Home
from rulestone import Library
from rulestone.progress import no_progress
from rulestone.writing.rulings import grounds
from rulestone.writing.rulings.grounds import write_grounds
from search.ruling_links import ProposedLink, propose_links
from search.searcher import Searcher
from tests.support.commands import call
from tests.support.editions import DIGEST, EDITIONS, built
from tests.support.homes import without_ontology
from tests.support.texts import ROOT

RULINGS = ROOT / "tests" / "support" / "rulings" / "ferrymen.en.json"
RULE = f"https://w3id.org/rulestone/id/ferry/cr/{EDITIONS[0]}"
GOAT, SLEEPER = "ferry/rulings/desk/101", "ferry/rulings/desk/108"


@pytest.fixture(scope="module")
def grounded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base of one edition and a file of rulings."""
    with pytest.MonkeyPatch.context() as patch, without_ontology():
        patch.setenv("RULESTONE_DIGEST", DIGEST)
        home = built(tmp_path_factory.mktemp("grounds"), EDITIONS[:1])
        with Library.open(home.path) as library:
            library.add(RULINGS, game="ferry", source="desk", authority="official")
    return home.path


@pytest.fixture
def library(grounded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_ontology: None) -> Library:
    monkeypatch.setenv("RULESTONE_DIGEST", DIGEST)
    shutil.copytree(grounded, tmp_path / "home")
    return Library.open(tmp_path / "home", lang="en")


def rests_on(library: Library, ruling: str) -> list[tuple[str, str, str | None]]:
    game, _, source, name = ruling.split("/")
    rests = library.ruling(game, source, name)["rests_on"]
    return [(footing["rule"].removeprefix(f"{RULE}/"), footing["how"], footing.get("who")) for footing in rests]


def judged(folder: Path, *rows: str) -> Path:
    file = folder / "judged.tsv"
    file.write_text("\n".join(("ruling\trule\tverdict\twho", *rows)) + "\n", encoding="utf-8")
    return file


def test_a_number_that_is_cited_is_resolved(library: Library) -> None:
    assert rests_on(library, GOAT) == [("102.2", "cited", None)]
    [cite] = library.ruling("ferry", "desk", "101")["cites"]
    assert (cite["text"], cite["within"], cite["lang"], cite["target"]) == ("102.2", "answer", "en", f"{RULE}/102.2")
    assert "101" in [ruling["id"] for ruling in library.rulings(rule="ferry:102.2")["rulings"]]


def test_rulings_that_are_added_later_are_linked_in_the_same_bundle(library: Library) -> None:
    def bundle() -> int:
        return int((library.path / "current").read_text(encoding="ascii"))

    library.remove("ferry/rulings/desk")
    before = bundle()
    library.add(RULINGS, game="ferry", source="desk", authority="official", later=True)
    assert bundle() == before + 1
    assert rests_on(library, GOAT) == [("102.2", "cited", None)]


def test_where_none_is_cited_rules_are_proposed_with_a_confidence(library: Library) -> None:
    proposed = library.ruling("ferry", "desk", "108")["rests_on"]
    assert proposed
    assert {footing["how"] for footing in proposed} == {"proposed"}
    confidences = [footing["confidence"] or 0 for footing in proposed]
    assert confidences == sorted(confidences, reverse=True)
    assert len(proposed) <= 3
    assert all(0.3 <= confidence <= 1 for confidence in confidences)


def test_an_interrupted_proposal_run_resumes(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(library.path / grounds.FOLDER_NAME)
    first: list[str] = []
    second: list[str] = []

    def broken_off(searcher: Searcher, game: str, text: str) -> list[ProposedLink]:
        first.append(text)
        if len(first) == 4:
            raise RuntimeError("broken off")
        return propose_links(searcher, game, text)

    def whole(searcher: Searcher, game: str, text: str) -> list[ProposedLink]:
        second.append(text)
        return propose_links(searcher, game, text)

    monkeypatch.setattr(grounds, "PROGRESS_STEP", 2)
    monkeypatch.setattr("search.ruling_links.propose_links", broken_off)
    with pytest.raises(RuntimeError, match="broken off"):
        write_grounds(Home(library.path), no_progress)
    monkeypatch.setattr("search.ruling_links.propose_links", whole)
    assert not write_grounds(Home(library.path), no_progress), "in the end the same is proposed"
    assert second[:2] == first[2:], "what was made since it was last kept is made again"
    assert not set(second) & set(first[:2])


def test_a_curator_overrules_proposals_and_citations(library: Library, tmp_path: Path) -> None:
    proposed = [rule for rule, _, _ in rests_on(library, SLEEPER)]
    rows = [f"{SLEEPER}\t{proposed[0]}\tno\tAki", f"{SLEEPER}\tferry:101.2\tyes\tAki", f"{GOAT}\t{RULE}/102.2\tNo\tBo"]
    added = library.judge(judged(tmp_path, *rows))["added"]
    assert (added["status"], added["judgements"]) == ("added", 3)
    assert rests_on(library, SLEEPER)[0] == ("101.2", "proposed", "Aki")
    assert proposed[0] not in [rule for rule, _, _ in rests_on(library, SLEEPER)]
    assert rests_on(library, GOAT) == []
    assert library.judge(tmp_path / "judged.tsv")["added"]["status"] == "known"
    library.build()
    assert rests_on(library, SLEEPER)[0] == ("101.2", "proposed", "Aki")
    assert library.remove("judged.tsv")["judgements"]["judgements"] == 3
    assert [rule for rule, _, _ in rests_on(library, SLEEPER)] == proposed
    assert rests_on(library, GOAT) == [("102.2", "cited", None)]


def test_the_last_word_counts(library: Library, tmp_path: Path) -> None:
    library.judge(judged(tmp_path, f"{GOAT}\t102.2\tno\tAki", f"{GOAT}\t102.2\tyes\tBo"))
    assert rests_on(library, GOAT) == [("102.2", "proposed", "Bo")]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["ruling\trule\tverdict"], "has no column who"),
        (["ruling\trule\tverdict\twho\tmood"], "column 'mood' is unknown"),
        (["ruling\trule\tverdict\twho", f"{GOAT}\t102.2\tmaybe\tAki"], "line 2: 'maybe' is not a verdict"),
        (["ruling\trule\tverdict\twho", f"{GOAT}\t102.2\tyes\t"], "line 2: a verdict needs"),
        (["ruling\trule\tverdict\twho", "", f"{GOAT}x\t102.2\tyes\tAki"], "line 3: no ruling ferry/rulings/desk/101x is loaded"),
        (["ruling\trule\tverdict\twho", f"{GOAT}\t999.9\tyes\tAki"], "line 2: no rule 999.9 is loaded"),
        (["ruling\trule\tverdict\twho", f"{GOAT}\tchess:1\tyes\tAki"], "line 2: no rule chess:1 is loaded"),
    ],
)
def test_invalid_judgements_change_nothing(library: Library, tmp_path: Path, rows: list[str], said: str) -> None:
    file = tmp_path / "judged.tsv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    before = library.bundle_name()
    with pytest.raises(InputError) as refused:
        library.judge(file)
    assert said in str(refused.value)
    assert library.bundle_name() == before


def test_uncertain_grounds_are_listed_as_a_table_to_fill_in(library: Library, tmp_path: Path) -> None:
    printed = call(library.path, "grounds", "--below", "1").out.splitlines()
    assert printed[0].split("\t")[:4] == ["ruling", "rule", "verdict", "who"]
    filled = [line.replace("\t\t\t", "\tyes\tAki\t", 1) if line.split("\t")[1] else line for line in printed[1:]]
    (tmp_path / "filled.tsv").write_text("\n".join((printed[0], *filled)) + "\n", encoding="utf-8")
    assert "judgement" in call(library.path, "grounds", tmp_path / "filled.tsv").out
    library = Library.open(library.path)
    assert all(who == "Aki" for rule, how, who in rests_on(library, SLEEPER))
    assert call(library.path, "grounds", "--below", "2").code == 2
    assert call(library.path, "grounds", "--below", "x").code == 2


@pytest.mark.slow
def test_check_lists_the_weak_ones(library: Library) -> None:
    findings = [finding for finding in library.check()["information"] if finding["kind"] == "weak-grounds"]
    waiting = library.grounds()
    assert {finding["subject"] for finding in findings} == {footing["ruling"] for footing in waiting["grounds"]}
    assert waiting["total"] == len(findings) > 0
    assert not [finding for finding in library.check()["findings"] if finding["kind"] == "weak-grounds"]


def test_new_rulings_are_searched_for_once(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.ruling_links.propose_links", lambda *_: pytest.fail("searched again"))
    library.build()
    assert rests_on(library, GOAT)


def test_removed_rulings_lose_their_grounds(library: Library) -> None:
    library.remove(RULINGS)
    with pytest.raises(NotFoundError):
        library.ruling("ferry", "desk", "101")
    assert b"restsOn" not in b"".join(library.export("nquads"))
