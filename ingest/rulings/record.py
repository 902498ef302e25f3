"""Records: the data of one row by role."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus.address import slugify
from ingest.dates import is_day_first, parse_day
from ingest.rulings.fields import FieldRoles, Roles, texts_of_value
from ingest.rulings.rows import Row
from ingest.rulings.vocabulary import (
    language_named,
    linked_names,
    split_question_and_answer,
    without_language,
    without_mark,
    without_markup,
)

_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_CARD_SEPARATOR = re.compile(r"\s*[、;；|/／\n]\s*|\s*,\s+")
_PAGE_ID = re.compile(r"[?&#](?:[\w-]{1,20}=)?([\w-]{1,64})$|/([\w-]{1,64})/?$")
_LONGEST_NAME = 120
_MIN_FOREIGN_SHARE = 0.3
"""Share of Han and kana above which a text in an English file is not English."""


@dataclass(frozen=True, slots=True)
class Record:
    """One question and answer of a row, without markup and as given."""

    where: str
    id: str | None
    question: Mapping[str, str]
    answer: Mapping[str, str]
    markup: Mapping[str, Mapping[str, str]]  # question and answer → language → words with their markup, if any
    date: str | None
    cards: tuple[str, ...]
    card_ids: tuple[str, ...]
    source: str | None


class RulingReader:
    """Reads rows by role. `lang` is the default language."""

    def __init__(self, fit: FieldRoles, rows: Sequence[Row], lang: str | None, file_language: str) -> None:
        self._roles: Roles = fit.roles
        self._lang = lang
        self._usual = lang or file_language
        dates = (value for row in rows for value in self._values_of_role(row, "date"))
        self._day_first = is_day_first(dates)

    def records(self, rows: Sequence[Row]) -> Iterator[Record]:
        """The record of each row that has an answer."""
        for row in rows:
            record = self._record(row)
            if record.answer:
                yield record

    def _record(self, row: Row) -> Record:
        questions, answers = self._texts(row, "question"), self._texts(row, "answer")
        question: dict[str, str] = {}
        answer: dict[str, str] = {}
        marked_up: dict[str, dict[str, str]] = {"question": {}, "answer": {}}
        for lang, words in answers.items():
            first, other = (
                (None, words) if lang in questions or not (two := split_question_and_answer(without_markup(words))) else two
            )
            if first:
                question[lang] = without_mark(without_markup(first), "question")
            if plain := without_mark(without_markup(other), "answer"):
                answer[lang] = plain
                marked_up["answer"] |= {lang: words} if _has_other_words(words, plain) else {}
        for lang, words in questions.items():
            if plain := without_mark(without_markup(words), "question"):
                question[lang] = plain
                marked_up["question"] |= {lang: words} if _has_other_words(words, plain) else {}
        dates = (date for value in self._values_of_role(row, "date") if (date := parse_day(value, day_first=self._day_first)))
        names = [
            *self._card_names(row, "cards"),
            *(name for words in (*questions.values(), *answers.values()) for name in linked_names(words)),
        ]
        return Record(
            where=row.where,
            id=_id_of_value(next(iter(self._values_of_role(row, "id")), "")),
            question=question,
            answer=answer,
            markup={part: words for part, words in marked_up.items() if words},
            date=next(dates, None),
            cards=tuple(dict.fromkeys(without_markup(name) for name in names if without_markup(name))),
            card_ids=tuple(dict.fromkeys(self._card_names(row, "card_ids"))),
            source=_source(next(iter(self._values_of_role(row, "source")), "")),
        )

    def _values_of_role(self, row: Row, role: str) -> Iterator[str]:
        for name in self._roles.get(role, ()):
            yield from (value.strip() for value in texts_of_value(row.fields.get(name)))

    def _card_names(self, row: Row, role: str) -> list[str]:
        """Names of cards; a text of several short names is split."""
        names: list[str] = []
        for value in self._values_of_role(row, role):
            parts = [part.strip() for part in _CARD_SEPARATOR.split(value)] if len(value) > 1 else [value]
            names += parts if role == "cards" and len(parts) > 1 and _is_list(value, parts) else [value]
        return [name for name in names if name and len(name) <= _LONGEST_NAME]

    def _texts(self, row: Row, role: str) -> dict[str, str]:
        """Language → words."""
        by_lang: dict[str, str] = {}
        for name in self._roles.get(role, ()):
            words = "\n".join(texts_of_value(row.fields.get(name)))
            if words:
                by_lang.setdefault(without_language(name)[1] or self._language(row, words), words)
        return by_lang

    def _language(self, row: Row, words: str) -> str:
        if self._lang:
            return self._lang
        languages = (language_named(value) for value in self._values_of_role(row, "lang"))
        return next((lang for lang in languages if lang), None) or detect_language(words, self._usual)


def detect_language(words: str, default: str) -> str:
    """The language of some words in a file: another one than the file's only if their script shows it."""
    kana, han, latin = (len(script.findall(words)) for script in (_KANA, _HAN, _LATIN))
    if default == "en":
        if kana + han < _MIN_FOREIGN_SHARE * (kana + han + latin):
            return "en"
        return "ja" if kana else "zh-Hans"
    if latin > 20 * (kana + han):
        return "en"
    if default == "ja" and not kana and han > 12:
        return "zh-Hans"
    return "ja" if default != "ja" and kana > 0.2 * (kana + han) else default


def _is_list(value: str, parts: Sequence[str]) -> bool:
    """Whether a text lists names: separated by 、 or line breaks, all of them short."""
    sentences, comma = re.search(r"[。.!?！？]\s", value), re.fullmatch(r"[^、;；|\n]*,\s[^,]*", value)
    return not sentences and not comma and all(0 < len(part) <= 60 for part in parts)


def _has_other_words(original: str, plain: str) -> bool:
    """Whether more than spaces was removed."""
    return "".join(original.split()) != "".join(plain.split())


def _id_of_value(value: str) -> str | None:
    """An id in the form of an address; for a URL its last part."""
    words = value
    if "://" in value and (page := _PAGE_ID.search(value)):
        words = page[1] or page[2]
    plain = unicodedata.normalize("NFKC", words).strip().lstrip("#")
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", plain):
        return plain
    return slugify(plain)[:64] or None


def _source(value: str) -> str | None:
    short = re.sub("[^a-z0-9]+", "-", unicodedata.normalize("NFKC", value).lower()).strip("-")[:40]
    return short or None
