"""The tools: what a model can ask, as one table. Each asks the library what a route of the HTTP API asks it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from api.mcp import schemas
from api.mcp.cut import Body, cut
from corpus import contract
from corpus.errors import InputError
from rulestone import Library
from rulestone.limits import HITS_OFFSET, NAME, OFFSET, QUERY, REFERENCE, Range, whole

TOKENS = Range(200, 20_000, 2_000)
"""About how many tokens an answer may have."""
Given = Mapping[str, Any]
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: what it is for, what it takes, the body it gives, and the list of that which is paged."""

    name: str
    title: str
    about: str
    takes: Mapping[str, Json]
    needs: tuple[str, ...]
    gives: Any
    entries: str
    ask: Callable[[Library, Given, int], Mapping[str, Any]]
    """From the library, what was given, and how many entries to pass over."""
    pages: bool = False
    """Whether the library passes over entries itself."""

    @property
    def input_schema(self) -> Json:
        """What it takes, as JSON Schema."""
        properties = {**self.takes, "cursor": _CURSOR, "tokens": _TOKENS}
        return {"type": "object", "properties": properties, "required": list(self.needs), "additionalProperties": False}

    @property
    def output_schema(self) -> Json:
        """What it gives, as JSON Schema."""
        return schemas.given(self.gives)

    def answer(self, library: Library, given: Given) -> Body:
        """The body with `truncated` and `cursor`. Raises InputError for what is not taken, and what the library raises."""
        self._check(given)
        passed = whole("cursor", given.get("cursor"), OFFSET)
        tokens = whole("tokens", given.get("tokens"), TOKENS)
        body = dict(self.ask(library, given, passed))
        entries = body[self.entries]
        if not self.pages:
            body[self.entries] = entries[passed:]
        short = cut(body, self.entries, tokens)
        end = passed + short.given
        more = end < (body.get("total", end) if self.pages else len(entries))
        return {**short.body, "truncated": short.truncated or more, "cursor": str(end) if more and short.given else None}

    def _check(self, given: Given) -> None:
        known = {**self.takes, "cursor": _CURSOR, "tokens": _TOKENS}
        if unknown := [name for name in given if name not in known]:
            raise InputError(
                "{path} knows no parameter {unknown}; it takes {known}",
                path=self.name,
                unknown=", ".join(name[:40] for name in unknown[:5]),
                known=", ".join(known),
            )
        if lacking := [name for name in self.needs if given.get(name) in (None, "")]:
            raise InputError("{tool} needs {names}", tool=self.name, names=", ".join(lacking))
        for name, value in given.items():
            kind = _TYPES[known[name]["type"]]
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool) != (kind is bool)):
                raise InputError("{name}: expected {type}", name=name, type=known[name]["type"])


_TYPES: Mapping[str, type] = {"string": str, "integer": int, "boolean": bool}


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
_GAME = _text("A game's slug: dm, fow, mtg, ygo; without it those that the question names, else all")
_GAMES = _text("Slugs, separated by commas: dm, fow, mtg, ygo; without it those that the question names, else all")
_AS_OF = _text("The rules as they stood then: a date (2024-06-07), month, year or edition")


def _search(library: Library, given: Given, passed: int) -> Mapping[str, Any]:
    return library.search(
        given["query"],
        games=given.get("game"),
        lang=given.get("lang"),
        within=given.get("in"),
        as_of=given.get("as_of"),
        offset=whole("cursor", passed, HITS_OFFSET),
    )


def _rule(library: Library, given: Given, _: int) -> Mapping[str, Any]:
    return library.rules(given["ref"], lang=given.get("lang"), within=given.get("in"), as_of=given.get("as_of"))


def _ask(library: Library, given: Given, _: int) -> Mapping[str, Any]:
    return library.ask(given["question"], games=given.get("game"), lang=given.get("lang"), as_of=given.get("as_of"))


def _verify(library: Library, given: Given, _: int) -> Mapping[str, Any]:
    options: Json = {name: given.get(name) for name in ("game", "as_of", "lang")}
    return library.verify(given["text"], **options, limited=True)


def _zones(library: Library, given: Given, _: int) -> Mapping[str, Any]:
    body = library.zones(games=given.get("games"), lang=given.get("lang"), as_of=given.get("as_of"))
    if (name := given.get("zone")) is None:
        return body
    asked = {concept["concept"] for concept in library.concept(name, lang=given.get("lang"))["concepts"]}
    zones = [zone for zone in body["zones"] if asked & {zone["concept"], *(match["concept"] for match in zone["matches"])}]
    if not zones:
        raise InputError("{given!r} names no zone; leave it out for all, or give a name as look_up_term has it", given=name[:40])
    return {**body, "zones": zones}


def _term(library: Library, given: Given, passed: int) -> Mapping[str, Any]:
    return library.term(given["label"], game=given.get("game"), lang=given.get("lang"), within=given.get("in"), limit=3)


def _changed(library: Library, given: Given, _: int) -> Mapping[str, Any]:
    return library.changes(given["book"], given["from"], given.get("to"), section=given.get("section"), lang=given.get("lang"))


def _rulings(library: Library, given: Given, passed: int) -> Mapping[str, Any]:
    asked: Json = {name: given.get(name) for name in ("query", "card", "rule", "game", "source", "as_of", "lang")}
    return library.rulings(changed=given.get("changed"), **asked, limit=20, offset=passed)


@cache
def tools() -> Mapping[str, Tool]:
    """Every tool by name, in the order that a model is told of them."""
    return {tool.name: tool for tool in _TOOLS}


_REF = _text("400.7d, mtg:400.7d, mtg:2024-06-07:400.7, MTG CR 400.7d, or an address", REFERENCE)
_TOOLS = (
    Tool(
        "search_rules",
        "Search the rules",
        "Find the rules that answer a question, in any language, over every game and edition. Start here. Hits quote the rule in "
        "full with its number and edition; cite these and no other numbers. `abstained` means that no rule is sure enough: tell "
        "the user its reason instead of guessing.",
        {
            "query": _text("The question, in the user's own words", QUERY),
            "game": _GAMES,
            "lang": _LANG,
            "in": _IN,
            "as_of": _AS_OF,
        },
        ("query",),
        contract.Search,
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
        {"question": _text("The question, in the user's own words", QUERY), "game": _GAMES, "lang": _LANG, "as_of": _AS_OF},
        ("question",),
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
