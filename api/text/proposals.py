"""`rulestone propose` for people: a zone, below it each statement with its rule and the words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from api.text.rule import short

if TYPE_CHECKING:
    from corpus.contract import Proposals, ProposedClaim, ProposedZone

_DEFINING = 3
"""Defining rules that are named."""


def table(body: "Proposals") -> Iterator[str]:
    """The lines of a `propose` body."""
    for edition in body["editions"]:
        statements = sum(len(zone["claims"]) for zone in edition["zones"])
        name = f"{edition['game']}/{edition['book']}/{edition['edition']}"
        yield f"{name}: {len(edition['zones'])} zones, {statements} statements, all proposed"
        for zone in edition["zones"]:
            yield from ("", _head(zone), *map(_statement, zone["claims"]))


def _head(zone: "ProposedZone") -> str:
    names = " · ".join(dict.fromkeys(label for labels in zone["labels"].values() for label in labels))
    kind = "" if zone["kind"] == "zone" else f" ({zone['kind']})"
    return f"{names}{kind}  [{', '.join(map(short, zone['defined_by'][:_DEFINING]))}]"


def _statement(claim: "ProposedClaim") -> str:
    general = " (general rule)" if claim["general"] else ""
    first = claim["supports"][0]
    return f"  {claim['property']:<11}{claim['value']!s:<14}{short(first['rule'])}  “{first['quote']}”{general}"
