"""Rules by reference, their citations and rulings, and the changes between editions."""

import re
from typing import Annotated
from xml.etree import ElementTree as ET

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from api.http import description
from api.http.costly import COSTLY
from api.http.queries import Lang, LanguageQuery, Parameters, PathGame, PathReference, View
from api.http.replies import answer_language, library_of, reply, reply_bytes
from api.parameters import AsOf, BookLang, Changed, GamesOfGame, Maybe, Reference, field
from corpus.contract import (
    AddedEdition,
    BriefRules,
    BriefSectionText,
    Changes,
    Cites,
    Feed,
    Outline,
    Rules,
    Ruling,
    Rulings,
    SectionText,
    Thread,
)
from rulestone import options
from rulestone.brief import brief_rule, brief_rules, brief_section
from rulestone.limits import REFERENCE, RULING_LIMITS

router = APIRouter(prefix="/v1")
ATOM_MEDIA_TYPE = "application/atom+xml"
_ATOM_NAMESPACE = "http://www.w3.org/2005/Atom"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NO_DATE = "1970-01-01"
"""The date of an edition without one: Atom requires it."""


class RulingsOfRuleQuery(Parameters):
    """Parameters of `/v1/rules/{game}/{ref}/rulings`."""

    source: Maybe[str] = field(options.RULINGS_SOURCE, default=None)
    changed: Changed = None
    as_of: AsOf = None
    lang: Lang = None
    limit: int = field(options.LIMIT.within(RULING_LIMITS))
    offset: int = field(options.OFFSET)


class RulingsQuery(RulingsOfRuleQuery):
    """Parameters of `/v1/rulings`."""

    query: Maybe[str] = field(options.RULINGS_QUERY, default=None, alias="q")
    card: Maybe[str] = field(options.RULINGS_CARD, default=None)
    rule: Maybe[str] = field(options.RULINGS_RULE, default=None)
    games: GamesOfGame = None


class RulingQuery(Parameters):
    """Parameters of `/v1/rulings/{game}/{source}/{id}`."""

    as_of: AsOf = None


@router.get("/rulings", tags=["rulings"], response_model=Rulings)
def get_rulings(request: Request, query: Annotated[RulingsQuery, Query()]) -> Response:
    """Rulings that match every parameter: for a question the best first, else the newest first."""
    body = library_of(request).rulings(**query.options(lang=answer_language(request, query.lang)))
    return reply(request, body, cacheable=query.query is None)


@router.get("/rulings/{game}/{source}/{id:path}", tags=["rulings"], response_model=Ruling)
def get_ruling(
    request: Request,
    game: PathGame,
    source: Annotated[str, Path(description=options.RULINGS_SOURCE.about)],
    id: Annotated[str, Path(description="Id of the ruling; followed by @ and a date, an older answer.")],  # noqa: A002
    query: Annotated[RulingQuery, Query()],
) -> Response:
    """One ruling. An older answer has the same id followed by `@` and its date."""
    return reply(request, library_of(request).ruling(game, source, id, as_of=query.as_of))


@router.get("/rules/{game}/{ref:path}/rulings", tags=["rulings"], response_model=Rulings)
def get_rulings_of_rule(
    request: Request, game: PathGame, ref: PathReference, query: Annotated[RulingsOfRuleQuery, Query()]
) -> Response:
    """Rulings that rest on a rule in any of its editions, the newest first."""
    options = query.options(lang=answer_language(request, query.lang))
    return reply(request, library_of(request).rulings(rule=ref, game=game, **options))


class PlaceQuery(Parameters):
    """Parameters of the routes that look up rules."""

    lang: Lang = None
    book_lang: BookLang = None
    as_of: AsOf = None
    view: View = "full"


class RuleQuery(PlaceQuery):
    """Parameters of `/v1/rules/{game}/{ref}`."""


class RulesQuery(RuleQuery):
    """Parameters of `/v1/rules`."""

    ref: Reference


