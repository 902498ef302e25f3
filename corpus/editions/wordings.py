"""The words of an edition in one language, for comparison; cached, because a bundle never changes."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import EditionKey

if TYPE_CHECKING:
    from corpus.contract import RuleRecord
    from corpus.store.books import Books


class Wording(NamedTuple):
    """A rule's words and its position."""

    iri: str
    locator: str
    number: str | None
    order: int
    parent: str | None
    text: str
    headword: str


def wordings(knowledge: "Books", key: EditionKey, lang: str) -> Mapping[str, Wording]:
    """Address → words of every rule of an edition that has words in a language, in document order."""
    kept: Mapping[str, Wording] = knowledge.once(("wordings", key, lang), lambda: _wordings(knowledge, key, lang))
    return kept


def _wordings(knowledge: "Books", key: EditionKey, lang: str) -> Mapping[str, Wording]:
    return {record["iri"]: _wording(record, lang) for record in knowledge.records.of(key) if lang in record["texts"]}


def _wording(record: "RuleRecord", lang: str) -> Wording:
    headword, words = record["headwords"].get(lang, ""), record["texts"][lang]["text"]
    return Wording(record["iri"], record["locator"], record["number"], record["order"], record["parent"], words, headword)


def above(rules: Mapping[str, Wording], iri: str) -> Iterator[Wording]:
    """The rules above a rule, the innermost first."""
    parent = rules[iri].parent
    while parent is not None and parent in rules:
        yield rules[parent]
        parent = rules[parent].parent


def heading(rules: Mapping[str, Wording], iri: str) -> list[str]:
    """The titles above a rule with their numbers, the outermost first."""
    titles = [f"{wording.number or ''} {wording.text}".strip() for wording in above(rules, iri) if _is_title(wording)]
    return titles[::-1]


def _is_title(rule: Wording) -> bool:
    return len(rule.text) <= _TITLE and rule.text[-1:] not in ".。:："


_TITLE = 80
"""Longest title, in characters; rules end with a full stop."""
