"""Questions about the meaning of names: `python -m bench.search.definitions HOME [--each N]`.

Every name in a headword, in the title of a section or of a keyword's rule of the digest, and every name of a concept that a rule
defines, is asked in its language, without a game: what does flying do, 飛行とは, 飞行是什么. Correct hits are the rule with that
title, the rule to which the name's glossary entry refers, a part of either, and that entry, in any game that has the name.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.search.homes import library
from bench.search.runs import Outcome, evaluate, mean, product_search
from bench.search.topics import Topic
from corpus.contract import RuleRecord
from corpus.model import HEADING_KINDS
from corpus.store.home import Home
from corpus.words.tokens import words
from ingest.names import Where, is_title_of_term, names
from ontology.labels import LabelSort
from ontology.shipped import shipped_labels, shipped_links

QUESTION_FORMS = {"en": "what does {} do", "ja": "{}とは", "zh-Hans": "{}是什么"}
_TITLE = re.compile("[:：]")


@dataclass(slots=True)
class Name:
    """A name in one language, the games that have it, and the rules (`game:locator`) that define it."""

    text: str
    lang: str
    games: set[str] = field(default_factory=set)
    right: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class NamedConcept:
    """A name in a game, and the rules that define it."""

    lang: str
    text: str
    game: str
    right: frozenset[str]


def names_in_glosses(records: Sequence[RuleRecord]) -> list[Name]:
    """The names in all glosses and of all concepts, each once in a language."""
    names_by_key: dict[tuple[str, tuple[str, ...]], Name] = {}
    for found_name in (*_glossed(records), *_concepts(records)):
        key = found_name.lang, tuple(token.norm for token in words(found_name.text))
        name = names_by_key.setdefault(key, Name(found_name.text, found_name.lang))
        name.games.add(found_name.game)
        name.right |= found_name.right
    return list(names_by_key.values())


def _glossed(records: Sequence[RuleRecord]) -> Iterator[NamedConcept]:
    by_iri = {record["iri"]: record for record in records}
    for record in records:
        for lang, title, where in _titles(record):
            own = names(title, lang, where)
            right = frozenset(_rule(by_iri[iri]) for iri in _defining_rules(record, by_iri))
            if own and right and is_title_of_term(own[0], lang):
                yield NamedConcept(lang, own[0], record["game"], right)


def _titles(record: RuleRecord) -> Iterator[tuple[str, str, Where]]:
    """Possible names: a headword, the gloss of a heading, the words before the colon in the gloss of a keyword's rule."""
    if record["kind"] == "glossary":
        yield from ((lang, word, "headword") for lang, word in record["headwords"].items() if lang in QUESTION_FORMS)
    elif record["kind"] in HEADING_KINDS:
        yield from ((lang, words_, "title") for lang, words_ in record["digest"].items())
    elif record["children"] and len(parts := {lang: _TITLE.split(words, maxsplit=1) for lang, words in record["digest"].items()}):
        yield from ((lang, split[0], "title") for lang, split in parts.items() if all(len(part) > 1 for part in parts.values()))


def _defining_rules(record: RuleRecord, by_iri: Mapping[str, RuleRecord]) -> Iterator[str]:
    """The rules that define the subject of a title.

    Its own rule unless that is a heading, the parts, and the rules that a glossary entry cites.
    """
    if record["kind"] not in HEADING_KINDS:
        yield record["iri"]
    targets = [cite["target"] or "" for cite in record["cites"]] if record["kind"] == "glossary" else []
    for rule in (record, *(by_iri[target] for target in targets if target in by_iri)):
        yield from (own for own in (rule["iri"], *(child["iri"] for child in rule["children"])) if _is_rule(by_iri[own]))


def _is_rule(record: RuleRecord) -> bool:
    return record["kind"] not in HEADING_KINDS


def _concepts(records: Sequence[RuleRecord]) -> Iterator[NamedConcept]:
    by_iri = {record["iri"]: record for record in records}
    for label in shipped_labels():
        rules = [by_iri[iri] for iri in shipped_links().defined_by.get(label.concept, ()) if iri in by_iri]
        right = frozenset(_rule(by_iri[iri]) for rule in rules for iri in _defining_rules(rule, by_iri))
        if label.sort is not LabelSort.SLANG and label.lang in QUESTION_FORMS and right:
            yield NamedConcept(label.lang, label.text, label.scheme, right)


def _rule(record: RuleRecord) -> str:
    return f"{record['game']}:{record['locator']}"


def main() -> None:
    """Prints the shares by game and language."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("home", type=Path, help="a home of the digest alone, or with books")
    parser.add_argument("--each", type=int, default=1, help="every so many names")
    options = parser.parse_args()
    library_ = library(Home(options.home))
    names = names_in_glosses(list(library_.knowledge.all_records()))[:: options.each]
    topics = [
        Topic(f"name-{nth}", "names", name.lang, QUESTION_FORMS[name.lang].format(name.text), needs=tuple(name.right))
        for nth, name in enumerate(names)
    ]
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for name, outcome in zip(names, evaluate(topics, product_search(library_.searcher())), strict=True):
        for group in ("all", name.lang, *sorted(name.games)):
            groups[group].append(outcome)
    print("== names asked what they are: names · first · in three · in ten")
    for group, own in groups.items():
        label = group if group == "all" else f"  {group}"
        print(f"{label:<10}{len(own):>6}" + "".join(f"{mean(own, f'Success@{cut}'):>8.3f}" for cut in (1, 3, 10)))


if __name__ == "__main__":
    main()
