"""The knowledge base as a command opens it: built from the digest where there is none yet."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ontology.store.home import Home
from ontology.store.knowledge import Knowledge

if TYPE_CHECKING:
    from search.searcher import Searcher


def ensure(home: Home, tell: Callable[[str], None]) -> None:
    """Builds the digest bundle, with one line about it, where there is no bundle."""
    if home.current() is None:
        from rulestone.building import ensure as build

        build(home, tell)


@contextmanager
def opened(home: Home, tell: Callable[[str], None]) -> Iterator[Knowledge]:
    """The current bundle, which stays on disk inside the `with` block."""
    ensure(home, tell)
    with home.reading() as bundle:
        yield Knowledge.open(bundle)


@contextmanager
def searching(home: Home, tell: Callable[[str], None]) -> "Iterator[Searcher]":
    """The current bundle opened for searching, which stays on disk inside the `with` block."""
    from search.searcher import Searcher

    ensure(home, tell)
    with home.reading() as bundle:
        yield Searcher(bundle, Knowledge.open(bundle))
