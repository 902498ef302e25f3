"""`rulestone search` and `/v1/search`: what is asked is checked, what is found is written out."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from api.cli.console import tell
from api.cli.opening import searching
from api.languages import asked_for
from api.text.rule import DOT
from api.text.wrap import wrap
from corpus.catalogue import catalogue
from corpus.errors import InputError
from corpus.text import fold
from ontology.store.home import Home
from search.rank.highlight import as_marks
from search.searcher import Request, Searcher

Body = dict[str, Any]
LONGEST, MOST, FARTHEST = 1000, 100, 1000
"""Characters of a query; hits in one answer; hits that can be passed over."""
BATCH = 10
"""Hits for each line of a batch."""
_EXCERPT = 420
"""Characters of a rule that are shown for one hit on a terminal."""


def request(
    query: str,
    games: str | None = None,
    lang: str | None = None,
    within: str | None = None,
    limit: str | None = None,
    offset: str | None = None,
) -> Request:
    """What is asked, checked. Raises InputError for an empty or endless query, an unknown game, a limit out of range."""
    words = query.encode("utf-8", "replace").decode().strip()
    if not words or len(words) > LONGEST:
        raise InputError(
            f"the query is {'empty' if not words else f'{len(words)} characters long'}; give 1 to {LONGEST} characters"
        )
    slugs = tuple(_game(one.strip()) for one in (games or "").split(",") if one.strip())
    return Request(
        words,
        slugs,
        asked_for(lang, "lang"),
        asked_for(within, "in"),
        _count(limit, "limit", BATCH, 1, MOST),
        _count(offset, "offset", 0, 0, FARTHEST),
    )


def _game(name: str) -> str:
    """The slug of a game by any of its names, written in whatever width and case; else what is given."""
    known = catalogue().games.items()
    named = (slug for slug, game in known if fold(name) in map(fold, (slug, *game.names.values(), *game.aliases)))
    return next(named, name)


def _count(text: str | None, option: str, default: int, least: int, most: int) -> int:
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or not least <= int(text[:9]) <= most:
        raise InputError(f"{option} {text[:20]!r}: expected a whole number from {least} to {most}")
    return int(text)


def found(home: Home, asked: Request) -> Body:
    """The `search` body. Raises InputError for a game that no loaded book belongs to."""
    with searching(home, tell) as searcher:
        return answer(searcher, asked)


def answer(searcher: Searcher, asked: Request) -> Body:
    """The `search` body of one bundle. Raises InputError for a game that it has no rules of."""
    games = searcher.index.games
    if unknown := [game for game in asked.games if game not in games]:
        raise InputError(f"{', '.join(unknown)[:60]!r}: no rules of that game are loaded; expected some of {', '.join(games)}")
    return searcher.search(asked)


def batch(home: Home, file: Path) -> list[str]:
    """One JSON line for each line of a JSON Lines file, in order. Raises InputError with the number of a bad line."""
    asked = list(_lines(file))
    with searching(home, tell) as searcher:
        return [json.dumps(_batched(searcher, name, one), ensure_ascii=False) for name, one in asked]


def _batched(searcher: Searcher, name: str, asked: Request) -> Body:
    body = searcher.search(asked)
    return {"id": name, "abstained": body["abstained"], "hits": body["hits"]}


def _lines(file: Path) -> Iterator[tuple[str, Request]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{file}: there is no such file; expected one JSON object a line") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"{file}: cannot be read as UTF-8 text ({type(fault).__name__})") from fault
    for count, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield _asked(json.loads(line))
            except (ValueError, InputError, RecursionError) as fault:  # RecursionError: brackets without end
                reason = str(fault) if isinstance(fault, InputError) else "is no JSON"
                raise InputError(f"{file}, line {count}: {reason}; nothing was searched") from None


def _asked(row: object) -> tuple[str, Request]:
    if not isinstance(row, dict):
        raise InputError("expected a JSON object")
    name, query, game = row.get("id"), row.get("query"), row.get("game")
    if not isinstance(name, str) or not isinstance(query, str) or not isinstance(game, str | None):
        raise InputError('expected "id" and "query" as strings, and "game" as a string or null')
    return name, request(query, game)


def pages(body: Body, width: int | None) -> Iterator[str]:
    """The lines of a `search` body: each hit with its edition, its words and its counterparts."""
    if body["abstained"]:
        yield from wrap(body["reason"], width)
        return
    if fixed := body["understood"]["corrected"]:
        yield from wrap("searched for " + ", ".join(f"{right} (typed {wrong})" for wrong, right in fixed.items()), width)
    for count, hit in enumerate(body["hits"], body["offset"] + 1):
        yield from ["", *_hit(hit, count, width)] if count > 1 else _hit(hit, count, width)


def _hit(hit: Body, count: int, width: int | None) -> Iterator[str]:
    current = "current" if hit["current"] else "NOT CURRENT"
    whose = f"{hit['authority']}{DOT}{hit['lang']}" if hit["authority"] else "gloss only"
    number = (hit["number"] or hit["locator"]).rstrip(".")
    yield from wrap(DOT.join((f"{count}. {hit['game']} {hit['book']} {hit['edition']}", number, current, whose)), width)
    if hit["heading"]:
        yield from wrap(" › ".join(hit["heading"]), width, "   ")
    if hit["text"]:
        yield from wrap(_excerpt(hit, width), width, "   ")
    if hit["gloss"]:
        yield from wrap(hit["gloss"], width, "   gloss, unofficial: " if hit["text"] else "   ", "   ")
    if same := hit["same_rule"]:
        yield from wrap(_cut(same["text"], hit), width, f"   {same['lang']}, {same['edition']}: ", "   ")
    if hit["why"]["children"]:
        yield from wrap(_parts(hit), width, "   ↳ ", "     ")
    nearest = {other["game"]: other for other in reversed(hit["counterparts"])}  # the surest of each game
    for other in reversed(nearest.values()):
        yield from wrap(f"{other['game']} {other['locator']}: {other['comment']}", width, "   ≈ ", "     ")


def _excerpt(hit: Body, width: int | None) -> str:
    """The rule's words, what answers the query in bold on a terminal; a long text is cut, and says so."""
    cut = _cut(hit["text"], hit)
    if width is None or "NO_COLOR" in os.environ:
        return cut
    return as_marks(cut, [span for span in hit["highlights"] if span["end"] <= _EXCERPT], "\x1b[1m", "\x1b[0m")


def _cut(text: str, hit: Body) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}… ({_show(hit)})"


def _parts(hit: Body) -> str:
    """The rules that complete a hit, and where to read them."""
    named = ", ".join((one["number"] or one["locator"]).rstrip(".") for one in hit["why"]["children"])
    more = ", …" if hit["why"]["parts"] > len(hit["why"]["children"]) else ""
    return f"{named}{more} ({_show(hit)})"


def _show(hit: Body) -> str:
    return f"rulestone show {hit['game']}:{hit['locator']}"
