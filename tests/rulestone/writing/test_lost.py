"""Nothing that a user gave is lost: not with the bundles, not with the pointer, not with a list or a manifest."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus.errors import DamagedError, EnvironmentFault
from corpus.store.home import Home
from rulestone import Library
from rulestone.writing.curating import apply_decisions
from tests.support.commands import call
from tests.support.everything import everything, give_everything
from tests.support.homes import books_alone
from tests.support.texts import ROOT
from tests.support.writers import tree

pytestmark = pytest.mark.usefixtures("books_alone")
TEXT = ROOT / "tests" / "support" / "books" / "hundreds.en.txt"
READING = ("editions", "show gulls/cr/2018-01-01:101.1", "search ferry --game gulls", "export jsonl", "rulings goat")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with everything that a user can give; nobody writes to it."""
    home = tmp_path_factory.mktemp("full") / "home"
    with books_alone():
        give_everything(home)
    return home


@pytest.fixture(scope="module")
def sound(full: Path) -> dict[str, str]:
    """Its answers."""
    with books_alone():
        return everything(full)


@pytest.fixture
def own(full: Path, tmp_path: Path) -> Path:
    """A copy of it to be damaged."""
    return Path(shutil.copytree(full, tmp_path / "home"))


def bundle_of(home: Path) -> Path:
    [bundle] = (home / "bundles").iterdir()
    return bundle


def flip(file: Path) -> None:
    """Changes one character in the middle of a text."""
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.write_bytes(whole)


def test_a_build_without_bundles_has_everything_but_removed_files(own: Path, sound: dict[str, str]) -> None:
    shutil.rmtree(own / "bundles")
    (own / "current").unlink()
    assert call(own, "build").code == 0
    assert everything(own) == sound
    assert "The Game of Gulls" in sound["title"]
    assert [edition["languages"] for edition in json.loads(sound["editions"])["editions"] if "gulls" in str(edition)]
    assert call(own, "doctor").out == f"no faults in {own}\n"


def test_the_list_can_be_read_by_a_person(own: Path) -> None:
    [file] = (own / "given").iterdir()
    listed = json.loads(file.read_text(encoding="utf-8"))
    assert file.stem == (own / "current").read_text().strip()
    assert len(file.read_text(encoding="utf-8").splitlines()) == len(listed["given"]) + 2
    kinds = [entry["kind"] for entry in listed["given"]]
    assert set(kinds) == {"book", "rulings", "cards", "judgements", "alignment", "labels"}
    [gulls] = [entry for entry in listed["given"] if entry["name"] == "gulls.en.txt"]
    assert gulls["options"] == {
        "game": "gulls",
        "book": "cr",
        "edition": "2019-01-01",
        "title": "The Game of Gulls",
        "alias": "Gulls, Möwen",
    }
    assert gulls["readings"] == ["gulls/cr/2019-01-01 en"]


@pytest.mark.parametrize("pointer", ["00001v", "missing"])
def test_a_damaged_pointer_rebuilds_nothing(own: Path, sound: dict[str, str], pointer: str) -> None:
    name = bundle_of(own).name
    (own / "current").unlink()
    if pointer != "missing":
        (own / "current").write_text(pointer)
    before = tree(own)
    for command in (*READING, "doctor", "index", "remove gulls.en.txt", f"add {TEXT} --game ferry"):
        ended = call(own, *command.split())
        assert ended.code == (1 if command == "doctor" else 3)
        assert f"names no bundle; the bundle {name} is whole" in ended.out + ended.err
        assert "Traceback" not in ended.err
    assert {path: data for path, data in tree(own).items() if path != "lock"} == {
        path: data for path, data in before.items() if path != "lock"
    }
    assert call(own, "doctor", "--mend").code == 0
    assert bundle_of(own).name == name == (own / "current").read_text().strip()
    assert everything(own) == sound


def test_a_server_keeps_its_bundle_while_the_pointer_is_damaged(own: Path) -> None:
    with Library.open(own, create=False) as library:
        before = library.bundle_name()
        (own / "current").write_text("00001v")
        library._current.expire()
        assert library.bundle_name() == before
        assert library.editions()["editions"]
        assert call(own, "doctor", "--mend").code == 0
        library._current.expire()
        assert library.bundle_name() == before


