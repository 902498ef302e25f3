"""The parts of rules in all their languages: text, headword, examples, notes. Read once for each edition of a bundle."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.model import HEADING_KINDS
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus.contract import Aside, RuleRecord

TEXT, HEADWORD, EXAMPLE, NOTE, HEADING = "text", "headword", "example", "note", "heading"
PASSAGE_PARTS = (TEXT, HEADWORD, EXAMPLE, NOTE, HEADING)
Mention = tuple[str, int, int]
"""A concept (IRI) and the code points that name it."""


@dataclass(frozen=True, slots=True, eq=False)
class ParallelPassage:
    """One part of a rule in every language that has it: `words["en"]` beside `words["ja"]`. Compared by identity."""

    rule: str  # IRI
    key: EditionKey
    locator: str
    number: str | None
    sections: frozenset[str]  # locators of the rule and of its ancestors
    part: str  # one of PARTS
    nth: int  # among the parts of its kind, from 1
    current: bool
    words: Mapping[str, str]
    authority: Mapping[str, str]  # of each language
    mentions: Mapping[str, Sequence[Mention]]  # in each language; none in examples and notes

    @property
    def id(self) -> str:
        """The rule's IRI, with a fragment for a headword, an example or a note."""
        return self.rule if self.part in (TEXT, HEADING) else f"{self.rule}#{self.part}-{self.nth}"


def passages(knowledge: Knowledge, key: EditionKey) -> Sequence[ParallelPassage]:
    """The passages of an edition in document order; none if only its digest is loaded."""
    if not knowledge.manifest.editions[key].languages:
        return ()
    edition_passages: Sequence[ParallelPassage] = knowledge.cached(("passages", key), lambda: tuple(_passages(knowledge, key)))
    return edition_passages


def _passages(knowledge: Knowledge, key: EditionKey) -> Iterator[ParallelPassage]:
    sections: dict[str | None, frozenset[str]] = {None: frozenset()}
    for record in knowledge.records_of(key):
        sections[record["iri"]] = sections.get(record["parent"], frozenset()) | {record["locator"]}
        yield from _rule_passages(record, key, sections[record["iri"]])


def _rule_passages(record: "RuleRecord", key: EditionKey, sections: frozenset[str]) -> Iterator[ParallelPassage]:
    authorities = {lang: text["authority"] for lang, text in record["texts"].items()}

    def make_passage(part: str, nth: int, words: Mapping[str, str], mentions: Mapping[str, Sequence[Mention]]) -> ParallelPassage:
        authority = {lang: authorities.get(lang, "") for lang in words}
        iri, locator, number, current = record["iri"], record["locator"], record["number"], record["current"]
        return ParallelPassage(iri, key, locator, number, sections, part, nth, current, words, authority, mentions)

    if headwords := {lang: words for lang, words in record["headwords"].items() if lang in record["texts"]}:
        yield make_passage(HEADWORD, 1, headwords, {})
    if texts := {lang: text["text"] for lang, text in record["texts"].items()}:
        yield make_passage(HEADING if record["kind"] in HEADING_KINDS else TEXT, 1, texts, _mentions(record))
    for part, asides in ((EXAMPLE, record["examples"]), (NOTE, record["notes"])):
        for nth, words in enumerate(_asides_by_language(asides), 1):
            yield make_passage(part, nth, words, {})


def _mentions(record: "RuleRecord") -> Mapping[str, Sequence[Mention]]:
    mentions: dict[str, list[Mention]] = {}
    for mention in record["mentions"]:
        if mention["lang"] in record["texts"]:
            mentions.setdefault(mention["lang"], []).append((mention["concept"], mention["start"], mention["end"]))
    return mentions


def _asides_by_language(aside_list: "Sequence[Aside]") -> Iterator[Mapping[str, str]]:
    """Asides as language → text: matched in order if each language has equally many, else separately."""
    texts: dict[str, list[str]] = {}
    for aside in aside_list:
        texts.setdefault(aside["lang"], []).append(aside["text"])
    if len({len(some) for some in texts.values()}) <= 1:
        for row in zip_longest(*texts.values()):
            yield dict(zip(texts, row, strict=True))
    else:
        yield from ({lang: text} for lang, some in texts.items() for text in some)
