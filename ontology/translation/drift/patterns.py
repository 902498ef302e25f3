"""The patterns of drift in each language: operators, figures, punctuation (`ontology/data/drift/<language>.toml`)."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from corpus.errors import InputError
from corpus.languages import label_language
from ontology.translation.drift.finding import Span

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Operator:
    """A kind of word that determines the meaning of a rule, such as a negation.

    `asserts` matches words that a translation must render, `renders` words that render them. `counts` matches each single one, so
    that missing ones are detected; `restores` are words that may have been dropped by mistake.
    """

    asserts: Pattern
    renders: Pattern
    ignores: Sequence[str] = ()
    counts: Pattern | None = None
    restores: Sequence[str] = ()

    def counted_spans(self, text: str) -> list[Span]:
        """The spans of the operator in a text; empty if the language does not count it.

        For a pattern with groups, only matches of a group count; the rest of the pattern skips phrases.
        """
        if not self.counts:
            return []
        every = self.counts.groups == 0
        return [match.span(match.lastindex or 0) for match in self.counts.finditer(text) if every or match.lastindex]

    def asserted_spans(self, text: str) -> list[Span]:
        """The places of words that must be rendered."""
        return [match.span() for match in self.asserts.finditer(blank_phrases(text, self.ignores))]

    def is_rendered(self, text: str) -> bool:
        """Whether a text has words that render the operator."""
        return self.renders.search(text) is not None


@dataclass(frozen=True, slots=True)
class SurfacePatterns:
    """Punctuation of a language."""

    stops: str
    open: str
    close: str
    wrong: Sequence[Pattern]


@dataclass(frozen=True, slots=True)
class LanguagePatterns:
    """The patterns of a language."""

    script: Pattern
    alien: Pattern
    word: Pattern
    operators: Mapping[str, Operator]
    numbers: Mapping[str, Any]
    no_names: frozenset[str]
    no_terms: frozenset[str]
    idioms: Sequence[Pattern]
    forms: Mapping[str, Sequence[str]]
    pointers: str
    surface: SurfacePatterns


@cache
def language_patterns(lang: str) -> LanguagePatterns:
    """The patterns of a language. Raises InputError for a language without patterns."""
    file = files("ontology").joinpath("data", "drift", f"{label_language(lang)}.toml")
    if not file.is_file():
        raise InputError("{given!r} is not a supported language; expected ja, zh (= zh-Hans), zh-Hant or en", given=lang)
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    signs, terms = rows["surface"], rows.get("terms", {})
    return LanguagePatterns(
        script=re.compile(rows["script"]),
        alien=re.compile(rows["alien"]),
        word=re.compile(rows["word"]),
        operators={name: _operator(row) for name, row in rows["operators"].items()},
        numbers=rows["numbers"],
        no_names=frozenset(rows.get("names", {}).get("no", ())),
        no_terms=frozenset(terms.get("no", ())),
        idioms=[re.compile(idiom, re.IGNORECASE) for idiom in terms.get("idioms", ())],
        forms=terms.get("forms", {}),
        pointers=terms.get("pointers", ""),
        surface=SurfacePatterns(signs["stops"], signs["open"], signs["close"], [re.compile(pattern) for pattern in signs["wrong"]]),
    )


def _operator(row: Mapping[str, Any]) -> Operator:
    counts = re.compile(row["counts"], re.IGNORECASE) if "counts" in row else None
    return Operator(
        re.compile(row["asserts"], re.IGNORECASE),
        re.compile(row["renders"], re.IGNORECASE),
        row.get("ignores", ()),
        counts,
        row.get("restores", ()),
    )


def blank_phrases(text: str, phrases: Sequence[str]) -> str:
    """The text with some phrases blanked out, of the same length."""
    for phrase in phrases:
        if phrase in text:
            text = text.replace(phrase, " " * len(phrase))
    return text


def blank_spans(text: str, spans: Sequence[Span]) -> str:
    """The text with some spans blanked out, of the same length."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
