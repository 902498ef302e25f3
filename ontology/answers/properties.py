"""What the rules say of a concept: claims with the rules and words that prove them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from corpus.address import NS, OA, local_name, split_rule
from corpus.catalogue import catalogue
from corpus.languages import canonical, choose
from corpus.model import Authority
from ontology.store.engine import Row, Store, values

CORE = ("visibility", "sharing", "ordering", "capacity")
"""Properties that every zone is asked for; what no text states is an empty list."""
_CLAIMS = f"""
SELECT ?concept ?claim ?property ?value ?status ?note (LANG(?note) AS ?lang) WHERE {{
  %s GRAPH ?g {{
    ?claim <{NS}subject> ?concept ; <{NS}property> ?property ; <{NS}value> ?value ; <{NS}status> ?status
    OPTIONAL {{ ?claim <{NS}note> ?note }}
  }}
}}"""
_SUPPORTS = f"""
SELECT ?claim ?support ?rule ?quote ?verified WHERE {{
  %s GRAPH ?g {{
    ?claim <{NS}subject> ?concept ; <{NS}support> ?support .
    ?support <{OA}hasSource> ?rule ; <{OA}hasSelector>/<{OA}exact> ?quote
  }}
  OPTIONAL {{ GRAPH ?v {{ ?support <{NS}verified> ?verified }} }}
}}"""
_STATUS = ("accepted", "disputed", "proposed")
Body = dict[str, Any]


def claims_of(store: Store, lang: str, concepts: Collection[str] | None = None) -> dict[str, list[Body]]:
    """Concept → its claims with their supports, in a stable order, for the concepts named (None: for all)."""
    which = values("concept", concepts)
    supports: dict[str, list[Body]] = {}
    for row in sorted(store.select(_SUPPORTS % which), key=lambda row: (row["claim"], row["support"])):
        supports.setdefault(row["claim"], []).append(_support(row))
    rows: dict[str, list[Row]] = {}
    for row in store.select(_CLAIMS % which):
        rows.setdefault(row["claim"], []).append(row)
    found: dict[str, list[Body]] = {}
    for claim, same in sorted(rows.items()):
        found.setdefault(same[0]["concept"], []).append(_claim(claim, same, lang, supports.get(claim, [])))
    return found


def properties(claims: Iterable[Body], always: Iterable[str] = CORE) -> Mapping[str, list[Body]]:
    """Property → its claims, the accepted one first, then by the authority of what supports them.

    The properties of `always` are there even where nothing is claimed.
    """
    found: dict[str, list[Body]] = {name: [] for name in always}
    for claim in sorted(claims, key=_rank):
        shown = {name: claim[name] for name in ("value", "status", "note", "supports", "claim")}
        found.setdefault(claim["property"], []).append(shown)
    return found


def _claim(claim: str, rows: Sequence[Row], lang: str, supports: list[Body]) -> Body:
    value = rows[0]["value"]
    notes = {canonical(row["lang"]): row["note"] for row in rows if "note" in row}
    return {
        "claim": claim,
        "property": local_name(rows[0]["property"]),
        "value": int(value) if value.isdigit() else value,
        "status": local_name(rows[0]["status"]),
        "note": notes.get(choose(lang, notes) or ""),
        "supports": supports,
    }


def _support(row: Row) -> Body:
    key = split_rule(row["rule"]).key
    known = catalogue().book(key.game, key.book)
    authority = known.authorities.get(known.original) or next(iter(known.authorities.values()), Authority.COMMUNITY)
    verdict = row.get("verified")
    return {
        "rule": row["rule"],
        "edition": key.edition,
        "authority": authority.value,
        "quote": row["quote"],
        "verified": verdict == "true" if verdict else None,
    }


def _rank(claim: Body) -> tuple[int, int, str]:
    authority = min((Authority(one["authority"]).rank for one in claim["supports"]), default=9)
    return _STATUS.index(claim["status"]), authority, str(claim["value"])
