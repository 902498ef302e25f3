"""Shared fixtures: the digest of the tests, homes built once, and the number of tests that read real rulebooks."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from bench.measure import use_only_seed_digests

settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same examples", settings.get_profile("explore"), derandomize=True)
settings.load_profile("same examples")  # no property fails by chance, or because the machine is busy
use_only_seed_digests()  # a home of the whole digest takes much longer to build; tests of it read its files
os.environ["RULESTONE_MODEL"] = "static"  # encoding takes minutes; tests of it say so

from bench.verify.own import put_books  # noqa: E402
from corpus.store.home import Home  # noqa: E402
from rulestone.library import current  # noqa: E402
from rulestone.writing.add import build  # noqa: E402
from search.searcher import Searcher  # noqa: E402
from tests.support import homes as support  # noqa: E402
from tests.support.editions import EDITIONS, built  # noqa: E402
from tests.support.homes import put_cards, put_translation, put_two, searching  # noqa: E402
from tests.support.kept import Homes, OpenBundles  # noqa: E402
from tests.support.texts import TEXTS  # noqa: E402

_SERVERS = {"server", "address", "publisher"}
"""Fixtures that start a server, in a process or in a thread of its own."""


@pytest.hookimpl(tryfirst=True)  # before `-m` selects by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start a server are slow ones, and those that read real rulebooks, which are skipped where there are none."""
    skip = pytest.mark.skip(reason=f"no real rulebooks at {TEXTS}; name their folder with RULESTONE_TEXTS")
    for item in items:
        if isinstance(item, pytest.Function) and _SERVERS & {*item.fixturenames}:
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("real"):
            item.add_marker(pytest.mark.slow)
            if not TEXTS.is_dir():
                item.add_marker(skip)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests read real rulebooks: a green run without them proves less."""
    ran = [report for end in ("passed", "failed") for report in terminalreporter.stats.get(end, []) if _is_real(report)]
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if _is_real(report)]
    if ran or skipped:
        terminalreporter.write_line(f"real texts: {len(ran)} ran, {len(skipped)} skipped ({TEXTS})")


def _is_real(report: pytest.TestReport | pytest.CollectReport) -> bool:
    return "real" in report.keywords


@pytest.fixture(scope="session", autouse=True)
def _no_sync() -> Iterator[None]:
    """No file is synced to the disk: no home of a test has to survive a loss of power, and an `add` syncs sixty files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    """Homes that are built once a run."""
    return Homes(tmp_path_factory)


@pytest.fixture(scope="session", autouse=True)
def open_bundles() -> Iterator[OpenBundles]:
    """Bundles that are opened once, with their index: each command and each server of a test would open them anew."""
    bundles = OpenBundles()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(current, "OpenBundle", bundles.open)
        yield bundles


@pytest.fixture(scope="session")
def digest_home(homes: Homes, open_bundles: OpenBundles) -> Home:
    """A fresh clone's digest: four games, of the seeds alone; nobody writes to it."""
    home = Home(homes.copy("digest", lambda path: build(Home(path))))
    open_bundles.read_only.add(home.path)
    return home


@pytest.fixture(scope="session")
def ferry_home(homes: Homes, digest_home: Home, open_bundles: OpenBundles) -> Path:
    """The digest and two editions of The Game of Ferrymen; nobody writes to it."""
    home = homes.copy("ferry", lambda path: put_two(Path(shutil.copytree(digest_home.path, path))))
    open_bundles.read_only.add(home)
    return home


@pytest.fixture(scope="session")
def translated_home(homes: Homes, ferry_home: Path, open_bundles: OpenBundles) -> Path:
    """The digest and two editions of The Game of Ferrymen, the later one in two languages; nobody writes to it."""
    home = homes.copy("translated", lambda path: put_translation(Path(shutil.copytree(ferry_home, path))))
    open_bundles.read_only.add(home)
    return home


@pytest.fixture(scope="session")
def cards_home(homes: Homes, ferry_home: Path, open_bundles: OpenBundles) -> Path:
    """The digest, two editions of The Game of Ferrymen and the cards of `ferry.csv`; nobody writes to it."""
    home = homes.copy("cards", lambda path: put_cards(Path(shutil.copytree(ferry_home, path))))
    open_bundles.read_only.add(home)
    return home


@pytest.fixture(scope="session")
def crossings_home(homes: Homes, open_bundles: OpenBundles) -> Path:
    """The invented books that texts are verified on; nobody writes to it."""
    home = homes.copy("crossings", lambda path: put_books(path).close())
    open_bundles.read_only.add(home)
    return home


@pytest.fixture(scope="session")
def editions(homes: Homes, open_bundles: OpenBundles) -> Home:
    """Three editions of a small invented book, added one after the other, without the ontology."""
    with support.books_alone():
        home = Home(homes.copy("editions", lambda path: built(path.parent, EDITIONS)))
    open_bundles.read_only.add(home.path)
    return home


@pytest.fixture(scope="session")
def alone_home(homes: Homes) -> Home:
    """A home without the ontology and with the smallest digest, for tests of how books are kept; nobody writes to it."""
    with support.books_alone():
        return Home(homes.copy("alone", lambda path: build(Home(path))))


@pytest.fixture
def no_ontology() -> Iterator[None]:
    """Bundles without the ontology."""
    with support.without_ontology():
        yield


@pytest.fixture
def books_alone() -> Iterator[None]:
    """Bundles without the ontology and with the smallest digest."""
    with support.books_alone():
        yield


@pytest.fixture(scope="session")
def digest_searcher(digest_home: Home) -> Searcher:
    """Search in what a fresh clone has."""
    return searching(digest_home)
