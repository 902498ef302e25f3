"""The terms that books define: what they are called, which rule defines them, and which concept they are."""

import tomllib
from pathlib import Path

import pytest

from corpus.address import EditionKey, concept_iri, concept_name
from corpus.model import Reading
from corpus.reference import games_in_title
from ingest.define import BookConcept, concepts, quads
from ingest.lines import make_layout, title_in
from ingest.merge import merge
from ingest.names import Where, is_title_of_term, names
from tests.support.ferrymen import parsed

CASES = tomllib.loads((Path(__file__).parents[1] / "cases/names.toml").read_text(encoding="utf-8"))
EN = """\
1. Basics

100. General

100.1. Captains steer.
100.2. A rope is tied.

101. Tying the Knot

101.1. A knot holds.
101.2. Mooring is a keyword ability that keeps a ferry at its pier.
101.3. “Haul [number]” means “Pull that many tokens aboard.”

7. Keywords

701. Keyword Actions

701.1. Drift
701.1a Drift is a triggered ability that moves a ferry.

701.2. Moor
701.2a A ferry moors.

Glossary

Drift
What an untied ferry does. See rule 701.1.

Goose
A bird that pays no toll.
"""
ZH = """\
1. 基础

100. 总则

100.1. 船长掌舵。
100.2. 绳索系好。

101. 打结

101.1. 绳结牢固。
101.2. 系泊是一个关键字异能，使渡船停在码头。
101.3. “牵引N”意指“将N个标记拉上船。”

7. 关键字

701. 关键字动作

701.1. 漂流
701.1a 漂流是触发式异能。

701.2. 靠泊
701.2a 渡船靠泊。

词汇表

漂流
没有系好的渡船会漂流。

鹅
不付过路费的鸟。
"""


def defined(*readings: Reading) -> dict[str, BookConcept]:
    edition = merge(readings[0].key, readings)
    return {concept.iri.rpartition("concept/")[2]: concept for concept in concepts(edition)}


@pytest.mark.parametrize(("lang", "where", "printed", "expected"), CASES["names"])
def test_names_in_print(lang: str, where: Where, printed: str, expected: list[str]) -> None:
    assert list(names(printed, lang, where)) == expected


@pytest.mark.parametrize(("lang", "title"), CASES["no_terms"])
def test_titles_of_no_term(lang: str, title: str) -> None:
    assert not is_title_of_term(title, lang)


@pytest.mark.parametrize(("title", "game"), CASES["titles"])
def test_games_on_titles(title: str, game: str) -> None:
    assert (games_in_title(title) or "") == game


def test_a_book_defines_its_glossary_keywords_titles_and_explained_words() -> None:
    by_slug = defined(parsed(EN, "hundreds"))
    assert {slug: list(concept.defined_by) for slug, concept in by_slug.items()} == {
        "ferry/tying-the-knot": ["101"],
        "ferry/mooring": ["101.2"],
        "ferry/haul": ["101.3"],
        "ferry/keyword-actions": ["701"],
        "ferry/drift": ["701.1", "701.1a", "glossary/drift"],
        "ferry/moor": ["701.2"],
        "ferry/goose": ["glossary/goose"],
    }


def test_two_languages_of_an_edition_name_one_concept() -> None:
    by_slug = defined(parsed(EN, "hundreds"), parsed(ZH, "hundreds", "zh-Hans"))
    called = {slug: {lang: list(some) for lang, some in concept.names.items()} for slug, concept in by_slug.items()}
    assert called["ferry/drift"] == {"en": ["Drift"], "zh-Hans": ["漂流"]}
    assert called["ferry/moor"] == {"en": ["Moor"], "zh-Hans": ["靠泊"]}
    assert called["ferry/mooring"] == {"en": ["Mooring"], "zh-Hans": ["系泊"]}
    assert called["ferry/haul"] == {"en": ["Haul"], "zh-Hans": ["牵引"]}
    assert called["ferry/tying-the-knot"] == {"en": ["Tying the Knot"], "zh-Hans": ["打结"]}


