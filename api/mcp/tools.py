"""The tools for models. Each makes the same library call as a route of the HTTP API.

Answers are shortened bodies of the HTTP API: lists are truncated and `truncated` is set. Sizes are those of the JSON in UTF-8; a
token is about three bytes, in English and in Chinese.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import Parameter, getdoc, signature
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from api.encoding import encode
from api.parameters import (
    AnswerLang,
    AsOf,
    BookLang,
    Changed,
    Games,
    GamesOfGame,
    Maybe,
    QuestionGames,
    Reference,
    field,
    parameter_error,
)
from api.schemas import REFERENCE_TEMPLATE, Json, parameter_schema, schema_definitions
from corpus import contract
from corpus.catalogue import catalogue
from corpus.cursor import make_cursor, parse_cursor
from corpus.errors import InputError
from rulestone import Library, options
from rulestone.brief import brief_rule, brief_rules, brief_search, brief_section
from rulestone.limits import CARD_NAMES, HIT_OFFSETS, MAX_REFS, NAME, OUTLINE_DEPTHS, REFERENCE, Range, parse_int

TOKEN_LIMITS = Range(200, 20_000, 2_000)
"""Approximate size of an answer in tokens."""
BYTES_PER_TOKEN = 3
_LIST_LENGTHS = (20, 10, 5, 3, 2, 1, 0)
"""Lengths of the lists within an entry, tried in turn until the entry fits."""
_HITS = 5
"""Number of hits of one answer: those after the fifth seldom decide."""
_SECTION_OVERHEAD_TOKENS = 200
"""Tokens that a section takes besides its rules: its headings and those of its neighbours."""
_OVERHEAD_BYTES = 160
"""Number of bytes of `truncated`, `cursor` and a short `left_out`."""
_PRESENTATION = frozenset({"cursor", "tokens", "lang", "seen", "examples"})
"""Arguments that change how an answer is shown, but not which entries it has."""
_EMPTY_LIST_BYTES = 16
"""Number of bytes of an empty `left_out`."""
_SCHEMA_REFERENCE = REFERENCE_TEMPLATE.format(model="")
_UNSENT_KEYWORDS = frozenset({"examples", "minLength"})
"""Keywords of parameters that models do not need: descriptions have examples, and an empty text is a missing one."""
_STRICT = ConfigDict(extra="forbid", strict=True)
Arguments = Mapping[str, Any]
Body = Mapping[str, Any]
Ask = Callable[..., Body]
_TRUNCATED: Json = {"type": "boolean", "description": "Whether anything was left out; ask for more tokens, or pass cursor"}
_LEFT_OUT: Json = {"type": "array", "items": {"type": "string"}, "description": "The lists that were cut, and by how many items"}
_CURSOR_GIVEN: Json = {"type": ["string", "null"], "description": "Pass it back for more entries; null after the last"}

_ERROR: Json = {
    "type": "object",
    "properties": {"status": {"type": "integer"}, "detail": {"type": "string"}, "next_step": {"type": "string"}},
    "required": ["status", "detail", "next_step"],
}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its purpose, its parameters, the body that it returns, and the list in that body that is paged."""

    name: str
    title: str
    about: str
    parameters: type[BaseModel]
    returns: Any
    entries: str
    ask: Ask
    """The function: its arguments are the library, the number of entries to skip if it skips them itself, and its parameters."""
    parts: str | None
    """The list in an entry that is continued too, if it is cut."""
    is_costly: bool
    """Whether it computes for seconds, like the costly routes of the HTTP API."""

    @property
    def input_schema(self) -> Json:
        """The schema of the arguments."""
        schema = parameter_schema(self.parameters)
        properties = {
            name: {keyword: value for keyword, value in each.items() if keyword not in _UNSENT_KEYWORDS}
            for name, each in schema["properties"].items()
        }
        return {"type": "object", "properties": properties, "required": schema["required"], "additionalProperties": False}

    @property
    def output_schema(self) -> Json:
        """The schema of the body with `truncated`, `left_out` and `cursor`, or with `error` alone."""
        return _schema(self.returns)

    @property
    def pages(self) -> bool:
        """Whether the library skips the entries itself."""
        return "start" in signature(self.ask).parameters

    def answer(self, library: Library, arguments: Arguments) -> Json:
        """The body with `truncated` and `cursor`. Raises InputError for wrong arguments, and the errors of the library."""
        non_empty = {name.encode(errors="replace").decode(): value for name, value in arguments.items() if value not in (None, "")}
        values = self._values(non_empty)
        request = (self.name, sorted((name, value) for name, value in non_empty.items() if name not in _PRESENTATION))
        start, first_part = parse_cursor(values["cursor"], *request)
        tokens = values["tokens"]
        own_names = signature(self.ask).parameters
        body = dict(self.ask(library, **{name: value for name, value in (values | {"start": start}).items() if name in own_names}))
        entries = body[self.entries] if self.pages else body[self.entries][start:]
        if self.parts and entries:
            entries = [{**entries[0], self.parts: entries[0][self.parts][first_part:]}, *entries[1:]]
        body[self.entries] = entries
        short = truncate_body(body, self.entries, tokens, self.parts)
        place = self._next_place(body, short, start, first_part)
        answer: Json = {
            **short.body,
            "truncated": short.truncated or place is not None,
            "cursor": make_cursor(place, *request) if place else None,
        }
        room = tokens * BYTES_PER_TOKEN - _json_size(answer) - _EMPTY_LIST_BYTES
        return answer | {"left_out": _fitting(omissions(body, short.body, self.entries), room)}

    def _next_place(self, body: Json, short: "TruncatedBody", start: int, first_part: int) -> tuple[int, ...] | None:
        """The place after the entries and parts of a shortened body; None after the last one."""
        end = start + short.entries
        if self.parts and short.entries:
            shown_parts, whole = (each[self.entries][short.entries - 1][self.parts] for each in (short.body, body))
            if shown_parts and len(shown_parts) < len(whole):
                return end - 1, len(shown_parts) + (first_part if short.entries == 1 else 0)
        is_more = end < (body.get("total", end) if self.pages else start + len(body[self.entries]))
        return (end,) if is_more and short.entries else None

    def _values(self, arguments: Arguments) -> Json:
        """The values of the parameters by their names in the function. Raises InputError."""
        try:
            return dict(self.parameters.model_validate(arguments))
        except ValidationError as error:
            schemas = parameter_schema(self.parameters)["properties"]
            raise parameter_error(self.name, error.errors(include_url=False), schemas, self._missing_error) from error

    def _missing_error(self, names: list[str]) -> InputError:
        return InputError("{tool} needs {names}", tool=self.name, names=", ".join(names))


