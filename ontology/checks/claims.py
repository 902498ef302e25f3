"""Claims to review: unsupported, unverified, stale and contradicting ones; disputed ones for information.

Whether rules contain the supporting quotations is determined for every bundle, from its loaded texts.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from corpus.address import RS, concept_name, graph_iri, path_of
from corpus.messages import Message, message
from corpus.words.text import fold_text
from ontology.checks.finding import Finding
from ontology.checks.stale import StaleChecker
from ontology.concepts.claims import Claim, Support, claims_in, supports_in
from ontology.knowledge import Knowledge

MULTI_VALUED = ("contents", "sub-zone", "entry-restriction", "on-enter", "on-leave", "while-there", "says", "nearest")
"""Properties that may have several values at once; every other property has one valid value."""
VERIFIED_GRAPH = graph_iri("verified")
"""The graph that states for each support whether its rule contains the quotation."""


def claim_findings(knowledge: Knowledge) -> Iterator[Finding]:
    """Every finding about claims, kind by kind; the stale claims are followed by the other rows that cite changed text."""
    claims = sorted(claims_in(knowledge.store), key=lambda claim: (claim.concept, claim.property, claim.value, claim.iri))
    accepted_claims = [claim for claim in claims if claim.status == "accepted"]
    valid_claims = [claim for claim in claims if claim.status in ("accepted", "superseded")]
    unsupported_message = message("no rule supports it; add one, or remove the claim")
    yield from (_finding("unsupported", claim, unsupported_message) for claim in claims if not claim.supports)
    for claim in claims:
        yield from _unverified_findings(claim)
    stale = StaleChecker(knowledge)
    for claim in valid_claims:
        if why := stale.claim_verdict(claim):
            reason = message("{reason}; read it there and correct the claim or its support", reason=why)
            yield _finding("stale", claim, reason)
    yield from stale.stale_rules()
    yield from _contradiction_findings("contradicting", [claim for claim in accepted_claims if claim.property not in MULTI_VALUED])
    yield from _contradiction_findings("disputed", [claim for claim in claims if claim.status == "disputed"])


def _sorted_supports(claim: Claim) -> list[Support]:
    return sorted(claim.supports, key=lambda support: (support.rule, support.quote))


def _unverified_findings(claim: Claim) -> Iterator[Finding]:
    for support in _sorted_supports(claim):
        if support.verified is False:
            place = path_of(support.rule)
            reason = message(
                "the words {quote!r} are not in {rule}; correct the quote or the rule", quote=support.quote, rule=place
            )
            yield _finding("unverified", claim, reason)


_SEVERAL_VALUES = {
    "contradicting": message("{property}: {values}; mark them disputed, or remove the wrong one"),
    "disputed": message("{property}: {values}"),
}


def _contradiction_findings(kind: str, claims: Sequence[Claim]) -> Iterator[Finding]:
    """One finding for each concept and property whose claims have several values."""
    groups: dict[tuple[str, str], list[Claim]] = defaultdict(list)
    for claim in claims:
        groups[claim.concept, claim.property].append(claim)
    for (concept, property_), same in groups.items():
        if len({claim.value for claim in same}) > 1:
            rules = [f" ({path_of(_sorted_supports(claim)[0].rule)})" if claim.supports else "" for claim in same]
            values = [f"{claim.value!r}{rule}" for claim, rule in zip(same, rules, strict=True)]
            reason = message(_SEVERAL_VALUES[kind].text, property=property_, values=_contradicting_values(values))
            yield Finding(kind, concept, reason)


def _contradicting_values(values: Sequence[str]) -> Message:
    """Contradicting values, joined for a message."""
    if len(values) == 1:
        return message("{value}", value=values[0])
    return message("{value} contradicts {others}", value=values[0], others=_contradicting_values(values[1:]))


def _finding(kind: str, claim: Claim, reason: Message) -> Finding:
    what = {"concept": concept_name(claim.concept), "property": claim.property, "value": claim.value}
    return Finding(kind, claim.iri, message("{concept} {property} {value!r}: {reason}", **what, reason=reason))


def verify_supports(knowledge: Knowledge, supports: Sequence[Support] | None = None) -> dict[str, bool]:
    """Support → whether its rule contains the quotation, for some supports (None: for all).

    Supports are left out if their rule is not loaded in the quotation's language.
    """
    supports = supports_in(knowledge.store) if supports is None else supports
    texts = _loaded_texts(knowledge, sorted({support.rule for support in supports}))
    return {
        support.iri: fold_text(support.quote) in fold_text(text)
        for support in supports
        for lang, text in texts.get(support.rule, ())
        if lang == support.lang.lower() or lang.startswith(f"{support.lang.lower()}-")
    }


def _loaded_texts(knowledge: Knowledge, rules: list[str]) -> dict[str, list[tuple[str, str]]]:
    """Rule → its loaded texts, each with its language tag in lower case."""
    texts: dict[str, list[tuple[str, str]]] = {}
    for record in knowledge.records.by_iri(rules):
        texts.setdefault(record["iri"], []).extend((lang.lower(), words["text"]) for lang, words in record["texts"].items())
    return texts


def verified_quads(results: Mapping[str, bool]) -> bytes:
    """The findings of `verify_supports`, as sorted N-Quads of the graph `VERIFIED_GRAPH`."""
    return "".join(
        sorted(
            f'<{support}> <{RS}verified> "{str(value).lower()}"^^<http://www.w3.org/2001/XMLSchema#boolean> <{VERIFIED_GRAPH}> .\n'
            for support, value in results.items()
        )
    ).encode()
