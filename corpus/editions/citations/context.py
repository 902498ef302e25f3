"""Citations as printed in a text, and their context: sentences, paragraphs, names of games and dates of editions."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from corpus.catalogue import catalogue
from corpus.editions.citations.phrases import alternation, citation_words, compile_pattern, phrase_list, phrase_pattern
from corpus.model import Span
from corpus.reference import names_of
from corpus.words.sentences import PROSE_END, sentence_ends
from corpus.words.text import to_half_width


@dataclass(frozen=True, slots=True)
class CitedNumber:
    """A rule's number in a text; `through` is the last number of a range."""

    start: int
    end: int
    number: str
    through: str | None = None


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words between quotation marks, in a block quote or after `says:`: `span` with its marks, `start` and `end` of the words."""

    span: Span
    start: int
    end: int
    marks: str = ""  # the enclosing ones; ">" for a block quote, "" for none, " " if only a space precedes the words


@dataclass(frozen=True, slots=True)
class CitationMention:
    """A citation: its span, the cited number, and the game, book, edition and quoted words in the text.

    `games` are the possible games, empty if the text names none; `elsewhere` is an unknown game.
    """

    item: CitedNumber
    games: tuple[str, ...] = ()
    elsewhere: str = ""
    book: str | None = None
    document: str = ""  # tournament or penalties, if the text names such a document
    edition: str | None = None  # written as an address
    when: str | None = None  # an ISO date, complete or partial


_PARAGRAPH_BREAK = re.compile(r"\n[ \t>]*\n|\n(?=[ \t]*(?:#{1,6} |[-*•・] ))")


class Segments:
    """The end offsets of the parts of a text (sentences or paragraphs)."""

    def __init__(self, ends: list[int]) -> None:
        self.places = ends

    def segment_at(self, place: int) -> int:
        """The index of the part that contains a position."""
        return bisect_right(self.places, place)

    def are_together(self, place: int, other: int) -> bool:
        """Whether two positions are in the same part."""
        return self.segment_at(place) == self.segment_at(other)


def sentences(text: str, quotations: Iterable[Span] = ()) -> Segments:
    """The sentences of a text; sentence ends inside the given spans (quotations) are ignored."""
    return Segments(sentence_ends(PROSE_END, text, quotations))


def paragraphs(text: str) -> Segments:
    """The paragraphs of a text: separated by empty lines, headings and bullets."""
    return Segments([match.end() for match in _PARAGRAPH_BREAK.finditer(text)])


_WINDOW_LENGTH = 70
_YEAR = re.compile(r"(?:19|20)\d\d")
"""A quick test for dates: most texts have none."""
_NUMERIC = re.compile(
    r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?|(\d{4})\s?年(?:\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?日)?)?"
    r"|(\d{4})(\d{2})(\d{2})|(\d{4})"
)


class DateMention(NamedTuple):
    """A date in a text that identifies an edition."""

    start: int
    end: int
    when: str


@cache
def date_form() -> str:
    """The pattern of a date, whole or in part, as the group `date`."""
    month, year, day = alternation(*phrase_list("edition", "months")), r"(?:19|20)\d\d", r"\d{1,2}(?:st|nd|rd|th)?"
    forms = (
        rf"{year}-\d\d-\d\d",
        rf"{year}/\d{{1,2}}/\d{{1,2}}",
        rf"{year}\.\d{{1,2}}\.\d{{1,2}}",
        rf"{year}[-/]\d{{1,2}}",
        rf"{month}\.?\s{day},?\s{year}",
        rf"{day}\s(?:of\s)?{month}\.?,?\s{year}",
        rf"{month}\.?,?\s(?:of\s)?{year}",
        rf"{year}\s?年(?:\s?\d{{1,2}}\s?月(?:\s?\d{{1,2}}\s?日)?)?",
        rf"{year}\d{{4}}",
        year,
    )
    return rf"(?<![\d.])(?P<date>{'|'.join(forms)})(?![\d]|[.\-/]\d)"


@cache
def _patterns(kind: str, ending: str = "") -> tuple[re.Pattern[str], ...]:
    return tuple(compile_pattern(entry.replace("{date}", date_form()) + ending) for entry in phrase_list("edition", kind))


_BEFORE_DATE = _patterns("before", rf"(?>(?:{phrase_pattern('game', 'between')})*)$")


def iso_date(date: str) -> str:
    """A printed date → `2022`, `2022-06` or `2022-06-10`."""
    month = next(
        (place for place, name in enumerate(phrase_list("edition", "months"), 1) if compile_pattern(rf"\b{name}\b").search(date)),
        None,
    )
    if month:
        year = date[-4:]
        day = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", date)
        return f"{year}-{month:02}" + (f"-{int(day[1]):02}" if day else "")
    match = _NUMERIC.search(date)
    numbers = [int(number) for number in match.groups() if number] if match else []
    return "-".join(f"{number:02}" for number in numbers)


def date_after(text: str, end: int) -> DateMention | None:
    """The date directly after a citation: 613.7 (2021)."""
    match = next((hit for pattern in _patterns("behind") if (hit := pattern.match(text, end))), None)
    return DateMention(match.start(), match.end(), iso_date(match["date"])) if match else None


def date_before(text: str, start: int) -> DateMention | None:
    """The date that introduces a citation: 2022年6月版の規則701.17."""
    window = max(0, start - _WINDOW_LENGTH)
    match = next((hit for pattern in _BEFORE_DATE if (hit := pattern.search(text[window:start]))), None)
    return DateMention(window + match.start(), window + match.end(), iso_date(match["date"])) if match else None


def dates(text: str) -> Iterator[DateMention]:
    """The dates in a text that identify an edition, for every citation in their sentence."""
    if not _YEAR.search(text):
        return
    for pattern in _patterns("sentence"):
        for match in pattern.finditer(text):
            yield DateMention(match.start(), match.end(), iso_date(match["date"]))


_MAX_GAP = 60
"""Characters allowed between a game's name and the number of its rule."""


