"""Files of rulings in a knowledge base: added with their rulebook, revised, removed, built anew."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from corpus.errors import DamagedError, InputError, NotFoundError
from rulestone import Library
from tests.support.editions import DIGEST, EDITIONS, built, text
from tests.support.homes import without_ontology
from tests.support.texts import ROOT

FILES = ROOT / "tests" / "support" / "rulings"
EN, JA = FILES / "ferrymen.en.json", FILES / "ferrymen.ja.csv"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base of one edition."""
    with pytest.MonkeyPatch.context() as patch, without_ontology():
        patch.setenv("RULESTONE_DIGEST", DIGEST)
        return built(tmp_path_factory.mktemp("rulings"), EDITIONS[:1]).path


@pytest.fixture
def library(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_ontology: None) -> Library:
    monkeypatch.setenv("RULESTONE_DIGEST", DIGEST)
    shutil.copytree(home, tmp_path / "home")
    return Library.open(tmp_path / "home")


def dump(library: Library) -> bytes:
    return b"".join(library.export("nquads"))


def test_files_of_rulings_are_added_listed_exported_and_built_anew(library: Library) -> None:
    added = library.add([EN, JA], game="ferry", source="desk", authority="official")["added"]
    assert [file["rulings"][0]["new"] for file in added] == [12, 3]
    assert (added[1]["rulings"][0]["same"], added[1]["readings"]) == (6, [])
    [source] = library.editions()["rulings"]
    assert (source["rulings"], source["languages"], source["files"]) == (15, ["en", "ja"], ["ferrymen.en.json", "ferrymen.ja.csv"])
    ruling = library.ruling("ferry", "desk", "101")
    assert ruling["answer"] == {
        "en": "No. A goat counts as two travellers (rule 102.2).",
        "ja": "いいえ、山羊は旅人二人として数えます（規則102.2）。",
    }
    assert (ruling["cards"], ruling["card_ids"], ruling["authority"]) == (["Long Ferry", "長い渡し舟"], ["FR-001"], "official")
    assert [listed["id"] for listed in library.rulings(card="FR-033")["rulings"]] == ["106", "111", "105"]
    lines = [json.loads(line) for line in b"".join(library.export("jsonl")).splitlines()]
    assert sum(line["kind"] == "ruling" for line in lines) == 15
    before = dump(library)
    library.build()
    assert dump(library) == before


def test_a_dry_run_counts_changes_and_the_same_file_is_known(library: Library, tmp_path: Path) -> None:
    name = library.bundle_name()
    [summary] = library.add([EN], game="ferry", source="desk", dry_run=True)["added"]
    assert [(file["rulings"], file["new"]) for file in summary["rulings"]] == [(12, 12)]
    assert library.bundle_name() == name
    library.add([EN], game="ferry", source="desk", later=True)
    [summary] = library.add([JA], game="ferry", source="desk", dry_run=True)["added"]
    assert [(file["new"], file["same"]) for file in summary["rulings"]] == [(3, 6)]
    name = library.bundle_name()
    assert [file["status"] for file in library.add([EN], game="ferry", source="desk", later=True)["added"]] == ["known"]
    assert library.bundle_name() == name


