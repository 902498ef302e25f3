"""The findings of `rulestone check`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from api.console import tell
from api.opening import opened
from ontology.check import Finding, findings
from ontology.home import Home


def found(home: Home) -> list[Finding]:
    """Everything that is wrong in the current bundle."""
    with opened(home, tell) as knowledge:
        return list(findings(knowledge.store))


def body(found: Sequence[Finding]) -> dict[str, Any]:
    """The `--json` body: `{"findings": [{"kind", "subject", "message"}]}`."""
    return {"findings": [asdict(one) for one in found]}
