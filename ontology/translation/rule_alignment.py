"""Aligns the rules of two texts in any languages and numbering.

All rules are compared with each other, by vectors of their words, by tokens that translations keep, and by length. A monotone path
through both texts and a one-to-one assignment of the rules then determine the partners.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from corpus.address import split_rule
from corpus.model import HEADING_KINDS
from corpus.store.threads.rule import NUMBER_MASK, mask_numbers
from corpus.words.text import to_half_width
from ontology.shipped import shipped_links

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

Matrix = NDArray[np.float32]
"""Shape (rules of the first text, rules of the second)."""
View = tuple[Matrix, Matrix]
"""Vectors of the rules of both texts in one space, shape (rules, dimensions) each, of unit length; zeros for a rule without one."""
Partners = NDArray[np.intp]
"""For each rule of the first text, the position of its partner in the second; -1 for none. Shape (rules,)."""
_SYMBOL = re.compile(r"\{[^{}\s]{1,12}\}")
_NUMBER = re.compile(r"[+-]?\d+/[+-]?\d+|\bd\d{1,3}\b|\d+")
_LATIN = re.compile(r"[a-z][a-z'’-]{2,}")
_NEAREST_NEIGHBOURS = 4
"""Number of neighbours whose mean similarity is subtracted: a rule that resembles all of them is weak evidence."""
_KEPT_WEIGHT, _LENGTH_WEIGHT = 0.6, 0.15
"""Weights of kept tokens and of lengths; the vectors together have the weight 1."""
_KIND_PENALTY = 0.25
"""Subtracted if only one of two rules is a heading or a glossary entry."""
MIN_SCORE = 0.02
"""The score below which two rules are not partners."""
_MIN_ON_PATH, _MIN_OFF_PATH = -0.4, 0.1
"""The similarity below which two rules are not partners, near the path through both texts and far from it."""
_PATH_WEIGHT, _PATH_REACH, _NEAR_PATH = 0.1, 12, 0.3
"""The bonus of a pair on the path, the distance in rules over which it decays, and the distance that counts as near."""
_NEIGHBOUR_BONUS, _PARENT_BONUS = 0.1, 0.08
"""Added for each pair of neighbours that are partners, and for each pair of headings above."""
_ALIGNMENT_ROUNDS = 3
_MIN_PART_SCORE = 0.2
"""Similarity above which a rule without a partner is a part of its neighbour's partner."""
_MIN_REMAINING_SCORE = 0.2
"""Similarity above which two remaining rules are partners."""
_MIDPOINT, _STEEPNESS = 0.05, 14.0
"""The logistic function from score to confidence: the score of confidence 0.5, and its slope."""


@dataclass(frozen=True, slots=True)
class AlignmentUnit:
    """A rule in one language, prepared for alignment.

    `invariant_tokens`: tokens that translations keep (symbols, numbers, concepts, Latin words).
    """

    locator: str
    parent: str | None  # locator
    title: bool  # a heading
    entry: bool  # a glossary entry
    text: str  # the words, after a headword if there is one
    length: int  # characters of the words without references
    invariant_tokens: tuple[str, ...]
    gloss: str = ""  # Rulestone's, in English


@dataclass(frozen=True, slots=True)
class RuleLink:
    """Two corresponding rules, by locator. `confidence`: the share of such links that are correct, from 0 to 1.

    `part`: one of the two has another partner that covers more of it.
    """

    old: str
    new: str
    confidence: float
    part: bool = False


@dataclass(frozen=True, slots=True)
class Aligned:
    """The links in the order of the first text, and the locators without a link in either text."""

    links: Sequence[RuleLink]
    old_alone: Sequence[str]
    new_alone: Sequence[str]


def alignment_units(records: "Iterable[RuleRecord]", lang: str) -> list[AlignmentUnit]:
    """The rules of an edition that have words in a language, in document order."""
    return [_alignment_unit(record, lang) for record in records if lang in record["texts"]]


