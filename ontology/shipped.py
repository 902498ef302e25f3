"""The knowledge that is shipped with Rulestone: concept schemes, claims, mappings and counterparts, each set a named graph.

The graph of provenance (PROV-O, https://www.w3.org/TR/prov-o/) records for each claim the activity that made it and the editions
that it is from. The activities and agents are in `data/provenance.ttl`; the graph of a claim determines the activity.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

import pyoxigraph as ox

from corpus.address import DCTERMS, OA, PROV, RDF_TYPE, RS, game_of, graph_iri, iri_of, is_concept, split_rule
from corpus.catalogue import catalogue
from corpus.errors import InputError
from corpus.languages import canonical_tag
from corpus.prepared import prepared, shipped_version
from corpus.store.engine import Store
from corpus.words.tokens import name_form
from ontology import keywords, spokes, sssom, topic_mappings
from ontology.concepts.claims import Claim, by_concept, claims_in
from ontology.facts import add_facts
from ontology.hierarchy import HIERARCHY_GRAPH, hierarchy_graph
from ontology.labels import LABEL_SORTS, OFFICIAL_LABEL, PREF_LABEL, Label, LabelSort
from ontology.topics import topic_graphs, topics
from ontology.vocabulary import comparison_words

CONCEPT_FOLDERS = ("concepts", "claims", "values")
"""Folders of Turtle files; each file is a named graph."""
CONCEPTS = graph_iri("concepts", "")
"""First part of the graphs of concept schemes."""
PROVENANCE, CATALOGUE = graph_iri("provenance"), graph_iri("catalogue")
CODING, TOPICS, EXTRACTION = (iri_of(f"activity/{name}") for name in ("coding", "topics", "extraction"))
GENERATED, DERIVED = f"{PROV}wasGeneratedBy", f"{PROV}wasDerivedFrom"
_HUB, _DEFINED_BY = f"{RS}hub", f"{RS}definedBy"


class Links(NamedTuple):
    """The links of concepts."""

    hub: Mapping[str, str]  # concept → its cross-game concept
    defined_by: Mapping[str, tuple[str, ...]]  # concept → the rules that define it, by IRI


@cache
def shipped_graphs() -> Mapping[str, bytes]:
    """Named graph → sorted N-Quads, for everything that ships and the facts that follow from it.

    Raises InputError for a file that is not Turtle.
    """
    graphs: Mapping[str, bytes] = prepared("graphs", _make_graphs)
    return graphs


def _make_graphs() -> dict[str, bytes]:
    claim_graphs = _described_graphs()
    mapping_graphs = {graph_iri(folder): mapping_quads(folder, shipped_mappings(folder)) for folder in sssom.MAPPING_FOLDERS}
    mapping_graphs[spokes.SPOKES_GRAPH] = spokes.spoke_quads(shipped_spokes())
    derived_graphs = {
        HIERARCHY_GRAPH: hierarchy_graph(_concept_quads(claim_graphs)),
        PROVENANCE: _provenance_graph(claim_graphs),
        CATALOGUE: _catalogue_graph(),
    }
    return add_facts({**claim_graphs, **derived_graphs, **mapping_graphs})


def graphs_version() -> str:
    """The version of `shipped_graphs`."""
    return shipped_version()


@cache
def graph_hashes() -> Mapping[str, str]:
    """Named graph → the SHA-256 of its sorted N-Quads, for everything that ships."""
    hashes: Mapping[str, str] = prepared(
        "hashes", lambda: {graph: sha256(lines).hexdigest() for graph, lines in shipped_graphs().items()}
    )
    return hashes


def shipped_store() -> Store:
    """A new in-memory store with all shipped graphs and no book."""
    store = Store()
    for lines in shipped_graphs().values():
        store.load(lines)
    store.flush()
    return store


def shipped_claims() -> Mapping[str, Sequence[Claim]]:
    """Concept or property → its shipped claims."""
    return by_concept(claims_in(shipped_store()))


def has_annotations(game: str) -> bool:
    """Whether there are shipped concepts of a game."""
    return graph_iri("concepts", game) in graph_hashes()


@cache
def _described_graphs() -> Mapping[str, bytes]:
    """The graphs of concepts, values and claims, with the cross-game concept of each concept."""
    graphs = {**_turtle_files(), **topic_graphs(), **keywords.keyword_graphs()}
    return spokes.with_hubs(graphs, spokes.hub_links(shipped_spokes()))


@cache
def shipped_mappings(folder: str = "mappings") -> Sequence[sssom.MappingRow]:
    """The shipped mappings of a folder: those of its pairs of games, then those derived from the topics, then from the hub."""
    if folder == "counterparts":
        rows = sssom.tables(folder)
        return [*rows, *topic_mappings.rule_counterparts(rows, _game_names())]
    mappings: Sequence[sssom.MappingRow] = prepared("mappings", _make_concept_mappings)
    return mappings


def _make_concept_mappings() -> list[sssom.MappingRow]:
    curated_rows = list(spokes.shipped_files().pairs)
    curated_rows += topic_mappings.concept_mappings(curated_rows, _game_names(), _english_names().__getitem__)
    return [*curated_rows, *spokes.chained_rows(shipped_spokes(), curated_rows, hub_labels(), _claims_about)]


def _game_names() -> dict[str, Mapping[str, str]]:
    """Language → game → its name."""
    return {lang: comparison_words()[lang]["games"] for lang in sssom.COMMENT_COLUMNS}


@cache
def shipped_spokes() -> Sequence[sssom.MappingRow]:
    """The rows from the shipped games to the cross-game concepts."""
    return spokes.shipped_spokes(_english_names().__getitem__)


@cache
def hub_labels() -> spokes.HubLabels:
    """Cross-game concept → language → its preferred label."""
    labels: dict[str, dict[str, str]] = {}
    for concept, lang, text in _preferred_labels():
        if not game_of(concept):
            labels.setdefault(concept, {})[lang] = text
    return labels


def _claims_about(row: sssom.MappingRow) -> Mapping[str, Sequence[Claim]]:
    """Concept → its shipped claims; nothing unless both concepts of a row have some."""
    both = {sssom.expand_curie(row[side]) for side in ("subject_id", "object_id")}
    return _described_claims() if both <= _claimed_concepts() else {}


@cache
def _claimed_concepts() -> frozenset[str]:
    """The concepts that have claims."""
    mark = f" <{RS}subject> <".encode()
    claims = (lines for graph, lines in _described_graphs().items() if graph.startswith(graph_iri("claims", "")))
    subjects = (line.partition(mark)[2] for lines in claims for line in lines.splitlines())
    return frozenset(subject.partition(b">")[0].decode() for subject in subjects if subject)


@cache
def _described_claims() -> Mapping[str, Sequence[Claim]]:
    """Concept → its shipped claims."""
    store = Store()
    for lines in _described_graphs().values():
        store.load(lines)
    store.flush()
    return by_concept(claims_in(store))


def mapping_quads(folder: str, rows: Iterable[sssom.MappingRow]) -> bytes:
    """Mappings as the sorted N-Quads of a folder's named graph, with the labels of the questions that rules answer."""
    return sssom.nquads(folder, rows, question_labels())


