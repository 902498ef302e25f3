"""Drift: omissions and differences of a translation."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import EditionKey, split_rule
from corpus.chronology import oldest_first
from corpus.errors import InputError, NotFoundError
from corpus.messages import message
from corpus.store.threads.step import StepKind
from rulestone.editions import TextName, language_of_text, parse_edition
from rulestone.languages import parse_language
from rulestone.library.align import partners_by_locator, text_name_body
from rulestone.library.base import LibraryBase
from rulestone.limits import FINDINGS, page_of
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from corpus import contract
    from corpus.store.threads.step import PairSteps
    from ontology.knowledge import Knowledge
    from ontology.translation.checked_alignments import AlignmentSheet
    from ontology.translation.drift.finding import DriftFinding, DriftPlace
    from search.searcher import Searcher

Records = Mapping[str, "contract.RuleRecord"]
"""Locator → record."""
_REWORDING_KINDS = (StepKind.EDITED, StepKind.MOVED_EDITED, StepKind.SPLIT, StepKind.MERGED)
"""Kinds of steps after which a translation is outdated."""


class Decisions(NamedTuple):
    """Names that a person forbids or prefers: concept, language, words."""

    forbidden: frozenset[tuple[str, str, str]]
    preferred_names: frozenset[tuple[str, str, str]]


class DriftComparison(NamedTuple):
    """Two texts, the findings, the records of the rules, and the number of pairs."""

    source: TextName
    target: TextName
    findings: "Sequence[DriftFinding]"
    records: "Mapping[str, contract.RuleRecord]"
    rules: int


class DriftMixin(LibraryBase):
    """Compares a translation with its original."""

    @in_readers_script
    def drift(
        self,
        book: str,
        source: str,
        target: str,
        *,
        translation: str | None = None,
        kinds: Sequence[str] = (),
        lang: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> "contract.Drift":
        """The findings about a translation, the most serious first.

        `book` is `GAME[/BOOK][/EDITION]`, the original's edition; `source` and `target` are languages. `translation` names the
        translated edition if it differs; default: the same, else the newest in that language. `kinds`
        limits the findings. Messages are in `lang`. Raises InputError, NotFoundError.
        """
        from ontology.translation.checked_alignments import saved_alignments
        from ontology.translation.drift.finding import weights
        from ontology.translation.glossary import decided_names, forbidden_names

        answer, bundle = self._answer_language(lang), self._bundle()
        weight_of_kind = weights()
        if unknown := [kind for kind in kinds if kind not in weight_of_kind]:
            raise InputError(
                "{given!r} is not a kind of finding; expected some of {known}",
                given=unknown[0][:40],
                known=", ".join(weight_of_kind),
            )
        original, translation_name = _compared_editions(bundle.knowledge, book, source, target, translation)
        sheets = saved_alignments(bundle.path)
        never, preferred_names = forbidden_names(bundle.path), decided_names(bundle.path)
        comparison: DriftComparison = bundle.knowledge.cached(
            ("drift", original, translation_name, tuple(sheets), never, preferred_names),
            lambda: _compare(bundle.searcher, original, translation_name, sheets, Decisions(never, preferred_names)),
        )
        findings = [finding for finding in comparison.findings if not kinds or finding.kind in kinds]
        page = page_of(findings, limit, offset, FINDINGS)
        return {
            "source": text_name_body(original),
            "target": text_name_body(translation_name),
            "lang": answer,
            "rules": comparison.rules,
            "total": len(findings),
            "counts": dict(
                sorted(Counter(finding.kind for finding in findings).items(), key=lambda item: -weight_of_kind[item[0]])
            ),
            "findings": [_finding_body(finding, comparison, answer) for finding in page],
        }

    def source_text(self, source: "contract.Source") -> str | None:
        """The text of the file to which a rule's offsets refer; None if the home does not have the file."""
        from rulestone.writing.sources import Sources

        return Sources(self._home).text(source["sha256"])


def _compared_editions(
    knowledge: "Knowledge", book: str, source_lang: str, target_lang: str, edition: str | None
) -> tuple[TextName, TextName]:
    """The text of the original and that of its translation, whose edition may be named. Raises InputError, NotFoundError."""
    key_of_book = parse_edition(knowledge, book)
    path = book.strip("/").split("/")
    key_with_edition = key_of_book if path[-1] == key_of_book.edition else None
    original = key_with_edition or _newest_of_book(knowledge, key_of_book, source_lang)
    source = TextName(original, language_of_text(knowledge, original, source_lang))
    if edition:
        key = parse_edition(knowledge, f"{key_of_book.game}/{key_of_book.book}/{edition}")
        return source, TextName(key, language_of_text(knowledge, key, target_lang))
    target_language = parse_language(target_lang)
    key = (
        original
        if target_language in knowledge.manifest.editions[original].languages
        else _newest_of_book(knowledge, key_of_book, target_lang)
    )
    target = TextName(key, language_of_text(knowledge, key, target_lang))
    if source == target:
        raise InputError("{text} is one text; name two languages", text=source.reference)
    return source, target


def _newest_of_book(knowledge: "Knowledge", key: EditionKey, tag: str) -> EditionKey:
    lang = parse_language(tag)
    entries = [entry for entry in knowledge.manifest.editions.values() if (entry.game, entry.book) == (key.game, key.book)]
    having = sorted((entry.key for entry in entries if lang in entry.languages), key=oldest_first)
    if not having:
        language_of_text(knowledge, key, tag)
        raise NotFoundError("{edition} is not loaded in {lang}; loaded languages: {known}", edition=key, lang=tag[:40], known="-")
    return having[-1]


