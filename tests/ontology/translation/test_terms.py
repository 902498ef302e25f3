"""Concepts and terms: what people mean by a name, what it is called, where it is used, and in which language it is told."""

import shutil
from collections import Counter
from pathlib import Path

import pyoxigraph as ox
import pytest

from api.text.concepts import concept_lines, grouped_names, term_lines
from api.text.layout import display_width
from corpus.address import BASE, CONCEPT, RS
from corpus.contract import Uses
from corpus.errors import InputError, NotFoundError
from corpus.languages import fallback_order
from corpus.model import Authority
from corpus.store.documents import NewDocuments
from corpus.store.engine import Store
from corpus.store.home import Home
from corpus.store.home.manifest import Manifest
from corpus.words.text import context_around
from corpus.words.traditional import traditional
from ingest.recognise import Hints
from ontology import shipped
from ontology.concepts.bundle import write_concepts
from ontology.concepts.names import ConceptNames, resolve_reference
from ontology.knowledge import Knowledge
from ontology.labels import Label, LabelSort
from ontology.sssom import SSSOM
from ontology.translation import termbase
from ontology.vocabulary import property_labels
from rulestone.writing.add import add
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA
from tests.support.homes import opened, put_books
from tests.support.libraries import library_over
from tests.support.texts import TEXTS

EN = HUNDREDS_EN.replace(
    "A ferry holds at most six tokens.",
    "Whoever steers may look through the graveyard of any other captain,\nbut never into a library below the boards.",
).replace("Geese cross free", "Geese cross their graveyards free")
JA = HUNDREDS_JA.replace("渡し舟には印を六つまで積めます。", "渡し守は墓地を見て、それから山札ではなくライブラリーを川へ流します。")


