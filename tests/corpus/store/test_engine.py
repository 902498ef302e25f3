"""The embedded engine."""

from pathlib import Path

import pytest

from corpus.store import engine
from corpus.store.engine import Store, one_by_one


def test_solutions_are_told_as_they_are_found() -> None:
    """A product of a hundred million solutions, of which one is asked for."""
    store = Store()
    store.load("".join(f'<urn:s> <urn:p> "{nth}" <urn:g> .\n' for nth in range(100)).encode())
    store.flush()
    pattern = " ".join(f"GRAPH ?g {{ ?s <urn:p> ?o{nth} }}" for nth in range(4))
    first = next(one_by_one(store, f"SELECT * {{ {pattern} }}"))
    assert set(first) == {"g", "s", "o0", "o1", "o2", "o3"}
    assert sum(1 for _ in one_by_one(store, "SELECT ?o { GRAPH ?g { ?s ?p ?o } }")) == 100


def test_what_is_much_waits_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_BATCH", 10)
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
