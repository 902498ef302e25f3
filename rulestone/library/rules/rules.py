"""Rules by their references."""

from typing import TYPE_CHECKING

from rulestone.languages import language_option
from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from corpus import contract
    from corpus.reference import Reference


class Rules(Opened):
    """Looking rules up."""

    def rules(
        self,
        ref: str,
        *,
        game: str | None = None,
        lang: str | None = None,
        within: str | None = None,
        as_of: str | None = None,
    ) -> "contract.Rules":
        """The rules that a reference names, those of current editions first.

        `ref` is `400.3b`, `dm:400.3b`, `mtg:2024-06-07:400.7`, `MTG CR 400.7d` or an address; with `game` what follows the
        game in a path: `cr/2024-06-07/400.7`. Answered in `lang`, else in `within`. `as_of` (a date, month, year or edition) asks
        the library as it stood then. Raises NotFoundError.
        """
        from rulestone.answers.rules import rules

        name, reference = reference_of(ref, game)
        answer, book = self._languages(lang, within)
        bundle = self._bundle()
        return rules(bundle.at(as_of), name, reference, answer, book)

    def cites(self, ref: str, *, game: str | None = None, within: str | None = None, as_of: str | None = None) -> "contract.Cites":
        """What the first rule that a reference names cites, and which rules cite it. Raises NotFoundError."""
        from rulestone.answers.rules import cites

        name, reference = reference_of(ref, game)
        book = language_option(within, "in")
        bundle = self._bundle()
        return cites(bundle.at(as_of), name, reference, book)

    def editions(self) -> "contract.Editions":
        """Every edition that is loaded or known from the digest."""
        from rulestone.answers.rules import editions

        bundle = self._bundle()
        return editions(bundle.knowledge)


def reference_of(ref: str, game: str | None) -> "tuple[str, Reference]":
    """A reference as it is echoed and as it is understood."""
    from corpus.reference import parse_reference, reference_in

    return (ref, parse_reference(ref)) if game is None else (f"{game}/{ref}", reference_in(game, ref))
