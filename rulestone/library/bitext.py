"""Bitext: a book in two languages as one file for translation tools.

Work packages: the passages of an edition that are to be translated.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.chronology import oldest_first
from corpus.errors import InputError, NotFoundError
from corpus.messages import Message, message
from corpus.reference import catalogue_game
from rulestone.editions import parse_edition
from rulestone.languages import language_option
from rulestone.library.base import LibraryBase, hold_bundle_open
from rulestone.version import version

if TYPE_CHECKING:
    from ontology.knowledge import Knowledge
    from ontology.translation.checked_alignments import AlignmentSheet
    from ontology.translation.drift.terms import TermNames
    from ontology.translation.todo import TranslationTask
    from rulestone.formats.bitext import Bitext
    from rulestone.formats.package import TermHint, WorkUnit

KINDS = ("tmx", "xliff")
"""Formats of bitext."""
_LANGUAGE_COUNT = 2


class BitextMixin(LibraryBase):
    """Writes bitext."""

    def bitext(
        self,
        kind: str,
        book: str | None = None,
        *,
        edition: str | None = None,
        source: str | None = None,
        target: str | None = None,
        section: str | None = None,
        todo: bool = False,
        dialect: str | None = None,
    ) -> Iterator[bytes]:
        """A book in two languages, unit by unit, in `tmx` (1.4b) or `xliff` (2.1), piece by piece.

        With `todo` a work package for a translator in `xliff` of version `dialect` (2.1 or 1.2): the passages of the newest
        edition in `source` that the newest older edition in `target` does not have in the same words.

        `book` is `mtg/cr`, or a game of which one book is loaded in two languages; without it the only such book. Without an
        edition it is the newest in both languages, without a source language the book's own; if no edition is loaded in both, two
        editions that a checked alignment joins. Raises InputError for an unknown format and for several books, NotFoundError if
        there is no such pair.
        """
        from ontology.translation.bitext import aligned_units, edition_units
        from ontology.translation.checked_alignments import saved_alignments
        from rulestone.formats.bitext import tmx_pieces, xliff_pieces

        languages = language_option(source, "source"), language_option(target, "target")
        bundle = self._bundle()
        knowledge = bundle.knowledge
        if kind not in KINDS:
            raise InputError("{given!r} is not a bitext format; expected {kinds}", given=kind[:40], kinds=", ".join(KINDS))
        if todo or dialect:
            from ontology.translation.glossary import forbidden_names

            pieces = _work_package(
                knowledge, kind, book, edition, languages, section, dialect, forbidden_names(bundle.path), todo=todo
            )
            return hold_bundle_open(pieces, bundle)
        header, sheet = _choose_editions(knowledge, book, edition, languages, saved_alignments(bundle.path))
        pairs = (
            aligned_units(knowledge, sheet, header.source, header.target, section)
            if sheet
            else edition_units(knowledge, header.key, header.source, header.target, section)
        )
        return hold_bundle_open((tmx_pieces if kind == "tmx" else xliff_pieces)(header, pairs), bundle)


def _choose_editions(
    knowledge: "Knowledge",
    book: str | None,
    edition: str | None,
    languages: tuple[str | None, str | None],
    sheets: "Sequence[AlignmentSheet]",
) -> "tuple[Bitext, AlignmentSheet | None]":
    """The requested edition and languages, and the alignment if there are two editions.

    Raises InputError, or NotFoundError with the books that are loaded in two languages.
    """
    keys = _editions(knowledge, book, edition)
    in_languages = [key for key in keys if {lang for lang in languages if lang} <= _languages(knowledge, key).keys()]
    if in_languages:
        key = _newest_edition(knowledge, in_languages)
        return _bitext_header(key, *_language_pair(knowledge, key, *languages)), None
    if sheet := next(_aligned_editions(knowledge, book, edition, languages, sheets), None):
        return sheet
    request = " ".join(part for part in (book, edition, "–".join(lang for lang in languages if lang)) if part)
    raise NotFoundError(
        "{asked} is not loaded in two languages; books that are: {there}; two editions are paired by a checked alignment",
        asked=request,
        there=_loaded_pairs(knowledge),
    )


def _newest_edition(knowledge: "Knowledge", keys: Sequence[EditionKey]) -> EditionKey:
    """The newest edition. Raises InputError for several books."""
    if len({(key.game, key.book) for key in keys}) > 1:
        raise InputError("several books are loaded in two languages; name one of {there}", there=_loaded_pairs(knowledge))
    return max(keys, key=oldest_first)


def _bitext_header(key: EditionKey, source: str, target: str, earlier: EditionKey | None = None) -> "Bitext":
    from rulestone.formats.bitext import Bitext

    return Bitext(key, catalogue().book(key.game, key.book).title, source, target, version(), earlier)


def _aligned_editions(
    knowledge: "Knowledge",
    book: str | None,
    edition: str | None,
    languages: tuple[str | None, str | None],
    sheets: "Sequence[AlignmentSheet]",
) -> "Iterator[tuple[Bitext, AlignmentSheet]]":
    """The pairs of editions that checked alignments join, in either direction; the original first."""
    for sheet in sheets:
        ways = [way for way in (sheet, sheet.swapped()) if {way.old, way.new} <= knowledge.manifest.editions.keys()]
        for way in sorted(ways, key=lambda way: not _is_original(knowledge, way.old)):
            is_requested = _matches_book(way.old, book) and edition in (None, way.old.edition, way.new.edition)
            pair = _matching_languages(_languages(knowledge, way.old), _languages(knowledge, way.new), languages)
            if is_requested and pair:
                yield _bitext_header(way.old, *pair, way.new), way


def _is_original(knowledge: "Knowledge", key: EditionKey) -> bool:
    return catalogue().book(key.game, key.book).original in _languages(knowledge, key)


def _matching_languages(
    first_langs: Iterable[str], second_langs: Iterable[str], languages: tuple[str | None, str | None]
) -> tuple[str, str] | None:
    """The languages of two editions that match the request; None if there are none."""
    source, target = languages
    pairs = ((first, other) for first in first_langs for other in second_langs if first != other)
    return next((pair for pair in pairs if source in (None, pair[0]) and target in (None, pair[1])), None)


def _editions(knowledge: "Knowledge", book: str | None, edition: str | None) -> list[EditionKey]:
    """The candidate editions in two languages."""
    fits = (key for key in knowledge.manifest.editions if _matches_book(key, book))
    return [key for key in fits if edition in (None, key.edition) and len(_languages(knowledge, key)) >= _LANGUAGE_COUNT]


def _matches_book(key: EditionKey, book: str | None) -> bool:
    game, _, slug = (book or "").partition("/")
    return (catalogue_game(game) or game) in ("", key.game) and slug in ("", key.book)


def _languages(knowledge: "Knowledge", key: EditionKey) -> dict[str, str]:
    return dict(knowledge.manifest.editions[key].languages)


def _language_pair(knowledge: "Knowledge", key: EditionKey, source: str | None, target: str | None) -> tuple[str, str]:
    """Two languages of an edition; the default is the book's original language, else the first other one."""
    there = sorted(_languages(knowledge, key), key=lambda lang: lang != catalogue().book(key.game, key.book).original)
    if source is not None and source == target:
        raise InputError("source and target are both {lang}; name two languages", lang=source)
    first = source or next(lang for lang in there if lang != target)
    return first, target or next(lang for lang in there if lang != first)


