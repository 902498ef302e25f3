"""Questions that are answered in words of rules."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from corpus import contract


class Asking(Opened):
    """Asking."""

    def ask(
        self, query: str, *, games: str | Iterable[str] | None = None, lang: str | None = None, as_of: str | None = None
    ) -> "contract.Ask":
        """The few claims that answer a question in any language, each words of a rule at its place; or why none is made.

        `claim["text"]` is `texts[lang]["text"][start:end]` of the rule as `rules` gives it (of its gloss, `digest[lang]`, where
        `source` is `digest`). Claims come as definitions, rules, exceptions; `differences` say where the games part. It asserts, so
        it abstains where `search` still shows rules. `games`, `lang` and `as_of` are those of `search`.
        """
        from ontology.store.manifest import titles_of
        from rulestone.answers.ask import ask
        from rulestone.answers.search import request

        bundle = self._bundle()
        asked = request(titles_of(bundle.knowledge.manifest), query, games, lang)
        return ask(bundle.searching(as_of), asked, as_of)
