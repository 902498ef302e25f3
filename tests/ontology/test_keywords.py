"""Keywords: a fresh clone has a name for each in three languages, and a loaded book joins them and makes none twice."""

import random
import re
from collections import defaultdict
from functools import cache

import pytest

from corpus.address import CONCEPT, rule_iri, split_rule
from corpus.digest import digests
from corpus.errors import InputError
from corpus.words.tokens import name_form
from ingest.define import concepts
from ingest.merge import merge
from ingest.names import Form, is_title_of_term, names
from ontology import keywords as reading
from ontology.keywords import KEYWORD_KINDS, Keyword, NameSource, keywords
from ontology.labels import LabelSort
from ontology.shipped import marked_labels, shipped_labels
from ontology.topics import TOPIC_LANGUAGES, current_editions
from tests.support.texts import readings

ORIGINAL = {"dm": "ja", "fow": "en", "mtg": "en", "ygo": "zh-Hans"}
PRINTED = {
    "dm": ["ja"],
    "fow": ["en"],
    "mtg": ["en", "zh-Hans"],
    "ygo": ["zh-Hans"],
    "riftbound": ["en", "zh-Hans"],
    "onepiece": ["en", "ja", "zh-Hans"],
    "digimon": ["en", "ja", "zh-Hans"],
    "gundam": ["en", "ja"],
    "lorcana": ["en", "ja", "zh-Hans"],
}
"""Game → the languages of its official texts and recognised translations."""
BOOKS = {
    "dm": ["dm/dm_rule.ja.md"],
    "fow": ["fow/comprehensive_rules_12.7.en.txt"],
    "mtg": ["mtg/20250207_En.txt", "mtg/20250207_Zh.txt"],
}
CHAPTERS = re.compile(
    r"(?:dm/(?:5|701|8)|fow/(?:50|80|10|11)|mtg/(?:50|51|70[12]\.)|ygo/(?:cards/1\.2\.|effects/1\.[34]|progress/1\.3))"
)
"""Chapters whose headings are keywords: parts of the turn, actions, abilities, kinds of summon, cards with rules of their own."""
DRAWN, WANTED, SEED = 150, 0.95, 36


@cache
def called() -> dict[tuple[str, str, Form], set[str]]:
    """Game, language and name → concepts, slang aside."""
    concepts_of: dict[tuple[str, str, Form], set[str]] = defaultdict(set)
    for label in shipped_labels():
        if label.sort is not LabelSort.SLANG:
            concepts_of[label.scheme, label.lang, name_form(label.text)].add(label.concept)
    return concepts_of


def headings() -> list[tuple[str, str, dict[str, str]]]:
    """Game, locator and names by language of each heading of those chapters that names a term in every language."""
    rows = []
    for digest in digests(all_games=True):
        game = digest.key.game
        for gloss in digest.glosses if digest.key == current_editions().get(game) else ():
            title = titled(dict(gloss.words)) if re.fullmatch(r"70[12]\.\d+", gloss.locator) else dict(gloss.words)
            if (
                not CHAPTERS.match(f"{game}/{gloss.locator}")
                or not title
                or not (gloss.heading or (game == "mtg" and "." in gloss.locator))
            ):
                continue
            by_lang = {lang: names(title[lang], lang, "title")[:1] for lang in TOPIC_LANGUAGES}
            if all(by_lang.values()) and all(is_title_of_term(name, lang) for lang, [name] in by_lang.items()):
                rows.append((game, gloss.locator, {lang: name for lang, [name] in by_lang.items()}))
    return rows


def titled(words: dict[str, str]) -> dict[str, str]:
    """The name at the beginning of the gloss of a Magic keyword: `Trample: the keyword for …`."""
    parts = {lang: re.split("[:：]", text, maxsplit=1) for lang, text in words.items()}
    return {lang: some[0] for lang, some in parts.items() if len(some) > 1}


def test_nearly_every_keyword_of_the_four_books_is_known_in_every_language() -> None:
    every = headings()
    assert len(every) > 450
    sample = random.Random(SEED).sample(every, DRAWN)
    assert {game for game, *_ in sample} == set(ORIGINAL)
    unknown = [
        (game, locator, lang, name)
        for game, locator, by_lang in sample
        for lang, name in by_lang.items()
        if not called().get((game, lang, name_form(name)))
    ]
    assert len({name[:2] for name in unknown}) <= (1 - WANTED) * DRAWN, unknown


