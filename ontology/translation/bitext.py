"""A book in two languages, unit by unit: a rule, an example or a note, split into sentences if both sides allow it.

The two sides are two languages of one edition, or two differently numbered editions that a person has aligned
(`rulestone align --apply`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from corpus.address import EditionKey
from corpus.errors import NotFoundError
from ontology.knowledge import Knowledge
from ontology.translation.checked_alignments import AlignmentRow, AlignmentSheet, CheckedVerdict
from ontology.translation.passages import HEADING, TEXT, Mention, ParallelPassage, passages
from ontology.translation.sentence_alignment import Bead, Side, align_sentences, side_of

MIN_CONFIDENCE = 0.3
"""A unit with an uncertain pair of sentences is not split."""
_BETWEEN_RULES = "\n"
"""Joins rules that correspond to one rule of the other text."""


@dataclass(frozen=True, slots=True)
class TranslatedPair:
    """Words and their translation; `confidence` is from 0 to 1: 1 if the book's own numbering pairs them."""

    source: str
    target: str
    confidence: float
    before: tuple[str, str] = ("", "")
    """The spaces between this pair and the previous one, on both sides."""


@dataclass(frozen=True, slots=True)
class BitextUnit:
    """One part of a rule in two languages. `pairs` are its sentences, or a single pair of the whole."""

    passage: ParallelPassage
    pairs: Sequence[TranslatedPair]
    target_rule: str = ""
    """IRI of the target's rule, if it is numbered differently."""


def edition_units(
    knowledge: Knowledge, key: EditionKey, source: str, target: str, section: str | None = None
) -> Iterator[BitextUnit]:
    """The units of an edition that have both languages, in document order; of one section only, if one is given.

    Raises NotFoundError for a section that the edition lacks.
    """
    every = passages(knowledge, key)
    _check_section(every, section, key)
    in_section = (passage for passage in every if section in (None, *passage.sections))
    both = (passage for passage in in_section if all(passage.words.get(lang, "").strip() for lang in (source, target)))
    return (BitextUnit(passage, _pairs(passage, source, target)) for passage in both)


def _check_section(passages: Sequence[ParallelPassage], section: str | None, key: EditionKey) -> None:
    if section is not None and not any(section in passage.sections for passage in passages):
        raise NotFoundError("no section {section} in {edition}; name it by its number, e.g. 7 or 701", section=section, edition=key)


def _pairs(passage: ParallelPassage, source: str, target: str) -> Sequence[TranslatedPair]:
    """The sentences of a passage in two languages, or a single pair of the whole."""
    sides = sentences_of(passage, source), sentences_of(passage, target)
    beads = align_sentences(*sides)
    if len(beads) < 2 or not all(bead.confidence >= MIN_CONFIDENCE for bead in beads):
        beads = [Bead((0, len(sides[0].spans)), (0, len(sides[1].spans)), 1.0)]
    pairs = []
    for bead in beads:
        (words, space), (translation, target_space) = _sentence_words(sides[0], bead.source), _sentence_words(sides[1], bead.target)
        pairs.append(TranslatedPair(words, translation, bead.confidence, (space, target_space)))
    return tuple(pairs)


def _sentence_words(side: Side, numbers: tuple[int, int]) -> tuple[str, str]:
    """The words of some sentences, and the spaces before them."""
    first, last = numbers
    start = side.spans[first].start
    return side.text[start : side.spans[last - 1].end], side.text[side.spans[first - 1].end : start] if first else ""


