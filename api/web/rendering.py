"""Pages from templates: the reader and their languages, addresses on this server, and responses with entity tags."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api import labels
from api.http import replies
from api.languages import accepted_language
from api.templates import template_environment
from api.web import markup
from api.web.static import static_path
from corpus.address import ID, EditionKey, concept_name, split_rule
from corpus.errors import InputError
from corpus.languages import LANGUAGE_NAMES, choose, readable
from corpus.messages import Localisable, Message
from rulestone import Library
from rulestone.languages import DEFAULT_LANGUAGE, language_option, parse_language
from rulestone.traditional import in_traditional

HTML = "text/html"
VARY = "Accept, Accept-Language, Cookie, Accept-Encoding"
OFFLINE_PATH = "/offline"
"""The page that browsers cache in every language: its address names the language."""
_LANG, _BOOKS, _FIRST = "lang", "books", "first"
"""Cookies with the reader's choices."""
GLOSS, WORDS = _READ_FIRST = ("gloss", "words")
"""The text that is shown first if a book is in another language: our gloss, or the book's own words."""
_YEAR_SECONDS = 365 * 24 * 3600
_TEMPLATES = Path(__file__).parent / "templates"


# The reader


@dataclass(frozen=True, slots=True)
class ReaderChoice:
    """The languages that a reader chose, else those of the browser."""

    lang: str  # of the page
    books: str | None  # of the books; None: that of the page
    first: str = GLOSS  # or WORDS

    @property
    def reading_language(self) -> str:
        """The language in which a book's words are shown first."""
        return self.books or self.lang

    def is_gloss_first(self, gloss: str, texts: Iterable[str]) -> bool:
        """Whether a gloss stands above the words: if the reader's language is that of the gloss and of none of the texts."""
        own = {*readable(self.lang), *readable(self.reading_language)}
        return self.first == GLOSS and gloss in readable(self.lang) and own.isdisjoint(texts)


def request_reader(request: Request) -> ReaderChoice:
    """The reader behind a request. Cookies with an unsupported language are ignored."""
    offline_lang = request.query_params.get(_LANG, "") if request.url.path == OFFLINE_PATH else ""
    cookie_lang = parse_language(offline_lang or request.cookies.get(_LANG, ""))
    books = parse_language(request.cookies.get(_BOOKS, ""))
    first = WORDS if request.cookies.get(_FIRST) == WORDS else GLOSS
    return ReaderChoice(cookie_lang or accepted_language(request.headers.get("accept-language")) or DEFAULT_LANGUAGE, books, first)


def library_of(request: Request) -> Library:
    """The library of the application; for readers of traditional characters, our own words are in these."""
    library = replies.library_of(request)
    return in_traditional(library) if request_reader(request).lang == "zh-Hant" else library


def save_languages(request: Request) -> Response:
    """`/languages`: saves the languages of the pages and of the books, and the text that is shown first, for a year.

    Without a choice, shows the form.
    """
    parameters = request.query_params
    back = parameters.get("back", "/")
    names = [name for name in (_LANG, _BOOKS, _FIRST) if name in parameters]
    if not names:
        return page(request, "languages.html", back=back if is_local(back) else "/")
    response = redirect(back if is_local(back) else "/")
    secure = request.url.scheme == "https"
    for name in names:
        if (
            value := _parse_reading_languages(parameters[name])
            if name == _FIRST
            else language_option(parameters[name] or None, name)
        ):
            response.set_cookie(name, value, _YEAR_SECONDS, secure=secure, httponly=True, samesite="lax")
        else:
            response.delete_cookie(name, secure=secure, httponly=True, samesite="lax")
    return response


def _parse_reading_languages(value: str) -> str:
    """Raises InputError for another value."""
    if value not in _READ_FIRST:
        raise InputError("first={given!r}: expected one of {known}", given=value[:40], known=", ".join(_READ_FIRST))
    return value


