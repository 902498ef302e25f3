"""Documents of `records.db`: what was written is what is read, or an error."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.errors import DamagedError
from corpus.store.documents import FILE_NAME, Documents, NewEntry, draft_documents

FLIPS = 200
NAMES = ("ferry/cr/2020-01-01", "ferry/cr/2021-05-03", "names/concepts")


def everything(file: Path) -> Iterator[object]:
    """All that can be asked for."""
    documents = Documents(file)
    for name in NAMES:
        document = documents.document(name)
        yield from (document.iri, document.about, *document.names, *documents.entries(name), *documents.keys(name))
        for key in ("", "pier 3", "pier 9", "no such key", "~"):
            yield from (list(documents.places(name, key)), documents.key_before(name, key))
        yield list(documents.entries_by_name(name, ["3", "no such name"]))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three documents that share bodies, the last one long."""
    folder = tmp_path_factory.mktemp("bundle")
    with draft_documents(folder, None) as records:
        for place, name in enumerate(NAMES):
            entries = [
                NewEntry(str(nth), json.dumps({"rule": nth, "words": [f"pier {nth % 7}"] * 9}).encode(), str(place))
                for nth in range(100 * (place + 1))
            ]
            keys = {f"pier {nth}": range(nth, len(entries), 7) for nth in range(7)}
            records.add_document(name, entries, keys, {"place": place})
    return folder / FILE_NAME


def test_written_documents_are_read_back(file: Path) -> None:
    documents = Documents(file)
    assert [len(documents.document(name)) for name in NAMES] == [100, 200, 300]
    [entry] = documents.entries_by_name(NAMES[1], ["3", "no such name"])
    assert (entry.place, entry.name, entry.own, json.loads(entry.content)["rule"]) == (3, "3", "1", 3)
    assert list(documents.places(NAMES[0], "pier 3")) == list(range(3, 100, 7))
    assert (documents.places(NAMES[0], "pier 9"), documents.key_before(NAMES[0], "pier 9")) == ((), "pier 6")


def test_a_flipped_bit_is_an_error_and_never_another_answer(file: Path, tmp_path: Path) -> None:
    """Pages that nothing is read from, and free bytes of a page, may hold anything."""
    sound, whole = list(everything(file)), file.read_bytes()
    chance, hurt, damaged = random.Random(30), tmp_path / FILE_NAME, 0
    for _ in range(FLIPS):
        place = chance.randrange(len(whole))
        hurt.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :])
        try:
            assert list(everything(hurt)) == sound, place
        except DamagedError as fault:
            damaged += 1
            assert "\n" not in str(fault), place
    assert damaged > FLIPS // 8
