"""Who prints a name: the publisher's book, its translation, a community's text; and where it stands first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from corpus.address import NS, EditionKey, graph_iri
from corpus.languages import label_language
from corpus.model import Authority
from corpus.words.tokens import singular, words
from ontology.concepts.labels import ALTERNATIVE, PREFERRED, labels_in
from ontology.knowledge import Knowledge
from ontology.translation.bitext.passages import HEADING, TEXT, Passage, passages

Form = tuple[str, ...]
Place = tuple[str, str, Form]
"""A concept, a language, and a name as names are compared."""
TERMS = "terms"
"""What the names of the graphs begin with that say what an edition defines."""
_DEFINED = f"SELECT ?concept ?rule WHERE {{ GRAPH <%s> {{ ?concept <{NS}definedBy> ?rule }} }} ORDER BY ?rule"
_MORE = 5
"""Characters that a sentence has beside the name in it."""


@dataclass(frozen=True, slots=True)
class Printed:
    """That an edition prints a name: with what authority, and where (a passage and a span of it, where these are known)."""

    authority: Authority
    current: bool
    key: EditionKey
    passage: Passage | None
    span: tuple[int, int] | None

    @property
    def rank(self) -> tuple[Any, ...]:
        """The lowest stands first: current texts, then the authority, then words before titles."""
        heading = self.passage is None or self.passage.part == HEADING
        return not self.current, self.authority.rank, heading, self.span is None


def printed(knowledge: Knowledge) -> Mapping[Place, Printed]:
    """Every name that a loaded text prints; read once, kept with the bundle."""
    kept: Mapping[Place, Printed] = knowledge.once(("printed",), lambda: _best(_everything(knowledge)))
    return kept


def form(name: str) -> Form:
    """A name as names are compared: without case, width, number and script variant."""
    return _form(name)


@lru_cache(1 << 14)
def _form(name: str) -> Form:
    return tuple(token.norm for token in words(name, singular)) or (name,)


def _best(forms: Iterable[tuple[Place, Printed]]) -> Mapping[Place, Printed]:
    best: dict[Place, Printed] = {}
    for place, name in forms:
        if place not in best or name.rank < best[place].rank:
            best[place] = name
    return best


def _everything(knowledge: Knowledge) -> Iterator[tuple[Place, Printed]]:
    for key in sorted(knowledge.manifest.editions, key=str):
        for passage in passages(knowledge, key):
            yield from _marked(passage)
        yield from _defined(knowledge, key)


def _marked(passage: Passage) -> Iterator[tuple[Place, Printed]]:
    for lang, marks in passage.marks.items():
        text, authority = passage.words[lang], Authority(passage.authority[lang])
        for concept, start, end in marks:
            place = concept, label_language(lang), form(text[start:end])
            yield place, Printed(authority, passage.current, passage.key, passage, (start, end))


def _defined(knowledge: Knowledge, key: EditionKey) -> Iterator[tuple[Place, Printed]]:
    """The names that an edition defines, in the languages that it is loaded in."""
    languages = knowledge.manifest.editions[key].languages
    if not languages:
        return
    graph, texts = graph_iri(TERMS, key), {passage.rule: passage for passage in passages(knowledge, key) if passage.part == TEXT}
    rules = knowledge.store.select(_DEFINED % graph)
    defining: dict[str, list[Passage]] = {}
    for row in rules:
        if row["rule"] in texts:
            defining.setdefault(row["concept"], []).append(texts[row["rule"]])
    for label in labels_in(knowledge.store, (PREFERRED, ALTERNATIVE), graph=graph):
        for lang in _loaded(label.lang, list(languages)):
            place = label.concept, label_language(label.lang), form(label.text)
            those = defining.get(label.concept, ())
            yield place, _title(knowledge, key, Authority(languages[lang]), those, (lang, label.text))


def _title(
    knowledge: Knowledge, key: EditionKey, authority: Authority, defining: Sequence[Passage], name: tuple[str, str]
) -> Printed:
    """A name that is defined, in a sentence of a rule that defines it where one says more than the name."""
    lang, label = name
    for passage in defining:
        text = passage.words.get(lang, "")
        at = text.casefold().find(label.casefold())
        if at >= 0 and len(text) > len(label) + _MORE:
            return Printed(authority, passage.current, key, passage, (at, at + len(label)))
    first = defining[0] if defining else None
    return Printed(authority, first.current if first else knowledge.currency.has_current(key), key, first, None)


def _loaded(lang: str, there: Sequence[str]) -> list[str]:
    return [name for name in there if label_language(name) == label_language(lang)]
