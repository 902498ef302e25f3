"""Finished translations: checked against their source and written as a text of the whole edition, which is added like any file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.errors import InputError
from corpus.messages import Message, message
from corpus.model import Aside, Authority, Citation, Kind, Node
from ingest.pipeline import parse
from ingest.read.document import file_bytes, read_document
from ingest.recognise import Hints
from ontology.knowledge import Knowledge
from ontology.translation.drift import figures
from ontology.translation.drift.drift import forbidden_names
from ontology.translation.drift.finding import Span
from ontology.translation.drift.pairs import PartPair, RulePart, rule_parts
from ontology.translation.drift.terms import TermNames
from ontology.translation.passages import EXAMPLE, HEADING, HEADWORD, NOTE, TEXT, ParallelPassage, passages
from ontology.translation.todo import PartKey, part_key, translation_todo
from rulestone.formats.package import FinishedPackage, read_finished
from rulestone.writing.admission import GivenFile


class _FinishedWork(NamedTuple):
    """The passages of an edition with their translations; `mine` are those from the file."""

    key: EditionKey
    languages: tuple[str, str]
    passages: Sequence[ParallelPassage]
    words: Mapping[PartKey, str]
    mine: frozenset[PartKey]


def finished_text(
    knowledge: Knowledge, path: Path, forbidden: Iterable[tuple[str, str, str]] = (), *, keep_going: bool
) -> GivenFile:
    """The text of the whole edition in the target language: the units of a file, and the translations that are still valid.

    Raises InputError if the file has no finished work on a loaded edition, or with all its problems as `details`; with
    `keep_going` they are notes. `forbidden` are names that must not be used: concept, language, words.
    """
    file = read_finished(file_bytes(path), path.name)
    key = _edition(knowledge, file, path)
    work, problems = _collect_translation(knowledge, key, file)
    text = "".join(_edition_lines(work, catalogue().book(key.game, key.book).title))
    hints = Hints(key.game, key.book, key.edition, file.target, Authority.TRANSLATION)
    name = path.with_suffix(".txt")
    [reading, *_] = parse(read_document(text.encode(), name), hints)
    problems += _faults(knowledge, work, reading.nodes, forbidden)
    if problems and not keep_going:
        error = InputError(
            "{file}: findings in its units: {count}; correct them, or take it as it is with --keep-going",
            file=path.name,
            count=len(problems),
        )
        error.details = problems
        raise error
    return GivenFile(name, hints, text.encode(), notes=problems)


def _edition(knowledge: Knowledge, file: FinishedPackage, path: Path) -> EditionKey:
    entry = next((entry for key, entry in knowledge.manifest.editions.items() if key.iri == file.edition), None)
    if entry is None or file.source not in entry.languages or not file.target or file.source == file.target:
        raise InputError(
            "{file}: its source {edition} is not loaded in {lang}; add that text first",
            file=path.name,
            edition=file.edition[:120] or "-",
            lang=file.source or "-",
        )
    return entry.key


def _collect_translation(knowledge: Knowledge, key: EditionKey, file: FinishedPackage) -> tuple[_FinishedWork, list[Message]]:
    """The translation of every passage, and the units that are missing, unknown or of other words."""
    earlier = EditionKey(key.game, key.book, file.earlier) if file.earlier else None
    todo = translation_todo(knowledge, key, file.source, file.target, earlier if earlier in knowledge.manifest.editions else None)
    every = [passage for passage in passages(knowledge, key) if passage.words.get(file.source, "").strip()]
    passages_by_id = {passage.id: passage for passage in every}
    words, mine, problems = dict(todo.unchanged_texts), set(), []
    for name, (source, target) in file.units.items():
        passage = passages_by_id.get(name)
        if passage is None:
            problems.append(_problem(name[-60:] or "-", message("the edition has no such unit")))
        elif source.split() != passage.words[file.source].split():
            problems.append(_problem(passage.locator, message("the source of this unit has other words than the edition")))
        elif target.strip():
            words[part_key(passage)] = target.strip()
            mine.add(part_key(passage))
    for task in todo.tasks:
        if part_key(task.passage) not in words:
            problems.append(_problem(_place_of_passage(task.passage), message("the unit is missing or has no translation")))
            if task.passage.locator.startswith("glossary"):  # entries are paired by their order
                words[part_key(task.passage)] = task.prior or task.words
    return _FinishedWork(key, (file.source, file.target), every, words, frozenset(mine)), problems


def _problem(place: str, reason: Message) -> Message:
    """The reason why a unit cannot be accepted."""
    return message("{place}: {reason}", place=place, reason=reason)


def _place_of_passage(passage: ParallelPassage) -> str:
    return passage.locator if passage.part in (TEXT, HEADING) else f"{passage.locator} {passage.part} {passage.nth}"


def _edition_lines(work: _FinishedWork, title: str) -> Iterator[str]:
    yield f"{title} {work.key.edition}\n"
    for _, rule in groupby(work.passages, key=lambda passage: passage.rule):
        passages_and_words = [(passage, work.words[part_key(passage)]) for passage in rule if part_key(passage) in work.words]
        has_heading = False
        if not any(passage.part in (TEXT, HEADING) for passage, _ in passages_and_words):
            continue
        for passage, words in passages_and_words:
            if passage.part == HEADWORD:
                yield f"\n{' '.join(words.split())}\n"
                has_heading = True
            elif passage.part in (TEXT, HEADING):
                yield "" if has_heading else "\n"
                yield f"{passage.number} {words}\n" if passage.number else f"{words}\n"
            else:
                yield f"{words}\n"


def _faults(
    knowledge: Knowledge, work: _FinishedWork, nodes: Sequence[Node], forbidden: Iterable[tuple[str, str, str]]
) -> Iterator[Message]:
    """Units that are not read back from the text unchanged, and those with wrong numbers, symbols, citations or terms."""
    records = {record["locator"]: record for record in knowledge.stored_records(work.key)}
    entries = iter([node for node in nodes if node.kind is Kind.GLOSSARY])
    by_locator = {node.locator: node for node in nodes}
    nodes_by_locator: dict[str, Node | None] = {}
    for passage in work.passages:
        if passage.locator not in nodes_by_locator and part_key(passage) in work.words:
            glossary = records[passage.locator]["kind"] == Kind.GLOSSARY
            nodes_by_locator[passage.locator] = next(entries, None) if glossary else by_locator.get(passage.locator)
    parts = (part for record in records.values() for part in rule_parts(record, work.languages[0]))
    sources = {(part.iri, part.part, part.nth): part for part in parts}
    terms = TermNames(knowledge.names.every_label(), work.key.game, forbidden)
    nth: Counter[tuple[str, str]] = Counter()
    for passage in work.passages:
        part = TEXT if passage.part == HEADING else passage.part
        nth[passage.rule, part] += 1
        if part_key(passage) in work.words:
            place, node = nth[passage.rule, part], nodes_by_locator[passage.locator]
            part_read = _read_part(node, passage.rule, part, place, work.languages[1]) if node else None
            if part_read is None or "".join(part_read.text.split()) != "".join(work.words[part_key(passage)].split()):
                yield _problem(
                    _place_of_passage(passage),
                    message("cannot be read back as this unit; keep the line breaks and marks of the source"),
                )
            elif part_key(passage) in work.mine:
                pair = PartPair(sources[passage.rule, part, place], part_read, ())
                yield from (
                    _problem(_place_of_passage(passage), finding.message) for finding in figures.figure_findings(pair, lambda _: ())
                )
                yield from (_problem(_place_of_passage(passage), finding.message) for finding in forbidden_names(pair, terms))


def _read_part(node: Node, rule: str, part: str, nth: int, lang: str) -> RulePart | None:
    """A part of a rule as it was read; None if it has no such part."""
    if part == HEADWORD:
        return RulePart(rule, part, nth, lang, node.headword, title=True)
    if part == TEXT:
        return RulePart(rule, part, nth, lang, node.text, node.kind.is_heading, _citation_spans(node.cites))
    asides: Sequence[Aside] = {EXAMPLE: node.examples, NOTE: node.notes}[part]
    return (
        RulePart(rule, part, nth, lang, asides[nth - 1].text, False, _citation_spans(asides[nth - 1].cites))
        if nth <= len(asides)
        else None
    )


def _citation_spans(cites: Sequence[Citation]) -> tuple[tuple[str, Span], ...]:
    return tuple((cite.target or cite.locator, (cite.start, cite.end)) for cite in cites)