@cache
def question_labels() -> Mapping[str, Mapping[str, str]]:
    """English label of a question that counterparts answer → language → label."""
    lines = files("ontology").joinpath("data/rule_labels.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {row["en"]: row for row in rows} | {topic.asks["en"]: topic.asks for topic in topics()}


@cache
def shipped_labels() -> tuple[Label, ...]:
    """Every label of the shipped concepts, sorted by concept, language, sort and text."""
    return _prepared_labels("labels", concept_quads)


@cache
def marked_labels() -> tuple[Label, ...]:
    """The labels that rule texts mark: all but those of keywords."""
    keyword_graph = ox.NamedNode(keywords.KEYWORDS_GRAPH)
    return _prepared_labels("marked", lambda: (quad for quad in concept_quads() if quad.graph_name != keyword_graph))


@cache
def shipped_forms() -> Mapping[str, tuple[str, ...]]:
    """Text of a shipped label → its words, normalised for the comparison of names; empty without letters and digits."""
    forms: Mapping[str, tuple[str, ...]] = prepared(
        "forms", lambda: {label.text: name_form(label.text) for label in shipped_labels()}
    )
    return forms


def _prepared_labels(name: str, quads: Callable[[], Iterable[ox.Quad]]) -> tuple[Label, ...]:
    rows = prepared(name, lambda: [(*label[:3], label.sort.value, label.official) for label in _labels(quads())])
    return tuple(Label(concept, lang, text, LabelSort(sort), official) for concept, lang, text, sort, official in rows)


def _labels(quads: Iterable[ox.Quad]) -> tuple[Label, ...]:
    official: set[tuple[str, str, str]] = set()
    labels: list[tuple[str, str, str, LabelSort]] = []
    for quad in quads:
        concept, label_property, value = quad.subject, quad.predicate.value, quad.object
        if isinstance(concept, ox.NamedNode) and isinstance(value, ox.Literal) and value.language:
            lang = canonical_tag(value.language)
            if label_property in LABEL_SORTS:
                labels.append((concept.value, lang, value.value, LABEL_SORTS[label_property]))
            elif label_property == OFFICIAL_LABEL:
                official.add((concept.value, lang, value.value))
    order = list(LabelSort)
    labels.sort(key=lambda label: (label[0], label[1], order.index(label[3]), label[2]))
    return tuple(Label(*label, label[:3] in official) for label in labels if is_concept(label[0]))


@cache
def shipped_links() -> Links:
    """The hubs and defining rules of the shipped concepts."""
    return Links(*prepared("links", lambda: tuple(_make_links())))


def _make_links() -> Links:
    hub: dict[str, str] = {}
    defined_by: dict[str, list[str]] = {}
    for quad in concept_quads():
        subject, value = quad.subject, quad.object
        if isinstance(subject, ox.NamedNode) and isinstance(value, ox.NamedNode):
            if quad.predicate.value == _HUB:
                hub[subject.value] = value.value
            elif quad.predicate.value == _DEFINED_BY:
                defined_by.setdefault(subject.value, []).append(value.value)
    return Links(hub, {concept: tuple(sorted(rules)) for concept, rules in defined_by.items()})


@cache
def concept_quads() -> tuple[ox.Quad, ...]:
    """The quads of the shipped concept schemes."""
    return tuple(_concept_quads(shipped_graphs()))


def _concept_quads(quads_by_graph: Mapping[str, bytes]) -> Iterator[ox.Quad]:
    for graph, lines in quads_by_graph.items():
        if graph.startswith(CONCEPTS):
            yield from ox.parse(lines, format=ox.RdfFormat.N_QUADS)


@cache
def _english_names() -> Mapping[str, str]:
    """Concept → its preferred label in English."""
    return {concept: text for concept, lang, text in _preferred_labels() if lang == "en"}


@cache
def _preferred_labels() -> Sequence[tuple[str, str, str]]:
    """Concept, language and text of each preferred label; of names of keywords for concepts of other files, none."""
    labels: Sequence[tuple[str, str, str]] = prepared("preferred", _make_preferred_labels)
    return labels


def _make_preferred_labels() -> list[tuple[str, str, str]]:
    graphs = {**_turtle_files(), **topic_graphs(), **keywords.keyword_graphs()}
    return [
        (quad.subject.value, canonical_tag(quad.object.language), quad.object.value)
        for quad in _concept_quads(graphs)
        if quad.predicate.value == PREF_LABEL
        and isinstance(quad.subject, ox.NamedNode)
        and isinstance(quad.object, ox.Literal)
        and quad.object.language
    ]


@cache
def _turtle_files() -> Mapping[str, bytes]:
    """Named graph → sorted N-Quads of its Turtle file."""
    folders = {folder: files("ontology").joinpath("data", folder) for folder in CONCEPT_FOLDERS}
    return {
        graph: _nquads_of_file(file, graph)
        for folder, place in folders.items()
        for file in sorted(place.iterdir() if place.is_dir() else (), key=lambda file: file.name)
        if file.name.endswith(".ttl")
        for graph in [graph_iri(folder, file.name.removesuffix(".ttl"))]
    }


def _nquads_of_file(file: Traversable, graph: str) -> bytes:
    name = ox.NamedNode(graph)
    try:
        triples = ox.parse(file.read_bytes(), format=ox.RdfFormat.TURTLE)
        quads = [ox.Quad(triple.subject, triple.predicate, triple.object, name) for triple in triples]
    except SyntaxError as fault:
        raise InputError("ontology/{file} is not valid Turtle: {fault}; correct that line", file=file.name, fault=fault) from fault
    return sssom.sorted_nquads(quads)


def _catalogue_graph() -> bytes:
    """The graph of the games and books of the catalogue as sorted N-Quads."""
    name, shipped_catalogue = ox.NamedNode(CATALOGUE), catalogue()
    kind, title = ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{DCTERMS}title")
    quads: list[ox.Quad] = []
    games = dict.fromkeys((*shipped_catalogue.games, *(book.game for book in shipped_catalogue.books.values())))
    for game in filter(None, map(shipped_catalogue.game, games)):
        subject = ox.NamedNode(iri_of(game.slug))
        quads.append(ox.Quad(subject, kind, ox.NamedNode(f"{RS}Game"), name))
        quads += [ox.Quad(subject, title, ox.Literal(words, language=lang), name) for lang, words in game.names.items()]
    for book in shipped_catalogue.books.values():
        subject = ox.NamedNode(iri_of(f"{book.game}/{book.slug}"))
        quads.append(ox.Quad(subject, kind, ox.NamedNode(f"{RS}Book"), name))
        quads.append(ox.Quad(subject, title, ox.Literal(book.title), name))
        quads.append(ox.Quad(subject, ox.NamedNode(f"{RS}game"), ox.NamedNode(iri_of(book.game)), name))
    return sssom.sorted_nquads(quads)


def _provenance_graph(claim_graphs: Mapping[str, bytes]) -> bytes:
    """The graph of provenance as sorted N-Quads; `claim_graphs` holds the graphs of claims."""
    name = ox.NamedNode(PROVENANCE)
    triples = ox.parse(files("ontology").joinpath("data/provenance.ttl").read_bytes(), format=ox.RdfFormat.TURTLE)
    quads = [ox.Quad(triple.subject, triple.predicate, triple.object, name) for triple in triples]
    for graph, lines in claim_graphs.items():
        if graph.startswith(graph_iri("claims", "")):
            activity = TOPICS if graph == graph_iri("claims", "topics") else CODING
            quads += [ox.Quad(*triple, name) for triple in _claim_origins(lines, activity)]
    return sssom.sorted_nquads(quads)


def _claim_origins(lines: bytes, activity: str) -> Iterator[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode]]:
    """For each claim of a graph, the activity that made it, and the editions of the rules that support it."""
    claims, rules = {}, {}
    for quad in ox.parse(lines, format=ox.RdfFormat.N_QUADS):
        if quad.predicate.value == f"{RS}support":
            claims[quad.object] = quad.subject
        elif quad.predicate.value == f"{OA}hasSource" and isinstance(quad.object, ox.NamedNode):
            rules[quad.subject] = quad.object.value
    for support, claim in claims.items():
        if isinstance(claim, ox.NamedNode):
            yield claim, ox.NamedNode(GENERATED), ox.NamedNode(activity)
            yield claim, ox.NamedNode(DERIVED), ox.NamedNode(split_rule(rules[support]).key.iri)
