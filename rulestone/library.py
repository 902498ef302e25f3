"""The library: one knowledge base in a home folder, and everything that can be asked of it or done to it.

What a question needs is imported when it is asked: a look-up pays for nothing else.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from corpus.errors import EnvironmentFault, NotFoundError, OtherVersionError
from corpus.messages import Message, message
from ontology.store.home import Home, default_home
from rulestone import limits
from rulestone.languages import DEFAULT, language_option
from rulestone.limits import whole
from rulestone.live import EVERY, Live, OpenBundle

if TYPE_CHECKING:
    from corpus import contract
    from corpus.reference import Reference
    from ontology.store.engine import Answer
    from ontology.store.knowledge import Knowledge
    from rulestone.answers.addresses import Thing
    from rulestone.writing.bundle import Progress

PathName = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Built:
    """A knowledge base that was built: what it holds, and why added files could not be read again."""

    editions: int
    rules: int
    unread: tuple[str, ...] = ()


class Library(AbstractContextManager["Library"]):
    """A knowledge base. It always answers from the newest bundle, whoever wrote that; it is safe to use from several threads.

    Answers are the JSON bodies of the contract (`corpus.contract`) as dictionaries. `lang` is the language to answer in and
    to tell reasons in, `within` the language of the books; both take `ja`, `zh` (= `zh-Hans`), `zh-Hant` and `en`.

    Every method raises EnvironmentFault where the machine refuses, and InputError for what cannot be asked.
    """

    def __init__(
        self,
        home: Home,
        *,
        lang: str = DEFAULT,
        create: bool = True,
        tell: Callable[[str], None] | None = None,
        every: float = EVERY,
    ) -> None:
        """See `open`; `every` is how many seconds may pass until a new bundle is answered from."""
        self.path = home.path
        self.lang = language_option(lang, "lang") or DEFAULT
        self._home = home
        self._live = Live(home, every)
        self._create = create
        self._tell = tell
        self._ensuring = threading.Lock()

    @classmethod
    def open(
        cls, home: PathName | None = None, *, lang: str = DEFAULT, create: bool = True, tell: Callable[[str], None] | None = None
    ) -> Self:
        """The knowledge base in a folder, by default RULESTONE_HOME, else `rulestone` in the platform's folder for user data.

        Where there is none yet, the first question builds the one of the digest, which `tell` is told in one line; without
        `create` it raises EnvironmentFault instead. `lang` is the language of answers where a question names none.
        """
        return cls(Home(Path(home) if home else default_home()), lang=lang, create=create, tell=tell)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Lets the bundle go. A later question opens it again."""
        self._live.close()

    # Writing

    def build(self, progress: "Progress | None" = None) -> Built:
        """Builds everything anew: the digest, the shipped ontology and every file that was ever added.

        `progress` is told after each step: steps done, steps in all, what was done. Whatever fails leaves the knowledge base
        as it was.
        """
        from rulestone.writing.build import build
        from rulestone.writing.bundle import silent

        manifest = build(self._home, progress or silent)
        self._live.look_again()
        editions = manifest.editions.values()
        return Built(len(editions), sum(edition.rules for edition in editions), tuple(manifest.unread))

    def add(
        self,
        paths: PathName | Iterable[PathName],
        *,
        game: str | None = None,
        book: str | None = None,
        edition: str | None = None,
        lang: str | None = None,
        authority: str | None = None,
        replace: bool = False,
        keep_going: bool = False,
        progress: "Progress | None" = None,
    ) -> "contract.Added":
        """Adds rulebooks, files or folders of them: all or none, or with `keep_going` what can be added.

        What a file is, is recognised; `game`, `book`, `edition`, `lang` and `authority` overrule that. `replace` lets a file
        take the place of an edition with other words. Raises InputError for a file that is no rulebook or contradicts what
        is loaded.
        """
        from rulestone.answers import added
        from rulestone.writing.add import add
        from rulestone.writing.bundle import silent

        given = [paths] if isinstance(paths, str | os.PathLike) else paths
        hints = added.hints(game, book, edition, lang, authority)
        files = [Path(path) for path in given]
        if self._home.current() is not None:
            self.ensure()
        results = add(self._home, files, hints, replace=replace, keep_going=keep_going, progress=progress or silent)
        self._live.look_again()
        return added.body(results, self.lang)

    def index(self, progress: "Progress | None" = None) -> tuple[int, int]:
        """Makes the sentence embeddings of every text and gloss that has none yet: search then knows what a question means.

        Gives how many were made, and how many there are. What is broken off goes on where it stopped. Raises EnvironmentFault
        where the pretrained encoder is not installed, or a setting names another model.
        """
        from rulestone.writing.bundle import silent
        from rulestone.writing.embed import embed

        self.ensure()
        made = embed(self._home, progress or silent)
        self._live.look_again()
        return made

    def ensure(self) -> None:
        """Builds the digest's knowledge base where there is none yet, and anew the one that another version wrote."""
        from ontology.store.manifest import is_current_format

        with self._ensuring:
            current = self._home.current()
            if current is None:
                self._build_telling(message("building the knowledge base in {home} from the digest …", home=self.path))
            elif not is_current_format(current):
                self._build_telling(
                    message(
                        "the knowledge base in {home} is of another version: building it anew from the kept files …", home=self.path
                    )
                )

    def _build_telling(self, what: Message) -> None:
        if self._tell:
            self._tell(what.said(self.lang))
        self.build()

    # Looking up

    def rules(self, ref: str, *, game: str | None = None, lang: str | None = None, within: str | None = None) -> "contract.Rules":
        """The rules that a reference names, those of current editions first.

        `ref` is `400.3b`, `dm:400.3b`, `mtg:2024-06-07:400.7`, `MTG CR 400.7d` or an address; with `game` what follows the
        game in a path: `cr/2024-06-07/400.7`. Answered in `lang`, else in `within`. Raises NotFoundError.
        """
        from rulestone.answers.rules import rules

        name, reference = _reference(ref, game)
        answer, book = self._languages(lang, within)
        bundle = self._bundle()
        return rules(bundle.knowledge, name, reference, answer, book)

    def cites(self, ref: str, *, game: str | None = None, within: str | None = None) -> "contract.Cites":
        """What the first rule that a reference names cites, and which rules cite it. Raises NotFoundError."""
        from rulestone.answers.rules import cites

        name, reference = _reference(ref, game)
        book = language_option(within, "in")
        bundle = self._bundle()
        return cites(bundle.knowledge, name, reference, book)

    def editions(self) -> "contract.Editions":
        """Every edition that is loaded or known from the digest."""
        from rulestone.answers.rules import editions

        bundle = self._bundle()
        return editions(bundle.knowledge)

    def zones(self, *, games: str | Iterable[str] | None = None, lang: str | None = None) -> "contract.Zones":
        """The zones of some games (`dm,mtg` or one by one; without it of all) side by side, each statement with its proof."""
        from rulestone.answers.concepts import zones

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return zones(bundle.knowledge, answer, games)

    def concept(self, ref: str, *, lang: str | None = None) -> "contract.Concepts":
        """The concepts that `mtg/graveyard`, `graveyard`, a name in any language or an address means. Raises NotFoundError."""
        from rulestone.answers.concepts import concept

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return concept(bundle.knowledge, ref, answer)

    def concepts(
        self,
        *,
        game: str | None = None,
        kind: str | None = None,
        lang: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> "contract.ConceptList":
        """A page of the list of all concepts, or of those of one game or kind."""
        from corpus.paging import Page
        from rulestone.answers.concepts import concepts

        answer, _ = self._languages(lang)
        page = Page(whole("offset", offset, limits.OFFSET), whole("limit", limit, limits.CONCEPTS))
        bundle = self._bundle()
        return concepts(bundle.knowledge, answer, page, game, kind)

    def term(
        self,
        label: str,
        *,
        game: str | None = None,
        lang: str | None = None,
        within: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> "contract.Terms":
        """What a name's concept is called in each game and language, and a page of its uses in each.

        `game` limits terms and uses to one game, `within` the uses to books in one language. Raises NotFoundError.
        """
        from corpus.paging import Page
        from rulestone.answers.concepts import term

        answer, book = self._languages(lang, within)
        page = Page(whole("offset", offset, limits.OFFSET), whole("limit", limit, limits.USES))
        bundle = self._bundle()
        return term(bundle.knowledge, label, answer, page, game, book)

    # Searching

    def search(
        self,
        query: str,
        *,
        games: str | Iterable[str] | None = None,
        lang: str | None = None,
        within: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> "contract.Search":
        """The rules that answer a question in any language, best first, or why no rule is sure enough.

        `games` limits it to some games (`dm,mtg` or one by one), `within` to books in one language. Answered in `lang`, else in
        the language of the question.
        """
        from rulestone.answers.search import request, search

        bundle = self._bundle()
        asked = request(bundle.searcher.index.games, query, games, lang, within, limit, offset)
        return search(bundle.searcher, asked)

    def batch(self, lines: Iterable[str], *, name: str = "batch") -> "list[contract.BatchLine]":
        """The answers to questions that are JSON objects with `id`, `query` and `game`, one a line, in order.

        Raises InputError with `name` and the number of a bad line; then nothing is searched.
        """
        from rulestone.answers.search import batch

        bundle = self._bundle()
        return batch(bundle.searcher, lines, name)

    # The whole

    def export(self, kind: str) -> Iterator[bytes]:
        """Everything, piece by piece: `jsonl` (one rule a line), `nquads`, `turtle`, or the mappings as `sssom`."""
        from rulestone.answers.exports import exporter

        return _from(exporter(kind), self._bundle())

    def check(self) -> "contract.Findings":
        """What is wrong in the knowledge base, and what is disputed."""
        from rulestone.answers.findings import findings

        bundle = self._bundle()
        return findings(bundle.knowledge)

    def sparql(self, query: str, *, as_json: bool = False, seconds: float = 60) -> "Answer":
        """The answer to a SPARQL 1.1 query, as `found` and `body`: TSV or JSON results, or N-Triples.

        Raises InputError for what is no query, for an update or SERVICE, and for a query that takes longer than `seconds`.
        """
        from rulestone.answers.sparql import answer

        bundle = self._bundle()
        return answer(bundle.knowledge.store, query, as_json=as_json, seconds=seconds)

    def propose(self, which: str) -> "contract.Proposals":
        """What the texts of `game` or `game/book`, which nobody has annotated, say of its zones. Raises NotFoundError."""
        from rulestone.answers import proposals

        bundle = self._bundle()
        return proposals.body(proposals.proposed(bundle.knowledge, which))

    def propose_turtle(self, which: str) -> bytes:
        """The same of one book as Turtle, for a judge to correct. Raises InputError for several books at once."""
        from rulestone.answers import proposals

        bundle = self._bundle()
        return proposals.turtle(proposals.proposed(bundle.knowledge, which))

    # Addresses

    def kind_at(self, path: str) -> "Thing":
        """What stands at `…/id/{path}`: a rule, an edition or a concept. Raises NotFoundError."""
        from rulestone.answers.addresses import kind_at

        bundle = self._bundle()
        return kind_at(bundle.knowledge, path)

    def resource(self, path: str, *, lang: str | None = None) -> "contract.Rule | contract.EditionSummary | contract.Concept":
        """The rule, edition or concept at `…/id/{path}`. Raises NotFoundError."""
        from rulestone.answers.addresses import resource

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return resource(bundle.knowledge, path, answer)

    def turtle(self, path: str) -> bytes:
        """All that is stated of what stands at `…/id/{path}`, in Turtle. Raises NotFoundError."""
        from rulestone.answers.addresses import turtle_at

        bundle = self._bundle()
        return turtle_at(bundle.knowledge, path)

    def current_path(self, path: str) -> str:
        """A path with the current edition in the place of `latest`. Raises NotFoundError where that has no such rule."""
        from rulestone.answers.addresses import current_path

        bundle = self._bundle()
        return current_path(bundle.knowledge, path)

    def health(self) -> "contract.Health":
        """From which bundle questions are answered, and how much it holds."""
        bundle = self._bundle()
        editions = bundle.knowledge.manifest.editions.values()
        rules = sum(edition.rules for edition in editions)
        return {"status": "ok", "bundle": bundle.path.name, "editions": len(editions), "rules": rules}

    def _bundle(self) -> OpenBundle:
        """The current bundle, which stays on disk as long as the caller keeps it."""
        try:
            return self._live.bundle()
        except (NotFoundError, OtherVersionError) as lacking:
            if not self._create:
                raise EnvironmentFault(lacking.message.text, **lacking.message.values) from lacking
        self.ensure()
        return self._live.bundle()

    def _languages(self, lang: str | None, within: str | None = None) -> tuple[str, str | None]:
        """The answer's language and the book's."""
        book = language_option(within, "in")
        return language_option(lang, "lang") or book or self.lang, book


def _reference(ref: str, game: str | None) -> "tuple[str, Reference]":
    """A reference as it is echoed and as it is understood."""
    from corpus.reference import parse_reference, reference_in

    return (ref, parse_reference(ref)) if game is None else (f"{game}/{ref}", reference_in(game, ref))


def _from(export: "Callable[[Knowledge], Iterator[bytes]]", bundle: OpenBundle) -> Iterator[bytes]:
    yield from export(bundle.knowledge)
