"""Verdicts on proposed mappings: printed as a table, added, kept by builds, exported, and taken back."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from corpus.address import concept_iri, concept_name, iri_of, path_of
from corpus.errors import InputError
from corpus.model import Authority
from corpus.store.home import Home
from ingest.recognise import Hints
from ontology.verdicts import Verdict
from rulestone import Library
from rulestone.writing.add import add, build
from rulestone.writing.draft import counterparts
from search.counterparts import ProposedCounterpart
from search.index.index import Index
from tests.rulestone.writing.test_ontology import CASES, state
from tests.support.commands import call
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import opened, put, searching

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
    rows = ("subject\tobject\tverdict\twho\twhen", "ferry/hand\thand\tyes\tAki\t", "ferry/none\thand\tyes\tAki\t", "")
    judged.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 3: subject 'ferry/none'"):
        Library(home).judge_mappings(judged)
    assert hub(home, HAND) == ("hand", True)


RULE, OTHER = (iri_of(f"ferry/cr/2021-05-03/{locator}") for locator in ("101.1", "201.1"))
COUNTERPART = iri_of("dm/zones-summary/undated/400.1")


@pytest.fixture
def compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, books_alone: None) -> Home:
    """A small home in which two rules of an invented game have a proposed counterpart; no text of it is encoded."""
    pairs = [ProposedCounterpart(RULE, COUNTERPART, 0.9), ProposedCounterpart(OTHER, COUNTERPART, 0.85)]
    monkeypatch.setattr(counterparts, "is_complete", lambda _: True)
    monkeypatch.setattr(counterparts, "propose_counterparts", lambda *_: pairs)
    home = Home(tmp_path / "home")
    put(home.path, HUNDREDS_EN, "2021-05-03")
    return home


def statuses(home: Home, rule: str) -> dict[str, str]:
    """The counterparts of a rule, with their status."""
    (body,) = Library(home).rules(rule)["rules"]
    return {one["iri"]: one["status"] for one in body["counterparts"]}


def judge(home: Home, verdict: str, rule: str = RULE) -> Path:
    """Adds a verdict on the counterpart of a rule by way of the printed table."""
    table = [line.split("\t") for line in call(home.path, "mappings", "--game", "dm").out.splitlines()]
    row = next(cells for cells in table if cells[0] == path_of(rule))
    assert row[1] == path_of(COUNTERPART) and row[5] and row[6]
    row[2:5] = [verdict, "Aki", "2026-11-28"]
    file = home.path.with_name("rules.tsv")
    file.write_text("\n".join("\t".join(cells) for cells in table) + "\n", encoding="utf-8")
    assert call(home.path, "mappings", file, "--json").json() == {"added": {"file": "rules.tsv", "verdicts": 1}}
    return file


def sssom_row(home: Home, rule: str) -> list[str]:
    lines = b"".join(Library(home).export("sssom")).decode().splitlines()
    return next(line.split("\t") for line in lines if line.startswith(f"rule:{path_of(rule)}\t"))


def test_a_curator_accepts_a_counterpart_and_takes_it_back(compared: Home) -> None:
    before = list(opened(compared).quads())
    assert statuses(compared, RULE) == {COUNTERPART: "proposed"}
    judge(compared, "yes")
    judged = list(opened(compared).quads())
    assert (statuses(compared, RULE), statuses(compared, COUNTERPART)[RULE]) == ({COUNTERPART: "accepted"}, "accepted")
    group = searching(compared).index.counterparts
    assert [(one.status, one.confidence) for some in group.values() for one in some] == [("accepted", 0.95)] * 2
    assert path_of(RULE) not in call(compared.path, "mappings").out
    assert sssom_row(compared, RULE)[-4:] == ["rs:accepted", "Aki", "2026-11-28", "rulestone mappings"]
    build(compared)
    assert list(opened(compared).quads()) == judged
    assert call(compared.path, "remove", "rules.tsv").code == 0
    assert list(opened(compared).quads()) == before


def test_verdicts_on_rules_of_a_removed_edition_are_listed_and_dropped(compared: Home) -> None:
    judge(compared, "no")
    assert "without effect" not in call(compared.path, "mappings").err
    assert call(compared.path, "remove", "ferry:2021-05-03").code == 0
    [unused] = call(compared.path, "mappings", "--json").json()["unused"]
    assert (unused["subject"], unused["verdict"], unused["file"]) == (RULE, "no", "rules.tsv")
    assert "1 verdict without effect" in call(compared.path, "mappings").err
    assert call(compared.path, "mappings", "--prune", "--game", "ferry").code == 2
    assert call(compared.path, "mappings", "--prune", "--json").json() == {"pruned": [unused]}
    assert call(compared.path, "mappings", "--prune").out == ""
    assert call(compared.path, "mappings", "--json").json()["unused"] == []


def test_a_refused_counterpart_is_not_proposed_again(compared: Home) -> None:
    judge(compared, "no")
    assert statuses(compared, RULE) == {}
    assert statuses(compared, COUNTERPART) == {OTHER: "proposed"}
    assert sssom_row(compared, RULE)[3] == "Not"


def test_a_verdict_holds_in_a_later_edition_with_the_same_words(compared: Home) -> None:
    judge(compared, "yes")
    put(compared.path, HUNDREDS_EN.replace("May 3, 2021", "May 3, 2022"), "2022-05-03")
    later = RULE.replace("2021", "2022")
    assert statuses(compared, later) == {COUNTERPART: "accepted"}


def test_a_verdict_holds_where_not_all_texts_are_encoded(compared: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counterparts, "is_complete", lambda _: False)
    file = judge(compared, "yes")
    assert (statuses(compared, RULE), statuses(compared, OTHER)) == ({COUNTERPART: "accepted"}, {COUNTERPART: "proposed"})
    assert call(compared.path, "remove", file.name).code == 0
    assert (statuses(compared, RULE), statuses(compared, OTHER)) == ({}, {COUNTERPART: "proposed"})


TWINS = ("2024-01-01/1.1", "2024-01-01/3.1", "2021-05-03/3.1", "2021-05-03/9.9")


class Twins(list[SimpleNamespace]):
    """Rules with the same words, those of the latest edition first."""

    group = (0,) * len(TWINS)

    def members(self, group: int) -> range:
        return range(len(self))


@pytest.mark.parametrize(("judged", "expected"), [(1, 1), (2, 1), (3, 0)])
def test_a_verdict_stays_with_its_rule_where_others_have_the_same_words(judged: int, expected: int) -> None:
    iris = [iri_of(f"ferry/cr/{place}") for place in TWINS]
    index = cast(Index, SimpleNamespace(rules=Twins(SimpleNamespace(iri=iri) for iri in iris)))
    judgement = Verdict(iris[judged], iris[0], "no", "Aki", "2026-11-29", "judged.tsv")
    [verdict] = counterparts.JudgedPairs(index, [judgement]).verdicts
    assert verdict.subject == iris[expected]
