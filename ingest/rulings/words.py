"""The words of a question or an answer without markup: HTML, emphasis, links, the marks before them."""

import re
from functools import cache
from html import unescape

from ingest.rulings.schema import schema

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>|<!--.{0,1000}?-->", re.S)
_BREAK = re.compile(r"<(?:br|p|div|li|tr|h[1-6]|ul|ol|table|blockquote)\b[^<>]{0,1000}>|</(?:p|div|li|tr|h[1-6])\s*>", re.I)
_DROPPED = re.compile(r"<(script|style)\b[^<>]{0,1000}>.*?</\1\s*>", re.I | re.S)
_RUBY = re.compile(r"<r[pt]\b[^<>]{0,200}>[^<]{0,200}</r[pt]\s*>", re.I)
_BRACKETED = re.compile(r"\[\[(?:[^\[\]|]{1,200}\|)?([^\[\]|]{1,200})\]\]|<<([^<>]{1,200})>>")
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\((?:https?:)?[^()\s]{1,500}(?:\s[^()]{0,200})?\)")
_EMPHASIS = re.compile(r"(\*\*|__|``?)(?=\S)(.{1,2000}?)(?<=\S)\1", re.S)
_SPACES = re.compile(r"[^\S\n]+")
_NEWLINES = re.compile(r"\s*\n\s*")


def clean(words: str) -> str:
    """Words as they are read: no tags, no emphasis, the name in `[[a link|a name]]`, one line a paragraph."""
    text = words.replace("\r\n", "\n").replace("\r", "\n")
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", _RUBY.sub("", _DROPPED.sub("", _BRACKETED.sub(r"\1\2", text)))))
    if "&" in text:
        text = unescape(text)
    if "[" in text:
        text = _LINK.sub(r"\1", _BRACKETED.sub(r"\1\2", text))
    if "*" in text or "_" in text or "`" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return _NEWLINES.sub("\n", _SPACES.sub(" ", text)).strip()


def unmarked(words: str, part: str) -> str:
    """Words without the `Q1:` or `回答：` before them; all of them where nothing else is left."""
    return _mark(part).sub("", words, count=1).strip() or words


def linked(words: str) -> list[str]:
    """The names of cards that markup marks: `[[a link|a name]]`, `<<a name>>`."""
    return [(named or other).strip() for named, other in _BRACKETED.findall(words)] if "[[" in words or "<<" in words else []


@cache
def _mark(part: str) -> re.Pattern[str]:
    marks = "|".join(sorted(map(re.escape, schema().marks[part]), key=len, reverse=True))
    return re.compile(rf"^\s*[【\[(（]?(?:{marks})\s?[.#]?\s?\d{{0,5}}\s?(?:[.:：．、)）】\]]\s?|\s?[-–—]\s)", re.I)


def marked(words: str, part: str) -> bool:
    """Whether words begin with the mark of a question or an answer."""
    return bool(_mark(part).match(words))


def in_two(words: str) -> tuple[str, str] | None:
    """A question and its answer in one text, `Q: … A: …`; None for another one."""
    if not marked(words, "question"):
        return None
    for at in (match.start() for match in re.finditer(r"\n|(?<=[?？。.!！])\s*(?=\S)", words)):
        if marked(words[at:].lstrip(), "answer"):
            return words[:at], words[at:].lstrip()
    return None
