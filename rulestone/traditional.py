"""Our own words, the glosses and labels, in traditional characters for readers of these: they are stored in simplified ones.

The words of books, and the headings and names that they print, stay as they were published.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from corpus.languages import LANGUAGES
from corpus.words.traditional import traditional
from rulestone.languages import parse_language

if TYPE_CHECKING:
    from rulestone.library import Library

P = ParamSpec("P")
R = TypeVar("R")
_HANS, _HANT = "zh-Hans", "zh-Hant"
_OURS = ("gloss", "comment", "asks", "differs", "group", "note")
"""Fields with our words in the reader's language, whatever the language of the rule beside them."""
_NAMED = ("label", "says")
"""Fields with our words in the language that `lang` names, if there is one."""
_PRINTED = ("headwords", "answer", "question")
"""Fields with a book's words by language."""


def in_readers_script(method: Callable[P, R]) -> Callable[P, R]:
    """Makes a method of a library answer in traditional characters if `lang` names them, or the question is in them."""

    @wraps(method)
    def answer(*arguments: P.args, **options: P.kwargs) -> R:
        lang = options.get("lang")
        answer_lang = parse_language(lang) if isinstance(lang, str) else None
        return cast(R, _in_script(method(*arguments, **options), answer_lang))

    return answer


def _in_script(value: object, lang: str | None) -> object:
    """A body, or some bodies, each in the characters of its reader; `lang` is that of the call."""
    if isinstance(value, (list, tuple)) and lang is None:
        return type(value)(_in_script(one, lang) for one in value)
    own = value.get("lang") if isinstance(value, Mapping) else None
    return _Copy(reads=True).of(value) if (lang or own) == _HANT else value


@lru_cache(maxsize=8)
def in_traditional(library: "Library") -> "Library":
    """The library with its own words in traditional characters, whatever the language of a call: for pages."""
    return cast("Library", _Traditional(library))


class _Traditional:
    """Converts the return values of a library's methods."""

    def __init__(self, library: "Library") -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        value = getattr(self._library, name)
        return _converting(value) if callable(value) else value


def _converting(method: Callable[..., object]) -> Callable[..., object]:
    def converted(*arguments: object, **options: object) -> object:
        body = method(*arguments, **options)
        return body if options.get("lang") == _HANT else _Copy(reads=False).of(body)  # `in_readers_script` has converted it

    return converted


@dataclass(frozen=True, slots=True)
class _Copy:
    """Makes copies with our words converted."""

    reads: bool
    """Whether the words in one language are in that of the reader."""
    is_printed: bool = False
    """Whether a book has the Chinese titles."""

    def of(self, value: object, key: str = "") -> object:
        """A copy of a value, which stands under a key."""
        if isinstance(value, Mapping):
            return self._by_language(value, key) if _is_by_language(value) else self._fields(value)
        if isinstance(value, list):
            return [self.of(one, key) for one in value]
        if isinstance(value, tuple):
            names: Sequence[str] | None = getattr(value, "_fields", None)
            new_tuple: Callable[..., object] = type(value)
            return new_tuple(*map(self.of, value, names)) if names else tuple(self.of(one, key) for one in value)
        if is_dataclass(value) and not isinstance(value, type):
            own = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
            return replace(value, **{name: self.of(one, name) for name, one in own.items()})
        return value

    def _by_language(self, words: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        """Words by language with the converted ones added."""
        simple = words[_HANS]
        if key in _PRINTED or (key == "titles" and self.is_printed):
            return words
        if isinstance(simple, str):
            return {**words, _HANT: traditional(simple)}
        if key == "labels" and all(isinstance(one, str) for one in simple):
            return {**words, _HANT: [traditional(one) for one in simple]}
        return words

    def _fields(self, value: Mapping[str, Any]) -> dict[str, Any]:
        copy = replace(self, is_printed=self.is_printed or _has_chinese_book(value))
        result = {name: copy.of(one, name) for name, one in value.items()}
        if self.reads:
            result |= {name: traditional(value[name]) for name in _OURS if isinstance(value.get(name), str)}
            if value.get("lang", _HANS) == _HANS and not isinstance(value.get("start"), int):  # a span is of a book's words
                result |= _in_their_language(value)
            result |= _without_book(value)
        return result


def _is_by_language(value: Mapping[Any, object]) -> bool:
    return _HANS in value and _HANT not in value and all(name in LANGUAGES for name in value)


def _has_chinese_book(value: Mapping[str, Any]) -> bool:
    """Whether an edition, or the rules of a part of it, have the book's words in simplified Chinese."""
    edition, rules = value.get("edition"), value.get("rules")
    if isinstance(edition, Mapping):
        return any(text["lang"] == _HANS for text in edition["languages"])
    return isinstance(rules, list) and any(_HANS in rule["texts"] for rule in rules if "texts" in rule)


def _in_their_language(value: Mapping[str, Any]) -> dict[str, Any]:
    """A name or a statement in simplified Chinese."""
    traditional_names = {name: traditional(value[name]) for name in _NAMED if isinstance(value.get(name), str)}
    return traditional_names | {"lang": _HANT} if traditional_names and "lang" in value else traditional_names


def _without_book(value: Mapping[str, Any]) -> dict[str, Any]:
    """A rule, hit or claim without a book's words: its headings are ours too, and so is the text of a claim."""
    if value.get("lang") not in (_HANS, _HANT) or "heading" not in value:
        return {}
    if "texts" in value:
        headings = value["headings"]
        if {_HANS, _HANT} & set(value["texts"]):
            return {}
        if value["texts"] or _HANS not in headings:
            return {"lang": _HANT}
        titles = [traditional(title) for title in headings[_HANS]]
        heading = titles if value["heading"] == headings[_HANS] else value["heading"]
        return {"lang": _HANT, "headings": {**headings, _HANT: titles}, "heading": heading}
    if value.get("authority", "") is not None:
        return {}
    text: dict[str, Any] = {"text": traditional(value["text"])} if value.get("text") else {}
    if quote := value.get("quote"):
        text["quote"] = {**quote, "text": traditional(quote["text"])}  # its span holds: no gloss changes its length
    return {"lang": _HANT, "heading": [traditional(title) for title in value["heading"]], **text}
