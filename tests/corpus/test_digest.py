"""The digest: complete, hashed to the text it glosses, and found as if the text were there."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.digest import GLOSS_LANGUAGES, Digest, Gloss, digests, parse
from corpus.errors import InputError
from ingest.cite import Citer
from ingest.merge import Edition, merge
from ontology.checks import terminology
from ontology.checks.terminology import gloss_deviations
from tests.support.shipped import known

FORMAL_JAPANESE = re.compile("(です|ます|ました|ません|でしょう|ください)(?![ぁ-ん])")


@pytest.fixture(autouse=True)
def _whole_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULESTONE_DIGEST")


@cache
def merged(key: EditionKey) -> Edition:
    """An edition known from the digest alone."""
    return merge(key, [])


def rows() -> Iterator[tuple[Digest, Gloss]]:
    return ((digest, gloss) for digest in digests(all_games=True) for gloss in digest.glosses)


def test_there_is_a_digest() -> None:
    assert digests(all_games=True)


def test_every_digest_is_complete() -> None:
    for digest in digests(all_games=True):
        locators = [gloss.locator for gloss in digest.glosses]
        assert len(locators) == len(set(locators)), digest.key
        for gloss in digest.glosses:
            assert all(gloss.words[lang].strip() for lang in GLOSS_LANGUAGES), (digest.key, gloss.locator)
            if not gloss.heading:
                assert len(gloss.sha256) == 64, (digest.key, gloss.locator)
                assert all(1 <= len(gloss.questions[lang]) <= 8 for lang in GLOSS_LANGUAGES), (digest.key, gloss.locator)


def test_no_question_is_asked_of_two_rules_of_a_digest() -> None:
    for digest in digests(all_games=True):
        for lang in GLOSS_LANGUAGES:
            counts = Counter(question for gloss in digest.glosses for question in gloss.questions.get(lang, ()))
            assert [question for question, times in counts.items() if times > 1] == [], digest.key


def test_japanese_glosses_are_in_plain_style() -> None:
    polite = [gloss.locator for _, gloss in rows() if FORMAL_JAPANESE.search(gloss.words["ja"])]
    assert polite == []


def test_every_citation_in_a_gloss_resolves() -> None:
    """Inside the digest's own chapter; rules of other chapters are cited as the text cites them."""
    for digest in digests(all_games=True):
        edition = merged(digest.key)
        grammar = catalogue().grammars[edition.grammar]
        citer = Citer(grammar, {rule.locator: "" for rule in edition.rules.values() if rule.number})
        chapters = {gloss.locator.split(".")[0] for gloss in digest.glosses if gloss.number}
        for gloss in digest.glosses:
            cites = [cite for lang in GLOSS_LANGUAGES for cite in citer.citations(gloss.words[lang])]
            dangling = [cite.locator for cite in cites if cite.target is None and cite.locator.split(".")[0] in chapters]
            assert dangling == [], gloss.locator


def test_without_the_text_everything_is_as_if_it_were_there() -> None:
    for digest in digests(all_games=True):
        by_locator = {rule.locator: rule for rule in merged(digest.key).rules.values()}
        assert set(by_locator) >= {gloss.locator for gloss in digest.glosses}, digest.key
        for gloss in digest.glosses:
            rule, place = by_locator[gloss.locator], (digest.key, gloss.locator)
            assert rule.number == gloss.number, place
            assert rule.kind.is_heading == gloss.heading, place
            assert rule.parent is None or rule.parent in by_locator, place
            assert gloss.heading or rule.parent or rule.kind == "glossary" or gloss.locator.isdigit(), place


@pytest.mark.parametrize(
    "text", ["", "game = 1", "[[rule]]", 'game = "dm"\nbook = "b"\nedition = "e"\nlanguage = "ja"\n[[rule]]\nlocator = "1"']
)
def test_a_broken_file_is_named(text: str) -> None:
    with pytest.raises(InputError, match=r"broken\.toml cannot be read"):
        parse(text, "broken.toml")


def test_glosses_use_the_terms_of_the_concepts() -> None:
    """In one game; in all games by the next test, which would find a term that is no homonym, too."""
    assert list(gloss_deviations(known(), digests(all_games=True, game="ygo"))) == []


@pytest.mark.slow
def test_every_homonym_is_one_and_no_other_gloss_deviates(monkeypatch: pytest.MonkeyPatch) -> None:
    excused = terminology.homonyms()
    monkeypatch.setattr(terminology, "homonyms", set)
    assert {(deviation.rule, deviation.concept) for deviation in gloss_deviations(known(), digests(all_games=True))} == excused


def test_the_digests_of_a_game_are_the_files_named_after_it() -> None:
    every = digests(all_games=True)
    for game in {digest.key.game for digest in every}:
        assert digests(all_games=True, game=game) == tuple(digest for digest in every if digest.key.game == game)
