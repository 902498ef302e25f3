"""The names of the concepts in a bundle: the concepts that some words name, and similar names."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import DCTERMS, RS, XL, concept_iri, game_of, graph_iri, is_concept, scheme_of, slug_of
from corpus.catalogue import game_rank
from corpus.errors import InputError, NotFoundError
from corpus.languages import LANGUAGES, canonical_tag, choose
from corpus.store.engine import values_clause
from corpus.words.kana import in_katakana
from corpus.words.text import fold_text
from corpus.words.tokens import name_form
from ontology.keywords import KEYWORD_KINDS
from ontology.labels import LABEL_SORTS, OFFICIAL_LABEL, Label, LabelSort, labels_in

if TYPE_CHECKING:
    from corpus.contract import ConceptLabel, ConceptName
    from corpus.store.engine import Store

_HUBS_QUERY = f"SELECT ?concept ?hub WHERE {{ GRAPH ?g {{ ?concept <{RS}hub> ?hub }} }}"
_UNMARKED_TYPES = [f"{RS}{kind}" for kind in ("BookTerm", "ProposedTerm", *KEYWORD_KINDS)]
_BOOK_TERMS_QUERY = f"SELECT DISTINCT ?concept WHERE {{ GRAPH ?g {{ {values_clause('kind', _UNMARKED_TYPES)} ?concept a ?kind }} }}"
_CURATED_QUERY = f"""
SELECT ?concept ?label (LANG(?label) AS ?lang) ?status ?by WHERE {{
  GRAPH <{graph_iri("terms", "curator")}> {{
    ?node <{RS}curates> ?concept ; <{XL}literalForm> ?label ; <{RS}curatedAs> ?status ; <{RS}curatedBy> ?by
  }}
}}"""
_FORBIDDEN = "forbidden"
"""The status of a name that a person forbade."""
_MAX_SIMILAR, _MIN_SIMILARITY = 4, 0.6
"""Number of names that are suggested for another one, and their minimum similarity to it, from 0 to 1."""
_MAX_NAME_LENGTH = 200
"""Characters of a name."""
_LISTING = "/v1/concepts"
Form = tuple[str, ...]
"""A name normalised for comparison: its words without case, width, number and script variants."""
LabelKey = tuple[str, str, str]
"""Concept, language and label."""


@cache
def moved_concepts() -> Mapping[str, str]:
    """Former IRI of a concept → its IRI, from `data/concepts/moved.ttl`."""
    import pyoxigraph as ox

    triples = ox.parse(files("ontology").joinpath("data/concepts/moved.ttl").read_bytes(), format=ox.RdfFormat.TURTLE)
    pairs = ((triple.subject, triple.object) for triple in triples if triple.predicate.value == f"{DCTERMS}isReplacedBy")
    return {old.value: new.value for old, new in pairs if isinstance(old, ox.NamedNode) and isinstance(new, ox.NamedNode)}


class ConceptNames:
    """The concepts by their names; case, width, number, spaces and script variants make no difference."""

    def __init__(
        self,
        labels: Mapping[str, Sequence[Label]],
        bearers: Callable[[Form], Collection[str]],
        hubs: Mapping[str, str],
        unmarked_concepts: Collection[str] = (),
        curators_by_label: Mapping[LabelKey, str] | None = None,
        forbidden: Collection[LabelKey] = (),
    ) -> None:
        """`labels` of each concept are in display order; `bearers` returns the concepts with a name.

        `hubs` gives the cross-game concept of a concept; `unmarked_concepts` are those that no text marks (terms of books,
        keywords); `curators_by_label` names the person who accepted a label; `forbidden` labels are for search alone.
        """
        self.labels = labels
        self.hubs = hubs
        self.of_books = frozenset(unmarked_concepts)
        self.curators = curators_by_label or {}
        self._forbidden = frozenset(forbidden)
        self.cases: dict[str, list[str]] = {}
        """Cross-game concept → the concepts of games that are cases of it."""
        self._bearers = bearers
        for concept in sorted((concept for concept in hubs if concept in labels), key=concept_order):
            self.cases.setdefault(hubs[concept], []).append(concept)

    def every_label(self) -> Iterator[Label]:
        """The labels of all concepts."""
        return chain.from_iterable(self.labels.values())

    def concepts_with_name(self, name: str, scheme: str | None = None) -> list[str]:
        """The concepts with a name in any language, game by game; of one scheme only, if it is given.

        Words in hiragana that name no concept are read as katakana.
        """
        bearers = self._bearers(comparison_form(name))
        if not bearers and (katakana := in_katakana(name)):
            bearers = self._bearers(comparison_form(katakana))
        return sorted((concept for concept in bearers if scheme in (None, scheme_of(concept))), key=concept_order)

    def similar_names(self, name: str, scheme: str | None = None) -> list[str]:
        """Names and slugs of concepts that are similar to a name, the most similar first."""
        spelling_of: dict[str, str] = {}
        for concept, labels in self.labels.items():
            if game_of(concept) if scheme is None else scheme_of(concept) == scheme:
                spelling_of |= {fold_text(label.text): label.text for label in labels}
                spelling_of.setdefault(slug_of(concept), slug_of(concept))
        return [spelling_of[match] for match in get_close_matches(fold_text(name), spelling_of, _MAX_SIMILAR, _MIN_SIMILARITY)]

    def body_with_name(self, concept: str, lang: str) -> "ConceptName":
        """The preferred label of a concept, with its language; the slug if there is none."""
        names = {label.lang: label.text for label in self.labels.get(concept, ()) if label.sort == LabelSort.PREFERRED}
        name_lang = choose(lang, names)
        label = names[name_lang] if name_lang else slug_of(concept)
        return {"concept": concept, "game": game_of(concept), "label": label, "lang": name_lang}

    def by_language(self, concept: str) -> dict[str, list["ConceptLabel"]]:
        """Language → labels: preferred ones first, then alternatives, then slang and names that a person forbade."""
        labels: dict[str, list[ConceptLabel]] = {lang: [] for lang in LANGUAGES}
        for label in self.labels.get(concept, ()):
            is_forbidden = label.sort is not LabelSort.PREFERRED and label[:3] in self._forbidden
            sort = _FORBIDDEN if is_forbidden else label.sort.value
            body: ConceptLabel = {"label": label.text, "sort": sort, "official": label.official}
            if curator := self.curators.get(label[:3]):
                body["curator"] = curator
            labels.setdefault(label.lang, []).append(body)
        return {lang: sorted(bodies, key=lambda body: body["sort"] == _FORBIDDEN) for lang, bodies in labels.items() if bodies}


class StoredNames(NamedTuple):
    """The sources of `ConceptNames`."""

    labels: list[Label]
    """In display order."""
    hubs: Mapping[str, str]
    of_books: Collection[str] = ()
    curators: Mapping[LabelKey, str] | None = None
    forbidden: Collection[LabelKey] = ()


def stored_names(store: "Store") -> StoredNames:
    """The names of every concept in a store; a label that a curator prefers replaces the preferred one."""
    every_label = [label for label in labels_in(store) if is_concept(label.concept)]  # filtering in the query takes longer
    decisions = {
        (row["concept"], canonical_tag(row["lang"]), row["label"]): (row["status"], row["by"])
        for row in store.select(_CURATED_QUERY)
    }
    replaced_names = {label[:2] for label, (status, _) in decisions.items() if status == LabelSort.PREFERRED}
    official = {label[:3] for label in every_label if label.property == OFFICIAL_LABEL}
    best: dict[LabelKey, LabelSort] = {}
    rank = {sort: nth for nth, sort in enumerate(LabelSort)}
    for label in every_label:
        if label.property in LABEL_SORTS:  # a label printed by a book is not slang, even if another graph marks it as slang
            best[label[:3]] = min(LABEL_SORTS[label.property], best.get(label[:3], LabelSort.SLANG), key=rank.__getitem__)
    best |= {
        name: LabelSort.ALTERNATIVE for name, sort in best.items() if sort is LabelSort.PREFERRED and name[:2] in replaced_names
    }
    best |= {name: LabelSort.PREFERRED for name, (status, _) in decisions.items() if status == LabelSort.PREFERRED and name in best}
    labels = sorted(
        (Label(*label, sort, label in official) for label, sort in best.items()),
        key=lambda label: (label.concept, label.lang, rank[label.sort], not label.official, label.text),
    )
    hubs = {row["concept"]: row["hub"] for row in store.select(_HUBS_QUERY)}
    of_books = {row["concept"] for row in store.select(_BOOK_TERMS_QUERY)}
    curators = {label: curator for label, (_, curator) in decisions.items()}
    forbidden = [label for label, (status, _) in decisions.items() if status == _FORBIDDEN]
    return StoredNames(labels, hubs, of_books, curators, forbidden)


def concept_order(concept: str) -> tuple[int, str]:
    """Sorts concepts: cross-game ones first, then game by game in the catalogue's order."""
    scheme = scheme_of(concept)
    return game_rank(scheme) if scheme else -1, concept


