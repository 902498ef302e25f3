"""Proposals of an edition and their RDF: a named graph in the bundle, and Turtle for a judge to correct.

Each language is read separately and then merged; the original language takes precedence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

from corpus.address import OA, PROV, RDF_TYPE, RS, SKOS, EditionKey, concept_iri, graph_iri, iri_of, rule_iri, scheme_iri
from corpus.model import Node
from corpus.words.text import fold_text
from ingest.extract.claims import ClaimReader, inherited_properties
from ingest.extract.claims import claims as settled_claims
from ingest.extract.patterns import Patterns, patterns
from ingest.extract.pipeline import pipeline
from ingest.extract.text import BookText, ExtractedClaim, ExtractedZone, Proposals, TextNode, ZoneDraft, book_text
from ingest.extract.zones import find_sub_zones, find_zones, label_stem, spelling_in_text, zones_by_slug
from ingest.merge import Edition
from ontology import shipped

if TYPE_CHECKING:
    from rdflib import term


def propose(edition: Edition) -> Proposals:
    """The proposals of an edition; empty without a text."""
    rules = edition.rules.values()
    langs = dict.fromkeys(lang for rule in rules for lang in rule.texts)
    nodes = {lang: [_node(rule.texts[lang], rule.parent) for rule in rules if lang in rule.texts] for lang in langs}
    return propose_rows(edition.key, edition.original, nodes)


def _node(node: Node, parent: str | None) -> TextNode:
    return TextNode(node.kind, node.locator, node.text, parent)


def propose_rows(key: EditionKey, original: str, nodes: Mapping[str, Iterable[TextNode]]) -> Proposals:
    """The same, from the rules of each language; `original` is the language that takes precedence."""
    proposals = Proposals(key)
    for lang in sorted(nodes, key=lambda lang: (lang != original, lang)):
        proposals = _join_language(proposals, _read_texts(key, book_text(lang, nodes[lang])))
    return proposals


def _read_texts(key: EditionKey, text: BookText) -> Proposals:
    """One language of an edition."""
    lang_patterns = patterns(text.lang)
    state, drafts = find_zones(text, lang_patterns)
    drafts_by_slug = zones_by_slug(drafts)
    if not drafts_by_slug:
        return Proposals(key)
    labels = {slug: spelling_in_text(lang_patterns, [draft.label, *draft.others]) for slug, draft in drafts_by_slug.items()}
    reader = ClaimReader(
        text,
        pipeline(lang_patterns, labels, _unambiguous_stems(lang_patterns, drafts_by_slug)),
        {locator: slug for slug, draft in drafts_by_slug.items() for locator in draft.sections},
        frozenset(provision.locator for provision in text.provisions if state.about_zones(provision)),
        frozenset(slug for slug, draft in drafts_by_slug.items() if draft.kind == "composite"),
    )
    above = find_sub_zones(text, drafts_by_slug)
    owner_sees = {fold_text(name) for name in lang_patterns.owner_sees}
    in_hand = [slug for slug, names in labels.items() if owner_sees & {fold_text(name) for name in names}]
    composite = [slug for slug, draft in drafts_by_slug.items() if draft.kind == "composite"]
    claims = settled_claims(list(reader.statements()), list(drafts_by_slug), in_hand, composite)
    claims += inherited_properties(claims, above)
    zones = tuple(_zone(text, slug, draft, above.get(slug)) for slug, draft in drafts_by_slug.items())
    return Proposals(key, zones, tuple(claims))


def _zone(text: BookText, slug: str, draft: ZoneDraft, parent: str | None) -> ExtractedZone:
    labels = tuple((text.lang, label) for label in dict.fromkeys([draft.label, *draft.others]))
    sections = tuple(dict.fromkeys([*draft.sections, *draft.naming_locators]))
    return ExtractedZone(slug, labels, sections, "sub-zone" if parent else draft.kind, parent)


def _unambiguous_stems(lang_patterns: Patterns, drafts: dict[str, ZoneDraft]) -> dict[str, list[str]]:
    """Names without the word for zone, unless ambiguous."""
    full = {fold_text(name) for draft in drafts.values() for name in (draft.label, *draft.others)}
    stems: dict[str, list[str]] = {}
    for slug, draft in drafts.items():
        short = [
            name
            for label in (draft.label, *draft.others)
            if (name := label_stem(lang_patterns, label)) and fold_text(name) not in full
        ]
        if short:
            stems[slug] = short
    return stems


def _join_language(first: Proposals, second: Proposals) -> Proposals:
    """Adds a language: its labels and proofs are assigned to the zones with the same section; the first language wins conflicts."""
    if not first.zones:
        return second
    same = {zone.slug: _same_zone(zone, first) for zone in second.zones}
    zones = tuple(_with_labels(zone, [other for other in second.zones if same[other.slug] == zone.slug]) for zone in first.zones)
    claims = list(first.claims)
    for claim in second.claims:
        zone = same[claim.zone]
        if zone is None:
            continue
        place = next((at for at, other in enumerate(claims) if (other.zone, other.property) == (zone, claim.property)), None)
        if place is None:
            claims.append(ExtractedClaim(zone, claim.property, claim.value, claim.supports, claim.general))
        elif claims[place].value == claim.value:
            old = claims[place]
            claims[place] = ExtractedClaim(zone, old.property, old.value, (*old.supports, *claim.supports), old.general)
    return Proposals(first.key, zones, tuple(claims))


def _same_zone(zone: ExtractedZone, proposals: Proposals) -> str | None:
    return next(
        (
            twin.slug
            for twin in proposals.zones
            if twin.defining_locators[:1] == zone.defining_locators[:1] and twin.kind == zone.kind
        ),
        None,
    )


def _with_labels(zone: ExtractedZone, same_zones: Sequence[ExtractedZone]) -> ExtractedZone:
    labels = tuple(dict.fromkeys([*zone.labels, *(label for twin in same_zones for label in twin.labels)]))
    return ExtractedZone(zone.slug, labels, zone.defining_locators, zone.kind, zone.above)


_KINDS = {"zone": "Zone", "sub-zone": "Subzone", "composite": "CompositeZone"}
_NUMBER_TYPE = "#"


def graph_of_edition(key: EditionKey) -> str:
    """The named graph of an edition's proposals."""
    return graph_iri("proposed", key)