def test_alone_a_translation_gives_its_own_names_and_addresses() -> None:
    assert {"ferry/漂流", "ferry/靠泊", "ferry/系泊", "ferry/牵引", "ferry/打结"} <= set(defined(parsed(ZH, "hundreds", "zh-Hans")))


def test_a_name_of_a_shipped_concept_is_that_concept() -> None:
    reading = parsed(EN.replace("Goose\nA bird", "Yard\nA bird").replace("Moor\n", "Library\n"), "hundreds")
    key = EditionKey("mtg", "piers", "undated")
    edition = merge(key, [reading._replace(key=key)])
    by_name = {concept.iri.rpartition("concept/")[2]: concept for concept in concepts(edition)}
    assert by_name["mtg/library"].shipped
    assert by_name["mtg/graveyard"].shipped  # yard is slang of the floor, until a book has it as a headword
    lines = {str(quad) for quad in quads(key, by_name.values(), ())}
    assert any("mtg/graveyard" in line and "altLabel" in line and '"Yard"@en' in line for line in lines)
    assert not any("mtg/library" in line and "Label" in line for line in lines)  # it has that name already


def test_a_name_in_a_termbase_is_its_concept() -> None:
    termbase = [
        (concept_iri("ferry/wild-goose"), "en", "wild goose"),
        (concept_iri("ferry/wild-goose"), "zh-Hans", "靠泊"),
        (concept_iri("ferry/drifting"), "en", "drift"),
        (concept_iri("ferry/drifting"), "en", "Moor"),
        (concept_iri("ferry/haul"), "ja", "引く"),  # a further name of the term at this address
        (concept_iri("mtg/mooring"), "en", "Mooring"),
    ]

    def addresses(text: str, lang: str) -> dict[str, list[str]]:
        reading = parsed(text, "hundreds", lang)
        book_concepts = concepts(merge(reading.key, [reading]), termbase)
        assert len({concept.iri for concept in book_concepts}) == len(book_concepts)
        return {concept_name(concept.iri): list(concept.names[lang]) for concept in book_concepts}

    english, chinese = addresses(EN, "en"), addresses(ZH, "zh-Hans")
    assert (chinese["ferry/wild-goose"], english["ferry/goose"]) == (["靠泊"], ["Goose"])
    assert (english["ferry/drifting"], english["ferry/haul"]) == (["Drift", "Moor"], ["Haul"])
    assert english.keys() & {"ferry/mooring", "ferry/haul", "ferry/drift"} == {"ferry/mooring", "ferry/haul"}


def test_words_of_every_other_rule_are_no_term_because_one_rule_explains_them() -> None:
    rules = "".join(f"101.{number}. Your ferry holds.\n" for number in range(4, 130))
    text = EN.replace("7. Keywords", rules + "101.130. “Your” means that the captain owns it.\n\n7. Keywords")
    assert "ferry/your" not in defined(parsed(text, "hundreds"))
    assert "ferry/haul" in defined(parsed(text, "hundreds"))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The Game of Ferrymen\nComprehensive Rules ver. 1.04\n\n1. Boats\n", "The Game of Ferrymen Comprehensive Rules ver. 1.04"),
        ("渡し舟カードゲーム\n\n総合ルール ver. 1.04\n1. 舟\n", "渡し舟カードゲーム 総合ルール ver. 1.04"),
        ("Comprehensive Rules\nVersion 2\n1. Boats\n", "Comprehensive Rules"),
        ("The Game of Ferrymen: Rules\nRules\n1. Boats\n", "The Game of Ferrymen: Rules"),
        ("The Game of Ferrymen\nA boat carries the rules\n1. Boats\n", "The Game of Ferrymen"),
    ],
)
def test_a_kind_of_book_below_a_title_belongs_to_it(text: str, title: str) -> None:
    assert title_in(make_layout(text)) == title
