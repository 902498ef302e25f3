"""Duel Masters has no edition in English or Chinese: a first translation starts from terms and glosses marked as ours."""

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from lxml import etree

from tests.support.commands import call
from tests.support.texts import TEXTS

V2 = "{urn:oasis:names:tc:xliff:document:2.0}"
TBX = "{urn:iso:std:iso:30042:ed-2}"

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The Japanese rules of Duel Masters with their glosses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESTONE_DIGEST", "dm.*")
        home = tmp_path_factory.mktemp("dm") / "home"
        assert call(home, "add", TEXTS / "dm" / "dm_rule.ja.md", "--later").code == 0
        yield home


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_glosses_are_notes_and_never_targets(home: Path, lang: str) -> None:
    root = etree.fromstring(call(home, "export", "xliff", "dm/cr", "--todo", "--source", "ja", "--target", lang).out.encode())
    units = list(root.iter(f"{V2}unit"))
    assert len(units) > 900
    assert not list(root.iter(f"{V2}target"))
    notes = [note for unit in units for note in unit.iter(f"{V2}note")]
    glosses = [note.text for note in notes if note.get("category") == "gloss"]
    assert len(glosses) > 500
    assert all(gloss.startswith("unofficial gloss by Rulestone, not a translation: ") for gloss in glosses)
    sources = {"".join(source.itertext()) for source in root.iter(f"{V2}source")}
    assert not sources & {gloss.partition(": ")[2] for gloss in glosses}
    with_terms = [unit for unit in units if any(note.get("category") == "term" for note in unit.iter(f"{V2}note"))]
    assert len(with_terms) > 500
    for kind in ("tmx", "xliff"):
        refused = call(home, "export", kind, "dm/cr", "--source", "ja", "--target", lang)
        assert (refused.code, refused.out, "is not loaded in two languages" in refused.err) == (1, "", True)


def test_the_pack_of_terms_says_which_are_ours(home: Path) -> None:
    root = etree.fromstring(call(home, "export", "tbx", "--game", "dm", "--lang", "ja,en,zh").out.encode())
    lang = "{http://www.w3.org/XML/1998/namespace}lang"
    sources = {
        (section.get(lang), term.findtext(f"{TBX}admin").split(",")[0])
        for section in root.iter(f"{TBX}langSec")
        for term in section.iter(f"{TBX}termSec")
    }
    assert {source for tag, source in sources if tag != "ja"} <= {"Rulestone", "publisher's book", "community"}
    assert ("zh-Hans", "Rulestone") in sources
    assert {source for tag, source in sources if tag == "zh-Hans"} == {"Rulestone"}
    assert ("ja", "publisher's book") in sources
    rows = list(
        csv.DictReader(StringIO(call(home, "export", "csv", "--game", "dm", "--lang", "ja,en,zh").out.removeprefix("\ufeff")))
    )
    whole = [row for row in rows if row["ja"] and row["en"] and row["zh-Hans"]]
    assert len(whole) > 100
