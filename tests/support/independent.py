"""Independent counts of the rulebooks, written from the raw texts alone and never from the parser.

Every function reads one file and returns plain facts (headwords, locators, headings, counts); `second_reader` reads the numbers.
Book-specific hacks are deliberate: the parser must reach the same facts by general means.
Facts decided by reading the text are kept in the commented constants below (numbers only).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypedDict


class YgoFacts(TypedDict):
    """Facts of one reStructuredText file; heading levels count from 0, the overlined title."""

    bullets: int
    nested: int  # those of `bullets` that are indented
    paragraphs: int  # bare paragraphs at the left margin
    line_blocks: int  # `| ` blocks at the left margin, neither bullet nor paragraph
    enumerated: int  # `1. ` items at the left margin, neither bullet nor paragraph
    directives: int  # figure, note, attention, sidebar, role
    tables: int
    footnotes: int
    headings: list[tuple[int, str]]


# Magic 20220610_En: the blank line before this headword is missing, so two entries share one block.
MTG_GLUED_HEADWORDS = frozenset({"Affinity"})


def _lines(file: Path) -> list[str]:
    """Lines without their ends; split on LF only, for form feeds stand inside the Force of Will lines."""
    text = file.read_bytes().decode("utf-8-sig")
    return [line.rstrip("\r") for line in text.split("\n")]


def _places(pattern: str, lines: list[str]) -> list[int]:
    return [place for place, line in enumerate(lines) if re.fullmatch(pattern, line.strip())]


# --- Magic -----------------------------------------------------------------------------------------------


def _mtg_glossary(lines: list[str]) -> list[str]:
    """First lines of the blocks between blank lines; no entry of these editions has a blank line inside."""
    heads: list[str] = []
    fresh = True
    for line in (line.strip() for line in lines):
        if line and (fresh or line in MTG_GLUED_HEADWORDS):
            heads.append(line)
        fresh = not line
    return heads


def mtg_glossary(file: Path) -> list[str]:
    """Headwords of the glossary of the Magic Comprehensive Rules, any edition, English or Chinese."""
    lines = _lines(file)
    # Both words close the table of contents as well, so the last places are those of the body.
    return _mtg_glossary(lines[_places(r"Glossary|词汇表", lines)[-1] + 1 : _places(r"Credits|版权信息", lines)[-1]])


# --- Force of Will ---------------------------------------------------------------------------------------


def fow_ja(file: Path) -> list[str]:
    """Locators section~position[.position] of the unnumbered bullets of the 2015 zones chapter."""
    locators: list[str] = []
    section, top, nested = "", 0, 0
    for line in _lines(file):
        if match := re.match(r"(3\.\d+)\. ", line):
            section, top, nested = match[1], 0, 0
        elif line.startswith("  • "):
            top, nested = top + 1, 0
            locators.append(f"{section}~{top}")
        elif line.startswith("    • "):
            nested += 1
            locators.append(f"{section}~{top}.{nested}")
    return locators


# --- Yu-Gi-Oh! -------------------------------------------------------------------------------------------

_FOOTNOTE_MARK = re.compile(r"(?:\\ ?)?\[#\]_(?:\\ ?)?")
_ADORNMENT = re.compile(r"([=\-*~^#`\"'+])\1{2,}")


def _adorned(lines: list[str], place: int) -> bool:
    return 0 <= place < len(lines) and bool(_ADORNMENT.fullmatch(lines[place]))


def _ygo_headings(lines: list[str]) -> tuple[list[tuple[int, str]], set[int]]:
    """Headings with their level, by first appearance of the adornment, and the lines they occupy."""
    styles: list[tuple[str, bool]] = []
    headings: list[tuple[int, str]] = []
    used: set[int] = set()
    for place, title in enumerate(lines):
        if not title or title[0] == " " or _adorned(lines, place) or not _adorned(lines, place + 1):
            continue
        over = _adorned(lines, place - 1) and place - 1 not in used
        style = (lines[place + 1][0], over)
        if style not in styles:
            styles.append(style)
        headings.append((styles.index(style), _FOOTNOTE_MARK.sub("", title).strip()))
        used.update({place, place + 1} | ({place - 1} if over else set()))
    return headings, used


def _ygo_kind(line: str, fresh: bool) -> str:
    """Kind of a line at the left margin; only the first line of a block (`fresh`) opens most kinds."""
    forms = (
        ("footnotes", r"\.\. \[#", False),
        ("directives", r"\.\. ", False),
        ("bullets", r"- ", False),
        ("enumerated", r"\d+\. ", False),
        ("tables", r"=+(?: +=+)+$", True),
        ("line_blocks", r"\| ", True),
        ("paragraphs", r"\S", True),
    )
    return next((kind for kind, form, opens in forms if re.match(form, line) and (fresh or not opens)), "")


def ygo(file: Path) -> YgoFacts:
    """Any reStructuredText file of the Yu-Gi-Oh! OCG rulebook, by plain line logic."""
    lines = [line.rstrip() for line in _lines(file)]
    headings, used = _ygo_headings(lines)
    count = dict.fromkeys(("bullets", "nested", "paragraphs", "line_blocks", "enumerated", "directives", "tables", "footnotes"), 0)
    fresh, explicit = True, False  # explicit: inside a directive or footnote, whose content is indented
    for place, line in enumerate(lines):
        if place in used or not line:
            fresh = True
            continue
        if line[0] != " ":
            kind = _ygo_kind(line, fresh)
            explicit = kind in ("footnotes", "directives")
            if kind:
                count[kind] += 1
        elif not explicit and re.match(r" +- ", line):
            count["bullets"] += 1
            count["nested"] += 1
        fresh = False
    return {
        "bullets": count["bullets"],
        "nested": count["nested"],
        "paragraphs": count["paragraphs"],
        "line_blocks": count["line_blocks"],
        "enumerated": count["enumerated"],
        "directives": count["directives"],
        "tables": count["tables"],
        "footnotes": count["footnotes"],
        "headings": headings,
    }
