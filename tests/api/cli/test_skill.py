"""`export skill`: a folder for models without tools; every rule once and whole, small files, and nothing overwritten."""

import json
import re
from pathlib import Path

import pytest

from rulestone import Library
from rulestone.skill.folder import MAX_CHARS
from tests.support.commands import call


@pytest.fixture(scope="module")
def folder(ferry_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("skill") / "ferry-rules"
    made.mkdir()  # an empty folder is filled
    ended = call(ferry_home, "export", "skill", "ferry", "-o", made)
    assert (ended.code, ended.out) == (0, "")
    return made


def test_every_rule_is_in_one_file_whole(folder: Path, ferry_home: Path) -> None:
    files = sorted((folder / "sections").iterdir())
    texts = {file: file.read_text("utf-8") for file in files}
    assert all(len(text) <= MAX_CHARS for text in texts.values())
    together = "\n".join(texts.values())
    with Library.open(ferry_home, create=False) as library:
        rules = [json.loads(line) for line in library.export("jsonl")]
    own = [rule for rule in rules if rule.get("book") == "cr" and rule["game"] == "ferry" and rule["edition"] == "2021-05-03"]
    assert len(own) > 10
    for rule in own:
        number = rule["number"] or f"[{rule['locator']}]"
        words = rule["texts"]["en"]["text"]
        assert together.count(f"**{number}** {words}") + together.count(f"## {number} {words}") >= 1
        for aside in (*rule["examples"], *rule["notes"]):
            assert aside["text"].splitlines()[0] in together
    assert "2020-01-01" not in together


def test_the_index_leads_to_every_file(folder: Path) -> None:
    index = (folder / "index.md").read_text("utf-8")
    listed = re.findall(r"^- \[.*?\]\((sections/.*?)\)", index, re.M)
    assert listed == [f"sections/{file.name}" for file in sorted((folder / "sections").iterdir())]
    skill = (folder / "SKILL.md").read_text("utf-8")
    name, description = re.match(r"---\nname: (.*)\ndescription: (.*)\n---\n", skill).groups()  # type: ignore[union-attr]
    assert name == "ferry-rules"
    assert "2021-05-03" in json.loads(description)
    assert "belong to their publisher" in skill


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("skill",), 2, "expected: export skill GAME"),
        (("skill", "mtg"), 2, "is not a loaded book"),
        (("skill", "chess"), 2, "is not a loaded book"),
        (("skill", "ferry", "--game", "dm"), 2, "does not accept --game"),
        (("skill", "ferry", "--lang", "fr"), 2, "fr"),
    ],
)
def test_what_cannot_be_a_skill(ferry_home: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    ended = call(ferry_home, "export", *arguments, "-o", tmp_path / "made")
    assert (ended.code, words in ended.err) == (code, True), ended.err
    assert not (tmp_path / "made").exists()


def test_a_folder_with_files_is_left_alone(ferry_home: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for output in (tmp_path, tmp_path / "mine.txt"):
        ended = call(ferry_home, "export", "skill", "ferry", "-o", output)
        assert (ended.code, "is not an empty folder" in ended.err) == (2, True)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]
    assert (tmp_path / "mine.txt").read_text() == "mine"
