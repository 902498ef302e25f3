"""Where words stand in the books, whether they name a concept or not: this finds what a text search of the files would find."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from corpus.address import NS, iri_of
from corpus.store.books import literal
from corpus.store.by_reference import edition_of
from corpus.store.decoded import decoded
from corpus.store.engine import one_by_one
from corpus.words.lexicon import Lexicon
from corpus.words.text import narrow
from corpus.words.tokens import forms_of, singular, words
from ontology.knowledge import Knowledge
from ontology.translation.terms.concordance import EXAMPLE, GLOSS, HEADWORD, NOTE, TEXT, Use, use_in

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_RECORDS = f"""
SELECT ?record WHERE {{
  GRAPH ?g {{ ?rule <{NS}record> ?record }}
  %s FILTER(REGEX(STR(?record), %s, "i"))
}}"""

_FULL_WIDTH = 0xFEE0
"""From a letter of ASCII to its full-width form."""


def uses_of(knowledge: Knowledge, called: Mapping[str, str | None], game: str | None = None) -> Iterator[Use]:
    """Every place where some names stand in the texts, or in our glosses where no text is loaded, with the name's concept, if any.

    Names that differ only in case, width, number, spaces or script variant are one name. What is part of a longer word is
    found where the whole word is nowhere.
    """
    whole = list(_whole(knowledge, called, game))
    yield from whole or _parts(knowledge, called, game)


def _whole(knowledge: Knowledge, called: Mapping[str, str | None], game: str | None) -> Iterator[Use]:
    lexicon = Lexicon(((name, concept or name) for name, concept in called.items()), singular)
    concepts = {concept for concept in called.values() if concept}
    for record in _records(knowledge, [_first_form(name) for name in called], game):
        for lang, source, text in _texts(record):
            for match in lexicon.find(words(text, singular)):
                concept = next((value for value in sorted(match.values) if value in concepts), None)
                yield use_in(knowledge, record, concept, lang, (match.start, match.end), source, text)


def _parts(knowledge: Knowledge, called: Mapping[str, str | None], game: str | None) -> Iterator[Use]:
    """The names letter by letter, as a search in an editor finds them."""
    patterns = {re.compile(re.escape(narrow(name)), re.IGNORECASE): concept for name, concept in called.items()}
    for record in _records(knowledge, [_escaped(json.dumps(name, ensure_ascii=False)[1:-1]) for name in called], game):
        for lang, source, text in _texts(record):
            for pattern, concept in patterns.items():
                for match in pattern.finditer(narrow(text)):
                    yield use_in(knowledge, record, concept, lang, match.span(), source, text)


def _records(knowledge: Knowledge, patterns: Sequence[str], game: str | None) -> Iterator["RuleRecord"]:
    """The rules whose record may hold a match: the engine looks for it in all of them, faster than we read them."""
    scope = f'FILTER(STRSTARTS(STR(?rule), "{iri_of(game)}/"))' if game else ""
    wanted = "|".join(dict.fromkeys(filter(None, patterns)))
    if not wanted:
        return
    rows = one_by_one(knowledge.store, _RECORDS % (scope, literal(wanted)))
    stored: Iterator[RuleRecord] = (decoded(row["record"]) for row in rows)
    for record in chain(stored, knowledge.archive.holding(wanted, game)):
        if edition_of(record) in knowledge.manifest.editions:
            yield record


def _texts(record: "RuleRecord") -> Iterator[tuple[str, str, str]]:
    """The texts of a rule with their language and what they are; our gloss in a language in which no text is loaded."""
    yield from ((lang, TEXT, text["text"]) for lang, text in record["texts"].items())
    yield from ((aside["lang"], EXAMPLE, aside["text"]) for aside in record["examples"])
    yield from ((aside["lang"], NOTE, aside["text"]) for aside in record["notes"])
    yield from ((lang, HEADWORD, word) for lang, word in record["headwords"].items() if lang in record["texts"])
    yield from ((lang, GLOSS, words) for lang, words in record["digest"].items() if lang not in record["texts"])


@cache
def _first_form(name: str) -> str:
    """A pattern that a part of a name fits in every form that counts as the same; "" for a name without letters.

    The part is the longest word, or the longest run of characters that follow each other.
    """
    tokens = words(name, singular)
    runs: list[str] = [""]
    for before, token in pairwise([None, *tokens]):
        if token is not None and token.cjk:
            follows = before is not None and before.cjk and before.end == token.start
            runs[-1:] = [runs[-1] + token.norm] if follows else [runs[-1], token.norm]
    run = max(runs, key=len)
    if run:
        return "".join(f"[{''.join(forms_of(character))}]" for character in run)
    longest = max((token.norm.removesuffix("y") for token in tokens), key=len, default="")
    return "".join(map(_both_widths, longest))


def _both_widths(letter: str) -> str:
    return f"[{letter}{chr(ord(letter) + _FULL_WIDTH)}]" if letter.isascii() and letter.isalnum() else "."


def _escaped(words: str) -> str:
    """As a regular expression of XPath, which knows fewer escapes than ours."""
    return re.sub(r"([\\.*+?^${}()|\[\]])", r"\\\1", words)
