"""Competency questions: questions that the ontology must be able to answer, each a query with its expected answer.

`questions/SLUG.rq` begins with the question in three languages (`# en: …`), `questions/SLUG.tsv` is the answer from the shipped
concepts, claims and mappings. Run as a module it writes docs/questions.md:

    python -m ontology.checks.questions > docs/questions.md
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from corpus.address import PREFIXES
from corpus.errors import InputError

Table = tuple[tuple[str, ...], ...]
"""The names of the columns, then one tuple for each row; an unbound cell is empty."""
_HEADER = re.compile(r"^# (en|ja|zh): (.+)$", re.M)
_MAX_ROWS = 12
"""Maximum number of rows of an answer on the page; the file has all."""
_PAGE_OPENING = """\
# What the ontology answers

Each question is a SPARQL query in `ontology/data/questions/`, followed by the answer from the shipped concepts, claims and
mappings; the tests run all of them. Run a query, or a changed copy, with `rulestone sparql FILE`. The prefixes `concept:`,
`rule:` and `rs:` stand for the addresses of concepts, rules and the vocabulary. This page is written by
`python -m ontology.checks.questions > docs/questions.md`.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its query and the expected answer."""

    slug: str
    words: Mapping[str, str]  # en, ja, zh → the question
    query: str
    expected: Table


@cache
def questions() -> Sequence[Question]:
    """Every shipped question by slug. Raises InputError if one lacks a language or its answer."""
    folder = files("ontology").joinpath("data/questions")
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith((".rq", ".tsv"))}
    return [_parse_question(name.removesuffix(".rq"), texts) for name in sorted(texts) if name.endswith(".rq")]


def _parse_question(slug: str, texts: Mapping[str, str]) -> Question:
    query, answer = texts[f"{slug}.rq"], texts.get(f"{slug}.tsv", "")
    words = dict(_HEADER.findall(query))
    if set(words) != {"en", "ja", "zh"} or not answer:
        raise InputError(
            "questions/{slug}.rq needs the question in en, ja and zh in its first lines, and {slug}.tsv beside it", slug=slug
        )
    return Question(slug, words, query, tuple(tuple(line.split("\t")) for line in answer.splitlines()))


def result_table(body: Any) -> Table:  # noqa: ANN401
    """SPARQL 1.1 JSON results as a table: addresses shortened by the prefixes of the mappings, literals bare."""
    names = body["head"]["vars"]
    rows = (tuple(_cell_text(row[name]["value"]) if name in row else "" for name in names) for row in body["results"]["bindings"])
    return (tuple(names), *rows)


def _cell_text(value: str) -> str:
    for prefix, iri in sorted(PREFIXES.items(), key=lambda prefix: -len(prefix[1])):
        if value.startswith(iri):
            return f"{prefix}:{value[len(iri) :]}"
    return value


def questions_page() -> str:
    """docs/questions.md."""
    return "\n".join([_PAGE_OPENING, *(line for question in questions() for line in _question_section(question))])


def _question_section(question: Question) -> Iterator[str]:
    header, *rows = question.expected
    yield from (f"## {question.words['en']}", "", question.words["ja"], "", question.words["zh"], "")
    yield f"Query: [{question.slug}.rq](../ontology/data/questions/{question.slug}.rq)"
    yield from ("", _table_row(header), _table_row(["---"] * len(header)), *map(_table_row, rows[:_MAX_ROWS]), "")
    if len(rows) > _MAX_ROWS:
        yield f"… and {len(rows) - _MAX_ROWS} more rows in [{question.slug}.tsv](../ontology/data/questions/{question.slug}.tsv)."
        yield ""


def _table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    sys.stdout.write(questions_page())
