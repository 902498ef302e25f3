"""What needs no original to be seen: words left in its language, punctuation, width, brackets."""

import re
from collections.abc import Iterator

from corpus.messages import message
from ontology.translation.drift.finding import Finding, Span
from ontology.translation.drift.pairs import Pair, Part
from ontology.translation.drift.patterns import language, runs
from ontology.translation.drift.words import place

_RUN = 4
"""Words of Latin letters in a row that are a piece left untranslated."""
_QUOTES = ("“", "‘", "「", "『", "[")
"""What stands before words that are named, and not said."""
_PROSE = 3
"""Words of these without a capital: names are given in the original."""
_PIECE = 3
"""Japanese or Chinese characters in a row that are one in English."""
_FINAL = ".。!！?？"
_ADDRESS = re.compile(r"[0-9A-Za-z/]\s*$")


def findings(pair: Pair) -> Iterator[Finding]:
    """What is wrong with a translation as it stands."""
    left = list(_left(pair))
    yield from left
    if not left:
        yield from _signs(pair)


def _left(pair: Pair) -> Iterator[Finding]:
    """Pieces in the language of the original, whose words stand there."""
    source, target = pair.source, pair.target
    spans = [span for span in _foreign(target) if _stands_in(target.text[slice(*span)], source.text)]
    whole = target.text.strip() == source.text.strip() and language(source.lang).script.search(source.text) is not None
    if whole and not language(target.lang).script.search(target.text) and len(target.text.split()) > 1:
        spans = [(0, len(target.text))]
    if spans:
        words = target.text[slice(*spans[0])]
        yield Finding(
            "untranslated",
            message("{words}: left untranslated", words=words[:80]),
            place(source),
            place(target, spans),
            1.0,
            words[:40],
        )


def _foreign(part: Part) -> Iterator[Span]:
    english = language(part.lang).alien.pattern == "[A-Za-z]"
    for start, end in runs(_ENGLISH if english else _ASIAN, part.text):
        named = part.text[max(start - 1, 0) : start] in _QUOTES
        if not named and (not english or _is_prose(part.text[start:end])):
            yield start, end


def _is_prose(words: str) -> bool:
    """Whether English words are more than a name, which translations give beside their own."""
    count: int = sum(word[0].islower() for word in re.findall(r"[A-Za-z]+", words))
    return count >= _PROSE


_ENGLISH = re.compile(rf"[A-Za-z]+(?:[’'-][A-Za-z]+)*(?:[ ,;]{{1,2}}[A-Za-z]+(?:[’'-][A-Za-z]+)*){{{_RUN - 1},}}")
_ASIAN = re.compile(rf"[\u3040-\u30ff\u4e00-\u9fff]{{{_PIECE},}}")


def _stands_in(piece: str, text: str) -> bool:
    """Whether most words of a piece are words of a text."""
    mine, theirs = re.findall(r"\w+", piece.lower()), set(re.findall(r"\w+", text.lower()))
    return piece in text or sum(word in theirs for word in mine) >= 0.8 * len(mine)


def _signs(pair: Pair) -> Iterator[Finding]:
    source, target = pair.source, pair.target
    signs = language(target.lang).surface
    spans = sorted({span for pattern in signs.wrong for span in runs(pattern, target.text)})
    said = message(
        "{signs}: not as this language prints it", signs=" ".join(target.text[slice(*span)] or " " for span in spans[:5])
    )
    if not spans and (torn := _unbalanced(target.text, signs.open, signs.close)):
        mine = language(source.lang).surface
        if not _unbalanced(source.text, mine.open, mine.close):
            spans, said = (
                torn,
                message("{signs}: opened or closed once only", signs=" ".join(target.text[slice(*span)] for span in torn[:5])),
            )
    if not spans and _stops(source) and not _stops(target) and not source.title and not _ADDRESS.search(target.text):
        spans, said = [(max(len(target.text) - 1, 0), len(target.text))], message("the sentence does not end")
    if spans:
        yield Finding("punctuation", said, place(source), place(target, spans), 0.95, "signs")


def _stops(part: Part) -> bool:
    return part.text.rstrip()[-1:] in (*language(part.lang).surface.stops, *_FINAL)


def _unbalanced(text: str, opening: str, closing: str) -> list[Span]:
    """Brackets without their other half; half and full width close each other."""
    waiting: list[tuple[int, int]] = []
    torn: list[Span] = []
    kinds = {character: nth for signs in (opening, closing) for nth, character in enumerate(signs)}
    same = _same_kind(opening)
    for at, bracket in enumerate(text):
        if bracket in opening:
            waiting.append((same[kinds[bracket]], at))
        elif bracket in closing and waiting and waiting[-1][0] == same[kinds[bracket]]:
            waiting.pop()
        elif bracket in closing:
            torn.append((at, at + 1))
    return [*torn, *((at, at + 1) for _, at in waiting)]


def _same_kind(opening: str) -> dict[int, int]:
    """Places of brackets → one place for those that are the same but for their width."""
    from corpus.words.text import narrow

    plain = narrow(opening)
    return {nth: plain.index(character) for nth, character in enumerate(plain)}
