"""Several editions of one book: which is current, which is meant by a year, and what the digest alone knows."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.errors import InputError, NotFoundError
from rulestone import Library
from tests.support import homes
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA, MARKDOWN

PIERS, GEESE = MARKDOWN, MARKDOWN.replace("Ferrymen at a Glance", "Geese at a Glance")
DUELS = """\
4. Places

400. General
400.1. The duel is fought on nine ferries, and each of them has a name of its own.
400.2. Some ferries are open and some are covered.
400.2a Everybody may look into an open ferry.
400.2b Nobody may look into a covered one.

401. Ferries
401.1. A ferry is entered from the bow.
401.2. A ferry is left over the stern.
401.2a Whoever leaves it twice swims.
"""


@pytest.fixture(autouse=True)
def small_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_DIGEST", "dm.cr.2025-12-17.4.toml,dm.zones*,mtg.cr.2024*")


@pytest.fixture
def with_concepts(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "home") as library:
        yield library


@pytest.fixture
def library(books_alone: None, with_concepts: Library) -> Library:
    return with_concepts


@pytest.fixture
def with_glosses(no_ontology: None, with_concepts: Library) -> Library:
    return with_concepts


def put(
    library: Library,
    text: str,
    edition: str,
    name: str = "ferrymen.txt",
    *,
    game: str = "ferry",
    book: str = "cr",
    lang: str | None = None,
) -> None:
    path = library.path.parent / name
    path.write_text(text, encoding="utf-8")
    library.add(path, edition=edition, authority="official", game=game, book=book, lang=lang)


def edition_lines(library: Library, ref: str, **options: str) -> list[str]:
    """Each rule that a reference names, with what is said of its age."""
    lines = []
    for rule in library.rules(ref, **options)["rules"]:
        by = rule["superseded_by"]
        words = [rule["edition"], "current" if rule["current"] else "old"]
        words += [f"by {by['edition']}"] if by else []
        words += [f"latest in {rule['latest_in']}"] if rule["latest_in"] else []
        words += [f"beside {', '.join(rule['order_unknown'])}"] if rule["order_unknown"] else []
        lines.append(" ".join(words))
    return lines


def test_a_later_edition_supersedes_in_whatever_language(library: Library) -> None:
    put(library, HUNDREDS_JA, "2015-01-01", lang="ja")
    assert edition_lines(library, "ferry:101.1") == ["2015-01-01 current"]
    put(library, HUNDREDS_EN, "2025-01-01", lang="en")
    assert edition_lines(library, "ferry:101.1") == ["2025-01-01 current", "2015-01-01 old by 2025-01-01 latest in ja"]
    assert edition_lines(library, "ferry:101.1", book_lang="ja") == ["2015-01-01 old by 2025-01-01 latest in ja"]
    [hit] = [match for match in library.search("渡し舟の印", games="ferry", book_lang="ja")["hits"] if match["locator"] == "101.1"]
    assert (hit["current"], hit["latest_in"], hit["superseded_by"]) == (
        False,
        "ja",
        {"game": "ferry", "book": "cr", "edition": "2025-01-01", "iri": None},
    )


def test_a_later_file_does_not_supersede_chapters_that_it_lacks(library: Library) -> None:
    put(library, PIERS, "2019-01-01", "piers.md", book="guide")
    put(library, GEESE, "2020-01-01", "geese.md", book="guide")
    assert edition_lines(library, "ferry/guide:piers/1.1~1") == ["2019-01-01 current"]
    put(library, PIERS.replace("every pier", "each pier").replace("**one**", "**no**"), "2021-01-01", "glance.md", book="guide")
    assert edition_lines(library, "ferry/guide:glance/1.1~1") == ["2021-01-01 current"]
    assert edition_lines(library, "ferry/guide:piers/1.1~1") == ["2019-01-01 old by 2021-01-01"], (
        "one title, whatever the file is called"
    )
    assert edition_lines(library, "ferry/guide:geese/1.1~1") == ["2020-01-01 current"]


def test_an_edition_of_unknown_age_supersedes_nothing_and_says_so(library: Library) -> None:
    put(library, HUNDREDS_EN, "undated")
    put(library, HUNDREDS_EN.replace("six tokens", "five tokens"), "2020-01-01")
    assert edition_lines(library, "ferry:101.1") == ["2020-01-01 current beside undated", "undated current beside 2020-01-01"]
    said = {
        edition["edition"]: edition["order_unknown"] for edition in library.editions()["editions"] if edition["game"] == "ferry"
    }
    assert said == {"2020-01-01": ["undated"], "undated": ["2020-01-01"]}


def test_a_year_or_a_month_means_the_edition_in_force_at_its_end(library: Library) -> None:
    put(library, HUNDREDS_EN.replace("six tokens", "five tokens"), "2020-05-03")
    put(library, HUNDREDS_EN, "2021-05-03")
    assert edition_lines(library, "ferry:2020:101.1") == ["2020-05-03 old by 2021-05-03"]
    assert edition_lines(library, "ferry:2021-04:101.1") == ["2020-05-03 old by 2021-05-03"]
    assert edition_lines(library, "ferry:2021-05:101.1") == edition_lines(library, "ferry:2024:101.1") == ["2021-05-03 current"]
    assert edition_lines(library, "cr/2020/101.1", game="ferry") == ["2020-05-03 old by 2021-05-03"]
    with pytest.raises(NotFoundError, match=r"no edition from 2019 or before is loaded; loaded editions: ferry/cr 2021"):
        library.rules("ferry:2019:101.1")
    with pytest.raises(NotFoundError, match=r"2020-05-04 is not loaded; loaded editions: ferry/cr 2021-05-03, 2020-05-03"):
        library.rules("ferry:2020-05-04:101.1")
    with pytest.raises(NotFoundError, match=r"no rule 999\.1 in ferry/2020"):
        library.rules("ferry:2020:999.1")


def test_what_the_digest_alone_knows_supersedes_nothing_and_is_read_where_nothing_else_is(with_glosses: Library) -> None:
    library = with_glosses
    put(library, DUELS, "2024-01-01", game="dm")
    assert edition_lines(library, "dm/cr:400.2a") == ["2024-01-01 current"]
    assert edition_lines(library, "dm/cr:2025-12-17:400.2a") == ["2025-12-17 current"]
    assert edition_lines(library, "dm/cr:400.3") == ["2025-12-17 current"], "no loaded edition has it"
    assert edition_lines(library, "dm/zones-summary:400.2a") == ["undated old by 2024-01-01"], "it retells a chapter that is loaded"
    places = {(hit["edition"], hit["locator"]) for hit in library.search("public zone", games="dm", limit=100)["hits"]}
    assert ("2025-12-17", "400.2a") not in places
    assert {("2024-01-01", "400.2a")} <= {*places, *hits(library, "look into an open ferry")}
    assert ("2025-12-17", "400.3") in hits(library, "400.3")


def hits(library: Library, query: str) -> set[tuple[str, str]]:
    return {(hit["edition"], hit["locator"]) for hit in library.search(query, games="dm", limit=100)["hits"]}


@pytest.fixture(scope="module")
def three_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three editions, of which the third, in Japanese, takes the place of the second."""
    path = tmp_path_factory.mktemp("three") / "home"
    five = HUNDREDS_EN.replace("six tokens", "five tokens")
    editions = [(five, "2019-05-03", "en"), (HUNDREDS_EN, "2021-05-03", "en"), (HUNDREDS_JA, "2023-05-03", "ja")]
    with homes.books_alone():
        homes.put_editions(path, editions)
    return path


