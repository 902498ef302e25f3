"""Recognises the game, book, edition, language and grammar of a file, with the evidence for each."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from corpus.address import RESERVED, EditionKey, is_slug, slugify
from corpus.catalogue import DOCUMENT_SLUGS, Book, CatalogueEdition, Grammar, catalogue, document_kind_in_title
from corpus.errors import InputError
from corpus.languages import LANGUAGES
from corpus.messages import Message, message
from corpus.model import Authority
from corpus.reference import is_edition
from corpus.words.text import fold_text
from ingest.dates import date_in_file_name, stated_date
from ingest.fit import (
    MIN_PARAGRAPHS,
    MIN_RULES,
    MIN_SCORE,
    DocumentFit,
    GrammarFit,
    document_fit,
    fits_by_score,
    has_more_numbers,
    is_document,
    measure_fit,
    measure_loss,
    numbered_headings,
    paragraph_count,
    sample_layout,
)
from ingest.language import language
from ingest.lines import Layout, title_in
from ingest.read.document import Document

_ENDS_LENGTH = 60_000
"""Number of characters at both ends of a text that are searched for marks."""
_MIN_BOOK_SHARE = 0.6
_MIN_EDITION_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class Hints:
    """The user's options; None: to be recognised."""

    game: str | None = None
    book: str | None = None
    edition: str | None = None
    lang: str | None = None
    authority: Authority | None = None
    title: str | None = None  # the name of the game
    alias: str | None = None  # its other names, separated by commas
    structure: str | None = None  # the slug of a grammar


@dataclass(slots=True)
class Recognised:
    """A recognised file; `why` has the reasons, `notes` the assumptions to check."""

    key: EditionKey
    book: Book
    lang: str
    authority: Authority
    grammar: Grammar
    chapter: str  # slug before the heading counters of a headings-only book
    why: list[Message] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)


def recognise(document: Document, layout: Layout, hints: Hints) -> Recognised:
    """Recognises a document. Raises InputError if the text is not a rulebook or its game is unknown."""
    refuse_names(hints)
    lang = _recognise_language(document, hints)
    has = _mark_finder(document.text)
    from_hint, from_words = (
        message("language {lang} as given", lang=lang),
        message("language {lang} by its script and words", lang=lang),
    )
    why = [from_hint if hints.lang else from_words]
    book, share = _recognise_book(has, lang, hints)
    known_edition = _recognise_edition(has, lang, hints) if book is None or share < 1 else None
    date = stated_date(document.text)
    if book is not None and (date or known_edition is None):
        why.append(message("book {book}: {share:.0%} of its characteristic words were found", book=book.id, share=share))
        known_edition = None if date else known_edition
    elif known_edition is not None:
        book = catalogue().books[known_edition.book]
        why.append(
            message(
                "edition {book} {edition}: its characteristic words were found",
                book=known_edition.book,
                edition=known_edition.edition,
            )
        )
    grammar, structure = _recognise_grammar(document, layout, book, lang, hints)
    why.append(structure)
    notes = [structure] if grammar.style == "document" else []
    if book is None:
        book = _user_named_book(document, layout, hints, grammar)
    edition = hints.edition or (known_edition.edition if known_edition else date[0] if date else None)
    if date and not known_edition and not hints.edition:
        why.append(message("edition {edition}: the date {kind} that the text states", edition=edition, kind=date[1]))
    if edition is None:
        edition, reason = _undated_edition_name(document)
        why.append(reason)
        notes.append(reason)
    return Recognised(
        key=EditionKey(book.game, book.slug, edition),
        book=book,
        lang=lang,
        authority=hints.authority or book.authorities.get(lang, Authority.COMMUNITY),
        grammar=grammar,
        chapter=known_edition.chapter
        if known_edition and known_edition.chapter
        else slugify(document.name.split(".")[0]) or "text",
        why=why,
        notes=notes,
    )


def _undated_edition_name(document: Document) -> tuple[str, Message]:
    """The edition name of a text without a date, and the reason."""
    if date := date_in_file_name(document.name):
        return date, message(
            "edition {edition}: the date in the file's name, since the text states none; --edition overrides it", edition=date
        )
    if document.created:
        date = document.created
        return date, message(
            "edition {edition}: the date of the PDF, since the text states none; --edition overrides it", edition=date
        )
    edition = f"x-{document.sha256[:12]}"
    return edition, message(
        "no date stated: edition {edition} is named after the file's hash; --edition overrides it", edition=edition
    )


