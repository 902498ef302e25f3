"""The names of the concepts in a bundle: what each is called, which one some words name, and which come close."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from corpus.address import NS, SKOS, game_of, is_concept, local_name, scheme_of, slug_of
from corpus.catalogue import catalogue
from corpus.languages import LANGUAGES, canonical, choose
from corpus.text import fold
from corpus.tokens import singular, words
from ontology.labels import Label, Sort
from ontology.store.engine import Store

_LABELS = f"""
SELECT ?concept ?kind ?label (LANG(?label) AS ?lang) WHERE {{
  VALUES ?kind {{ <{SKOS}prefLabel> <{SKOS}altLabel> <{SKOS}hiddenLabel> <{NS}officialLabel> }}
  GRAPH ?g {{ ?concept ?kind ?label }}
}}"""
_HUBS = f"SELECT ?concept ?hub WHERE {{ GRAPH ?g {{ ?concept <{NS}hub> ?hub }} }}"
_SORTS = {"prefLabel": Sort.PREFERRED, "altLabel": Sort.ALTERNATIVE, "hiddenLabel": Sort.SLANG}
_CLOSE = 0.6
"""How alike two names must be, from 0 to 1, for one to be suggested for the other."""
Form = tuple[str, ...]


class Names:
    """Every concept by its names. Names that differ in case, width, number, blanks or script variant only are one name."""

    def __init__(self, labels: Iterable[Label], hubs: Mapping[str, str]) -> None:
        """`labels` in the order in which they are to be shown; `hubs` tell of which cross-game idea a concept is a case."""
        self.labels: dict[str, list[Label]] = {}
        self.hubs = hubs
        self.cases: dict[str, list[str]] = {}
        self._named: dict[Form, dict[str, None]] = {}
        for label in labels:
            self.labels.setdefault(label.concept, []).append(label)
            self._named.setdefault(_form(label.text), {})[label.concept] = None
        for concept in sorted(self.labels, key=place):
            if concept in hubs:
                self.cases.setdefault(hubs[concept], []).append(concept)

    def called(self, name: str, scheme: str | None = None) -> list[str]:
        """The concepts that bear a name in any language, game by game; of one scheme only, if that is given."""
        found = self._named.get(_form(name), ())
        return sorted((one for one in found if scheme in (None, scheme_of(one))), key=place)

    def close(self, name: str, scheme: str | None = None, count: int = 4) -> list[str]:
        """Names, and slugs for what a name has no letters of, that are nearly the given one, the nearest first."""
        known: dict[str, str] = {}
        for concept, labels in self.labels.items():
            if game_of(concept) if scheme is None else scheme_of(concept) == scheme:
                known |= {fold(label.text): label.text for label in labels}
                known.setdefault(slug_of(concept), slug_of(concept))
        return [known[one] for one in get_close_matches(fold(name), known, count, _CLOSE)]

    def name(self, concept: str, lang: str) -> dict[str, Any]:
        """What to call a concept: `{"concept", "game", "label", "lang"}`, the language being the one that was found."""
        preferred = {label.lang: label.text for label in self.labels.get(concept, ()) if label.sort == Sort.PREFERRED}
        spoken = choose(lang, preferred)
        label = preferred[spoken] if spoken else slug_of(concept)
        return {"concept": concept, "game": game_of(concept), "label": label, "lang": spoken}

    def by_language(self, concept: str) -> dict[str, list[dict[str, Any]]]:
        """Language → `{"label", "sort", "official"}`: the preferred one first, then alternatives, then slang."""
        found: dict[str, list[dict[str, Any]]] = {lang: [] for lang in LANGUAGES}
        for label in self.labels.get(concept, ()):
            shown = {"label": label.text, "sort": label.sort.value, "official": label.official}
            found.setdefault(label.lang, []).append(shown)
        return {lang: labels for lang, labels in found.items() if labels}


def names_in(store: Store) -> Names:
    """The names of every concept in a store."""
    rows = [
        (row["concept"], canonical(row["lang"]), row["label"], local_name(row["kind"]))
        for row in store.select(_LABELS)
        if is_concept(row["concept"])  # a filter in the query takes longer
    ]
    official = {row[:3] for row in rows if row[3] not in _SORTS}
    order: Sequence[Sort] = list(Sort)
    found = {Label(*row[:3], _SORTS[row[3]], row[:3] in official) for row in rows if row[3] in _SORTS}
    shown = sorted(found, key=lambda one: (one.concept, one.lang, order.index(one.sort), not one.official, one.text))
    return Names(shown, {row["concept"]: row["hub"] for row in store.select(_HUBS)})


def place(concept: str) -> tuple[int, str]:
    """Where a concept stands among others: cross-game ideas first, then in the catalogue's order of the games."""
    games = ["", *catalogue().games]
    scheme = scheme_of(concept)
    return games.index(scheme) if scheme in games else len(games), concept


def _form(name: str) -> Form:
    """What is compared; a name without letters and digits is compared as it stands."""
    return tuple(token.norm for token in words(name, singular)) or (fold(name),)
