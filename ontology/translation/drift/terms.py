"""The terms of a game in two languages: which a text names, and whether another text has any of their names."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from corpus.address import scheme_of
from corpus.languages import label_language
from corpus.words.lexicon import Lexicon
from corpus.words.text import CJK, fold
from corpus.words.tokens import singular, words
from ontology.labels import Label, Sort, links
from ontology.translation.drift.finding import Span

_CJK = re.compile(f"[{CJK}]")


class Termbase:
    """The names of a game's concepts."""

    def __init__(self, labels: Iterable[Label], game: str) -> None:
        self._names: dict[tuple[str, str], list[Label]] = {}
        self._others: dict[tuple[str, str], set[str]] = {}
        self._by_name: dict[str, set[str]] = {}
        hubs = links().hub
        for label in labels:
            if scheme_of(label.concept) == game:
                self._names.setdefault((label.concept, label.lang), []).append(label)
            else:
                self._others.setdefault((hubs.get(label.concept, label.concept), label.lang), set()).add(label.text)
                self._others.setdefault((label.concept, label.lang), set()).add(label.text)
                self._by_name.setdefault(fold(label.text), set()).add(label.concept)
        self._of: dict[str, list[Label]] = {}
        for (concept, _), some in self._names.items():
            self._of.setdefault(concept, []).extend(some)
        self._own = {label.text for some in self._names.values() for label in some if label.sort is not Sort.SLANG}
        self._lexicons: dict[str, Lexicon] = {}
        self.named = lru_cache(maxsize=1 << 15)(self._named)
        self._instead: dict[tuple[str, str], list[str]] = {}

    def names(self, concept: str, lang: str) -> list[str]:
        """What a concept is called in a language, the preferred name first."""
        return [label.text for label in self._names.get((concept, label_language(lang)), ())]

    def preferred(self, concept: str, lang: str) -> list[str]:
        """The names that a translation is to use."""
        names = [label.text for label in self._names.get((concept, label_language(lang)), ()) if label.sort is not Sort.SLANG]
        return names[:3]

    def _named(self, text: str, lang: str) -> Sequence[tuple[str, Span]]:
        """The concepts that a text names, the longest name at each place, slang left out."""
        matches = self._lexicon(label_language(lang)).find(words(text, singular))
        return tuple((concept, (match.start, match.end)) for match in matches for concept in sorted(match.values))

    def _lexicon(self, lang: str) -> Lexicon:
        if lang not in self._lexicons:
            own = [label for (_, tongue), some in self._names.items() if tongue == lang for label in some]
            self._lexicons[lang] = Lexicon(((label.text, label.concept) for label in own if label.sort is not Sort.SLANG), singular)
        return self._lexicons[lang]

    def elsewhere(self, text: str, concept: str, lang: str) -> Span | None:
        """Where a text has what another game, or slang, calls a concept and no concept of this game is called."""
        for name in self._mistaken(concept, label_language(lang)):
            if (at := text.find(name)) >= 0:
                return at, at + len(name)
        return None

    def _mistaken(self, concept: str, lang: str) -> list[str]:
        """What other games and slang call a concept, but for what anything of this game is called; the longest first."""
        if (concept, lang) not in self._instead:
            self._instead[concept, lang] = self._others_of(concept, lang)
        return self._instead[concept, lang]

    def _others_of(self, concept: str, lang: str) -> list[str]:
        others = set(self._others.get((links().hub.get(concept, concept), lang), ()))
        for name in self._named_alike(concept):
            others |= self._others.get((name, lang), set())
        slang = {label.text for label in self._names.get((concept, lang), ()) if label.sort is Sort.SLANG}
        return sorted((name for name in {*others, *slang} - self._own if len(name) > 1), key=len, reverse=True)

    def _named_alike(self, concept: str) -> set[str]:
        """The concepts of other games that are called the same in any language."""
        own = (label for label in self._of.get(concept, ()) if label.sort is Sort.PREFERRED)
        return {other for label in own for other in self._by_name.get(fold(label.text), ())}

    def has(self, text: str, concept: str, lang: str) -> bool:
        """Whether a text has any name of a concept, inside a longer word too."""
        names = [label.text for label in self._names.get((concept, label_language(lang)), ()) if label.sort is not Sort.SLANG]
        if any(name in text for name in names):
            return True
        return any(named == concept for named, _ in self.named(text, lang)) or _has_words(text, names)


def _has_words(text: str, names: Sequence[str]) -> bool:
    """Whether all words of a name in Latin letters stand in a text, in whatever order and form."""
    known = {token.norm for token in words(text)}
    return any({token.norm for token in words(name)} <= known for name in names if name and not _is_cjk(name))


def _is_cjk(text: str) -> bool:
    return _CJK.search(text) is not None
