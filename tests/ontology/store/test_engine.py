"""The embedded engine."""

from ontology.store.engine import OxigraphStore, one_by_one


def test_solutions_are_told_as_they_are_found() -> None:
    """A product of a hundred million solutions, of which one is asked for."""
    store = OxigraphStore()
    store.load("".join(f'<urn:s> <urn:p> "{nth}" <urn:g> .\n' for nth in range(100)).encode())
    store.flush()
    pattern = " ".join(f"GRAPH ?g {{ ?s <urn:p> ?o{nth} }}" for nth in range(4))
    first = next(one_by_one(store, f"SELECT * {{ {pattern} }}"))
    assert set(first) == {"g", "s", "o0", "o1", "o2", "o3"}
    assert sum(1 for _ in one_by_one(store, "SELECT ?o { GRAPH ?g { ?s ?p ?o } }")) == 100
