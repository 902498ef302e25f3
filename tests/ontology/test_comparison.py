"""Comparisons of two zones: a claim that is only proposed is never said to be the same without a mark."""

import pytest

from corpus.address import concept_iri, iri_of
from ontology.comparison import compared_claims, have_equal_claims
from ontology.concepts.claims import Claim, Support
from ontology.sssom import COLUMNS

TRASH, GRAVEYARD = "ferry/trash", "mtg/graveyard"
ROW = dict.fromkeys(COLUMNS, "") | {"subject_id": f"concept:{TRASH}", "object_id": f"concept:{GRAVEYARD}"}


def claim(concept: str, status: str) -> Claim:
    rule = iri_of(f"{concept.split('/')[0]}/cr/2021-05-03/1.1")
    support = Support("s", "c", rule, "words", "en", verified=True)
    return Claim("c", concept_iri(concept), "visibility", "public", status, {}, (support,), {"en": "public"})


@pytest.mark.parametrize(
    ("status", "lang", "same", "is_equal"),
    [
        ("accepted", "en", "Same: visibility.", True),
        ("proposed", "en", "Same: visibility (proposed).", False),
        ("proposed", "zh-Hans", "（待核对）", False),
    ],
)
def test_a_proposed_claim_is_marked(status: str, lang: str, same: str, *, is_equal: bool) -> None:
    claims = {concept_iri(TRASH): [claim(TRASH, status)], concept_iri(GRAVEYARD): [claim(GRAVEYARD, "accepted")]}
    assert same in compared_claims(ROW, claims, lang)
    assert have_equal_claims(ROW, claims) is is_equal
