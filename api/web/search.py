"""`/`: a question and the rules that answer it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from api import labels
from api.http.negotiation import best_media
from api.web import home
from api.web.beside import beside
from api.web.rendering import HTML, asking, data, library_of, reader_of, shown
from corpus.languages import LANGUAGE_NAMES, LANGUAGES
from corpus.messages import Message, message
from rulestone import Library
from rulestone.limits import HITS_OFFSET, Range, parse_int

if TYPE_CHECKING:
    from corpus.contract import Ask, Search

_HITS = Range(1, 100, 10)
_ENTRANCE = {"name": "Rulestone", "api": "/v1", "description": "/openapi.json", "documentation": "/docs", "health": "/healthz"}
EXAMPLES = (
    message("who may look at the cards in a graveyard"),
    message("order of cards in the graveyard"),
    message("maximum hand size"),
    message("draw from an empty deck"),
)
"""Example questions; each is in the catalogue, so that it appears in the reader's language."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the form that a page's address has."""

    q: str
    game: str | None
    within: str | None
    as_of: str | None
    offset: int

    def address(self, **other: object) -> str:
        """The page of this question with other parameters."""
        given = {"q": self.q, "game": self.game, "in": self.within, "as_of": self.as_of}
        return asking("/", **(given | other))


@dataclass(frozen=True, slots=True)
class Chip:
    """An option to tap: its label, its language, its target, and whether it is selected."""

    label: str | Message
    lang: str | None
    address: str
    on: bool


def search(request: Request) -> Response:
    """The search page; with `q`, the answers. A program that prefers JSON is referred to the API."""
    if best_media(request.headers.get("accept"), (HTML, "application/json")) == "application/json":
        return data(_ENTRANCE, "en")
    asked, library, reader = _asked(request), library_of(request), reader_of(request)
    values: dict[str, Any] = {
        "asked": asked,
        "games": _games(library, asked, reader.lang),
        "books": _books(asked),
        "examples": EXAMPLES,
    }
    if not asked.q:
        return shown(request, "home.html", shelf=list(home.games(library.editions()["editions"])), **values)
    body, answer = _found(library, asked, reader.lang)
    return shown(
        request,
        "search.html",
        body=body,
        answer=answer,
        beside={hit["iri"]: beside(library, hit["iri"], hit.get("counterparts", []), reader.lang) for hit in body["hits"]},
        **values,
    )


def _found(library: Library, asked: Asked, lang: str) -> "tuple[Search, Ask | None]":
    """The hits, and the answer above the first of them unless the books or the day are narrowed."""
    if not (asked.offset or asked.within or asked.as_of):
        return library.search_and_ask(asked.q, games=asked.game, lang=lang, limit=_HITS.usual)
    hits = library.search(
        asked.q,
        games=asked.game,
        lang=lang,
        book_lang=asked.within,
        as_of=asked.as_of,
        offset=asked.offset,
        limit=_HITS.usual,
    )
    return hits, None


def _asked(request: Request) -> Asked:
    given = request.query_params
    return Asked(
        given.get("q", "").strip(),
        given.get("game") or None,
        given.get("in") or None,
        given.get("as_of") or None,
        parse_int("offset", given.get("offset"), HITS_OFFSET),
    )


def _games(library: Library, asked: Asked, lang: str) -> list[Chip]:
    slugs = dict.fromkeys(edition["game"] for edition in library.editions()["editions"])
    every = Chip(message("all games"), None, asked.address(game=None), asked.game is None)
    of_games = (
        Chip(labels.game(slug, lang), labels.game_language(slug, lang), asked.address(game=slug), asked.game == slug)
        for slug in slugs
    )
    return [every, *of_games]


def _books(asked: Asked) -> list[Chip]:
    every = Chip(message("books in any language"), None, asked.address(**{"in": None}), asked.within is None)
    return [every, *(Chip(LANGUAGE_NAMES[lang], lang, asked.address(**{"in": lang}), asked.within == lang) for lang in LANGUAGES)]
