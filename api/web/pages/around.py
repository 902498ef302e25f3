"""The picture of what stands around a concept: what it is a case of, its parts, its counterparts in other games."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from api.web import named
from api.web.picture import EDGE, GAP, WIDTH, Box, Way, lines_of, rows, tall, ways
from corpus.address import scheme_of
from corpus.comparison import DENIED
from corpus.messages import Message, message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus.contract import Concept, ConceptName

ACROSS, MOST = 3, 9
"""Boxes side by side, and in one group at most."""
_TITLE = 22
ABOVE, BELOW, BESIDE, FALSE = (
    message("more general"),
    message("parts and special cases"),
    message("in other games"),
    message("only alike in name"),
)


@dataclass(frozen=True, slots=True)
class Around:
    """The picture."""

    titles: "Sequence[tuple[Message, float]]"
    boxes: "Sequence[Box]"
    ways: "Sequence[Way]"
    height: float
    width: float = 2 * EDGE + ACROSS * WIDTH + (ACROSS - 1) * GAP


def around(concept: "Concept") -> Around | None:
    """What stands around a concept; None where nothing is known to."""
    groups = [(title, dict(list(some.items())[:MOST])) for title, some in _groups(concept) if some]
    if not groups:
        return None
    own: dict[str, ConceptName] = {concept["concept"]: concept}
    above = [group for group in groups if group[0] is ABOVE]
    below = [group for group in groups if group[0] is not ABOVE]
    boxes: list[Box] = []
    titles, top = [], 0.0
    for title, some in (*above, (None, own), *below):
        if title:
            titles.append((title, top + 15))
            top += _TITLE
        boxes += _boxes(some, top, alone=title is None)
        top += tall(len(some), ACROSS) + GAP
    centre = concept["concept"]
    lines = ways(((centre, box.key, box.kind) for box in boxes if box.key != centre), {box.key: box for box in boxes})
    return Around(titles, boxes, lines, top - GAP)


def _groups(concept: "Concept") -> "Iterator[tuple[Message, dict[str, ConceptName]]]":
    """Concepts by how they stand to it; each stands in one group."""
    seen = {concept["concept"]}
    matches = [match for match in concept["matches"] if match["concept"]]
    alike = [match for match in matches if not match["predicate"].startswith(DENIED)]
    others = [match for match in matches if match["predicate"].startswith(DENIED)]
    below = (*concept["parts"], *concept["narrower"])
    for title, some in ((ABOVE, concept["broader"]), (BELOW, below), (BESIDE, alike), (FALSE, others)):
        names: dict[str, ConceptName] = {}
        for neighbour in some:
            iri = neighbour["concept"] or ""
            if iri not in seen:
                names[iri] = {
                    "concept": iri,
                    "game": neighbour["game"],
                    "label": neighbour["label"] or "",
                    "lang": neighbour["lang"],
                }
        seen |= names.keys()
        yield title, names


def _boxes(some: "dict[str, ConceptName]", top: float, *, alone: bool) -> "Iterator[Box]":
    for key, x, y in rows(list(some), ACROSS, top):
        name = some[key]
        tag = named.tag(scheme_of(key)) if name["game"] and not alone else ""
        lines = (tag, *lines_of(name["label"])[:1]) if tag else lines_of(name["label"])
        place = EDGE + WIDTH + GAP if alone else x
        yield Box(key, lines, name["lang"] or named.NO_LANGUAGE, "middle" if alone else "thin", place, y)
