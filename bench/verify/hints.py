"""How often the hint on words in a language that is not loaded is right: `python -m bench.verify.hints GAME/BOOK/EDITION`.

The knowledge base (RULESTONE_HOME) must have the edition in English and Chinese. Of a sample of rules the Chinese words are held
against the English ones alone: the rule's own, which a hint should call right, and those of the rule behind it.
"""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import cast

from corpus.contract import RuleRecord
from corpus.editions.verify.quoting import Hint, size
from corpus.editions.verify.resolve import RuleLookup
from corpus.editions.verify.verdict import Judge
from rulestone import Library
from rulestone.library.verify import similarity_by

SAMPLE = 300
FEWEST = 8
"""Words: shorter rules are titles."""


def main(arguments: Sequence[str]) -> int:
    """Prints how often each word of a hint is right, and how often nothing is said."""
    [path] = arguments
    with Library.open() as library:
        bundle = library._bundle()
        key = next(key for key in bundle.knowledge.manifest.editions if str(key) == path)
        both = [
            record
            for record in bundle.knowledge.stored(key)
            if {"en", "zh-Hans"} <= record["texts"].keys() and size(record["texts"]["zh-Hans"]["text"]) >= FEWEST
        ]
        judge = Judge(RuleLookup(bundle.knowledge), "", similarity_of=similarity_by(bundle))
        said = Counter[tuple[str, bool]]()
        for at in random.Random(32).sample(range(len(both) - 1), SAMPLE):
            record = both[at]
            alone = cast(RuleRecord, {**record, "texts": {"en": record["texts"]["en"]}})
            for other in (record, both[at + 1]):
                hint = judge.guess(alone, other["texts"]["zh-Hans"]["text"])
                said[hint.value if hint else "nothing", other is record] += 1
    for name, fits in ((Hint.RIGHT.value, True), (Hint.DIFFERENT.value, False)):
        every = said[name, True] + said[name, False]
        print(f"{name}: {every} of {2 * SAMPLE}, right in {said[name, fits] / max(1, every):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
