"""`/id/…`: the page of whatever stands at an address, and pieces of it for other pages."""

from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from api.http.replies import library_of
from api.http.routes.graph.linked import LATEST
from api.web.pages import book, concept, rule
from api.web.reader import reader_of
from api.web.replies import elsewhere, shown
from corpus.address import iri_of, path_of
from corpus.contract import Rule
from corpus.languages import choose
from rulestone.answers.linked.addresses import CONCEPTS


def resource(request: Request) -> Response:
    """The page of a rule, an edition or a concept; `latest` leads to the current edition."""
    library, path = library_of(request), request.path_params["path"]
    if path.split("/")[2:3] == [LATEST] and not path.startswith(CONCEPTS):
        return elsewhere(f"/id/{library.current_path(path)}", 307)
    kind = library.kind_at(path)
    if kind == "rule":
        return rule.page(request, path)
    if kind == "ruling":
        return _ruling(request, path)
    if kind == "edition":
        return book.contents(request, path)
    return concept.page(request, path)


def _ruling(request: Request, path: str) -> Response:
    """The page of a ruling."""
    as_of = request.query_params.get("as_of") or None
    body = library_of(request).rulings(iri_of(path), as_of=as_of)["rulings"][0]
    shown_ = choose(reader_of(request).lang, body["answer"]) or next(iter(body["answer"]))
    return shown(request, "ruling.html", ruling=body, shown=shown_, others=[lang for lang in body["answer"] if lang != shown_])


def section(request: Request) -> Response:
    """The rules of the section that a rule stands in, as a piece of a page."""
    here = _rule(request, request.path_params["path"])
    around = _rule(request, path_of(here["parent"])) if here["parent"] and here["kind"] == "rule" else here
    return shown(request, "part_section.html", section=around, at=here["iri"])


def preview(request: Request) -> Response:
    """One rule in short, as a piece of a page."""
    return shown(request, "part_rule.html", rule=_rule(request, request.path_params["path"]))


def _rule(request: Request, path: str) -> Rule:
    body: Any = library_of(request).rules(iri_of(path), lang=reader_of(request).lang)["rules"][0]
    return cast("Rule", body)
