"""A seeded sample of what ships beside its rules, for a judge: `python -m bench.agreement.sample --seed 2014`.

Each row is shown as it ships, in every language, followed by the complete text of its rules. With `--judged` the verdicts on
earlier samples are counted instead; they are in `judged.tsv`, which contains no rule text.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.agreement import draw
from bench.digest import sample as of_glosses
from bench.digest.glossed import Nodes, all_nodes
from bench.measure import table_rows
from corpus.address import EditionKey, concept_name, rule_iri, split_rule
from corpus.digest import Digest, Gloss, digests
from corpus.model import Node
from ontology import keywords, shipped, sssom
from ontology.concepts.claims import Claim, claims_in
from ontology.topics import Topic, TopicCell, topics

JUDGED_FILE = Path(__file__).with_name("judged.tsv")
SIZES = {"claim": 150, "mapping": 100, "counterpart": 100, "topic": 120, "gloss": 300, "label": 200}
"""Kind → rows of a sample. The claims are about zones, because topics are a separate kind; the labels are those of keywords."""
LANGUAGES = ("en", "ja", "zh-Hans")


@dataclass(frozen=True, slots=True)
class Row:
    """An item to judge: its name in the verdicts, its text line by line, and the IRIs of its rules."""

    name: str
    lines: tuple[str, ...]
    rules: tuple[str, ...]


def main() -> int:
    """Prints the sample, or the verdicts on earlier samples; returns 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--kind", choices=SIZES, action="append", help="rows of this kind alone; may be given again")
    parser.add_argument("--rows", type=int, help="rows of each kind")
    parser.add_argument("--judged", action="store_true", help="count the verdicts instead")
    options = parser.parse_args()
    if options.judged:
        print("\n".join(_print_counts()))
        return 0
    beside = all_nodes()
    sizes = {kind: options.rows or SIZES[kind] for kind in options.kind or SIZES}
    for kind, rows in draw_sample(options.seed, sizes).items():
        for number, row in enumerate(rows, 1):
            lines = (f"@ {kind} {number} {row.name}", *row.lines, *_wordings(row.rules, beside))
            print("\n  ".join(lines), end="\n\n")
    return 0


def draw_sample(seed: int, sizes: Mapping[str, int] = SIZES) -> dict[str, list[Row]]:
    """Kind → rows, drawn without replacement from all shipped rows that are valid today; each kind is drawn independently."""
    return {kind: _draw_rows(kind, size, random.Random(f"{seed} {kind}"), seed) for kind, size in sizes.items()}


def _draw_rows(kind: str, size: int, rng: random.Random, seed: int) -> list[Row]:
    if kind == "gloss":
        return [_gloss(*row) for row in of_glosses.draw_sample(of_glosses.by_book(digests(all_games=True)), size, seed)]
    if kind == "claim":
        valid_claims = [claim for claim in claims_in(draw.shipped_store_once()) if claim.status in ("accepted", "disputed")]
        return [_claim(row) for row in rng.sample([claim for claim in valid_claims if claim.property not in draw.TOPICS], size)]
    if kind == "label":
        return [_label(*row) for row in rng.sample(list(_labels()), size)]
    if kind == "topic":
        return [_answer(*row) for row in rng.sample([(topic, cell) for topic in topics() for cell in topic.cells], size)]
    return [_mapping(row) for row in rng.sample([*shipped.shipped_mappings(f"{kind}s")], size)]


def _claim(claim: Claim) -> Row:
    lines = (
        f"{concept_name(claim.concept)} {claim.property} = {claim.value} [{claim.status}]",
        *_first_language(claim.labels),
        *_first_language(claim.notes, "note "),
        *(f"quotes {' '.join(map(str, split_rule(support.rule)))}: {support.quote}" for support in claim.supports),
    )
    return Row(claim.iri.rpartition("/")[2], lines, tuple(support.rule for support in claim.supports))


