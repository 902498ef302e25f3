"""How a translation renders the words of a concordance: each rendering with the number of parts of rules that have it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from corpus.address import EditionKey, game_of
from corpus.languages import choose, label_language
from ontology.concepts.names import with_related
from ontology.knowledge import Knowledge
from ontology.labels import LabelSort
from ontology.translation.concordance import Occurrences
from ontology.translation.drift.terms import TermNames
from ontology.translation.passages import ParallelPassage, passages
from ontology.translation.renderings import Rendering, TranslatedBook, distinct_renderings, translated_part

if TYPE_CHECKING:
    from corpus.contract import RenderingCount

_Group = tuple[EditionKey, str, str]
"""An edition, the language of the words, and the language beside it."""


def rendering_counts(knowledge: Knowledge, occurrences: Occurrences, other_lang: str | None) -> "list[RenderingCount]":
    """The renderings in the language `other_lang` (None: in any other language), edition by edition, the most frequent first."""
    groups: dict[_Group, dict[ParallelPassage, set[str]]] = {}
    for occurrence in occurrences.occurrences_page(0, len(occurrences)):
        passage, lang = occurrence.line.passage, occurrence.line.lang
        others = [other for other in passage.words if other != lang]
        other = other_lang if other_lang in others else choose(lang, others) if other_lang is None else None
        if other is not None:
            words = occurrence.line.words[occurrence.span.start : occurrence.span.end]
            groups.setdefault((passage.key, lang, other), {}).setdefault(passage, set()).add(words)
    return [row for group, forms_by_passage in groups.items() for row in _group_counts(knowledge, group, forms_by_passage)]


def _group_counts(
    knowledge: Knowledge, group: _Group, forms_by_passage: "dict[ParallelPassage, set[str]]"
) -> "Iterator[RenderingCount]":
    key, lang, other = group
    bilingual = [passage for passage in passages(knowledge, key) if lang in passage.words and other in passage.words]
    numbers = {passage: number for number, passage in enumerate(bilingual)}
    book: TranslatedBook = knowledge.cached(("translated", *group), lambda: _translated_book(knowledge, group, bilingual))
    term_forms = {form for forms in forms_by_passage.values() for form in forms}
    concepts = _concepts_with_names(knowledge, term_forms, key.game)
    labels = [label for concept in concepts for label in knowledge.names.labels.get(concept, ())]
    sorts = {label.text: label.sort for label in reversed(labels) if label.lang == label_language(other)}
    with_term = [numbers[passage] for passage in forms_by_passage]
    known_renderings = book.known(with_term, list(reversed(sorts)))
    lacking = _without(with_term, known_renderings)
    recurring = book.recurring(with_term, lacking, {*term_forms, *(label.text for label in labels)}, known_renderings)
    renderings = sorted([*known_renderings, *distinct_renderings(recurring)], key=lambda rendering: -len(rendering.parts))
    rest = _without(with_term, renderings)
    for rendering in [*renderings, *([Rendering("", rest)] if rest else [])]:
        sort: LabelSort | None = sorts.get(rendering.words)
        yield {
            "game": key.game,
            "book": key.book,
            "edition": key.edition,
            "lang": lang,
            "beside": other,
            "text": rendering.words or None,
            "sort": sort.value if sort else None,
            "count": len(rendering.parts),
            "share": round(len(rendering.parts) / len(with_term), 3),
            "rules": list(dict.fromkeys(bilingual[number].rule for number in rendering.parts)),
        }


def _without(numbers: Sequence[int], renderings: Sequence[Rendering]) -> list[int]:
    """The parts that have none of some renderings."""
    having = {number for rendering in renderings for number in rendering.parts}
    return [number for number in numbers if number not in having]


def _concepts_with_names(knowledge: Knowledge, names: "set[str]", game: str) -> list[str]:
    """The concepts of a game with some names; if it has none, the same concepts of other games."""
    bearers = sorted({bearer for name in names for bearer in knowledge.names.concepts_with_name(name)})
    own = [concept for concept in bearers if game_of(concept) == game]
    own_or_related = own or [concept for concept in with_related(knowledge.names, bearers) if game_of(concept) == game]
    return own_or_related or bearers


def _translated_book(knowledge: Knowledge, group: _Group, bilingual: Sequence[ParallelPassage]) -> TranslatedBook:
    key, lang, other = group
    terms = TermNames(knowledge.names.every_label(), key.game)
    return TranslatedBook(
        [translated_part(passage.words[lang], passage.words[other], (lang, other), terms.mentions) for passage in bilingual]
    )
