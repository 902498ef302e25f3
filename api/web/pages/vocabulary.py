"""`/ns`: the vocabulary for people; for programs it is Turtle or JSON-LD at the same address."""

from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response

from api.http.replies import library_of
from api.web.replies import shown


def vocabulary(request: Request) -> Response:
    """Every term, group by group; its address ends with `#` and its name."""
    groups = [(name, list(terms)) for name, terms in groupby(library_of(request).vocabulary_terms(), lambda term: term.group)]
    return shown(request, "vocabulary.html", groups=groups)
