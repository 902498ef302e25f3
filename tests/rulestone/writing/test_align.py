"""Two texts without common numbers or words: aligned, checked by a person, and joined by what that person said."""

import csv
import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from starlette.testclient import TestClient

from api.http.app import create_app
from corpus.address import EditionKey
from corpus.store.home import Home
from ontology.translation.checked_alignments import AlignmentRow, AlignmentSheet, CheckedVerdict
from rulestone import InputError, Library, NotFoundError
from rulestone.writing.alignments import apply_alignment_sheet
from tests.api.test_changes import held
from tests.support.commands import call
from tests.support.homes import books_alone
from tests.support.translated import NEWER, OLDER, PARTNERS, put

OLD, NEW = f"ferry/cr/{OLDER}:ja", f"ferry/cr/{NEWER}:en"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with books_alone():
        return put(tmp_path_factory.mktemp("translated") / "home").path


@pytest.fixture
def home(built: Path, tmp_path: Path, books_alone: None) -> Path:
    return shutil.copytree(built, tmp_path / "home")


@pytest.fixture
def library(home: Path) -> Iterator[Library]:
    with Library.open(home) as library:
        yield library


def links(library: Library) -> dict[str, str]:
    body = library.align(OLD, NEW)
    return {link["old"]["locator"]: link["new"]["locator"] for link in body["links"] if link["old"] and link["new"]}


def rows(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table), delimiter="\t"))


def marked(library: Library, path: Path, said: dict[str, str], extra: str = "") -> Path:
    """The table as a person saves it: what is said of the rows of some old rules; the others are left."""
    lines = library.alignment_table(library.align(OLD, NEW)).splitlines()
    rows = [_said(line, said) for line in lines[1:]]
    path.write_text("\n".join([lines[0], *rows]) + "\n" + extra, encoding="utf-8")
    return path


def _said(line: str, said: dict[str, str]) -> str:
    old = line.split("\t")[2].rpartition("/")[2]
    return line.replace("?", said[old], 1) if old in said else line


def test_rules_find_their_partners_whatever_their_numbers(library: Library) -> None:
    linked = links(library)
    right = sum(linked.get(old) == new for old, new in PARTNERS.items())
    assert right >= len(PARTNERS) - 1
    alone = {link["new"]["locator"] for link in library.align(OLD, NEW)["links"] if link["new"] and not link["old"]}
    assert "203.1" in alone


def test_the_table_names_rules_by_address_and_has_the_words(library: Library) -> None:
    [row] = [row for row in rows(library.alignment_table(library.align(OLD, NEW))) if row["old"].endswith("/102.2")]
    assert (row["checked"], row["new"]) == ("?", f"ferry/cr/{NEWER}/201.2")
    assert (row["old_words"], row["new_words"]) == ("手札の上限は7枚です。", "The maximum hand size is 7 cards.")


@pytest.mark.slow
def test_what_was_checked_joins_the_editions_and_survives_a_build(library: Library, tmp_path: Path) -> None:
    extra = f"yes\t1\tferry/cr/{OLDER}/100.1\tferry/cr/{NEWER}/203.1\n"
    applied = library.apply_alignment(marked(library, tmp_path / "a.tsv", {"101.1": "yes", "100.1": "no"}, extra))
    assert (applied["joins"], applied["taken"], applied["refused"]) == ("thread", 2, 1)

    def steps(locator: str) -> list[tuple[str | None, bool]]:
        return [(step["number"], step["proposed"]) for step in library.thread(f"ferry:{OLDER}:{locator}")["steps"]]

    for _ in range(2):
        assert steps("101.1") == [("101.1.", False), ("202.1.", False)]
        assert steps("100.1")[1:] == [("203.1.", False)]
        assert steps("102.2")[1:] == [("201.2.", True)]  # nobody has checked it
        assert links(library)["100.1"] == "203.1"
        library.build(later=True)


