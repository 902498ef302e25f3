"""The rules of a knowledge base as an index reads them: what it needs of each, and what many rules share held once.

Twelve editions of a book repeat each other: whole records of them would take a gigabyte.
"""

import marshal
from collections.abc import Iterator
from typing import cast

from corpus.contract import RuleRecord
from ontology.knowledge import Knowledge

_OWN = ("iri", "current", "locator", "number", "parent")
_SHARED = (
    *("game", "book", "edition", "kind", "headings", "headwords", "texts"),
    *("digest", "digest_example", "digest_other", "examples", "notes"),
)


def indexed(knowledge: Knowledge) -> Iterator[RuleRecord]:
    """Every rule, edition by edition in document order; of what it cites and of its parts only the addresses are there."""
    seen: dict[bytes, object] = {}
    for record in knowledge.briefly():
        kept: dict[str, object] = {name: record[name] for name in _OWN}  # type: ignore[literal-required]
        for name in _SHARED:
            value = record[name]  # type: ignore[literal-required]
            kept[name] = seen.setdefault(marshal.dumps(value, 2), value)  # later versions tell shared from equal values
        kept["cites"] = [{"target": cite["target"]} for cite in record["cites"]]
        kept["children"] = [{"iri": child["iri"]} for child in record["children"]]
        yield cast(RuleRecord, kept)
