"""Every rule and every ruling, one after the other: what an export has line by line."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from corpus.editions.rulings.rulings import with_changes
from corpus.store.books import Books
from corpus.store.rulings import StoredRulings

if TYPE_CHECKING:
    from corpus.contract import RuleRecord, Ruling


def everything(knowledge: Books) -> "Iterator[RuleRecord | Ruling]":
    """Rules edition by edition in document order; then rulings, older answers too, by address."""
    yield from knowledge.records()
    yield from with_changes(knowledge, StoredRulings(knowledge.store).every())


def line(body: Mapping[str, object]) -> bytes:
    """A body as a line of JSON."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