@pytest.fixture(scope="module")
def three(three_home: Path) -> Iterator[Library]:
    with Library.open(three_home) as library:
        yield library


def test_as_of_asks_the_library_as_it_stood_then(three: Library) -> None:
    then = ["2021-05-03 current", "2019-05-03 old by 2021-05-03"]
    for as_of in ("2021-05-03", "2022", "2023-04", "ferry/cr/2021-05-03", "ferry:2021-05-03"):
        assert edition_lines(three, "ferry:101.1", as_of=as_of) == then, as_of
    assert edition_lines(three, "ferry:101.1", as_of="2020-12-31") == ["2019-05-03 current"]
    assert edition_lines(three, "ferry:101.1") == [
        "2023-05-03 current",
        "2021-05-03 old by 2023-05-03 latest in en",
        "2019-05-03 old by 2023-05-03",
    ]
    with pytest.raises(NotFoundError, match=r"no rule 101\.1 at that time: the oldest .* is ferry/cr/2019-05-03"):
        three.rules("ferry:101.1", as_of="2018")
    with pytest.raises(NotFoundError, match=r"no rule 101\.9"):
        three.rules("ferry:101.9", as_of="2018")
    with pytest.raises(NotFoundError, match="2023-05-03 is not loaded"):
        three.rules("ferry:2023-05-03:101.1", as_of="2021")
    assert three.cites("ferry:101.2", as_of="2020")["rule"]["edition"] == "2019-05-03"