@pytest.fixture(scope="module")
def piers(digest_home: Home, tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    """The digest, and an invented book of Magic: an older and a newer edition in English, the newer in Japanese too."""
    home = Path(shutil.copytree(digest_home.path, tmp_path_factory.mktemp("piers") / "home"))
    editions = (
        (EN.replace("Geese", "Wild geese"), "2020-01-01", "en", Authority.OFFICIAL),
        (EN, "2021-05-03", "en", Authority.OFFICIAL),
        (JA, "2021-05-03", "ja", Authority.TRANSLATION),
    )
    put_books(home, [(text, Hints("mtg", "piers", edition, lang, by)) for text, edition, lang, by in editions])
    return opened(Home(home))


def slugs(concepts: list[str]) -> str:
    return " ".join(concept.removeprefix(CONCEPT) for concept in concepts)


# What people mean


@pytest.mark.parametrize(
    ("ref", "meant"),
    [
        ("mtg/graveyard", "mtg/graveyard"),
        ("MTG/Graveyard", "mtg/graveyard"),
        (f"{CONCEPT}mtg/graveyard", "mtg/graveyard"),
        (f"{CONCEPT}graveyard", "graveyard"),
        ("mana-zone", "dm/mana-zone"),
        ("マナゾーン", "dm/mana-zone"),
        ("ﾏﾅｿﾞｰﾝ", "dm/mana-zone"),
        ("坟墓场", "mtg/graveyard"),
        ("墳墓場", "mtg/graveyard"),
        ("mtg/gy", "mtg/graveyard"),
        ("  Mtg/ＧＲＡＶＥＹＡＲＤＳ ", "mtg/graveyard"),
        ("dm/墓地", "dm/graveyard"),
        ("absolutely-removed-zone", "mtg/absolutely-removed-zone"),
    ],
)
def test_a_reference_means(piers: Knowledge, ref: str, meant: str) -> None:
    assert slugs(resolve_reference(piers.names, ref)) == meant


def test_the_slug_of_a_hub_concept_means_it_and_its_case_in_each_game(piers: Knowledge) -> None:
    meant = slugs(resolve_reference(piers.names, "graveyard")).split()
    assert meant[0] == "graveyard"
    assert {"dm/graveyard", "fow/graveyard", "mtg/graveyard", "onepiece/trash", "ygo/graveyard"} <= set(meant)
    assert len({concept.partition("/")[0] for concept in meant[1:]}) == len(meant) - 1


@pytest.mark.parametrize(
    ("ref", "error", "words"),
    [
        ("graveyrad", NotFoundError, "similar: Graveyard"),
        ("mtg/graveyrad", NotFoundError, "'graveyrad' in mtg; similar: graveyard"),
        ("マナゾソン", NotFoundError, "similar: マナゾーン"),
        ("zzzzzzzzz", NotFoundError, "no concept is called 'zzzzzzzzz'"),
        (f"{CONCEPT}mtg/graveyrad", NotFoundError, "no concept is called"),
        ("https://example.org/graveyard", InputError, "not the address of a concept"),
        ("", InputError, "expected mtg/graveyard"),
        ("  ", InputError, "expected mtg/graveyard"),
        ("y" * 201, InputError, "expected mtg/graveyard"),
    ],
)
def test_words_that_name_no_concept(piers: Knowledge, ref: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        library_over(piers).concept(ref, lang="en")


# In which language


@pytest.mark.parametrize(
    ("reader_lang", "there", "label", "lang"),
    [
        ("ja", "ja en", "name in ja", "ja"),
        ("ja", "en zh-Hans", "name in en", "en"),
        ("ja", "zh-Hans zh-Hant", "name in zh-Hans", "zh-Hans"),
        ("zh-Hant", "ja zh-Hans en", "name in zh-Hans", "zh-Hans"),
        ("zh-Hans", "ja zh-Hant en", "name in zh-Hant", "zh-Hant"),
        ("zh-Hans", "ja en", "name in en", "en"),
        ("en", "ja zh-Hans", "name in zh-Hans", "zh-Hans"),
        ("en", "", "pier", None),
    ],
)
def test_names_fall_back_in_one_order_and_say_their_language(reader_lang: str, there: str, label: str, lang: str | None) -> None:
    labels = [Label(f"{CONCEPT}mtg/pier", code, f"name in {code}", LabelSort.PREFERRED, False) for code in there.split()]
    labels.append(Label(f"{CONCEPT}mtg/pier", "en", "dock", LabelSort.SLANG, False))
    name = ConceptNames({f"{CONCEPT}mtg/pier": labels}, lambda _: (), {}).body_with_name(f"{CONCEPT}mtg/pier", reader_lang)
    assert (name["label"], name["lang"]) == (label, lang)


@pytest.mark.parametrize("sort", [LabelSort.SLANG, LabelSort.ALTERNATIVE])
def test_a_name_that_a_person_forbade_is_listed_last_as_forbidden(sort: LabelSort) -> None:
    pier = f"{CONCEPT}mtg/pier"
    labels = [Label(pier, "en", "jetty", sort, False), Label(pier, "en", "dock", LabelSort.SLANG, False)]
    names = ConceptNames({pier: labels}, lambda _: (), {}, forbidden=[(pier, "en", "jetty")])
    by_language = names.by_language(pier)
    assert {name["sort"] for name in by_language["en"]} <= set(termbase._STATUS_BY_SORT)
    assert [(name["label"], name["sort"]) for name in by_language["en"]] == [("dock", "slang"), ("jetty", "forbidden")]
    assert grouped_names(by_language["en"]) == ("must not be used: jetty", "dock")


def test_notes_fall_back_in_the_same_order(piers: Knowledge) -> None:
    """Shipped notes are in ja, zh-Hans and en: a reader of traditional Chinese gets the simplified one, converted."""
    bodies = [library_over(piers).concept("mtg/graveyard", lang=lang) for lang in ("zh-Hant", "zh-Hans")]
    converted, simplified = ([claim["note"] for claim in body["concepts"][0]["properties"]["ordering"]] for body in bodies)
    assert any(simplified)
    assert converted == [note and traditional(note) for note in simplified]


@pytest.mark.parametrize("lang", ["ja", "zh-Hant", "en"])
def test_the_concordance_gives_the_answers_language_first(piers: Knowledge, lang: str) -> None:
    for game in ("dm", "mtg"):
        langs = [group["lang"] for group in library_over(piers).term("墓地", lang=lang, games=game)["concordance"]]
        assert langs == [code for code in fallback_order(lang) if code in langs]
        assert len(langs) == 3


# Whole concepts


def test_a_concept_says_nothing_without_its_rule(piers: Knowledge) -> None:
    for name in ("mtg/graveyard", "dm/mana-zone", "ygo/monster-zone"):
        [concept] = library_over(piers).concept(name, lang="en")["concepts"]
        claims = [claim for claims in concept["properties"].values() for claim in claims]
        assert claims and all(support["rule"] and support["quote"] for claim in claims for support in claim["supports"])
        assert set(concept["definition"]) == {"ja", "zh-Hans", "en"}


def test_a_concept_points_at_its_rules_and_editions(piers: Knowledge) -> None:
    [graveyard] = library_over(piers).concept("mtg/graveyard", lang="ja")["concepts"]
    assert (graveyard["game"], graveyard["label"], graveyard["kind"], graveyard["hub"]) == (
        "mtg",
        "墓地",
        "zone",
        f"{CONCEPT}graveyard",
    )
    first = graveyard["defined_by"][0]
    assert (first["rule"], first["number"], first["loaded"]) == (f"{BASE}id/mtg/cr/2024-06-07/404.1", None, False)
    by_edition = {(use["book"], use["edition"]): (use["current"], use["rules"], use["first"]) for use in graveyard["mentioned_in"]}
    assert by_edition["piers", "2021-05-03"] == (
        True,
        2,
        [{"rule": f"{BASE}id/mtg/piers/2021-05-03/{locator}", "locator": locator} for locator in ("101.1", "201.2")],
    )
    assert by_edition["piers", "2020-01-01"][:2] == (False, 2)
    for match in graveyard["matches"]:
        assert (match["own_rule"] or "").startswith(f"{BASE}id/mtg/")
        assert match["concept"] is None or (match["rule"] or "").startswith(f"{BASE}id/{match['game']}/")


def test_a_shared_idea_lists_its_cases(piers: Knowledge) -> None:
    [idea] = library_over(piers).concept(f"{CONCEPT}graveyard", lang="en")["concepts"]
    assert (idea["game"], idea["kind"], idea["properties"]) == (None, "idea", {})
    assert [name["game"] for name in idea["narrower"]][:4] == ["dm", "fow", "mtg", "ygo"]


def test_all_concepts_are_listed_in_pages(piers: Knowledge) -> None:
    library = library_over(piers)
    first = library.concepts(lang="en", limit=1000)
    assert len(first["concepts"]) == 1000
    pages = (library.concepts(lang="en", offset=offset, limit=1000) for offset in range(1000, first["total"], 1000))
    whole = first["concepts"] + [concept for page in pages for concept in page["concepts"]]
    assert first["total"] == len(whole) == len(piers.names.labels)
    kinds = Counter(concept["kind"] for concept in whole)
    assert "concept" not in kinds
    zones = library_over(piers).concepts(lang="en", offset=2, limit=3, kind="zone")
    assert (zones["total"], len(zones["concepts"])) == (kinds["zone"], 3)
    assert {concept["game"] for concept in library_over(piers).concepts(lang="en", limit=1000, games="dm")["concepts"]} == {"dm"}
    with pytest.raises(InputError, match=r"expected one of .*dm, fow"):
        library_over(piers).concepts(games="chess")
    with pytest.raises(InputError, match="kind 'pier'"):
        library_over(piers).concepts(kind="pier")


# Terms and where they are used


def uses(knowledge: Knowledge, label: str, lang: str, game: str | None = None) -> list[str]:
    """The uses of one language in the invented book: rule, whether current, and the words around."""
    body = library_over(knowledge).term(label, lang=lang, limit=1000, book_lang=lang, games=game)
    pier_uses = [use for group in body["concordance"] for use in group["uses"] if use["book"] == "piers"]
    return [
        f"{use['edition']} {use['locator']} {use['current']}: {use['before']}[{use['match']}]{use['after']}" for use in pier_uses
    ]


def test_every_use_stands_with_its_rule_and_the_words_around_it(piers: Knowledge) -> None:
    look = "Whoever steers may look through the [graveyard] of any other captain, but never into a…"
    assert uses(piers, "gy", "en", game="mtg") == [
        f"2021-05-03 101.1 True: {look}",
        "2021-05-03 201.2 True: Geese cross their [graveyards] free of charge.",
        f"2020-01-01 101.1 False: {look}",
        "2020-01-01 201.2 False: Wild geese cross their [graveyards] free of charge.",
    ]
    assert uses(piers, "山札", "ja", game="mtg") == [
        "2021-05-03 101.1 True: 渡し守は墓地を見て、それから山札ではなく[ライブラリー]を川へ流します。"
    ]


def test_a_word_of_one_game_finds_the_name_in_every_game(piers: Knowledge) -> None:
    body = library_over(piers).term("山札", lang="ja")
    preferred = {(term["concept"].removeprefix(CONCEPT), term["label"]) for term in body["terms"]}
    assert {("dm/deck", "山札"), ("mtg/library", "ライブラリー"), ("fow/main-deck", "メインデッキ")} <= preferred
    assert {"dm", "fow", "mtg", "ygo"} <= {term["game"] for term in body["terms"]}
    labels = {label["label"]: (label["sort"], label["official"]) for label in body["terms"][0]["labels"]["ja"]}
    assert labels["山札"] == ("preferred", True)
    assert "slang" in {sort for sort, _ in labels.values()}


def test_the_concordance_is_complete(piers: Knowledge) -> None:
    """As many uses as a count over all records gives, and each stands in the words of its rule."""
    body = library_over(piers).term("graveyard", lang="en", limit=1000)
    concepts = {term["concept"] for term in body["terms"]} | {f"{CONCEPT}graveyard"}
    counted: Counter[tuple[str, str]] = Counter()
    records = {record["iri"]: record for record in piers.all_records()}
    for record in records.values():
        counted.update((record["game"], mention["lang"]) for mention in record["mentions"] if mention["concept"] in concepts)
    assert {(group["game"], group["lang"]): group["total"] for group in body["concordance"]} == counted
    assert body["total"] == counted.total() > 50
    for use in (use for group in body["concordance"] for use in group["uses"]):
        record = records[use["rule"]]
        loaded = use["lang"] in record["texts"]
        assert (use["source"], use["authority"] is None) == (("text", False) if loaded else ("gloss", True))
        words = record["texts"][use["lang"]]["text"] if loaded else record["digest"][use["lang"]]
        context = f"{use['before']}{use['match']}{use['after']}".strip("…")
        assert context in " ".join(words.split()) if use["lang"] == "en" else context in words.replace("\n", " ")
        assert " ".join(words[use["start"] : use["end"]].split()) == use["match"]


def test_pages_of_uses_join_without_a_gap(piers: Knowledge) -> None:
    def page(offset: int, limit: int) -> Uses:
        body = library_over(piers).term("graveyard", lang="en", games="mtg", book_lang="en", offset=offset, limit=limit)
        return body["concordance"][0]

    whole = page(0, 9)["uses"]
    parts = [page(at, 3)["uses"] for at in (0, 3, 6)]
    assert [*parts[0], *parts[1], *parts[2]] == whole
    beyond = page(1000, 3)
    assert (beyond["uses"], beyond["total"] > 9) == ([], True)


@pytest.mark.parametrize(
    ("label", "game", "error", "words"),
    [
        ("graveyrad", None, NotFoundError, "similar"),
        ("マナゾーン", "ygo", NotFoundError, "ygo has no term"),
        ("graveyard", "chess", InputError, "'chess' is not a game"),
        ("", None, InputError, "expected a name"),
    ],
)
def test_words_that_are_no_term(piers: Knowledge, label: str, game: str | None, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        library_over(piers).term(label, lang="en", games=game)


def test_false_friends_are_shown_once() -> None:
    store = Store()
    for graph, lines in shipped.shipped_graphs().items():
        if "/concepts/" in graph:
            store.load(lines)
    exile, other = f"{CONCEPT}mtg/exile", f"{CONCEPT}ygo/deck-zone"
    store.load(b"".join(_denied(place, *pair) for place, pair in enumerate(((exile, other), (other, exile)))))
    store.flush()
    records = NewDocuments()
    write_concepts(records, store)
    body = library_over(Knowledge(store, Manifest(), records)).term("追放", lang="en")
    rows = [(friend["concept"], friend["other"]["concept"], friend["comment"]) for friend in body["false_friends"]]
    assert (exile, other, "a pier is no boat") in rows
    assert (other, exile, "a pier is no boat") not in rows
    printed = "\n".join(term_lines(body, 60))
    assert "≠ false friends: exile (mtg) is not Deck Zone (ygo)" in printed
    assert "404.1 · mtg cr 2024-06-07" in printed


def _denied(place: int, subject: str, object_: str) -> bytes:
    mapping, graph = ox.NamedNode(f"{BASE}id/mapping/test-{place}"), ox.NamedNode(f"{BASE}graph/test")
    rule = ox.NamedNode(f"{BASE}id/mtg/cr/2024-06-07/404.1")
    said: dict[str, ox.NamedNode | ox.Literal] = {
        "subject_id": ox.NamedNode(subject),
        "object_id": ox.NamedNode(object_),
        "predicate_id": ox.NamedNode("http://www.w3.org/2004/02/skos/core#closeMatch"),
        "predicate_modifier": ox.Literal("Not"),
        "confidence": ox.Literal("0.9"),
        "comment": ox.Literal("a pier is no boat"),
        "subject_rule": rule,
        "object_rule": rule,
    }
    quads = [
        ox.Quad(mapping, ox.NamedNode((RS if name.endswith("_rule") else SSSOM) + name), value, graph)
        for name, value in said.items()
    ]
    return ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""


# The words around a place


@pytest.mark.parametrize(
    ("text", "word", "before", "after"),
    [
        ("geese", "geese", "", ""),
        ("a b c d e f g h i geese j k l m n o p q r", "geese", "…b c d e f g h i ", " j k l m n o p q…"),
        ("a b\nc  geese\n\nd", "geese", "a b c ", " d"),
        ("川" * 25 + "舟" + "岸" * 20, "舟", "…" + "川" * 20, "岸" * 20),
        ("川" * 20 + "舟" + "岸" * 21, "舟", "川" * 20, "岸" * 20 + "…"),
        ("one two three four 川川川川川川川川川川川舟", "舟", "…two three four " + "川" * 11, ""),
        ("geese, ", "geese", "", ","),
        ("x" * 500 + " geese", "geese", "…" + "x" * 399 + " ", ""),
    ],
)
def test_around(text: str, word: str, before: str, after: str) -> None:
    start = text.index(word)
    assert context_around(text, start, start + len(word)) == (before, after)


# On a small terminal


@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize("lang", ["ja", "en", "zh-Hant"])
def test_lines_fit_the_terminal(piers: Knowledge, lang: str, width: int) -> None:
    printed = [*term_lines(library_over(piers).term("墓地", lang=lang), width)]
    for name in ("mtg/graveyard", "dm/mana-zone", "yard"):
        printed += concept_lines(library_over(piers).concept(name, lang=lang), property_labels(), width)
    assert [line for line in printed if display_width(line) > width and not line.startswith(BASE)] == []


def test_a_concept_page_has_names_definition_rules_and_disputes(piers: Knowledge) -> None:
    printed = "\n".join(concept_lines(library_over(piers).concept("mtg/graveyard", lang="en"), property_labels(), None))
    for words in (
        "graveyard · mtg · zone",
        "  en      graveyard*, ",
        "; slang: ",
        "definition, ours (en):",
        "defined by 404.1, 404.2",
        "ordering: newest on top (sources disagree)\n  400.5 · mtg cr 2025-02-07: “",
        "“can’t be changed except when effects” (text not loaded)",
        "named in 2 rules of mtg piers 2020-01-01 (NOT CURRENT): 101.1, 201.2",
    ):
        assert words in printed
    several = "\n".join(concept_lines(library_over(piers).concept("yard", lang="en"), property_labels(), None))
    assert "rulestone concept dm/graveyard" in several
    assert "in other games:" not in several
    table = "\n".join(term_lines(library_over(piers).term("library", lang="en", games="mtg", limit=2), None))
    for words in (
        "│mtg  │ en      │ library*",
        "library · mtg\n  defined by 401.1",
        "\n  mtg piers 2021-05-03 · official\n",
        "our gloss",
    ):
        assert words in table


# The real book


@pytest.mark.slow
@pytest.mark.real
def test_the_whole_magic_book_in_two_languages(tmp_path: Path) -> None:
    add(Home(tmp_path / "home"), [TEXTS / "mtg" / "20240607_En.txt", TEXTS / "mtg" / "20240607_Zh.txt"])
    groups = library_over(opened(Home(tmp_path / "home"))).term("grave", lang="en", games="mtg")["concordance"]
    by_lang = {group["lang"]: group for group in groups}
    assert by_lang["en"]["total"] > 100 and by_lang["zh-Hans"]["total"] > 100
    assert all(use["source"] == "text" and use["current"] for lang in ("en", "zh-Hans") for use in by_lang[lang]["uses"])
