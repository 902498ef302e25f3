"""Lines that fit a terminal: Latin text breaks at spaces, CJK text anywhere except before a closing mark."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from api import labels
from api.languages import gettext as _
from api.languages import ngettext, terminal_language
from corpus.address import split_rule

if TYPE_CHECKING:
    from rich.table import Table

    from corpus.contract import Span
    from corpus.messages import Message

SEPARATOR = " · "
"""Separates the parts of a line."""
_CLOSING_MARKS = "、。，．：；！？」』）】〉》〕・ー…"
_BOLD_CODE = re.compile("\x1b\\[[0-9]{1,2}m")


@cache
def _token_pattern() -> re.Pattern[str]:
    """A piece after which a line may break. Compiled on first use, since that takes longer than printing a rule."""
    return re.compile(f"\\s+|[\u2e80-\uffef][{_CLOSING_MARKS}]*|[^\\s\u2e80-\uffef]+[{_CLOSING_MARKS}]*")


def edition_label(rule: Mapping[str, object]) -> str:
    """A game, its book and its edition: `Duel Masters · 総合ゲームルール, 17 Dec 2025`."""
    lang = terminal_language()
    return f"{labels.game_name(str(rule['game']), lang)}{SEPARATOR}{labels.edition_name(rule, lang)}"


def display_width(text: str) -> int:
    """Number of columns of a text on a terminal; a switch to bold and back takes none."""
    if "\x1b" in text:
        text = _BOLD_CODE.sub("", text)
    return len(text) if text.isascii() else sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def wrap(text: str, width: int | None, first: str = "", rest: str | None = None) -> Iterator[str]:
    """The lines of a text, each at most `width` columns (None: no limit), indentation included.

    `first` indents the first line, `rest` the others (default: spaces as wide as `first`).
    """
    lead, hanging = first, " " * display_width(first) if rest is None else rest
    for paragraph in text.splitlines() or [""]:
        lead_width = display_width(lead) - display_width(hanging)
        for line in _break_lines(paragraph, width - display_width(hanging), lead_width) if width else [paragraph]:
            yield f"{lead}{line}".rstrip()
            lead = hanging


def _break_lines(text: str, width: int, used_width: int) -> Iterator[str]:
    """`used_width` columns of the first line are already occupied."""
    line, column = "", used_width
    for token in _token_pattern().findall(text):
        size = display_width(token)
        if column > 0 and column + size > width and not token.isspace():
            yield line.rstrip()
            line, column = "", 0
        if line or not token.isspace():
            line, column = line + token, column + size
    yield line.rstrip()


def truncate(text: str, width: int) -> str:
    """The beginning of a text, truncated to some columns."""
    if display_width(text) <= width:
        return text
    while text and display_width(text) + 1 > width:
        text = text[:-1]
    return f"{text}…"


def table_lines(table: "Table", columns: int) -> Iterator[str]:
    """The lines of a table, at most so many columns wide."""
    from rich.console import Console

    console = Console(width=columns, no_color=True, highlight=False, markup=False)
    with console.capture() as capture:
        console.print(table)
    yield from (line.rstrip() for line in capture.get().splitlines())


def is_coloured(width: int | None) -> bool:
    """Whether to print bold and colours: on a terminal, unless NO_COLOR is set."""
    return width is not None and "NO_COLOR" not in os.environ


def mark_spans(text: str, spans: "Iterable[Span]", before: str, after: str) -> str:
    """A text with its spans between two marks."""
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span["start"]], before, text[span["start"] : span["end"]], after]
        at = span["end"]
    return "".join((*parts, text[at:]))


def iri_locator(iri: str) -> str:
    """The locator in a rule's address."""
    return split_rule(iri).locator


def value_label(table: "Mapping[str, Message]", value: str) -> str:
    """The name of a value of the contract; a value without a name is returned unchanged."""
    return table[value].in_language(terminal_language()) if value in table else value


def current_label(*, current: bool) -> str:
    """Whether a rule or an edition is current."""
    return _("current") if current else _("NOT CURRENT")


def rule_count(count: int) -> str:
    """A number of rules."""
    return ngettext("{count} rule", "{count} rules", count)
