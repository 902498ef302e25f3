"""Words in their context: what is asked for is understood here, and answered by the ontology."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.errors import InputError
from corpus.paging import Page
from ontology.knowledge import Knowledge
from rulestone import games

if TYPE_CHECKING:
    from corpus.contract import Concordance
    from ontology.translation.concordance.find import Where

RULES = games.RULES


def where(
    knowledge: Knowledge, wanted: Iterable[str], book: str | None, edition: str | None, parts: str | None, lang: str | None
) -> "Where":
    """What is to be looked through. Raises InputError for a game, book, edition or part that is not there."""
    from ontology.translation.bitext.passages import PARTS
    from ontology.translation.concordance.find import ALL, Where

    loaded = [key for key, entry in knowledge.manifest.editions.items() if entry.languages]
    game, _, slug = (book or "").rpartition("/")
    known = games.among({key.game for key in loaded}, knowledge.manifest)
    chosen = games.games_of([*wanted, game], known, RULES)
    inside = [key for key in loaded if not chosen or key.game in chosen]
    _check("book", slug, {key.book for key in inside})
    _check("edition", edition, {ALL, *(key.edition for key in inside if slug in ("", key.book))})
    listed = tuple(name.strip() for name in (parts or "").split(",") if name.strip())
    for part in listed:
        _check("part", part, PARTS)
    return Where(chosen, slug, edition or "", listed, lang or "")


def _check(name: str, given: str | None, known: Iterable[str]) -> None:
    if given and given not in known:
        raise InputError("{name} {given!r}: expected one of {known}", name=name, given=given[:40], known=", ".join(sorted(known)))


def concordance(
    knowledge: Knowledge, query: str, wanted: "Where", page: Page, beside: str | None, *, regular: bool
) -> "Concordance":
    """A page of lines, and how often what stands where. Raises InputError for what can be no query."""
    from ontology.translation.concordance import body
    from ontology.translation.concordance.find import find
    from ontology.translation.concordance.pattern import pattern_of

    places = find(knowledge, pattern_of(query, regular=regular), wanted)
    return {
        "query": query,
        "regex": regular,
        "total": len(places),
        "rules": places.rules(),
        "offset": page.offset,
        "limit": page.limit,
        "forms": body.forms(places),
        "places": body.places(places),
        "lines": body.lines(knowledge, places, page, beside),
    }
