"""The embedded engine."""

from pathlib import Path

import pytest

from corpus.errors import DamagedError
from corpus.store import engine
from corpus.store.engine import Store


def test_large_inputs_are_buffered_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_BATCH_BYTES", 10)
    store = Store(tmp_path / "store")
    lines = [
        f"<https://x.example/{place}> <https://x.example/p> <https://x.example/o> <https://x.example/g> .\n" for place in "abc"
    ]
    for line in lines:
        store.load(line.encode())
    assert (tmp_path / "store.nq").read_text() == "".join(lines)
    store.flush()
    assert [f"{line}\n" for line in store.dump()] == lines
    assert [file.name for file in tmp_path.iterdir()] == ["store"]
    store.close()


@pytest.mark.parametrize("reading", ["select", "dump", "graphs", "size"])
def test_nothing_is_read_from_a_damaged_store(tmp_path: Path, reading: str) -> None:
    checks: list[str] = []

    def check() -> None:
        checks.append(reading)
        raise DamagedError("the knowledge base is damaged: {file}: {wrong}", file="000004.sst", wrong="changed")

    Store(tmp_path / "store").close()
    store = Store(tmp_path / "store", read_only=True, check=check)
    for _ in range(2):
        with pytest.raises(DamagedError, match="is damaged"):
            store.select("SELECT * WHERE { ?s ?p ?o }") if reading == "select" else getattr(store, reading)()
    assert checks == [reading], "the files are read once"
