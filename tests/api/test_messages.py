"""Sentences for users: all are in the catalogue, with a value for each of their places, and told in the asker's language."""

import ast
import re
import string
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from starlette.testclient import TestClient

from api.cli.app import main
from api.http.app import create_app
from corpus import messages
from corpus.store.home import Home
from rulestone import Library

ROOT = Path(__file__).parents[2]
ROOMS = ("api", "corpus", "ingest", "ontology", "rulestone", "search")
TOLD = {"_", "gettext", "Message", "message", "RulestoneError", "NotFoundError", "InputError", "EnvironmentFault"}
JAPANESE = {
    "no rule {locator} in {scope}; loaded books: {loaded}": "{scope}に規則{locator}はない",
    "{option} {given!r}: expected ja, zh (= zh-Hans), zh-Hant or en": "{option} {given}：言語ではない",
    "{name} {given!r}: expected one of {known}": "{name} {given}：言語ではない",
}


_NEXT_STEPS = {"command", "listing"}
"""Parameters of errors that stand behind the sentence."""


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call that makes a sentence, with its place."""
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TOLD:
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", node


@pytest.mark.slow
def test_the_catalogue_is_up_to_date(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "tools" / "messages.py", tmp_path / "now.pot"], check=True, cwd=ROOT)
    template = (ROOT / "corpus" / "data" / "locale" / "rulestone.pot").read_text("utf-8")
    assert (tmp_path / "now.pot").read_text("utf-8") == template, "run: make messages"


def test_every_sentence_of_the_code_is_in_the_catalogue() -> None:
    """Babel finds no call within an f-string."""
    with (ROOT / "corpus" / "data" / "locale" / "rulestone.pot").open("rb") as template:
        known = {form for entry in read_po(template) for form in _forms(entry.id)}
    literal = [(place, call.args[0].value) for place, call in calls() if call.args and isinstance(call.args[0], ast.Constant)]
    assert [(place, text) for place, text in literal if text not in known] == []


def test_no_sentence_is_put_together_before_it_can_be_translated() -> None:
    assert [place for place, call in calls() if isinstance(call.args[0], ast.JoinedStr | ast.BinOp)] == []


def test_each_place_in_a_sentence_has_its_value() -> None:
    wrong = []
    for place, call in calls():
        keywords = {keyword.arg for keyword in call.keywords}
        if isinstance(call.args[0], ast.Constant) and keywords and None not in keywords:
            fields = {name for _, name, _, _ in string.Formatter().parse(str(call.args[0].value)) if name is not None}
            wrong += [place] if fields - _NEXT_STEPS != keywords - _NEXT_STEPS else []
    assert wrong == []


def test_no_sentence_that_clients_of_a_server_see_names_a_shell_command() -> None:
    """A command that helps whoever runs the server is the `command` of an error; its message leaves it out."""
    folders = ("corpus/", "search/", "rulestone/library/", "api/http/", "api/web/", "api/mcp/")
    command = re.compile(r"rulestone [a-z]+( |$|`)")
    assert [
        place
        for place, call in calls()
        if place.startswith(folders) and isinstance(call.args[0], ast.Constant) and command.search(str(call.args[0].value))
    ] == []


@pytest.mark.parametrize("locale", ["ja", "zh_Hans", "zh_Hant"])
def test_every_sentence_has_its_translation_with_the_same_values(locale: str) -> None:
    """After a new sentence: `make messages`, then write its translations where they are empty."""
    folder = ROOT / "corpus" / "data" / "locale"
    with (folder / "rulestone.pot").open("rb") as template, (folder / f"{locale}.po").open("rb") as lines:
        sentences = {form for entry in read_po(template) if entry.id for form in _forms(entry.id)}
        translations = {
            form: _forms(entry.string)[-1] for entry in read_po(lines, locale=locale) if entry.id for form in _forms(entry.id)
        }
    assert sorted(sentences - {sentence for sentence, translation in translations.items() if translation}) == []
    assert sorted(set(translations) - sentences) == []
    assert [sentence for sentence, translation in translations.items() if _values(sentence) != _values(translation)] == []


def _forms(text: str | Sequence[str] | None) -> Sequence[str]:
    """The singular and the plural of a sentence about a number of things, else the sentence."""
    return tuple(text) if text and not isinstance(text, str) else (str(text or ""),)


def _values(sentence: str) -> list[tuple[str, str, str]]:
    """The values of a sentence, each with how it is written; the order may differ."""
    parts = string.Formatter().parse(sentence)
    return sorted((name, format_spec or "", conversion or "") for _, name, format_spec, conversion in parts if name is not None)


@pytest.mark.parametrize(
    ("lang", "translation"),
    [("ja", "クエリーが空です"), ("zh-Hans", "查询是空的"), ("zh-Hant", "查詢是空的"), ("en", "the query is empty")],
)
def test_a_sentence_is_told_in_each_language(lang: str, translation: str) -> None:
    assert messages.message("the query is empty; give 1 to {most} characters", most=500).in_language(lang).startswith(translation)


@pytest.fixture
def in_japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue with two sentences."""
    monkeypatch.setattr(messages, "_translations", lambda lang: JAPANESE if lang == "ja" else {})


@pytest.mark.usefixtures("in_japanese")
@pytest.mark.parametrize(
    ("arguments", "locale", "message"),
    [
        (["show", "dm:999.9z", "--lang", "ja"], "C", "rulestone: dmに規則999.9zはない"),
        (["show", "dm:999.9z"], "ja_JP.UTF-8", "rulestone: dmに規則999.9zはない"),
        (["show", "dm:999.9z", "--lang", "en"], "ja_JP.UTF-8", "rulestone: no rule 999.9z in dm"),
        (["show", "dm:999.9z", "--lang", "tlh"], "ja_JP.UTF-8", "rulestone: --lang tlh：言語ではない"),
    ],
)
def test_an_error_on_the_command_line(
    digest_home: Home,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    locale: str,
    message: str,
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert main(["--home", str(digest_home.path), *arguments]) in (1, 2)
    assert capsys.readouterr().err.startswith(message)


@pytest.mark.usefixtures("in_japanese")
@pytest.mark.parametrize(
    ("query", "header", "message"),
    [
        ("&lang=ja", "en", "dmに規則999.9zはない"),
        ("", "fr, ja;q=0.5", "dmに規則999.9zはない"),
        ("", "en", "no rule 999.9z in dm"),
        ("&lang=tlh", "ja", "lang tlh：言語ではない"),
    ],
)
def test_an_error_over_http(digest_home: Home, query: str, header: str, message: str) -> None:
    with TestClient(create_app(Library.open(digest_home.path, create=False))) as client:
        problem = client.get(f"/v1/rules?ref=dm:999.9z{query}", headers={"Accept-Language": header}).json()
    assert problem["detail"].startswith(message)
