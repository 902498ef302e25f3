"""Compares quoted words with the words of a rule: their position, or the nearest words."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from corpus.editions.citations.phrases import compile_pattern, phrase_pattern
from corpus.editions.verify.brackets import EDGE_PUNCTUATION, NEGATIONS, IsTerm, Place, Standing, agrees, standing
from corpus.words.sentences import QUOTED_END, sentence_ends
from corpus.words.text import CJK, to_half_width
from corpus.words.tokens import is_traditional, to_simplified

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_DROPPED_CHARACTERS = frozenset('"“”„‟″‘‚‛′`´「」『』﹁﹂﹃﹄«»〝〟〞*_[]［］\\\u00ad\u200b\u200c\u200d\u2060\ufeff')
_APOSTROPHE = frozenset("'’")
_DASH = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
_LETTER = re.compile(r"[A-Za-zÀ-ɏ]")
_VOICING_MARKS = frozenset("\u3099\u309a\uff9e\uff9f")


class NormalisedText:
    """The characters of a text that count in a comparison; `simple`: with traditional Chinese simplified.

    Their source positions are computed on first use, because few texts contain the words.
    """

    def __init__(self, source: str, *, simple: bool = False) -> None:
        self.source, self.simple = source, simple
        self._places: tuple[int, ...] | None = None
        if _VOICING.search(source):
            self.text = "".join(plain for plain, _ in _normalised_characters(source))
        else:
            self.text = _DASHES.sub("-", _OUTER_APOSTROPHE.sub("", source).translate(_TABLE))
        if simple:
            self.text = to_simplified(self.text)

    @cached_property
    def bracketed(self) -> frozenset[str]:
        """The words that the source prints in square brackets, normalised."""
        return frozenset(NormalisedText(inside).text for inside in _BRACKETS.findall(self.source))

    @property
    def source_positions(self) -> tuple[int, ...]:
        """The source position of each character."""
        if self._places is None:
            self._places = tuple(place for plain, place in _normalised_characters(self.source) for _ in plain)
        return self._places

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The source span of `text[start:end]`."""
        return self.source_positions[start], self.source_positions[end - 1] + 1


@lru_cache(maxsize=1 << 14)
def _normal_form(character: str) -> str:
    """A character (or one with a voicing mark) in its normalised form."""
    if character in _DASH:
        return "-"
    return "".join(unicodedata.normalize("NFKC", character).lower().split())


class _NormalisationTable(dict[int, str]):
    """Code point → its normalised form; computed on first use."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        return self.setdefault(
            code, "" if character in _DROPPED_CHARACTERS else "'" if character in _APOSTROPHE else _normal_form(character)
        )


_TABLE = _NormalisationTable()
_VOICING = re.compile("[\u3099\u309a\uff9e\uff9f]")
_DASHES = re.compile("-{2,}")
_OUTER_APOSTROPHE = re.compile(r"(?<![A-Za-zÀ-ɏ])['’]|['’](?![A-Za-zÀ-ɏ])")
"""Apostrophes that are not between two Latin letters."""


def _normalised_characters(source: str) -> Iterator[tuple[str, int]]:
    """The same, character by character, with positions."""
    before = ""
    for place, character in enumerate(source):
        if character in _DROPPED_CHARACTERS or character in _VOICING_MARKS or character.isspace():
            continue
        if character in _APOSTROPHE:
            inside = _LETTER.match(source[place - 1 : place]) and _LETTER.match(source[place + 1 : place + 2])
            plain = "'" if inside else ""
        else:
            plain = _normal_form(character + source[place + 1] if source[place + 1 : place + 2] in _VOICING_MARKS else character)
        if plain and not (plain == before == "-"):
            yield plain, place
        before = plain[-1:] or before


_WORD_CHARACTER = re.compile(r"[A-Za-z0-9À-ɏ]")
_WORD_INNER = frozenset("'’-\u2010\u2011")


def may_begin_word(source: str, place: int) -> bool:
    """Whether a Latin word or a number can start at a position."""
    return not _continues_word(source, place, -1)


def may_end_word(source: str, place: int) -> bool:
    """Whether a Latin word or a number can end before a position."""
    return not _continues_word(source, place - 1, 1)


def _continues_word(source: str, place: int, step: int) -> bool:
    own, near, far = (source[at : at + 1] if at >= 0 else "" for at in (place, place + step, place + 2 * step))
    if not _WORD_CHARACTER.match(own):
        return False
    if _WORD_CHARACTER.match(near):
        return True
    if own.isdigit() and far.isdigit() and near in (".", ","):
        return True
    return near in _WORD_INNER and far.isalpha() and own.isalpha()


_BRACKETS = re.compile(r"[\[［]([^\[\]［］\n]{0,200})[\]］]")
_TERM_MARK = re.compile(r"[\[［<＜〈《【「『]")
"""An opening mark around a term in a rule, which an editor's brackets may not replace."""
_CHANGED_INITIAL = re.compile(r"[\[［]([A-Za-zÀ-ɏ])[\]］](?=[A-Za-zÀ-ɏ])")
"""The first letter of a word, which an editor wrote as a capital or a small one."""
_HAN = re.compile(f"[{CJK}]")
_WORD = re.compile(r"[A-Za-z0-9À-ɏ]+(?:['’][A-Za-z]+)?")
_MAX_REPLACED = 120
"""Maximum number of characters that brackets can replace."""
_ELLIPSIS = compile_pattern(phrase_pattern("quotation", "ellipsis"))
_VERB = re.compile(r"[ \u00a0]([A-Za-z]{2,20})(?![A-Za-z'’\-])")
_LAST_WORD = re.compile(r"[A-Za-z]+$")
_TORN_PHRASES = (
    compile_pattern(phrase_pattern("quotation", "torn_before")),
    compile_pattern(phrase_pattern("quotation", "torn_after")),
)


