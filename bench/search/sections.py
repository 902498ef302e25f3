"""The order of sections, and the fitting of its weights: `python -m bench.search.sections [--home HOME] [--write]`.

The questions are those of `bench.search.ranking`, the judges' questions among them again with their game, and questions about a
section as a whole, made of the gloss of its heading (What happens in the End Phase?): weights are fitted to the taught ones, the
figures are of the others. For each question: whether the section of a needed rule is first, in the first three and in the first
five, by the best rule of each section, by the sum of 1 / (rank + 3) of its rules, and by the weights. The loss is the cross-entropy
between the sections of needed rules and the softmax of their scores. `--write` writes `search/data/sections.toml`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bench.search.homes import home_parser, opened
from bench.search.ranking import Candidates, fitted, topics
from bench.search.runs import Group, Outcome, by, print_table
from bench.search.topics import BOOKS, JUDGES, MEASURE, TEACH, Topic
from corpus.address import rule_iri
from search.rank.sections import FILE, candidate_sections, section_features, weighted
from search.searcher import Request, Searcher

STRENGTH = 1.0
"""Inverse of the regularisation's strength, of standardised features; see `fitted`."""
MEASURES = {"Success@1": 1, "Success@3": 3, "Success@5": 5}
"""Measure → number of sections."""
Score = Callable[[Candidates], NDArray[np.float32]]
HEADINGS, WITH_GAME = "headings", "with game"
HEADING_FORMS = {
    "en": ("What happens in the {}?", "How does {} work?", "{}", "Tell me about {}"),
    "ja": ("{}では何をする？", "{}とは？", "{}", "{}の流れを教えて"),
    "zh-Hans": ("{}会做哪些事？", "{}是什么？", "{}", "{}怎么进行？"),
}
"""Forms of a question about the heading of a section, by language."""
HEADINGS_OF_GAME = 40
"""Number of headings of each game, about."""
TAUGHT_STEP = 12
"""One in this many headings is taught; every second one is kept for the figures."""


def extracted(searcher: Searcher) -> list[Candidates]:
    """The candidate sections of every topic that has any."""
    rules = searcher.index.rules
    current: dict[str, list[int]] = {}
    for rule in np.flatnonzero(rules.current).tolist():
        current.setdefault(f"{rules.editions[rule].game}:{rules.locators[rule]}", []).append(rule)
    every = (*topics(), *topics_with_game(), *heading_topics(searcher))
    return [case for topic in every if (case := _candidates(searcher, topic, current))]


def topics_with_game() -> Iterator[Topic]:
    """The judges' questions kept for the figures, each with its game, as a judge at a table of that game asks them."""
    for topic in topics():
        if topic.source == JUDGES and topic.half == MEASURE:
            yield replace(topic, ident=f"{topic.ident} {topic.game}", source=WITH_GAME, games=(topic.game,))


def heading_topics(searcher: Searcher) -> Iterator[Topic]:
    """Questions about the sections of each game, from the glosses of a sample of their headings; see TAUGHT_STEP."""
    index = searcher.index
    starts = np.flatnonzero(index.outline.section_starts & index.rules.current & index.rules.heading).tolist()
    for game in BOOKS:
        own = [rule for rule in starts if index.rules.editions[rule].game == game]
        iris = [
            rule_iri(index.rules.editions[rule], index.rules.locators[rule])
            for rule in own[:: max(1, len(own) // HEADINGS_OF_GAME)]
        ]
        records = searcher.knowledge.by_iri(iris)
        for nth, iri in enumerate(iris):
            if nth % 2 == 0 and nth % TAUGHT_STEP:
                continue
            half, glosses = MEASURE if nth % 2 else TEACH, records[iri]["digest"] or {}
            needs = (f"{game}:{records[iri]['locator']}",)
            for lang, forms in HEADING_FORMS.items():
                if heading := glosses.get(lang):
                    form = forms[nth // 2 % len(forms)]
                    yield Topic(f"{iri} {lang}", HEADINGS, lang, form.format(heading), half, game, (game,), needs)


def _candidates(searcher: Searcher, topic: Topic, current: Mapping[str, list[int]]) -> Candidates | None:
    """`current` maps a game and a locator to the current rules there."""
    request = Request(topic.query, topic.games)
    query = searcher.understand(request)
    sections = candidate_sections(searcher.index, searcher.rank(query, request))
    if not sections:
        return None
    roots = searcher.index.outline.section_root
    needed_roots = {int(roots[rule]) for need in topic.needs for rule in current.get(need, ())}
    is_needed = np.array([section.root in needed_roots for section in sections])
    return Candidates(topic, section_features(searcher.index, query, sections), is_needed)


def outcome(one: Candidates, score: Score) -> Outcome:
    """Whether the section of a needed rule is among the first 1, 3 and 5."""
    needed = one.needed[np.argsort(-score(one), kind="stable")]
    return Outcome(one.topic, {measure: float(needed[:depth].any()) for measure, depth in MEASURES.items()})


def groups(outcomes: Sequence[Outcome]) -> Iterator[Group]:
    """The outcomes of each kind of question, and those of each game."""
    for source, own in by(outcomes, lambda topic: topic.source):
        yield source, own
        yield from by(own, lambda topic: topic.game, "  {}")


def main() -> None:
    """Prints the figures, and writes the weights."""
    parser = home_parser(__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {FILE}")
    options = parser.parse_args()
    with opened(options.home) as library:
        every = extracted(library.searcher())
    examples = [one for one in every if one.topic.half == TEACH]
    weights = fitted(examples, list(examples[0].columns), STRENGTH)
    scores: Mapping[str, Score] = {
        "best rule": lambda one: one.columns["best"],
        "sum": lambda one: one.columns["sum"],
        "weights": lambda one: weighted(one.columns, weights),
    }
    for name, score in scores.items():
        outcomes = [outcome(one, score) for one in every if one.topic.half == MEASURE]
        print_table(f"== by {name}", list(MEASURES), groups(outcomes))
    if options.write:
        lines = ["# Weights of the features of sections. Written by: python -m bench.search.sections --write"]
        FILE.write_text(
            "\n".join([*lines, *(f"{name} = {weight:.4f}" for name, weight in weights.items())]) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
