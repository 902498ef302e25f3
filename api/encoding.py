"""Bodies as bytes: the same on the command line and over HTTP."""

import json
from collections.abc import Mapping

import orjson


def encode(body: Mapping[str, object]) -> bytes:
    """A body as JSON in UTF-8; lone surrogates become `?`."""
    try:
        return orjson.dumps(body)
    except orjson.JSONEncodeError:  # it refuses lone surrogates
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
