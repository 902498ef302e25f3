"""The clauses that may answer a question: of each of the first rules those of its text as it is shown, or of its gloss."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.languages import choose, readable
from search.answer.clauses import Clause, clauses, says_enough
from search.answer.phrases import phrases

if TYPE_CHECKING:
    from corpus.contract import RuleRecord


@dataclass(frozen=True, slots=True)
class Shown:
    """A rule in the one language that it is quoted in; `own`: these are its words and not those of our gloss."""

    place: int  # in the index
    rank: int  # among the hits, from 0
    score: float  # of its rule, as a share of the best
    record: "RuleRecord"
    lang: str
    text: str
    own: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A clause of a rule."""

    shown: Shown
    nth: int  # among the clauses of its rule
    clause: Clause

    @property
    def text(self) -> str:
        """Its words."""
        return self.shown.text[self.clause.start : self.clause.end]


def shown_in(record: "RuleRecord", lang: str) -> tuple[str, str, bool] | None:
    """Language and text that a rule is quoted in, and whether they are its own words: the asker's language where the book has it.

    None for a rule of which neither text nor gloss is there.
    """
    texts = {tag: text["text"] for tag, text in record["texts"].items() if text["text"].strip()}
    if texts:
        spoken = next((tag for tag in (*readable(lang), *texts) if tag in texts), lang)
        return spoken, texts[spoken], True
    spoken = choose(lang, record["digest"]) or ""
    return (spoken, record["digest"][spoken], False) if spoken else None


def candidates(shown: Shown) -> Iterator[Candidate]:
    """The clauses of a rule that can be an answer: not a mere name, and not only where to read on."""
    refers = phrases(shown.lang).refers
    for nth, clause in enumerate(clauses(shown.text, shown.lang)):
        text = shown.text[clause.start : clause.end]
        if says_enough(text) and not refers.fullmatch(text):
            yield Candidate(shown, nth, clause)