def sentences_of(passage: ParallelPassage, lang: str) -> Side:
    """The sentences of a passage in one language, with the concepts mentioned in each."""
    return side_of(lang, passage.words[lang], passage.mentions.get(lang, ()))


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Rules that correspond, by locator: mostly one on each side."""

    old: Sequence[str]
    new: Sequence[str]


_ByRule = Mapping[str, Sequence[ParallelPassage]]


def aligned_units(
    knowledge: Knowledge, sheet: AlignmentSheet, source: str, target: str, section: str | None = None
) -> Iterator[BitextUnit]:
    """The units of two aligned editions, in the document order of the older one; of one of its sections only, if one is given.

    Raises NotFoundError for a section that the older edition lacks.
    """
    old, new = (_by_rule(passages(knowledge, key), lang) for key, lang in ((sheet.old, source), (sheet.new, target)))
    _check_section(passages(knowledge, sheet.old), section, sheet.old)
    every = [unit for group in groups(sheet.rows) for unit in _group_units(group, old, new, source, target)]
    order = {locator: place for place, locator in enumerate(old)}
    in_section = (unit for unit in every if section in (None, *unit.passage.sections))
    return iter(sorted(in_section, key=lambda unit: order[unit.passage.locator]))


def groups(rows: Iterable[AlignmentRow]) -> list[RuleGroup]:
    """The accepted links of a checked alignment, joined if they share a rule, in the order of the rows."""
    rule_groups: list[tuple[dict[str, None], dict[str, None]]] = []
    for row in rows:
        if row.checked is CheckedVerdict.YES and row.old and row.new:
            sharing = [group for group in rule_groups if row.old in group[0] or row.new in group[1]]
            first = sharing[0] if sharing else ({}, {})
            for other in sharing[1:]:
                first[0].update(other[0])
                first[1].update(other[1])
            first[0][row.old] = first[1][row.new] = None
            rule_groups = [group for group in rule_groups if not any(group is other for other in sharing[1:])]
            if not sharing:
                rule_groups.append(first)
    return [RuleGroup(tuple(old), tuple(new)) for old, new in rule_groups]


def _by_rule(passages: Iterable[ParallelPassage], lang: str) -> _ByRule:
    """The passages of each rule that have a language, in document order."""
    by_rule: dict[str, list[ParallelPassage]] = {}
    for passage in passages:
        if passage.words.get(lang, "").strip():
            by_rule.setdefault(passage.locator, []).append(passage)
    return by_rule


def _group_units(group: RuleGroup, old: _ByRule, new: _ByRule, source: str, target: str) -> Iterator[BitextUnit]:
    old_side, new_side = (
        [passage for locator in locators for passage in by_rule.get(locator, ())]
        for locators, by_rule in ((group.old, old), (group.new, new))
    )
    for part in dict.fromkeys(map(_part_role, old_side)):
        first, second = ([passage for passage in side if _part_role(passage) == part] for side in (old_side, new_side))
        if part == TEXT and first and second:
            first, second = [_join_texts(first, source)], [_join_texts(second, target)]
        if len(first) == len(second):
            yield from (_make_unit(passage, other, source, target) for passage, other in zip(first, second, strict=True))


def _part_role(passage: ParallelPassage) -> str:
    """The part; headings count as text, because a heading of one edition may be a rule of the other."""
    return TEXT if passage.part == HEADING else passage.part


def _join_texts(side: Sequence[ParallelPassage], lang: str) -> ParallelPassage:
    """The texts of several rules as one passage of the first rule."""
    first, *others = side
    words, mentions = first.words[lang], list(first.mentions.get(lang, ()))
    for passage in others:
        offset = len(words) + len(_BETWEEN_RULES)
        words += _BETWEEN_RULES + passage.words[lang]
        mentions += [(concept, start + offset, end + offset) for concept, start, end in passage.mentions.get(lang, ())]
    return replace(first, words={lang: words}, mentions={lang: mentions})


def _make_unit(passage: ParallelPassage, other: ParallelPassage, source: str, target: str) -> BitextUnit:
    sides = ((passage, source), (other, target))
    mentions: dict[str, Sequence[Mention]] = {lang: side.mentions.get(lang, ()) for side, lang in sides}
    words = {lang: side.words[lang] for side, lang in sides}
    both = replace(passage, words=words, mentions=mentions, authority={lang: side.authority[lang] for side, lang in sides})
    return BitextUnit(both, _pairs(both, source, target), other.rule)
