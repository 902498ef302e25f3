"""`rulestone verify`: lines, exit codes, JSON, SARIF."""

import io
import json
from pathlib import Path

import pytest

from tests.support.commands import call


@pytest.fixture
def text(tmp_path: Path) -> Path:
    file = tmp_path / "article.md"
    file.write_text('Ferry rule 101.1 says\n"A ferry holds at most five tokens." And ferry 101.9z.\n', encoding="utf-8")
    return file


def test_lines_as_compilers_write_them(home: Path, text: Path) -> None:
    ended = call(home, "verify", text)
    assert ended.code == 1
    scope, first, minus, plus, second, total = ended.out.splitlines()
    assert scope == "The Game of Ferrymen is checked against 3 May 2021, the current edition"
    assert first.startswith(f"{text}:1:12: misquoted 101.1 (ferry/cr/2021-05-03/101.1): these are the words of 101.1 in ")
    assert (minus, plus) == ("    - A ferry holds at most five tokens.", "    + A ferry holds at most six tokens.")
    assert second.startswith(f"{text}:2:")
    assert total == "2 citations · 1 misquoted · 1 not found"


def test_exit_codes(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = tmp_path / "good.txt"
    good.write_text("rule 101.1", encoding="utf-8")
    assert call(home, "verify", good, "--game", "ferry").code == 0
    assert call(home, "verify", good, "--game", "ferry", "--as-of", "2020-01-01").code == 1
    assert call(home, "verify", tmp_path / "none.txt").code == 2
    assert call(home, "verify", good, "--as-of", "soon").code == 2
    (tmp_path / "read.txt").write_text("ferry:999.9", encoding="utf-8")
    assert call(home, "verify", good, "--game", "ferry", "--allowed", tmp_path / "read.txt").code == 2
    good.write_bytes(b"\xff\xfe\x00rule")
    assert call(home, "verify", good).code == 2
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"nothing is cited here")))
    assert call(home, "verify", "-").out == "0 citations\n"


def test_json_is_the_body(home: Path, text: Path) -> None:
    ended = call(home, "verify", text, "--json")
    body = json.loads(ended.out)
    assert [citation["status"] for citation in body["citations"]] == ["misquoted", "not_found"]


def test_sarif_names_the_rule_and_the_place_of_each_finding(home: Path, text: Path, tmp_path: Path) -> None:
    assert call(home, "verify", text, "--sarif", tmp_path / "found.sarif").code == 1
    [run] = json.loads((tmp_path / "found.sarif").read_text("utf-8"))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [result["ruleId"] for result in run["results"]]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert run["artifacts"][place["artifactLocation"]["index"]]["location"]["uri"] == place["artifactLocation"]["uri"]
    assert place["region"] == {"startLine": 2, "startColumn": 2, "endLine": 2, "endColumn": 36}


def test_changes_since_the_text_was_written(home: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.md"
    old.write_text("---\ndate: 2020-01-01\n---\nCR 101.1 holds it.\n", encoding="utf-8")
    ended = call(home, "verify", old, "--game", "ferry", "--fixed", tmp_path / "new.md")
    assert ended.code == 1
    assert "The Game of Ferrymen is checked against 1 Jan 2020, by the date in the text" in ended.out
    assert "101.1 has been reworded since 1 Jan 2020" in ended.out
    assert (tmp_path / "new.md").read_bytes() == old.read_bytes()
    assert ended.err == f"0 numbers changed in {tmp_path / 'new.md'}; check it with: --as-of latest\n"


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [
        ("wrong,stale,unchecked", 1),
        ("wrong", 0),
        ("stale", 1),
        ("unchecked", 0),
        ("wrong,unchecked", 0),
        ("none", 0),
        ("nothing", 2),
    ],
)
def test_statuses_that_fail(home: Path, tmp_path: Path, fail_on: str, code: int) -> None:
    stale = tmp_path / "stale.txt"
    stale.write_text("rule 101.1", encoding="utf-8")
    assert call(home, "verify", stale, "--game", "ferry", "--as-of", "2020-01-01", "--fail-on", fail_on).code == code


def test_the_gate(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "said.txt"
    for words, code, last in (
        ("Pay by rule 101.1. Rule 101.9z lets you win.", 1, "unproven · sentences with citations: 2 · not proven: 2"),
        ("Rule 101.1: “A ferry holds at most six tokens.”", 0, "proven · sentences with citations: 1 · not proven: 0"),
        ("Pay.", 1, "nothing cited · sentences with citations: 0 · not proven: 0"),
    ):
        file.write_text(words, encoding="utf-8")
        ended = call(home, "verify", file, "--game", "ferry", "--strict")
        assert (ended.code, ended.out.splitlines()[-1]) == (code, last)
    assert call(home, "verify", file, "--strict", "--json").out.count('"verdict":"uncited"') == 1
