"""Rulings: questions that were answered, with the rules they rest on."""

from typing import TYPE_CHECKING

from rulestone import limits
from rulestone.library.opened import Opened
from rulestone.limits import whole

if TYPE_CHECKING:
    from corpus import contract


class Rulings(Opened):
    """Looking rulings up."""

    def rulings(
        self,
        *,
        card: str | None = None,
        rule: str | None = None,
        game: str | None = None,
        source: str | None = None,
        changed: bool | None = None,
        limit: int | str | None = None,
        offset: int | str | None = None,
    ) -> "contract.Rulings":
        """A page of the rulings that fit all that is given, the newest first.

        `card` is a card's name, `rule` a reference to a rule that they rest on, in whichever edition; `changed` wants those that
        rest on a rule which was changed since, or with False the others. Raises NotFoundError for a rule that is not there.
        """
        from corpus.paging import Page
        from rulestone.answers.rulings import Asked, rulings

        page = Page(whole("offset", offset, limits.OFFSET), whole("limit", limit, limits.RULINGS))
        bundle = self._bundle()
        return rulings(bundle.knowledge, Asked(card, rule, game, source, changed), page)

    def ruling(self, game: str, source: str, name: str) -> "contract.Ruling":
        """One ruling by its id; `…@{date}` is an older answer. Raises NotFoundError."""
        from rulestone.answers.rulings import ruling

        bundle = self._bundle()
        return ruling(bundle.knowledge, game, source, name)
