"""From an edition to proposals: each language is read by itself, then joined; the original's word goes first."""

from collections.abc import Iterable, Mapping, Sequence

from corpus.address import EditionKey
from corpus.model import Node
from corpus.words.text import fold
from ingest.extract import settle
from ingest.extract.book import BookText, TextNode, book_text
from ingest.extract.facts import Claim, Proposals, Zone, ZoneDraft
from ingest.extract.labels import as_written, kinds, slugs, stem
from ingest.extract.patterns import Patterns, patterns
from ingest.extract.spacy_pipeline import pipeline
from ingest.extract.statements import Reader
from ingest.extract.zones import find_zones
from ingest.merge import Edition


def propose(edition: Edition) -> Proposals:
    """What an edition says of its zones. Without a text there is nothing to propose."""
    rules = edition.rules.values()
    langs = dict.fromkeys(lang for rule in rules for lang in rule.texts)
    nodes = {lang: [_node(rule.texts[lang], rule.parent) for rule in rules if lang in rule.texts] for lang in langs}
    return propose_rows(edition.key, edition.original, nodes)


def _node(node: Node, parent: str | None) -> TextNode:
    return TextNode(node.kind, node.locator, node.text, parent)


def propose_rows(key: EditionKey, original: str, nodes: Mapping[str, Iterable[TextNode]]) -> Proposals:
    """The same from the rules of each language; `original` is the language whose word goes first."""
    joined = Proposals(key)
    for lang in sorted(nodes, key=lambda lang: (lang != original, lang)):
        joined = _join(joined, _read(key, book_text(lang, nodes[lang])))
    return joined


def _read(key: EditionKey, text: BookText) -> Proposals:
    """One language of an edition."""
    known = patterns(text.lang)
    state, drafts = find_zones(text, known)
    named = slugs(drafts)
    if not named:
        return Proposals(key)
    labels = {slug: as_written(known, [draft.label, *draft.others]) for slug, draft in named.items()}
    reader = Reader(
        text,
        pipeline(known, labels, _stems(known, named)),
        {locator: slug for slug, draft in named.items() for locator in draft.sections},
        frozenset(provision.locator for provision in text.provisions if state.about_zones(provision)),
        frozenset(slug for slug, draft in named.items() if draft.kind == "composite"),
    )
    above = kinds(text, named)
    held = [slug for slug, names in labels.items() if {fold(name) for name in names} & {fold(name) for name in known.owner_sees}]
    composite = [slug for slug, draft in named.items() if draft.kind == "composite"]
    claims = settle.claims(list(reader.statements()), list(named), held, composite)
    claims += settle.inherited(claims, above)
    zones = tuple(_zone(text, slug, draft, above.get(slug)) for slug, draft in named.items())
    return Proposals(key, zones, tuple(claims))


def _zone(text: BookText, slug: str, draft: ZoneDraft, above: str | None) -> Zone:
    labels = tuple((text.lang, label) for label in dict.fromkeys([draft.label, *draft.others]))
    defined = tuple(dict.fromkeys([*draft.sections, *draft.named]))
    return Zone(slug, labels, defined, "sub-zone" if above else draft.kind, above)


def _stems(known: Patterns, named: dict[str, ZoneDraft]) -> dict[str, list[str]]:
    """Names without the word for zone, where they name one zone only."""
    full = {fold(name) for draft in named.values() for name in (draft.label, *draft.others)}
    stems: dict[str, list[str]] = {}
    for slug, draft in named.items():
        short = [name for label in (draft.label, *draft.others) if (name := stem(known, label)) and fold(name) not in full]
        if short:
            stems[slug] = short
    return stems


def _join(first: Proposals, second: Proposals) -> Proposals:
    """A further language: its labels and proofs go to the zones with the same section; where it disagrees the first holds."""
    if not first.zones:
        return second
    same = {zone.slug: _twin(zone, first) for zone in second.zones}
    zones = tuple(_with_labels(zone, [other for other in second.zones if same[other.slug] == zone.slug]) for zone in first.zones)
    claims = list(first.claims)
    for claim in second.claims:
        zone = same[claim.zone]
        if zone is None:
            continue
        place = next((at for at, other in enumerate(claims) if (other.zone, other.property) == (zone, claim.property)), None)
        if place is None:
            claims.append(Claim(zone, claim.property, claim.value, claim.supports, claim.general))
        elif claims[place].value == claim.value:
            old = claims[place]
            claims[place] = Claim(zone, old.property, old.value, (*old.supports, *claim.supports), old.general)
    return Proposals(first.key, zones, tuple(claims))


def _twin(zone: Zone, among: Proposals) -> str | None:
    return next((twin.slug for twin in among.zones if twin.defined[:1] == zone.defined[:1] and twin.kind == zone.kind), None)


def _with_labels(zone: Zone, twins: Sequence[Zone]) -> Zone:
    labels = tuple(dict.fromkeys([*zone.labels, *(label for twin in twins for label in twin.labels)]))
    return Zone(zone.slug, labels, zone.defined, zone.kind, zone.above)
