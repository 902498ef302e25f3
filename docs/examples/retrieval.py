"""A retrieval function for any framework: what a model may say, each piece with its source. No framework is needed.

python docs/examples/retrieval.py http://127.0.0.1:8000 "order of cards in the graveyard"
"""

import json
import sys
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen


def retrieve(server: str, question: str, game: str | None = None) -> list[dict[str, Any]]:
    """The claims that answer a question as documents (`page_content`, `metadata`); none where no rule is sure enough."""
    asked = urlencode({"q": question} | ({"game": game} if game else {}))
    with urlopen(f"{server}/v1/answers?{asked}", timeout=30) as reply:
        body = json.load(reply)
    return [
        {
            "page_content": claim["text"],
            "metadata": {name: claim[name] for name in ("ref", "rule", "lang", "authority", "current", "note", "quote")},
        }
        for claim in body["claims"]
    ]


if __name__ == "__main__":
    for document in retrieve(*sys.argv[1:4]):
        print(document["metadata"]["ref"], document["page_content"])  # noqa: T201
