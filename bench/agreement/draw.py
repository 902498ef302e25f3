"""The blind sheets: each row has rules and a question, without the answer of the first pass."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bench.digest.glossed import Nodes
from corpus.address import CONCEPT, RS, SKOS, concept_name, local_name, split_rule
from corpus.store.engine import Store
from ontology import shipped, sssom
from ontology.concepts.claims import Claim, claims_in
from ontology.shipped import shipped_store
from ontology.topics import topics

SEED = 1014
CLAIMS, DECOYS, MAPPINGS, LEAST = 150, 24, 100, 3
"""Rows of each sheet, and the minimum for each property; a distractor asks about a property that the first pass did not find in
the rule."""
NO_ANSWER = "-"
MOVE_PROPERTIES = ("entry-restriction", "on-enter", "on-leave")
STATEMENT_KINDS = (*MOVE_PROPERTIES, "while-there", "contents")
NUMERIC_PROPERTIES = ("capacity", "hand-limit", "deck-minimum", "deck-maximum", "start-size")
TOPICS = ("says", "nearest")
_LONGEST, _MOST = 900, 3
"""Maximum number of characters of a rule, and of rules of a claim, that a sheet shows."""


@dataclass(frozen=True, slots=True)
class Question:
    """A line of a sheet: the question, its subject, the possible answers, the rules, and the answer of the first pass."""

    about: str  # claim or mapping
    asked: str  # the property, "kind" or "predicate"
    concept: str
    answers: tuple[str, ...]  # none: any number
    rules: tuple[str, ...]
    first: str


@cache
def shipped_store_once() -> Store:
    """The shipped data, loaded once."""
    return shipped_store()


def claims(texts: Nodes) -> list[Question]:
    """A stratified sample of the claims and distractors, shuffled."""
    chance = random.Random(SEED)
    every = [claim for claim in claims_in(shipped_store_once()) if claim.status in ("accepted", "disputed")]
    strata: dict[str, list[Claim]] = {}
    for claim in every:
        strata.setdefault(claim.property, []).append(claim)
    shares = _shares({name: len(items) for name, items in strata.items()}, CLAIMS)
    claims_drawn = [claim for name, size in sorted(shares.items()) for claim in chance.sample(strata[name], size)]
    questions = [question for claim in claims_drawn for question in _question_of_claim(claim, texts, chance)]
    questions += _distractors(every, texts, chance)
    chance.shuffle(questions)
    return questions


def _shares(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """Shares proportional to the square root of the sizes, so that small properties are represented."""
    weights = {name: size**0.5 for name, size in sizes.items()}
    sizes_drawn = {
        name: min(sizes[name], max(LEAST, int(total * weight / sum(weights.values())))) for name, weight in weights.items()
    }
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        sizes_drawn[name] += min(max(total - sum(sizes_drawn.values()), 0), sizes[name] - sizes_drawn[name], 2)
    return sizes_drawn


def _question_of_claim(claim: Claim, texts: Nodes, rng: random.Random) -> Iterator[Question]:
    rules = _rules([support.rule for support in claim.supports], texts)
    name = concept_name(claim.concept)
    if claim.property in STATEMENT_KINDS:
        yield Question(claim.iri, "kind", name, (*STATEMENT_KINDS, NO_ANSWER), rules, claim.property)
        if claim.property in MOVE_PROPERTIES and (outcome := _outcome(claim.iri)):
            yield Question(claim.iri, "outcome", name, (*closed_values("outcome"), NO_ANSWER), rules, outcome)
    elif claim.property in TOPICS:
        asks = next(topic.asks["en"] for topic in topics() if claim.iri.endswith(f"-{topic.slug}"))
        yield Question(claim.iri, "topic", asks, TOPICS, rules, claim.property)
    elif claim.property == "sub-zone":
        parts = {
            other.value
            for other in claims_in(shipped_store_once())
            if other.property == "sub-zone" and other.iri[:34] == claim.iri[:34]
        }
        values = rng.sample(sorted(parts - {claim.value}), min(4, len(parts) - 1))
        same = (other for other in claims_in(shipped_store_once()) if other.concept == claim.concept)
        own = {other.value for other in same if other.property == "sub-zone"}
        others = [part for part in values if part not in own]
        yield Question(claim.iri, "sub-zone", name, (*sorted([*others, claim.value]), NO_ANSWER), rules, claim.value)
    else:
        yield Question(claim.iri, claim.property, name, _possible_answers(claim.property), rules, claim.value)


def _possible_answers(name: str) -> tuple[str, ...]:
    return () if name in NUMERIC_PROPERTIES else (*closed_values(name), NO_ANSWER)


def _distractors(all_claims: Sequence[Claim], texts: Nodes, rng: random.Random) -> Iterator[Question]:
    """For rules that support a claim about a zone: a property about which the first pass has no claim for that zone."""
    plain = [claim for claim in all_claims if claim.property not in (*STATEMENT_KINDS, *TOPICS, "sub-zone")]
    names = sorted({claim.property for claim in plain} - {*NUMERIC_PROPERTIES})
    for claim in rng.sample(plain, DECOYS):
        own_properties = {other.property for other in plain if other.concept == claim.concept}
        name = rng.choice([free for free in names if free not in own_properties])
        yield Question(
            claim.iri,
            name,
            concept_name(claim.concept),
            _possible_answers(name),
            _rules([support.rule for support in claim.supports], texts),
            NO_ANSWER,
        )


def _rules(rules: Iterable[str], texts: Nodes) -> tuple[str, ...]:
    """The words of some rules, the newest edition first."""
    quotations: dict[str, str] = {}
    for rule in sorted(set(rules), key=lambda rule: (split_rule(rule).key.edition, rule), reverse=True):
        key, locator = split_rule(rule)
        for lang in ("ja", "zh-Hans", "en"):
            if node := texts.get((key, lang), {}).get(locator):
                quotations.setdefault(node.text, f"[{key} {locator}] {' '.join(node.text.split())[:_LONGEST]}")
                break
    return tuple(quotations.values())[:_MOST]


@cache
def closed_values(name: str) -> tuple[str, ...]:
    """The closed values of a property."""
    query = f"SELECT ?value WHERE {{ GRAPH ?g {{ ?value <{RS}valueOf> <{RS}{name}> }} }}"
    return tuple(sorted(local_name(row["value"]) for row in shipped_store_once().select(query)))


def _outcome(claim: str) -> str:
    query = f"SELECT ?o WHERE {{ GRAPH ?g {{ <{claim}> <{RS}value> ?v }} GRAPH ?h {{ ?v <{RS}outcome> ?o }} }}"
    return next((local_name(row["o"]) for row in shipped_store_once().select(query)), "")


PREDICATES = ("exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch", "Not", "none")


def mappings(texts: Nodes) -> list[Question]:
    """A stratified sample of the mappings; a row without a counterpart shows the nearest concept as if it were one."""
    chance = random.Random(SEED + 1)
    strata: dict[str, list[Question]] = {}
    for row in shipped.shipped_mappings():
        if question := _question_of_mapping(row, texts):
            strata.setdefault(question.first, []).append(question)
    shares = _shares({name: len(items) for name, items in strata.items()}, MAPPINGS)
    questions = [question for name, size in sorted(shares.items()) for question in chance.sample(strata[name], size)]
    chance.shuffle(questions)
    return questions


def predicate_of(row: sssom.MappingRow) -> str:
    """A mapping in one word: its predicate, `Not` for a false friend, `none` without a counterpart."""
    if row["object_id"] == sssom.NO_TERM_FOUND:
        return "none"
    return row["predicate_modifier"] or row["predicate_id"].removeprefix("skos:")


def _question_of_mapping(row: sssom.MappingRow, texts: Nodes) -> Question | None:
    """None if there is no near concept to show."""
    subject, game = row["subject_id"].removeprefix("concept:"), row["object_source"].removeprefix("scheme:")
    about = f"{row['subject_id']} {row['object_id']} {game}"
    if cell := _cell(row, game):
        sentence, cited_rules = f"{subject} → {game}: {cell[0]}", [sssom.expand_curie(row["subject_rule"]), cell[1]]
    else:
        thing = (
            _nearest_concept(row, game) if row["object_id"] == sssom.NO_TERM_FOUND else row["object_id"].removeprefix("concept:")
        )
        if not thing:
            return None
        sentence = f"{subject} → {thing}"
        own = [sssom.expand_curie(row[name]) for name in ("subject_rule", "object_rule") if row[name]]
        cited_rules = [*own, *_defining_rules(subject), *_defining_rules(thing)]
    rules = tuple(text for rule in dict.fromkeys(cited_rules) for text in _rules([rule], texts))[:_MOST]
    return Question(about, "predicate", sentence, PREDICATES, rules, predicate_of(row))


def _cell(row: sssom.MappingRow, game: str) -> tuple[str, str] | None:
    """For a row derived from a topic: its question, and the other game's rule, even if that is only the nearest one."""
    for topic in topics():
        cells = {cell.game: cell for cell in topic.cells}
        mine, theirs = cells.get(row["subject_source"].removeprefix("scheme:")), cells.get(game)
        if mine and theirs and mine.rule == sssom.expand_curie(row["subject_rule"]) and theirs.says["en"] in row["comment"]:
            return topic.asks["en"], theirs.rule
    return None


def _nearest_concept(row: sssom.MappingRow, game: str) -> str:
    """The concept that the comment of a row without counterpart names as the nearest."""
    label = row["comment"].rpartition("Nearest: ")[2].strip(". ").split(" (")[0].split(",")[0].removeprefix("the ")
    query = f"""SELECT ?c WHERE {{ GRAPH ?g {{ ?c <{SKOS}prefLabel> "{label}"@en }} }}"""
    names = [concept_name(solution["c"]) for solution in shipped_store_once().select(query) if '"' not in label]
    return next((name for name in names if name.startswith(f"{game}/")), "")


def _defining_rules(name: str) -> list[str]:
    query = f"""SELECT ?r WHERE {{ GRAPH ?g {{ <{CONCEPT}{name}> <{RS}definedBy> ?r }} }}"""
    return sorted(row["r"] for row in shipped_store_once().select(query))
