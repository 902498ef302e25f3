"""How a command ends: with one line that says what is wrong, and the exit code that fits."""

from pathlib import Path

import pytest

from api.cli import app
from api.cli.app import main
from api.text.layout import display_width
from rulestone import Library
from rulestone.version import version
from tests.support.commands import call, start


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ("show 999.9z", 1, "no rule 999.9z"),
        ("show ferry:1066-10-14:101.1", 1, "the edition 1066-10-14 is not loaded"),
        ("show ::", 2, "names no rule"),
        ("show ferry:101.1 --deep --outline", 2, "give either --deep"),
        ("show ferry:101.1 --cursor 3", 2, "go with --deep"),
        ("show ferry/cr --depth 1", 2, "goes with --outline"),
        ("show nobody/cr --outline", 2, "is not a loaded book"),
        ("show ferry/cr --outline --as-of 2021", 2, "name it instead of --as-of"),
        ("show", 2, "REF is missing; expected: rulestone show [OPTIONS]"),
        ("show 400.3b --lang fr", 2, "--lang 'fr': expected ja, zh"),
        ("show 400.3b --bogus", 2, "--bogus"),
        ("bogus", 2, "bogus"),
        ("concept graveyrad", 1, "similar: Graveyard"),
        ("concept", 2, "REF is missing"),
        ("term yard --game chess", 2, "'chess' is not a game"),
        ("term yard --limit -1", 2, "limit '-1': expected a whole number from 0 to 1000"),
        ("term yard --offset x", 2, "offset 'x'"),
        ("export cards", 2, "expected jsonl, nquads, turtle"),
        ("export jsonl -o /", 2, "/ is a folder"),
        ("export jsonl -o /nowhere/at/all", 3, "/nowhere/at/all"),
        ("add", 2, "PATH is missing"),
        ("add /nowhere.txt", 2, "nowhere.txt"),
        ("add x.txt --authority pope", 2, "official, translation, community, editorial"),
        ("serve --port 70000", 2, "70000"),
        ("serve --host no.such.host.invalid", 2, "no.such.host.invalid"),
    ],
)
def test_errors_are_one_line(home: Path, arguments: str, code: int, words: str) -> None:
    ended = call(home, *arguments.split())
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (code, "", 1)
    assert words in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("shwo 1", "shwo というコマンドはありません（もしかして：show）"),
        ("bogus", "bogus というコマンドはありません"),
        ("search token --gmae ferry", "--gmae というオプションはありません（もしかして：--game）"),
        ("doctor extra", "引数が多すぎます：extra"),
        ("show 1 --in", "オプション --in には値が必要です"),
        ("editions --json=3", "オプション --json に値は指定できません"),
        ("--home x", "コマンドがありません"),
    ],
)
def test_errors_in_the_arguments_are_in_the_language_of_the_terminal(
    home: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, words: str
) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    ended = call(home, *arguments.split())
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err


@pytest.mark.parametrize(
    ("arguments", "command"),
    [("show 1", "show"), ("--home show search x", "search"), ("--home=a add b", "add"), ("--help", ""), ("", ""), ("--home", "")],
)
def test_the_command_that_is_given(arguments: str, command: str) -> None:
    assert app._command_name(arguments.split()) == command


def test_help_is_help(home: Path) -> None:
    assert "Usage: rulestone" in call(home, "--help").out
    assert main(["--help"]) == 0


def test_the_version_is_printed() -> None:
    ended = call(Path("nowhere"), "--version")
    assert (ended.code, ended.out) == (0, f"rulestone {version()}\n")


@pytest.mark.parametrize(
    ("locale", "arguments", "words"),
    [
        ("ja_JP.UTF-8", "--help", ["使い方： rulestone", "コマンド:", "ルールを、見出し・下位のルール"]),
        ("zh_CN.UTF-8", "show --help", ["用法： rulestone show", "显示一条规则", "ja|zh|zh-Hans|zh-Hant|en", "回答的语言。"]),
        ("zh_TW.UTF-8", "serve --help", ["[預設：8000]"]),
        ("ja_JP.UTF-8", "show ferry:2020-01-01:101.1", ["· 現行ではない · 公式 · en"]),
        ("ja_JP.UTF-8", "show ferry:2021-05-03:101.1 --lang en", ["· current · official · en"]),
        ("zh_CN.UTF-8", "editions", ["· 非现行 · en 官方", "仅大意"]),
        ("ja_JP.UTF-8", "search graveyard", ["· 要旨のみ"]),
        ("ja_JP.UTF-8", "concept mtg/graveyard --lang ja", ["定義（Rulestone、ja）：", "ほかのゲームでは："]),
        ("zh_CN.UTF-8", "diff ferry/cr 2020-01-01", ["· 改写"]),
    ],
)
def test_help_and_labels_are_in_the_language_of_the_terminal(
    home: Path, monkeypatch: pytest.MonkeyPatch, locale: str, arguments: str, words: list[str]
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    ended = call(home, *arguments.split())
    assert (ended.code, ended.err) == (0, "")
    assert [expected for expected in words if expected not in ended.out] == []


def test_help_fits_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    for command in app.COMMANDS:
        assert main([command, "--help"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if display_width(line) > 80] == []


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("search", ["--limit <int 1..100>"]),
        ("rulings", ["--limit <int 1..1000>", "--offset <int 0..999999999>"]),
        ("term", ["--limit <int 0..1000>", "--offset <int 0..999999999>"]),
        ("concordance", ["--limit <int 1..10000>", "--offset <int 0..999999999>"]),
        ("serve", ["--port <int 0..65535>", "--workers <int 1..64>"]),
    ],
)
def test_help_shows_whole_numbers_with_their_range(home: Path, command: str, options: list[str]) -> None:
    output = call(home, command, "--help").out
    assert [option for option in options if option not in output] == []


def test_what_is_unexpected_is_one_line_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "rules", lambda *_, **__: 1 / 0)
    ended = call(home, "show", "400.3b")
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "ZeroDivisionError" in ended.err and "RULESTONE_DEBUG=1" in ended.err
    monkeypatch.setenv("RULESTONE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        call(home, "show", "400.3b")


def test_words_that_are_no_unicode(home: Path) -> None:
    ended = call(home, "show", "400.3b\udcff", "--json")
    assert (ended.code, len(ended.err.splitlines())) == (1, 1)


@pytest.mark.slow
def test_a_reader_that_goes_away(home: Path) -> None:
    with start(home, "export", "nquads") as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [["export", "jsonl"], ["show", "dm:400.3b"]])
def test_output_onto_a_full_disk(home: Path, arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full, start(home, *arguments, stdout=full) as process:
        err = process.communicate()[1]
    assert (process.returncode, len(err.splitlines())) == (3, 1)
    assert "the disk is full" in err


def test_a_port_in_use(home: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        ended = call(home, "serve", "--port", listener.getsockname()[1])
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "the port is in use" in ended.err
