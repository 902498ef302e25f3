"""What a language model has read after one search and two sections: `python -m bench.agents [--home HOME] [--each N]`.

For each question kept aside in `bench.search`, the tools of the MCP server are called as a model would: `search_rules`, then
`read_section` for the first two of its `sections`, each with its default length. A model at a table knows its game, so the game is
given; the judges' questions, which do not name it, are asked once more without it, apart from the total.

Prints how often a needed rule, and all needed rules, were among the five hits, and after each section; and the tokens of the
answers, at three bytes a token: the median and the 90th percentile. A rule counts only in the edition that the questions were
written for, and only if its own words were given: the first words of a sibling do not count. Nothing is drawn by chance.

Fails if, over all questions with their game, a needed rule was read in less than 90 %, or the median exceeds 3,500 tokens.
"""

import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from api.encoding import encode
from api.mcp.tools import BYTES_PER_TOKEN, tools
from bench.search.homes import home_parser, opened
from bench.search.ranking import topics
from bench.search.topics import BOOKS, EDITIONS, JUDGES, MEASURE, SITUATIONS, Topic
from corpus.address import citation_of, iri_of
from rulestone import Library

UNNAMED = "judges, no game"
SECTIONS = 2
"""Number of sections that are read after the search."""
MIN_SHARE, MAX_TOKENS = 0.90, 3_500
_WARM_UP = '{"id": "first", "query": "graveyard"}'


class Reading(NamedTuple):
    """What was read for a topic: after the search, and after each section."""

    topic: Topic
    found: tuple[bool, ...]  # whether a needed rule was read
    whole: tuple[bool, ...]  # whether all needed rules were read
    tokens: float  # of all answers
    abstained: bool


def asked_topics() -> Iterator[Topic]:
    """The topics kept aside, each with its game; and those that do not name it once more without it."""
    for topic in topics():
        if topic.half == MEASURE:
            yield replace(topic, games=(topic.game,))
            if topic.source == JUDGES:
                yield replace(topic, source=UNNAMED)


def read(library: Library, topic: Topic) -> Reading:
    """Searches, reads the first sections, and compares what was read with the rules that are needed."""
    locators = (need.partition(":")[2] for need in topic.needs)
    needed_refs = {citation_of(iri_of(f"{EDITIONS[topic.game]}/{locator}")) for locator in locators}
    arguments = {"query": topic.query} | ({"game": ",".join(topic.games)} if topic.games else {})
    search = tools()["search_rules"].answer(library, arguments)
    answers = [search]
    read_refs = {hit["ref"] for hit in search["hits"]}
    steps = [read_refs & needed_refs]
    for nth in range(SECTIONS):
        for section in search["sections"][nth : nth + 1]:
            answers.append(tools()["read_section"].answer(library, {"ref": section["ref"]}))
            read_refs |= {rule["ref"] for rule in answers[-1]["rules"] if "text" in rule or "gloss" in rule}
        steps.append(read_refs & needed_refs)
    size = sum(len(encode(answer)) for answer in answers)
    return Reading(
        topic, tuple(map(bool, steps)), tuple(step == needed_refs for step in steps), size / BYTES_PER_TOKEN, search["abstained"]
    )


def table(readings: Sequence[Reading]) -> Iterator[str]:
    """The figures of all questions with their game, of each kind, and of each kind and game."""
    depths = "".join(f"{name:>9}" for name in ("five", "+1", "+2"))
    yield f"{'share that was read':<22}{'':>6}  a needed rule: {depths[15:]}   all needed rules:           tokens"
    yield f"{'questions':<22}{'asked':>6}{depths}{depths}{'median':>9}{'90 %':>7}{'abstained':>11}"
    yield _figures_line("all", [one for one in readings if one.topic.source != UNNAMED])
    for part in (SITUATIONS, JUDGES, UNNAMED):
        own = [one for one in readings if one.topic.source == part]
        yield _figures_line(part, own)
        for game in BOOKS:
            yield _figures_line(f"  {game}", [one for one in own if one.topic.game == game])


def _figures_line(name: str, readings: Sequence[Reading]) -> str:
    if not readings:
        return f"{name:<22}{0:>6}"
    shares = [*_means(one.found for one in readings), *_means(one.whole for one in readings)]
    tokens = sorted(one.tokens for one in readings)
    most = tokens[len(tokens) * 9 // 10]
    abstention = statistics.fmean(one.abstained for one in readings)
    figures = "".join(f"{share:>9.3f}" for share in shares)
    return f"{name:<22}{len(readings):>6}{figures}{statistics.median(tokens):>9.0f}{most:>7.0f}{abstention:>11.3f}"


def _means(rows: Iterable[Sequence[Any]]) -> list[float]:
    return [statistics.fmean(column) for column in zip(*rows, strict=True)]


def main() -> int:
    """Prints the figures; returns 1 if a target is missed."""
    parser = home_parser(__doc__)
    parser.add_argument("--each", type=int, default=1, help="only every Nth question")
    options = parser.parse_args()
    topics = list(asked_topics())[:: options.each]
    with opened(options.home) as books, Library.open(books.home) as library:
        library.batch([_WARM_UP])  # blocks until the encoder is built, so that every question is searched alike
        readings = [read(library, topic) for topic in topics]
    print("\n".join(table(readings)), flush=True)
    total = [one for one in readings if one.topic.source != UNNAMED]
    share, tokens = statistics.fmean(one.found[-1] for one in total), statistics.median(one.tokens for one in total)
    return int(share < MIN_SHARE or tokens > MAX_TOKENS)


if __name__ == "__main__":
    sys.exit(main())
