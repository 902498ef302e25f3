"""An open knowledge base: its home folder, its current bundle, and builds.

Heavy imports (numpy, spaCy, file parsers) are inside methods, so that a look-up by number does not pay for them.
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
from rulestone.languages import DEFAULT_LANGUAGE, language_option
from rulestone.library.current import POLL_SECONDS, CurrentBundle, OpenBundle
from rulestone.progress import Progress, no_progress

if TYPE_CHECKING:
    from corpus import contract

PathName = str | os.PathLike[str]


class Built(NamedTuple):
    """The result of a build."""

    editions: int
    rules: int


class LibraryBase:
    """The home and its current bundle, for the classes that answer questions from it."""

    def __init__(
        self,
        home: Home,
        *,
        lang: str = DEFAULT_LANGUAGE,
        create: bool = True,
        report: Callable[[str], None] | None = None,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """See `open`. `poll_seconds` is the interval at which the home is checked for a new bundle."""
        self.path = home.path
        self.lang = language_option(lang, "lang") or DEFAULT_LANGUAGE
        self._home = home
        self._current = CurrentBundle(home, poll_seconds)
        self._create = create
        self._tell = report
        self._ensuring = threading.Lock()

    @classmethod
    def open(
        cls,
        home: PathName | None = None,
        *,
        lang: str = DEFAULT_LANGUAGE,
        create: bool = True,
        report: Callable[[str], None] | None = None,
    ) -> Self:
        """The knowledge base in a folder, by default RULESTONE_HOME, else `rulestone` in the platform's folder for user data.

        In an empty folder, the first question builds a knowledge base from the digest and reports it to `report`; without `create`
        it raises EnvironmentFault. `lang` is the default language of answers.
        """
        return cls(Home(Path(home) if home else default_home()), lang=lang, create=create, report=report)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Releases the bundle. A later question opens it again."""
        self._current.close()

    def build(self, progress: Progress = no_progress, *, later: bool = False) -> Built:
        """Rebuilds everything: the digest, the shipped ontology and every file that was added.

        `progress` is called after each step with the number of finished steps, the number of all steps and the step. A failure
        leaves the knowledge base unchanged. The result is available immediately; missing sentence embeddings follow, unless
        `later`.
        """
        from rulestone.writing.add import build

        manifest = build(self._home, progress)
        self._current.expire()
        if not later:
            self._encode(progress)
        self._propose_grounds(progress, later=later)
        editions = manifest.editions.values()
        return Built(len(editions), sum(edition.rules for edition in editions))

    def _propose_grounds(self, progress: Progress, *, later: bool) -> None:
        """Proposes the rules on which rulings rest; with `later` only resolves citations."""
        from rulestone.writing.rulings.grounds import write_grounds

        if write_grounds(self._home, progress, proposing=not later):
            self._current.expire()

    def _encode(self, progress: Progress) -> None:
        """Makes the missing sentence embeddings. A failure is only reported, because the rest has been written."""
        from rulestone.writing.embeddings.embed import embed_home
        from rulestone.writing.embeddings.vectors import refusal_reason
        from search.encode import pretrained

        if not pretrained.is_enabled():
            return
        if self._tell and (why := refusal_reason()):
            self._tell(why.in_language(self.lang))
        try:
            embed_home(self._home, progress)
        except EnvironmentFault as fault:
            if self._tell:
                self._tell(fault.in_language(self.lang))
        self._current.expire()

    def ensure_built(self) -> None:
        """Builds a missing knowledge base from the digest and the stored files, and rebuilds one of another version.

        Raises DamagedError if there is a bundle that is damaged or that no pointer names: nothing is built in its place.
        """
        with self._ensuring:
            if not self.must_be_built():
                return
            if self._home.current_folder() is not None:
                reason = message(
                    "the knowledge base in {home} was written by another version; rebuilding it from the stored files …",
                    home=self.path,
                )
            elif self._home.given():
                reason = message("there is no bundle in {home}; building it from the stored files …", home=self.path)
            else:
                reason = message("building the knowledge base in {home} from the digest …", home=self.path)
            self._build_and_report(reason)

    def must_be_built(self) -> bool:
        """Whether there is no bundle, or one that another version wrote. Raises DamagedError for a damaged or lost one."""
        from corpus.store.home import checksums
        from corpus.store.home.manifest import is_current_format

        current = self._home.current_folder()
        if current is None or is_current_format(current):
            return current is None
        checksums.check_manifest(current)
        return True

    def _build_and_report(self, reason: Message) -> None:
        if self._tell:
            self._tell(reason.in_language(self.lang))
        self.build(later=True)

    def health(self) -> "contract.Health":
        """The name of the current bundle and its counts."""
        bundle = self._bundle()
        editions = bundle.knowledge.manifest.editions.values()
        rules = sum(edition.rules for edition in editions)
        return {"status": "ok", "bundle": bundle.path.name, "editions": len(editions), "rules": rules}

    def bundle_name(self) -> str | None:
        """The name of the current bundle, which is never reused; None if there is none."""
        try:
            return self._current.current_bundle().path.name
        except RulestoneError:
            return None

    @contextmanager
    def watch_for_bundles(self) -> Iterator[None]:
        """Opens new bundles in a background thread, so that no question is delayed."""
        with self._current.watch_for_bundles():
            yield

    def _bundle(self) -> OpenBundle:
        """The current bundle, which stays on disk as long as the caller holds it."""
        try:
            return self._current.current_bundle()
        except (NotFoundError, OtherVersionError) as lacking:
            if not self._create:
                raise lacking.copied_as(EnvironmentFault) from lacking
        self.ensure_built()
        return self._current.current_bundle()

    def _answer_language(self, lang: str | None, book_lang: str | None = None) -> str:
        """The language of an answer: `lang`, else the books' language, else the library's. Raises InputError."""
        book = language_option(book_lang, "in")
        return language_option(lang, "lang") or book or self.lang


def hold_bundle_open(pieces: Iterator[bytes], _: OpenBundle) -> Iterator[bytes]:
    """The pieces of a document. Their bundle stays open until the last piece."""
    yield from pieces
