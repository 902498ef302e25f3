"""The words of a rule as they can be quoted: its own, its examples and notes, and those of its parts, in each language."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.editions.verify.comparable import Comparable, comparable

if TYPE_CHECKING:
    from corpus.contract import RuleRecord


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of a rule: `start` is where it stands in the whole; `own` whether it is the rule's text, not an example."""

    rule: str
    start: int
    text: str
    own: bool


@dataclass(frozen=True, slots=True)
class Wording:
    """All that can be quoted of a rule in one language, one text behind the other."""

    lang: str
    passages: tuple[Passage, ...]
    whole: Comparable

    def passage_at(self, place: int) -> Passage:
        """The passage that a place of the whole is in."""
        return next((passage for passage in reversed(self.passages) if passage.start <= place), self.passages[0])


def wordings(records: "Sequence[RuleRecord]") -> Iterator[Wording]:
    """A rule and its parts (first the rule) in each language they are loaded in: without numbers, then with them."""
    for lang in dict.fromkeys(lang for record in records for lang in record["texts"]):
        for numbered in (False, True):
            passages, pieces, at = [], [], 0
            for rule, lead, text, own in _texts(records, lang):
                shown = f"{lead} " if numbered and lead else ""
                pieces.append(f"{shown}{text}\n")
                passages.append(Passage(rule, at + len(shown), text, own))
                at += len(pieces[-1])
            yield Wording(lang, tuple(passages), comparable("".join(pieces)))


def _texts(records: "Sequence[RuleRecord]", lang: str) -> "Iterator[tuple[str, str, str, bool]]":
    """Rule, number or headword, text, and whether it is the rule's own."""
    for record in records:
        lead = record.get("headwords", {}).get(lang) or record["number"] or ""
        if lang in record["texts"]:
            yield record["iri"], lead, record["texts"][lang]["text"], True
        for aside in (*record["examples"], *record["notes"]):
            if aside["lang"] == lang:
                yield record["iri"], "", aside["text"], False
