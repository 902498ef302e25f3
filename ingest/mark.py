"""Marks the concepts in a text: the longest label at each position, in its own game and language."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from corpus.data_files import read_toml
from corpus.languages import label_language
from corpus.words.lexicon import LabelMatch, Lexicon
from corpus.words.tokens import singular, words
from ontology.labels import Label, LabelSort
from ontology.shipped import marked_labels, shipped_links

CROSS_GAME = ""
_CJK = re.compile("[぀-ヿ㐀-鿿A-Za-z]")


class ConceptMark(NamedTuple):
    """A concept named in a text: `text[start:end]`, counted in code points."""

    concept: str  # IRI
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _LabelContext:
    """The required context of a one-character label: patterns of one character each, None for any character."""

    before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    not_before: re.Pattern[str] | None = None
    not_after: re.Pattern[str] | None = None

    def is_allowed_between(self, before: str, after: str) -> bool:
        """Whether the neighbouring characters (empty at the ends of the text) allow the label to denote its concept."""
        if any(pattern and pattern.match(neighbour) for pattern, neighbour in ((self.not_before, before), (self.not_after, after))):
            return False
        conditions = [(pattern, neighbour) for pattern, neighbour in ((self.before, before), (self.after, after)) if pattern]
        return not conditions or any(pattern.match(neighbour) for pattern, neighbour in conditions)


class ConceptMarker:
    """Marks the concepts of one game, or cross-game concepts for a game without its own."""

    def __init__(self, game: str) -> None:
        self.game = game if any(label.scheme == game for label in marked_labels()) else CROSS_GAME

    def marks(self, text: str, lang: str) -> Iterator[ConceptMark]:
        """The concepts that a text names, from left to right; one label may name several."""
        label_lang = label_language(lang)
        for match in _lexicon(self.game, label_lang).find(words(text, singular)):
            if match.end - match.start > 1 or _is_mention(text, match, label_lang):
                yield from (ConceptMark(concept, match.start, match.end) for concept in sorted(match.values))


@cache
def _lexicon(scheme: str, lang: str) -> Lexicon:
    """The labels of a scheme in a language, without slang, and the words that merely contain a label."""
    labels = (label for label in marked_labels() if label.lang == lang and label.sort != LabelSort.SLANG)
    concepts_of_labels = ((label.text, _concept_for_label(label, scheme)) for label in labels)
    labels_of_concepts = ((text, concept) for text, concept in concepts_of_labels if concept)
    blocked_words = ((word, "") for word in read_toml("ingest", "contexts.toml").get(lang, {}).get("never", ()))
    return Lexicon(chain(labels_of_concepts, blocked_words), singular)


def _concept_for_label(label: Label, scheme: str) -> str | None:
    """The concept of a scheme for a label; for the hub, the cross-game concept of any game's label."""
    if label.scheme == scheme:
        return label.concept
    return shipped_links().hub.get(label.concept) if scheme == CROSS_GAME else None


def _is_mention(text: str, match: LabelMatch, lang: str) -> bool:
    before, after = text[max(match.start - 1, 0) : match.start], text[match.end : match.end + 1]
    if not _CJK.match(before) and not _CJK.match(after):
        return True
    context = _label_contexts().get(lang, {}).get(text[match.start : match.end])
    return context is not None and context.is_allowed_between(before, after)


@cache
def _label_contexts() -> Mapping[str, Mapping[str, _LabelContext]]:
    return {
        lang: {row["label"]: _context(row) for row in table["labels"]}
        for lang, table in read_toml("ingest", "contexts.toml").items()
    }


def _context(row: Mapping[str, Any]) -> _LabelContext:
    return _LabelContext(**{name: re.compile(pattern) for name, pattern in row.items() if name != "label"})
