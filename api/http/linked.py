"""`/id/…`: the addresses of rules, editions and concepts, in JSON or Turtle, or the way to the page; `/ns`: the vocabulary."""

from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from api import answers
from api.http.accept import best_media
from api.http.openapi import ID, SCHEMA, parameters
from api.http.replies import JSON, knowledge_of, language_of, reply, reply_bytes
from api.text.turtle import turtle
from corpus.address import concept_iri, iri_of
from corpus.errors import NotFoundError
from corpus.reference import Reference
from ontology.store.knowledge import Knowledge

router = APIRouter(tags=["linked data"])
TURTLE, HTML = "text/turtle", "text/html"
_VARY = "Accept, Accept-Language"
LATEST = "latest"
CONCEPTS = "concept/"


@router.get("/id/{path:path}", responses=ID, openapi_extra=parameters("path", "?lang"))
async def resource(request: Request) -> Response:
    """A rule (`/id/mtg/cr/2024-06-07/400.7d`) or an edition (`/id/mtg/cr/2024-06-07`); `latest` is the current one.

    `/id/concept/mtg/graveyard` is a concept of a game, `/id/concept/graveyard` a cross-game idea.
    """
    knowledge, path = knowledge_of(request), request.path_params["path"]
    if path.startswith(CONCEPTS):
        return _concept(request, knowledge, path.removeprefix(CONCEPTS))
    if path.split("/")[2:3] == [LATEST]:
        return _moved(307, f"/id/{_latest(knowledge, path)}")
    entry = _entry(knowledge, path)
    media = _media(request, path)
    if media == TURTLE:
        return _turtle(request, knowledge.triples(entry["iri"]))
    if media == HTML:
        return _moved(303, f"/v1/rules/{path}" if "locator" in entry else "/v1/editions")
    if "locator" not in entry:
        return reply(request, entry, vary=_VARY)
    rule = answers.rule(knowledge, entry, language_of(request))
    return reply(request, rule, [rule["lang"]], vary=_VARY)


@router.get("/ns", responses=SCHEMA)
async def vocabulary(request: Request) -> Response:
    """Rulestone's own terms, in Turtle."""
    schema = files("ontology").joinpath("data/schema.ttl")
    if not schema.is_file():
        raise NotFoundError("the vocabulary is not part of this installation; install Rulestone anew")
    return reply_bytes(request, schema.read_bytes(), f"{TURTLE}; charset=utf-8", vary="Accept")


def _concept(request: Request, knowledge: Knowledge, path: str) -> Response:
    """A concept, with its claims and what proves them. Raises NotFoundError."""
    from ontology.answers.concepts import concepts
    from ontology.store.claims import statements

    iri = concept_iri(path)
    if iri not in knowledge.names.labels:
        raise NotFoundError(f"nothing has the address {iri}; /v1/concepts lists all concepts")
    media = _media(request, f"{CONCEPTS}{path}")
    if media == TURTLE:
        return _turtle(request, statements(knowledge.store, iri))
    if media == HTML:
        return _moved(303, f"/v1/concepts/{path}")
    concept: Any
    [concept] = concepts(knowledge, [iri], language_of(request))
    return reply(request, concept, [concept["lang"]], vary=_VARY)


def _media(request: Request, path: str) -> str:
    """What the client would rather have: JSON, Turtle, or a page."""
    media = best_media(request.headers.get("accept"), (JSON, TURTLE, HTML))
    if media is None:
        raise HTTPException(406, f"/id/{path} is there as {JSON} and {TURTLE}; ask for one of them with Accept")
    return media


def _turtle(request: Request, triples: Iterable[str]) -> Response:
    return reply_bytes(request, turtle(triples), f"{TURTLE}; charset=utf-8", vary=_VARY)


def _moved(status: int, path: str) -> Response:
    return RedirectResponse(path, status, {"Vary": _VARY, "Cache-Control": "no-cache"})


def _entry(knowledge: Knowledge, path: str) -> dict[str, Any]:
    """The record of a rule, or the entry of an edition. Raises NotFoundError."""
    iri = iri_of(path)
    entry: Any = knowledge.by_iri([iri]).get(iri) or next((one for one in knowledge.editions() if one["iri"] == iri), None)
    if entry is None:
        raise NotFoundError(f"nothing has the address {iri}; /v1/editions lists what is loaded")
    return {**entry}


def _latest(knowledge: Knowledge, path: str) -> str:
    """The path with the current edition in the place of `latest`. Raises NotFoundError where that has no such rule."""
    game, book, _, *locator = path.split("/")
    found: list[Any]
    if not locator:
        found = [one for one in knowledge.editions() if (one["game"], one["book"]) == (game, book)]
    else:
        found = [*knowledge.rules(Reference("/".join(locator), game, book))]
    current = next((one["edition"] for one in found if one["current"]), None)
    if current is None:
        editions = ", ".join(one["edition"] for one in found)
        raise NotFoundError(f"no current edition of {game}/{book} has it; editions that do: {editions or 'none'}")
    return "/".join([game, book, current, *locator])
