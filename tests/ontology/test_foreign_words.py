"""Each game is described in its own words: no chain in Magic, no tapping in Force of Will."""

import re
from collections.abc import Iterator

import pytest

from corpus.address import BASE, SKOS
from corpus.digest import digests
from ontology.checks.terminology import foreign_words, words_of_another_game
from ontology.keywords import keywords
from ontology.topics import TOPIC_LANGUAGES, topic_cells
from tests.support.shipped import known

NAMES = {f"{SKOS}altLabel", f"{SKOS}hiddenLabel"}
"""What players say too; other names than these are checked."""
OF_A_GAME = re.compile(rf"{re.escape(BASE)}id/(?:concept|claim|value)/(?:topics/)?([a-z]+)[/-]")
LANGUAGES = {lang.lower(): lang for lang in TOPIC_LANGUAGES}


def shipped() -> Iterator[tuple[str, str, str, str]]:
    """Place, game, language and text of topics, definitions, values, notes, glosses and examples."""
    for cell in topic_cells():
        for words in (cell.says, cell.label):
            yield from ((f"{cell.topic}.{cell.game}", cell.game, lang, text) for lang, text in words.items())
    for word in keywords():
        yield from ((word.concept, word.game, lang, text) for lang, text in word.definition.items())
    rows = known().select('SELECT ?s ?p ?o (LANG(?o) AS ?lang) { GRAPH ?g { ?s ?p ?o } FILTER(LANG(?o) != "") }')
    keyword_concepts = {word.concept for word in keywords()}
    for row in rows:
        game = OF_A_GAME.match(row["s"])
        if game and row["p"] not in NAMES and row["s"] not in keyword_concepts and "Label" not in row["p"].removeprefix(SKOS):
            yield row["s"], game[1], LANGUAGES[row["lang"].lower()], row["o"]
    for digest in digests(all_games=True):
        for gloss in digest.glosses:
            if not gloss.heading:
                for words in (gloss.words, gloss.example):
                    yield from ((f"{digest.key}/{gloss.locator}", digest.key.game, lang, text) for lang, text in words.items())


def test_each_game_is_described_in_its_own_words() -> None:
    findings = {
        (place, lang): foreign for place, game, lang, text in shipped() if (foreign := words_of_another_game(game, lang, text))
    }
    assert findings == {}


@pytest.mark.parametrize(
    ("game", "lang", "text"),
    [
        ("fow", "en", "Tapping to attack."),
        ("mtg", "zh-Hans", "每回合抽一张牌"),
        ("dm", "zh-Hans", "触发的能力"),
        ("ygo", "ja", "山札からドローする"),
    ],
)
def test_a_foreign_word_is_found(game: str, lang: str, text: str) -> None:
    assert words_of_another_game(game, lang, text)


@pytest.mark.parametrize(("game", "text"), [("mtg", "轮抽赛抽选牌张"), ("dm", "护盾触发"), ("fow", "掷硬币")])
def test_other_words_with_the_same_letters_are_not(game: str, text: str) -> None:
    assert words_of_another_game(game, "zh-Hans", text) == []


def test_every_game_and_language_has_words_to_avoid() -> None:
    assert {game for game, _ in foreign_words()} >= {"dm", "fow", "mtg", "ygo"}
