"""Texts held against invented books: our own cases, the body of the contract, and what is refused."""

from pathlib import Path
from typing import cast

import pytest

from bench.verify.case import Case, Expected, Score, score_cases
from bench.verify.own import cases
from corpus.contract import VerifiedCitation
from corpus.errors import TooLargeError
from rulestone import InputError, Library

CASES = cases()


@pytest.fixture
def library(crossings: Library) -> Library:
    return crossings


def test_there_are_enough_cases_of_everything() -> None:
    pairs = [(case.kind.split()[0], expected.status) for case in CASES for expected in case.expected]
    assert len(CASES) >= 300
    statuses = ("verified", "edited", "moved", "reused", "misquoted", "not_found", "ambiguous", "unchecked", "exists")
    assert {(lang, status) for lang in ("en", "ja", "zh") for status in statuses} <= set(pairs)


@pytest.mark.parametrize("lang", ["en", "ja", "zh"])
def test_own_cases(library: Library, lang: str) -> None:
    some = [case for case in CASES if case.kind.startswith(lang)]
    score = score_cases(some, library)
    assert [(case.text, findings) for case, findings in score.wrong] == []


@pytest.mark.parametrize("lang", ["en", "ja", "zh"])
def test_places_are_those_of_the_text(library: Library, lang: str) -> None:
    for case in (case for case in CASES if case.kind.startswith(lang)):
        for citation in library.verify(f"🂡 {case.text}", game=case.game)["citations"]:
            text = f"🂡 {case.text}"
            assert text[citation["start"] : citation["end"]] == citation["surface"]
            if quote := citation["quote"]:
                assert text[quote["start"] : quote["end"]] == quote["text"]


def test_the_nearest_words_are_the_rules_own(library: Library) -> None:
    [citation] = library.verify('Rule 203.1 says "A captain who can pay the toll turns back".', game="ferry")["citations"]
    assert citation["quote"] is not None
    place = citation["quote"]["place"]
    assert place is not None
    words = library.rules("ferry:203.1")["rules"][0]["texts"][place["lang"]]["text"]
    assert words[place["start"] : place["end"]] == citation["quote"]["nearest"]
    assert "cannot pay the toll" in words[place["start"] : place["end"]]


def test_whose_words_they_are(library: Library) -> None:
    [citation] = library.verify('Rule 101.2 says "An overloaded ferry sinks at the end of the turn."', game="ferry")["citations"]
    assert (citation["status"], citation["note"]) == ("misquoted", "these are the words of 101.2 in ferry/cr/2019-03-01")


def test_candidates_are_the_current_rules(library: Library) -> None:
    [citation] = library.verify("rule 101.1")["citations"]
    assert [iri.split("/id/")[1] for iri in citation["candidates"]] == ["ferry/cr/2024-09-20/101.1", "lantern/cr/2023-01-15/101.1"]
    assert (citation["rule"], citation["edition"]) == (None, None)


def test_a_gloss_proves_no_quotation(library: Library) -> None:
    text = 'dm 400.3b says "a card that moved is a new object, as ever".'
    [citation] = library.verify(text)["citations"]
    assert (citation["status"], citation["quote"] and citation["quote"]["status"]) == ("unchecked", "unchecked")
    assert "gloss" in (citation["note"] or "")
    [bare] = library.verify("dm 400.3b")["citations"]
    assert bare["status"] == "exists"


@pytest.mark.parametrize(
    ("game", "as_of", "lang"),
    [("chess", None, None), (None, "yesterday", None), (None, "2019-13", None), ("lantern", "undated", None), (None, None, "fr")],
)
def test_refused_questions(library: Library, game: str | None, as_of: str | None, lang: str | None) -> None:
    with pytest.raises(InputError):
        library.verify("rule 101.1", game=game, as_of=as_of, lang=lang)


SINCE = """Rules 101.2a and 101.3; rule 101.1 too. Rule 201.4 is gone. Rule 101.2a (2019) stays as it is, and rules 101.2–101.3 are
rules １０１．２ａ, 201.3 and 202.1."""


def test_changes_since_the_cited_editions(library: Library) -> None:
    body = library.verify(SINCE, game="ferry", as_of="2019-03-01")
    assert [(row["number"], row["kind"], row["number_now"], row["edited"]) for row in body["changes"]] == [
        ("101.2a", "moved", "101.4a", False),
        ("101.3", "reused", "101.5", False),
        ("101.1", "edited", "101.1", True),
        ("201.4", "removed", None, None),
        ("101.2", "reused", "101.4", False),
        ("201.3", "moved", "203.1", False),
    ]
    assert [body["citations"][place]["surface"] for place in body["changes"][0]["citations"]] == [
        "101.2a",
        "101.2a",
        "１０１．２ａ",
    ]
    assert library.verify(SINCE, game="ferry", as_of="latest")["changes"][0]["number"] == "101.2a"  # looked up where it was
    assert library.verify("rule 202.1", game="ferry")["changes"] == []


