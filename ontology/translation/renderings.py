"""The words by which a translation renders a term: its known names, and words that recur where it has none of them.

Recurring words are a rendering if they stand almost only beside the term and no other word of the original explains them better
(competitive linking; Melamed, 2000). Names of terms that both texts have are no such words.
"""

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from corpus.words.inflection import HAN, verb_forms
from corpus.words.kana import is_hiragana
from corpus.words.tokens import Token, singular, words
from ontology.translation.drift.finding import Span
from ontology.translation.drift.pairs import MentionFinder

MIN_COUNT, MIN_SHARE = 3, 0.05
"""Number of parts in which words recur, and the share of the parts with the term, above which they are a rendering."""
_MIN_PRECISION = 0.7
"""Share of the parts with a rendering whose original has the term."""
_MIN_ASSOCIATION = 0.25
"""Minimum association (Dice) of a rendering with the parts in which the term has no known name."""
_MIN_COVER = 0.75
"""Share of the parts with some words that have another word of the original which may explain them."""
_LONGEST = 10
"""Characters or Latin words of a rendering."""
_MIN_CHARACTERS = 2
_EXCLUDED = "\x00"
_BREAK, _PART_END = "\n", "\x01"
_JOINED = re.compile(f"[をがのにはでと]([{HAN}]+)")


class Rendering(NamedTuple):
    """Words that render a term, and the numbers of the parts that have them."""

    words: str
    parts: Sequence[int]


class TranslatedPart(NamedTuple):
    """A text, its translation, and the places in the translation of names whose terms the text has."""

    source: str
    target: str
    name_spans: Sequence[Span] = ()


def translated_part(source: str, target: str, langs: tuple[str, str], mentions: MentionFinder) -> TranslatedPart:
    """A text and its translation in two languages, with the names that both have by `mentions`."""
    concepts = {concept for concept, _ in mentions(source, langs[0])}
    return TranslatedPart(source, target, [span for concept, span in mentions(target, langs[1]) if concept in concepts])


