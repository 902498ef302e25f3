"""A stored rule in the form that threads compare: its words, the words without references, and its position."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.address import split_rule
from corpus.words.sentences import COMPARED_GAP
from corpus.words.text import CJK, fold_text

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

NUMBER_MASK = "\ue000"
"""Mask of a reference: a private-use character."""
_NUMBER = re.compile(r"(?<![\w.])\d{1,4}(?:[.\-]\d{1,4})+[a-z]{0,2}(?!\w)|(?<![\w.])\d{3}[a-z]?(?!\w)")
_WORD = re.compile(f"[{CJK}]|{NUMBER_MASK}|[^\\W_]+(?:['’][^\\W_]+)?")


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A rule of one edition in the language that it is compared in; `lang` is "" if it has no words in any of them."""

    locator: str
    order: int
    parent: str | None  # locator
    lang: str
    plain: str  # the words with every reference masked
    folded_text: str  # headword and words, folded: equal for equal words
    masked_text: str  # the same with every reference masked
    words: tuple[str, ...]  # of the masked text, in lower case; single characters of Japanese and Chinese
    cites: tuple[str, ...]  # locators that the words refer to, in order
    title: bool  # whether the words are those of a heading


def stored_rule(record: "RuleRecord", langs: Sequence[str]) -> StoredRule:
    """A rule in the first available of the languages."""
    lang = next((lang for lang in langs if lang in record["texts"]), "")
    text = record["texts"][lang]["text"] if lang else ""
    headword = record["headwords"].get(lang, "") if lang else ""
    plain = mask_numbers(record, lang, text)
    own = f"{headword}\n{plain}" if headword else plain
    return StoredRule(
        locator=record["locator"],
        order=record["order"],
        parent=split_rule(record["parent"]).locator if record["parent"] else None,
        lang=lang,
        plain=plain,
        folded_text=fold_text(headword + text),
        masked_text=fold_text(own),
        words=words_for_matching(own),
        cites=tuple(cite["locator"] for cite in record["cites"] if cite["lang"] == lang),
        title=record["kind"] in ("chapter", "section"),
    )


def mask_numbers(record: "RuleRecord", lang: str, text: str) -> str:
    """A text of a rule with citations and other rule numbers masked (`NUMBER_MASK`)."""
    parts, at = [], 0
    spans = sorted((cite["start"], cite["end"]) for cite in record["cites"] if cite["lang"] == lang)
    for start, end in spans:
        if start >= at:
            parts += [text[at:start], NUMBER_MASK]
            at = end
    return _NUMBER.sub(NUMBER_MASK, "".join((*parts, text[at:])))


def words_for_matching(text: str) -> tuple[str, ...]:
    """The words of a text in lower case; Japanese and Chinese character by character."""
    return tuple(_WORD.findall(text.lower()))


def masked_sentences(rule: StoredRule) -> Iterator[str]:
    """The sentences of a rule, references masked."""
    return (part.strip() for part in COMPARED_GAP.split(rule.plain) if part.strip())
