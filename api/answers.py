"""The bodies that the command line and the HTTP API give alike (DESIGN section 6)."""

import json
from typing import Any

from api.languages import choose
from corpus.errors import InputError
from corpus.paging import Page
from corpus.reference import Reference
from ontology.answers.counterparts import counterparts
from ontology.answers.preferred import concepts_of
from ontology.store.knowledge import Knowledge

Body = dict[str, Any]
_NAMES = ("iri", "game", "book", "edition", "current", "number", "locator")


def rules(knowledge: Knowledge, ref: str, reference: Reference, lang: str, within: str | None = None) -> Body:
    """The rules that a reference names, with the words of their children: `{"ref", "rules"}`.

    `ref` is echoed; `lang` is the answer's language, `within` the book's. Raises NotFoundError.
    """
    found = knowledge.rules(reference, within)
    return {"ref": ref, "rules": [rule(knowledge, record, lang) for record in found]}


def rule(knowledge: Knowledge, record: Any, lang: str) -> Body:  # noqa: ANN401
    """One rule as it is shown: its heading in the language asked for, and `lang`, the language it is answered in.

    `counterparts` are the rules of the other games that answer the same question, `concepts` what it defines and names.
    """
    headings = record.get("headings", {})
    heading = headings.get(choose(lang, headings), record["heading"])
    answered = choose(lang, {*record["texts"], *record["digest"]}) or lang
    shown: Body = {**knowledge.with_children(record), "heading": heading, "lang": answered}
    shown["counterparts"] = counterparts(knowledge.store, record["iri"])
    shown["concepts"] = concepts_of(knowledge.store, record, lang)
    if not record["current"]:
        from ontology.answers.successor import successor

        shown["successor"] = successor(knowledge, record)
    return shown


def cites(knowledge: Knowledge, ref: str, reference: Reference, within: str | None = None) -> Body:
    """What the first rule cites, and what cites it: `{"rule", "cites", "cited_by"}`. Raises NotFoundError."""
    first: Any = knowledge.rules(reference, within)[0]
    names = {name: first[name] for name in _NAMES}
    return {"rule": {"ref": ref, **names}, "cites": first["cites"], "cited_by": first["cited_by"]}


def editions(knowledge: Knowledge) -> Body:
    """Every edition that is loaded or known from the digest: `{"editions"}`."""
    return {"editions": knowledge.editions()}


def zones(knowledge: Knowledge, lang: str, games: str | None = None) -> Body:
    """The zones of some games (`a,b`; None is all) side by side: `{"lang", "zones"}`.

    Raises InputError for a game that has no concepts.
    """
    from ontology.answers.zones import games_with_zones
    from ontology.answers.zones import zones as compared

    wanted = [game.strip() for game in (games or "").split(",") if game.strip()]
    known = games_with_zones(knowledge.store) if wanted else []
    if unknown := [game for game in wanted if game not in known]:
        raise InputError(f"{', '.join(unknown)[:60]!r}: no zones are known; expected some of {', '.join(known)}")
    body: Any = compared(knowledge.store, lang, wanted)
    return {**body}


def concept(knowledge: Knowledge, ref: str, lang: str) -> Body:
    """The concepts that a reference means, each with all that is known of it: `{"ref", "lang", "concepts"}`.

    Raises InputError for what can mean no concept, NotFoundError where there is none.
    """
    from ontology.answers.concepts import concepts as whole
    from ontology.answers.resolve import resolve

    return {"ref": ref, "lang": lang, "concepts": whole(knowledge, resolve(knowledge.names, ref), lang)}


def concepts(knowledge: Knowledge, lang: str, page: Page, game: str | None = None, kind: str | None = None) -> Body:
    """A page of the list of all concepts: `{"lang", "total", "offset", "limit", "concepts"}`.

    Raises InputError for a game or kind of which there is none.
    """
    from ontology.answers.concepts import briefly

    every: list[Any] = [*briefly(knowledge, lang)]
    for name, wanted in (("game", game), ("kind", kind)):
        known = sorted({one[name] for one in every if one[name]})
        if wanted is not None and wanted not in known:
            raise InputError(f"{name} {wanted[:40]!r}: no concepts are known; expected one of {', '.join(known)}")
    found = [one for one in every if game in (None, one["game"]) and kind in (None, one["kind"])]
    shown = found[page.offset : page.offset + page.limit]
    return {"lang": lang, "total": len(found), "offset": page.offset, "limit": page.limit, "concepts": shown}


def term(knowledge: Knowledge, label: str, lang: str, page: Page, game: str | None = None, within: str | None = None) -> Body:
    """What a label's idea is called in each game and language, and where it is used; see `ontology.answers.terms.term`."""
    from ontology.answers.terms import term as table

    body: Any = table(knowledge, label, lang, page, game, within)
    return {**body}


def encode(body: Body) -> bytes:
    """A body as JSON in UTF-8; half a surrogate pair becomes `?`."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
