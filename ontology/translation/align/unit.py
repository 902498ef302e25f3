"""A rule as alignment looks at it: its words, its place in the outline, and what of it reads the same in every language."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.address import split_rule
from corpus.model import HEADINGS
from corpus.store.threads.rule import MASK, masked
from corpus.words.text import narrow
from ontology.labels import links

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_SYMBOL = re.compile(r"\{[^{}\s]{1,12}\}")
_SIGN = re.compile(r"[+-]?\d+/[+-]?\d+|\bd\d{1,3}\b|\d+")
_LATIN = re.compile(r"[a-z][a-z'’-]{2,}")


@dataclass(frozen=True, slots=True)
class Unit:
    """A rule in one language. `marks` is what a translation keeps as it is: symbols, figures, concepts, words in Latin letters."""

    locator: str
    parent: str | None  # locator
    title: bool  # whether it is a heading
    entry: bool  # whether it is an entry of a glossary
    text: str  # the words, with a headword before them
    length: int  # of the words without references, in characters
    marks: tuple[str, ...]
    gloss: str = ""  # ours, in English


def units(records: "Iterable[RuleRecord]", lang: str) -> list[Unit]:
    """The rules of an edition that have words in a language, in document order."""
    return [_unit(record, lang) for record in records if lang in record["texts"]]


def _unit(record: "RuleRecord", lang: str) -> Unit:
    headword, own = record["headwords"].get(lang, ""), record["texts"][lang]["text"]
    plain = masked(record, lang, own).replace(MASK, "")
    asides = [aside["text"] for aside in (*record["examples"], *record["notes"]) if aside["lang"] == lang]
    whole = "\n".join(filter(None, (headword, plain, *asides)))
    return Unit(
        locator=record["locator"],
        parent=split_rule(record["parent"]).locator if record["parent"] else None,
        title=record["kind"] in HEADINGS,
        entry=record["kind"] == "glossary",
        text=whole,
        length=len(headword) + len(plain),
        marks=tuple(_marks(record, lang, whole)),
        gloss=record["digest"].get("en", ""),
    )


def _marks(record: "RuleRecord", lang: str, words: str) -> Iterator[str]:
    plain = narrow(words)
    yield from (symbol.upper() for symbol in _SYMBOL.findall(plain))
    yield from _SIGN.findall(_SYMBOL.sub(" ", plain))
    yield from (f"w:{word}" for word in dict.fromkeys(_LATIN.findall(plain.lower())))
    hubs = links().hub
    yield from (hubs.get(mention["concept"], mention["concept"]) for mention in record["mentions"] if mention["lang"] == lang)
