"""Splits and merges: a rule whose sentences stand in two new ones, and the other way round."""

from collections.abc import Iterable, Iterator, Mapping

from corpus.store.threads.rule import StoredRule, masked_sentences
from corpus.words.text import fold

_SHARE = 0.5
"""The share of a piece's words that must be sentences of the rule that it was cut from."""
_LONG = 5
"""Words, or three times as many characters of Japanese and Chinese, of a sentence that is told from a stock phrase."""


def cut_from(pieces: Iterable[StoredRule], wholes: Mapping[str, StoredRule], kept: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """`(whole, piece)` for each piece without a match of its own most of which was sentences of one whole.

    `kept` are the folded, masked words of what a whole is today, by its locator: a sentence that it keeps was not cut from it.
    """
    index = _index(wholes.values())
    for piece in pieces:
        if (whole := _cut(piece, index, kept)) is not None:
            yield whole, piece.locator


def _index(rules: Iterable[StoredRule]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for rule in rules:
        for sentence in masked_sentences(rule):
            if _is_long(sentence):
                index.setdefault(f"{rule.lang} {fold(sentence)}", []).append(rule.locator)
    return index


def _cut(piece: StoredRule, index: Mapping[str, list[str]], kept: Mapping[str, str]) -> str | None:
    shares: dict[str, int] = {}
    for sentence in masked_sentences(piece):
        words = fold(sentence)
        for whole in index.get(f"{piece.lang} {words}", ()) if _is_long(sentence) else ():
            if words not in kept.get(whole, ""):
                shares[whole] = shares.get(whole, 0) + len(words)
    best = max(shares, key=lambda whole: shares[whole], default=None)
    return best if best is not None and shares[best] >= _SHARE * len(piece.masked) else None


def _is_long(sentence: str) -> bool:
    return len(sentence.split()) >= _LONG or (not sentence.isascii() and len(sentence) >= 3 * _LONG)
