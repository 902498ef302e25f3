"""The site: pages for people, made by the same server and the same library as the API."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route, Router

from api.http.delivery.replying import Delivery
from api.web import languages, problems, static
from api.web.offline import packs, shell, worker
from api.web.pages import (
    book,
    changes,
    check,
    compare,
    concept,
    library,
    resource,
    search,
    sparql,
    terms,
    topics,
    vocabulary,
    zones,
)
from api.web.security import Security
from rulestone import Library

_STATIC = [Route("/{version}/{name:path}", static.file)]
_PAGES = [
    Route("/", search.search),
    Route("/library", library.library),
    Route("/terms", terms.terms),
    Route("/concepts", concept.concepts),
    Route("/compare", compare.compare),
    Route("/compare/topics", topics.topics),
    Route("/zones", zones.zones),
    Route("/changes", changes.changes),
    Route("/check", check.check, methods=["GET", "POST"]),
    Route("/languages", languages.languages),
    Route("/id/{path:path}", resource.resource),
    Route("/ns", vocabulary.vocabulary),
    Route("/sparql", sparql.sparql),
    Route("/read/{game}/{book}/{edition}/{locator:path}", book.reading),
    Route("/part/section/{path:path}", resource.section),
    Route("/part/proof/{name:path}", concept.proof),
    Route("/part/rule/{path:path}", resource.preview),
    Route("/offline", shell.shell),
    Route("/service.js", worker.worker),
    Route("/manifest.webmanifest", worker.manifest),
]
_PACKS = [Route("/pack", packs.listed), Route("/pack/{bundle}/{name}", packs.pack)]
"""They come compressed as they are."""


def site(of: Library) -> Starlette:
    """The pages over a library. They are made anew each time; what they look like is compressed once and kept."""
    made = Starlette(
        routes=[
            Mount("/static", Router(_STATIC, redirect_slashes=False), middleware=[Middleware(Delivery, bundle=static.version)]),
            *_PACKS,
            Mount("/", routes=_PAGES, middleware=[Middleware(Delivery, bundle=_never)]),
        ],
        middleware=[Middleware(Security)],
    )
    made.state.library, made.state.packs = of, packs.Packs(of)
    problems.install(made)
    return made


def _never() -> str | None:
    """Pages are not kept: in which language they are read is in a cookie."""
    return None