def refuse_names(hints: Hints) -> None:
    """Rejects names that cannot be part of an address."""
    if hints.edition is not None and not is_edition(hints.edition):
        raise InputError(
            "--edition {edition}: expected an ISO date (2025-09-18), or lower-case letters, digits, dots and hyphens",
            edition=hints.edition[:40],
        )
    if hints.book is not None and not is_slug(hints.book):
        raise InputError(
            "--book {book!r}: expected 1 to 40 letters a-z, digits and hyphens, e.g. cr, and not {reserved}",
            book=hints.book[:40],
            reserved=", ".join(sorted(RESERVED)),
        )
    if hints.structure is not None and hints.structure not in catalogue().grammars:
        raise InputError(
            "--structure {structure!r}: expected one of {known}",
            structure=hints.structure[:40],
            known=", ".join(catalogue().grammars),
        )
    if hints.game is not None and not is_slug(hints.game):
        raise InputError(
            "--game {game!r}: expected 1 to 40 letters a-z, digits and hyphens, e.g. weiss, and not {reserved}",
            game=hints.game[:40],
            reserved=", ".join(sorted(RESERVED)),
        )


def _recognise_language(document: Document, hints: Hints) -> str:
    if hints.lang is None:
        return language(document.text, document.name)
    lang = "zh-Hans" if hints.lang == "zh" else hints.lang
    if lang not in LANGUAGES:
        raise InputError(
            "--lang {lang}: not supported; expected one of {known} (zh is zh-Hans)", lang=hints.lang, known=", ".join(LANGUAGES)
        )
    return lang


def _mark_finder(text: str) -> Callable[[Sequence[str]], float]:
    """A function from marks to their share that occurs in a text."""
    ends = fold_text(text if len(text) <= 2 * _ENDS_LENGTH else text[:_ENDS_LENGTH] + text[-_ENDS_LENGTH:])
    return lambda marks: sum(fold_text(mark) in ends for mark in marks) / len(marks) if marks else 0.0


def _matches_hints(book: Book, hints: Hints) -> bool:
    return hints.game in (None, book.game) and hints.book in (None, book.slug)


def _recognise_book(mark_share: Callable[[Sequence[str]], float], lang: str, hints: Hints) -> tuple[Book | None, float]:
    """The book with the largest share of its marks in the text, and the share."""
    shares = [(mark_share(book.marks.get(lang, ())), book) for book in catalogue().books.values() if _matches_hints(book, hints)]
    share, book = max(shares, key=lambda pair: pair[0], default=(0.0, None))
    return (book, share) if share >= _MIN_BOOK_SHARE else (None, share)


def _recognise_edition(mark_share: Callable[[Sequence[str]], float], lang: str, hints: Hints) -> CatalogueEdition | None:
    """The known edition with the largest share of its marks in the text; a mark in another edition's `only` excludes it.

    A text of another stated edition still belongs to the book.
    """
    editions = (entry for entry in catalogue().editions if entry.lang == lang)
    possible = (entry for entry in editions if _matches_hints(catalogue().books[entry.book], hints))
    shares = ((mark_share(entry.marks), entry) for entry in possible)
    likely = ((share, entry) for share, entry in shares if share >= _MIN_EDITION_SHARE)
    fitting = [(share, bool(entry.only), entry) for share, entry in likely if not entry.only or mark_share(entry.only) >= 0.5]
    return max(fitting, key=lambda candidate: (candidate[2].edition == hints.edition, *candidate[:2]), default=(0, False, None))[2]


def _recognise_grammar(document: Document, layout: Layout, book: Book | None, lang: str, hints: Hints) -> tuple[Grammar, Message]:
    """The grammar that the user names, else the book's own if it fits, else the one that fits best, and the reason.

    Raises InputError if none fits.
    """
    grammars = catalogue().grammars
    if hints.structure is not None:
        return grammars[hints.structure], message("structure {grammar} as given", grammar=hints.structure)
    own = grammars.get(book.grammar(lang) or "") if book else None
    layout = sample_layout(layout)
    if own is not None and own.style != "document":
        fit = measure_fit(layout, own)
        if fit.score >= MIN_SCORE / 2:
            return own, message("grammar {fit}", fit=fit.message)
    fits = fits_by_score(layout, _candidates(document, list(grammars.values())))
    strict = fits[0] if fits[0].score >= MIN_SCORE else None
    prefers_document = strict is None or is_document(layout, strict.grammar)
    if prefers_document or (strict is not None and strict.grammar.items):
        style = "rst" if document.media == "rst" else "document"
        prose = document_fit(layout, grammars.values(), style=style, bare=bool(hints.game and hints.book))
        if prose is not None and (prefers_document or strict is None or has_more_numbers(layout, prose, strict.grammar)):
            return _with_less_loss(layout, strict, prose)
    if strict is None:
        raise _unreadable_error(document, layout, fits[0], grammars.values())
    if len(fits) > 1:
        return strict.grammar, message("grammar {fit}; next best {other}", fit=strict.message, other=fits[1].message)
    return strict.grammar, message("grammar {fit}", fit=strict.message)


