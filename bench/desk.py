"""How quickly translators are served: a whole book as TMX and XLIFF, a termbase, and the lines of a concordance.

    python -m bench.desk HOME [BOOK]

HOME is a knowledge base with a book in two languages. Queries of the concordance are names of concepts of all loaded games in every
language, the most frequent words, and expressions; each is asked once after one that reads the texts.
"""

import sys
from collections.abc import Iterator
from statistics import median

from bench.measure import timed
from rulestone import Library

_EXPRESSIONS = (
    r"(?:may|can) (?:\w+ ){1,3}cards?",
    r"\{[WUBRGT]\}",
    r"instead",
    r"(\w+\s?)+;",
    r"カード.{0,5}墓地",
    r"每.{1,8}牌手",
)
_FREQUENT = ("card", "the", "player", "カード", "牌", "的", "ability", "+1/+1 counter")


def queries(library: Library) -> Iterator[tuple[str, bool]]:
    """What is asked, and whether it is an expression."""
    for word in _FREQUENT:
        yield word, False
    for concept in library.concepts(kind="zone", limit=1000)["concepts"]:
        for lang in ("en", "ja", "zh"):
            [whole] = library.concept(concept["concept"], lang=lang)["concepts"][:1]
            yield whole["label"], False
    for expression in _EXPRESSIONS:
        yield expression, True


def main(home: str, book: str = "mtg/cr") -> None:
    """Prints the figures."""
    with Library.open(home, create=False) as library:
        for kind in ("tmx", "xliff"):
            print(f"{kind} of {book}: {timed(lambda kind=kind: sum(map(len, library.bitext(kind, book)))):.1f} s")  # type: ignore[misc]
        print(f"tbx of all games: {timed(lambda: library.termbase('tbx')):.1f} s")
        asked = list(dict.fromkeys(queries(library)))
        print(f"concordance, the first: {timed(lambda: library.concordance('zone')):.2f} s")
        took = sorted(timed(lambda one=one: library.concordance(one[0], regex=one[1])) for one in asked)  # type: ignore[misc]
        last = took[int(len(took) * 0.95)]
        told = f"median {median(took) * 1000:.0f} ms, p95 {last * 1000:.0f} ms, most {took[-1] * 1000:.0f} ms"
        print(f"concordance, {len(took)} queries: {told}")


if __name__ == "__main__":
    main(*sys.argv[1:])
