"""`export tbx`, `csv`, `xlsx`, `skos`: the terms with their status, valid and read back without loss by other tools."""

import csv
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from lxml import etree

from rulestone import Library
from tests.support.commands import call
from tests.support.editions import DIGEST
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put
from tests.support.schemas import faults, published_grammar, xsd_faults

YARD = "https://w3id.org/rulestone/id/concept/mtg/graveyard"
SCOPE = ("--game", "mtg", "--lang", "en,ja,zh", "--concepts", "zones")
TBX = "{urn:iso:std:iso:30042:ed-2}"


def exported_bytes(home: Path, *arguments: str) -> bytes:
    ended = call(home, "export", *arguments)
    assert (ended.code, ended.err) == (0, "")
    return ended.out.encode()


def table(home: Path, *arguments: str) -> dict[str, dict[str, str]]:
    return {row["concept"]: row for row in csv.DictReader(StringIO(exported_bytes(home, "csv", *arguments).decode("utf-8-sig")))}


def test_tbx_of_2019_is_valid(home: Path) -> None:
    assert faults("tbx-basic-2019", exported_bytes(home, "tbx")) == []


def test_tbx_of_2019_fits_the_published_grammar(home: Path) -> None:
    grammar = published_grammar("TBXcoreStructV03_TBX-Basic_integrated.rng")
    assert grammar.validate(etree.fromstring(exported_bytes(home, "tbx"))), grammar.error_log


@pytest.mark.slow
def test_tbx_of_2008_fits_the_schema_that_omegat_reads(home: Path, tmp_path: Path) -> None:
    assert xsd_faults("tbx.xsd", exported_bytes(home, "tbx", "--dialect", "2008"), tmp_path) == []


def test_other_tools_read_the_same_terms(home: Path) -> None:
    from translate.storage.tbx import tbxfile

    rows = table(home, "--game", "mtg", "--lang", "en,ja")
    units = tbxfile.parsestring(exported_bytes(home, "tbx", "--dialect", "2008", "--game", "mtg", "--lang", "en,ja")).units
    assert len(units) == len(rows) > 50
    pairs = {(row["en"], row["ja"]) for row in rows.values() if row["en"] and row["ja"]}
    assert {(unit.source, unit.target) for unit in units} >= pairs


def test_an_entry_defines_its_term_and_names_the_source(home: Path) -> None:
    document = etree.fromstring(exported_bytes(home, "tbx", *SCOPE))
    [entry] = [candidate for candidate in document.iter(f"{TBX}conceptEntry") if candidate.get("id") == "c-mtg-graveyard"]
    statuses = {
        term.findtext(f"{TBX}term"): (term.findtext(f"{TBX}termNote"), term.findtext(f"{TBX}admin"))
        for term in entry.iter(f"{TBX}termSec")
    }
    assert statuses["graveyard"] == ("preferredTerm-admn-sts", "publisher's book")
    assert statuses["discard pile"][0] == "admittedTerm-admn-sts"
    assert statuses["yard"] == ("deprecatedTerm-admn-sts", "Rulestone")
    assert YARD in {xref.get("target") for xref in entry.iter(f"{TBX}xref")}


def test_a_shipped_name_has_its_source_without_loaded_books(home: Path) -> None:
    document = etree.fromstring(exported_bytes(home, "tbx", "--game", "mtg", "--lang", "en,zh", "--concepts", "zones"))
    sources = {term.findtext(f"{TBX}term"): term.findtext(f"{TBX}admin") for term in document.iter(f"{TBX}termSec")}
    assert (sources["graveyard"], sources["坟墓场"], sources["附加套牌区"]) == (
        "publisher's book",
        "recognised translation",
        "Rulestone",
    )


