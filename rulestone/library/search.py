"""Search: one question, or many in a file or a request; and completions while a user types."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus.address import concept_iri, scheme_of, slug_of
from corpus.editions.moment import undated_editions
from corpus.errors import InputError
from corpus.messages import Message, message
from corpus.reference import Titles, game_by_name
from corpus.store.home.manifest import titles_of
from rulestone import limits
from rulestone.games import NO_RULES, parse_game, parse_games
from rulestone.hits import with_siblings, without_examples, without_seen
from rulestone.languages import language_option
from rulestone.library.base import LibraryBase
from rulestone.limits import parse_int
from rulestone.references import addresses_of, listed_references
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from corpus import contract
    from search.searcher import Request, Searcher

_REQUEST_FIELDS = ("id", "query", "game", "lang")
"""The fields of a line of a batch."""
Line = Mapping[str, str | None]
Answering = Callable[[Line], Mapping[str, object]]
"""Turns the fields of a line into the fields that follow its `id` in the answer."""


class SearchMixin(LibraryBase):
    """Searches rules and rulings."""

    @in_readers_script
    def search(
        self,
        query: str,
        *,
        games: str | Iterable[str] | None = None,
        lang: str | None = None,
        book_lang: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        as_of: str | None = None,
        kind: str | None = None,
        seen: str | Iterable[str] | None = None,
        examples: bool = True,
        siblings: bool = False,
    ) -> "contract.Search":
        """The rules that answer a question in any language, best first, or the reason why no rule is certain enough.

        They may include rulings, at most three of the first ten; `kind` limits hits to rules (`rule`) or rulings (`ruling`).

        `games` limits it to some games (`dm,mtg` or a list), `book_lang` to books in one language. Answered in `lang`, else in
        the language of the question. `as_of` (a date, month, year or edition) searches as of then.

        `seen` are references of at most 200 rules that the client has read: hits on them have no words. Without `examples`, texts
        are the rules' own sentences; with `siblings`, hits name their siblings. Raises InputError for a reference in
        `seen` that names nothing.
        """
        from rulestone.search_bodies import search_body

        bundle = self._bundle()
        seen_iris = addresses_of("seen", listed_references(seen), bundle.knowledge)
        searcher = bundle.searcher_as_of(as_of)
        request = search_request(titles_of(bundle.knowledge.manifest), query, games, lang, book_lang, limit, offset, kind)
        body = search_body(searcher, with_compared_game(searcher, request))
        if not examples:
            body["hits"] = without_examples(body["hits"], searcher.knowledge)
        if seen_iris:
            body["hits"] = without_seen(body["hits"], seen_iris)
        if siblings:
            body["hits"] = with_siblings(body["hits"], searcher.knowledge, seen_iris)
        if as_of is not None:
            body["undated"] = undated_editions(bundle.as_of_date(as_of), body["understood"]["games"])
        return body

    @in_readers_script
    def batch(
        self,
        lines: Iterable[str],
        *,
        name: str = "batch",
        games: str | Iterable[str] | None = None,
        lang: str | None = None,
        book_lang: str | None = None,
        limit: int | str | None = None,
    ) -> "list[contract.BatchLine]":
        """The answers to questions that are JSON objects with `id`, `query` and `game`, one per line, in order.

        The options apply to every line, `games` to those that name no game; `limit` is at most 10. Empty lines are skipped. Raises
        InputError with `name` and the number of an invalid line; then nothing is searched.
        """
        from rulestone.search_bodies import search_body

        options = BatchOptions(games, lang, book_lang, parse_int("limit", limit, limits.BATCH_HIT_LIMITS))
        bundle = self._bundle()
        searcher = bundle.searcher
        searcher.wait_for_encoder()
        titles_by_game = titles_of(bundle.knowledge.manifest)
        search_request(titles_by_game, "options", *options)  # their errors are of no line
        requests = list(_parse_requests(lines, name, titles_by_game, options))
        bodies = ((ident, search_body(searcher, with_compared_game(searcher, request))) for ident, request in requests)
        return [{"id": ident, "abstained": body["abstained"], "hits": body["hits"]} for ident, body in bodies]

    def search_lines(self, data: bytes, *, lang: str | None = None) -> "Iterator[contract.BatchSearch | contract.BatchFault]":
        """The answers of `search` to JSON Lines of `id`, `query`, `game` and `lang`, at most 100 of them.

        A line that cannot be answered gets its error, in `lang`. Raises InputError if there are no lines or too many.
        """
        return self._answer_lines(
            data, lang, lambda row: {"search": self.search(**options_of_row(row), limit=limits.BATCH_HIT_LIMIT)}
        )

    @in_readers_script
    def suggest(
        self, typed: str, *, game: str | None = None, lang: str | None = None, limit: int | None = None
    ) -> "contract.Suggestions":
        """Completions for the beginning of a question: rules by number, concepts and cards by name, sections by title.

        Raises InputError for an unknown game and for more than 1000 characters.
        """
        answer, most = self._answer_language(lang), parse_int("limit", limit, limits.SUGGESTION_LIMITS)
        bundle = self._bundle()
        if len(typed) > limits.MAX_QUERY_LENGTH:
            raise _too_long(typed)
        titles_by_game = titles_of(bundle.knowledge.manifest)
        slug = parse_game(game, titles_by_game, NO_RULES) if game else None
        words, game_in_text = _strip_game_name(typed, titles_by_game)
        return {"query": typed, "lang": answer, "suggestions": bundle.suggester.suggest(words, slug or game_in_text, answer, most)}

    def _answer_lines(self, data: bytes, lang: str | None, answer: Answering) -> "Iterator[Any]":
        error_lang = self._answer_language(lang)
        self._bundle()  # raises before the first line is sent
        return _answer_each(_non_empty_lines(data), answer, error_lang)


def with_compared_game(searcher: "Searcher", request: "Request") -> "Request":
    """A request that names one game and asks for the like of a thing, with a game that calls a topic so.

    So *does Duel Masters have something like the stack?* is a question about Magic too. Games with these words precede games with
    only the same name of the concept.
    """
    from ontology.topic_table import topic_table
    from search.index.concept_tokens import find_concepts, games_with_label

    query = searcher.understand(request)
    if request.games or len(query.games) != 1 or not query.compares:
        return request
    for match, names in find_concepts(query.words, searcher.index.lexicon):
        for name in names:
            concept = concept_iri(name)
            cases = searcher.knowledge.names.cases.get(concept, ())
            calling = set(games_with_label(match, name)) or {scheme_of(case) for case in cases if slug_of(case) == slug_of(concept)}
            calling = calling.intersection(searcher.games).difference(query.games)
            topics = topic_table(searcher.knowledge, "en", calling, {concept})["topics"] if calling else []
            if others := [cell["game"] for topic in topics for cell in topic["cells"] if cell["found"]]:
                own = {scheme_of(case) for case in cases if slug_of(case) == slug_of(concept)}  # where it is the name, not slang
                return replace(request, games=(*query.games, next((game for game in others if game in own), others[0])))
    return request


def search_request(
    titles_by_game: Titles,
    query: str,
    games: str | Iterable[str] | None = None,
    lang: str | None = None,
    book_lang: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    kind: str | None = None,
) -> "Request":
    """A checked question. `titles_by_game` are the games that have rules, with the titles of their books.

    Raises InputError for an empty or too long question, an unknown game, language or kind, and a number out of range.
    """
    from search.searcher import RULE, RULING, Request

    if kind not in (None, RULE, RULING):
        raise InputError("kind {given!r}: expected rule or ruling", given=(kind or "")[:40])
    words = query.encode("utf-8", "replace").decode().strip()
    if not words:
        raise InputError("the query is empty; give 1 to {most} characters", most=limits.MAX_QUERY_LENGTH)
    if len(words) > limits.MAX_QUERY_LENGTH:
        raise _too_long(words)
    return Request(
        words,
        parse_games(games, titles_by_game, NO_RULES),
        language_option(lang, "lang"),
        language_option(book_lang, "in"),
        parse_int("limit", limit, limits.HIT_LIMITS),
        parse_int("offset", offset, limits.HIT_OFFSETS),
        kind,
    )


def _too_long(words: str) -> InputError:
    return InputError(
        "the query is {count} characters long; give 1 to {most} characters", count=len(words), most=limits.MAX_QUERY_LENGTH
    )


def _strip_game_name(text: str, titles_by_game: Titles) -> tuple[str, str | None]:
    """The words without a leading game, and that game: `mtg 400.7`, `dm:400.3b`."""
    first, _, rest = text.strip().replace(":", " ", 1).partition(" ")
    if rest.strip()[:1].isdigit() and (slug := game_by_name(first, titles_by_game)) in titles_by_game:
        return rest.strip(), slug
    return text, None


class BatchOptions(NamedTuple):
    """The options of a batch: the games of lines that name none, the languages of answers and books, the number of hits."""

    games: str | Iterable[str] | None
    lang: str | None
    book_lang: str | None
    limit: int


def _parse_requests(
    lines: Iterable[str], name: str, titles_by_game: Titles, options: BatchOptions
) -> "Iterator[tuple[str, Request]]":
    """The questions of a JSON Lines file with their ids. Raises InputError with the number of an invalid line."""
    for count, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _parse_request(json.loads(line), titles_by_game, options)
            except (ValueError, InputError, RecursionError) as fault:  # RecursionError: endless brackets
                reason = fault.message if isinstance(fault, InputError) else message("is not valid JSON")
                raise InputError(
                    "{file}, line {count}: {reason}; nothing was searched", file=name, count=count, reason=reason
                ) from None


def _parse_request(row: object, titles_by_game: Titles, options: BatchOptions) -> "tuple[str, Request]":
    if not isinstance(row, Mapping):
        raise InputError("expected a JSON object")
    ident, query, game = row.get("id"), row.get("query"), row.get("game")
    if not isinstance(ident, str) or not isinstance(query, str) or not isinstance(game, str | None):
        raise InputError('expected "id" and "query" as strings, and "game" as a string or null')
    return ident, search_request(titles_by_game, query, game or options.games, options.lang, options.book_lang, options.limit)


def _non_empty_lines(data: bytes) -> list[tuple[int, bytes]]:
    """The lines of a batch that are not empty, with their numbers. Raises InputError if there are none or too many."""
    if len(data) > limits.BATCH_BYTES:
        raise InputError("the batch has more than {most} KiB; send it in parts", most=limits.BATCH_BYTES >> 10)
    lines = [(count, line) for count, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not lines or len(lines) > limits.BATCH_LINES:
        raise InputError(
            'the batch has {count} lines; give 1 to {most}, each a JSON object with "id" and "query"',
            count=len(lines),
            most=limits.BATCH_LINES,
        )
    return lines


def _answer_each(lines: Iterable[tuple[int, bytes]], answer: Answering, lang: str) -> Iterator[Mapping[str, object]]:
    """The answer to each line, or its error in `lang`, in order."""
    for count, line in lines:
        row, error = _parse_row(line)
        try:
            yield _fault_body(row, count, error, lang) if error else {"id": row["id"], **answer(row)}
        except InputError as refused:
            yield _fault_body(row, count, refused.message, lang)


def _parse_row(line: bytes) -> tuple[Line, Message | None]:
    """The fields of a line, and the error in them."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):  # RecursionError: endless brackets
        return {}, message("is not valid JSON")
    if not isinstance(row, dict):
        return {}, message("expected a JSON object")
    if unknown := [name for name in row if name not in _REQUEST_FIELDS]:
        field_list = ", ".join(name[:40] for name in unknown[:5])
        return row, message("unknown field {unknown}; known fields: {known}", unknown=field_list, known=", ".join(_REQUEST_FIELDS))
    required_values: Sequence[object] = [row.get("id"), row.get("query")]
    others = [row.get("game"), row.get("lang")]
    if all(isinstance(value, str) for value in required_values) and all(isinstance(value, str | None) for value in others):
        return row, None
    return row, message('expected "id" and "query" as strings, "game" and "lang" as strings or null')


def _fault_body(row: Mapping[str, object], count: int, reason: Message, lang: str) -> "contract.BatchFault":
    ident = row.get("id")
    return {"id": ident if isinstance(ident, str) else None, "line": count, "error": reason.in_language(lang)}


def options_of_row(row: Line) -> Any:  # noqa: ANN401
    """The fields of a line as arguments of `search` and `ask`."""
    return {"query": row["query"], "games": row.get("game"), "lang": row.get("lang")}