def word_count(words: str) -> float:
    """The length of a quotation in words; two CJK characters count as one."""
    return len(_WORD.findall(words)) + len(_HAN.findall(words)) / 2


def _is_no_term(_: str) -> bool:
    return False


def find_quotation(
    words: str, text: NormalisedText, is_term: IsTerm = _is_no_term, least: Standing = Standing.KEPT
) -> tuple[int, int] | None:
    """The span of quoted words in a text, in source characters; None if they are not there.

    Words in an editor's brackets may replace words of the text if they stand for them at `least` so well. A term (`is_term`)
    replaces itself or a pronoun.
    """
    if not text.text:
        return None
    own_brackets = frozenset(inside for inside in _BRACKETS.findall(words) if NormalisedText(inside).text in text.bracketed)
    for pieces in _quotation_readings(words, own_brackets, simple=text.simple):
        place = _find_in_order(pieces, text, is_term, least) if pieces else None
        if place:
            return place
    return None


@dataclass(frozen=True, slots=True)
class _QuotationPiece:
    """Quoted words between brackets and ellipses, normalised, with the words in brackets directly before and behind them.

    `is_joined`: only brackets are between this piece and the one before. `verb` is a word between the brackets before and the piece
    that may agree with them in number: “[They] lose” for “That player loses”.
    """

    text: str
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    is_joined: bool = False
    verb: str = ""


@lru_cache(maxsize=256)
def _quotation_readings(words: str, own_brackets: frozenset[str], *, simple: bool) -> tuple[tuple[_QuotationPiece, ...], ...]:
    """The readings of quoted words, the strictest first.

    Words that the rule itself prints in brackets are compared; other brackets are an editor's. Cached, because some words are
    compared with many wordings.
    """
    readings, parts = [_quotation_pieces([words], simple)], _ELLIPSIS.split(words)
    if len(parts) > 1:
        readings.append(_quotation_pieces(parts, simple))
    inside = [each for each in _BRACKETS.findall(words) if each not in own_brackets]
    if inside and not any(map(NEGATIONS.search, inside)):
        own = [_BRACKETS.sub(lambda match: match[1] if match[1] in own_brackets else match[0], part) for part in parts]
        own = [_CHANGED_INITIAL.sub(r"\1", part) for part in own]
        pieces = [[_bracket_pieces(part, simple=simple, verbs=verbs) for part in own] for verbs in (False, True)]
        for of_parts in pieces:
            known = [each for each in of_parts if each is not None]
            if len(known) == len(of_parts):
                readings.append(tuple(chain.from_iterable(known)))
    return tuple(dict.fromkeys(readings))


