"""Finds the rules that define a thing, book by book and in reading order.

Anything that a loaded book defines is a concept. For a book that only the digest covers, the names come from our glosses: titles
of sections and keyword rules, headwords of the glossary.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from corpus.address import RS
from corpus.contract import RuleRecord
from corpus.model import HEADING_KINDS
from corpus.store.records import edition_of
from corpus.words.tokens import words
from ontology.knowledge import Knowledge
from search.index.concept_tokens import shared_concept

if TYPE_CHECKING:
    from ingest.names import Where

NAME_PREFIX = "="
"""Prefix of a `name_key`."""
_MAX_PARTS = 8
"""Number of rules under a heading that define its subject; later ones are special cases."""
_MAX_RULES = 12
"""Rules of one book that define one thing."""
_SENTENCE_END = re.compile(r"[.。!！?？:：;；)）]\W*$")
_COLON = re.compile("[:：]")
"""Ends the name of a keyword in the gloss of its rule: `Trample: the keyword for …`."""
_GLOSSARY = "glossary"


def definition_rows(knowledge: Knowledge, records: Sequence[RuleRecord], ids: Mapping[str, int]) -> dict[str, list[list[int]]]:
    """Concept, as in its token, or `name_key` → the defining rules in reading order, for each edition that defines it."""
    books = _BookRules(records, ids)
    by_edition: dict[str, dict[object, list[int]]] = {}
    for defined, rule in sorted({*_defined_concepts(knowledge, ids), *_names_in_glosses(records)}):
        by_edition.setdefault(defined, {}).setdefault(edition_of(records[rule]), []).append(rule)
    ordered = {defined: [books.reading_order(rules) for rules in editions.values()] for defined, editions in by_edition.items()}
    return {defined: rules for defined, every in ordered.items() if (rules := [some for some in every if some])}


def name_key(norms: Iterable[str]) -> str:
    """The key of a name, from its normalised words."""
    return NAME_PREFIX + " ".join(norms)


def _names_in_glosses(records: Sequence[RuleRecord]) -> Iterator[tuple[str, int]]:
    """The keys of the names in the glosses of rules without a loaded text, with their rules."""
    from ingest.names import is_title_of_term, names  # imported only here: look-ups do not need ingest

    for rule, record in enumerate(records):
        for lang, title, where in () if record["texts"] else _titles(record):
            called = names(title, lang, where)
            if called and (where == "headword" or is_title_of_term(called[0], lang)):
                yield from ((name_key(token.norm for token in words(name)), rule) for name in called)


def _titles(record: RuleRecord) -> Iterator[tuple[str, str, "Where"]]:
    """Possible names, by language: a headword, the gloss of a heading, the beginning of the gloss of a keyword rule."""
    if record["kind"] == _GLOSSARY:
        yield from ((lang, word, "headword") for lang, word in record["headwords"].items())
    elif record["kind"] in HEADING_KINDS:
        yield from ((lang, gloss, "title") for lang, gloss in record["digest"].items())
    elif record["children"] and all(_COLON.search(gloss) for gloss in record["digest"].values()):
        yield from ((lang, _COLON.split(gloss, maxsplit=1)[0], "title") for lang, gloss in record["digest"].items())


def _defined_concepts(knowledge: Knowledge, ids: Mapping[str, int]) -> set[tuple[str, int]]:
    """Every concept with every loaded rule that defines it."""
    solutions = knowledge.store.select(f"SELECT ?concept ?rule WHERE {{ GRAPH ?g {{ ?concept <{RS}definedBy> ?rule }} }}")
    return {(shared_concept(row["concept"]), ids[row["rule"]]) for row in solutions if row["rule"] in ids}


class _BookRules:
    """Finds the parts of rules and the targets of glossary entries."""

    def __init__(self, records: Sequence[RuleRecord], ids: Mapping[str, int]) -> None:
        self._records = records
        self._ids = ids

    def reading_order(self, defining: Iterable[int]) -> list[int]:
        """The defining rules with their parts, then the glossary entries and the rules that the entries cite."""
        entries = [rule for rule in defining if self._records[rule]["kind"] == _GLOSSARY]
        rules = [part for rule in defining if rule not in entries for part in self._with_parts(rule)]
        cited = [part for entry in entries for rule in self._cited_ids(entry) for part in self._with_parts(rule)]
        return list(dict.fromkeys((*rules, *entries, *cited)))[:_MAX_RULES]

    def _with_parts(self, rule: int) -> Iterator[int]:
        """A rule and its parts; for a heading, or for a rule that is only a title, the parts alone."""
        parts = [part for part in self._child_ids(rule) if self._records[part]["kind"] not in HEADING_KINDS][:_MAX_PARTS]
        is_rule = self._records[rule]["kind"] not in HEADING_KINDS and not (parts and self._is_title(rule))
        yield from (rule, *parts) if is_rule else parts

    def _child_ids(self, rule: int) -> Iterator[int]:
        return (self._ids[child["iri"]] for child in self._records[rule]["children"] if child["iri"] in self._ids)

    def _cited_ids(self, rule: int) -> Iterator[int]:
        return (self._ids[target] for cite in self._records[rule]["cites"] if (target := cite["target"] or "") in self._ids)

    def _is_title(self, rule: int) -> bool:
        """Whether a rule only names what its parts explain (702.3. Defender), by its texts, else by its glosses."""
        record = self._records[rule]
        texts = [text["text"] for text in record["texts"].values()] or record["digest"].values()
        return not any(map(_SENTENCE_END.search, texts))
