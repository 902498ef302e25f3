"""Recognises the roles of the fields of records, by their values and names."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ingest.dates import parse_day
from ingest.rulings.rows import RepeatedNames, Row, Value
from ingest.rulings.vocabulary import (
    Shape,
    has_mark,
    language_named,
    name_parts,
    role_certainty,
    schema,
    split_question_and_answer,
    without_language,
)

_SAMPLE_SIZE = 400
"""Number of values that are examined."""
_QUESTION_END = re.compile(r"[?？][」』）)\"'\s]*$|[?？]\s*<|(?:ですか|ますか|せんか|でしょうか|[吗嗎呢])[。.」]?\s*$")
_SENTENCE = re.compile(r"[。.!！?？」)）>]\s*$")
_TOKEN = re.compile(r"\S{1,64}")
_URL = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class FieldMeasure:
    """Statistics of a field; shares refer to existing values, `filled` to the rows."""

    filled: float
    length: float  # mean, in characters; a Han character or kana counts twice
    asks: float  # share that ends like a question
    sentences: float  # share that ends like a sentence
    distinct: float
    dates: float
    tokens: float  # share without spaces, at most 64 characters
    languages: float
    urls: float
    marked_question: float  # share with a question mark label before it
    marked_answer: float
    both: float  # share with a question and its answer in one text


def texts_of_value(value: Value | None) -> tuple[str, ...]:
    """The texts of a value."""
    if value is None or isinstance(value, str):
        return (value,) if value and value.strip() else ()
    return type(value)(item for item in value if item.strip())


def measure_field(rows: Sequence[Row], name: str) -> FieldMeasure:
    """The statistics of a field's values."""
    there = [values for row in rows if (values := texts_of_value(row.fields.get(name)))]
    there = [values[:1] if isinstance(values, RepeatedNames) else values for values in there]  # repeated names are an error
    step = max(1, len(there) // _SAMPLE_SIZE)
    sample = ["\n".join(values) for values in there[::step]]
    return FieldMeasure(
        filled=len(there) / max(1, len(rows)),
        length=sum(len(words) + sum(character > "\u2e80" for character in words) for words in sample) / max(1, len(sample)),
        asks=_share(sample, lambda words: bool(_QUESTION_END.search(words))),
        sentences=_share(sample, lambda words: bool(_SENTENCE.search(words))),
        distinct=len(set(there)) / max(1, len(there)),
        dates=_share(sample, lambda words: parse_day(words) is not None),
        tokens=_share(sample, lambda words: bool(_TOKEN.fullmatch(words))),
        languages=_share(sample, lambda words: language_named(words) is not None),
        urls=_share(sample, lambda words: bool(_URL.fullmatch(words))),
        marked_question=_share(sample, lambda words: has_mark(words, "question")),
        marked_answer=_share(sample, lambda words: has_mark(words, "answer")),
        both=_share(sample, lambda words: split_question_and_answer(words) is not None),
    )


def _share(values: Sequence[str], holds: Callable[[str], bool]) -> float:
    return sum(bool(holds(value)) for value in values) / len(values) if values else 0.0


_MIN_TEXT_LENGTH = 10
"""Mean length in characters from which values are texts, not names or codes."""
_MAX_CARD_NAMES = 20
"""Mean number of rulings of one card; above it, a key above the rulings is a chapter."""
_MIN, _BESIDE = 0.55, 0.2
"""Minimum fit (of 2) of a question or of an answer alone, and of an answer beside a question."""
_MIN_IDS = 0.8
"""Minimum number of distinct ids for each distinct record."""
_MIN_DISTINCT = 0.98
"""Share of distinct values above which each record has its own."""
_MIN_PRESENT = 0.05
"""Share of the rows that must have a field."""
_DEPTH_SUFFIXES = ("@1", "@2", "@3", "@4")
Roles = Mapping[str, tuple[str, ...]]
"""Role → the fields that have it, the best first: for question and answer one for each language, for others at most one."""


@dataclass(frozen=True, slots=True)
class FieldRoles:
    """The recognised roles of fields, and their fit."""

    roles: Roles
    score: float
    shape: Shape | None = None  # a known one


def fit_roles(rows: Sequence[Row]) -> FieldRoles:
    """The roles of the fields of some rows; the score is 0 if there is no answer."""
    names = list(dict.fromkeys(name for row in rows for name in row.fields))
    measures = {name: measure_field(rows, name) for name in names}
    shape_of_rows = next((shape for shape in schema().shapes if set(shape.has) <= set(measures)), None)
    by_shape: dict[str, tuple[str, ...]] = {
        role: (name,) for role, name in (shape_of_rows.map if shape_of_rows else {}).items() if name in measures
    }
    question, answer, score = _text_fields(measures, by_shape)
    if not answer:
        return FieldRoles({}, 0.0)
    roles: dict[str, tuple[str, ...]] = {"question": question, "answer": answer}
    used_names = {*question, *answer, *(name for names_ in by_shape.values() for name in names_)}
    for role in ("date", "lang", "source", "id", "cards", "card_ids"):
        fits = measures
        if role == "id":
            fits = {name: fit for name, fit in measures.items() if _identifies_records(name, rows, (*question, *answer))}
        fields = by_shape.get(role) or _best_field(role, fits, used_names, rows)
        if fields:
            roles[role] = fields
            used_names |= set(fields)
    return FieldRoles(roles, score, shape_of_rows)


def _text_fields(
    measures: Mapping[str, FieldMeasure], known_roles: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[str, ...], tuple[str, ...], float]:
    """The fields with questions and those with answers, one for each language, and how well they fit."""
    own = {name: measure for name, measure in measures.items() if name[0] not in "^@" and measure.filled >= _MIN_PRESENT}
    question_fits = {name: _question_fit(name, measure) for name, measure in own.items()}
    answer_fits = {name: _answer_fit(name, measure) for name, measure in own.items()}
    if known_roles.get("answer"):
        question = known_roles.get("question", ())
        return (
            question,
            known_roles["answer"],
            2 * (question_fits[question[0]] if question else 0.5) + answer_fits[known_roles["answer"][0]] + 1,
        )
    pairs = [
        (question_fits[name] + answer_fits[other], name, other)
        for name in own
        for other in own
        if name != other and question_fits[name] >= _MIN
    ]
    pair = max((candidate for candidate in pairs if answer_fits[candidate[2]] >= _BESIDE), default=None)
    if pair is not None:
        question = _language_variants(pair[1], own, question_fits)
        return question, _language_variants(pair[2], own, answer_fits, question), pair[0]
    alone = max(((score, name) for name, score in answer_fits.items()), default=(0.0, ""))
    return ((), _language_variants(alone[1], own, answer_fits), alone[0] / 2) if alone[0] >= _MIN else ((), (), 0.0)


def _language_variants(
    best: str, own_measures: Mapping[str, FieldMeasure], scores: Mapping[str, float], others: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """A field and its counterparts in other languages: question_ja, question_en."""
    base, lang = without_language(best)
    if lang is None:
        return (best,)
    parts = ((name, *without_language(name)) for name in own_measures)
    variants = [name for name, other, lang in parts if other == base and lang and name not in others]
    return tuple(sorted(variants, key=lambda name: -scores[name]))


def _question_fit(name: str, measure: FieldMeasure) -> float:
    """How well a field fits a question, from 0 to slightly above 2."""
    if measure.length < _MIN_TEXT_LENGTH or measure.dates > 0.5 or measure.urls > 0.5:
        return 0.0
    return 0.8 * max(measure.asks, measure.marked_question) + 0.2 * measure.distinct + role_certainty("question", name)


def _answer_fit(name: str, measure: FieldMeasure) -> float:
    """How well a field fits an answer; short ones (`Yes.`) are recognised by their name."""
    sure = role_certainty("answer", name)
    if measure.dates > 0.5 or measure.urls > 0.5 or measure.languages > 0.5 or (measure.length < _MIN_TEXT_LENGTH and sure < 0.5):
        return 0.0
    prose = min(1.0, measure.length / 60) * (0.4 + 0.6 * max(measure.sentences, measure.marked_answer)) * (1 - 0.7 * measure.asks)
    return 0.5 * prose + 0.5 * min(measure.distinct * 2, 1.0) * prose + 0.3 * measure.both + sure


def _best_field(role: str, measures: Mapping[str, FieldMeasure], used_names: Iterable[str], rows: Sequence[Row]) -> tuple[str, ...]:
    scores = {name: _FIT_FUNCTIONS[role](name, measure, rows) for name, measure in measures.items() if name not in set(used_names)}
    best = max(scores, key=lambda name: (scores[name], -list(scores).index(name)), default="")
    return (best,) if best and scores[best] > 0 else ()


def _identifies_records(name: str, rows: Sequence[Row], known_values: Sequence[str]) -> bool:
    """Whether a field has about as many values as there are distinct records, unlike a card's number."""
    values = {texts_of_value(row.fields.get(name)) for row in rows}
    return len(values) >= _MIN_IDS * len({tuple(row.fields.get(field) for field in known_values) for row in rows})


def _nesting_order(name: str) -> float:
    """Sort key: of equal fits, a record's own field precedes that of an enclosing object."""
    return {"^": -0.2, "@": -0.3}.get(name[0], 0.0)


def _date_fit(name: str, measure: FieldMeasure, _: Sequence[Row]) -> float:
    if measure.dates < 0.8 or schema().never["date"] & set(name_parts(name)):
        return 0.0
    sure = role_certainty("date", name)
    return sure + 0.3 + _nesting_order(name) if sure or name[0] not in "^@" or name == "@1" else 0.0


def _lang_fit(name: str, measure: FieldMeasure, _: Sequence[Row]) -> float:
    return role_certainty("lang", name) + 0.4 + _nesting_order(name) if measure.languages >= 0.9 and measure.filled > 0.5 else 0.0


def _source_fit(name: str, measure: FieldMeasure, rows: Sequence[Row]) -> float:
    few = measure.distinct * len(rows) * measure.filled <= 20 and measure.length <= 60 and measure.urls < 0.5
    return role_certainty("source", name) if few else 0.0


def _is_name(name: str, measure: FieldMeasure) -> bool:
    other = max(measure.dates, measure.languages, measure.urls)
    return other < 0.5 and 0 < measure.length < 160 and measure.asks < 0.3


def _cards_fit(name: str, measure: FieldMeasure, rows: Sequence[Row]) -> float:
    sure = role_certainty("cards", name)
    if not _is_name(name, measure) or (name[0] != "@" and sure <= role_certainty("card_ids", name)):
        return 0.0
    if name[0] != "@":
        return sure + 0.2 if name[0] == "^" or "card" in name.lower() or not name.isascii() else sure - 0.5
    is_key = _is_card_key(name, measure, rows) and not (measure.tokens >= 0.9 and _is_running_number(name, rows))
    return 0.1 + _nesting_order(name) / 10 + 0.3 if is_key else 0.0


def _card_ids_fit(name: str, measure: FieldMeasure, rows: Sequence[Row]) -> float:
    if not _is_name(name, measure) or measure.tokens < 0.9:
        return 0.0
    if name[0] == "@":
        return 0.4 + _nesting_order(name) / 10 if _is_card_key(name, measure, rows) and _is_running_number(name, rows) else 0.0
    sure = role_certainty("card_ids", name)
    has_evidence = name[0] == "^" or "card" in name.lower() or not name.isascii() or _is_code(name, rows)
    return sure + 0.2 if sure and has_evidence else 0.0


def _is_running_number(name: str, rows: Sequence[Row]) -> bool:
    """Whether most values of a field contain a digit, unlike names."""
    there = [text for row in rows for text in texts_of_value(row.fields.get(name))]
    return sum(bool(re.search(r"\d", text)) for text in there) > 0.8 * len(there)


def _is_code(name: str, rows: Sequence[Row]) -> bool:
    """Whether the values of a field are codes with letters and digits: FR-001."""
    return all(
        re.search("[A-Za-z]", text) and re.search(r"\d", text) for row in rows for text in texts_of_value(row.fields.get(name))
    )


def _is_card_key(name: str, measure: FieldMeasure, rows: Sequence[Row]) -> bool:
    """Whether the keys above the rows are cards: many of them, each with a few rulings."""
    if measure.distinct * len(rows) < 2 or 1 / measure.distinct > _MAX_CARD_NAMES:
        return False
    return any(not re.fullmatch("[a-z_]+", key) for row in rows for key in texts_of_value(row.fields.get(name)))


def _id_fit(name: str, measure: FieldMeasure, rows: Sequence[Row]) -> float:
    if measure.filled < 0.9 or (measure.tokens < 0.9 and measure.urls < 0.9) or measure.dates > 0.5:
        return 0.0
    sure = role_certainty("id", name)
    if name[0] == "^":
        return sure - 0.3 if measure.distinct > _MIN_DISTINCT else 0.0
    if name[0] == "@":
        return 0.2 if name == "@1" and all(row.where.endswith(f"[{row.fields.get(name)}]") for row in rows) else 0.0
    return sure + 0.3 if sure else (0.25 if measure.distinct > _MIN_DISTINCT and measure.length < 40 else 0.0)


_FIT_FUNCTIONS = {
    "date": _date_fit,
    "lang": _lang_fit,
    "source": _source_fit,
    "cards": _cards_fit,
    "card_ids": _card_ids_fit,
    "id": _id_fit,
}
