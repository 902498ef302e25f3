"""Our components of the spaCy pipelines: cues and zones as one token each, lists of zones, statements."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.extract.patterns import Pattern
from ingest.extract.sequence import names_at, within_limits
from ingest.extract.tokens import CharacterTokenizer

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.matcher import Matcher
    from spacy.tokens import Doc, Span, Token

ZONE, STEM, ZONES = "ZONE", "STEM", "ZONES"
"""Entity labels: a zone's name, a name without its last word (only in lists), one or more zones together."""
TOKENIZER = {"nlp": {"tokenizer": {"@tokenizers": "rulestone_characters"}}}
"""Configuration of a pipeline with our tokenizer."""
_ARTICLES = ("the", "a", "an")
_NEAR = 6
"""Tokens before and behind a match that may still turn its sense."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A pattern found in a sentence: tokens from `start` to `end`, the zones in it, what it read as label or number."""

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
    anchored: bool  # it must open its sentence
    names: list[str]  # of the element that each token pattern comes from
    needed: tuple[frozenset[str], ...]
    matcher: "Matcher"


def register() -> None:
    """Makes our components known to spaCy, once."""
    from spacy.language import Language
    from spacy.util import registry

    if not Language.has_factory("rulestone_merge"):
        registry.tokenizers.register("rulestone_characters", func=_tokenizer)
        Language.component("rulestone_merge", func=_merge)
        Language.factory("rulestone_lists", func=_Lists)
        Language.factory("rulestone_statements", func=_Statements)


def _tokenizer() -> Callable[["Language"], CharacterTokenizer]:
    """A tokenizer comes with every pipeline; its own would load a dictionary for Japanese."""
    return lambda nlp: CharacterTokenizer(nlp.vocab, {})


def _merge(doc: "Doc") -> "Doc":
    """Every entity one token; a zone's token knows which zone it is."""
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


class _Lists:
    """Zones joined by commas and conjunctions become one token: a general rule names them all at once."""

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
            if start is not None and self._joined(doc[last + 1 : token.i]):
                last = token.i
                continue
            if start is not None:
                yield doc[start : last + 1]
            start = last = token.i
        if start is not None:
            yield doc[start : last + 1]

    def _joined(self, between: "Span") -> bool:
        words = [token.norm_ for token in between if token.ent_type_ != "AREA"]
        return bool(words) and all(word in self.between for word in words) and any(word in self.join for word in words)


class _Statements:
    """Finds the patterns of a language in a sentence."""

    def __init__(self, nlp: "Language", name: str) -> None:
        self.nlp = nlp
        self.compiled: list[CompiledPattern] = []
        self.cjk = False
        self.numbers: Mapping[str, int] = {}

    def __call__(self, doc: "Doc") -> "Doc":
        """Of the matches of one pattern that end at one place the shortest counts."""
        there = {token.ent_type_ for token in doc} | {token.norm_ for token in doc}
        hits: set[Hit] = set()
        for pattern in self.compiled:
            if all(there & wanted for wanted in pattern.needed):
                hits.update(self._hits(doc, pattern))
        doc.user_data["hits"] = sorted(hits, key=lambda hit: (hit.start, hit.end, hit.pattern.property, hit.pattern.value))
        return doc

    def _hits(self, doc: "Doc", compiled: CompiledPattern) -> Iterator[Hit]:
        best: dict[int, tuple[int, list[int]]] = {}
        matches: Iterable[Any] = compiled.matcher(doc, with_alignments=True)
        for _, start, end, alignment in matches:
            if compiled.anchored and doc[:start].text.strip("\"'“”「『（( ・•-"):
                continue
            if (end not in best or start > best[end][0]) and within_limits(alignment, compiled.names, cjk=self.cjk):
                best[end] = start, alignment
        for end, (start, alignment) in best.items():
            hit = self._hit(doc, compiled, start, end, alignment)
            if hit:
                yield hit

    def _hit(self, doc: "Doc", compiled: CompiledPattern, start: int, end: int, alignment: Sequence[int]) -> Hit | None:
        if self._forbidden(doc, start, end, compiled.pattern.without):
            return None
        zones = tuple(dict.fromkeys(zone for token in doc[start:end] for zone in token._.zones))
        label = [start + place for place in names_at(alignment, compiled.names, "LABEL")]
        numbers = [self._number(doc[start + place]) for place in names_at(alignment, compiled.names, "NUM")]
        words = doc[label[0] : label[-1] + 1].text if label else ""
        return Hit(compiled.pattern, start, end, zones, words, next((number for number in numbers if number is not None), None))

    def _forbidden(self, doc: "Doc", start: int, end: int, words: Sequence[str]) -> bool:
        """Whether something near a match turns its sense; several words count anywhere in the sentence."""
        around = doc[max(0, start - _NEAR) : end + _NEAR]
        there = {word for token in around for word in (token.ent_type_, token.norm_)}
        text = "".join(token.norm_ for token in around) if self.cjk else doc.text.lower()
        return any(word in there or ((self.cjk or " " in word) and not word.isupper() and word in text) for word in words)

    def _number(self, token: "Token") -> int | None:
        return int(token.norm_) if token.norm_.isdecimal() else self.numbers.get(token.text.lower())
