"""From a text to addressed nodes: every numbering style, and every kind of dirt that copies of rulebooks have."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.model import Node, Unaddressed
from tests.support.ferrymen import BOOKS, Ferrybook, faults, locators, node, original, parsed

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "parse.toml").read_text("utf-8"))["case"]
WORDS = ("locators", "texts", "original", "kinds", "parents", "authorities", "examples", "notes", "front", "furniture")


def words(text: str, loose: tuple[Unaddressed, ...], role: str) -> list[str]:
    stretches = (text[stray.span.start : stray.span.end] for stray in loose if stray.role == role)
    return [line for stretch in stretches for line in stretch.splitlines() if line.strip()]


def passages(nodes: tuple[Node, ...], role: str) -> dict[str, list[str]]:
    return {rule.locator: [passage.text for passage in getattr(rule, role)] for rule in nodes if getattr(rule, role)}


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_each_numbering_style_gives_its_addresses(book: Ferrybook) -> None:
    reading = parsed(book.text, book.grammar, book.lang, book.media)
    assert locators(reading) == book.locators.split()
    assert faults(book.text, [reading]) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_dirt(case: dict[str, Any]) -> None:
    text = case["text"]
    reading = parsed(text, case["grammar"], case.get("lang", "en"), case.get("media", "text"))
    actual = {
        "locators": " ".join(locators(reading)),
        "texts": {at: node(reading, at).text for at in case.get("texts", ())},
        "original": {at: original(text, node(reading, at).spans) for at in case.get("original", ())},
        "kinds": {at: node(reading, at).kind for at in case.get("kinds", ())},
        "parents": {at: node(reading, at).parent or "" for at in case.get("parents", ())},
        "authorities": {at: node(reading, at).authority for at in case.get("authorities", ())},
        "examples": passages(reading.nodes, "examples"),
        "notes": passages(reading.nodes, "notes"),
        "front": words(text, reading.loose, "front"),
        "furniture": words(text, reading.loose, "furniture"),
    }
    assert {key: actual[key] for key in WORDS if key in case} == {key: case[key] for key in WORDS if key in case}
    assert faults(text, [reading]) == []


def test_a_wiki_table_is_data() -> None:
    (table,) = [rule for rule in parsed(BOOKS["wiki"].text, "wiki").nodes if rule.rows]
    assert table.rows == (
        ("Name", "Open", "Roofed", "Lit"),
        ("North pier", "{Tick}", "{Cross}", "{Tick}"),
        ("Old south pier", "{Cross}", "{Cross}", "sometimes"),
        ("Goose pier", "{Tick}", "{Tick}", "{Tick}"),
    )


@pytest.mark.parametrize(("name", "rows"), [("markdown", 3), ("restructured", 3)])
def test_a_table_keeps_its_header_first(name: str, rows: int) -> None:
    book = BOOKS[name]
    (table,) = [rule for rule in parsed(book.text, book.grammar, book.lang, book.media).nodes if rule.rows]
    assert len(table.rows) == rows
    assert {len(row) for row in table.rows} == {2}


def test_footnotes_are_their_editors() -> None:
    book = BOOKS["restructured"]
    bullet = node(parsed(book.text, book.grammar, book.lang, book.media), "piers/1~2")
    assert [(note.mark, note.authority) for note in bullet.notes] == [("1", "editorial")]


def test_a_further_line_of_a_line_block_is_an_example() -> None:
    book = BOOKS["restructured"]
    bullet = node(parsed(book.text, book.grammar, book.lang, book.media), "piers/1.1~1")
    assert bullet.text == "缆绳系在木桩上。"
    assert len(bullet.examples) == 1


def test_a_translation_joins_its_glossary_by_order() -> None:
    reading = parsed(BOOKS["hundreds-en"].text, "hundreds")
    assert [entry.headword for entry in reading.nodes if entry.kind == "glossary"] == ["Bank", "Goose", "Rope"]


LINES = st.sampled_from(
    [
        *(line for book in BOOKS.values() for line in book.text.splitlines()),
        *("", "  ", "\f", "7", "12", "- 3 -", "100.1", "例：", "Example:", "Glossary", "Credits", "**", "| a | b |"),
    ]
)


@settings(max_examples=150)
@given(
    st.lists(LINES, min_size=1, max_size=40), st.sampled_from(["\n", "\r\n", "\r", "\f", "\n\n"]), st.sampled_from(sorted(BOOKS))
)
def test_nothing_is_lost_or_told_twice_however_lines_are_shuffled(lines: list[str], end: str, name: str) -> None:
    book = BOOKS[name]
    text = book.text + end.join(lines)
    assert faults(text, [parsed(text, book.grammar, book.lang, book.media)]) == []


@settings(max_examples=100)
@given(st.data(), st.sampled_from(sorted(BOOKS)))
def test_locators_are_unique_and_parents_exist(data: st.DataObject, name: str) -> None:
    book = BOOKS[name]
    lines = data.draw(st.permutations(book.text.splitlines(keepends=True)))
    text = book.text + "".join(lines)
    reading = parsed(text, book.grammar, book.lang, book.media)
    given_ = locators(reading)
    assert len(given_) == len(set(given_))
    assert {rule.parent for rule in reading.nodes} - {None} <= set(given_)
