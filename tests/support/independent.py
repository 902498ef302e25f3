"""Independent counts of the rulebooks, written from the raw texts alone and never from the parser.

Every function reads one file and returns plain facts (numbers as folded locators, headings, counts).
Book-specific hacks are deliberate: the parser must reach the same facts by general means.
Facts decided by reading the text are kept in the commented constants below (numbers only).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict


class BookFacts(TypedDict):
    """Facts of a numbered book; numbers and headings stand in print order, repetitions kept."""

    numbers: list[str]
    headings: list[str]
    examples: int
    glossary: list[str]


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

# Force of Will: numbers that open a line more than once, with the place (from 0) of the rule among the
# occurrences; all the others are citations wrapped to a line start (903.2m precedes its own rule).
FOW_RULE_OCCURRENCE = {"803.5": 0, "903.2m": 1, "903.2i": 0, "1014.3": 0}

# Force of Will: a value that ends a sentence alone on its line (2000 damage); another, 100, repeats a heading.
FOW_NOT_HEADINGS = frozenset({"2000"})

# One Piece: rules glued to the end of the line above, all found by reading.
OP_GLUED = ("1-2-2-1", "1-3-10-2", "2-6-2", "2-7-2", "5-2-1-1", "8-4-1-1")

# One Piece: printed with dots (8.4. and 8.6.3.), counted under the numbers that their neighbours imply; printed twice, 7-1-2-3 (the
# second time inside 7-1-3); printed without final dot, 2-13.

# Duel Masters: printed twice, 311.2 (the second time inside 312); out of order: 505.2a, after 506.2.


def _lines(file: Path) -> list[str]:
    """Lines without their ends; split on LF only, for form feeds stand inside the Force of Will lines."""
    text = file.read_bytes().decode("utf-8-sig")
    return [line.rstrip("\r") for line in text.split("\n")]


def _collect(pattern: str, lines: Iterable[str]) -> list[str]:
    """All groups of a pattern at line starts, joined and lower-cased."""
    matches = (re.match(pattern, line) for line in lines)
    return ["".join(match.groups("")).lower() for match in matches if match]


def _count(pattern: str, lines: Iterable[str]) -> int:
    return sum(1 for line in lines if re.match(pattern, line))


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


def mtg(file: Path) -> BookFacts:
    """Magic Comprehensive Rules, any edition, English or Chinese."""
    lines = _lines(file)
    # Both words close the table of contents as well, so the first and the last places differ.
    glossary = _places(r"Glossary|词汇表", lines)[-1]
    closing = _places(r"Credits|版权信息", lines)
    body = lines[closing[0] + 1 : glossary]
    return {
        # The 2022 edition prints 119.1d. and 702.124h. with a final dot and 606.5 without one.
        "numbers": _collect(r"(\d{3}\.\d+[a-z]?)\.? ", body),
        "headings": _collect(r"(\d|\d{3})\. ", body),
        # One Chinese example opens with a full-width comma instead of the colon.
        "examples": _count(r"Example: |例如[\uff1a\uff0c]", body),
        "glossary": _mtg_glossary(lines[glossary + 1 : closing[-1]]),
    }


# --- Duel Masters ----------------------------------------------------------------------------------------


def _dm_facts(lines: list[str]) -> BookFacts:
    # 603.2e with a closing bracket is the tail of a citation wrapped to a line start.
    rules = [line for line in lines if not line.startswith("603.2e\uff09")]
    return {
        # Forms: `1.1. `, `1.1 `, full-width dot, `1.1.` alone, `1.1a `, `1.1a.`, `1.1C`, `1.1 b`, leading space;
        # the look-ahead keeps a word of Latin letters after the number from lending its first letter.
        "numbers": _collect(r" ?(\d{3}\.\d+)(?: ?([A-Za-z])(?![A-Za-z0-9]))?", rules),
        "headings": _collect(r" ?(\d|\d{3})\.(?!\d)", rules),
        # Forms: the label with a colon, with a space after it, and numbered in ASCII or full-width digits.
        "examples": _count(r"例 ?[0-9\uff10-\uff19]?\uff1a", lines),
        "glossary": [],
    }


def dm(file: Path) -> BookFacts:
    """Duel Masters comprehensive rules, Japanese."""
    lines = _lines(file)
    # Chapter 0 has a space after its dot in the body only, not in the table of contents.
    start = next(place for place, line in enumerate(lines) if line.startswith("0. "))
    return _dm_facts(lines[start:])


def dm_seed(file: Path) -> BookFacts:
    """One chapter of Duel Masters as a seed: front matter, then the body without table of contents."""
    return _dm_facts(_lines(file))


# --- Force of Will ---------------------------------------------------------------------------------------


def _fow_body(file: Path) -> list[str]:
    """The lines from chapter 100 to the list of updates, stripped of spaces and form feeds."""
    lines = [line.strip() for line in _lines(file)]
    # The table of contents prints numbers and titles in separate columns, so 101 with a title is the body.
    section = next(place for place, line in enumerate(lines) if re.match(r"101\. \S", line))
    start = max(place for place in range(section) if lines[place] == "100.")
    return lines[start : lines.index("CR Updates:")]


def _fow_numbers(body: list[str]) -> list[str]:
    numbers: list[str] = []
    seen: dict[str, int] = {}
    for number in _collect(r"(\d{3,4}\.\d+[a-z]?(?:-\d+)?)", body):
        place = seen.get(number, 0)
        seen[number] = place + 1
        if place == FOW_RULE_OCCURRENCE.get(number, place):
            numbers.append(number)
    return numbers


def fow_en(file: Path) -> BookFacts:
    """Force of Will 12.7, English: copied from a PDF, with page numbers and form feeds inside rules."""
    body = _fow_body(file)
    headings = [number for number in _collect(r"(\d{3,4})\.(?!\d)", body) if number not in FOW_NOT_HEADINGS]
    return {
        "numbers": _fow_numbers(body),
        "headings": list(dict.fromkeys(headings)),  # drops 100 that ends a sentence inside 903
        # `Ex ` without its dot occurs once; `Ex:` is a picture's caption in the middle of 1307.3a.
        "examples": _count(r"Ex\.? ", body),
        "glossary": [],
    }


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


# --- One Piece -------------------------------------------------------------------------------------------


def _op_line_numbers(line: str) -> list[str]:
    """Numbers of one line: the leading one and those glued after the end of the rule above."""
    chapter = re.match(r"## (\d+)\. ", line)
    # A single number without `## ` is a page number, so rules need at least two levels.
    leading = chapter or re.match(r"(\d+(?:[-.]\d+)+)\.? ", line)
    numbers = [leading[1].replace(".", "-")] if leading else []
    return numbers + [number for number in OP_GLUED if f" {number}. " in line]


def onepiece(file: Path) -> BookFacts:
    """One Piece Card Game 1.1.8: numbers of one to six levels joined by hyphens."""
    lines = _lines(file)
    start = next(place for place, line in enumerate(lines) if line.startswith("## 1. "))
    numbers = [number for line in lines[start:] for number in _op_line_numbers(line)]
    return {
        "numbers": numbers,
        "headings": [number for number in numbers if "-" not in number],
        "examples": 0,
        "glossary": [],
    }


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
