"""The claims in a store, with the rules and words that support them. Whoever wants them asks here."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from corpus.address import CONCEPT, ID, NS, OA, SKOS, local_name
from corpus.languages import canonical
from corpus.store.engine import Store, values

_CLAIMS = f"""
SELECT ?concept ?claim ?property ?value ?status ?note (LANG(?note) AS ?lang) WHERE {{
  %s GRAPH ?g {{
    ?claim <{NS}subject> ?concept ; <{NS}property> ?property ; <{NS}value> ?value ; <{NS}status> ?status
    OPTIONAL {{ ?claim <{NS}note> ?note }}
  }}
}}"""
_LABELS = f"""
SELECT DISTINCT ?value ?label (LANG(?label) AS ?lang) WHERE {{
  %s GRAPH ?g {{ ?claim <{NS}subject> ?concept ; <{NS}value> ?value }}
  FILTER(ISIRI(?value))
  VALUES ?named {{ <http://www.w3.org/2000/01/rdf-schema#label> <{SKOS}prefLabel> }}
  GRAPH ?h {{ ?value ?named ?label }}
}}"""
"""Closed and stated values have labels; a value that is a concept has its preferred ones."""
_STATED = f"{ID}value/"
_SUPPORTS = f"""
SELECT ?claim ?support ?rule ?quote (LANG(?quote) AS ?lang) ?verified WHERE {{
  %s GRAPH ?g {{
    ?claim <{NS}subject> ?concept ; <{NS}support> ?support .
    ?support <{OA}hasSource> ?rule ; <{OA}hasSelector>/<{OA}exact> ?quote
  }}
  OPTIONAL {{ GRAPH ?v {{ ?support <{NS}verified> ?verified }} }}
}}"""


@dataclass(frozen=True, slots=True)
class Support:
    """A rule that proves a claim, and the words in it that do."""

    iri: str
    claim: str  # IRI
    rule: str  # IRI
    quote: str
    lang: str  # of the quote
    verified: bool | None  # whether the words stand in the rule; None where its text is not loaded


@dataclass(frozen=True, slots=True)
class Claim:
    """One value of one property of a concept."""

    iri: str
    concept: str  # IRI
    property: str  # visibility, sharing …
    value: str  # a slug, a number or, of a stated value, its English words
    status: str  # accepted | disputed | proposed | superseded
    notes: Mapping[str, str]  # by language
    supports: tuple[Support, ...]  # by address
    labels: Mapping[str, str] = field(default_factory=dict)  # the value in words, by language


def claims_in(store: Store, concepts: Collection[str] | None = None) -> list[Claim]:
    """The claims about some concepts (None: about all), by address."""
    supports: dict[str, list[Support]] = {}
    for support in supports_in(store, concepts):
        supports.setdefault(support.claim, []).append(support)
    labels = _labels(store, concepts)
    claims: dict[str, Claim] = {}
    notes: dict[str, dict[str, str]] = {}
    for row in store.select(_CLAIMS % values("concept", concepts)):
        iri = row["claim"]
        said = notes.setdefault(iri, {})
        if "note" in row:
            said[canonical(row["lang"])] = row["note"]
        if iri not in claims:
            property_, status = local_name(row["property"]), local_name(row["status"])
            words = labels.get(row["value"], {})
            value = _written(row["value"], words)
            claims[iri] = Claim(iri, row["concept"], property_, value, status, said, tuple(supports.get(iri, ())), words)
    return [claims[iri] for iri in sorted(claims)]


def _labels(store: Store, concepts: Collection[str] | None) -> dict[str, dict[str, str]]:
    """Value (an IRI) → language → words."""
    labels: dict[str, dict[str, str]] = {}
    for row in store.select(_LABELS % values("concept", concepts)):
        labels.setdefault(row["value"], {})[canonical(row["lang"])] = row["label"]
    return labels


def _written(value: str, labels: Mapping[str, str]) -> str:
    """A value as answers write it: the slug of a closed value or a concept, the English words of a stated one."""
    if value.startswith(_STATED):
        return labels.get("en", value)
    return value.rsplit("/", 1)[1] if value.startswith(CONCEPT) else local_name(value) if value.startswith(NS) else value


def supports_in(store: Store, concepts: Collection[str] | None = None) -> list[Support]:
    """What supports the claims about some concepts (None: about all), by claim and address."""
    rows = store.select(_SUPPORTS % values("concept", concepts))
    return [
        Support(row["support"], row["claim"], row["rule"], row["quote"], canonical(row["lang"]), _verdict(row.get("verified")))
        for row in sorted(rows, key=lambda row: (row["claim"], row["support"]))
    ]


def _verdict(verified: str | None) -> bool | None:
    return verified == "true" if verified else None


def statements(store: Store, concept: str) -> Iterator[str]:
    """All that is stated of a concept, its claims and what supports them, as N-Triples lines. `concept` is a known one."""
    claim = f"?claim <{NS}subject> <{concept}>"
    support = f"{claim} ; <{NS}support> ?support"
    return store.construct(
        f"""CONSTRUCT {{ ?s ?p ?o }} WHERE {{
          {{ BIND(<{concept}> AS ?s) }} UNION {{ GRAPH ?h {{ {claim} BIND(?claim AS ?s) }} }}
          UNION {{ GRAPH ?h {{ {support} BIND(?support AS ?s) }} }}
          UNION {{ GRAPH ?h {{ {support} . ?support <{OA}hasSelector> ?s }} }}
          GRAPH ?g {{ ?s ?p ?o }}
        }}"""
    )
