"""Knowledge bases of invented books."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from corpus.model import Authority
from corpus.store.home import Home
from corpus.store.sparql.complete import with_complete_store
from ingest.recognise import Hints
from ontology import shipped
from ontology.knowledge import Knowledge
from ontology.shipped import concept_quads
from rulestone import Library
from rulestone.writing.add import add
from rulestone.writing.admission import GivenFile
from search.searcher import Searcher
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA

CARDS = Path(__file__).parent / "cards" / "ferry.csv"
DIGEST = "dm.zones-summary.*"
"""The smallest one: what it holds is no matter here."""


@contextmanager
def books_alone() -> Iterator[None]:
    """Bundles without the ontology and with the smallest digest, where what is tested is how books are kept."""
    with without_ontology(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESTONE_DIGEST", DIGEST)
        yield


@contextmanager
def without_ontology() -> Iterator[None]:
    """Bundles without the ontology, which are written in half the time."""
    concept_quads(), shipped.graph_hashes()  # read once a process: what they remember must not be made of nothing
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shipped, "shipped_graphs", dict)
        patch.setattr(shipped, "graphs_version", lambda: "none")
        yield


def put(
    home: Path, text: str, edition: str, lang: str = "en", authority: Authority = Authority.OFFICIAL, *, game: str = "ferry"
) -> None:
    """Adds an edition of The Game of Ferrymen, or of another game."""
    path = home.with_name(f"{edition}.{lang}.txt")
    path.write_text(text, encoding="utf-8")
    add(Home(home), [path], Hints(game, "cr", edition, lang, authority))


def put_languages(home: Path, texts: Mapping[str, str], edition: str, *, game: str = "ferry") -> None:
    """Adds an edition in several languages, which are recognised."""
    files = [home.with_name(f"{edition}.{lang}.txt") for lang in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text, encoding="utf-8")
    add(Home(home), files, Hints(game, "cr", edition, None, Authority.OFFICIAL))


def put_editions(
    home: Path, editions: Iterable[tuple[str, str, str]], authority: Authority = Authority.OFFICIAL, *, game: str = "ferry"
) -> None:
    """Adds several editions in one bundle: pairs of a text and its edition, with its language."""
    put_books(home, [(text, Hints(game, "cr", edition, lang, authority)) for text, edition, lang in editions])


def put_books(home: Path, books: Iterable[tuple[str, Hints]]) -> None:
    """Adds texts of any games and books in one bundle."""
    files = []
    for text, hints in books:
        path = home.with_name("-".join(filter(None, (hints.game, hints.book, hints.edition))) + f".{hints.lang}.txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        files.append(GivenFile(path, hints))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulestone.writing.add.find_files", lambda *_, **__: files)
        add(Home(home), [])


def put_two(home: Path) -> None:
    """Two editions of The Game of Ferrymen."""
    five = HUNDREDS_EN.replace("six tokens", "five tokens")
    put_editions(home, [(five, "2020-01-01", "en"), (HUNDREDS_EN, "2021-05-03", "en")])


def put_translation(home: Path) -> None:
    """The later of these editions in Japanese."""
    put(home, HUNDREDS_JA, "2021-05-03", "ja", Authority.TRANSLATION)


def put_cards(home: Path, file: Path = CARDS) -> None:
    """Adds a file of cards."""
    with Library.open(home) as library:
        library.add_cards(file)


def opened(home: Home) -> Knowledge:
    """The contents of the current bundle of a home."""
    bundle = home.current_folder()
    assert bundle is not None
    return Knowledge.open(bundle)


@contextmanager
def everything(home: Home) -> Iterator[Knowledge]:
    """The same with a store that has the superseded editions too."""
    bundle = home.current_folder()
    assert bundle is not None
    with with_complete_store(bundle, Knowledge.open(bundle)) as knowledge:
        yield knowledge


def searching(home: Home) -> Searcher:
    """Search in the current bundle of a home."""
    bundle = home.current_folder()
    assert bundle is not None
    return Searcher(bundle, Knowledge.open(bundle))
