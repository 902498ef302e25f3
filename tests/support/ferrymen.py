"""Invented rulebooks of The Game of Ferrymen (`books/`), one for each numbering style, and the tools to read them in tests.

The game exists nowhere: ferries carry tokens between piers. No sentence here comes from a real rulebook.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.model import Authority, Node, Reading, Span
from ingest.lines import make_layout
from ingest.pipeline import parse_as
from ingest.read.document import Document
from ingest.recognise import Recognised


@dataclass(frozen=True, slots=True)
class Ferrybook:
    """An invented rulebook: its numbering style, language, kind of file, text, and every locator it must give."""

    grammar: str
    lang: str
    media: str
    text: str
    locators: str  # in the order of the text, separated by spaces


def document(text: str, media: str = "text", name: str = "ferrymen.txt") -> Document:
    """A decoded file with this text."""
    return Document(name, sha256(text.encode()).hexdigest(), media, "utf-8", text)


def parsed(text: str, grammar: str, lang: str = "en", media: str = "text") -> Reading:
    """The reading of a text under a given grammar, without recognition."""
    book = catalogue().book("ferry", "cr")
    known = Recognised(
        EditionKey("ferry", "cr", "undated"), book, lang, Authority.COMMUNITY, catalogue().grammars[grammar], "piers"
    )
    return parse_as(document(text, media), make_layout(text), known)[0]


def spans(readings: Iterable[Reading]) -> list[Span]:
    """Every span of a file's readings: nodes, examples, notes and what has no address."""
    every: list[Span] = []
    for reading in readings:
        every += [loose.span for loose in reading.loose]
        for node in reading.nodes:
            every += node.spans
            every += [span for passage in (*node.examples, *node.notes) for span in passage.spans]
    return sorted(every)


def faults(text: str, readings: Sequence[Reading]) -> list[str]:
    """Breaches of losslessness: non-blank characters in no span, and characters in two; empty for a sound reading."""
    wrong: list[str] = []
    at = 0
    for span in [*spans(readings), Span(len(text), len(text))]:
        if span.start < at and not text[span.start : at].isspace():
            wrong.append(f"twice: {text[span.start : at]!r}")
        if not text[at : max(at, span.start)].isspace() and at < span.start:
            wrong.append(f"lost: {text[at : span.start]!r}")
        at = max(at, span.end)
    return wrong


def locators(reading: Reading) -> list[str]:
    """The locators of a reading in its order."""
    return [node.locator for node in reading.nodes]


def node(reading: Reading, locator: str) -> Node:
    """The node at a locator."""
    return next(rule for rule in reading.nodes if rule.locator == locator)


def original(text: str, spans_: Sequence[Span]) -> str:
    """The source text under some spans."""
    return "".join(text[span.start : span.end] for span in spans_)


_BOOKS = Path(__file__).parent / "books"


def _text(name: str) -> str:
    """An invented rulebook as it lies in `books`."""
    return (_BOOKS / name).read_bytes().decode("utf-8")


HUNDREDS_EN = _text("hundreds.en.txt")
HUNDREDS_JA = _text("hundreds.ja.txt")
FULL_HUNDREDS = _text("full-hundreds.en.txt")
DOTTED_BULLETS_JA = _text("dotted-bullets.ja.txt")
DASHED = _text("dashed.en.txt")
DOTTED = _text("dotted.en.txt")
DOTTED_LETTERS = _text("dotted-letters.en.txt")
LETTERS_AS_LEVELS = _text("letters-as-levels.en.txt")
RST = _text("restructured.zh-Hans.rst")
MARKDOWN = _text("markdown.en.md")
WIKI = _text("wiki.en.txt")
HTML_AS_MARKDOWN = _text("html.en.md")

BOOKS = {
    "hundreds-en": Ferrybook(
        "hundreds",
        "en",
        "text",
        HUNDREDS_EN,
        "1 100 100.1 100.1a 100.1b 101 101.1 101.2 2 200 200.1 201 201.1 201.2 glossary glossary/bank glossary/goose glossary/rope",
    ),
    "hundreds-ja": Ferrybook("hundreds", "ja", "text", HUNDREDS_JA, "1 100 100.1 100.1a 100.1b 101 101.1 101.2 101.2a"),
    "full-hundreds": Ferrybook(
        "full-hundreds",
        "en",
        "text",
        FULL_HUNDREDS,
        "300 301 301.1 301.1a 301.1b 319 319.4 319.5 319.5a 319.5a-1 319.5a-2 400 401 401.1 401.2",
    ),
    "dotted-bullets": Ferrybook(
        "dotted-bullets",
        "ja",
        "text",
        DOTTED_BULLETS_JA,
        "3 3~1 3.1 3.1~1 3.1~2 3.1~2.1 3.1~2.2 3.1~3 3.2 3.2~1 3.2~1.1",
    ),
    "dashed": Ferrybook(
        "dashed",
        "en",
        "markdown",
        DASHED,
        "1 1-1 1-1-1 1-1-1-1 1-1-1-2 1-1-2 1-2 1-2-1 1-2-1-1-1 1-2-1-1-1-1 2 2-1 2-1-1",
    ),
    "dotted": Ferrybook("dotted", "en", "text", DOTTED, "1 1.1 1.1.1 1.1.1.1 1.1.1.1.1 1.1.2 1.2 1.2.1 1.2.1.1 2 2.1 2.1.1"),
    "dotted-letters": Ferrybook(
        "dotted-letters", "en", "text", DOTTED_LETTERS, "1 1.1 1.1.1 1.1.1a 1.1.1a.1 1.1.1b 1.1.2 1.2 1.2.1 1.2.1a"
    ),
    "letters-as-levels": Ferrybook(
        "letters-as-levels",
        "en",
        "text",
        LETTERS_AS_LEVELS,
        "053 053.1 053.2 053.2.a 053.2.a.1 053.2.b 054 054.1 054.1.a 054.2",
    ),
    "restructured": Ferrybook(
        "restructured",
        "zh-Hans",
        "rst",
        RST,
        "piers/1 piers/1~1 piers/1~2 piers/1.1 piers/1.1~1 piers/1.1~2 piers/1.1~3 piers/1.1.1 piers/1.1.1~1 piers/1.1.1~2",
    ),
    "markdown": Ferrybook(
        "headings",
        "en",
        "markdown",
        MARKDOWN,
        "piers/1 piers/1~1 piers/1.1 piers/1.1~1 piers/1.1~2 piers/1.1~2.1 piers/1.1~2.2"
        " piers/1.2 piers/1.2~1 piers/1.2~2 piers/1.2~3 piers/1.2.1 piers/1.2.1~1",
    ),
    "wiki": Ferrybook(
        "wiki",
        "en",
        "text",
        WIKI,
        "piers/1 piers/1~1 piers/1.1 piers/1.1~1 piers/1.1~2 piers/1.1~3 piers/1.1~3.1 piers/1.1~4 piers/1.2 piers/1.2~1",
    ),
    "html": Ferrybook(
        "headings",
        "en",
        "html",
        HTML_AS_MARKDOWN,
        "piers/1 piers/1~1 piers/1.1 piers/1.1~1 piers/1.1~2 piers/1.2 piers/1.2~1 piers/1.2~2 piers/1.2~3",
    ),
}
"""Every invented book by name."""
