"""The spaCy pipeline for one language and one book: cue words and zone labels as entities, lists of zones, statements.

`spacy.blank(lang)` → entity_ruler → rulestone_merge → rulestone_lists → rulestone_statements; the matches are in
`doc.user_data["hits"]`. spaCy is imported with the first pipeline.
"""

import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ingest.extract.patterns import Pattern, Patterns, positions_of_element, required_tokens, token_sequences, within_limits
from ingest.extract.patterns import patterns as patterns_of
from ingest.extract.text import CharacterTokenizer, has_cjk

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.matcher import Matcher
    from spacy.tokens import Doc, Span, Token
    from spacy.vocab import Vocab


ZONE, STEM, ZONES = "ZONE", "STEM", "ZONES"
"""Entity labels: a zone's name, a name without its last word (only in lists), one or more zones together."""
TOKENIZER = {"nlp": {"tokenizer": {"@tokenizers": "rulestone_characters"}}}
"""Configuration of a pipeline with our tokenizer; spaCy's would load a dictionary for Japanese."""
_ARTICLES = ("the", "a", "an")
_IMPORTING = Lock()
_NEGATION_WINDOW = 6
"""Number of tokens before and after a match that may negate it."""


@dataclass(frozen=True, slots=True)
class PatternHit:
    """A pattern found in a sentence: tokens from `start` to `end`, its zones, and its label or number."""

    pattern: Pattern
    start: int
    end: int
    zones: tuple[str, ...]
    label: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class CompiledPattern:
    """One sequence of token patterns, ready to match."""

    pattern: Pattern
    anchored: bool  # it must start its sentence
    names: list[str]  # of the element that each token pattern comes from
    required_norms: tuple[frozenset[str], ...]
    matcher: "Matcher"


def _import_spacy() -> None:
    """Imports spaCy without torch, which it would load for neural layers that no pipeline here has, for 2 of 3 seconds."""
    modules: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
    with _IMPORTING:
        if "spacy" in modules or "torch" in modules:
            return
        modules["torch"] = None
        try:
            importlib.import_module("spacy")
        finally:
            modules.pop("torch", None)


def register_components() -> None:
    """Registers our components with spaCy, once."""
    _import_spacy()
    from spacy.language import Language
    from spacy.util import registry

    if not Language.has_factory("rulestone_merge"):
        registry.tokenizers.register("rulestone_characters", func=lambda: lambda nlp: CharacterTokenizer(nlp.vocab, {}))
        Language.component("rulestone_merge", func=_merge_lists)
        Language.factory("rulestone_lists", func=_ListMerger)
        Language.factory("rulestone_statements", func=_StatementMatcher)


def _merge_lists(doc: "Doc") -> "Doc":
    """Merges every entity into one token; a zone's token refers to the zone."""
    with doc.retokenize() as retokenizer:
        for entity in doc.ents:
            norm = "".join(token.norm_ + (" " if token.whitespace_ else "") for token in entity).strip()
            attributes: dict[str | int, Any] = {
                "ENT_TYPE": entity.label,
                "NORM": norm,
                "_": {"zones": (entity.ent_id_,) if entity.ent_id_ else ()},
            }
            retokenizer.merge(entity, attrs=attributes)
    return doc