def _mapping(row: sssom.MappingRow) -> Row:
    name = f"{row['subject_id']} {row['object_id']} {row['object_source']}".rstrip()
    comments = {"en": row["comment"], "ja": row["comment_ja"], "zh-Hans": row["comment_zh"]}
    lines = (
        f"{row['subject_label']} | {draw.predicate_of(row)} | {row['object_label']} [{row['confidence']}]",
        *_first_language(comments),
    )
    columns = ("subject_rule", "object_rule") if row["subject_rule"] else ("subject_id", "object_id")
    return Row(name, lines, tuple(sssom.expand_curie(row[column]) for column in columns if row[column].startswith("rule:")))


def _answer(topic: Topic, cell: TopicCell) -> Row:
    lines = (
        *_first_language(topic.asks, "asks "),
        f"{'this rule answers' if cell.found else 'no rule answers, this one is nearest'} [{cell.sure}]: {cell.quote}",
        *_first_language(cell.says, "says "),
        *_first_language(cell.label, "called "),
        *_first_language(topic.differs, "differs "),
    )
    return Row(f"{topic.slug}.{cell.game}", lines, (cell.rule,))


def _gloss(digest: Digest, gloss: Gloss) -> Row:
    question_lines = {lang: " | ".join(questions) for lang, questions in gloss.questions.items()}
    lines = (*_first_language(gloss.words), *_first_language(gloss.example, "example "), *_first_language(question_lines, "asked "))
    return Row(f"{digest.key} {gloss.locator}", lines, (rule_iri(digest.key, gloss.locator),))


def _labels() -> Iterator[tuple[keywords.Keyword, str, keywords.KeywordName]]:
    """Every name of a keyword with its language."""
    return ((word, lang, name) for word in keywords.keywords() for lang, names in word.names.items() for name in names)


def _label(word: keywords.Keyword, lang: str, name: keywords.KeywordName) -> Row:
    others = {other: "; ".join(own.text for own in names) for other, names in word.names.items()}
    lines = (
        f"{lang}: {name.text} [{'slang, ' if name.slang else ''}{name.source}]",
        *_first_language(others, "names "),
        *_first_language(word.definition, "definition "),
    )
    return Row(f"{concept_name(word.concept)} {lang} {name.text}", lines, (word.rule,) if word.rule else ())


def _first_language(words: Mapping[str, str], prefix: str = "") -> list[str]:
    return [f"{prefix}{lang}: {words[lang]}" for lang in LANGUAGES if words.get(lang)]


def _wordings(rules: Sequence[str], loaded_nodes: Nodes) -> Iterator[str]:
    """The words of some rules, each wording once, with the examples and notes below it."""
    texts: set[str] = set()
    for key, locator in map(split_rule, dict.fromkeys(rules)):
        node = _node(key, locator, loaded_nodes)
        if node is None:
            yield f"rule {key} {locator}: not loaded"
        elif node.text not in texts:
            texts.add(node.text)
            yield f"rule {key} {locator}: {' '.join(node.text.split())}"
            yield from (f"  {' '.join(aside.text.split())}" for aside in (*node.examples, *node.notes))


def _node(key: EditionKey, locator: str, loaded_nodes: Nodes) -> Node | None:
    """The rule in the language from which its gloss was written, else in any loaded language."""
    langs = sorted((lang for other, lang in loaded_nodes if other == key), key=lambda lang: lang != _languages().get(key))
    return next((loaded_nodes[key, lang][locator] for lang in langs if locator in loaded_nodes[key, lang]), None)


@cache
def _languages() -> dict[EditionKey, str]:
    return {digest.key: digest.lang for digest in digests(all_games=True)}


def _print_counts() -> Iterator[str]:
    rows = table_rows(JUDGED_FILE)
    for (seed, kind), size in sorted(Counter((row["seed"], row["kind"]) for row in rows).items()):
        verdicts = Counter(row["verdict"] for row in rows if (row["seed"], row["kind"]) == (seed, kind))
        shares = ", ".join(f"{name} {verdicts[name]} ({verdicts[name] / size:.1%})" for name in ("right", "debatable", "wrong"))
        yield f"seed {seed}, {kind}s: {size} judged, {shares}"


if __name__ == "__main__":
    sys.exit(main())
