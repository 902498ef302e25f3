"""`/v1/bitext`, `/v1/termbase`, `/v1/concordance`: what translators ask for, most of it as files for their tools."""

from hashlib import blake2b
from itertools import chain

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.delivery.streaming import streamed
from api.http.openapi import described, download, or_download
from api.http.replies import SAFE, library_of, reply, reply_bytes
from corpus.contract import Concordance
from corpus.errors import InputError
from rulestone.limits import LINES, OFFSET, whole

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
_TABLE = {"csv": "text/csv", "tsv": "text/tab-separated-values"}
_LINES_QUERY = (
    "?q=words", "?regex", "?games", "?book=lines", "?edition=lines", "?part", "?in", "?beside", "?format=lines", "?offset=page",
    "?limit=lines",
)  # fmt: skip
_BITEXT_QUERY = ("?format=bitext", "?book=bitext", "?edition", "?source", "?target", "?section=bitext")


@router.get("/bitext", **download("get_bitext", _BITEXT.values(), *_BITEXT_QUERY))
def bitext(request: Request) -> Response:
    """A book in two languages, unit by unit: rules, examples and notes with address, edition and authority."""
    given = dict(request.query_params)
    kind = _format(given.pop("format", None), tuple(_BITEXT))
    library = library_of(request)
    bundle = library.bundle_name()
    pieces = iter(library.bitext(kind, given.pop("book", None), **given))
    first = next(pieces)  # raises what is wrong with the question before anything is sent
    tag = blake2b(f"{bundle} {request.url.query}".encode(), digest_size=12).hexdigest()
    named = {"Content-Disposition": f'attachment; filename="rulestone.{kind}"'}
    return streamed(request, chain([first], pieces), _BITEXT[kind], f'"{tag}"', {**named, **SAFE})


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
        with_texts=_yes(request, "with_texts"),
    )
    media, ending = _TERMS[kind]
    return file(request, data, media, f"rulestone.{ending}")


@router.get("/concordance", **or_download(described("get_concordance", Concordance, *_LINES_QUERY), _TABLE.values()))
def concordance(request: Request) -> Response:
    """Words in their context, each line with the other language beside it; `format` gives the lines as a table to download."""
    given = request.query_params
    if "q" not in given:
        raise InputError("no words are named; give some with ?q=, e.g. ?q=graveyard")
    kind = _format(given["format"], ("json", "csv", "tsv")) if "format" in given else "json"
    library = library_of(request)
    body = library.concordance(
        given["q"],
        regex=_yes(request, "regex"),
        games=given.get("games"),
        book=given.get("book"),
        edition=given.get("edition"),
        parts=given.get("part"),
        within=given.get("in"),
        beside=given.get("beside"),
        limit=whole("limit", given.get("limit") or (LINES.most if kind != "json" else None), LINES),
        offset=whole("offset", given.get("offset"), OFFSET),
    )
    if kind != "json":
        return file(request, library.table_of(body, kind), f"{_TABLE[kind]}; charset=utf-8", f"concordance.{kind}")
    return reply(request, body)


def _yes(request: Request, name: str) -> bool:
    given = request.query_params.get(name)
    if given in (None, "true", "false"):
        return given == "true"
    raise InputError("{name} {given!r}: expected true or false", name=name, given=(given or "")[:40])


def file(request: Request, data: bytes, media: str, name: str) -> Response:
    """A file to be saved under a name."""
    reply = reply_bytes(request, data, media, keep=False)
    reply.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply


def _format(given: str | None, known: tuple[str, ...]) -> str:
    if given in known:
        return given
    raise InputError("format {given!r}: expected one of {known}", given=(given or "")[:40], known=", ".join(known))
