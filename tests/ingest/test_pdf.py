"""PDF pages: columns, titles drawn late, tables, and damaged files. All texts here are invented."""

import random
from collections import Counter
from itertools import zip_longest

import pytest
from hypothesis import given, settings

from corpus.errors import InputError
from ingest.read.formats import pdf_text
from tests.support.invented import InventedBook, invented_books
from tests.support.pdfs import Words, page_lines, paginated, pdf_of

LEFT = [
    *("1. Kites", "1.1. Red kites", "1.1.1. A red kite must be", "tied to the pole before", "the blue one is flown."),
    *("1.1.2. A kite may be untied", "by its owner.", "1.1.3. A kite rests."),
]
RIGHT = [
    *("2. Poles", "2.1. Tall poles", "2.1.1. A pole must stand", "before a kite is flown and", "until the bell rings."),
    *("2.1.2. A pole may fall when", "the wind is strong."),
]
HEAD = Words(60, 806, "Kite Yard Book of the flyers, their poles and their bells, in two columns")


def by_line(left: list[Words], right: list[Words]) -> list[Words]:
    """Two columns, drawn line by line."""
    return [words for pair in zip_longest(left, right) for words in pair if words]


@pytest.mark.parametrize(
    "page",
    [
        page_lines(LEFT, 60) + page_lines(RIGHT, 320),
        by_line(page_lines(LEFT, 60), page_lines(RIGHT, 320)),
        by_line(page_lines(LEFT, 60), page_lines(RIGHT, 320, top=775.3)),
        by_line(page_lines(RIGHT, 320), page_lines(LEFT, 60))[::-1],
    ],
    ids=["column by column", "line by line", "shifted base lines", "from the foot up"],
)
def test_two_columns_are_read_one_after_the_other(page: list[Words]) -> None:
    assert pdf_text(pdf_of([page]), "kites.pdf").split("\n") == [*LEFT, *RIGHT]


@pytest.mark.parametrize("function", ["FPDFText_GetLooseCharBox", "FPDFText_GetCharOrigin", "FPDFText_GetUnicode"])
def test_a_page_whose_characters_have_no_position_is_read_as_it_is_drawn(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = by_line(page_lines(LEFT, 60), page_lines(RIGHT, 320))
    monkeypatch.setattr(f"pypdfium2.raw.{function}", lambda *_: 0xD800 if function.endswith("Unicode") else 0)
    assert pdf_text(pdf_of([page]), "kites.pdf").replace("\n", " ").split() == " ".join(words.text for words in page).split()


def test_a_head_over_two_columns_and_a_page_number_below_them() -> None:
    page = [*by_line(page_lines(LEFT, 60), page_lines(RIGHT, 320)), HEAD, Words(300, 40, "7")]
    assert pdf_text(pdf_of([page]), "kites.pdf").split("\n") == [HEAD.text, *LEFT, *RIGHT, "7"]


def test_a_title_across_the_page_ends_the_columns_above_it() -> None:
    above, below = (page_lines(LEFT, 60), page_lines(RIGHT, 320)), (page_lines(LEFT, 60, 500), page_lines(RIGHT, 320, 500))
    title = Words(60, 600, "3. A chapter whose title is longer than one of the two columns of the page")
    lines = pdf_text(pdf_of([[*by_line(*above), title, *by_line(*below)]]), "kites.pdf").split("\n")
    assert lines == [*LEFT, *RIGHT, title.text, *LEFT, *RIGHT]


def test_a_title_that_is_drawn_after_its_section_is_read_before_it() -> None:
    page = [*page_lines(LEFT[1:]), Words(60, 800, LEFT[0])]
    assert pdf_text(pdf_of([page]), "kites.pdf").split("\n") == LEFT


def test_a_foot_that_is_drawn_first_stays_first() -> None:
    page = [Words(300, 40, "7"), *page_lines(LEFT)]
    assert pdf_text(pdf_of([page]), "kites.pdf").split("\n") == ["7", *LEFT]


def test_a_table_is_read_row_by_row() -> None:
    rows = {
        "Kite": "flies in the wind over the yard of its flyer",
        "Pole": "stands in the ground",
        "Bell": "rings at the end of a turn",
        "Wind": "blows over the yard whenever it wants",
        "Yard": "is where kites are flown",
        "String": "ties a kite to its pole",
    }
    places = enumerate(rows.items())
    page = [words for n, (head, text) in places for words in (Words(60, 780 - 12 * n, head), Words(160, 780 - 12 * n, text))]
    assert pdf_text(pdf_of([page]), "kites.pdf").split("\n") == [f"{head} {text}" for head, text in rows.items()]


@settings(max_examples=15)
@given(invented_books())
def test_any_book_in_two_columns(book: InventedBook) -> None:
    lines = [line for line in book.text(24).split("\n") if line]
    pages = [lines[at : at + 80] for at in range(0, len(lines), 80)]
    layouts = [by_line(page_lines(page[:40], 60), page_lines(page[40:], 320)) for page in pages if len(page) == 80]
    source_lines = [line for page in pages if len(page) == 80 for line in page]
    if layouts:
        text_lines = pdf_text(pdf_of(layouts), "kites.pdf").replace("\f", "").split("\n")
        repeated = {line for line, count in Counter(source_lines).items() if count > 1}  # pdfium may drop one that no font can show
        assert [line for line in text_lines if line not in repeated] == [line for line in source_lines if line not in repeated]
        assert set(text_lines) == set(source_lines)


def test_a_pdf_with_damaged_data_is_refused() -> None:
    whole = pdf_of(paginated(LEFT + RIGHT, 5))
    start = whole.rindex(b"stream\n", 0, whole.rindex(b"endstream")) + 7
    rng = random.Random(48)
    refused = 0
    for _ in range(40):
        place = rng.randrange(start + 2, whole.index(b"\nendstream", start))
        damaged = whole[:place] + bytes([whole[place] ^ 1 << rng.randrange(8)]) + whole[place + 1 :]
        try:
            text = pdf_text(damaged, "kites.pdf")
        except InputError as error:
            assert f"kites.pdf: the PDF is damaged: its data at byte {start:,} cannot be decoded" in str(error)
            refused += 1
        else:
            assert text == pdf_text(whole, "kites.pdf")  # a bit that fills up the last byte
    assert refused > 35


def test_data_that_is_not_compressed_is_no_damage() -> None:
    assert pdf_text(pdf_of([page_lines(LEFT)], is_compressed=False), "kites.pdf").split("\n") == LEFT