@pytest.mark.parametrize("harm", ["format", "flip", "cut"])
def test_a_damaged_manifest_is_refused_and_mended_from_the_list(own: Path, sound: dict[str, str], harm: str) -> None:
    manifest = bundle_of(own) / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(
        {
            "format": text.replace('"format": ', '"format": 9', 1),
            "flip": text.replace('"title"', '"tytle"', 1),
            "cut": text[: len(text) // 2],
        }[harm],
        encoding="utf-8",
    )
    for command in READING:
        ended = call(own, *command.split())
        assert (ended.code, len(ended.err.splitlines()), ended.out) == (3, 1, "")
        assert "is damaged" in ended.err or "cannot be read" in ended.err
    assert "manifest.json" in call(own, "doctor").out
    assert call(own, "doctor", "--mend").code == 0
    assert everything(own) == sound


def test_a_lost_list_is_written_again_from_the_bundle(own: Path, sound: dict[str, str]) -> None:
    [file] = (own / "given").iterdir()
    whole = file.read_bytes()
    for harm in (Path.unlink, flip):
        harm(file)
        ended = call(own, "doctor")
        assert (ended.code, "list of added files" in ended.out) == (1, True)
        assert everything(own) == sound, "the bundle answers"
        assert call(own, "doctor", "--mend").code == 0
        assert file.read_bytes() == whole


@pytest.mark.parametrize("kind", ["list and bundles", "list, bundle and pointer", "list and manifest"])
def test_without_the_list_and_a_whole_bundle_nothing_is_built_and_no_copy_goes(own: Path, kind: str) -> None:
    shutil.rmtree(own / "given")
    if "bundles" in kind:
        shutil.rmtree(own / "bundles")
        (own / "current").unlink()
    else:
        manifest = bundle_of(own) / "manifest.json"
        manifest.write_text(manifest.read_text("utf-8").replace('"official"', '"ogficial"'), "utf-8")  # it still parses
        if "pointer" in kind:
            (own / "current").unlink()
    copies = tree(own / "sources")
    for command in ("build", "show gulls:101.1", "doctor --mend", "remove gulls.en.txt", f"add {TEXT} --game ferry"):
        ended = call(own, *command.split())
        assert ended.code in ((1, 3) if "doctor" in command else (3,)), ended
        assert "Traceback" not in ended.err
    with pytest.raises(EnvironmentFault):
        apply_decisions(Home(own), [], [])
    assert tree(own / "sources") == copies


@pytest.mark.parametrize("name", ["gulls.en.txt", "ferrymen.en.json", "ferry.csv", "verdicts.tsv", "curated.tsv"])
def test_a_damaged_copy_is_named_and_its_edition_is_not_dropped(own: Path, sound: dict[str, str], name: str) -> None:
    [copy] = own.glob(f"sources/*/{name}")
    whole = copy.read_bytes()
    flip(copy)
    ended = call(own, "doctor")
    assert (ended.code, name in ended.out) == (1, True)
    assert everything(own) == sound, "the bundle keeps answering"
    if name != "curated.tsv":  # the bundle has it too
        for command in (["build"], ["doctor", "--mend"]):
            ended = call(own, *command)
            assert ended.code in (1, 3)
            assert name in ended.out + ended.err
        assert everything(own) == sound
        copy.write_bytes(whole)
    assert call(own, "doctor", "--mend").code == 0
    assert copy.read_bytes() == whole


def test_a_file_whose_copy_is_lost_is_restored_or_given_up_before_a_build(own: Path, tmp_path: Path) -> None:
    shutil.rmtree(own / "bundles")
    (own / "current").unlink()
    contents = {}
    for name in ("gulls.en.txt", "old.txt"):
        [copy] = own.glob(f"sources/*/{name}")
        contents[name] = copy.read_bytes()
        copy.unlink()
    assert call(own, "show", "gulls:101.1").code == 3
    ended = call(own, "remove", "old.txt")
    assert (ended.code, "gulls.en.txt" in ended.err) == (3, True), "it is given up, but the other one is missing"
    (tmp_path / "again.txt").write_bytes(contents["gulls.en.txt"])
    assert call(own, "add", tmp_path / "again.txt").code == 0
    editions = call(own, "editions").out
    assert "2019-01-01" in editions
    assert "2018-01-01" not in editions


def test_an_upgrade_is_built_from_the_list(own: Path, sound: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    from corpus.store.home import manifest

    monkeypatch.setattr(manifest, "FORMAT_VERSION", manifest.FORMAT_VERSION + 1)
    assert everything(own) == sound


def damaged(home: Path, chance: random.Random) -> tuple[Path, str]:
    """Damages one file of a home, drawn at random."""
    file = chance.choice(sorted(path for path in home.rglob("*") if path.is_file()))
    whole = file.read_bytes()
    harm = chance.choice(["flip", "cut", "zeros", "delete"])
    if harm == "delete" or not whole:
        file.unlink()
    elif harm == "cut":
        file.write_bytes(whole[: chance.randrange(len(whole))])
    elif harm == "zeros":
        place = chance.randrange(len(whole))
        file.write_bytes(whole[:place] + bytes(len(whole[place : place + 4096])) + whole[place + 4096 :])
    else:
        place = chance.randrange(len(whole))
        file.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << chance.randrange(8))]) + whole[place + 1 :])
    return file, harm


ANSWERS: dict[str, Callable[[Library], object]] = {
    "editions": lambda library: library.editions(),
    "jsonl": lambda library: b"".join(library.export("jsonl")),
    "nquads": lambda library: b"".join(library.export("nquads")),
    "search": lambda library: library.search("ferry"),
    "cards": lambda library: library.cards("Fog"),
    "labels": lambda library: library.curated_table(),
    "sparql": lambda library: library.sparql("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o FILTER(STRLEN(STR(?o)) > 3) } }").body,
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_one_damaged_file_never_gives_a_wrong_answer_and_loses_nothing(own: Path, sound: dict[str, str], seed: int) -> None:
    answers = {}
    with Library.open(own) as library:
        answers = {name: ask(library) for name, ask in ANSWERS.items()}
    file, harm = damaged(own, random.Random(f"drill {seed}"))
    place = f"{harm} {file.relative_to(own)}"
    for name, ask in ANSWERS.items():
        try:
            with Library.open(own) as library:
                assert ask(library) == answers[name], (place, name)
        except (DamagedError, EnvironmentFault) as fault:
            assert "\n" not in str(fault)
    if "sources" in file.parts and file.name != "curated.tsv" and "+" not in file.name:  # bundles have the tables too
        assert file.name in call(own, "doctor").out, place
        assert call(own, "build").code == 3, place
        assert call(own, "doctor", "--mend").code in (1, 3), place
    else:
        assert call(own, "doctor", "--mend").code == 0, place
        assert call(own, "build").code == 0, place
        assert Home(own).leftovers() == []
    assert everything(own) == sound, place
