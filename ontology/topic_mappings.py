"""Mappings derived from topics: concept beside concept and rule beside rule, for every pair of games.

A topic states once the position of each game; the comment of a pair puts two of them side by side, with the games named. A pair
that a file already maps is left out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from corpus.address import concept_name, path_of
from ontology.spokes import is_informative
from ontology.sssom import COLUMNS, COMMENT_COLUMNS, NO_TERM_FOUND, MappingRow
from ontology.topics import Topic, TopicCell, topics

_NEAREST_FACTOR = 0.7
"""Probability that a judge finds the nearest rule useful beside a rule that answers the topic."""
_STATEMENT_FORMATS = {"en": "{game}: {says}", "ja": "{game}：{says}", "zh-Hans": "{game}：{says}"}
_SEPARATORS = {"en": " ", "ja": "", "zh-Hans": ""}
Games = Mapping[str, Mapping[str, str]]
"""Language → game → its name."""


def concept_mappings(rows: Sequence[MappingRow], games: Games, english_name: Callable[[str], str]) -> Iterator[MappingRow]:
    """A row for each pair of concepts that answer a topic, and for each concept without a counterpart, except for those in `rows`.

    `english_name` returns the English label of a concept by its IRI.
    """
    pairs = {frozenset((row["subject_id"], row["object_id"])) for row in rows}
    without_counterpart = {(row["subject_id"], row["object_source"]) for row in rows if is_informative(row)}
    without_counterpart |= {(row["object_id"], row["subject_source"]) for row in rows if is_informative(row)}
    for topic in topics():
        for cell, other in _cell_pairs(topic):
            if cell.found and other.found and frozenset((_concept_id(cell), _concept_id(other))) not in pairs:
                yield _close_match_row(cell, other, games, english_name)
            for subject, nearest in ((cell, other), (other, cell)):
                if (
                    subject.found
                    and not nearest.found
                    and (_concept_id(subject), f"scheme:{nearest.game}") not in without_counterpart
                ):
                    yield _no_match_row(subject, nearest, english_name)


def rule_counterparts(rows: Sequence[MappingRow], games: Games) -> Iterator[MappingRow]:
    """A row for each pair of rules that answer a topic or come nearest to one, without duplicates and except for those in `rows`.

    A rule is labelled with a question that it answers, or else with one to which it is only the nearest rule.
    """
    pairs = {frozenset((row["subject_id"], row["object_id"])) for row in rows}
    labels = {_rule_id(cell): topic.asks["en"] for topic in reversed(topics()) for cell in topic.cells if cell.found}
    labels |= {row[f"{side}_id"]: row[f"{side}_label"] for row in rows for side in ("subject", "object")}
    for topic in topics():
        for cell, other in _cell_pairs(topic):
            pair = frozenset((_rule_id(cell), _rule_id(other)))
            if (cell.found or other.found) and pair not in pairs:
                pairs.add(pair)
                yield _rule_match_row(
                    cell, other, games, *(labels.setdefault(_rule_id(side), topic.asks["en"]) for side in (cell, other))
                )


def _cell_pairs(topic: Topic) -> Iterable[tuple[TopicCell, TopicCell]]:
    return combinations(sorted(topic.cells, key=lambda cell: cell.game), 2)


def _close_match_row(cell: TopicCell, other: TopicCell, games: Games, english_name: Callable[[str], str]) -> MappingRow:
    return _empty_row(
        subject_id=_concept_id(cell),
        subject_label=english_name(cell.concept),
        predicate_id="skos:closeMatch",
        object_id=_concept_id(other),
        object_label=english_name(other.concept),
        subject_source=f"scheme:{cell.game}",
        object_source=f"scheme:{other.game}",
        confidence=_confidence(cell, other),
        subject_rule=_rule_id(cell),
        object_rule=_rule_id(other),
        **_comments(cell, other, games),
    )


def _no_match_row(cell: TopicCell, nearest: TopicCell, english_name: Callable[[str], str]) -> MappingRow:
    """States that another game has no such rule; the comment describes its nearest rule."""
    return _empty_row(
        subject_id=_concept_id(cell),
        subject_label=english_name(cell.concept),
        predicate_id="skos:closeMatch",
        object_id=NO_TERM_FOUND,
        subject_source=f"scheme:{cell.game}",
        object_source=f"scheme:{nearest.game}",
        confidence=_confidence(cell, nearest),
        subject_rule=_rule_id(cell),
        **{column: nearest.says[lang] for lang, column in COMMENT_COLUMNS.items()},
    )


def _rule_match_row(cell: TopicCell, other: TopicCell, games: Games, label: str, other_label: str) -> MappingRow:
    both_found = cell.found and other.found
    return _empty_row(
        subject_id=_rule_id(cell),
        subject_label=label,
        predicate_id="skos:closeMatch" if both_found else "skos:relatedMatch",
        object_id=_rule_id(other),
        object_label=other_label,
        confidence=_confidence(cell, other, 1 if both_found else _NEAREST_FACTOR),
        **_comments(cell, other, games),
    )


def _confidence(cell: TopicCell, other: TopicCell, factor: float = 1) -> str:
    """The probability that a judge agrees with both cells."""
    return f"{cell.sure * other.sure * factor:.2g}"


def _comments(cell: TopicCell, other: TopicCell, games: Games) -> dict[str, str]:
    return {
        column: _SEPARATORS[lang].join(
            _STATEMENT_FORMATS[lang].format(game=games[lang][side.game], says=side.says[lang]) for side in (cell, other)
        )
        for lang, column in COMMENT_COLUMNS.items()
    }


def _empty_row(**cells: str) -> MappingRow:
    return dict.fromkeys(COLUMNS, "") | {"mapping_justification": "semapv:ManualMappingCuration"} | cells


def _concept_id(cell: TopicCell) -> str:
    return f"concept:{concept_name(cell.concept)}"


def _rule_id(cell: TopicCell) -> str:
    return f"rule:{path_of(cell.rule)}"
