"""`python -m bench.cards.short HOME`: short names, and names that are ordinary words, in questions and in the words of rules.

Prints, language by language, the recall and the precision of the card names in `short.tsv`; then the number of sentences of loaded
rules, which name no card, in which a name is recognised, with these names; and how often rare pairs of adjacent Han characters, cut
from these sentences at random, are recognised as a name. The questions were written together with the invented cards, by a person
who knew how names are recognised.
"""

import argparse
import random
import re
from collections import Counter
from pathlib import Path

from bench.cards.__main__ import FOLDER, card_index
from bench.measure import Counts, table_rows
from bench.search.homes import bundle_of
from corpus.model import Card
from ingest.cards import read_card_file
from ontology.cards import CardStore
from ontology.knowledge import Knowledge
from search.searcher import Request, Searcher

RULES = 1500
"""Number of sentences of rules in each language, evenly spaced."""
_LONGEST = 200
_CUT, _FEW = 600, 2
"""Number of names cut from rules, and the maximum number of sentences that contain a rare one."""
_PAIR = re.compile("(?=([\u4e00-\u9fff]{2}))")


def invented_and_ordinary() -> CardStore:
    """The invented cards and the cards whose names are ordinary words."""
    return card_index([card for name in ("cards.csv", "ordinary.csv") for card in read_card_file(FOLDER / name)])


def recognised_names(searcher: Searcher, text: str) -> list[str]:
    """The card names recognised in a question, as printed in it."""
    return [text[card.mention.start : card.mention.end] for card in searcher.understand(Request(text, ("mtg",))).cards]


def print_question_figures(searcher: Searcher) -> None:
    """Prints how many names are recognised of those that mean a card (`names` of the table, separated by `|`), and the others."""
    for lang in ("en", "ja", "zh-Hans"):
        rows = [row for row in table_rows(FOLDER / "short.tsv") if row["lang"] == lang]
        right, wrong, misses = Counter[str](), Counter[str](), Counter[str]()
        for row in rows:
            expected, actual = Counter(filter(None, row["names"].split("|"))), Counter(recognised_names(searcher, row["text"]))
            right, wrong, misses = right + (expected & actual), wrong + (actual - expected), misses + (expected - actual)
        counts = Counts(right.total(), (right + wrong).total(), (right + misses).total())
        faults = f"missed {', '.join(misses) or 'none'}; wrong {', '.join(wrong) or 'none'}"
        print(f"{lang}: {len(rows)} questions, recall {counts.recall:.3f}, precision {counts.precision:.3f} ({faults})", flush=True)


def print_rule_figures(searcher: Searcher) -> None:
    """Prints in how many sentences of rules a card name is recognised."""
    for lang, sentences in sorted(_sentences(searcher.knowledge).items()):
        some = sentences[:: max(1, len(sentences) // RULES)][:RULES]
        names = Counter(name for sentence in some for name in set(recognised_names(searcher, sentence)))
        most_common = ", ".join(f"{name} {count}" for name, count in names.most_common(8)) or "none"
        print(
            f"{lang}: {len(some)} sentences of rules, a card is heard in {names.total() / len(some):.4f} of them ({most_common})",
            flush=True,
        )


def print_cut_figures(searcher: Searcher) -> None:
    """Prints how many names are recognised that are not words: cut at random, mostly across word boundaries."""
    for lang in ("ja", "zh-Hans"):
        lang_sentences = _sentences(searcher.knowledge).get(lang, [])
        counts = Counter(pair for sentence in lang_sentences for pair in _PAIR.findall(sentence))
        pairs = sorted(pair for pair, count in counts.items() if count <= _FEW)
        names = sorted(random.Random(1).sample(pairs, min(_CUT, len(pairs))))
        searcher.cards = card_index([Card("mtg", str(nth), {lang: (name,)}, {}) for nth, name in enumerate(names)])
        cards = [
            (name, name in recognised_names(searcher, sentence))
            for sentence in lang_sentences
            for name in set(_PAIR.findall(sentence)) & set(names)
        ]
        few = ", ".join(sorted({name for name, is_heard in cards if is_heard})[:12]) or "none"
        share = sum(is_heard for _, is_heard in cards) / max(1, len(cards))
        print(f"{lang}: {len(names)} names cut out of rules, heard in {share:.3f} of {len(cards)} sentences that have them ({few})")


def _sentences(knowledge: Knowledge) -> dict[str, list[str]]:
    """Language → the first lines of the rules, shortened."""
    sentences: dict[str, list[str]] = {}
    for record in knowledge.all_records():
        for lang, text in record["texts"].items():
            if line := text["text"].partition("\n")[0].strip():
                sentences.setdefault(lang, []).append(line[:_LONGEST])
    return sentences


def main() -> None:
    """Prints the figures over a home."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path, help="a home with the nine books")
    bundle = bundle_of(parser.parse_args().home)
    searcher = Searcher(bundle, Knowledge.open(bundle))
    searcher.cards = invented_and_ordinary()
    print_question_figures(searcher)
    print_rule_figures(searcher)
    print_cut_figures(searcher)


if __name__ == "__main__":
    main()
