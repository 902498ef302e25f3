"""Splits rule texts into clauses, the units of extractive answers, and finds the rules and clauses that may answer a question.

A clause is a sentence, a list item, or a part of a sentence before or after a semicolon that makes sense alone. Brackets and
quotations are never split: a rule that quotes an ability is one clause with its quotation.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from corpus.contract import RuleRecord
from corpus.languages import choose, language_of, readable
from corpus.words.sentences import PAIRS, open_pairs, trimmed
from corpus.words.text import CJK
from search.settings import DATA

Pattern = re.Pattern[str]
_CLOSING = "".join(PAIRS.values()) + "’'*_"
_CLAUSE_END = re.compile(rf"[。！？!?．.]+[{re.escape(_CLOSING)}]*|[；;]|\n+|(?=\n)")
_NEXT_SENTENCE = re.compile(rf"\s+[\"“‘'(（\[【「『*_]*[A-Z0-9{CJK}]|\s*$")
_WRAPPED_LINE = re.compile(r"\s*[a-z(),;]")
_STOPS = frozenset("。！？!?．.:：；;") | frozenset(_CLOSING)
_CLOSING_MARK = re.compile(rf"[{re.escape(_CLOSING)}]")
_HAN = re.compile(f"[{CJK}]")
_SPACES, _BULLETS = re.compile(r"\s*"), re.compile(r"[(（・•\-–—\s]*")
_ITEM = re.compile(r"[・•▪●○■□◆–—-]\s*\S|[(（]?(?:\d{1,2}|[a-z]|[ivx]{1,4})[)）.、]\s|[\u2460-\u2473]")
"""Start of a list item."""
_LOOKBEHIND_LENGTH = 8
"""Number of characters before a position that are examined."""
_MIN_WORDS = 2.5
"""Number of words (two CJK characters count as one) below which a clause is not an answer."""
_WORD, _LETTERS = re.compile(r"[^\W_]+"), re.compile(r"[^\W\d_]{2}")
_BRACKETED = re.compile(r"[(（][^\n]*[)）][.。]?")
_ITEM_NUMBER = re.compile(r"[\W_]*(?:\d{1,3}|[A-Za-z]|[\u2460-\u2473])[\W_]*")


@dataclass(frozen=True, slots=True)
class Phrases:
    """Patterns of one language, from `data/clauses.toml`."""

    abbreviations: Pattern  # before a dot that does not end a sentence
    dependent: Pattern  # start of a clause that depends on the previous one
    continues: Pattern  # start of a step or a case of the previous clause
    introduces: Pattern  # end of a clause that introduces a list
    exceptions: Pattern
    not_exceptions: Pattern  # exceptions to these patterns
    definitions: Pattern
    references: Pattern  # a sentence that only refers to another rule
    after_quotation: Pattern  # continues a sentence after a quotation


@cache
def _phrases() -> dict[str, Phrases]:
    tables = tomllib.loads((DATA / "clauses.toml").read_text(encoding="utf-8"))
    return {
        lang: Phrases(
            abbreviations=_any_pattern(table["abbreviations"], before=r"(?:^|[^A-Za-z])", after=r"\.$"),
            dependent=_any_pattern(table["dependent"]),
            continues=_any_pattern(table["continues"]),
            introduces=_any_pattern(table["introduces"], after=r"\s*$"),
            exceptions=_any_pattern(table["exceptions"]),
            not_exceptions=_any_pattern(table["not_exceptions"]),
            definitions=_any_pattern(table["definitions"]),
            references=_any_pattern(table["references"], after=r"\s*$"),
            after_quotation=re.compile(table["after_quotation"]),  # case counts: a capital begins a sentence
        )
        for lang, table in tables.items()
    }


def language_phrases(lang: str) -> Phrases:
    """The phrases of a language, for any script."""
    return _phrases()[language_of(lang)]


def _any_pattern(patterns: list[str], *, before: str = "", after: str = "") -> Pattern:
    """Matches any of the patterns; without patterns, matches nothing."""
    return re.compile(f"{before}(?:{'|'.join(patterns)}){after}" if patterns else "(?!)", re.IGNORECASE)


class Clause(NamedTuple):
    """A half-open span of a text."""

    start: int
    end: int
    dependent: bool = False  # makes no sense without the previous clause


@dataclass(frozen=True, slots=True)
class QuotedRule:
    """A rule in the language in which it is quoted."""

    rule: int  # id in the index
    rank: int  # among the hits, from 0
    score: float  # as a share of the best score
    near: bool  # whether it is re-ranked, and near enough to the first hit to make a claim
    record: RuleRecord
    lang: str
    text: str
    is_text: bool  # the rule's own text, not our gloss


@dataclass(frozen=True, slots=True)
class AnswerCandidate:
    """A clause of a rule that may be an answer."""

    source: QuotedRule
    nth: int  # among the clauses of its rule
    clause: Clause

    @property
    def text(self) -> str:
        """Its words."""
        return self.source.text[self.clause.start : self.clause.end]


def quotable_text(record: RuleRecord, lang: str) -> tuple[str, str, bool] | None:
    """The language and text to quote, and whether it is the rule's own text; in the answer's language if the book has it.

    None for a rule without text and gloss.
    """
    texts = {tag: text["text"] for tag, text in record["texts"].items() if text["text"].strip()}
    if texts:
        text_lang = next((tag for tag in (*readable(lang), *texts) if tag in texts), lang)
        return text_lang, texts[text_lang], True
    text_lang = choose(lang, record["digest"]) or ""
    return (text_lang, record["digest"][text_lang], False) if text_lang else None


def candidates(source: QuotedRule) -> Iterator[AnswerCandidate]:
    """The clauses of a rule that may be an answer, excluding bare names and bare references."""
    for nth, clause in enumerate(split_clauses(source.text, source.lang)):
        text = source.text[clause.start : clause.end]
        if is_long_enough(text) and not is_reference(text, source.lang):
            yield AnswerCandidate(source, nth, clause)


def split_clauses(text: str, lang: str) -> list[Clause]:
    """The clauses of a text in order; they cover all of it except the spaces between them."""
    phrases = language_phrases(lang)
    bounds = [0, *_clause_ends(text, phrases), len(text)]
    spans = _join_marks(text, [span for pair in pairwise(bounds) if (span := trimmed(text, *pair))])
    return [
        Clause(start, end, dependent=nth > 0 and bool(phrases.dependent.match(text, _skip_pattern(_BULLETS, text, start))))
        for nth, (start, end) in enumerate(spans)
    ]


def continues_previous(text: str, clause: Clause, before: Clause, lang: str) -> bool:
    """Whether a clause belongs to the statement of the previous clause: as a list item, a step, a case or an exception."""
    phrases = language_phrases(lang)
    at = _skip_pattern(_BULLETS, text, clause.start)
    return (
        clause.dependent
        or bool(_ITEM.match(text, clause.start))
        or introduces_list(text[before.start : before.end], lang)
        or bool(phrases.continues.match(text, at))
        or is_exception(text[clause.start : clause.end], lang)
    )


def introduces_list(text: str, lang: str) -> bool:
    """Whether a list follows a text."""
    return bool(language_phrases(lang).introduces.search(text))


def is_exception(text: str, lang: str) -> bool:
    """Whether a clause contains words of an exception."""
    phrases = language_phrases(lang)
    return is_long_enough(text) and bool(phrases.exceptions.search(text)) and not phrases.not_exceptions.search(text)


def is_reference(text: str, lang: str) -> bool:
    """Whether a clause only refers to another rule."""
    return bool(language_phrases(lang).references.fullmatch(text))


def is_long_enough(text: str) -> bool:
    """Whether a text may be an answer: more than a name or a number."""
    if not _LETTERS.search(text):
        return False
    latin = len(_WORD.findall(_HAN.sub(" ", text)))
    return latin + len(_HAN.findall(text)) / 2 >= _MIN_WORDS


def _clause_ends(text: str, phrases: Phrases) -> Iterator[int]:
    """The positions at which clauses end."""
    depth = _nesting_depths(text)
    for match in _CLAUSE_END.finditer(text):
        stop, end = match.start(), match.end()
        if match[0].startswith("\n") or not match[0]:
            if not _is_wrapped(text, stop, end):
                yield end
        elif match[0] in (";", "；"):
            if not depth[stop] and not _is_continued(text, end, phrases):
                yield end
        elif _is_sentence_end(text, match, depth, phrases):
            yield end
            if text[end : end + 1] in ("(", "（"):
                yield _bracket_end(end, depth)


def _is_wrapped(text: str, stop: int, end: int) -> bool:
    """Whether a line break is inside a sentence: no stop precedes it, and no new sentence follows."""
    return bool(_WRAPPED_LINE.match(text, end)) and text[max(0, stop - _LOOKBEHIND_LENGTH) : stop].rstrip()[-1:] not in _STOPS


def _is_sentence_end(text: str, match: re.Match[str], depth: Sequence[int], phrases: Phrases) -> bool:
    """Whether a stop, with the marks after it, ends a sentence."""
    stop, end = match.start(), match.end()
    if end < len(text) and depth[end - 1] - bool(_CLOSING_MARK.match(text, end - 1)) > 0:
        return False  # the brackets continue
    if depth[stop] and phrases.after_quotation.match(text, end):
        return False
    if text[end - 1] in "。！？．" or text[stop] in "。！？":
        return True
    if text[stop] == "." and phrases.abbreviations.search(text[max(0, stop - _LOOKBEHIND_LENGTH) : stop + 1]):
        return False
    return bool(_NEXT_SENTENCE.match(text, end))


def _bracket_end(start: int, depth: Sequence[int]) -> int:
    """The end of brackets that open at a position; that position if they are never closed."""
    while start < len(depth) and depth[start]:
        start += 1
    return start


def _is_continued(text: str, end: int, phrases: Phrases) -> bool:
    """Whether the part after a semicolon depends on the part before it, or is an exception to it."""
    at = _skip_pattern(_SPACES, text, end)
    return bool(phrases.dependent.match(text, at) or phrases.exceptions.match(text, at)) or text[at : at + 1].islower()


def _skip_pattern(pattern: Pattern, text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start


def _nesting_depths(text: str) -> list[int]:
    """The number of brackets and quotations around each character; their marks count as inside. A line break closes all of them."""
    return list(map(max, pairwise((0, *open_pairs(text, by_line=True)))))


def _join_marks(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Joins lone marks and brackets to the span before them, and the number of a list item to the span after it."""
    merged_spans: list[tuple[int, int]] = []
    for start, end in spans:
        if merged_spans and (
            _belongs_to_previous(text, merged_spans[-1][1], start, end) or _ITEM_NUMBER.fullmatch(text, *merged_spans[-1])
        ):
            merged_spans[-1] = (merged_spans[-1][0], end)
        else:
            merged_spans.append((start, end))
    return merged_spans


def _belongs_to_previous(text: str, before: int, start: int, end: int) -> bool:
    """Whether a span has no words, or is in brackets on the same line as the span that ends before it."""
    return not _WORD.search(text, start, end) or bool("\n" not in text[before:start] and _BRACKETED.fullmatch(text, start, end))
