"""Finds the uses of concepts and words in the books: every use with its rule and the words around it."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus.catalogue import game_rank
from corpus.chronology import newest_first
from corpus.languages import fallback_order
from corpus.store.records import edition_of
from corpus.words.lexicon import Lexicon
from corpus.words.text import context_around, to_half_width
from corpus.words.tokens import all_forms, singular, words
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus import contract
    from corpus.contract import RuleRecord
    from corpus.limits import Page

TEXT, EXAMPLE, NOTE, HEADWORD, GLOSS = SOURCES = ("text", "example", "note", "headword", "gloss")


class RuleOfUse(NamedTuple):
    """The part of a rule that a use needs; complete records of thousands of rules would take a gigabyte."""

    iri: str
    game: str
    book: str
    edition: str
    number: str | None
    locator: str


@dataclass(frozen=True, slots=True)
class Use:
    """A mention of a concept, or an occurrence of words: `words[start:end]` in code points, in one language of one rule."""

    rule: RuleOfUse
    concept: str | None  # IRI; None for results of a word search
    lang: str
    start: int
    end: int
    source: str  # one of SOURCES: a part of the book, or the gloss if no text is loaded
    words: str  # the whole text or gloss
    authority: str | None  # of a text
    current: bool
    order: tuple[Any, ...]  # by book, edition (the newest first) and document order


def group_uses(uses: Iterable[Use], lang: str, page: "Page", book_lang: str | None = None) -> list["contract.Uses"]:
    """Uses by game and language, those in current editions first, then in document order.

    Only in the language `book_lang`, if given.
    `total` counts all uses of a group, `rules` their rules, `current` the uses in current editions; `uses` is a page of them. The
    languages are in the fallback order of `lang`.
    """
    groups: dict[tuple[str, str], list[Use]] = {}
    for use in uses:
        if book_lang in (None, use.lang):
            groups.setdefault((use.rule.game, use.lang), []).append(use)
    languages = fallback_order(lang)
    order = sorted(groups, key=lambda group: (game_rank(group[0]), group[0], languages.index(group[1])))
    return [_group(*group, groups[group], page) for group in order]


def _group(game: str, lang: str, uses: list[Use], page: "Page") -> "contract.Uses":
    uses.sort(
        key=lambda use: (
            not use.current, use.source == GLOSS, use.order, SOURCES.index(use.source), use.words, use.start, use.concept or ""
        )
    )  # fmt: skip
    return {
        "game": game,
        "lang": lang,
        "total": len(uses),
        "rules": len({use.rule.iri for use in uses}),
        "current": sum(use.current for use in uses),
        "uses": [_use_body(use) for use in uses[page.offset : page.offset + page.limit]],
    }


def mention_uses(knowledge: Knowledge, concepts: Collection[str], game: str | None = None) -> Iterator[Use]:
    """Every mention of some concepts in a text or gloss, of one game or of all."""
    concept_set = frozenset(concepts)
    for record in knowledge.records.by_iri({iri: None for _, iri in knowledge.records.rules_mentioning(sorted(concept_set), game)}):
        for mention in record["mentions"]:
            if mention["concept"] in concept_set:
                lang = mention["lang"]
                text = record["texts"].get(lang)
                source, words = (TEXT, text["text"]) if text else (GLOSS, record["digest"][lang])
                yield _make_use(knowledge, record, mention["concept"], lang, (mention["start"], mention["end"]), source, words)


def _make_use(
    knowledge: Knowledge, record: "RuleRecord", concept: str | None, lang: str, span: tuple[int, int], source: str, words: str
) -> Use:
    key, texts = edition_of(record), record["texts"]
    current = knowledge.currency.currency_of(key, record["locator"]).is_current
    order = (record["book"], *newest_first(key), record["order"])
    authority = texts[lang]["authority"] if source != GLOSS and lang in texts else None
    rule = RuleOfUse(record["iri"], record["game"], record["book"], record["edition"], record["number"], record["locator"])
    return Use(rule, concept, lang, *span, source, words, authority, current, order)


def _use_body(use: Use) -> "contract.Use":
    rule, words = use.rule, use.words
    before, after = context_around(words, use.start, use.end)
    return {
        "rule": rule.iri,
        "game": rule.game,
        "book": rule.book,
        "edition": rule.edition,
        "number": rule.number,
        "locator": rule.locator,
        "current": use.current,
        "lang": use.lang,
        "source": use.source,
        "authority": use.authority,
        "concept": use.concept,
        "before": before,
        "match": re.sub(r"\s+", " ", words[use.start : use.end]),
        "after": after,
        "start": use.start,
        "end": use.end,
    }


_FULL_WIDTH = 0xFEE0
"""Offset from an ASCII character to its full-width form."""


def word_uses(knowledge: Knowledge, concept_by_name: Mapping[str, str | None], game: str | None = None) -> Iterator[Use]:
    """Every occurrence of some names in texts, or in glosses if no text is loaded, with the concept of each name, if it has one.

    Case, width, number, spaces and script variants make no difference. Parts of longer words count only if no whole word is found.
    """
    whole_words = list(_whole_word_uses(knowledge, concept_by_name, game))
    yield from whole_words or _substring_uses(knowledge, concept_by_name, game)


def _whole_word_uses(knowledge: Knowledge, concept_by_name: Mapping[str, str | None], game: str | None) -> Iterator[Use]:
    lexicon = Lexicon(((name, concept or name) for name, concept in concept_by_name.items()), singular)
    concepts = {concept for concept in concept_by_name.values() if concept}
    for record in _records(knowledge, [_part_patterns(name) for name in concept_by_name], game):
        for lang, source, text in _texts(record):
            for match in lexicon.find(words(text, singular)):
                concept = next((value for value in sorted(match.values) if value in concepts), None)
                yield _make_use(knowledge, record, concept, lang, (match.start, match.end), source, text)


def _substring_uses(knowledge: Knowledge, concept_by_name: Mapping[str, str | None], game: str | None) -> Iterator[Use]:
    """The names as substrings, as found by the search of an editor."""
    patterns = {re.compile(re.escape(to_half_width(name)), re.IGNORECASE): concept for name, concept in concept_by_name.items()}
    for record in _records(
        knowledge, [(_escape_xpath(json.dumps(name, ensure_ascii=False)[1:-1]),) for name in concept_by_name], game
    ):
        for lang, source, text in _texts(record):
            for pattern, concept in patterns.items():
                for match in pattern.finditer(to_half_width(text)):
                    yield _make_use(knowledge, record, concept, lang, match.span(), source, text)


def _records(knowledge: Knowledge, patterns: Iterable[tuple[str, ...]], game: str | None) -> Iterator["RuleRecord"]:
    """The rules whose record matches all patterns of a name: a quick filter before texts are tokenised."""
    alternatives = list(dict.fromkeys(filter(all, filter(None, patterns))))
    return knowledge.records.matching_records(alternatives, game) if alternatives else iter(())


def _texts(record: "RuleRecord") -> Iterator[tuple[str, str, str]]:
    """The texts of a rule with language and source; the gloss for languages without a loaded text."""
    yield from ((lang, TEXT, text["text"]) for lang, text in record["texts"].items())
    yield from ((aside["lang"], EXAMPLE, aside["text"]) for aside in record["examples"])
    yield from ((aside["lang"], NOTE, aside["text"]) for aside in record["notes"])
    yield from ((lang, HEADWORD, word) for lang, word in record["headwords"].items() if lang in record["texts"])
    yield from ((lang, GLOSS, words) for lang, words in record["digest"].items() if lang not in record["texts"])


@cache
def _part_patterns(name: str) -> tuple[str, ...]:
    """A pattern for all variants of each part of a name: its words, and its runs of Japanese or Chinese characters."""
    tokens = words(name, singular)
    runs: list[str] = [""]
    for before, token in pairwise([None, *tokens]):
        if token is not None and token.cjk:
            follows = before is not None and before.cjk and before.end == token.start
            runs[-1:] = [runs[-1] + token.norm] if follows else [runs[-1], token.norm]
    in_cjk = ("".join(f"[{''.join(all_forms().get(character, character))}]" for character in run) for run in runs if run)
    in_latin = ("".join(map(_width_class, token.norm.removesuffix("y"))) for token in tokens if not token.cjk)
    return tuple(filter(None, (*in_cjk, *in_latin)))


def _width_class(letter: str) -> str:
    return f"[{letter}{chr(ord(letter) + _FULL_WIDTH)}]" if letter.isascii() and letter.isalnum() else "."


def _escape_xpath(words: str) -> str:
    """Words as a regular expression of XPath, which has fewer escapes than Python."""
    return re.sub(r"([\\.*+?^${}()|\[\]])", r"\\\1", words)
