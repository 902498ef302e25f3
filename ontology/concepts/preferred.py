"""What the concepts of one rule are called: a look-up by number must not read every name for that."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from corpus.address import game_of
from corpus.languages import choose
from ontology.concepts.labels import PREFERRED, labels_in

if TYPE_CHECKING:
    from corpus.contract import NamedConcept, RuleRecord
    from corpus.store.engine import Store


def concepts_of(store: "Store", record: "RuleRecord", lang: str) -> "list[NamedConcept]":
    """The concepts that a rule defines, then those that it names, in the order of its words.

    The language of each is the one that a label was found in.
    """
    defined = record["defines"]
    wanted = list(dict.fromkeys([*defined, *(mention["concept"] for mention in record["mentions"])]))
    labels = _labels(store, wanted) if wanted else {}
    named = ((concept, labels[concept], choose(lang, labels[concept])) for concept in wanted if concept in labels)
    return [
        {
            "concept": concept,
            "game": game_of(concept),
            "label": by_language[chosen],
            "lang": chosen,
            "defined": concept in defined,
        }
        for concept, by_language, chosen in named
        if chosen
    ]


def _labels(store: "Store", concepts: Collection[str]) -> dict[str, dict[str, str]]:
    """Concept → language → preferred label."""
    labels: dict[str, dict[str, str]] = {}
    for label in labels_in(store, [PREFERRED], concepts=concepts):
        labels.setdefault(label.concept, {})[label.lang] = label.text
    return labels