class TranslatedBook:
    """The parts of a book and their translations, numbered from 0, with indexes of their words."""

    def __init__(self, parts: Sequence[TranslatedPart]) -> None:
        self.parts = parts
        self._tokens = cache(self._target_tokens)
        self._source_words = [frozenset(token.norm for token in words(part.source, singular)) for part in parts]
        self._sources = Counter(word for some in self._source_words for word in some)
        lines = [_encode_text(self._tokens(number)) for number in range(len(parts))]
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self._text = _PART_END.join(lines)
        self._lines = [_encode_text(words(part.target, singular)) for part in parts]
        self._text_with_names = _PART_END.join(self._lines)

    def _target_tokens(self, number: int) -> list[Token]:
        """The tokens of a translation; those inside excluded names have the norm `_EXCLUDED`."""
        part = self.parts[number]
        inside = {at for start, end in part.name_spans for at in range(start, end)}
        return [token._replace(norm=_EXCLUDED) if token.start in inside else token for token in words(part.target, singular)]

    def known(self, numbers: Iterable[int], names: Sequence[str]) -> list[Rendering]:
        """The parts among some that have each name or a form of it; a part has a name only outside longer ones."""
        forms = {name: _pattern(name) for name in sorted(names, key=len, reverse=True)}
        numbers_by_name: dict[str, list[int]] = {name: [] for name in names}
        for number in numbers:
            text = self._lines[number]
            for name, form in forms.items():
                if form and form.search(text):
                    numbers_by_name[name].append(number)
                    text = form.sub(_EXCLUDED, text)
        return [Rendering(name, having) for name, having in numbers_by_name.items() if having]

    def recurring(
        self, with_term: Collection[int], lacking: Sequence[int], names: Iterable[str], known_renderings: Sequence[Rendering]
    ) -> list[Rendering]:
        """The words that recur in `lacking`, those of the parts `with_term` that have no known name of the term; the best first.

        `names` are those of the term in the original, `known_renderings` its renderings by known names.
        """
        term = {token.norm for name in names for token in words(name, singular)}
        usual = max(known_renderings, key=lambda rendering: len(rendering.parts)).words if known_renderings else ""
        renderings: list[Rendering] = []
        rest = list(lacking)
        while best := self._best_rendering(with_term, rest, term, usual):
            renderings.append(best)
            having = frozenset(best.parts)
            rest = [number for number in rest if number not in having]
        return renderings

    def _best_rendering(
        self, with_term: Collection[int], lacking: Sequence[int], term: Collection[str], usual: str
    ) -> Rendering | None:
        least = max(MIN_COUNT, MIN_SHARE * len(with_term))
        if len(lacking) < least:
            return None
        scores: list[tuple[float, int, str]] = []
        for piece, count in self._recurring_pieces(lacking, least).items():
            most = min(2 * count / _MIN_ASSOCIATION - len(lacking), len(with_term) / _MIN_PRECISION)
            having = self._parts_with(piece, most)
            if len(having) <= most and len(having.intersection(with_term)) >= _MIN_PRECISION * len(having):
                scores.append((2 * count / (len(lacking) + len(having)), len(piece), piece))
        for association, _, piece in sorted(scores, reverse=True):
            if not self._is_explained(self._parts_with(piece), association, term):
                return self._rendering(piece, with_term, lacking, usual)
        return None

    def _recurring_pieces(self, numbers: Sequence[int], least: float) -> dict[str, int]:
        """Sequences of tokens → the number of the given parts that have them.

        Of Japanese and Chinese sequences in the same parts, only the longest.
        """
        recurring: dict[str, int] = {}
        shorter: dict[str, int] | None = None
        runs = [list(_runs(self._tokens(number))) for number in numbers]
        for length in range(1, _LONGEST + 1):
            counts: Counter[str] = Counter()
            for some in runs:
                counts.update({piece for run in some for piece in _pieces(run, length, shorter)})
            frequent = {piece: count for piece, count in counts.items() if count >= least}
            for piece, count in frequent.items():
                for part in (piece[1:], piece[:-1]):
                    if recurring.get(part) == count:
                        del recurring[part]
            if not frequent:
                break
            recurring.update((piece, count) for piece, count in frequent.items() if _may_be_name(piece))
            shorter = frequent
        return recurring

    def _parts_with(self, piece: str, most: float = math.inf) -> set[int]:
        """The parts whose translations have a sequence of tokens; if they are more than `most`, only some of them."""
        having: set[int] = set()
        at = self._text.find(piece)
        while at >= 0 and len(having) <= most:
            number = bisect_right(self._starts, at) - 1
            having.add(number)
            at = self._text.find(piece, self._starts[number + 1])
        return having

    def _is_explained(self, having: Collection[int], association: float, term: Collection[str]) -> bool:
        """Whether another word of the original is as closely associated with the parts that have some words."""
        counts = Counter(word for number in having for word in self._source_words[number])
        return any(
            2 * count / (len(having) + self._sources[word]) >= association
            for word, count in counts.items()
            if count >= _MIN_COVER * len(having) and word not in term
        )

    def _rendering(self, piece: str, with_term: Collection[int], lacking: Sequence[int], usual: str) -> Rendering:
        """The rendering of a piece: without the words at its ends that stand beside the usual rendering too."""
        having = self._parts_with(piece)
        tokens, first, last = next(place for number in lacking if number in having if (place := self._place_of(number, piece)))
        first, last = self._without_neighbours(tokens, *self._extended(tokens, first, last, len(having)), usual)
        having = self._parts_with(_encode(tokens[first:last])).intersection(with_term)
        number = next(number for number in lacking if self._tokens(number) is tokens)
        start, end = tokens[first].start, tokens[last - 1].end
        return Rendering(self.parts[number].target[start:end], sorted(having))

    def _place_of(self, number: int, piece: str) -> tuple[list[Token], int, int] | None:
        """The tokens of a translation and the range of them that is a piece."""
        tokens = self._tokens(number)
        for first in range(len(tokens)):
            for last in range(first + 1, min(first + _LONGEST, len(tokens)) + 1):
                if _encode(tokens[first:last]) == piece:
                    return tokens, first, last
        return None

    def _extended(self, tokens: Sequence[Token], first: int, last: int, count: int) -> Span:
        """A range of tokens with the words around it that the same number of parts have."""
        while first and self._has_parts(tokens[first - 1 : last], count):
            first -= 1
        while last < len(tokens) and self._has_parts(tokens[first : last + 1], count):
            last += 1
        return first, last

    def _has_parts(self, tokens: Sequence[Token], count: int) -> bool:
        is_run = not any(token.opens for token in tokens[1:]) and all(token.norm != _EXCLUDED for token in tokens)
        return is_run and len(self._parts_with(_encode(tokens), count)) >= count

    def _without_neighbours(self, tokens: Sequence[Token], first: int, last: int, usual: str) -> Span:
        """A range of tokens without the longest beginning and end that the book has beside the usual rendering."""
        name = _encode(words(usual, singular))
        for at in range(last - 1, first, -1):
            if name and _encode(tokens[first:at]) + name in self._text_with_names and _may_be_name(_encode(tokens[at:last])):
                first = at
                break
        for at in range(first + 1, last):
            if name and name + _encode(tokens[at:last]) in self._text_with_names and _may_be_name(_encode(tokens[first:at])):
                last = at
                break
        return first, last


