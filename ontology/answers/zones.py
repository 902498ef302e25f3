"""The zones of the games side by side, every cell with its proof (the `zone` of DESIGN section 6)."""

from collections.abc import Collection, Sequence
from typing import Any

from corpus.address import NS, SKOS, local_name, scheme_of
from corpus.catalogue import catalogue
from corpus.languages import canonical
from ontology.answers.matches import matches_of
from ontology.answers.properties import claims_of, properties
from ontology.store.engine import Store

KINDS = {"Zone": "zone", "Subzone": "sub-zone", "CompositeZone": "composite", "NotAZone": "not-a-zone"}
"""What is compared: also the places that a game treats like a zone and says is none (banished cards, outside the game)."""
_ZONES = " ".join(f"<{NS}{kind}>" for kind in KINDS)
_LABELS = f"""
SELECT ?concept ?kind ?label (LANG(?label) AS ?lang) WHERE {{
  GRAPH ?g {{ VALUES ?type {{ {_ZONES} }} ?concept a ?type ; ?kind ?label }}
  FILTER(?kind IN (<{SKOS}prefLabel>, <{SKOS}altLabel>))
}}"""
_KINDS = f"""
SELECT ?concept ?type ?hub WHERE {{
  GRAPH ?g {{ VALUES ?type {{ {_ZONES} }} ?concept a ?type OPTIONAL {{ ?concept <{NS}hub> ?hub }} }}
}}"""
Body = dict[str, Any]


def zones(store: Store, lang: str, games: Sequence[str] = ()) -> Body:
    """Every zone with its labels, its properties and their supports. `games` limits it; none is all."""
    claims = claims_of(store, lang)
    matches = matches_of(store)
    kinds = {row["concept"]: row for row in store.select(_KINDS)}
    found = [
        {
            "game": scheme_of(concept),
            "concept": concept,
            "labels": labels,
            "properties": properties(claims.get(concept, ())),
            "kind": KINDS[local_name(kinds[concept]["type"])],
            "hub": kinds[concept].get("hub"),
            "matches": matches.get(concept, []),
        }
        for concept, labels in _labels(store).items()
        if not games or scheme_of(concept) in games
    ]
    order = {game: place for place, game in enumerate(_order({str(zone["game"]) for zone in found}))}
    return {"lang": lang, "zones": sorted(found, key=lambda zone: (order[zone["game"]], zone["concept"]))}


def games_with_zones(store: Store) -> list[str]:
    """The games whose zones are known, in the catalogue's order; those that it does not know behind them."""
    return _order({scheme_of(row["concept"]) for row in store.select(_LABELS)})


def _order(games: Collection[str]) -> list[str]:
    """Games in the catalogue's order, then those that only proposals know."""
    known = [game for game in catalogue().games if game in games]
    return known + sorted(set(games) - set(known))


def _labels(store: Store) -> dict[str, dict[str, list[str]]]:
    """Concept → language → labels, the preferred one first."""
    found: dict[str, dict[str, list[str]]] = {}
    rows = sorted(store.select(_LABELS), key=lambda row: (row["concept"], not row["kind"].endswith("prefLabel"), row["label"]))
    for row in rows:
        labels = found.setdefault(row["concept"], {}).setdefault(canonical(row["lang"]), [])
        if row["label"] not in labels:
            labels.append(row["label"])
    return found
