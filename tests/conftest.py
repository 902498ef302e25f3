"""Settings shared by all tests: where the real rulebooks are, and how many tests read them."""

import os
from pathlib import Path

import pytest

TEXTS = Path(os.environ.get("RULESTONE_TEXTS") or Path(__file__).parents[2] / "shared" / "rulebooks")
"""Folder of the real rulebooks (setting RULESTONE_TEXTS); they are no part of the project."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what reads real rulebooks where there are none."""
    if TEXTS.is_dir():
        return
    skip = pytest.mark.skip(reason=f"no real rulebooks at {TEXTS}; name their folder with RULESTONE_TEXTS")
    for item in items:
        if item.get_closest_marker("real"):
            item.add_marker(skip)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests read real rulebooks: a green run without them proves less."""
    ran = [one for end in ("passed", "failed") for one in terminalreporter.stats.get(end, []) if _is_real(one)]
    skipped = [one for one in terminalreporter.stats.get("skipped", []) if _is_real(one)]
    if ran or skipped:
        terminalreporter.write_line(f"real texts: {len(ran)} ran, {len(skipped)} skipped ({TEXTS})")


def _is_real(report: pytest.TestReport | pytest.CollectReport) -> bool:
    return "real" in report.keywords
