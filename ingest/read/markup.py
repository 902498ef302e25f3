"""HTML that would keep its parser busy without end, told by its tags alone, in time linear in its length."""

import re
from collections.abc import Iterator

from corpus.errors import InputError
from ingest.read import limits

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<raw>script|style|textarea|title)\b.*?(?:</(?P=raw)|\Z)"
    r"""|<(?P<tag>/?[a-z][^\s/>]*+)(?P<rest>(?:[^>"']++|"[^"]*+"|'[^']*+')*+)""",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|[\s/]+")
_FOREIGN = {"svg", "math"}  # in these alone a tag that ends with "/>" is closed
_UNCLOSED = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
_UNCLOSED |= {"html", "head", "body", "li", "dt", "dd", "p", "rt", "rp", "optgroup", "option", "colgroup"}
_UNCLOSED |= {"thead", "tbody", "tfoot", "tr", "td", "th"}
"""Elements that have no end tag, or need none: those of the second kind nest only with others between them."""


def refuse_tangle(html: str, name: str) -> None:
    """Raises InputError for more attributes on an element, or elements inside one another, than `limits.LIMITS`."""
    depth, foreign = 0, False
    for tag, rest in _tags(html):
        closing, element = tag.startswith("/"), tag.lstrip("/").lower()
        foreign = not closing if element in _FOREIGN else foreign
        if element not in _UNCLOSED and not (foreign and rest.endswith("/")):
            depth = max(0, depth - 1) if closing else depth + 1
        if depth > limits.LIMITS.depth:
            raise InputError(
                "{file}: has more than {most:,.0f} HTML elements inside one another; give the rules as a plain text file",
                file=name,
                most=limits.LIMITS.depth,
            )
        if _attributes(rest) > limits.LIMITS.attributes:
            raise InputError(
                "{file}: has an HTML element with more than {most:,.0f} attributes; give the rules as a plain text file",
                file=name,
                most=limits.LIMITS.attributes,
            )


def _tags(html: str) -> Iterator[tuple[str, str]]:
    for match in _TAG.finditer(html):
        if match["tag"]:
            yield match["tag"], match["rest"]


def _attributes(rest: str) -> int:
    if len(rest) <= 2 * limits.LIMITS.attributes:  # each takes a letter and a space
        return 0
    return len(_QUOTED.sub(" ", rest).split())
