"""Claims that rest on superseded text only, told from disputes: worked out anew for every bundle, of what is loaded in it.

A support still stands where its rule is current, where the later edition has its words in the rule of its thread (where nobody
knows that, of its number), or has the whole rule word for word, under whatever number. A dispute whose other sides all rest on
superseded text is none.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from corpus.address import NS, EditionKey, graph_iri, split_rule
from corpus.text import fold
from ontology.store.claims import Claim, Support, claims_in

if TYPE_CHECKING:
    from ontology.store.knowledge import Knowledge

_SETTLED = ("accepted", "disputed")


Statuses = Mapping[str, tuple[str, str]]
"""Claim → the status that it ships with, and the one that it has instead."""


def standings(knowledge: "Knowledge", claims: Iterable[Claim]) -> dict[str, tuple[str, str]]:
    """Those of some claims, as they ship, that have another status in a knowledge base."""
    texts = _Texts(knowledge)
    settled = [claim for claim in claims if claim.status in _SETTLED and claim.supports]
    past = [claim for claim in settled if not any(texts.stands(support) for support in claim.supports)]
    outdated = {claim.iri for claim in past}
    values: dict[tuple[str, str], set[str]] = {}
    for claim in settled:
        if claim.iri not in outdated:
            values.setdefault((claim.concept, claim.property), set()).add(claim.value)
    alone = [claim for claim in settled if _is_alone(claim, outdated, past, values)]
    found = [(claim, "superseded") for claim in past] + [(claim, "accepted") for claim in alone]
    return {claim.iri: (claim.status, now) for claim, now in sorted(found, key=lambda one: one[0].iri)}


def _is_alone(claim: Claim, outdated: set[str], past: Iterable[Claim], values: Mapping[tuple[str, str], set[str]]) -> bool:
    """Whether a claim is disputed by superseded text alone."""
    about = (claim.concept, claim.property)
    disputed = claim.status == "disputed" and claim.iri not in outdated
    return disputed and len(values[about]) == 1 and any((other.concept, other.property) == about for other in past)


def as_shipped(claims: Iterable[Claim], statuses: Statuses) -> list[Claim]:
    """Claims of a store, each with the status that it ships with."""
    return [replace(claim, status=statuses[claim.iri][0]) if claim.iri in statuses else claim for claim in claims]


def claims_then(knowledge: "Knowledge", concepts: Collection[str] | None = None) -> list[Claim]:
    """The claims about some concepts (None: about all) as a knowledge base of another moment tells them.

    What only later editions prove is left out.
    """
    every = as_shipped(claims_in(knowledge.store), knowledge.manifest.statuses)
    known = [claim for claim in (_known(claim, knowledge) for claim in every) if claim.supports]
    now = standings(knowledge, known)
    shown = (claim for claim in known if concepts is None or claim.concept in concepts)
    return [replace(claim, status=now[claim.iri][1]) if claim.iri in now else claim for claim in shown]


def _known(claim: Claim, knowledge: "Knowledge") -> Claim:
    supports = [support for support in claim.supports if not knowledge.is_later(split_rule(support.rule).key)]
    return replace(claim, supports=tuple(supports))


class _Texts:
    """Looks up what the later editions say."""

    def __init__(self, knowledge: "Knowledge") -> None:
        self._knowledge = knowledge
        self._read = cache(self._reading)

    def stands(self, support: Support) -> bool:
        """Whether a support rests on more than superseded text."""
        key, locator = split_rule(support.rule)
        standing = self._knowledge.currency.of(key, locator)
        later = [entry for entry in standing.later if entry.book == key.book]  # a book that is retold disputes
        if not later:
            return True
        now, words = later[0].key, fold(support.quote)
        texts = self._read(now, support.lang)
        if any(words in texts.get(split_rule(rule).locator, "") for rule in self._rules(support.rule, now)):
            return True
        return any(self._kept(key, locator, now, lang) for lang in later[0].languages)

    def _rules(self, rule: str, now: EditionKey) -> list[str]:
        """What a rule is in a later edition; where nobody knows, the rule of its number."""
        steps = self._knowledge.threads.at(rule, now)
        return [step.new for step in steps if step.new] if steps else [rule]

    def _kept(self, key: EditionKey, locator: str, now: EditionKey, lang: str) -> bool:
        """Whether a later edition has a rule word for word."""
        text = self._read(key, lang).get(locator)
        return text is not None and text in set(self._read(now, lang).values())

    def _reading(self, key: EditionKey, lang: str) -> dict[str, str]:
        """Locator → folded text."""
        query = f"SELECT ?rule ?text {{ GRAPH <{graph_iri(key, lang)}> {{ ?rule <{NS}text> ?text ; <{NS}locator> ?locator }} }}"
        return {split_rule(row["rule"]).locator: fold(row["text"]) for row in self._knowledge.store.select(query)}


def restated(graphs: Mapping[str, bytes], statuses: Statuses) -> dict[str, bytes]:
    """Shipped graphs, sorted N-Quads each, with the statuses that some claims have instead."""
    return {graph: _restated(lines, statuses) if _STATUS in lines else lines for graph, lines in graphs.items()}


_STATUS = f" <{NS}status> ".encode()


def _restated(lines: bytes, statuses: Statuses) -> bytes:
    written = []
    for line in lines.splitlines(keepends=True):
        claim, status, rest = line.partition(_STATUS)
        new = statuses.get(claim[1:-1].decode()) if status else None
        written.append(claim + status + f"<{NS}{new[1]}> ".encode() + rest.partition(b" ")[2] if new else line)
    return b"".join(sorted(written))
