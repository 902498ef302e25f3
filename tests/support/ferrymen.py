"""Invented rulebooks of The Game of Ferrymen, one for each numbering style, and the tools to read them in tests.

The game exists nowhere: ferries carry tokens between piers. No sentence here comes from a real rulebook.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.model import Authority, Node, Reading, Span
from ingest.layout import layout_of
from ingest.pipeline import parse_as
from ingest.read.document import Document
from ingest.recognise.edition import Recognised


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
    return parse_as(document(text, media), layout_of(text), known)[0]


def spans(readings: Iterable[Reading]) -> list[Span]:
    """Every span of a file's readings: nodes, examples, notes and what has no address."""
    found: list[Span] = []
    for reading in readings:
        found += [loose.span for loose in reading.loose]
        for node in reading.nodes:
            found += node.spans
            found += [span for passage in (*node.examples, *node.notes) for span in passage.spans]
    return sorted(found)


def faults(text: str, readings: Sequence[Reading]) -> list[str]:
    """What breaks losslessness: non-blank characters in no span, and characters in two; empty for a sound reading."""
    found: list[str] = []
    at = 0
    for span in [*spans(readings), Span(len(text), len(text))]:
        if span.start < at and not text[span.start : at].isspace():
            found.append(f"twice: {text[span.start : at]!r}")
        if not text[at : max(at, span.start)].isspace() and at < span.start:
            found.append(f"lost: {text[at : span.start]!r}")
        at = max(at, span.end)
    return found


def locators(reading: Reading) -> list[str]:
    """The locators of a reading in its order."""
    return [node.locator for node in reading.nodes]


def node(reading: Reading, locator: str) -> Node:
    """The node at a locator."""
    return next(one for one in reading.nodes if one.locator == locator)


def original(text: str, spans_: Sequence[Span]) -> str:
    """What stands in the source under some spans."""
    return "".join(text[span.start : span.end] for span in spans_)


def line_of(text: str, offset: int) -> int:
    """Index of the line that holds an offset; for messages."""
    ends = [at for at, character in enumerate(text) if character == "\n"]
    return bisect_left(ends, offset)


HUNDREDS_EN = """\
The Game of Ferrymen: Complete Rules

Effective from May 3, 2021, for every captain.

Contents

1. The River
100. General
101. Ferries
2. The Crossing
200. General
201. Tolls
Glossary
Credits

1. The River

100. General

100.1. Two to four captains steer their ferries over one river.
100.1a A captain who owns no ferry watches from the bank.
100.1b The goose belongs to nobody, see rule 201.2.

101. Ferries

101.1. A ferry holds at most six tokens.
Example: Ada has five red tokens aboard. She may load one token more, but never a barrel.
101.2. An overloaded ferry sinks (see rules 100.1a and 201.1).

2. The Crossing

200. General

200.1. A crossing is paid for before the rope is loosened.

201. Tolls

201.1. The toll is one copper token for each pier passed.
201.2. Geese cross free of charge.

Glossary

Bank
Dry land beside the water. See section 1, "The River."

Goose
A bird that pays no toll. See rule 201.2.

Rope
What ties a ferry to its pier.

Credits

Rules: nobody in particular
"""

HUNDREDS_JA = """\
渡し守のゲーム 総合規則

もくじ
1. 川
100. 総則
101. 渡し舟

1. 川

100. 総則
100.1. 船長は二人から四人で、同じ川を渡ります。
100.1a 舟を持たない船長は岸で見物します。
100.1b ガチョウは誰のものでもありません。これは 101.2 の例外です。

101. 渡し舟
101.1. 渡し舟には印を六つまで積めます。
例：アダは赤い印を五つ積んでいます。あと一つだけ積めます。
101.2. 積みすぎた舟は沈みます。
101.2a 沈んだ舟の印は箱に戻します。（参照：ルール100.1）
"""

FULL_HUNDREDS = """\
Ferrymen for Harbour Masters

300. Piers
301. General
301.1. Every pier has a number and a bell.
301.1a. The bell is rung once per landing.
301.1b. A pier without a bell is called mute.
319. Landing
319.4. A ferry lands nose first.
319.5. Landing takes one turn.
319.5a. Fog doubles this time.
319.5a-1. Thick fog trebles it, as rule 301.1a-1 would have it.
319.5a-2. Two layers of fog count as one.
400. Tokens
401. General
401.1. Tokens are carved from driftwood.
401.2. A chipped token is still a token (see 319.5a-2).
"""

