"""The names of the concepts in a bundle: what each is called, which one some words name, and which come close."""

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import NS, XL, game_of, graph_iri, is_concept, scheme_of, slug_of
from corpus.catalogue import catalogue
from corpus.languages import LANGUAGES, canonical, choose
from corpus.words.text import fold
from corpus.words.tokens import singular, words
from ontology.concepts.labels import labels_in
from ontology.labels import Label, Sort

if TYPE_CHECKING:
    from corpus.contract import ConceptLabel, ConceptName
    from corpus.store.engine import Store

_HUBS = f"SELECT ?concept ?hub WHERE {{ GRAPH ?g {{ ?concept <{NS}hub> ?hub }} }}"
_OF_BOOKS = f"SELECT DISTINCT ?concept WHERE {{ GRAPH ?g {{ ?concept a <{NS}BookTerm> }} }}"
_CURATED = f"""
SELECT ?concept ?label (LANG(?label) AS ?lang) ?status ?by WHERE {{
  GRAPH <{graph_iri("terms", "curator")}> {{
    ?node <{NS}curates> ?concept ; <{XL}literalForm> ?label ; <{NS}curatedAs> ?status ; <{NS}curatedBy> ?by
  }}
}}"""
_PREFERRED = "preferred"
_SORTS = {"prefLabel": Sort.PREFERRED, "altLabel": Sort.ALTERNATIVE, "hiddenLabel": Sort.SLANG}
_CLOSE = 0.6
"""How alike two names must be, from 0 to 1, for one to be suggested for the other."""
Form = tuple[str, ...]
Place = tuple[str, str, str]
"""Concept, language and label."""


class Names:
    """Every concept by its names. Names that differ in case, width, number, spaces or script variant only are one name."""

    def __init__(
        self,
        labels: Mapping[str, Sequence[Label]],
        bearers: Callable[[Form], Collection[str]],
        hubs: Mapping[str, str],
        of_books: Collection[str] = (),
        curators: Mapping[Place, str] | None = None,
    ) -> None:
        """`labels` of each concept in the order in which they are to be shown; `bearers` gives the concepts with a name.

        `hubs` tell of which cross-game concept a concept is a case; `of_books` are the concepts that only books define,
        `curators` the persons who took in a label.
        """
        self.labels = labels
        self.hubs = hubs
        self.of_books = frozenset(of_books)
        self.curators = curators or {}
        self.cases: dict[str, list[str]] = {}
        self._bearers = bearers
        for concept in sorted((concept for concept in hubs if concept in labels), key=place):
            self.cases.setdefault(hubs[concept], []).append(concept)

    def called(self, name: str, scheme: str | None = None) -> list[str]:
        """The concepts that bear a name in any language, game by game; of one scheme only, if that is given."""
        bearers = self._bearers(form_of(name))
        return sorted((concept for concept in bearers if scheme in (None, scheme_of(concept))), key=place)

    def close(self, name: str, scheme: str | None = None, count: int = 4) -> list[str]:
        """Names, and slugs for what a name has no letters of, that are nearly the given one, the nearest first."""
        known: dict[str, str] = {}
        for concept, labels in self.labels.items():
            if game_of(concept) if scheme is None else scheme_of(concept) == scheme:
                known |= {fold(label.text): label.text for label in labels}
                known.setdefault(slug_of(concept), slug_of(concept))
        return [known[folded] for folded in get_close_matches(fold(name), known, count, _CLOSE)]

    def name(self, concept: str, lang: str) -> "ConceptName":
        """What to call a concept; the language is the one that a label was found in."""
        preferred = {label.lang: label.text for label in self.labels.get(concept, ()) if label.sort == Sort.PREFERRED}
        chosen = choose(lang, preferred)
        label = preferred[chosen] if chosen else slug_of(concept)
        return {"concept": concept, "game": game_of(concept), "label": label, "lang": chosen}

    def by_language(self, concept: str) -> dict[str, list["ConceptLabel"]]:
        """Language → labels: the preferred one first, then alternatives, then slang."""
        labels: dict[str, list[ConceptLabel]] = {lang: [] for lang in LANGUAGES}
        for label in self.labels.get(concept, ()):
            body: ConceptLabel = {"label": label.text, "sort": label.sort.value, "official": label.official}
            if curator := self.curators.get(label[:3]):
                body["curator"] = curator
            labels.setdefault(label.lang, []).append(body)
        return {lang: bodies for lang, bodies in labels.items() if bodies}


class Listed(NamedTuple):
    """What names are made of, see `Names`."""

    labels: list[Label]
    """In the order in which they are to be shown."""
    hubs: Mapping[str, str]
    of_books: Collection[str] = ()
    curators: Mapping[Place, str] | None = None


def gathered(listed: Listed) -> Names:
    """The names that some labels are."""
    by_concept: dict[str, list[Label]] = {}
    named: dict[Form, dict[str, None]] = {}
    for label in listed.labels:
        by_concept.setdefault(label.concept, []).append(label)
        named.setdefault(form_of(label.text), {})[label.concept] = None
    return Names(by_concept, lambda form: named.get(form, {}), *listed[1:])


def listed_in(store: "Store") -> Listed:
    """The names of every concept in a store; what a curator prefers stands before every other name."""
    stored = [label for label in labels_in(store) if is_concept(label.concept)]  # a filter in the query takes longer
    decisions = {
        (row["concept"], canonical(row["lang"]), row["label"]): (row["status"], row["by"]) for row in store.select(_CURATED)
    }
    overruled = {label[:2] for label, (status, _) in decisions.items() if status == _PREFERRED}
    official = {label[:3] for label in stored if label.kind not in _SORTS}
    best: dict[tuple[str, str, str], Sort] = {}
    for label in stored:
        if label.kind in _SORTS:  # what a book calls it is no slang, whatever the floor says
            best[label[:3]] = min(_SORTS[label.kind], best.get(label[:3], Sort.SLANG), key=list(Sort).index)
    best |= {name: Sort.ALTERNATIVE for name, sort in best.items() if sort is Sort.PREFERRED and name[:2] in overruled}
    best |= {name: Sort.PREFERRED for name, (status, _) in decisions.items() if status == _PREFERRED and name in best}
    shown = sorted((Label(*label, sort, label in official) for label, sort in best.items()), key=_shown_first)
    hubs = {row["concept"]: row["hub"] for row in store.select(_HUBS)}
    of_books = {row["concept"] for row in store.select(_OF_BOOKS)}
    return Listed(shown, hubs, of_books, {label: by for label, (_, by) in decisions.items()})


def _shown_first(label: Label) -> tuple[str, str, int, bool, str]:
    return label.concept, label.lang, list(Sort).index(label.sort), not label.official, label.text


def place(concept: str) -> tuple[int, str]:
    """Where a concept stands among others: cross-game concepts first, then in the catalogue's order of the games."""
    games = ["", *catalogue().games]
    scheme = scheme_of(concept)
    return games.index(scheme) if scheme in games else len(games), concept


def form_of(name: str) -> Form:
    """What is compared; a name without letters and digits is compared as it stands."""
    return tuple(token.norm for token in words(name, singular)) or (fold(name),)
