"""Cards in the library: files of them added, kept and removed, looked up, and named in questions."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.errors import InputError, NotFoundError
from corpus.store.home import Home
from rulestone import Library
from search.searcher import Request, Searcher
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put, put_cards

FOLDER = Path(__file__).parents[1] / "support" / "cards"
FERRY, MAGIC = FOLDER / "ferry.csv", FOLDER / "atomic.json"


@pytest.fixture(scope="module")
def library(cards_home: Path) -> Iterator[Library]:
    with Library.open(cards_home, create=False, lang="en") as library:
        yield library


@pytest.fixture(scope="module")
def own(digest_home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The digest with three cards of Magic."""
    file = tmp_path_factory.mktemp("own") / "own.csv"
    file.write_text(
        "game,en,text\n"
        'mtg,"Ilsa, Tide Keeper",Trample\nmtg,"Ilsa, Reed Cutter",Flying\n'
        "mtg,Moorwick Glanster,Flying. Menace. When this card enters scry 3.\n",
        encoding="utf-8",
    )
    home = Path(shutil.copytree(digest_home.path, file.with_name("home")))
    put_cards(home, file)
    with Library.open(home, create=False, lang="en") as library:
        yield library


@pytest.mark.parametrize("name", ["The Ferryman's Oath", "the ferrymans oath", "渡し守の誓い", "摆渡人的誓言", "擺渡人的誓言"])
def test_a_card_is_looked_up_by_any_name(library: Library, name: str) -> None:
    if "s oath" in name and "'" not in name:
        with pytest.raises(NotFoundError, match="did you mean The Ferryman's Oath"):
            library.cards(name)
        return
    [card] = library.cards(name)["cards"]
    assert (card["game"], card["id"], card["names"]["ja"]) == ("ferry", "F-001", ["渡し守の誓い"])


def test_ambiguous_and_unknown_names_are_said_to_be_so(own: Library) -> None:
    both = own.search("does Ilsa deal trample damage to a blocker")["understood"]
    one = own.search("does the Tide Keeper deal trample damage to a blocker")["understood"]
    none = own.search("does Quillon Varskeld deal trample damage")["understood"]
    assert [(card["name"], card["ambiguous"]) for card in both["cards"]] == [
        ("Ilsa, Tide Keeper", True),
        ("Ilsa, Reed Cutter", True),
    ]
    assert [(card["name"], card["ambiguous"]) for card in one["cards"]] == [("Ilsa, Tide Keeper", False)]
    assert none["unknown_cards"] == ["Quillon Varskeld"]
    assert "unknown_cards" not in one


def test_a_card_has_the_concepts_of_its_text(library: Library) -> None:
    [card] = library.cards("Quietgrove Edict", lang="en")["cards"]
    assert {"trample", "creature"} <= {concept["label"].lower() for concept in card["concepts"]}


@pytest.mark.parametrize(
    ("name", "said"),
    [("Nothing At All", "All; run: rulestone cards FILE"), ("Oarbraker", "did you mean Oarbreaker?")],
)
def test_a_card_that_is_not_there(library: Library, name: str, said: str) -> None:
    with pytest.raises(NotFoundError, match="no card is called") as lacking:
        library.cards(name)
    assert said in str(lacking.value)


@pytest.mark.parametrize("name", ["", "  ", "x" * 201])
def test_texts_that_are_no_name(library: Library, name: str) -> None:
    with pytest.raises(InputError, match="a card's name has 1 to 200 characters"):
        library.cards(name)


def test_a_game_limits_the_look_up(library: Library) -> None:
    with pytest.raises(NotFoundError):
        library.cards("Fog", games="mtg")


