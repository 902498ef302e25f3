"""`concordance`: words in their context, the other language beside them with the words that answer."""

import csv
from io import StringIO
from pathlib import Path
from typing import Any, cast

import pytest

from corpus.contract import Concordance
from rulestone.formats.termbase import concordance_table
from tests.support.commands import call

RULE = "https://w3id.org/rulestone/id/ferry/cr/2021-05-03"


def body(home: Path, *arguments: str) -> dict[str, Any]:
    return call(home, "concordance", *arguments, "--game", "ferry", "--json").json()


def test_a_line_has_its_place_its_context_and_the_other_language(home: Path) -> None:
    concordance = body(home, "goose", "--part", "text")
    assert (concordance["total"], concordance["rules"], concordance["forms"]) == (1, 1, [{"form": "goose", "count": 1}])
    [line] = concordance["lines"]
    assert (line["rule"], line["match"], line["part"]) == (f"{RULE}/100.1b", "goose", "text")
    assert (line["before"], line["after"]) == ("The ", " belongs to nobody, see rule 201.2.")
    assert line["beside"]["lang"] == "ja"
    assert line["beside"]["text"].startswith("ガチョウ")


def test_corresponding_words_are_marked(home: Path) -> None:
    [line] = [use for use in body(home, "201.2", "--in", "en")["lines"] if use["locator"] == "100.1b"]
    assert line["beside"]["counterparts"] == []  # the Japanese text cites another rule
    [line] = body(home, "Ferries", "--part", "heading")["lines"]
    words = [line["beside"]["text"][counterpart["start"] : counterpart["end"]] for counterpart in line["beside"]["counterparts"]]
    assert (line["beside"]["text"], words) == ("渡し舟", ["渡し舟"])


def test_current_editions_are_looked_through_unless_one_is_named(home: Path) -> None:
    for arguments, editions in ((), {"2021-05-03"}), (("--edition", "2020-01-01"), {"2020-01-01"}):
        assert {line["edition"] for line in body(home, "tokens", *arguments)["lines"]} == editions
    assert {line["edition"] for line in body(home, "tokens", "--edition", "all")["lines"]} == {"2020-01-01", "2021-05-03"}


def test_parts_languages_pages_and_expressions(home: Path) -> None:
    assert {line["part"] for line in body(home, "tokens", "--part", "example,note")["lines"]} <= {"example", "note"}
    assert {line["lang"] for line in body(home, "。", "--in", "ja")["lines"]} == {"ja"}
    whole = body(home, r"\w+s\b", "--regex", "--in", "en")
    page = body(home, r"\w+s\b", "--regex", "--in", "en", "--limit", "3", "--offset", "2")
    assert page["lines"] == whole["lines"][2:5]
    assert sum(place["count"] for place in whole["places"]) == whole["total"] > 5


def test_lines_become_a_table(home: Path, tmp_path: Path) -> None:
    lines = body(home, "token", "--limit", "100")["lines"]
    for ending, dialect in (("csv", "excel"), ("tsv", "excel-tab")):
        target = tmp_path / f"token.{ending}"
        assert call(home, "concordance", "token", "--game", "ferry", "-o", target).code == 0
        rows = list(csv.DictReader(StringIO(target.read_text("utf-8-sig")), dialect=dialect))
        assert [(row["address"], row["match"], row["before"]) for row in rows] == [
            (line["rule"], line["match"], line["before"]) for line in lines
        ]


def test_renderings_are_counted(home: Path, tmp_path: Path) -> None:
    arguments = ("ferry", "--in", "en", "--beside", "ja", "--renderings")
    rows = body(home, *arguments)["renderings"]
    assert {(row["edition"], row["lang"], row["beside"]) for row in rows} == {("2021-05-03", "en", "ja")}
    assert rows[0]["text"] == "渡し舟"
    assert rows[0]["rules"][0].startswith(RULE)
    assert body(home, "ferry", "--in", "en", "--beside", "ja")["renderings"] == []
    target = tmp_path / "renderings.csv"
    assert call(home, "concordance", *arguments, "--game", "ferry", "-o", target).code == 0
    table = list(csv.DictReader(StringIO(target.read_text("utf-8-sig"))))
    assert [(row["rendering"], int(row["count"])) for row in table] == [(row["text"] or "", row["count"]) for row in rows]
    output = call(home, "concordance", *arguments, "--game", "ferry").out
    assert f"{rows[0]['count']:>5}" in output
    assert "渡し舟" in output


@pytest.mark.parametrize(("kind", "dialect"), [("csv", "excel"), ("tsv", "excel-tab")])
def test_no_cell_of_a_table_is_a_formula(home: Path, kind: str, dialect: str) -> None:
    concordance = cast(Concordance, body(home, "goose", "--part", "text"))
    [line] = concordance["lines"]
    line["before"], line["match"], line["after"] = "=HYPERLINK(1)", "-1", "@x"
    [row] = csv.DictReader(StringIO(concordance_table(concordance, kind).decode("utf-8-sig")), dialect=dialect)
    assert (row["before"], row["match"], row["after"]) == ("'=HYPERLINK(1)", "'-1", "'@x")


def test_people_see_the_lines_below_each_other(home: Path) -> None:
    output_lines = call(home, "concordance", "ferry", "--game", "ferry", "--beside", "ja").out.splitlines()
    assert output_lines[0].startswith("ferry · ")
    lines = [line for line in output_lines if line.lstrip().startswith(("10", "20"))]
    assert lines
    assert any("ja: " in line for line in output_lines)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("barrel-organ",), 1, ""),
        (("(", "--regex"), 2, "'(' is not a regular expression of RE2"),
        (("a*", "--regex"), 2, "matches empty text"),
        (("goose", "--part", "poem"), 2, "part 'poem': expected one of example"),
        (("goose", "--edition", "1999"), 2, "edition '1999': expected one of"),
        (("goose", "--book", "ferry/xy"), 2, "book 'xy': expected one of"),
        (("goose", "--beside", "tlh"), 2, "beside 'tlh': expected ja"),
        (("goose", "-o", "lines.doc"), 2, "expected a name that ends with .csv or .tsv"),
        (("goose", "--limit", "0"), 2, "limit '0'"),
    ],
)
def test_refused_questions_are_reported(home: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    ended = call(home, "concordance", *arguments)
    assert (ended.code, message in ended.err) == (code, True), ended.err
