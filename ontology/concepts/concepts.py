"""Concepts as answers contain them: names, definition, properties with proofs, counterparts, and the rules that mention them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corpus.address import RDF_TYPE, RS, SKOS, EditionKey, concept_iri, local_name, split_rule
from corpus.chronology import newest_first
from corpus.languages import LANGUAGES, canonical_tag
from corpus.model import CORE_PROPERTIES
from corpus.store.engine import Store, values_clause
from ontology import keywords
from ontology.concepts.claim_status import claims_at
from ontology.concepts.claims import claims_by_property
from ontology.concepts.names import ConceptNames, concept_order
from ontology.concepts.zones import ZONE_KINDS
from ontology.hierarchy import HIERARCHY_GRAPH
from ontology.mappings import matches_by_concept

if TYPE_CHECKING:
    from corpus import contract
    from ontology.knowledge import Knowledge

_KINDS = ZONE_KINDS | keywords.KEYWORD_KINDS | {"HubConcept": "idea", "BookTerm": "book-term", "ProposedTerm": "proposed-term"}
_LAST_KINDS = [f"{RS}BookTerm", f"{RS}ProposedTerm"]
"""Kinds that apply only to concepts without a more specific one, in this order."""
_FACTS_QUERY = f"""
SELECT ?concept ?predicate ?value (LANG(?value) AS ?lang) WHERE {{
  %s GRAPH ?g {{ ?concept ?predicate ?value }} FILTER(?g != <{HIERARCHY_GRAPH}>)
}}"""
_TYPES_QUERY = f"SELECT ?concept ?kind WHERE {{ GRAPH ?g {{ ?concept a <{SKOS}Concept>, ?kind }} }}"
_NARROWER_QUERY = f"""
SELECT ?concept ?narrower WHERE {{
  %s GRAPH ?g {{ ?narrower <{SKOS}broader>|<{RS}hub> ?concept }} FILTER(?g != <{HIERARCHY_GRAPH}>)
}}"""
_FACT_PROPERTIES = {
    RDF_TYPE: "kind",
    f"{SKOS}definition": "definition",
    f"{SKOS}broader": "broader",
    f"{RS}part": "parts",
    f"{RS}definedBy": "defined_by",
}
_MAX_MENTIONS = 3
"""Maximum number of listed rules of an edition that mention a concept."""
Facts = dict[str, list[tuple[str, str]]]
"""Name of a fact → values, each with its language ("" for an IRI)."""


def concepts(knowledge: "Knowledge", iris: Sequence[str], lang: str) -> list["contract.Concept"]:
    """Some concepts, by IRI, with all data about them; names and notes in `lang`, or the next available language."""
    facts_of, names = _facts(knowledge.store, iris), knowledge.names
    narrower = _narrower(knowledge.store, iris)
    claims = claims_at(knowledge, iris)
    matches = matches_by_concept(knowledge.concepts.mappings(iris), lang)
    mentions = concept_mentions(knowledge, iris)

    def concepts_by_iri(concepts: Iterable[str]) -> list["contract.ConceptName"]:
        return [names.body_with_name(concept, lang) for concept in sorted(concepts, key=concept_order)]

    return [
        {
            **body,
            "broader": concepts_by_iri(broader for broader, _ in facts.get("broader", ())),
            "narrower": concepts_by_iri(narrower.get(concept, ())),
            "parts": concepts_by_iri(part for part, _ in facts.get("parts", ())),
            "properties": claims_by_property(
                claims.get(concept, ()), lang, CORE_PROPERTIES if body["kind"] in ZONE_KINDS.values() else ()
            ),
            "matches": [_match_with_name(match, names, lang) for match in matches.get(concept, ())],
            "mentioned_in": mentions.get(concept, []),
        }
        for body in _describe_concepts(knowledge, iris, facts_of, lang)
        for concept, facts in [(body["concept"], facts_of.get(body["concept"], {}))]
    ]


def concepts_with_definitions(knowledge: "Knowledge", iris: Sequence[str], lang: str) -> list["contract.ConceptDescribed"]:
    """Some concepts with their names, definition and the rules that define them."""
    return list(_describe_concepts(knowledge, iris, _facts(knowledge.store, iris), lang))


def _describe_concepts(
    knowledge: "Knowledge", iris: Sequence[str], facts_of: Mapping[str, Facts], lang: str
) -> Iterator["contract.ConceptDescribed"]:
    stated_rules = sorted({rule for facts in facts_of.values() for rule, _ in facts.get("defined_by", ())})
    newer = {iri: later["iri"] for iri, record in knowledge.by_iri(stated_rules).items() if (later := record["superseded_by"])}
    current = {rule: newer.get(rule) or rule for rule in stated_rules}  # itself if that is unknown
    rules = rule_pointers(knowledge, current.values())
    for concept in iris:
        facts = facts_of.get(concept, {})
        defining = [rules[rule] for rule in sorted({current[rule] for rule, _ in facts.get("defined_by", ())}, key=natural_order)]
        texts = {canonical_tag(tag): text for text, tag in facts.get("definition", ())}
        yield {
            **_concept_brief(concept, [kind for kind, _ in facts.get("kind", ())], knowledge.names, lang),
            "labels": knowledge.names.by_language(concept),
            "definition": {tag: texts[tag] for tag in LANGUAGES if tag in texts},
            "defined_by": [pointer for pointer in defining if pointer["current"]] or defining,
        }


def concept_list(knowledge: "Knowledge", lang: str) -> list["contract.ConceptBrief"]:
    """Every concept with its name, game and kind, game by game."""
    kinds: dict[str, list[str]] = {}
    for row in knowledge.store.select(_TYPES_QUERY):
        kinds.setdefault(row["concept"], []).append(row["kind"])
    return [_concept_brief(concept, kinds[concept], knowledge.names, lang) for concept in sorted(kinds, key=concept_order)]


def concept_mentions(knowledge: "Knowledge", iris: Collection[str]) -> dict[str, list["contract.MentionedIn"]]:
    """Concept → for each edition, the number of rules that mention it, and the first of them; current editions first."""
    rules: dict[tuple[str, EditionKey], list[str]] = {}
    for concept, rule in knowledge.records.rules_mentioning(iris):
        rules.setdefault((concept, split_rule(rule).key), []).append(rule)
    by_concept: dict[str, list[contract.MentionedIn]] = {}
    for concept, key in sorted(rules, key=lambda pair: _edition_order(knowledge, pair[1])):
        mentioning = rules[concept, key]
        first = sorted(mentioning, key=natural_order)[:_MAX_MENTIONS]
        by_concept.setdefault(concept, []).append(
            {
                "game": key.game,
                "book": key.book,
                "edition": key.edition,
                "current": knowledge.currency.has_current(key),
                "rules": len(mentioning),
                "first": [{"rule": rule, "locator": split_rule(rule).locator} for rule in first],
            }
        )
    return by_concept


def rule_pointers(knowledge: "Knowledge", rules: Iterable[str]) -> dict[str, "contract.RulePointer"]:
    """Rule by IRI → its edition and locator, whether its text is loaded, and its number, null for an unknown rule."""
    iris = sorted(set(rules))
    records = knowledge.by_iri(iris)
    return {rule: _rule_pointer(knowledge, rule, records.get(rule)) for rule in iris}


def natural_order(text: str) -> list[tuple[bool, int, str]]:
    """Sorts addresses in natural order: 400.2 before 400.10, and both before the glossary."""
    parts = re.findall(r"\d+|\D+", text)
    return [(False, int(part), "") if part.isdigit() else (True, 0, part) for part in parts]


def _facts(store: Store, iris: Collection[str]) -> Mapping[str, Facts]:
    facts: dict[str, Facts] = {}
    for row in store.select(_FACTS_QUERY % values_clause("concept", iris)):
        if name := _FACT_PROPERTIES.get(row["predicate"]):
            facts.setdefault(row["concept"], {}).setdefault(name, []).append((row["value"], row.get("lang", "")))
    return facts


def _concept_brief(concept: str, types: Iterable[str], names: ConceptNames, lang: str) -> "contract.ConceptBrief":
    classes = (local_name(kind) for kind in sorted(types, key=lambda kind: (kind in _LAST_KINDS, kind)) if kind.startswith(RS))
    kind = next((_KINDS.get(kind, kind.lower()) for kind in classes), "concept")
    return {**names.body_with_name(concept, lang), "kind": kind, "hub": names.hubs.get(concept)}


def _narrower(store: Store, iris: Collection[str]) -> Mapping[str, set[str]]:
    narrower: dict[str, set[str]] = {}
    for row in store.select(_NARROWER_QUERY % values_clause("concept", iris)):
        narrower.setdefault(row["concept"], set()).add(row["narrower"])
    return narrower


def _match_with_name(match: "contract.Match", names: ConceptNames, lang: str) -> "contract.NamedMatch":
    """A counterpart with its preferred label."""
    if match["concept"] is None:
        return {**match, "label": None, "lang": None}
    name = names.body_with_name(match["concept"], lang)
    return {**match, "label": name["label"], "lang": name["lang"]}


def _rule_pointer(knowledge: "Knowledge", rule: str, record: "contract.RuleRecord | None") -> "contract.RulePointer":
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


def _edition_order(knowledge: "Knowledge", key: EditionKey) -> tuple[Any, ...]:
    scheme, _ = concept_order(concept_iri(f"{key.game}/"))
    return scheme, key.game, not knowledge.currency.has_current(key), key.book, *newest_first(key)
