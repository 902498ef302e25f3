"""What can be given with a request, as the description tells it.

Handlers read it from the request themselves: FastAPI's own reading of four parameters takes longer than looking a rule up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Request

from api.http.schemas import keywords, reference
from corpus.contract import Schema
from corpus.errors import InputError
from corpus.media import ANSWERS
from corpus.messages import message
from rulestone.limits import (
    CONCEPTS,
    FINDINGS,
    HITS,
    HITS_OFFSET,
    LINES,
    LINKS,
    NAME,
    OFFSET,
    QUERY,
    REFERENCE,
    RULINGS,
    SUGGESTIONS,
    USES,
    Range,
)

SHARED: Mapping[str, Mapping[str, Any]] = {
    "answer_lang": {"type": "string", "enum": ["ja", "zh", "zh-Hans", "zh-Hant", "en"], "description": "`zh` is `zh-Hans`."}
}
"""What several parameters can be, by the name of its component."""


_TOLD = 5
"""Unknown parameters that are named."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of the query (`?` in the table) or of the path."""

    about: str
    value: Mapping[str, Any]
    required: bool = False


def _text(**said: Any) -> Mapping[str, Any]:  # noqa: ANN401
    return {"type": "string", **keywords(Schema(**said))}


def _number(allowed: Range) -> Mapping[str, Any]:
    return {"type": "integer", **keywords(Schema(minimum=allowed.least, maximum=allowed.most)), "default": allowed.usual}


_WORDS, _LANG = _text(), reference("answer_lang")
_GRAPHS = {"type": "array", "items": {"type": "string", "format": "uri"}}
PARAMETERS: Mapping[str, Parameter] = {
    "game": Parameter("The game's slug, e.g. dm", _WORDS, required=True),
    "ref": Parameter(
        "A number, with book and edition before it or without: 400.3b, cr/2024-06-07/400.7",
        _text(max_length=REFERENCE),
        required=True,
    ),
    "slug": Parameter("The concept's slug, e.g. graveyard, or its name in any language", _text(max_length=NAME), required=True),
    "path": Parameter("What follows /id/ in an address: mtg/cr/2024-06-07/400.7d", _WORDS, required=True),
    "?ref": Parameter(
        "400.3b, dm:400.3b, mtg:2024-06-07:400.7, MTG CR 400.7d or an IRI",
        _text(min_length=1, max_length=REFERENCE),
        required=True,
    ),
    "?ref=concept": Parameter(
        "mtg/graveyard, graveyard, a name in any language, slang too, or an IRI; without it all are listed",
        _text(min_length=1, max_length=NAME),
    ),
    "?label": Parameter(
        "A name of a concept in any language: 山札, graveyard, yard", _text(min_length=1, max_length=NAME), required=True
    ),
    "?name=card": Parameter("A card's name in any language", _text(min_length=1, max_length=NAME), required=True),
    "?q": Parameter("A question in Japanese, Chinese or English", _text(min_length=1, max_length=QUERY), required=True),
    "?lang": Parameter("The answer's language; else that of Accept-Language, of a search that of the question", _LANG),
    "?in": Parameter("The book's language", _LANG),
    "?book": Parameter("game/book, e.g. mtg/cr; or a game with one book", _WORDS, required=True),
    "?from": Parameter("An edition, or a date, month or year: what was the newest then", _WORDS, required=True),
    "?to": Parameter("A later edition, or a date; without it the newest", _WORDS),
    "?section": Parameter("Only what stands or stood in that section: 7, 701, glossary", _WORDS),
    "?as_of": Parameter(
        "The library as it stood then: a date (2024-06-07), month (2024-06), year (2024) or edition (mtg/cr/2024-06-07)",
        _text(min_length=1, max_length=NAME),
    ),
    "?format=bitext": Parameter("tmx (TMX 1.4b) or xliff (XLIFF 2.1)", _text(enum=("tmx", "xliff")), required=True),
    "?format=terms": Parameter(
        "tbx (ISO 30042:2019, TBX-Basic), tbx-2008 (martif), csv, xlsx, or of one game skos (SKOS-XL in Turtle)",
        _text(enum=("tbx", "tbx-2008", "csv", "xlsx", "skos")),
        required=True,
    ),
    "?langs": Parameter("Languages, separated by commas, in the order of the columns; without it all", _WORDS),
    "?concepts": Parameter("zones, keywords, actions, states, … or kinds of concepts, separated by commas; without it all", _WORDS),
    "?with_texts": Parameter("Whether examples of use are quoted from loaded books", {"type": "boolean", "default": False}),
    "?q=words": Parameter(
        "Words in any language, or with `regex` an expression of RE2", _text(min_length=1, max_length=NAME), required=True
    ),
    "?regex": Parameter("Whether `q` is a regular expression", {"type": "boolean", "default": False}),
    "?book=lines": Parameter("Only that book: mtg/cr", _WORDS),
    "?edition=lines": Parameter("Only that edition; `all`: every one; without it the current ones", _WORDS),
    "?part": Parameter("Only these, separated by commas: text, heading, headword, example, note", _WORDS),
    "?beside": Parameter("The language beside each line", _LANG),
    "?format=lines": Parameter("The lines as a table to download: csv or tsv", _text(enum=("json", "csv", "tsv"))),
    "?limit=lines": Parameter("Lines to give; of a table as many as there are", _number(LINES)),
    "?book=bitext": Parameter("game/book, e.g. mtg/cr; without it the only one that is loaded in two languages", _WORDS),
    "?edition": Parameter("An edition; without it the newest in both languages", _WORDS),
    "?source": Parameter("The language translated from; without it the book's own", _LANG),
    "?target": Parameter("The language translated into", _LANG),
    "?section=bitext": Parameter("Only that section: 7, 701, glossary", _WORDS),
    "?old": Parameter(
        "A text: game/book/edition:language, e.g. fow/cr/undated:ja; the newest edition and its one language where left out",
        _text(min_length=1, max_length=NAME),
        required=True,
    ),
    "?new": Parameter("The other text, named likewise", _text(min_length=1, max_length=NAME), required=True),
    "?limit=links": Parameter("Links to give at most", _number(LINKS)),
    "?topic": Parameter(
        "The one topic, by slug or any name: mulligan, 状況起因処理; without it all", _text(min_length=1, max_length=NAME)
    ),
    "?book=drift": Parameter("game/book, e.g. mtg/cr, or game/book/edition of the original", _WORDS, required=True),
    "?source=drift": Parameter("The language of the original", _LANG, required=True),
    "?target=drift": Parameter("The language of the translation", _LANG, required=True),
    "?translation": Parameter("The edition that was translated, where it is another one", _WORDS),
    "?kinds": Parameter("Only findings of these kinds, separated by commas: number,term", _WORDS),
    "?limit=findings": Parameter("Findings to give at most", _number(FINDINGS)),
    "?games": Parameter("Games, separated by commas; without it all", _WORDS),
    "?game": Parameter("Games, separated by commas; without it those that the question names, else all", _WORDS),
    "?game=several": Parameter("Games, separated by commas; without it all", _WORDS),
    "?game=one": Parameter("The one game to look at", _WORDS),
    "?kind": Parameter(
        "zone, sub-zone, composite, not-a-zone, characteristic, state, principle, role, deck, type, position, idea, book-term",
        _WORDS,
    ),
    "?kind=hit": Parameter(
        "Rules or rulings alone; without it both, three rulings among the first ten at most", _text(enum=("rule", "ruling"))
    ),
    "source": Parameter("The slug of who answers", _WORDS, required=True),
    "id": Parameter("The ruling's id; with @ and a date behind it an older answer", _WORDS, required=True),
    "?q=rulings": Parameter(
        "A question in Japanese, Chinese or English: rulings that answer it", _text(min_length=1, max_length=QUERY)
    ),
    "?card": Parameter("A card's name or number", _text(min_length=1, max_length=NAME)),
    "?rule": Parameter(
        "A rule that they rest on: 400.3b, mtg:2024-06-07:400.7 or an IRI", _text(min_length=1, max_length=REFERENCE)
    ),
    "?changed": Parameter("true: a rule they rest on has changed since; false: none has", _text(enum=("true", "false"))),
    "?source=rulings": Parameter("The slug of who answers", _WORDS),
    "?limit=rulings": Parameter("Rulings to give at most", _number(RULINGS)),
    "?limit": Parameter("Hits in one answer", _number(HITS)),
    "?offset": Parameter("Hits to pass over", _number(HITS_OFFSET)),
    "?limit=suggestions": Parameter("Suggestions to give at most", _number(SUGGESTIONS)),
    "?limit=uses": Parameter("Uses to give at most, of each game and language", _number(USES)),
    "?limit=concepts": Parameter("Concepts to give at most", _number(CONCEPTS)),
    "?query": Parameter("A SPARQL 1.1 query; without it the service description is given", _text(min_length=1)),
    "?default-graph-uri": Parameter("Graphs that are the default graph together, in the place of FROM", _GRAPHS),
    "?named-graph-uri": Parameter("Graphs that may be named, in the place of FROM NAMED", _GRAPHS),
    "?format=sparql": Parameter("The kind of answer, in the place of Accept", {"type": "string", "enum": list(ANSWERS)}),
    "?offset=page": Parameter("How many to pass over", _number(OFFSET)),
}
"""`=` separates a name from what it is about where that differs from route to route."""


