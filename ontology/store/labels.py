"""The labels of the concepts in a store. Whoever wants them asks here."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from corpus.address import NS, SKOS, local_name
from corpus.languages import canonical
from ontology.store.engine import Store, values

PREFERRED, ALTERNATIVE, SLANG, OFFICIAL = f"{SKOS}prefLabel", f"{SKOS}altLabel", f"{SKOS}hiddenLabel", f"{NS}officialLabel"
ALL = (PREFERRED, ALTERNATIVE, SLANG, OFFICIAL)
_LABELS = """
SELECT ?concept ?kind ?label (LANG(?label) AS ?lang) WHERE {
  %(kinds)s %(concepts)s
  GRAPH %(graph)s { %(types)s ?concept %(kind)s ?label }
}"""


class StoredLabel(NamedTuple):
    """What a concept is called in one language."""

    concept: str  # IRI
    lang: str
    text: str
    kind: str  # prefLabel | altLabel | hiddenLabel | officialLabel


def labels_in(
    store: Store,
    kinds: Iterable[str] = ALL,
    *,
    concepts: Iterable[str] | None = None,
    types: Iterable[str] = (),
    graph: str | None = None,
) -> Iterator[StoredLabel]:
    """The labels of some kinds: of some concepts (None: of all), and only of those of some classes (none: of any).

    `graph` limits them to those that one named graph has.
    """
    classes, wanted = [*types], [*kinds]
    one = wanted[0] if len(wanted) == 1 else ""  # in its place: a variable with one value makes Oxigraph read every label
    limits = {
        "kinds": "" if one else values("kind", wanted),
        "kind": f"<{one}>" if one else "?kind",
        "concepts": values("concept", concepts),
        "graph": f"<{graph}>" if graph else "?g",
        "types": f"{values('type', classes)} ?concept a ?type ." if classes else "",
    }
    for row in store.select(_LABELS % limits):
        yield StoredLabel(row["concept"], canonical(row["lang"]), row["label"], local_name(one or row["kind"]))
