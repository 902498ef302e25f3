"""`/v1/rulings`: questions that were answered, by rule, by card, by what is asked, or by whether they still hold."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reply
from corpus.contract import Ruling, Rulings
from corpus.errors import InputError
from rulestone.limits import OFFSET, RULINGS, whole

router = APIRouter(prefix="/v1", tags=["rulings"])
_TRUTH = {"true": True, "false": False}
_LISTED = ("?game=one", "?source=rulings", "?changed", "?as_of", "?lang", "?limit=rulings", "?offset=page")


@router.get("/rulings", **described("get_rulings", Rulings, "?q=rulings", "?card", "?rule", *_LISTED))
def rulings(request: Request) -> Response:
    """The rulings that fit all that is given: the newest first, those for a question the best first."""
    given = request.query_params
    return _listed(request, query=given.get("q"), card=given.get("card"), rule=given.get("rule"))


@router.get("/rulings/{game}/{source}/{id:path}", **described("get_ruling", Ruling, "game", "source", "id", "?as_of"))
def ruling(request: Request) -> Response:
    """One ruling; an older answer is at its id with `@` and its date."""
    path, as_of = request.path_params, request.query_params.get("as_of")
    return reply(request, library_of(request).ruling(path["game"], path["source"], path["id"], as_of=as_of))


@router.get("/rules/{game}/{ref:path}/rulings", **described("get_rulings_of_rule", Rulings, "game", "ref", *_LISTED[1:]))
def rulings_of_rule(request: Request) -> Response:
    """The rulings that rest on a rule, in whichever of its editions, the newest first."""
    path = request.path_params
    return _listed(request, rule=path["ref"], game=path["game"])


def _listed(
    request: Request, query: str | None = None, card: str | None = None, rule: str | None = None, game: str | None = None
) -> Response:
    given = request.query_params
    body = library_of(request).rulings(
        query=query,
        card=card,
        rule=rule,
        game=game or given.get("game"),
        within_game=game is not None,
        source=given.get("source"),
        changed=_truth(given.get("changed")),
        as_of=given.get("as_of"),
        lang=answer_language(request),
        limit=whole("limit", given.get("limit"), RULINGS),
        offset=whole("offset", given.get("offset"), OFFSET),
    )
    return reply(request, body, keep=query is None)


def _truth(given: str | None) -> bool | None:
    if given is None or given in _TRUTH:
        return _TRUTH[given] if given else None
    raise InputError("changed {given!r}: expected true or false", given=given[:40])
