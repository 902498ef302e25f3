"""Three editions of a small invented book, in which rules move, change and go, and numbers are used again."""

from pathlib import Path

from corpus.store.home import Home
from tests.support.homes import DIGEST, put_editions

__all__ = ["DIGEST"]

LINES = {
    "2020-01-01": ("101.2. The ferryman decides who boards first.", "101.3. A traveller who cannot pay waits. See rule 101.2."),
    "2021-01-01": (
        "101.2. A ferry that leaks carries nobody.",
        "101.3. The ferryman decides who boards first.",
        "101.4. A traveller who cannot pay waits. See rule 101.3.",
    ),
    "2022-01-01": (
        "101.2. A ferry that leaks carries nobody.",
        "101.3. A raft is no ferry at all.",
        "101.4. The ferryman alone decides who boards first.",
        "101.5. A traveller who cannot pay waits. See rule 101.4.",
    ),
}
EDITIONS = OLDEST, MIDDLE, NEWEST = tuple(LINES)


def text(edition: str) -> str:
    """An edition of a small invented book."""
    lines = (
        "1. The River",
        "101. Ferries",
        "101.1. A ferry carries up to six travellers across the river.",
        *LINES[edition],
        "102. Tolls",
    )
    return "\n".join((*lines, "102.1. Each traveller pays one copper coin.", "102.2. A goat counts as two travellers.", ""))


def built(folder: Path, editions: tuple[str, ...]) -> Home:
    """A home with these editions, added together."""
    put_editions(folder / "home", [(text(edition), edition, "en") for edition in editions])
    return Home(folder / "home")
