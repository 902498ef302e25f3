"""Builds an edition: its rules in the form of the JSON contract (`corpus.contract`), and the graphs beside them.

The graphs hold our glosses and the terms that the edition defines. Deterministic.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import pyoxigraph as ox

from corpus import contract
from corpus.address import RS, graph_iri, rule_iri
from corpus.catalogue import catalogue
from corpus.contract import Mention, OtherGloss, RuleCitation, RuleRecord, RuleRef
from corpus.digest import GLOSS_LANGUAGES
from corpus.model import Aside, Authority, Citation, Node
from ingest import define
from ingest.cite import Citer
from ingest.define import BookConcept
from ingest.mark import ConceptMarker
from ingest.merge import Edition, MergedRule, Source
from ontology.shipped import shipped_links

_DUPLICATE_SUFFIX = ".dup"


class Recorder:
    """Writes the records of one edition."""

    def __init__(self, edition: Edition, concepts: Iterable[BookConcept] = ()) -> None:
        """`concepts` are those defined by the edition itself."""
        self.edition = edition
        self.defines = _by_rule(concepts)
        self.order = list(edition.rules)
        self.children: dict[str, list[str]] = {}
        for rule in edition.rules.values():
            if rule.parent in edition.rules:
                self.children.setdefault(rule.parent or "", []).append(rule.locator)
        self.printed = self._repeated_texts()
        self.gloss_cites = dict(self._gloss_cites())
        self.cited_by = self._cited_by()
        self.marker = ConceptMarker(edition.key.game)

    def records(self) -> Iterator[tuple[MergedRule, RuleRecord]]:
        """Every rule with its record, in document order; its relation to other editions is added later."""
        for place, locator in enumerate(self.order):
            rule = self.edition.rules[locator]
            record = self._record(rule, place)
            if twins := [self._iri(twin) for twin in self.printed.get(_unnumbered(locator), ()) if twin != locator]:
                record["printed_again"] = twins
            yield rule, record

    def _record(self, rule: MergedRule, place: int) -> RuleRecord:
        headings = {lang: self._headings(rule, lang) for lang in tuple(rule.texts) or (GLOSS_LANGUAGES if rule.gloss else ())}
        key = self.edition.key
        return {
            "iri": self._iri(rule.locator),
            "game": key.game,
            "book": key.book,
            "edition": key.edition,
            "current": True,
            "superseded_by": None,
            "latest_in": None,
            "order_unknown": [],
            "kind": rule.kind.value,
            "number": rule.number,
            "locator": rule.locator,
            "order": place,
            "heading": headings.get(self.edition.original) or next(iter(headings.values()), []),
            "headings": headings,
            "parent": self._iri(rule.parent) if rule.parent in self.edition.rules else None,
            "children": [self._reference(child) for child in self.children.get(rule.locator, ())],
            "previous": self._iri(self.order[place - 1]) if place else None,
            "next": self._iri(self.order[place + 1]) if place + 1 < len(self.order) else None,
            "texts": {lang: {"text": node.text, "authority": rule.authorities[lang].value} for lang, node in rule.texts.items()},
            "headwords": _headwords(rule),
            "digest": {lang: rule.gloss.words[lang] for lang in GLOSS_LANGUAGES} if rule.gloss else {},
            "digest_example": dict(rule.gloss.example) if rule.gloss else {},
            "digest_other": self._other_gloss(rule),
            "examples": [aside for lang, node in rule.texts.items() for aside in self._asides(rule, lang, node.examples)],
            "notes": [aside for lang, node in rule.texts.items() for aside in self._asides(rule, lang, node.notes)],
            "table": next(([list(row) for row in node.rows] for node in rule.texts.values() if node.rows), None),
            "cites": [self._cite(lang, cite) for lang, cites in self._cites(rule) for cite in cites],
            "cited_by": [self._iri(locator) for locator in self.cited_by.get(rule.locator, ())],
            "mentions": [mention for lang, words in _displayed_words(rule) for mention in self._mentions(words, lang)],
            "defines": sorted({*_defined_concepts().get(self._iri(rule.locator), ()), *self.defines.get(rule.locator, ())}),
            "sources": [_source(source) for source in rule.sources],
        }

    def _iri(self, locator: str | None) -> str:
        return rule_iri(self.edition.key, locator or "")

    def _reference(self, locator: str) -> RuleRef:
        rule = self.edition.rules[locator]
        return {"iri": self._iri(locator), "number": rule.number, "locator": locator, "kind": rule.kind.value}

    def _headings(self, rule: MergedRule, lang: str) -> list[str]:
        """The titles above a rule, the outermost first."""
        path: list[str] = []
        above = self.edition.rules.get(rule.parent or "")
        while above is not None:
            if title := _title(above, lang):
                path.append(title)
            above = self.edition.rules.get(above.parent or "")
        return path[::-1]

    def _other_gloss(self, rule: MergedRule) -> OtherGloss | None:
        """The gloss of another wording, marked as such."""
        if rule.other is None:
            return None
        key = rule.other.key
        return {"game": key.game, "book": key.book, "edition": key.edition, "texts": dict(rule.other.gloss.words)}

    def _cites(self, rule: MergedRule) -> Iterator[tuple[str, Sequence[Citation]]]:
        for lang, node in rule.texts.items():
            yield lang, node.cites
        yield from self.gloss_cites.get(rule.locator, {}).items()

    def _repeated_texts(self) -> dict[str, list[str]]:
        """Number → its rules, if there are several."""
        twins: dict[str, list[str]] = {}
        for locator in self.edition.rules:
            if _DUPLICATE_SUFFIX in locator:
                twins.setdefault(_unnumbered(locator), []).append(locator)
        return {number: [number, *others] for number, others in twins.items() if number in self.edition.rules}

    def _asides(self, rule: MergedRule, lang: str, printed_asides: Sequence[Aside]) -> Iterator[contract.Aside]:
        for aside in printed_asides:
            authority = aside.authority or rule.authorities[lang]
            body: contract.Aside = {"lang": lang, "text": aside.text, "authority": authority.value}
            if aside.mark:
                body["mark"] = aside.mark
            if aside.cites:
                body["cites"] = [self._cite(lang, cite) for cite in aside.cites]
            yield body

    def _cite(self, lang: str, cite: Citation) -> RuleCitation:
        target = self._iri(cite.target) if cite.target in self.edition.rules else None
        return {"lang": lang, "text": cite.surface, "start": cite.start, "end": cite.end, "target": target, "locator": cite.locator}

    def _mentions(self, words: str, lang: str) -> Iterator[Mention]:
        for concept, start, end in self.marker.marks(words, lang):
            yield {"concept": concept, "label": words[start:end], "lang": lang, "start": start, "end": end}

    def _gloss_cites(self) -> Iterator[tuple[str, Mapping[str, Sequence[Citation]]]]:
        """Citations in the glosses of rules whose text is not loaded."""
        grammar = catalogue().grammars.get(self.edition.grammar)
        bare = [rule for rule in self.edition.rules.values() if rule.gloss and not rule.texts]
        if grammar is None or not bare:
            return
        citer = Citer(grammar, {rule.locator: _title(rule, "en") for rule in self.edition.rules.values() if rule.number})
        for rule in bare:
            if rule.gloss:
                yield rule.locator, {lang: citer.citations(words) for lang, words in rule.gloss.words.items()}

    def _cited_by(self) -> dict[str, list[str]]:
        citing: dict[str, dict[str, None]] = {}
        for rule in self.edition.rules.values():
            beside = [(lang, aside.cites) for lang, node in rule.texts.items() for aside in (*node.examples, *node.notes)]
            for _, cites in (*self._cites(rule), *beside):
                for cite in cites:
                    if cite.target and cite.target != rule.locator:
                        citing.setdefault(cite.target, {})[rule.locator] = None
        return {target: list(rules) for target, rules in citing.items()}


def _unnumbered(locator: str) -> str:
    """The number in a locator, without the suffix of a repeated number."""
    return locator.split(_DUPLICATE_SUFFIX)[0]


def _by_rule(concepts: Iterable[BookConcept]) -> dict[str, list[str]]:
    """Locator → the concepts that the book defines there."""
    concepts_by_rule: dict[str, list[str]] = {}
    for concept in concepts:
        for locator in concept.defined_by:
            concepts_by_rule.setdefault(locator, []).append(concept.iri)
    return concepts_by_rule


@cache
def _defined_concepts() -> Mapping[str, list[str]]:
    """Rule → the concepts it defines."""
    concepts_by_rule: dict[str, list[str]] = {}
    for concept, rules in sorted(shipped_links().defined_by.items()):
        for rule in rules:
            concepts_by_rule.setdefault(rule, []).append(concept)
    return concepts_by_rule


def _source(source: Source) -> contract.Source:
    return {
        "lang": source.lang,
        "authority": source.authority.value,
        "file": source.file,
        "sha256": source.sha256,
        "start": source.start,
        "end": source.end,
    }


def _displayed_words(rule: MergedRule) -> Iterator[tuple[str, str]]:
    """The words of a rule in each language: the book's own, or those of the gloss if it is not loaded."""
    yield from ((lang, node.text) for lang, node in rule.texts.items())
    if rule.gloss:
        yield from ((lang, words) for lang, words in rule.gloss.words.items() if lang not in rule.texts)


