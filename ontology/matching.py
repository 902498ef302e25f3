"""Proposes the cross-game concepts of zones and terms without annotations: by names, kinds, properties and purposes.

The names are those of cross-game concepts and of their cases in annotated games, and for zones those of `data/matching.toml`. The
purpose of a zone decides between the cross-game concepts of one name, and matches a zone with an unknown name. Two zones of a
game have different cross-game concepts, except for those that a game may have several of. `data/matching.toml` explains how the
confidences were counted.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from corpus.address import concept_iri, game_of
from corpus.data_files import read_toml
from corpus.words.tokens import singular, words
from ontology.labels import Label, LabelSort

Form = tuple[str, ...]
"""A name without case, width, number and script variants."""
_STEP = "#step"
"""Stands for the last word of a phase or step, whichever it is."""
COMPOSITE = "composite"
_PREFERRED = "#preferred"
_MIN_GAMES = 2
"""Number of games that call a cross-game concept by a name, if that is not its preferred label."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A concept that a book names; `kind` is `zone`, `composite` or `term`, `values` has its extracted properties."""

    concept: str  # IRI
    kind: str
    names: Sequence[str]
    values: Mapping[str, str]
    rules: Sequence[str]  # IRIs of the rules that define it
    purpose: str = ""  # the first rules of a zone's section


class HubProposal(NamedTuple):
    """The cross-game concept of a candidate, with the probability that a judge agrees."""

    candidate: Candidate
    hub: str  # IRI
    confidence: float
    is_named: bool = True
    """Whether the candidate has a name of the cross-game concept."""


