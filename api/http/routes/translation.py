"""Routes for translators: alignments, drift, bitexts, termbases and concordances, most of them as files for their tools."""

from hashlib import blake2b
from itertools import chain
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.responses import Response

from api.http import description
from api.http.costly import COSTLY
from api.http.queries import Lang, Parameters
from api.http.replies import SECURITY_HEADERS, answer_language, library_of, reply, reply_bytes
from api.http.sharing import refuse_unshared
from api.http.streaming import streamed_response
from api.parameters import AnswerLang, BookLang, Games, Maybe, field
from corpus.contract import Alignment, Concordance, Drift, ReferenceCheck
from rulestone import options
from rulestone.limits import FINDINGS, LINE_LIMITS, LINKS

router = APIRouter(prefix="/v1")
_BITEXT_MEDIA = {"tmx": "application/x-tmx+xml", "xliff": "application/xliff+xml"}
"""Format → media type."""
_TERMBASE_MEDIA = {
    "tbx": ("application/x-tbx+xml", "tbx"),
    "tbx-2008": ("application/x-tbx+xml", "tbx"),
    "csv": ("text/csv; charset=utf-8", "csv"),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    "skos": ("text/turtle; charset=utf-8", "ttl"),
}
"""Format → media type, and the extension of such a file."""
_TABLE_MEDIA = {"csv": "text/csv", "tsv": "text/tab-separated-values"}
_DISPOSITION_HEADER = {"Content-Disposition": {"description": "A name for the file", "schema": {"type": "string"}}}


class AlignmentQuery(Parameters):
    """Parameters of `/v1/alignments`."""

    old: str = field(options.OLD_TEXT)
    new: str = field(options.NEW_TEXT)
    limit: int = field(options.LIMIT.within(LINKS))
    offset: int = field(options.OFFSET)


@router.get("/alignments", tags=["translation"], response_model=Alignment, dependencies=[COSTLY])
def get_alignment(request: Request, query: Annotated[AlignmentQuery, Query()]) -> Response:
    """Links between the same rules of two texts in any languages, and the rules without a counterpart."""
    body = library_of(request).align(**query.options())
    return reply(request, body, [body["old"]["lang"], body["new"]["lang"]])


class DriftQuery(Parameters):
    """Parameters of `/v1/drift`."""

    book: str = field(options.EDITION_OF_BOOK)
    source: AnswerLang = field(options.SOURCE_LANG)
    target: AnswerLang = field(options.TARGET_LANG)
    translation: Maybe[str] = field(options.TRANSLATION, default=None)
    kinds: Maybe[str] = field(options.FINDING_KINDS, "Example: number,term.", default=None)
    lang: Lang = None
    limit: int = field(options.LIMIT.within(FINDINGS))
    offset: int = field(options.OFFSET)


@router.get("/drift", tags=["translation"], response_model=Drift, dependencies=[COSTLY])
def get_drift(request: Request, query: Annotated[DriftQuery, Query()]) -> Response:
    """Omissions and differences of a translation, the most serious first."""
    body = library_of(request).drift(**query.options(kinds=_listed(query.kinds), lang=answer_language(request, query.lang)))
    return reply(request, body, [body["lang"]])


def _listed(kinds: str | None) -> list[str]:
    """The kinds of findings in a parameter that separates them by commas."""
    return [kind.strip() for kind in (kinds or "").split(",") if kind.strip()]


class ChecksQuery(Parameters):
    """Parameters of `/v1/checks`."""

    book: str = field(options.EDITION_OF_BOOK)
    kinds: Maybe[str] = field(options.FINDING_KINDS, "Example: dangling,title.", default=None)
    book_lang: BookLang = None
    lang: Lang = None
    limit: int = field(options.LIMIT.within(FINDINGS))
    offset: int = field(options.OFFSET)


@router.get("/checks", tags=["translation"], response_model=ReferenceCheck, dependencies=[COSTLY])
def get_checks(request: Request, query: Annotated[ChecksQuery, Query()]) -> Response:
    """The citations inside a book that name no rule or another one than is meant, with the rule that is probably meant."""
    body = library_of(request).check_references(
        **query.options(kinds=_listed(query.kinds), lang=answer_language(request, query.lang))
    )
    return reply(request, body, [body["lang"]])


class BitextQuery(Parameters):
    """Parameters of `/v1/bitext`."""

    kind: Literal["tmx", "xliff"] = Field(alias="format", description="TMX 1.4b or XLIFF 2.1.", examples=["tmx"])
    book: Maybe[str] = field(options.BITEXT_BOOK, default=None)
    edition: Maybe[str] = field(options.BITEXT_EDITION, default=None)
    source: Maybe[AnswerLang] = field(options.SOURCE_LANG, "Default: that of the original.", default=None)
    target: Maybe[AnswerLang] = field(options.TARGET_LANG, default=None)
    section: Maybe[str] = field(options.SECTION, default=None)
    todo: bool = field(options.TODO, default=False)
    dialect: Annotated[Maybe[Literal["2.1", "1.2"]], Field(description="With `todo`: XLIFF 2.1 or 1.2. Default: 2.1.")] = None


