"""`/terms`: the translator's desk: a term in every game and language, and where it is used."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from api.http.replies import library_of
from api.web.downloads import downloads
from api.web.reader import reader_of
from api.web.replies import shown
from corpus.languages import LANGUAGES
from corpus.messages import message
from rulestone.limits import OFFSET, Range, whole

_USES = Range(1, 100, 5)
EXAMPLES = (message("graveyard"), message("hand"), message("draw"), message("attack"), message("summon"))
"""Terms to begin with, asked in the reader's language."""


def terms(request: Request) -> Response:
    """The names of what a label names, its false friends, and a page of its uses; without a label where to give one."""
    library, reader, given = library_of(request), reader_of(request), request.query_params
    label, game, within = given.get("label", "").strip(), given.get("game") or None, given.get("in") or None
    slugs = list(dict.fromkeys(edition["game"] for edition in library.editions()["editions"]))
    values: dict[str, Any] = {"label": label, "game": game, "within": within, "slugs": slugs, "tags": LANGUAGES}
    values["downloads"] = downloads(library, game if game in slugs else None, within if within in LANGUAGES else None)
    if not label:
        return shown(request, "terms.html", body=None, examples=EXAMPLES, step=_USES.usual, **values)
    body = library.term(
        label,
        game=game,
        lang=reader.lang,
        within=within,
        limit=_USES.usual,
        offset=whole("offset", given.get("offset"), OFFSET),
    )
    more = any(uses["total"] > body["offset"] + body["limit"] for uses in body["concordance"])
    return shown(request, "terms.html", body=body, more=more, step=_USES.usual, **values)
