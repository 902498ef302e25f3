"""Claims about concepts with the rules and quotations that support them, as stored and as answers contain them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpus.address import CONCEPT, ID, OA, RS, SKOS, local_name, split_rule
from corpus.catalogue import catalogue
from corpus.languages import canonical_tag, choose
from corpus.model import CORE_PROPERTIES, Authority
from corpus.store.engine import Store

if TYPE_CHECKING:
    from corpus import contract

VALUE_PATH = f"<{RS}value>|<{RS}numericValue>|<{RS}booleanValue>"
"""The properties of a claim that state its value, as a SPARQL path."""
_TRUE, _YES = "true", f"{RS}yes"
"""A true value, and the closed value that answers contain in its place."""
_CLAIMS_QUERY = f"""
SELECT ?concept ?claim ?property ?value ?status ?note (LANG(?note) AS ?lang) WHERE {{
  GRAPH ?g {{
    ?claim <{RS}subject> ?concept ; <{RS}property> ?property ; {VALUE_PATH} ?value ; <{RS}status> ?status
    OPTIONAL {{ ?claim <{RS}note> ?note }}
  }}
}}"""
_LABELS_QUERY = f"""
SELECT DISTINCT ?value ?label (LANG(?label) AS ?lang) WHERE {{
  GRAPH ?g {{
    ?claim <{RS}subject> ?concept .
    {{ ?claim <{RS}value> ?value }} UNION {{ ?claim <{RS}booleanValue> true BIND(<{_YES}> AS ?value) }}
  }}
  VALUES ?label_property {{ <http://www.w3.org/2000/01/rdf-schema#label> <{SKOS}prefLabel> }}
  GRAPH ?h {{ ?value ?label_property ?label }}
}}"""
"""Closed and stated values have `rdfs:label`, values that are concepts `skos:prefLabel`."""
_STATED_PREFIX = f"{ID}value/"
_SUPPORTS_QUERY = f"""
SELECT ?claim ?support ?rule ?quote (LANG(?quote) AS ?lang) ?verified WHERE {{
  GRAPH ?g {{
    ?claim <{RS}subject> ?concept ; <{RS}support> ?support .
    ?support <{OA}hasSource> ?rule ; <{OA}hasSelector>/<{OA}exact> ?quote
  }}
  OPTIONAL {{ GRAPH ?v {{ ?support <{RS}verified> ?verified }} }}
}}"""
_STATUS_ORDER = ("accepted", "disputed", "proposed", "superseded")
_UNSUPPORTED_RANK = 9
"""Rank of a claim without supports: after every authority."""


@dataclass(frozen=True, slots=True)
class Support:
    """A rule that supports a claim, and the quotation from it."""

    iri: str
    claim: str  # IRI
    rule: str  # IRI
    quote: str
    lang: str  # of the quote
    verified: bool | None  # whether the rule contains the quotation; None if its text is not loaded


@dataclass(frozen=True, slots=True)
class Claim:
    """One value of one property of a concept."""

    iri: str
    concept: str  # IRI
    property: str  # visibility, sharing …
    value: str  # a slug, a number or, for a stated value, its English words
    status: str  # accepted | disputed | proposed | superseded
    notes: Mapping[str, str]  # by language
    supports: tuple[Support, ...]  # by number: the first is of the current edition
    labels: Mapping[str, str] = field(default_factory=dict)  # the value in words, by language


def claims_in(store: Store) -> list[Claim]:
    """Every claim, sorted by IRI."""
    supports: dict[str, list[Support]] = {}
    for support in supports_in(store):
        supports.setdefault(support.claim, []).append(support)
    labels = _labels(store)
    claims: dict[str, Claim] = {}
    notes: dict[str, dict[str, str]] = {}
    for row in store.select(_CLAIMS_QUERY):
        iri = row["claim"]
        claim_notes = notes.setdefault(iri, {})
        if "note" in row:
            claim_notes[canonical_tag(row["lang"])] = row["note"]
        if iri not in claims:
            property_, status = local_name(row["property"]), local_name(row["status"])
            stated_value = _YES if row["value"] == _TRUE else row["value"]
            value_labels = labels.get(stated_value, {})
            value = _slug_or_words(stated_value, value_labels)
            claims[iri] = Claim(
                iri, row["concept"], property_, value, status, claim_notes, tuple(supports.get(iri, ())), value_labels
            )
    return [claims[iri] for iri in sorted(claims)]


def _labels(store: Store) -> dict[str, dict[str, str]]:
    """Value (an IRI) → language → words."""
    labels: dict[str, dict[str, str]] = {}
    for row in store.select(_LABELS_QUERY):
        labels.setdefault(row["value"], {})[canonical_tag(row["lang"])] = row["label"]
    return labels


def _slug_or_words(value: str, labels: Mapping[str, str]) -> str:
    """A value as answers contain it: the slug of a closed value or a concept, the English words of a stated one."""
    if value.startswith(_STATED_PREFIX):
        return labels.get("en", value)
    return value.rsplit("/", 1)[1] if value.startswith(CONCEPT) else local_name(value) if value.startswith(RS) else value


def supports_in(store: Store) -> list[Support]:
    """The supports of every claim, sorted by claim and number."""
    rows = sorted(store.select(_SUPPORTS_QUERY), key=lambda row: (row["claim"], len(row["support"]), row["support"]))
    results = [{_TRUE: True, "false": False}.get(row.get("verified", "")) for row in rows]
    return [
        Support(row["support"], row["claim"], row["rule"], row["quote"], canonical_tag(row["lang"]), is_verified)
        for row, is_verified in zip(rows, results, strict=True)
    ]


def concept_triples(store: Store, concept: str) -> Iterator[str]:
    """The triples of a concept, its claims and their supports, as N-Triples lines. `concept` is the IRI of one in the store."""
    claim = f"?claim <{RS}subject> <{concept}>"
    support = f"{claim} ; <{RS}support> ?support"
    return store.construct(
        f"""CONSTRUCT {{ ?s ?p ?o }} WHERE {{
          {{ BIND(<{concept}> AS ?s) }} UNION {{ GRAPH ?h {{ {claim} BIND(?claim AS ?s) }} }}
          UNION {{ GRAPH ?h {{ {support} BIND(?support AS ?s) }} }}
          UNION {{ GRAPH ?h {{ {support} . ?support <{OA}hasSelector> ?s }} }}
          GRAPH ?g {{ ?s ?p ?o }}
        }}"""
    )


def by_concept(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """Concept → its claims, in their order."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        groups.setdefault(claim.concept, []).append(claim)
    return groups


def claims_by_property(
    claims: Iterable[Claim], lang: str, always: Iterable[str] = CORE_PROPERTIES
) -> dict[str, list["contract.Claim"]]:
    """Property → its claims as JSON, the accepted ones first, then by the authority of their supports.

    The properties of `always` are included even without a claim. `lang` is the language of the notes.
    """
    by_property: dict[str, list[contract.Claim]] = {name: [] for name in always}
    bodies = [(claim, [_support_body(support) for support in claim.supports]) for claim in claims]
    for claim, supports in sorted(bodies, key=lambda body: _claim_rank(*body)):
        by_property.setdefault(claim.property, []).append(_claim_body(claim, supports, lang))
    return by_property


def _claim_body(claim: Claim, supports: list["contract.Support"], lang: str) -> "contract.Claim":
    return {
        "value": _value(claim),
        "value_labels": _value_labels(claim),
        "status": claim.status,
        "note": claim.notes.get(choose(lang, claim.notes) or ""),
        "supports": supports,
        "claim": claim.iri,
    }


def _value(claim: Claim) -> int | str:
    return int(claim.value) if claim.value.isdigit() else claim.value


def _value_labels(claim: Claim) -> "contract.Glosses":
    """The value in words of each language; a number, and a value without labels, is the same in all."""
    return {lang: claim.labels.get(lang, claim.value) for lang in ("ja", "zh-Hans", "en")}


def _support_body(support: Support) -> "contract.Support":
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


def _claim_rank(claim: Claim, supports: Sequence["contract.Support"]) -> tuple[int, int, str]:
    authority = min((Authority(support["authority"]).rank for support in supports), default=_UNSUPPORTED_RANK)
    return _STATUS_ORDER.index(claim.status), authority, str(_value(claim))
