"""The rules that define a concept, as they stand today: where a newer edition has the rule, that one is cited."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.contract import RulePointer
    from ontology.knowledge import Knowledge


def today(knowledge: "Knowledge", rules: Iterable[str]) -> Mapping[str, str]:
    """Rule → the same rule of the current edition; itself where it is current, or where that is unknown."""
    wanted = sorted(set(rules))
    records = knowledge.by_iri(wanted)
    newer = {rule: later["iri"] for rule, record in records.items() if (later := record["superseded_by"])}
    return {rule: newer.get(rule) or rule for rule in wanted}


def standing(pointers: "Iterable[RulePointer]") -> "list[RulePointer]":
    """The rules of current editions, each once; those of others only where there is none."""
    once = list({pointer["rule"]: pointer for pointer in pointers}.values())
    return [pointer for pointer in once if pointer["current"]] or once