@pytest.fixture(scope="module")
def geese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book whose glossary uses the word that it defines."""
    home = tmp_path_factory.mktemp("geese") / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESTONE_DIGEST", DIGEST)
        put(home, HUNDREDS_EN.replace("A bird that pays no toll.", "A bird. No goose pays a toll."), "2022-01-01")
    return home


@pytest.mark.slow
def test_a_book_makes_its_names_official_and_gives_examples(geese: Path) -> None:
    [row] = [row for row in table(geese, "--game", "ferry").values() if row["en"] == "Goose"]
    rule = "https://w3id.org/rulestone/id/ferry/cr/2022-01-01/glossary/goose"
    assert (row["en status"], row["kind"], row["defined by"], row["example"]) == (
        "preferred: publisher's book", "book-term", rule, rule,
    )  # fmt: skip
    assert row["note"] == ""
    quoted = table(geese, "--game", "ferry", "--with-texts")[row["concept"]]
    assert quoted["note"] == "No goose pays a toll."


def test_a_workbook_has_the_rows_of_the_table_and_no_formula(home: Path) -> None:
    from openpyxl import load_workbook

    with Library.open(home) as library:
        data = library.termbase("xlsx", games=["mtg"], langs=["en", "ja"])
    sheet = load_workbook(BytesIO(data)).active
    rows = [[cell.value or "" for cell in row] for row in sheet.iter_rows()]
    plain = list(csv.reader(StringIO(exported_bytes(home, "csv", "--game", "mtg", "--lang", "en,ja").decode("utf-8-sig"))))
    assert rows == plain
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value} == {"s"}


@pytest.mark.slow
def test_skos_is_a_file_a_game_with_a_status_for_every_label(home: Path, tmp_path: Path) -> None:
    from rdflib import Graph, Namespace, URIRef
    from rdflib.namespace import SKOS

    assert call(home, "export", "skos", "-o", tmp_path).code == 0
    assert {"dm.ttl", "mtg.ttl", "ferry.ttl"} <= {file.name for file in tmp_path.iterdir()}
    graph = Graph().parse(tmp_path / "mtg.ttl", format="turtle")
    xl, lexinfo = Namespace("http://www.w3.org/2008/05/skos-xl#"), Namespace("http://www.lexinfo.net/ontology/3.0/lexinfo#")
    for name in ("prefLabel", "altLabel", "hiddenLabel"):
        literal = {graph.value(label, xl.literalForm) for label in graph.objects(URIRef(YARD), xl[name])}
        assert literal == set(graph.objects(URIRef(YARD), SKOS[name])) != set()
    status = {graph.value(label, lexinfo.normativeAuthorization) for label in graph.objects(URIRef(YARD), xl.prefLabel)}
    assert status == {lexinfo.preferredTerm}


def test_a_scope_limits_games_languages_and_concepts(home: Path) -> None:
    rows = table(home, *SCOPE)
    assert {row["game"] for row in rows.values()} == {"mtg"}
    assert {row["kind"] for row in rows.values()} <= {"zone", "sub-zone", "composite", "not-a-zone"}
    assert [name for name in next(iter(rows.values())) if name.endswith(" status")] == ["en status", "ja status", "zh-Hans status"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("tbx", "mtg"), 2, "export tbx does not accept BOOK"),
        (("csv", "--dialect", "2008"), 2, "export csv does not accept --dialect"),
        (("tbx", "--dialect", "2030"), 2, "dialect '2030': expected one of 2019, 2008"),
        (("csv", "--concepts", "zonez"), 2, "concepts zonez: expected some of zones"),
        (("csv", "--game", "chess"), 2, "'chess' is not a game with terms"),
        (("csv", "--lang", "tlh"), 2, "lang 'tlh': expected ja"),
        (("skos",), 2, "SKOS is written for one game at a time"),
        (("csv", "--game", "ferry", "--concepts", "zones"), 1, "no concept of these games"),
        (("tmx", "--game", "mtg"), 2, "export tmx does not accept --game"),
    ],
)
def test_meaningless_arguments_are_refused(home: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    ended = call(home, "export", *arguments)
    assert (ended.code, ended.out, message in ended.err) == (code, "", True), ended.err


def test_a_term_page_names_the_book_of_a_name_and_takes_several_games(home: Path) -> None:
    [term] = call(home, "term", "Ferries", "--game", "ferry", "--json").json()["terms"]
    labels = {lang: (label["label"], label["official"], label["authority"]) for lang, [label] in term["labels"].items()}
    assert labels == {"ja": ("渡し舟", True, "translation"), "en": ("Ferries", True, "official")}
    body = call(home, "term", "graveyard", "--game", "dm,mtg", "--json").json()
    assert {entry["game"] for entry in body["terms"]} == {"dm", "mtg"}
    assert {group["game"] for group in body["concordance"]} == {"dm", "mtg"}
    assert call(home, "term", "graveyard", "--game", "dm,chess").code == 2
