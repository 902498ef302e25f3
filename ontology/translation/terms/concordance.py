"""Where concepts are named in the books: every use with its rule and the words around it."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus.address import NS, iri_of
from corpus.age import newest_first
from corpus.catalogue import catalogue
from corpus.languages import fallback
from corpus.store.by_reference import edition_of
from corpus.store.decoded import decoded
from corpus.store.engine import one_by_one, values
from corpus.words.excerpt import around

if TYPE_CHECKING:
    from corpus import contract
    from corpus.contract import RuleRecord
    from corpus.paging import Page
    from ontology.knowledge import Knowledge

TEXT, EXAMPLE, NOTE, HEADWORD, GLOSS = SOURCES = ("text", "example", "note", "headword", "gloss")
_RECORDS = f"""
SELECT ?rule ?record WHERE {{
  {{ SELECT DISTINCT ?rule WHERE {{ %s GRAPH ?m {{ ?rule <{NS}mentions> ?concept }} %s }} }}
  GRAPH ?r {{ ?rule <{NS}record> ?record }}
}}"""


class Bearer(NamedTuple):
    """The rule that a use stands in: little enough to be kept of thousands, whose records would take a gigabyte."""

    iri: str
    game: str
    book: str
    edition: str
    number: str | None
    locator: str


@dataclass(frozen=True, slots=True)
class Use:
    """One place where a concept is named: `words[start:end]` in code points, in one language of one rule."""

    rule: Bearer
    concept: str | None  # None where only the words were looked for
    lang: str
    start: int
    end: int
    source: str  # the book's own words (`text`, or an example, a note, a headword), or our gloss where no text is loaded
    words: str  # the whole text, or gloss, in which it stands
    authority: str | None  # of a text
    current: bool
    place: tuple[Any, ...]  # book, edition (the newest first) and order of the rule


def grouped(places: Iterable[Use], lang: str, page: "Page", within: str | None = None) -> list["contract.Uses"]:
    """Some uses by game and language, those of current editions first, then in the order of the book.

    `total` counts all uses of a group, `rules` the rules they stand in, `current` the uses in current editions; `uses` is
    the page of them. The languages come in the order of the answer's (`lang`) fallback. `within` is the book's language.
    """
    groups: dict[tuple[str, str], list[Use]] = {}
    for use in places:
        if within in (None, use.lang):
            groups.setdefault((use.rule.game, use.lang), []).append(use)
    games, languages = list(catalogue().games), fallback(lang)
    known = {name: place for place, name in enumerate(games)}
    order = sorted(groups, key=lambda group: (known.get(group[0], len(games)), group[0], languages.index(group[1])))
    return [_group(*group, groups[group], page) for group in order]


def _group(game: str, lang: str, uses: list[Use], page: "Page") -> "contract.Uses":
    uses.sort(key=_rank)
    return {
        "game": game,
        "lang": lang,
        "total": len(uses),
        "rules": len({use.rule.iri for use in uses}),
        "current": sum(use.current for use in uses),
        "uses": [_body(use) for use in uses[page.offset : page.offset + page.limit]],
    }


def _rank(use: Use) -> tuple[Any, ...]:
    return not use.current, use.source == GLOSS, use.place, SOURCES.index(use.source), use.words, use.start, use.concept or ""


def uses(knowledge: "Knowledge", concepts: Collection[str], game: str | None = None) -> Iterator[Use]:
    """Every place where some concepts are marked in a text or gloss, of one game or of all."""
    wanted = frozenset(concepts)
    scope = f'FILTER(STRSTARTS(STR(?rule), "{iri_of(game)}/"))' if game else ""
    rows = one_by_one(knowledge.store, _RECORDS % (values("concept", sorted(wanted)), scope))
    old = {iri for _, iri in knowledge.archive.mentions(wanted) if game is None or iri.startswith(iri_of(f"{game}/"))}
    stored: Iterator[RuleRecord] = (decoded(row["record"]) for row in rows)
    for record in chain(stored, knowledge.archive.records(old)):
        if edition_of(record) not in knowledge.manifest.editions:
            continue
        for mention in record["mentions"]:
            if mention["concept"] in wanted:
                lang = mention["lang"]
                text = record["texts"].get(lang)
                source, words = (TEXT, text["text"]) if text else (GLOSS, record["digest"][lang])
                yield use_in(knowledge, record, mention["concept"], lang, (mention["start"], mention["end"]), source, words)


def use_in(
    knowledge: "Knowledge", record: "RuleRecord", concept: str | None, lang: str, span: tuple[int, int], source: str, words: str
) -> Use:
    """A use in one text of a rule."""
    key, texts = edition_of(record), record["texts"]
    current = knowledge.currency.of(key, record["locator"]).current
    place = (record["book"], *newest_first(key), record["order"])
    authority = texts[lang]["authority"] if source != GLOSS and lang in texts else None
    rule = Bearer(record["iri"], record["game"], record["book"], record["edition"], record["number"], record["locator"])
    return Use(rule, concept, lang, *span, source, words, authority, current, place)


def _body(use: Use) -> "contract.Use":
    rule, words = use.rule, use.words
    before, after = around(words, use.start, use.end)
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
