"""Search: a question is checked, then answered from one bundle; and many questions from the lines of a file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from corpus.errors import InputError
from corpus.games import Titles
from corpus.messages import message
from corpus.store.home.manifest import titles_of
from rulestone import games, limits
from rulestone.languages import language_option
from rulestone.limits import whole

if TYPE_CHECKING:
    from corpus.contract import BatchLine, Search
    from search.searcher import Request, Searcher


def request(
    known: Titles,
    query: str,
    wanted: str | Iterable[str] | None = None,
    lang: str | None = None,
    within: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    kind: str | None = None,
) -> "Request":
    """What is asked, checked; `known` are the games that rules are loaded of, with the titles of their books.

    Raises InputError for an empty or endless question, an unknown game or language, and a number out of range.
    """
    from search.searcher import Request

    return Request(
        _words(query),
        games.games_of(wanted, known, games.RULES),
        language_option(lang, "lang"),
        language_option(within, "in"),
        whole("limit", limit, limits.HITS),
        whole("offset", offset, limits.HITS_OFFSET),
        _kind(kind),
    )


def _kind(kind: str | None) -> str | None:
    from search.searcher import RULE, RULING

    if kind in (None, RULE, RULING):
        return kind
    raise InputError("kind {given!r}: expected rule or ruling", given=(kind or "")[:40])


def _words(query: str) -> str:
    words = query.encode("utf-8", "replace").decode().strip()
    if not words:
        raise InputError("the query is empty; give 1 to {most} characters", most=limits.QUERY)
    if len(words) > limits.QUERY:
        raise InputError("the query is {count} characters long; give 1 to {most} characters", count=len(words), most=limits.QUERY)
    return words


def search(searcher: "Searcher", asked: "Request") -> "Search":
    """The rules that answer a question, or why none is shown."""
    return searcher.search(asked)


def batch(searcher: "Searcher", lines: Iterable[str], name: str) -> "list[BatchLine]":
    """The answers to the lines of a JSON Lines file, in order; empty lines are passed over.

    `name` is the file's. Raises InputError with the number of a bad line: then nothing is searched.
    """
    asked = list(_asked(lines, name, titles_of(searcher.knowledge.manifest)))
    return [_answer(searcher, ident, line) for ident, line in asked]


def _answer(searcher: "Searcher", ident: str, asked: "Request") -> "BatchLine":
    body = search(searcher, asked)
    return {"id": ident, "abstained": body["abstained"], "hits": body["hits"]}


def _asked(lines: Iterable[str], name: str, known: Titles) -> "Iterator[tuple[str, Request]]":
    for count, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _row(json.loads(line), known)
            except (ValueError, InputError, RecursionError) as fault:  # RecursionError: brackets without end
                reason = fault.message if isinstance(fault, InputError) else message("is not valid JSON")
                raise InputError(
                    "{file}, line {count}: {reason}; nothing was searched", file=name, count=count, reason=reason
                ) from None


def _row(row: object, known: Titles) -> "tuple[str, Request]":
    if not isinstance(row, Mapping):
        raise InputError("expected a JSON object")
    ident, query, game = row.get("id"), row.get("query"), row.get("game")
    if not isinstance(ident, str) or not isinstance(query, str) or not isinstance(game, str | None):
        raise InputError('expected "id" and "query" as strings, and "game" as a string or null')
    return ident, request(known, query, game, limit=limits.BATCH_HITS)
