"""Which rules say what a thing is: those that define it, in the order in which a reader takes them, book by book."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from corpus.address import NS
from corpus.contract import RuleRecord
from corpus.model import HEADINGS
from ontology.store.by_reference import edition_of
from ontology.store.knowledge import Knowledge
from search.index.concept_tokens import shared_concept

_FIRST = 8
"""Rules under a heading that say what it is about; those after them go into its cases."""
_MOST = 12
"""Rules of one book that say what one thing is."""
_SENTENCE = re.compile(r"[.。!！?？:：;；)）]\W*$")
_GLOSSARY = "glossary"


def rows(knowledge: Knowledge, records: Sequence[RuleRecord], places: Mapping[str, int]) -> dict[str, list[list[int]]]:
    """Concept, as its token names it → for each edition that defines it, the places of the rules that say what it is, in order."""
    outline = _Outline(records, places)
    found: dict[str, dict[object, list[int]]] = {}
    for concept, place in sorted(_defining(knowledge, places)):
        found.setdefault(concept, {}).setdefault(edition_of(records[place]), []).append(place)
    told = {concept: [outline.told(defining) for defining in editions.values()] for concept, editions in found.items()}
    return {concept: [one for one in some if one] for concept, some in told.items()}


def _defining(knowledge: Knowledge, places: Mapping[str, int]) -> set[tuple[str, int]]:
    """Every concept with every loaded rule that defines it."""
    found = knowledge.store.select(f"SELECT ?concept ?rule WHERE {{ GRAPH ?g {{ ?concept <{NS}definedBy> ?rule }} }}")
    return {(shared_concept(row["concept"]), places[row["rule"]]) for row in found if row["rule"] in places}


class _Outline:
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
        """Whether the words of a rule name what its parts say: 702.3. Defender."""
        return not any(_SENTENCE.search(text["text"]) for text in self._records[place]["texts"].values())
