"""One changed byte in the files that a bundle leaves unchecked when it is opened: refused, or without any effect."""

import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corpus.errors import DamagedError
from corpus.store.home import Home
from rulestone import Library

FLIPS = 60
COUNTS = """
PREFIX rs: <https://w3id.org/rulestone/ns#>
SELECT (COUNT(*) AS ?all) (SUM(STRLEN(STR(?o))) AS ?letters) (SUM(IF(CONTAINS(STR(?o), "e"), 1, 0)) AS ?matching)
WHERE { GRAPH ?g { ?s ?p ?o FILTER(STRLEN(STR(?o)) > 2) } }
"""


@pytest.fixture
def bundle(alone_home: Home, tmp_path: Path) -> Path:
    """A bundle to be damaged."""
    home = Home(Path(shutil.copytree(alone_home.path, tmp_path / "home")))
    folder = home.current_folder()
    assert folder is not None
    return folder


@contextmanager
def flipped(files: list[Path], chance: random.Random) -> Iterator[str]:
    """One byte of the files, drawn at random, is another one inside the `with` block."""
    file = chance.choices(files, [path.stat().st_size for path in files])[0]
    whole = file.read_bytes()
    place = chance.randrange(len(whole))
    file.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << chance.randrange(8))]) + whole[place + 1 :])
    try:
        yield f"{file.name}, byte {place}"
    finally:
        file.write_bytes(whole)


def counts(bundle: Path) -> str:
    """The answer of a query whose expressions read every string."""
    with Library.open(bundle.parents[1]) as library:
        return library.sparql(COUNTS).body.decode()


def test_a_flipped_bit_in_the_store_is_refused_before_the_first_read(bundle: Path) -> None:
    tables, chance = sorted(bundle.glob("store/*.sst")), random.Random(48)
    assert tables
    assert counts(bundle)
    for _ in range(FLIPS):
        with flipped(tables, chance) as place, pytest.raises(DamagedError) as caught:
            counts(bundle)
            pytest.fail(place)
        assert "damaged" in str(caught.value)
    assert counts(bundle)
