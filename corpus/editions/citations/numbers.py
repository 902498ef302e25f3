"""Finds the numbers in a text that cite rules: single numbers, lists and ranges."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache, lru_cache

from corpus.catalogue import PENALTIES, TOURNAMENT, Grammar
from corpus.editions.citations.context import CitedNumber, GameMention, Games, Names
from corpus.editions.citations.phrases import alternation, citation_words, compile_pattern, phrase_list, phrase_pattern
from corpus.model import Span
from corpus.reference import fold_number

_NUMBER_FORM = (
    r"\d{1,4}(?:[.%(inner)s]\d{1,4}){0,7}(?:\.?[a-z]{1,2}(?![A-Za-z])|[A-Z](?![A-Za-z0-9'’])|\([a-z]\))?"
    r"(?:[.%(last)s]\d{1,4}(?:\.?[a-z](?![a-z]))?){0,3}(?:~\d{1,2}(?:\.\d{1,2}){0,3}(?![\d.]*[\da-z]|[%(inner)s]\d))?"
)
NUMBER_TOKEN = re.compile(_NUMBER_FORM % {"inner": r"\-\u2010\u2011", "last": r"\-"})
"""Digits and the characters of rule numbers; a hyphen may also belong to a range."""
_DASHES = r"\-\u2010-\u2015\u2212\uff0d"
DASH = re.compile(f"[{_DASHES}]")
"""A hyphen, a dash or a minus sign, as printed in numbers."""
_LONG_DASH = re.compile(r"[\u2012-\u2015\u2212]")
_DASHED_TOKEN = re.compile(_NUMBER_FORM % {"inner": _DASHES, "last": _DASHES})
"""The same as NUMBER_TOKEN with any dash; a dash joins a number or a range."""
_MIN_DASHED = 3
"""Number of components from which a number with long dashes, which no book has, is still a number and no range."""
_MIN_PLAIN = 2
"""Number of components of scores, quantities and versions."""
_FORM_PART = re.compile(r"999|900|9|a|[.\-]")
_FORM_CLASSES = {"999": r"\d{3,4}", "900": r"\d{1,2}00", "9": r"\d{1,3}", "a": "[a-z]{1,2}"}
_COMPONENTS = re.compile(r"\d+|[a-z]+")


def item_at(match: re.Match[str]) -> CitedNumber:
    """The number in a match of TOKEN."""
    return CitedNumber(match.start(), match.end(), fold_number(match[0].replace("(", "").replace(")", "")))


def _dashed_item(match: re.Match[str], is_number: "Reads") -> CitedNumber | None:
    """The number in a match of _DASHED_TOKEN, with one kind of dash; None if it does not fit a numbering as a whole."""
    number = fold_number(DASH.sub("-", match[0]))
    is_whole = "-" in number and len(set(DASH.findall(match[0]))) == 1 and is_number(number)
    return CitedNumber(match.start(), match.end(), number) if is_whole else None


def _number_at(text: str, start: int, is_number: "Reads", like: str) -> CitedNumber | None:
    """The number at a position; one with long dashes only if it has as many components as another number."""
    match = _DASHED_TOKEN.match(text, start)
    whole = match and _LONG_DASH.search(match[0]) and _dashed_item(match, is_number)
    if whole and len(number_components(whole.number)) == len(number_components(like)):
        return whole
    plain = NUMBER_TOKEN.match(text, start)
    return item_at(plain) if plain else None


def fits_numbering(number: str, grammars: Iterable[Grammar]) -> bool:
    """Whether a number fits one of the numberings."""
    plain = number.partition("~")[0]
    return any(_numbering_pattern(grammar).fullmatch(plain) for grammar in grammars)


@cache
def _numbering_pattern(grammar: Grammar) -> re.Pattern[str]:
    formats = [number_format for level in grammar.levels for number_format in level.formats]
    return re.compile(
        "|".join(_FORM_PART.sub(lambda part: _FORM_CLASSES.get(part[0]) or re.escape(part[0]), shape) for shape in formats)
        or r"(?!)"
    )


@lru_cache(maxsize=1 << 12)
def number_components(number: str) -> tuple[str, ...]:
    """The components of a number: `702.19b` → `702`, `19`, `b`."""
    return tuple(_COMPONENTS.findall(number.partition("~")[0]))


def is_distinctive(number: str) -> bool:
    """Whether a number is almost certainly a rule's: three digits, more and a letter; or at least four components."""
    pieces = number_components(number)
    has_letters = len(pieces) > 2 and len(pieces[0]) > 2 and any(part.isalpha() for part in pieces)
    return has_letters or len(pieces) > 3 or "~" in number


