"""The status of claims given the loaded editions: claims that only superseded text supports, and disputes that it ended.

A support is valid if its rule is current, if the later edition has the quotation in the rule of the same thread (without a known
thread: in the rule of the same number), or if it has the whole rule word for word under any number. A dispute ends if every other
side rests on superseded text. A claim that is shipped as superseded names the edition that ended it (`rs:until`): if an older text
of that book is loaded and none since, the claim is valid, disputed with the claim that replaces it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from corpus.address import DCTERMS, RS, EditionKey, path_of, split_rule
from corpus.chronology import is_later
from corpus.words.text import fold_text
from ontology.concepts.claims import Claim, Support, by_concept
from ontology.facts import add_facts

if TYPE_CHECKING:
    from corpus.store.home.manifest import EditionEntry
    from corpus.store.threads.step import Step
    from ontology.knowledge import Knowledge

_SETTLED_STATUSES = ("accepted", "disputed")
_ENDS_QUERY = f"""
SELECT ?claim ?until ?by WHERE {{ GRAPH ?g {{ ?claim <{RS}until> ?until OPTIONAL {{ ?claim <{DCTERMS}isReplacedBy> ?by }} }} }}"""
_STATUS_PREDICATE = f" <{RS}status> ".encode()
Statuses = Mapping[str, tuple[str, str]]
"""Claim → its shipped status, and its status among the loaded editions."""


def claims_at(knowledge: "Knowledge", concepts: Collection[str] | None = None) -> dict[str, list[Claim]]:
    """Concept → its claims, for some concepts (None: all), with the status that they have at the date of `knowledge`.

    Claims that only later editions support are left out.
    """
    if knowledge.today is knowledge:
        return by_concept(knowledge.concepts.claims(concepts))
    every = as_shipped(knowledge.concepts.claims(), knowledge.manifest.statuses)
    with_support = [claim for claim in (_without_later_texts(claim, knowledge) for claim in every) if claim.supports]
    new_statuses = changed_statuses(knowledge, with_support)
    own = (claim for claim in with_support if concepts is None or claim.concept in concepts)
    return by_concept(replace(claim, status=new_statuses[claim.iri][1]) if claim.iri in new_statuses else claim for claim in own)


def _without_later_texts(claim: Claim, knowledge: "Knowledge") -> Claim:
    supports = [support for support in claim.supports if not knowledge.is_later(split_rule(support.rule).key)]
    return replace(claim, supports=tuple(supports))


def updated_statuses(knowledge: "Knowledge", claims: Iterable[Claim], before: Statuses, games: Collection[str]) -> Statuses:
    """`changed_statuses` of all claims of a store if only editions of some games have changed since `before` was computed."""
    every = list(claims)
    concepts = {claim.concept for claim in every if any(split_rule(support.rule).key.game in games for support in claim.supports)}
    about = [claim for claim in every if claim.concept in concepts]
    others = {iri: status for iri, status in before.items() if iri not in {claim.iri for claim in about}}
    return dict(sorted({**others, **changed_statuses(knowledge, as_shipped(about, before))}.items()))


def changed_statuses(knowledge: "Knowledge", claims: Iterable[Claim]) -> dict[str, tuple[str, str]]:
    """The shipped claims that have another status among the loaded editions: `Statuses`, sorted by claim."""
    later_texts, shipped = LaterTexts(knowledge), sorted(claims, key=lambda claim: claim.iri)
    current_claims = _revive_ended(knowledge, shipped)
    in_force = [claim for claim in current_claims if claim.status in _SETTLED_STATUSES and claim.supports]
    without_text = [claim for claim in in_force if not any(later_texts.is_valid(support) for support in claim.supports)]
    superseded_iris = {claim.iri for claim in without_text}
    values: dict[tuple[str, str], set[str]] = {}
    for claim in in_force:
        if claim.iri not in superseded_iris:
            values.setdefault((claim.concept, claim.property), set()).add(claim.value)
    properties_of_superseded = {(claim.concept, claim.property) for claim in without_text}

    def current_status(claim: Claim) -> str:
        if claim.iri in superseded_iris:
            return "superseded"
        about = claim.concept, claim.property
        is_undisputed = (
            claim.status == "disputed" and claim.supports and len(values[about]) == 1 and about in properties_of_superseded
        )
        return "accepted" if is_undisputed else claim.status

    statuses = {claim.iri: current_status(claim) for claim in current_claims}
    return {claim.iri: (claim.status, statuses[claim.iri]) for claim in shipped if statuses[claim.iri] != claim.status}


def _revive_ended(knowledge: "Knowledge", claims: Sequence[Claim]) -> list[Claim]:
    """The claims, including those that ended with an edition which is not loaded; these and their replacements are disputed."""
    iris = {claim.iri for claim in claims}
    ends = {row["claim"]: row for row in knowledge.store.select(_ENDS_QUERY) if row["claim"] in iris}
    revivals = {claim for claim, row in ends.items() if not _has_ended(knowledge, EditionKey(*path_of(row["until"]).split("/")))}
    replacements = {claim: by for claim in revivals if (by := ends[claim].get("by")) in iris}
    disputed = {*replacements, *replacements.values()}
    return [
        replace(claim, status="disputed" if claim.iri in disputed else "accepted") if claim.iri in revivals | disputed else claim
        for claim in claims
    ]


def _has_ended(knowledge: "Knowledge", until: EditionKey) -> bool:
    """Whether a text of that edition or a later one is loaded, or no text of its book at all."""
    editions = (entry for entry in knowledge.manifest.editions.values() if entry.languages)
    keys = [edition.key for edition in editions if (edition.game, edition.book) == (until.game, until.book)]
    return not knowledge.is_later(until) and (not keys or any(key == until or is_later(key, until) for key in keys))


class LaterTexts:
    """The texts of later editions, in which the words of a rule are looked up."""

    def __init__(self, knowledge: "Knowledge") -> None:
        self._knowledge = knowledge
        self.texts = cache(self._read)
        """Edition and language → locator → folded text."""

    def later_editions(self, rule: str) -> "list[EditionEntry]":
        """The later editions of the same book that have the chapter of a rule, the latest first.

        A book that summarises another one only disputes it.
        """
        key, locator = split_rule(rule)
        return [entry for entry in self._knowledge.currency.currency_of(key, locator).later if entry.book == key.book]

    def successor_locators(self, rule: str, steps: "Sequence[Step]") -> list[str]:
        """The locators of the steps of a rule's thread in a later edition; without a known thread, the rule's own."""
        return [split_rule(step.new).locator for step in steps if step.new] if steps else [split_rule(rule).locator]

    def is_valid(self, support: Support) -> bool:
        """Whether a support is still valid."""
        later = self.later_editions(support.rule)
        if not later:
            return True
        latest, quote = later[0].key, fold_text(support.quote)
        texts = self.texts(latest, support.lang)
        steps = self._knowledge.threads.steps_to_edition(support.rule, latest)
        if any(quote in texts.get(locator, "") for locator in self.successor_locators(support.rule, steps)):
            return True
        key, locator = split_rule(support.rule)
        old = ((lang, self.texts(key, lang).get(locator)) for lang in later[0].languages)
        return any(text in self.texts(latest, lang).values() for lang, text in old if text is not None)

    def _read(self, key: EditionKey, lang: str) -> dict[str, str]:
        return {locator: fold_text(text) for locator, text in self._knowledge.records.texts_by_iri(key, lang).items()}


def as_shipped(claims: Iterable[Claim], statuses: Statuses) -> list[Claim]:
    """Claims of a store, each with its shipped status."""
    return [replace(claim, status=statuses[claim.iri][0]) if claim.iri in statuses else claim for claim in claims]


def with_statuses(graphs: Mapping[str, bytes], statuses: Statuses) -> dict[str, bytes]:
    """Shipped graphs, as sorted N-Quads, with the statuses that some claims have instead and the facts that follow."""
    if not statuses:
        return dict(graphs)
    return add_facts(
        {graph: _with_statuses(lines, statuses) if _STATUS_PREDICATE in lines else lines for graph, lines in graphs.items()}
    )


def _with_statuses(lines: bytes, statuses: Statuses) -> bytes:
    new_lines = []
    for line in lines.splitlines(keepends=True):
        claim, status, rest = line.partition(_STATUS_PREDICATE)
        new = statuses.get(claim[1:-1].decode()) if status else None
        new_lines.append(claim + status + f"<{RS}{new[1]}> ".encode() + rest.partition(b" ")[2] if new else line)
    return b"".join(sorted(new_lines))
