"""The zones of the games side by side, every cell with its proof (the `zone` of DESIGN section 6)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corpus.catalogue import catalogue
from corpus.model import BASE, NS, OA, SKOS, Authority, canonical
from ontology.sssom import CONCEPT, NOTHING, SSSOM, expand
from ontology.store import Row, Store

CORE = ("visibility", "sharing", "ordering", "capacity")
"""Properties that every zone is asked for; what no text states is an empty list."""
KINDS = {"Zone": "zone", "Subzone": "sub-zone", "CompositeZone": "composite", "NotAZone": "not-a-zone"}
"""What is compared: also the places that a game treats like a zone and says is none (banished cards, outside the game)."""
_ZONES = " ".join(f"<{NS}{kind}>" for kind in KINDS)
_LABELS = f"""
SELECT ?concept ?kind ?label (LANG(?label) AS ?lang) WHERE {{
  GRAPH ?g {{ VALUES ?type {{ {_ZONES} }} ?concept a ?type ; ?kind ?label }}
  FILTER(?kind IN (<{SKOS}prefLabel>, <{SKOS}altLabel>))
}}"""
_CLAIMS = f"""
SELECT ?concept ?claim ?property ?value ?status ?note (LANG(?note) AS ?lang) WHERE {{
  GRAPH ?c {{ VALUES ?type {{ {_ZONES} }} ?concept a ?type }}
  GRAPH ?g {{
    ?claim <{NS}subject> ?concept ; <{NS}property> ?property ; <{NS}value> ?value ; <{NS}status> ?status
    OPTIONAL {{ ?claim <{NS}note> ?note }}
  }}
}}"""
_SUPPORTS = f"""
SELECT ?claim ?support ?rule ?quote ?verified WHERE {{
  GRAPH ?g {{
    ?claim <{NS}support> ?support . ?support <{OA}hasSource> ?rule ; <{OA}hasSelector>/<{OA}exact> ?quote
  }}
  OPTIONAL {{ GRAPH ?v {{ ?support <{NS}verified> ?verified }} }}
}}"""
_KINDS = f"""
SELECT ?concept ?type ?hub WHERE {{
  GRAPH ?g {{ VALUES ?type {{ {_ZONES} }} ?concept a ?type OPTIONAL {{ ?concept <{NS}hub> ?hub }} }}
}}"""
_MATCHES = f"""
SELECT ?concept ?other ?predicate ?modifier ?comment ?confidence ?rule WHERE {{
  GRAPH ?g {{
    ?mapping <{SSSOM}subject_id> ?concept ; <{SSSOM}object_id> ?other ; <{SSSOM}predicate_id> ?predicate ;
      <{SSSOM}confidence> ?confidence .
    OPTIONAL {{ ?mapping <{SSSOM}comment> ?comment }}
    OPTIONAL {{ ?mapping <{SSSOM}predicate_modifier> ?modifier }}
    OPTIONAL {{ ?mapping <{SSSOM}object_rule> ?rule }}
  }}
}}"""
_STATUS = ("accepted", "disputed", "proposed")
Body = dict[str, Any]


def zones(store: Store, lang: str, games: Sequence[str] = ()) -> Body:
    """Every zone with its labels, its properties and their supports. `games` limits it; none is all."""
    claims = _claims(store, lang)
    matches = _matches(store)
    kinds = {row["concept"]: row for row in store.select(_KINDS)}
    found = [
        {
            "game": _game(concept),
            "concept": concept,
            "labels": labels,
            "properties": _properties(claims.get(concept, ())),
            "kind": KINDS[kinds[concept]["type"].removeprefix(NS)],
            "hub": kinds[concept].get("hub"),
            "matches": matches.get(concept, []),
        }
        for concept, labels in _labels(store).items()
        if not games or _game(concept) in games
    ]
    order = list(catalogue().games)
    return {"lang": lang, "zones": sorted(found, key=lambda zone: (order.index(zone["game"]), zone["concept"]))}


def games_with_zones(store: Store) -> list[str]:
    """The games whose zones are known, in the catalogue's order."""
    found = {_game(row["concept"]) for row in store.select(_LABELS)}
    return [game for game in catalogue().games if game in found]