@router.get(
    "/bitext",
    tags=["desk"],
    dependencies=[COSTLY],
    response_class=Response,
    responses={
        200: {
            "description": "The file",
            "headers": _DISPOSITION_HEADER,
            "content": description.media_content(*_BITEXT_MEDIA.values()),
        }
    },
)
def get_bitext(request: Request, query: Annotated[BitextQuery, Query()]) -> Response:
    """A book in two languages as translation units: rules, examples and notes with address, edition and authority."""
    library = library_of(request)
    refuse_unshared(request, [query.book] if query.book else [])
    bundle = library.bundle_name()
    pieces = iter(library.bitext(**query.options()))
    first = next(pieces)  # raises the errors of the request before anything is sent
    tag = blake2b(f"{bundle} {request.url.query}".encode(), digest_size=12).hexdigest()
    headers = {"Content-Disposition": f'attachment; filename="rulestone.{query.kind}"', **SECURITY_HEADERS}
    return streamed_response(request, chain([first], pieces), _BITEXT_MEDIA[query.kind], f'"{tag}"', headers)


class TermbaseQuery(Parameters):
    """Parameters of `/v1/termbase`."""

    format: Literal["tbx", "tbx-2008", "csv", "xlsx", "skos"] = Field(
        description="TBX-Basic (ISO 30042:2019), the older TBX (martif), CSV, Excel, or for one game SKOS-XL in Turtle.",
        examples=["tbx"],
    )
    games: Games = None
    langs: Maybe[str] = field(options.TERMBASE_LANGS, default=None)
    concepts: Maybe[str] = field(options.CONCEPT_GROUPS, default=None)
    with_texts: bool = field(options.WITH_TEXTS, default=False)


@router.get(
    "/termbase",
    tags=["desk"],
    dependencies=[COSTLY],
    response_class=Response,
    responses={
        200: {
            "description": "The file",
            "headers": _DISPOSITION_HEADER,
            "content": description.media_content(*(media for media, _ in _TERMBASE_MEDIA.values())),
        }
    },
)
def get_termbase(request: Request, query: Annotated[TermbaseQuery, Query()]) -> Response:
    """Terms with status and authority, our definitions, false friends, and the rules that define them."""
    name, _, dialect = query.format.partition("-")
    if query.with_texts:
        refuse_unshared(request, query.games.split(",") if query.games else [])
    data = library_of(request).termbase(
        name, games=query.games, langs=query.langs, concepts=query.concepts, dialect=dialect or None, with_texts=query.with_texts
    )
    media, extension = _TERMBASE_MEDIA[query.format]
    return _download_reply(request, data, media, f"rulestone.{extension}", cacheable=not query.with_texts)


class ConcordanceQuery(Parameters):
    """Parameters of `/v1/concordance`."""

    query: str = field(options.WORDS, alias="q")
    regex: bool = field(options.REGEX, default=False)
    games: Games = None
    book: Maybe[str] = field(options.ONLY_BOOK, default=None)
    edition: Maybe[str] = field(options.ONLY_EDITION, default=None)
    parts: Maybe[str] = field(options.PARTS, default=None, alias="part")
    book_lang: BookLang = None
    beside: Maybe[AnswerLang] = field(options.BESIDE, default=None)
    renderings: bool = field(options.RENDERINGS, default=False)
    format: Annotated[Maybe[Literal["json", "csv", "tsv"]], Field(description="JSON, or a table to download.")] = None
    limit: int = field(options.LINES)
    offset: int = field(options.OFFSET)


@router.get(
    "/concordance",
    tags=["desk"],
    dependencies=[COSTLY],
    response_model=Concordance,
    responses={200: {"content": description.media_content(*_TABLE_MEDIA.values())}},
)
def get_concordance(request: Request, query: Annotated[ConcordanceQuery, Query()]) -> Response:
    """Words in context, each line with another language beside it, as JSON or as a table to download."""
    library = library_of(request)
    table = query.format if query.format != "json" else None
    if table:
        refuse_unshared(request, [query.book] if query.book else query.games.split(",") if query.games else [])
    limit = LINE_LIMITS.most if table and "limit" not in query.model_fields_set else query.limit
    body = library.concordance(**query.options("format", limit=limit))
    if table:
        data = library.concordance_file(body, table, renderings=query.renderings)
        return _download_reply(request, data, f"{_TABLE_MEDIA[table]}; charset=utf-8", f"concordance.{table}")
    return reply(request, body)


def _download_reply(request: Request, data: bytes, media: str, name: str, *, cacheable: bool = False) -> Response:
    """A file to be saved under a name; not `cacheable` if it depends on which words the client may have."""
    reply = reply_bytes(request, data, media, cacheable=cacheable)
    reply.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply
