"""Claims of older rules alone: superseded, disputed or accepted, by the loaded editions."""

import pytest

from corpus.address import BASE, EditionKey
from corpus.store.home.manifest import EditionEntry, Manifest
from ontology.concepts.claim_status import changed_statuses
from ontology.concepts.claims import claims_in
from ontology.knowledge import Knowledge
from tests.support.records import documents
from tests.support.shipped import known

OLD, NEW = EditionKey("fow", "cr", "undated"), EditionKey("fow", "cr", "2025-09-18")
FIELDS, FIELD = f"{BASE}id/claim/fow-29c33fba3443", f"{BASE}id/claim/fow-4d9e35c8de20"
"""That each player has a field of their own, as the older rules had it; and that the game has one."""
MAGIC_STONES = f"{BASE}id/claim/fow-38da4ec08e9b"
"""That the magic stone area, which is no more, is public."""


def entry(key: EditionKey, *langs: str) -> EditionEntry:
    grammar = "dotted-bullets" if key == OLD else "full-hundreds"
    read, covers = dict.fromkeys(langs, "official"), ("3",) if langs else ()
    return EditionEntry(
        key.game, key.book, key.edition, grammar, 9, ("3",), covers, {}, read, dict.fromkeys(langs, ("f",)), 0, "", {}
    )


def knowledge(*entries: EditionEntry) -> Knowledge:
    return Knowledge(
        known(), Manifest(editions={held.key: held for held in entries}), documents({held.key: {} for held in entries})
    )


@pytest.mark.parametrize(
    ("old", "new", "then", "now", "gone"),
    [
        ((), (), "superseded", "accepted", "superseded"),
        (("ja",), (), "disputed", "disputed", "accepted"),
        ((), ("en",), "superseded", "accepted", "superseded"),
    ],
    ids=["nothing read", "the older text alone", "the newer text alone"],
)
def test_a_claim_ends_with_the_edition_that_says_so_no_longer(
    old: tuple[str, ...], new: tuple[str, ...], then: str, now: str, gone: str
) -> None:
    claims = claims_in(known())
    changed = changed_statuses(knowledge(entry(OLD, *old), entry(NEW, *new)), claims)
    statuses = {claim.iri: changed.get(claim.iri, (claim.status, claim.status))[1] for claim in claims}
    assert (statuses[FIELDS], statuses[FIELD], statuses[MAGIC_STONES]) == (then, now, gone)


def test_a_newer_edition_is_read_alone() -> None:
    newer = EditionEntry(
        "mtg", "cr", "2030-01-01", "hundreds", 9, ("400",), ("400",), {}, {"zh": "translation"}, {"zh": ("f",)}, 0, "", {}
    )
    changed = changed_statuses(knowledge(newer), claims_in(known()))
    assert any(now == "superseded" and "/mtg-" in claim for claim, (_, now) in changed.items())


def test_as_things_stood_before_that_edition_it_holds() -> None:
    before = knowledge(entry(OLD, "ja"), entry(NEW, "en")).without(lambda key: key == NEW)
    older = [claim for claim in claims_in(known()) if all(f"/{NEW}/" not in support.rule for support in claim.supports)]
    changed = changed_statuses(before, older)
    assert (changed[FIELDS], changed[MAGIC_STONES]) == (("superseded", "accepted"), ("superseded", "accepted"))


def test_only_superseded_claims_state_since_when() -> None:
    ended = {row["claim"] for row in known().select(f"SELECT ?claim {{ GRAPH ?g {{ ?claim <{BASE}ns#until> ?edition }} }}")}
    assert ended == {claim.iri for claim in claims_in(known()) if claim.status == "superseded"}
    assert len(ended) == 47


def test_a_dispute_is_never_one_of_age_alone() -> None:
    """Two texts of one book that differ by age are superseded and accepted; only a rule and its own edition may disagree."""
    disputed = [claim for claim in claims_in(known()) if claim.status == "disputed"]
    assert disputed
    assert {claim.concept.removeprefix(f"{BASE}id/concept/").split("/")[0] for claim in disputed} == {"dm", "mtg", "ygo"}