@pytest.mark.parametrize("lang", TOPIC_LANGUAGES)
@pytest.mark.parametrize(
    ("game", "by_lang"),
    [
        ("dm", {"ja": "S・トリガー", "en": "shield trigger", "zh-Hans": "护盾触发"}),
        ("dm", {"ja": "ブロッカー", "en": "blocker", "zh-Hans": "阻挡者"}),
        ("dm", {"ja": "W・ブレイカー", "en": "double breaker", "zh-Hans": "双击破者"}),
        ("dm", {"ja": "革命チェンジ", "en": "revolution change", "zh-Hans": "革命变换"}),
        ("dm", {"ja": "進化", "en": "evolve", "zh-Hans": "进化"}),
        ("mtg", {"ja": "接死", "en": "deathtouch", "zh-Hans": "死触"}),
        ("fow", {"ja": "障壁", "en": "Barrier", "zh-Hans": "屏障"}),
        ("ygo", {"ja": "シンクロ召喚", "en": "Synchro Summon", "zh-Hans": "同调召唤"}),
        ("ygo", {"ja": "対象を取る効果", "en": "targeting", "zh-Hans": "取对象"}),
        ("ygo", {"ja": "スペルスピード2", "en": "Spell Speed 2", "zh-Hans": "咒文速度2"}),
        ("ygo", {"ja": "1ターンに1度", "en": "once per turn", "zh-Hans": "1回合1次"}),
    ],
)
def test_the_languages_of_a_keyword_name_one_concept(game: str, by_lang: dict[str, str], lang: str) -> None:
    first, *_ = TOPIC_LANGUAGES
    assert called()[game, lang, name_form(by_lang[lang])] == called()[game, first, name_form(by_lang[first])]


def test_every_keyword_is_whole_and_cites_a_glossed_rule() -> None:
    known = {rule_iri(digest.key, gloss.locator) for digest in digests(all_games=True) for gloss in digest.glosses}
    described = {label.concept for label in shipped_labels()}
    new = [word.concept for word in keywords() if word.kind]
    assert len(new) == len(set(new)) > 550
    for word in keywords():
        assert not word.rule or word.rule in known, word.rule
        assert {f"{CONCEPT}{name}" for name in (word.hub, word.broader) if name} <= described
        assert word.kind or word.concept in described, word.concept
        assert not word.kind or not any(some[0].slang for some in word.names.values())


def test_only_a_language_with_a_book_prints_a_name_officially() -> None:
    printed = {
        (word.game, lang)
        for word in keywords()
        for lang, some in word.names.items()
        for name in some
        if name.source is NameSource.OFFICIAL
    }
    assert printed <= {(game, lang) for game, langs in PRINTED.items() for lang in langs}


def test_a_name_in_the_language_of_the_book_is_one_keyword() -> None:
    """A book's term joins the only concept with its name."""
    own = {word.concept for word in keywords() if word.kind in KEYWORD_KINDS}
    twice = {place: some for place, some in called().items() if len(some) > 1 and place[1] == ORIGINAL.get(place[0]) and some & own}
    assert not twice


def test_keywords_are_no_marks() -> None:
    marked = {(label.concept, label.text) for label in marked_labels()}
    assert not [label for label in marked if label[0] in {word.concept for word in keywords() if word.kind}]
    assert len(shipped_labels()) > len(marked) + 1500


@pytest.mark.real
@pytest.mark.parametrize("game", BOOKS)
def test_a_loaded_book_makes_no_keyword_twice(game: str) -> None:
    every = [one for name in BOOKS[game] for one in readings(name)]
    edition = merge(every[0].key, every)
    rules = {split_rule(word.rule).locator for word in keywords() if word.game == game and word.rule}
    book_concepts = concepts(edition)
    keyword_iris = {concept.iri for concept in book_concepts if concept.shipped} & {
        word.concept for word in keywords() if word.kind
    }
    assert not [concept.iri for concept in book_concepts if not concept.shipped and rules & set(concept.defined_by)]
    assert len(keyword_iris) > 0.6 * sum(word.game == game and word.kind in KEYWORD_KINDS for word in keywords())


@pytest.mark.parametrize(
    "row",
    [
        "knot\t\t1.1\t\t\tknot\t\t\t\t\t",
        "knot\tKeywordAbility\t\t\t\tknot\t結び\t结\ta\tb\tc",
        "knot\tRope\t1\t\t\tknot\t結び\t结\ta\tb\tc",
    ],
)
def test_an_incomplete_row_is_named(row: str) -> None:
    with pytest.raises(InputError, match="knot"):
        for line in reading._keyword_rows(row):
            reading._parse_keyword("mtg", current_editions()["mtg"], line)


def test_a_cell_says_where_a_name_is_from() -> None:
    [line] = reading._keyword_rows("knot\tKeywordAction\t1.1\t\t\tknot*; ~bow\t結び+\t结\ta\tb\tc")
    word: Keyword = reading._parse_keyword("mtg", current_editions()["mtg"], line)
    assert [(name.text, name.slang, name.source) for lang in TOPIC_LANGUAGES for name in word.names[lang]] == [
        ("knot", False, NameSource.OFFICIAL),
        ("bow", True, NameSource.OURS),
        ("結び", False, NameSource.USUAL),
        ("结", False, NameSource.OURS),
    ]
