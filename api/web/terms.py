"""`/terms`: a term in every game and language, its uses, and files for translation tools."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from api.http.sharing import shared_books
from api.web.rendering import library_of, page, path_with_query, request_reader
from corpus.languages import LANGUAGES, label_language
from corpus.messages import message
from rulestone import Library
from rulestone.limits import OFFSETS, Range, parse_int

_USE_LIMITS = Range(1, 100, 5)
EXAMPLES = (message("graveyard"), message("hand"), message("draw"), message("attack"), message("summon"))
"""Example terms in the reader's language."""


def terms(request: Request) -> Response:
    """The names of the concept with a label, its false friends, and a page of its uses; without a label, the form for one."""
    library, reader, parameters = library_of(request), request_reader(request), request.query_params
    label, game, within = parameters.get("label", "").strip(), parameters.get("game") or None, parameters.get("in") or None
    slugs = list(dict.fromkeys(edition["game"] for edition in library.editions()["editions"]))
    values: dict[str, Any] = {"label": label, "game": game, "within": within, "slugs": slugs, "tags": LANGUAGES}
    choice = library, game if game in slugs else None, within if within in LANGUAGES else None
    files = [*_term_downloads(*choice), *_bitext_downloads(*choice)]
    shared = shared_books(request)
    values["downloads"] = [file for file in files if shared is None or file.book is None or file.book in shared]
    if not label:
        return page(request, "terms.html", body=None, examples=EXAMPLES, step=_USE_LIMITS.usual, **values)
    body = library.term(
        label,
        games=game,
        lang=reader.lang,
        book_lang=within,
        limit=_USE_LIMITS.usual,
        offset=parse_int("offset", parameters.get("offset"), OFFSETS),
    )
    more = any(uses["total"] > body["offset"] + body["limit"] for uses in body["concordance"])
    return page(request, "terms.html", body=body, more=more, step=_USE_LIMITS.usual, **values)


_TERMBASE_FORMATS = ("csv", "xlsx", "tbx")
_SINGLE_GAME_FORMATS = "skos"


@dataclass(frozen=True, slots=True)
class Download:
    """A file: its format, its book (None: terms), and its address."""

    format: str
    book: str | None  # game/book
    address: str


def _term_downloads(library: Library, game: str | None, lang: str | None) -> Iterator[Download]:
    """The terms of a game in a language; without a game or a language, of all of them."""
    there = library.termbase_games(lang)
    if game not in (None, *there) or not there:
        return
    langs = label_language(lang) if lang else None  # terms are stored in one Chinese script only
    for kind in (*_TERMBASE_FORMATS, _SINGLE_GAME_FORMATS) if game else _TERMBASE_FORMATS:
        yield Download(kind, None, path_with_query("/v1/termbase", format=kind, games=game, langs=langs))


def _bitext_downloads(library: Library, game: str | None, lang: str | None) -> Iterator[Download]:
    """The books that are loaded in two languages and have the given one."""
    book_names: dict[str, None] = {}
    for edition in library.editions()["editions"]:
        langs = [language["lang"] for language in edition["languages"]]
        if game in (None, edition["game"]) and lang in (None, *langs) and len(langs) > 1:
            book_names[f"{edition['game']}/{edition['book']}"] = None
    for book in book_names:
        yield Download("tmx", book, path_with_query("/v1/bitext", format="tmx", book=book, target=lang))
