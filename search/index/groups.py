"""Which rules of several editions are one rule: the same words, one gloss, or one number with mostly the same words."""

from collections.abc import Iterator, Sequence
from functools import cache

from corpus.address import EditionKey, rule_iri
from corpus.contract import RuleRecord
from corpus.model import HEADINGS
from corpus.words.text import fold_digest
from search.index.field import Field
from search.index.passages import Passage

_ALIKE = 0.5
"""Share of common terms (Jaccard) from which on two texts under one number are one rule in two wordings."""


def groups(records: Sequence[RuleRecord], passages: Sequence[Passage], bags: Sequence[Sequence[str]]) -> list[int]:
    """A group for each rule, named by the place of its first member."""
    above = list(range(len(records)))
    texts = {(passage.rule, passage.lang): bag for passage, bag in zip(passages, bags, strict=True) if passage.field == Field.TEXT}
    by_words: dict[tuple[str, str, str, str], int] = {}
    by_number: dict[tuple[str, str, str, str], list[int]] = {}
    digest = cache(fold_digest)  # editions repeat each other
    for place, record in enumerate(records):
        for lang, text in record["texts"].items():
            words = (record["game"], record["book"], lang, f"{record['kind']} {digest(text['text'])}")
            _join(above, by_words.setdefault(words, place), place)
            number = (record["game"], record["book"], lang, record["locator"])
            for other in by_number.setdefault(number, []):
                if _top(above, other) != _top(above, place) and _like(texts[other, lang], texts[place, lang]):
                    _join(above, other, place)
            by_number[number].append(place)
    for rule, other in _glossed_alike(records):
        _join(above, rule, other)
    return [_top(above, place) for place in range(len(records))]


def _glossed_alike(records: Sequence[RuleRecord]) -> Iterator[tuple[int, int]]:
    """Rules that one gloss is of: the words it glosses, and another wording beside which it stands."""
    places = {record["iri"]: place for place, record in enumerate(records)}
    by_gloss: dict[tuple[str, str, str], int] = {}
    for place, record in enumerate(records):
        if record["digest"] and record["kind"] not in HEADINGS:
            yield by_gloss.setdefault((record["game"], record["book"], record["digest"]["en"]), place), place
        elif other := record["digest_other"]:
            glossed = rule_iri(EditionKey(other["game"], other["book"], other["edition"]), record["locator"])
            if other["book"] == record["book"] and glossed in places:
                yield places[glossed], place


def _like(first: Sequence[str], second: Sequence[str]) -> bool:
    mine, other = set(first), set(second)
    return len(mine & other) >= _ALIKE * len(mine | other)


def _top(above: list[int], place: int) -> int:
    while above[place] != place:
        place = above[place]
    return place


def _join(above: list[int], rule: int, other: int) -> None:
    first, second = sorted((_top(above, rule), _top(above, other)))
    above[second] = first
