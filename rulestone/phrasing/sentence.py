"""Checks that a sentence of prose is proven: it quotes a claim verbatim, names it, and has no number that no claim has."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from corpus.editions.citations.context import sentences
from corpus.editions.verify.quoting import NormalisedText, may_begin_word, may_end_word
from corpus.messages import Message, message
from corpus.model import Span
from corpus.words.text import CJK

if TYPE_CHECKING:
    from corpus.contract import AnswerClaim

CLAIM_TAG = re.compile(r"\[(\d{1,2})\]")
_QUOTED = re.compile(r"“([^“”]*)”|「([^「」]*)」|『([^『』]*)』|\"([^\"]*)\"")
_LINK = re.compile(r"://|www\.|\bmailto:|\]\(", re.IGNORECASE)
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa]")
_HAN = re.compile(f"[{CJK}]")
_LATIN = re.compile("[A-Za-z]")
_LONGEST, _SHORTEST = 800, 4
"""Maximum number of characters of a sentence, and minimum of the quoted words (without spaces)."""
NUMBERS_FILE = Path(__file__).parent / "data" / "numbers.tsv"


def split_sentences(prose: str) -> list[str]:
    """The sentences of a text, each with the tags after it; a stop inside a quotation does not end a sentence."""
    quotes = [Span(*match.span()) for match in _QUOTED.finditer(prose)]
    parts, at = list[str](), 0
    for end in (*sentences(prose, quotes).places, len(prose)):
        behind = re.compile(r"(?:\s*\[\d{1,2}\])*").match(prose, end)
        end = behind.end() if behind else end
        if end > at and (piece := prose[at:end].strip()):
            parts.append(piece)
        at = max(at, end)
    return parts


def unproven_reason(text: str, claims: "Sequence[AnswerClaim]", question: str, lang: str) -> Message | None:
    """The reason why a sentence is not shown; None for one whose quotations and tags match claims."""
    tags = [int(tag) for tag in CLAIM_TAG.findall(text)]
    quotations = [next(filter(None, groups), "") for groups in _QUOTED.findall(text)]
    prose = CLAIM_TAG.sub(" ", _QUOTED.sub(" ", text))
    if len(text) > _LONGEST or not text.replace("\n", " ").isprintable():
        return message("it is too long, or has characters that are not printed")
    if not tags or not all(1 <= tag <= len(claims) for tag in tags):
        return message("it names no claim, or one that does not exist")
    if _LINK.search(text):
        return message("it contains a link")
    if not _is_in_language(prose, lang):
        return message("it is not in the language of the answer")
    tagged_claims = [claims[tag - 1] for tag in tags]
    if not quotations or not all(any(_contains_phrase(words, claim["text"]) for claim in tagged_claims) for words in quotations):
        return message("it does not quote the claim that it names, or alters its words")
    source_words = " ".join(
        (question, *(claim["text"] for claim in tagged_claims), *(claim["gloss"] or "" for claim in tagged_claims))
    )
    if extra := sorted(set(_numbers(prose)) - set(_numbers(source_words))):
        return message("it contains {numbers}, which no claim contains", numbers=", ".join(extra))
    return None


def _contains_phrase(words: str, text: str) -> bool:
    """Whether a text contains the words as one phrase."""
    own, plain = NormalisedText(text), NormalisedText(words.strip(" .,;:、。，；：…")).text
    at = own.text.find(plain) if len(plain) >= _SHORTEST else -1
    while at >= 0:
        start, end = own.span(at, at + len(plain))
        if may_begin_word(text, start) and may_end_word(text, end):
            return True
        at = own.text.find(plain, at + 1)
    return False


def _is_in_language(prose: str, lang: str) -> bool:
    """Whether the unquoted words are in a language; text without letters is in any."""
    kana, han, latin = (len(kind.findall(prose)) for kind in (_KANA, _HAN, _LATIN))
    if lang == "en":
        return han == 0
    if lang == "ja":
        return kana > 0 or han + latin == 0
    return kana == 0 and (han > 0 or latin == 0)


def _numbers(text: str) -> Iterator[str]:
    """The numbers in a text as digits, including number words."""
    plain = normalize("NFKC", text).lower()
    yield from re.findall(r"\d+", plain)
    yield from (_number_words()[word] for word in _word_pattern().findall(plain))


@cache
def _number_words() -> Mapping[str, str]:
    rows = (line.split("\t") for line in NUMBERS_FILE.read_text(encoding="utf-8").splitlines())
    return {word: digits for digits, *words in rows for word in words}


@cache
def _word_pattern() -> re.Pattern[str]:
    latin = [word for word in _number_words() if word.isascii()]
    others = sorted((word for word in _number_words() if not word.isascii()), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(latin)})\b|{'|'.join(others)}")
