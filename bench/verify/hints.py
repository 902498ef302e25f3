"""Accuracy of the hint on words in a language that is not loaded: `python -m bench.verify.hints GAME/BOOK/EDITION`.

The knowledge base (RULESTONE_HOME) must have the edition in English and Chinese. For a sample of rules, Chinese words are compared
with only the English text: the rule's own words, which the hint should call right, and those of the next rule.
"""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import cast

from corpus.contract import RuleRecord
from corpus.editions.verify.quoting import Hint, word_count
from corpus.editions.verify.resolve import RuleLookup
from corpus.editions.verify.verdict import CitationJudge
from rulestone import Library
from rulestone.library.verify import similarity_function

SAMPLE_SIZE = 300
MIN_LENGTH = 8
"""Minimum number of words; shorter rules are titles."""


def main(arguments: Sequence[str]) -> int:
    """Prints how often each value of the hint is correct, and how often there is no hint."""
    [path] = arguments
    with Library.open() as library:
        bundle = library._bundle()
        key = next(key for key in bundle.knowledge.manifest.editions if str(key) == path)
        both = [
            record
            for record in bundle.knowledge.stored_records(key)
            if {"en", "zh-Hans"} <= record["texts"].keys() and word_count(record["texts"]["zh-Hans"]["text"]) >= MIN_LENGTH
        ]
        judge = CitationJudge(RuleLookup(bundle.knowledge), "", similarity_of=similarity_function(bundle))
        hint_counts = Counter[tuple[str, bool]]()
        for at in random.Random(32).sample(range(len(both) - 1), SAMPLE_SIZE):
            record = both[at]
            alone = cast(RuleRecord, {**record, "texts": {"en": record["texts"]["en"]}})
            for other in (record, both[at + 1]):
                hint = judge.meaning_hint(alone, other["texts"]["zh-Hans"]["text"])
                hint_counts[hint.value if hint else "nothing", other is record] += 1
    for name, fits in ((Hint.RIGHT.value, True), (Hint.DIFFERENT.value, False)):
        every = hint_counts[name, True] + hint_counts[name, False]
        print(f"{name}: {every} of {2 * SAMPLE_SIZE}, right in {hint_counts[name, fits] / max(1, every):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
