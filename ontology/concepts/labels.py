"""The labels of the concepts in a store. Whoever wants them asks here."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from corpus.address import NS, SKOS, local_name
from corpus.languages import canonical
from corpus.store.engine import Store, values

PREFERRED, ALTERNATIVE, SLANG, OFFICIAL = f"{SKOS}prefLabel", f"{SKOS}altLabel", f"{SKOS}hiddenLabel", f"{NS}officialLabel"
ALL = (PREFERRED, ALTERNATIVE, SLANG, OFFICIAL)
_LABELS = """
SELECT ?concept ?label (LANG(?label) AS ?lang) WHERE {
  %(concepts)s GRAPH %(graph)s { %(types)s ?concept <%(kind)s> ?label }
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
    classes = [*types]
    limits = {
        "concepts": values("concept", concepts),
        "graph": f"<{graph}>" if graph else "?g",
        "types": f"{values('type', classes)} ?concept a ?type ." if classes else "",
    }
    for kind in kinds:  # one by one: a variable with some values makes Oxigraph read every label
        for row in store.select(_LABELS % {**limits, "kind": kind}):
            yield StoredLabel(row["concept"], canonical(row["lang"]), row["label"], local_name(kind))
