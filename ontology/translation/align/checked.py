"""A checked alignment of two editions as the steps of a thread, and of two books as counterparts."""

from collections import Counter
from collections.abc import Iterable, Iterator

from corpus.messages import message
from corpus.store.threads.rule import StoredRule
from corpus.store.threads.step import Kind, Step, kind_of
from ontology.sssom import COLUMNS, MappingRow
from ontology.translation.align.sheet import Checked, Row, Sheet

_SAID = message("a person has checked that these two rules answer each other")


def checked(sheet: Sheet, old: Iterable[StoredRule], new: Iterable[StoredRule]) -> list[Step]:
    """What became of each rule, by locators: what was checked is sure, what was not is proposed, what was refused is nothing."""
    here, there = ({rule.locator for rule in rules} for rules in (old, new))
    rows = [
        row for row in sheet.rows if row.checked is not Checked.NO and {row.old} <= {*here, None} and {row.new} <= {*there, None}
    ]
    sure = [row for row in rows if row.checked is Checked.YES]
    told = {row.old for row in sure if row.old}, {row.new for row in sure if row.new}
    guessed = [row for row in rows if row.checked is Checked.UNSEEN and row.old and row.new]
    kept = [*sure, *(row for row in guessed if row.old not in told[0] and row.new not in told[1])]
    parts = Counter(row.old for row in kept), Counter(row.new for row in kept)
    return [_step(row, split=parts[0][row.old] > 1, merged=parts[1][row.new] > 1) for row in kept]


def _step(row: Row, *, split: bool, merged: bool) -> Step:
    proposed = row.checked is Checked.UNSEEN
    if row.old is None or row.new is None:
        return Step(Kind.ADDED if row.old is None else Kind.REMOVED, row.old, row.new, 0.0)
    kind = kind_of(row.old, row.new, edited=True)
    if row.old and split:
        kind = Kind.SPLIT
    elif merged:
        kind = Kind.MERGED
    return Step(kind, row.old, row.new, min(row.confidence, 0.99), proposed=proposed)


def counterparts(sheet: Sheet) -> Iterator[MappingRow]:
    """The links of a checked alignment as mappings between rules."""
    for row in sheet.rows:
        if row.checked is Checked.YES and row.old and row.new:
            yield dict.fromkeys(COLUMNS, "") | {
                "subject_id": f"rule:{sheet.old}/{row.old}",
                "subject_label": row.old,
                "predicate_id": "skos:closeMatch",
                "object_id": f"rule:{sheet.new}/{row.new}",
                "object_label": row.new,
                "mapping_justification": "semapv:ManualMappingCuration",
                "confidence": f"{max(row.confidence, 0.01):g}",
                "comment": _SAID.said("en"),
                "comment_ja": _SAID.said("ja"),
                "comment_zh": _SAID.said("zh-Hans"),
            }
