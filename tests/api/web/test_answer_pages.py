"""The page of each kind of answer in each language, and the ways that lead on from the home page."""

import random
import re
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulestone import Library

PAGE_LANGUAGES = ("ja", "zh-Hans", "zh-Hant", "en")
QUESTIONS = {
    "sure, from a numbered book": "/?q=order+of+cards+in+the+graveyard&game=dm",
    "sure, from a book without numbers": "/?q=手牌上限&game=ygo",
    "likely, from a numbered book": "/?q=how+many+tokens+may+a+ferry+carry&game=ferry",
    "likely, from a book without numbers": "/?q=how+many+cards+may+I+hold&game=ygo",
    "abstained": "/?q=qwxyzzy",
    "a number": "/?q=101.1&game=ferry",
    "a ruling": "/?q=may+a+barrel+be+rolled&game=evil",
    "a card": "/?q=may+I+discard+a+token+from+a+ferry+with+Oarbreaker&game=ferry",
    "a glossary entry": "/?q=what+is+a+zone&game=mtg",
}
SECTIONS = {"sure": 'class="answer"', "likely": '<ol class="hits"', "abstained": 'class="abstained"'}
"""A part of the page that only this kind of answer has (hits are also below a sure answer)."""


@pytest.mark.parametrize("lang", PAGE_LANGUAGES)
@pytest.mark.parametrize("kind", QUESTIONS)
def test_the_page_of_each_kind_of_answer(client: TestClient, kind: str, lang: str) -> None:
    answer = client.get(QUESTIONS[kind], headers={"Accept-Language": lang})
    assert answer.status_code == 200, answer.text[-500:]
    assert f'<html lang="{lang}">' in answer.text
    assert SECTIONS.get(kind.partition(",")[0], "<main") in answer.text
    assert 'class="answer"' in answer.text or not kind.startswith("sure")


def test_the_questions_get_the_answers_they_are_named_for(home: Path) -> None:
    library = Library.open(home, create=False)
    for numbered, query, game in ((True, "order of cards in the graveyard", "dm"), (False, "手牌上限", "ygo")):
        _, answer = library.search_and_ask(query, games=game, lang="en")
        assert answer
        assert answer["state"] == "sure"
        assert [claim["number"] is not None for claim in answer["claims"]] == [numbered] * len(answer["claims"])
        assert all(claim["locator"] in claim["rule"] for claim in answer["claims"])
    assert library.search("may a barrel be rolled", games="evil")["hits"][0]["kind"] == "ruling"
    assert library.search("may I discard a token from a ferry with Oarbreaker", games="ferry")["understood"]["cards"]


@pytest.mark.parametrize("lang", ["en", *(pytest.param(lang, marks=pytest.mark.slow) for lang in PAGE_LANGUAGES if lang != "en")])
def test_the_examples_and_the_chips_of_the_home_page_lead_on(client: TestClient, lang: str) -> None:
    waiting, visited, answers = ["/"], set[str](), 0
    while waiting:
        path = waiting.pop()
        answer = client.get(path, headers={"Accept-Language": lang})
        assert answer.status_code in (200, 303, 307), (path, answer.text[-500:])
        answers += 'class="answer"' in answer.text
        ways = {unescape(way).partition("#")[0] for way in re.findall(r'href="(/[^"]*)"', answer.text)}
        links = {way for way in ways if path == "/" or (way.startswith("/?q=") and way.count("&") <= 1)}
        waiting += links - visited - {path}
        visited |= links | {path}
    assert sum(path.startswith("/?q=") for path in visited) > 30
    assert answers


CRAWLED = 500
"""Number of pages in each language."""


@pytest.mark.slow
@pytest.mark.parametrize("lang", PAGE_LANGUAGES)
def test_no_page_of_a_crawl_fails(client: TestClient, lang: str) -> None:
    """With several books, rulings and cards added; each language follows other links, all of which lead somewhere."""
    draw = random.Random(lang)
    waiting, paths, statuses = ["/"], {"/"}, dict[str, int]()
    for _ in range(CRAWLED):
        path = waiting.pop(draw.randrange(len(waiting)))
        answer = client.get(path, headers={"Accept-Language": lang})
        if answer.status_code >= 400 and not path.startswith("/terms?label="):  # a question may be no term
            statuses[path] = answer.status_code
        ways = {unescape(way).partition("#")[0] for way in re.findall(r'href="(/[^"]*)"', answer.text)}
        ways |= {unescape(way) for way in re.findall(r'data-(?:preview|part)="(/[^"]*)"', answer.text)}
        waiting += sorted(ways - paths)
        paths |= ways
    assert statuses == {}
