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
    own, book, text = tmp_path / "own", tmp_path / f"a{STEERING}b.txt", tmp_path / f"c{STEERING}d.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    text.write_text("Rule 999.9 says so.\n", encoding="utf-8")
    shown = [call(own, "add", book, "--game", "ferry"), call(own, "editions"), call(own, "verify", text, "--game", "ferry")]
    [copy] = own.glob("sources/*/*")
    copy.write_bytes(b"")
    shown += [call(own, "doctor"), call(own, "build"), call(own, "remove", book)]
    for ended in shown:
        told = ended.out + ended.err
        assert "\ufffd[31m" in told
        assert not set("\x1b\x9b\u202e") & set(told)
        assert not any(line.startswith("forged") for line in told.splitlines())


def test_a_folder_without_a_rulebook(home: Path, tmp_path: Path) -> None:
    with untouched(home):
        ended = call(home, "add", tmp_path)
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)


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
