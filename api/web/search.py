"""`/`: a question and the rules that answer it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from api import labels
from api.encoding import encode
from api.http.negotiation import best_media
from api.web import home
from api.web.beside import counterpart_groups, judged
from api.web.rendering import HTML, library_of, page, path_with_query, request_reader, with_entity_tag
from corpus.languages import LANGUAGE_NAMES, LANGUAGES
from corpus.messages import Message, message
from rulestone import Library
from rulestone.limits import HIT_OFFSETS, Range, parse_int

if TYPE_CHECKING:
    from corpus.contract import Ask, Search

_HIT_LIMITS = Range(1, 100, 10)
_SERVICE_DESCRIPTION = {
    "name": "Rulestone",
    "api": "/v1",
    "description": "/openapi.json",
    "documentation": "/docs",
    "health": "/healthz",
}
EXAMPLES = (
    message("who may look at the cards in a graveyard"),
    message("order of cards in the graveyard"),
    message("maximum hand size"),
    message("draw from an empty deck"),
)
"""Example questions; each is in the catalogue, so that it appears in the reader's language."""


@dataclass(frozen=True, slots=True)
class SearchForm:
    """A question in the form that a page's address has."""

    q: str
    game: str | None
    within: str | None
    as_of: str | None
    offset: int

    def address(self, **other: object) -> str:
        """The page of this question with other parameters."""
        options = {"q": self.q, "game": self.game, "in": self.within, "as_of": self.as_of}
        return path_with_query("/", **(options | other))


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
        return with_entity_tag(encode(_SERVICE_DESCRIPTION), "application/json", lang="en")
    form, library, reader = _read_form(request), library_of(request), request_reader(request)
    values: dict[str, Any] = {
        "asked": form,
        "games": _game_chips(library, form, reader.lang),
        "books": _book_language_chips(form),
        "examples": EXAMPLES,
    }
    if not form.q:
        return page(request, "home.html", shelf=list(home.games(library.editions()["editions"])), **values)
    body, answer = _search_results(library, form, reader.lang)
    return page(
        request,
        "search.html",
        body=body,
        answer=answer,
        beside={
            hit["iri"]: counterpart_groups(library, hit["iri"], judged(hit.get("counterparts", [])), reader.lang)
            for hit in body["hits"]
        },
        **values,
    )


def _search_results(library: Library, form: SearchForm, lang: str) -> "tuple[Search, Ask | None]":
    """The hits, and the answer above the first of them unless the books or the day are narrowed."""
    if not (form.offset or form.within or form.as_of):
        return library.search_and_ask(form.q, games=form.game, lang=lang, limit=_HIT_LIMITS.usual)
    hits = library.search(
        form.q,
        games=form.game,
        lang=lang,
        book_lang=form.within,
        as_of=form.as_of,
        offset=form.offset,
        limit=_HIT_LIMITS.usual,
    )
    return hits, None


def _read_form(request: Request) -> SearchForm:
    parameters = request.query_params
    return SearchForm(
        parameters.get("q", "").strip(),
        parameters.get("game") or None,
        parameters.get("in") or None,
        parameters.get("as_of") or None,
        parse_int("offset", parameters.get("offset"), HIT_OFFSETS),
    )


def _game_chips(library: Library, form: SearchForm, lang: str) -> list[Chip]:
    slugs = dict.fromkeys(edition["game"] for edition in library.editions()["editions"])
    every = Chip(message("all games"), None, form.address(game=None), form.game is None)
    of_games = (
        Chip(labels.game_name(slug, lang), labels.game_language(slug, lang), form.address(game=slug), form.game == slug)
        for slug in slugs
    )
    return [every, *of_games]


def _book_language_chips(form: SearchForm) -> list[Chip]:
    every = Chip(message("books in any language"), None, form.address(**{"in": None}), form.within is None)
    return [every, *(Chip(LANGUAGE_NAMES[lang], lang, form.address(**{"in": lang}), form.within == lang) for lang in LANGUAGES)]