class GameMention(NamedTuple):
    """A game's name in a text; `everyday`: the name is also an ordinary word. `game` is None for an unknown game."""

    start: int
    end: int
    game: str | None
    everyday: bool


def without_spans(text: str, spans: Iterable[Span]) -> str:
    """A text of the same length with spaces in place of some spans; one that overlaps an earlier span is left."""
    pieces, end = [], 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces += [text[end:start], " " * (stop - start)]
            end = stop
    return "".join([*pieces, text[end:]])


Names = Mapping[str, Iterable[str]]
"""Game → every name of it, its slug among them."""


def games_in(text: str, names: Names) -> list[GameMention]:
    """The names of games in a text, in order: loaded games and other games of the catalogue."""
    spellings = _spellings(tuple((game, tuple(names[game])) for game in names))
    games = dict(spellings)
    everyday = frozenset(phrase_list("game", "everyday"))
    mentions: list[GameMention] = []
    for match in _name_pattern(spellings).finditer(text):
        name, game = match[0], games[match[0].lower()]
        common = name in everyday or (name == game and name not in catalogue().games)
        mentions.append(GameMention(match.start(), match.end(), game, common and name.islower() and name.isascii()))
    return mentions


@lru_cache(maxsize=8)
def _spellings(names_by_game: tuple[tuple[str, tuple[str, ...]], ...]) -> "frozenset[tuple[str, str | None]]":
    """Each spelling of a name, with its game."""
    games: dict[str, str | None] = {
        to_half_width(name).lower(): None for other in catalogue().other_games.values() for name in other.all_names
    }
    for slug in catalogue().games:
        games.update((to_half_width(name).lower(), slug) for name in names_of(slug))
    for slug, names in names_by_game:
        games.update((to_half_width(name).lower(), slug) for name in names)
    return frozenset(games.items())


@lru_cache(maxsize=8)
def _name_pattern(spellings: "frozenset[tuple[str, str | None]]") -> re.Pattern[str]:
    latin = [re.escape(name) for name, _ in spellings if name.isascii()]
    others = [re.escape(name) for name, _ in spellings if not name.isascii()]
    return compile_pattern(rf"(?<![A-Za-z0-9]){alternation(*latin)}(?![A-Za-z0-9])|{alternation(*others)}")


_BETWEEN_NAMES = compile_pattern(rf"(?>(?:{phrase_pattern('game', 'between')})*)")
_AFTER_CITATION = compile_pattern(rf"(?>(?:{phrase_pattern('game', 'behind')})*)")
_COORDINATED = compile_pattern(rf"\s{{0,2}}{alternation(*citation_words('join'), *phrase_list('list', 'join'))}\s{{0,2}}")


class Games:
    """The games that a text names, by position."""

    def __init__(self, text: str, mentions: list[GameMention], sentences: Segments, paragraphs: Segments) -> None:
        """`text` without the words about editions."""
        self._text, self._mentions = text, mentions
        self._starts = [name.start for name in mentions]
        self._scopes = (sentences, paragraphs)
        self._by_part = [self._games_by_segment(ends) for ends in self._scopes]
        self._every = tuple(dict.fromkeys(name.game for name in mentions if name.game and not name.everyday))

    def games_next_to(self, item: CitedNumber) -> list[GameMention]:
        """The name directly before or after a citation; several if they are coordinated ("Magic and Ferry")."""
        at = bisect_left(self._starts, item.start)
        before = self._mentions[at - 1] if at else None
        if before and item.start - before.end <= _MAX_GAP and _BETWEEN_NAMES.fullmatch(self._text[before.end : item.start]):
            # two different games may be coordinated, so that a number after them may belong to either
            others = [name for name in self._mentions[max(0, at - 2) : at - 1] if name.game != before.game]
            return [*(name for name in others if _COORDINATED.fullmatch(self._text[name.end : before.start])), before]
        behind = self._mentions[at] if at < len(self._mentions) else None
        if behind and behind.start >= item.end and _AFTER_CITATION.fullmatch(self._text[item.end : behind.start][:_MAX_GAP]):
            return [behind]
        return []

    def games_in_prose(self, items: Iterable[CitedNumber]) -> frozenset[str]:
        """The games that are named anywhere but beside some citations."""
        beside = {name.start for item in items for name in self.games_next_to(item)}
        return frozenset(name.game for name in self._mentions if name.game and not name.everyday and name.start not in beside)

    def game_name(self, mention: GameMention) -> str:
        """A game's name as printed."""
        return self._text[mention.start : mention.end]

    def games_around(self, item: CitedNumber, scope: int) -> tuple[str, ...]:
        """The games named in the sentence (scope 0) or paragraph (1) of a citation, or in the whole text (2)."""
        if scope == len(self._scopes):
            return self._every
        return tuple(self._by_part[scope].get(self._scopes[scope].segment_at(item.start), ()))

    def _games_by_segment(self, ends: Segments) -> dict[int, dict[str, None]]:
        """Part of the text → the games that it names, in its order."""
        parts: dict[int, dict[str, None]] = {}
        for name in self._mentions:
            if name.game and not name.everyday:
                parts.setdefault(ends.segment_at(name.start), {})[name.game] = None
        return parts
