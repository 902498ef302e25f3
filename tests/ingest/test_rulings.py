"""Files of rulings of every shape: the same questions and answers come out of all of them."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.errors import InputError
from corpus.model import Authority, Ruling
from ingest.dates import parse_day
from ingest.rulings import formats
from ingest.rulings.read import RulingHints, RulingsFile, is_rulings, read
from ingest.rulings.vocabulary import without_markup
from tests.support.ferrymen import BOOKS
from tests.support.ruling_shapes import EN, FORMATS, JA, SHAPES, ZH, Asked, Made, Pairs, file_text

HINTS = RulingHints("ferry")
CARDS = Path(__file__).parents[1] / "support" / "cards"


def opened(text: str, name: str, hints: RulingHints = HINTS, encoding: str = "utf-8") -> RulingsFile:
    return read(text.encode(encoding), Path(name), hints)


def ruling_of(file: RulingsFile, entry: Asked) -> Ruling:
    """The one ruling with an answer."""
    [ruling] = [ruling for ruling in file.rulings if entry.answer in ruling.answer.values()]
    return ruling


@pytest.mark.parametrize("name", ["ferry.csv", "atomic.json", "scryfall.json", "ygojson.json", "yugi.yaml"])
def test_a_file_of_cards_is_refused_with_the_command_that_adds_it(name: str) -> None:
    with pytest.raises(InputError) as told_:
        read((CARDS / name).read_bytes(), Path(name), HINTS)
    assert str(told_.value) == f"{name}: is a file of cards, not of rulings; run: rulestone cards FILE"


def test_a_table_with_the_columns_of_cards_may_hold_rulings() -> None:
    answers = "A ferry with a goose on board floats.", "鵝鳥を乗せた渡し舟は浮きます。"
    table = "id,en,ja\n" + "".join(f"{n},{answers[0]} {n}.,{answers[1]}{n}。\n" for n in range(1, 6))
    assert len(opened(table, "rulings.csv").rulings) == 5
    dated = "id,en,text,date\n" + "".join(f"{n},Ferry {n},{answers[0]} {n}.,2024-01-0{n}\n" for n in range(1, 6))
    assert len(opened(dated, "rulings.csv").rulings) == 5
    hints = RulingHints("ferry", fields={"answer": "text"})
    assert len(read((CARDS / "ferry.csv").read_bytes(), CARDS / "ferry.csv", hints).rulings) > 1


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_gives_its_rulings(name: str) -> None:
    shape = SHAPES[name]
    file = opened(shape.text, shape.name)
    for entry in shape.of:
        holds(ruling_of(file, entry), entry, shape)
    if "languages" not in name:
        assert len(file.rulings) == len(shape.of)


def holds(ruling: Ruling, entry: Asked, shape: Made) -> None:
    if "question" in shape.tells:
        assert entry.question in ruling.question.values()
    if "id" in shape.tells:
        assert ruling.id == entry.id
    if "date" in shape.tells:
        assert ruling.date == entry.date
    if "card" in shape.tells:
        assert ruling.cards == (entry.card,)
    if "number" in shape.tells:
        assert ruling.card_ids == (entry.number,)


ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp932", "euc_jp", "gb18030")


def encodable(of: tuple[Asked, ...], encoding: str) -> bool:
    try:
        json.dumps([vars(entry) for entry in of], ensure_ascii=False).encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


CASES = [
    (of, encoding)
    for of, own in ((EN, ENCODINGS[:4]), (JA, ENCODINGS[:6]), (ZH, (*ENCODINGS[:4], "gb18030")))
    for encoding in own
    if encodable(of, encoding)
]
WHOLE = frozenset(("id", "card", "number", "question", "date"))


def pairs(entry: Asked) -> Pairs:
    return [(name, str(value)) for name, value in vars(entry).items()]


@given(st.sampled_from(CASES), st.permutations(sorted(vars(EN[0]))), st.sampled_from(FORMATS))
@settings(max_examples=150)
def test_neither_the_order_of_fields_nor_the_encoding_matters(
    case: tuple[tuple[Asked, ...], str], order: list[str], suffix: str
) -> None:
    of, encoding = case
    text = file_text([[(name, getattr(entry, name)) for name in order] for entry in of], suffix)
    file = opened(text, f"faq.{suffix}", encoding=encoding)
    for entry in of:
        holds(ruling_of(file, entry), entry, Made("", "", (), WHOLE))


@given(
    st.lists(st.sampled_from(("id", "card", "number", "date", "question")), max_size=4),
    st.integers(0, len(EN) - 1),
    st.sampled_from(FORMATS),
)
@settings(max_examples=90)
def test_fields_missing_in_one_record_are_kept_in_others(lacking: list[str], at: int, suffix: str) -> None:
    rows = [[pair for pair in pairs(entry) if nth != at or pair[0] not in lacking] for nth, entry in enumerate(EN)]
    file = opened(file_text(rows, suffix), f"faq.{suffix}")
    assert len(file.rulings) == len(EN)
    for nth, entry in enumerate(EN):
        told_of = {"question", "date", "card"} - (set(lacking) if nth == at else set())
        holds(ruling_of(file, entry), entry, Made("", "", (), frozenset(told_of)))


def doubled(name: str, at: int, value: str, suffix: str) -> str:
    """The rulings with a name that one record has twice."""
    rows = [pairs(entry) for entry in EN]
    rows[at].append((name, value))
    return file_text(rows, suffix)


@given(
    st.sampled_from(("id", "card", "number", "date", "question", "answer")), st.integers(0, len(EN) - 1), st.sampled_from(FORMATS)
)
@settings(max_examples=60)
def test_a_field_that_stands_twice_with_the_same_words_is_one(name: str, at: int, suffix: str) -> None:
    file = opened(doubled(name, at, str(getattr(EN[at], name)), suffix), f"faq.{suffix}")
    for entry in EN:
        holds(ruling_of(file, entry), entry, Made("", "", (), WHOLE))


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("name", ["question", "answer", "id"])
def test_a_field_that_stands_twice_with_other_words_is_refused_by_record(name: str, suffix: str) -> None:
    with pytest.raises(InputError, match=rf"faq\.{suffix}: record \[3\] has '{name}' twice"):
        opened(doubled(name, 3, "Something else altogether.", suffix), f"faq.{suffix}")


def test_a_fact_below_a_question_that_stands_twice_with_other_words_is_refused() -> None:
    text = "".join(f"## {entry.card}\n\nQ: {entry.question}\nA: {entry.answer}\nid: {entry.id}\n\n" for entry in EN)
    assert ruling_of(opened(text, "faq.md"), EN[3]).id == EN[3].id
    with pytest.raises(InputError, match=r"record \[3\] has 'id' twice"):
        opened(text.replace("id: 104", "id: 104\nid: 999"), "faq.md")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("faq.json", '[{"q": "Why?"', r"is not valid JSON \(line 1, column 14"),
        ("faq.jsonl", '{"q": "Why is it so?", "a": "It is."}\n{"q": ', "line 2 is not valid JSON"),
        ("faq.csv", "question,answer\nWhy?,Because.\nWhy not?,No.,More\n", "values in row 3: 3; columns in the header: 2"),
        ("faq.yaml", "a: [1\nb: 2", "is not valid YAML"),
        ("faq.json", "{}", "no records with an answer"),
        ("faq.json", '[{"count": 3}, {"count": 4}]', "no records with an answer"),
        ("faq.json", "[" * 100 + "]" * 100, "more than 64 nested levels"),
        ("faq.json", "  ", "is empty"),
        (
            "faq.json",
            '[{"question": "무엇입니까, 이것은?", "answer": "이것은 배입니다, 그렇습니다."}]',
            "neither kana, Han nor Latin",
        ),
    ],
)
def test_a_file_without_rulings_is_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        opened(text, name)


def test_fields_can_be_named() -> None:
    rows = [{"x": entry.date, "y": entry.card, "z": {"p": entry.answer}, "w": f"{entry.question} {entry.id}"} for entry in EN]
    fields = {"question": "w", "answer": "z.p", "cards": "y"}
    file = opened(json.dumps(rows), "dump.json", RulingHints("ferry", fields=fields))
    for entry in EN:
        ruling = ruling_of(file, entry)
        assert (ruling.question["en"], ruling.cards, ruling.date) == (f"{entry.question} {entry.id}", (entry.card,), entry.date)
    with pytest.raises(InputError, match=r"no record has the field 'v'; its fields are p, w, x, y, z\.p, @1"):
        opened(json.dumps(rows), "dump.json", RulingHints("ferry", fields={"answer": "v"}))


def test_options_of_the_user_take_precedence() -> None:
    hints = RulingHints("ferry", "harbour", "ja", Authority.OFFICIAL)
    [first, *_] = opened(SHAPES["array"].text, "faq.json", hints).rulings
    assert (first.source, first.langs, first.authority) == ("harbour", ("ja",), Authority.OFFICIAL)
    assert first.iri.endswith("/id/ferry/rulings/harbour/101")


def test_markup_is_taken_off_and_kept() -> None:
    answer = "<p>No.<br>A <b>goat</b> &amp; a [[Goat (card)|Goat]] pay <i>two</i>.</p><p>{T}: see 《Toll》</p>"
    rows = [{"id": "1", "question": "Q1: Does it **count**?", "answer": answer}, *map(vars, EN[:3])]
    ruling = next(entry for entry in opened(json.dumps(rows), "faq.json").rulings if entry.id == "1")
    assert ruling.question["en"] == "Does it count?"
    assert ruling.answer["en"] == "No.\nA goat & a Goat pay two.\n{T}: see 《Toll》"
    assert ruling.marked_up == {"question": {"en": "Q1: Does it **count**?"}, "answer": {"en": answer}}
    assert ruling.cards == ("Goat",)


def test_a_later_answer_to_an_id_holds_and_the_earlier_one_stays() -> None:
    revised = vars(EN[0]) | {"answer": "It counts as three since the flood.", "date": "2025-05-01"}
    file = opened(json.dumps([revised, *map(vars, EN)]), "faq.json")
    ruling = next(entry for entry in file.rulings if entry.id == "101")
    assert (ruling.answer["en"], ruling.date) == ("It counts as three since the flood.", "2025-05-01")
    [old] = ruling.older
    assert (old.answer["en"], old.iri) == (EN[0].answer, f"{ruling.iri}@2023-05-06")


def test_scryfall_names_the_author_of_an_answer() -> None:
    text = SHAPES["comments"].text.replace('"desk"', '"wotc"', 3).replace('"desk"', '"scryfall"')
    rulings = opened(text, "rulings.json").rulings
    assert {(ruling.source, ruling.authority.value) for ruling in rulings} == {("wotc", "official"), ("scryfall", "community")}
    assert all(len(ruling.card_ids) == 1 and ruling.id.startswith("x-") for ruling in rulings)


def test_ids_made_of_words_stay_when_the_answer_changes() -> None:
    file, other = (opened(json.dumps([{"q": o.question, "a": o.answer + more} for o in EN]), "f.json") for more in ("", " Always."))
    assert [ruling.id for ruling in file.rulings] == [ruling.id for ruling in other.rulings]


@pytest.mark.parametrize(
    ("name", "expected"), [(name, True) for name, shape in SHAPES.items() if shape.name.endswith((".md", ".txt"))]
)
def test_running_text_with_rulings_is_told(name: str, expected: bool) -> None:
    assert is_rulings(SHAPES[name].text.encode(), Path(SHAPES[name].name)) is expected


@pytest.mark.parametrize("name", BOOKS)
def test_no_rulebook_is_taken_for_rulings(name: str) -> None:
    assert not is_rulings(BOOKS[name].text.encode(), Path("book.md"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("2025-03-08", "2025-03-08"), ("2025.03.08", "2025-03-08"), ("2025年3月8日", "2025-03-08"),
        ("２０２５年３月８日", "2025-03-08"),
        ("2025/3/8 10:00", "2025-03-08"), ("2025-03-08T23:59:59Z", "2025-03-08"), ("March 8, 2025", "2025-03-08"),
        ("8 Mar 2025", "2025-03-08"), ("Mar. 8th, 2025", "2025-03-08"), ("20250308", "2025-03-08"), ("令和7年3月8日", "2025-03-08"),
        ("平成元年1月8日", "1989-01-08"), ("1741392000", "2025-03-08"), ("1741392000000", "2025-03-08"), ("2025年3月", "2025-03"),
        ("2025-03", "2025-03"), ("2025", "2025"), ("03/08/2025", "2025-03-08"), ("28/03/2025", "2025-03-28"),
        ("soon", None), ("", None),
        ("2025-13-45", None), ("since 2025-03-08 this is said to be so by all who know", None),
    ],
)  # fmt: skip
def test_dates(words: str, expected: str | None) -> None:
    assert parse_day(words) == expected


def test_the_day_comes_first_in_all_dates_of_a_file_where_it_does_in_one() -> None:
    rows = [{"question": entry.question, "answer": entry.answer, "date": f"{n + 10}/02/2024"} for n, entry in enumerate(EN)]
    assert [ruling_of(opened(json.dumps(rows), "faq.json"), entry).date for entry in EN[:2]] == ["2024-02-10", "2024-02-11"]


def test_aliases_of_yaml_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_NODES", 40_000)
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)
    )
    with pytest.raises(InputError, match="more than 40,000 values"):
        opened(bomb, "faq.yaml")


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("Yes. <Toll 1> takes a token", "Yes. <Toll 1> takes a token"),
        ("<b>Yes</b>: <Ferry> sinks.<br/>Then <Link> holds.", "Yes: <Ferry> sinks.\nThen <Link> holds."),
        ("<P CLASS=x>A <I>bell</I></P>", "A bell"),
        ("<ruby>山<rt>やま</rt></ruby>札の<渡し>", "山札の<渡し>"),
        ("&lt;Toll&gt; and <<Goose>>", "<Toll> and Goose"),
    ],
)
def test_only_tags_of_html_are_no_words(words: str, read: str) -> None:
    assert without_markup(words) == read
