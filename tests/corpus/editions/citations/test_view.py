"""The visible text of Markdown, HTML and chat logs, and its place in the source."""

from time import process_time
from timeit import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.editions.citations.view import render_view

SEEN = [
    ("plain words, 601.2a", "plain words, 601.2a"),
    ('see [the guide](https://example.org/601.2a "601.2b") first', "see the guide first"),
    ("see [601.2a](https://example.org/x) first", "see [601.2a] first"),
    ("see [CR 601.2a][x] first\n\n[x]: https://example.org/702.1", "see [CR 601.2a] first\n\n"),
    ("[one](https://w3id.org/rulestone/id/ferry/cr/latest/203.2)", "[one](https://w3id.org/rulestone/id/ferry/cr/latest/203.2)"),
    ("![601.2a](a.png) here", " here"),
    ("the [first][second] of two", "the [first][second] of two"),
    ("a note[^1]\n\n[^1]: CR 601.2a", "a note\n\nCR 601.2a"),
    ("---\ntags: [601.2a]\ntitle: On 702.1\n---\nText", "On 702.1\nText"),
    ("a <!-- 601.2a --> b", "a  b"),
    ("```python\nx = 601.2\n```\nafter", "\nafter"),
    ("```\n601.2. words\n```\nafter", "\n601.2. words\n\nafter"),
    ("<p>Rule&nbsp;601.2a &ldquo;words&rdquo;</p><p>b</p>", "\n\nRule 601.2a “words”\n\n\n\nb\n\n"),
    ("<ul><li>601.2a</li></ul><blockquote>words\nand more</blockquote>", "\n\n\n- 601.2a\n\n\n\n\n> words and more\n"),
    ("<script>601.2a</script><p>a <q>b</q></p><br>", "\n\na “b”\n\n\n"),
    ("<alice> 601.2a\n<bob> no", "\n601.2a\n\nno"),
    ("[2024-05-20 19:02] ada: 601.2a\n[2024-05-20 19:03] bo: no", "\n601.2a\n\nno"),
    ("規則６０１．２ａ", "規則601.2a"),
    ("[quote=Ada, post:3][b]601.2a[/b] words[/quote]no", "\n601.2a words\nno"),
    ("[list][*]601.2a\n[*] [URL=https://example.org/1.2]b[/URL][/list]", "\n\n- 601.2a\n\n-  b\n"),
    ("pay [B] and [i], or [/s]", "pay [B] and [i], or "),
    ("||601.2a words|| | a || b |", "601.2a words | a || b |"),
    ("\\[CR 601\\.2a\\]", "[CR 601.2a]"),
    (
        "This line is long enough to be broken where it is full, under rule\n601.2a and no other",
        "This line is long enough to be broken where it is full, under rule 601.2a and no other",
    ),
    ("short line\nsecond line", "short line\nsecond line"),
]


@pytest.mark.parametrize(("source", "text"), SEEN)
def test_what_is_seen(source: str, text: str) -> None:
    assert render_view(source).text == text


def test_links_have_their_places() -> None:
    view = render_view("see [the “long” guide](https://example.org) and <a href='x'>that one</a> first")
    assert [view.text[link.start : link.end] for link in view.links] == ["the “long” guide", "that one"]


PIECES = st.sampled_from(
    (
        *"[]()<>`*_|\\\n \t&;:-#ab1.２。",
        "](",
        "[b]",
        "[/b]",
        "[quote=a]",
        "[/quote]",
        "||",
        "```",
        "---\n",
        "<p>",
        "</p>",
        "<!--",
        "-->",
        "&amp;",
        "[^1]",
        "601.2a",
    )
)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_every_place_leads_back(source: str) -> None:
    view = render_view(source)
    assert len(view.places) == len(view.text) + 1
    assert list(view.places) == sorted(view.places)
    for at in range(len(view.text)):
        start, end = view.span(at, at + 1)
        assert 0 <= start < end <= len(source)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["<script>", "<!--", "```a\n", "[a", "[", "[x](", "&lt", "<a ", "\\.", "[^a", "[20:20] a", "rule ", "> "]
)
def test_no_text_takes_long(piece: str) -> None:
    source = piece * (64_000 // len(piece))
    assert min(repeat(lambda: render_view(source), timer=process_time, number=1, repeat=3)) < 1
