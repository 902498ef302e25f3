"""Questions about the meaning of names: `python -m bench.search.definitions HOME [--each N]`.

Every name in a headword, in the title of a section or of a keyword's rule of the digest, and every name of a concept that a rule
defines, is asked in its language, without a game: what does flying do, 飛行とは, 飞行是什么. Correct hits are the rule with that
title, the rule to which the name's glossary entry refers, a part of either, and that entry, in any game that has the name.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.search.homes import Library
from bench.search.runs import Outcome, by, evaluate, print_table, product_search
from bench.search.topics import Topic
from corpus.contract import RuleRecord
from corpus.model import HEADING_KINDS
from corpus.words.tokens import words
from ingest.names import Where, is_title_of_term, names
from ontology.labels import LabelSort
from ontology.shipped import shipped_labels, shipped_links

QUESTION_FORMS = {"en": "what does {} do", "ja": "{}とは", "zh-Hans": "{}是什么"}
_TITLE = re.compile("[:：]")


class NamedConcept(NamedTuple):
    """A name in a game, and the rules (`game:locator`) that define it."""

    lang: str
    text: str
    game: str
    right: frozenset[str]


def names_in_glosses(records: Sequence[RuleRecord]) -> dict[str, list[NamedConcept]]:
    """The names in all glosses and of all concepts: question → the meanings of a name that is written alike in one language."""
    by_name: dict[tuple[str, ...], list[NamedConcept]] = defaultdict(list)
    for meaning in (*_glossed(records), *_concepts(records)):
        by_name[meaning.lang, *(token.norm for token in words(meaning.text))].append(meaning)
    return {QUESTION_FORMS[first.lang].format(first.text): [first, *others] for first, *others in by_name.values()}


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
    library = Library(options.home)
    names = dict([*names_in_glosses(list(library.knowledge.all_records())).items()][:: options.each])
    topics = [
        Topic(query, "names", meanings[0].lang, query, needs=tuple({rule for meaning in meanings for rule in meaning.right}))
        for query, meanings in names.items()
    ]
    outcomes = evaluate(topics, product_search(library.searcher()))
    games: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        for game in {meaning.game for meaning in names[outcome.topic.query]}:
            games[f"  {game}"].append(outcome)
    groups = [("all", outcomes), *by(outcomes, lambda topic: topic.lang, "  {}"), *sorted(games.items())]
    print_table("names asked what they are", ("Success@1", "Success@3", "Success@10"), groups)


if __name__ == "__main__":
    main()
