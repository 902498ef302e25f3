"""Changes between editions: a comparison of two, the thread of a rule, and the feed of editions."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.address import EditionKey, split_rule
from corpus.catalogue import catalogue
from corpus.chronology import is_later, oldest_first
from corpus.errors import InputError
from corpus.messages import Message, message, plural
from corpus.reference import catalogue_game
from rulestone.editions import edition_in_force
from rulestone.languages import language_option
from rulestone.library.base import LibraryBase
from rulestone.references import parse_reference_of_game
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from corpus import contract
    from corpus.contract import Change, ChangedRule
    from ontology.knowledge import Knowledge

_MAX_NAMED = 3
"""Maximum number of new headings that are named."""
_MAX_TITLE_LENGTH = 40
"""Maximum length of a heading, in characters."""


class ChangesMixin(LibraryBase):
    """Compares editions."""

    @in_readers_script
    def changes(
        self, book: str, old: str, new: str | None = None, *, section: str | None = None, lang: str | None = None
    ) -> "contract.Changes":
        """The changes from an edition of a book to a later one (default: the newest), of all or one `section`.

        `book` is `mtg/cr`, or a game of which one book is loaded in several editions. An edition is given by name, or by date,
        month or year (the newest at that time). Raises NotFoundError, and InputError if the order is unknown.
        """
        from corpus.editions.changes import changes, counts, shown_languages

        answer, bundle = self._answer_language(lang), self._bundle()
        knowledge = bundle.knowledge
        keys = editions_of(knowledge, book)
        first = edition_in_force(keys, old)
        last = edition_in_force(keys, new) if new else keys[-1]
        pair = knowledge.threads.steps_between(first, last) if first != last else None
        if first == last or pair is None:
            raise _not_joined_error(first, last)
        langs = shown_languages(knowledge, first, last, answer)
        every_change = changes(knowledge, pair, langs, section)
        return {
            "book": f"{first.game}/{first.book}",
            "from": first.edition,
            "to": last.edition,
            "lang": langs[1],
            "section": section,
            "summary": change_summary(every_change).in_language(answer),
            "counts": counts(every_change),
            "changes": every_change,
        }

    def thread(self, ref: str, *, game: str | None = None, book_lang: str | None = None) -> "contract.Thread":
        """The thread of the first rule that a reference names. Raises NotFoundError."""
        from corpus.editions.history import thread_of

        bundle = self._bundle()
        _, reference = parse_reference_of_game(ref, game, bundle.knowledge)
        return thread_of(bundle.knowledge, bundle.knowledge.rules(reference, language_option(book_lang, "in"))[0]["iri"])

    @in_readers_script
    def feed(self, *, lang: str | None = None) -> "contract.Feed":
        """The loaded editions, the newest first, each with its changes since the one before."""
        answer, bundle = self._answer_language(lang), self._bundle()
        entries = [entry for entry in bundle.knowledge.manifest.editions.values() if entry.languages]
        latest_first = sorted(entries, key=lambda entry: (oldest_first(entry.key), str(entry.key)), reverse=True)
        return {"editions": [_feed_entry(bundle.knowledge, entry.key, list(entry.languages), answer) for entry in latest_first]}


def _feed_entry(knowledge: "Knowledge", key: EditionKey, languages: list[str], lang: str) -> "contract.AddedEdition":
    from corpus.editions.changes import changes, shown_languages

    before = max((old for old, new in _pairs(knowledge) if new == key), key=oldest_first, default=None)
    pair = knowledge.threads.steps_between(before, key) if before else None
    changes_since = changes(knowledge, pair, shown_languages(knowledge, before, key, lang)) if pair and before else []
    return {
        "iri": key.iri,
        "game": key.game,
        "book": f"{key.game}/{key.book}",
        "edition": key.edition,
        "title": catalogue().book(key.game, key.book).title,
        "languages": languages,
        "since": before.edition if before else None,
        "summary": change_summary(changes_since).in_language(lang) if before else "",
    }


def _pairs(knowledge: "Knowledge") -> list[tuple[EditionKey, EditionKey]]:
    return [entry.pair for entry in knowledge.manifest.pairs]


def editions_of(knowledge: "Knowledge", book: str) -> list[EditionKey]:
    """The loaded editions of a book, the oldest first. Raises InputError for a name that is not a book with several editions."""
    game, _, slug = book.partition("/")
    game = catalogue_game(game) or game
    keys_of_game = [entry.key for entry in knowledge.manifest.editions.values() if entry.languages and entry.game == game]
    books = {
        key.book
        for key in keys_of_game
        if key.book == slug or (not slug and sum(other.book == key.book for other in keys_of_game) > 1)
    }
    if len(books) != 1:
        book_names = sorted({f"{key.game}/{key.book}" for pair in _pairs(knowledge) for key in pair})
        raise InputError(
            "{book!r} is not a book with several loaded editions; expected {known}",
            book=book[:60],
            known=", ".join(book_names) or message("a second edition of it"),
            command=None if book_names else "rulestone add FILE",
        )
    return sorted((key for key in keys_of_game if key.book in books), key=oldest_first)


def _not_joined_error(first: EditionKey, last: EditionKey) -> InputError:
    book, old, new = f"{first.game}/{first.book}", first.edition, last.edition
    if first == last:
        return InputError("{book} {old} is the newest loaded edition itself; name an older one", book=book, old=old)
    if is_later(first, last):
        return InputError("{old} is later than {new}; name the older edition of {book} first", book=book, old=old, new=new)
    return InputError("it is unknown whether {old} or {new} of {book} is older", book=book, old=old, new=new)


def change_summary(changes: "Iterable[Change]") -> Message:
    """A summary: new headings, new rules, moves (a section with its rules is one), rewordings, removals."""
    parts = [part for part in _summary_parts(list(changes)) if part is not None]
    if not parts:
        return message("nothing changed")
    line = parts[0]
    for part in parts[1:]:
        line = message("{before}, {then}", before=line, then=part)
    return line


def _summary_parts(changes: "list[Change]") -> "list[Message | None]":
    kinds = {kind: [change for change in changes if change["kind"] == kind] for kind in ("added", "removed", "split", "merged")}
    headings = [change["new"] for change in kinds["added"] if change["new"] and _is_heading(change["new"])]
    reworded_count = sum(change["kind"] in ("edited", "moved-edited") and not change["only_references"] for change in changes)
    follow = sum(change["only_references"] for change in changes)
    split_count = len({change["old"]["iri"] for change in kinds["split"] if change["old"]})
    merged_count = len({change["new"]["iri"] for change in kinds["merged"] if change["new"]})
    new = len(kinds["added"]) - len(headings)
    removed_count = len(kinds["removed"])
    return [
        _heading_summary(headings),
        plural("{count} new rule", "{count} new rules", new) if new else None,
        _move_summary(changes),
        message("{count} reworded", count=reworded_count) if reworded_count else None,
        message("{count} with renumbered references only", count=follow) if follow else None,
        message("{count} split", count=split_count) if split_count else None,
        message("{count} merged", count=merged_count) if merged_count else None,
        message("{count} removed", count=removed_count) if removed_count else None,
    ]


def _is_heading(rule: "ChangedRule") -> bool:
    """Whether the words are a title: short, without a final stop or quotation mark."""
    words = rule["text"]
    return len(words) <= _MAX_TITLE_LENGTH and words[-1:].isalnum() and not rule["locator"].startswith("glossary/")


def _heading_summary(rules: "list[ChangedRule]") -> Message | None:
    if not rules:
        return None
    names = ", ".join(rule["text"] for rule in rules[:_MAX_NAMED]) + (", …" if len(rules) > _MAX_NAMED else "")
    return plural("{count} new heading ({names})", "{count} new headings ({names})", len(rules), names=names)


def _move_summary(changes: "Iterable[Change]") -> Message | None:
    """The topmost move, and the number of the others; rules that moved with their parent do not count."""
    pairs = [(change["old"], change["new"]) for change in changes if change["kind"] in ("moved", "moved-edited")]
    moves = {(old["locator"], new["locator"]) for old, new in pairs if old and new}
    own = [(old, new) for old, new in pairs if old and new and not _has_moved_with_parent(old["locator"], new["locator"], moves)]
    if not own:
        return None
    old, new = min(own, key=lambda pair: len(pair[0]["locator"]))
    values = {"old": _rule_number(old), "new": _rule_number(new), "more": len(own) - 1}
    if len(own) == 1:
        return message("{old} → {new}", **values)
    if len(own) == 2:
        return message("{old} → {new} and 1 more move", **values)
    return message("{old} → {new} and {more} more moves", **values)


def _has_moved_with_parent(old: str, new: str, moves: set[tuple[str, str]]) -> bool:
    """Whether a rule above moved the same way: 701.5a → 701.6a along with 701.5 → 701.6."""
    shared = 0
    while shared < min(len(old), len(new)) - 1 and old[-1 - shared] == new[-1 - shared]:
        shared += 1
        if (old[:-shared], new[:-shared]) in moves:
            return True
    return False


def _rule_number(rule: "ChangedRule") -> str:
    return (rule["number"] or split_rule(rule["iri"]).locator).rstrip(".")
