"""`/v1/bitext` and `/v1/termbase`: what translation tools read, as files to download."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import download
from api.http.replies import library_of, reply_bytes
from corpus.errors import InputError

router = APIRouter(prefix="/v1", tags=["desk"])
_BITEXT = {"tmx": "application/x-tmx+xml", "xliff": "application/xliff+xml"}
"""Format → media type."""
_TERMS = {
    "tbx": ("application/x-tbx+xml", "tbx"),
    "tbx-2008": ("application/x-tbx+xml", "tbx"),
    "csv": ("text/csv; charset=utf-8", "csv"),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    "skos": ("text/turtle; charset=utf-8", "ttl"),
}
"""Format → media type, and what the names of such files end with."""
_TERMS_QUERY = ("?format=terms", "?games", "?langs", "?concepts", "?with_texts")
_BITEXT_QUERY = ("?format=bitext", "?book=bitext", "?edition", "?source", "?target", "?section=bitext")


@router.get("/bitext", **download("get_bitext", _BITEXT.values(), *_BITEXT_QUERY))
def bitext(request: Request) -> Response:
    """A book in two languages, unit by unit: rules, examples and notes with address, edition and authority."""
    given = dict(request.query_params)
    kind = _format(given.pop("format", None), tuple(_BITEXT))
    pieces = library_of(request).bitext(kind, given.pop("book", None), **given)
    return file(request, b"".join(pieces), _BITEXT[kind], f"rulestone.{kind}")


@router.get("/termbase", **download("get_termbase", {media: None for media, _ in _TERMS.values()}, *_TERMS_QUERY))
def termbase(request: Request) -> Response:
    """The terms of some games: status and who says so, definitions (ours), false friends, the rules that define them."""
    given = request.query_params
    kind = _format(given.get("format"), tuple(_TERMS))
    name, _, dialect = kind.partition("-")
    data = library_of(request).termbase(
        name,
        games=given.get("games"),
        langs=given.get("langs"),
        concepts=given.get("concepts"),
        dialect=dialect or None,
        with_texts=_yes(given.get("with_texts")),
    )
    media, ending = _TERMS[kind]
    return file(request, data, media, f"rulestone.{ending}")


def _yes(given: str | None) -> bool:
    if given in (None, "true", "false"):
        return given == "true"
    raise InputError("with_texts {given!r}: expected true or false", given=(given or "")[:40])


def file(request: Request, data: bytes, media: str, name: str) -> Response:
    """A file to be saved under a name."""
    reply = reply_bytes(request, data, media, keep=False)
    reply.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply


def _format(given: str | None, known: tuple[str, ...]) -> str:
    if given in known:
        return given
    raise InputError("format {given!r}: expected one of {known}", given=(given or "")[:40], known=", ".join(known))
