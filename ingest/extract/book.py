"""A text of an edition as extraction reads it: provisions in document order, and what stands below what."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus.model import Kind
from ingest.extract.facts import Provision
from ingest.extract.tokens import has_cjk

_TITLE = {True: 16, False: 48}  # characters that an unmarked title may have: with CJK, without
_SENTENCE = re.compile(r"[。！？;；]|[.!?](?:\s|$)")
_NUMBERED = re.compile(r"^\s*(?:[0-9]+|[①-⑳])\s*[.．、)）:：]?\s*(?=\D)")


@dataclass(frozen=True, slots=True)
class Text:
    """One language of an edition."""

    lang: str
    provisions: Sequence[Provision]
    place: dict[str, int] = field(default_factory=dict)  # locator → index
    children: dict[str, list[str]] = field(default_factory=dict)

    def above(self, locator: str | None) -> Iterator[Provision]:
        """The provision itself and everything above it, from the inside out."""
        while locator is not None and locator in self.place:
            found = self.provisions[self.place[locator]]
            yield found
            locator = found.parent


class Row(NamedTuple):
    """A node of a book, from an edition in hand or from a bundle's record."""

    kind: Kind
    locator: str
    text: str
    parent: str | None


def text_of(lang: str, rows: Iterable[Row]) -> Text:
    """The nodes of one language as a Text; tables and glossaries are left out."""
    kept = [row for row in rows if row.kind not in (Kind.TABLE, Kind.GLOSSARY)]
    parents = {row.parent for row in kept}
    provisions = [
        Provision(row.locator, row.text, row.parent, row.kind.is_heading or (row.locator in parents and _is_title(row.text)))
        for row in kept
    ]
    text = Text(lang, provisions, {one.locator: place for place, one in enumerate(provisions)})
    for one in provisions:
        if one.parent is not None:
            text.children.setdefault(one.parent, []).append(one.locator)
    return text


def _is_title(words: str) -> bool:
    return bool(words) and len(words) <= _TITLE[has_cjk(words)] and not _SENTENCE.search(words)


def title(words: str) -> tuple[str, ...]:
    """The label of a heading and the other forms it gives in brackets, without its counting."""
    words = _NUMBERED.sub("", words.strip().strip("*_#").strip())
    inner = re.findall(r"[（(【\[]([^）)】\]]+)[）)】\]]", words)
    plain = re.sub(r"[（(【\[][^）)】\]]*[）)】\]]", " ", words)
    labels = [clean(plain), *(clean(one) for one in inner if has_cjk(one) or one.isupper())]
    return tuple(dict.fromkeys(label for label in labels if label))


def clean(label: str) -> str:
    """A label without quotation marks, articles and stray signs at its ends."""
    label = " ".join(label.split()).strip(" 、。，.,:：;；・•-–—*_\"'“”‘’「」『』")
    label = re.sub(r"^(?:the|a|an|your|each|and|or)\s+", "", label, flags=re.IGNORECASE)
    return re.sub(r"(?<=[^A-Za-z])とは$", "", label)
