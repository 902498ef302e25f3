"""Whatever is read or asked: an answer that holds, or one of our own errors; `make fuzz` tries 100,000 inputs of each kind.

What it found stands here as an example.
"""

import re
from contextlib import suppress
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from corpus.catalogue import catalogue
from corpus.errors import RulestoneError
from corpus.reference import folded_number, parse_reference
from ingest.number.number_format import bare, key_of, number_of, opening
from ingest.pipeline import parse
from ingest.read.document import document
from ingest.recognise.edition import Hints
from rulestone import Library
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA
from tests.support.inputs import inputs

GRAMMARS = sorted(slug for slug, grammar in catalogue().grammars.items() if grammar.levels)
NAMES = ("a.txt", "a.md", "a.rst", "a.html", "a.pdf", "a")
ENCODINGS = ("utf-8", "utf-16", "shift_jis", "cp1252")
SCRAPS = (
    *("\n", "\r", "\r\n", "\f", "\t", " ", "\u3000", "\u2028", "\x85", "\0", "\ufeff", "\u202e", "\x1b[31m"),
    *(
        "1. Row\n",
        "1.1. Row the boat.\n",
        "101.1. A ferry.\n",
        "1-1. 船\n",
        "1-1-1．船は進む。\n",
        "Example: ",
        "例：",
        "# ",
        "* ",
        "|a|b|\n",
    ),
    *("<p>", "</p>", "<html>", "<table>", "<!--", "]]>", "&lt;", "&#x0;", "%PDF-1.4\n", "\n====\n", ".. [1] ", "::\n\n"),
    *("(see rule 101.1)", "（規則101.1参照）", "101.1a–d", "《", "》", "「", "」", "Glossary\n", "2024-01-01"),
)
"""What books are made of, and what breaks them."""
BOOK = st.lists(st.one_of(st.sampled_from(SCRAPS), st.text(max_size=8)), max_size=30).map("".join)
NUMBER = st.text(alphabet="0123456789.-–．０９a bzß①ⅣA١%", max_size=24)
ASKED = st.lists(
    st.one_of(
        st.sampled_from(
            ("ferry", "渡し船", "graveyard", "墓地", "101.1", "ferry:101.1", " or ", "？", "(", '"', "~", "^2", "*", "NOT ")
        ),
        st.text(max_size=6),
    ),
    max_size=12,
).map("".join)
REFERRED = st.lists(
    st.one_of(
        st.sampled_from(
            ("mtg", "ferry", "/", ":", "cr", "latest", "2024", "-06-07", "400.7d", "#", "~2", "rule ", "第", "章", "%2f")
        ),
        st.sampled_from(("https://w3id.org/rulestone/id/", "glossary/", "concept/", "..", "@", " ", "MTG CR ")),
        st.text(max_size=6),
    ),
    max_size=12,
).map("".join)


@inputs(60)
@given(
    BOOK, st.sampled_from(("utf-8", "utf-16", "shift_jis", "cp1252")), st.sampled_from(NAMES), st.binary(max_size=8), st.booleans()
)
def test_any_file_is_read_or_refused(text: str, encoding: str, name: str, more: bytes, whole: bool) -> None:
    book = HUNDREDS_EN if len(more) % 2 else HUNDREDS_JA
    data = ((book if whole else "") + text).encode(encoding, "replace") + more
    with suppress(RulestoneError):
        read = document(data, Path(name))
        for reading in parse(read, Hints(game="ferry", book="cr", lang="en")):
            for node in reading.nodes:
                assert all(0 <= span.start <= span.end <= len(read.text) for span in node.spans)


@inputs(100)
@given(NUMBER, st.sampled_from(GRAMMARS))
def test_any_number_is_one_or_none(words: str, slug: str) -> None:
    grammar = catalogue().grammars[slug]
    folded = folded_number(words)
    assert folded_number(folded) == folded
    for pattern in (opening(grammar), bare(grammar)):
        for text in (words, folded):
            match = pattern.match(text)
            if match is not None:
                number = number_of(match, grammar)
                assert 0 <= number.start < number.end <= len(text)
                assert key_of(number.printed, grammar) == number.key


@inputs(200)
@given(REFERRED)
@example("9" * 5000)
@example("https://w3id.org/rulestone/id/" + "a/" * 2000)
def test_any_reference_names_something_or_is_refused(words: str) -> None:
    with suppress(RulestoneError):
        assert not re.search(r"\s", parse_reference(words).locator)


@inputs(40)
@given(ASKED)
def test_any_query_is_answered_or_refused(crossings: Library, words: str) -> None:
    with suppress(RulestoneError):
        body = crossings.search(words)
        assert body["abstained"] or body["hits"] or body["total"] == 0


@inputs(60)
@given(st.lists(st.one_of(st.sampled_from(SCRAPS), ASKED), max_size=12).map("".join), st.sampled_from((None, "ferry", "mtg")))
def test_any_text_is_verified(crossings: Library, text: str, game: str | None) -> None:
    with suppress(RulestoneError):
        for citation in crossings.verify(text, game=game)["citations"]:
            assert text[citation["start"] : citation["end"]] == citation["surface"]
            assert citation["quote"] is None or 0 <= citation["quote"]["start"] <= citation["quote"]["end"] <= len(text)
