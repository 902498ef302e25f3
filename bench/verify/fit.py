"""Doubtful citations in posts whose numbers were moved: `python -m bench.verify.fit`.

Of the posts of `bench.verify.wild`, 150 numbers without quotation are replaced: half of them by a neighbouring rule's number, half
by any rule's of the same book. `doubtful` should be said of these, and of no others. Most posts cite with few or no words beside
the number, of which nothing can be said.
"""

import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.measure import use_only_seed_digests
from bench.verify.wild import Gold, Post, posts, put_books
from corpus.contract import VerifiedCitation
from rulestone import Library

MOVED, SEED = 150, 54
MIN_PRECISION = 0.92
_NUMBER = re.compile(r"\d{3}\.\d+[a-z]?")
_SHIFT = 2
"""Number of rules before and after the right one that count as its neighbours."""


def main() -> int:
    """Returns 0 if precision is within its target, and no right citation with a quotation is doubtful."""
    use_only_seed_digests()
    with tempfile.TemporaryDirectory(prefix="rulestone-fit-") as folder, put_books(Path(folder) / "home") as library:
        numbers = _numbers(library)
        kinds = _draw(list(posts()), numbers)
        counts = Counter[str]()
        for place, post in enumerate(posts()):
            _count(library, post, {at: wrong_number for (where, at), wrong_number in kinds.items() if where == place}, counts)
    doubtful = counts["near doubtful"] + counts["random doubtful"]
    precision = doubtful / max(1, doubtful + counts["right doubtful"])
    for kind in ("near", "random"):
        print(f"{kind}: {counts[f'{kind} doubtful']} of {counts[kind]} moved numbers are doubtful")
    print(f"precision {precision:.3f} · right rule named {counts['named']} of {doubtful}")
    print(f"right citations {counts['right']}, fits {counts['right fits']}, doubtful {counts['right doubtful']}")
    return int(precision < MIN_PRECISION or counts["quoted doubtful"] > 0)


def _numbers(library: Library) -> list[str]:
    """The numbers of the rules of the newest edition, in order."""
    knowledge = library._bundle().knowledge
    newest = max((key for key in knowledge.manifest.editions if key.game == "ferry"), key=lambda key: key.edition)
    return [record["locator"] for record in knowledge.stored_records(newest) if _NUMBER.fullmatch(record["locator"])]


def _draw(posts: Sequence[Post], numbers: Sequence[str]) -> dict[tuple[int, int], tuple[str, str]]:
    """Post and citation → the kind of the wrong number, and that number."""
    chance = random.Random(SEED)
    plain = [
        (place, at, post.text[gold.start : gold.end])
        for place, post in enumerate(posts)
        for at, gold in enumerate(post.gold)
        if gold.status == "exists" and post.text[gold.start : gold.end] in numbers
    ]
    wrong_numbers = {}
    for nth, (place, at, number) in enumerate(chance.sample(plain, MOVED)):
        own = numbers.index(number)
        near = [numbers[other] for other in range(own - _SHIFT, own + _SHIFT + 1) if other != own and 0 <= other < len(numbers)]
        kind, others = ("near", near) if nth % 2 else ("random", [other for other in numbers if other != number])
        wrong_numbers[place, at] = kind, chance.choice([other for other in others if not _are_related(other, number)] or others)
    return wrong_numbers


def _are_related(number: str, other: str) -> bool:
    return number.startswith(other) or other.startswith(number)


def _count(library: Library, post: Post, wrong_numbers: dict[int, tuple[str, str]], counts: Counter[str]) -> None:
    """Counts the doubtful citations of a post with some numbers replaced."""
    pieces, at, starts = [], 0, dict[int, tuple[int, Gold]]()
    for place, gold in enumerate(post.gold):
        if gold.start < at:
            continue  # another rule of a range
        pieces.append(post.text[at : gold.start])
        starts[sum(map(len, pieces))] = place, gold
        pieces.append(wrong_numbers[place][1] if place in wrong_numbers else post.text[gold.start : gold.end])
        at = gold.end
    text = "".join((*pieces, post.text[at:]))
    for citation in library.verify(text, game=post.game, as_of=post.as_of, lang="en")["citations"]:
        place_and_gold = starts.get(citation["start"])
        if place_and_gold and place_and_gold[0] in wrong_numbers:
            place, gold = place_and_gold
            _count_moved(citation, post.text[gold.start : gold.end], wrong_numbers[place][0], counts)
            continue
        counts["right"] += 1
        counts[f"right {citation['fit']}"] += 1
        counts["quoted doubtful"] += citation["fit"] == "doubtful" and citation["quote"] is not None


def _count_moved(citation: VerifiedCitation, number: str, kind: str, counts: Counter[str]) -> None:
    is_doubtful = citation["fit"] == "doubtful"
    better = (citation["fits_better"] or "").rsplit("/", 1)[-1]
    counts.update({kind: 1, f"{kind} doubtful": is_doubtful})
    counts["named"] += is_doubtful and _are_related(better, number)


if __name__ == "__main__":
    sys.exit(main())
