"""Claims that need somebody's eye: without support, unverified, stale, contradicting; and for information the disputed.

A claim is *stale* if none of its supports stands in a current edition, and one rests on an edition in whose place the
current edition of the same book, loaded in the same language, has other words or no such rule.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from corpus.address import NS, EditionKey, concept_name, graph_iri, path_of, split_rule
from corpus.messages import Message, message
from corpus.store.engine import Store
from corpus.words.text import fold
from ontology.checks.finding import Finding
from ontology.concepts.claims import Claim, Support, claims_in
from ontology.knowledge import Knowledge

MANY = ("contents", "sub-zone", "entry-restriction", "on-enter", "on-leave", "while-there", "says", "nearest")
"""Properties of which a zone may have several values at once; of every other one value holds."""
_SHOWN = 3
"""How many rules with the same words are named."""


def claim_findings(knowledge: Knowledge) -> Iterator[Finding]:
    """Every finding about a claim, kind by kind."""
    claims = sorted(claims_in(knowledge.store), key=lambda claim: (claim.concept, claim.property, claim.value, claim.iri))
    accepted = [claim for claim in claims if claim.status == "accepted"]
    settled = [claim for claim in claims if claim.status in ("accepted", "superseded")]
    unsupported = message("no rule supports it; add one, or take the claim out")
    yield from (_finding("unsupported", claim, unsupported) for claim in claims if not claim.supports)
    for claim in claims:
        yield from _unverified(claim)
    stale = _Stale(knowledge)
    yield from (finding for claim in settled for finding in stale.findings(claim))
    yield from _pairs("contradicting", [claim for claim in accepted if claim.property not in MANY])
    yield from _pairs("disputed", [claim for claim in claims if claim.status == "disputed"])


def _supports(claim: Claim) -> list[Support]:
    return sorted(claim.supports, key=lambda support: (support.rule, support.quote))


def _unverified(claim: Claim) -> Iterator[Finding]:
    for support in _supports(claim):
        if support.verified is False:
            reason = message(
                "the words {quote!r} do not stand in {rule}; correct the quote or the rule",
                quote=support.quote,
                rule=path_of(support.rule),
            )
            yield _finding("unverified", claim, reason)


_PAIR = {
    "contradicting": message("{property}: {values}; mark them disputed, or take out what is wrong"),
    "disputed": message("{property}: {values}"),
}


def _pairs(kind: str, claims: Sequence[Claim]) -> Iterator[Finding]:
    """Claims of one concept and property that have several values: one line for each concept and property."""
    grouped: dict[tuple[str, str], list[Claim]] = defaultdict(list)
    for claim in claims:
        grouped[claim.concept, claim.property].append(claim)
    for (concept, property_), same in grouped.items():
        if len({claim.value for claim in same}) > 1:
            yield Finding(kind, concept, message(_PAIR[kind].text, property=property_, values=_against([*map(_valued, same)])))


def _valued(claim: Claim) -> str:
    """The value of a claim, with the first rule that supports it."""
    return f"{claim.value!r} ({path_of(_supports(claim)[0].rule)})" if claim.supports else repr(claim.value)


def _against(values: Sequence[str]) -> Message:
    """Several values, set against each other."""
    if len(values) == 1:
        return message("{value}", value=values[0])
    return message("{value} against {others}", value=values[0], others=_against(values[1:]))


class _Stale:
    """Looks up what the current editions say in place of a rule."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._store: Store = knowledge.store
        self._knowledge = knowledge
        self._texts = cache(self._read)

    def findings(self, claim: Claim) -> Iterator[Finding]:
        """At most one finding of a claim."""
        verdicts = [self._verdict(support) for support in _supports(claim)]
        reasons = [verdict for verdict in verdicts if isinstance(verdict, Message)]
        if reasons and True not in verdicts:
            reason = message("{reason}; read it there and correct the claim or its support", reason=reasons[0])
            yield _finding("stale", claim, reason)

    def _verdict(self, support: Support) -> Message | bool | None:
        """Why a support is stale; True if its words stand in a current edition, None if that cannot be told."""
        key, locator = split_rule(support.rule)
        later = self._knowledge.currency.of(key, locator).later
        if not later:
            return support.verified or None
        now = next((entry for entry in later if support.lang in entry.languages), None)
        if now is None:
            return None
        texts = self._texts(now.key, support.lang)
        words = fold(support.quote)
        if words in texts.get(locator, ""):
            return True
        elsewhere = [other for other, text in texts.items() if words in text]
        text = _STALE[locator in texts, bool(elsewhere)].text
        return message(text, rule=path_of(support.rule), now=now.key, locator=locator, elsewhere=", ".join(elsewhere[:_SHOWN]))

    def _read(self, key: EditionKey, lang: str) -> dict[str, str]:
        """Locator → folded text."""
        graph = graph_iri(key, lang)
        query = f"SELECT ?rule ?text {{ GRAPH <{graph}> {{ ?rule <{NS}text> ?text ; <{NS}locator> ?locator }} }}"
        return {split_rule(row["rule"]).locator: fold(row["text"]) for row in self._store.select(query)}


_STALE = {
    (True, False): message("it rests on {rule}, but the current {now} has other words there"),
    (True, True): message("it rests on {rule}, but the current {now} has other words there (the same words: {elsewhere})"),
    (False, False): message("it rests on {rule}, but the current {now} has no {locator}"),
    (False, True): message("it rests on {rule}, but the current {now} has no {locator} (the same words: {elsewhere})"),
}
"""By whether the current edition has the rule at all, and whether it has the words elsewhere."""


def _finding(kind: str, claim: Claim, reason: Message) -> Finding:
    said = message(
        "{concept} {property} {value!r}: {reason}",
        concept=concept_name(claim.concept),
        property=claim.property,
        value=claim.value,
        reason=reason,
    )
    return Finding(kind, claim.iri, said)
