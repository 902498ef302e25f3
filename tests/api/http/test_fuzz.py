"""Every route is asked made-up questions, good and bad, by schemathesis: no 5xx, and no answer that the description does not have.

`make fuzz` asks each far more of them.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import checks
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks as described
from starlette.testclient import TestClient

from api.http.app import create_app
from rulestone import Library

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("RULESTONE_FUZZ", "4"))
CHECKS = [
    checks.not_a_server_error,
    described.status_code_conformance,
    described.content_type_conformance,
    described.response_headers_conformance,
    described.response_schema_conformance,
]
"""Not whether good ones are answered and bad ones refused: a reference may be well formed and name no rule."""


@schemathesis.serializer("application/x-ndjson")
def _lines(_: schemathesis.SerializationContext, value: Any) -> bytes:  # noqa: ANN401
    """Lines go out as they are."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


APP = create_app(Library.open(os.devnull, create=False))
SCHEMA = schemathesis.openapi.from_dict(APP.openapi())
OPERATIONS = {
    get_all_operation.ok().label: get_all_operation.ok()
    for get_all_operation in SCHEMA.get_all_operations()
    if isinstance(get_all_operation, Ok)
}


@pytest.fixture(scope="module")
def client(home: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Library.open(home, create=False)), raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize("label", OPERATIONS)
def test_no_answer_is_undocumented(client: TestClient, label: str) -> None:
    operation = OPERATIONS[label]
    modes = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
    cases = st.one_of([operation.as_strategy(generation_mode=mode) for mode in modes])

    @given(cases)
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.generate, Phase.shrink] if EXAMPLES > 100 else [Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: schemathesis.Case[Any]) -> None:
        parts = case.as_transport_kwargs(base_url="http://testserver")
        parts.pop("cookies", None)
        if isinstance(parts.get("data"), bytes | str):
            parts["content"] = parts.pop("data")
        answer = client.request(**parts)
        case.validate_response(answer, checks=CHECKS)

    ask()
