"""From definitions to concepts of a book: what bears one name is one, and what a shipped concept is called is that concept."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from corpus.address import concept_iri, slug
from ingest.define.definitions import Definition, definitions
from ingest.define.label import Form, form
from ingest.merge import Edition
from ontology.labels import Sort, labels

_MANY = 3
"""Terms from which on what stands in parentheses behind each is a remark."""
_JOINED = "term"
"""What is put behind the slug of a concept whose address another one has."""


@dataclass(slots=True)
class BookConcept:
    """What a book defines: its address, its names in each language, the rules that define it."""

    iri: str
    shipped: bool  # a concept that ships: the book only adds names and rules to it
    names: dict[str, dict[str, None]] = field(default_factory=dict)
    """Language → names, the first one first."""
    defined_by: dict[str, None] = field(default_factory=dict)
    """Locators."""
    meaning: Mapping[str, str] = field(default_factory=dict)

    def take(self, definition: Definition, remarks: Collection[tuple[str, str]]) -> None:
        """Takes in another definition of it."""
        for lang, called in definition.names.items():
            kept = (name for name in called if (lang, name) not in remarks)
            self.names.setdefault(lang, {}).update(dict.fromkeys(kept))
        self.defined_by[definition.locator] = None
        self.meaning = self.meaning or definition.meaning


def concepts(edition: Edition) -> list[BookConcept]:
    """The concepts that an edition defines, in the order of the book."""
    every = list(definitions(edition))
    gathered = _Gathered(edition.key.game, _remarks(every))
    leading = [definition for definition in every if edition.original in (definition.lang, "")]
    for definition in leading or every:
        gathered.add(definition)
    for definition in every if leading else ():
        if definition.lang != edition.original:
            gathered.join(definition)
    order = {locator: place for place, locator in enumerate(edition.rules)}
    return sorted(gathered.concepts(), key=lambda concept: min(order[locator] for locator in concept.defined_by))


class _Gathered:
    """The concepts found so far, by what they are called."""

    def __init__(self, game: str, remarks: Collection[tuple[str, str]]) -> None:
        self._game = game
        self._remarks = remarks
        self._taken = {iri for iris in _shipped(game).values() for iri in iris}
        self._leading: dict[tuple[str, Form], BookConcept] = {}
        self._called: dict[tuple[str, Form], dict[int, BookConcept]] = {}

    def concepts(self) -> list[BookConcept]:
        """Each of them once."""
        return list({id(concept): concept for concept in self._leading.values()}.values())

    def add(self, definition: Definition) -> None:
        """Takes a definition in: what is called the same in its first language is the same."""
        place = definition.lang, form(definition.name)
        known = self._leading.get(place) or (_concept(self._game, definition, self._taken) if place[1] else None)
        if known is not None:
            self._take(known, definition)

    def join(self, definition: Definition) -> None:
        """The same for one that is told only in a translation: one concept that is called so there is it."""
        bearers = self._called.get((definition.lang, form(definition.name)), {})
        if len(bearers) == 1:
            self._take(next(iter(bearers.values())), definition)
        elif not bearers:
            self.add(definition)

    def _take(self, concept: BookConcept, definition: Definition) -> None:
        concept.take(definition, self._remarks)
        self._taken.add(concept.iri)
        for lang, called in definition.names.items():
            for name in called:
                if (lang, name) not in self._remarks:
                    self._called.setdefault((lang, form(name)), {})[id(concept)] = concept
                    if lang == definition.lang:
                        self._leading.setdefault((lang, form(name)), concept)


def _remarks(every: Iterable[Definition]) -> set[tuple[str, str]]:
    """Other names that many terms have are none: (Obsolete) says something of each."""
    beside = Counter((lang, name) for definition in every for lang, called in definition.names.items() for name in called[1:])
    return {name for name, count in beside.items() if count >= _MANY}


def _concept(game: str, definition: Definition, taken: Collection[str]) -> BookConcept | None:
    """The shipped concept of that name, or a new one; None where several are called so."""
    bearers = _shipped(game).get((_language(definition.lang), form(definition.name)), ())
    if bearers:
        return BookConcept(bearers[0], shipped=True) if len(bearers) == 1 else None
    return BookConcept(next(iri for iri in _addresses(game, definition) if iri not in taken), shipped=False)


def _addresses(game: str, definition: Definition) -> Iterator[str]:
    """Addresses for a concept: by its English name where it has one, else by the first."""
    english = definition.names.get("en", ())
    slugs = [part for name in (*english[:1], definition.name) if (part := _slug(name))]
    yield from (concept_iri(f"{game}/{part}") for part in slugs)
    base = slugs[-1] if slugs else slug(definition.locator)
    yield concept_iri(f"{game}/{base}-{_JOINED}")
    yield concept_iri(f"{game}/{base}-{slug(definition.locator)}")


def _slug(name: str) -> str:
    """Words as a part of an address; kana keep their marks."""
    plain = unicodedata.normalize("NFKC", name).lower()
    return slug(name) if name.isascii() else "-".join(re.findall(r"[^\W_]+", plain.replace("’", "")))


def _language(lang: str) -> str:
    return "zh-Hans" if lang.startswith("zh") else lang


@cache
def _shipped(game: str) -> Mapping[tuple[str, Form], tuple[str, ...]]:
    """Language and name → the shipped concepts of a game that bear it; those that only the floor calls so where no other does."""
    bearers: dict[tuple[str, Form], dict[bool, dict[str, None]]] = {}
    for label in labels():
        if label.scheme == game:
            by_sort = bearers.setdefault((label.lang, form(label.text)), {})
            by_sort.setdefault(label.sort is Sort.SLANG, {})[label.concept] = None
    return {place: tuple(by_sort[min(by_sort)]) for place, by_sort in bearers.items()}