def comparison_form(name: str) -> Form:
    """A name normalised for comparison; one without letters and digits is only folded."""
    return name_form(name) or (fold_text(name),)


def resolve_reference(names: ConceptNames, ref: str) -> list[str]:
    """The concepts to which a reference refers, cross-game ones first, then game by game.

    A reference is an IRI, a name in any language (slang too), or a slug; a game before it (`mtg/yard`) limits it to that game. The
    slug of a cross-game concept refers to the concept and its case in each game. Raises InputError for text that cannot be a
    reference, NotFoundError with similar names if nothing has the name.
    """
    text = _single_spaced(ref)
    if not text:
        raise InputError(
            "{ref!r} does not name a concept; expected mtg/graveyard, graveyard, a name in any language or an address", ref=ref[:60]
        )
    if text.startswith(("http://", "https://")):
        return [_concept_of_iri(names, text)]
    game, _, rest = text.partition("/")
    scheme = game.lower() if rest and any(scheme_of(concept) == game.lower() for concept in names.labels) else None
    name = rest if scheme else text
    iri = concept_iri(f"{scheme}/{name.lower()}")
    if iri in moved_concepts() and iri not in names.labels:
        return [_concept_of_iri(names, iri)]
    if concepts := set(_by_slug_or_name(names, name, scheme)):
        return sorted(concepts, key=concept_order)
    raise unknown_name_error(names, name, scheme)


