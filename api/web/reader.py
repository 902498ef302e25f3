"""Who reads a page: the language they read it in, and the one they read books in."""

from dataclasses import dataclass

from starlette.requests import Request

from api.languages import accepted
from rulestone.languages import DEFAULT, named_language

LANG, BOOKS = "lang", "books"
"""The cookies that keep what a reader chose."""
OFFLINE = "/offline"
"""The page that is kept in every language: there the address says which."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What a reader chose, else what their browser says."""

    lang: str  # of the page
    books: str | None  # of the books; None: that of the page

    @property
    def reads(self) -> str:
        """The language to show a book's words in first."""
        return self.books or self.lang


def reader_of(request: Request) -> Reader:
    """The reader behind a request. A cookie of no language of ours counts for nothing."""
    asked = request.query_params.get(LANG, "") if request.url.path == OFFLINE else ""
    chosen = named_language(asked or request.cookies.get(LANG, ""))
    books = named_language(request.cookies.get(BOOKS, ""))
    return Reader(chosen or accepted(request.headers.get("accept-language")) or DEFAULT, books)
