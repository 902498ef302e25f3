"""How a sample of the digest is drawn, and that what was judged of one is of glosses that ship."""

import csv

from bench.digest.sample import JUDGED_FILE, WHOLE_BOOKS, Row, draw_sample, shares
from corpus.address import EditionKey
from corpus.digest import Digest, Gloss, digests


def rows(count: int) -> list[Row]:
    glosses = tuple(Gloss(str(number), False, {}, {}) for number in range(count))
    digest = Digest(EditionKey("ferrymen", "rules", "1"), "en", glosses)
    return [(digest, gloss) for gloss in glosses]


def test_a_sample_is_shared_by_size() -> None:
    assert shares({"small": 100, "large": 300}, 20) == {"small": 5, "large": 15}


def test_the_rest_goes_to_the_largest_remainders() -> None:
    assert shares({"one": 10, "two": 17, "three": 33}, 7) == {"one": 1, "two": 2, "three": 4}


def test_a_seed_draws_the_same_rows_again_and_another_seed_others() -> None:
    books = {"one": rows(50), "two": rows(150)}
    first = [gloss.locator for _, gloss in draw_sample(books, 40, 7)]
    assert (
        first
        == [gloss.locator for _, gloss in draw_sample(books, 40, 7)]
        != [gloss.locator for _, gloss in draw_sample(books, 40, 8)]
    )
    assert len(first) == 40


def test_every_row_judged_is_a_gloss_of_a_whole_book() -> None:
    whole = {key for keys in WHOLE_BOOKS.values() for key in keys}
    known = {
        (str(digest.key), gloss.locator) for digest in digests(all_games=True) for gloss in digest.glosses if not gloss.heading
    }
    with JUDGED_FILE.open(encoding="utf-8") as file:
        judged = [
            (row["seed"], row["edition"], row["locator"])
            for row in csv.DictReader(filter(lambda line: line[0] != "#", file), delimiter="\t")
        ]
    assert len(set(judged)) == len(judged) == 900
    assert {(edition, locator) for _, edition, locator in judged} <= known
    assert {edition for _, edition, _ in judged} <= whole