def _loaded_pairs(knowledge: "Knowledge") -> str | Message:
    keys = sorted(_editions(knowledge, None, None), key=str)
    there = "; ".join(f"{key} {', '.join(_languages(knowledge, key))}" for key in keys)
    return there or message("none")


def _work_package(
    knowledge: "Knowledge",
    kind: str,
    book: str | None,
    edition: str | None,
    languages: tuple[str | None, str | None],
    section: str | None,
    dialect: str | None,
    forbidden: Iterable[tuple[str, str, str]],
    *,
    todo: bool,
) -> Iterator[bytes]:
    """The work package in XLIFF, piece by piece. Raises InputError, and NotFoundError if nothing is left to translate."""
    from ontology.translation.drift.terms import TermNames
    from ontology.translation.todo import translation_todo
    from rulestone.formats.package import DIALECTS, package_pieces

    if kind != "xliff" or not todo:
        raise InputError("todo and dialect ({known}) apply only to XLIFF, and only together", known=" / ".join(DIALECTS))
    if dialect not in (None, *DIALECTS):
        raise InputError("dialect {given!r}: expected one of {known}", given=(dialect or "")[:40], known=", ".join(DIALECTS))
    if book is None or languages[1] is None:
        raise InputError("a work package needs book and target, e.g. mtg/cr and zh")
    key, source = _edition_to_translate(knowledge, book, edition, languages[0])
    earlier = _earlier_edition(knowledge, key, languages[1])
    tasks = [
        task
        for task in translation_todo(knowledge, key, source, languages[1], earlier).tasks
        if section in (None, *task.passage.sections)
    ]
    if not tasks:
        raise NotFoundError("nothing is left to translate from {edition} into {lang}", edition=key, lang=languages[1])
    header = _bitext_header(key, source, languages[1], earlier)
    terms = TermNames(knowledge.names.every_label(), key.game, forbidden)
    return package_pieces(header, _work_units(knowledge, tasks, source, languages[1], terms), dialect or DIALECTS[0])


def _edition_to_translate(knowledge: "Knowledge", book: str, edition: str | None, source: str | None) -> tuple[EditionKey, str]:
    """The edition to translate, and its language: the named one, else that of the original. Raises NotFoundError."""
    book_key = parse_edition(knowledge, f"{book}/{edition}" if edition else book)
    original = source or catalogue().book(book_key.game, book_key.book).original
    entries = [
        entry for key, entry in knowledge.manifest.editions.items() if (key.game, key.book) == (book_key.game, book_key.book)
    ]
    having = [entry for entry in entries if edition in (None, entry.edition)]
    having = [entry for entry in having if (original in entry.languages if original else entry.languages)]
    if not having:
        raise NotFoundError("{edition} is not loaded in {lang}; add that text first", edition=book_key, lang=original or "-")
    newest = max(having, key=lambda entry: oldest_first(entry.key))
    return newest.key, original or next(iter(newest.languages))


def _earlier_edition(knowledge: "Knowledge", key: EditionKey, target: str) -> EditionKey | None:
    """The edition itself if it has a translation, else the newest older one that has; None if none has."""
    editions = knowledge.manifest.editions
    if target in editions[key].languages:
        return key
    older = [
        other for other in editions if (other.game, other.book) == (key.game, key.book) and oldest_first(other) < oldest_first(key)
    ]
    candidates = [other for other in older if target in editions[other].languages]
    return max(candidates, key=oldest_first, default=None)


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

    concepts = dict.fromkeys(concept for concept, _ in terms.mentions(words, source))
    names = ((terms.preferred_names(concept, source), terms.preferred_names(concept, target), concept) for concept in concepts)
    return [TermHint(here[0], there[0], terms.forbidden_names(concept, target)) for here, there, concept in names if here and there]