def _alignment_unit(record: "RuleRecord", lang: str) -> AlignmentUnit:
    headword = record["headwords"].get(lang, "")
    words = mask_numbers(record, lang, record["texts"][lang]["text"]).replace(NUMBER_MASK, "")
    asides = [aside["text"] for aside in (*record["examples"], *record["notes"]) if aside["lang"] == lang]
    text = "\n".join(filter(None, (headword, words, *asides)))
    return AlignmentUnit(
        locator=record["locator"],
        parent=split_rule(record["parent"]).locator if record["parent"] else None,
        title=record["kind"] in HEADING_KINDS,
        entry=record["kind"] == "glossary",
        text=text,
        length=len(headword) + len(words),
        invariant_tokens=tuple(_invariant_tokens(record, lang, text)),
        gloss=record["digest"].get("en", ""),
    )


def _invariant_tokens(record: "RuleRecord", lang: str, text: str) -> Iterator[str]:
    plain = to_half_width(text)
    yield from (symbol.upper() for symbol in _SYMBOL.findall(plain))
    yield from _NUMBER.findall(_SYMBOL.sub(" ", plain))
    yield from (f"w:{word}" for word in dict.fromkeys(_LATIN.findall(plain.lower())))
    hubs = shipped_links().hub
    yield from (hubs.get(mention["concept"], mention["concept"]) for mention in record["mentions"] if mention["lang"] == lang)


def align_rules(old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit], views: Sequence[View]) -> Aligned:
    """The links between the rules of two texts; each of `views` has vectors of both texts in their order."""
    alike = similarity(old, new, views)
    partners, scores = find_partners(alike, old, new)
    _add_remaining(partners, scores, old, new, views)
    links = sorted([*_links(partners, scores, old, new), *_part_links(partners, alike, old, new)], key=_document_order(old, new))
    ends = {link.old for link in links}, {link.new for link in links}
    alone = ([unit.locator for unit in side if unit.locator not in some] for side, some in zip((old, new), ends, strict=True))
    return Aligned(links, *alone)


def _add_remaining(
    partners: Partners, scores: Matrix, old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit], views: Sequence[View]
) -> None:
    """Links remaining rules that are mutual best matches, at any distance."""
    rows, columns = np.flatnonzero(partners < 0), np.setdiff1d(np.arange(len(new)), partners)
    if not (len(rows) and len(columns)):
        return
    remaining = [(first[rows], second[columns]) for first, second in views]
    alike = similarity([old[row] for row in rows.tolist()], [new[column] for column in columns.tolist()], remaining)
    best, best_back = alike.argmax(axis=1), alike.argmax(axis=0)
    for place, row in enumerate(rows):
        if best_back[best[place]] == place and alike[place, best[place]] >= _MIN_REMAINING_SCORE:
            partners[row] = columns[best[place]]
            scores[row, partners[row]] = alike[place, best[place]]


def _document_order(old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit]) -> Callable[[RuleLink], tuple[int, bool, int]]:
    old_places, new_places = ({unit.locator: place for place, unit in enumerate(side)} for side in (old, new))
    return lambda link: (old_places[link.old], link.part, new_places[link.new])


def _links(partners: Partners, scores: Matrix, old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit]) -> Iterator[RuleLink]:
    for row in np.flatnonzero(partners >= 0).tolist():
        column = int(partners[row])
        yield RuleLink(old[row].locator, new[column].locator, _confidence(float(scores[row, column])))


def _confidence(score: float) -> float:
    return round(float(1 / (1 + np.exp(-_STEEPNESS * (score - _MIDPOINT)))), 2)


def _part_links(
    partners: Partners, similarities: Matrix, old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit]
) -> Iterator[RuleLink]:
    """Links rules without a partner to the partner of a neighbour if they resemble it: one rule became several."""
    partners_back = np.full(len(new), -1, dtype=np.intp)
    partners_back[partners[partners >= 0]] = np.flatnonzero(partners >= 0)
    pairs = [*_partners_of_neighbours(partners), *((row, column) for column, row in _partners_of_neighbours(partners_back))]
    for row, column in pairs:
        if similarities[row, column] >= _MIN_PART_SCORE:
            yield RuleLink(old[row].locator, new[column].locator, _confidence(float(similarities[row, column])), part=True)


