"""Lines on a small terminal."""

import pytest

from api.text.layout import display_width, wrap


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("a goose on a rope", 8, ["a goose", "on a", "rope"]),
        ("渡し舟には、印を積む。", 10, ["渡し舟に", "は、印を積", "む。"]),
        ("", 10, [""]),
        ("one\ntwo", None, ["one", "two"]),
        ("unbreakable", 4, ["unbreakable"]),
    ],
)
def test_wrap(text: str, width: int | None, lines: list[str]) -> None:
    assert list(wrap(text, width)) == lines
    assert width is None or len(lines) == 1 or max(map(display_width, lines)) <= width


def test_wrapped_lines_hang() -> None:
    assert list(wrap("渡し舟 渡し舟", 12, "  1  ", "     ")) == ["  1  渡し舟", "     渡し舟"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("the ferry leaves", ["gloss: the", "ferry leaves"]),
        ("passengers wait", ["gloss:", "passengers", "wait"]),
        ("\x1b[1mthe\x1b[0m ferry", ["gloss: \x1b[1mthe\x1b[0m", "ferry"]),
    ],
)
def test_wrap_leaves_room_before_the_first_line(text: str, lines: list[str]) -> None:
    assert list(wrap(text, 12, "gloss: ", "")) == lines
