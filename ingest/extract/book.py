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
class BookText:
    """One language of an edition."""

    lang: str
    provisions: Sequence[Provision]
    place: dict[str, int] = field(default_factory=dict)  # locator → index
    children: dict[str, list[str]] = field(default_factory=dict)

    def above(self, locator: str | None) -> Iterator[Provision]:
        """The provision itself and everything above it, from the inside out."""
        while locator is not None and locator in self.place:
            provision = self.provisions[self.place[locator]]
            yield provision
            locator = provision.parent


class TextNode(NamedTuple):
    """A node of a book, from an edition in hand or from a bundle's record."""

    kind: Kind
    locator: str
    text: str
    parent: str | None


def book_text(lang: str, nodes: Iterable[TextNode]) -> BookText:
    """The nodes of one language as a text; tables and glossaries are left out."""
    kept = [node for node in nodes if node.kind not in (Kind.TABLE, Kind.GLOSSARY)]
    parents = {node.parent for node in kept}
    provisions = [
        Provision(node.locator, node.text, node.parent, node.kind.is_heading or (node.locator in parents and _is_title(node.text)))
        for node in kept
    ]
    text = BookText(lang, provisions, {provision.locator: place for place, provision in enumerate(provisions)})
    for provision in provisions:
        if provision.parent is not None:
            text.children.setdefault(provision.parent, []).append(provision.locator)
    return text


def _is_title(words: str) -> bool:
    return bool(words) and len(words) <= _TITLE[has_cjk(words)] and not _SENTENCE.search(words)


def title(words: str) -> tuple[str, ...]:
    """The label of a heading and the other forms it gives in brackets, without its counting."""
    words = _NUMBERED.sub("", words.strip().strip("*_#").strip())
    inner = re.findall(r"[（(【\[]([^）)】\]]+)[）)】\]]", words)
    plain = re.sub(r"[（(【\[][^）)】\]]*[）)】\]]", " ", words)
    labels = [clean(plain), *(clean(form) for form in inner if has_cjk(form) or form.isupper())]
    return tuple(dict.fromkeys(label for label in labels if label))


def clean(label: str) -> str:
    """A label without quotation marks, articles and stray punctuation at its ends."""
    label = " ".join(label.split()).strip(" 、。，.,:：;；・•-–—*_\"'“”‘’「」『』")
    label = re.sub(r"^(?:the|a|an|your|each|and|or)\s+", "", label, flags=re.IGNORECASE)
    return re.sub(r"(?<=[^A-Za-z])とは$", "", label)
