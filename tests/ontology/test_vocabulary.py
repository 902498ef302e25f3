"""schema.ttl, shapes.ttl and the violation queries: documented in three languages, canonical, and every one can fail."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import pyoxigraph as ox
import pytest
from pyshacl import validate
from rdflib import DCTERMS, OWL, RDF, RDFS, SH, SKOS, BNode, Graph, URIRef
from rdflib.term import Node

from corpus.address import BASE
from corpus.catalogue import catalogue
from corpus.store.engine import Store
from ingest.rulings import quads as ruling_quads
from ontology import shipped
from ontology.checks.report import dangling_citations, query_violations
from ontology.checks.shapes import broken_shapes, violations_in
from ontology.sssom import SSSOM
from tests.support.shipped import known

NS = f"{BASE}ns#"
TURTLE = ("schema.ttl", "shapes.ttl")
LANGS = {"en", "ja", "zh-Hans"}
PROPERTIES = (
    *("authority", "book", "chars", "cites", "edition", "exact", "game", "hasCitation", "hasExample", "hasNote", "headword"),
    *("language", "locator", "mentions", "number", "order", "parent", "source", "target", "text", "validUntil", "wanted"),
    *("stepKind", "similarity", "before", "after", "onlyReferences", "proposedStep"),
)
CLASSES = "Chapter", "Section", "Rule", "GlossaryEntry", "Table", "Prose", "Citation", "Example", "Note", "Step", "Edition"
"""The names in corpus/store/statements.py."""


def turtle(name: str) -> str:
    return files("ontology").joinpath("data", name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TURTLE)
def test_is_canonical_without_blank_nodes(name: str) -> None:
    graph = Graph().parse(data=turtle(name), format="turtle")
    assert graph.serialize(format="turtle") == turtle(name)
    assert not [term for triple in graph for term in triple if isinstance(term, BNode)]


def terms() -> Iterator[str]:
    graph = parsed("schema.ttl")
    for kind in (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, URIRef(f"{NS}Authority")):
        yield from sorted(str(subject) for subject in graph.subjects(RDF.type, kind))


def test_every_term_is_labelled_and_defined_in_three_languages() -> None:
    graph = parsed("schema.ttl")
    for term in terms():
        for predicate in (RDFS.label, SKOS.definition):
            assert {getattr(words, "language", None) for words in graph.objects(URIRef(term), predicate)} == LANGS, term


def test_the_vocabulary_and_every_scheme_state_creator_and_licence() -> None:
    graph = Graph().parse(data=turtle("schema.ttl"), format="turtle")
    names = [file.name for file in files("ontology").joinpath("data/concepts").iterdir() if file.name != "moved.ttl"]
    assert len(names) >= 5
    for name in names:
        graph.parse(data=turtle(f"concepts/{name}"), format="turtle")
    [vocabulary] = graph.subjects(RDF.type, OWL.Ontology)
    assert set(graph.objects(vocabulary, OWL.versionIRI)) == {
        URIRef(f"{vocabulary}/{next(graph.objects(vocabulary, OWL.versionInfo))}")
    }
    for subject in (vocabulary, *graph.subjects(RDF.type, SKOS.ConceptScheme)):
        assert {getattr(words, "language", None) for words in graph.objects(subject, DCTERMS.title)} == LANGS
        for predicate in (DCTERMS.license, DCTERMS.creator, DCTERMS.modified):
            assert len(list(graph.objects(subject, predicate))) == 1, (subject, predicate)


def test_deprecated_terms_state_since_when() -> None:
    graph = Graph().parse(data=turtle("schema.ttl"), format="turtle")
    for term in graph.subjects(OWL.deprecated, None):
        assert list(graph.objects(term, DCTERMS.isReplacedBy)) or list(graph.objects(term, SKOS.changeNote)), term


def test_deprecated_terms_are_not_written() -> None:
    gone = {str(term) for term in parsed("schema.ttl").subjects(OWL.deprecated, None)}
    assert gone.isdisjoint(used())
    assert URIRef(f"{NS}yes") in parsed("values/closed.ttl").subjects(OWL.deprecated, None)


def test_no_property_names_a_language() -> None:
    schema = parsed("schema.ttl")
    properties = {str(term) for kind in (OWL.ObjectProperty, OWL.DatatypeProperty) for term in schema.subjects(RDF.type, kind)}
    assert {
        term for term in properties if re.search(r"_(en|ja|zh)", term) and (URIRef(term), OWL.deprecated, None) not in schema
    } == set()


def test_a_value_is_an_iri_a_number_or_a_boolean() -> None:
    kinds: dict[str, set[str]] = {}
    for lines in shipped.shipped_graphs().values():
        for quad in ox.parse(lines, format=ox.RdfFormat.N_QUADS):
            if (name := quad.predicate.value.removeprefix(NS)) in ("value", "numericValue", "booleanValue"):
                kind = quad.object.datatype.value.rpartition("#")[2] if isinstance(quad.object, ox.Literal) else "IRI"
                kinds.setdefault(name, set()).add(kind)
    assert kinds == {"value": {"IRI"}, "numericValue": {"integer"}, "booleanValue": {"boolean"}}


def test_the_super_properties_are_of_other_vocabularies_or_ours() -> None:
    schema = parsed("schema.ttl")
    above = set(schema.objects(None, RDFS.subPropertyOf))
    assert len(list(schema.subjects(RDFS.subPropertyOf, None))) > 25
    assert not [
        term for term in above if not str(term).startswith((str(DCTERMS), str(SKOS), str(RDFS), "http://www.w3.org/ns/oa#"))
    ]


def test_a_ruling_is_no_edition() -> None:
    """The domain of a property types whatever has it."""
    assert not list(parsed("schema.ttl").objects(URIRef(f"{NS}game"), RDFS.domain))


def test_every_game_and_book_of_the_catalogue_has_a_title() -> None:
    store, query = known(), f"SELECT DISTINCT ?thing WHERE {{ GRAPH ?g {{ ?thing <{DCTERMS.title}> ?title ; a <{NS}"
    assert len(store.select(f"{query}Book> ; <{NS}game> ?game }} }}")) == len(catalogue().books)
    assert len(store.select(f"{query}Game> }} }}")) == len(
        {*catalogue().games, *(book.game for book in catalogue().books.values())}
    )


def test_every_term_that_build_writes_is_in_the_schema() -> None:
    iris = {f"{NS}{name}" for name in (*PROPERTIES, *CLASSES, "steps", "gloss", "askedAs")}
    iris |= {term.value for term in ruling_quads._PREDICATES.values()} | {f"{NS}Ruling"}
    assert iris <= set(terms())


@cache
def parsed(name: str) -> Graph:
    return Graph().parse(data=turtle(name), format="turtle")


def used() -> set[str]:
    """Every property of ours that ships in use, or that a build writes."""
    quads = (quad for lines in shipped.shipped_graphs().values() for quad in ox.parse(lines, format=ox.RdfFormat.N_QUADS))
    iris = {quad.predicate.value for quad in quads} | {term.value for term in ruling_quads._PREDICATES.values()}
    iris |= {f"{NS}{name}" for name in (*PROPERTIES, "steps", "gloss", "askedAs", "verified", "curates", "curatedAs", "curatedBy")}
    return {name for name in iris if name.startswith(NS)}


def test_every_property_in_use_has_a_domain_and_range_or_a_shape() -> None:
    schema, shapes = (parsed(file) for file in TURTLE)
    for term in map(URIRef, used()):
        assert {getattr(words, "language", None) for words in schema.objects(term, RDFS.label)} == LANGS, term
        joins = schema.value(term, RDFS.domain) and schema.value(term, RDFS.range)
        assert joins or any(len(list(shapes.predicate_objects(part))) > 2 for part in shapes.subjects(SH.path, term)), term


RULE = (
    f"<urn:r1> <{RDF.type}> <{NS}Rule> <urn:g> .\n"
    f"<urn:r1> <{NS}edition> <urn:e> <urn:g> .\n"
    f'<urn:r1> <{NS}locator> "1.1" <urn:g> .\n'
    f'<urn:r1> <{NS}order> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g> .\n'
    f'<urn:r1> <{NS}text> "A ferry."@en <urn:g> .\n'
    f"<urn:r1> <{NS}source> <urn:s#char=0,9> <urn:g> .\n"
)
SCHEMES = "".join(f"<urn:{game}{n}> <{SKOS.inScheme}> <urn:{game}> <urn:g> .\n" for game in "ab" for n in "12")
"""Two games with two concepts each."""


def mapping(subject: str, other: str, before: str = "", *, modifier: str = "") -> str:
    """A mapping from a concept of game a to one of game b, without its reverse."""
    terms = {
        "subject_id": subject,
        "object_id": other,
        "subject_source": "urn:a",
        "object_source": "urn:b",
        "predicate_id": SKOS.closeMatch,
    }
    lines = [f"<urn:m> <{SSSOM}{name}> <{value}> <urn:g> ." for name, value in terms.items()]
    lines += [f'<urn:m> <{SSSOM}predicate_modifier> "{modifier}" <urn:g> .'] if modifier else []
    return before + "\n".join(lines) + "\n"


def exact(subject: str, other: str) -> str:
    return f"<{subject}> <{SKOS.exactMatch}> <{other}> <urn:g> .\n<{other}> <{SKOS.exactMatch}> <{subject}> <urn:g> .\n"


BROKEN = {
    "parent-missing": f"<urn:r1> <{NS}parent> <urn:none> <urn:g> .\n",
    "citation-target-missing": f"<urn:r1> <{NS}cites> <urn:none> <urn:g> .\n",
    "citation-leaves-edition": f"<urn:r1> <{NS}cites> <urn:r2> <urn:g> .\n<urn:r2> <{NS}edition> <urn:other> <urn:g> .\n",
    "parent-below": f"<urn:r1> <{NS}parent> <urn:r1> <urn:g> .\n",
    "order-twice": RULE.replace("urn:r1", "urn:r2"),
    "mapping-concept-missing": mapping("urn:a1", "urn:none", SCHEMES),
    "mapping-denied-and-stated": mapping("urn:a1", "urn:b1", SCHEMES, modifier="Not")
    + f"<urn:a1> <{SKOS.closeMatch}> <urn:b1> <urn:g> .\n",
    "mapping-one-sided": mapping("urn:a1", "urn:b1", SCHEMES),
    "exact-match-chain": SCHEMES + "".join(exact(*pair) for pair in (("urn:a1", "urn:b1"), ("urn:b1", "urn:a2"))),
    "ruling-rule-missing": f"<urn:q> <{NS}restsOn> <urn:none> <urn:g> .\n",
}


def loaded(extra: str = "") -> Store:
    store = Store()
    store.load((RULE + extra).encode())
    store.flush()
    return store


def test_sound_graph_has_no_finding() -> None:
    assert [*query_violations(loaded()), *dangling_citations(loaded()), *broken_shapes(loaded())] == []


def test_every_violation_query_has_a_case() -> None:
    names = {path.name.removesuffix("-violation.rq") for path in files("ontology").joinpath("data/violations").iterdir()}
    assert names == set(BROKEN)


@pytest.mark.parametrize(
    ("quads", "sound"),
    [
        (SCHEMES + exact("urn:a1", "urn:b1") + exact("urn:a2", "urn:b2"), True),
        (SCHEMES + exact("urn:a1", "urn:b1") + mapping("urn:a1", "urn:b1", modifier="Not"), False),
        (SCHEMES + exact("urn:a1", "urn:b1") + mapping("urn:a1", f"{SSSOM}NoTermFound"), False),
        (SCHEMES + mapping("urn:a1", f"{SSSOM}NoTermFound"), True),
        (SCHEMES + mapping("urn:b1", f"{SSSOM}NoTermFound"), False),
    ],
)
def test_mappings_agree_with_each_other(quads: str, sound: bool) -> None:
    findings = [finding for finding in query_violations(loaded(quads)) if "both sides" not in str(finding.message)]
    assert (not findings) is sound


@pytest.mark.parametrize("case", BROKEN)
def test_violation_is_found(case: str) -> None:
    expected = files("ontology").joinpath("data/violations", f"{case}-violation.rq").read_text(encoding="utf-8").splitlines()[0]
    assert expected.removeprefix("#").strip() in {str(finding.message) for finding in query_violations(loaded(BROKEN[case]))}


UNSHAPELY = {
    f'<urn:r1> <{NS}locator> "second" <urn:g> .\n': "rs:locator has too many values; expected at most 1",
    f'<urn:r1> <{NS}text> "Eine Fähre."@de <urn:g> .\n': "rs:text is 'Eine Fähre.'@de; expected a text in one of ja,",
    f'<urn:r1> <{NS}text> "Again."@en <urn:g> .\n': "rs:text has two texts in one language; expected one",
    f"<urn:c> <{RDF.type}> <{NS}Citation> <urn:g> .\n": "rs:exact has too few values; expected at least 1",
    f"<urn:e> <{RDF.type}> <{NS}Edition> <urn:g> .\n": "",
}
"""Quads that break a shape, and the start of the reason."""


def ruling(*facts: str, without: str = "") -> str:
    """A ruling with some facts more, and without one."""
    there = {"game": f"<{BASE}id/ferry>", "ruledBy": '"desk"', "authority": f"<{NS}official>", "answer": '"Nobody."@en'}
    said = [f"<{NS}{name}> {value}" for name, value in there.items() if name != without]
    return "".join(f"<urn:q> {fact} <urn:g> .\n" for fact in (f"<{RDF.type}> <{NS}Ruling>", *said, *facts))


@pytest.mark.parametrize(
    ("quads", "reason"),
    [
        (ruling(without="answer"), "rs:answer has too few values"),
        (ruling(without="game"), "rs:game has too few values"),
        (ruling(without="ruledBy"), "rs:ruledBy has too few values"),
        (ruling(without="authority"), "rs:authority has too few values"),
        (ruling(f'<{NS}answer> "Everybody."@en'), "rs:answer has two texts in one language"),
        (ruling(f'<{NS}question> "Wer?"@de'), "rs:question is 'Wer?'@de; expected a text in one of"),
        (ruling(f'<{NS}date> "8 March 2025"'), "rs:date is 8 March 2025; expected a match of"),
        (ruling(f'<{NS}cardName> ""'), "rs:cardName is ; expected at least 1 characters"),
        (ruling(f'<{NS}ruledBy> "The Desk"', without="ruledBy"), "rs:ruledBy is The Desk; expected a match of"),
        (ruling(f'<{NS}restsOn> "102.2"'), "rs:restsOn is 102.2; expected an address"),
        (ruling(f"<{NS}replacedBy> <urn:r1>"), "rs:replacedBy is <urn:r1>; expected a rs:Ruling"),
        (ruling(f'<{NS}withdrawn> "gone"'), "rs:withdrawn is gone; expected a value of the type xsd:boolean"),
    ],
)
def test_a_ruling_that_lacks_something_breaks_a_shape(quads: str, reason: str) -> None:
    reasons = [str(finding.message) for finding in broken_shapes(loaded(quads))]
    assert any(said.startswith(reason) for said in reasons), reasons


def test_a_whole_ruling_is_sound() -> None:
    facts = ('question> "Who?"@en', 'question> "誰？"@ja', 'date> "2025-03"', 'cardName> "Long Ferry"', "restsOn> <urn:r1>")
    whole = loaded(ruling(*(f"<{NS}{fact}" for fact in facts)))
    assert [*query_violations(whole), *broken_shapes(whole)] == []


def claim(property_: str, value: str, *notes: str, states: str = "value") -> str:
    """A claim about a zone with one support; `states` is the property of its value."""
    said = {
        "property": f"<{NS}{property_}>",
        states: value,
        "status": f"<{NS}accepted>",
        "subject": "<urn:z>",
        "support": "<urn:s>",
    }
    lines = [f"<urn:c> <{NS}{name}> {thing} <urn:g> ." for name, thing in said.items()]
    lines += [f"<urn:c> <{NS}note> {note} <urn:g> ." for note in notes]
    return ZONE + "\n".join([f"<urn:c> <{RDF.type}> <{NS}Claim> <urn:g> .", *lines, ""])


ZONE = (
    f"<urn:z> <{RDF.type}> <{SKOS.Concept}> <urn:g> .\n<urn:z> <{SKOS.inScheme}> <urn:game> <urn:g> .\n"
    + "".join(
        f'<urn:z> <{SKOS}{name}> "{words}"@{lang} <urn:g> .\n'
        for name in ("prefLabel", "definition")
        for lang, words in (("ja", "河岸"), ("zh-Hans", "岸边"), ("en", "quay"))
    )
    + f"<urn:v> <{RDF.type}> <{NS}StatedValue> <urn:g> .\n"
    + "".join(
        f'<urn:v> <{RDFS.label}> "{words}"@{lang} <urn:g> .\n'
        for lang, words in (("ja", "船"), ("zh-Hans", "船只"), ("en", "boats"))
    )
)
"""A zone, and what may be said of one."""
NUMBER = '"{}"^^<http://www.w3.org/2001/XMLSchema#integer>'
YES = '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>'
THREE = ('"だれでも。"@ja', '"任何人。"@zh-Hans', '"Anybody."@en')


@pytest.mark.parametrize(
    ("quads", "sound"),
    [
        (claim("visibility", f"<{NS}public>"), True),
        (claim("visibility", '"publik"'), False),
        (claim("visibility", '"public"'), False),
        (claim("visibility", f"<{NS}shared>"), False),
        (claim("ordering", f"<{NS}unordered>"), False),
        (claim("capacity", NUMBER.format(7), states="numericValue"), True),
        (claim("capacity", NUMBER.format(7)), False),
        (claim("capacity", '"7"', states="numericValue"), False),
        (claim("count-public", YES, states="booleanValue"), True),
        (claim("count-public", '"yes"', states="booleanValue"), False),
        (claim("count-public", f"<{NS}yes>"), False),
        (claim("visibility", YES, states="booleanValue"), False),
        (claim("capacity", f"<{NS}unlimited>") + f"<urn:c> <{NS}numericValue> {NUMBER.format(7)} <urn:g> .\n", False),
        (claim("capacity", f"<{NS}unlimited>"), True),
        (claim("capacity", '"lots"'), False),
        (claim("capacity", NUMBER.format(-1), states="numericValue"), False),
        (claim("start-size", f"<{NS}unlimited>"), False),
        (claim("sub-zone", "<urn:z>"), True),
        (claim("sub-zone", "<urn:none>"), False),
        (claim("sub-zone", '"quay"'), False),
        (claim("contents", "<urn:v>"), True),
        (claim("contents", '"boats"'), False),
        (claim("colour", f"<{NS}public>"), False),
        (claim("visibility", f"<{NS}public>", *THREE), True),
        (claim("visibility", f"<{NS}public>", THREE[2]), False),
        (claim("visibility", f"<{NS}public>", *THREE, '"Nobody."@en'), False),
        (claim("contents", "<urn:v>") + f"<urn:v> <{NS}outcome> <{NS}public> <urn:g> .\n", False),
        (claim("contents", "<urn:v>") + f"<urn:v> <{NS}outcome> <{NS}stays> <urn:g> .\n", True),
        (claim("contents", "<urn:v>") + f"<urn:v> <{NS}destination> <urn:none> <urn:g> .\n", False),
        (claim("contents", "<urn:v>") + f'<urn:v> <{NS}cards> "Boot"@de <urn:g> .\n', False),
        (claim("contents", "<urn:v>") + f"<urn:w> <{RDF.type}> <{NS}StatedValue> <urn:g> .\n", False),
        (claim("contents", "<urn:v>") + f"<urn:w> <{RDF.type}> <{NS}ClosedValue> <urn:g> .\n", False),
    ],
)
def test_a_claim_has_only_allowed_values_of_its_property(quads: str, sound: bool) -> None:
    assert (list(broken_shapes(loaded(quads))) == []) is sound


WRONG = {
    "minCount": ([], "has too few values"),
    "maxCount": ([f"<urn:{nth}>" for nth in range(9)], "has too many values"),
    "minLength": (['""'], "characters"),
    "maxLength": ([f'"{"x" * 999}"@en'], "characters"),
    "minInclusive": (['"-1"^^<http://www.w3.org/2001/XMLSchema#integer>'], "expected at least 0"),
    "datatype": (['"x"@en'], "expected a value of the type"),
    "nodeKind": (['"x"'], "expected an address"),
    "class": (["<urn:none>"], "expected a "),
    "in": (["<urn:none>"], "expected one of"),
    "pattern": (['"no such thing"'], "expected a match of"),
    "languageIn": (['"Boot"@de'], "expected a text in one of"),
    "uniqueLang": (['"boat"@en', '"ship"@en'], "has two texts in one language"),
}
"""A breach of each constraint, and its message."""


def broken_each() -> dict[str, tuple[str, str]]:
    """A node for every constraint of every shape of a class that breaks it: its address, its quads, what is said of it."""
    shapes, broken = parsed("shapes.ttl"), {}
    for shape, target in shapes.subject_objects(SH.targetClass):
        for part in shapes.objects(shape, SH.property):
            for name in sorted({str(predicate).removeprefix(str(SH)) for predicate in shapes.predicates(part)} & set(WRONG)):
                node, (values, reason) = f"{part}/{name}", WRONG[name]
                lines = [f"<{RDF.type}> <{target}>", *(f"<{shapes.value(part, SH.path)}> {value}" for value in values)]
                broken[node] = "".join(f"<{node}> {line} <urn:g> .\n" for line in lines), f"{path_of(shapes, part)} .*{reason}"
    return broken


def path_of(shapes: Graph, part: Node) -> str:
    path = shapes.value(part, SH.path)
    assert isinstance(path, URIRef)
    return path.n3(shapes.namespace_manager)


CLAIMS = [
    f"<urn:c{nth}> <{RDF.type}> <{NS}Claim> <urn:g> .\n" + "".join(f"<urn:c{nth}> <{NS}{fact} <urn:g> .\n" for fact in facts)
    for nth, facts in enumerate(
        [
            (f"property> <{NS}visibility>", f"value> <{NS}shared>"),
            (f"property> <{NS}visibility>", f"value> <{NS}public>"),
            (f"property> <{NS}visibility>", f"property> <{NS}sharing>", f"value> <{NS}shared>"),
            (f"property> <{NS}capacity>", f"value> <{NS}unlimited>"),
            (f"property> <{NS}capacity>", "value> <urn:none>"),
            ("property> <urn:none>", f"value> <{NS}public>"),
            ("value> <urn:none>",),
            (),
        ]
    )
]
"""Claims that fit one of the alternatives of their shape, or none."""


def test_shapes_find_the_same_as_they_are_written() -> None:
    """The shapes are rearranged to be fast; as the file has them they must say the same of what breaks each constraint."""
    each = broken_each()
    store = loaded("".join((*UNSHAPELY, *CLAIMS, *(quads for quads, _ in each.values()))))
    data = Graph().parse(data="\n".join(store.construct("CONSTRUCT { ?s ?p ?o } { GRAPH ?g { ?s ?p ?o } }")), format="nt")
    shapes = Graph().parse(data=turtle("shapes.ttl"), format="turtle")
    _, report, _ = validate(data, shacl_graph=shapes)
    broken = broken_shapes(store)
    assert broken == violations_in(report, shapes)
    said = {(finding.subject, str(finding.message)) for finding in broken}
    assert len(each) > 200
    assert not [
        node
        for node, (_, reason) in each.items()
        if not any(subject == node and re.match(reason, words) for subject, words in said)
    ]
    assert {subject for subject, words in said if "none that its property can have" in words} >= {
        "urn:c0",
        "urn:c2",
        "urn:c4",
        "urn:c5",
    }


@pytest.mark.parametrize(("quad", "reason"), UNSHAPELY.items())
def test_a_broken_shape_is_told_in_a_sentence_of_ours(quad: str, reason: str) -> None:
    assert any(str(finding.message).startswith(reason) for finding in broken_shapes(loaded(quad)))
