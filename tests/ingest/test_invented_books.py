"""Any invented numbered book is read to the same rules, however its lines are wrapped and in whichever format it is written."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.model import Node
from ingest.pipeline import parse
from ingest.read.document import Document, read_document
from ingest.recognise import Hints
from tests.support.ferrymen import document, faults
from tests.support.invented import InventedBook, Item, invented_books, squeezed


def assert_is_read(book: InventedBook, document_: Document) -> None:
    """Each item of the book is one node with exactly its words, and nothing else has a number."""
    (reading,) = parse(document_, Hints(game="ferry", lang=book.lang))
    numbered = [(node.locator.replace("-", book.separator), words(node)) for node in reading.nodes if node.number]
    assert numbered == book.rules()
    assert faults(document_.text, [reading]) == []


def words(node: Node) -> str:
    return squeezed(node.text)


@settings(max_examples=40)
@given(invented_books(), st.integers(20, 60))
def test_lines_wrapped_at_any_width(book: InventedBook, width: int) -> None:
    assert_is_read(book, document(book.text(width)))


@settings(max_examples=10)
@given(invented_books(has_appendix=True), st.integers(20, 60))
def test_an_appendix_belongs_to_no_rule(book: InventedBook, width: int) -> None:
    assert_is_read(book, document(book.text(width)))


@settings(max_examples=20)
@given(invented_books())
def test_markdown(book: InventedBook) -> None:
    assert_is_read(book, document(book.markdown(), "markdown", "kites.md"))


@settings(max_examples=20)
@given(invented_books())
def test_html(book: InventedBook) -> None:
    assert_is_read(book, read_document(book.html().encode(), Path("kites.html")))


@settings(max_examples=20)
@given(invented_books(), st.integers(20, 60))
def test_pdf(book: InventedBook, width: int) -> None:
    assert_is_read(book, read_document(book.pdf(width), Path("kites.pdf")))


def crossing_kites(width: int, *, others: int = 0, opening: str = "") -> tuple[InventedBook, str]:
    """A book of four chapters, in each `others` rules and then as many as make nine that cite, and its lines of that width."""
    items = list[Item]()
    for chapter in range(1, 5):
        items += [Item(f"{chapter}", "凧", is_title=True), Item(f"{chapter}.1", "糸", is_title=True)]
        for n in range(1, 10):
            cites = f"{opening}二つの凧が交わった場合、凧師は糸を引きます（{chapter}.1.{n}を参照）。"
            items.append(Item(f"{chapter}.1.{n}", "続けて次の凧師が始めます。" if n <= others else cites, is_title=False))
    book = InventedBook("ja", ".", tuple(items), has_front=False, has_appendix=False)
    return book, book.text(width)


def test_lines_that_end_with_the_number_of_a_rule_are_no_headers_of_pages() -> None:
    book, text = crossing_kites(26, others=8, opening="鐘が鳴り、各凧師は棒の前に並びます。")
    assert text.count(".1.9\n") == 4
    assert_is_read(book, document(text))


def test_a_line_that_ends_with_an_open_bracket_is_no_title() -> None:
    book, text = crossing_kites(30)
    assert text.count("（\n") == 36
    assert_is_read(book, document(text))
