"""The concepts of a game, or of all games, as a pack keeps them: names, what is proved of them, what answers them elsewhere."""

from typing import TYPE_CHECKING, Any

from corpus.address import concept_name, path_of
from corpus.languages import choose

if TYPE_CHECKING:
    from corpus.contract import Claim, Concept, NamedMatch
    from ontology.knowledge import Knowledge

_OF_BOOKS = "book-term"
"""What books define by the thousand; their rules say it."""


def concepts(knowledge: "Knowledge", game: str | None, lang: str) -> dict[str, Any]:
    """Concept → its body in a language; `game` None wants those of all games."""
    from ontology.concepts.concepts import briefly
    from ontology.concepts.concepts import concepts as whole

    wanted = [brief["concept"] for brief in briefly(knowledge, lang) if brief["game"] == game and brief["kind"] != _OF_BOOKS]
    return {concept_name(concept["concept"]): _body(concept, lang) for concept in whole(knowledge, wanted, lang)}


def _body(concept: "Concept", lang: str) -> dict[str, Any]:
    defined = choose(lang, concept["definition"])
    return {
        "label": concept["label"],
        "lang": concept["lang"],
        "kind": concept["kind"],
        "hub": concept_name(concept["hub"]) if concept["hub"] else None,
        "labels": {tag: [label["label"] for label in labels] for tag, labels in concept["labels"].items()},
        "definition": concept["definition"][defined] if defined else "",
        "defined_by": [path_of(pointer["rule"]) for pointer in concept["defined_by"] if pointer["current"]],
        "properties": {name: [_claim(claim, lang) for claim in claims] for name, claims in concept["properties"].items() if claims},
        "matches": [_match(match) for match in concept["matches"] if match["concept"]],
    }


def _claim(claim: "Claim", lang: str) -> dict[str, Any]:
    return {
        "value": claim["value_labels"].get(choose(lang, claim["value_labels"]) or "", str(claim["value"])),
        "status": claim["status"],
        "note": claim["note"],
        "supports": [[path_of(support["rule"]), support["quote"]] for support in claim["supports"]],
    }


def _match(match: "NamedMatch") -> list[Any]:
    return [concept_name(match["concept"] or ""), match["label"], match["lang"], match["predicate"], match["comment"]]
