"""What stands in the current edition in place of a rule that is not current."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.address import NS, rule_iri
from corpus.store.by_reference import edition_of
from corpus.words.text import fold
from ontology.concepts.labels import PREFERRED, labels_in

if TYPE_CHECKING:
    from corpus.contract import MappedRule, RuleRecord, Successor
    from corpus.store.home.manifest import EditionEntry
    from corpus.store.threads.step import Step
    from ontology.knowledge import Knowledge


def successor(knowledge: "Knowledge", record: "RuleRecord") -> "Successor | None":
    """The current edition that a rule gives way to, and what that has in its place; None for a current rule.

    `same_number` is the rule printed under the same number there, `reused` whether that is another rule (null where nobody
    knows), `same_words` whether it says the same (null where they have no language in common), `mapped` the rules of the
    thread there, or, where there is none, those that define the same concepts.
    """
    if record["iri"] not in knowledge.successors:
        knowledge.successors[record["iri"]] = _successor(knowledge, record)
    return knowledge.successors[record["iri"]]


def _successor(knowledge: "Knowledge", record: "RuleRecord") -> "Successor | None":
    entry = _current_entry(knowledge, record)
    if entry is None:
        return None
    numbers = (record["locator"], record["locator"].split(".dup")[0])  # a number may be printed twice in one edition only
    known = knowledge.by_iri(rule_iri(entry.key, number) for number in numbers)
    there = next((iri for number in numbers if (iri := rule_iri(entry.key, number)) in known), "")
    same = known.get(there)
    steps = knowledge.threads.at(record["iri"], entry.key)
    return {
        "game": entry.game,
        "book": entry.book,
        "edition": entry.edition,
        "same_number": there if same else None,
        "same_words": _same_words(record, same) if same else None,
        "reused": bool(same) and there not in [step.new for step in steps] if steps else None,
        "mapped": _followed(knowledge, steps) if steps else _mapped(knowledge, record["iri"], entry),
    }


def _current_entry(knowledge: "Knowledge", record: "RuleRecord") -> "EditionEntry | None":
    """The latest edition that supersedes a rule."""
    later = knowledge.currency.of(edition_of(record), record["locator"]).later
    return later[0] if later else None


def _same_words(record: "RuleRecord", other: "RuleRecord") -> bool | None:
    shared = record["texts"].keys() & other["texts"].keys()
    if not shared:
        return None
    return all(fold(record["texts"][lang]["text"]) == fold(other["texts"][lang]["text"]) for lang in shared)


def _followed(knowledge: "Knowledge", steps: Iterable["Step"]) -> "list[MappedRule]":
    """The rules of the thread there; none where the rule is gone."""
    there = {step.new: step for step in steps if step.new is not None}
    records = knowledge.by_iri(there)
    return [
        {
            "iri": iri,
            "concept": None,
            "step": step.kind.value,
            "labels": {},
            "number": records[iri]["number"],
            "locator": records[iri]["locator"],
        }
        for iri, step in there.items()
        if iri in records
    ]


def _mapped(knowledge: "Knowledge", iri: str, entry: "EditionEntry") -> "list[MappedRule]":
    """Rules of that edition which define a concept that this rule defines too, with the concept's labels."""
    rows = knowledge.store.select(
        f"""SELECT DISTINCT ?concept ?rule WHERE {{
          GRAPH ?g {{ ?concept <{NS}definedBy> <{iri}>, ?rule }}
          FILTER(STRSTARTS(STR(?rule), "{entry.key.iri}/"))
        }}"""
    )
    defined = sorted((row["rule"], row["concept"]) for row in rows)
    present = knowledge.by_iri(rule for rule, _ in defined)
    labels = _labels(knowledge, {concept for _, concept in defined})
    mapped: dict[str, MappedRule] = {}
    for rule, concept in defined:
        if rule in present and concept in labels:
            number, locator = present[rule]["number"], present[rule]["locator"]
            body = mapped.setdefault(
                rule, {"iri": rule, "concept": concept, "step": None, "labels": {}, "number": number, "locator": locator}
            )
            for lang, label in labels[concept].items():
                body["labels"].setdefault(lang, label)
    return list(mapped.values())


def _labels(knowledge: "Knowledge", concepts: set[str]) -> dict[str, dict[str, str]]:
    """Concept → language → preferred label."""
    by_concept: dict[str, dict[str, str]] = {}
    for label in sorted(labels_in(knowledge.store, [PREFERRED], concepts=concepts)):
        by_concept.setdefault(label.concept, {}).setdefault(label.lang, label.text)
    return by_concept
