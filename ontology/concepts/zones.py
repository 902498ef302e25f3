"""The zones of the games side by side, every cell with its proof."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from corpus.address import NS, local_name, scheme_of
from corpus.catalogue import catalogue
from corpus.store.engine import Solution, Store, values
from ontology.concepts.labels import ALTERNATIVE, PREFERRED, labels_in
from ontology.concepts.mappings import mappings_in
from ontology.concepts.matches import matches_of
from ontology.concepts.properties import claims_of, properties

if TYPE_CHECKING:
    from corpus import contract
    from ontology.concepts.claims import Claim

KINDS = {"Zone": "zone", "Subzone": "sub-zone", "CompositeZone": "composite", "NotAZone": "not-a-zone"}
"""What is compared: also the places that a game treats like a zone and says is none (banished cards, outside the game)."""
_TYPES = [f"{NS}{kind}" for kind in KINDS]
_KINDS = f"""
SELECT ?concept ?type ?hub WHERE {{
  GRAPH ?g {{ {values("type", _TYPES)} ?concept a ?type OPTIONAL {{ ?concept <{NS}hub> ?hub }} }}
}}"""


def zones(
    store: Store,
    lang: str,
    games: Sequence[str] = (),
    claims: Mapping[str, Sequence["Claim"]] | None = None,
    mappings: Iterable[Solution] | None = None,
) -> "contract.Zones":
    """Every zone with its labels, its properties and their supports. `games` limits it; none is all.

    `claims` by concept and `mappings` are those of a bundle, or of another moment; without them they are read from the store.
    """
    claims = claims_of(store) if claims is None else claims
    matches = matches_of(mappings_in(store) if mappings is None else mappings, lang)
    kinds = {row["concept"]: row for row in store.select(_KINDS)}
    bodies: list[contract.Zone] = [
        {
            "game": scheme_of(concept),
            "concept": concept,
            "labels": labels,
            "properties": properties(claims.get(concept, ()), lang),
            "kind": KINDS[local_name(kinds[concept]["type"])],
            "hub": kinds[concept].get("hub"),
            "matches": matches.get(concept, []),
        }
        for concept, labels in _labels(store).items()
        if not games or scheme_of(concept) in games
    ]
    order = {game: place for place, game in enumerate(_order({zone["game"] for zone in bodies}))}
    return {"lang": lang, "zones": sorted(bodies, key=lambda zone: (order[zone["game"]], zone["concept"]))}


def games_with_zones(store: Store) -> list[str]:
    """The games whose zones are known, in the catalogue's order; those that it does not know behind them."""
    return _order({scheme_of(row["concept"]) for row in store.select(_KINDS)})


def _order(games: Collection[str]) -> list[str]:
    """Games in the catalogue's order, then those that only proposals know."""
    known = [game for game in catalogue().games if game in games]
    return known + sorted(set(games) - set(known))


def _labels(store: Store) -> dict[str, dict[str, list[str]]]:
    """Concept → language → labels, the preferred one first."""
    by_concept: dict[str, dict[str, list[str]]] = {}
    labels = labels_in(store, [PREFERRED, ALTERNATIVE], types=_TYPES)
    for label in sorted(labels, key=lambda label: (label.concept, label.kind != "prefLabel", label.text, label.lang)):
        texts = by_concept.setdefault(label.concept, {}).setdefault(label.lang, [])
        if label.text not in texts:
            texts.append(label.text)
    return by_concept
