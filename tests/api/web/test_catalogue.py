"""No sentence of the interface is outside the catalogue: in a language that nobody speaks, nothing else is left on a page."""

import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode
from starlette.testclient import TestClient

from corpus import messages
from tests.api.web.test_pages import PAGES

TOLD = ("aria-label", "placeholder", "title", "alt", "data-done", "data-term", "data-card", "content")
THEIRS = (
    "script",
    "style",
    "title",
    "textarea",
    "meta[name=viewport]",
    "meta[name=theme-color]",
    "meta[name=color-scheme]",
    ".brand",
)


_OURS = re.compile(r"⟦[^⟧]*⟧|https?://[^⟦\s]+|'[^']*'|\w+ CR \S+ \([\d-]+\)|\d{4}年\d{1,2}月(\d{1,2}日)?")
"""Sentences, and values in them that are addresses, quoted, citations, or dates."""


class Pseudo(dict[str, str]):
    """A catalogue in which every sentence is there, with its words in brackets."""

    def get(self, sentence: str, default: Any = None) -> str:  # noqa: ANN401
        return "".join(f"⟦{words}⟧" * bool(words) + _place(*rest) for words, *rest in Formatter().parse(sentence))


def _place(name: str | None, format_spec: str | None, conversion: str | None) -> str:
    if name is None:
        return ""
    return "{" + name + (f"!{conversion}" if conversion else "") + (f":{format_spec}" if format_spec else "") + "}"


def outside(page: str) -> list[str]:
    """Words of a page that are neither a sentence of the catalogue nor marked as what is not ours or has no language."""
    tree = LexborHTMLParser(page)
    for selector in THEIRS:
        for node in tree.css(selector):
            node.decompose()
    assert tree.root is not None
    return [words for words in _words(tree.root) if re.search(r"[^\W\d_]", _OURS.sub("", words))]


def _words(node: LexborNode) -> Iterator[str]:
    attributes = node.attributes
    yield from (value for name in TOLD if node.tag != "-text" and (value := attributes.get(name)) and "translate" not in attributes)
    if node.tag != "html" and node.tag != "-text" and ("lang" in attributes or attributes.get("translate") == "no"):
        return
    if node.tag == "-text" and (text := node.text(deep=False)):
        yield text.strip()
    for child in node.iter(include_text=True):
        yield from _words(child)


@pytest.mark.parametrize("path", [*PAGES, "/id/ferry/cr/2021-05-03/999", "/terms?label=qwxyzzy", "/offline", "/sparql"])
def test_no_sentence_is_outside_the_catalogue(client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(messages, "_translations", lambda lang: Pseudo() if lang == "zh-Hant" else {})
    assert outside(client.get(path, headers={"Accept-Language": "zh-TW"}).text) == []


def test_text_outside_the_marks_is_found() -> None:
    assert outside('<p title="⟦a⟧ b">⟦Rule⟧ 4 <b>new</b> <i lang="en">c</i></p>') == ["⟦a⟧ b", "new"]
