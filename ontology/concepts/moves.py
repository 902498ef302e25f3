"""How cards move between the zones of a game, as the claims of what enters and leaves say it."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from corpus.address import NS, local_name, scheme_of
from corpus.languages import choose
from ontology.concepts.properties import claims_then, properties

if TYPE_CHECKING:
    from corpus.contract import Claim, Move
    from ontology.knowledge import Knowledge

_MOVES = f"""
SELECT DISTINCT ?claim ?zone ?property ?start ?end WHERE {{
  GRAPH ?g {{ ?claim <{NS}subject> ?zone ; <{NS}property> ?property ; <{NS}value> ?value }}
  GRAPH ?h {{
    {{ ?value <{NS}destination> ?end OPTIONAL {{ ?value <{NS}from> ?start }} }}
    UNION {{ ?value <{NS}from> ?start FILTER NOT EXISTS {{ ?value <{NS}destination> ?any }} }}
    FILTER NOT EXISTS {{ ?value <{NS}outcome> <{NS}stays> }}
  }}
}}"""
"""A stated value says where cards come from or go (docs/coding.md)."""


def moves(knowledge: "Knowledge", lang: str) -> list["Move"]:
    """Every move that a claim states, game by game: from the zone it is said of to where cards go, or from where they come."""
    claimed = dict(_claims(knowledge, lang))
    rows = sorted(knowledge.store.select(_MOVES), key=_place)
    return [_move(row, claimed[row["claim"]], lang) for row in rows if row["claim"] in claimed]


def _claims(knowledge: "Knowledge", lang: str) -> Iterator[tuple[str, "Claim"]]:
    for some in claims_then(knowledge).values():
        for bodies in properties(some, lang, always=()).values():
            yield from ((body["claim"], body) for body in bodies)


def _place(row: Mapping[str, str]) -> tuple[str, ...]:
    return scheme_of(row["zone"]), row["claim"], row.get("start", ""), row.get("end", "")


def _move(row: Mapping[str, str], claim: "Claim", lang: str) -> "Move":
    zone = row["zone"]
    spoken = choose(lang, claim["value_labels"]) or "en"
    return {
        "game": scheme_of(zone),
        "start": row.get("start", zone),
        "end": row.get("end", zone),
        "zone": zone,
        "property": local_name(row["property"]),
        "says": claim["value_labels"][spoken],
        "lang": spoken,
        "status": claim["status"],
        "supports": claim["supports"],
    }
