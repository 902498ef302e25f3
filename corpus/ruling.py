"""A ruling: an answer to a question about a game, official or not, with the cards it is about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus.address import ruling_iri
from corpus.model import Authority


@dataclass(frozen=True, slots=True)
class Ruling:
    """One answer as a source gives it. What several files say of one id in several languages is one ruling."""

    game: str
    source: str  # a slug: who answers
    id: str  # as it stands in the address
    date: str | None  # ISO: a day, a month or a year; of the answer
    authority: Authority
    question: Mapping[str, str]  # language → words without markup; empty where a source only comments
    answer: Mapping[str, str]  # the same; at least one language
    cards: tuple[str, ...] = ()  # names as they are given, each once
    card_ids: tuple[str, ...] = ()  # numbers of cards, or what else a source calls them by
    marked_up: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """`question` and `answer` → language → the words as they were given, where markup was taken off them."""
    files: tuple[str, ...] = ()  # names of the files that say so
    version: str = ""  # of an older answer: its date, or what stands for one; "" for the one that holds
    withdrawn: bool = False  # the source no longer has it
    older: tuple["Ruling", ...] = ()  # what was answered before, the newest first

    @property
    def iri(self) -> str:
        """Its address."""
        return ruling_iri(self.game, self.source, self.id, self.version)

    @property
    def langs(self) -> tuple[str, ...]:
        """The languages that it is answered in."""
        return tuple(self.answer)


class Ground(NamedTuple):
    """A rule that a ruling rests on."""

    rule: str  # its address
    how: str  # "cited" by number, or "proposed": the source has not said so
    confidence: float | None = None  # of a proposal: the probability that it is right; 1 where a curator has said so
    who: str | None = None  # the curator


Grounds = Mapping[str, Sequence[Ground]]
"""Address of a ruling → the rules it rests on, the surest first."""
