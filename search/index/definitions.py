"""Which rules say what a thing is: those that define it, in the order in which a reader takes them, book by book.

What a loaded book defines is a concept. Of a book that only the digest knows, our glosses name what its rules define: the titles of
sections and of keywords' rules, the headwords of its glossary.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from corpus.address import NS
from corpus.contract import RuleRecord
from corpus.model import HEADINGS
from corpus.store.by_reference import edition_of
from corpus.words.tokens import words
from ontology.knowledge import Knowledge
from search.index.concept_tokens import shared_concept

if TYPE_CHECKING:
    from ingest.define.label import Where

NAME = "="
"""What the key of a name begins with that is no concept's; behind it stand the words of the name, as names are compared."""
_FIRST = 8
"""Rules under a heading that say what it is about; those after them go into its cases."""
_MOST = 12
"""Rules of one book that say what one thing is."""
_SENTENCE = re.compile(r"[.。!！?？:：;；)）]\W*$")
_TITLED = re.compile("[:：]")
"""What stands behind the name of a keyword in the gloss of its rule: `Trample: the keyword for …`."""
_GLOSSARY = "glossary"


def rows(knowledge: Knowledge, records: Sequence[RuleRecord], places: Mapping[str, int]) -> dict[str, list[list[int]]]:
    """What is defined → for each edition that defines it, the places of the rules that say what it is, in order.

    A concept stands there as its token names it, a name by its `name_key`.
    """
    outline = Outline(records, places)
    by_edition: dict[str, dict[object, list[int]]] = {}
    for defined, place in sorted({*_defining(knowledge, places), *_glossed(records)}):
        by_edition.setdefault(defined, {}).setdefault(edition_of(records[place]), []).append(place)
    told = {defined: [outline.told(defining) for defining in editions.values()] for defined, editions in by_edition.items()}
    return {defined: kept for defined, some in told.items() if (kept := [part for part in some if part])}


def name_key(norms: Iterable[str]) -> str:
    """The key of a name from its words as they are compared."""
    return NAME + " ".join(norms)


def _glossed(records: Sequence[RuleRecord]) -> Iterator[tuple[str, int]]:
    """Every name in the glosses of rules of which no text is loaded, with the place of its rule."""
    from ingest.define.label import is_title_of_term, names  # a search, which opens what is written here, has no use for it

    for place, record in enumerate(records):
        for lang, title, where in () if record["texts"] else _titles(record):
            called = names(title, lang, where)
            if called and (where == "headword" or is_title_of_term(called[0], lang)):
                yield from ((name_key(token.norm for token in words(name)), place) for name in called)


def _titles(record: RuleRecord) -> "Iterator[tuple[str, str, Where]]":
    """What may be a name in each language: a headword, the gloss of a heading, the beginning of that of a keyword's rule."""
    if record["kind"] == _GLOSSARY:
        yield from ((lang, word, "headword") for lang, word in record["headwords"].items())
    elif record["kind"] in HEADINGS:
        yield from ((lang, said, "title") for lang, said in record["digest"].items())
    elif record["children"] and all(_TITLED.search(said) for said in record["digest"].values()):
        yield from ((lang, _TITLED.split(said, maxsplit=1)[0], "title") for lang, said in record["digest"].items())


def _defining(knowledge: Knowledge, places: Mapping[str, int]) -> set[tuple[str, int]]:
    """Every concept with every loaded rule that defines it."""
    solutions = knowledge.store.select(f"SELECT ?concept ?rule WHERE {{ GRAPH ?g {{ ?concept <{NS}definedBy> ?rule }} }}")
    return {(shared_concept(row["concept"]), places[row["rule"]]) for row in solutions if row["rule"] in places}


class Outline:
    """What stands under each rule, and what a glossary refers to."""

    def __init__(self, records: Sequence[RuleRecord], places: Mapping[str, int]) -> None:
        self._records = records
        self._places = places

    def told(self, defining: Iterable[int]) -> list[int]:
        """The rules that say what something is: those that define it with their parts, then the glossary and what it refers to."""
        entries = [place for place in defining if self._records[place]["kind"] == _GLOSSARY]
        own = [with_part for place in defining if place not in entries for with_part in self._with_parts(place)]
        referred = [with_part for place in entries for target in self._cited(place) for with_part in self._with_parts(target)]
        return list(dict.fromkeys((*own, *entries, *referred)))[:_MOST]

    def _with_parts(self, place: int) -> Iterator[int]:
        """A rule and its parts in the order of the book; of a heading, or of a rule that is a mere title, only these."""
        parts = [part for part in self._parts(place) if self._records[part]["kind"] not in HEADINGS][:_FIRST]
        is_rule = self._records[place]["kind"] not in HEADINGS and not (parts and self._is_title(place))
        yield from (place, *parts) if is_rule else parts

    def _parts(self, place: int) -> Iterator[int]:
        for child in self._records[place]["children"]:
            if child["iri"] in self._places:
                yield self._places[child["iri"]]

    def _cited(self, place: int) -> Iterator[int]:
        for cite in self._records[place]["cites"]:
            if (cite["target"] or "") in self._places:
                yield self._places[cite["target"] or ""]

    def _is_title(self, place: int) -> bool:
        """Whether the words of a rule name what its parts say: 702.3. Defender. Where none are loaded, our gloss tells."""
        record = self._records[place]
        said = [text["text"] for text in record["texts"].values()] or record["digest"].values()
        return not any(map(_SENTENCE.search, said))