@pytest.mark.parametrize(
    ("ref", "as_of", "following", "certain", "note"),
    [
        ("ferry:101.1", "2021-05-03", "2023-05-03", True, None),
        ("ferry:101.1", "2021", "2023-05-03", True, None),
        ("ferry:101.1", "ferry/cr/2021-05-03", "2023-05-03", True, None),
        ("ferry:101.1", "2020-12-31", "2021-05-03", False, "101.1 of 2019-05-03 and of 2021-05-03 have different words"),
        ("ferry:101.2", "2020-12-31", "2021-05-03", True, "101.2 of 2019-05-03 and of 2021-05-03 have the same words"),
        ("ferry:2020:101.1", None, "2021-05-03", False, "no edition of 2020 is loaded; 101.1 of 2019-05-03 and of 2021-05-03"),
        ("ferry:101.1", "2022-01-01", "2023-05-03", False, "of 2021-05-03 and of 2023-05-03 are loaded in different languages"),
        ("ferry:101.1", "2024-01-01", None, False, "2024-01-01 is after the newest loaded edition, 2023-05-03"),
    ],
)
def test_a_rule_of_a_day_says_how_sure_it_is(
    three: Library, ref: str, as_of: str | None, following: str | None, certain: bool, note: str | None
) -> None:
    first = three.rules(ref, as_of=as_of, lang="en")["rules"][0]
    day = first["as_of"]
    assert (day["next"], day["certain"], day["note"] is None) == (following, certain, note is None)
    assert (note or "") in (day["note"] or "")
    assert "as_of" not in three.rules("ferry:101.1")["rules"][0]
    older = three.rules("ferry:101.1", as_of="2022")["rules"][1]
    assert (older["edition"], "as_of" in older) == ("2019-05-03", False)


@pytest.mark.usefixtures("books_alone")
def test_a_moment_names_the_books_without_a_date(three_home: Path, tmp_path: Path) -> None:
    three = Library.open(shutil.copytree(three_home, tmp_path / "home"))
    put(three, HUNDREDS_EN.replace("six tokens", "nine tokens"), "harbour-print", "gooze.txt", game="gooze")
    for moment, games, is_listed in (("2020", None, True), ("2022", "gooze", True), ("2022", "ferry", False)):
        for body in (three.search("tokens", games=games, as_of=moment), three.ask("tokens", games=games, as_of=moment)):
            assert ("gooze/cr/harbour-print" in body["undated"]) is is_listed
            assert not any(key.startswith("ferry/") for key in body["undated"])
    assert "undated" not in three.search("tokens")
    assert "undated" not in three.ask("tokens")


def test_a_search_as_of_finds_what_there_was(three: Library) -> None:
    def there(as_of: str | None = None) -> set[tuple[str, bool]]:
        hits = three.search("how many tokens does a ferry hold", games="ferry", limit=50, as_of=as_of)["hits"]
        return {(hit["edition"], hit["current"]) for hit in hits}

    assert {edition for edition, _ in there(as_of="2020")} == {"2019-05-03"}
    assert there(as_of="2020") == {("2019-05-03", True)}
    assert {edition for edition, _ in there(as_of="2022")} <= {"2019-05-03", "2021-05-03"}
    assert ("2021-05-03", True) in there(as_of="2022")
    assert "2023-05-03" in {edition for edition, _ in there()}


def test_what_is_no_moment_is_refused(library: Library) -> None:
    put(library, HUNDREDS_EN, "undated")
    for as_of, error, words in (
        ("2021-13", InputError, "is not a date"),
        ("2021-02-30", InputError, "is not a date"),
        ("yesterday", NotFoundError, "give a date .* or one of the loaded editions: dm/zones-summary/undated, ferry/cr/undated"),
        ("undated", InputError, "may be dm/zones-summary/undated, ferry/cr/undated; name one of them"),
    ):
        with pytest.raises(error, match=words):
            library.rules("ferry:101.1", as_of=as_of)


@pytest.mark.slow
def test_terms_concepts_and_zones_as_of(with_concepts: Library) -> None:
    library = with_concepts

    def proved(as_of: str | None) -> set[str]:
        zones = library.zones(games="mtg", as_of=as_of)["zones"]
        claims = [claim for zone in zones for some in zone["properties"].values() for claim in some]
        return {support["edition"] for claim in claims for support in claim["supports"]}

    def naming(as_of: str | None) -> list[str]:
        [graveyard] = library.concept("mtg/graveyard", as_of=as_of)["concepts"]
        return [mention["edition"] for mention in graveyard["mentioned_in"] if mention["game"] == "mtg"]

    assert proved(None) > {"2024-06-07", "undated"}
    assert proved("2020") == {"undated"}, "nobody knows that it is later"
    assert naming(None) == ["2024-06-07"]
    assert naming("2020") == []
    assert library.term("graveyard", games="mtg")["total"]
    assert not library.term("graveyard", games="mtg", as_of="2020")["total"]
