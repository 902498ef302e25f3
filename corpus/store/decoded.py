"""Records of rules as the graph has them: JSON, read by the fastest library that gives the same."""

import json
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from corpus.contract import RuleRecord


def decoded(record: str) -> "RuleRecord":
    """A rule from its record. Raises ValueError for what is no JSON."""
    try:
        body: Any = orjson.loads(record)
    except orjson.JSONDecodeError:  # it refuses half a surrogate pair
        body = json.loads(record)
    return body  # type: ignore[no-any-return]
