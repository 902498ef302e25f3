"""The mappings of concepts in a store: what each says of one game's and another's. Whoever wants them asks here."""

from collections.abc import Collection

from corpus.address import CONCEPT, NS
from corpus.store.engine import Solution, Store, values
from ontology.sssom import SSSOM

_MAPPINGS = f"""
SELECT ?concept ?other ?predicate ?modifier ?comment ?comment_ja ?comment_zh ?confidence ?own ?rule ?source WHERE {{
  %s GRAPH ?g {{ FILTER(STRSTARTS(STR(?concept), "{CONCEPT}"))
    ?mapping <{SSSOM}subject_id> ?concept ; <{SSSOM}object_id> ?other ; <{SSSOM}predicate_id> ?predicate ;
      <{SSSOM}confidence> ?confidence .
    OPTIONAL {{ ?mapping <{SSSOM}comment> ?comment }}
    OPTIONAL {{ ?mapping <{NS}comment_ja> ?comment_ja }}
    OPTIONAL {{ ?mapping <{NS}comment_zh> ?comment_zh }}
    OPTIONAL {{ ?mapping <{SSSOM}predicate_modifier> ?modifier }}
    OPTIONAL {{ ?mapping <{NS}subject_rule> ?own }}
    OPTIONAL {{ ?mapping <{NS}object_rule> ?rule }}
    OPTIONAL {{ ?mapping <{SSSOM}object_source> ?source }}
  }}
}}"""


def mappings_in(store: Store, concepts: Collection[str] | None = None) -> list[Solution]:
    """The mappings of some concepts (None: of all), by concept; the surest first, the denied last."""
    return sorted(store.select(_MAPPINGS % values("concept", concepts)), key=_sureness)


def _sureness(row: Solution) -> tuple[str, bool, float, str, str]:
    return row["concept"], "modifier" in row, -float(row["confidence"]), row["other"], row.get("source", "")
