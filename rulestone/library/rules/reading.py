"""Books from their contents to their words, and what may be meant by what somebody types."""

from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.errors import NotFoundError
from rulestone import limits
from rulestone.library.opened import Opened
from rulestone.limits import whole

if TYPE_CHECKING:
    from corpus import contract


class Reading(Opened):
    """Finding one's way through a book."""

    def contents(self, path: str, *, lang: str | None = None) -> "contract.Contents":
        """The table of contents of the edition `game/book/edition`. Raises NotFoundError."""
        from corpus.editions.reading import contents

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return contents(bundle.knowledge, _edition(path), answer)

    def reading(self, path: str, locator: str, *, lang: str | None = None) -> "contract.Reading":
        """Everything under a heading of the edition `game/book/edition`, in the order of the book. Raises NotFoundError."""
        from corpus.editions.reading import reading

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return reading(bundle.knowledge, _edition(path), locator, answer)

    def suggest(
        self, typed: str, *, game: str | None = None, lang: str | None = None, limit: int | None = None
    ) -> "contract.Suggestions":
        """What may be meant by the beginning of a question: rules by number, concepts and cards by name, sections by title.

        Raises InputError for an unknown game and for more than 1000 characters.
        """
        from rulestone.answers.questions.suggest import suggestions

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return suggestions(bundle, typed, game, answer, whole("limit", limit, limits.SUGGESTIONS))


def _edition(path: str) -> EditionKey:
    parts = path.split("/")
    if len(parts) != 3:
        raise NotFoundError("nothing has the address {iri}; /v1/editions lists what is loaded", iri=path[:200])
    return EditionKey(*parts)
