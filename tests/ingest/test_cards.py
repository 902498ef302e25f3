"""Files of cards: each kind of the wild is read alike, and what is wrong is one line."""

import csv
import io
import json
import random
import tracemalloc
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ingest.cards
from corpus.errors import InputError
from corpus.model import Card
from ingest.cards import MAX_DEPTH, parse_card_file, read_card_file
from ingest.read.limits import ReadLimits

FOLDER = Path(__file__).parents[1] / "support" / "cards"


def cards(name: str) -> list[Card]:
    return read_card_file(FOLDER / name)


def read_cards(data: bytes, name: str, game: str | None = None) -> list[Card]:
    with TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.write_bytes(data)
        return read_card_file(file, game)


@pytest.mark.parametrize(
    ("file", "game", "ident", "names", "texts"),
    [
        (
            "atomic.json",
            "mtg",
            "a1",
            {"en": ("Reed // Rush", "Reed", "Rush"), "ja": ("葦 // 奔流", "葦", "奔流")},
            {"en": "Draw a card.\nHaste", "ja": "カードを1枚引く。\n速攻"},
        ),
        ("atomic.json", "mtg", "a2", {"en": ("Meekness",), "zh-Hans": ("温驯",)}, {"en": "Flying", "zh-Hans": "飞行"}),
        (
            "scryfall.json",
            "mtg",
            "a2",
            {"en": ("Meekness",), "ja": ("温順",), "zh-Hans": ("温驯",)},
            {"en": "Flying", "ja": "飛行"},
        ),
        (
            "ygojson.json",
            "ygo",
            "u-1",
            {"en": ("Heron of Reeds",), "ja": ("葦の鷺",), "zh-Hans": ("苇鹭",)},
            {"en": "Draw 1 card.", "ja": "なし\nカードを１枚引く。"},
        ),
        (
            "lorcana.json",
            "lorcana",
            "Otter - Keeper of Reeds",
            {"en": ("Otter - Keeper of Reeds",)},
            {"en": "Reedward (This character sinks last.)\nDEEP WATER Whenever this character rows, draw a card."},
        ),
        (
            "yugi.yaml",
            "ygo",
            "77",
            {"en": ("Heron of Reeds",), "ja": ("葦の鷺", "リードのヘロン")},
            {"en": "Draw 1 card.\nDiscard 1 card."},
        ),
        (
            "ferry.csv",
            "ferry",
            "F-003",
            {"ja": ("川底の鐘", "底の鐘"), "zh-Hans": ("河底之钟",), "en": ("Bell of the Riverbed",)},
            {"en": "When this card sinks, put it into the bank."},
        ),
    ],
)
def test_each_kind_of_file_is_read(
    file: str, game: str, ident: str, names: Mapping[str, Sequence[str]], texts: Mapping[str, str]
) -> None:
    [card] = [entry for entry in cards(file) if entry.id == ident]
    assert (card.game, card.names, card.texts) == (game, names, texts)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "game,en\nferry\n", "a.csv: line 2: 1 cells instead of 2; nothing was added"),
        ("a.csv", "en\nFog\n", "record 1: names no game"),
        ("a.csv", "game,en\nferry,Fog\nferry, \n", "record 2: has no name"),
        ("a.csv", "game,name\n", "column 'name' is unknown"),
        ("a.csv", "en,en\n", "occurs twice"),
        ("a.csv", "game,id\n", "no column holds names"),
        ("a.csv", "game,en\nno/slug,Fog\n", "'no/slug' is not a game"),
        ("a.csv", 'game,en\nferry,"Fog\n', "not a table"),
        ("a.csv", "", "no column holds names"),
        ("a.json", "{", "is not valid JSON"),
        ("a.json", "[]", "contains no cards"),
        ("a.json", "[1]", "record 1: not an object"),
        ("a.json", '[{"question": "a"}]', "record 1: unknown kind"),
        ("a.json", '[{"oracle_id": "a", "name": ["b"]}]', "record 1: cannot be read"),
        ("a.json", '[{"id": "a", "cardType": "x", "text": {"en": "b"}}]', "record 1: cannot be read"),
        ("a.yaml", "a: &a [x]\nb: *a\n", "anchors"),
        ("a.yaml", "a: [", "is not valid YAML"),
        ("a.jsonl", '{"game": "ferry", "en": "Fog"}\n{', "is not valid JSON"),
        ("a.json", '[{"game": "ferry", "en": "Fog"}, {', "is not valid JSON"),
        ("a.json", "", "is not valid JSON"),
        ("a.json", '"Fog"', "record 1: not an object"),
        ("a.json", "[" * (MAX_DEPTH + 1), "nested levels"),
    ],
)
def test_an_error_is_reported_in_one_line(name: str, text: str, said: str) -> None:
    with pytest.raises(InputError, match=r"^[^\n]*$") as refused:
        read_cards(text.encode(), name)
    assert said in str(refused.value)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_cards(b"game,en\nferry,\xff\xfe\n", "a.csv")


