"""The successor of a superseded rule in the current edition."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.address import RS, rule_iri
from corpus.editions.moment import have_same_words
from corpus.store.records import edition_of
from ontology.labels import preferred_labels

if TYPE_CHECKING:
    from corpus.contract import MappedRule, RuleRecord, Successor
    from corpus.store.home.manifest import EditionEntry
    from corpus.store.threads.step import Step
    from ontology.knowledge import Knowledge


def successor_of(knowledge: "Knowledge", record: "RuleRecord") -> "Successor | None":
    """The current edition that superseded a rule, and the rule's replacement in it; None for a current rule.

    `same_number` is the rule with the same number there, `reused` whether that is another rule (null if unknown), `same_words`
    whether it has the same words (null without a common language), `mapped` the rules of the thread there, or, without a thread,
    those that define the same concepts.
    """
    if record["iri"] not in knowledge.successors:
        knowledge.successors[record["iri"]] = _successor_body(knowledge, record)
    return knowledge.successors[record["iri"]]


def _successor_body(knowledge: "Knowledge", record: "RuleRecord") -> "Successor | None":
    later = knowledge.currency.currency_of(edition_of(record), record["locator"]).later
    if not later:
        return None
    entry = later[0]
    numbers = (record["locator"], record["locator"].split(".dup")[0])  # a number may be printed twice in one of the editions
    records = knowledge.by_iri(rule_iri(entry.key, number) for number in numbers)
    same_number = next((iri for number in numbers if (iri := rule_iri(entry.key, number)) in records), "")
    same = records.get(same_number)
    steps = knowledge.threads.steps_to_edition(record["iri"], entry.key)
    return {
        "game": entry.game,
        "book": entry.book,
        "edition": entry.edition,
        "same_number": same_number if same else None,
        "same_words": have_same_words(record, same, same["texts"]) if same else None,
        "reused": bool(same) and same_number not in [step.new for step in steps] if steps else None,
        "mapped": _rules_of_thread(knowledge, steps) if steps else _rules_by_concept(knowledge, record["iri"], entry),
    }


def _rules_of_thread(knowledge: "Knowledge", steps: Iterable["Step"]) -> "list[MappedRule]":
    """The rules of the thread there; none if the rule was removed."""
    by_rule = {step.new: step for step in steps if step.new is not None}
    records = knowledge.by_iri(by_rule)
    return [_mapped_rule(records[iri], concept=None, step=step.kind.value) for iri, step in by_rule.items() if iri in records]


def _mapped_rule(record: "RuleRecord", *, concept: str | None, step: str | None) -> "MappedRule":
    rule, number, locator = record["iri"], record["number"], record["locator"]
    return {"iri": rule, "concept": concept, "step": step, "labels": {}, "number": number, "locator": locator}


def _rules_by_concept(knowledge: "Knowledge", iri: str, entry: "EditionEntry") -> "list[MappedRule]":
    """The rules of an edition that define a concept that this rule also defines, with the concept's labels."""
    rows = knowledge.store.select(
        f"""SELECT DISTINCT ?concept ?rule WHERE {{
          GRAPH ?g {{ ?concept <{RS}definedBy> <{iri}>, ?rule }}
          FILTER(STRSTARTS(STR(?rule), "{entry.key.iri}/"))
        }}"""
    )
    rules_and_concepts = sorted((row["rule"], row["concept"]) for row in rows)
    present = knowledge.by_iri(rule for rule, _ in rules_and_concepts)
    labels = preferred_labels(knowledge.store, {concept for _, concept in rules_and_concepts})
    bodies: dict[str, MappedRule] = {}
    for rule, concept in rules_and_concepts:
        if rule in present and concept in labels:
            body = bodies.setdefault(rule, _mapped_rule(present[rule], concept=concept, step=None))
            for lang, label in labels[concept].items():
                body["labels"].setdefault(lang, label)
    return list(bodies.values())