@pytest.mark.slow
def test_a_later_table_takes_the_place_of_an_older_one(library: Library, tmp_path: Path) -> None:
    library.apply_alignment(marked(library, tmp_path / "a.tsv", {"101.1": "yes"}))
    library.apply_alignment(marked(library, tmp_path / "b.tsv", {"101.2": "yes"}))
    body = library.align(OLD, NEW)
    assert [link["checked"] for link in body["links"]].count("yes") == 2  # the new table had the first row's yes as well
    bundle = Home(library.path).current_folder()
    assert bundle is not None
    assert len(list(bundle.glob("tables/alignment/*"))) == 1


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("a\tb\n", "no column"),
        ("checked\told\tnew\nperhaps\tferry/cr/2015-01-01/100\t\n", "yes, no or ?"),
        ("checked\told\tnew\nyes\t100\tferry/cr/2025-01-01/200\n", "is not a rule"),
        ("checked\told\tnew\nyes\tchess/cr/2015-01-01/100\tferry/cr/2025-01-01/200\n", "chess/cr/2015-01-01 is not loaded"),
        ("checked\told\tnew\nyes\tferry/cr/2025-01-01/200\tferry/cr/2025-01-01/200\n", "one edition"),
        ("checked\tconfidence\told\tnew\nyes\t7\tferry/cr/2015-01-01/100\tferry/cr/2025-01-01/200\n", "from 0 to 1"),
    ],
)
def test_a_table_that_is_none_changes_nothing(library: Library, tmp_path: Path, table: str, words: str) -> None:
    (tmp_path / "bad.tsv").write_text(table)
    before = library.bundle_name()
    with pytest.raises(InputError, match=words.replace("?", r"\?")):
        library.apply_alignment(tmp_path / "bad.tsv")
    assert library.bundle_name() == before


CHECKED = [
    AlignmentRow(CheckedVerdict.YES, "102.2", "201.2"),
    AlignmentRow(CheckedVerdict.YES, "101.1", "202.1"),
    AlignmentRow(CheckedVerdict.YES, "101.1", "203.1"),
    AlignmentRow(CheckedVerdict.UNSEEN, "101.2", "202.2"),
    AlignmentRow(CheckedVerdict.NO, "100.1", "200.1"),
    AlignmentRow(CheckedVerdict.YES, "100.2", None),
]


def units(library: Library, **options: Any) -> list[tuple[str, str, list[str | None]]]:  # noqa: ANN401
    """Number, the rule that the translation is of, and the words of both, of each unit of a translation memory."""
    document = etree.fromstring(b"".join(library.bitext("tmx", "ferry/cr", **options)))
    read = []
    for unit in document.iter("tu"):
        said = {prop.get("type"): str(prop.text) for prop in unit.findall("prop")}
        read.append(
            (said["x-number"], said["x-translated-address"].rpartition("/")[2], [segment.text for segment in unit.iter("seg")])
        )
    return read


def test_what_was_checked_is_bitext_one_to_many_and_in_order(library: Library) -> None:
    with pytest.raises(NotFoundError, match="not loaded in two languages"):
        library.bitext("tmx", "ferry/cr")
    sheet = AlignmentSheet(EditionKey("ferry", "cr", OLDER), EditionKey("ferry", "cr", NEWER), CHECKED)
    apply_alignment_sheet(Home(library.path), sheet)
    grave = "The graveyard is a public zone. Destroyed cards are put into the graveyard. A lantern burns for three nights."
    hand = ["手札の上限は7枚です。", "The maximum hand size is 7 cards."]
    pairs = units(library)
    assert [pairs[0][:2], pairs[-1]] == [("101.1", "202.1"), ("102.2", "201.2", hand)]
    assert " ".join(words or "" for *_, (_, words) in pairs[:-1]).split() == grave.split()
    assert units(library, section="102") == pairs[-1:]
    assert units(library, source="en", edition=NEWER)[0] == ("201.2", "102.2", hand[::-1])
    with pytest.raises(NotFoundError, match="no section 7"):
        library.bitext("tmx", "ferry/cr", section="7")


def test_what_cannot_be_aligned(library: Library) -> None:
    with pytest.raises(InputError, match="one text"):
        library.align(OLD, OLD)
    with pytest.raises(InputError, match="not a loaded book"):
        library.align("chess", NEW)
    with pytest.raises(NotFoundError, match="not loaded in zh-Hans"):
        library.align(f"ferry/cr/{OLDER}:zh", NEW)


def test_commands_and_http_give_the_same_body(home: Path, tmp_path: Path) -> None:
    with TestClient(create_app(Library.open(home, create=False)), raise_server_exceptions=False) as client:
        body = held("alignment", client.get("/v1/alignments", params={"old": OLD, "new": NEW}).json())
        assert call(home, "align", OLD, NEW, "--json").json() == body
        assert len(client.get("/v1/alignments", params={"old": OLD, "new": NEW, "limit": 2, "offset": 1}).json()["links"]) == 2
        assert client.get("/v1/alignments", params={"old": OLD}).status_code == 400
    table, page = tmp_path / "a.tsv", tmp_path / "a.html"
    assert "without a partner" in call(home, "align", OLD, NEW, "--tsv", table, "--html", page).out
    assert "手札の上限は7枚です。" in page.read_text(encoding="utf-8")
    assert "0 rows taken" in call(home, "align", "--apply", table).out
    assert call(home, "align", OLD).code == 2
    assert call(home, "align", OLD, "--apply", table).code == 2
