"""What changed between two editions, a rule through all of them, and the feed of editions."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.editions.changes import changes, counts, shown_in
from corpus.editions.history import thread
from corpus.errors import InputError, NotFoundError
from corpus.messages import message
from corpus.reference import Reference, game_named
from corpus.store.threads.order import is_later, oldest_first
from ontology.knowledge import Knowledge
from rulestone.answers.summary import summary

if TYPE_CHECKING:
    from corpus import contract

_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


def between(
    knowledge: Knowledge, book: str, old: str, new: str | None = None, section: str | None = None, lang: str = "en"
) -> "contract.Changes":
    """What changed from an edition to a later one, by default the newest.

    `book` is `mtg/cr`, or a game of which one book is loaded in several editions; an edition is its name, or a date: then it is
    the one that was the newest on that day, in that month or year. Raises InputError, NotFoundError.
    """
    keys = editions_of(knowledge, book)
    first = edition_in_force(keys, old)
    last = edition_in_force(keys, new) if new else keys[-1]
    pair = knowledge.threads.between(first, last) if first != last else None
    if first == last or pair is None:
        raise _not_joined(first, last)
    langs = shown_in(knowledge, first, last, lang)
    changed = changes(knowledge, pair, langs, section)
    return {
        "book": f"{first.game}/{first.book}",
        "from": first.edition,
        "to": last.edition,
        "lang": langs[1],
        "section": section,
        "summary": summary(changed).said(lang),
        "counts": counts(changed),
        "changes": changed,
    }


def thread_of(knowledge: Knowledge, reference: Reference, within: str | None = None) -> "contract.Thread":
    """The first rule that a reference names, through its editions. Raises NotFoundError."""
    return thread(knowledge, knowledge.rules(reference, within)[0]["iri"])


def feed(knowledge: Knowledge, lang: str = "en") -> "contract.Feed":
    """The loaded editions, the newest first, each with what it changed since the one before."""
    loaded = [entry for entry in knowledge.manifest.editions.values() if entry.languages]
    ordered = sorted(loaded, key=lambda entry: (oldest_first(entry.key), str(entry.key)), reverse=True)
    return {"editions": [_added(knowledge, entry.key, list(entry.languages), lang) for entry in ordered]}


def _added(knowledge: Knowledge, key: EditionKey, languages: list[str], lang: str) -> "contract.AddedEdition":
    before = max((old for old, new in _pairs(knowledge) if new == key), key=oldest_first, default=None)
    pair = knowledge.threads.between(before, key) if before else None
    changed = changes(knowledge, pair, shown_in(knowledge, before, key, lang)) if pair and before else []
    return {
        "iri": key.iri,
        "game": key.game,
        "book": f"{key.game}/{key.book}",
        "edition": key.edition,
        "title": catalogue().book(key.game, key.book).title,
        "languages": languages,
        "since": before.edition if before else None,
        "summary": summary(changed).said(lang) if before else "",
    }


def _pairs(knowledge: Knowledge) -> list[tuple[EditionKey, EditionKey]]:
    return [entry.pair for entry in knowledge.manifest.pairs]


def editions_of(knowledge: Knowledge, book: str) -> list[EditionKey]:
    """The loaded editions of a book, the oldest first. Raises InputError for a name that is no book with several editions."""
    game, _, slug = book.partition("/")
    game = game_named(game) or game
    loaded = [entry.key for entry in knowledge.manifest.editions.values() if entry.languages and entry.game == game]
    books = {key.book for key in loaded if key.book == slug or (not slug and sum(other.book == key.book for other in loaded) > 1)}
    if len(books) != 1:
        known = sorted({f"{key.game}/{key.book}" for pair in _pairs(knowledge) for key in pair})
        raise InputError(
            "{book!r} is not a book with several loaded editions; expected {known}",
            book=book[:60],
            known=", ".join(known) or message("more editions (rulestone add FILE adds one)"),
        )
    return sorted((key for key in loaded if key.book in books), key=oldest_first)


def edition_in_force(keys: Sequence[EditionKey], named: str) -> EditionKey:
    """The edition with a name, or the newest one on a date. Raises NotFoundError, which names those that are loaded."""
    text = named.strip().lower()
    exact = [key for key in keys if key.edition == text]
    dated = [key for key in keys if _DATE.fullmatch(text) and _DATE.fullmatch(key.edition) and key.edition <= f"{text}~"]
    if exact or dated:
        return (exact or dated)[-1]
    raise NotFoundError(
        "no edition {named!r} of {book} is loaded; loaded are {editions}",
        named=named[:40],
        book=f"{keys[0].game}/{keys[0].book}",
        editions=", ".join(key.edition for key in keys),
    )


def _not_joined(first: EditionKey, last: EditionKey) -> InputError:
    book, old, new = f"{first.game}/{first.book}", first.edition, last.edition
    if first == last:
        return InputError("{book} {old} is the newest loaded edition itself; name an older one", book=book, old=old)
    if is_later(first, last):
        return InputError("{old} is later than {new}; name the older edition of {book} first", book=book, old=old, new=new)
    return InputError("nobody knows whether {old} or {new} of {book} is the older one", book=book, old=old, new=new)
