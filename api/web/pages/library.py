"""`/library`: what is loaded, by whose authority, from when, and what is superseded."""

from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response

from api.http.replies import library_of
from api.web.replies import shown


def library(request: Request) -> Response:
    """Every edition, game by game: those that are current first."""
    editions = sorted(
        library_of(request).editions()["editions"], key=lambda summary: (summary["game"], not summary["current"], summary["book"])
    )
    games = [(game, list(books)) for game, books in groupby(editions, lambda summary: summary["game"])]
    return shown(request, "library.html", games=games, health=library_of(request).health())