def _with_less_loss(layout: Layout, numbering_fit: GrammarFit | None, prose: DocumentFit) -> tuple[Grammar, Message]:
    """Of a numbering and a document's structure that both fit, the one that loses less; the structure if they are equal."""
    if numbering_fit is None:
        return prose.grammar, prose.message
    losses = measure_loss(layout, numbering_fit.grammar), measure_loss(layout, prose.grammar)
    first, second = losses if losses[0].total < losses[1].total else losses[::-1]
    descriptions = {"loss": first.message, "other_loss": second.message}
    if first is losses[0]:
        return numbering_fit.grammar, message(
            "grammar {fit} ({loss}), rather than {other} ({other_loss})",
            fit=numbering_fit.message,
            other=prose.message,
            **descriptions,
        )
    return prose.grammar, message(
        "{fit} ({loss}), rather than {other} ({other_loss})", fit=prose.message, other=numbering_fit.message, **descriptions
    )


def _unreadable_error(document: Document, layout: Layout, best: GrammarFit, grammars: Iterable[Grammar]) -> InputError:
    """The reason why a text is no rulebook: it is too short, or has neither numbered rules nor headings."""
    grammars = list(grammars)
    paragraphs = paragraph_count(layout, grammars)
    structure, headings = numbered_headings(layout, grammars)
    if paragraphs < MIN_PARAGRAPHS and headings >= MIN_RULES > best.rules:
        return InputError(
            "{file}: not a rulebook that Rulestone can read: {needed} paragraphs below numbered headings are needed, and it has"
            " {count} below {headings}; --structure {structure} reads it nevertheless",
            file=document.name,
            headings=headings,
            needed=MIN_PARAGRAPHS,
            count=paragraphs,
            structure=structure.slug,
        )
    if paragraphs < MIN_PARAGRAPHS and (best.order == 1 if best.numbers else best.rules == 0):
        return InputError(
            "{file}: not a rulebook that Rulestone can read: {needed} paragraphs or {least} numbered rules are needed,"
            " and it has {count} and {rules} of these; --structure {structure} reads it nevertheless",
            file=document.name,
            needed=MIN_PARAGRAPHS,
            least=MIN_RULES,
            count=paragraphs,
            rules=best.rules,
            structure=best.grammar.slug if best.rules else "paragraphs",
        )
    return InputError(
        "{file}: not a rulebook that Rulestone can read: no numbering style fits (best is {fit});"
        " expected numbered rules, or headings with paragraphs or lists below them",
        file=document.name,
        fit=best.message,
    )


def _candidates(document: Document, grammars: list[Grammar]) -> list[Grammar]:
    """The grammars of rulebooks worth trying on a kind of file."""
    styles = {"rst": ("rst", "numbered"), "text": ("numbered", "wiki"), "pdf": ("numbered", "wiki")}.get(
        document.media, ("numbered",)
    )
    return [grammar for grammar in grammars if grammar.style in styles]


def _user_named_book(document: Document, layout: Layout, hints: Hints, grammar: Grammar) -> Book:
    """The book of an unknown game, as the user names it."""
    if hints.game is None:
        raise InputError(
            "{file}: a rulebook ({style}) of an unknown game;"
            " name it with --game SLUG (known: {known}; a new one may have any name)",
            file=document.name,
            style=grammar.title,
            known=", ".join(catalogue().games),
        )
    books = [book for book in catalogue().books.values() if book.game == hints.game]
    kind = document_kind_in_title(title_in(layout))
    same = [book for book in books if book.document == kind]
    default = same[0].slug if same else DOCUMENT_SLUGS[kind]
    return catalogue().book(hints.game, hints.book or default)
