"""Every rule and every ruling in order, for line-by-line exports."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from corpus.editions.rulings.rulings import with_changes
from corpus.store.books import Books

if TYPE_CHECKING:
    from corpus.contract import RuleRecord, Ruling


def everything(knowledge: Books) -> "Iterator[RuleRecord | Ruling]":
    """Rules edition by edition in document order; then rulings with older answers, by address."""
    yield from knowledge.every_record()
    yield from with_changes(knowledge, knowledge.rulings.every())


def line(body: Mapping[str, object]) -> bytes:
    """A body as a line of JSON."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
