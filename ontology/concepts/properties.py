"""What the rules say of a concept: claims with the rules and words that prove them."""

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from corpus.address import split_rule
from corpus.catalogue import catalogue
from corpus.comparison import CORE
from corpus.languages import choose
from corpus.model import Authority
from ontology.concepts.claims import Claim, Support, claims_in

if TYPE_CHECKING:
    from corpus import contract
    from corpus.store.engine import Store
    from ontology.knowledge import Knowledge

__all__ = ["CORE", "claims_of", "properties"]
LIMITS = ("hand-limit", "deck-maximum", "start-size")
"""What limits a place whose number of cards has no limit of its own: the first of these that is claimed stands as capacity."""
_STATUS = ("accepted", "disputed", "proposed", "superseded")
_NO_SUPPORT = 9
"""Rank of a claim that nothing supports: behind every authority."""


def claims_of(store: "Store") -> dict[str, list[Claim]]:
    """Concept → its claims with their supports, in a stable order."""
    return _by_concept(claims_in(store))


def claims_then(knowledge: "Knowledge", concepts: Collection[str] | None = None) -> dict[str, list[Claim]]:
    """The same of some concepts (None: of all), as a knowledge base tells them that may be of another moment."""
    if knowledge.whole is knowledge:
        return _by_concept(knowledge.concepts.claims(concepts))
    from ontology.concepts import standing

    return _by_concept(standing.claims_then(knowledge, concepts))


def _by_concept(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    by_concept: dict[str, list[Claim]] = {}
    for claim in claims:
        by_concept.setdefault(claim.concept, []).append(claim)
    return by_concept


def properties(claims: Iterable[Claim], lang: str, always: Iterable[str] = CORE) -> dict[str, list["contract.Claim"]]:
    """Property → its claims, the accepted one first, then by the authority of what supports them.

    The properties of `always` are there even where nothing is claimed. `lang` chooses among the notes. A place without a
    limit of its own has as capacity what the rules say of its hand limit, the deck it is, or its size at the start.
    """
    by_property: dict[str, list[contract.Claim]] = {name: [] for name in always}
    bodies = [(claim, [_support(support) for support in claim.supports]) for claim in claims]
    for claim, supports in sorted(bodies, key=lambda body: _rank(*body)):
        by_property.setdefault(claim.property, []).append(_body(claim, supports, lang))
    if "capacity" in by_property and not by_property["capacity"]:
        by_property["capacity"] = next((by_property[name] for name in LIMITS if by_property.get(name)), [])
    return by_property


def _body(claim: Claim, supports: list["contract.Support"], lang: str) -> "contract.Claim":
    return {
        "value": _value(claim),
        "value_labels": _labels(claim),
        "status": claim.status,
        "note": claim.notes.get(choose(lang, claim.notes) or ""),
        "supports": supports,
        "claim": claim.iri,
    }


def _value(claim: Claim) -> int | str:
    return int(claim.value) if claim.value.isdigit() else claim.value


def _labels(claim: Claim) -> "contract.Glosses":
    """The value in words of each language; a number is the same in all, and so is what has no words."""
    return {lang: claim.labels.get(lang, claim.value) for lang in ("ja", "zh-Hans", "en")}


def _support(support: Support) -> "contract.Support":
    key = split_rule(support.rule).key
    book = catalogue().book(key.game, key.book)
    authority = book.authorities.get(book.original) or next(iter(book.authorities.values()), Authority.COMMUNITY)
    return {
        "rule": support.rule,
        "edition": key.edition,
        "authority": authority.value,
        "quote": support.quote,
        "verified": support.verified,
    }


def _rank(claim: Claim, supports: Sequence["contract.Support"]) -> tuple[int, int, str]:
    authority = min((Authority(support["authority"]).rank for support in supports), default=_NO_SUPPORT)
    return _STATUS.index(claim.status), authority, str(_value(claim))
