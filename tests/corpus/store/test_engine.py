"""The embedded engine."""

from pathlib import Path

import pytest

from corpus.store import engine
from corpus.store.engine import Store


def test_what_is_much_waits_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
