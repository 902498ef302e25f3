"""Concepts with all that is known of them: names, definition, proved properties, counterparts, and where they are named."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corpus.address import NS, RDF_TYPE, SKOS, EditionKey, concept_iri, local_name, split_rule
from corpus.age import newest_first
from corpus.languages import LANGUAGES, canonical
from corpus.store.engine import Store, values
from ontology.concepts.defining import standing, today
from ontology.concepts.matches import matches_of
from ontology.concepts.names import Names, place
from ontology.concepts.properties import CORE, claims_then, properties
from ontology.concepts.zones import KINDS

if TYPE_CHECKING:
    from corpus.contract import (
        Concept,
        ConceptBrief,
        ConceptDescribed,
        ConceptName,
        Match,
        MentionedIn,
        NamedMatch,
        RulePointer,
        RuleRecord,
    )
    from ontology.knowledge import Knowledge

_KINDS = KINDS | {"HubConcept": "idea", "BookTerm": "book-term"}
_FACTS = """
SELECT ?concept ?predicate ?value (LANG(?value) AS ?lang) WHERE { %s GRAPH ?g { ?concept ?predicate ?value } }"""
_TYPES = f"SELECT ?concept ?kind WHERE {{ GRAPH ?g {{ ?concept a <{SKOS}Concept>, ?kind }} }}"
_NARROWER = f"SELECT ?concept ?narrower WHERE {{ %s GRAPH ?g {{ ?narrower <{SKOS}broader>|<{NS}hub> ?concept }} }}"
_MENTIONS = f"SELECT ?concept ?rule WHERE {{ %s GRAPH ?g {{ ?rule <{NS}mentions> ?concept }} }}"
_SAID = {
    RDF_TYPE: "kind",
    f"{SKOS}definition": "definition",
    f"{SKOS}broader": "broader",
    f"{NS}part": "parts",
    f"{NS}definedBy": "defined_by",
}
_FIRST = 3
"""How many of the rules that name a concept are given of each edition."""
Facts = dict[str, list[tuple[str, str]]]
"""What is said of a concept → values, each with its language (empty for an address)."""


def concepts(knowledge: "Knowledge", wanted: Sequence[str], lang: str) -> list["Concept"]:
    """Some concepts, each whole. `lang` chooses among names and notes; every name says which language it is in."""
    said, names = _facts(knowledge.store, wanted), knowledge.names
    below = _narrower(knowledge.store, wanted)
    claims = claims_then(knowledge, wanted)
    matches = matches_of(knowledge.concepts.mappings(wanted), lang)
    mentions = mentioned_in(knowledge, wanted)

    def related(concepts: Iterable[str]) -> list["ConceptName"]:
        return [names.name(concept, lang) for concept in sorted(concepts, key=place)]

    return [
        {
            **described,
            "broader": related(broader for broader, _ in facts.get("broader", ())),
            "narrower": related(below.get(concept, ())),
            "parts": related(part for part, _ in facts.get("parts", ())),
            "properties": properties(claims.get(concept, ()), lang, CORE if described["kind"] in KINDS.values() else ()),
            "matches": [_named(match, names, lang) for match in matches.get(concept, ())],
            "mentioned_in": mentions.get(concept, []),
        }
        for described in _described(knowledge, wanted, said, lang)
        for concept, facts in [(described["concept"], said.get(described["concept"], {}))]
    ]


def described(knowledge: "Knowledge", wanted: Sequence[str], lang: str) -> list["ConceptDescribed"]:
    """Some concepts with their names, definition and the rules that define them."""
    return list(_described(knowledge, wanted, _facts(knowledge.store, wanted), lang))


def _described(knowledge: "Knowledge", wanted: Sequence[str], said: Mapping[str, Facts], lang: str) -> Iterator["ConceptDescribed"]:
    newest = today(knowledge, (rule for facts in said.values() for rule, _ in facts.get("defined_by", ())))
    rules = pointers(knowledge, newest.values())
    for concept in wanted:
        facts = said.get(concept, {})
        defining = sorted({newest[rule] for rule, _ in facts.get("defined_by", ())}, key=natural)
        yield {
            **_brief(concept, [kind for kind, _ in facts.get("kind", ())], knowledge.names, lang),
            "labels": knowledge.names.by_language(concept),
            "definition": _by_language(facts.get("definition", ())),
            "defined_by": standing(rules[rule] for rule in defining),
        }


def briefly(knowledge: "Knowledge", lang: str) -> list["ConceptBrief"]:
    """Every concept with its name, game and kind, game by game."""
    kinds: dict[str, list[str]] = {}
    for row in knowledge.store.select(_TYPES):
        kinds.setdefault(row["concept"], []).append(row["kind"])
    return [_brief(concept, kinds[concept], knowledge.names, lang) for concept in sorted(kinds, key=place)]


def mentioned_in(knowledge: "Knowledge", wanted: Collection[str]) -> dict[str, list["MentionedIn"]]:
    """Concept → for each edition how many rules name it, and the first of them; current editions first."""
    rules: dict[tuple[str, EditionKey], list[str]] = {}
    stored = ((row["concept"], row["rule"]) for row in knowledge.store.select(_MENTIONS % values("concept", wanted)))
    for concept, rule in (*stored, *knowledge.archive.mentions(wanted)):
        key = split_rule(rule).key
        if key in knowledge.manifest.editions:
            rules.setdefault((concept, key), []).append(rule)
    by_concept: dict[str, list[MentionedIn]] = {}
    for concept, key in sorted(rules, key=lambda named: _edition_rank(knowledge, named[1])):
        naming = rules[concept, key]
        first = sorted(naming, key=natural)[:_FIRST]
        by_concept.setdefault(concept, []).append(
            {
                "game": key.game,
                "book": key.book,
                "edition": key.edition,
                "current": knowledge.currency.has_current(key),
                "rules": len(naming),
                "first": [{"rule": rule, "locator": split_rule(rule).locator} for rule in first],
            }
        )
    return by_concept


def pointers(knowledge: "Knowledge", rules: Iterable[str]) -> dict[str, "RulePointer"]:
    """Rules by address: where each stands, whether its text is loaded, and its number, null while nobody knows the rule."""
    wanted = sorted(set(rules))
    records = knowledge.by_iri(wanted)
    return {rule: _pointer(knowledge, rule, records.get(rule)) for rule in wanted}


def natural(text: str) -> list[tuple[bool, int, str]]:
    """What sorts addresses as people count: 400.2 before 400.10, and both before the glossary."""
    parts = re.findall(r"\d+|\D+", text)
    return [(False, int(part), "") if part.isdigit() else (True, 0, part) for part in parts]


def _facts(store: Store, wanted: Collection[str]) -> Mapping[str, Facts]:
    facts: dict[str, Facts] = {}
    for row in store.select(_FACTS % values("concept", wanted)):
        if said := _SAID.get(row["predicate"]):
            facts.setdefault(row["concept"], {}).setdefault(said, []).append((row["value"], row.get("lang", "")))
    return facts


def _by_language(said: Iterable[tuple[str, str]]) -> dict[str, str]:
    texts = {canonical(lang): text for text, lang in said}
    return {lang: texts[lang] for lang in LANGUAGES if lang in texts}


def _brief(concept: str, types: Iterable[str], names: Names, lang: str) -> "ConceptBrief":
    own = (local_name(kind) for kind in sorted(types, key=lambda kind: (kind == f"{NS}BookTerm", kind)) if kind.startswith(NS))
    kind = next((_KINDS.get(kind, kind.lower()) for kind in own), "concept")
    return {**names.name(concept, lang), "kind": kind, "hub": names.hubs.get(concept)}


def _narrower(store: Store, wanted: Collection[str]) -> Mapping[str, set[str]]:
    below: dict[str, set[str]] = {}
    for row in store.select(_NARROWER % values("concept", wanted)):
        below.setdefault(row["concept"], set()).add(row["narrower"])
    return below


def _named(match: "Match", names: Names, lang: str) -> "NamedMatch":
    """A counterpart with what it is called."""
    if match["concept"] is None:
        return {**match, "label": None, "lang": None}
    name = names.name(match["concept"], lang)
    return {**match, "label": name["label"], "lang": name["lang"]}


def _pointer(knowledge: "Knowledge", rule: str, record: "RuleRecord | None") -> "RulePointer":
    key, locator = split_rule(rule)
    return {
        "rule": rule,
        "game": key.game,
        "book": key.book,
        "edition": key.edition,
        "number": record["number"] if record else None,
        "locator": locator,
        "loaded": bool(record and record["texts"]),
        "current": record["current"] if record else knowledge.currency.has_current(key),
    }


def _edition_rank(knowledge: "Knowledge", key: EditionKey) -> tuple[Any, ...]:
    scheme, _ = place(concept_iri(f"{key.game}/"))
    return scheme, key.game, not knowledge.currency.has_current(key), key.book, *newest_first(key)
