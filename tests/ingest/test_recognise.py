"""Which game, book, edition, language and grammar: by invented books, hints, and texts that are no rulebooks."""

import re
from dataclasses import replace

import pytest

from corpus.catalogue import catalogue
from corpus.errors import InputError
from ingest.fit import MIN_SCORE, fits_by_score
from ingest.lines import make_layout
from ingest.recognise import Hints, Recognised, recognise
from tests.support.ferrymen import BOOKS, Ferrybook, document

FERRY = Hints(game="ferry")


def recognised(text: str, hints: Hints = FERRY, media: str = "text", name: str = "ferrymen.txt") -> Recognised:
    return recognise(document(text, media, name), make_layout(text), hints)


# What is no numbering is told by the kind of file, not by its fit.
UNTOLD = {"restructured", "wiki", "headings"}


@pytest.mark.parametrize("name", [name for name, book in BOOKS.items() if book.grammar not in UNTOLD])
def test_a_style_is_told_by_its_fit(name: str) -> None:
    book = BOOKS[name]
    edition = recognised(book.text, media=book.media)
    assert (edition.grammar.slug, edition.lang) == (book.grammar, book.lang)
    assert any(str(reason).startswith(f"grammar {book.grammar}: ") for reason in edition.why)


@pytest.mark.parametrize("book", [book for book in BOOKS.values() if book.grammar != "headings"], ids=lambda book: book.grammar)
def test_the_grammar_of_a_book_fits_it_best_or_nearly(book: Ferrybook) -> None:
    fits = fits_by_score(
        make_layout(book.text),
        [grammar for grammar in catalogue().grammars.values() if grammar.style == catalogue().grammars[book.grammar].style],
    )
    assert fits[0].grammar.slug == book.grammar
    assert fits[0].score >= MIN_SCORE or fits[0].rules < 8


NUMBERED = BOOKS["hundreds-en"].text
HINTS = [  # hints → what of the result they decide
    (Hints(game="ferry"), {"key": "ferry/cr/2021-05-03", "lang": "en", "authority": "community"}),
    (Hints(game="ferry", book="tolls"), {"key": "ferry/tolls/2021-05-03"}),
    (Hints(game="ferry", edition="second"), {"key": "ferry/cr/second"}),
    (Hints(game="ferry", lang="zh"), {"lang": "zh-Hans"}),
    (Hints(game="ferry", lang="zh-Hant"), {"lang": "zh-Hant"}),
]


@pytest.mark.parametrize(("hints", "expected"), HINTS)
def test_hints(hints: Hints, expected: dict[str, str]) -> None:
    edition = recognised(NUMBERED, hints)
    assert {name: str(getattr(edition, name)) for name in expected} == expected


DATES = [  # a line of the front matter → edition
    ("This is effective from May 3, 2021.", "2021-05-03"),
    ("Effective: Sept 3rd, 2021", "2021-09-03"),
    ("Last updated: 5/3/2021", "2021-05-03"),
    ("Last updated: 23/4/2021", "2021-04-23"),
    ("Last updated 2021-5-3", "2021-05-03"),
    ("最終更新日 2021 年5 月3 日", "2021-05-03"),
    ("最終更新日 ２０２１年５月３日", "2021-05-03"),
    ("本规则于2021年5月3日生效。", "2021-05-03"),
    ("Last updated: May 1, 2021. Effective May 3, 2021.\nUpdated May 9, 2021", "2021-05-01"),
    ("The first ferry sailed on May 3, 2021.", "x-"),
    ("Last updated: 31/31/2021", "x-"),
]


@pytest.mark.parametrize(("line", "edition"), DATES)
def test_the_edition_is_the_date_that_the_text_states(line: str, edition: str) -> None:
    text = NUMBERED.replace("Effective from May 3, 2021, for every captain.", line)
    assert recognised(text, Hints(game="ferry", lang="en")).key.edition.startswith(edition)


def test_an_undated_text_is_named_after_its_digest() -> None:
    text = BOOKS["dotted"].text
    edition = recognised(text)
    assert edition.key.edition == f"x-{document(text).sha256[:12]}"
    assert recognised(f"{text}\n2.1.2. Geese float.").key.edition != edition.key.edition


