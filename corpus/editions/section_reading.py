"""A section as text to read: every rule in order, within a number of tokens, with the sections beside it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import orjson

from corpus.address import citation_of, split_rule
from corpus.cursor import make_cursor, parse_cursor
from corpus.editions.citations.context import sentences
from corpus.editions.sections import (
    Sections,
    rule_language,
    section_head,
    section_rule,
    section_titles,
    sections_of,
    text_language,
)
from corpus.errors import InputError
from corpus.model import HEADING_KINDS
from corpus.store.books import Books

if TYPE_CHECKING:
    from corpus.contract import ReadRule, RuleRecord, SectionRef, SectionText

BYTES_PER_TOKEN = 3
"""Bytes of JSON in UTF-8 that make about one token of a language model, in English and in Chinese."""


def read_section(
    knowledge: Books,
    record: "RuleRecord",
    lang: str,
    *,
    tokens: int,
    cursor: str | None = None,
    start: int = 0,
    book_lang: str | None = None,
    examples: bool = False,
    shown_as: "Callable[[ReadRule], object]" = lambda rule: rule,
) -> "SectionText":
    """The section of a rule, or everything below a heading, in about `tokens` tokens, from the one that `cursor` or `start` names.

    At least one rule is returned, and every rule whole; without `examples`, each example is its first sentence. `marked` is the
    rule itself. The size of a rule is that of its form after `shown_as`. Raises InputError for the cursor of another section, and
    for a place beyond the last rule.
    """
    sections = sections_of(knowledge, split_rule(record["iri"]).key)
    position = sections.positions[record["iri"]]
    root = position if record["kind"] in HEADING_KINDS else sections.roots[position]
    places = sections.places
    below = root + 1 if places[root].kind in HEADING_KINDS else root
    within = places[below : places[root].end]
    start = parse_cursor(cursor, places[root].iri)[0] or start
    if start and start >= len(within):
        raise InputError(
            "cursor {given!r}: expected the cursor of the previous answer; this section has {count} rules",
            given=cursor or str(start),
            count=len(within),
        )
    records = knowledge.by_iri(place.iri for place in (places[root], *within[start:]))
    first = records[places[root].iri]
    text_lang = book_lang or text_language([first, *records.values()], lang)
    rules: list[ReadRule] = []
    room = tokens * BYTES_PER_TOKEN
    for place in within[start:]:
        rule = _read_rule(records[place.iri], lang, text_lang, marked=place.iri == record["iri"], examples=examples)
        room -= len(orjson.dumps(shown_as(rule)))
        if rules and room < 0:
            break
        rules.append(rule)
    end = start + len(rules)
    return {
        **section_head(first, [first, *records.values()], lang, text_lang),
        "previous": _neighbour(knowledge, sections, root, lang, step=-1),
        "next": _neighbour(knowledge, sections, root, lang, step=1),
        "total": len(within),
        "cursor": make_cursor((end,), places[root].iri) if end < len(within) else None,
        "rules": rules,
    }


def _read_rule(record: "RuleRecord", lang: str, text_lang: str, *, marked: bool, examples: bool) -> "ReadRule":
    own = rule_language(record, text_lang)
    asides = [aside["text"] for aside in (*record["examples"], *record["notes"]) if aside["lang"] == own]
    return {
        **section_rule(record, lang, text_lang, marked=marked),
        "examples": asides if examples else [*map(_first_sentence, asides)],
    }


def _first_sentence(text: str) -> str:
    """The first sentence of a text; an ellipsis follows where there is more."""
    end = next(iter(sentences(text).places), len(text))
    return f"{text[:end].rstrip()} …" if text[end:].strip() else text


def _neighbour(knowledge: Books, sections: Sections, root: int, lang: str, *, step: int) -> "SectionRef | None":
    """The section before or after the one that begins with an entry."""
    at = root - 1 if step < 0 else sections.places[root].end
    while 0 <= at < len(sections.places):
        other = sections.roots[at]
        place = sections.places[other]
        if place.end > other + 1 or place.kind not in HEADING_KINDS:
            (record,) = knowledge.by_iri([place.iri]).values()
            return {"ref": citation_of(place.iri), "iri": place.iri, "heading": section_titles(record, lang)}
        at += step
    return None
