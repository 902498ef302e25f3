"""The gate: sentences that cite and are not proven are marked, the others stay as they are."""

import pytest

from rulestone import Library


@pytest.fixture(scope="module")
def library(crossings: Library) -> Library:
    return crossings


CASES = [
    ("nothing cited", "Geese are birds.", "uncited", []),
    (
        "all proven",
        "“Geese cross free of charge” (CR 201.2). Geese are birds.",
        "proven",
        [("“Geese cross free of charge” (CR 201.2).", True)],
    ),
    ("only a number", "The toll is due (CR 201.1). Geese are birds.", "unproven", [("The toll is due (CR 201.1).", False)]),
    (
        "a made-up number",
        "By rule 999.9z you win. CR 201.2: “Geese cross free of charge.”",
        "unproven",
        [("By rule 999.9z you win.", False), ("CR 201.2: “Geese cross free of charge.”", True)],
    ),
    ("two in one sentence", "See CR 201.1 and rule 999.9z.", "unproven", [("See CR 201.1 and rule 999.9z.", False)]),
    ("words altered", "CR 101.2 says “An overloaded ferry floats at once.” Row.", "unproven", None),
    (
        "japanese",
        "規則201.2は「ガチョウは無料で渡れます」。規則999.9zで勝つ。",
        "unproven",
        [("規則201.2は「ガチョウは無料で渡れます」。", True), ("規則999.9zで勝つ。", False)],
    ),
]


@pytest.mark.parametrize(("text", "verdict", "sentences"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_gate(library: Library, text: str, verdict: str, sentences: list[tuple[str, bool]] | None) -> None:
    body = library.verify(text, game="ferry", strict=True)
    gate = body["gate"]
    assert gate["verdict"] == verdict
    if sentences is not None:
        assert [(text[sentence["start"] : sentence["end"]], sentence["proven"]) for sentence in gate["sentences"]] == sentences
    for sentence in gate["sentences"]:
        words = text[sentence["start"] : sentence["end"]]
        assert (words in gate["kept"]) is sentence["proven"]
        assert (f"⟦{words} — " in gate["marked"]) is not sentence["proven"]


def test_marked_sentences_have_a_reason(library: Library) -> None:
    gate = library.verify("Pay. By rule 999.9z you win.", game="ferry", strict=True)["gate"]
    assert gate["marked"] == "Pay. ⟦By rule 999.9z you win. — 999.9z not_found⟧"
    assert gate["kept"] == "Pay. "


def test_a_number_alone_proves_nothing(library: Library) -> None:
    gate = library.verify("Pay (CR 201.1).", game="ferry", strict=True)["gate"]
    assert gate["marked"] == "⟦Pay (CR 201.1). — 201.1 only the number was checked⟧"


def test_words_of_a_rule_that_stand_beside_its_number_fall_with_it(library: Library) -> None:
    text = "Rule 101.2 is short. It says: “An overloaded goose sinks.”"
    gate = library.verify(text, game="ferry", strict=True)["gate"]
    if gate["verdict"] == "unproven":
        assert "overloaded goose" not in gate["kept"]


def test_an_earlier_edition_is_not_proven_today_unless_it_says_the_same(library: Library) -> None:
    gate = library.verify("Rule 101.2 sinks it.", game="ferry", as_of="2019-03-01", strict=True)["gate"]
    assert (gate["verdict"], "101.2 reused" in gate["marked"]) == ("unproven", True)


def test_without_strict_there_is_no_gate(library: Library) -> None:
    assert "gate" not in library.verify("rule 101.1", game="ferry")