def _partners_of_neighbours(partners: Partners) -> Iterator[tuple[int, int]]:
    """Each rule without a partner, with the partners of the rules before and after it."""
    for place in np.flatnonzero(partners < 0):
        near = (place + step for step in (-1, 1) if 0 <= place + step < len(partners))
        yield from ((int(place), int(partners[neighbour])) for neighbour in near if partners[neighbour] >= 0)


def similarity(old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit], views: Sequence[View]) -> Matrix:
    """The similarity of any two rules: about 0 for unrelated ones, towards 1 for a rule and its translation."""
    total = np.zeros((len(old), len(new)), dtype=np.float32)
    count = np.zeros_like(total)
    for first, second in views:
        both = np.outer(first.any(axis=1), second.any(axis=1)).astype(np.float32)
        total += _cosine_margin(first @ second.T) * both
        count += both
    total /= np.maximum(count, 1)
    total += _KEPT_WEIGHT * _cosine_margin(_invariant_token_cosines(old, new))
    total -= _LENGTH_WEIGHT * _length_difference(old, new)
    for kind in ("title", "entry"):
        old_kind, new_kind = (np.array([getattr(unit, kind) for unit in side], dtype=np.bool_) for side in (old, new))
        total -= np.float32(_KIND_PENALTY) * np.not_equal.outer(old_kind, new_kind)
    return total


def _cosine_margin(cosines: Matrix) -> Matrix:
    """Cosines minus the mean cosine of both rules to their nearest neighbours (the margin of Artetxe and Schwenk, 2019)."""
    if min(cosines.shape) == 0:
        return cosines
    rows, columns = (_mean_of_nearest(side) for side in (cosines, cosines.T))
    return cosines - (rows[:, None] + columns[None, :]) * np.float32(0.5)


def _mean_of_nearest(cosines: Matrix) -> Matrix:
    """The mean of the few highest values of each row, except the highest, which may be the rule itself."""
    most = min(_NEAREST_NEIGHBOURS + 1, cosines.shape[1])
    best = np.sort(np.partition(cosines, -most, axis=1)[:, -most:], axis=1)[:, ::-1]
    return np.asarray(best[:, min(1, most - 1) :].mean(axis=1), dtype=np.float32)


def _invariant_token_cosines(old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit]) -> Matrix:
    """Cosines of the bags of kept tokens, each token weighted by its rarity."""
    frequencies = Counter(token for unit in (*old, *new) for token in set(unit.invariant_tokens))
    shared = {token for unit in old for token in unit.invariant_tokens} & {token for unit in new for token in unit.invariant_tokens}
    columns = {token: column for column, token in enumerate(sorted(shared))}
    rarity = np.array([log(1 + (len(old) + len(new)) / frequencies[token]) for token in columns], dtype=np.float32)
    first, second = (_token_matrix(side, columns, rarity) for side in (old, new))
    cosines: Matrix = np.asarray((first @ second.T).todense(), dtype=np.float32)
    return cosines


def _token_matrix(units: Sequence[AlignmentUnit], columns: dict[str, int], rarity: Matrix) -> csr_matrix:
    at_rows, at_columns, values = [], [], []
    for row, unit in enumerate(units):
        for token, count in Counter(unit.invariant_tokens).items():
            if token in columns:
                at_rows.append(row)
                at_columns.append(columns[token])
                values.append((1 + log(count)) * float(rarity[columns[token]]))
    bags = csr_matrix((values, (at_rows, at_columns)), shape=(len(units), max(len(columns), 1)), dtype=np.float32)
    norms = np.sqrt(bags.multiply(bags).sum(axis=1)).A1
    norms[norms == 0] = 1
    return csr_matrix(bags.multiply(1 / norms[:, None]))


def _length_difference(old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit]) -> Matrix:
    """The deviation of two lengths from the usual ratio (Gale and Church, 1993), from 0 to 1: 1 from four times the length on."""
    first, second = (np.log(np.array([max(unit.length, 1) for unit in side], dtype=np.float32)) for side in (old, new))
    usual = np.median(first) - np.median(second) if len(first) and len(second) else 0
    difference: Matrix = np.minimum(np.abs(first[:, None] - second[None, :] - usual) / log(4), 1)
    return difference


