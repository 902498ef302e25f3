"""Knowledge bases of invented books."""

from pathlib import Path

from corpus.model import Authority
from ingest.recognise.edition import Hints
from ontology.store.home import Home
from ontology.store.knowledge import Knowledge
from rulestone.writing.add import add
from search.searcher import Searcher


def put(home: Path, text: str, edition: str) -> None:
    """Adds an edition of The Game of Ferrymen."""
    path = home.with_name(f"{edition}.txt")
    path.write_text(text)
    add(Home(home), [path], Hints("ferry", "cr", edition, "en", Authority.OFFICIAL))


def opened(home: Home) -> Knowledge:
    """What the current bundle of a home knows."""
    bundle = home.current()
    assert bundle is not None
    return Knowledge.open(bundle)


def searching(home: Home) -> Searcher:
    """Search in the current bundle of a home."""
    bundle = home.current()
    assert bundle is not None
    return Searcher(bundle, Knowledge.open(bundle))
