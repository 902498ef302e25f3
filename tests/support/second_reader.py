"""A second reader of numbered rulebooks, kept dumb so that it repeats no error of the parser: one expression for each book."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from corpus.model import Aside, Kind, Node


@dataclass(frozen=True, slots=True)
class NumberedBook:
    """How a book prints its rules; `^` and `$` in the expressions match at line ends."""

    number: str  # a group holds the number
    begin: str = r"\A"  # its last match is before all rules
    end: str = r"\Z"  # its first match after `begin` is after all rules
    skipped: str = r"(?!)"  # page numbers, running heads
    cited: tuple[str, ...] = ()  # `number#n`: its nth match is a citation that was wrapped to a line start
    garbled: tuple[str, ...] = ()  # numbers whose words stand elsewhere in the file


def rules_of_text(text: str, book: NumberedBook) -> list[tuple[str, str]]:
    """Number and last ten characters of each rule, in print order."""
    text = text.replace("\r\n", "\n").replace("\f", "\n")
    body = text[[match.end() for match in re.finditer(book.begin, text, re.M)][-1] :]
    end = re.search(book.end, body, re.M)
    body = re.sub(book.skipped, "", body[: end.start()] if end else body, flags=re.M)
    places, numbers = list[tuple[str, int, int]](), list[str]()
    for match in re.finditer(book.number, body, re.M):
        numbers.append(_folded(next(filter(None, match.groups()))))
        if f"{numbers[-1]}#{numbers.count(numbers[-1])}" not in book.cited:
            places.append((numbers[-1], match.start(), match.end()))
    return [(number, _last_ten(body[at:end])) for (number, _, at), (_, end, _) in pairwise([*places, ("", len(body), 0)])]


def rules_of_nodes(nodes: Iterable[Node]) -> list[tuple[str, str]]:
    """Number and last ten characters of each numbered rule of the parser, with the items, examples and notes under it."""
    rules, goes_on = list[tuple[str, list[tuple[int, str]]]](), False
    for node in nodes:
        goes_on = bool(node.number) or (goes_on and "~" in node.locator and node.kind in (Kind.RULE, Kind.TABLE, Kind.PROSE))
        if node.number:
            rules.append((_folded(node.number), []))
        if goes_on:
            parts: tuple[Node | Aside, ...] = (node, *node.examples, *node.notes)
            rules[-1][1].extend((part.spans[0].start, part.text) for part in parts)
    return [(number, _last_ten("".join(words for _, words in sorted(placed)))) for number, placed in rules]


def _folded(printed: str) -> str:
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", printed)).rstrip(".").lower()


def _last_ten(words: str) -> str:
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", re.sub("[①-⑳]", "", words)).lower())[-10:]
