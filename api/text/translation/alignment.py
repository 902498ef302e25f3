"""`rulestone align` for people: one line a link, its confidence beside it."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from api.text.rule import DOT
from api.text.wrap import wrap

if TYPE_CHECKING:
    from corpus.contract import AlignedRule, Alignment, AlignmentLink, AppliedAlignment

_FEW = 8
"""Rules without a partner that are shown one by one."""
_GLANCE = 60
"""Characters of a rule that tell it from others."""


def lines(body: "Alignment", width: int | None, *, links: bool = True) -> Iterator[str]:
    """The lines of an alignment; without its `links` the summary alone."""
    yield f"{body['old']['ref']} ↔ {body['new']['ref']}"
    yield from wrap(summary(body), width)
    if links:
        yield ""
        for sort, run in groupby(body["links"], _lacks):
            some = list(run)
            yield from _run(some, width) if sort else (line for link in some for line in _link(link, width))


def _lacks(link: "AlignmentLink") -> str:
    """Which side has nothing."""
    return "" if link["old"] and link["new"] else "old" if link["new"] else "new"


def _run(links: "list[AlignmentLink]", width: int | None) -> Iterator[str]:
    """Rules without a partner: of a long run, a chapter that the other book has not, the ends alone."""
    if len(links) <= _FEW:
        yield from (line for link in links for line in _link(link, width))
        return
    first, last = ((link["old"] or link["new"]) for link in (links[0], links[-1]))
    names = f"{first['locator']} … {last['locator']}" if first and last else ""
    yield f"{names} → —{DOT}{len(links)} rules" if links[0]["old"] else f"— → {names}{DOT}{len(links)} rules"


def summary(body: "Alignment") -> str:
    """How much of both found its partner."""
    counts = body["counts"]
    told = f"{counts['linked']} links ({counts['parts']} to a part of a rule, {counts['checked']} rows checked)"
    return f"{told}; without a partner {counts['old_alone']} of the first, {counts['new_alone']} of the second"


def applied(body: "AppliedAlignment") -> Iterator[str]:
    """What became of a checked table."""
    yield f"{body['old']} ↔ {body['new']}: {body['taken']} rows taken, {body['refused']} refused, {body['unchecked']} not checked"


def title(link: "AlignmentLink") -> str:
    """Which rule is which, and how sure that is."""
    names = " → ".join(rule["locator"] if rule else "—" for rule in (link["old"], link["new"]))
    told = [f"{link['confidence']:.0%}"] if link["old"] and link["new"] else ["no partner"]
    told += ["part"] if link["part"] else []
    told += [f"checked: {link['checked']}"] if link["checked"] != "?" else []
    return f"{names}{DOT}{', '.join(told)}"


def _link(link: "AlignmentLink", width: int | None) -> Iterator[str]:
    yield title(link)
    for rule in (link["old"], link["new"]):
        if rule:
            yield from wrap(_glance(rule), width, "    ", "    ")


def _glance(rule: "AlignedRule") -> str:
    words = " ".join(rule["text"].split())
    return words if len(words) <= _GLANCE else f"{words[:_GLANCE]}…"
