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
