"""Labels of concepts: their kinds, and the labels in a store."""

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import RS, SKOS, game_of, scheme_of
from corpus.languages import canonical_tag, choose
from corpus.store.engine import Store, values_clause

if TYPE_CHECKING:
    from corpus.contract import NamedConcept, RuleRecord

PREF_LABEL, ALT_LABEL, HIDDEN_LABEL = f"{SKOS}prefLabel", f"{SKOS}altLabel", f"{SKOS}hiddenLabel"
OFFICIAL_LABEL = f"{RS}officialLabel"
USUAL_LABEL = f"{RS}usualLabel"
LABEL_PROPERTIES = (PREF_LABEL, ALT_LABEL, HIDDEN_LABEL, OFFICIAL_LABEL)
_LABELS_QUERY = """
SELECT ?concept ?label (LANG(?label) AS ?lang) WHERE {
  %(concepts)s GRAPH %(graph)s { %(types)s ?concept <%(property)s> ?label }
}"""


class LabelSort(StrEnum):
    """How a label is used: as the preferred name, as another name, or only in speech."""

    PREFERRED = "preferred"
    ALTERNATIVE = "alternative"
    SLANG = "slang"


LABEL_SORTS = {PREF_LABEL: LabelSort.PREFERRED, ALT_LABEL: LabelSort.ALTERNATIVE, HIDDEN_LABEL: LabelSort.SLANG}


class Label(NamedTuple):
    """A concept's name in one language; `official` if a publisher prints it."""

    concept: str  # IRI
    lang: str
    text: str
    sort: LabelSort
    official: bool

    @property
    def scheme(self) -> str:
        """The game, or the cross-game scheme, to which the concept belongs."""
        return scheme_of(self.concept)


class StoredLabel(NamedTuple):
    """A label as stored in the graph."""

    concept: str  # IRI
    lang: str
    text: str
    property: str  # IRI, one of LABEL_PROPERTIES


def labels_in(
    store: Store,
    properties: Iterable[str] = LABEL_PROPERTIES,
    *,
    concepts: Iterable[str] | None = None,
    types: Iterable[str] = (),
    graph: str | None = None,
) -> Iterator[StoredLabel]:
    """The labels that a store states with some properties.

    `concepts` and `types` limit them to those concepts (None: all) and to concepts of those classes (none: any class); `graph`
    limits them to one named graph.
    """
    classes = [*types]
    limits = {
        "concepts": values_clause("concept", concepts),
        "graph": f"<{graph}>" if graph else "?g",
        "types": f"{values_clause('type', classes)} ?concept a ?type ." if classes else "",
    }
    for label_property in properties:  # one query for each property: with a variable predicate Oxigraph reads every label
        for row in store.select(_LABELS_QUERY % {**limits, "property": label_property}):
            yield StoredLabel(row["concept"], canonical_tag(row["lang"]), row["label"], label_property)


def preferred_labels(store: Store, concepts: Collection[str]) -> dict[str, dict[str, str]]:
    """Concept → language → its preferred label, for some concepts; of several in one language, the last in code point order."""
    labels: dict[str, dict[str, str]] = {}
    for label in sorted(labels_in(store, [PREF_LABEL], concepts=concepts)) if concepts else ():
        labels.setdefault(label.concept, {})[label.lang] = label.text
    return labels


def concepts_of_rule(store: Store, record: "RuleRecord", lang: str) -> "list[NamedConcept]":
    """The concepts that a rule defines, then those that it mentions, in text order, each with its preferred label.

    Labels are in `lang`, or in the next language of the fallback order that has one. Concepts without a label are left out.
    """
    definitions = record["defines"]
    concepts = list(dict.fromkeys([*definitions, *(mention["concept"] for mention in record["mentions"])]))
    labels = preferred_labels(store, concepts)
    with_labels = ((concept, labels[concept], choose(lang, labels[concept])) for concept in concepts if concept in labels)
    return [
        {
            "concept": concept,
            "game": game_of(concept),
            "label": by_language[label_lang],
            "lang": label_lang,
            "defined": concept in definitions,
        }
        for concept, by_language, label_lang in with_labels
        if label_lang
    ]
