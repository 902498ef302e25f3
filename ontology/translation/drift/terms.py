"""The terms of a game in several languages: those that a text mentions, and whether another text has a name of theirs."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from corpus.address import scheme_of
from corpus.languages import LANGUAGES, label_language
from corpus.words.inflection import verb_forms
from corpus.words.kana import in_hiragana
from corpus.words.lexicon import Lexicon
from corpus.words.text import CJK, fold_text
from corpus.words.tokens import singular, words
from ontology.labels import Label, LabelSort
from ontology.shipped import shipped_links
from ontology.translation.drift.finding import Span

_MIN_HIRAGANA = 4
"""Minimum number of characters of a name in katakana that a sentence may have in hiragana; shorter ones occur inside words."""
_CJK = re.compile(f"[{CJK}]")


class TermNames:
    """The names of a game's concepts, and the names of these concepts in other games."""

    def __init__(
        self,
        labels: Iterable[Label],
        game: str,
        forbidden: Iterable[tuple[str, str, str]] = (),
        decisions: Iterable[tuple[str, str, str]] = (),
    ) -> None:
        """`forbidden` are names that must not be used, `decisions` those that a person chose: concept, language, words."""
        self._names_of_decisions: dict[tuple[str, str], list[str]] = {}
        for concept, lang, name in sorted(decisions):
            self._names_of_decisions.setdefault((concept, lang), []).append(name)
        self._forbidden = frozenset(name for name in forbidden if scheme_of(name[0]) == game)
        self._labels: dict[tuple[str, str], list[Label]] = {}  # by concept and language
        self._foreign: dict[tuple[str, str], set[str]] = {}  # names in other games, by concept or hub and language
        self._foreign_concepts: dict[str, set[str]] = {}  # by folded name
        hubs = shipped_links().hub
        for label in labels:
            if (label.concept, label.lang, label.text) in self._forbidden:
                continue
            if scheme_of(label.concept) == game:
                self._labels.setdefault((label.concept, label.lang), []).append(label)
            else:
                for concept in (hubs.get(label.concept, label.concept), label.concept):
                    self._foreign.setdefault((concept, label.lang), set()).add(label.text)
                self._foreign_concepts.setdefault(fold_text(label.text), set()).add(label.concept)
        self._names = {label.text for some in self._labels.values() for label in some if label.sort is not LabelSort.SLANG}
        self.mentions = lru_cache(maxsize=1 << 15)(self._concepts_in_text)
        """Maps a text and its language to the concepts that it mentions, each with its place; slang is ignored."""
        self._lexicon = cache(self._build_lexicon)
        self._foreign_names = cache(self._list_foreign_names)
        self._forbidden_lexicon = cache(self._build_forbidden_lexicon)

    def names(self, concept: str, lang: str) -> list[str]:
        """The names of a concept in a language, the preferred one first."""
        return [label.text for label in self._labels.get((concept, label_language(lang)), ())]

    def preferred_names(self, concept: str, lang: str) -> list[str]:
        """Up to three names that a translation should use."""
        return self.written_names(concept, lang)[:3]

    def written_names(self, concept: str, lang: str) -> list[str]:
        """The names of a concept in a language without slang, the preferred one first."""
        return [label.text for label in self._labels.get((concept, label_language(lang)), ()) if label.sort is not LabelSort.SLANG]

    def _concepts_in_text(self, text: str, lang: str) -> Sequence[tuple[str, Span]]:
        matches = self._lexicon(label_language(lang)).find(words(text, singular))
        return tuple((concept, (match.start, match.end)) for match in matches for concept in sorted(match.values))

    def _build_lexicon(self, lang: str) -> Lexicon:
        labels = [label for (_, label_lang), some in self._labels.items() if label_lang == lang for label in some]
        return Lexicon(((label.text, label.concept) for label in labels if label.sort is not LabelSort.SLANG), singular)

    def forbidden_names(self, concept: str, lang: str) -> list[str]:
        """The names of a concept that must not be used."""
        tag = label_language(lang)
        return sorted(text for other, label_lang, text in self._forbidden if (other, label_lang) == (concept, tag))

    def forbidden_names_in(self, text: str, lang: str) -> Sequence[tuple[str, Span]]:
        """The forbidden names in a text, each with its concept, except inside longer names."""
        matches = self._forbidden_lexicon(label_language(lang)).find(words(text, singular)) if self._forbidden else ()
        return [(concept, (match.start, match.end)) for match in matches for concept in sorted(match.values - {""})]

    def _build_forbidden_lexicon(self, lang: str) -> Lexicon:
        names = [(text, concept) for concept, label_lang, text in self._forbidden if label_lang == lang]
        names_of_labels = [label.text for (_, label_lang), some in self._labels.items() if label_lang == lang for label in some]
        return Lexicon([*names, *((text, "") for text in names_of_labels)], singular)

    def decided_names(self, concept: str, lang: str) -> Sequence[str]:
        """The names that a person chose for a concept; a translation must have one of them."""
        return self._names_of_decisions.get((concept, label_language(lang)), ())

    def is_rendered(self, text: str, concept: str, lang: str) -> bool:
        """Whether a text has a decided name of a concept, or any name if none is decided."""
        decided_names = self.decided_names(concept, lang)
        return (
            any(fold_text(name) in fold_text(text) or _has_form(text, name) for name in decided_names)
            if decided_names
            else self.has_name(text, concept, lang)
        )

    def foreign_name(self, text: str, concept: str, lang: str) -> Span | None:
        """The places of names that belong to another game or to slang and to no concept of this game."""
        for name in self._foreign_names(concept, label_language(lang)):
            if (at := text.find(name)) >= 0:
                return at, at + len(name)
        return None

    def _list_foreign_names(self, concept: str, lang: str) -> list[str]:
        """Names of a concept in other games and in slang that no concept of this game has, the longest first."""
        names = set(self._foreign.get((shipped_links().hub.get(concept, concept), lang), ()))
        labels = (label for tag in LANGUAGES for label in self._labels.get((concept, tag), ()))
        preferred_labels = (label for label in labels if label.sort is LabelSort.PREFERRED)
        for other in {other for label in preferred_labels for other in self._foreign_concepts.get(fold_text(label.text), ())}:
            names |= self._foreign.get((other, lang), set())
        slang = {label.text for label in self._labels.get((concept, lang), ()) if label.sort is LabelSort.SLANG}
        return sorted((name for name in {*names, *slang} - self._names if len(name) > 1), key=len, reverse=True)

    def has_name(self, text: str, concept: str, lang: str) -> bool:
        """Whether a text has any name of a concept or a form of it, even inside a longer word."""
        names = self.written_names(concept, lang)
        if any(name in text or _has_form(text, name) for name in names):
            return True
        if any(hiragana in text for name in names if len(name) >= _MIN_HIRAGANA and (hiragana := in_hiragana(name))):
            return True
        return any(mention == concept for mention, _ in self.mentions(text, lang)) or _has_all_words(text, names)


def _has_form(text: str, name: str) -> bool:
    """Whether a text has a form of a Japanese verb."""
    forms = verb_forms(name)
    return forms is not None and forms.search(text) is not None


def _has_all_words(text: str, names: Sequence[str]) -> bool:
    """Whether a text has all words of a name in Latin script, in any order and form."""
    norms = {token.norm for token in words(text)}
    return any({token.norm for token in words(name)} <= norms for name in names if name and not _CJK.search(name))
