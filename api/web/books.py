"""The pages of books: all editions, the contents of one, its parts to read, and the changes between editions."""

import re
from itertools import groupby
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from api.text.changes import section_titles
from api.web import home
from api.web.markup import Marks, find_spans
from api.web.rendering import library_of, page, request_reader
from corpus.errors import InputError
from corpus.languages import LANGUAGES, choose
from corpus.model import HEADING_KINDS
from rulestone.languages import language_option
from rulestone.limits import OFFSETS, parse_int

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpus.contract import Change, Part, Reading, RuleRecord

_MAX_OPEN_RULES = 40
"""Maximum number of parts of an unfolded table of contents."""
_MAX_QUERY_LENGTH = 100
"""Maximum number of characters of the words to find."""
_MAX_SHOWN = 200
"""Number of changes on one page."""


def library(request: Request) -> Response:
    """Every edition, game by game, current ones first. `?keep=` proposes one game for offline use."""
    editions = sorted(
        library_of(request).editions()["editions"], key=lambda summary: (summary["game"], not summary["current"], summary["book"])
    )
    games = [(game, list(books)) for game, books in groupby(editions, lambda summary: summary["game"])]
    keep = request.query_params.get("keep")
    newest = {game.slug: game.date_label(request_reader(request).lang) for game in home.games(editions)}
    return page(request, "library.html", games=games, health=library_of(request).health(), keep=keep, newest=newest)


def contents(request: Request, path: str) -> Response:
    """The table of contents of an edition, beside the other editions of its book."""
    library, reader = library_of(request), request_reader(request)
    body = library.contents(path, lang=reader.lang)
    game, book, edition = (body["edition"][name] for name in ("game", "book", "edition"))
    others = [
        other
        for other in library.editions()["editions"]
        if (other["game"], other["book"]) == (game, book) and other["edition"] != edition
    ]
    chapters = list(_parts_by_chapter(body["parts"]))
    is_unfolded = len(body["parts"]) <= _MAX_OPEN_RULES
    return page(request, "book.html", body=body, others=others, chapters=chapters, unfolded=is_unfolded)


def _parts_by_chapter(parts: "list[Part]") -> "Iterator[tuple[Part, list[Part]]]":
    """Each part at the top level, with the parts under it."""
    tops = [at for at, part in enumerate(parts) if part["depth"] == 0]
    for at, end in zip(tops, [*tops[1:], len(parts)], strict=True):
        yield parts[at], parts[at + 1 : end]


def reading(request: Request) -> Response:
    """A part of an edition with everything below it. `?texts=` sets the language of the words, `?find=` words to find."""
    library, reader, parameters = library_of(request), request_reader(request), request.query_params
    edition = "/".join(request.path_params[name] for name in ("game", "book", "edition"))
    body = library.reading(edition, request.path_params["locator"], lang=reader.lang)
    there = [lang for lang in LANGUAGES if any(lang in rule["texts"] for rule in body["rules"])]
    text_lang = language_option(parameters.get("texts") or None, "texts") or reader.reading_language
    find = parameters.get("find", "").strip()[:_MAX_QUERY_LENGTH]
    rules = list(_rules_to_show(body, choose(text_lang, there), text_lang, find))
    return page(
        request,
        "reading.html",
        body=body,
        edition=edition,
        place=request.url.path,
        there=there,
        shows=text_lang,
        find=find,
        rules=rules,
    )


def _rules_to_show(
    body: "Reading", lang: str | None, texts: str, find: str
) -> "Iterator[tuple[RuleRecord, int, str | None, Marks]]":
    """Each rule with its depth, the language of its words (None: our gloss) and the matches in them."""
    pattern = re.compile(re.escape(find), re.IGNORECASE) if find else None
    for rule, depth in zip(body["rules"], body["depths"], strict=True):
        text_lang = choose(lang or texts, rule["texts"])
        marks = find_spans(rule["texts"][text_lang]["text"], pattern) if text_lang and pattern else []
        if pattern is None or marks or (rule["kind"] not in HEADING_KINDS and _contains_words(rule, pattern)):
            yield rule, depth, text_lang, marks


def _contains_words(rule: "RuleRecord", pattern: re.Pattern[str]) -> bool:
    """Whether the shown parts of a rule contain words: its text or gloss, number, examples, notes and headwords."""
    beside = [rule["locator"], *rule["headwords"].values(), *(aside["text"] for aside in (*rule["examples"], *rule["notes"]))]
    return any(map(pattern.search, beside if rule["texts"] else [*beside, *rule["digest"].values()]))


def changes(request: Request) -> Response:
    """The changes between two editions, section by section; `?kind=` shows those of one kind, `?section=` those of one section."""
    library, reader, parameters = library_of(request), request_reader(request), request.query_params
    book, old, new = (parameters.get(name) or None for name in ("book", "from", "to"))
    if book is None:
        return page(request, "feed.html", feed=library.feed(lang=reader.lang)["editions"])
    if old is None:
        raise InputError("give a book and an edition or a date, e.g. ?book=mtg/cr&from=2024-06-07")
    section, kind = parameters.get("section") or None, parameters.get("kind") or None
    body = library.changes(book, old, new, section=section, lang=reader.reading_language)
    changes_of_kind = [change for change in body["changes"] if kind is None or kind in _change_kinds(change)]
    offset = parse_int("offset", parameters.get("offset"), OFFSETS)
    sections = [(titles, list(some)) for titles, some in groupby(changes_of_kind[offset : offset + _MAX_SHOWN], section_titles)]
    more = offset + _MAX_SHOWN if len(changes_of_kind) > offset + _MAX_SHOWN else None
    comparison = {"book": book, "from": old, "to": new, "section": section}
    return page(request, "changes.html", body=body, sections=sections, kind=kind, asked_of=comparison, more=more)


def _change_kinds(change: "Change") -> set[str]:
    """The kinds under which a change is counted."""
    flags = {"only_references": change["only_references"], "reused": bool(change["reused"])}
    return {change["kind"], *(name for name, is_set in flags.items() if is_set)}
