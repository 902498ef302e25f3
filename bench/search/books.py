"""Judges' questions about complete books, each in three languages: `python -m bench.search.books [--home HOME]`.

558 questions of nine games, each in Japanese, Chinese and English, with the rules that a judge must read (`judges/*.toml`, written
with only the books at hand), and 64 that no book answers. Every second one is held out for the figure; the other half is
used to choose settings.
"""

from collections.abc import Iterable, Sequence

from bench.measure import folder_or_temporary
from bench.search.homes import Library, home_parser, loaded
from bench.search.runs import ABSTAINED, TEN, Outcome, RankedList, Search, evaluate, mean, plain_bm25, product_search, recall
from bench.search.topics import BOOKS, Topic, judge_questions
from search.encode.pretrained import PretrainedEncoder

SEARCH_NAME = "search"


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


def table(name: str, outcomes: Sequence[Outcome]) -> Iterable[str]:
    """The figures by game, by same and other language, and for questions that no book answers; those of baselines are indented."""
    indent = "" if name == SEARCH_NAME else "  "
    answerable = [outcome for outcome in outcomes if outcome.topic.game]
    yield f"== {name}: needed rules in ten [95 %] · one in three · MRR · wrongly abstained"
    for game in BOOKS:
        own = [outcome for outcome in answerable if outcome.topic.game == game]
        yield from _figures_lines(indent + game, own, f"{indent}  book's language", f"{indent}  other language")
    yield from _figures_lines("all", answerable, f"{indent}all, book's language", f"{indent}all, other language")
    lost = [outcome for outcome in outcomes if not outcome.topic.game]
    yield f"{indent + 'unanswerable, abstained':<28}{mean(lost, ABSTAINED):>8.3f}" if lost else ""


def _figures_lines(name: str, outcomes: Sequence[Outcome], same: str, other: str) -> Iterable[str]:
    """The figures of all outcomes, of those whose topic is in the book's language, and of the others."""
    of_same = [one for one in outcomes if BOOKS[one.topic.game] == one.topic.lang]
    of_other = [one for one in outcomes if BOOKS[one.topic.game] != one.topic.lang]
    for part, some in ((name, outcomes), (same, of_same), (other, of_other)):
        yield f"{part:<28}   {recall(some)}" + "".join(f"{mean(some, what):>8.3f}" for what in ("Success@3", "RR@10", ABSTAINED))


def main() -> None:
    """Loads the books of nine games and prints the figures."""
    with folder_or_temporary(home_parser(__doc__).parse_args().home) as home:
        library, topics = loaded(home), judge_questions()
        for name, search in (
            ("plain BM25", plain_bm25(library)),
            ("encoder alone", encoder_only(library)),
            (SEARCH_NAME, product_search(library.searcher())),
        ):
            print("\n".join(table(name, evaluate(topics, search))), flush=True)


if __name__ == "__main__":
    main()
