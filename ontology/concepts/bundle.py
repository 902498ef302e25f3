"""The concepts of a bundle: their names, claims and mappings, in the records.

Each of the three is a document with one entry for each concept. Look-ups read only the entries of the concepts that they need.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

from corpus.address import concept_iri, concept_name
from corpus.store.documents import Documents, Entry, NewDocuments, NewEntry
from corpus.store.engine import Solution, Store
from ontology.concepts.claims import Claim, Support, claims_in
from ontology.concepts.names import ConceptNames, Form, comparison_form, stored_names
from ontology.labels import Label, LabelSort
from ontology.mappings import mappings_in
from ontology.shipped import shipped_forms

NAMES, CLAIMS, MAPPINGS = "names/concepts", "claims/concepts", "mappings/concepts"
"""Documents. The keys of the first are names in the form in which they are compared."""


class StoredConcepts:
    """The concepts of a bundle, independent of dates. Thread-safe."""

    def __init__(self, documents: Documents) -> None:
        """Reads nothing yet."""
        self._documents = documents

    @cached_property
    def names(self) -> ConceptNames:
        """The names of every concept."""
        about = self._documents.document(NAMES).about
        curators = {(concept, lang, label): curator for concept, lang, label, curator in about["curators"]}
        forbidden = [(concept, lang, label) for concept, lang, label in about.get("forbidden", ())]
        return ConceptNames(
            _Labels(self._documents), self._concepts_with_form, about["hubs"], about["of_books"], curators, forbidden
        )

    def claims(self, concepts: Collection[str] | None = None) -> list[Claim]:
        """The claims about some concepts (None: about all), sorted by IRI."""
        claims = (
            Claim(iri, concept, name, value, status, notes, tuple(Support(*support) for support in supports), labels)
            for iri, concept, name, value, status, notes, supports, labels in self._entry_bodies(CLAIMS, concepts)
        )
        return sorted(claims, key=lambda claim: claim.iri)

    def mappings(self, concepts: Collection[str] | None = None) -> list[Solution]:
        """The mappings of some concepts (None: of all), by concept; the most confident first, negated ones last."""
        return list(self._entry_bodies(MAPPINGS, concepts))

    def _entry_bodies(self, document: str, concepts: Collection[str] | None) -> Iterator[Any]:
        if concepts is None:
            entries = self._documents.entries(document)
        else:
            entries = self._documents.entries_by_name(document, map(concept_name, concepts))
        return (body for entry in entries for body in json.loads(entry.content))

    def _concepts_with_form(self, form: Form) -> list[str]:
        names = self._documents.document(NAMES).names
        return [concept_iri(names[place]) for place in self._documents.places(NAMES, _key(form))]


class _Labels(Mapping[str, Sequence[Label]]):
    """Concept → its labels, read on demand."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._cache: dict[str, Sequence[Label]] = {}

    def __getitem__(self, concept: str) -> Sequence[Label]:
        if concept not in self._cache:
            self._keep_labels(self._documents.entries_by_name(NAMES, [concept_name(concept)]))
        return self._cache[concept]

    def __contains__(self, concept: object) -> bool:
        return isinstance(concept, str) and concept in self._concepts

    def __iter__(self) -> Iterator[str]:
        if len(self._cache) < len(self):
            self._keep_labels(self._documents.entries(NAMES))
        return iter(self._concepts)

    def __len__(self) -> int:
        return len(self._concepts)

    @cached_property
    def _concepts(self) -> dict[str, None]:
        return dict.fromkeys(map(concept_iri, self._documents.document(NAMES).names))

    def _keep_labels(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            concept = concept_iri(entry.name)
            self._cache[concept] = [
                Label(concept, lang, text, LabelSort(sort), official) for lang, text, sort, official in json.loads(entry.content)
            ]


def write_concepts(documents: NewDocuments, store: Store) -> None:
    """Writes the names, claims and mappings of the concepts in a store."""
    write_names(documents, store)
    write_claims(documents, claims_in(store))
    write_mappings(documents, store)


def write_names(documents: NewDocuments, store: Store) -> None:
    """Writes the names of the concepts in a store."""
    names = stored_names(store)
    labels = _entries((label.concept, label[1:]) for label in names.labels)
    places, form_of_label = {entry.name: place for place, entry in enumerate(labels)}, shipped_forms()
    forms: dict[str, dict[int, None]] = {}
    for label in names.labels:
        forms.setdefault(_key(form_of_label.get(label.text) or comparison_form(label.text)), {})[
            places[concept_name(label.concept)]
        ] = None
    about = {
        "hubs": dict(sorted(names.hubs.items())),
        "of_books": sorted(names.of_books),
        "curators": [(*label, who) for label, who in sorted((names.curators or {}).items())],
        "forbidden": sorted(names.forbidden),
    }
    documents.add_document(NAMES, labels, forms, about)


def write_claims(documents: NewDocuments, claims: Iterable[Claim]) -> None:
    """Writes all claims, sorted by IRI."""
    documents.add_document(CLAIMS, _claim_entries(claims))


def replace_claims(documents: NewDocuments, concepts: Iterable[str], claims: Iterable[Claim]) -> None:
    """Replaces the claims about some concepts, sorted by IRI; those about others remain as they are written."""
    _replace_entries(documents, CLAIMS, concepts, _claim_entries(claims))


def write_mappings(documents: NewDocuments, store: Store) -> None:
    """Writes the mappings of concepts in a store."""
    documents.add_document(MAPPINGS, _mapping_entries(mappings_in(store)))


def replace_mappings(documents: NewDocuments, store: Store, concepts: Collection[str]) -> None:
    """Replaces the mappings of some concepts by those in a store; those of others remain as they are written."""
    _replace_entries(documents, MAPPINGS, concepts, _mapping_entries(mappings_in(store, concepts)) if concepts else ())


def _replace_entries(documents: NewDocuments, name: str, concepts: Iterable[str], entries: Iterable[NewEntry]) -> None:
    """Replaces the entries of some concepts in a document."""
    replaced = set(map(concept_name, concepts))
    others = (NewEntry(entry.name, entry.content) for entry in documents.entries(name) if entry.name not in replaced)
    documents.add_document(name, sorted((*others, *entries), key=lambda entry: concept_iri(entry.name)))


def _mapping_entries(rows: Iterable[Solution]) -> list[NewEntry]:
    return _entries((row["concept"], row) for row in rows)


def _claim_entries(claims: Iterable[Claim]) -> list[NewEntry]:
    by_concept = sorted(claims, key=lambda claim: claim.concept)  # stable: those of a concept stay sorted by IRI
    return _entries((claim.concept, astuple(claim)) for claim in by_concept)


def _entries(concept_bodies: Iterable[tuple[str, object]]) -> list[NewEntry]:
    """An entry for each concept with its data, sorted by concept."""
    bodies = ((concept, [body for _, body in some]) for concept, some in groupby(concept_bodies, itemgetter(0)))
    return [
        NewEntry(concept_name(concept), json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())
        for concept, body in bodies
    ]


def _key(form: Form) -> str:
    return "\x1f".join(form)