@dataclass(frozen=True)
class HubKnowledge:
    """The known facts about the cross-game concepts: the labels of all concepts, their cases, and the properties of zones."""

    labels: Sequence[Label]
    hubs: Mapping[str, str]  # concept → its cross-game concept
    zones: Mapping[str, Mapping[str, frozenset[str]]]  # zone → property → values
    left_out: frozenset[Form] = frozenset()
    """Names that are not used."""

    def without(self, game: str) -> "HubKnowledge":
        """The same without a game, and without each name that only this game gives to a concept.

        The preferred labels of cross-game concepts that other games have are kept.
        """
        hubs = {hub for concept, hub in self.hubs.items() if game_of(concept) != game}
        mine, others = set[Form](), set[Form]()
        for label in self.labels:
            form = _stem(_form(label.text))
            if game_of(label.concept) == game:
                mine.add(form)
            elif game_of(label.concept) or (label.concept in hubs and label.sort is LabelSort.PREFERRED):
                others.add(form)
        only = mine - others
        return HubKnowledge(
            [label for label in self.labels if game_of(label.concept) != game and _stem(_form(label.text)) not in only],
            {concept: hub for concept, hub in self.hubs.items() if game_of(concept) != game},
            {zone: values for zone, values in self.zones.items() if game_of(zone) != game},
            frozenset(only),
        )

    @cached_property
    def zone_names(self) -> Mapping[Form, frozenset[str]]:
        """Name of a zone without its last word → the cross-game concepts that it may denote; curated names take precedence."""
        listed_names: dict[Form, set[str]] = {}
        for hub, names in read_toml("ontology", "matching.toml")["names"].items():
            for name in (name for some in names.values() for name in some):
                if _stem(_form(name)) not in self.left_out:
                    listed_names.setdefault(_stem(_form(name)), set()).add(concept_iri(hub))
        label_names: dict[Form, set[str]] = {}
        for label in self.labels:
            hub = label.concept if label.concept in self.zone_hubs else self.hubs.get(label.concept, "")
            is_zone = label.concept == hub or label.concept in self.zones
            if hub in self.zone_hubs and is_zone and label.sort is not LabelSort.SLANG:
                label_names.setdefault(_stem(_form(label.text)), set()).add(hub)
        return {form: frozenset(hubs) for form, hubs in (label_names | listed_names).items()}

    @cached_property
    def zone_hubs(self) -> frozenset[str]:
        """The cross-game concepts of zones."""
        listed_hubs = map(concept_iri, read_toml("ontology", "matching.toml")["names"])
        return frozenset({*listed_hubs, *(hub for concept, hub in self.hubs.items() if concept in self.zones)})

    @cached_property
    def purposes(self) -> Mapping[str, Sequence[str]]:
        """Cross-game concept of a zone → stemmed phrases for what it holds, and why."""
        return {
            concept_iri(hub): [
                _stemmed(phrase) for some in langs.values() for phrase in some if _stem(_form(phrase)) not in self.left_out
            ]
            for hub, langs in read_toml("ontology", "matching.toml")["purposes"].items()
        }

    @cached_property
    def term_names(self) -> Mapping[Form, frozenset[str]]:
        """Name → the cross-game concepts, zones excepted, whose preferred label it is, or that enough games call so."""
        users: dict[Form, dict[str, set[str]]] = {}
        shared = frozenset(self.hubs.values())
        for label in self.labels:
            hub = label.concept if label.concept in shared else self.hubs.get(label.concept)
            if hub and hub not in self.zone_hubs and label.sort is not LabelSort.SLANG:
                user = game_of(label.concept) or (_PREFERRED if label.sort is LabelSort.PREFERRED else "")
                users.setdefault(_without_step(_form(label.text)), {}).setdefault(hub, set()).add(user)
        hubs_by_name = {
            form: frozenset(hub for hub, who in by_hub.items() if _PREFERRED in who or len(who - {""}) >= _MIN_GAMES)
            for form, by_hub in users.items()
        }
        return {form: hubs for form, hubs in hubs_by_name.items() if hubs}

    @cached_property
    def zone_values(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """Cross-game concept → property → the values of its cases."""
        values: dict[str, dict[str, frozenset[str]]] = {}
        for zone, own in self.zones.items():
            if hub := self.hubs.get(zone):
                for name, some in own.items():
                    values_of_hub = values.setdefault(hub, {})
                    values_of_hub[name] = values_of_hub.get(name, frozenset()) | some
        return values


def propose(candidates: Iterable[Candidate], knowledge: HubKnowledge, hubs_in_use: Collection[str] = ()) -> list[HubProposal]:
    """The proposals for the candidates of one game, the most confident first; zones share only the concepts that may be shared.

    `hubs_in_use` are the cross-game concepts that other concepts of the game have.
    """
    table = read_toml("ontology", "matching.toml")
    proposals = [proposal for candidate in candidates for proposal in _proposals(candidate, knowledge, table["confidence"])]
    proposals.sort(
        key=lambda proposal: (-proposal.confidence, len(proposal.candidate.names[0]), proposal.candidate.concept, proposal.hub)
    )
    matched_concepts: set[str] = set()
    used_hubs = set(hubs_in_use) & knowledge.zone_hubs
    several = set(map(concept_iri, table["several"]))
    accepted = []
    for proposal in proposals:
        concept, hub = proposal.candidate.concept, proposal.hub
        free = hub not in used_hubs or (hub in several and proposal.is_named)
        if proposal.confidence >= table["threshold"] and concept not in matched_concepts and free:
            accepted.append(proposal)
            matched_concepts.add(concept)
            used_hubs |= {hub} & knowledge.zone_hubs
    return accepted


def _proposals(candidate: Candidate, knowledge: HubKnowledge, confidence: Mapping[str, float]) -> Iterator[HubProposal]:
    forms = [_form(name) for name in candidate.names]
    if candidate.kind == "term":
        hubs = _common(knowledge.term_names.get(_without_step(form), frozenset()) for form in forms)
        if len(hubs) == 1:
            yield HubProposal(candidate, hubs.pop(), confidence["term"])
        zone_forms = [form for form in forms if _stem(form) != form]  # a term is a zone only if its name says so
    else:
        zone_forms = forms
    hubs = _common(knowledge.zone_names.get(_stem(form), frozenset()) for form in zone_forms)
    table = read_toml("ontology", "matching.toml")
    composites, only_composites = ({concept_iri(name) for name in table[key]} for key in ("composites", "only_composites"))
    if candidate.kind == COMPOSITE:
        hubs &= composites
    fitting = _fitting(candidate.purpose, knowledge.purposes, hubs)
    for hub in hubs:
        other_kind = hub in composites and (hub in only_composites) != (candidate.kind == COMPOSITE)
        conflicts = _conflicts(candidate, knowledge.zone_values.get(hub, {})) + other_kind
        sort = "zone" if len(hubs) == 1 or hub == fitting else "shared"
        yield HubProposal(candidate, hub, max(confidence[sort] - confidence["conflict"] * conflicts, 0.0))
    if not hubs and candidate.kind == "zone" and (hub := _fitting(candidate.purpose, knowledge.purposes, knowledge.zone_hubs)):
        conflicts = _conflicts(candidate, knowledge.zone_values.get(hub, {}))
        yield HubProposal(candidate, hub, max(confidence["purpose"] - confidence["conflict"] * conflicts, 0.0), is_named=False)


def _fitting(purpose: str, purposes: Mapping[str, Sequence[str]], hubs: Collection[str]) -> str:
    """The one of some cross-game concepts with the most phrases in the purpose of a zone; empty if there is not exactly one."""
    text = _stemmed(purpose)
    counts = {hub: sum(phrase in text for phrase in phrases) for hub, phrases in purposes.items() if hub in hubs}
    best = max(counts.values(), default=0)
    fitting = [hub for hub, count in counts.items() if best and count == best]
    return fitting[0] if len(fitting) == 1 else ""


def _common(hub_sets: Iterable[frozenset[str]]) -> set[str]:
    """The cross-game concepts that most names of a candidate may denote."""
    counts: dict[str, int] = {}
    for hubs in hub_sets:
        for hub in hubs:
            counts[hub] = counts.get(hub, 0) + 1
    return {hub for hub, count in counts.items() if count == max(counts.values())}


def _conflicts(candidate: Candidate, values: Mapping[str, frozenset[str]]) -> int:
    """The number of extracted properties that no case of the cross-game concept has."""
    return sum(bool(values.get(name)) and value not in values[name] for name, value in candidate.values.items())


def _stemmed(text: str) -> str:
    """Its stemmed words between spaces, also at both ends: a phrase that is part of it consists of whole words."""
    return f" {' '.join(token.norm for token in words(text))} "


@lru_cache(maxsize=1 << 14)
def _form(name: str) -> Form:
    return tuple(token.norm for token in words(name, singular))


@cache
def _last_words(table: str) -> tuple[Form, ...]:
    some = read_toml("ontology", "matching.toml")[table].values()
    return tuple(sorted((_form(word) for own in some for word in own), key=len, reverse=True))


def _stem(form: Form) -> Form:
    """A name without the word for a zone at its end."""
    ends = (end for end in _last_words("last_words") if len(form) > len(end) and form[-len(end) :] == end)
    return next((form[: -len(end)] for end in ends), form)


def _without_step(form: Form) -> Form:
    ends = (end for end in _last_words("steps") if len(form) > len(end) and form[-len(end) :] == end)
    return next(((*form[: -len(end)], _STEP) for end in ends), form)