def _title(rule: MergedRule, lang: str) -> str:
    """A heading with its number, in one of its languages."""
    if not rule.kind.is_heading and rule.locator != "glossary":
        return ""
    node: Node | None = rule.texts.get(lang) or next(iter(rule.texts.values()), None)
    words = node.text if node else rule.gloss.words.get(lang, "") if rule.gloss else ""
    return f"{rule.number} {words}" if rule.number and words != rule.number else words


def _headwords(rule: MergedRule) -> dict[str, str]:
    """The headword of a glossary entry by language, from the text or else from the digest."""
    headwords = dict(rule.gloss.headword) if rule.gloss else {}
    return headwords | {lang: node.headword for lang, node in rule.texts.items() if node.headword}


_GLOSS, _ASKED = ox.NamedNode(f"{RS}gloss"), ox.NamedNode(f"{RS}askedAs")


def record_edition(edition: Edition, termbase: Iterable[define.Name] = ()) -> tuple[list[RuleRecord], dict[str, bytes]]:
    """The records of an edition in document order, and the other graphs as sorted N-Quads.

    `termbase` are names of concepts that do not ship.
    """
    concepts = define.concepts(edition, termbase)
    records = [record for _, record in Recorder(edition, concepts).records()]
    return records, dict(_concept_graphs(edition, concepts))


def _concept_graphs(edition: Edition, concepts: list[define.BookConcept]) -> Iterator[tuple[str, bytes]]:
    official = [lang for lang, authority in edition.authorities.items() if authority is Authority.OFFICIAL]
    graphs = {graph_iri(define.GRAPH_FOLDER, edition.key): define.quads(edition.key, concepts, official)}
    graphs[graph_iri(edition.key, "digest")] = _gloss_statements(edition)
    for graph, quads in graphs.items():
        if lines := ox.serialize(quads, format=ox.RdfFormat.N_QUADS):
            yield graph, b"\n".join(sorted(set(lines.splitlines()))) + b"\n"


def _gloss_statements(edition: Edition) -> Iterator[ox.Quad]:
    graph = ox.NamedNode(graph_iri(edition.key, "digest"))
    for rule in edition.rules.values():
        if rule.gloss:
            subject = ox.NamedNode(rule_iri(edition.key, rule.locator))
            for lang, words in sorted(rule.gloss.words.items()):
                yield ox.Quad(subject, _GLOSS, ox.Literal(words, language=lang), graph)
            for lang, questions in sorted(rule.gloss.questions.items()):
                yield from (ox.Quad(subject, _ASKED, ox.Literal(question, language=lang), graph) for question in questions)
