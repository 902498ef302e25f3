"""The table of tools for models. Each makes the same library call as a route of the HTTP API.

Answers are shortened bodies of the HTTP API: lists are truncated and `truncated` is set. Sizes are those of the JSON in UTF-8; a
token
is about three bytes, in English and in Chinese.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from api.encoding import encode
from api.schemas import REFERENCE, definitions
from corpus import contract
from corpus.catalogue import catalogue
from corpus.errors import InputError
from rulestone import Library
from rulestone.brief import brief_search
from rulestone.limits import HITS_OFFSET, NAME, OFFSET, QUERY, Range, parse_int
from rulestone.limits import REFERENCE as REFERENCE_LENGTH

TOKENS = Range(200, 20_000, 2_000)
"""Approximate size of an answer in tokens."""
BYTES_OF_A_TOKEN = 3
_LIST_LENGTHS = (20, 10, 5, 3, 2, 1, 0)
"""Lengths of the lists within an entry, tried in turn until the entry fits."""
_OVERHEAD = 40
"""Number of bytes of `truncated` and `cursor`."""
_MODEL = REFERENCE.format(model="")
Arguments = Mapping[str, Any]
Json = dict[str, Any]
_TYPES: Mapping[str, type] = {"string": str, "integer": int, "boolean": bool}
_TRUNCATED: Json = {"type": "boolean", "description": "Whether anything was left out; ask for more tokens, or go on with cursor"}
_CURSOR_GIVEN: Json = {"type": ["string", "null"], "description": "Pass it back for the next entries; null after the last"}


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

    @property
    def input_schema(self) -> Json:
        """The schema of the arguments."""
        properties = {**self.parameters, "cursor": _CURSOR, "tokens": _TOKENS}
        return {"type": "object", "properties": properties, "required": list(self.required), "additionalProperties": False}

    @property
    def output_schema(self) -> Json:
        """The schema of the body with `truncated` and `cursor`."""
        return _schema(self.returns)

    def answer(self, library: Library, arguments: Arguments) -> Json:
        """The body with `truncated` and `cursor`. Raises InputError for wrong arguments, and the errors of the library."""
        self._check(arguments)
        skipped = parse_int("cursor", arguments.get("cursor"), OFFSET)
        tokens = parse_int("tokens", arguments.get("tokens"), TOKENS)
        body = dict(self.ask(library, arguments, skipped))
        entries = body[self.entries]
        if not self.pages:
            body[self.entries] = entries[skipped:]
        short = cut(body, self.entries, tokens)
        end = skipped + short.entries
        more = end < (body.get("total", end) if self.pages else len(entries))
        return {**short.body, "truncated": short.truncated or more, "cursor": str(end) if more and short.entries else None}

    def _check(self, arguments: Arguments) -> None:
        known = {**self.parameters, "cursor": _CURSOR, "tokens": _TOKENS}
        if unknown := [name for name in arguments if name not in known]:
            raise InputError(
                "{path} has no parameter {unknown}; known parameters: {known}",
                path=self.name,
                unknown=", ".join(name[:40] for name in unknown[:5]),
                known=", ".join(known),
            )
        if lacking := [name for name in self.required if arguments.get(name) in (None, "")]:
            raise InputError("{tool} needs {names}", tool=self.name, names=", ".join(lacking))
        for name, value in arguments.items():
            kind = _TYPES[known[name]["type"]]
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool) != (kind is bool)):
                raise InputError("{name}: expected {type}", name=name, type=known[name]["type"])


def _schema(body: Any) -> Json:  # noqa: ANN401
    """The schema of a body of the contract with `truncated` and `cursor`."""
    made, name = definitions(body), body.__name__
    defined = {definition: _lenient(schema) for definition, schema in made.items()}
    is_recursive = f"'{_MODEL}{name}'" in repr(made)
    whole = dict(defined[name]) if is_recursive else defined.pop(name)
    properties = whole["properties"] | {"truncated": _TRUNCATED, "cursor": _CURSOR_GIVEN}
    return whole | {"properties": properties, "required": [*whole["required"], "truncated", "cursor"], "$defs": defined}


def _lenient(schema: Any) -> Any:  # noqa: ANN401
    """A schema without lengths of lists, which are truncated, and without descriptions, which cost a model tokens."""
    if isinstance(schema, list):
        return [_lenient(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {
        name: inner for name, inner in schema.items() if name not in ("minItems", "description") or not isinstance(inner, str | int)
    }
    left = {name: _lenient(inner) for name, inner in kept.items()}
    if isinstance(reference := left.get("$ref"), str):
        left["$ref"] = reference.replace(_MODEL, "#/$defs/")
    return left


class Cut(NamedTuple):
    """A body that fits, whether anything was omitted, and the number of its entries."""

    body: Json
    truncated: bool
    entries: int


def cut(body: Mapping[str, Any], entries: str, tokens: int) -> Cut:
    """A body within a number of tokens: lists inside entries are shortened first, then entries are omitted.

    At least one entry is kept, however long.
    """
    most = tokens * BYTES_OF_A_TOKEN - _OVERHEAD
    whole = dict(body)
    if _size(whole) <= most:
        return Cut(whole, False, len(whole[entries]))
    room = most - _size({**_shorter(whole, 0), entries: []})
    share = room // min(len(whole[entries]), 3)
    kept: list[Any] = []
    shortened = False
    for entry in whole[entries]:
        short = _fitting(entry, min(share, room))
        if kept and _size(short) > room:
            break
        shortened = shortened or short != entry
        kept.append(short)
        room -= _size(short) + 1
    others = {name: value if name == entries else _shorter(value, 0) for name, value in whole.items()}
    return Cut({**others, entries: kept}, shortened or len(kept) < len(whole[entries]) or others != whole, len(kept))


def _fitting(entry: Any, room: int) -> Any:  # noqa: ANN401
    """An entry with the longest lists that fit."""
    short = entry
    for length in _LIST_LENGTHS:
        if _size(short) <= room:
            break
        short = _shorter(entry, length)
    return short


def _shorter(value: Any, length: int) -> Any:  # noqa: ANN401
    """A value with every list cut to a length."""
    if isinstance(value, dict):
        return {name: _shorter(inner, length) for name, inner in value.items()}
    if isinstance(value, list):
        return [_shorter(item, length) for item in value[:length]]
    return value


def _size(value: Any) -> int:  # noqa: ANN401
    return len(encode(value))


def _text(about: str, most: int = NAME, **more: Any) -> Json:  # noqa: ANN401
    return {"type": "string", "description": about, "maxLength": most, **more}


_CURSOR: Json = _text("What the answer before gave as cursor, to go on from there", 20)
_TOKENS: Json = {
    "type": "integer",
    "description": "About how long the answer may be",
    "minimum": TOKENS.least,
    "maximum": TOKENS.most,
    "default": TOKENS.usual,
}
_LANG = _text("The answer's language", 10, enum=["ja", "zh", "zh-Hans", "zh-Hant", "en"])
_IN = _text("Only books in this language", 10, enum=["ja", "zh", "zh-Hans", "zh-Hant", "en"])
_SLUGS = ", ".join(catalogue().games)
_GAME = _text(f"A game's slug ({_SLUGS}, or an added one); without it those that the question names, else all")
_GAMES = _text(f"Slugs ({_SLUGS}, or added ones), separated by commas; without it those that the question names, else all")
_AS_OF = _text("The rules as they stood then: a date (2024-06-07), month, year or edition")


def _options(arguments: Arguments, *names: str, **renamed: str) -> Json:
    """Arguments as options of the library; `renamed` maps options with other names."""
    return {option: arguments.get(name) for option, name in {**dict(zip(names, names, strict=True)), **renamed}.items()}


def _search(library: Library, arguments: Arguments, skipped: int) -> Mapping[str, Any]:
    options = _options(arguments, "lang", "as_of", games="game", book_lang="in")
    return brief_search(library.search(arguments["query"], **options, offset=parse_int("cursor", skipped, HITS_OFFSET)))


def _rule(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    return library.rules(arguments["ref"], **_options(arguments, "lang", "as_of", book_lang="in"))


def _ask(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    return library.ask(arguments["query"], **_options(arguments, "lang", "as_of", games="game"))


def _verify(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    return library.verify(arguments["text"], **_options(arguments, "game", "as_of", "lang"), limited=True)


def _zones(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    body = library.zones(**_options(arguments, "games", "lang", "as_of"))
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


def _term(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    return library.term(arguments["label"], **_options(arguments, "lang", games="game", book_lang="in"), limit=3)


def _changed(library: Library, arguments: Arguments, _: int) -> Mapping[str, Any]:
    options = _options(arguments, "section", "lang", new="to")
    return library.changes(arguments["book"], arguments["from"], **options)


def _rulings(library: Library, arguments: Arguments, skipped: int) -> Mapping[str, Any]:
    options = _options(arguments, "query", "card", "rule", "source", "as_of", "lang", "changed", games="game")
    return library.rulings(**options, limit=20, offset=skipped)


@cache
def tools() -> Mapping[str, Tool]:
    """Every tool by name, in the order of the list that a model gets."""
    return {tool.name: tool for tool in _TOOLS}


_REF = _text("400.7d, mtg:400.7d, mtg:2024-06-07:400.7, MTG CR 400.7d, or an address", REFERENCE_LENGTH)
_TOOLS = (
    Tool(
        "search_rules",
        "Search the rules",
        "Find the rules that answer a question, in any language, over every game and edition. Start here. A hit has the whole "
        "`text` of the rule or, where its book is not loaded, our unofficial `gloss`, with number and edition; cite these and no "
        "other numbers. `abstained` means that no rule is sure enough: tell the user its reason instead of guessing.",
        {
            "query": _text("The question, in the user's own words", QUERY),
            "game": _GAMES,
            "lang": _LANG,
            "in": _IN,
            "as_of": _AS_OF,
        },
        ("query",),
        contract.BriefSearch,
        "hits",
        _search,
        pages=True,
    ),
    Tool(
        "get_rule",
        "Read a rule",
        "The words of a rule by its number, in every language there is, with its place, examples, citations and what became of it "
        "in later editions. Several rules may bear a number: current editions come first.",
        {"ref": _REF, "lang": _LANG, "in": _IN, "as_of": _AS_OF},
        ("ref",),
        contract.Rules,
        "rules",
        _rule,
    ),
    Tool(
        "ask_rules",
        "Ask the rules",
        "The few claims that answer a question, each words of a rule of a named edition at its place: definition, rule, exception, "
        "and where the games differ. It says less than search_rules; `abstained` means that the rules leave it open.",
        {"query": _text("The question, in the user's own words", QUERY), "game": _GAMES, "lang": _LANG, "as_of": _AS_OF},
        ("query",),
        contract.Ask,
        "claims",
        _ask,
    ),
    Tool(
        "verify_citations",
        "Check citations",
        "Check a text before you show it: whether each rule that it cites exists, still stands there, and has the words quoted. "
        "Show nothing whose status is not `verified`; `now` and `nearest` say what to write instead.",
        {
            "text": _text("The text, up to 64 KiB", 64 << 10),
            "game": _text("The game that citations are of where the text names none"),
            "as_of": _text("The edition that the writer cites from, or a date"),
            "lang": _LANG,
        },
        ("text",),
        contract.Verify,
        "citations",
        _verify,
    ),
    Tool(
        "compare_zones",
        "Compare zones",
        "The zones of the games side by side: who sees them, who shares them, whether order matters, how many they hold, each "
        "with the words of a rule that prove it, and what answers what in the other games.",
        {
            "games": _text("Slugs, separated by commas; without it all"),
            "zone": _text("Only this zone and its counterparts: graveyard, 山札, mtg/library"),
            "lang": _LANG,
            "as_of": _AS_OF,
        },
        (),
        contract.Zones,
        "zones",
        _zones,
    ),
    Tool(
        "look_up_term",
        "Look a term up",
        "What a term is called in each game and language, slang too, which rule defines it, and where it is used.",
        {"label": _text("A name in any language: 山札, graveyard, yard"), "game": _GAME, "lang": _LANG, "in": _IN},
        ("label",),
        contract.Terms,
        "terms",
        _term,
    ),
    Tool(
        "what_changed",
        "What changed",
        "Every rule of a book that was reworded, moved, added or removed from one edition to a later one, with the words.",
        {
            "book": _text("game/book: mtg/cr; or a game with one book"),
            "from": _text("An edition, or a date, month or year: what was the newest then"),
            "to": _text("A later edition or date; without it the newest"),
            "section": _text("Only one section: 7, 701, glossary"),
            "lang": _LANG,
        },
        ("book", "from"),
        contract.Changes,
        "changes",
        _changed,
    ),
    Tool(
        "search_rulings",
        "Search rulings",
        "Questions that were answered before, officially or not: by a question of your own, by card, or by the rule they rest on; "
        "`changed_since` warns that such a rule was changed after the answer.",
        {
            "query": _text("A question, in any language", QUERY),
            "card": _text("A card's name"),
            "rule": _REF,
            "game": _text("A game's slug"),
            "source": _text("Who answered"),
            "as_of": _AS_OF,
            "lang": _LANG,
            "changed": {"type": "boolean", "description": "Only those whose rule was changed since; false: only the others"},
        },
        (),
        contract.Rulings,
        "rulings",
        _rulings,
        pages=True,
    ),
)
