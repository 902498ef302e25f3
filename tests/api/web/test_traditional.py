"""The pages in traditional characters: our own words are converted, those of a book are as it printed them."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from api import labels
from corpus.languages import LANGUAGE_NAMES
from corpus.words.tokens import is_traditional, to_simplified
from corpus.words.traditional import traditional
from rulestone import Library
from rulestone.traditional import in_readers_script, in_traditional
from tests.api.web.test_pages import PAGES

_VOID = {"meta", "link", "input", "img", "br", "use", "path", "rect", "circle", "hr", "col"}
_NAMES = {"dl", "q"}
"""Elements with the names of a concept in every language, and quotations."""


class _Words(HTMLParser):
    """The pieces of text of a page, with the nearest `lang` and whether they stand in an element of `_NAMES`."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str, bool]] = [("", "", False)]
        self.pieces: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            _, lang, is_name = self.open[-1]
            self.open.append((tag, dict(attrs).get("lang") or lang, is_name or tag in _NAMES))

    def handle_endtag(self, tag: str) -> None:
        while len(self.open) > 1 and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        _, lang, is_name = self.open[-1]
        if data.strip() and not is_name:
            self.pieces.append((lang, data.strip()))


def _is_simplified(text: str) -> bool:
    """Whether a text has to be converted: it changes, and has no traditional character."""
    return to_simplified(text) == text and traditional(text) != text


@pytest.mark.parametrize("path", [*PAGES, "/zones?game=ygo&moves=all", "/id/dm/zones-summary/undated", "/?q=墓地"])
def test_our_words_are_in_the_characters_of_the_reader(client: TestClient, path: str) -> None:
    page, answer = _Words(), client.get(path, headers={"Accept-Language": "zh-TW"})
    assert answer.status_code == 200
    page.feed(answer.text)
    known = {*LANGUAGE_NAMES.values(), *labels.SHORT_LANGUAGE.values()}
    pieces = [(lang, words) for lang, words in page.pieces if lang in ("zh-Hans", "zh-Hant") and words not in known]
    titles = ("规则书", "游戏王OCG 规则书")
    assert [words for lang, words in pieces if (lang == "zh-Hans" or _is_simplified(words)) and not words.startswith(titles)] == []


def test_the_words_of_a_book_stay_as_they_were_printed() -> None:
    class Books:
        @in_readers_script
        def rules(self, *, lang: str) -> dict[str, object]:
            rule = {
                "lang": "zh-Hans",
                "heading": ["战斗"],
                "headings": {"zh-Hans": ["战斗"]},
                "headwords": {"zh-Hans": "战斗"},
                "texts": {"zh-Hans": {"text": "战斗", "authority": "official"}},
                "digest": {"zh-Hans": "战斗", "en": "combat"},
                "note": "战斗",
            }
            return {"lang": lang, "rules": [rule]}

    library: Any = in_traditional(cast(Library, Books()))
    [rule] = library.rules(lang="zh-Hant")["rules"]
    assert rule["digest"] == {"zh-Hans": "战斗", "en": "combat", "zh-Hant": "戰鬥"}
    assert rule["note"] == "戰鬥"
    assert (rule["lang"], rule["heading"], rule["headwords"]) == ("zh-Hans", ["战斗"], {"zh-Hans": "战斗"})
    assert rule["texts"]["zh-Hans"]["text"] == "战斗"


def test_a_rule_without_its_book_has_converted_headings(home: object) -> None:
    library = in_traditional(Library.open(str(home), create=False))
    [rule] = library.rules("mtg 400.7", lang="zh-Hant")["rules"]
    assert rule["lang"] == "zh-Hant"
    assert rule["heading"] == rule["headings"]["zh-Hant"]
    assert all(is_traditional(title) for title in rule["heading"][:1])
    [hit, *_] = library.search("400.7", games="mtg", lang="zh-Hant")["hits"]
    assert hit["lang"] == "zh-Hant"
    assert is_traditional(hit["gloss"] or "")


@pytest.mark.parametrize(
    "path", ["/v1/search?q=400.7&game=mtg", "/v1/answers?q=400.7&game=mtg", "/v1/rules/mtg/400.7", "/v1/topics"]
)
def test_the_interface_answers_in_the_characters_of_the_reader(client: TestClient, path: str) -> None:
    def words(value: object, key: str = "") -> Iterator[str]:
        if isinstance(value, dict):
            yield from (word for name, one in value.items() for word in words(one, name))
        elif isinstance(value, list):
            yield from (word for one in value for word in words(one, key))
        elif key in ("gloss", "comment", "note", "asks", "differs", "group", "zh-Hant") and isinstance(value, str):
            yield value

    joint = "&" if "?" in path else "?"
    simple, answer = (list(words(client.get(f"{path}{joint}lang={lang}").json())) for lang in ("zh-Hans", "zh-Hant"))
    assert any(map(is_traditional, answer))
    assert not any(map(_is_simplified, answer))
    assert not any(map(is_traditional, simple))


def test_a_question_in_traditional_characters_is_answered_in_them(home: object) -> None:
    library = Library.open(str(home), create=False)
    [hit, *_] = library.search("戰場是什麼", games="mtg")["hits"]
    assert is_traditional(hit["gloss"] or "")
    line: Any
    [line] = library.search_lines('{"id": "1", "query": "戰場是什麼", "game": "mtg"}\n'.encode())
    assert is_traditional(line["search"]["hits"][0]["gloss"] or "")
    for claim in library.ask("戰場是什麼", games="mtg")["claims"]:
        assert (claim["source"], claim["quote"]["text"]) == ("digest", claim["text"])
        assert len(claim["text"]) == claim["quote"]["end"] - claim["quote"]["start"]


@pytest.mark.parametrize("query", ["數碼寶貝有沒有萬智牌的堆疊", "決鬥大師有放逐區嗎，像萬智牌一樣"])
def test_differences_are_in_traditional_characters(home: object, query: str) -> None:
    differences = Library.open(str(home), create=False).ask(query)["differences"]
    assert differences
    for difference in differences:
        assert difference["text"] == traditional(to_simplified(difference["text"])) != to_simplified(difference["text"])
