"""Judges' questions about complete books, each in three languages: `python -m bench.search.books [--home HOME]`.

558 questions of nine games, each in Japanese, Chinese and English, with the rules that a judge must read (`judges/*.toml`, written
with only the books at hand), and 64 that no book answers. Every second one is held out for the figure; the other half is
used to choose settings.
"""

from collections.abc import Iterator, Sequence

from bench.search.homes import Library, home_option, opened
from bench.search.runs import (
    ABSTAINED,
    TEN,
    Group,
    Outcome,
    RankedList,
    Search,
    by,
    evaluate,
    plain_bm25,
    print_table,
    product_search,
)
from bench.search.topics import BOOKS, Topic, judge_questions
from search.encode.pretrained import PretrainedEncoder


def encoder_only(library: Library) -> Search:
    """Only the sentence embeddings of texts and glosses."""
    searcher, encoder = library.searcher(), PretrainedEncoder()
    rows = searcher.index.rules
    rules = [f"{edition.game}:{locator}" for edition, locator in zip(rows.editions, rows.locators, strict=True)]

    def rank(topic: Topic) -> RankedList:
        best = list(searcher.index.signals({}, dense=encoder.encode_query([topic.query])[0]).dense_scores.values())
        scores = [max(float(field[place]) for field in best) for place in range(len(rules))]
        return RankedList([rules[place] for place in sorted(range(len(rules)), key=lambda place: -scores[place])[:TEN]])

    return rank


def groups(outcomes: Sequence[Outcome], indent: str) -> Iterator[Group]:
    """The outcomes of each game and of all, and of those in the book's language and in others; those of unanswerable questions."""
    answerable = [outcome for outcome in outcomes if outcome.topic.game]
    for name, own in by(answerable, lambda topic: topic.game):
        yield indent + name, own
        yield from by(own, _language, f"  {name}, {{}} language")
    yield "all", answerable
    yield from by(answerable, _language, f"{indent}all, {{}} language")
    yield f"{indent}unanswerable", [outcome for outcome in outcomes if not outcome.topic.game]


def _language(topic: Topic) -> str:
    return "book's" if BOOKS[topic.game] == topic.lang else "other"


def main() -> None:
    """Loads the books of nine games and prints the figures; those of the baselines by game are indented."""
    with opened(home_option(__doc__)) as library:
        searches = {"plain BM25": plain_bm25(library), "encoder alone": encoder_only(library), "search": None}
        for name, search in searches.items():
            outcomes = evaluate(judge_questions(), search or product_search(library.searcher()))
            print_table(f"== {name}", ("R@10", "Success@3", "RR@10", ABSTAINED), groups(outcomes, "  " if search else ""))


if __name__ == "__main__":
    main()