def is_decimal(number: str) -> bool:
    """Whether it is a number like 603.3, which is rarely a measurement."""
    pieces = number_components(number)
    return len(pieces) == 2 and len(pieces[0]) > 2 and "." in number


def is_date(number: str) -> bool:
    """Whether it is a date with a year: 2022-06-10, 10.6.2022."""
    pieces = number_components(number)
    return len(pieces) == 3 and any(len(part) == 4 and part[:2] in ("19", "20") for part in (pieces[0], pieces[2]))


def successor(last: str, suffix: str) -> str | None:
    """The number that `c` abbreviates after 603.3b (603.3c), or `5` after 603.3 (603.5); None if it is no continuation."""
    pieces = number_components(last)
    if not pieces or suffix.isalpha() != pieces[-1].isalpha() or suffix.isdigit() != pieces[-1].isdigit():
        return None
    if (len(suffix), suffix) <= (len(pieces[-1]), pieces[-1]) or len(pieces) < 2:
        return None
    return last[: -len(pieces[-1])] + suffix


_WINDOW = 40
"""Number of characters before a number that are examined."""


class Cue(IntEnum):
    """How strongly the words before a number indicate a rule."""

    OTHER = -1  # another document's
    NONE = 0
    LIKELY = 1
    SURE = 2
    BOOK = 3


_LINE_START = re.compile(r"(?:^|\n)[ \t>*_#`•・\-]{0,7}$")
_HEADING_AFTER = re.compile(r"[.．]?[*_`]{0,3}[ \t]{1,2}[\"“‘「『(\[*_]{0,3}(?:[A-Z]|[^\W\d_A-Za-z])|[.．](?=[^\W\d_A-Za-z])")
_CUE_PATTERNS = [
    (cue, compile_pattern(rf"(?<![A-Za-z]){alternation(*phrase_list('lead', name))}$"))
    for cue, name in ((Cue.OTHER, "other"), (Cue.BOOK, "book"), (Cue.SURE, "sure"), (Cue.LIKELY, "likely"))
]
_GLUE_AFTER = compile_pattern(rf"(?:{phrase_pattern('behind', 'glue')}){{0,8}}+$")


def cue_end(text: str, start: int) -> int:
    """The end of the words before a number, without conjunctions and punctuation."""
    window = text[max(0, start - 10) : start]
    glue = _GLUE_AFTER.search(window)
    return start - len(window) + (glue.start() if glue else len(window))


def _words_before(text: str, start: int) -> str:
    end = cue_end(text, start)
    return text[max(0, end - _WINDOW) : end]


_ANY_BOOK = compile_pattern(rf"(?<![A-Za-z]){alternation(*phrase_list('lead', 'any'))}$")
_DOCUMENTS = tuple(
    (kind, compile_pattern(rf"(?<![A-Za-z]){alternation(*phrase_list('document', kind))}$")) for kind in (TOURNAMENT, PENALTIES)
)


def document_before(text: str, start: int) -> tuple[str, str]:
    """The kind of tournament document that the words before a number name, and these words; empty for none."""
    words = _words_before(text, start)
    return next(((kind, match[0]) for kind, pattern in _DOCUMENTS if (match := pattern.search(words))), ("", ""))


def cue_before(text: str, start: int) -> Cue:
    """The evidence in the words before a number."""
    words = _words_before(text, start)
    cue = next((cue for cue, pattern in _CUE_PATTERNS if pattern.search(words)), Cue.NONE)
    return Cue.SURE if text[start - 1 : start] == "第" and cue is not Cue.OTHER else cue


_RULE_WORD_AFTER = compile_pattern(alternation(*phrase_list("behind", "rule")))
_OF_OTHER_RULES = compile_pattern(alternation(*phrase_list("behind", "other")))
_QUANTITY_AFTER = compile_pattern(
    rf"(?:{alternation(*phrase_list('behind', 'quantity'))}|\s?{alternation(*map(re.escape, citation_words('unit')))}(?![A-Za-z]))"
)
_MONEY_BEFORE = compile_pattern(rf"(?:{phrase_pattern('behind', 'money')})$")
_CLOCK_BEFORE = compile_pattern(rf"(?:{phrase_pattern('behind', 'clock')})$")
_SPOKEN_AFTER = compile_pattern(alternation(*phrase_list("behind", "spoken")))
_CITED_AFTER = compile_pattern(alternation(*phrase_list("behind", "cited")))


