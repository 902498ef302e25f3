"""An open knowledge base: its home folder, its current bundle, and how it is built.

The modules of this package import at the top what is light, and in a method what takes long to import (numpy, spaCy, parsers of
files): a look-up by number pays for neither.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from corpus.errors import EnvironmentFault, NotFoundError, OtherVersionError, RulestoneError
from corpus.messages import Message, message
from corpus.store.home import Home, default_home
from rulestone.languages import DEFAULT, language_option
from rulestone.library.current import POLL_SECONDS, CurrentBundle, OpenBundle

if TYPE_CHECKING:
    from corpus import contract
    from rulestone.writing.draft.bundle import Progress

PathName = str | os.PathLike[str]


class Built(NamedTuple):
    """A knowledge base that was built: what it holds, and why added files could not be read again."""

    editions: int
    rules: int
    unread: tuple[str, ...] = ()


class LibraryBase:
    """The home and its current bundle, for the classes that answer questions from it."""

    def __init__(
        self,
        home: Home,
        *,
        lang: str = DEFAULT,
        create: bool = True,
        tell: Callable[[str], None] | None = None,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """See `open`. `poll_seconds` is how often the home is checked for a new bundle."""
        self.path = home.path
        self.lang = language_option(lang, "lang") or DEFAULT
        self._home = home
        self._current = CurrentBundle(home, poll_seconds)
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Releases the bundle. A later question opens it again."""
        self._current.close()

    def build(self, progress: "Progress | None" = None, *, later: bool = False) -> Built:
        """Builds everything anew: the digest, the shipped ontology and every file that was ever added.

        `progress` is told after each step: steps done, steps in all, what was done. Whatever fails leaves the knowledge base
        as it was. It answers as soon as it is built; then what has no sentence embedding yet is encoded, unless `later`.
        """
        from rulestone.writing.build import build
        from rulestone.writing.draft.bundle import silent

        manifest = build(self._home, progress or silent)
        self._current.expire()
        if not later:
            self._encode(progress or silent)
        self._ground(progress or silent, later=later)
        editions = manifest.editions.values()
        return Built(len(editions), sum(edition.rules for edition in editions), tuple(manifest.unread))

    def _ground(self, progress: "Progress", *, later: bool) -> None:
        """Looks for the rules that rulings rest on; `later` only for those that they cite."""
        from rulestone.writing.rulings.grounds import ground

        if ground(self._home, progress, proposing=not later):
            self._current.expire()

    def _encode(self, progress: "Progress") -> None:
        """Makes the sentence embeddings that are lacking. Where that is refused it is told: what was written before stays."""
        from rulestone.writing.embeddings.embed import embed
        from rulestone.writing.embeddings.vectors import refused
        from search.encode import pretrained

        if not pretrained.is_enabled():
            return
        if self._tell and (why := refused()):
            self._tell(why.in_language(self.lang))
        try:
            embed(self._home, progress)
        except EnvironmentFault as fault:
            if self._tell:
                self._tell(fault.in_language(self.lang))
        self._current.expire()

    def ensure(self) -> None:
        """Builds the digest's knowledge base where there is none yet, and anew the one that another version wrote."""
        from corpus.store.home.manifest import is_current_format

        with self._ensuring:
            current = self._home.current()
            if current is None:
                self._build_telling(message("building the knowledge base in {home} from the digest …", home=self.path))
            elif not is_current_format(current):
                self._build_telling(
                    message(
                        "the knowledge base in {home} was written by another version; rebuilding it from the stored files …",
                        home=self.path,
                    )
                )

    def _build_telling(self, what: Message) -> None:
        if self._tell:
            self._tell(what.in_language(self.lang))
        self.build(later=True)

    def health(self) -> "contract.Health":
        """From which bundle questions are answered, and how much it holds."""
        bundle = self._bundle()
        editions = bundle.knowledge.manifest.editions.values()
        rules = sum(edition.rules for edition in editions)
        return {"status": "ok", "bundle": bundle.path.name, "editions": len(editions), "rules": rules}

    def bundle_name(self) -> str | None:
        """The name of the bundle that questions are answered from now, which no other bundle ever has; None if there is none."""
        try:
            return self._current.bundle().path.name
        except RulestoneError:
            return None

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Opens new bundles in a background thread meanwhile, so that no question waits for that."""
        with self._current.watch():
            yield

    def _bundle(self) -> OpenBundle:
        """The current bundle, which stays on disk as long as the caller keeps it."""
        try:
            return self._current.bundle()
        except (NotFoundError, OtherVersionError) as lacking:
            if not self._create:
                raise EnvironmentFault(lacking.message.text, **lacking.message.values, command=lacking.command) from lacking
        self.ensure()
        return self._current.bundle()

    def _answer_language(self, lang: str | None, book_lang: str | None = None) -> str:
        """The language to answer in: `lang`, else the books' language, else the library's. Raises InputError."""
        book = language_option(book_lang, "in")
        return language_option(lang, "lang") or book or self.lang


def keep_open(pieces: Iterator[bytes], _: OpenBundle) -> Iterator[bytes]:
    """The pieces of a document. The bundle that they are read from stays open until the last one."""
    yield from pieces
