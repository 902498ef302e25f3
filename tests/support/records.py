"""Records of invented editions, kept in memory: no more of them than their words."""

from collections.abc import Mapping
from typing import Any

from corpus.address import EditionKey, rule_iri
from corpus.store.documents import NewDocuments
from corpus.store.records import put
from corpus.store.statements import EditionText


def record(key: EditionKey, place: int, locator: str, texts: Mapping[str, str]) -> Any:  # noqa: ANN401
    """A rule without anything around it."""
    lists: dict[str, list[object]] = {name: [] for name in ("examples", "notes", "cites", "children", "mentions", "sources")}
    return {
        "iri": rule_iri(key, locator),
        "game": key.game,
        "book": key.book,
        "edition": key.edition,
        "kind": "rule",
        "number": locator,
        "locator": locator,
        "order": place,
        "parent": None,
        "texts": {lang: {"text": text, "authority": "official"} for lang, text in texts.items()},
        "headwords": {},
        "digest": {},
        **lists,
    }


def documents(editions: Mapping[EditionKey, Mapping[str, Mapping[str, str]]]) -> NewDocuments:
    """The records of editions: locator → language → words."""
    new_documents = NewDocuments()
    for key, rules in editions.items():
        records = [record(key, place, locator, texts) for place, (locator, texts) in enumerate(rules.items())]
        texts = {lang: EditionText("official", []) for rule in rules.values() for lang in rule}
        put(new_documents, key, records, texts)
    return new_documents