def number_end(text: str, end: int) -> int:
    """The end of a number including a following word for a rule, as in 704.5a条."""
    rule = _RULE_WORD_AFTER.match(text, end)
    return rule.end() if rule else end


def is_followed_by_unit(text: str, start: int, end: int) -> bool:
    """Whether a unit or currency makes a number a quantity."""
    before = text[max(0, start - 5) : start]
    clock = text[end - 1 : end].isdigit() and _CLOCK_BEFORE.search(before)
    return bool(_QUANTITY_AFTER.match(text, end) or _MONEY_BEFORE.search(before) or clock)


def is_in_rule_position(text: str, start: int, end: int) -> bool:
    """Whether a bare number is in a position typical of rules: alone in brackets, at the start of a line, or before `says`."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    if (before, behind) in (("(", ")"), ("[", "]"), ("（", "）"), ("【", "】"), ("*", "*"), ("`", "`")):
        return True
    return bool(
        _SPOKEN_AFTER.match(text, end) or (_LINE_START.search(text[max(0, start - 8) : start]) and _HEADING_AFTER.match(text, end))
    )


Reads = Callable[[str], bool]
_SUFFIX = re.compile(r"\([a-z]\)|[a-z]{1,2}(?![A-Za-z0-9])|[A-Z](?![A-Za-z0-9'’])|\d{1,3}(?![\d.\-]\d|\d|[A-Za-z])")
_DETACHED_LETTER = re.compile(r"[ \u00a0]{1,2}(?:\([a-z]\)|[a-z](?![A-Za-z0-9'’]|\.[A-Za-z]))")
"""The letter of a number behind a blank: 702.19 b, 702.19 (b)."""
_CONTINUES = re.compile(r"[ \u00a0]{1,2}[a-z]{2,}")
_MAX_LIST_LENGTH = 60
"""Maximum number of members of one list."""
_LIST_JOINT = compile_pattern(
    rf"[*_`]{{0,2}}\s{{0,2}}(?:[,;、]\s{{0,2}})?"
    rf"{alternation(*citation_words('join'), *phrase_list('list', 'join'))}(?:(?<![A-Za-z])|(?![A-Za-z]))\s{{0,2}}"
    rf"(?:{alternation(*phrase_list('lead', 'sure'), *citation_words('cue'))}\s{{0,2}})?(?:第)?[*_`]{{0,2}}"
)
RANGE_WORDS = alternation(*citation_words("range"), *phrase_list("list", "range"))
"""The pattern of the words and dashes between the ends of a range."""
_RANGE_JOINT = compile_pattern(rf"\.?\s?{RANGE_WORDS}\s?(?:第)?(?=[\da-z(])")


def expand_list(text: str, first: CitedNumber, is_number: Reads, is_known: Reads) -> list[CitedNumber]:
    """A citation with the other members of its list or range.

    `is_number`: whether a number fits a numbering; `is_known`: whether a book contains it.
    """
    items = [_expand_range(text, first, is_number)]
    while len(items) < _MAX_LIST_LENGTH:
        joint = _LIST_JOINT.match(text, number_end(text, items[-1].end))
        member = joint and _next_member(text, joint.end(), items[-1], is_number, is_known)
        if not member:
            break
        items.append(_expand_range(text, member, is_number))
    return items


def split_range(item: CitedNumber, is_number: Reads) -> CitedNumber:
    """A string that fits no numbering but consists of two numbers joined by a hyphen: 603.3-603.5, 400-402."""
    if is_number(item.number) or "-" not in item.number:
        return item
    head, _, tail = item.number.rpartition("-")
    while head and not is_number(head):
        head, _, more = head.rpartition("-")
        tail = f"{more}-{tail}"
    through = tail if is_number(tail) and len(number_components(tail)) == len(number_components(head)) else successor(head, tail)
    return CitedNumber(item.start, item.end, head, through) if head and through else item


def _range_of_tilde(item: CitedNumber, is_number: Reads) -> CitedNumber:
    """1.2.1～1.2.3 as a range: the address of an unnumbered item has the same form, but no book has this one."""
    head, tilde, tail = item.number.partition("~")
    ends = [[int(part) for part in number_components(end) if part.isdigit()] for end in (head, tail)]
    is_range = tilde and is_number(head) and is_number(tail) and len(ends[0]) == len(ends[1]) > 1 and ends[0] < ends[1]
    return CitedNumber(item.start, item.end, head, tail) if is_range else item


def _expand_range(text: str, item: CitedNumber, is_number: Reads) -> CitedNumber:
    """The second end of `400.7a–d`, `400.7a–400.7d` or `509.1b至c`."""
    dash = None if item.through else _RANGE_JOINT.match(text, number_end(text, item.end))
    if not dash:
        return item
    whole = _number_at(text, dash.end(), is_number, item.number)
    through = whole.number if whole else None
    if whole and through and is_number(through) and len(number_components(through)) == len(number_components(item.number)):
        return CitedNumber(item.start, whole.end, item.number, through)
    suffix = _SUFFIX.match(text, dash.end())
    through = successor(item.number, _plain(suffix[0])) if suffix else None
    if not suffix or not through or _is_word(text, item, suffix) or is_followed_by_unit(text, item.start, suffix.end()):
        return item
    return CitedNumber(item.start, suffix.end(), item.number, through)


def _next_member(text: str, start: int, last: CitedNumber, is_number: Reads, is_known: Reads) -> CitedNumber | None:
    """The next member of a list: a number of the same form, or only a different letter."""
    whole = _number_at(text, start, is_number, last.number)
    if whole:
        item = split_range(whole, is_number)
        plain = item.number.isdigit()
        alike = plain == last.number.isdigit() and is_number(item.number) and (not plain or is_known(item.number))
        is_quantity = not is_distinctive(item.number) and is_followed_by_unit(text, item.start, item.end)
        return item if alike and not is_quantity else None
    suffix = _SUFFIX.match(text, start)
    letter = _plain(suffix[0]) if suffix else ""
    number = successor(last.through or last.number, letter) if letter.isalpha() else None
    if not suffix or not number or _is_word(text, last, suffix):
        return None
    return CitedNumber(start, suffix.end(), number)


def _plain(suffix: str) -> str:
    """A suffix without its brackets, in lower case."""
    return suffix.strip("() \u00a0").lower()


def _is_article(text: str, suffix: re.Match[str]) -> bool:
    """Whether a letter is a word: `a` before another word."""
    return suffix[0].strip().lower() in ("a", "i") and bool(_CONTINUES.match(text, suffix.end()))


def _is_word(text: str, before: CitedNumber, suffix: re.Match[str]) -> bool:
    """Whether a letter of a list or range is a word: an article, or a capital after a number with a small letter (100.1b and X)."""
    return _is_article(text, suffix) or (suffix[0].isupper() and not text[before.end - 1].isupper())


_NOT_AFTER_NUMBER = re.compile(r"[A-Za-z0-9_\\]|[0-9][.,\-]|(?<![A-Za-z0-9])[.\-]")
_RULEBOOK_ABBREVIATION = re.compile(r"(?<![A-Za-z])(?:CR|R)$", re.I)
FindHolders = Callable[[Iterable[str]], Mapping[str, frozenset[str]]]
"""Numbers → those that exist in books, with the games of these books."""


@dataclass(frozen=True, slots=True)
class Numbering:
    """The facts about the loaded books that are needed to find citations: numberings, names and contents of each game."""

    grammars: Mapping[str, tuple[Grammar, ...]]
    names: Names
    find_holders: FindHolders
    with_articles: frozenset[str] = frozenset()  # games that have a book of articles: 第3条


class Chains:
    """The numbers of a text that are citations, list by list."""

    def __init__(self, text: str, numbering: Numbering, games: Games, address_spans: Iterable[Span], game: str | None) -> None:
        """`address_spans` are the spans of addresses, `game` is the default game.

        `holders` maps numbers in the text to the games that have them.
        """
        self._text, self._games, self._game = text, games, game
        self._grammars = [grammar for grammars in numbering.grammars.values() for grammar in grammars]
        self._by_game = numbering.grammars
        taken_spans = list(address_spans)
        dashed_numbers = list(self._dashed_numbers(numbering.find_holders, _FreeSpans(taken_spans)))
        free = _FreeSpans([*taken_spans, *(Span(item.start, item.end) for item in dashed_numbers)])
        plain_numbers = [
            split_range(item_at(token), self._is_number)
            for token in NUMBER_TOKEN.finditer(text)
            if free.is_free(token.start()) and self._may_begin(token.start())
        ]
        self._items = sorted([*plain_numbers, *dashed_numbers], key=lambda item: item.start)
        with_letter = {item: longer for item in self._items if (longer := self._with_letter(item))}
        numbers = {name for item in (*self._items, *with_letter.values()) for name in (item.number, item.number.partition("~")[0])}
        self.holders = numbering.find_holders(
            {name for number in numbers for name in (number, _without_dot(number), *_parent_group(number))}
        )
        self._items = [item if item.number in self.holders else _range_of_tilde(item, self._is_number) for item in self._items]
        self._items = [long if (long := with_letter.get(item)) and long.number in self.holders else item for item in self._items]
        self._items = [  # 702.19b where a text has 702.19.b
            replace(item, number=plain)
            if item.number not in self.holders and (plain := _without_dot(item.number)) in self.holders
            else item
            for item in self._items
        ]

    def chains(self) -> list[list[CitedNumber]]:
        """The lists of numbers; a single citation is a list of one."""
        runs: list[list[CitedNumber]] = []
        end = 0
        sure = [self._is_citation(item) for item in self._items]
        cites = any(sure)
        for item, is_sure in zip(self._items, sure, strict=True):
            if item.start >= end and (is_sure or (cites and self._has_no_cue(item))):
                runs.append(expand_list(self._text, item, self._is_number, self.holders.__contains__))
                end = runs[-1][-1].end
        return runs

    def _dashed_numbers(self, holders_of: FindHolders, free: "_FreeSpans") -> Iterator[CitedNumber]:
        """The numbers that are printed with long dashes, which otherwise join the ends of a range.

        They fit a numbering as a whole, and a book has them or they have several components.
        """
        tokens = [token for token in _DASHED_TOKEN.finditer(self._text) if _LONG_DASH.search(token[0])]
        starts = [token for token in tokens if free.is_free(token.start()) and self._may_begin(token.start())]
        whole = [item for token in starts if (item := _dashed_item(token, self._is_number))]
        holders = holders_of({item.number for item in whole}) if whole else {}
        return (item for item in whole if item.number in holders or len(number_components(item.number)) >= _MIN_DASHED)

    def _with_letter(self, item: CitedNumber) -> CitedNumber | None:
        """A number with the letter that stands behind a blank: 702.19 b; None if there is none."""
        letter = _DETACHED_LETTER.match(self._text, item.end) if item.number[-1:].isdigit() and not item.through else None
        if letter is None or _is_article(self._text, letter):
            return None
        return CitedNumber(item.start, letter.end(), item.number + _plain(letter[0]))

    def _may_begin(self, start: int) -> bool:
        """Whether a number can start here, not inside a word or a longer number."""
        before = self._text[max(0, start - 2) : start]
        if before.endswith("_") and not before[:-1].isalnum():
            return True  # emphasis
        if not before or not _NOT_AFTER_NUMBER.search(before[-1]):
            return not before or before[-1] not in ".,-" or not before[:-1].isdigit()
        return bool(_RULEBOOK_ABBREVIATION.search(self._text[max(0, start - 3) : start]))

    def _is_number(self, number: str) -> bool:
        return fits_numbering(number, self._grammars)

    def _is_citation(self, item: CitedNumber) -> bool:
        text, number = self._text, item.number
        if is_date(number):
            return False
        if document_before(text, item.start)[0]:
            return not number.isdigit()
        if _OF_OTHER_RULES.match(text, item.end):
            return False
        cue, is_quantity = cue_before(text, item.start), is_followed_by_unit(text, item.start, item.end)
        if cue is Cue.OTHER or (is_quantity and not (cue >= Cue.SURE and is_distinctive(number))):
            return False
        neighbours = self._games.games_next_to(item)
        if cue >= Cue.SURE:
            return self._is_sure(item, cue, neighbours)
        if neighbours and neighbours[-1].game:
            return self._fits_game(item, neighbours[-1].game)
        if cue is Cue.LIKELY:
            return self._is_likely(number)
        return self._stands_alone(item)

    def _has_no_cue(self, item: CitedNumber) -> bool:
        """Whether a number without context is a citation in a text that has others: a book has it, or could have it."""
        text, number = self._text, item.number
        if is_date(number) or is_followed_by_unit(text, item.start, item.end) or cue_before(text, item.start) is Cue.OTHER:
            return False
        if number in self.holders:
            return is_distinctive(number) or is_decimal(number)
        return is_distinctive(number) and self._may_exist(number)

    def _is_sure(self, item: CitedNumber, cue: Cue, game_mentions: list[GameMention]) -> bool:
        """After `rule`: any number with several components; a plain number needs three digits or a named book that has it.

        Every book has a § 3.4: it needs a game that is named anywhere in the text.
        """
        number = item.number
        if not number.isdigit():
            is_common = not (is_distinctive(number) or is_decimal(number) or self._game or self._games.games_around(item, 2))
            return not (is_common and _ANY_BOOK.search(_words_before(self._text, item.start)))
        if len(number) > 2:
            return self._is_number(number) or bool(game_mentions)
        is_plain = self._text[item.start - 1 : item.start] != "第" or number_end(self._text, item.end) > item.end
        return number in self.holders and (cue is Cue.BOOK or bool(game_mentions)) and is_plain

    def _fits_game(self, item: CitedNumber, game: str) -> bool:
        """After a game's name: any number in the form of its rules; a plain number must exist."""
        number = item.number
        there = game in self.holders.get(number, ())
        if number.isdigit():
            return there and len(number) > 2
        is_typical = len(number_components(number)) != 2 or is_decimal(number)
        return there or (is_typical and fits_numbering(number, self._by_game.get(game, ())))

    def _is_likely(self, number: str) -> bool:
        if number.isdigit():
            return len(number) > 2 and number in self.holders
        return number in self.holders or ((is_distinctive(number) or is_decimal(number)) and self._is_number(number))

    def _may_exist(self, number: str) -> bool:
        """Whether a book could have a number: it has the surrounding numbers, and its numbering allows the form."""
        games = {game for name in _parent_group(number) for game in self.holders.get(name, ())}
        return any(fits_numbering(number, self._by_game.get(game, ())) for game in games)

    def _stands_alone(self, item: CitedNumber) -> bool:
        """Without such a word before it: a number in the form of a rule that exists, or whose unlettered rule exists."""
        number = item.number
        if self._text[item.end : item.end + 1] in ("条", "條"):
            return not number.isdigit() and self._is_number(number)
        if is_distinctive(number):
            return number in self.holders or self._may_exist(number)
        if number.isdigit():
            return False
        is_decimal_rule, is_of_game = is_decimal(number) and number in self.holders, self._is_of_game(number, item)
        if is_of_game and _CITED_AFTER.match(self._text, item.end):
            return True
        is_long = len(number_components(number)) > _MIN_PLAIN  # any list may have a number like 2.1
        if is_of_game and (is_long or is_decimal_rule) and self._begins_range(item):
            return True
        return (is_decimal_rule or (is_long and is_of_game)) and is_in_rule_position(self._text, item.start, item.end)

    def _is_of_game(self, number: str, item: CitedNumber) -> bool:
        """Whether a rule of the game that is meant at an item has a number."""
        games = (self._game,) if self._game else self._games.games_around(item, 2)
        return not self.holders.get(number, frozenset()).isdisjoint(games)

    def _begins_range(self, item: CitedNumber) -> bool:
        """Whether a number is joined to another rule of the same game by words for a range: 603.3から603.5."""
        item = _expand_range(self._text, item, self._is_number)
        is_quantity = is_followed_by_unit(self._text, item.start, item.end)
        return item.through is not None and not is_quantity and self._is_of_game(item.through, item)


class _FreeSpans:
    """The spans of a text outside addresses; queried from left to right."""

    def __init__(self, address_spans: Iterable[Span]) -> None:
        self._spans = sorted(address_spans, reverse=True)
        self._end = 0

    def is_free(self, place: int) -> bool:
        """Whether a position is outside the spans."""
        while self._spans and self._spans[-1].start <= place:
            self._end = max(self._end, self._spans.pop().end)
        return place >= self._end


def _without_dot(number: str) -> str:
    """A number without the dot before its letter."""
    return re.sub(r"\.(?=[a-z]{1,2}$)", "", number)


def _parent_group(number: str) -> tuple[str, ...]:
    """The parent number of a lettered number, and its first children: 702.19, 702.19a and 702.19b for 702.19f."""
    parent = re.sub(r"[.\-]?(?:[a-z]{1,2}|(?<=[.\-])\d+)$", "", number)
    return (parent, f"{parent}a", f"{parent}b") if number[-1:].isalpha() else (parent,)
