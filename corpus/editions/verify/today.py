"""Where a rule stands today: what the threads of its book say."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from corpus.address import EditionKey, rule_iri
from corpus.model import Authority
from corpus.words.text import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from corpus.contract import RuleRecord
    from corpus.editions.threads import Step
    from corpus.store.books import Books


@dataclass(frozen=True, slots=True)
class Today:
    """A rule in the current edition: its address there, and whether another rule bears its number.

    `iri` is None for a rule that is gone, and where nobody knows (`known` false); `same_words` is None where the two have no
    language in common. `only_references`: nothing but the numbers that it refers to has changed.
    """

    iri: str | None
    same_words: bool | None = None
    reused: bool = False
    known: bool = True
    only_references: bool = False


class Threads(Protocol):
    """The same rules through the editions of a book."""

    def at(self, iri: str, edition: EditionKey) -> "Sequence[Step]":
        """The steps that join a rule with another edition, earlier or later; nothing where nobody knows."""
        ...


def today(knowledge: "Books", threads: Threads, record: "RuleRecord", key: EditionKey, read: "Collection[str]" = ()) -> Today:
    """A rule as the edition `key` has it; `read` are the languages that the writer may have read it in."""
    steps = threads.at(record["iri"], key)
    bearer = rule_iri(key, record["locator"])
    ends = [step for step in steps if step.new not in (None, record["iri"])]
    records = knowledge.by_iri([bearer, *(step.new for step in ends if step.new)])
    there = sorted(ends, key=lambda step: (step.new != bearer, -step.similarity))
    if not there or any(step.proposed for step in there):
        return _unjoined(record, records.get(bearer), known=bool(steps) and not there)
    names = {step.new for step in there}
    iri = there[0].new or ""
    same = same_words(record, records[iri], read) if iri in records else None
    return Today(iri, same, bearer in records and bearer not in names, only_references=there[0].only_references)


def _unjoined(record: "RuleRecord", bearer: "RuleRecord | None", *, known: bool) -> Today:
    """A rule that no thread leads on from: gone, where that is known; else the bearer of its number, if it has the same words."""
    if known:
        return Today(None, reused=bearer is not None)
    if bearer and same_words(record, bearer):
        return Today(bearer["iri"], same_words=True)
    return Today(None, known=False)


def same_words(record: "RuleRecord", other: "RuleRecord", read: "Collection[str]" = ()) -> bool | None:
    """Whether two rules have the same words where it counts; None where they have no language in common.

    It counts in the language of highest authority that both are loaded in, and in those that are `read`.
    """
    common = record["texts"].keys() & other["texts"].keys()
    if not common:
        return None
    ranks = {lang: Authority(other["texts"][lang]["authority"]).rank for lang in common}
    shared = [lang for lang, rank in ranks.items() if rank == min(ranks.values()) or lang in read]
    return all(fold(record["texts"][lang]["text"]) == fold(other["texts"][lang]["text"]) for lang in shared)
