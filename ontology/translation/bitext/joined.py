"""Two differently numbered texts unit by unit, as a person has checked which rule is which (`rulestone align --apply`)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ontology.knowledge import Knowledge
from ontology.translation.align.sheet import Checked, Row, Sheet
from ontology.translation.bitext.passages import HEADING, TEXT, Mark, Passage, passages
from ontology.translation.bitext.units import Unit, cut, has_section

_BETWEEN = "\n"
"""Stands between two rules that one rule of the other text answers."""


@dataclass(frozen=True, slots=True)
class Group:
    """Rules that answer each other, by locators: mostly one on each side."""

    old: Sequence[str]
    new: Sequence[str]


def groups(rows: Iterable[Row]) -> list[Group]:
    """What was checked, one to many and many to one, in the order of the rows."""
    gathered: list[tuple[dict[str, None], dict[str, None]]] = []
    for row in rows:
        if row.checked is Checked.YES and row.old and row.new:
            met = [group for group in gathered if row.old in group[0] or row.new in group[1]]
            first = met[0] if met else ({}, {})
            for other in met[1:]:
                first[0].update(other[0])
                first[1].update(other[1])
            first[0][row.old] = first[1][row.new] = None
            gathered = [group for group in gathered if not any(group is other for other in met[1:])]
            if not met:
                gathered.append(first)
    return [Group(tuple(old), tuple(new)) for old, new in gathered]


def joined(knowledge: Knowledge, sheet: Sheet, source: str, target: str, section: str | None = None) -> Iterator[Unit]:
    """The units of the older side of a checked alignment and what answers them, in the order of its book.

    Raises NotFoundError for a section that the edition has not.
    """
    mine, theirs = (_by_rule(passages(knowledge, key), lang) for key, lang in ((sheet.old, source), (sheet.new, target)))
    has_section(passages(knowledge, sheet.old), section, sheet.old)
    units = [unit for group in groups(sheet.rows) for unit in _units(group, mine, theirs, source, target)]
    order = {locator: place for place, locator in enumerate(mine)}
    wanted = (unit for unit in units if section in (None, *unit.passage.within))
    return iter(sorted(wanted, key=lambda unit: order[unit.passage.locator]))


_ByRule = Mapping[str, Sequence[Passage]]


def _by_rule(some: Iterable[Passage], lang: str) -> _ByRule:
    """The passages of each rule that have a language, in the order of the book."""
    by_rule: dict[str, list[Passage]] = {}
    for passage in some:
        if passage.words.get(lang, "").strip():
            by_rule.setdefault(passage.locator, []).append(passage)
    return by_rule


def _units(group: Group, mine: _ByRule, theirs: _ByRule, source: str, target: str) -> Iterator[Unit]:
    sides = [
        [passage for locator in locators for passage in some.get(locator, ())]
        for locators, some in ((group.old, mine), (group.new, theirs))
    ]
    for part in dict.fromkeys(_kind(passage) for passage in sides[0]):
        here, there = ([passage for passage in side if _kind(passage) == part] for side in sides)
        if part == TEXT and here and there:
            here, there = [_whole(here, source)], [_whole(there, target)]
        if len(here) == len(there):
            yield from (_unit(source_passage, other, source, target) for source_passage, other in zip(here, there, strict=True))


def _kind(passage: Passage) -> str:
    """A part; a title of one text may be a rule of the other."""
    return TEXT if passage.part == HEADING else passage.part


def _whole(some: Sequence[Passage], lang: str) -> Passage:
    """Several rules as one passage, at the first one's address."""
    first, *others = some
    words, marks = first.words[lang], list(first.marks.get(lang, ()))
    for passage in others:
        by = len(words) + len(_BETWEEN)
        words += _BETWEEN + passage.words[lang]
        marks += [(concept, start + by, end + by) for concept, start, end in passage.marks.get(lang, ())]
    return replace(first, words={lang: words}, marks={lang: marks})


def _unit(passage: Passage, other: Passage, source: str, target: str) -> Unit:
    sides = ((passage, source), (other, target))
    marks: dict[str, Sequence[Mark]] = {lang: side.marks.get(lang, ()) for side, lang in sides}
    words = {lang: side.words[lang] for side, lang in sides}
    both = replace(passage, words=words, marks=marks, authority={lang: side.authority[lang] for side, lang in sides})
    return Unit(both, cut(both, source, target), other.rule)
