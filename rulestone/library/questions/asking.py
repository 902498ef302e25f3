"""Questions that are answered in words of rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rulestone import limits
from rulestone.library.questions.search import Search
from rulestone.library.questions.verifying import Verifying

if TYPE_CHECKING:
    from corpus import contract
    from rulestone.answers.questions.batch import Answering


class Asking(Search, Verifying):
    """Asking."""

    def ask(
        self,
        query: str,
        *,
        games: str | Iterable[str] | None = None,
        lang: str | None = None,
        as_of: str | None = None,
        phrase: bool = False,
    ) -> "contract.Ask":
        """The few claims that answer a question in any language, each words of a rule at its place; or why none is made.

        `claim["text"]` is `texts[lang]["text"][start:end]` of the rule as `rules` gives it (of its gloss, `digest[lang]`, where
        `source` is `digest`). Claims come as definitions, rules, exceptions; `differences` say where the games part. It asserts, so
        it abstains where `search` still shows rules. `games`, `lang` and `as_of` are those of `search`.

        `phrase` has the model that RULESTONE_LLM names put the claims into prose, of which `phrased` has what proves itself. Raises
        InputError where none is named; a model that fails or lies leaves the claims as they are.
        """
        from corpus.store.home.manifest import titles_of
        from rulestone.answers.questions.ask import ask
        from rulestone.answers.questions.search import request

        prose = self._prose() if phrase else None
        bundle = self._bundle()
        asked = request(titles_of(bundle.knowledge.manifest), query, games, lang)
        body = ask(bundle.searching(as_of), asked, as_of)
        if prose is not None:
            body["phrased"] = prose(body)
        return body

    def _prose(self) -> "Callable[[contract.Ask], contract.Phrased]":
        """What puts claims into prose. Raises InputError where no model is named."""
        from rulestone.phrasing.endpoint import endpoint
        from rulestone.phrasing.phrase import phrased

        model = endpoint()
        return lambda body: phrased(body, model, lambda text: self.verify(text, lang=body["lang"]))

    def search_lines(self, data: bytes, *, lang: str | None = None) -> "Iterator[contract.BatchSearch | contract.BatchFault]":
        """The answers of `search` to a batch: JSON Lines of `id`, `query`, `game` and `lang`, at most 100 of them.

        A line that cannot be asked is told why, in `lang`, in its place. Raises InputError for what is no batch.
        """
        return self._lines(data, lang, lambda row: {"search": self.search(**_asked(row), limit=limits.BATCH_HITS)})

    def ask_lines(self, data: bytes, *, lang: str | None = None) -> "Iterator[contract.BatchAnswer | contract.BatchFault]":
        """The same of `ask`."""
        return self._lines(data, lang, lambda row: {"answer": self.ask(**_asked(row))})

    def _lines(self, data: bytes, lang: str | None, answer: "Answering") -> "Iterator[Any]":
        from rulestone.answers.questions.batch import answered, lines_of

        told, _ = self._languages(lang)
        self._bundle()  # what is missing is told before the first line
        return answered(lines_of(data), answer, told)


def _asked(row: "Mapping[str, str | None]") -> "Any":  # noqa: ANN401
    """The fields of a line as arguments."""
    return {"query": row["query"], "games": row.get("game"), "lang": row.get("lang")}
