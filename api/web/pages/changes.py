"""`/changes`: what an edition changed, word by word; without a book the feed of editions."""

from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response

from api.http.replies import library_of
from api.text.changes import heading
from api.web.reader import reader_of
from api.web.replies import shown
from corpus.errors import InputError
from rulestone.limits import OFFSET, whole

_MOST = 200
"""Changes on one page."""


def changes(request: Request) -> Response:
    """The changes between two editions, section by section; `?kind=` shows those of one kind, `?section=` those of one section."""
    library, reader, given = library_of(request), reader_of(request), request.query_params
    book, old, new = (given.get(name) or None for name in ("book", "from", "to"))
    if book is None:
        return shown(request, "feed.html", feed=library.feed(lang=reader.lang)["editions"])
    if old is None:
        raise InputError("give a book and an edition or a date, e.g. ?book=mtg/cr&from=2024-06-07")
    section, kind = given.get("section") or None, given.get("kind") or None
    body = library.changes(book, old, new, section=section, lang=reader.reads)
    chosen = [change for change in body["changes"] if kind in (None, change["kind"])]
    offset = whole("offset", given.get("offset"), OFFSET)
    sections = [(titles, list(some)) for titles, some in groupby(chosen[offset : offset + _MOST], heading)]
    more = offset + _MOST if len(chosen) > offset + _MOST else None
    asked = {"book": book, "from": old, "to": new, "section": section}
    return shown(request, "changes.html", body=body, sections=sections, kind=kind, asked_of=asked, more=more)