def _quotation_pieces(parts: Sequence[str], simple: bool) -> tuple[_QuotationPiece, ...]:
    texts = [NormalisedText(part.strip(EDGE_PUNCTUATION), simple=simple).text for part in parts]
    return tuple(_QuotationPiece(text) for text in texts if text)


def _bracket_pieces(part: str, *, simple: bool, verbs: bool) -> list[_QuotationPiece] | None:
    """The pieces between the brackets of quoted words without ellipsis; with `verbs`, the first word behind a bracket is one.

    None if nothing follows such a word.
    """
    pieces: list[_QuotationPiece] = []
    brackets: list[str] = []
    for place, words in enumerate(_BRACKETS.split(part)):
        verb = _VERB.match(words) if verbs and brackets else None
        if place % 2:
            brackets.append(words)
            continue
        text = NormalisedText(words[verb.end() if verb else 0 :].strip(EDGE_PUNCTUATION), simple=simple).text
        if verb and not text:
            return None  # the verb would be compared with nothing
        if text:
            pieces.append(_QuotationPiece(text, tuple(brackets), (), bool(pieces), verb[1] if verb else ""))
            brackets.clear()
    if pieces and brackets:
        pieces[-1] = replace(pieces[-1], behind=tuple(brackets))
    return pieces


def _find_in_order(
    pieces: Sequence[_QuotationPiece], text: NormalisedText, is_term: IsTerm, least: Standing
) -> tuple[int, int] | None:
    """The first position where all pieces follow each other."""
    for first in _find_piece(pieces[0].text, text, 0):
        end, last = first, None
        for piece in pieces:
            place = first if last is None else next(_find_piece(piece.text, text, end), None)
            if place is None:
                return None  # a later start leaves less text after it
            if _standing_at(piece, place, end, text, is_term) < least:
                break
            end, last = place + len(piece.text), piece
        else:
            return text.span(first, end)
        if first > 4 * _MAX_REPLACED * len(pieces):
            return None
    return None


def _standing_at(piece: _QuotationPiece, place: int, end: int, text: NormalisedText, is_term: IsTerm) -> Standing:
    """How the brackets around a piece at a place of a rule stand there; `end` is that of the piece before.

    Brackets replace short text only, no negation and no term.
    """
    begin, behind = text.source_positions[place], text.source_positions[place + len(piece.text) - 1] + 1
    worst = Standing.KEPT
    if piece.behind:
        following = text.source[behind:].lstrip(EDGE_PUNCTUATION)
        if following.startswith(("[", "［")):
            return Standing.CHANGED
        worst = standing(piece.behind, "", text.source[:behind], following, is_term, Place.END)
    before, between = text.source[:begin].rstrip(), _skipped_text(text, end, place) if piece.is_joined else ""
    if piece.verb:
        last = _LAST_WORD.search(before)
        if not last or not agrees(piece.verb, last[0]) or (piece.is_joined and not between.strip().endswith(last[0])):
            return Standing.CHANGED
        before, between = before[: last.start()].rstrip(), between.strip().removesuffix(last[0])
    if not piece.is_joined:
        if not piece.before:
            return worst
        closes = before.endswith(("]", "］"))
        return Standing.CHANGED if closes else min(worst, standing(piece.before, "", before, "", is_term, Place.START))
    if place - end > _MAX_REPLACED or _TERM_MARK.search(between) or NEGATIONS.search(between):
        return Standing.CHANGED
    return min(worst, standing(piece.before, between, before, "", is_term, Place.INSIDE))


def _skipped_text(text: NormalisedText, start: int, end: int) -> str:
    """The source text between two pieces."""
    return (
        text.source[text.source_positions[start - 1] + 1 : text.source_positions[end]] if end < len(text.source_positions) else ""
    )


def _find_piece(piece: str, text: NormalisedText, start: int) -> Iterator[int]:
    """The position of a piece as whole words."""
    at = text.text.find(piece, start)
    while at >= 0:
        begin, end = text.span(at, at + len(piece))
        if may_begin_word(text.source, begin) and may_end_word(text.source, end) and not _is_torn(text.source, begin, end):
            yield at
        at = text.text.find(piece, at + 1)


def _is_torn(source: str, begin: int, end: int) -> bool:
    """Whether the edge cuts off a CJK word that reverses the meaning."""
    before, after = _TORN_PHRASES
    head = bool(_HAN.match(source, begin)) and bool(before.match(source[begin - 1 : begin]))
    return head or (bool(_HAN.match(source, end - 1)) and bool(after.match(source, end)))


