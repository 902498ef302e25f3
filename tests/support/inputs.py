"""How many inputs hypothesis draws for a property: few in a run of the tests, a twentieth of RULESTONE_INPUTS in `make fuzz`.

The whole number is made by `tests.support.mutants`, which takes a fiftieth of the time for each.
"""

import os
from collections.abc import Callable
from typing import TypeVar

from hypothesis import HealthCheck, settings

Tested = TypeVar("Tested", bound=Callable[..., None])


def inputs(few: int) -> Callable[[Tested], Tested]:
    """Tries a property with so many inputs, or with more where the environment asks for them."""
    many = max(few, int(os.environ.get("RULESTONE_INPUTS", "0")) // 20)
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(max_examples=many, suppress_health_check=checks)
