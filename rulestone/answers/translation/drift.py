"""What a translation lost: which texts are compared, which of their rules answer each other, and the findings as bodies."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import EditionKey, split_rule
from corpus.age import oldest_first
from corpus.errors import InputError, NotFoundError
from corpus.messages import message
from corpus.store.threads.body import PairSteps
from corpus.store.threads.step import Kind
from ontology.knowledge import Knowledge
from ontology.translation.align.sheet import Sheet
from ontology.translation.drift.drift import Rules, drift
from ontology.translation.drift.finding import Finding, Place, weights
from ontology.translation.drift.terms import Termbase
from rulestone.answers.translation.alignment import partners
from rulestone.answers.translation.texts import Text, edition_named, language_in, text_body
from rulestone.languages import named_language

if TYPE_CHECKING:
    from corpus.contract import Drift, DriftFinding, DriftPlace, RuleRecord
    from search.searcher import Searcher

_OPEN_ENDED = (Kind.EDITED, Kind.MOVED_EDITED, Kind.SPLIT, Kind.MERGED)


class Asked(NamedTuple):
    """What is asked for: a book, perhaps with the edition of the original, languages, the edition of the translation, kinds."""

    book: str
    source: str
    target: str
    translation: str | None = None
    kinds: Sequence[str] = ()


class Compared(NamedTuple):
    """Two texts, the findings and the records that they are of."""

    source: Text
    target: Text
    findings: Sequence[Finding]
    records: "Mapping[str, RuleRecord]"
    rules: int


def drifted(
    searcher: "Searcher", asked: Asked, sheets: Sequence[Sheet], lang: str, offset: int = 0, limit: int | None = None
) -> "Drift":
    """The findings of a translation. Raises InputError, NotFoundError."""
    known = weights()
    if unknown := [kind for kind in asked.kinds if kind not in known]:
        raise InputError(
            "{given!r} is not a kind of finding; expected some of {known}", given=unknown[0][:40], known=", ".join(known)
        )
    knowledge = searcher.knowledge
    source, target = _texts(knowledge, asked)
    told: Compared = knowledge.once(("drift", source, target, tuple(sheets)), lambda: _compared(searcher, source, target, sheets))
    wanted = [finding for finding in told.findings if not asked.kinds or finding.kind in asked.kinds]
    page = wanted[offset:] if limit is None else wanted[offset : offset + limit]
    return {
        "source": text_body(source),
        "target": text_body(target),
        "lang": lang,
        "rules": told.rules,
        "total": len(wanted),
        "counts": dict(sorted(Counter(finding.kind for finding in wanted).items(), key=lambda item: -known[item[0]])),
        "findings": [_body(finding, told, lang) for finding in page],
    }


def _texts(knowledge: Knowledge, asked: Asked) -> tuple[Text, Text]:
    """The text of the original and that of its translation."""
    named = edition_named(knowledge, asked.book)
    path = asked.book.strip("/").split("/")
    chosen = named if path[-1] == named.edition else None
    original = chosen or _newest(knowledge, named, asked.source)
    source = Text(original, language_in(knowledge, original, asked.source))
    if asked.translation:
        key = edition_named(knowledge, f"{named.game}/{named.book}/{asked.translation}")
        return source, Text(key, language_in(knowledge, key, asked.target))
    wanted = named_language(asked.target)
    key = original if wanted in knowledge.manifest.editions[original].languages else _newest(knowledge, named, asked.target)
    target = Text(key, language_in(knowledge, key, asked.target))
    if source == target:
        raise InputError("{text} is one text; name two languages", text=source.ref)
    return source, target


def _newest(knowledge: Knowledge, named: EditionKey, tag: str) -> EditionKey:
    lang = named_language(tag)
    loaded = [entry for entry in knowledge.manifest.editions.values() if (entry.game, entry.book) == (named.game, named.book)]
    having = sorted((entry.key for entry in loaded if lang in entry.languages), key=oldest_first)
    if not having:
        language_in(knowledge, named, tag)
        raise NotFoundError("{edition} is not loaded in {lang}; loaded are {known}", edition=named, lang=tag[:40], known="-")
    return having[-1]


def _compared(searcher: "Searcher", source: Text, target: Text, sheets: Sequence[Sheet]) -> Compared:
    knowledge = searcher.knowledge
    mine = {record["locator"]: record for record in knowledge.stored(source.key)}
    theirs = {record["locator"]: record for record in knowledge.stored(target.key)}
    partner = dict(_partners(searcher, source, target, sheets, mine))
    pairs = list(_rules(mine, theirs, partner, source, target))
    terms = Termbase((label for some in knowledge.names.labels.values() for label in some), source.key.game)
    findings = drift(pairs, source.lang, target.lang, terms, lambda locator: partner.get(locator, ()))
    findings += _outdated(knowledge, source, target, mine, theirs)
    records = {record["iri"]: record for some in (mine, theirs) for record in some.values()}
    return Compared(source, target, sorted(findings, key=lambda finding: -finding.rank), records, len(pairs))


def _rules(
    mine: "Mapping[str, RuleRecord]",
    theirs: "Mapping[str, RuleRecord]",
    partner: Mapping[str, Sequence[str]],
    source: Text,
    target: Text,
) -> Iterator[Rules]:
    told: set[str] = set()
    for locator, record in mine.items():
        others = [theirs[answering] for answering in partner.get(locator, ()) if answering in theirs]
        told.update(other["locator"] for other in others)
        if source.lang in record["texts"]:
            yield from (Rules(record, other) for other in others or (None,))
    for locator, record in theirs.items():
        if locator not in told and target.lang in record["texts"]:
            yield Rules(None, record)


def _partners(
    searcher: "Searcher", source: Text, target: Text, sheets: Sequence[Sheet], mine: "Mapping[str, RuleRecord]"
) -> Iterator[tuple[str, Sequence[str]]]:
    """Which rules of the translation answer a rule: by number in one edition, by threads, else as `align` has it."""
    if source.key == target.key:
        yield from ((locator, (locator,)) for locator in mine)
        return
    if at := _threaded(searcher.knowledge, source.key, target.key):
        yield from ((locator, at(record["iri"])) for locator, record in mine.items())
        return
    yield from partners(searcher, source, target, sheets).items()


def _threaded(knowledge: Knowledge, source: EditionKey, target: EditionKey) -> Callable[[str], list[str]] | None:
    """From a rule's address to the locators that it has in the other edition; None where no sure thread leads there."""
    older = knowledge.threads.between(target, source)
    pair = older or knowledge.threads.between(source, target)
    if pair is None or any(step.proposed for step in pair.steps()):
        return None
    steps = pair.before if older else pair.after

    def located(iri: str) -> list[str]:
        ends = [step.old if older else step.new for step in steps(iri)]
        return [split_rule(end).locator for end in ends if end is not None]

    return located


