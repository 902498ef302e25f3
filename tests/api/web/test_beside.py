"""Rules of other games beside a rule: a topic's difference, or a comment, is said once."""

from typing import Any, cast

from api.web.beside import counterpart_groups
from rulestone import Library

TOPIC = {
    "concept": "hub/hand-size",
    "label": "hand size",
    "differs": "Seven here, six there.",
    "cells": [
        {"rule": {"rule": "a/1"}, "says": "Seven."},
        {"rule": {"rule": "b/2"}, "says": "Six."},
        {"rule": {"rule": "c/3"}, "says": "Five."},
    ],
}


class OneTopic:
    """A library with one topic."""

    def bundle_name(self) -> str:
        return "000001"

    def topics(self, lang: str) -> Any:  # noqa: ANN401
        return {"lang": lang, "topics": [TOPIC]}


def counterpart(iri: str, comment: str, **more: str) -> Any:  # noqa: ANN401
    return {"iri": iri, "game": iri[0], "comment": comment, **more}


def blocks(rule: str, *counterparts: Any) -> list[tuple[str, list[tuple[str, str | None]]]]:  # noqa: ANN401
    groups = counterpart_groups(cast("Library", OneTopic()), rule, counterparts, "en")
    return [(block.differs, [(one["iri"], says) for one, says in block.rules]) for block in groups]


def test_a_topic_states_its_difference_once_and_its_cells_stand_at_the_rules() -> None:
    counterparts = [counterpart("b/2", "A: Seven. B: Six."), counterpart("b/9", "Other."), counterpart("c/3", "A: Seven. C: Five.")]
    assert blocks("a/1", *counterparts) == [
        ("Seven here, six there.", [("b/2", "Six."), ("c/3", "Five.")]),
        ("Other.", [("b/9", None)]),
    ]


def test_a_rule_of_an_older_edition_finds_its_topic_by_the_label() -> None:
    assert blocks("a/0", counterpart("b/2", "A: Seven.", label="hand size")) == [("Seven here, six there.", [("b/2", "Six.")])]
    assert blocks("a/0", counterpart("b/2", "A: Seven.", label="something else")) == [("A: Seven.", [("b/2", None)])]


def test_a_comment_on_two_rules_is_said_once() -> None:
    counterparts = [counterpart("b/5", "Same."), counterpart("c/6", "Other."), counterpart("b/7", "Same.")]
    assert blocks("a/5", *counterparts) == [("Same.", [("b/5", None), ("b/7", None)]), ("Other.", [("c/6", None)])]
