"""The findings of `rulestone check`."""

from collections.abc import Sequence
from typing import Any

from api.cli.console import tell
from api.cli.opening import opened
from ontology.checks.finding import Finding
from ontology.checks.report import findings
from ontology.store.home import Home


def found(home: Home) -> list[Finding]:
    """Everything that is wrong in the current bundle, and what one should know of it."""
    with opened(home, tell) as knowledge:
        return list(findings(knowledge))


def body(found: Sequence[Finding]) -> dict[str, Any]:
    """The `--json` body: `{"findings": [{"kind", "subject", "message"}], "information": [the same]}`."""
    return {
        "findings": [one.body() for one in found if not one.is_information],
        "information": [one.body() for one in found if one.is_information],
    }