class _ListMerger:
    """Merges zones joined by commas and conjunctions into one token."""

    def __init__(self, nlp: "Language", name: str, join: list[str], filler: list[str]) -> None:
        self.join, self.between = frozenset(join), frozenset([*join, *filler])
        self.home: str | None = None

    def __call__(self, doc: "Doc") -> "Doc":
        with doc.retokenize() as retokenizer:
            for span in map(self._with_article, list(self._lists(doc))):
                zones = tuple(dict.fromkeys(zone for token in span for zone in token._.zones))
                whole = len(zones) > 1 or span[-1].ent_type_ == ZONE or zones == (self.home,)
                retokenizer.merge(span, attrs={"ENT_TYPE": ZONES if whole else "", "_": {"zones": zones if whole else ()}})
        return doc

    def _with_article(self, span: "Span") -> "Span":
        return span.doc[span.start - 1 : span.end] if span.start and span.doc[span.start - 1].norm_ in _ARTICLES else span

    def _lists(self, doc: "Doc") -> Iterable["Span"]:
        start: int | None = None
        last = 0
        for token in doc:
            if token.ent_type_ not in (ZONE, STEM):
                continue
            if start is not None and self._is_joined(doc[last + 1 : token.i]):
                last = token.i
                continue
            if start is not None:
                yield doc[start : last + 1]
            start = last = token.i
        if start is not None:
            yield doc[start : last + 1]

    def _is_joined(self, span: "Span") -> bool:
        words = [token.norm_ for token in span if token.ent_type_ != "AREA"]
        return bool(words) and all(word in self.between for word in words) and any(word in self.join for word in words)