DOTTED_BULLETS_JA = """\
3. 桟橋

桟橋とは、渡し舟をつなぐ場所のことです。

3.1. 基本

  • 桟橋には番号と鐘がひとつずつあります。
  • 桟橋は「表」と「裏」のいずれかを向きます。表の桟 橋は誰でも使えます。
    • 裏の桟橋は持ち主だけが使えます。
    • 鐘のない桟橋は裏とみなします。
  • 桟橋の順番は変えられません。

3.2. 旗

  • 旗は桟橋ごとに 2 本までです。
    • 折れた旗は数えません。
"""

DASHED = """\
FERRYMEN Complete Rules Version 2.0

Last updated: 4/9/2022

## 1. The River

1-1. Water

1-1-1. Water flows from the left bank to the right.

1-1-1-1. Rain does not change this.

1-1-1-2. Neither does snow. 1-1-2. Water is never paid for.

1-2. Banks

1-2-1. There are two banks. See 1-1-1-2.

1-2-1-1-1. Moss on a bank is scenery.

1-2-1-1-1-1. Scenery has no effect.

## 2. Ferries

2-1. Wood

2-1-1. Ferries float.
"""

DOTTED = """\
1. River
1.1. Water
1.1.1. Water flows downhill.
1.1.1.1. Only children disagree.
1.1.1.1.1. Their objection is noted (1.1.1.1).
1.1.2. Ice stops every ferry.
1.2. Banks
1.2.1. A bank is dry.
1.2.1.1. A wet bank is river.
2. Tokens
2.1. Wood
2.1.1. Tokens float.
"""

DOTTED_LETTERS = """\
1. River
1.1. Water
1.1.1. Water flows downhill.
1.1.1a Only children disagree.
1.1.1a.1 Their objection is noted.
1.1.1b Ice does not flow.
1.1.2. Ice stops every ferry.
1.2. Banks
1.2.1. A bank is dry.
1.2.1a Moss is welcome (see 1.1.1a).
"""

LETTERS_AS_LEVELS = """\
Harbour Regulations

053. Piers
053.1. Every pier has a bell.
053.2. Every bell has a rope.
053.2.a. The rope is as long as the pier.
053.2.a.1. Knots are not counted.
053.2.b. A torn rope is replaced within a day.
054. Ferries
054.1. Every ferry has a name.
054.1.a. Names are not painted over.
054.2. Nameless ferries are towed (see 053.2.a.1).
"""

RST = """\
====
渡口
====

- 渡船停靠在渡口。
- 每个渡口只有一口钟\\ [#]_\\ 。

.. [#] 有两口钟的渡口算作两个渡口。

木桩
====

- | 缆绳系在木桩上。
  | 例：
  | 艾达把缆绳系在第二根木桩上，渡船就停稳了。
- 木桩不能移动。

没有木桩的渡口不能停靠渡船。

铜币
----

- 过河要付一枚铜币。

====== ======
颜色   价值
====== ======
红     一
蓝     二
====== ======

.. note::

   鹅不付铜币。
"""

MARKDOWN = """\
# Ferrymen at a Glance

A river, two banks, and more geese than anyone ordered.

## Piers

- A pier holds **one** ferry.
- A pier has a bell.
  - The bell is brass.
  - The bell is never silver.

## Tokens

| Colour | Worth |
|--------|-------|
| red    | 1     |
| blue   | 2     |

1. Count the tokens.
2. Pay the toll.

### Barrels

Barrels are no tokens.
"""

WIKI = """\
Pier

A pier is where a ferry sleeps.

Kinds of piers

Piers differ by who may land at them:

  • An open pier takes every ferry.
  • A closed pier takes its owner's.
    • Guests ring the bell first.
Name Open Roofed Lit
North pier {Tick} {Cross} {Tick}
Old south pier {Cross} {Cross} sometimes
Goose pier {Tick} {Tick} {Tick}

History

The first pier was a plank.
"""

HTML_AS_MARKDOWN = """\
# Ferrymen House Rules

1\\. These rules were nailed to a door.

## Doors

- A door is not a pier.
- A door has no bell.

## Nails

- Nails are free.
- Nails are counted, though.
- Rust is forgiven.
"""

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
        "markdown",
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
        "markdown",
        "en",
        "html",
        HTML_AS_MARKDOWN,
        "piers/1 piers/1~1 piers/1.1 piers/1.1~1 piers/1.1~2 piers/1.2 piers/1.2~1 piers/1.2~2 piers/1.2~3",
    ),
}
"""Every invented book by name."""
