"""The time of `verify` on 64 KiB with 200 citations: `python -m bench.verify.speed`.

Each text cites rules of a real edition in turn with a faithful quotation, an altered one and none. The first text of a language
also pays for opening the search index and for reading the words of the edition; the second one, of other rules, is measured.
"""

import random
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from bench.measure import cpu_seconds, report_figure, rulebook_folder, use_only_seed_digests
from bench.verify.altered import altered_quotation, faithful_quotation
from rulestone import Library
from rulestone.limits import CITATIONS, TEXT

BOOKS = ("mtg/20240607_En.txt", "mtg/20250207_En.txt", "mtg/20250207_Zh.txt", "dm/dm_rule.ja.md")
TEXTS = (("mtg", "en"), ("mtg", "zh-Hans"), ("dm", "ja"))
SEEDS = (54, 55)
MAX_SECONDS = 2.0
"""Processor seconds of one text."""
_QUOTING = {"en": "Rule {} says “{}”\n", "zh-Hans": "规则{}写道：“{}”\n", "ja": "ルール{}には「{}」とある。\n"}
_NAMING = {"en": "{} See rule {}.\n", "zh-Hans": "{}参见规则{}。\n", "ja": "{}ルール{}を参照。\n"}
_MIN_LENGTH, _MAX_BARE = 60, 300
"""Characters of a rule that is cited, and of its words beside a citation without quotation."""
_DIGIT = re.compile(r"\d")


def main() -> int:
    """Returns 0 if every text is checked within the target."""
    use_only_seed_digests()
    with tempfile.TemporaryDirectory(prefix="rulestone-speed-") as folder, Library.open(folder) as library:
        library.add([rulebook_folder() / name for name in BOOKS])
        quick = [_is_quick(library, game, lang) for game, lang in TEXTS]
    return int(not all(quick))


def _is_quick(library: Library, game: str, lang: str) -> bool:
    texts = [citing_text(library, game, lang, seed) for seed in SEEDS]
    first, second = (cpu_seconds(partial(library.verify, text, game=game)) for text in texts)
    count = len(library.verify(texts[1], game=game)["citations"])
    name = f"{game} {lang}: {len(texts[1].encode()) / 1024:.0f} KiB, {count} citations"
    return report_figure(name, second, MAX_SECONDS, "s of processor time", f"the first text {first:.1f}")


def citing_text(library: Library, game: str, lang: str, seed: int) -> str:
    """A text of the greatest size and number of citations that the HTTP API takes: citing lines, and as many others as fit."""
    rules = _rules(library, game, lang)
    chance = random.Random(seed)
    chance.shuffle(rules)
    half = len(rules) // 2
    citing, others = _citing_lines(rules[:half], lang, chance), iter(rules[half:])
    pieces, size = [], 0
    for nth, line in enumerate(islice(citing, CITATIONS)):
        pieces.append(line)
        size += len(line.encode())
        while size < nth * (TEXT / CITATIONS) and (other := next(others, None)):
            pieces.append(f"{_DIGIT.sub('', other[1].split(chr(10))[0])}\n")
            size += len(pieces[-1].encode())
    return "".join(pieces)


def _rules(library: Library, game: str, lang: str) -> list[tuple[str, str]]:
    """The numbers and texts of the longer rules of the newest edition."""
    knowledge = library._bundle().knowledge
    official = (entry for entry in knowledge.manifest.editions.values() if (entry.game, entry.book) == (game, "cr"))
    newest = max((entry.key for entry in official if lang in entry.languages), key=lambda key: key.edition)
    records = knowledge.stored_records(newest)
    texts = [
        (record["locator"], record["texts"][lang]["text"]) for record in records if record["number"] and lang in record["texts"]
    ]
    return [(number, text) for number, text in texts if len(text) >= _MIN_LENGTH]


def _citing_lines(rules: Sequence[tuple[str, str]], lang: str, chance: random.Random) -> Iterator[str]:
    for nth, (number, text) in enumerate(rules):
        quote = (faithful_quotation, altered_quotation, None)[nth % 3]
        words = quote(chance, text, text, lang) if quote else None
        bare = _DIGIT.sub("", text.split("\n")[0])[:_MAX_BARE]
        yield _QUOTING[lang].format(number, words) if words else _NAMING[lang].format(bare, number)


if __name__ == "__main__":
    sys.exit(main())
