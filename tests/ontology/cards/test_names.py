"""Names of cards in texts: the longest at each place, in any language, with a slip or without."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model import Card
from corpus.store.documents import FILE_NAME, NewDocuments, draft_documents
from ontology.cards import CardsOfGames, CardStore, card_mentions, has_key, name_key, name_parts, name_tokens, write_cards

NAMES = {
    "en": ["Fog", "Fog Bank", "The Ferryman's Oath", "Oarbreaker", "Lim-Dûl's Reed", "Heron, the Patient"],
    "ja": ["霧", "渡し守の誓い", "青葦の老いたる鷺", "E・HERO オールマン"],
    "zh-Hans": ["迷雾", "摆渡人的誓言"],
}


@pytest.fixture(scope="module")
def cards() -> CardStore:
    records = NewDocuments()
    every = [(lang, name) for lang, names in NAMES.items() for name in names]
    write_cards(records, [Card("ferry", str(nth), {lang: (name,)}, {"en": name}) for nth, (lang, name) in enumerate(every)])
    return CardStore(records)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("does Fog stop it", ["Fog"]),
        ("does fog bank stop FOG", ["fog bank", "FOG"]),
        ("Oarbreaker's effect", ["Oarbreaker"]),
        ("the ferryman's oath vs lim dul's reed", ["the ferryman's oath", "lim dul's reed"]),
        ("Heron the Patient", ["Heron the Patient"]),
        ("does the Patient block, or Heron?", ["the Patient", "Heron"]),  # the parts of a name
        ("渡し守の誓いと霧", ["渡し守の誓い", "霧"]),
        ("擺渡人的誓言", ["擺渡人的誓言"]),  # the other script
        ("Ｅ・ＨＥＲＯ オールマンで攻撃", ["Ｅ・ＨＥＲＯ オールマン"]),
        ("nothing of that", []),
        ("Foggy", []),
        # slips
        ("does Oarbraeker die", ["Oarbraeker"]),
        ("the ferymans oath", ["the ferymans oath"]),
        ("老いたる鷺は強い", []),  # half of a name
        ("青葦の老いた鷺を出す", ["青葦の老いた鷺"]),
        ("摆渡人的誓", ["摆渡人的誓"]),
        ("the oath", []),
        ("", []),
    ],
)
def test_names_are_found(cards: CardStore, text: str, names: list[str]) -> None:
    assert [text[name.start : name.end] for name in card_mentions(text, name_tokens(text), cards)] == names


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("「霧」の効果", True),
        ("霧の効果", False),
        ('is "Fog" ok', True),
        ("[[Fog Bank]]", True),
        ("《迷雾》", True),
        ("「霧の効果」", False),
    ],
)
def test_quoted_names_are_marked(cards: CardStore, text: str, quoted: bool) -> None:
    assert [name.quoted for name in card_mentions(text, name_tokens(text), cards)][:1] == [quoted]


def test_cards_are_looked_up_by_any_of_their_names(cards: CardStore) -> None:
    assert [card.names for card in cards.cards_with_name("ＦＯＧ　bank")] == [{"en": ("Fog Bank",)}]
    assert cards.cards_with_name("Fo") == []
    assert CardsOfGames(cards, ()).similar_names("Fog Bnk") == ["Fog Bank"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Heron, the Patient", ["Heron", "the Patient"]),
        ("Ilsa - Tide Keeper", ["Ilsa", "Tide Keeper"]),
        ("岸辺のイルサ、潮の番人", ["岸辺のイルサ", "潮の番人"]),
        ("Reed-Needle", []),
        ("Fog", []),
        ("Ox, a", []),
    ],
)
def test_a_divided_name_has_parts(name: str, parts: list[str]) -> None:
    assert name_parts(name) == parts


def test_a_part_names_every_card_that_has_it_unless_another_is_called_so() -> None:
    records = NewDocuments()
    names = ["Heron, the Patient", "Heron, the Swift", "The Swift"]
    write_cards(records, [Card("ferry", str(nth), {"en": (name,)}) for nth, name in enumerate(names)])
    shelf = CardStore(records)
    assert [card.id for card in shelf.cards_with_name("heron")] == ["0", "1"]
    assert [card.id for card in shelf.cards_with_name("the patient")] == ["0"]
    assert [card.id for card in shelf.cards_with_name("The Swift")] == ["2"]
    assert "Heron, the Patient" in CardsOfGames(shelf, ()).similar_names("the patien")
    assert has_key("Heron, the Patient", "heron ") and not has_key("Heron, the Patient", "patient ")


@given(st.lists(st.text("ab あい墓", max_size=6), max_size=8), st.text("ab あい墓", max_size=20))
def test_the_longest_name_is_the_one_that_trying_all_finds(names: list[str], text: str) -> None:
    records = NewDocuments()
    write_cards(records, [Card("ferry", str(nth), {"en": (name,)}) for nth, name in enumerate(names)])
    shelf, words = CardStore(records), name_key(name_tokens(text))
    keys = {name_key(name_tokens(name)) for name in names} - {""}
    assert shelf.longest_name(words) == max((key for key in keys if words.startswith(key)), key=len, default=None)


def test_thirty_thousand_cards_fit(tmp_path: Path) -> None:
    draw = random.Random(0)
    words = ["".join(draw.choices("abcdefghiklmnoprstuw", k=draw.randint(3, 9))) for _ in range(400)]
    han = [chr(code) for code in range(0x4E00, 0x5200)]
    some = [
        Card("ferry", str(nth), {"en": (" ".join(draw.choices(words, k=3)),), "ja": ("".join(draw.choices(han, k=5)),)}, {})
        for nth in range(1000)
    ]
    with draft_documents(tmp_path, None) as records:
        write_cards(records, some)
    assert (tmp_path / FILE_NAME).stat().st_size * 30 < 20 << 20  # names alone, in two languages
