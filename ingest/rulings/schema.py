"""What is known of files of rulings, read from `corpus/data/rulings.toml`: names of fields, known shapes, marks."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files

ROLES = ("id", "question", "answer", "date", "cards", "card_ids", "lang", "source")
"""What a field of a record can be."""
_WORDS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Shape:
    """A known kind of file: the fields that its records have, and what they are."""

    name: str
    title: str
    has: tuple[str, ...]
    map: Mapping[str, str]  # role → field
    authority: Mapping[str, str] = field(default_factory=dict)  # source → who stands behind it


@dataclass(frozen=True, slots=True)
class Schema:
    """The whole file."""

    names: Mapping[str, Mapping[str, float]]  # role → name, folded → how surely it is called so, the first most
    never: Mapping[str, frozenset[str]]
    languages: Mapping[str, str]  # name of a language, folded → its tag
    marks: Mapping[str, tuple[str, ...]]
    shapes: tuple[Shape, ...]


@cache
def schema() -> Schema:
    """The data, read once."""
    body = tomllib.loads(files("corpus").joinpath("data/rulings.toml").read_text(encoding="utf-8"))
    return Schema(
        names={role: _ranked(names) for role, names in body["names"].items()},
        never={role: frozenset("_".join(parts(name)) for name in names) for role, names in body["never"].items()},
        languages={"_".join(parts(name)): tag for tag, names in body["languages"].items() for name in names},
        marks={part: tuple(words) for part, words in body["marks"].items()},
        shapes=tuple(
            Shape(shape["name"], shape["title"], tuple(shape["has"]), shape["map"], shape.get("authority", {}))
            for shape in body["shape"]
        ),
    )


def _ranked(names: list[str]) -> dict[str, float]:
    return {"_".join(parts(name)): 1 - 0.4 * place / len(names) for place, name in reversed(list(enumerate(names)))}


@lru_cache(maxsize=4096)
def parts(name: str) -> tuple[str, ...]:
    """The words of a field's name: `answerText.en` is answer, text, en."""
    return tuple(word.lower() for word in _WORDS.split(unicodedata.normalize("NFKC", name)) if word)


def language_named(name: str) -> str | None:
    """The language that a name or a tag means: `JP`, `日本語`, `zh_TW`; None for another word."""
    return schema().languages.get("_".join(parts(name)))


@lru_cache(maxsize=4096)
def without_language(name: str) -> tuple[str, str | None]:
    """A field's name without the language in it, and the language: `question_ja` is `question` in ja."""
    words = parts(name)
    told = [word for word in words if word in schema().languages and word not in ("a", "q")]
    if not told or len(words) == 1:
        return name, None
    return name[:1].strip("abcdefghijklmnopqrstuvwxyz") * (name[:1] in "^@") + "_".join(
        w for w in words if w not in told
    ), schema().languages[told[-1]]


def named(role: str, name: str) -> float:
    """How surely a field of that name has a role, 0 to 1."""
    words = parts(without_language(name)[0])
    whole, names = "_".join(words), schema().names[role]
    if not words or schema().never.get(role, frozenset()) & {whole, *words}:
        return names.get(whole, 0.0)
    within = [0.6 * names[word] for word in words if word in names and len(word) > 1]
    return max([names.get(whole, 0.0), *within])
