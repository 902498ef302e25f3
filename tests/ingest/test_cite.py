"""Citations: a table of what is one and what is not, and properties of citations written from templates."""

import tomllib
from collections.abc import Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.catalogue import catalogue
from corpus.model import Citation
from corpus.reference import fold_number
from ingest.cite import Citer
from ingest.merge import merge
from ingest.record import Recorder
from tests.support.ferrymen import BOOKS, HUNDREDS_EN, node, parsed

TABLE = tomllib.loads((Path(__file__).parents[1] / "cases" / "citations.toml").read_text("utf-8"))
WIDE = str.maketrans("0123456789.", "０１２３４５６７８９．")


def citer(book: str, titles: dict[str, str] | None = None) -> Citer:
    row = TABLE["books"][book]
    grammar = catalogue().grammars[row["grammar"]]
    return Citer(grammar, {locator: (titles or {}).get(locator, "") for locator in row["locators"].split()})


def citation_rows(cites: Sequence[Citation]) -> list[list[Any]]:
    """Citations as the table writes them: the members of a range together, `?` behind what does not exist."""
    groups = groupby(cites, key=lambda citation: (citation.start, citation.end, citation.surface))
    return [[key[2], [member.target or f"{member.locator}?" for member in members]] for key, members in groups]


@pytest.mark.parametrize("case", TABLE["case"], ids=lambda case: case["text"])
def test_what_is_a_citation(case: dict[str, Any]) -> None:
    text = case["text"]
    cited = citer(case.get("book", "hundreds"), case.get("titles")).citations(text)
    assert citation_rows(cited) == case.get("cites", [])
    assert all(text[citation.start : citation.end] == citation.surface for citation in cited)


def test_a_dangling_citation_keeps_its_locator() -> None:
    (citation,) = citer("hundreds").citations("As in rule 999.9.")
    assert (citation.surface, citation.locator, citation.target) == ("999.9", "999.9", None)


def test_a_citation_is_resolved_inside_its_own_book() -> None:
    reading = parsed(BOOKS["hundreds-en"].text, "hundreds")
    assert [cite.target for cite in node(reading, "101.2").cites] == ["100.1a", "201.1"]
    assert [cite.target for cite in node(reading, "glossary/bank").cites] == ["1"]


TEMPLATES = {  # how one, two or three numbers are cited
    1: (
        *("See rule {}.", "A ferry sinks (see rule {}).", "Under rule {}, geese swim.", "CR {} says so."),
        *("これは{} の例外です。", "【総合ルール {}】", "舟は沈みます（参照：ルール{}）。", "参见规则{}。", "见规则{}，鹅不付费。"),
    ),
    2: (
        *("See rules {} and {}.", "Rules {} or {} apply.", "rules {}, {}", "(see rule {} and rule {})"),
        *("ルール{}と{}を見ます。", "ルール{}および{}です。", "参见规则{}和{}。", "规则{}、{}"),
    ),
    3: ("See rules {}, {}, and {}.", "rules {}, {} or {}", "ルール{}、{}、および{}です。", "规则{}，{}和{}"),
}
RULES = {
    book: [locator for locator in row["locators"].split() if len(locator) > 3 and locator not in ("1003", "2.5.1")]
    for book, row in TABLE["books"].items()
    if book != "bullets"
}


@st.composite
def citations(draw: st.DrawFn) -> tuple[str, str, list[str], list[str]]:
    """A book, a text, and the numbers printed in it with the locators they stand for."""
    book = draw(st.sampled_from(sorted(RULES)))
    count = draw(st.integers(1, 3))
    locators = draw(st.lists(st.sampled_from(RULES[book]), min_size=count, max_size=count))
    wide, upper = draw(st.booleans()), draw(st.booleans())
    printed = [number.upper() if upper else number for number in locators]
    printed = [number.translate(WIDE) if wide else number for number in printed]
    template = draw(st.sampled_from(TEMPLATES[count]))
    before, after = (
        draw(st.sampled_from(["", "Ferries float. ", "舟は浮きます。", "船会浮。"])),
        draw(st.sampled_from(["", " Row.", "漕ぐ。"])),
    )
    return book, f"{before}{template.format(*printed)}{after}", printed, locators


@given(citations())
def test_a_citation_in_any_template_is_found(case: tuple[str, str, list[str], list[str]]) -> None:
    book, text, printed, locators = case
    cited = citer(book).citations(text)
    assert [citation.surface for citation in cited] == printed
    assert [citation.target for citation in cited] == locators
    at = 0
    for citation, number in zip(cited, printed, strict=True):
        assert text[citation.start : citation.end] == number
        assert citation.start == text.index(number, at)
        at = citation.end


@given(st.sampled_from(sorted(RULES)), st.data())
def test_the_surface_folds_to_the_locator(book: str, data: st.DataObject) -> None:
    locator = data.draw(st.sampled_from(RULES[book]))
    (citation,) = citer(book).citations(f"see rule {locator.upper()}.")
    assert fold_number(citation.surface) == citation.locator == citation.target == locator


@given(
    st.text(alphabet="0123456789.-–~～、，, abc至到から()（）【】第章条規则rule", max_size=60),
    st.sampled_from(sorted(TABLE["books"])),
)
def test_whatever_the_text_the_spans_hold(text: str, book: str) -> None:
    cited = citer(book).citations(text)
    assert all(text[citation.start : citation.end] == citation.surface for citation in cited)
    assert all(citation.target in (None, citation.locator) for citation in cited)
    starts = [(citation.start, citation.end) for citation in cited]
    assert starts == sorted(starts)
    places = sorted(set(starts))
    assert all(before[1] <= after[0] for before, after in pairwise(places))


def test_examples_and_notes_cite_too() -> None:
    text = HUNDREDS_EN.replace("but never a barrel.", "but never a barrel (see rule 201.1).")
    reading = parsed(text, "hundreds")
    [example] = node(reading, "101.1").examples
    assert [(example.text[cite.start : cite.end], cite.target) for cite in example.cites] == [("201.1", "201.1")]
    records = {record["locator"]: record for _, record in Recorder(merge(reading.key, [reading])).records()}
    [body] = records["101.1"]["examples"]
    assert [cite["locator"] for cite in body["cites"]] == ["201.1"]
    assert records["101.1"]["cites"] == []
    assert records["101.1"]["iri"] in records["201.1"]["cited_by"]


def test_a_long_list_is_looked_through_once_for_a_cue_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    mention = Citer._mention

    def counted(self: Citer, text: str, start: int) -> object:
        looked.append(start)
        return mention(self, text, start)

    monkeypatch.setattr(Citer, "_mention", counted)
    assert citation_rows(citer("hundreds").citations("100.1、100.2を参照。"))
    looked.clear()
    citer("hundreds").citations("、".join(["950.7"] * 1000))
    assert len(looked) <= 61 * 1000
