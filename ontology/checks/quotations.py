"""Do the words that support a claim stand in its rule? Asked anew for every bundle, of the texts that are loaded in it."""

from collections.abc import Iterator

from corpus.address import NS, OA, graph_iri
from corpus.text import fold
from ontology.store.engine import Store

GRAPH = graph_iri("verified")
_SUPPORTS = f"""
SELECT ?support ?rule ?quote ?text WHERE {{
  GRAPH ?claims {{
    ?claim <{NS}support> ?support . ?support <{OA}hasSource> ?rule ; <{OA}hasSelector>/<{OA}exact> ?quote
  }}
  GRAPH ?texts {{ ?rule <{NS}text> ?text }}
  FILTER(LANGMATCHES(LANG(?text), LANG(?quote)))
}}"""


def verified(store: Store) -> dict[str, bool]:
    """Support → whether its words stand in its rule; supports whose rule is not loaded in that language are missing."""
    return {row["support"]: fold(row["quote"]) in fold(row["text"]) for row in store.select(_SUPPORTS)}


def nquads(store: Store) -> bytes:
    """The verdicts as sorted N-Quads."""
    return "".join(sorted(_lines(verified(store)))).encode()


def _lines(verdicts: dict[str, bool]) -> Iterator[str]:
    for support, holds in verdicts.items():
        value = f'"{str(holds).lower()}"^^<http://www.w3.org/2001/XMLSchema#boolean>'
        yield f"<{support}> <{NS}verified> {value} <{GRAPH}> .\n"
