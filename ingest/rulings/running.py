"""Rulings in running text, Markdown or plain: lines that begin with a question's or an answer's mark, headings that ask, tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ingest.rulings.schema import ROLES, named
from ingest.rulings.tree import Node, both, objects
from ingest.rulings.words import clean, marked

_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r"\s{0,3}(=+|-+)\s*$")
_BULLET = re.compile(r"^\s{0,12}(?:[-*+>]\s+|\d{1,4}[.)]\s+)*(?=\S)")
_BOLD = re.compile(r"^\s*(?:\*\*|__)(.{1,500}?)(?:\*\*|__)\s*[:：]?\s*$")
_FACT = re.compile(r"^\s*(?:[-*+]\s+)?(?:\*\*|__)?([^\s:：*_][^:：*]{0,30}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?\s*(\S.{0,200})$")
_ASKS = re.compile(r"[?？]\s*$|(?:ですか|ますか|せんか|吗|嗎|呢)[。.]?\s*$")
_ROLES = tuple(role for role in ROLES if role not in ("question", "answer"))
_FEWEST, _SHARE = 2, 0.5
"""Answers, and the share of the text that they and their questions have, in a file of rulings."""


@dataclass(slots=True)
class _Reader:
    """What was read so far: the headings above, and the record that is being filled."""

    found: list[dict[str, Node]] = field(default_factory=list)
    headings: dict[int, str] = field(default_factory=dict)
    above: dict[str, Node] = field(default_factory=dict)  # facts under a heading, before any question
    record: dict[str, Node] = field(default_factory=dict)
    part: str = ""

    def begin(self, question: str) -> None:
        self.close()
        self.record, self.part = {"question": question}, "question"

    def answer(self, words: str) -> None:
        self.record["answer"] = f"{self.record['answer']}\n{words}" if "answer" in self.record else words
        self.part = "answer"

    def close(self) -> None:
        if "answer" in self.record:
            trail = {f"^h{level}": title for level, title in sorted(self.headings.items())}
            heading = next((title for _, title in sorted(self.headings.items(), reverse=True)), None)
            self.found.append({**({"^heading": heading} if heading else {}), **trail, **self.above, **self.record})
        self.record, self.part = {}, ""

    def heading(self, level: int, title: str) -> None:
        self.close()
        self.headings = {depth: words for depth, words in self.headings.items() if depth < level}
        self.above = {}
        if marked(title, "question") or _ASKS.search(title):
            self.begin(title)
            self.part = "asked"
        else:
            self.headings[level] = title

    def line(self, line: str) -> None:
        words = _BULLET.sub("", line, count=1).strip()
        bold = _BOLD.match(line)
        plain = clean(words)
        if marked(plain, "question") or (bold and _ASKS.search(bold[1]) and self.part != "question"):
            self.begin(plain)
            self.part = "asked" if bold else "question"
        elif self.record and marked(plain, "answer"):
            self.answer(words)
        elif (fact := _FACT.match(line)) and any(named(role, fact[1]) >= 0.5 for role in _ROLES):
            where, what = self.record or self.above, fact[1].strip()
            where[what] = both(where[what], clean(fact[2])) if what in where else clean(fact[2])
        elif self.part in ("answer", "asked"):
            self.answer(words)
        elif self.part == "question":
            self.record["question"] = f"{self.record['question']}\n{words}"


def records(text: str, name: str) -> list[Node]:
    """The questions with answers in a text, as objects with the headings above them, and the rows of its tables."""
    reader, rows = _Reader(), list[list[str]]()
    nodes: list[Node] = []
    for line in [*_lines(text), ""]:
        if line.strip().startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
            continue
        if rows:
            nodes += _table(rows, reader.headings, name)
            rows = []
        if heading := _HEADING.match(line):
            reader.heading(len(heading[1]), clean(heading[2]))
        elif line.strip():
            reader.line(line)
    reader.close()
    return [*reader.found, *nodes]


def is_rulings(text: str, name: str) -> bool:
    """Whether most of a text is questions with answers."""
    all_records = records(text, name) if re.search(r"[?？か吗嗎]", text) else []
    told = sum(len(value) for record in all_records for name_, value in record.items() if _is_told(name_))
    return len(all_records) >= _FEWEST and told >= _SHARE * len("".join(text.split()))


def _is_told(name: str) -> bool:
    return max(named("question", name), named("answer", name)) >= 0.5


def _lines(text: str) -> Iterator[str]:
    """The lines, an underlined one as a heading."""
    lines = text.splitlines()
    for place, line in enumerate(lines):
        after = lines[place + 1] if place + 1 < len(lines) else ""
        under = _UNDERLINE.match(after)
        if under and line.strip() and not line.startswith(("|", "#", "-", ">")):
            yield f"{'#' if under[1][0] == '=' else '##'} {line.strip()}"
        elif not (_UNDERLINE.match(line) and line.strip()):
            yield line


def _table(rows: Sequence[list[str]], headings: dict[int, str], name: str) -> list[Node]:
    kept = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    heading = next((title for _, title in sorted(headings.items(), reverse=True)), None)
    return [{**({"^heading": heading} if heading else {}), **record} for record in objects(kept, name)]
