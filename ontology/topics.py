"""Topics that judges look up in several games: the question, the rule of each game that answers it, and the differences.

They are in `ontology/data/topics/`, a file for each group; they become concepts of the hub and of the games, and claims with the
words that prove them. A game without such a rule names its nearest one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyoxigraph as ox

from corpus.address import OA, RDF_TYPE, RS, SKOS, EditionKey, concept_iri, graph_iri, iri_of, rule_iri, scheme_iri
from corpus.data_files import read_toml
from corpus.errors import InputError
from ontology.sssom import sorted_nquads

Words = Mapping[str, str]
"""Language → words."""
TOPIC_LANGUAGES = ("en", "ja", "zh-Hans")
_INDEX_NAME = "index"
_TOPIC_KEYS = {"asks", "differs", "label", "related"}
_CELL_KEYS = {"rule", "nearest", "quote", "says", "concept", "called", "sure"}
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_Triple = tuple[str, str, ox.NamedNode | ox.Literal]


@dataclass(frozen=True, slots=True)
class TopicCell:
    """One game's position on a topic."""

    game: str
    topic: str  # its slug
    edition: EditionKey
    locator: str
    found: bool  # False: the game has no such rule, and this one is the nearest
    quote: str
    lang: str  # of the quote
    says: Words
    slug: str  # of the game's own concept
    label: Words  # of that concept; empty if another file describes it
    sure: float  # the probability that a judge agrees: the rule gives this answer, or the game has no rule

    @property
    def concept(self) -> str:
        """The concept of its claim: the game's own, else the topic."""
        return concept_iri(f"{self.game}/{self.slug}" if self.found else self.topic)

    @property
    def rule(self) -> str:
        """IRI of the rule."""
        return rule_iri(self.edition, self.locator)

    @property
    def claim(self) -> str:
        """IRI of its claim."""
        return iri_of(f"claim/{self.game}-{self.topic}")

    @property
    def value(self) -> str:
        """IRI of the claim's value."""
        return iri_of(f"value/topics/{self.game}-{self.topic}")


@dataclass(frozen=True, slots=True)
class Topic:
    """A question and the cells that answer it."""

    slug: str
    group: str
    place: int  # among all topics, from 1
    label: Words  # empty if `hub.ttl` describes the concept
    asks: Words
    differs: Words
    related: tuple[str, ...]  # slugs of other concepts that a question about the topic may name
    cells: tuple[TopicCell, ...]

    @property
    def concept(self) -> str:
        """IRI of the cross-game concept."""
        return concept_iri(self.slug)


@cache
def topics() -> tuple[Topic, ...]:
    """Every topic, group by group. Raises InputError that names the file and the topic if an entry is incomplete."""
    entries = ((group, slug, entry) for group in topic_groups() for slug, entry in _read_file(group).items())
    return tuple(_parse_topic(group, slug, place, entry) for place, (group, slug, entry) in enumerate(entries, 1))


@cache
def topic_groups() -> Mapping[str, Words]:
    """Group → its title in each language, in display order."""
    return {group: _parse_words(f"{_INDEX_NAME}.toml, groups", title) for group, title in _read_file(_INDEX_NAME)["groups"].items()}


def current_editions() -> Mapping[str, EditionKey]:
    """Game → the edition that its topics and keywords cite."""
    return {game: EditionKey(*entry["edition"].split("/")) for game, entry in _read_file(_INDEX_NAME)["editions"].items()}


def compared_games() -> tuple[str, ...]:
    """The games that the sentences about differences compare."""
    return tuple(_read_file(_INDEX_NAME)["differs"]["games"])


def topic_cells() -> Iterator[TopicCell]:
    """Every cell, topic by topic."""
    return (cell for topic in topics() for cell in topic.cells)


def _parse_topic(group: str, slug: str, place: int, entry: Mapping[str, Any]) -> Topic:
    where = f"{group}.toml, {slug}"
    parts = {game: entry[game] for game in entry if game not in _TOPIC_KEYS}
    label, asks, differs = (
        _parse_words(where, entry.get(name, {}), is_required=name != "label") for name in ("label", "asks", "differs")
    )
    cells = tuple(_parse_cell(where, slug, game, parts[game], label) for game in parts)
    return Topic(slug, group, place, label, asks, differs, tuple(entry.get("related", ())), cells)


def _parse_cell(place: str, topic: str, game: str, entry: Mapping[str, Any], label: Words) -> TopicCell:
    edition = _read_file(_INDEX_NAME)["editions"].get(game)
    complete = not set(entry) - _CELL_KEYS and {"quote", "says", "sure"} <= set(entry) and ("rule" in entry) != ("nearest" in entry)
    if edition is None or not complete:
        raise InputError(
            "topics/{where}, {game}: expected a game of index.toml with "
            "rule or nearest, quote, says, sure and optionally called or concept",
            where=place,
            game=game,
        )
    described_elsewhere = "concept" in entry or "nearest" in entry
    return TopicCell(
        game=game,
        topic=topic,
        edition=EditionKey(*edition["edition"].split("/")),
        locator=entry.get("rule") or entry["nearest"],
        found="rule" in entry,
        quote=entry["quote"],
        lang=edition["lang"],
        says=_parse_words(place, entry["says"]),
        slug=entry.get("concept", topic),
        label={} if described_elsewhere else _parse_words(place, entry.get("called", label)),
        sure=entry["sure"],
    )


