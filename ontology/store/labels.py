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
  GRAPH ?g { %(types)s ?concept ?kind ?label }
}"""


class StoredLabel(NamedTuple):
    """What a concept is called in one language."""

    concept: str  # IRI
    lang: str
    text: str
    kind: str  # prefLabel | altLabel | hiddenLabel | officialLabel


def labels_in(
    store: Store, kinds: Iterable[str] = ALL, *, concepts: Iterable[str] | None = None, types: Iterable[str] = ()
) -> Iterator[StoredLabel]:
    """The labels of some kinds: of some concepts (None: of all), and only of those of some classes (none: of any)."""
    classes = [*types]
    limits = {
        "kinds": values("kind", kinds),
        "concepts": values("concept", concepts),
        "types": f"{values('type', classes)} ?concept a ?type ." if classes else "",
    }
    for row in store.select(_LABELS % limits):
        yield StoredLabel(row["concept"], canonical(row["lang"]), row["label"], local_name(row["kind"]))
