"""Definitions of keywords: written as definitions, not cut from a gloss, and each from a rule that names the keyword."""

import re
from collections import defaultdict
from functools import cache

import pytest

from corpus.address import split_rule
from corpus.digest import Gloss, digests
from ontology.keywords import HUB_TABLE, Keyword, keywords
from ontology.topics import TOPIC_LANGUAGES

MAX_SENTENCES = 2
DEFINED = [word for word in keywords() if word.kind]
FROM_RULES = [word for word in DEFINED if word.game != HUB_TABLE]
QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"|（[^）]*）|\([^)]*\)")
SENTENCE_END = re.compile(r"(?<!\bvs)(?<!\bDON!)[.!?](?=\s|$)|[。！？]")
"""Not the marks of the cards called “DON!!”."""
PAIRS = ("“”", "「」", "『』", "（）", "()", "［］", "[]", "«»", "《》")
IN_AN_EXAMPLE = {("dm", "slayer"), ("dm", "sympathy")}
"""Keywords that the book names only in the example of their rule; their definitions say so."""


@cache
def glosses() -> dict[tuple[str, str], Gloss]:
    """Game and locator → gloss of the newest digest of that rule."""
    return {(digest.key.game, gloss.locator): gloss for digest in digests(all_games=True) for gloss in digest.glosses}


@cache
def parts() -> dict[tuple[str, str], list[str]]:
    """Game and locator of a heading → locators of the rules below it."""
    below: dict[tuple[str, str], list[str]] = defaultdict(list)
    for game, locator in glosses():
        parent = re.sub(r"(?:~[\d.]+|\.\d+|(?<=\d)[a-z]+)$", "", locator)
        if parent != locator:
            below[game, parent].append(locator)
    return below


def faults(text: str) -> list[str]:
    """What makes a text no whole definition of at most two sentences."""
    count = len(SENTENCE_END.findall(QUOTED.sub("", text)))
    problems = [pair for pair in PAIRS if text.count(pair[0]) != text.count(pair[1])]
    problems += ['"'] if text.count('"') % 2 else []
    problems += [f"{count} sentences"] if not 1 <= count <= MAX_SENTENCES else []
    return problems + ([] if re.search(r"[.。]$", text) else ["no end"])


def letters(text: str) -> str:
    return re.sub(r"[\s·・\-\[\]«»“”\"'’–—]", "", text.lower())


def names_of(word: Keyword, lang: str) -> set[str]:
    return {letters(name.text) for name in word.names.get(lang, ())}


def test_definitions_are_whole_and_of_two_sentences_at_most() -> None:
    problems = {(word.concept, lang): faults(text) for word in DEFINED for lang, text in word.definition.items()}
    assert {place: what for place, what in problems.items() if what} == {}


@pytest.mark.parametrize(
    "text", ["It means two things:", "「結ぶ：ほどくまで", "One. Two. Three.", "结是绳子的", 'A card "in hand goes back.', ""]
)
def test_truncated_definitions_are_found(text: str) -> None:
    assert faults(text)


def test_no_definition_is_the_beginning_of_a_gloss() -> None:
    """The first sentence of a gloss leaves out what the others say."""
    cut = []
    for word in FROM_RULES:
        words = glosses()[word.game, split_rule(word.rule).locator].words
        cut += [
            (word.concept, lang)
            for lang, text in word.definition.items()
            if words[lang].startswith(text[:-1]) and len(words[lang]) > len(text) + 10
        ]
    assert cut == []


def test_the_defining_rule_names_the_keyword() -> None:
    """Itself or, if it is a heading, in one of its rules."""
    unnamed = set()
    for word in FROM_RULES:
        place = (word.game, split_rule(word.rule).locator)
        said = [glosses()[place], *(glosses()[word.game, locator] for locator in parts()[place])]
        text = {
            lang: letters(" ".join(gloss.words[lang] + gloss.headword.get(lang, "") for gloss in said)) for lang in TOPIC_LANGUAGES
        }
        if not any(name in text[lang] for lang in TOPIC_LANGUAGES for name in names_of(word, lang)):
            unnamed.add((word.game, word.slug))
    assert unnamed == IN_AN_EXAMPLE
