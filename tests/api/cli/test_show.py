"""`show` and `cites`: the page a rule is printed on, its language, its neighbours."""

from pathlib import Path

import pytest

from tests.support.commands import call

FERRY = "https://w3id.org/rulestone/id/ferry/cr/2021-05-03"


@pytest.mark.parametrize(
    ("arguments", "excerpts"),
    [
        ("ferry:101.1 --lang en", ["The Game of Ferrymen · CR, 3 May 2021 · 101.1 · current · official · en"]),
        ("ferry:101.1 --lang en", ["1. The River › 101. Ferries", "A ferry holds at most six tokens."]),
        ("ferry:101.1 --lang en", ["  Example: Ada has five red tokens aboard.", f"\n{FERRY}/101.1\n"]),
        ("ferry:101.1 --lang en", ["NOT CURRENT:\n  rulestone show ferry/cr:2020-01-01:101.1"]),
        ("ferry:101.1 --lang ja", ["現行 · 翻訳 · ja", "1. 川 › 101. 渡し舟", "渡し舟には印を六つまで積めます。"]),
        ("ferry:101.1 --in ja", ["渡し舟には印を六つまで積めます。"]),
        (
            "ferry:2020-01-01:101.1",
            ["The Game of Ferrymen · CR, 1 Jan 2020 · 101.1 · NOT CURRENT · official · en", "at most five tokens"],
        ),
        ("ferry/cr: 101.1 --lang en", ["A ferry holds at most six tokens."]),
        ("ferry:101.1 --deep --lang en", ["1. The River", "\n101.1. A ferry holds at most six tokens.", "\n101.2. "]),
        ("ferry/cr --outline --lang en", ["ferry/cr · 2021-05-03\n", "1. The River · ", "\n  101. Ferries · "]),
        ("ferry:101.2 --lang en", ["cites 100.1a, 201.1", "previous 101.1 · next 101.2a"]),
        ("ferry:101 --lang en", ["101. Ferries", "  101.2  An overloaded ferry sinks", "next 101.1"]),
        ("ferry:201.2 --lang zh-Hant", ["被引用於：100.1b, glossary/goose", "Geese cross free of charge."]),
        ("ferry:glossary/goose --lang en", ["Goose\nA bird that pays no toll."]),
        (f"{FERRY}/100.1a", ["watches from the bank"]),
        (
            "dm:400.3b --lang ja",
            ["デュエル・マスターズ · ゾーンの要約, 日付なし · 400.3b · 現行 · 要旨のみ", "要旨、非公式（ja）："],
        ),
        ("dm:400.3b --lang zh-Hant", ["大意，非官方（zh-Hant）：", "新增請用：rulestone add FILE"]),
        ("dm:400.2 --lang en", ["  400.2a  [gloss en] A public zone"]),
        ("dm:400.3b --lang en", ["\nin the other games:\n  fow 3.1~3, new card on a zone change: ", "\n  mtg 400.7, new object"]),
        ("mtg:400.5 --lang en", ["\n  fow 3.9~2, visibility and order of the graveyard (a special case): "]),
        ("fow:3.9~2 --lang en", ["\n  mtg 400.5, order and arrangement in a zone (more general): "]),
        ("fow:3.5~2 --lang en", ["\nrelated in the other games: ygo places/1.2~7\n"]),
    ],
)
def test_show_prints_a_page(home: Path, arguments: str, excerpts: list[str]) -> None:
    ended = call(home, "show", *arguments.split())
    assert (ended.code, ended.err) == (0, "")
    for words in excerpts:
        assert words in ended.out


@pytest.mark.parametrize(
    ("arguments", "lang", "heading"),
    [
        ("ferry:2021-05-03:101.1 --lang ja", "ja", "1. 川"),
        ("ferry:2021-05-03:101.1 --lang zh", "en", "1. The River"),
        ("ferry:2021-05-03:101.1 --lang zh --in ja", "en", "1. The River"),
        ("ferry:2021-05-03:201.1 --lang ja", "en", "2. The Crossing"),
        ("dm:400.3b --lang zh-TW", "zh-Hant", "4. 區域"),
        ("dm:400.3b --in zh --lang ja", None, None),
    ],
)
def test_show_names_the_language_it_answers_in(home: Path, arguments: str, lang: str | None, heading: str | None) -> None:
    ended = call(home, "show", *arguments.split(), "--json")
    if lang is None:
        assert (ended.code, len(ended.err.splitlines())) == (1, 1)
    else:
        rule = ended.json()["rules"][0]
        assert (rule["lang"], rule["heading"][0]) == (lang, heading)


def test_show_gives_current_editions_first_and_children_with_their_words(home: Path) -> None:
    body = call(home, "show", "ferry:101", "--json").json()
    assert body["ref"] == "ferry:101"
    assert [(rule["edition"], rule["current"]) for rule in body["rules"]] == [("2021-05-03", True), ("2020-01-01", False)]
    assert body["rules"][0]["children"][0]["texts"]["en"] == {"text": "A ferry holds at most six tokens.", "authority": "official"}


def test_the_terminals_language_is_the_answers(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert call(home, "show", "ferry:2021-05-03:101.1", "--json").json()["rules"][0]["lang"] == "ja"


def test_cites(home: Path) -> None:
    body = call(home, "cites", "ferry:101.2", "--json").json()
    assert (body["rule"]["ref"], body["rule"]["iri"]) == ("ferry:101.2", f"{FERRY}/101.2")
    assert [cite["target"] for cite in body["cites"] if cite["lang"] == "en"] == [f"{FERRY}/100.1a", f"{FERRY}/201.1"]
    assert call(home, "cites", "ferry:201.2", "--json").json()["cited_by"] == [f"{FERRY}/100.1b", f"{FERRY}/glossary/goose"]
    assert "cited by glossary/goose\n" in call(home, "cites", "ferry:201.2").out
