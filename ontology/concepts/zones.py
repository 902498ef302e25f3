"""The zones of the games side by side, every cell with its proof, and the moves of cards between them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from corpus.address import RS, local_name, scheme_of
from corpus.catalogue import catalogue
from corpus.languages import choose
from corpus.store.engine import Solution, Store, values_clause
from ontology.concepts.claim_status import claims_at
from ontology.concepts.claims import by_concept, claims_by_property, claims_in
from ontology.labels import ALT_LABEL, PREF_LABEL, labels_in, preferred_labels
from ontology.mappings import mappings_in, matches_by_concept
from ontology.spokes import PROPOSED_HUB
from ontology.sssom import SSSOM

if TYPE_CHECKING:
    from corpus import contract
    from ontology.concepts.claims import Claim
    from ontology.knowledge import Knowledge

ZONE_KINDS = {"Zone": "zone", "Subzone": "sub-zone", "CompositeZone": "composite", "NotAZone": "not-a-zone"}
"""Classes that are compared, including places that a game treats like zones but excludes from them (outside the game)."""
_ZONE_TYPES = [f"{RS}{kind}" for kind in ZONE_KINDS]
_KINDS_QUERY = f"""
SELECT ?concept ?type ?hub WHERE {{
  GRAPH ?g {{ {values_clause("type", _ZONE_TYPES)} ?concept a ?type }} OPTIONAL {{ GRAPH ?h {{ ?concept <{RS}hub> ?hub }} }}
}}"""
_PROPOSED_HUB_QUERY = f"""
SELECT ?concept ?hub ?confidence WHERE {{
  GRAPH <{PROPOSED_HUB}> {{
    ?mapping <{SSSOM}subject_id> ?concept ; <{SSSOM}object_id> ?hub ; <{SSSOM}confidence> ?confidence ; <{RS}status> <{RS}proposed>
  }}
}}"""
_MOVES_QUERY = f"""
SELECT DISTINCT ?claim ?zone ?property ?start ?end WHERE {{
  GRAPH ?g {{ ?claim <{RS}subject> ?zone ; <{RS}property> ?property ; <{RS}value> ?value }}
  GRAPH ?h {{
    {{ ?value <{RS}destination> ?end OPTIONAL {{ ?value <{RS}from> ?start }} }}
    UNION {{ ?value <{RS}from> ?start FILTER NOT EXISTS {{ ?value <{RS}destination> ?any }} }}
    FILTER NOT EXISTS {{ ?value <{RS}outcome> <{RS}stays> }}
  }}
}}"""
"""Stated values for the origin or destination of cards (docs/coding.md)."""


def zones(
    store: Store,
    lang: str,
    games: Sequence[str] = (),
    claims: Mapping[str, Sequence["Claim"]] | None = None,
    mappings: Iterable[Solution] | None = None,
) -> "contract.Zones":
    """Every zone with its labels, its properties and their supports, of some games (none: of all).

    `claims` by concept and `mappings` default to those of the store; pass those of another date to get the zones as of then.
    """
    claims = by_concept(claims_in(store)) if claims is None else claims
    matches = matches_by_concept(mappings_in(store) if mappings is None else mappings, lang)
    kinds = {row["concept"]: row for row in store.select(_KINDS_QUERY)}
    hubs = _proposed_hubs(store, lang)
    bodies: list[contract.Zone] = [
        {
            "game": scheme_of(concept),
            "concept": concept,
            "labels": labels,
            "properties": claims_by_property(claims.get(concept, ()), lang),
            "kind": ZONE_KINDS[local_name(kinds[concept]["type"])],
            "hub": kinds[concept].get("hub"),
            "proposed_hub": hubs.get(concept),
            "matches": matches.get(concept, []),
        }
        for concept, labels in _labels(store).items()
        if not games or scheme_of(concept) in games
    ]
    order = {game: place for place, game in enumerate(_game_order({zone["game"] for zone in bodies}))}
    return {"lang": lang, "zones": sorted(bodies, key=lambda zone: (order[zone["game"]], zone["concept"]))}


def _proposed_hubs(store: Store, lang: str) -> dict[str, "contract.ProposedHub"]:
    """Concept → the cross-game concept that is proposed for it."""
    rows = store.select(_PROPOSED_HUB_QUERY)
    names = preferred_labels(store, {row["hub"] for row in rows})
    name_langs = {hub: choose(lang, labels) or "en" for hub, labels in names.items()}
    return {
        row["concept"]: {
            "concept": hub,
            "label": names[hub][name_langs[hub]],
            "lang": name_langs[hub],
            "confidence": float(row["confidence"]),
        }
        for row in rows
        for hub in [row["hub"]]
    }


def games_with_zones(store: Store) -> list[str]:
    """The games that have zones, in the catalogue's order, then those that are not in the catalogue."""
    return _game_order({scheme_of(row["concept"]) for row in store.select(_KINDS_QUERY)})


def _game_order(games: Collection[str]) -> list[str]:
    """Games in the catalogue's order, then those that only have proposals."""
    in_order = [game for game in catalogue().games if game in games]
    return in_order + sorted(set(games) - set(in_order))


def _labels(store: Store) -> dict[str, dict[str, list[str]]]:
    """Concept → language → labels, the preferred one first."""
    texts_of: dict[str, dict[str, list[str]]] = {}
    labels = labels_in(store, [PREF_LABEL, ALT_LABEL], types=_ZONE_TYPES)
    for label in sorted(labels, key=lambda label: (label.concept, label.property != PREF_LABEL, label.text, label.lang)):
        texts = texts_of.setdefault(label.concept, {}).setdefault(label.lang, [])
        if label.text not in texts:
            texts.append(label.text)
    return texts_of


def moves(knowledge: "Knowledge", lang: str) -> list["contract.Move"]:
    """Every move that a claim states, game by game: from the claim's zone to the destination, or from the origin to the zone."""
    by_property = (claims_by_property(claims, lang, always=()) for claims in claims_at(knowledge).values())
    bodies = {body["claim"]: body for rows_by_property in by_property for some in rows_by_property.values() for body in some}
    rows = sorted(
        (row for row in knowledge.store.select(_MOVES_QUERY) if row["claim"] in bodies),
        key=lambda row: (scheme_of(row["zone"]), row["claim"], row.get("start", ""), row.get("end", "")),
    )
    return [_move_body(row, bodies[row["claim"]], lang) for row in rows]


def _move_body(row: Mapping[str, str], claim: "contract.Claim", lang: str) -> "contract.Move":
    zone = row["zone"]
    label_lang = choose(lang, claim["value_labels"]) or "en"
    return {
        "game": scheme_of(zone),
        "start": row.get("start", zone),
        "end": row.get("end", zone),
        "zone": zone,
        "property": local_name(row["property"]),
        "says": claim["value_labels"][label_lang],
        "lang": label_lang,
        "status": claim["status"],
        "supports": claim["supports"],
    }
