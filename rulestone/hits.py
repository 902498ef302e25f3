"""The hits of a search as a client asks for them: without examples, without words that it has read, with their siblings."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from corpus.address import is_ruling
from corpus.editions.siblings import addresses_beside, siblings

if TYPE_CHECKING:
    from corpus.contract import Hit
    from corpus.store.books import Books


def without_examples(hits: "Sequence[Hit]", knowledge: "Books") -> "list[Hit]":
    """Hits whose text is the rule's own sentences alone; rulings stay as they are."""
    records = knowledge.by_iri(hit["iri"] for hit in hits if hit["text"] and not is_ruling(hit["iri"]))
    own = {iri: record["texts"] for iri, record in records.items()}
    return [_shortened(hit, own[hit["iri"]][hit["lang"]]["text"]) if hit["iri"] in own else hit for hit in hits]


def _shortened(hit: "Hit", text: str) -> "Hit":
    """A hit with the first part of its text."""
    return {**hit, "text": text, "highlights": [span for span in hit["highlights"] if span["end"] <= len(text)]}


def without_seen(hits: "Sequence[Hit]", seen_iris: Collection[str]) -> "list[Hit]":
    """Hits without the words of those at the addresses that the client has read."""
    return [_without_words(hit) if hit["iri"] in seen_iris else hit for hit in hits]


def _without_words(hit: "Hit") -> "Hit":
    return {**hit, "text": "", "gloss": None, "highlights": [], "same_rule": None, "seen": True}


def with_siblings(hits: "Sequence[Hit]", knowledge: "Books", seen_iris: Collection[str]) -> "list[Hit]":
    """Hits with their siblings: each sibling once, and none that is a hit or that the client has read."""
    shown_iris = {*seen_iris, *(hit["iri"] for hit in hits)}
    result: list[Hit] = []
    for hit in hits:
        beside = [] if is_ruling(hit["iri"]) else addresses_beside(knowledge, hit["iri"])
        new = [iri for iri in beside if iri not in shown_iris]
        shown_iris.update(new)
        result.append({**hit, "siblings": siblings(knowledge, new, hit["lang"])})
    return result
