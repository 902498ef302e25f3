"""Passages: the indexed pieces of rules, by field and language, and the runs of passages with one owner."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpus.address import RS
from corpus.contract import RuleRecord
from corpus.languages import canonical_tag
from corpus.store.engine import values_clause
from ontology.knowledge import Knowledge
from search.settings import Field

Scores = NDArray[np.float32]
Ids = NDArray[np.intp]
"""Ids of rules, rulings or passages: their positions in an index."""
_MAX_TITLES = 2
_TITLE_NUMBER = re.compile(r"^[\d.\-]+\s+")
_PARENT_CHARS = 120
"""Number of characters of the parent rule that are indexed with a rule."""


class Passage(NamedTuple):
    """Words in one language that lead to a rule or ruling, its owner."""

    owner: int  # id of the rule or ruling
    field: Field
    lang: str
    text: str
    title: str = ""  # of the two headings above it, in its language


def full_text(record: RuleRecord, lang: str) -> str:
    """The text of a rule in one language: its own sentences, then its examples and notes, each on a new line."""
    if lang not in record["texts"]:
        return ""
    asides = (aside["text"] for aside in (*record["examples"], *record["notes"]) if aside["lang"] == lang)
    return "\n".join((record["texts"][lang]["text"], *asides))


def questions_by_rule(knowledge: Knowledge, graphs: Iterable[str] | None = None) -> dict[str, list[tuple[str, str]]]:
    """IRI of a rule → the questions that it answers as (language, question), sorted; those in some named graphs (None: in all)."""
    questions: dict[str, list[tuple[str, str]]] = {}
    graph = values_clause("g", graphs)
    rows = knowledge.store.select(
        f"SELECT ?rule ?words (LANG(?words) AS ?lang) WHERE {{ {graph} GRAPH ?g {{ ?rule <{RS}askedAs> ?words }} }}"
    )
    for row in rows:
        questions.setdefault(row["rule"], []).append((canonical_tag(row["lang"]), row["words"]))
    return {rule: sorted(own_questions) for rule, own_questions in questions.items()}


def passages(
    rule: int, record: RuleRecord, questions: Sequence[tuple[str, str]], parent: RuleRecord | None = None
) -> Iterator[Passage]:
    """The passages of the rule with this id, in a stable order."""
    for lang in sorted(record["texts"]):
        yield Passage(rule, Field.TEXT, lang, full_text(record, lang), _title(record, lang))
    for lang in sorted({*record["headings"], *record["headwords"]}):
        yield Passage(rule, Field.CONTEXT, lang, _context_text(record, lang, parent))
    for lang, words in sorted(_gloss(record).items()):
        yield Passage(rule, Field.GLOSS, lang, words, _title(record, lang))
    for lang, words in questions:
        yield Passage(rule, Field.QUESTION, lang, words)


def _title(record: RuleRecord, lang: str) -> str:
    """The two nearest headings above a rule, without their numbers."""
    return " › ".join(_TITLE_NUMBER.sub("", title) for title in record["headings"].get(lang, [])[-_MAX_TITLES:])


def _context_text(record: RuleRecord, lang: str, parent: RuleRecord | None) -> str:
    """The headings, the start of the parent (often its title: 702.19. Trample), the headword and the number."""
    titles = record["headings"].get(lang, [])
    above = ""
    if parent and lang in parent["texts"] and parent["kind"] == "rule":
        above = parent["texts"][lang]["text"][:_PARENT_CHARS].replace("\n", " ")
    return "\n".join(filter(None, (*titles, above, record["headwords"].get(lang, ""), record["number"] or "")))


def _gloss(record: RuleRecord) -> dict[str, str]:
    """The gloss with its example; if these words have none, the gloss of another wording."""
    if record["digest"]:
        return {
            lang: "\n".join(filter(None, (words, record["digest_example"].get(lang)))) for lang, words in record["digest"].items()
        }
    return dict(record["digest_other"]["texts"]) if record["digest_other"] else {}


class Segment:
    """Consecutive passages in ascending order of their owners."""

    def __init__(self, owners: NDArray[np.int32], first: int, owner_count: int) -> None:
        """`owners` has the owner of each passage, `first` is the id of the first one, `owner_count` the number of all owners."""
        self.span = slice(first, first + len(owners))
        self.starts: Ids = np.flatnonzero(np.diff(owners, prepend=-1))
        self.owners: NDArray[np.int32] = owners[self.starts]
        """The owners that have any of the passages, ascending."""
        self._owner_count = owner_count
        self._one_each = len(owners) == len(self.owners) == owner_count
        counts = np.diff(np.append(self.starts, len(owners)))
        by_count = np.argsort(-counts, kind="stable")
        self._by_count = self.owners[by_count].astype(np.intp)
        self._nth = [self.starts[by_count[: int((counts > nth).sum())]] + nth for nth in range(int(counts.max(initial=0)))]
        """The nth passage of each owner that has one, the owners with the most passages first."""
        self._equal_count = len(self._nth) if len(owners) == len(self._nth) * len(self.owners) else 0
        """The number of passages of each owner if all have the same number, else 0."""

    def best_of_owners(self, scores: Scores) -> Scores:
        """The best score of each owner's passages, shape (owner_count,), 0 without any; `scores` are those of all passages.

        The result may be a view of `scores`.
        """
        if self._one_each:
            return scores[self.span]
        of_owners = np.zeros(self._owner_count, dtype=np.float32)
        if self._nth:
            own = scores[self.span]
            of_owners[self._by_count] = self._best_of_equal(own) if self._equal_count else self._best_of_unequal(own)
        return of_owners

    def _best_of_equal(self, scores: Scores) -> Scores:
        best = scores[:: self._equal_count].copy()
        for nth in range(1, self._equal_count):
            np.maximum(best, scores[nth :: self._equal_count], out=best)
        return best

    def _best_of_unequal(self, scores: Scores) -> Scores:
        best = scores.take(self._nth[0])
        for nth in self._nth[1:]:
            np.maximum(best[: len(nth)], scores.take(nth, mode="clip"), out=best[: len(nth)])
        return best

    def owner_bounds(self) -> NDArray[np.int32]:
        """The ids of each owner's first passage and of the one after its last, shape (2, owner_count); equal without any."""
        ends = np.zeros((2, self._owner_count), dtype=np.int32)
        ends[0, self.owners] = self.starts + self.span.start
        ends[1, self.owners] = np.append(self.starts, self.span.stop - self.span.start)[1:] + self.span.start
        return ends
