"""What one can take along from the translator's desk: files of terms, and books as translation memories."""

from collections.abc import Iterator
from dataclasses import dataclass

from api.web.addresses import asking
from corpus.languages import label_language
from rulestone import Library

_TERMS = ("csv", "xlsx", "tbx")
_OF_ONE_GAME = "skos"


@dataclass(frozen=True, slots=True)
class Download:
    """A file: its format, the book that it holds (None: terms), and where it is."""

    format: str
    book: str | None  # game/book
    address: str


def downloads(library: Library, game: str | None, lang: str | None) -> list[Download]:
    """The files of what a game has in a language; without these of every game, and in every language."""
    return [*_terms(library, game, lang), *_books(library, game, lang)]


def _terms(library: Library, game: str | None, lang: str | None) -> Iterator[Download]:
    there = library.termbase_games(lang)
    if game not in (None, *there) or not there:
        return
    langs = label_language(lang) if lang else None  # terms are kept in one Chinese script
    for kind in (*_TERMS, _OF_ONE_GAME) if game else _TERMS:
        yield Download(kind, None, asking("/v1/termbase", format=kind, games=game, langs=langs))


def _books(library: Library, game: str | None, lang: str | None) -> Iterator[Download]:
    """The books that are loaded in two languages, of which the given one is one."""
    paired: dict[str, None] = {}
    for edition in library.editions()["editions"]:
        langs = [language["lang"] for language in edition["languages"]]
        if game in (None, edition["game"]) and lang in (None, *langs) and len(langs) > 1:
            paired[f"{edition['game']}/{edition['book']}"] = None
    for book in paired:
        yield Download("tmx", book, asking("/v1/bitext", format="tmx", book=book, target=lang))
