"""Rules by their meaning."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from corpus import contract


class Search(Opened):
    """Searching."""

    def search(
        self,
        query: str,
        *,
        games: str | Iterable[str] | None = None,
        lang: str | None = None,
        within: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        as_of: str | None = None,
        kind: str | None = None,
    ) -> "contract.Search":
        """The rules that answer a question in any language, best first, or why no rule is sure enough.

        Rulings stand beside them, three among the first ten at most; `kind` limits hits to rules (`rule`) or rulings (`ruling`).

        `games` limits it to some games (`dm,mtg` or one by one), `within` to books in one language. Answered in `lang`, else in
        the language of the question. `as_of` (a date, month, year or edition) searches the library as it stood then.
        """
        from corpus.store.home.manifest import titles_of
        from rulestone.answers.questions.search import request, search

        bundle = self._bundle()
        asked = request(titles_of(bundle.knowledge.manifest), query, games, lang, within, limit, offset, kind)
        return search(bundle.searching(as_of), asked)

    def batch(self, lines: Iterable[str], *, name: str = "batch") -> "list[contract.BatchLine]":
        """The answers to questions that are JSON objects with `id`, `query` and `game`, one a line, in order.

        Raises InputError with `name` and the number of a bad line; then nothing is searched.
        """
        from rulestone.answers.questions.search import batch

        bundle = self._bundle()
        bundle.searcher.wait()
        return batch(bundle.searcher, lines, name)
