"""An edition as quads: one named graph per language, one for its glosses, one for the look-up records. Deterministic."""

import json
from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from corpus.address import NS, RDF_TYPE, graph_iri, iri_of, rule_iri, source_iri
from corpus.contract import RuleRecord
from corpus.model import Aside, Authority, Citation, Kind, Node
from ingest.define import graph as terms
from ingest.define.concepts import concepts
from ingest.merge import Edition, Rule
from ingest.record import Recorder

_TYPE = ox.NamedNode(RDF_TYPE)
_INTEGER = ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")
_CLASSES = {
    Kind.CHAPTER: "Chapter",
    Kind.SECTION: "Section",
    Kind.RULE: "Rule",
    Kind.GLOSSARY: "GlossaryEntry",
    Kind.TABLE: "Table",
    Kind.PROSE: "Prose",
}


def term(name: str) -> ox.NamedNode:
    """A term of Rulestone's vocabulary."""
    return ox.NamedNode(NS + name)


_P = {
    name: term(name)
    for name in (
        "askedAs", "authority", "book", "chars", "cites", "edition", "exact", "game", "gloss", "hasCitation", "hasExample",
        "hasNote", "headword", "language", "locator", "mentions", "number", "order", "parent", "record", "source", "target", "text",
        "wanted",
    )
}  # fmt: skip


def graph_of(edition: Edition, part: str) -> ox.NamedNode:
    """The named graph of one language of an edition, of its glosses (`digest`), `mentions` or look-up `records`."""
    return ox.NamedNode(graph_iri(edition.key, part))


def nquads(edition: Edition) -> dict[str, bytes]:
    """The edition's named graphs as sorted N-Quads: the same edition gives the same bytes."""
    graphs = {graph_of(edition, lang): _language(edition, lang) for lang in sorted(edition.authorities)}
    defined = concepts(edition)
    records = list(Recorder(edition, defined).records())
    graphs[ox.NamedNode(graph_iri(terms.GRAPHS, edition.key))] = terms.quads(edition.key, defined, _official(edition))
    graphs |= {graph_of(edition, "digest"): _glosses(edition), graph_of(edition, "mentions"): _mentions(edition, records)}
    graphs[graph_of(edition, "records")] = _records(edition, records)
    written = ((graph.value, ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b"") for graph, quads in graphs.items())
    return {graph: b"\n".join(sorted(set(lines.splitlines()))) + b"\n" for graph, lines in written if lines}


def _official(edition: Edition) -> list[str]:
    """The languages of the official texts of an edition."""
    return [lang for lang, authority in edition.authorities.items() if authority is Authority.OFFICIAL]


def _records(edition: Edition, records: Iterable[tuple[Rule, RuleRecord]]) -> Iterator[ox.Quad]:
    graph = graph_of(edition, "records")
    for rule, record in records:
        subject = ox.NamedNode(record["iri"])
        words = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        yield ox.Quad(subject, _P["record"], ox.Literal(words), graph)
        yield ox.Quad(subject, _P["locator"], ox.Literal(rule.locator), graph)
        yield ox.Quad(subject, _P["edition"], ox.NamedNode(edition.key.iri), graph)


def _mentions(edition: Edition, records: Iterable[tuple[Rule, RuleRecord]]) -> Iterator[ox.Quad]:
    """The concepts that each rule names, in whatever language; where they stand is in its record."""
    graph = graph_of(edition, "mentions")
    for _, record in records:
        for concept in sorted({mention["concept"] for mention in record["mentions"]}):
            yield ox.Quad(ox.NamedNode(record["iri"]), _P["mentions"], ox.NamedNode(concept), graph)


def _language(edition: Edition, lang: str) -> Iterator[ox.Quad]:
    graph = graph_of(edition, lang)
    whole = ox.NamedNode(edition.key.iri)
    facts: list[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]] = [
        (whole, _TYPE, term("Edition")),
        (whole, _P["game"], ox.NamedNode(iri_of(edition.key.game))),
        (whole, _P["book"], ox.NamedNode(iri_of(f"{edition.key.game}/{edition.key.book}"))),
        (whole, _P["language"], ox.Literal(lang)),
        (whole, _P["authority"], term(edition.authorities[lang].value)),
    ]
    facts += [(whole, _P["source"], ox.NamedNode(source_iri(sha256))) for _, sha256 in edition.files[lang]]
    yield from (ox.Quad(*fact, graph) for fact in facts)
    for place, rule in enumerate(edition.rules.values()):
        if lang in rule.texts:
            yield from _rule(edition, rule, rule.texts[lang], lang, place, graph)