def find_partners(similarities: Matrix, old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit]) -> tuple[Partners, Matrix]:
    """The partner of each rule, one to one, and the scores of all pairs: similarity, closeness to the path, and context."""
    if min(similarities.shape) == 0:
        return np.full(len(old), -1, dtype=np.intp), similarities
    closeness = _path_closeness(monotone_path(similarities - MIN_SCORE), similarities.shape)
    scores = similarities + _PATH_WEIGHT * closeness
    partners = _best_assignment(similarities, scores, closeness)
    for _ in range(_ALIGNMENT_ROUNDS - 1):
        scores_of_partners = np.where(np.arange(scores.shape[1])[None, :] == partners[:, None], scores, 0)
        closeness = _path_closeness(monotone_path(scores_of_partners), similarities.shape)
        scores = similarities + _PATH_WEIGHT * closeness + _context_bonus(partners, old, new)
        partners = _best_assignment(similarities, scores, closeness)
    return partners, scores


def monotone_path(gains: Matrix) -> Partners:
    """The partners in the order of both texts with the greatest sum of gains (dynamic programming, row by row)."""
    rows, columns = gains.shape
    best = np.zeros((rows + 1, columns + 1), dtype=np.float32)
    for row in range(rows):
        here = best[row].copy()
        np.maximum(here[1:], best[row, :-1] + gains[row], out=here[1:])
        best[row + 1] = np.maximum.accumulate(here)
    partners = np.full(rows, -1, dtype=np.intp)
    row, column = rows, columns
    while row and column:
        if best[row, column] == best[row - 1, column]:
            row -= 1
        elif best[row, column] == best[row, column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            partners[row] = column
    return partners


def _path_closeness(partners: Partners, shape: tuple[int, ...]) -> Matrix:
    """1 for two rules on the path through both texts, decaying to 0 beside it."""
    matched_rows = np.flatnonzero(partners >= 0)
    if not len(matched_rows):
        return np.zeros(shape, dtype=np.float32)
    path = np.interp(np.arange(shape[0]), matched_rows, partners[matched_rows])
    distance = np.abs(np.arange(shape[1])[None, :] - path[:, None]) / _PATH_REACH
    return np.exp(-distance).astype(np.float32)


def _context_bonus(partners: Partners, old: Sequence[AlignmentUnit], new: Sequence[AlignmentUnit]) -> Matrix:
    """The bonus for partners among the neighbours of two rules and among the headings above them."""
    rows, columns = len(old), len(new)
    bonus = np.zeros((rows, columns), dtype=np.float32)
    for row, column in ((int(row), int(partners[row])) for row in np.flatnonzero(partners >= 0)):
        for step in (-1, 1):
            if 0 <= row + step < rows and 0 <= column + step < columns:
                bonus[row + step, column + step] += _NEIGHBOUR_BONUS
    old_places, new_places = ({unit.locator: place for place, unit in enumerate(side)} for side in (old, new))
    children: dict[int, list[int]] = {}
    for place, unit in enumerate(new):
        children.setdefault(new_places.get(unit.parent or "", -1), []).append(place)
    for place, unit in enumerate(old):
        parent = old_places.get(unit.parent or "", -1)
        if parent >= 0 and partners[parent] >= 0:
            bonus[place, children.get(int(partners[parent]), [])] += _PARENT_BONUS
    return bonus


def _best_assignment(similarities: Matrix, scores: Matrix, closeness: Matrix) -> Partners:
    """At most one partner for each rule, chosen so that the sum of the scores is maximal."""
    from scipy.optimize import linear_sum_assignment  # takes half a second to import

    gains = np.where(similarities >= np.where(closeness >= _NEAR_PATH, _MIN_ON_PATH, _MIN_OFF_PATH), scores - MIN_SCORE, 0)
    rows, columns = linear_sum_assignment(gains, maximize=True)
    partners = np.full(similarities.shape[0], -1, dtype=np.intp)
    positive = gains[rows, columns] > 0
    partners[rows[positive]] = columns[positive]
    return partners
