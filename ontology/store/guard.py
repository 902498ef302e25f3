"""What may be asked of the store from outside: queries of SPARQL 1.1, no updates, and nothing of any other server."""

import re
from collections.abc import Sequence

from corpus.errors import InputError

_UPDATES = frozenset(["INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH"])
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|' + r"'''(?:[^'\\]|\\.|'(?!''))*'''|"
    r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'|"
    r'<[^<>"{}|^`\\\s]*>|\#[^\n]*|[?$@]\w+|[\w.-]*:[^\s<>{}()\[\],;|/^*+!=&]*|(?P<word>[A-Za-z]+)',
    re.DOTALL,
)


def refuse(words: Sequence[str]) -> None:
    """Raises InputError for the keywords of an update and of a query with SERVICE; any other form passes."""
    if "SERVICE" in words:
        raise InputError("the query has SERVICE, which asks another server; leave it out: only this knowledge base is asked")
    first = next((word for word in words if word not in ("BASE", "PREFIX")), "")
    if first in _UPDATES:
        raise InputError(
            "{first} is an update; the knowledge base is only read: expected SELECT, ASK, CONSTRUCT or DESCRIBE", first=first
        )


def keywords(query: str) -> list[str]:
    """The keywords in capitals, in their order: words in strings, addresses, comments, names and variables are none."""
    plain = _ESCAPE.sub(lambda match: _character(match[1] or match[2]), query)
    return [match["word"].upper() for match in _TOKEN.finditer(plain) if match["word"]]


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code < 0x110000 else "\ufffd"