def _rule(edition: Edition, rule: Rule, node: Node, lang: str, place: int, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    iri = rule_iri(edition.key, rule.locator)
    subject = ox.NamedNode(iri)

    def quad(name: str, value: ox.NamedNode | ox.Literal) -> ox.Quad:
        return ox.Quad(subject, _P[name], value, graph)

    yield ox.Quad(subject, _TYPE, term(_CLASSES[rule.kind]), graph)
    yield quad("edition", ox.NamedNode(edition.key.iri))
    yield quad("locator", ox.Literal(rule.locator))
    yield quad("order", ox.Literal(str(place), datatype=_INTEGER))
    yield quad("text", ox.Literal(node.text, language=lang))
    if node.number:
        yield quad("number", ox.Literal(node.number))
    if node.headword:
        yield quad("headword", ox.Literal(node.headword, language=lang))
    if rule.parent in edition.rules:
        yield quad("parent", ox.NamedNode(rule_iri(edition.key, rule.parent or "")))
    if node.authority:
        yield quad("authority", term(node.authority.value))
    for source in rule.sources:
        if source.lang == lang:
            yield quad("source", ox.NamedNode(source_iri(source.sha256, source.start, source.end)))
    yield from _citations(edition, iri, node.cites, lang, graph)
    yield from _asides(edition, iri, "Example", node.examples, lang, graph)
    yield from _asides(edition, iri, "Note", node.notes, lang, graph)


def _citations(edition: Edition, iri: str, cites: Iterable[Citation], lang: str, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    for count, cite in enumerate(cites, 1):
        subject = ox.NamedNode(f"{iri}#citation-{lang}-{count}")
        yield ox.Quad(ox.NamedNode(iri), _P["hasCitation"], subject, graph)
        yield ox.Quad(subject, _TYPE, term("Citation"), graph)
        yield ox.Quad(subject, _P["exact"], ox.Literal(cite.surface, language=lang), graph)
        yield ox.Quad(subject, _P["chars"], ox.Literal(f"{cite.start},{cite.end}"), graph)
        yield ox.Quad(subject, _P["wanted"], ox.Literal(cite.wanted), graph)
        if cite.target in edition.rules:
            target = ox.NamedNode(rule_iri(edition.key, cite.target or ""))
            yield ox.Quad(subject, _P["target"], target, graph)
            yield ox.Quad(ox.NamedNode(iri), _P["cites"], target, graph)


def _asides(edition: Edition, iri: str, kind: str, asides: Iterable[Aside], lang: str, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    for count, aside in enumerate(asides, 1):
        subject = ox.NamedNode(f"{iri}#{kind.lower()}-{lang}-{count}")
        yield ox.Quad(ox.NamedNode(iri), _P[f"has{kind}"], subject, graph)
        yield ox.Quad(subject, _TYPE, term(kind), graph)
        yield ox.Quad(subject, _P["text"], ox.Literal(aside.text, language=lang), graph)
        if aside.authority:
            yield ox.Quad(subject, _P["authority"], term(aside.authority.value), graph)
        for cite in aside.cites:
            if cite.target in edition.rules:
                yield ox.Quad(subject, _P["cites"], ox.NamedNode(rule_iri(edition.key, cite.target or "")), graph)


def _glosses(edition: Edition) -> Iterator[ox.Quad]:
    graph = graph_of(edition, "digest")
    for rule in edition.rules.values():
        if rule.gloss:
            subject = ox.NamedNode(rule_iri(edition.key, rule.locator))
            for lang, words in sorted(rule.gloss.words.items()):
                yield ox.Quad(subject, _P["gloss"], ox.Literal(words, language=lang), graph)
            for lang, questions in sorted(rule.gloss.asked.items()):
                yield from (ox.Quad(subject, _P["askedAs"], ox.Literal(question, language=lang), graph) for question in questions)