def test_damage_to_the_index_of_rulings_is_told_by_its_file(library: Library) -> None:
    library.add([EN], game="ferry", source="desk", authority="official")
    library.close()
    files = [file for file in library.path.glob("bundles/*/rulings/**/*") if file.is_file()]
    assert "data.npy" in {file.name for file in files}
    for file in files:
        whole = file.read_bytes()
        flipped = whole[:-1] + bytes([whole[-1] ^ 1])
        for hurt in (flipped, whole[: len(whole) // 2], b""):
            _overwrite(file, hurt)
            with Library.open(library.path) as opened, pytest.raises(DamagedError, match=f"rulings/{file.name}: .*rulestone build"):
                opened.search("ropes")
        _overwrite(file, whole)
    with Library.open(library.path) as opened:
        assert opened.search("ropes", kind="ruling")["hits"]


def _overwrite(file: Path, data: bytes) -> None:
    """Writes a file anew: what a process has mapped of the one before stays as it was."""
    file.unlink()
    file.write_bytes(data)


def test_nothing_is_taken_over_from_a_damaged_index_of_rulings(library: Library) -> None:
    library.add([EN], game="ferry", source="desk", authority="official")
    [sound] = library.path.glob("bundles/*/rulings/vectors.npy")
    vectors = sound.read_bytes()
    _overwrite(sound, vectors[:-1] + bytes([vectors[-1] ^ 1]))
    library.build()
    [vectors_file] = library.path.glob("bundles/*/rulings/vectors.npy")
    assert vectors_file.read_bytes() == vectors


def test_a_folder_of_rulings_is_taken_whole_or_not_at_all(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "faq" / "2025"
    folder.mkdir(parents=True)
    for file in (EN, JA):
        shutil.copy(file, folder)
    (folder / "faq.md").write_text("Q: Who boards first?\nA: The goat.\n\nQ: Who boards last?\nA: The ferryman does.\n")
    name = library.bundle_name()
    with pytest.raises(InputError, match="add --game GAME to read the rulings in it"):
        library.add(_without_running(folder, tmp_path / "lists"))
    (folder / "broken.csv").write_text("question,answer\nWhy?,Because.,More\n")
    with pytest.raises(InputError, match=r"broken\.csv: values in row 2: 3"):
        library.add(tmp_path / "faq", game="ferry", source="desk")
    assert library.bundle_name() == name
    messages: list[str] = []
    (folder / "broken.csv").unlink()
    added = library.add(tmp_path / "faq", game="ferry", source="desk", progress=lambda _, __, what: messages.append(what))["added"]
    assert [(Path(file["file"]).name, file["rulings"][0]["rulings"]) for file in added] == [
        ("faq.md", 2), ("ferrymen.en.json", 12), ("ferrymen.ja.csv", 9),
    ]  # fmt: skip
    assert {f"reading {name}" for name in ("faq.md", EN.name, JA.name)} <= set(messages)


def _without_running(folder: Path, other: Path) -> Path:
    """A copy of a folder without its running text."""
    shutil.copytree(folder, other)
    (other / "faq.md").unlink()
    return other


def test_removed_rulings_leave_nothing(library: Library) -> None:
    before = dump(library)
    library.add(EN, game="ferry", source="desk")
    between = dump(library)
    library.add(JA, game="ferry", source="desk")
    assert [reading["edition"] for reading in library.remove("ferrymen.ja.csv")["removed"]] == ["desk", "desk"]
    assert dump(library) == between
    assert library.remove("ferry/rulings/desk")["removed"][0]["book"] == "rulings"
    assert dump(library) == before
    assert library.editions()["rulings"] == []
    with pytest.raises(NotFoundError, match="no ruling has the address"):
        library.ruling("ferry", "desk", "101")


def revised(library: Library, folder: Path) -> Any:  # noqa: ANN401
    """A newer copy of the English file: one answer has changed, one is gone."""
    library.add(EN, game="ferry", source="desk")
    body = json.loads(EN.read_text())
    faq = body["cards"]["FR-001"]["faq"]
    faq[0] |= {"answer": "Since the flood it counts as three.", "date": "2025-01-01"}
    del faq[2]
    (folder / "newer.json").write_text(json.dumps(body))
    [file] = library.add(folder / "newer.json", game="ferry", source="desk")["added"]
    return file


def test_as_of_a_moment_the_answer_that_stood_then_is_given(library: Library, tmp_path: Path) -> None:
    revised(library, tmp_path)
    goat, old = "Since the flood it counts as three.", "No. A goat counts as two travellers (rule 102.2)."
    for as_of, answer in ((None, goat), ("2025-01-01", goat), ("2025", goat), ("2024-12-31", old), ("2020-06", old)):
        ruling = library.ruling("ferry", "desk", "101", as_of=as_of)
        assert ruling["answer"]["en"] == answer
        assert library.rulings(ruling["iri"].partition("@")[0], as_of=as_of)["rulings"] == [ruling]
        listed = [other for other in library.rulings(as_of=as_of, limit=100)["rulings"] if other["id"] == "101"]
        assert listed == [ruling]
        for options in ({"card": "Long Ferry"}, {"rule": "ferry:102.2"}):
            beside = [other for other in library.rulings(**options, as_of=as_of)["rulings"] if other["id"] == "101"]  # type: ignore[arg-type]
            assert beside in ([ruling], [])
        assert library.rulings(card="Long Ferry", as_of=as_of)["total"] == len([*library.rulings(card="Long Ferry")["rulings"]])
        hits = library.search("Does a goat count as one traveller?", kind="ruling", as_of=as_of)["hits"]
        assert [hit["ruling"]["answer"]["en"] for hit in hits if hit["locator"] == "101"] == [answer]
    how = {as_of: {row["id"]: row["rests_on"][0]["how"] for row in rests(library, as_of)} for as_of in (None, "2024")}
    assert (how[None]["101"], how["2024"]["101"]) == ("proposed", "cited")  # only the old answer has a number in it
    assert library.ruling("ferry", "desk", "101@2020-06-01", as_of="2025")["answer"]["en"] == old
    assert library.rulings(as_of="2019")["total"] == sum(ruling["date"] is None for ruling in library.rulings(limit=100)["rulings"])
    with pytest.raises(NotFoundError, match="had no answer then; its first answer is from 2020-06-01"):
        library.ruling("ferry", "desk", "101", as_of="2019")


def rests(library: Library, as_of: str | None) -> list[Any]:
    return list(library.rulings(rule="ferry:102.2", as_of=as_of)["rulings"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "name their game"),
        ({"game": "ferry", "book": "cr"}, "leave out --book"),
        ({"game": "ferry", "source": "Der Tisch"}, "expected 1 to 40 letters"),
        ({"game": "ferry", "fields": "question"}, "expected role=field"),
        ({"game": "ferry", "fields": "answer=nothing"}, "no record has the field 'nothing'"),
    ],
)
def test_invalid_rulings_are_refused_and_nothing_changes(library: Library, options: dict[str, Any], message: str) -> None:
    name = library.bundle_name()
    with pytest.raises(InputError, match=message):
        library.add([JA, EN], **options)
    assert library.bundle_name() == name


def test_rulebooks_and_rulings_come_together(library: Library, tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text(text(EDITIONS[2]))
    added = library.add([book, EN], game="ferry", lang="en")["added"]
    assert [(len(file["readings"]), len(file["rulings"])) for file in added] == [(1, 0), (0, 1)]