@dataclass(frozen=True, slots=True)
class QuotableText:
    """A text of a rule: `start` is its offset in the whole; `own`: it is the rule's own text and not an example."""

    rule: str
    start: int
    text: str
    own: bool


@dataclass(frozen=True)
class QuotableWording:
    """All quotable texts of a rule in one language, concatenated."""

    lang: str
    passages: tuple[QuotableText, ...]
    text: str

    @cached_property
    def full_text(self) -> NormalisedText:
        """The normalised text, computed on first use."""
        return NormalisedText(self.text, simple=self.lang.startswith("zh"))

    def passage_at(self, place: int) -> QuotableText:
        """The passage that contains a position of the whole."""
        return next((passage for passage in reversed(self.passages) if passage.start <= place), self.passages[0])


def wordings(records: "Sequence[RuleRecord]") -> Iterator[QuotableWording]:
    """A rule, then its parts, in each loaded language: without numbers, then with them."""
    for lang in dict.fromkeys(lang for record in records for lang in record["texts"]):
        for with_number in (False, True):
            passages, pieces, at = [], [], 0
            for rule, lead, text, own in _rule_texts(records, lang):
                prefix = f"{lead} " if with_number and lead else ""
                pieces.append(f"{prefix}{text}\n")
                passages.append(QuotableText(rule, at + len(prefix), text, own))
                at += len(pieces[-1])
            yield QuotableWording(lang, tuple(passages), "".join(pieces))


def _rule_texts(records: "Sequence[RuleRecord]", lang: str) -> "Iterator[tuple[str, str, str, bool]]":
    """Rule, number or headword, text, and whether it is the rule's own."""
    for record in records:
        lead = record.get("headwords", {}).get(lang) or record["number"] or ""
        if lang in record["texts"]:
            yield record["iri"], lead, record["texts"][lang]["text"], True
        for aside in (*record["examples"], *record["notes"]):
            if aside["lang"] == lang:
                yield record["iri"], "", aside["text"], False


_KANA = re.compile("[\u3041-\u30ff]")
_CHINESE = compile_pattern(phrase_pattern("quotation", "chinese"))
"""Words that Chinese sentences have, and Japanese ones without kana hardly ever."""
_IDEOGRAPH = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_LONGEST, _WIDEST = 1500, 40_000
"""Maximum length of a quotation, and of a rule with its parts, in the search for the nearest words, in characters."""
_MAX_SENTENCES = 12


def leading_sentence_ends(words: str) -> list[int]:
    """The end offsets of the leading sentences of some words, the longest run first, excluding the end of the words."""
    ends = [end for end in sentence_ends(QUOTED_END, words) if end < len(words)]
    return ends[:_MAX_SENTENCES][::-1]


class QuotationStatus(StrEnum):
    """The status of a quotation."""

    VERIFIED = "verified"
    MISQUOTED = "misquoted"
    UNCHECKED = "unchecked"


class Likeness(StrEnum):
    """How similar quoted words are to the rule's."""

    EXACT = "exact"
    TRIVIAL = "trivial"  # except for width, case, script, marks and omitted words
    PARAPHRASE = "paraphrase"
    DIFFERENT = "different"


class Hint(StrEnum):
    """A guess about words in a language that is not loaded."""

    RIGHT = "looks right"
    DIFFERENT = "looks different"


_DIGITS = re.compile(r"\d+")


def has_same_numbers(words: str, quotable: Sequence[QuotableWording]) -> bool:
    """Whether the rule contains every number in the words."""
    there = {figure for wording in quotable for figure in _DIGITS.findall(to_half_width(wording.text))}
    return there.issuperset(_DIGITS.findall(to_half_width(words)))


@dataclass(frozen=True, slots=True)
class QuotedPlace:
    """The position of words: in the text (or, if not `own`, an example or note) of a rule in a language."""

    rule: str
    lang: str
    start: int
    end: int
    own: bool


