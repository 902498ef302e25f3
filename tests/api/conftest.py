"""Queries have time, whatever else runs."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from api.http.routes import linked_data
from api.web import sparql
from rulestone.limits import SPARQL_LIMITS


@pytest.fixture(scope="session", autouse=True)
def _patient_queries() -> Iterator[None]:
    """A SPARQL query may take longer than 5 s: its process has a low priority, and other tests may keep all cores busy."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (linked_data, sparql):
            patch.setattr(module, "SPARQL_LIMITS", replace(SPARQL_LIMITS, seconds=300.0))
        yield
