"""The page of a concept, and the proofs of one of its properties."""

from starlette.requests import Request
from starlette.responses import Response

from api.http.replies import library_of
from api.web.pages.around import around
from api.web.reader import reader_of
from api.web.replies import shown
from corpus.address import concept_name, iri_of
from corpus.comparison import DENIED


def page(request: Request, path: str) -> Response:
    """Names in all languages, what is proved of it, its counterparts, its uses; of a cross-game one its cases."""
    library, reader = library_of(request), reader_of(request)
    body = library.concept(concept_name(iri_of(path)), lang=reader.lang, as_of=request.query_params.get("as_of") or None)
    concept, *cases = body["concepts"]
    labels = library.property_labels()
    picture = around(concept)
    return shown(request, "concept.html", concept=concept, cases=cases, properties=labels, denied=DENIED, picture=picture)


def concepts(request: Request) -> Response:
    """The list of all concepts, game by game and kind by kind."""
    library, reader, given = library_of(request), reader_of(request), request.query_params
    game, kind = given.get("game") or None, given.get("kind") or "zone"
    body = library.concepts(game=game, kind=kind, lang=reader.lang, limit=1000)
    return shown(request, "concepts.html", body=body, game=game, kind=kind)


def proof(request: Request) -> Response:
    """The words that prove one property, or one claim of it, as a piece of a page."""
    library, reader = library_of(request), reader_of(request)
    name = request.query_params.get("property", "")
    concept = library.concept(request.path_params["name"], lang=reader.lang)["concepts"][0]
    wanted = request.query_params.get("claim")
    claims = [claim for claim in concept["properties"].get(name, []) if wanted in (None, claim["claim"].rsplit("/", 1)[-1])]
    return shown(request, "part_proof.html", concept=concept, name=name, claims=claims, properties=library.property_labels())
