"""The labels of every shipped concept: what marking, search and the term table look for."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple

import pyoxigraph as ox

from corpus.address import NS, SKOS, graph_iri, is_concept, scheme_of
from corpus.languages import canonical


class Sort(StrEnum):
    """How a concept is called: the first name, another one, or only on the floor."""

    PREFERRED = "preferred"
    ALTERNATIVE = "alternative"
    SLANG = "slang"


_SORTS = {f"{SKOS}prefLabel": Sort.PREFERRED, f"{SKOS}altLabel": Sort.ALTERNATIVE, f"{SKOS}hiddenLabel": Sort.SLANG}
_OFFICIAL, _HUB, _DEFINED = f"{NS}officialLabel", f"{NS}hub", f"{NS}definedBy"


class Label(NamedTuple):
    """A concept's name in one language."""

    concept: str  # IRI
    lang: str
    text: str
    sort: Sort
    official: bool

    @property
    def scheme(self) -> str:
        """The game, or the cross-game scheme, that the concept belongs to."""
        return scheme_of(self.concept)


class Links(NamedTuple):
    """What a concept is tied to."""

    hub: Mapping[str, str]  # concept → the cross-game concept it is a case of
    defined_by: Mapping[str, tuple[str, ...]]  # concept → rules, by address


@cache
def labels() -> tuple[Label, ...]:
    """Every label, sorted by concept, language, sort and text."""
    official: set[tuple[str, str, str]] = set()
    named: list[tuple[str, str, str, Sort]] = []
    for quad in concept_quads():
        concept, predicate, value = quad.subject, quad.predicate.value, quad.object
        if isinstance(concept, ox.NamedNode) and isinstance(value, ox.Literal) and value.language:
            lang = canonical(value.language)
            if predicate in _SORTS:
                named.append((concept.value, lang, value.value, _SORTS[predicate]))
            elif predicate == _OFFICIAL:
                official.add((concept.value, lang, value.value))
    order = list(Sort)
    named.sort(key=lambda label: (label[0], label[1], order.index(label[3]), label[2]))
    return tuple(Label(*label, label[:3] in official) for label in named if is_concept(label[0]))


@cache
def links() -> Links:
    """The ties of every shipped concept."""
    hub: dict[str, str] = {}
    defined: dict[str, list[str]] = {}
    for quad in concept_quads():
        subject, value = quad.subject, quad.object
        if isinstance(subject, ox.NamedNode) and isinstance(value, ox.NamedNode):
            if quad.predicate.value == _HUB:
                hub[subject.value] = value.value
            elif quad.predicate.value == _DEFINED:
                defined.setdefault(subject.value, []).append(value.value)
    return Links(hub, {concept: tuple(sorted(rules)) for concept, rules in defined.items()})


@cache
def concept_quads() -> tuple[ox.Quad, ...]:
    """Everything that is stated in the shipped concept schemes."""
    from ontology.shipped import graphs  # who only wants to know what a label is does not read them

    return tuple(
        quad
        for graph, lines in graphs().items()
        if graph.startswith(graph_iri("concepts", ""))
        for quad in ox.parse(lines, format=ox.RdfFormat.N_QUADS)
    )
