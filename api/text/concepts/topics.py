"""`rulestone compare topics` for people: a table where there is room for a column each game, else topic by topic."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from api.text.wrap import wrap

if TYPE_CHECKING:
    from corpus.contract import Topic, TopicCell, Topics

_COLUMN = 28
"""What a game needs at least, in columns."""
LEGEND = "≈ no such rule, the nearest thing · ? the words were not found in the rule · ○ that text is not loaded · ! not current"
_MARKS = {True: "", False: " ?", None: " ○"}


def table(body: "Topics", columns: int | None) -> Iterator[str]:
    """The topics as lines at most `columns` wide (None: no terminal), group by group."""
    wide = columns is not None and columns >= _COLUMN * (len(body["games"]) + 1) and len(body["topics"]) > 1
    for count, (group, topics) in enumerate(groupby(body["topics"], key=lambda topic: topic["group"])):
        yield from [""] if count else []
        yield group
        yield from _table(list(topics), body["games"], columns or 0) if wide else _list(topics, columns)
    yield ""
    yield from wrap(LEGEND, columns, rest="  ")


def _list(topics: "Iterator[Topic]", columns: int | None) -> Iterator[str]:
    for topic in topics:
        yield ""
        yield from wrap(f"{topic['label']}: {topic['asks']}", columns, "  ", "    ")
        for cell in topic["cells"]:
            yield from wrap(f"{cell['game']}: {_said(cell)}", columns, "    ", "      ")
        yield from wrap(f"= {topic['differs']}", columns, "    ", "      ")


def _table(topics: "list[Topic]", games: list[str], columns: int) -> Iterator[str]:
    from rich.console import Console
    from rich.table import Table

    shown = Table("", *games, show_lines=True, pad_edge=False)
    for topic in topics:
        said = {cell["game"]: _said(cell) for cell in topic["cells"]}
        shown.add_row(f"{topic['label']}\n{topic['differs']}", *(said.get(game, "") for game in games))
    console = Console(width=columns, no_color=True, highlight=False)
    with console.capture() as printed:
        console.print(shown)
    yield from (line.rstrip() for line in printed.get().splitlines())


def _said(cell: "TopicCell") -> str:
    """What a game says, with its rule; what is only the nearest thing after a sign."""
    rule = cell["rule"]
    current = "" if rule["current"] or not rule["loaded"] else " !"
    return f"{'' if cell['found'] else '≈ '}{cell['says']} [{rule['locator']}{_MARKS[cell['verified']]}{current}]"