def test_a_bad_file_changes_nothing(library: Library, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("game,en\nferry,Fine\nferry\n", encoding="utf-8")
    before = library.bundle_name()
    with pytest.raises(InputError, match=r"bad\.csv: line 3"):
        library.add_cards(tmp_path / "bad.csv")
    assert library.bundle_name() == before


@pytest.mark.slow
def test_cards_outlive_a_book_a_build_and_go_with_their_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    put(home, HUNDREDS_EN, "2020-01-01")
    with Library.open(home, lang="en") as library:
        assert library.add_cards(FERRY)["added"]["status"] == "added"
        assert library.add_cards(FERRY)["added"]["status"] == "known"
        assert library.add_cards(MAGIC)["total"] == 7
        put(home, HUNDREDS_EN.replace("six", "seven"), "2021-05-03")
        library.build(later=True)
        assert library.cards("温驯")["cards"][0]["game"] == "mtg"
        assert library.remove("atomic.json")["cards"]["cards"] == 2
        assert library.cards("Fog")["cards"]
        with pytest.raises(NotFoundError):
            library.cards("温驯")
        library.remove(FERRY)
        with pytest.raises(NotFoundError, match="there are no cards in the library yet"):
            library.cards("Fog")
        assert {file.name for file in (home / "sources").glob("*/*")} == {"2020-01-01.en.txt", "2021-05-03.en.txt"}
        with pytest.raises(NotFoundError):
            library.remove("ferry.csv")


@pytest.mark.parametrize(
    ("question", "cards"),
    [
        ("does The Ferryman's Oath let me cross", [("F-001", True)]),
        ("does the ferrymans oath let me cross", [("F-001", False)]),
        ("can I cross while Fog is out", [("F-002", True)]),
        ("「霧」が出ているとき渡れますか", [("F-002", True)]),
        ("霧の中を渡れますか", []),
        ("can I cross in fog", []),
        ("我施放迷雾，还能渡河吗", [("F-002", True)]),
        ("對手的迷霧結算後能渡河嗎", [("F-002", True)]),
        ("浓迷雾中能渡河吗", []),
        ("Fog", [("F-002", True)]),
        ("does Quietgrove Edict stop trample", [("M-001", True)]),
        ("what does a ferry hold", []),
    ],
)
def test_questions_name_cards(library: Library, question: str, cards: list[tuple[str, bool]]) -> None:
    understood = library.search(question)["understood"]
    assert [(mention["id"], mention["exact"]) for mention in understood.get("cards", [])] == cards
    assert all(question[mention["start"] : mention["end"]] for mention in understood.get("cards", []))


def test_a_question_includes_the_concepts_of_its_card(library: Library) -> None:
    body = library.search("does Quietgrove Edict change the order of cards in the graveyard", lang="en")
    assert body["understood"]["games"] == ["mtg"]
    assert body["understood"]["cards"][0]["concepts"][-1].endswith("concept/creature")
    assert [card["name"] for card in body["hits"][0]["why"]["cards"]] == ["Quietgrove Edict"]


def test_a_card_does_not_outvote_the_words_of_the_question(digest_searcher: Searcher, own: Library) -> None:
    """The card is about flying, menace and scrying; the question is about mulligans."""
    request = Request("how many cards do I draw after a mulligan with Moorwick Glanster in my hand", ("mtg",))

    def first_rules(searcher: Searcher) -> list[str]:
        hits = searcher.rank(searcher.understand(request), request).hits[:3]
        return [searcher.index.rules[hit.rule].locator for hit in hits]

    searcher = own._bundle().searcher
    [mention] = searcher.understand(request).cards
    assert mention.cards[0].names["en"] == ("Moorwick Glanster",)
    assert first_rules(searcher)[0] in first_rules(digest_searcher)


def test_whether_to_answer_is_judged_by_the_questions_own_words(own: Library) -> None:
    searcher = own._bundle().searcher
    request = Request("how many cards may a deck have with Moorwick Glanster in it", ("mtg",))
    query = searcher.understand(request)
    assert query.cards
    assert searcher.rank(query, request).features == searcher.rank(query.in_own_words, request).features


def test_rulings_are_found_by_card_names_and_rules_by_card_texts(library: Library) -> None:
    searcher = library._bundle().searcher
    query = searcher.understand(Request("does Quietgrove Edict touch the graveyard"))
    assert (query.terms["quietgrov"], query.literal_terms["quietgrov"], "quietgrov" in query.required_terms) == (0.3, 1.0, False)
    assert set(query.literal_terms) < set(query.terms)


def _suggested(library: Library, typed: str, lang: str = "en", game: str | None = None) -> list[tuple[str, str, str | None]]:
    suggestions = library.suggest(typed, lang=lang, game=game)["suggestions"]
    return [(card["label"], card["lang"] or "", card["game"]) for card in suggestions if card["kind"] == "card"]


@pytest.mark.parametrize(
    ("typed", "lang", "card"),
    [
        ("the ferry", "en", ("The Ferryman's Oath", "en", "ferry")),
        ("THE  FERRYMAN'S O", "en", ("The Ferryman's Oath", "en", "ferry")),
        ("渡し守", "en", ("渡し守の誓い", "ja", "ferry")),
        ("摆渡", "ja", ("摆渡人的誓言", "zh-Hans", "ferry")),
        ("擺渡", "ja", ("摆渡人的誓言", "zh-Hans", "ferry")),
        ("Oarb", "en", ("Oarbreaker", "en", "ferry")),
    ],
)
def test_a_card_is_suggested_by_the_beginning_of_its_name(library: Library, typed: str, lang: str, card: tuple[str, ...]) -> None:
    assert _suggested(library, typed, lang=lang) == [card]


def test_a_suggested_card_has_no_address_and_each_is_there_once(library: Library) -> None:
    [card] = [suggestion for suggestion in library.suggest("fo", lang="en")["suggestions"] if suggestion["kind"] == "card"]
    assert card == {"kind": "card", "iri": None, "game": "ferry", "number": None, "label": "Fog", "lang": "en"}
    assert [label for label, *_ in _suggested(library, "底", lang="ja")] == ["底の鐘"]


def test_cards_of_a_game_are_suggested_and_leave_room_for_other_names(library: Library) -> None:
    assert _suggested(library, "the ferry", game="mtg") == []
    kinds = [suggestion["kind"] for suggestion in library.suggest("f", lang="en", limit=6)["suggestions"]]
    assert len(kinds) == 6
    assert {"term", "card"} <= {*kinds}
    assert [suggestion["kind"] for suggestion in library.suggest("fog", lang="en", limit=1)["suggestions"]] == ["card"]


@pytest.mark.parametrize("typed", ["'", "、。", "zzzz", "\U0010ffff"])
def test_letters_that_begin_no_name_suggest_no_card(library: Library, typed: str) -> None:
    assert _suggested(library, typed) == []