@dataclass(frozen=True, slots=True)
class QuotationVerdict:
    """The verdict on a quotation; `alike` (0 to 1) is the similarity of the nearest words.

    `likeness` is None if the rule is not loaded in the language of the words; `hint` is then a guess.
    """

    verdict: QuotationStatus
    nearest: str | None = None
    place: QuotedPlace | None = None
    alike: float = 0.0
    likeness: Likeness | None = None
    hint: Hint | None = None
    is_outside_brackets: bool = False  # the rule has the words except for those in an editor's brackets, which may mean anything


_CHINESE_LANGUAGES = frozenset({"zh-Hans", "zh-Hant"})


def languages(words: str, around: Collection[str] = ()) -> frozenset[str]:
    """The possible languages of words, by script; `around` are those of the text in which they stand, if known.

    Words without kana are Chinese, or also Japanese: the text around them decides, else the words themselves.
    """
    if _KANA.search(words):
        return frozenset({"ja"})
    if len(_IDEOGRAPH.findall(words)) * 3 >= len(_LATIN.findall(words)) and _IDEOGRAPH.search(words):
        cjk_around = (_CHINESE_LANGUAGES | {"ja"}).intersection(around)
        may_be_japanese = "ja" in cjk_around if cjk_around else not _CHINESE.search(words)
        return _CHINESE_LANGUAGES | {"ja"} if may_be_japanese else _CHINESE_LANGUAGES
    return frozenset({"en"})


_MIN_COPIED_SHARE = 0.9
"""Similarity above which words in the other Chinese script count as a copy of the loaded translation."""


def check_quotation(
    words: str, quotable: Sequence[QuotableWording], around: Collection[str] = (), is_term: IsTerm = _is_no_term
) -> QuotationVerdict:
    """Compares quoted words with a rule's wordings in every loaded language.

    `around` are the possible languages of the text that quotes them. `is_term`: see `find_quotation`.
    """
    if verdict := find_copied_words(words, quotable, is_term) or _words_outside_brackets(words, quotable, is_term):
        return verdict
    langs = languages(words, around)
    own = [wording for wording in quotable if wording.lang in langs]
    if not own:
        return QuotationVerdict(QuotationStatus.UNCHECKED)
    nearest = max((_nearest_words(words, wording) for wording in own), key=lambda verdict: verdict.alike)
    if nearest.alike < _MIN_COPIED_SHARE and _is_another_script(words, own):
        return replace(nearest, verdict=QuotationStatus.UNCHECKED)
    return nearest


def find_copied_words(words: str, quotable: Sequence[QuotableWording], is_term: IsTerm = _is_no_term) -> QuotationVerdict | None:
    """Quoted words that are a rule's, with their place; None if they are not, which costs much less than `check_quotation`."""
    for wording in quotable:
        if span := find_quotation(words, wording.full_text, is_term):
            likeness = Likeness.EXACT if _without_punctuation(words) in _without_punctuation(wording.text) else Likeness.TRIVIAL
            return QuotationVerdict(QuotationStatus.VERIFIED, place=_place_in_passage(wording, *span), alike=1.0, likeness=likeness)
    return None


def _words_outside_brackets(words: str, quotable: Sequence[QuotableWording], is_term: IsTerm) -> QuotationVerdict | None:
    """Quoted words that a rule has except for those in brackets, with the rule's words."""
    for wording in quotable:
        if span := find_quotation(words, wording.full_text, is_term, Standing.OPEN):
            start = _with_opening_bracket(wording.full_text.source, span[0])
            place = _place_in_passage(wording, start, span[1])
            nearest = wording.passage_at(start).text[place.start : place.end] or None
            return QuotationVerdict(
                QuotationStatus.UNCHECKED, nearest, place if nearest else None, 1.0, Likeness.PARAPHRASE, is_outside_brackets=True
            )
    return None


def _with_opening_bracket(text: str, start: int) -> int:
    """A position in a text, or that of the bracket before it."""
    return start - (text[max(start - 1, 0) : start] in ("[", "［"))


def _without_punctuation(words: str) -> str:
    """The words without surrounding punctuation, separated by single spaces."""
    return " ".join(words.strip(EDGE_PUNCTUATION).split())


def _is_another_script(words: str, quotable: Sequence[QuotableWording]) -> bool:
    """Whether the words are in one Chinese script and the rule is loaded in the other one only."""
    langs = {wording.lang for wording in quotable}
    return langs in ({"zh-Hans"}, {"zh-Hant"}) and langs != {"zh-Hant" if is_traditional(words) else "zh-Hans"}


