"""`/id/…`: the page of a rule, a ruling, an edition or a concept, and fragments of it; `/concepts` and `/ns`."""

from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from api.http.routes.linked_data import LATEST_SEGMENT
from api.web.beside import counterpart_groups, judged, topics_by_rule
from api.web.books import contents
from api.web.maps import neighbourhood
from api.web.rendering import library_of, page, redirect, request_reader
from corpus.address import concept_name, iri_of, path_of
from corpus.languages import choose
from corpus.model import NEGATION_PREFIX
from rulestone.languages import language_option
from rulestone.library.linked_data import CONCEPTS

if TYPE_CHECKING:
    from corpus.contract import Rule

ALL_LANGUAGES = "all"
"""The value of `?texts=` for every language side by side."""


def resource(request: Request) -> Response:
    """The page of a rule, an edition or a concept; `latest` leads to the current edition."""
    library, path = library_of(request), request.path_params["path"]
    if path.split("/")[2:3] == [LATEST_SEGMENT] and not path.startswith(CONCEPTS):
        return redirect(f"/id/{library.current_path(path)}", 307)
    if new_path := library.moved_path(path):
        return redirect(f"/id/{quote(new_path)}", 308)
    kind = library.kind_at(path)
    if kind == "rule":
        return _rule_page(request, path)
    if kind == "ruling":
        return _ruling_page(request, path)
    if kind == "edition":
        return contents(request, path)
    return _concept_page(request, path)


def _ruling_page(request: Request, path: str) -> Response:
    """The page of a ruling."""
    as_of = request.query_params.get("as_of") or None
    body = library_of(request).rulings(iri_of(path), as_of=as_of)["rulings"][0]
    shown_ = choose(request_reader(request).lang, body["answer"]) or next(iter(body["answer"]))
    return page(request, "ruling.html", ruling=body, shown=shown_, others=[lang for lang in body["answer"] if lang != shown_])


def section_fragment(request: Request) -> Response:
    """The rules of the section that contains a rule, as a page fragment."""
    here = _first_rule(request, request.path_params["path"])
    around = _first_rule(request, path_of(here["parent"])) if here["parent"] and here["kind"] == "rule" else here
    return page(request, "part_section.html", section=around, at=here["iri"])


def rule_preview(request: Request) -> Response:
    """One rule in short form, as a page fragment."""
    return page(request, "part_rule.html", rule=_first_rule(request, request.path_params["path"]))


def _first_rule(request: Request, path: str) -> "Rule":
    return library_of(request).rules(iri_of(path), lang=request_reader(request).lang)["rules"][0]


def _rule_page(request: Request, path: str) -> Response:
    """A rule with all data about it; `?texts=` selects the languages of its words, `?as_of=` the date."""
    library, reader, parameters = library_of(request), request_reader(request), request.query_params
    rule = library.rules(iri_of(path), lang=reader.lang, as_of=parameters.get("as_of") or None)["rules"][0]
    texts = parameters.get("texts") or None
    shows = (
        list(rule["texts"])
        if texts == ALL_LANGUAGES
        else _single_language(rule, language_option(texts, "texts") or reader.reading_language)
    )
    thread = library.thread(rule["iri"]) if "history" in rule else None
    games = counterpart_groups(library, rule["iri"], judged(rule["counterparts"]), reader.lang)
    similar = [one for one in rule["counterparts"] if one["status"] == "proposed"]
    return page(
        request,
        "rule.html",
        rule=rule,
        shows=shows,
        quoted=_quotation_language(rule, shows),
        thread=thread,
        games=games,
        similar=similar,
    )


def _quotation_language(rule: "Rule", shown_languages: list[str]) -> str | None:
    """The language of the words that a copied citation quotes: official ones, preferably those shown."""
    official = (lang for lang in (*shown_languages, *rule["texts"]) if rule["texts"][lang]["authority"] == "official")
    return next(official, next(iter(shown_languages), None))


def _single_language(rule: "Rule", lang: str) -> list[str]:
    """The only language whose words are shown."""
    text_lang = choose(lang, rule["texts"])
    return [text_lang] if text_lang else []


def _concept_page(request: Request, path: str) -> Response:
    """Names in all languages, properties with their proofs, counterparts and uses; for a cross-game concept, its cases."""
    library, reader = library_of(request), request_reader(request)
    body = library.concept(concept_name(iri_of(path)), lang=reader.lang, as_of=request.query_params.get("as_of") or None)
    concept, *cases = body["concepts"]
    labels = library.property_labels()
    topics = topics_by_rule(library, library.bundle_name(), reader.lang)["topics"]
    values: dict[str, Any] = {
        "concept": concept,
        "cases": cases,
        "properties": labels,
        "denied": NEGATION_PREFIX,
        "picture": neighbourhood(concept),
        "topic": next((topic for topic in topics if topic["concept"] == concept["concept"]), None),
    }
    return page(request, "concept.html", **values)


def concepts(request: Request) -> Response:
    """The list of all concepts, game by game and kind by kind."""
    library, reader, parameters = library_of(request), request_reader(request), request.query_params
    game, kind = parameters.get("game") or None, parameters.get("kind") or "zone"
    body = library.concepts(games=game, kind=kind, lang=reader.lang, limit=1000)
    return page(request, "concepts.html", body=body, game=game, kind=kind)


def proof_fragment(request: Request) -> Response:
    """The words that prove one property, or one claim of it, as a page fragment."""
    library, reader = library_of(request), request_reader(request)
    name = request.query_params.get("property", "")
    concept = library.concept(request.path_params["name"], lang=reader.lang)["concepts"][0]
    claim_name = request.query_params.get("claim")
    claims = [claim for claim in concept["properties"].get(name, []) if claim_name in (None, claim["claim"].rsplit("/", 1)[-1])]
    return page(request, "part_proof.html", concept=concept, name=name, claims=claims, properties=library.property_labels())


def vocabulary(request: Request) -> Response:
    """Every term, group by group; its address ends with `#` and its name."""
    groups = [(name, list(terms)) for name, terms in groupby(library_of(request).vocabulary_terms(), lambda term: term.group)]
    return page(request, "vocabulary.html", groups=groups)