NAMES = [  # name of a file → edition, where the text states no date
    ("rules_20240301_march.txt", "2024-03-01"),
    ("Ferry-CR-2024-03-01.pdf", "2024-03-01"),
    ("2024_03_01 rules.md", "2024-03-01"),
    ("渡し舟2024年3月1日.txt", "2024-03-01"),
    ("rules-march-2024.txt", "2024-03"),
    ("rules 2024.03 en.txt", "2024-03"),
    ("rules-12.7.txt", "x-"),
    ("rules20249999.txt", "x-"),
]


@pytest.mark.parametrize(("name", "edition"), NAMES)
def test_a_text_without_a_date_takes_that_of_its_files_name(name: str, edition: str) -> None:
    text = BOOKS["dotted"].text
    known = recognised(text, name=name)
    assert known.key.edition.startswith(edition)
    assert any("--edition" in str(note) for note in known.notes)
    assert recognised(text, Hints(game="ferry", edition="2020-01-01"), name=name).key.edition == "2020-01-01"


def test_a_text_without_a_date_takes_that_of_its_pdf() -> None:
    undated = document(BOOKS["dotted"].text, "pdf", "rules.pdf")
    known = recognise(replace(undated, created="2024-03-01"), make_layout(undated.text), FERRY)
    assert known.key.edition == "2024-03-01"
    assert "the date of the PDF" in str(known.notes[-1])


def test_a_headings_only_book_takes_its_files_name() -> None:
    text = BOOKS["markdown"].text
    assert recognised(text, media="markdown", name="House Rules.md").chapter == "house-rules"


NOVEL = "It was a dark and stormy night; the ferry lay at the pier, and nobody rang the bell.\n\nThen the goose came.\n\n"
REFUSED = [
    (NOVEL * 20, FERRY, "ferrymen.txt: not a rulebook that Rulestone can read: no numbering style fits"),
    ("渡し舟は夜のうちに桟橋を離れた。\n\n誰も鐘を鳴らさなかった。\n\n" * 20, FERRY, "not a rulebook"),
    ("1. Buy milk.\n2. Feed the goose.\n", FERRY, "not a rulebook"),
    ("Each player has a boat.\n\nA boat carries three barrels.\n", FERRY, "2 and 0 of these; --structure paragraphs reads it"),
    ("1. Boats\n1.1 Each player has one.\n1.2 It carries three.\n", FERRY, "2 of these; --structure dotted reads it"),
    ("Паром стоит у причала. Гусь молчит.\n" * 30, FERRY, "a script that is neither kana, Han nor Latin"),
    ("나룻배가 선착장에 있다. 거위는 조용하다.\n" * 30, FERRY, "a script that is neither kana, Han nor Latin"),
    ("Die Fähre liegt am Steg und die Gans schweigt über das Wetter von gestern.\n" * 30, FERRY, "the language 'de'"),
    (NUMBERED, Hints(), "of an unknown game; name it with --game SLUG"),
    (NUMBERED, Hints(game="The Ferry"), "--game 'The Ferry': expected 1 to 40 letters a-z, digits and hyphens"),
    (NUMBERED, Hints(game="ferry", lang="de"), "--lang de: not supported; expected one of ja, zh-Hans, zh-Hant, en"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "hints", "message"), REFUSED)
def test_refused(text: str, hints: Hints, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        recognised(text, hints)


LANGUAGES = [
    ("舟は桟橋を離れます。", "ja"),
    ("船会离开码头。鹅不付费。", "zh-Hans"),
    ("船會離開碼頭。鵝不付費。", "zh-Hant"),
    ("船会离开码头。卡名是「ドラゴン」。" + "鹅不付费，鹅也不排队，鹅从不等待任何人。" * 9, "zh-Hans"),
    ("The ferry leaves the pier, and the goose rings its bell.", "en"),
]


@pytest.mark.parametrize(("sentence", "lang"), LANGUAGES)
def test_languages(sentence: str, lang: str) -> None:
    text = "".join(f"1.1.{place}. {sentence}\n" for place in range(1, 12))
    assert recognised(f"1. A\n1.1. B\n{text}").lang == lang
