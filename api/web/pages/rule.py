"""The page of a rule."""

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from api.http.replies import library_of
from api.web.reader import reader_of
from api.web.replies import shown
from corpus.address import iri_of
from corpus.languages import LANGUAGES, choose
from rulestone.languages import language_option

if TYPE_CHECKING:
    from corpus.contract import Rule

ALL = "all"
"""What `?texts=` says for every language side by side."""


def page(request: Request, path: str) -> Response:
    """A rule with all that is known around it; `?texts=` chooses the languages of its words, `?as_of=` the moment."""
    library, reader, given = library_of(request), reader_of(request), request.query_params
    rule = library.rules(iri_of(path), lang=reader.lang, as_of=given.get("as_of") or None)["rules"][0]
    texts = given.get("texts") or None
    shows = list(rule["texts"]) if texts == ALL else _one(rule, language_option(texts, "texts") or reader.reads)
    thread = library.thread(rule["iri"]) if "history" in rule else None
    return shown(request, "rule.html", rule=rule, shows=shows, texts=texts, thread=thread)


def _one(rule: "Rule", lang: str) -> list[str]:
    """The one language whose words are shown."""
    chosen = choose(lang, rule["texts"])
    return [chosen] if chosen else []


def in_order(texts: "dict[str, object]") -> list[str]:
    """Languages in the order in which they are always shown."""
    return [lang for lang in LANGUAGES if lang in texts]
