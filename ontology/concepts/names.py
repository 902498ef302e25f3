"""The names of the concepts in a bundle: the concepts that some words name, and similar names."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import NS, XL, concept_iri, game_of, graph_iri, is_concept, scheme_of, slug_of
from corpus.catalogue import catalogue
from corpus.errors import InputError, NotFoundError
from corpus.languages import LANGUAGES, canonical, choose
from corpus.messages import message
from corpus.store.engine import values
from corpus.words.text import fold
from corpus.words.tokens import singular, words
from ontology.concepts.moved import moved
from ontology.keywords import KINDS
from ontology.labels import OFFICIAL_LABEL, SORTS, Label, Sort, labels_in

if TYPE_CHECKING:
    from corpus.contract import ConceptLabel, ConceptName
    from corpus.store.engine import Store

_HUBS = f"SELECT ?concept ?hub WHERE {{ GRAPH ?g {{ ?concept <{NS}hub> ?hub }} }}"
_UNMARKED = [f"{NS}{kind}" for kind in ("BookTerm", *KINDS)]
_OF_BOOKS = f"SELECT DISTINCT ?concept WHERE {{ GRAPH ?g {{ {values('kind', _UNMARKED)} ?concept a ?kind }} }}"
_CURATED = f"""
SELECT ?concept ?label (LANG(?label) AS ?lang) ?status ?by WHERE {{
  GRAPH <{graph_iri("terms", "curator")}> {{
    ?node <{NS}curates> ?concept ; <{XL}literalForm> ?label ; <{NS}curatedAs> ?status ; <{NS}curatedBy> ?by
  }}
}}"""
_MIN_SIMILARITY = 0.6
"""Minimum similarity, from 0 to 1, of a name that is suggested for another one."""
_LONGEST = 200
"""Characters of a name."""
Form = tuple[str, ...]
"""A name normalised for comparison: its words without case, width, number and script variants."""
LabelKey = tuple[str, str, str]
"""Concept, language and label."""


class Names:
    """The concepts by their names; case, width, number, spaces and script variants make no difference."""

    def __init__(
        self,
        labels: Mapping[str, Sequence[Label]],
        bearers: Callable[[Form], Collection[str]],
        hubs: Mapping[str, str],
        of_books: Collection[str] = (),
        curators: Mapping[LabelKey, str] | None = None,
    ) -> None:
        """`labels` of each concept are in display order; `bearers` returns the concepts with a name.

        `hubs` gives the cross-game concept of a concept; `of_books` are the concepts that no text marks (terms of books, keywords),
        `curators` the persons who accepted a label.
        """
        self.labels = labels
        self.hubs = hubs
        self.of_books = frozenset(of_books)
        self.curators = curators or {}
        self.cases: dict[str, list[str]] = {}
        """Cross-game concept → the concepts of games that are cases of it."""
        self._bearers = bearers
        for concept in sorted((concept for concept in hubs if concept in labels), key=concept_order):
            self.cases.setdefault(hubs[concept], []).append(concept)

    def called(self, name: str, scheme: str | None = None) -> list[str]:
        """The concepts with a name in any language, game by game; of one scheme only, if it is given."""
        bearers = self._bearers(form_of(name))
        return sorted((concept for concept in bearers if scheme in (None, scheme_of(concept))), key=concept_order)

    def close(self, name: str, scheme: str | None = None, count: int = 4) -> list[str]:
        """Names and slugs of concepts that are similar to a name, the most similar first."""
        printed: dict[str, str] = {}
        for concept, labels in self.labels.items():
            if game_of(concept) if scheme is None else scheme_of(concept) == scheme:
                printed |= {fold(label.text): label.text for label in labels}
                printed.setdefault(slug_of(concept), slug_of(concept))
        return [printed[folded] for folded in get_close_matches(fold(name), printed, count, _MIN_SIMILARITY)]

    def name(self, concept: str, lang: str) -> "ConceptName":
        """The preferred label of a concept, with its language; the slug if there is none."""
        preferred = {label.lang: label.text for label in self.labels.get(concept, ()) if label.sort == Sort.PREFERRED}
        chosen = choose(lang, preferred)
        label = preferred[chosen] if chosen else slug_of(concept)
        return {"concept": concept, "game": game_of(concept), "label": label, "lang": chosen}

    def by_language(self, concept: str) -> dict[str, list["ConceptLabel"]]:
        """Language → labels: preferred ones first, then alternatives, then slang."""
        labels: dict[str, list[ConceptLabel]] = {lang: [] for lang in LANGUAGES}
        for label in self.labels.get(concept, ()):
            body: ConceptLabel = {"label": label.text, "sort": label.sort.value, "official": label.official}
            if curator := self.curators.get(label[:3]):
                body["curator"] = curator
            labels.setdefault(label.lang, []).append(body)
        return {lang: bodies for lang, bodies in labels.items() if bodies}


class StoredNames(NamedTuple):
    """The sources of `Names`."""

    labels: list[Label]
    """In display order."""
    hubs: Mapping[str, str]
    of_books: Collection[str] = ()
    curators: Mapping[LabelKey, str] | None = None


def stored_names(store: "Store") -> StoredNames:
    """The names of every concept in a store; a label that a curator prefers replaces the preferred one."""
    stored = [label for label in labels_in(store) if is_concept(label.concept)]  # filtering in the query takes longer
    decisions = {
        (row["concept"], canonical(row["lang"]), row["label"]): (row["status"], row["by"]) for row in store.select(_CURATED)
    }
    overruled = {label[:2] for label, (status, _) in decisions.items() if status == Sort.PREFERRED}
    official = {label[:3] for label in stored if label.property == OFFICIAL_LABEL}
    best: dict[LabelKey, Sort] = {}
    for label in stored:
        if label.property in SORTS:  # a label printed by a book is not slang, even if another graph marks it as slang
            best[label[:3]] = min(SORTS[label.property], best.get(label[:3], Sort.SLANG), key=list(Sort).index)
    best |= {name: Sort.ALTERNATIVE for name, sort in best.items() if sort is Sort.PREFERRED and name[:2] in overruled}
    best |= {name: Sort.PREFERRED for name, (status, _) in decisions.items() if status == Sort.PREFERRED and name in best}
    labels = sorted(
        (Label(*label, sort, label in official) for label, sort in best.items()),
        key=lambda label: (label.concept, label.lang, list(Sort).index(label.sort), not label.official, label.text),
    )
    hubs = {row["concept"]: row["hub"] for row in store.select(_HUBS)}
    of_books = {row["concept"] for row in store.select(_OF_BOOKS)}
    return StoredNames(labels, hubs, of_books, {label: curator for label, (_, curator) in decisions.items()})


def concept_order(concept: str) -> tuple[int, str]:
    """Sorts concepts: cross-game ones first, then game by game in the catalogue's order."""
    games = ["", *catalogue().games]
    scheme = scheme_of(concept)
    return games.index(scheme) if scheme in games else len(games), concept


