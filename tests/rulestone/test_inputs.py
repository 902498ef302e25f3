"""Whatever is read or asked: an answer that holds, or one of our own errors.

Every property is tried twice: with inputs that hypothesis draws and makes small, and with sound ones changed at random, of which
`make fuzz` makes 100,000 of each kind. What they found stands here as an example.
"""

import re
from contextlib import suppress
from pathlib import Path
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from corpus.catalogue import catalogue
from corpus.errors import RulestoneError
from corpus.reference import fold_number, parse_reference
from ingest.number_format import bare_opening_pattern, number_key, opening_pattern, parse_number
from ingest.pipeline import parse
from ingest.read.document import read_document
from ingest.recognise import Hints
from rulestone import Library
from tests.support.ferrymen import BOOKS, HUNDREDS_EN, HUNDREDS_JA
from tests.support.inputs import inputs
from tests.support.mutants import tried
from tests.support.pier import PIER

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
"""The parts of books, and characters that break them."""
BOOK = st.lists(st.one_of(st.sampled_from(SCRAPS), st.text(max_size=8)), max_size=30).map("".join)
FIGURES = "0123456789.-–．０９a bzß①ⅣA١%"
NUMBER = st.text(alphabet=FIGURES, max_size=24)
NUMBERS = (
    "101.1a",
    "702.19b",
    "1-2-3",
    "8.4",
    "第3章",
    "2-13-1a",
    "1．2．3",
    "①",
    "IV.",
    "100.1b–d",
    "３０１．４",
    "0.0.0",
    "99999.9",
)
WORDS = ("ferry", "渡し船", "graveyard", "墓地", "101.1", "ferry:101.1", " or ", "？", "(", '"', "~", "^2", "*", "NOT ")
ASKED = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=6)), max_size=12).map("".join)
QUESTIONS = [
    *(case["text"] for case in PIER["query"]),
    "what is in a graveyard",
    "墓地のカードの順番",
    "ferry:101.1",
    "101.1 or 102.1",
]
PARTS = (
    *("mtg", "ferry", "/", ":", "cr", "latest", "2024", "-06-07", "400.7d", "#", "~2", "rule ", "第", "章", "%2f"),
    *("https://w3id.org/rulestone/id/", "glossary/", "concept/", "..", "@", " ", "MTG CR "),
)
REFERRED = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=6)), max_size=12).map("".join)
REFERENCES = (
    *(
        "mtg:400.7d",
        "mtg/cr:2024-06-07:400.7d",
        "ferry/cr/latest/101.1",
        "MTG CR 400.7",
        "rule 400.7d",
        "第3章",
        "dm:400.3b#text-2",
    ),
    *("https://w3id.org/rulestone/id/mtg/cr/2024-06-07/glossary/library", "https://w3id.org/rulestone/id/concept/mtg/graveyard"),
)
SPOKEN = (*"“”\"'「」>()[]。.,–- \n…", "rule ", "規則", "203.1", "c", " and ", "Lantern ", "(2019)", "says: ", "A captain who ")
GAMES, DATES = st.sampled_from((None, "ferry", "lantern")), st.sampled_from((None, "2019", "2024-09-20"))
CITING = (
    "By ferry rule 101.1, “A ferry carries four tokens.” See also 101.2a and rules 201.1–201.3.",
    "規則101.1によれば「渡し船は四つの印を運ぶ」。101.2も見よ（規則201.2参照）。",
    "根据ferry 101.1条，“每条船”。mtg:400.7d says otherwise, and ferry:2020-01-01:101.3 too.",
)


@inputs(60)
@given(BOOK, st.sampled_from(ENCODINGS), st.sampled_from(NAMES), st.binary(max_size=8), st.booleans())
def test_any_file_check_reading(text: str, encoding: str, name: str, more: bytes, whole: bool) -> None:
    book = HUNDREDS_EN if len(more) % 2 else HUNDREDS_JA
    _check_reading(((book if whole else "") + text).encode(encoding, "replace") + more, name)


def test_any_changed_book_check_reading() -> None:
    def holds(text: str, random: Random) -> None:
        encoding, more = random.choice(ENCODINGS), random.randbytes(random.choice((0, 0, 0, 1, 8)))
        _check_reading(text.encode(encoding, "replace") + more, random.choice(NAMES))

    tried(holds, ["", *(book.text for book in BOOKS.values())], SCRAPS, 60)


def _check_reading(data: bytes, name: str) -> None:
    with suppress(RulestoneError):
        read = read_document(data, Path(name))
        for reading in parse(read, Hints(game="ferry", book="cr", lang="en")):
            for node in reading.nodes:
                assert all(0 <= span.start <= span.end <= len(read.text) for span in node.spans)


@inputs(100)
@given(NUMBER, st.sampled_from(GRAMMARS))
def test_any_number_is_one_or_none(words: str, slug: str) -> None:
    _check_number(words, slug)


def test_any_changed_number_is_one_or_none() -> None:
    tried(lambda words, random: _check_number(words, random.choice(GRAMMARS)), NUMBERS, FIGURES, 500)


def _check_number(words: str, slug: str) -> None:
    grammar = catalogue().grammars[slug]
    folded = fold_number(words)
    assert fold_number(folded) == folded
    for pattern in (opening_pattern(grammar), bare_opening_pattern(grammar)):
        for text in (words, folded):
            match = pattern.match(text)
            if match is not None:
                number = parse_number(match, grammar)
                assert 0 <= number.start < number.end <= len(text)
                assert number_key(number.surface, grammar) == number.key


@inputs(200)
@given(REFERRED)
@example("9" * 5000)
@example("https://w3id.org/rulestone/id/" + "a/" * 2000)
def test_any_reference_names_something_or_is_refused(words: str) -> None:
    _names_or_is_refused(words)


def test_any_changed_reference_names_something_or_is_refused() -> None:
    tried(lambda words, _: _names_or_is_refused(words), REFERENCES, PARTS, 1000)


def _names_or_is_refused(words: str) -> None:
    with suppress(RulestoneError):
        assert not re.search(r"\s", parse_reference(words).locator)


@inputs(40)
@given(ASKED)
@example("y？？？？？\u1dc2？？垞a")
@example("\u05b0")
def test_any_query_check_answer(crossings: Library, words: str) -> None:
    _check_answer(crossings, words)


def test_any_changed_query_check_answer(crossings: Library) -> None:
    tried(lambda words, _: _check_answer(crossings, words), QUESTIONS, WORDS, 40)


def _check_answer(crossings: Library, words: str) -> None:
    with suppress(RulestoneError):
        body = crossings.search(words)
        assert body["abstained"] or body["hits"] or body["total"] == 0


@inputs(60)
@given(st.lists(st.one_of(st.sampled_from((*SCRAPS, *SPOKEN)), ASKED), max_size=12).map("".join), GAMES, DATES)
def test_any_text_check_citations(crossings: Library, text: str, game: str | None, as_of: str | None) -> None:
    _check_citations(crossings, text, game, as_of)


def test_any_changed_text_check_citations(crossings: Library) -> None:
    def holds(text: str, random: Random) -> None:
        _check_citations(crossings, text, random.choice((None, "ferry")), random.choice((None, "2019")))

    tried(holds, CITING, (*SCRAPS, *WORDS), 60)


def _check_citations(crossings: Library, text: str, game: str | None, as_of: str | None) -> None:
    for citation in crossings.verify(text, game=game, as_of=as_of)["citations"]:
        assert text[citation["start"] : citation["end"]] == citation["surface"]
        assert citation["quote"] is None or 0 <= citation["quote"]["start"] <= citation["quote"]["end"] <= len(text)