class _StatementMatcher:
    """Finds the patterns of a language in a sentence."""

    def __init__(self, nlp: "Language", name: str) -> None:
        self.nlp = nlp
        self.patterns: list[CompiledPattern] = []
        self.cjk = False
        self.numbers: Mapping[str, int] = {}

    def __call__(self, doc: "Doc") -> "Doc":
        """The shortest of the matches of one pattern that end at one position."""
        there = {token.ent_type_ for token in doc} | {token.norm_ for token in doc}
        hits: set[PatternHit] = set()
        for pattern in self.patterns:
            if all(there & alternatives for alternatives in pattern.required_norms):
                hits.update(self._hits(doc, pattern))
        doc.user_data["hits"] = sorted(hits, key=lambda hit: (hit.start, hit.end, hit.pattern.property, hit.pattern.value))
        return doc

    def _hits(self, doc: "Doc", pattern: CompiledPattern) -> Iterator[PatternHit]:
        best: dict[int, tuple[int, list[int]]] = {}
        matches: Iterable[Any] = pattern.matcher(doc, with_alignments=True)
        for _, start, end, alignment in matches:
            if pattern.anchored and doc[:start].text.strip("\"'“”「『（( ・•-"):
                continue
            if (end not in best or start > best[end][0]) and within_limits(alignment, pattern.names, cjk=self.cjk):
                best[end] = start, alignment
        for end, (start, alignment) in best.items():
            hit = self._hit(doc, pattern, start, end, alignment)
            if hit:
                yield hit

    def _hit(self, doc: "Doc", pattern: CompiledPattern, start: int, end: int, alignment: Sequence[int]) -> PatternHit | None:
        if self._is_negated(doc, start, end, pattern.pattern.without):
            return None
        zones = tuple(dict.fromkeys(zone for token in doc[start:end] for zone in token._.zones))
        label = [start + place for place in positions_of_element(alignment, pattern.names, "LABEL")]
        numbers = [self._number(doc[start + place]) for place in positions_of_element(alignment, pattern.names, "NUM")]
        words = doc[label[0] : label[-1] + 1].text if label else ""
        return PatternHit(
            pattern.pattern, start, end, zones, words, next((number for number in numbers if number is not None), None)
        )

    def _is_negated(self, doc: "Doc", start: int, end: int, words: Sequence[str]) -> bool:
        """Whether a word near a match negates it; some words count anywhere in the sentence."""
        around = doc[max(0, start - _NEGATION_WINDOW) : end + _NEGATION_WINDOW]
        there = {word for token in around for word in (token.ent_type_, token.norm_)}
        text = "".join(token.norm_ for token in around) if self.cjk else doc.text.lower()
        return any(word in there or ((self.cjk or " " in word) and not word.isupper() and word in text) for word in words)

    def _number(self, token: "Token") -> int | None:
        return int(token.norm_) if token.norm_.isdecimal() else self.numbers.get(token.text.lower())


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A pipeline with its patterns."""

    patterns: Patterns
    nlp: "Language"

    def read(self, sentence: str, home: str | None = None) -> tuple["Doc", list[PatternHit]]:
        """The tokens of a sentence and its hits in text order; none for a single event.

        In the section of the zone `home`, its name also counts without its last word.
        """
        lists: Any = self.nlp.get_pipe("rulestone_lists")
        lists.home = home if self.patterns.cjk else None  # in English `your ferries` is not the ferry zone
        doc = self.nlp(sentence)
        hits: list[PatternHit] = doc.user_data["hits"]
        return doc, [] if any(hit.pattern.value == "event" for hit in hits) else hits


def pipeline(patterns: Patterns, labels: Mapping[str, Sequence[str]], stems: Mapping[str, Sequence[str]]) -> Pipeline:
    """The pipeline for a language with these zones: slug → labels, slug → names without their last word."""
    cues = {word.lower() for words in patterns.cues.values() for word in words}
    short = [row for row in _rows(STEM, stems) if row["pattern"].lower() not in cues]
    nlp = _language(patterns, [*_rows(ZONE, labels), *short])
    nlp.add_pipe("rulestone_lists", config={"join": sorted(patterns.join), "filler": sorted(patterns.filler)})
    finder: Any = nlp.add_pipe("rulestone_statements")
    finder.patterns, finder.numbers, finder.cjk = _compiled_patterns(patterns.lang), patterns.numbers, patterns.cjk
    return Pipeline(patterns, nlp)


def _language(patterns: Patterns, rows: Sequence[dict[str, str]]) -> "Language":
    """The tokens of a literal, in which each cue word and each zone is one token."""
    register_components()
    import spacy
    from spacy.tokens import Token

    if not Token.has_extension("zones"):
        Token.set_extension("zones", default=())
    language = spacy.util.get_lang_class(patterns.lang)  # spacy.blank would check a configuration, for 20 ms
    nlp = language(_shared_vocab(patterns.lang), create_tokenizer=lambda empty: CharacterTokenizer(empty.vocab, patterns.variants))
    ruler: Any = nlp.add_pipe("entity_ruler", config={"phrase_matcher_attr": "NORM"})
    cues = [{"label": cue, "pattern": word} for cue, words in patterns.cues.items() for word in words]
    numbers = [{"label": "NUM", "pattern": word} for word in patterns.numbers]
    ruler.add_patterns([*cues, *numbers, *rows])
    nlp.add_pipe("rulestone_merge")
    return nlp


@cache
def _shared_vocab(lang: str) -> "Vocab":
    """All pipelines of a language share one vocabulary, and therefore the compiled patterns."""
    register_components()
    import spacy

    return spacy.blank(lang, config=TOKENIZER).vocab


@cache
def _compiled_patterns(lang: str) -> list[CompiledPattern]:
    """The patterns of a language; each reading is compiled separately, because few can match in one sentence."""
    from spacy.matcher import Matcher

    lang_patterns = patterns_of(lang)
    nlp = _language(lang_patterns, [])

    def token_norms(words: str) -> list[str]:
        """The tokens of a literal as in a text, where a cue is one token."""
        return [token.norm_ for token in nlp(words)]

    compiled_patterns: list[CompiledPattern] = []
    for pattern in lang_patterns.patterns:
        for words in pattern.words:
            for is_anchored, tokens, names in token_sequences(words, token_norms):
                matcher = Matcher(nlp.vocab)
                matcher.add("pattern", [tokens])
                compiled_patterns.append(CompiledPattern(pattern, is_anchored, names, required_tokens(tokens), matcher))
    return compiled_patterns


def _rows(name: str, words_by_label: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    return [
        {"label": name, "pattern": form, "id": slug}
        for slug, names in words_by_label.items()
        for word in names
        for form in _forms(word)
    ]


def _forms(word: str) -> list[str]:
    """A label and its plural."""
    if has_cjk(word):
        return [word]
    plural = (
        f"{word[:-1]}ies" if word.endswith(("dy", "ry", "ty")) else f"{word}es" if word.endswith(("s", "x", "sh")) else f"{word}s"
    )
    return [word, plural, f"{word}'s"]
