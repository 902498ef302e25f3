"""Articles in a text, which are cited by ordinals: 第3条, 第1部第2章第3条, 第三条第二款."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from corpus.editions.citations.mention import Item
from corpus.editions.citations.numbers import Cue, Numbering, cue_before, document_before
from corpus.editions.citations.phrases import any_of, compiled, listed
from corpus.model import Span
from corpus.ordinals import Found, folded_path, paths_in

if TYPE_CHECKING:
    import re

    from corpus.editions.citations.context import Games

_WINDOW = 24
"""Characters before an article that are examined."""


class Articles:
    """The articles that a text cites, if a book of articles is loaded."""

    def __init__(self, text: str, numbering: Numbering, games: "Games", taken: Sequence[Span], game: str | None) -> None:
        """`taken` are the spans of addresses, `game` is the default game."""
        self._text, self._numbering, self._games, self._game = text, numbering, games, game
        found = list(paths_in(text)) if numbering.with_articles else []
        free = [each for each in found if not any(span.start <= each.start < span.end for span in taken)]
        self.held: Mapping[str, frozenset[str]] = numbering.held({folded_path(each.path) for each in free}) if free else {}
        self.items = [Item(each.start, each.end, folded_path(each.path)) for each in free if self._is_citation(each)]

    @property
    def spans(self) -> list[Span]:
        """The spans of the citations."""
        return [Span(item.start, item.end) for item in self.items]

    def _is_citation(self, found: Found) -> bool:
        """Whether a path cites a loaded book, or an article that a book of the named game could have.

        Chapters and parts alone are mentioned in any text: they need the name of a game or document beside them.
        """
        if is_of_other_text(self._text, found.start):
            return False
        item = Item(found.start, found.end, folded_path(found.path))
        holders = self.held.get(item.wanted, frozenset())
        named = self._named(item)
        beside = bool(document_before(self._text, found.start)[0] or self._games.beside(item))
        if named and not self._numbering.with_articles.intersection(named):
            return False
        if any(step.unit == "条" for step in found.path):
            return bool(holders or named or beside)
        return bool(holders) and (beside or len(found.path) > 1 or cue_before(self._text, found.start) is Cue.BOOK)

    def _named(self, item: Item) -> Iterable[str]:
        """The games that are named beside a citation, by the caller or around it."""
        beside = [name.game for name in self._games.beside(item) if name.game]
        if beside or self._game:
            return beside or [self._game or ""]
        return next((games for games in (self._games.around(item, scope) for scope in range(3)) if games), ())


def is_of_other_text(text: str, start: int) -> bool:
    """Whether the words before an article name another law or contract: 民法第3条."""
    return bool(_of_other_texts().search(text[max(0, start - _WINDOW) : start]))


@cache
def _of_other_texts() -> "re.Pattern[str]":
    return compiled(rf"{any_of(*listed('article', 'other'))}\s?$")
