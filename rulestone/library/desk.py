"""The translator's desk: rules and terms in the formats that translation tools read."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulestone.languages import language_option
from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from rulestone.live import OpenBundle


class Desk(Opened):
    """Bitext and termbases."""

    def bitext(
        self,
        kind: str,
        book: str | None = None,
        *,
        edition: str | None = None,
        source: str | None = None,
        target: str | None = None,
        section: str | None = None,
    ) -> Iterator[bytes]:
        """A book in two languages, unit by unit, in `tmx` (1.4b) or `xliff` (2.1), piece by piece.

        `book` is `mtg/cr`, or a game; without it the only book that is loaded in two languages. Without an edition it is the
        newest in both. Raises InputError for several books, NotFoundError where nothing is loaded so.
        """
        from rulestone.answers.bitext import bitext

        languages = language_option(source, "source"), language_option(target, "target")
        bundle = self._bundle()
        return _held(bitext(bundle.knowledge, kind, book, edition, languages, section), bundle)


def _held(pieces: Iterator[bytes], _: "OpenBundle") -> Iterator[bytes]:
    """The pieces of a document; the bundle stays open as long as they are read."""
    yield from pieces
