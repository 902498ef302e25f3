"""Topics as mappings: concept beside concept, rule beside rule, for every pair of games; what stands in the files goes first.

What a game says of a topic is written once; the comment of a pair is both sayings, with the games named.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from corpus.address import concept_name, path_of
from ontology.sssom import COLUMNS, NOTHING, MappingRow
from ontology.topics.topic import Cell, Topic, topics

COMMENTS = {"en": "comment", "ja": "comment_ja", "zh-Hans": "comment_zh"}
_MATCH, _NONE = "0.98", "0.87"
"""How sure a judge may be that two concepts match, and that there is no counterpart: measured (docs/agreement.md)."""
_CLOSE, _NEAR = "0.85", "0.6"
"""The same of two rules, and of what is only near."""
_SAID = {"en": "{game}: {says}", "ja": "{game}：{says}", "zh-Hans": "{game}：{says}"}
_BETWEEN = {"en": " ", "ja": "", "zh-Hans": ""}
Games = Mapping[str, Mapping[str, str]]
"""Language → game → its name."""


def mappings(files: Sequence[MappingRow], games: Games, label: Callable[[str], str]) -> Iterator[MappingRow]:
    """A row for each pair of concepts that answer a topic, and for each that has no counterpart, where no file has one.

    `label` gives a concept's name in English.
    """
    stated = {frozenset((row["subject_id"], row["object_id"])) for row in files}
    missed = {(row["subject_id"], row["object_source"]) for row in files if row["object_id"] == NOTHING}
    for topic in topics():
        for cell, other in _pairs(topic):
            ids = _id(cell), _id(other)
            if cell.found and other.found and frozenset(ids) not in stated:
                yield _close(cell, other, games, label)
            for mine, theirs in ((cell, other), (other, cell)):
                if mine.found and not theirs.found and (_id(mine), f"scheme:{theirs.game}") not in missed:
                    yield _none(mine, theirs, label)


def counterparts(files: Sequence[MappingRow], games: Games) -> Iterator[MappingRow]:
    """A row for each pair of rules that answer a topic, and for what is nearest to one; each pair once, the files' first."""
    stated = {frozenset((row["subject_id"], row["object_id"])) for row in files}
    called = {row[f"{side}_id"]: row[f"{side}_label"] for row in files for side in ("subject", "object")}
    for topic in topics():
        for left, other in _pairs(topic):
            pair = frozenset((_rule(left), _rule(other)))
            if (left.found or other.found) and pair not in stated:
                stated.add(pair)
                labels = (called.setdefault(_rule(cell), topic.asks["en"]) for cell in (left, other))
                yield _beside(left, other, games, *labels)


def _pairs(topic: Topic) -> Iterable[tuple[Cell, Cell]]:
    return combinations(sorted(topic.cells, key=lambda cell: cell.game), 2)


def _close(cell: Cell, other: Cell, games: Games, label: Callable[[str], str]) -> MappingRow:
    return _row(
        subject_id=_id(cell),
        subject_label=label(cell.concept),
        predicate_id="skos:closeMatch",
        object_id=_id(other),
        object_label=label(other.concept),
        subject_source=f"scheme:{cell.game}",
        object_source=f"scheme:{other.game}",
        confidence=_MATCH,
        subject_rule=_rule(cell),
        object_rule=_rule(other),
        **_comments(cell, other, games),
    )


def _none(mine: Cell, theirs: Cell, label: Callable[[str], str]) -> MappingRow:
    """That another game has no such rule; the comment names the nearest thing."""
    return _row(
        subject_id=_id(mine),
        subject_label=label(mine.concept),
        predicate_id="skos:closeMatch",
        object_id=NOTHING,
        subject_source=f"scheme:{mine.game}",
        object_source=f"scheme:{theirs.game}",
        confidence=_NONE,
        subject_rule=_rule(mine),
        **{column: theirs.says[lang] for lang, column in COMMENTS.items()},
    )


def _beside(cell: Cell, other: Cell, games: Games, label: str, other_label: str) -> MappingRow:
    both = cell.found and other.found
    return _row(
        subject_id=_rule(cell),
        subject_label=label,
        predicate_id="skos:closeMatch" if both else "skos:relatedMatch",
        object_id=_rule(other),
        object_label=other_label,
        confidence=_CLOSE if both else _NEAR,
        **_comments(cell, other, games),
    )


def _comments(left: Cell, other: Cell, games: Games) -> dict[str, str]:
    return {
        column: _BETWEEN[lang].join(_SAID[lang].format(game=games[lang][cell.game], says=cell.says[lang]) for cell in (left, other))
        for lang, column in COMMENTS.items()
    }


def _row(**cells: str) -> MappingRow:
    return dict.fromkeys(COLUMNS, "") | {"mapping_justification": "semapv:ManualMappingCuration"} | cells


def _id(cell: Cell) -> str:
    return f"concept:{concept_name(cell.concept)}"


def _rule(cell: Cell) -> str:
    return f"rule:{path_of(cell.rule)}"