def _schema(body: Any) -> Json:  # noqa: ANN401
    """The schema of a body of the contract with `truncated`, `left_out` and `cursor`, or of an error."""
    definitions, name = schema_definitions(body), body.__name__
    relaxed = {definition: _relaxed_schema(schema) for definition, schema in definitions.items()}
    is_recursive = f"'{_SCHEMA_REFERENCE}{name}'" in repr(definitions)
    whole = dict(relaxed[name]) if is_recursive else relaxed.pop(name)
    properties = whole["properties"] | {"truncated": _TRUNCATED, "left_out": _LEFT_OUT, "cursor": _CURSOR_GIVEN, "error": _ERROR}
    required_names = [*dict.fromkeys((*whole.pop("required"), "truncated", "left_out", "cursor"))]
    return whole | {
        "properties": properties,
        "anyOf": [{"required": required_names}, {"required": ["error"]}],
        "$defs": relaxed,
    }


def _relaxed_schema(schema: Any) -> Any:  # noqa: ANN401
    """A short schema: without lengths of lists, which are truncated, and without descriptions, which cost a model tokens."""
    if isinstance(schema, list):
        return [_relaxed_schema(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    properties = {
        name: inner for name, inner in schema.items() if name not in ("minItems", "description") or not isinstance(inner, str | int)
    }
    result = {name: _relaxed_schema(inner) for name, inner in properties.items()}
    if all(choice.keys() == {"type"} for choice in result.get("anyOf", [{}])):
        result["type"] = [choice["type"] for choice in result.pop("anyOf")]  # the same in fewer bytes
    if isinstance(reference := result.get("$ref"), str):
        result["$ref"] = reference.replace(_SCHEMA_REFERENCE, "#/$defs/")
    return result


class TruncatedBody(NamedTuple):
    """A body that fits, whether anything was omitted, and the number of its entries."""

    body: Json
    truncated: bool
    entries: int


def truncate_body(body: Mapping[str, Any], entries: str, tokens: int, parts: str | None = None) -> TruncatedBody:
    """A body within a number of tokens: lists inside entries are shortened first, then entries are omitted.

    At least one entry is kept, however long. The list `parts` of an entry is shortened last, and then nothing follows the entry.
    """
    most = tokens * BYTES_PER_TOKEN - _OVERHEAD_BYTES
    whole = dict(body)
    if _json_size(whole) <= most:
        return TruncatedBody(whole, False, len(whole[entries]))
    room = most - _json_size({**_shorten_lists(whole, 0), entries: []})
    share = room // min(len(whole[entries]), 3)
    short_entries: list[Any] = []
    is_shortened = False
    for entry in whole[entries]:
        short = _shorten_entry(entry, min(share, room), parts)
        if parts and _json_size(short) > min(share, room):
            short = _with_first_parts(short, parts, room)
        if short_entries and _json_size(short) > room:
            break
        is_shortened = is_shortened or short != entry
        short_entries.append(short)
        room -= _json_size(short) + 1
        if parts and len(short[parts]) < len(entry[parts]):
            break
    others = {name: value if name == entries else _shorten_lists(value, 0) for name, value in whole.items()}
    return TruncatedBody(
        {**others, entries: short_entries},
        is_shortened or len(short_entries) < len(whole[entries]) or others != whole,
        len(short_entries),
    )


def omissions(whole: Mapping[str, Any], short: Mapping[str, Any], entries: str) -> Iterator[str]:
    """The omissions of a shortened body, inside its entries and beside them, once for each list: `children: 21 of 24`."""
    pairs = [*zip(whole[entries], short[entries], strict=False)]
    pairs += [({name: value}, {name: short[name]}) for name, value in whole.items() if name != entries]
    yield from dict.fromkeys(line for pair in pairs for line in _omissions(*pair))


def _omissions(whole: Any, short: Any, name: str = "") -> Iterator[str]:  # noqa: ANN401
    if isinstance(whole, dict):
        for key, value in whole.items():
            yield from _omissions(value, short[key], f"{name}.{key}" if name else key)
    elif isinstance(whole, list):
        if len(short) < len(whole):
            yield f"{name}: {len(whole) - len(short)} of {len(whole)}"
        for value, short_value in zip(whole, short, strict=False):
            yield from _omissions(value, short_value, name)


def _fitting(lines: Iterable[str], room: int) -> list[str]:
    """The first lines whose JSON fits into a number of bytes."""
    fitting_lines: list[str] = []
    for line in lines:
        room -= _json_size(line) + 1
        if room < 0:
            break
        fitting_lines.append(line)
    return fitting_lines


def _shorten_entry(entry: Any, max_size: int, parts: str | None) -> Any:  # noqa: ANN401
    """An entry with the longest lists that fit; its list `parts` is kept whole."""
    short = entry
    for length in _LIST_LENGTHS:
        if _json_size(short) <= max_size:
            break
        short = _shorten_lists(entry, length)
        if parts:
            short[parts] = entry[parts]
    return short


def _with_first_parts(entry: Json, parts: str, room: int) -> Json:
    """An entry with the first of its parts that fit, at least one."""
    room -= _json_size({**entry, parts: []})
    fitting = 0
    for part in entry[parts]:
        room -= _json_size(part) + 1
        if room < 0:
            break
        fitting += 1
    return {**entry, parts: entry[parts][: max(1, fitting)]}


def _shorten_lists(value: Any, length: int) -> Any:  # noqa: ANN401
    """A value with every list cut to a length."""
    if isinstance(value, dict):
        return {name: _shorten_lists(inner, length) for name, inner in value.items()}
    if isinstance(value, list):
        return [_shorten_lists(item, length) for item in value[:length]]
    return value


def _json_size(value: Any) -> int:  # noqa: ANN401
    return len(encode(value))


_TOOLS: dict[str, Tool] = {}
_SLUGS = f"Slugs: {', '.join(catalogue().games)}, and added ones."
KnownGames = Annotated[QuestionGames, Field(description=options.QUESTION_GAMES.described(_SLUGS))]
Lang = Annotated[Maybe[AnswerLang], field(options.LANG)]
Question = Annotated[str, field(options.QUERY)]
References = Annotated[
    Maybe[list[Annotated[str, Field(max_length=REFERENCE)]]],
    Field(json_schema_extra={"maxItems": MAX_REFS}),  # the library checks it
]
Cursor = Annotated[Maybe[str], field(options.CURSOR)]
Tokens = Annotated[int, field(options.TOKENS.within(TOKEN_LIMITS))]


def tools() -> Mapping[str, Tool]:
    """Every tool by name, in the order of the list that a model gets."""
    return _TOOLS


def _tool(
    title: str,
    returns: Any,  # noqa: ANN401
    entries: str,
    *,
    parts: str | None = None,
    is_costly: bool = False,
) -> Callable[[Ask], Ask]:
    """Makes a function a tool: its docstring is the description, its keyword-only parameters and their types the schema."""

    def add(function: Ask) -> Ask:
        fields: Json = {
            name: (parameter.annotation, ... if parameter.default is Parameter.empty else parameter.default)
            for name, parameter in signature(function).parameters.items()
            if parameter.kind is Parameter.KEYWORD_ONLY
        }
        common: Json = {"cursor": (Cursor, None), "tokens": (Tokens, TOKEN_LIMITS.usual)}
        name, about = function.__name__, " ".join((getdoc(function) or "").split())
        parameters = create_model(name, __config__=_STRICT, **(fields | common))
        _TOOLS[name] = Tool(name, title, about, parameters, returns, entries, function, parts, is_costly)
        return function

    return add


@_tool("Search the rules", contract.BriefSearch, "hits")
def search_rules(
    library: Library,
    start: int,
    *,
    query: Question,
    games: KnownGames = None,
    lang: Lang = None,
    book_lang: BookLang = None,
    as_of: AsOf = None,
    examples: Annotated[bool, field(options.HIT_EXAMPLES)] = False,
    seen: Annotated[References, field(options.SEEN)] = None,
) -> Body:
    """Finds the rules that answer a question, in any language, over every game and edition.

    Start here, then read the first of `sections` with read_section. A hit has the rule's `text` or, where its book is not loaded,
    our unofficial `gloss`; `siblings` stand beside it. Cite what you read and no other numbers. `abstained`: no rule is sure
    enough; say the reason.
    """
    filters: Json = {"games": games, "lang": lang, "book_lang": book_lang, "as_of": as_of, "seen": seen}
    offset = parse_int("cursor", start, HIT_OFFSETS)
    return brief_search(library.search(query, **filters, limit=_HITS, offset=offset, examples=examples, siblings=True), once=True)


@_tool("Read a rule", contract.BriefRules, "rules", parts="children")
def get_rule(library: Library, *, ref: Reference, lang: Lang = None, book_lang: BookLang = None, as_of: AsOf = None) -> Body:
    """The words of a rule by its number, in every language, with its place, examples, citations and changes in later editions.

    Several rules may bear a number: current editions come first. `cursor` continues with its parts.
    """
    return brief_rules(library.rules(ref, lang=lang, book_lang=book_lang, as_of=as_of))


@_tool("Read a section", contract.BriefSectionText, "rules")
def read_section(
    library: Library,
    start: int,
    *,
    ref: Reference,
    examples: Annotated[bool, field(options.SECTION_EXAMPLES)] = False,
    lang: Lang = None,
    book_lang: BookLang = None,
    as_of: AsOf = None,
    tokens: Tokens = TOKEN_LIMITS.usual,
) -> Body:
    """All rules of the section that a rule stands in, or everything below a heading, whole and in the book's order.

    The sections before and after are named. Read it before you answer: the rules that decide a case stand together. `cursor`
    continues.
    """
    size = max(tokens - _SECTION_OVERHEAD_TOKENS, TOKEN_LIMITS.least)
    filters: Json = {"lang": lang, "book_lang": book_lang, "as_of": as_of}
    return brief_section(library.section(ref, **filters, tokens=size, offset=start, examples=examples, shown_as=brief_rule))


@_tool("Outline a book", contract.OutlineLines, "lines")
def outline(
    library: Library,
    *,
    book: Annotated[str, field(options.EDITION_OF_BOOK)],
    depth: Annotated[int, field(options.DEPTH)] = OUTLINE_DEPTHS.usual,
    lang: Lang = None,
) -> Body:
    """The headings of a book, one a line: number, title, and how many rules stand below. Pass a number to read_section."""
    body = library.outline(book, lang=lang, depth=depth)
    lines = [_outline_line(part["number"], part["title"] or part["ref"], part["depth"], part["rules"]) for part in body["parts"]]
    return {**{name: body[name] for name in ("game", "book", "edition", "lang")}, "lines": lines}


def _outline_line(number: str | None, title: str, depth: int, rules: int) -> str:
    """A heading with its number, indented by its depth, and the number of rules below it."""
    return " " * depth + " ".join(part for part in ((number or "").rstrip("."), title, str(rules)) if part)


@_tool("Read a card", contract.CardAnswer, "candidates")
def get_card(
    library: Library,
    *,
    name: Annotated[str, field(options.CARD)],
    games: GamesOfGame = None,
    concepts: Annotated[bool, Field(description="Also the concepts in its text, with the rules that define them.")] = False,
    lang: Lang = None,
) -> Body:
    """The text of a card by its name in any language, with its names and the addresses of rulings about it.

    `match` is `exact`, or why there is none: `ambiguous`, `partial` or `unknown`; then choose from `candidates`, or ask the user
    for its text.
    """
    body = library.resolve_cards([name], games=games, lang=lang, concepts=concepts)
    [card] = body["cards"]
    return {**card, **{name: body[name] for name in ("lang", "total", "note")}}


@_tool("Read several cards", contract.ResolvedCards, "cards")
def resolve_cards(
    library: Library,
    *,
    names: Annotated[
        list[Annotated[str, Field(max_length=NAME)]],
        Field(description="The cards' names.", json_schema_extra={"maxItems": CARD_NAMES}),
    ],
    games: GamesOfGame = None,
    lang: Lang = None,
) -> Body:
    """The same as get_card for several names at once, in their order."""
    return library.resolve_cards(names, games=games, lang=lang)


@_tool("Ask the rules", contract.Ask, "claims")
def ask_rules(library: Library, *, query: Question, games: KnownGames = None, lang: Lang = None, as_of: AsOf = None) -> Body:
    """The few claims that answer a question: definition, rule, exception, and where the games differ.

    Each has the words of a rule of a named edition, and their place. It says less than search_rules; `abstained` means that the
    rules leave it open.
    """
    return library.ask(query, games=games, lang=lang, as_of=as_of)


@_tool("Check citations", contract.Verify, "citations", is_costly=True)
def verify_citations(
    library: Library,
    *,
    text: Annotated[str, Field(description="The text, up to 64 KiB.")],
    game: Annotated[Maybe[str], field(options.CITED_GAME)] = None,
    as_of: Annotated[Maybe[str], field(options.CITED_AS_OF)] = None,
    lang: Lang = None,
    allowed: Annotated[References, field(options.ALLOWED)] = None,
) -> Body:
    """Checks a text before you show it: whether each rule that it cites exists, still stands there, and has the words quoted.

    `verified`: the quoted words were compared and are right; `exists`: only the number was looked up. Show neither other statuses
    nor a rule that you have not read; `now` and `nearest` say what to write instead.
    """
    return library.verify(text, game=game, as_of=as_of, lang=lang, allowed=allowed, limited=True)


@_tool("Compare zones", contract.Zones, "zones")
def compare_zones(
    library: Library,
    *,
    games: Games = None,
    zone: Annotated[Maybe[str], Field(description="Only this zone and its counterparts: graveyard, 山札, mtg/library.")] = None,
    lang: Lang = None,
    as_of: AsOf = None,
) -> Body:
    """The zones of the games side by side, each with its counterparts in the other games.

    Their properties are who sees them, who shares them, whether order matters and how many they hold, each with the words of a
    rule that prove it.
    """
    body = library.zones(games=games, lang=lang, as_of=as_of)
    if zone is None:
        return body
    concepts = {concept["concept"] for concept in library.concept(zone, lang=lang)["concepts"]}
    zones = [each for each in body["zones"] if concepts & {each["concept"], *(match["concept"] for match in each["matches"])}]
    if not zones:
        raise InputError(
            "no zone is called {given!r}; leave the name out to compare all zones, or give one that look_up_term returns",
            given=zone[:40],
        )
    return {**body, "zones": zones}


@_tool("Look a term up", contract.Terms, "terms")
def look_up_term(
    library: Library,
    *,
    label: Annotated[str, field(options.LABEL)],
    games: Annotated[GamesOfGame, Field(description=options.GAMES.described(_SLUGS))] = None,
    lang: Lang = None,
    book_lang: BookLang = None,
) -> Body:
    """What a term is called in each game and language, slang too, which rule defines it, and where it is used."""
    return library.term(label, games=games, lang=lang, book_lang=book_lang, limit=3)


@_tool("What changed", contract.Changes, "changes", is_costly=True)
def what_changed(
    library: Library,
    *,
    book: Annotated[str, field(options.BOOK)],
    old: Annotated[str, field(options.FROM, alias="from")],
    new: Annotated[Maybe[str], field(options.TO, alias="to")] = None,
    section: Annotated[Maybe[str], field(options.SECTION)] = None,
    lang: Lang = None,
) -> Body:
    """Every rule of a book that was reworded, moved, added or removed from one edition to a later one, with the words."""
    return library.changes(book, old, new, section=section, lang=lang)


@_tool("Search rulings", contract.Rulings, "rulings")
def search_rulings(
    library: Library,
    start: int,
    *,
    query: Annotated[Maybe[str], field(options.RULINGS_QUERY)] = None,
    card: Annotated[Maybe[str], field(options.RULINGS_CARD)] = None,
    rule: Annotated[Maybe[str], field(options.RULINGS_RULE)] = None,
    games: GamesOfGame = None,
    source: Annotated[Maybe[str], field(options.RULINGS_SOURCE)] = None,
    as_of: AsOf = None,
    lang: Lang = None,
    changed: Changed = None,
) -> Body:
    """Questions that were answered before, officially or not: by a question of your own, by card, or by the rule they rest on.

    `changed_since` warns that such a rule was changed after the answer.
    """
    filters: Json = {"query": query, "card": card, "rule": rule, "games": games, "source": source, "changed": changed}
    return library.rulings(**filters, as_of=as_of, lang=lang, limit=20, offset=start)