def _outdated(
    knowledge: Knowledge, source: Text, target: Text, mine: "Mapping[str, RuleRecord]", theirs: "Mapping[str, RuleRecord]"
) -> Iterator[Finding]:
    """Rules whose original was reworded after the edition that was translated."""
    pair: PairSteps | None = knowledge.threads.between(target.key, source.key) if source.key != target.key else None
    if pair is None or source.lang not in knowledge.manifest.editions[target.key].languages:
        return
    for step in pair.steps():
        if step.kind in _OPEN_ENDED and step.old and step.new and not step.only_references:
            new, old = mine.get(split_rule(step.new).locator), theirs.get(split_rule(step.old).locator)
            if new and old and source.lang in new["texts"] and target.lang in old["texts"]:
                said = message("the original was reworded after {edition}", edition=target.key.edition)
                yield Finding("outdated", said, _whole(new, source.lang), _whole(old, target.lang), 0.9)


def _whole(record: "RuleRecord", lang: str) -> Place:
    return Place(record["iri"], "text", 1, record["texts"][lang]["text"])


def _body(finding: Finding, told: Compared, lang: str) -> "DriftFinding":
    return {
        "kind": finding.kind,
        "rank": finding.rank,
        "confidence": finding.confidence,
        "said": finding.said.said(lang),
        "expected": list(finding.expected),
        "source": _place(finding.source, told, told.source.lang),
        "target": _place(finding.target, told, told.target.lang),
    }


def _place(place: Place | None, told: Compared, lang: str) -> "DriftPlace | None":
    if place is None:
        return None
    record = told.records[place.iri]
    return {
        "iri": place.iri,
        "number": record["number"],
        "locator": record["locator"],
        "part": place.part,
        "nth": place.nth,
        "text": place.text,
        "spans": [[start, end] for start, end in place.spans if start < end],
        "file": next((source for source in record["sources"] if source["lang"] == lang), None),
    }
