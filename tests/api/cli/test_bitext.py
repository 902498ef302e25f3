"""`export tmx` and `export xliff`: a book in two languages, valid and read back without loss by other tools."""

from pathlib import Path

import pytest
from lxml import etree

from rulestone import Library
from tests.support.commands import call
from tests.support.schemas import dtd_faults, faults

RULE = "https://w3id.org/rulestone/id/ferry/cr/2021-05-03"
XLF = {"x": "urn:oasis:names:tc:xliff:document:2.0", "m": "urn:oasis:names:tc:xliff:metadata:2.0"}


def exported_bytes(home: Path, *arguments: str) -> bytes:
    ended = call(home, "export", *arguments)
    assert (ended.code, ended.err) == (0, "")
    return ended.out.encode()


def test_tmx_is_valid(home: Path) -> None:
    assert faults("tmx-1.4", exported_bytes(home, "tmx")) == []


def test_tmx_fits_the_published_dtd(home: Path) -> None:
    assert dtd_faults("tmx14.dtd", exported_bytes(home, "tmx")) == []


def test_xliff_is_valid(home: Path) -> None:
    assert faults("xliff-2.1", exported_bytes(home, "xliff", "ferry/cr", "--source", "ja", "--target", "en")) == []


def test_every_unit_has_address_edition_part_and_authority(home: Path) -> None:
    document = etree.fromstring(exported_bytes(home, "tmx", "ferry", "--section", "101"))
    unit = next(tu for tu in document.iter("tu") if tu.get("tuid").startswith(f"{RULE}/101.1#text-1"))
    properties = {prop.get("type"): prop.text for prop in unit.findall("prop")}
    assert properties.pop("x-confidence") == "1.0"
    assert properties == {
        "x-address": f"{RULE}/101.1", "x-game": "ferry", "x-book": "cr", "x-edition": "2021-05-03", "x-number": "101.1",
        "x-part": "text", "x-current": "yes",
    }  # fmt: skip
    assert [variant.findtext("prop") for variant in unit.findall("tuv")] == ["official", "translation"]
    places = [tu.get("tuid").removeprefix(f"{RULE}/").partition("#")[0] for tu in document.iter("tu")]
    assert [place for place in places if not place.startswith("101")] == []


def test_the_words_of_a_unit_are_those_of_the_rule(home: Path) -> None:
    with Library.open(home) as library:
        rules = {rule["iri"]: rule for rule in library.rules("ferry:101.2")["rules"] if rule["edition"] == "2021-05-03"}
    document = etree.fromstring(exported_bytes(home, "xliff", "--source", "en", "--target", "ja"))
    [unit] = [element for element in document.iter(f"{{{XLF['x']}}}unit") if element.get("name") == f"{RULE}/101.2"]
    for tag, lang in (("source", "en"), ("target", "ja")):
        assert "".join(part.text for part in unit.iter(f"{{{XLF['x']}}}{tag}")) == rules[f"{RULE}/101.2"]["texts"][lang]["text"]


def test_other_tools_read_the_same_words(home: Path) -> None:
    from translate.storage.tmx import tmxfile
    from translate.storage.xliff2 import Xliff2File

    memory, bitext = exported_bytes(home, "tmx"), exported_bytes(home, "xliff")
    pairs = [tuple(seg.text for seg in unit.iter("seg")) for unit in etree.fromstring(memory).iter("tu")]
    assert len(pairs) >= 10
    assert [(unit.source, unit.target) for unit in tmxfile.parsestring(memory).units] == pairs
    assert [(unit.source, unit.target) for unit in Xliff2File.parsestring(bitext).units] == pairs


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tmx", "mtg"), "mtg is not loaded in two languages; books that are: ferry/cr/2021-05-03 en, ja"),
        (("tmx", "ferry", "--section", "909"), "no section 909 in ferry/cr/2021-05-03"),
        (("tmx", "ferry", "--edition", "2020-01-01"), "ferry 2020-01-01 is not loaded in two languages"),
    ],
)
def test_missing_texts_are_reported(home: Path, arguments: tuple[str, ...], message: str) -> None:
    ended = call(home, "export", *arguments)
    assert (ended.code, ended.out, message in ended.err) == (1, "", True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tmx", "ferry", "--source", "ja", "--target", "ja"), "source and target are both ja"),
        (("tmx", "ferry", "--source", "tlh"), "source 'tlh': expected ja"),
        (("jsonl", "ferry"), "export jsonl does not accept BOOK"),
        (("sssom", "--source", "ja"), "export sssom does not accept --source"),
        (("txm",), "'txm' cannot be exported; expected jsonl"),
    ],
)
def test_meaningless_arguments_are_refused(home: Path, arguments: tuple[str, ...], message: str) -> None:
    ended = call(home, "export", *arguments)
    assert (ended.code, ended.out, message in ended.err) == (2, "", True)


def test_characters_that_xml_forbids_are_left_out() -> None:
    from rulestone.formats.xml import document_bytes, element

    assert etree.fromstring(document_bytes(element("seg", "a\x0bb < c & d\ud800"))).text == "ab < c & d"
