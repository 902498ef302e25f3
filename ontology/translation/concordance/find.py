"""Every place of some loaded books where a pattern stands: the lines of a concordance, and how often what stands where."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

from corpus.address import EditionKey
from corpus.age import newest_first
from corpus.catalogue import catalogue
from corpus.model import Span
from corpus.words.text import narrow
from ontology.knowledge import Knowledge
from ontology.translation.bitext.passages import Passage, passages
from ontology.translation.concordance.pattern import Pattern, Words, bare


@dataclass(frozen=True, slots=True)
class Where:
    """What is looked through; empty is everything, but of editions the current ones."""

    games: tuple[str, ...] = ()
    book: str = ""  # slug
    edition: str = ""  # slug; `all` for all of them
    parts: tuple[str, ...] = ()
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A passage in one of its languages."""

    passage: Passage
    lang: str

    @property
    def words(self) -> str:
        """Its words."""
        return self.passage.words[self.lang]


@dataclass(frozen=True, slots=True)
class Found:
    """A place in a line, in code points."""

    line: Line
    span: Span


ALL = "all"
_SEPARATOR, _LINE = "\x00", "\n"
"""Stand between two lines where they are looked through at once: no words fit the one, no expression the other."""


class Lines:
    """The lines of an edition in one language as one text, in which everything is found at once."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.texts = [bare(line.words) for line in lines]
        self._text = _SEPARATOR.join(self.texts)
        self._cased = _LINE.join(narrow(line.words).replace(_LINE, " ") for line in lines)
        self._starts = list(accumulate((len(text) + 1 for text in self.texts), initial=0))

    def find(self, pattern: Pattern) -> Iterator["Hit"]:
        """Every place of a pattern. Raises what the pattern raises."""
        starts, number, first, end_of_line = self._starts, -1, 0, 0
        for start, end in pattern.find(self._text if isinstance(pattern, Words) else self._cased):
            if start >= end_of_line:
                number = bisect_right(starts, start, lo=number + 1) - 1
                first, end_of_line = starts[number], starts[number + 1]
            yield self, number, start - first, end - first


Hit = tuple[Lines, int, int, int]
"""Lines, the number of one of them, and where in it."""


class Places:
    """Where a pattern stands, game by game, the newest edition first, in the order of the book."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._hits = hits

    def __len__(self) -> int:
        return len(self._hits)

    def page(self, offset: int, limit: int) -> list[Found]:
        """Some of them."""
        return [Found(lines.lines[number], Span(start, end)) for lines, number, start, end in self._hits[offset : offset + limit]]

    def rules(self) -> int:
        """How many rules they stand in."""
        return len({lines.lines[number].passage.rule for lines, number in {hit[:2] for hit in self._hits}})

    def forms(self) -> Counter[str]:
        """How often each form stands there, in lower case and one form of each character."""
        return Counter(lines.texts[number][start:end] for lines, number, start, end in self._hits)

    def places(self) -> Counter[tuple[EditionKey, str, str]]:
        """How many there are in each edition, language and part."""
        counted: Counter[tuple[EditionKey, str, str]] = Counter()
        for (lines, number), count in Counter(hit[:2] for hit in self._hits).items():
            line = lines.lines[number]
            counted[line.passage.key, line.lang, line.passage.part] += count
        return counted


def find(knowledge: Knowledge, pattern: Pattern, where: Where) -> Places:
    """Every place of a pattern in what is looked through. Raises what the pattern raises."""
    hits = (hit for lines in _lines(knowledge, where) for hit in lines.find(pattern))
    return Places([hit for hit in hits if _is_wanted(hit[0].lines[hit[1]], where)])


def _lines(knowledge: Knowledge, where: Where) -> Iterator[Lines]:
    for key in sorted(_editions(knowledge, where), key=_rank):
        for lang in knowledge.manifest.editions[key].languages:
            if where.lang in ("", lang):
                lines: Lines = knowledge.once(("lines", key, lang), partial(_of_edition, knowledge, key, lang))
                yield lines


def _editions(knowledge: Knowledge, where: Where) -> Iterator[EditionKey]:
    for key in knowledge.manifest.editions:
        there = (not where.games or key.game in where.games) and where.book in ("", key.book)
        if there and where.edition in ("", ALL, key.edition) and (where.edition or knowledge.currency.has_current(key)):
            yield key


def _of_edition(knowledge: Knowledge, key: EditionKey, lang: str) -> Lines:
    return Lines([Line(passage, lang) for passage in passages(knowledge, key) if lang in passage.words])


def _is_wanted(line: Line, where: Where) -> bool:
    return (not where.parts or line.passage.part in where.parts) and (bool(where.edition) or line.passage.current)


def _rank(key: EditionKey) -> tuple[Any, ...]:
    games = list(catalogue().games)
    return games.index(key.game) if key.game in games else len(games), key.game, key.book, *newest_first(key)
