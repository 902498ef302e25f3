"""Files and folders that are no rulebook are refused in one line, and the knowledge base stays as it was."""

from pathlib import Path

import pytest

from tests.support.commands import call, untouched
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA

NOVEL = "It was late when the ferry came. Nobody spoke, and the goose slept under the bench.\n\n" * 400


GERMAN = "Fährleute: Grundregeln\n\n" + "".join(
    f"10{n}. Die Fähre\n10{n}.1. Eine Fähre trägt höchstens sechs Marken und sinkt nicht, solange die Gans schläft.\n"
    for n in range(9)
)

STEERING = "\x1b[31m\nforged\x9b\u202e"
"""Red, a line of its own, another start of a command to the terminal, and the other direction."""


def _mojibake() -> bytes:
    return HUNDREDS_JA.encode().decode("latin-1").encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.txt", b""),
        pytest.param("blank.txt", b" \n \n", marks=pytest.mark.slow),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20),
        pytest.param("picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, marks=pytest.mark.slow),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 ob"),
        ("nul.txt", HUNDREDS_EN.replace(" ", "\0").encode()),
        ("mojibake.txt", _mojibake()),
        ("german.txt", GERMAN.encode()),
        pytest.param("novel.txt", NOVEL.encode(), marks=pytest.mark.slow),
        ("line.txt", b"100.1. A ferry holds six tokens. " * (50 * 2**20 // 33)),
        ("evil\x1b[31m\nname.txt", b""),
    ],
)
def test_hostile_files(home: Path, tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with untouched(home):
        ended = call(home, "add", tmp_path / name, "--game", "ferry")
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert "Traceback" not in ended.err and "\x1b" not in ended.err


@pytest.mark.usefixtures("books_alone")
def test_no_name_of_a_file_steers_the_terminal(tmp_path: Path) -> None:
    home, book, text = tmp_path / "own", tmp_path / f"a{STEERING}b.txt", tmp_path / f"c{STEERING}d.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    text.write_text("Rule 999.9 says so.\n", encoding="utf-8")
    results = [call(home, "add", book, "--game", "ferry"), call(home, "editions"), call(home, "verify", text, "--game", "ferry")]
    [copy] = home.glob("sources/*/*")
    copy.write_bytes(b"")
    results += [call(home, "doctor"), call(home, "build"), call(home, "remove", book)]
    for ended in results:
        output = ended.out + ended.err
        assert "\ufffd[31m" in output
        assert not set("\x1b\x9b\u202e") & set(output)
        assert not any(line.startswith("forged") for line in output.splitlines())


def test_a_folder_without_a_rulebook(home: Path, tmp_path: Path) -> None:
    with untouched(home):
        ended = call(home, "add", tmp_path)
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)


@pytest.mark.parametrize("target", ["secret.txt", "../secret.txt", "chain", "shelf", "absolute"])
def test_links_that_leave_a_folder_are_refused_by_name(home: Path, tmp_path: Path, target: str) -> None:
    """The link is a file's, a chain of links', or a folder's; nothing behind it is read."""
    shelf, secret = tmp_path / "shelf", tmp_path / "secret"
    for folder in (shelf, secret):
        folder.mkdir()
    (shelf / "ferry.txt").write_text(HUNDREDS_EN, encoding="utf-8")
    (secret / "secret.txt").write_text("root:x:0:0\n" * 100, encoding="utf-8")
    link = shelf / ("folder" if target == "shelf" else "goose.txt")
    if target == "chain":
        (shelf / "hop").symlink_to(secret / "secret.txt")
        link.symlink_to("hop")
    elif target == "shelf":
        link.symlink_to(secret)
    else:
        link.symlink_to(secret / "secret.txt" if target == "absolute" else f"../secret/{target}")
        (secret.parent / "secret.txt").write_text("root:x:0:0\n" * 100, encoding="utf-8")
    with untouched(home):
        ended = call(home, "add", shelf, "--game", "ferry")
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert f"{link}: is a link to" in ended.err
    assert "root:" not in ended.err


@pytest.mark.usefixtures("books_alone")
def test_links_within_a_folder_are_read_once(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    (shelf / "deep").mkdir(parents=True)
    (shelf / "deep" / "ferry.txt").write_text(HUNDREDS_EN, encoding="utf-8")
    for name, target in (("a.txt", "deep/ferry.txt"), ("loop.txt", "loop.txt"), ("gone.txt", "nothing"), ("again", "deep")):
        (shelf / name).symlink_to(target)
    (shelf / "up").symlink_to(".")
    ended = call(tmp_path / "own", "add", shelf, "--game", "ferry", "--json")
    assert [Path(file["file"]).name for file in ended.json()["added"]] == ["ferry.txt"]


@pytest.mark.usefixtures("books_alone")
def test_keep_going_refuses_only_the_link(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "ferry.txt").write_text(HUNDREDS_EN, encoding="utf-8")
    (tmp_path / "secret.txt").write_text(HUNDREDS_JA, encoding="utf-8")
    (shelf / "link.txt").symlink_to(tmp_path / "secret.txt")
    ended = call(tmp_path / "own", "add", shelf, "--game", "ferry", "--keep-going")
    assert ended.code == 2
    assert "link.txt: is a link to" in ended.err
    assert [copy.name for copy in (tmp_path / "own").glob("sources/*/*")] == ["ferry.txt"]


@pytest.mark.usefixtures("books_alone")
def test_a_folder_without_permission(home: Path, unprivileged: Path) -> None:
    assert call(unprivileged / "home", "build").code == 0
    shut = unprivileged / "shut"
    shut.mkdir(mode=0)
    with untouched(unprivileged / "home"):
        ended = call(unprivileged / "home", "add", shut)
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "permission" in ended.err
    ended = call(shut / "home", "show", "400.3b")
    assert (ended.code, len(ended.err.splitlines()) in (1, 2)) == (3, True)
