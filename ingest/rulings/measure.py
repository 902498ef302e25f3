"""What the values of a field are like: how many there are, how long, how different, and what they could be."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ingest.rulings.dates import day
from ingest.rulings.rows import Doubled, Row, Value
from ingest.rulings.schema import language_named
from ingest.rulings.words import in_two, marked

_SAMPLE = 400
"""Values that are looked at."""
_ASKS = re.compile(r"[?？][」』）)\"'\s]*$|[?？]\s*<|(?:ですか|ますか|せんか|でしょうか|[吗嗎呢])[。.」]?\s*$")
_SENTENCE = re.compile(r"[。.!！?？」)）>]\s*$")
_TOKEN = re.compile(r"\S{1,64}")
_URL = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class Measure:
    """Shares are of the values that are there; `filled` is that of the rows."""

    filled: float
    length: float  # mean, in characters; a Han character or kana counts twice
    asks: float  # share that ends as a question does
    sentences: float  # share that ends as a sentence does
    distinct: float
    dates: float
    tokens: float  # share without spaces, at most 64 characters
    languages: float
    urls: float
    marked_question: float  # share with the mark of a question before it
    marked_answer: float
    both: float  # share with a question and its answer in one text


def texts(value: Value | None) -> tuple[str, ...]:
    """The texts of a value."""
    if value is None or isinstance(value, str):
        return (value,) if value and value.strip() else ()
    return type(value)(item for item in value if item.strip())


def measured(rows: Sequence[Row], name: str) -> Measure:
    """How the values of a field are."""
    there = [_once(values) for row in rows if (values := texts(row.fields.get(name)))]
    step = max(1, len(there) // _SAMPLE)
    sample = ["\n".join(values) for values in there[::step]]
    return Measure(
        filled=len(there) / max(1, len(rows)),
        length=sum(map(_length, sample)) / max(1, len(sample)),
        asks=_share(sample, lambda words: bool(_ASKS.search(words))),
        sentences=_share(sample, lambda words: bool(_SENTENCE.search(words))),
        distinct=len(set(there)) / max(1, len(there)),
        dates=_share(sample, lambda words: day(words) is not None),
        tokens=_share(sample, lambda words: bool(_TOKEN.fullmatch(words))),
        languages=_share(sample, lambda words: language_named(words) is not None),
        urls=_share(sample, lambda words: bool(_URL.fullmatch(words))),
        marked_question=_share(sample, lambda words: marked(words, "question")),
        marked_answer=_share(sample, lambda words: marked(words, "answer")),
        both=_share(sample, lambda words: in_two(words) is not None),
    )


def _once(values: tuple[str, ...]) -> tuple[str, ...]:
    """The first of several values that one name has: a slip of whoever wrote the file."""
    return values[:1] if isinstance(values, Doubled) else values


def _length(words: str) -> int:
    return len(words) + sum(character > "\u2e80" for character in words)


def _share(values: Sequence[str], holds: Callable[[str], bool]) -> float:
    return sum(bool(holds(value)) for value in values) / len(values) if values else 0.0