@router.get("/rules", tags=["rules"], response_model=Rules | BriefRules)
def get_rules(request: Request, query: Annotated[RulesQuery, Query()]) -> Response:
    """The rules that the reference matches, those of current editions first."""
    return _rules(request, query)


@router.get("/rules/{game}/{ref:path}", tags=["rules"], response_model=Rules | BriefRules)
def get_rules_by_path(request: Request, game: PathGame, ref: PathReference, query: Annotated[RuleQuery, Query()]) -> Response:
    """The rules that the reference matches, those of current editions first."""
    return _rules(request, query, ref=ref, game=game)


def _rules(request: Request, query: RuleQuery, **path: str) -> Response:
    body = library_of(request).rules(**query.options("view", lang=answer_language(request, query.lang, query.book_lang), **path))
    return reply(request, brief_rules(body) if query.view == "brief" else body, [rule["lang"] for rule in body["rules"]])


class SectionQuery(PlaceQuery):
    """Parameters of `/v1/sections/{ref}`."""

    tokens: int = field(options.TOKENS)
    cursor: Maybe[str] = field(options.CURSOR, default=None)
    examples: bool = field(options.SECTION_EXAMPLES, default=False)


class SectionsQuery(SectionQuery):
    """Parameters of `/v1/sections`."""

    ref: Reference


@router.get("/sections", tags=["rules"], response_model=SectionText | BriefSectionText)
def get_section(request: Request, query: Annotated[SectionsQuery, Query()]) -> Response:
    """The section of the first rule that the reference matches, or everything below a heading, in the book's order."""
    return _section(request, query)


@router.get("/sections/{ref:path}", tags=["rules"], response_model=SectionText | BriefSectionText)
def get_section_by_path(
    request: Request,
    ref: Annotated[str, Path(max_length=REFERENCE, description="Reference to a rule or heading: mtg:702.19, mtg/cr:514.")],
    query: Annotated[SectionQuery, Query()],
) -> Response:
    """The section of the first rule that the reference matches, or everything below a heading, in the book's order."""
    return _section(request, query, ref=ref)


def _section(request: Request, query: SectionQuery, **path: str) -> Response:
    options = query.options("view", lang=answer_language(request, query.lang, query.book_lang), **path)
    if query.view == "full":
        body = library_of(request).section(**options)
        return reply(request, body, [body["lang"]])
    brief = brief_section(library_of(request).section(**options, shown_as=brief_rule))
    return reply(request, brief, [brief["lang"]])


class OutlineQuery(Parameters):
    """Parameters of `/v1/outline`."""

    book: str = field(options.EDITION_OF_BOOK)
    depth: int = field(options.DEPTH)
    lang: Lang = None


@router.get("/outline", tags=["rules"], response_model=Outline)
def get_outline(request: Request, query: Annotated[OutlineQuery, Query()]) -> Response:
    """The headings of a book's newest edition, or of a named one."""
    body = library_of(request).outline(**query.options(lang=answer_language(request, query.lang)))
    return reply(request, body, [body["lang"]])


class ChangesQuery(Parameters):
    """Parameters of `/v1/changes`."""

    book: str = field(options.BOOK)
    old: str = field(options.FROM, alias="from")
    new: Maybe[str] = field(options.TO, default=None, alias="to")
    section: Maybe[str] = field(options.SECTION, default=None)
    lang: Lang = None


@router.get("/changes", tags=["changes"], response_model=Changes, dependencies=[COSTLY])
def get_changes(request: Request, query: Annotated[ChangesQuery, Query()]) -> Response:
    """The rules of a book that changed, moved, appeared or disappeared between two editions, with the changed words."""
    body = library_of(request).changes(**query.options(lang=answer_language(request, query.lang)))
    return reply(request, body, [body["lang"]])


class ThreadQuery(Parameters):
    """Parameters of `/v1/threads/{game}/{ref}`."""

    book_lang: BookLang = None


class ThreadsQuery(ThreadQuery):
    """Parameters of `/v1/threads`."""

    ref: Reference