def _compare(
    searcher: "Searcher",
    source: TextName,
    target: TextName,
    sheets: "Sequence[AlignmentSheet]",
    decisions: Decisions,
) -> DriftComparison:
    from ontology.translation.drift.drift import RuleAndTranslation, find_drift
    from ontology.translation.drift.terms import TermNames

    knowledge = searcher.knowledge
    originals = {record["locator"]: record for record in knowledge.stored_records(source.key)}
    translations = {record["locator"]: record for record in knowledge.stored_records(target.key)}
    partners = dict(_partners(searcher, source, target, sheets, originals))
    pairs = [RuleAndTranslation(*pair) for pair in _pairs(originals, translations, partners, source.lang, target.lang)]
    terms = TermNames(knowledge.names.every_label(), source.key.game, decisions.forbidden, decisions.preferred_names)
    findings = find_drift(pairs, source.lang, target.lang, terms, lambda locator: partners.get(locator, ()))
    findings += _outdated_translations(knowledge, source, target, originals, translations)
    records = {record["iri"]: record for some in (originals, translations) for record in some.values()}
    return DriftComparison(source, target, sorted(findings, key=lambda finding: -finding.rank), records, len(pairs))


def _pairs(
    originals: Records, translations: Records, partners_of: Mapping[str, Sequence[str]], source_lang: str, target_lang: str
) -> "Iterator[tuple[contract.RuleRecord | None, contract.RuleRecord | None]]":
    """Each rule with its translations, one by one; None represents a missing one."""
    translated_locators: set[str] = set()
    for locator, record in originals.items():
        partners = [translations[partner] for partner in partners_of.get(locator, ()) if partner in translations]
        translated_locators.update(partner["locator"] for partner in partners)
        if source_lang in record["texts"]:
            yield from ((record, partner) for partner in partners or (None,))
    for locator, record in translations.items():
        if locator not in translated_locators and target_lang in record["texts"]:
            yield None, record


def _partners(
    searcher: "Searcher", source: TextName, target: TextName, sheets: "Sequence[AlignmentSheet]", originals: Records
) -> Iterator[tuple[str, Sequence[str]]]:
    """The locators of the translations of each rule: the same number in one edition, else by threads, else by alignment."""
    if source.key == target.key:
        yield from ((locator, (locator,)) for locator in originals)
    elif locators_of := _thread_locators(searcher.knowledge, source.key, target.key):
        yield from ((locator, locators_of(record["iri"])) for locator, record in originals.items())
    else:
        yield from partners_by_locator(searcher, source, target, sheets).items()


def _thread_locators(knowledge: "Knowledge", source: EditionKey, target: EditionKey) -> Callable[[str], list[str]] | None:
    """A function from a rule's address to its locators in the other edition; None if no thread is certain.

    Threads between editions without a common language are proposals, if there are any.
    """
    editions = knowledge.manifest.editions
    if not set(editions[source].languages) & set(editions[target].languages):
        return None
    older = knowledge.threads.steps_between(target, source)
    pair = older or knowledge.threads.steps_between(source, target)
    if pair is None or any(step.proposed for step in pair.steps()):
        return None
    steps = pair.steps_to if older else pair.steps_from

    def locators_of(iri: str) -> list[str]:
        ends = [step.old if older else step.new for step in steps(iri)]
        return [split_rule(end).locator for end in ends if end is not None]

    return locators_of


def _outdated_translations(
    knowledge: "Knowledge", source: TextName, target: TextName, originals: Records, translations: Records
) -> "Iterator[DriftFinding]":
    """Rules whose original was reworded after the edition that was translated: the changed words, and the old translation."""
    from ontology.translation.drift.finding import DriftFinding, DriftPlace
    from ontology.translation.todo import inserted_spans, mark_changes

    pair: PairSteps | None = knowledge.threads.steps_between(target.key, source.key) if source.key != target.key else None
    if pair is None or source.lang not in knowledge.manifest.editions[target.key].languages:
        return
    for step in pair.steps():
        if step.kind in _REWORDING_KINDS and step.old and step.new and not step.only_references:
            new, old = originals.get(split_rule(step.new).locator), translations.get(split_rule(step.old).locator)
            if new and old and source.lang in new["texts"] and {source.lang, target.lang} <= old["texts"].keys():
                words, before = new["texts"][source.lang]["text"], old["texts"][source.lang]["text"]
                original = DriftPlace(new["iri"], "text", 1, words, inserted_spans(before, words))
                place = DriftPlace(old["iri"], "text", 1, old["texts"][target.lang]["text"])
                change = mark_changes(before, words)
                sentence = message("the original was reworded after {edition}: {change}", edition=target.key.edition, change=change)
                yield DriftFinding("outdated", sentence, original, place, 0.9)


def _finding_body(finding: "DriftFinding", comparison: DriftComparison, lang: str) -> "contract.DriftFinding":
    return {
        "kind": finding.kind,
        "rank": finding.rank,
        "confidence": finding.confidence,
        "said": finding.message.in_language(lang),
        "expected": list(finding.expected),
        "renderings": [{"text": each.words, "count": len(each.parts), "rules": each.rules} for each in finding.renderings],
        "source": _place_body(finding.source, comparison, comparison.source.lang),
        "target": _place_body(finding.target, comparison, comparison.target.lang),
    }


def _place_body(place: "DriftPlace | None", comparison: DriftComparison, lang: str) -> "contract.DriftPlace | None":
    if place is None:
        return None
    record = comparison.records[place.iri]
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
