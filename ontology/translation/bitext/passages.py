"""The parts of rules in all their languages: text, headword, examples, notes. Read once, kept for concordances and exports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.model import HEADINGS
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus.contract import Aside, RuleRecord

TEXT, HEADWORD, EXAMPLE, NOTE, HEADING = "text", "headword", "example", "note", "heading"
PARTS = (TEXT, HEADWORD, EXAMPLE, NOTE, HEADING)
Mark = tuple[str, int, int]
"""A concept (IRI) and where it is named, in code points."""


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """One part of a rule in every language that has it: `words["en"]` beside `words["ja"]`. Compared by identity."""

    rule: str  # IRI
    key: EditionKey
    locator: str
    number: str | None
    within: frozenset[str]  # locators of the rule and of all that stands above it
    part: str  # one of PARTS
    place: int  # among the parts of its kind, from 1
    current: bool
    words: Mapping[str, str]
    authority: Mapping[str, str]  # of each language
    marks: Mapping[str, Sequence[Mark]]  # of each language; examples and notes are not marked

    @property
    def id(self) -> str:
        """Its address: the rule's, and of an example or note which one it is."""
        return self.rule if self.part in (TEXT, HEADING) else f"{self.rule}#{self.part}-{self.place}"


def passages(knowledge: Knowledge, key: EditionKey) -> Sequence[Passage]:
    """Every passage of an edition in document order; of one that is known from the digest alone there is none."""
    if not knowledge.manifest.editions[key].languages:
        return ()
    kept: Sequence[Passage] = knowledge.once(("passages", key), lambda: tuple(_passages(knowledge, key)))
    return kept


def _passages(knowledge: Knowledge, key: EditionKey) -> Iterator[Passage]:
    above: dict[str | None, frozenset[str]] = {None: frozenset()}
    for record in knowledge.records_of(key):
        within = above.get(record["parent"], frozenset()) | {record["locator"]}
        above[record["iri"]] = within
        yield from _of_rule(record, key, within)


def _of_rule(record: "RuleRecord", key: EditionKey, within: frozenset[str]) -> Iterator[Passage]:
    authority = {lang: text["authority"] for lang, text in record["texts"].items()}

    def passage(part: str, place: int, words: Mapping[str, str], marks: Mapping[str, Sequence[Mark]]) -> Passage:
        who = {lang: authority.get(lang, "") for lang in words}
        return Passage(
            record["iri"], key, record["locator"], record["number"], within, part, place, record["current"], words, who, marks
        )

    if headwords := {lang: words for lang, words in record["headwords"].items() if lang in record["texts"]}:
        yield passage(HEADWORD, 1, headwords, {})
    if texts := {lang: text["text"] for lang, text in record["texts"].items()}:
        part = HEADING if record["kind"] in HEADINGS else TEXT
        yield passage(part, 1, texts, _marks(record))
    for part, asides in ((EXAMPLE, record["examples"]), (NOTE, record["notes"])):
        for place, words in enumerate(_beside(asides), 1):
            yield passage(part, place, words, {})


def _marks(record: "RuleRecord") -> Mapping[str, Sequence[Mark]]:
    marks: dict[str, list[Mark]] = {}
    for mention in record["mentions"]:
        if mention["lang"] in record["texts"]:
            marks.setdefault(mention["lang"], []).append((mention["concept"], mention["start"], mention["end"]))
    return marks


def _beside(asides: "Sequence[Aside]") -> Iterator[Mapping[str, str]]:
    """The first example of each language is the same one, and so on, where all have as many; else each stands alone."""
    by_lang: dict[str, list[str]] = {}
    for aside in asides:
        by_lang.setdefault(aside["lang"], []).append(aside["text"])
    if len({len(texts) for texts in by_lang.values()}) <= 1:
        for row in zip_longest(*by_lang.values()):
            yield dict(zip(by_lang, row, strict=True))
    else:
        yield from ({lang: text} for lang, texts in by_lang.items() for text in texts)
