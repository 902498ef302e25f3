"""Which field of a record is what: told by how its values fit, then by its name."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ingest.rulings.measure import Measure, measured, texts
from ingest.rulings.rows import Row
from ingest.rulings.schema import Shape, named, parts, schema, without_language

_TEXT = 10
"""Characters on average from which on values are texts, not names or codes."""
_CARDS = 20
"""Rulings of one card on average, beyond which a name on the way to them is that of a chapter."""
_LEAST, _BESIDE = 0.55, 0.2
"""What a question must fit, of 2, or an answer without one; and an answer beside a question."""
_TELLS = 0.8
"""Values of an id for each different record, at least."""
_ALONE = 0.98
"""Share of different values from which on each record has one of its own."""
_THERE = 0.05
"""Share of the rows that must have a field."""
_TRAIL = ("@1", "@2", "@3", "@4")
Roles = Mapping[str, tuple[str, ...]]
"""Role → the fields that have it, the best first: of question and answer one for each language, of others one or none."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What the fields of some rows were told to be, and how well that fits."""

    roles: Roles
    score: float
    shape: Shape | None = None  # a known one


def fit(rows: Sequence[Row]) -> Fit:
    """The roles of the fields of some rows; a score of 0 where none of them is an answer."""
    names = list(dict.fromkeys(name for row in rows for name in row.fields))
    measures = {name: measured(rows, name) for name in names}
    known = _known(measures)
    told: dict[str, tuple[str, ...]] = {role: (name,) for role, name in (known.map if known else {}).items() if name in measures}
    question, answer, score = _of_texts(measures, told)
    if not answer:
        return Fit({}, 0.0)
    roles: dict[str, tuple[str, ...]] = {"question": question, "answer": answer}
    taken = {*question, *answer, *(name for names_ in told.values() for name in names_)}
    for role in ("date", "lang", "source", "id", "cards", "card_ids"):
        fits = (
            measures
            if role != "id"
            else {name: one for name, one in measures.items() if _tells_apart(name, rows, (*question, *answer))}
        )
        chosen = told.get(role) or _one(role, fits, taken, rows)
        if chosen:
            roles[role] = chosen
            taken |= set(chosen)
    return Fit(roles, score, known)


def _known(measures: Mapping[str, Measure]) -> Shape | None:
    return next((shape for shape in schema().shapes if set(shape.has) <= set(measures)), None)


def _of_texts(
    measures: Mapping[str, Measure], told: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[str, ...], tuple[str, ...], float]:
    """The fields with questions and those with answers, one for each language, and how well they fit."""
    own = {name: one for name, one in measures.items() if name[0] not in "^@" and one.filled >= _THERE}
    asked = {name: _asking(name, one) for name, one in own.items()}
    told_ = {name: _telling(name, one) for name, one in own.items()}
    if told.get("answer"):
        question = told.get("question", ())
        return question, told["answer"], 2 * (asked[question[0]] if question else 0.5) + told_[told["answer"][0]] + 1
    pairs = [(asked[one] + told_[other], one, other) for one in own for other in own if one != other and asked[one] >= _LEAST]
    pair = max((found for found in pairs if told_[found[2]] >= _BESIDE), default=None)
    if pair is not None:
        return _versions(pair[1], own, asked), _versions(pair[2], own, told_, _versions(pair[1], own, asked)), pair[0]
    alone = max(((score, name) for name, score in told_.items()), default=(0.0, ""))
    return ((), _versions(alone[1], own, told_), alone[0] / 2) if alone[0] >= _LEAST else ((), (), 0.0)


def _versions(best: str, own: Mapping[str, Measure], scores: Mapping[str, float], but: tuple[str, ...] = ()) -> tuple[str, ...]:
    """A field and those that are the same in other languages: question_ja, question_en."""
    base, lang = without_language(best)
    if lang is None:
        return (best,)
    return tuple(
        sorted(
            (name for name in own if without_language(name)[0] == base and without_language(name)[1] and name not in but),
            key=lambda name: -scores[name],
        )
    )


def _asking(name: str, one: Measure) -> float:
    """How well a field fits a question, 0 to 2 and a little more."""
    if one.length < _TEXT or one.dates > 0.5 or one.urls > 0.5:
        return 0.0
    return 0.8 * max(one.asks, one.marked_question) + 0.2 * one.distinct + named("question", name)


def _telling(name: str, one: Measure) -> float:
    """How well a field fits an answer; short ones (`Yes.`) are told by their name."""
    sure = named("answer", name)
    if one.dates > 0.5 or one.urls > 0.5 or one.languages > 0.5 or (one.length < _TEXT and sure < 0.5):
        return 0.0
    prose = min(1.0, one.length / 60) * (0.4 + 0.6 * max(one.sentences, one.marked_answer)) * (1 - 0.7 * one.asks)
    return 0.5 * prose + 0.5 * min(one.distinct * 2, 1.0) * prose + 0.3 * one.both + sure