# Responses


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:  # noqa: ANN401
    """A page from a template, with the reader and the page's own address as variables."""
    reader = request_reader(request)
    labels.name_games(library_of(request).game_titles)
    here = path_with_query(request.url.path, **dict(request.query_params))
    values |= {"lang": reader.lang, "reader": reader, "here": here, "path": request.url.path, "languages": LANGUAGE_NAMES}
    values["has_rule"] = replies.library_of(request).has_rule
    body = _environment().get_template(template).render(**values).encode("utf-8", "replace")
    return with_entity_tag(body, f"{HTML}; charset=utf-8", status, lang=reader.lang)


def with_entity_tag(body: bytes, media: str, status: int = 200, *, lang: str) -> Response:
    """Bytes with an entity tag, which is a hash of them; errors have none."""
    headers = {"Vary": VARY, "Cache-Control": "no-cache", "Content-Language": lang}
    if status == 200:
        headers["ETag"] = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    return Response(body, status, headers, media)


def redirect(path: str, status: int = 303) -> Response:
    """A redirect to another page of this server."""
    return RedirectResponse(path, status, {"Vary": VARY, "Cache-Control": "no-cache"})


# Addresses


def path_with_query(path: str, /, **parameters: object) -> str:
    """A path with a query, without parameters that are None or empty."""
    query = urlencode([(name, str(value)) for name, value in parameters.items() if value not in (None, "")])
    return f"{path}?{query}" if query else path


def is_local(path: str) -> bool:
    """Whether a path stays on this server in every browser."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()


def _reading_path(iri: str) -> str:
    """The page on which a part of a book is read: `/read/mtg/cr/2025-02-07/400`."""
    return f"/read/{quote(iri.removeprefix(ID), safe=markup.URL_SAFE_CHARACTERS)}"


# Templates


@cache
def _environment() -> Environment:
    """The templates, compiled once."""
    environment = template_environment(_TEMPLATES, lstrip_blocks=True)
    environment.globals |= {"_": _translate, "static": static_path, "labels": labels, "Markup": Markup}
    environment.filters |= {
        "said": _translate_value,
        "day": _edition_date,
        "local": markup.local_path,
        "asking": path_with_query,
        "read": _reading_path,
        "part": lambda iri, kind: markup.fragment_path(kind, iri),
        "game_of": lambda iri: split_rule(iri).key.game,
        "locator": _place,
        "book": lambda rule: markup.local_path(str(EditionKey(rule["game"], rule["book"], rule["edition"]).iri)),
        "citation": labels.rule_citation,
        "best": lambda there, lang: choose(lang, there) or next(iter(there), None),
        "concept": concept_name,
        "marks": markup.mark_spans,
        "differing": markup.mark_differences,
        "words": markup.rule_words_html,
        "number": _number,
    }
    return environment


@pass_context
def _translate(context: Context, text: str, **values: object) -> Markup:
    """`_("… {name} …", name=…)`: a message of the catalogue in the reader's language. Values that are not markup are escaped."""
    lang: str = context["lang"]
    local_values = {name: value.in_language(lang) if isinstance(value, Localisable) else value for name, value in values.items()}
    message = Markup(escape(Message(text).in_language(lang)))
    return message.format(**local_values) if local_values else message


@pass_context
def _translate_value(context: Context, value: object) -> object:
    """A message or a name in the reader's language; any other value unchanged."""
    return value.in_language(context["lang"]) if isinstance(value, Localisable) else value


@pass_context
def _place(context: Context, iri: str) -> str:
    """A rule's place in its book; an entry of a glossary by its word."""
    return labels.rule_place(split_rule(iri).locator, context["lang"])


@pass_context
def _number(context: Context, rule: Mapping[str, object]) -> str:
    """A rule's number; an entry of a glossary by its word."""
    return labels.rule_place(labels.rule_number(rule), context["lang"])


@pass_context
def _edition_date(context: Context, edition: str) -> str:
    """An edition's date, or its name without one, in the reader's language."""
    return labels.edition_date(edition, context["lang"])
