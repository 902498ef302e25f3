"""Drift: an invented book in two languages, with one slip of each kind."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from starlette.testclient import TestClient

from api.http.app import create_app
from api.sarif import drift_log
from corpus.model import Authority
from rulestone import InputError, Library, NotFoundError
from tests.api.test_changes import held
from tests.support.commands import call
from tests.support.homes import books_alone, put
from tests.support.schemas import published_json

EDITION = "2024-04-04"
SLIPS = {
    "101.3": ("number", "5", "6"),
    "101.4": ("operator", "可以", ""),
    "101.5": ("citation", "规则102.5", "规则102.6"),
    "101.6": ("punctuation", "，", ","),
    "101.7": ("symbol", "{2}{R}", "{2}{G}"),
    "101.8": ("missing-rule", "", ""),
}
"""Rule → what is wrong in it, what stood there and what stands there."""


def english() -> str:
    lines = ["1. Ferries", "101. Crossing"]
    for nth in range(1, 13):
        lines.append(f"101.{nth}. The captain may load {nth + 2} crates, pays {{2}}{{R}} and never waits. See rule 102.{nth}.")
        lines += ["Example: Ada loads two crates before noon."] if nth == 9 else []
    lines += ["102. Landing", *(f"102.{nth}. A crate on pier {nth + 20} stays there. It is not moved." for nth in range(1, 13))]
    return "\n".join((*lines, ""))


def chinese() -> str:
    lines = ["1. 渡船", "101. 横渡"]
    for nth in range(1, 13):
        text = f"船长可以装载{nth + 2}个货箱，支付{{2}}{{R}}且从不等待。参见规则102.{nth}。"
        kind, was, instead = SLIPS.get(f"101.{nth}", ("", "", ""))
        lines += [] if kind == "missing-rule" else [f"101.{nth}. {text.replace(was, instead, 1) if was else text}"]
    landing = [f"102.{nth}. {nth + 20}号码头上的货箱留在原处。它不会被移动。" for nth in range(1, 12)]
    return "\n".join((*lines, "102. 靠岸", *landing, "102.12. A crate on pier 32 stays there. It is not moved.", ""))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with books_alone():
        folder = tmp_path_factory.mktemp("drift")
        for lang, text, authority in (("en", english(), Authority.OFFICIAL), ("zh-Hans", chinese(), Authority.TRANSLATION)):
            put(folder / "home", text, EDITION, lang, authority)
        yield folder / "home"


@pytest.fixture(scope="module")
def body(home: Path) -> Any:  # noqa: ANN401
    with Library.open(home) as library:
        return library.drift("ferry/cr", "en", "zh")


def test_every_slip_is_told_in_its_rule_and_nothing_else(body: Any) -> None:  # noqa: ANN401
    slips = {((finding["target"] or finding["source"])["locator"], finding["kind"]) for finding in body["findings"]}
    expected = {(rule, kind) for rule, (kind, _, _) in SLIPS.items()}
    assert slips == expected | {("102.12", "untranslated"), ("101.9", "missing-example")}


def test_findings_that_would_change_a_ruling_come_first(body: Any) -> None:  # noqa: ANN401
    ranks = [finding["rank"] for finding in body["findings"]]
    assert ranks == sorted(ranks, reverse=True)
    assert (body["findings"][0]["kind"], body["findings"][-1]["kind"]) == ("missing-rule", "punctuation")


def test_a_finding_names_both_places_and_the_words(body: Any) -> None:  # noqa: ANN401
    [drifted] = [finding for finding in body["findings"] if finding["kind"] == "number"]
    words = [place["text"][slice(*place["spans"][0])] for place in (drifted["source"], drifted["target"])]
    assert (words, drifted["said"]) == (["5", "6"], "5 has become 6")
    assert drifted["target"]["file"]["file"] == f"{EDITION}.zh-Hans.txt"


@pytest.mark.usefixtures("books_alone")
def test_an_older_translation_against_a_newer_original(home: Path, tmp_path: Path) -> None:
    import shutil

    copy = Path(shutil.copytree(home, tmp_path / "home"))
    put(copy, english().replace("101.2. The captain may load 4", "101.2. The captain may load 9"), "2025-05-05")
    with Library.open(copy) as library:
        drift = library.drift("ferry/cr", "en", "zh")
    assert (drift["source"]["edition"], drift["target"]["edition"]) == ("2025-05-05", EDITION)
    assert {finding["kind"] for finding in drift["findings"] if finding["source"] and finding["source"]["locator"] == "101.2"} == {
        "outdated",
        "number",
    }


@pytest.mark.usefixtures("books_alone")
def test_a_translation_of_another_edition_without_a_common_language_is_aligned(tmp_path: Path) -> None:
    """No rule of the two editions is joined by a thread, and yet not every rule is missing."""
    put(tmp_path / "home", english(), EDITION, "en")
    put(tmp_path / "home", chinese(), "2023-03-03", "zh-Hans", Authority.TRANSLATION)
    with Library.open(tmp_path / "home") as library:
        drift = library.drift("ferry/cr", "en", "zh")
    assert (drift["source"]["edition"], drift["target"]["edition"]) == (EDITION, "2023-03-03")
    assert drift["counts"].get("missing-rule", 0) + drift["counts"].get("extra-rule", 0) <= 4
    assert "101.3" in {finding["source"]["locator"] for finding in drift["findings"] if finding["source"]}


def test_command_http_and_files(home: Path, body: Any, tmp_path: Path) -> None:  # noqa: ANN401
    with TestClient(create_app(Library.open(home, create=False)), raise_server_exceptions=False) as client:
        query = {"book": "ferry/cr", "source": "en", "target": "zh"}
        assert held("drift", client.get("/v1/drift", params=query).json()) == body
        some = client.get("/v1/drift", params={**query, "kinds": "number, symbol", "limit": 1}).json()
        assert (some["total"], len(some["findings"])) == (2, 1)
        assert client.get("/v1/drift", params={**query, "kinds": "nonsense"}).status_code == 400
        assert client.get("/v1/drift", params={"book": "ferry/cr"}).status_code == 400
    names = {name: tmp_path / f"drift.{name}" for name in ("tsv", "html", "sarif")}
    options = [option for name, path in names.items() for option in (f"--{name}", path)]
    ended = call(home, "drift", "ferry/cr", "--source", "en", "--target", "zh", *options)
    assert (ended.code, "1 missing-rule" in ended.out) == (1, True)
    rows = list(csv.DictReader(io.StringIO(names["tsv"].read_text(encoding="utf-8")), delimiter="\t"))
    assert len(rows) == body["total"]
    assert "<mark>6</mark>" in names["html"].read_text(encoding="utf-8")
    log = json.loads(names["sarif"].read_text(encoding="utf-8"))
    result = next(outcome for outcome in log["runs"][0]["results"] if outcome["ruleId"] == "number")
    assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"].endswith(f"ferry/cr/{EDITION}/101.3")
    where = result["locations"][0]["physicalLocation"]
    assert log["runs"][0]["artifacts"][where["artifactLocation"]["index"]]
    line = chinese().split("\n")[where["region"]["startLine"] - 1]
    columns = where["region"]["startColumn"] - 1, where["region"]["endColumn"] - 1
    assert line[slice(*columns)] == where["region"]["snippet"]["text"] == "6"
    assert chinese()[where["region"]["charOffset"] :].startswith("6")


def test_the_check_of_numbers_reports_figures_symbols_and_citations_alone(home: Path, tmp_path: Path) -> None:
    check = ("check", "numbers", "ferry/cr", "--source", "en", "--target", "zh")
    ended = call(home, *check, "--json")
    findings = {(finding["kind"], finding["target"]["locator"]) for finding in json.loads(ended.out)["findings"]}
    assert (ended.code, findings) == (1, {("number", "101.3"), ("citation", "101.5"), ("symbol", "101.7")})
    assert call(home, *check, "--sarif", tmp_path / "numbers.sarif").code == 1
    [run] = json.loads((tmp_path / "numbers.sarif").read_text(encoding="utf-8"))["runs"]
    assert sorted(result["ruleId"] for result in run["results"]) == ["citation", "number", "symbol"]
    for wrong in (("numbers",), ("letters", "ferry/cr"), ("--source", "en"), ("numbers", "ferry/cr", "--source", "en")):
        refused = call(home, "check", *wrong)
        assert (refused.code, "check numbers BOOK --source LANG --target LANG" in refused.err) == (2, True)


def test_sarif_fits_the_published_schema(body: Any) -> None:  # noqa: ANN401
    Draft7Validator(published_json("sarif-2.1.0-rtm.5.json")).validate(drift_log(body))


def test_incomparable_texts(home: Path) -> None:
    with Library.open(home) as library:
        with pytest.raises(InputError, match="not a supported language"):
            library.drift("ferry/cr", "en", "klingon")
        with pytest.raises(NotFoundError, match="not loaded in ja"):
            library.drift("ferry/cr", "en", "ja")
        with pytest.raises(InputError, match="one text"):
            library.drift("ferry/cr", "en", "en")