def _parse_words(file_place: str, words: Words, *, is_required: bool = True) -> Words:
    if (is_required or words) and tuple(words) != TOPIC_LANGUAGES:
        raise InputError("topics/{where}: expected words in {languages}", where=file_place, languages=", ".join(TOPIC_LANGUAGES))
    return words


def _read_file(name: str) -> Any:  # noqa: ANN401
    return read_toml("ontology", f"topics/{name}.toml")


def topic_graphs() -> dict[str, bytes]:
    """The named graphs of the topics' concepts, claims and values as sorted N-Quads."""
    triples_by_folder = {"concepts": _concepts(), "claims": _claim_triples(), "values": _value_triples()}
    return {graph_iri(folder, "topics"): _nquads(folder, triples) for folder, triples in triples_by_folder.items()}


def _nquads(folder: str, triples: Iterator[_Triple]) -> bytes:
    name = ox.NamedNode(graph_iri(folder, "topics"))
    return sorted_nquads(
        ox.Quad(ox.NamedNode(subject), ox.NamedNode(predicate), value, name) for subject, predicate, value in triples
    )


def _concepts() -> Iterator[_Triple]:
    for group, title in topic_groups().items():
        yield _collection_iri(group), RDF_TYPE, ox.NamedNode(f"{SKOS}Collection")
        yield from _in_languages(_collection_iri(group), f"{SKOS}prefLabel", title)
    for topic in topics():
        yield topic.concept, RDF_TYPE, ox.NamedNode(f"{RS}Topic")
        yield topic.concept, f"{RS}place", ox.Literal(topic.place)
        yield _collection_iri(topic.group), f"{SKOS}member", ox.NamedNode(topic.concept)
        yield from _in_languages(topic.concept, f"{RS}asks", topic.asks)
        yield from _in_languages(topic.concept, f"{RS}differs", topic.differs)
        for name in topic.related:
            yield topic.concept, f"{SKOS}related", ox.NamedNode(concept_iri(name))
        if topic.label:
            yield from _concept_triples(topic.concept, "HubConcept", "hub", topic.label, topic.asks)
        for cell in topic.cells:
            if cell.label:
                yield from _concept_triples(cell.concept, "Principle", cell.game, cell.label, cell.says)
                yield cell.concept, f"{RS}definedBy", ox.NamedNode(cell.rule)


def _collection_iri(group: str) -> str:
    return iri_of(f"collection/{group}")


def _concept_triples(concept: str, kind: str, scheme: str, label: Words, definition: Words) -> Iterator[_Triple]:
    yield concept, RDF_TYPE, ox.NamedNode(f"{SKOS}Concept")
    yield concept, RDF_TYPE, ox.NamedNode(RS + kind)
    yield concept, f"{SKOS}inScheme", ox.NamedNode(scheme_iri(scheme))
    yield from _in_languages(concept, f"{SKOS}prefLabel", label)
    yield from _in_languages(concept, f"{SKOS}definition", definition)


def _claim_triples() -> Iterator[_Triple]:
    for cell in topic_cells():
        support, quote = f"{cell.claim}#support-1", f"{cell.claim}#quote-1"
        yield cell.claim, RDF_TYPE, ox.NamedNode(f"{RS}Claim")
        yield cell.claim, f"{RS}subject", ox.NamedNode(cell.concept)
        yield cell.claim, f"{RS}property", ox.NamedNode(RS + ("says" if cell.found else "nearest"))
        yield cell.claim, f"{RS}status", ox.NamedNode(f"{RS}accepted")
        yield cell.claim, f"{RS}value", ox.NamedNode(cell.value)
        yield cell.claim, f"{RS}support", ox.NamedNode(support)
        yield support, RDF_TYPE, ox.NamedNode(f"{OA}SpecificResource")
        yield support, f"{OA}hasSource", ox.NamedNode(cell.rule)
        yield support, f"{OA}hasSelector", ox.NamedNode(quote)
        yield quote, RDF_TYPE, ox.NamedNode(f"{OA}TextQuoteSelector")
        yield quote, f"{OA}exact", ox.Literal(cell.quote, language=cell.lang)


def _value_triples() -> Iterator[_Triple]:
    for cell in topic_cells():
        yield cell.value, RDF_TYPE, ox.NamedNode(f"{RS}StatedValue")
        yield from _in_languages(cell.value, _LABEL, cell.says)


def _in_languages(subject: str, predicate: str, words: Words) -> Iterator[_Triple]:
    return ((subject, predicate, ox.Literal(text, language=lang)) for lang, text in words.items())
