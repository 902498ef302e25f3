"""How many inputs a property is tried with: few in a run of the tests, RULESTONE_INPUTS in `make fuzz`."""

import os
from collections.abc import Callable
from typing import TypeVar

from hypothesis import HealthCheck, settings

Tested = TypeVar("Tested", bound=Callable[..., None])


def inputs(few: int) -> Callable[[Tested], Tested]:
    """Tries a property with so many inputs, or with those that the environment asks for."""
    many = int(os.environ.get("RULESTONE_INPUTS", few))
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(max_examples=many, suppress_health_check=checks)
