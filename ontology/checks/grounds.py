"""Rulings whose proposed rules are not sure: a curator may say which is right."""

from collections.abc import Iterator

from corpus.address import path_of
from corpus.editions.rulings.grounds import best, weak
from corpus.messages import message
from ontology.checks.finding import Finding
from ontology.knowledge import Knowledge

_SHOWN = 50
"""Rulings that are told one by one."""


def weak_grounds(knowledge: Knowledge) -> Iterator[Finding]:
    """The rulings that wait for a curator, the least sure first; of many the first, and how many more."""
    rulings = weak(knowledge) if knowledge.manifest.rulings else []
    for ruling in rulings[:_SHOWN]:
        if not ruling["rests_on"]:
            reason = message("cites no rule, and none is proposed; say on which it rests with: rulestone grounds FILE")
        else:
            rule = path_of(ruling["rests_on"][0]["rule"])
            reason = message(
                "cites no rule; {rule} is proposed with confidence {confidence}; say yes or no to it with: rulestone grounds FILE",
                rule=rule,
                confidence=f"{best(ruling):.2f}",
            )
        yield Finding("weak-grounds", ruling["iri"], reason)
    if (more := len(rulings) - _SHOWN) > 0:
        reason = message("{count} more rulings rest on rules that are not sure; rulestone grounds lists them", count=more)
        yield Finding("weak-grounds", rulings[_SHOWN]["iri"], reason)
