"""The shipped text is our own: it has no run of 20 CJK characters or 8 English words of a real rulebook."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bench.digest.copies import (
    CJK,
    CJK_RUN,
    MAX_SHARED_RUN,
    WORD_RUN,
    alternation,
    card_names,
    cjk_text,
    common_stretches,
    is_words,
    is_written_in_cjk,
    own_letters,
    without_lists,
    words,
)
from corpus.address import scheme_of
from corpus.digest import digests
from ingest.read.document import read
from ontology.keywords import keywords
from ontology.labels import labels_in
from ontology.shipped import shipped_mappings
from ontology.topics import topics
from tests.support.shipped import known
from tests.support.texts import TEXTS


def shipped() -> Iterator[tuple[str, str]]:
    for digest in digests(all_games=True):
        for gloss in digest.glosses:
            if gloss.heading:
                continue
            questions = [question for texts in gloss.questions.values() for question in texts]
            for text in (*gloss.words.values(), *gloss.example.values(), *questions):
                yield f"{digest.key}/{gloss.locator}", text
    for row in shipped_mappings("counterparts"):
        for text in (row["subject_label"], row["object_label"], row["comment"]):
            yield f"{row['subject_id']} {row['object_id']}", text
    for word in keywords():
        yield from ((word.concept, text) for text in word.definition.values())
    for topic in topics():
        for said in (topic.asks, topic.differs, *(cell.says for cell in topic.cells)):
            yield from ((topic.slug, text) for text in said.values())


@cache
def terms(game: str, lang: str) -> re.Pattern[str]:
    """The labels of a game's concepts in a language, and the card names that the rulebooks print."""
    labels = (label.text for label in labels_in(known()) if label.lang == lang and scheme_of(label.concept) == game)
    return alternation([*labels, *card_names(texts(TEXTS))])


@cache
def texts(folder: Path, pattern: str = "*") -> list[str]:
    files = [path for path in folder.rglob(pattern) if path.suffix in (".txt", ".md", ".rst", ".pdf") and path.name != "README.md"]
    return [read(path).text for path in files]


@pytest.mark.real
def test_no_sentence_of_a_rulebook_ships() -> None:
    books = texts(TEXTS)
    runs = {run[i : i + CJK_RUN] for run in map(cjk_text, books) if CJK.search(run) for i in range(len(run) - CJK_RUN + 1)}
    phrases = {tuple(run[i : i + WORD_RUN]) for run in map(words, books) for i in range(len(run) - WORD_RUN + 1)}
    hits = []
    for place, text in shipped():
        plain, said = cjk_text(without_lists(text)), words(without_lists(text))
        if CJK.search(plain):
            copied = (plain[i : i + CJK_RUN] for i in range(len(plain) - CJK_RUN + 1))
            hits += [(place, run) for run in copied if run in runs and is_written_in_cjk(run)]
        quoted = (tuple(said[i : i + WORD_RUN]) for i in range(len(said) - WORD_RUN + 1))
        hits += [(place, " ".join(run)) for run in quoted if run in phrases and is_words(run)]
    assert hits == []


@pytest.mark.real
def test_glosses_are_in_our_own_words() -> None:
    """Terms, card names and numbers are the book's; of what is left, 15 characters at most stand in a rulebook in one run."""
    books = [run for run in map(cjk_text, texts(TEXTS)) if CJK.search(run)]
    size = MAX_SHARED_RUN + 1
    runs = {run[i : i + size] for run in books for i in range(len(run) - size + 1)}
    long = [
        (f"{digest.key}/{gloss.locator}", run)
        for digest in digests(all_games=True)
        for gloss in digest.glosses
        if not gloss.heading
        for lang in ("ja", "zh-Hans")
        for text in (gloss.words[lang], gloss.example.get(lang, ""), *gloss.questions[lang])
        for run in common_stretches(cjk_text(without_lists(text)), runs, size)
        if own_letters(run, terms(digest.key.game, lang)) > MAX_SHARED_RUN
    ]
    assert long == []


OWN_RUN, OWN_WORDS = 16, 4
"""A run of so many letters of its own book is copied if more than so many of them are neither terms, card names nor numbers."""
BOOK_LANGUAGES = {"dm": "ja", "fow": "ja", "mtg": "zh-Hans", "ygo": "zh-Hans"}
FIXED = {
    ("dm", "509.3"),  # card names
    ("dm", "605.4"),
    ("dm", "609.8a"),
    ("dm", "802.2"),  # "as a NEO evolution creature"
    ("mtg", "206.3b"),  # card names
    ("mtg", "506.1"),  # the steps of combat
    ("mtg", "508.3a"),  # the wording of card texts
    ("mtg", "604.5"),
    ("mtg", "702.1d"),
    ("ygo", "cards/1.2.4.2.2.1.3.2~7"),
}
"""Rules whose gloss has to repeat a run: names in a row, or the words of card texts that the rule explains."""


@pytest.mark.real
@pytest.mark.parametrize("game", BOOK_LANGUAGES)
def test_a_gloss_rewords_its_own_rulebook(game: str) -> None:
    lang = BOOK_LANGUAGES[game]
    seeds = {"dm": "*-dm-*.ja.txt", "fow": "*-fow-*.ja.txt", "mtg": "*-mtg-*.zh.txt", "ygo": "*-ygo-*.zh.rst.txt"}[game]
    books = [cjk_text(text) for text in [*texts(TEXTS / game), *texts(TEXTS / "seeds", seeds)]]
    runs = {book[i : i + OWN_RUN] for book in books if CJK.search(book) for i in range(len(book) - OWN_RUN + 1)}
    copied = {
        (game, gloss.locator)
        for digest in digests(all_games=True)
        if digest.key.game == game
        for gloss in digest.glosses
        if not gloss.heading
        for text in (gloss.words[lang], gloss.example.get(lang, ""))
        for run in common_stretches(cjk_text(text), runs, OWN_RUN)
        if is_written_in_cjk(run) and own_letters(run, terms(game, lang)) > OWN_WORDS
    }
    assert copied <= FIXED


@pytest.mark.parametrize(
    ("run", "left"), [("手札を捨て山札から3枚引く", 8), ("ドリームアックスを捨てる", 4), ("山札", 0), ("次に進む", 4)]
)
def test_terms_and_numbers_are_not_counted(run: str, left: int) -> None:
    assert own_letters(run, alternation(["手札", "山札", "ドリーム・アックス"])) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Types: Cave, Desert, Forest, Gate, Island, and Lair. See 305.6.", "Types:  | . See 305.6."),
        ("种类：洞窟、沙漠、树林、门、海岛、巢穴。参见305.6。", "种类： | 。参见305.6。"),
        ("Draw a card, then discard a card, then tap it.", "Draw a card, then discard a card, then tap it."),
    ],
)
def test_an_enumeration_is_no_copying(text: str, left: str) -> None:
    assert without_lists(text) == left


def test_stretches_in_common_are_the_longest() -> None:
    book = "甲乙丙丁戊己庚辛"
    runs = {book[i : i + 3] for i in range(len(book) - 2)}
    assert list(common_stretches("一甲乙丙丁二戊己庚三乙丙", runs, 3)) == ["甲乙丙丁", "戊己庚"]
