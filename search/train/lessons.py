"""What the pretrained encoder is taught: questions and glosses beside their rules, in whatever language, and books in two.

A lesson is a question and a passage, with the game and the rule they belong to: lessons of one game are told apart from each other,
those of one rule are not.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus.digest import Digest
from corpus.model import Node, Reading
from corpus.words.text import fold_digest
from search.encode.pretrained import PASSAGE, QUERY


class Lesson(NamedTuple):
    """A question that a passage answers."""

    question: str
    passage: str
    game: str
    rule: int


@dataclass(slots=True)
class Taught:
    """What is known of one rule: its words, gloss and questions by language, and the title above it."""

    game: str
    title: Mapping[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    gloss: Mapping[str, str] = field(default_factory=dict)
    asked: Mapping[str, Sequence[str]] = field(default_factory=dict)


def taught(digests: Iterable[Digest], readings: Iterable[Reading]) -> list[Taught]:
    """The rules of the digest with their words where a book is at hand, and the rules of books in two languages."""
    glossed: dict[tuple[str, str], Taught] = {}
    rules: list[Taught] = []
    for digest in digests:
        titles: dict[str, Mapping[str, str]] = {gloss.locator: gloss.words for gloss in digest.glosses if gloss.heading}
        for gloss in digest.glosses:
            if not gloss.heading:
                rule = Taught(digest.key.game, titles.get(gloss.locator.split(".")[0], {}), {}, gloss.words, gloss.asked)
                glossed.setdefault((digest.key.game, gloss.sha256), rule)
                rules.append(rule)
    return [*rules, *_read(glossed, readings)]


def _read(glossed: Mapping[tuple[str, str], Taught], readings: Iterable[Reading]) -> Iterator[Taught]:
    """Puts the words of books beside their glosses; gives the rules that have none."""
    places: dict[tuple[str, str], Taught] = {}
    fresh: list[Taught] = []
    for reading in readings:
        for node in _rules(reading.nodes):
            place = (str(reading.key), node.locator)
            rule = places.get(place) or glossed.get((reading.key.game, fold_digest(node.text)))
            if rule is None:
                rule = Taught(reading.key.game)
                fresh.append(rule)
            places[place] = rule
            rule.texts.setdefault(reading.lang, node.text)
    return (rule for rule in fresh if len(rule.texts) > 1)


def _rules(nodes: Iterable[Node]) -> Iterator[Node]:
    return (node for node in nodes if not node.kind.is_heading and node.text)


def lessons(rules: Sequence[Taught], random_: random.Random, most: int = 4) -> list[Lesson]:
    """One round of lessons: each question with the words or the gloss of its rule in any language, `most` of each language."""
    learnt: list[Lesson] = []
    for place, rule in enumerate(rules):
        own, glosses = list(rule.texts.items()), list(rule.gloss.items())
        for questions in rule.asked.values():
            for question in questions[:most]:
                from_book = own and (random_.random() < 0.6 or not glosses)
                learnt.append(_lesson(question, *random_.choice(own if from_book else glosses), rule, place, random_))
        if glosses and own:
            learnt.append(_lesson(random_.choice(glosses)[1], *random_.choice(own), rule, place, random_))
        if len(own) > 1 and random_.random() < 0.5:
            (_, words), (lang, other) = random_.sample(own, 2)
            learnt.append(_lesson(words[:200], lang, other, rule, place, random_))
    return learnt


def _lesson(question: str, lang: str, words: str, rule: Taught, place: int, random_: random.Random) -> Lesson:
    title = rule.title.get(lang, "") if random_.random() < 0.7 else ""
    return Lesson(QUERY + question, f"{PASSAGE}{title}: {words}" if title else PASSAGE + words, rule.game, place)


def batches(given: Sequence[Lesson], size: int, random_: random.Random) -> list[list[Lesson]]:
    """Batches of one game each; half of a batch are neighbours: what must be told apart is what lies side by side."""
    by_game: dict[str, list[Lesson]] = {}
    for lesson in given:
        by_game.setdefault(lesson.game, []).append(lesson)
    made: list[list[Lesson]] = []
    for own in by_game.values():
        own.sort(key=lambda lesson: (lesson.rule // 40, random_.random()))
        halves = [own[first : first + size // 2] for first in range(0, len(own), size // 2)]
        random_.shuffle(halves)
        flat = [lesson for half in halves for lesson in half]
        made += [flat[first : first + size] for first in range(0, len(flat) - size + 1, size)]
    random_.shuffle(made)
    return made
