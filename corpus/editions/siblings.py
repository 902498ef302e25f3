"""The neighbours of a rule in its book: one that limits or introduces a rule may not be found by a search for its words."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from corpus.address import citation_of, split_rule
from corpus.editions.sections import Sections, sections_of
from corpus.languages import choose
from corpus.model import Kind
from corpus.store.books import Books

if TYPE_CHECKING:
    from corpus.contract import RuleRecord, Sibling

MAX_BESIDE = 2
"""Maximum number of siblings on each side of a rule."""
_MAX_BYTES = 60
"""Maximum length of the first words of a sibling, in bytes of UTF-8: ten English words or twenty Chinese characters."""


def addresses_beside(knowledge: Books, iri: str) -> list[str]:
    """The addresses of the nearest siblings before and after a rule or heading, in the book's order.

    An entry of a glossary has none: its neighbours are only next in the alphabet.
    """
    sections = sections_of(knowledge, split_rule(iri).key)
    places, position = sections.places, sections.positions[iri]
    if places[position].kind == Kind.GLOSSARY:
        return []
    return [places[at].iri for at in (*reversed([*_before(sections, position)]), *_after(sections, position))]


def siblings(knowledge: Books, addresses: Iterable[str], lang: str) -> "list[Sibling]":
    """Rules and headings as siblings: each with its number and first words, in `lang` where the book has it."""
    return [_sibling(record, lang) for record in knowledge.by_iri(addresses).values()]


def _before(sections: Sections, position: int) -> Iterator[int]:
    """The positions of the siblings before an entry, the nearest first."""
    places, depth, count = sections.places, sections.places[position].depth, 0
    at = position - 1
    while at >= 0 and places[at].depth >= depth and count < MAX_BESIDE:
        if places[at].depth == depth:
            count += 1
            yield at
        at -= 1


def _after(sections: Sections, position: int) -> Iterator[int]:
    """The positions of the siblings after an entry, the nearest first."""
    places, depth, count = sections.places, sections.places[position].depth, 0
    at = places[position].end
    while at < len(places) and places[at].depth == depth and count < MAX_BESIDE:
        count += 1
        yield at
        at = places[at].end


def _sibling(record: "RuleRecord", lang: str) -> "Sibling":
    words = {**record["digest"], **{tag: text["text"] for tag, text in record["texts"].items()}}
    return {
        "ref": citation_of(record["iri"]),
        "number": record["number"],
        "words": first_words(words.get(choose(lang, words) or lang, "")),
    }


def first_words(text: str) -> str:
    """The first words of a text; an ellipsis follows where there is more."""
    plain = " ".join(text.split())
    start = plain.encode()[:_MAX_BYTES].decode(errors="ignore")
    if start == plain:
        return plain
    whole, blank, _ = start.rpartition(" ")  # of a script without blanks, the characters that fit
    return f"{whole if blank and len(whole) > len(start) // 2 else start} …"