def _matches(store: Store) -> dict[str, list[Body]]:
    """Concept → its counterparts in other games, the surest first; a denied one says `not` before its predicate."""
    found: dict[str, list[Body]] = {}
    for row in sorted(store.select(_MATCHES), key=lambda row: (row["concept"], -float(row["confidence"]), row["other"])):
        other = row["other"]
        predicate = "skos:" + row["predicate"].rsplit("#", 1)[-1]
        found.setdefault(row["concept"], []).append(
            {
                "concept": None if other == expand(NOTHING) else other,
                "game": _game(other) if other.startswith(CONCEPT) else None,
                "predicate": f"not {predicate}" if "modifier" in row else predicate,
                "comment": row.get("comment", ""),
                "confidence": float(row["confidence"]),
                "rule": row.get("rule"),
            }
        )
    return found


def _game(concept: str) -> str:
    return concept.removeprefix(f"{BASE}id/concept/").split("/")[0]


def _labels(store: Store) -> dict[str, dict[str, list[str]]]:
    """Concept → language → labels, the preferred one first."""
    found: dict[str, dict[str, list[str]]] = {}
    rows = sorted(store.select(_LABELS), key=lambda row: (row["concept"], not row["kind"].endswith("prefLabel"), row["label"]))
    for row in rows:
        labels = found.setdefault(row["concept"], {}).setdefault(canonical(row["lang"]), [])
        if row["label"] not in labels:
            labels.append(row["label"])
    return found


def _claims(store: Store, lang: str) -> dict[str, list[Body]]:
    """Concept → its claims with their supports, in a stable order."""
    supports: dict[str, list[Body]] = {}
    for row in sorted(store.select(_SUPPORTS), key=lambda row: (row["claim"], row["support"])):
        supports.setdefault(row["claim"], []).append(_support(row))
    rows: dict[str, list[Row]] = {}
    for row in store.select(_CLAIMS):
        rows.setdefault(row["claim"], []).append(row)
    found: dict[str, list[Body]] = {}
    for claim, same in sorted(rows.items()):
        found.setdefault(same[0]["concept"], []).append(_claim(claim, same, lang, supports.get(claim, [])))
    return found


def _claim(claim: str, rows: Sequence[Row], lang: str, supports: list[Body]) -> Body:
    value = rows[0]["value"]
    notes = {canonical(row["lang"]): row["note"] for row in rows if "note" in row}
    return {
        "claim": claim,
        "property": rows[0]["property"].removeprefix(NS),
        "value": int(value) if value.isdigit() else value,
        "status": rows[0]["status"].removeprefix(NS),
        "note": notes.get(lang) or notes.get("en") or next(iter(notes.values()), None),
        "supports": supports,
    }


def _support(row: Row) -> Body:
    game, book, edition = row["rule"].removeprefix(f"{BASE}id/").split("/")[:3]
    known = catalogue().book(game, book)
    authority = known.authorities.get(known.original) or next(iter(known.authorities.values()), Authority.COMMUNITY)
    verdict = row.get("verified")
    return {
        "rule": row["rule"],
        "edition": edition,
        "authority": authority.value,
        "quote": row["quote"],
        "verified": verdict == "true" if verdict else None,
    }


def _properties(claims: Iterable[Body]) -> Mapping[str, list[Body]]:
    """Property → its claims, the accepted one first, then by the authority of what supports them."""
    found: dict[str, list[Body]] = {name: [] for name in CORE}
    for claim in sorted(claims, key=_rank):
        shown = {name: claim[name] for name in ("value", "status", "note", "supports", "claim")}
        found.setdefault(claim["property"], []).append(shown)
    return found


def _rank(claim: Body) -> tuple[int, int, str]:
    authority = min((Authority(one["authority"]).rank for one in claim["supports"]), default=9)
    return _STATUS.index(claim["status"]), authority, str(claim["value"])
