"""What the concepts of one rule are called: a look-up by number must not read every name for that."""

from collections.abc import Collection, Mapping
from typing import Any

from corpus.address import SKOS, game_of
from corpus.languages import canonical, choose
from ontology.store.engine import Store, values

_PREFERRED = f"""
SELECT ?concept ?label (LANG(?label) AS ?lang) WHERE {{ %s GRAPH ?g {{ ?concept <{SKOS}prefLabel> ?label }} }}"""


def concepts_of(store: Store, record: Mapping[str, Any], lang: str) -> list[dict[str, Any]]:
    """The concepts that a rule defines, then those that it names, in the order of its words.

    Each is `{"concept", "game", "label", "lang", "defined"}`, the language being the one that a label was found in.
    """
    defined = record.get("defines", [])
    wanted = list(dict.fromkeys([*defined, *(one["concept"] for one in record.get("mentions", ()))]))
    labels = _labels(store, wanted) if wanted else {}
    found = ((concept, labels[concept], choose(lang, labels[concept])) for concept in wanted if concept in labels)
    return [
        {
            "concept": concept,
            "game": game_of(concept),
            "label": words[spoken],
            "lang": spoken,
            "defined": concept in defined,
        }
        for concept, words, spoken in found
        if spoken
    ]


def _labels(store: Store, concepts: Collection[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for row in store.select(_PREFERRED % values("concept", concepts)):
        found.setdefault(row["concept"], {})[canonical(row["lang"])] = row["label"]
    return found