def parameters(*names: str) -> dict[str, Any]:
    """The description of some parameters, as FastAPI takes it beside a route."""
    return {"parameters": [_described(name, PARAMETERS[name]) for name in names]}


def _described(name: str, parameter: Parameter) -> dict[str, Any]:
    plain, where = name.removeprefix("?").partition("=")[0], "query" if name.startswith("?") else "path"
    value = dict(parameter.value)
    return {"name": plain, "in": where, "required": parameter.required, "description": parameter.about, "schema": value}


async def only_known(request: Request) -> None:
    """Refuses what a route does not know: nobody is to think that it was heard.

    Raises InputError for a parameter that the route's description does not have, and for one that is given twice.
    """
    if not request.scope["query_string"]:
        return
    route = request.scope["route"]
    known = known_to(route)
    given = [name for name, _ in request.query_params.multi_items()]
    if unknown := [name for name in dict.fromkeys(given) if name not in known]:
        raise InputError(
            "{path} knows no parameter {unknown}; it takes {known}",
            path=request.url.path,
            unknown=", ".join(name[:40] for name in unknown[:_TOLD]),
            known=", ".join(known) or message("none"),
        )
    if twice := [name for name in known if given.count(name) > 1 and name not in _lists(route)]:
        raise InputError("{names}: given more than once; give each parameter once", names=", ".join(twice))


def _lists(route: object) -> list[str]:
    """Those that may be given more than once."""
    described = getattr(route, "openapi_extra", None) or {}
    return [parameter["name"] for parameter in described.get("parameters", ()) if parameter["schema"].get("type") == "array"]


def known_to(route: object) -> list[str]:
    """The names of the query parameters that a route's description has."""
    described = getattr(route, "openapi_extra", None) or {}
    return [parameter["name"] for parameter in described.get("parameters", ()) if parameter["in"] == "query"]
