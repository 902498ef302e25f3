"""Work packages: the part of an edition that needs a new translation."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.chronology import oldest_first
from corpus.errors import InputError, NotFoundError
from rulestone.library.align import parse_edition
from rulestone.version import version

if TYPE_CHECKING:
    from ontology.knowledge import Knowledge
    from ontology.translation.drift.terms import TermNames
    from ontology.translation.todo import TranslationTask
    from rulestone.formats.package import TermHint, WorkUnit


def work_package(
    knowledge: "Knowledge",
    kind: str,
    book: str | None,
    edition: str | None,
    languages: tuple[str | None, str | None],
    section: str | None,
    dialect: str | None,
    excluded: Iterable[tuple[str, str, str]],
    *,
    todo: bool,
) -> Iterator[bytes]:
    """The work package in XLIFF, piece by piece. Raises InputError, and NotFoundError if nothing is left to translate."""
    from ontology.translation.drift.terms import TermNames
    from ontology.translation.todo import translation_todo
    from rulestone.formats.bitext import Bitext
    from rulestone.formats.package import DIALECTS, package_pieces

    if kind != "xliff" or not todo:
        raise InputError("--todo and --dialect {known} apply only to export xliff, and only together", known=" / ".join(DIALECTS))
    if dialect not in (None, *DIALECTS):
        raise InputError("dialect {given!r}: expected one of {known}", given=(dialect or "")[:40], known=", ".join(DIALECTS))
    if book is None or languages[1] is None:
        raise InputError("a work package needs its book and --target, e.g. export xliff mtg/cr --todo --target zh")
    key, source = _edition_to_translate(knowledge, book, edition, languages[0])
    earlier = _earlier_edition(knowledge, key, source, languages[1])
    tasks = [
        task
        for task in translation_todo(knowledge, key, source, languages[1], earlier).tasks
        if section in (None, *task.passage.sections)
    ]
    if not tasks:
        raise NotFoundError("nothing is left to translate from {edition} into {lang}", edition=key, lang=languages[1])
    title = catalogue().book(key.game, key.book).title
    described = Bitext(key, title, source, languages[1], version(), earlier)
    terms = TermNames((label for some in knowledge.names.labels.values() for label in some), key.game, excluded)
    return package_pieces(described, _work_units(knowledge, tasks, source, languages[1], terms), dialect or DIALECTS[0])


def _edition_to_translate(knowledge: "Knowledge", book: str, edition: str | None, source: str | None) -> tuple[EditionKey, str]:
    """The edition to translate, and its language: the named one, else that of the original. Raises NotFoundError."""
    named = parse_edition(knowledge, f"{book}/{edition}" if edition else book)
    original = source or catalogue().book(named.game, named.book).original
    loaded = [entry for key, entry in knowledge.manifest.editions.items() if (key.game, key.book) == (named.game, named.book)]
    having = [entry for entry in loaded if edition in (None, entry.edition)]
    having = [entry for entry in having if (original in entry.languages if original else entry.languages)]
    if not having:
        raise NotFoundError("{edition} is not loaded in {lang}; add that text first", edition=named, lang=original or "-")
    newest = max(having, key=lambda entry: oldest_first(entry.key))
    return newest.key, original or next(iter(newest.languages))


def _earlier_edition(knowledge: "Knowledge", key: EditionKey, source: str, target: str) -> EditionKey | None:
    """The edition itself if it has a translation, else the newest older one that has; None if none has."""
    editions = knowledge.manifest.editions
    if target in editions[key].languages:
        return key
    older = [
        other for other in editions if (other.game, other.book) == (key.game, key.book) and oldest_first(other) < oldest_first(key)
    ]
    translated = [other for other in older if target in editions[other].languages]
    return max(translated, key=oldest_first, default=None)


def _work_units(
    knowledge: "Knowledge", tasks: "Sequence[TranslationTask]", source: str, target: str, terms: "TermNames"
) -> "Iterator[WorkUnit]":
    from ontology.translation.passages import TEXT
    from rulestone.formats.package import WorkUnit

    records = knowledge.by_iri({task.passage.rule for task in tasks})
    for task in tasks:
        glosses = records[task.passage.rule]["digest"] if task.passage.part == TEXT else {}
        yield WorkUnit(task, _term_hints(terms, task.words, source, target), dict(glosses).get(target, ""))


def _term_hints(terms: "TermNames", words: str, source: str, target: str) -> "Sequence[TermHint]":
    """The terms of a text, in its order."""
    from rulestone.formats.package import TermHint

    found = dict.fromkeys(concept for concept, _ in terms.mentions(words, source))
    named = ((terms.preferred_names(concept, source), terms.preferred_names(concept, target), concept) for concept in found)
    return [TermHint(here[0], there[0], terms.forbidden_names(concept, target)) for here, there, concept in named if here and there]
