"""The vocabulary of files of rulings: field names, known formats, marks (`corpus/data/rulings.toml`); removal of markup."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from html import unescape

from corpus.data_files import read_toml

FIELD_ROLES = ("id", "question", "answer", "date", "cards", "card_ids", "lang", "source")
"""The roles of fields."""
_WORD_BOUNDARY = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Shape:
    """A known format: the fields of its records, and their roles."""

    name: str
    title: str
    has: tuple[str, ...]
    map: Mapping[str, str]  # role → field
    authority: Mapping[str, str] = field(default_factory=dict)  # source → authority


@dataclass(frozen=True, slots=True)
class FieldSchema:
    """The whole file."""

    names: Mapping[str, Mapping[str, float]]  # role → folded name → certainty, in descending order
    never: Mapping[str, frozenset[str]]
    languages: Mapping[str, str]  # folded name of a language → its tag
    marks: Mapping[str, tuple[str, ...]]
    elements: tuple[str, ...]  # names of HTML elements, as regular expressions
    shapes: tuple[Shape, ...]


@cache
def schema() -> FieldSchema:
    """The data, read once."""
    body = read_toml("corpus", "rulings.toml")
    return FieldSchema(
        names={role: _name_scores(names) for role, names in body["names"].items()},
        never={role: frozenset("_".join(name_parts(name)) for name in names) for role, names in body["never"].items()},
        languages={"_".join(name_parts(name)): tag for tag, names in body["languages"].items() for name in names},
        marks={part: tuple(words) for part, words in body["marks"].items()},
        elements=tuple(body["markup"]["elements"]),
        shapes=tuple(
            Shape(shape["name"], shape["title"], tuple(shape["has"]), shape["map"], shape.get("authority", {}))
            for shape in body["shape"]
        ),
    )


def _name_scores(names: list[str]) -> dict[str, float]:
    return {"_".join(name_parts(name)): 1 - 0.4 * place / len(names) for place, name in reversed(list(enumerate(names)))}


@lru_cache(maxsize=4096)
def name_parts(name: str) -> tuple[str, ...]:
    """The words of a field's name: `answerText.en` is answer, text, en."""
    return tuple(word.lower() for word in _WORD_BOUNDARY.split(unicodedata.normalize("NFKC", name)) if word)


def language_named(name: str) -> str | None:
    """The language of a name or tag: `JP`, `日本語`, `zh_TW`; None for another word."""
    return schema().languages.get("_".join(name_parts(name)))


@lru_cache(maxsize=4096)
def without_language(name: str) -> tuple[str, str | None]:
    """A field's name without the language in it, and the language: `question_ja` is `question` in ja."""
    words = name_parts(name)
    language_words = [word for word in words if word in schema().languages and word not in ("a", "q")]
    if not language_words or len(words) == 1:
        return name, None
    return name[:1].strip("abcdefghijklmnopqrstuvwxyz") * (name[:1] in "^@") + "_".join(
        w for w in words if w not in language_words
    ), schema().languages[language_words[-1]]


def role_certainty(role: str, name: str) -> float:
    """The certainty that a field with this name has a role, 0 to 1."""
    words = name_parts(without_language(name)[0])
    whole, names = "_".join(words), schema().names[role]
    if not words or schema().never.get(role, frozenset()) & {whole, *words}:
        return names.get(whole, 0.0)
    within = [0.6 * names[word] for word in words if word in names and len(word) > 1]
    return max([names.get(whole, 0.0), *within])


_BREAK = re.compile(r"<(?:br|p|div|li|tr|h[1-6]|ul|ol|table|blockquote)\b[^<>]{0,1000}>|</(?:p|div|li|tr|h[1-6])\s*>", re.I)
_DROPPED_ELEMENTS = re.compile(r"<(script|style)\b[^<>]{0,1000}>.*?</\1\s*>", re.I | re.S)
_RUBY = re.compile(r"<r[pt]\b[^<>]{0,200}>[^<]{0,200}</r[pt]\s*>", re.I)
_BRACKETED = re.compile(r"\[\[(?:[^\[\]|]{1,200}\|)?([^\[\]|]{1,200})\]\]|<<([^<>]{1,200})>>")
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\((?:https?:)?[^()\s]{1,500}(?:\s[^()]{0,200})?\)")
_EMPHASIS = re.compile(r"(\*\*|__|``?)(?=\S)(.{1,2000}?)(?<=\S)\1", re.S)
_SPACES = re.compile(r"[^\S\n]+")
_NEWLINES = re.compile(r"\s*\n\s*")


@cache
def _tag() -> re.Pattern[str]:
    """Tags of HTML elements, in lower or upper case, and comments: `<Link>` is a keyword."""
    lower = "|".join(schema().elements)
    return re.compile(rf"</?(?:{lower}|{lower.upper()})(?:\s[^<>]{{0,1000}})?/?>|<!--.{{0,1000}}?-->", re.S)


def without_markup(words: str) -> str:
    """Words without markup: no tags, no emphasis, the name in `[[a link|a name]]`, one line per paragraph."""
    text = words.replace("\r\n", "\n").replace("\r", "\n")
    if "<" in text:
        text = _tag().sub("", _BREAK.sub("\n", _RUBY.sub("", _DROPPED_ELEMENTS.sub("", _BRACKETED.sub(r"\1\2", text)))))
    if "&" in text:
        text = unescape(text)
    if "[" in text:
        text = _LINK.sub(r"\1", _BRACKETED.sub(r"\1\2", text))
    if "*" in text or "_" in text or "`" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return _NEWLINES.sub("\n", _SPACES.sub(" ", text)).strip()


def without_mark(words: str, part: str) -> str:
    """Words without the `Q1:` or `回答：` before them; all of them if nothing else remains."""
    return _mark_pattern(part).sub("", words, count=1).strip() or words


def linked_names(words: str) -> list[str]:
    """The names of cards that markup marks: `[[a link|a name]]`, `<<a name>>`."""
    return (
        [(link_text or other).strip() for link_text, other in _BRACKETED.findall(words)] if "[[" in words or "<<" in words else []
    )


@cache
def _mark_pattern(part: str) -> re.Pattern[str]:
    marks = "|".join(sorted(map(re.escape, schema().marks[part]), key=len, reverse=True))
    return re.compile(rf"^\s*[【\[(（]?(?:{marks})\s?[.#]?\s?\d{{0,5}}\s?(?:[.:：．、)）】\]]\s?|\s?[-–—]\s)", re.I)


def has_mark(words: str, part: str) -> bool:
    """Whether words start with the mark of a question or an answer."""
    return bool(_mark_pattern(part).match(words))


def split_question_and_answer(words: str) -> tuple[str, str] | None:
    """A question and its answer in one text, `Q: … A: …`; None for any other text."""
    if not has_mark(words, "question"):
        return None
    for at in (match.start() for match in re.finditer(r"\n|(?<=[?？。.!！])\s*(?=\S)", words)):
        if has_mark(words[at:].lstrip(), "answer"):
            return words[:at], words[at:].lstrip()
    return None
