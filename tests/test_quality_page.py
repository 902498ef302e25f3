"""The page of figures: some parts are measured again, the other sections stay."""

from pathlib import Path

import pytest

from bench import report
from bench.report import Part


def test_a_part_that_is_measured_again_replaces_its_own_section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = (Part("verify"), Part("search.books", ("--home", tmp_path)))
    printed = {"verify": "== first\n## no heading of the page\n  its parts", "search.books": "in ten .91"}
    monkeypatch.setattr(report, "DOCS", tmp_path)
    monkeypatch.setattr(report, "_run", lambda part: (printed[part.module], 0))
    assert report.write("page.md", "Quality", "Figures.", parts) == 0
    before = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "$ python -m bench.search.books --home HOME  # " in before
    assert "its parts" not in before

    printed["search.books"] = "in ten .92"
    report.write("page.md", "Quality", "Figures.", parts, ["search.books"])
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == before.replace(".91", ".92")


def test_a_part_that_fails_keeps_its_section_with_its_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "DOCS", tmp_path)
    monkeypatch.setattr(report, "_run", lambda part: ("a figure", 3))
    assert report.write("page.md", "Quality", "Figures.", [Part("verify")]) == 3
    assert "exit code 3" in (tmp_path / "page.md").read_text(encoding="utf-8")
