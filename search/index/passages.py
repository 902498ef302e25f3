"""What of a rule is searched: its words in each language, what stands above it, our glosses, and the questions it answers."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.address import NS
from corpus.contract import RuleRecord
from corpus.languages import canonical
from ontology.knowledge import Knowledge
from search.index.field import Field

_TITLES = 2
_NUMBERED = re.compile(r"^[\d.\-]+\s+")
_LEAD = 120
"""Characters of the rule above that are searched with a rule."""


class Passage(NamedTuple):
    """Words in one language that lead to a rule."""

    rule: int  # place of the rule in the list
    field: Field
    lang: str
    text: str
    title: str = ""  # of the two headings above it, in its language


def full_text(record: RuleRecord, lang: str) -> str:
    """A rule's text in one language: its own sentences, then its examples and notes, each on a new line."""
    if lang not in record["texts"]:
        return ""
    beside = (aside["text"] for aside in (*record["examples"], *record["notes"]) if aside["lang"] == lang)
    return "\n".join((record["texts"][lang]["text"], *beside))


def asked(knowledge: Knowledge) -> dict[str, list[tuple[str, str]]]:
    """Rule → (language, question), sorted."""
    questions_of: dict[str, list[tuple[str, str]]] = {}
    rows = knowledge.store.select(
        f"SELECT ?rule ?words (LANG(?words) AS ?lang) WHERE {{ GRAPH ?g {{ ?rule <{NS}askedAs> ?words }} }}"
    )
    for row in rows:
        questions_of.setdefault(row["rule"], []).append((canonical(row["lang"]), row["words"]))
    return {rule: sorted(questions) for rule, questions in questions_of.items()}


def passages(
    place: int, record: RuleRecord, questions: Sequence[tuple[str, str]], parent: RuleRecord | None = None
) -> Iterator[Passage]:
    """The passages of one rule, in a stable order; `parent` is the rule it is a part of."""
    for lang in sorted(record["texts"]):
        yield Passage(place, Field.TEXT, lang, full_text(record, lang), _title(record, lang))
    for lang in sorted({*record["headings"], *record["headwords"]}):
        yield Passage(place, Field.CONTEXT, lang, _context(record, lang, parent))
    for lang, words in sorted(_gloss(record).items()):
        yield Passage(place, Field.GLOSS, lang, words, _title(record, lang))
    for lang, words in questions:
        yield Passage(place, Field.ASKED, lang, words)


def _title(record: RuleRecord, lang: str) -> str:
    """The two headings right above a rule, without their numbers."""
    return " › ".join(_NUMBERED.sub("", title) for title in record["headings"].get(lang, [])[-_TITLES:])


def _context(record: RuleRecord, lang: str, parent: RuleRecord | None) -> str:
    titles = record["headings"].get(lang, [])
    above = _lead(parent["texts"][lang]["text"]) if parent and lang in parent["texts"] and parent["kind"] == "rule" else ""
    return "\n".join(filter(None, (*titles, above, record["headwords"].get(lang, ""), record["number"] or "")))


def _lead(text: str) -> str:
    """The beginning of a rule, which often is its title: 702.19. Trample."""
    return text[:_LEAD].replace("\n", " ")


def _gloss(record: RuleRecord) -> dict[str, str]:
    """Our gloss with its example; that of another wording where there is none for these words."""
    if record["digest"]:
        return {
            lang: "\n".join(filter(None, (words, record["digest_example"].get(lang)))) for lang, words in record["digest"].items()
        }
    return dict(record["digest_other"]["texts"]) if record["digest_other"] else {}