@router.get("/threads", tags=["changes"], response_model=Thread)
def get_thread(request: Request, query: Annotated[ThreadsQuery, Query()]) -> Response:
    """The first rule that the reference matches, followed through the editions of its book."""
    return reply(request, library_of(request).thread(**query.options()))


@router.get("/threads/{game}/{ref:path}", tags=["changes"], response_model=Thread)
def get_thread_by_path(request: Request, game: PathGame, ref: PathReference, query: Annotated[ThreadQuery, Query()]) -> Response:
    """The first rule that the reference matches, followed through the editions of its book."""
    return reply(request, library_of(request).thread(ref, game=game, **query.options()))


@router.get(
    "/changes.atom",
    tags=["changes"],
    response_class=Response,
    responses={200: {"description": "The editions", "content": description.media_content(ATOM_MEDIA_TYPE)}},
)
def get_feed(request: Request, query: Annotated[LanguageQuery, Query()]) -> Response:
    """The loaded editions as an Atom feed (RFC 4287), the newest first, each with a summary of its changes."""
    body = library_of(request).feed(lang=answer_language(request, query.lang))
    return reply_bytes(request, atom_feed(body, f"{request.url.path}?{request.url.query}".rstrip("?")), ATOM_MEDIA_TYPE)


def atom_feed(body: Feed, address: str) -> bytes:
    """The feed as XML (RFC 4287), which depends on the editions alone.

    `address` is its path on this server without a host, because the client chooses the host name.
    """
    ET.register_namespace("", _ATOM_NAMESPACE)
    feed = ET.Element(f"{{{_ATOM_NAMESPACE}}}feed")
    entries = body["editions"]
    _add_element(feed, "id", "https://w3id.org/rulestone/feed")
    _add_element(feed, "title", "Rulestone: editions")
    _add_element(feed, "updated", max((_updated_time(entry) for entry in entries), default=f"{_NO_DATE}T00:00:00Z"))
    ET.SubElement(feed, f"{{{_ATOM_NAMESPACE}}}link", rel="self", href=address, type=ATOM_MEDIA_TYPE)
    _add_element(ET.SubElement(feed, f"{{{_ATOM_NAMESPACE}}}author"), "name", "Rulestone")
    for edition in entries:
        entry = ET.SubElement(feed, f"{{{_ATOM_NAMESPACE}}}entry")
        _add_element(entry, "id", edition["iri"])
        _add_element(entry, "title", f"{edition['title']} {edition['edition']} ({', '.join(edition['languages'])})")
        _add_element(entry, "updated", _updated_time(edition))
        ET.SubElement(entry, f"{{{_ATOM_NAMESPACE}}}link", rel="alternate", href=edition["iri"])
        span = f"{edition['since']} → {edition['edition']}: {edition['summary']}" if edition["since"] else edition["edition"]
        _add_element(entry, "summary", span)
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(feed, encoding="unicode").encode()


def _updated_time(edition: AddedEdition) -> str:
    return f"{edition['edition'] if _DATE.fullmatch(edition['edition']) else _NO_DATE}T00:00:00Z"


def _add_element(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, f"{{{_ATOM_NAMESPACE}}}{name}").text = "".join(filter(str.isprintable, text))


class CitesQuery(Parameters):
    """Parameters of `/v1/cites/{game}/{ref}`."""

    book_lang: BookLang = None
    as_of: AsOf = None


class CitesByReferenceQuery(CitesQuery):
    """Parameters of `/v1/cites`."""

    ref: Reference


@router.get("/cites", tags=["cites"], response_model=Cites)
def get_cites(request: Request, query: Annotated[CitesByReferenceQuery, Query()]) -> Response:
    """The rules cited by the first rule that the reference matches, and the rules that cite it."""
    return reply(request, library_of(request).cites(**query.options()))


@router.get("/cites/{game}/{ref:path}", tags=["cites"], response_model=Cites)
def get_cites_by_path(request: Request, game: PathGame, ref: PathReference, query: Annotated[CitesQuery, Query()]) -> Response:
    """The rules cited by the first rule that the reference matches, and the rules that cite it."""
    return reply(request, library_of(request).cites(ref, game=game, **query.options()))