def _one(role: str, measures: Mapping[str, Measure], taken: Iterable[str], rows: Sequence[Row]) -> tuple[str, ...]:
    scores = {name: _SCORES[role](name, one, rows) for name, one in measures.items() if name not in set(taken)}
    best = max(scores, key=lambda name: (scores[name], -list(scores).index(name)), default="")
    return (best,) if best and scores[best] > 0 else ()


def _tells_apart(name: str, rows: Sequence[Row], said: Sequence[str]) -> bool:
    """Whether a field has about as many values as there are different records: no card's number has."""
    values = {texts(row.fields.get(name)) for row in rows}
    return len(values) >= _TELLS * len({tuple(row.fields.get(one) for one in said) for row in rows})


def _near(name: str) -> float:
    """Of two that fit alike, a record's own field comes before one around it."""
    return {"^": -0.2, "@": -0.3}.get(name[0], 0.0)


def _date(name: str, one: Measure, _: Sequence[Row]) -> float:
    if one.dates < 0.8 or schema().never["date"] & set(parts(name)):
        return 0.0
    sure = named("date", name)
    return sure + 0.3 + _near(name) if sure or name[0] not in "^@" or name == "@1" else 0.0


def _lang(name: str, one: Measure, _: Sequence[Row]) -> float:
    return named("lang", name) + 0.4 + _near(name) if one.languages >= 0.9 and one.filled > 0.5 else 0.0


def _source(name: str, one: Measure, rows: Sequence[Row]) -> float:
    few = one.distinct * len(rows) * one.filled <= 20 and one.length <= 60 and one.urls < 0.5
    return named("source", name) if few else 0.0


def _is_name(name: str, one: Measure) -> bool:
    return one.dates < 0.5 and one.languages < 0.5 and one.urls < 0.5 and 0 < one.length < 160 and one.asks < 0.3


def _cards(name: str, one: Measure, rows: Sequence[Row]) -> float:
    sure = named("cards", name)
    if not _is_name(name, one) or (name[0] != "@" and sure <= named("card_ids", name)):
        return 0.0
    if name[0] != "@":
        return sure + 0.2 if name[0] == "^" or "card" in name.lower() or not name.isascii() else sure - 0.5
    return (
        0.1 + _near(name) / 10 + 0.3
        if _is_told_of_cards(name, one, rows) and not (one.tokens >= 0.9 and _is_numbered(name, rows))
        else 0.0
    )


def _card_ids(name: str, one: Measure, rows: Sequence[Row]) -> float:
    if not _is_name(name, one) or one.tokens < 0.9:
        return 0.0
    if name[0] == "@":
        return 0.4 + _near(name) / 10 if _is_told_of_cards(name, one, rows) and _is_numbered(name, rows) else 0.0
    sure = named("card_ids", name)
    told = name[0] == "^" or "card" in name.lower() or not name.isascii() or _is_code(name, rows)
    return sure + 0.2 if sure and told else 0.0


def _is_numbered(name: str, rows: Sequence[Row]) -> bool:
    """Whether most values of a field have a digit in them: they are numbers, no names."""
    there = [one for row in rows for one in texts(row.fields.get(name))]
    return sum(bool(re.search(r"\d", one)) for one in there) > 0.8 * len(there)


def _is_code(name: str, rows: Sequence[Row]) -> bool:
    """Whether the values of a field are codes with letters and digits: FR-001."""
    return all(re.search("[A-Za-z]", one) and re.search(r"\d", one) for row in rows for one in texts(row.fields.get(name)))


def _is_told_of_cards(name: str, one: Measure, rows: Sequence[Row]) -> bool:
    """Whether what leads to the rows are cards: many of them, each with a few rulings."""
    if one.distinct * len(rows) < 2 or 1 / one.distinct > _CARDS:
        return False
    return any(not re.fullmatch("[a-z_]+", key) for row in rows for key in texts(row.fields.get(name)))


def _id(name: str, one: Measure, rows: Sequence[Row]) -> float:
    if one.filled < 0.9 or (one.tokens < 0.9 and one.urls < 0.9) or one.dates > 0.5:
        return 0.0
    sure = named("id", name)
    if name[0] == "^":
        return sure - 0.3 if one.distinct > _ALONE else 0.0
    if name[0] == "@":
        return 0.2 if name == "@1" and all(row.where.endswith(f"[{row.fields.get(name)}]") for row in rows) else 0.0
    return sure + 0.3 if sure else (0.25 if one.distinct > _ALONE and one.length < 40 else 0.0)


_SCORES = {"date": _date, "lang": _lang, "source": _source, "cards": _cards, "card_ids": _card_ids, "id": _id}
