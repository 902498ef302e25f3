"""Files of one source one after the other: new, the same, revised, withdrawn, other languages."""

from dataclasses import replace

from corpus.model import Authority, Ruling
from ingest.rulings.gather import Counts, RulingCollection

DESK = [
    Ruling("ferry", "desk", str(n), "2023-01-01", Authority.OFFICIAL, {"en": f"Question {n}?"}, {"en": f"Answer {n}."}, ("Oar",))
    for n in range(6)
]


def test_the_same_file_again_changes_nothing() -> None:
    collection = RulingCollection()
    assert collection.add_file(DESK) == Counts(new=6)
    before = dict(collection.rulings)
    assert collection.add_file(DESK) == Counts(same=6)
    assert collection.rulings == before


def test_a_newer_copy_revises_adds_and_withdraws() -> None:
    collection = RulingCollection()
    collection.add_file(DESK)
    revised = replace(DESK[1], answer={"en": "No longer."}, date="2024-01-01")
    assert collection.add_file([revised, *DESK[2:], replace(DESK[0], id="9")]) == Counts(new=1, same=4, revised=1, withdrawn=1)
    assert collection.rulings["ferry", "desk", "0"].withdrawn
    now = collection.rulings["ferry", "desk", "1"]
    assert (now.answer["en"], [(ruling.version, ruling.answer["en"]) for ruling in now.older]) == (
        "No longer.",
        [("2023-01-01", "Answer 1.")],
    )
    assert [ruling.iri.rpartition("/")[2] for ruling in collection.rulings_of("ferry", "desk")][:3] == ["0", "1", "1@2023-01-01"]


def test_an_older_copy_that_comes_later_does_not_win() -> None:
    collection = RulingCollection()
    collection.add_file([replace(DESK[1], answer={"en": "No longer."}, date="2024-01-01")])
    collection.add_file(DESK)
    now = collection.rulings["ferry", "desk", "1"]
    assert (now.answer["en"], [ruling.answer["en"] for ruling in now.older]) == ("No longer.", ["Answer 1."])


def test_other_rulings_of_the_source_stay() -> None:
    collection = RulingCollection()
    collection.add_file(DESK[:3])
    assert collection.add_file(DESK[3:]) == Counts(new=3)
    assert not any(ruling.withdrawn for ruling in collection.rulings.values())


def test_another_language_joins_and_withdraws_nothing() -> None:
    collection = RulingCollection()
    collection.add_file(DESK)
    ja = [
        replace(ruling, question={"ja": f"質問{ruling.id}？"}, answer={"ja": f"回答{ruling.id}。"}, cards=("櫂",))
        for ruling in DESK[:4]
    ]
    assert collection.add_file(ja) == Counts(same=4)
    ruling_body = collection.rulings["ferry", "desk", "2"]
    assert (set(ruling_body.answer), ruling_body.cards, ruling_body.withdrawn) == ({"en", "ja"}, ("Oar", "櫂"), False)
    assert not collection.rulings["ferry", "desk", "5"].withdrawn


def test_a_withdrawn_ruling_can_return() -> None:
    collection = RulingCollection()
    collection.add_file(DESK)
    collection.add_file(DESK[1:])
    assert collection.rulings["ferry", "desk", "0"].withdrawn
    collection.add_file(DESK)
    assert not collection.rulings["ferry", "desk", "0"].withdrawn
