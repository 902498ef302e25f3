"""`/v1/bitext`: what translation tools read, as files to download."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import download
from api.http.replies import library_of, reply_bytes
from corpus.errors import InputError

router = APIRouter(prefix="/v1", tags=["desk"])
_BITEXT = {"tmx": "application/x-tmx+xml", "xliff": "application/xliff+xml"}
"""Format → media type."""
_BITEXT_QUERY = ("?format=bitext", "?book=bitext", "?edition", "?source", "?target", "?section=bitext")


@router.get("/bitext", **download("get_bitext", _BITEXT.values(), *_BITEXT_QUERY))
def bitext(request: Request) -> Response:
    """A book in two languages, unit by unit: rules, examples and notes with address, edition and authority."""
    given = dict(request.query_params)
    kind = _format(given.pop("format", None), tuple(_BITEXT))
    pieces = library_of(request).bitext(kind, given.pop("book", None), **given)
    return file(request, b"".join(pieces), _BITEXT[kind], f"rulestone.{kind}")


def file(request: Request, data: bytes, media: str, name: str) -> Response:
    """A file to be saved under a name."""
    reply = reply_bytes(request, data, media, keep=False)
    reply.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply


def _format(given: str | None, known: tuple[str, ...]) -> str:
    if given in known:
        return given
    raise InputError("format {given!r}: expected one of {known}", given=(given or "")[:40], known=", ".join(known))
