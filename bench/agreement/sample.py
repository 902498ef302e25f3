"""A seeded sample of what ships beside its rules, for a judge: `python -m bench.agreement.sample --seed 2014`.

Each row is shown as it ships, in every language, and below it the rules that it names, whole. With `--judged` the verdicts on
earlier samples are counted instead; they stand in `judged.tsv`, without a word of any rulebook.
"""

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.agreement import draw
from bench.digest import sample as of_glosses
from bench.digest.glossed import Nodes, loaded
from bench.measure import books, texts
from corpus.address import EditionKey, concept_name, rule_iri, split_rule
from corpus.digest import Digest, Gloss, digests
from corpus.model import Node
from ontology import keywords, shipped, sssom
from ontology.concepts.claims import Claim, claims_in
from ontology.topics import Cell, Topic, topics

JUDGED = Path(__file__).with_name("judged.tsv")
SIZES = {"claim": 150, "mapping": 100, "counterpart": 100, "topic": 120, "gloss": 300, "label": 200}
"""Kind → rows of a sample. The claims are those about zones: topics are drawn by themselves. The labels are those of keywords."""
LANGUAGES = ("en", "ja", "zh-Hans")


@dataclass(frozen=True, slots=True)
class Row:
    """An item to judge: its name in the verdicts, its text line by line, and the IRIs of its rules."""

    name: str
    said: tuple[str, ...]
    rules: tuple[str, ...]