def form_of(name: str) -> Form:
    """A name normalised for comparison; one without letters and digits is only folded."""
    return tuple(token.norm for token in words(name, singular)) or (fold(name),)


def resolve(names: Names, ref: str) -> list[str]:
    """The concepts to which a reference refers, cross-game ones first, then game by game.

    A reference is an IRI, a name in any language (slang too), or a slug; a game before it (`mtg/yard`) limits it to that game. The
    slug of a cross-game concept refers to the concept and its case in each game. Raises InputError for text that cannot be a
    reference, NotFoundError with similar names if nothing has the name.
    """
    text = _plain(ref)
    if not text:
        raise InputError(
            "{ref!r} does not name a concept; expected mtg/graveyard, graveyard, a name in any language or an address", ref=ref[:60]
        )
    if text.startswith(("http://", "https://")):
        return [_concept_at(names, text)]
    game, _, rest = text.partition("/")
    scheme = game.lower() if rest and any(scheme_of(concept) == game.lower() for concept in names.labels) else None
    name = rest if scheme else text
    iri = concept_iri(f"{scheme}/{name.lower()}")
    if iri in moved() and iri not in names.labels:
        return [_concept_at(names, iri)]
    if concepts := set(_by_slug_or_name(names, name, scheme)):
        return sorted(concepts, key=concept_order)
    raise unknown_name(names, name, scheme)


def named(names: Names, label: str) -> list[str]:
    """The concepts of games with a name, else the cross-game ones. Raises InputError for text that cannot be a name."""
    text = _plain(label)
    if not text:
        raise InputError(
            "{label!r} does not name a term; expected a name in any language, e.g. 山札, graveyard or yard", label=label[:60]
        )
    return _bearers(names, text)


def with_related(names: Names, concepts: Sequence[str]) -> list[str]:
    """Some concepts, their cross-game concepts and the cases of these in every game."""
    hubs = {names.hubs.get(concept, concept) for concept in concepts}
    cases = (case for hub in hubs for case in names.cases.get(hub, ()))
    return sorted({*concepts, *hubs, *cases}, key=concept_order)


def unknown_name(names: Names, name: str, scheme: str | None = None) -> NotFoundError:
    """The error for a name that no concept has, with similar names."""
    similar = ", ".join(names.close(name, scheme))
    close = message("similar: {names}", names=similar) if similar else message("/v1/concepts lists all concepts")
    if scheme:
        return NotFoundError("no concept is called {name!r} in {scheme}; {close}", name=name[:60], scheme=scheme, close=close)
    return NotFoundError("no concept is called {name!r}; {close}", name=name[:60], close=close)


def _plain(text: str) -> str:
    """Words with single spaces; "" if they are too long for a name."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else ""


def _by_slug_or_name(names: Names, name: str, scheme: str | None) -> Iterator[str]:
    for concept in names.labels:
        if slug_of(concept) == name.lower() and scheme in (None, scheme_of(concept)):
            yield from (concept, *names.cases.get(concept, ()))
    yield from _bearers(names, name, scheme)


def _bearers(names: Names, name: str, scheme: str | None = None) -> list[str]:
    """The concepts of games with a name; if no game has one, the cross-game concepts with it."""
    bearers = names.called(name, scheme)
    return [concept for concept in bearers if game_of(concept)] or bearers


def _concept_at(names: Names, iri: str) -> str:
    for address in (iri, moved().get(iri, iri)):
        if address in names.labels:
            return address
    if is_concept(iri):
        raise unknown_name(names, slug_of(iri))
    raise InputError(
        "{iri} is not the address of a concept; expected one like {example}", iri=iri[:120], example=concept_iri("mtg/graveyard")
    )