def test_numbers_brought_up_to_date(library: Library) -> None:
    body = library.verify(SINCE, game="ferry", as_of="2019-03-01")
    assert library.apply_fixes(SINCE, body) == SINCE.replace("Rules 101.2a and 101.3;", "Rules 101.4a and 101.5;").replace(
        "101.2–101.3", "101.4–101.5"
    ).replace("１０１．２ａ, 201.3", "１０１．４ａ, 203.1")
    assert library.verify(library.apply_fixes(SINCE, body), game="ferry", as_of="latest")["fixes"] == []


def test_a_guess_at_words_of_another_language(library: Library) -> None:
    text = "規則201.2（2021-05-03）には「ガチョウは無料で渡れます」とある。"
    [citation] = library.verify(text, game="ferry")["citations"]
    assert citation["quote"] is not None
    assert (citation["status"], citation["quote"]["status"], citation["quote"]["hint"]) == ("unchecked", "unchecked", "looks right")
    [other] = library.verify(text.replace("ガチョウは無料で渡れます", "船長は袋から印を99個引きます"), game="ferry")["citations"]
    assert other["quote"] is not None
    assert other["quote"]["hint"] == "looks different"


def test_limits_hold_only_where_they_are_asked_for(library: Library) -> None:
    many = "rule 101.1\n" * 201
    with pytest.raises(InputError, match="201 citations, at most 200"):
        library.verify(many, game="ferry", limited=True)
    assert len(library.verify(many, game="ferry")["citations"]) == 201
    with pytest.raises(TooLargeError, match="64 KiB"):
        library.verify("渡" * 22_000, limited=True)


def test_notes_and_answers_are_the_same_twice(library: Library) -> None:
    text = "\n".join(case.text for case in CASES)
    assert library.verify(text, game="ferry") == library.verify(text, game="ferry")


def test_a_wrong_case_is_counted_as_wrong(library: Library) -> None:
    wrong = Case("en x", "rule 203.9", CASES[0].expected, "ferry")
    assert score_cases([wrong], library).share == 0


def test_a_false_status_of_one_of_two_equal_surfaces_is_counted() -> None:
    case = Case("twice", "1.1 and 1.1", (Expected("1.1", "not_found"), Expected("1.1", "exists")))
    citations = cast("list[VerifiedCitation]", [{"surface": "1.1", "status": "exists", "now": None, "quote": None}] * 2)
    score = Score()
    score.add(case, citations)
    assert score.false_verified == [case]


PIER = """Pier Book

1. Boats

1.1. Piers

1.1.1. A pier is built of oak and has seven steps.

1.1.2. Each step of a pier is painted in the spring.

1.1.3. Nobody sleeps below a pier in the winter.

1.2. Rowing

1.2.1. Every rower holds one oar with both hands.

1.2.2. A boat with no rower drifts towards the reeds.

1.2.3. The last boat at the pier pays for the lamps.
"""


@pytest.mark.parametrize(
    ("words", "statuses"),
    [
        ("“A boat with no rower drifts”, “pays for the lamps”", ["exists", "verified", "verified"]),
        ("“The [slowest] boat at the pier pays for the lamps”", ["exists", "exists", "unchecked"]),
        ("“Every rower holds one oar”, “The [slowest] boat at the pier pays”", ["verified", "exists", "unchecked"]),
        ("“pays for the lamps”, “A boat with no geese sings to the owls”", ["misquoted", "misquoted", "misquoted"]),
        ("“A boat with no geese sings to the owls”", ["misquoted", "misquoted", "misquoted"]),
        ("“The last boat at the pier pays”", ["exists", "exists", "verified"]),
    ],
)
def test_each_quotation_beside_a_range_belongs_to_the_rules_that_have_it(tmp_path: Path, words: str, statuses: list[str]) -> None:
    file = tmp_path / "pier.txt"
    file.write_text(PIER, encoding="utf-8")
    with Library.open(tmp_path / "home") as library:
        library.add([file], game="onepiece", edition="2024-01-01", authority="official", lang="en")
        citations = library.verify(f"One Piece rules 1.2.1–1.2.3 say {words}.", game="onepiece")["citations"]
    assert [citation["status"] for citation in citations] == statuses
    assert all("these are the words" not in (citation["note"] or "") for citation in citations)