def main() -> int:
    """Prints the sample, or what was judged of earlier ones; 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--kind", choices=SIZES, action="append", help="rows of this kind alone; may be given again")
    parser.add_argument("--rows", type=int, help="rows of each kind")
    parser.add_argument("--judged", action="store_true", help="count the verdicts instead")
    options = parser.parse_args()
    if options.judged:
        print("\n".join(_counted()))
        return 0
    beside = loaded([Path(name) for name in books(texts())])
    sizes = {kind: options.rows or SIZES[kind] for kind in options.kind or SIZES}
    for kind, rows in sample(options.seed, sizes).items():
        for number, row in enumerate(rows, 1):
            lines = (f"@ {kind} {number} {row.name}", *row.said, *_wordings(row.rules, beside))
            print("\n  ".join(lines), end="\n\n")
    return 0


def sample(seed: int, sizes: Mapping[str, int] = SIZES) -> dict[str, list[Row]]:
    """Kind → rows, drawn without replacement from all that ship and hold today; no kind changes what is drawn of another."""
    return {kind: _drawn(kind, size, random.Random(f"{seed} {kind}"), seed) for kind, size in sizes.items()}


def _drawn(kind: str, size: int, chance: random.Random, seed: int) -> list[Row]:
    if kind == "gloss":
        return [_gloss(*row) for row in of_glosses.sample(of_glosses.by_book(digests(every=True)), size, seed)]
    if kind == "claim":
        held = [claim for claim in claims_in(draw.store()) if claim.status in ("accepted", "disputed")]
        return [_claim(row) for row in chance.sample([claim for claim in held if claim.property not in draw.TOPICS], size)]
    if kind == "label":
        return [_label(*row) for row in chance.sample(list(_labels()), size)]
    if kind == "topic":
        return [_answer(*row) for row in chance.sample([(topic, cell) for topic in topics() for cell in topic.cells], size)]
    return [_mapping(row) for row in chance.sample([*shipped.mappings(f"{kind}s")], size)]


def _claim(claim: Claim) -> Row:
    said = (
        f"{concept_name(claim.concept)} {claim.property} = {claim.value} [{claim.status}]",
        *_in_languages(claim.labels),
        *_in_languages(claim.notes, "note "),
        *(f"quotes {' '.join(map(str, split_rule(support.rule)))}: {support.quote}" for support in claim.supports),
    )
    return Row(claim.iri.rpartition("/")[2], said, tuple(support.rule for support in claim.supports))


def _mapping(row: sssom.MappingRow) -> Row:
    name = f"{row['subject_id']} {row['object_id']} {row['object_source']}".rstrip()
    comments = {"en": row["comment"], "ja": row["comment_ja"], "zh-Hans": row["comment_zh"]}
    said = (
        f"{row['subject_label']} | {draw.predicate_of(row)} | {row['object_label']} [{row['confidence']}]",
        *_in_languages(comments),
    )
    columns = ("subject_rule", "object_rule") if row["subject_rule"] else ("subject_id", "object_id")
    return Row(name, said, tuple(sssom.expand(row[column]) for column in columns if row[column].startswith("rule:")))


def _answer(topic: Topic, cell: Cell) -> Row:
    said = (
        *_in_languages(topic.asks, "asks "),
        f"{'this rule answers' if cell.found else 'no rule answers, this one is nearest'} [{cell.sure}]: {cell.quote}",
        *_in_languages(cell.says, "says "),
        *_in_languages(cell.label, "called "),
        *_in_languages(topic.differs, "differs "),
    )
    return Row(f"{topic.slug}.{cell.game}", said, (cell.rule,))


def _gloss(digest: Digest, gloss: Gloss) -> Row:
    asked = {lang: " | ".join(questions) for lang, questions in gloss.asked.items()}
    said = (*_in_languages(gloss.words), *_in_languages(gloss.example, "example "), *_in_languages(asked, "asked "))
    return Row(f"{digest.key} {gloss.locator}", said, (rule_iri(digest.key, gloss.locator),))


def _labels() -> Iterator[tuple[keywords.Keyword, str, keywords.Name]]:
    """Every name of a keyword with its language."""
    return ((word, lang, name) for word in keywords.keywords() for lang, names in word.names.items() for name in names)


def _label(word: keywords.Keyword, lang: str, name: keywords.Name) -> Row:
    others = {other: "; ".join(own.text for own in names) for other, names in word.names.items()}
    said = (
        f"{lang}: {name.text} [{'slang, ' if name.slang else ''}{name.source}]",
        *_in_languages(others, "names "),
        *_in_languages(word.definition, "definition "),
    )
    return Row(f"{concept_name(word.concept)} {lang} {name.text}", said, (word.rule,) if word.rule else ())


def _in_languages(words: Mapping[str, str], prefix: str = "") -> list[str]:
    return [f"{prefix}{lang}: {words[lang]}" for lang in LANGUAGES if words.get(lang)]


def _wordings(rules: Sequence[str], beside: Nodes) -> Iterator[str]:
    """The words of some rules, each wording once, with the examples and notes below it."""
    shown: set[str] = set()
    for key, locator in map(split_rule, dict.fromkeys(rules)):
        node = _node(key, locator, beside)
        if node is None:
            yield f"rule {key} {locator}: not loaded"
        elif node.text not in shown:
            shown.add(node.text)
            yield f"rule {key} {locator}: {' '.join(node.text.split())}"
            yield from (f"  {' '.join(aside.text.split())}" for aside in (*node.examples, *node.notes))


def _node(key: EditionKey, locator: str, beside: Nodes) -> Node | None:
    """The rule in the language that its gloss was written from, else in any that is loaded."""
    langs = sorted((lang for other, lang in beside if other == key), key=lambda lang: lang != _languages().get(key))
    return next((beside[key, lang][locator] for lang in langs if locator in beside[key, lang]), None)


@cache
def _languages() -> dict[EditionKey, str]:
    return {digest.key: digest.lang for digest in digests(every=True)}


def _counted() -> Iterator[str]:
    with JUDGED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    for (seed, kind), size in sorted(Counter((row["seed"], row["kind"]) for row in rows).items()):
        verdicts = Counter(row["verdict"] for row in rows if (row["seed"], row["kind"]) == (seed, kind))
        shares = ", ".join(f"{name} {verdicts[name]} ({verdicts[name] / size:.1%})" for name in ("right", "debatable", "wrong"))
        yield f"seed {seed}, {kind}s: {size} judged, {shares}"


if __name__ == "__main__":
    sys.exit(main())