def test_a_game_that_is_given_overrules_the_file() -> None:
    [card] = read_cards(b"en\nFog\n", "a.csv", "ferry")
    assert card.game == "ferry"


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="|<>&"), max_size=12)


@given(
    st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=6, unique_by=lambda row: row[0]),
    st.permutations(["id", "en", "ja", "text", "game"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.randoms(use_true_random=False),
)
def test_the_order_of_columns_and_the_encoding_tell_nothing(
    rows: list[tuple[str, str, str]], columns: list[str], encoding: str, shuffle: random.Random
) -> None:
    numbered = enumerate(rows)
    records = [{"game": "ferry", "id": f"n{nth}", "en": en or "Fog", "ja": ja, "text": text} for nth, (en, ja, text) in numbered]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    writer.writerows(records)
    plain = [{name: record[name] for name in shuffle.sample(columns, len(columns))} for record in records]
    from_table, from_json = _or_refused(out.getvalue().encode(encoding), "a.csv"), _or_refused(json.dumps(plain).encode(), "a.json")
    assert from_table == from_json


def _or_refused(data: bytes, name: str) -> list[tuple[object, ...]] | str:
    try:
        return [
            (read_card.game, read_card.id, sorted(read_card.names.items()), sorted(read_card.texts.items()))
            for read_card in read_cards(data, name)
        ]
    except InputError as fault:
        return str(fault).partition(":")[2]


@pytest.mark.parametrize(
    "wrap",
    [
        "[{}]",
        "\ufeff [{}]",
        '{{"data": [{}]}}',
        '{{"meta": {{"data": [1]}}, "data": {{"Fog": [{}]}}}}',
        '{{"data": {{"Fog": {}}}}}',
        "{}",
    ],
)
def test_records_are_found_wherever_they_stand(wrap: str) -> None:
    [card] = read_cards(wrap.format('{"game": "ferry", "id": "n", "en": "Fog"}').encode(), "a.json")
    assert (card.game, card.id, card.names) == ("ferry", "n", {"en": ("Fog",)})


def test_a_large_file_is_read_record_by_record(tmp_path: Path) -> None:
    file = tmp_path / "bulk.json"
    record = {"oracle_id": "", "name": "", "lang": "en", "oracle_text": "Ferry it.", "image_uris": {"large": "x" * 20_000}}
    with file.open("w", encoding="utf-8") as out:
        out.write("[\n")
        for nth in range(200):
            out.write(json.dumps(record | {"oracle_id": f"{nth}", "name": f"Oar {nth}"}) + (",\n" if nth < 199 else "\n]"))
    tracemalloc.start()
    cards = parse_card_file(file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(cards) == 200
    assert peak < file.stat().st_size / 4


@pytest.mark.parametrize("wrap", ["{}", "[{}]", '{{"data": {{"Fog": {}}}}}', '{{"meta": {}}}', '{{"data": [{}]}}'])
def test_a_record_that_is_most_of_a_file_is_refused(monkeypatch: pytest.MonkeyPatch, wrap: str) -> None:
    monkeypatch.setattr(ingest.cards, "MAX_RECORD_BYTES", 1 << 18)
    record = json.dumps({"game": "ferry", "en": "Fog", "notes": ["x" * 100] * 6_000})
    with pytest.raises(InputError, match="has a record of more than 262,144 bytes"):
        read_cards(wrap.format(record).encode(), "a.json")


def test_a_large_file_is_read_in_a_process_with_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest.cards, "CARD_LIMITS", ReadLimits(seconds=1, memory=64 << 20, here=1000))
    rows = "".join(f"Fog {nth}\n" for nth in range(200_000))
    assert len(read_cards(f"en\n{rows[:8_000]}".encode(), "a.csv", "ferry")) > 800
    with pytest.raises(InputError, match=r"a\.csv: .* split it, or give it as plain text"):
        read_cards(f"en\n{rows}".encode() * 3, "a.csv", "ferry")
