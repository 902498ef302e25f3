"""`python -m bench.cards.short HOME`: short names, and names that are ordinary words, in questions and in the words of rules.

Prints, language by language, how many of the names in `short.tsv` are heard that mean a card, and how many of those that are heard
mean one; then how many of the sentences of the loaded rules, which name no card, are heard to name one, and which names these are;
and how often two Han characters side by side that are cut out of these sentences at random, and are rare, are heard as a name.
The questions are written beside the invented cards, by someone who knows how names are told.
"""

import csv
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.cards.__main__ import FOLDER
from corpus.model import Card
from corpus.store.documents import NewDocuments
from corpus.store.home import Home
from ingest.cards import read_cards
from ontology.cards import Cards, write_cards
from ontology.knowledge import Knowledge
from search.searcher import Request, Searcher

RULES = 1500
"""Sentences of rules in each language, taken at even distances."""
_LONGEST = 200
_CUT, _FEW = 600, 2
"""Names that are cut out of rules, and sentences that a rare one stands in at most."""
_PAIR = re.compile("(?=([\u4e00-\u9fff]{2}))")


def shelf(cards: Sequence[Card]) -> Cards:
    """Some cards, as a bundle has them."""
    records = NewDocuments()
    write_cards(records, cards)
    return Cards(records)


def both() -> Cards:
    """The invented cards, and those whose names are ordinary words."""
    return shelf([card for name in ("cards.csv", "ordinary.csv") for card in read_cards((FOLDER / name).read_bytes(), name)])


def heard(searcher: Searcher, text: str) -> list[str]:
    """The names of cards that a question is heard to name, as they stand in it."""
    return [text[card.found.start : card.found.end] for card in searcher.understand(Request(text, ("mtg",))).cards]


def asked() -> list[dict[str, str]]:
    """The questions, each with the names in it that mean a card, separated by `|`."""
    with (FOLDER / "short.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def tell_questions(searcher: Searcher) -> None:
    """Prints how many names are heard, and how many of those heard mean a card."""
    for lang in ("en", "ja", "zh-Hans"):
        rows = [row for row in asked() if row["lang"] == lang]
        right, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
        for row in rows:
            meant, named = Counter(filter(None, row["names"].split("|"))), Counter(heard(searcher, row["text"]))
            right, wrong, missed = right + (meant & named), wrong + (named - meant), missed + (meant - named)
        recall = right.total() / (right.total() + missed.total())
        precision = right.total() / max(1, right.total() + wrong.total())
        said = f"missed {', '.join(missed) or 'none'}; wrong {', '.join(wrong) or 'none'}"
        print(f"{lang}: {len(rows)} questions, recall {recall:.3f}, precision {precision:.3f} ({said})", flush=True)


def tell_rules(searcher: Searcher) -> None:
    """Prints how many sentences of rules are heard to name a card."""
    for lang, sentences in sorted(_sentences(searcher.knowledge).items()):
        some = sentences[:: max(1, len(sentences) // RULES)][:RULES]
        names = Counter(name for sentence in some for name in set(heard(searcher, sentence)))
        shown = ", ".join(f"{name} {count}" for name, count in names.most_common(8)) or "none"
        print(
            f"{lang}: {len(some)} sentences of rules, a card is heard in {names.total() / len(some):.4f} of them ({shown})",
            flush=True,
        )


def tell_cut(searcher: Searcher) -> None:
    """Prints how many names are heard that are no words: cut at random, mostly across the ends of two."""
    for lang in ("ja", "zh-Hans"):
        told = _sentences(searcher.knowledge).get(lang, [])
        counts = Counter(pair for sentence in told for pair in _PAIR.findall(sentence))
        pairs = sorted(pair for pair, count in counts.items() if count <= _FEW)
        names = sorted(random.Random(1).sample(pairs, min(_CUT, len(pairs))))
        searcher.cards = shelf([Card("mtg", str(nth), {lang: (name,)}, {}) for nth, name in enumerate(names)])
        cards = [
            (name, name in heard(searcher, sentence)) for sentence in told for name in set(_PAIR.findall(sentence)) & set(names)
        ]
        few = ", ".join(sorted({name for name, is_heard in cards if is_heard})[:12]) or "none"
        share = sum(is_heard for _, is_heard in cards) / max(1, len(cards))
        print(f"{lang}: {len(names)} names cut out of rules, heard in {share:.3f} of {len(cards)} sentences that have them ({few})")


def _sentences(knowledge: Knowledge) -> dict[str, list[str]]:
    sentences: dict[str, list[str]] = {}
    for record in knowledge.every_record():
        for lang, text in record["texts"].items():
            sentences.setdefault(lang, []).extend(_short(text["text"]))
    return sentences


def _short(text: str) -> Iterator[str]:
    yield from (line.strip()[:_LONGEST] for line in text.splitlines()[:1] if line.strip())


def main(arguments: Sequence[str]) -> None:
    """Prints the figures over a home."""
    bundle = Home(Path(arguments[0])).current() if arguments else None
    if bundle is None:
        raise SystemExit("name a home with a knowledge base: python -m bench.cards.short HOME")
    searcher = Searcher(bundle, Knowledge.open(bundle))
    searcher.cards = both()
    tell_questions(searcher)
    tell_rules(searcher)
    tell_cut(searcher)


if __name__ == "__main__":
    main(sys.argv[1:])
