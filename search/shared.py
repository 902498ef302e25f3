"""What searches of one bundle share, whoever asks: loaded once by the process from which others are forked.

Memory that no process writes to is there once for all of them. Nothing that a process must have opened itself belongs here: no
store, no file of cards.
"""

from copy import copy
from pathlib import Path

from ontology.cards import Cards
from ontology.store.engine import OxigraphStore
from ontology.store.home.manifest import read_manifest
from ontology.store.knowledge import Knowledge
from search.index.engine import Opening
from search.index.index import FOLDER, HEADER
from search.index.mapped import Mapped
from search.searcher import CARDS, Request, Searcher

_FIRST = Request("rule 規則 规则")
"""A question whose ranking touches what every ranking needs."""
_Key = tuple[Path, int, int]
_shared: dict[_Key, Searcher] = {}


def load(bundle: Path) -> None:
    """Loads what searches of a bundle share. Raises EnvironmentFault for a bundle without a search index of this version."""
    searcher = Searcher(bundle, Knowledge(OxigraphStore(), read_manifest(bundle)))
    if searcher.cards:
        searcher.cards.close()
        searcher.cards = None
    _touch(searcher)
    _shared[_key(bundle)] = searcher


def opened(bundle: Path, knowledge: Knowledge, opening: Opening = Mapped) -> Searcher:
    """Search in a bundle, with what is loaded of it already. Raises EnvironmentFault as a Searcher does."""
    shared = _shared.get(_key(bundle)) if _shared and opening is Mapped else None
    if shared is None:
        return Searcher(bundle, knowledge, opening=opening)
    own = copy(shared)
    own.knowledge, own.cards = knowledge, Cards.of(bundle / CARDS)
    return own


def _touch(searcher: Searcher) -> None:
    """Has everything made that is made by the first question, but for the pretrained encoder: it has threads, which no fork has."""
    query = searcher.understood(_FIRST)
    vector = searcher.encoder.encode([query.asked])[0]
    searcher.ranker.rank(query, vector, _FIRST.limit)
    searcher.decoys.nearness(searcher.encoder, vector, None, None)


def _key(bundle: Path) -> _Key:
    """Tells a bundle by the header of its index: a folder may come to have another one."""
    header = (bundle / FOLDER / HEADER).stat()
    return bundle.resolve(), header.st_ino, header.st_mtime_ns
