"""Claims that rest on superseded text only, told from disputes: worked out anew for every bundle, of what is loaded in it.

A support still stands where its rule is current, where the later edition has its words in the rule of its thread (where nobody
knows that, of its number), or has the whole rule word for word, under whatever number. A dispute whose other sides all rest on
superseded text is none. A claim that ships as superseded names the edition that says so no longer (`rs:until`): where an older
text of that book is loaded and none since, it holds, against the claim that replaces it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from corpus.address import DCTERMS, NS, EditionKey, graph_iri, path_of, split_rule
from corpus.age import is_later
from corpus.words.text import fold
from ontology.concepts.claims import Claim, Support

if TYPE_CHECKING:
    from ontology.knowledge import Knowledge

_SETTLED = ("accepted", "disputed")
_ENDS = f"""
SELECT ?claim ?until ?by WHERE {{ GRAPH ?g {{ ?claim <{NS}until> ?until OPTIONAL {{ ?claim <{DCTERMS}isReplacedBy> ?by }} }} }}"""


Statuses = Mapping[str, tuple[str, str]]
"""Claim → the status that it ships with, and the one that it has instead."""


def standings(knowledge: "Knowledge", claims: Iterable[Claim]) -> dict[str, tuple[str, str]]:
    """Those of some claims, as they ship, that have another status in a knowledge base."""
    texts, shipped = _Texts(knowledge), list(claims)
    told = _revived(knowledge, shipped)
    settled = [claim for claim in told if claim.status in _SETTLED and claim.supports]
    past = [claim for claim in settled if not any(texts.stands(support) for support in claim.supports)]
    outdated = {claim.iri for claim in past}
    values: dict[tuple[str, str], set[str]] = {}
    for claim in settled:
        if claim.iri not in outdated:
            values.setdefault((claim.concept, claim.property), set()).add(claim.value)
    alone = {claim.iri for claim in settled if _is_alone(claim, outdated, past, values)}
    now = {
        claim.iri: "superseded" if claim.iri in outdated else "accepted" if claim.iri in alone else claim.status for claim in told
    }
    return {claim.iri: (claim.status, now[claim.iri]) for claim in sorted(shipped, key=_iri) if now[claim.iri] != claim.status}


def _iri(claim: Claim) -> str:
    return claim.iri


def _revived(knowledge: "Knowledge", claims: Sequence[Claim]) -> list[Claim]:
    """Claims, those that ended with an edition which is not there as they held until then, beside those that replace them."""
    there = {claim.iri for claim in claims}
    ends = {row["claim"]: row for row in knowledge.store.select(_ENDS) if row["claim"] in there}
    held = {claim for claim, row in ends.items() if not _is_over(knowledge, EditionKey(*path_of(row["until"]).split("/")))}
    replaced = {claim: by for claim in held if (by := ends[claim].get("by")) in there}
    disputed = {*replaced, *replaced.values()}
    return [
        replace(claim, status="disputed" if claim.iri in disputed else "accepted") if claim.iri in held | disputed else claim
        for claim in claims
    ]


def _is_over(knowledge: "Knowledge", until: EditionKey) -> bool:
    """Whether an edition, or a later one, is read; where nothing of its book is, what ships is known to be over."""
    editions = (entry for entry in knowledge.manifest.editions.values() if entry.languages)
    read = [edition.key for edition in editions if (edition.game, edition.book) == (until.game, until.book)]
    return not knowledge.is_later(until) and (not read or any(key == until or is_later(key, until) for key in read))


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
    every = as_shipped(knowledge.concepts.claims(), knowledge.manifest.statuses)
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
        if key in self._knowledge.archive.keys:
            old = self._knowledge.archive.stored(key)
            return {record["locator"]: fold(record["texts"][lang]["text"]) for record in old if lang in record["texts"]}
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
