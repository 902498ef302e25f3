"""Files of one source one after the other: new, the same, revised, withdrawn, other languages."""

from dataclasses import replace

from corpus.model import Authority, Ruling
from ingest.rulings.gather import Counts, Shelf

DESK = [
    Ruling("ferry", "desk", str(n), "2023-01-01", Authority.OFFICIAL, {"en": f"Question {n}?"}, {"en": f"Answer {n}."}, ("Oar",))
    for n in range(6)
]


def test_the_same_file_again_changes_nothing() -> None:
    shelf = Shelf()
    assert shelf.take(DESK) == Counts(new=6)
    before = dict(shelf.rulings)
    assert shelf.take(DESK) == Counts(same=6)
    assert shelf.rulings == before


def test_a_newer_copy_revises_adds_and_withdraws() -> None:
    shelf = Shelf()
    shelf.take(DESK)
    revised = replace(DESK[1], answer={"en": "No longer."}, date="2024-01-01")
    assert shelf.take([revised, *DESK[2:], replace(DESK[0], id="9")]) == Counts(new=1, same=4, revised=1, withdrawn=1)
    assert shelf.rulings["ferry", "desk", "0"].withdrawn
    now = shelf.rulings["ferry", "desk", "1"]
    assert (now.answer["en"], [(ruling.version, ruling.answer["en"]) for ruling in now.older]) == (
        "No longer.",
        [("2023-01-01", "Answer 1.")],
    )
    assert [ruling.iri.rpartition("/")[2] for ruling in shelf.of("ferry", "desk")][:3] == ["0", "1", "1@2023-01-01"]


def test_an_older_copy_that_comes_later_does_not_win() -> None:
    shelf = Shelf()
    shelf.take([replace(DESK[1], answer={"en": "No longer."}, date="2024-01-01")])
    shelf.take(DESK)
    now = shelf.rulings["ferry", "desk", "1"]
    assert (now.answer["en"], [ruling.answer["en"] for ruling in now.older]) == ("No longer.", ["Answer 1."])


def test_other_rulings_of_the_source_stay() -> None:
    shelf = Shelf()
    shelf.take(DESK[:3])
    assert shelf.take(DESK[3:]) == Counts(new=3)
    assert not any(ruling.withdrawn for ruling in shelf.rulings.values())


def test_another_language_joins_and_withdraws_nothing() -> None:
    shelf = Shelf()
    shelf.take(DESK)
    ja = [
        replace(ruling, question={"ja": f"質問{ruling.id}？"}, answer={"ja": f"回答{ruling.id}。"}, cards=("櫂",))
        for ruling in DESK[:4]
    ]
    assert shelf.take(ja) == Counts(same=4)
    joined = shelf.rulings["ferry", "desk", "2"]
    assert (set(joined.answer), joined.cards, joined.withdrawn) == ({"en", "ja"}, ("Oar", "櫂"), False)
    assert not shelf.rulings["ferry", "desk", "5"].withdrawn


def test_what_was_withdrawn_can_come_back() -> None:
    shelf = Shelf()
    shelf.take(DESK)
    shelf.take(DESK[1:])
    assert shelf.rulings["ferry", "desk", "0"].withdrawn
    shelf.take(DESK)
    assert not shelf.rulings["ferry", "desk", "0"].withdrawn
