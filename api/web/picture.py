"""Boxes and ways between them, as SVG has them: how much fits into a box, where it stands, and how a way bends."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

WIDTH, HEIGHT = 106, 46
"""Of a box, in units of about a pixel on a telephone: a finger must hit it."""
GAP, ROW = 14, 30
"""Between two boxes, and between two rows of them: ways run there."""
EDGE = 8
_LINE, _LINES = 13.0, 2
"""Em that fit on a line of a box, and lines."""


@dataclass(frozen=True, slots=True)
class Box:
    """A concept in a picture."""

    key: str
    lines: tuple[str, ...]
    lang: str
    kind: str
    x: float
    y: float

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + WIDTH / 2, self.y + HEIGHT / 2


@dataclass(frozen=True, slots=True)
class Way:
    """A bent line from box to box, with a number on it."""

    path: str
    x: float
    y: float
    number: int
    kind: str


def lines_of(label: str) -> tuple[str, ...]:
    """A label cut into lines that fit into a box; what is too long ends in an ellipsis."""
    lines: list[str] = []
    line = ""
    for word in _words(label):
        if line and _wide(line + word) > _LINE:
            lines.append(line.strip())
            line = word.lstrip()
        else:
            line += word
    lines.append(line.strip())
    return tuple(_cut(text, last=at == _LINES - 1 and len(lines) > _LINES) for at, text in enumerate(lines[:_LINES]))


def _words(label: str) -> Iterator[str]:
    """Words of Latin script with the space before them; other characters one by one."""
    word = ""
    for character in label:
        if character == " " or _is_wide(character):
            if word:
                yield word
            word = ""
        if _is_wide(character):
            yield character
        else:
            word += character
    if word:
        yield word


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _wide(text: str) -> float:
    return sum(2.0 if _is_wide(character) else 1.0 for character in text) * 0.86


def _cut(line: str, *, last: bool) -> str:
    short = line
    while _wide(short) > _LINE + 1:
        short = short[:-1]
    return f"{short.rstrip()}…" if last or short != line else line


def rows(keys: Sequence[str], across: int, top: float) -> Iterator[tuple[str, float, float]]:
    """Each key with the place of its box, so many across."""
    for at, key in enumerate(keys):
        yield key, EDGE + (at % across) * (WIDTH + GAP), top + (at // across) * (HEIGHT + ROW)


def tall(count: int, across: int) -> float:
    """How much room some boxes take from top to bottom."""
    return -(-count // across) * (HEIGHT + ROW)


def ways(pairs: Iterable[tuple[str, str, str]], boxes: Mapping[str, Box]) -> list[Way]:
    """A way for each pair of boxes and kind, bent to one side, so that there and back are two."""
    return [_way(boxes[start], boxes[end], number, kind) for number, (start, end, kind) in enumerate(pairs, 1)]


def _way(start: Box, end: Box, number: int, kind: str) -> Way:
    (x0, y0), (x1, y1) = start.centre, end.centre
    length = hypot(x1 - x0, y1 - y0) or 1.0
    bend = min(26.0, length / 4)
    middle = (x0 + x1) / 2 - (y1 - y0) / length * bend, (y0 + y1) / 2 + (x1 - x0) / length * bend
    (ax, ay), (bx, by) = _border(start, middle), _border(end, middle)
    x, y = (round(_bent(begin, two, three), 1) for begin, two, three in zip((ax, ay), middle, (bx, by), strict=True))
    path = f"M{ax:.1f} {ay:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {bx:.1f} {by:.1f}"
    return Way(path, x, y, number, kind)


def _bent(start: float, middle: float, end: float, share: float = 0.36) -> float:
    """A coordinate of a point on a bent line, nearer to its start: many ways have one end."""
    return (1 - share) ** 2 * start + 2 * share * (1 - share) * middle + share**2 * end


def _border(box: Box, towards: tuple[float, float]) -> tuple[float, float]:
    """Where the line from a box's middle to a point leaves the box."""
    x, y = box.centre
    dx, dy = towards[0] - x, towards[1] - y
    scale = max(abs(dx) / (WIDTH / 2), abs(dy) / (HEIGHT / 2), 1e-6)
    return x + dx / max(scale, 1.0), y + dy / max(scale, 1.0)
