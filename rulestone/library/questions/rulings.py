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
        what: str | None = None,
        *,
        query: str | None = None,
        card: str | None = None,
        rule: str | None = None,
        game: str | None = None,
        within_game: bool = False,
        source: str | None = None,
        changed: bool | None = None,
        as_of: str | None = None,
        lang: str | None = None,
        limit: int | str | None = None,
        offset: int | str | None = None,
    ) -> "contract.Rulings":
        """A page of the rulings that fit all that is given: the newest first, those for a question the best first.

        `card` is a card's name or number, `rule` a reference to a rule that they rest on, in whichever edition (with `within_game`
        what follows the game in a path), `query` a question in any language; `what` is whichever of these it can be, or a ruling's
        address. `changed` keeps those that rest on a rule which has changed since, or with False the others. `as_of` (a date,
        month, year or edition) gives each the answer that stood then, and none that was not given yet. Raises NotFoundError for a
        rule that is not there.
        """
        from corpus.paging import Page
        from rulestone.answers.rulings import Asked, answering, meant, rulings

        page = Page(whole("offset", offset, limits.OFFSET), whole("limit", limit, limits.RULINGS))
        bundle = self._bundle()
        knowledge = bundle.at(as_of)
        asked = Asked(card, rule, game, source, changed, query, within_game=within_game)
        asked = meant(knowledge, what, asked) if what else asked
        if asked.query is None:
            return rulings(knowledge, asked, page)
        from corpus.store.home.manifest import titles_of
        from rulestone.answers.questions.search import request

        wanted = request(titles_of(bundle.knowledge.manifest), asked.query, game, lang, kind="ruling")
        return answering(bundle.searching(as_of), wanted, asked, page)

    def ruling(self, game: str, source: str, name: str, *, as_of: str | None = None) -> "contract.Ruling":
        """One ruling by its id, with the answer that stood `as_of` a moment; `…@{date}` is an older one. Raises NotFoundError."""
        from rulestone.answers.rulings import ruling

        return ruling(self._bundle().at(as_of), game, source, name)
