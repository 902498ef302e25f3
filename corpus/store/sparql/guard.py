"""Checks untrusted queries: SPARQL 1.1 queries only, no updates and no federation.

The engine reads `SERVICE:x`, `SERVICEa:x` and `SERVICESILENT:x` as the keyword and a name, so a word list is not enough. A query
without these seven letters is safe. In any other, every occurrence must unambiguously be part of a string, a comment, an address,
a variable or a name with a declared prefix; otherwise the query is refused.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from corpus.errors import InputError

_UPDATE_KEYWORDS = frozenset(["INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH"])
_SERVICE = re.compile("service", re.IGNORECASE)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_CODE_POINT_ESCAPE = r"\\u(?![Dd][89A-Fa-f])[0-9A-Fa-f]{4}|\\U(?:0000(?![Dd][89A-Fa-f])|000[1-9A-Fa-f]|0010)[0-9A-Fa-f]{4}"
_STRING_ESCAPE = rf"\\[tbnrf\\\"']|{_CODE_POINT_ESCAPE}"
_TOKEN = re.compile(
    rf'''(?P<string>"""(?>(?:[^"\\]|{_STRING_ESCAPE}|"(?!""))*)"""|"(?>(?:[^"\\\n\r]|{_STRING_ESCAPE})*)"'''
    rf"""|'''(?>(?:[^'\\]|{_STRING_ESCAPE}|'(?!''))*)'''|'(?>(?:[^'\\\n\r]|{_STRING_ESCAPE})*)')"""
    rf"|<(?P<iri>(?>(?:[^<>\"{{}}|^`\\\x00-\x20]|{_CODE_POINT_ESCAPE})*))>"
    r"|(?P<comment>\#[^\n\r]*+)|(?P<variable>[?$]\w++)|(?P<tag>@[A-Za-z]++(?>(?:-[A-Za-z0-9]++)*))"
    r"|(?P<name>(?P<prefix>[\w·‿⁀-]*+):(?>(?:[\w·‿⁀:-]|%[0-9A-Fa-f]{2}|\\.)*))|(?P<word>[\w·‿⁀-]++)"
)
_PREFIX_DECLARATION = re.compile(r"\s*<")
_OPENING_BRACE = re.compile(r"(?>(?:\s|#[^\n\r]*+[\n\r])*)\{")
_ABSOLUTE_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^']*+")


def refuse_unsafe(query: str) -> None:
    """Raises InputError for an update, and for a query that contains or may contain SERVICE."""
    if any(_has_service(text) for text in {query, _resolve_escapes(query)}):
        raise InputError(
            "the query has SERVICE, which queries another server; leave it out: only this knowledge base is queried."
            " Rename prefixes or names that contain these letters"
        )
    first = next((word for word in keywords(query) if word not in ("BASE", "PREFIX")), "")
    if first in _UPDATE_KEYWORDS:
        raise InputError(
            "{first} is an update, and the knowledge base is read-only; expected SELECT, ASK, CONSTRUCT or DESCRIBE", first=first
        )


def keywords(query: str) -> Sequence[str]:
    """The keywords in capitals, in order, without words in strings, addresses, comments, names and variables."""
    return [match["word"].upper() for match in _TOKEN.finditer(query) if match["word"]]


def _has_service(query: str) -> bool:
    """Whether a query contains or may contain SERVICE."""
    if not _SERVICE.search(query):
        return False
    tokens = list(_TOKEN.finditer(query))
    prefixes = set(_declared_prefixes(query, tokens))
    return any(_is_ambiguous(query, token, prefixes) for token in tokens)


def _declared_prefixes(query: str, tokens: Sequence[re.Match[str]]) -> Iterator[str]:
    """The prefixes that a query declares."""
    for before, token in pairwise(tokens):
        if (before["word"] or "").upper() == "PREFIX" and token["name"] and _PREFIX_DECLARATION.match(query, token.end()):
            yield token["prefix"]


def _is_ambiguous(query: str, token: re.Match[str], prefixes: set[str]) -> bool:
    if token["iri"] is not None:
        # it is not an address if it can be parsed as an operator followed by a string or comment
        return bool(set(token["iri"]) & set("'#")) and not _ABSOLUTE_IRI.fullmatch(token["iri"])
    if token["word"]:
        return bool(_SERVICE.search(token["word"]))
    if not token["name"] or not _SERVICE.search(token["prefix"]):
        return False
    return token["prefix"] not in prefixes or bool(_OPENING_BRACE.match(query, token.end()))


def _resolve_escapes(query: str) -> str:
    r"""A query with its code point escapes resolved (SPARQL 1.1, section 19.2); the engine resolves them in strings only."""
    return _ESCAPE.sub(lambda match: _escaped_character(match[1] or match[2]), query)


def _escaped_character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code < 0x110000 else "\ufffd"