def distinct_renderings(renderings: Iterable[Rendering]) -> list[Rendering]:
    """The renderings, the most frequent first; one whose words contain another's (プレイする, プレイ) counts as that one.

    So do forms of one Japanese verb (支払う, 支払いに使用).
    """
    distinct: list[Rendering] = []
    for rendering in sorted(renderings, key=lambda each: len(each.words)):
        line = _encode_text(words(rendering.words, singular))
        within = next((number for number, other in enumerate(distinct) if _is_within(other.words, line)), None)
        if within is None:
            distinct.append(rendering)
        else:
            other = distinct[within]
            distinct[within] = other._replace(parts=sorted({*other.parts, *rendering.parts}))
    return sorted(distinct, key=lambda each: -len(each.parts))


def _is_within(name: str, line: str) -> bool:
    """Whether an encoded text has a name, a form of it, or the Han characters that a particle joins to it (を作)."""
    pattern = _pattern(name)
    particle_match = _JOINED.fullmatch(name)
    return bool((pattern and pattern.search(line)) or (particle_match and _pattern_alone(particle_match[1]).search(line)))


def _pattern(name: str) -> re.Pattern[str] | None:
    """A pattern of a name and its forms in encoded texts; None for a name without letters and digits."""
    form = _encode(words(name, singular))
    return (verb_forms(form) or re.compile(re.escape(form))) if form else None


def _pattern_alone(name: str) -> re.Pattern[str]:
    """A pattern of a name that no other Han character precedes or follows, in encoded texts."""
    return re.compile(f"(?<![{HAN}]){re.escape(_encode(words(name, singular)))}(?![{HAN}])")


def _encode(tokens: Sequence[Token]) -> str:
    """Tokens as text in which equal sequences of tokens are equal substrings."""
    return "".join(token.norm if token.cjk else f" {token.norm} " for token in tokens)


def _runs(tokens: Sequence[Token]) -> Iterator[list[str]]:
    """The encoded tokens of a text, run by run; punctuation and excluded names end a run."""
    run: list[str] = []
    for token in tokens:
        if token.opens or token.norm == _EXCLUDED:
            if run:
                yield run
            run = []
        if token.norm != _EXCLUDED:
            run.append(_encode([token]))
    if run:
        yield run


def _pieces(run: Sequence[str], length: int, shorter: Collection[str] | None) -> Iterator[str]:
    """The sequences of `length` tokens in a run, of which all but the last and all but the first are among `shorter`."""
    if shorter is None:
        yield from run
        return
    for first in range(len(run) - length + 1):
        if "".join(run[first : first + length - 1]) in shorter and "".join(run[first + 1 : first + length]) in shorter:
            yield "".join(run[first : first + length])


def _encode_text(tokens: Sequence[Token]) -> str:
    """The same for a whole text, with a break at every punctuation mark."""
    return "".join((_BREAK if token.opens else "") + _encode([token]) for token in tokens)


def _may_be_name(piece: str) -> bool:
    """Whether a piece is long enough for a name, and not hiragana alone, which are endings and particles."""
    return piece.startswith(" ") or (len(piece) >= _MIN_CHARACTERS and not is_hiragana(piece))
