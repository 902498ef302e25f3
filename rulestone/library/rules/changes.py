"""What changed between editions."""

from typing import TYPE_CHECKING

from rulestone.languages import language_option
from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from corpus import contract


class Changes(Opened):
    """Comparing editions."""

    def changes(
        self, book: str, old: str, new: str | None = None, *, section: str | None = None, lang: str | None = None
    ) -> "contract.Changes":
        """What changed from an edition of a book to a later one, by default the newest; in one section only, if it is named.

        `book` is `mtg/cr`, or a game of which one book is loaded in several editions. An edition is its name, or a date, a month
        or a year: then it is the newest one at that time. Raises NotFoundError, InputError where the order is unknown.
        """
        from rulestone.answers.changes import between

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return between(bundle.knowledge, book, old, new, section, answer)

    def thread(self, ref: str, *, game: str | None = None, within: str | None = None) -> "contract.Thread":
        """The first rule that a reference names, through the editions of its book. Raises NotFoundError."""
        from rulestone.answers.changes import thread_of
        from rulestone.library.rules.rules import reference_of

        _, reference = reference_of(ref, game)
        book = language_option(within, "in")
        bundle = self._bundle()
        return thread_of(bundle.knowledge, reference, book)

    def feed(self, *, lang: str | None = None) -> "contract.Feed":
        """The loaded editions, the newest first, each with what it changed since the one before."""
        from rulestone.answers.changes import feed

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return feed(bundle.knowledge, answer)