def _nearest_words(words: str, wording: QuotableWording) -> QuotationVerdict:
    """The words of a rule that are nearest to a quotation."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    whole, quotation = wording.full_text, NormalisedText(words, simple=wording.full_text.simple).text[:_LONGEST]
    if not quotation or not whole.text:
        return QuotationVerdict(QuotationStatus.MISQUOTED, likeness=Likeness.DIFFERENT)
    alignment = partial_ratio_alignment(quotation, whole.text[:_WIDEST])
    if not alignment or alignment.dest_end <= alignment.dest_start:
        return QuotationVerdict(QuotationStatus.MISQUOTED, likeness=Likeness.DIFFERENT)
    start, end = _whole_words(whole.source, *whole.span(alignment.dest_start, alignment.dest_end))
    start = _with_opening_bracket(whole.source, start)
    place = _place_in_passage(wording, start, end)
    passage = wording.passage_at(start)
    nearest = passage.text[place.start : place.end]
    alike = alignment.score / 100
    is_near = alike >= (_NEAR_HAN if wording.lang != "en" else _NEAR_LATIN)
    likeness = Likeness.PARAPHRASE if is_near or shares_enough_words(words, [wording]) else Likeness.DIFFERENT
    return QuotationVerdict(QuotationStatus.MISQUOTED, nearest or None, place if nearest else None, alike, likeness)


_SHARED, _NEAR_LATIN, _NEAR_HAN = 0.4, 0.62, 0.5
"""Share of common words, or similarity, above which words count as a paraphrase of a rule. Our glosses of 3,022 rules share 0.72
of their words with their own rule in English (0.61 of their character pairs in Chinese), 0.24 (0.16) with the next rule, 0.04
(0.02) with others."""
_COMPARISON_UNIT = re.compile(f"[a-z0-9À-ɏ]{{4,}}|[{CJK}](?=([{CJK}]))")


def shares_enough_words(words: str, quotable: Sequence[QuotableWording]) -> bool:
    """Whether enough of the words are in a rule to paraphrase it."""
    for wording in quotable:
        units = _comparison_units(to_simplified(words) if wording.full_text.simple else words)
        there = frozenset(_comparison_units(to_simplified(wording.text) if wording.full_text.simple else wording.text))
        if units and sum(unit in there for unit in units) >= _SHARED * len(units):
            return True
    return False


def _comparison_units(words: str) -> list[str]:
    """Longer words, and pairs of characters of Japanese and Chinese."""
    return [match[0] + (match[1] or "") for match in _COMPARISON_UNIT.finditer(words.lower())]


_CLAUSE_MARKS, _SENTENCE_MARKS = frozenset("。、，；：！？\n"), frozenset("。！？")
_NEAR_MARK = 12
"""Number of characters of Japanese or Chinese within which a span is extended to a punctuation mark."""


def _whole_words(source: str, start: int, end: int) -> tuple[int, int]:
    """A span extended to whole words; in Japanese and Chinese, which have no spaces, to the punctuation if it is near."""
    while start > 0 and not may_begin_word(source, start):
        start -= 1 if _WORD_CHARACTER.match(source, start - 1) else 2
    while end < len(source) and not may_end_word(source, end):
        end += 1 if _WORD_CHARACTER.match(source, end) else 2
    while start < end - 1 and source[start] in _CLAUSE_MARKS:
        start += 1
    if _HAN.match(source, start):
        before = range(start - 1, max(start - _NEAR_MARK, -1) - 1, -1)
        start = next((place + 1 for place in before if place < 0 or source[place] in _CLAUSE_MARKS), start)
    if _HAN.match(source, end - 1):
        after = next((place for place in range(end, min(end + _NEAR_MARK, len(source))) if source[place] in _CLAUSE_MARKS), end)
        end = after + (source[after : after + 1] in _SENTENCE_MARKS)
    return start, end


def _place_in_passage(wording: QuotableWording, start: int, end: int) -> QuotedPlace:
    """A span of the whole, relative to the passage that contains its start."""
    passage = wording.passage_at(start)
    inner = start - passage.start
    return QuotedPlace(passage.rule, wording.lang, max(inner, 0), min(max(end - passage.start, 0), len(passage.text)), passage.own)