def concepts_named(names: ConceptNames, label: str) -> list[str]:
    """The concepts of games with a name, else the cross-game ones. Raises InputError for text that cannot be a name."""
    text = _single_spaced(label)
    if not text:
        raise InputError(
            "{label!r} does not name a term; expected a name in any language, e.g. 山札, graveyard or yard", label=label[:60]
        )
    return _concepts_with_name(names, text)


def with_related(names: ConceptNames, concepts: Sequence[str]) -> list[str]:
    """Some concepts, their cross-game concepts and the cases of these in every game."""
    hubs = {names.hubs.get(concept, concept) for concept in concepts}
    cases = (case for hub in hubs for case in names.cases.get(hub, ()))
    return sorted({*concepts, *hubs, *cases}, key=concept_order)


def unknown_name_error(names: ConceptNames, name: str, scheme: str | None = None) -> NotFoundError:
    """The error for a name that no concept has, with similar names."""
    similar = ", ".join(names.similar_names(name, scheme))
    if scheme:
        error = NotFoundError("no concept is called {name!r} in {scheme}", name=name[:60], scheme=scheme, listing=_LISTING)
    else:
        error = NotFoundError("no concept is called {name!r}", name=name[:60], listing=_LISTING)
    if similar:
        return NotFoundError("{problem}; similar: {names}", problem=error.message, names=similar)
    return error


def _single_spaced(text: str) -> str:
    """Words with single spaces; "" if they are too long for a name."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _MAX_NAME_LENGTH else ""


def _by_slug_or_name(names: ConceptNames, name: str, scheme: str | None) -> Iterator[str]:
    for concept in names.labels:
        if slug_of(concept) == name.lower() and scheme in (None, scheme_of(concept)):
            yield from (concept, *names.cases.get(concept, ()))
    yield from _concepts_with_name(names, name, scheme)


def _concepts_with_name(names: ConceptNames, name: str, scheme: str | None = None) -> list[str]:
    """The concepts of games with a name; if no game has one, the cross-game concepts with it."""
    bearers = names.concepts_with_name(name, scheme)
    return [concept for concept in bearers if game_of(concept)] or bearers


def _concept_of_iri(names: ConceptNames, iri: str) -> str:
    for address in (iri, moved_concepts().get(iri, iri)):
        if address in names.labels:
            return address
    if is_concept(iri):
        raise unknown_name_error(names, slug_of(iri))
    raise InputError(
        "{iri} is not the address of a concept; expected one like {example}", iri=iri[:120], example=concept_iri("mtg/graveyard")
    )
