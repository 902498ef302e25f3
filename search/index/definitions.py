"""Finds the rules that define a thing, book by book and in reading order.

Anything that a loaded book defines is a concept. For a book that only the digest covers, the names come from our glosses: titles
of sections and keyword rules, headwords of the glossary.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import RS
from corpus.contract import RuleRecord
from corpus.model import HEADING_KINDS
from corpus.words.tokens import words
from ontology.knowledge import Knowledge
from ontology.shipped import CONCEPTS, graph_hashes, shipped_links
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


class BookOutline(NamedTuple):
    """The facts that determine the order of defining rules, for each rule of an index."""

    editions: Sequence[int]  # numbers that distinguish the editions
    kinds: Sequence[str]
    children: Sequence[Sequence[int]]
    cites: Sequence[Sequence[int]]
    titles: Sequence[bool]  # whether the rule only names its parts, see `is_title_only`


def definition_rows(defining: Iterable[tuple[str, int]], outline: BookOutline) -> dict[str, list[list[int]]]:
    """Concept, as in its token, or `name_key` → the defining rules in reading order, for each edition that defines it.

    `defining` are the concepts and names, each with a rule that defines it.
    """
    by_edition: dict[str, dict[int, list[int]]] = {}
    for concept, rule in sorted(set(defining)):
        by_edition.setdefault(concept, {}).setdefault(outline.editions[rule], []).append(rule)
    rules_by_concept = {
        concept: [_reading_order(outline, rules) for rules in editions.values()] for concept, editions in by_edition.items()
    }
    return {concept: rules for concept, every in rules_by_concept.items() if (rules := [some for some in every if some])}


def name_key(norms: Iterable[str]) -> str:
    """The key of a name, from its normalised words."""
    return NAME_PREFIX + " ".join(norms)


def names_in_glosses(records: Sequence[RuleRecord]) -> dict[str, list[int]]:
    """The keys of the names in the glosses of rules without a loaded text → the positions of their rules."""
    from ingest.names import is_title_of_term, names  # imported only here: look-ups do not need ingest

    rules: dict[str, list[int]] = {}
    for rule, record in enumerate(records):
        for lang, title, where in () if record["texts"] else _titles(record):
            title_names = names(title, lang, where)
            if title_names and (where == "headword" or is_title_of_term(title_names[0], lang)):
                for name in title_names:
                    rules.setdefault(name_key(token.norm for token in words(name)), []).append(rule)
    return rules


def _titles(record: RuleRecord) -> Iterator[tuple[str, str, "Where"]]:
    """Possible names, by language: a headword, the gloss of a heading, the beginning of the gloss of a keyword rule."""
    if record["kind"] == _GLOSSARY:
        yield from ((lang, word, "headword") for lang, word in record["headwords"].items())
    elif record["kind"] in HEADING_KINDS:
        yield from ((lang, gloss, "title") for lang, gloss in record["digest"].items())
    elif record["children"] and all(_COLON.search(gloss) for gloss in record["digest"].values()):
        yield from ((lang, _COLON.split(gloss, maxsplit=1)[0], "title") for lang, gloss in record["digest"].items())


def defined_concepts(knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """Every concept, as in its token, with the address of every rule that defines it, loaded or not, without books' definitions."""
    concepts = {graph: graph_hash for graph, graph_hash in graph_hashes().items() if graph.startswith(CONCEPTS)}
    if concepts.items() <= knowledge.manifest.shipped.items():
        yield from ((shared_concept(concept), rule) for concept, rules in shipped_links().defined_by.items() for rule in rules)
        return
    solutions = knowledge.store.select(f"SELECT ?concept ?rule WHERE {{ GRAPH ?g {{ ?concept <{RS}definedBy> ?rule }} }}")
    yield from ((shared_concept(row["concept"]), row["rule"]) for row in solutions)


def is_title_only(record: RuleRecord) -> bool:
    """Whether a rule only names a thing that its parts explain (702.3. Defender), by its texts, else by its glosses."""
    texts = [text["text"] for text in record["texts"].values()] or record["digest"].values()
    return not any(map(_SENTENCE_END.search, texts))


def _reading_order(outline: BookOutline, defining: Iterable[int]) -> list[int]:
    """The defining rules with their parts, then the glossary entries and the rules that the entries cite."""
    entries = [rule for rule in defining if outline.kinds[rule] == _GLOSSARY]
    rules = [part for rule in defining if rule not in entries for part in _with_parts(outline, rule)]
    cited_rules = [part for entry in entries for rule in outline.cites[entry] for part in _with_parts(outline, rule)]
    return list(dict.fromkeys((*rules, *entries, *cited_rules)))[:_MAX_RULES]


def _with_parts(outline: BookOutline, rule: int) -> Iterator[int]:
    """A rule and its parts; for a heading, or for a rule that is only a title, the parts alone."""
    parts = [part for part in outline.children[rule] if outline.kinds[part] not in HEADING_KINDS][:_MAX_PARTS]
    is_rule = outline.kinds[rule] not in HEADING_KINDS and not (parts and outline.titles[rule])
    yield from (rule, *parts) if is_rule else parts
