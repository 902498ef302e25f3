"""`export skill`: a folder for models without tools; every rule once and whole, small files, and nothing overwritten."""

import json
import re
from pathlib import Path

import pytest

from api.cli import console
from corpus.errors import EnvironmentFault
from rulestone import Library
from rulestone.skill.folder import MAX_CHARS, rule_blocks
from tests.support.commands import call
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA
from tests.support.homes import books_alone, put


@pytest.fixture(scope="module")
def folder(ferry_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    skill = tmp_path_factory.mktemp("skill") / "ferry-rules"
    skill.mkdir()  # an empty folder is filled
    ended = call(ferry_home, "export", "skill", "ferry", "-o", skill)
    assert (ended.code, ended.out) == (0, "")
    return skill


def test_every_rule_is_in_one_file_whole(folder: Path, ferry_home: Path) -> None:
    files = sorted((folder / "sections").iterdir())
    texts = {file: file.read_text("utf-8") for file in files}
    assert all(len(text) <= MAX_CHARS for text in texts.values())
    whole_text = "\n".join(texts.values())
    with Library.open(ferry_home, create=False) as library:
        rules = [json.loads(line) for line in library.export("jsonl")]
    cr_rules = [rule for rule in rules if rule.get("book") == "cr" and rule["game"] == "ferry" and rule["edition"] == "2021-05-03"]
    assert len(cr_rules) > 10
    for rule in cr_rules:
        number = rule["number"] or f"[{rule['locator']}]"
        words = rule["texts"]["en"]["text"]
        assert whole_text.count(f"**{number}** {words}") + whole_text.count(f"## {number} {words}") >= 1
        for aside in (*rule["examples"], *rule["notes"]):
            assert aside["text"].splitlines()[0] in whole_text
    assert "2020-01-01" not in whole_text


def test_the_index_leads_to_every_file(folder: Path) -> None:
    index = (folder / "index.md").read_text("utf-8")
    links = re.findall(r"^- \[.*?\]\((sections/.*?)\)", index, re.M)
    assert links == [f"sections/{file.name}" for file in sorted((folder / "sections").iterdir())]
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
def test_editions_that_cannot_be_a_skill(
    ferry_home: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
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


def test_the_current_folder_and_a_linked_one_are_filled(ferry_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there")
    monkeypatch.chdir(tmp_path / "here")
    for output, filled in ((".", "here"), (tmp_path / "link", "there")):
        ended = call(ferry_home, "export", "skill", "ferry", "-o", output)
        assert (ended.code, ended.out) == (0, ""), ended.err
        assert sorted(part.name for part in (tmp_path / filled).iterdir()) == ["SKILL.md", "index.md", "sections"]
    assert Path("SKILL.md").is_file()  # the current folder is the same one as before
    assert (tmp_path / "link").is_symlink()


def test_a_link_to_nothing_is_refused(ferry_home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    ended = call(ferry_home, "export", "skill", "ferry", "-o", tmp_path / "link")
    assert (ended.code, "is not an empty folder" in ended.err) == (2, True)


def test_an_unreadable_folder_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(EnvironmentFault, match="cannot read"):
        console.refuse_filled(tmp_path)


@pytest.mark.parametrize("is_new", [True, False])
def test_after_an_error_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool) -> None:
    folder = tmp_path / "made"
    if not is_new:
        folder.mkdir()
    rename = Path.rename

    def refuse(part: Path, target: Path) -> Path:
        if part.name == "b":
            raise OSError(28, "No space left on device", str(target))
        return rename(part, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(EnvironmentFault, match="cannot write"):
        console.write_folder({"a/one.md": "1", "b/two.md": "2"}, folder)
    assert list(folder.iterdir() if folder.exists() else ()) == []
    assert folder.exists() != is_new


def test_any_name_of_a_game_gives_the_same_skill(ferry_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(ferry_home, "export", "skill", "The Game of Ferrymen").code == 0
    assert "\nname: ferry-rules\n" in (tmp_path / "ferry-rules" / "SKILL.md").read_text("utf-8")
    with Library.open(ferry_home, create=False) as library:
        assert library.skill("the game of ferrymen") == library.skill("ferry")
        assert library.skill_name("Magic") == library.skill_name("mtg/cr") == "mtg-rules"


def test_rules_missing_in_one_language_are_shown_in_the_other(tmp_path: Path) -> None:
    with books_alone():
        put(tmp_path / "home", HUNDREDS_EN, "2021-05-03")
        put(tmp_path / "home", HUNDREDS_JA, "2021-05-03", "ja")
        with Library.open(tmp_path / "home", create=False) as library:
            rules = [json.loads(line) for line in library.export("jsonl")]
            text = "\n".join(library.skill("ferry", lang="en").values())
    japanese_rules = [rule for rule in rules if list(rule.get("texts", ())) == ["ja"]]
    assert japanese_rules
    for rule in japanese_rules:
        assert f"**{rule['number']}** (ja) {rule['texts']['ja']['text']}" in text
    assert "**101.2** (ja)" not in text
    assert "Gloss: " not in text.replace('"Gloss:"', "")


def test_a_rule_without_words_keeps_its_examples(ferry_home: Path) -> None:
    with Library.open(ferry_home, create=False) as library:
        rules = [json.loads(line) for line in library.export("jsonl")]
    rule = next(rule for rule in rules if rule.get("examples") and rule["texts"])
    rule["texts"]["en"]["text"], rule["digest"] = "", {}
    [block] = rule_blocks(rule, "en")
    assert block.splitlines()[:2] == [f"**{rule['number']}**", "> " + rule["examples"][0]["text"].splitlines()[0]]
