"""Surface faults of a translation: untranslated words, punctuation, width, brackets."""

import re
from collections.abc import Iterator

from corpus.messages import message
from corpus.words.text import to_half_width
from ontology.translation.drift.finding import DriftFinding, Span
from ontology.translation.drift.pairs import PartPair, RulePart
from ontology.translation.drift.patterns import language_patterns

_ENGLISH_WORDS = 4
"""Number of consecutive Latin words that count as untranslated."""
_QUOTES = ("“", "‘", "「", "『", "[")
"""Marks before words that are quoted instead of used."""
_LOWER_CASE_WORDS = 3
"""Minimum number of them in lower case; names are left in the original."""
_CJK_CHARACTERS = 3
"""Number of consecutive Japanese or Chinese characters in English that count as untranslated."""
_FINAL_MARKS = ".。!！?？"
_ADDRESS_END = re.compile(r"[0-9A-Za-z/]\s*$")


def surface_findings(pair: PartPair) -> Iterator[DriftFinding]:
    """Untranslated words, or else faults of punctuation."""
    findings = list(_untranslated_findings(pair))
    yield from findings or _punctuation_findings(pair)


def _untranslated_findings(pair: PartPair) -> Iterator[DriftFinding]:
    """Words in the original's language that the original contains."""
    source, target = pair.source, pair.target
    spans = [span for span in _foreign_text(target) if _has_words_of(target.text[slice(*span)], source.text)]
    whole = target.text.strip() == source.text.strip() and language_patterns(source.lang).script.search(source.text) is not None
    if whole and not language_patterns(target.lang).script.search(target.text) and len(target.text.split()) > 1:
        spans = [(0, len(target.text))]
    if spans:
        words = target.text[slice(*spans[0])]
        reason = message("{words}: left untranslated", words=words[:80])
        yield DriftFinding("untranslated", reason, source.place_of_spans(), target.place_of_spans(spans), 1.0, words[:40])


def _foreign_text(part: RulePart) -> Iterator[Span]:
    english = language_patterns(part.lang).alien.pattern == "[A-Za-z]"
    for start, end in (match.span() for match in (_ENGLISH_TEXT if english else _CJK_TEXT).finditer(part.text)):
        is_quoted = part.text[max(start - 1, 0) : start] in _QUOTES
        if not is_quoted and (not english or _is_prose(part.text[start:end])):
            yield start, end


def _is_prose(words: str) -> bool:
    """Whether English words are more than a name, which translations give beside their own name."""
    count: int = sum(word[0].islower() for word in re.findall(r"[A-Za-z]+", words))
    return count >= _LOWER_CASE_WORDS


_ENGLISH_TEXT = re.compile(rf"[A-Za-z]+(?:[’'-][A-Za-z]+)*(?:[ ,;]{{1,2}}[A-Za-z]+(?:[’'-][A-Za-z]+)*){{{_ENGLISH_WORDS - 1},}}")
_CJK_TEXT = re.compile(rf"[\u3040-\u30ff\u4e00-\u9fff]{{{_CJK_CHARACTERS},}}")


def _has_words_of(piece: str, text: str) -> bool:
    """Whether a text contains a piece, or most of its words."""
    piece_words, text_words = re.findall(r"\w+", piece.lower()), set(re.findall(r"\w+", text.lower()))
    return piece in text or sum(word in text_words for word in piece_words) >= 0.8 * len(piece_words)


def _punctuation_findings(pair: PartPair) -> Iterator[DriftFinding]:
    source, target = pair.source, pair.target
    signs = language_patterns(target.lang).surface
    spans = sorted({match.span() for pattern in signs.wrong for match in pattern.finditer(target.text)})
    reason = message(
        "{signs}: not the form that this language uses", signs=" ".join(target.text[slice(*span)] or " " for span in spans[:5])
    )
    if not spans and (bracket_spans := _unpaired_brackets(target.text, signs.open, signs.close)):
        source_signs = language_patterns(source.lang).surface
        if not _unpaired_brackets(source.text, source_signs.open, source_signs.close):
            brackets = " ".join(target.text[slice(*span)] for span in bracket_spans[:5])
            spans, reason = bracket_spans, message("{signs}: unpaired", signs=brackets)
    lacks_stop = _ends_sentence(source) and not _ends_sentence(target)
    if not spans and lacks_stop and not source.title and not _ADDRESS_END.search(target.text):
        spans, reason = [(max(len(target.text) - 1, 0), len(target.text))], message("the sentence does not end")
    if spans:
        yield DriftFinding("punctuation", reason, source.place_of_spans(), target.place_of_spans(spans), 0.95, "signs")


def _ends_sentence(part: RulePart) -> bool:
    return part.text.rstrip()[-1:] in (*language_patterns(part.lang).surface.stops, *_FINAL_MARKS)


def _unpaired_brackets(text: str, opening_marks: str, closing: str) -> list[Span]:
    """Unpaired brackets; half and full width match each other."""
    open_brackets: list[tuple[int, int]] = []
    spans: list[Span] = []
    kinds = {character: nth for signs in (opening_marks, closing) for nth, character in enumerate(signs)}
    plain = to_half_width(opening_marks)
    same = {nth: plain.index(character) for nth, character in enumerate(plain)}
    for at, bracket in enumerate(text):
        if bracket in opening_marks:
            open_brackets.append((same[kinds[bracket]], at))
        elif bracket in closing and open_brackets and open_brackets[-1][0] == same[kinds[bracket]]:
            open_brackets.pop()
        elif bracket in closing:
            spans.append((at, at + 1))
    return [*spans, *((at, at + 1) for _, at in open_brackets)]
