"""The table of tools for models. Each makes the same library call as a route of the HTTP API.

Answers are shortened bodies of the HTTP API: lists are truncated and `truncated` is set. Sizes are those of the JSON in UTF-8; a
token is about three bytes, in English and in Chinese.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from api.encoding import encode
from api.schemas import REFERENCE_TEMPLATE, schema_definitions
from corpus import contract
from corpus.catalogue import catalogue
from corpus.cursor import MAX_LENGTH, make_cursor, parse_cursor
from corpus.errors import InputError
from rulestone import Library
from rulestone.brief import brief_rule, brief_rules, brief_search, brief_section
from rulestone.limits import CARD_NAMES, HIT_OFFSETS, MAX_QUERY_LENGTH, MAX_REFS, NAME, OUTLINE_DEPTHS, Range, parse_int
from rulestone.limits import REFERENCE as REFERENCE_LENGTH

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
Arguments = Mapping[str, Any]
Json = dict[str, Any]
_JSON_TYPES: Mapping[str, type] = {"string": str, "integer": int, "boolean": bool, "array": list}
_TRUNCATED: Json = {"type": "boolean", "description": "Whether anything was left out; ask for more tokens, or go on with cursor"}
_LEFT_OUT: Json = {"type": "array", "items": {"type": "string"}, "description": "The lists that were cut, and by how many items"}
_CURSOR_GIVEN: Json = {"type": ["string", "null"], "description": "Pass it back for the next entries; null after the last"}

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
    parameters: Mapping[str, Json]
    required: tuple[str, ...]
    returns: Any
    entries: str
    ask: Callable[[Library, Arguments, int], Mapping[str, Any]]
    """Arguments: the library, the arguments, and the number of entries to skip."""
    pages: bool = False
    """Whether the library skips the entries itself."""
    parts: str | None = None
    """The list in an entry that is continued too, if it is cut."""
    is_costly: bool = False
    """Whether it computes for seconds, like the costly routes of the HTTP API."""

    @property
    def input_schema(self) -> Json:
        """The schema of the arguments."""
        properties = {**self.parameters, "cursor": _CURSOR_PARAMETER, "tokens": _TOKENS_PARAMETER}
        return {"type": "object", "properties": properties, "required": list(self.required), "additionalProperties": False}

    @property
    def output_schema(self) -> Json:
        """The schema of the body with `truncated`, `left_out` and `cursor`, or with `error` alone."""
        return _schema(self.returns)

    def answer(self, library: Library, arguments: Arguments) -> Json:
        """The body with `truncated` and `cursor`. Raises InputError for wrong arguments, and the errors of the library."""
        self._check_arguments(arguments)
        options = {name: value for name, value in arguments.items() if value is not None and name not in _PRESENTATION}
        request = (self.name, sorted(options.items()))
        start, first_part = parse_cursor(arguments.get("cursor"), *request)
        tokens = parse_int("tokens", arguments.get("tokens"), TOKEN_LIMITS)
        body = dict(self.ask(library, arguments, start))
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

    def _check_arguments(self, arguments: Arguments) -> None:
        known_parameters = {**self.parameters, "cursor": _CURSOR_PARAMETER, "tokens": _TOKENS_PARAMETER}
        if unknown := [name for name in arguments if name not in known_parameters]:
            raise InputError(
                "{path} has no parameter {unknown}; known parameters: {known}",
                path=self.name,
                unknown=", ".join(name[:40] for name in unknown[:5]),
                known=", ".join(known_parameters),
            )
        if lacking := [name for name in self.required if arguments.get(name) in (None, "")]:
            raise InputError("{tool} needs {names}", tool=self.name, names=", ".join(lacking))
        for name, value in arguments.items():
            kind = _JSON_TYPES[known_parameters[name]["type"]]
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool) != (kind is bool)):
                raise InputError("{name}: expected {type}", name=name, type=known_parameters[name]["type"])
            if isinstance(value, list) and not all(isinstance(item, str) for item in value):
                raise InputError("{name}: expected {type}", name=name, type="array of strings")


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


def _text_parameter(about: str, max_length: int = NAME, **more: Any) -> Json:  # noqa: ANN401
    return {"type": "string", "description": about, "maxLength": max_length, **more}


_CURSOR_PARAMETER: Json = _text_parameter(
    "The cursor of the previous answer to the same arguments, to continue from there", MAX_LENGTH
)
_TOKENS_PARAMETER: Json = {
    "type": "integer",
    "description": "Approximate maximum length of the answer in tokens",
    "minimum": TOKEN_LIMITS.least,
    "maximum": TOKEN_LIMITS.most,
    "default": TOKEN_LIMITS.usual,
}
_LANG_PARAMETER = _text_parameter("The answer's language", 10, enum=["ja", "zh", "zh-Hans", "zh-Hant", "en"])
_BOOK_LANG_PARAMETER = _text_parameter("Only books in this language", 10, enum=["ja", "zh", "zh-Hans", "zh-Hant", "en"])
_GAME_SLUGS = ", ".join(catalogue().games)
_GAME_PARAMETER = _text_parameter(
    f"A game's slug ({_GAME_SLUGS}, or an added one); without it those that the question names, else all"
)
_GAMES_PARAMETER = _text_parameter(
    f"Slugs ({_GAME_SLUGS}, or added ones), separated by commas; without it those that the question names, else all"
)
_GAMES_OF_CARDS_PARAMETER = _text_parameter("Slugs of the card's game, separated by commas; without it all")
_AS_OF_PARAMETER = _text_parameter("The rules as they stood then: a date (2024-06-07), month, year or edition")


def _library_options(arguments: Arguments, *names: str, **other_names: str) -> Json:
    """Arguments as options of the library; `other_names` maps options with other names."""
    return {option: arguments.get(name) for option, name in {**dict(zip(names, names, strict=True)), **other_names}.items()}


def _search_rules(library: Library, arguments: Arguments, start: int) -> Mapping[str, Any]:
    options = _library_options(arguments, "lang", "as_of", "seen", games="game", book_lang="in")
    body = library.search(
        arguments["query"],
        **options,
        limit=_HITS,
        offset=parse_int("cursor", start, HIT_OFFSETS),
        examples=bool(arguments.get("examples")),
        siblings=True,
    )
    return brief_search(body, once=True)


def _show_rule(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    return brief_rules(library.rules(arguments["ref"], **_library_options(arguments, "lang", "as_of", book_lang="in")))


def _read_section(library: Library, arguments: Arguments, start: int) -> Mapping[str, Any]:
    options = _library_options(arguments, "lang", "as_of", book_lang="in")
    tokens = parse_int("tokens", arguments.get("tokens"), TOKEN_LIMITS) - _SECTION_OVERHEAD_TOKENS
    body = library.section(
        arguments["ref"],
        **options,
        tokens=max(tokens, TOKEN_LIMITS.least),
        offset=start,
        examples=bool(arguments.get("examples")),
        shown_as=brief_rule,
    )
    return brief_section(body)


def _outline_of_book(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    body = library.outline(arguments["book"], **_library_options(arguments, "lang", "depth"))
    lines = [_outline_line(part["number"], part["title"] or part["ref"], part["depth"], part["rules"]) for part in body["parts"]]
    return {**{name: body[name] for name in ("game", "book", "edition", "lang")}, "lines": lines}


def _outline_line(number: str | None, title: str, depth: int, rules: int) -> str:
    """A heading with its number, indented by its depth, and the number of rules below it."""
    return " " * depth + " ".join(part for part in ((number or "").rstrip("."), title, str(rules)) if part)


def _get_card(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    options = _library_options(arguments, "lang", games="game")
    body = library.resolve_cards([arguments["name"]], **options, concepts=bool(arguments.get("concepts")))
    [card] = body["cards"]
    return {**card, "lang": body["lang"], "total": body["total"]}


def _resolve_cards(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    body = library.resolve_cards(arguments["names"], **_library_options(arguments, "lang", games="game"))
    return body


def _answer_question(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    return library.ask(arguments["query"], **_library_options(arguments, "lang", "as_of", games="game"))


def _verify_text(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    return library.verify(arguments["text"], **_library_options(arguments, "game", "as_of", "lang", "allowed"), limited=True)


def _compare_zones(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    body = library.zones(**_library_options(arguments, "games", "lang", "as_of"))
    if (name := arguments.get("zone")) is None:
        return body
    concepts = {concept["concept"] for concept in library.concept(name, lang=arguments.get("lang"))["concepts"]}
    zones = [zone for zone in body["zones"] if concepts & {zone["concept"], *(match["concept"] for match in zone["matches"])}]
    if not zones:
        raise InputError(
            "no zone is called {given!r}; leave the name out to compare all zones, or give one that look_up_term returns",
            given=name[:40],
        )
    return {**body, "zones": zones}


def _look_up_term(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    return library.term(arguments["label"], **_library_options(arguments, "lang", games="game", book_lang="in"), limit=3)


def _compare_editions(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    options = _library_options(arguments, "section", "lang", new="to")
    return library.changes(arguments["book"], arguments["from"], **options)


def _search_rulings(library: Library, arguments: Arguments, start: int) -> Mapping[str, Any]:
    options = _library_options(arguments, "query", "card", "rule", "source", "as_of", "lang", "changed", games="game")
    return library.rulings(**options, limit=20, offset=start)


@cache
def tools() -> Mapping[str, Tool]:
    """Every tool by name, in the order of the list that a model gets."""
    return {tool.name: tool for tool in _TOOLS}


_REFERENCE_PARAMETER = _text_parameter("400.7d, mtg:400.7d, mtg:2024-06-07:400.7, MTG CR 400.7d, or an address", REFERENCE_LENGTH)
_TOOLS = (
    Tool(
        "search_rules",
        "Search the rules",
        "Find the rules that answer a question, in any language, over every game and edition. Start here, then read the first of "
        "`sections` with read_section. A hit has the rule's `text` or, where its book is not loaded, our unofficial `gloss`; "
        "`siblings` stand beside it. Cite what you read and no other numbers. `abstained`: no rule is sure enough; say the reason.",
        {
            "query": _text_parameter("The question, in the user's own words", MAX_QUERY_LENGTH),
            "game": _GAMES_PARAMETER,
            "lang": _LANG_PARAMETER,
            "in": _BOOK_LANG_PARAMETER,
            "as_of": _AS_OF_PARAMETER,
            "examples": {"type": "boolean", "description": "Texts with their examples and notes"},
            "seen": {
                "type": "array",
                "description": "The `ref` of each rule that you have read; hits on them have no words",
                "items": {"type": "string", "maxLength": REFERENCE_LENGTH},
                "maxItems": MAX_REFS,
            },
        },
        ("query",),
        contract.BriefSearch,
        "hits",
        _search_rules,
        pages=True,
    ),
    Tool(
        "get_rule",
        "Read a rule",
        "The words of a rule by its number, in every language there is, with its place, examples, citations and what became of it "
        "in later editions. Several rules may bear a number: current editions come first. `cursor` continues with its parts.",
        {"ref": _REFERENCE_PARAMETER, "lang": _LANG_PARAMETER, "in": _BOOK_LANG_PARAMETER, "as_of": _AS_OF_PARAMETER},
        ("ref",),
        contract.BriefRules,
        "rules",
        _show_rule,
        parts="children",
    ),
    Tool(
        "read_section",
        "Read a section",
        "All rules of the section that a rule stands in, or everything below a heading, whole and in the book's order, with the "
        "sections before and after. Read it before you answer: the rules that decide a case stand together. `cursor` continues.",
        {
            "ref": _REFERENCE_PARAMETER,
            "examples": {"type": "boolean", "description": "Whole examples; otherwise their first sentences"},
            "lang": _LANG_PARAMETER,
            "in": _BOOK_LANG_PARAMETER,
            "as_of": _AS_OF_PARAMETER,
        },
        ("ref",),
        contract.BriefSectionText,
        "rules",
        _read_section,
        pages=True,
    ),
    Tool(
        "outline",
        "Outline a book",
        "The headings of a book, one a line: number, title, and how many rules stand below. Pass a number to read_section.",
        {
            "book": _text_parameter("game/book: mtg/cr; or a game with one book"),
            "depth": {
                "type": "integer",
                "description": "Levels of headings",
                "minimum": OUTLINE_DEPTHS.least,
                "maximum": OUTLINE_DEPTHS.most,
                "default": OUTLINE_DEPTHS.usual,
            },
            "lang": _LANG_PARAMETER,
        },
        ("book",),
        contract.OutlineLines,
        "lines",
        _outline_of_book,
    ),
    Tool(
        "get_card",
        "Read a card",
        "The text of a card by its name in any language, with its names and the addresses of rulings about it. `match` is `exact`, "
        "or why there is none: `ambiguous`, `partial` or `unknown`; then choose from `candidates`, or ask the user for its text.",
        {
            "name": _text_parameter("The card's name"),
            "game": _GAMES_OF_CARDS_PARAMETER,
            "concepts": {"type": "boolean", "description": "Also the concepts in its text, with the rules that define them"},
            "lang": _LANG_PARAMETER,
        },
        ("name",),
        contract.CardAnswer,
        "candidates",
        _get_card,
    ),
    Tool(
        "resolve_cards",
        "Read several cards",
        "The same as get_card for several names at once, in their order.",
        {
            "names": {
                "type": "array",
                "description": "The cards' names",
                "items": {"type": "string", "maxLength": NAME},
                "maxItems": CARD_NAMES,
            },
            "game": _GAMES_OF_CARDS_PARAMETER,
            "lang": _LANG_PARAMETER,
        },
        ("names",),
        contract.ResolvedCards,
        "cards",
        _resolve_cards,
    ),
    Tool(
        "ask_rules",
        "Ask the rules",
        "The few claims that answer a question, each words of a rule of a named edition at its place: definition, rule, exception, "
        "and where the games differ. It says less than search_rules; `abstained` means that the rules leave it open.",
        {
            "query": _text_parameter("The question, in the user's own words", MAX_QUERY_LENGTH),
            "game": _GAMES_PARAMETER,
            "lang": _LANG_PARAMETER,
            "as_of": _AS_OF_PARAMETER,
        },
        ("query",),
        contract.Ask,
        "claims",
        _answer_question,
    ),
    Tool(
        "verify_citations",
        "Check citations",
        "Check a text before you show it: whether each rule that it cites exists, still stands there, and has the words quoted. "
        "`verified`: the quoted words were compared and are right; `exists`: only the number was looked up. Show neither other "
        "statuses nor a rule that you have not read; `now` and `nearest` say what to write instead.",
        {
            "text": _text_parameter("The text, up to 64 KiB", 64 << 10),
            "game": _text_parameter("The game that citations are of where the text names none"),
            "as_of": _text_parameter("The edition that the writer cites from, or a date"),
            "lang": _LANG_PARAMETER,
            "allowed": {
                "type": "array",
                "description": "The `ref` of each rule that you have read; `read` of a citation is false for any other rule",
                "items": {"type": "string", "maxLength": REFERENCE_LENGTH},
                "maxItems": MAX_REFS,
            },
        },
        ("text",),
        contract.Verify,
        "citations",
        _verify_text,
        is_costly=True,
    ),
    Tool(
        "compare_zones",
        "Compare zones",
        "The zones of the games side by side: who sees them, who shares them, whether order matters, how many they hold, each "
        "with the words of a rule that prove it, and its counterparts in the other games.",
        {
            "games": _text_parameter("Slugs, separated by commas; without it all"),
            "zone": _text_parameter("Only this zone and its counterparts: graveyard, 山札, mtg/library"),
            "lang": _LANG_PARAMETER,
            "as_of": _AS_OF_PARAMETER,
        },
        (),
        contract.Zones,
        "zones",
        _compare_zones,
    ),
    Tool(
        "look_up_term",
        "Look a term up",
        "What a term is called in each game and language, slang too, which rule defines it, and where it is used.",
        {
            "label": _text_parameter("A name in any language: 山札, graveyard, yard"),
            "game": _GAME_PARAMETER,
            "lang": _LANG_PARAMETER,
            "in": _BOOK_LANG_PARAMETER,
        },
        ("label",),
        contract.Terms,
        "terms",
        _look_up_term,
    ),
    Tool(
        "what_changed",
        "What changed",
        "Every rule of a book that was reworded, moved, added or removed from one edition to a later one, with the words.",
        {
            "book": _text_parameter("game/book: mtg/cr; or a game with one book"),
            "from": _text_parameter("An edition, or a date, month or year: what was the newest then"),
            "to": _text_parameter("A later edition or date; without it the newest"),
            "section": _text_parameter("Only one section: 7, 701, glossary"),
            "lang": _LANG_PARAMETER,
        },
        ("book", "from"),
        contract.Changes,
        "changes",
        _compare_editions,
        is_costly=True,
    ),
    Tool(
        "search_rulings",
        "Search rulings",
        "Questions that were answered before, officially or not: by a question of your own, by card, or by the rule they rest on; "
        "`changed_since` warns that such a rule was changed after the answer.",
        {
            "query": _text_parameter("A question, in any language", MAX_QUERY_LENGTH),
            "card": _text_parameter("A card's name"),
            "rule": _REFERENCE_PARAMETER,
            "game": _text_parameter("A game's slug"),
            "source": _text_parameter("Who answered"),
            "as_of": _AS_OF_PARAMETER,
            "lang": _LANG_PARAMETER,
            "changed": {"type": "boolean", "description": "Only those whose rule was changed since; false: only the others"},
        },
        (),
        contract.Rulings,
        "rulings",
        _search_rulings,
        pages=True,
    ),
)
