"""What the model learns from: texts that mean the same, gathered from the digest, the concepts and their mappings."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import pyoxigraph as ox

from corpus.address import SKOS
from corpus.digest import Digest, Gloss, digests
from corpus.words.lexicon import Lexicon
from ontology.labels import concept_quads, labels
from search.index.concept_tokens import MARK, shared_concept
from search.index.floor import ideas

_DEFINITION = f"{SKOS}definition"


class Group(NamedTuple):
    """Texts that mean the same, in whatever language: what tells it, and what asks for it or names it."""

    name: str
    texts: tuple[str, ...]
    asked: tuple[str, ...] = ()


def shipped() -> list[Group]:
    """Everything that ships, sorted by name: rules with their questions, concepts with their labels in every game."""
    return sorted([*rules(digests()), *concepts()])


def rules(loaded: Iterable[Digest]) -> Iterator[Group]:
    """The rules and headings of some digests."""
    for digest in loaded:
        for gloss in digest.glosses:
            yield Group(f"{digest.key}/{gloss.locator}", _told(gloss), questions(gloss))


def questions(gloss: Gloss) -> tuple[str, ...]:
    """The questions a rule answers, in all languages."""
    return tuple(question for lang in sorted(gloss.asked) for question in gloss.asked[lang])


def _told(gloss: Gloss) -> tuple[str, ...]:
    """A gloss in each language, headed by its headword, and its example."""
    told = ("\n".join(filter(None, (gloss.headword.get(lang), gloss.words[lang]))) for lang in sorted(gloss.words))
    return (*told, *(gloss.example[lang] for lang in sorted(gloss.example)))


def concepts() -> Iterator[Group]:
    """The concepts: the labels and definitions of all their cases in the games."""
    called: dict[str, set[str]] = {}
    for label in labels():
        called.setdefault(shared_concept(label.concept), set()).add(label.text)
    defined: dict[str, set[str]] = {}
    for concept, words in _definitions():
        defined.setdefault(shared_concept(concept), set()).add(words)
    for idea in ideas():
        called.setdefault(idea.concept, set()).update(idea.words)
        defined.setdefault(idea.concept, set()).update([idea.means] if idea.means else [])
    for name in sorted(called):
        yield Group(f"concept/{name}", tuple(sorted(defined.get(name, ()))), tuple(sorted(called[name])))


def named() -> Lexicon:
    """Every label with the tokens of the concepts it names in any game, and every word of the floor."""
    shipped = ((label.text, MARK + shared_concept(label.concept)) for label in labels())
    said = ((word, MARK + idea.concept) for idea in ideas() for word in idea.words)
    return Lexicon(chain(shipped, said))


def _definitions() -> Iterator[tuple[str, str]]:
    for quad in concept_quads():
        if quad.predicate.value == _DEFINITION and isinstance(quad.subject, ox.NamedNode):
            yield quad.subject.value, str(getattr(quad.object, "value", ""))