def proposals(edition: Edition) -> dict[str, bytes]:
    """The named graph of the proposals of an edition if its game has no annotations; else empty."""
    if shipped.has_annotations(edition.key.game) or not any(rule.texts for rule in edition.rules.values()):
        return {}

    return nquads(propose(edition))


def nquads(proposals: Proposals) -> dict[str, bytes]:
    """The proposals as one named graph of sorted N-Quads; empty without proposals."""
    if not proposals.zones:
        return {}
    name = graph_of_edition(proposals.key)
    lines = sorted(
        {f"{subject.n3()} {predicate.n3()} {thing.n3()} <{name}> ." for subject, predicate, thing in _triples(proposals)}
    )
    return {name: "\n".join([*lines, ""]).encode()}


def turtle(proposals: Proposals) -> str:
    """The proposals as canonical Turtle, which rdflib reads and writes unchanged."""
    from rdflib import Graph

    graph = Graph()
    for prefix, namespace in (("oa", OA), ("prov", PROV), ("rs", RS), ("skos", SKOS)):
        graph.bind(prefix, namespace)
    for triple in _triples(proposals):
        graph.add(triple)
    return Graph().parse(data=graph.serialize(format="turtle"), format="turtle").serialize(format="turtle")


def _triples(proposals: Proposals) -> Iterator[tuple["term.Node", "term.Node", "term.Node"]]:
    """The statements; their language is "" for a plain text, `#` for a number, None for an address."""
    from rdflib import Literal, URIRef

    concepts = (statement for zone in proposals.zones for statement in _concept(proposals.key, zone))
    claims = (statement for claim in proposals.claims for statement in _claim(proposals.key, claim))
    for subject, predicate, thing, lang in chain(concepts, claims):
        number = Literal(int(thing)) if lang == _NUMBER_TYPE else Literal(thing, lang=lang or None) if lang is not None else None
        yield URIRef(subject), URIRef(predicate), URIRef(thing) if number is None else number


def _iri(key: EditionKey, slug: str) -> str:
    return concept_iri(f"{key.game}/{slug}")


def _concept(key: EditionKey, zone: ExtractedZone) -> Iterator[tuple[str, str, str, str | None]]:
    """A proposed concept has the labels of the book and no definition, which a judge must write."""
    subject = _iri(key, zone.slug)
    for kind in (f"{SKOS}Concept", f"{RS}{_KINDS[zone.kind]}"):
        yield subject, RDF_TYPE, kind, None
    yield subject, f"{SKOS}inScheme", scheme_iri(key.game), None
    langs_with_label: set[str] = set()
    for lang, label in zone.labels:
        yield subject, f"{SKOS}{'altLabel' if lang in langs_with_label else 'prefLabel'}", label, lang
        langs_with_label.add(lang)
    if zone.above:
        yield subject, f"{SKOS}broader", _iri(key, zone.above), None
    for locator in zone.defining_locators:
        yield subject, f"{RS}definedBy", rule_iri(key, locator), None


def _claim(key: EditionKey, claim: ExtractedClaim) -> Iterator[tuple[str, str, str, str | None]]:
    mark = sha256(f"{key} {claim.zone} {claim.property} {claim.value}".encode()).hexdigest()[:12]
    subject = iri_of(f"claim/{key.game}-{mark}")
    yield subject, RDF_TYPE, f"{RS}Claim", None
    yield subject, f"{RS}subject", _iri(key, claim.zone), None
    yield subject, f"{RS}property", f"{RS}{claim.property}", None
    if claim.value.isdecimal():
        yield subject, f"{RS}numericValue", claim.value, _NUMBER_TYPE
    else:
        yield subject, f"{RS}value", f"{RS}{claim.value}", None
    yield subject, f"{RS}status", f"{RS}proposed", None
    yield subject, shipped.GENERATED, shipped.EXTRACTION, None
    yield subject, shipped.DERIVED, key.iri, None
    for number, support in enumerate(claim.supports, 1):
        place, quote = f"{subject}#support-{number}", f"{subject}#quote-{number}"
        yield subject, f"{RS}support", place, None
        yield place, RDF_TYPE, f"{OA}SpecificResource", None
        yield place, f"{OA}hasSource", rule_iri(key, support.locator), None
        yield place, f"{OA}hasSelector", quote, None
        yield quote, RDF_TYPE, f"{OA}TextQuoteSelector", None
        yield quote, f"{OA}exact", support.phrase, support.lang
