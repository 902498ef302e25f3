"""Extracts the names from a printed title, headword or quoted term, without brackets, numbers and placeholders."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from corpus.data_files import read_toml
from corpus.languages import language_of
from corpus.words.text import CJK, remove_torn_spaces

Form = tuple[str, ...]
"""A name for comparison, ignoring case, width, plural, spaces and script variants."""
_MAX_WORDS, _MIN_CHARACTERS, _MAX_CHARACTERS = 5, 2, 14
"""Maximum length of a name: words in Latin script, characters in others; a longer title is a sentence."""
_ANY_CJK = re.compile(f"[{CJK}]")
_LEADING_NUMBER = re.compile(r"^[\s*_#]*(?:\d+(?:[.\-]\d+)*(?:[.．、]\s*|\s+))?")
_MARKDOWN = re.compile(r"\\(?=[!-/:-@\[-`{-~])|[*_]{2,}")
_BRACKETED = re.compile(r"[\[<【〔〈［＜]([^\[\]<>【】〔〕〈〉［］＜＞]+)[\]>】〕〉］＞]")
_ASIDE = re.compile(r"\s*[(（]([^()（）]*)[)）]\s*")
_PLACEHOLDER = re.compile(r"(?:\s+|(?<=[^\x00-\x7f]))[−–—-]?[NX]\s*$|\s*[{｛][^{}]*[}｝]")
_QUOTES = '“”"「」『』〝〟《》○◯ \t\u3000'
_AFTER_DASH = re.compile(r"\s*[—–～:：].*")
"""The parameters after a keyword in a quoted line of text: `Boast — [Cost]: [Effect]`."""
_FRAGMENT = re.compile(r"[〜～~…]")
_NAME_SEPARATOR = re.compile(r"[,，、]\s*|(?<=[^\x00-\x7f])[/／](?=[^\x00-\x7f])")
_MIN_STEM_LENGTH = 4
"""Minimum number of leading letters that two forms of one word share: Champion, Championed."""
_HIRAGANA_END = re.compile("[ぁ-ん]$")
_SENTENCE_END = re.compile(r"[.。!！?？:：;；,，、]$")
_ABBREVIATION = re.compile(r"(?:\w\.)+")


@dataclass(frozen=True, slots=True)
class _Words:
    not_terms: re.Pattern[str]
    phrases: re.Pattern[str]
    means: tuple[re.Pattern[str], ...]
    openings: frozenset[str]
    endings: tuple[str, ...]


Where = Literal["headword", "title", "sentence"]


def names(words: str, lang: str, place: Where) -> tuple[str, ...]:
    """The names in a headword or title, the preferred one first: `Attacking Power (ATK)` has two, `[Double Attack]` one.

    Text in brackets inside a sentence, or after a dash, is not part of the name. Empty if the title is too long for a name.
    """
    text = _MARKDOWN.sub("", _LEADING_NUMBER.sub("", remove_torn_spaces(" ".join(words.split()), lang)))
    asides = [aside[1] for aside in _ASIDE.finditer(text) if aside.start() and _is_short_form(aside[1])]
    main = _without_brackets(_ASIDE.sub(" ", text), in_sentence=place == "sentence")
    parts = _word_forms(main) if place == "headword" else [main]
    labels = [name for name in (*parts, *(_without_brackets(aside, in_sentence=False) for aside in asides)) if is_name(name)]
    if parts[0] not in labels:
        return ()
    own = sorted(labels, key=lambda name: language_of(lang) != "en" and name.isascii())  # [Flying]（飛行） is 飛行 in Japanese
    return tuple(dict.fromkeys((*own, *_without_ending(own[0], lang))))


def _word_forms(text: str) -> list[str]:
    """The forms of one word in a headword: Champion, Championed; 引く／引き分け."""
    parts = _NAME_SEPARATOR.split(text)
    first = parts[0].lower()
    same = (
        all(part.lower().startswith(first[:_MIN_STEM_LENGTH]) or first in part for part in parts[1:]) or "／" in text or "/" in text
    )
    return [_without_brackets(part, in_sentence=False) for part in parts] if same else [text]


def _without_ending(name: str, lang: str) -> list[str]:
    """A name without an optional ending."""
    short = next((name.removesuffix(ending) for ending in language_patterns(lang).endings if name.endswith(ending)), name)
    return [] if short == name or len(short) < _MIN_CHARACTERS or _HIRAGANA_END.search(short) else [short]


def _without_brackets(text: str, *, in_sentence: bool) -> str:
    """The words without brackets, quotation marks and placeholders of numbers or costs."""
    text = text.strip()
    start = _BRACKETED.match(text)
    whole = start and not re.search(r"\w", _PLACEHOLDER.sub("", _BRACKETED.sub("", _AFTER_DASH.sub("", text[start.end() :]))))
    if start and (whole or not in_sentence):
        plain = start[1] if whole else _BRACKETED.sub(r"\1", text)
    elif in_sentence:
        plain = _PLACEHOLDER.sub("", _AFTER_DASH.sub("", _BRACKETED.sub("", text)))
    else:
        plain = _BRACKETED.sub(r"\1", text)
    return " ".join(plain.strip(_QUOTES).split())


def _is_short_form(words: str) -> bool:
    """Whether words in parentheses are another name: an abbreviation in capitals, or a word in another script."""
    return words.isupper() if words.isascii() else bool(_ANY_CJK.search(words))


def is_name(text: str) -> bool:
    """Whether a text is short enough for a name, has letters, and is not a sentence."""
    sentence = _SENTENCE_END.search(text) and not _ABBREVIATION.fullmatch(text)
    if sentence or not any(map(str.isalpha, text)) or _FRAGMENT.search(text):
        return False
    if _ANY_CJK.search(text):
        return _MIN_CHARACTERS <= len(text) <= _MAX_CHARACTERS
    return len(text) >= _MIN_CHARACTERS and len(text.split()) <= _MAX_WORDS


def is_title_of_term(title: str, lang: str) -> bool:
    """Whether a title or quoted term names a thing, unlike General or How to Win."""
    patterns = language_patterns(lang)
    return not patterns.not_terms.fullmatch(title) and not patterns.phrases.search(title)


def language_patterns(lang: str) -> _Words:
    """The patterns of a language, for any script."""
    return _all_patterns().get(language_of(lang)) or _all_patterns()["en"]


@cache
def _all_patterns() -> Mapping[str, _Words]:
    return {
        lang: _Words(
            re.compile("|".join(row["not_terms"]), re.IGNORECASE),
            re.compile("|".join(row["phrases"]), re.IGNORECASE),
            tuple(map(re.compile, row["means"])),
            frozenset(row["openings"]),
            tuple(row["endings"]),
        )
        for lang, row in read_toml("ingest", "definitions.toml").items()
    }
