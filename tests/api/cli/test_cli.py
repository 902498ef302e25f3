"""The command line: what it prints, how it ends, and that bad input leaves the knowledge base as it was."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from api.cli import app
from api.cli.app import main
from api.text.wrap import cells, wrap
from ontology import sssom
from ontology.store.home import Home
from rulestone import Library
from tests.support.commands import Ended, call, paused, start, state, untouched
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA
from tests.support.texts import ROOT

FERRY = "https://w3id.org/rulestone/id/ferry/cr/2021-05-03"


# What it prints


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ("ferry:101.1 --lang en", ["ferry cr 2021-05-03 · 101.1 · current · official · en"]),
        ("ferry:101.1 --lang en", ["1. The River › 101. Ferries", "A ferry holds at most six tokens."]),
        ("ferry:101.1 --lang en", ["  Example: Ada has five red tokens aboard.", f"\n{FERRY}/101.1\n"]),
        ("ferry:101.1 --lang en", ["NOT CURRENT:\n  rulestone show ferry/cr:2020-01-01:101.1"]),
        ("ferry:101.1 --lang ja", ["current · translation · ja", "1. 川 › 101. 渡し舟", "渡し舟には印を六つまで積めます。"]),
        ("ferry:101.1 --in ja", ["渡し舟には印を六つまで積めます。"]),
        ("ferry:2020-01-01:101.1", ["ferry cr 2020-01-01 · 101.1 · NOT CURRENT · official · en", "at most five tokens"]),
        ("ferry/cr: 101.1 --lang en", ["A ferry holds at most six tokens."]),
        ("ferry:101.2 --lang en", ["cites 100.1a, 201.1", "previous 101.1 · next 101.2a"]),
        ("ferry:101 --lang en", ["101. Ferries", "  101.2  An overloaded ferry sinks", "next 101.1"]),
        ("ferry:201.2 --lang zh-Hant", ["cited by 100.1b, glossary/goose", "Geese cross free of charge."]),
        ("ferry:glossary/goose --lang en", ["Goose\nA bird that pays no toll."]),
        (f"{FERRY}/100.1a", ["watches from the bank"]),
        ("dm:400.3b --lang ja", ["dm zones-summary undated · 400.3b · current · gloss only", "gloss, unofficial (ja):"]),
        ("dm:400.3b --lang zh-Hant", ["gloss, unofficial (zh-Hans):", "add them with: rulestone add FILE"]),
        ("dm:400.2 --lang en", ["  400.2a  [gloss en] A public zone"]),
        ("dm:400.3b --lang en", ["\nin the other games:\n  fow 3.1~3, new card on a zone change: ", "\n  mtg 400.7, new object"]),
        ("mtg:400.5 --lang en", ["\n  fow 3.9~2, visibility and order of the graveyard (a special case): "]),
        ("fow:3.9~2 --lang en", ["\n  mtg 400.5, order and arrangement in a zone (more general): "]),
        ("fow:3.5~2 --lang en", ["\nrelated in the other games: ygo places/1.2~7\n"]),
    ],
)
def test_show_prints_a_page(home: Path, arguments: str, wanted: list[str]) -> None:
    ended = call(home, "show", *arguments.split())
    assert (ended.code, ended.err) == (0, "")
    for words in wanted:
        assert words in ended.out


@pytest.mark.parametrize(
    ("arguments", "lang", "heading"),
    [
        ("ferry:2021-05-03:101.1 --lang ja", "ja", "1. 川"),
        ("ferry:2021-05-03:101.1 --lang zh", "en", "1. The River"),
        ("ferry:2021-05-03:101.1 --lang zh --in ja", "en", "1. The River"),
        ("ferry:2021-05-03:201.1 --lang ja", "en", "2. The Crossing"),
        ("dm:400.3b --lang zh-TW", "zh-Hans", "4. 区域"),
        ("dm:400.3b --in zh --lang ja", None, None),
    ],
)
def test_show_names_the_language_it_answers_in(home: Path, arguments: str, lang: str | None, heading: str | None) -> None:
    ended = call(home, "show", *arguments.split(), "--json")
    if lang is None:
        assert (ended.code, len(ended.err.splitlines())) == (1, 1)
    else:
        rule = ended.json()["rules"][0]
        assert (rule["lang"], rule["heading"][0]) == (lang, heading)


def test_show_gives_current_editions_first_and_children_with_their_words(home: Path) -> None:
    body = call(home, "show", "ferry:101", "--json").json()
    assert body["ref"] == "ferry:101"
    assert [(rule["edition"], rule["current"]) for rule in body["rules"]] == [("2021-05-03", True), ("2020-01-01", False)]
    assert body["rules"][0]["children"][0]["texts"]["en"] == {"text": "A ferry holds at most six tokens.", "authority": "official"}


def test_the_terminals_language_is_the_answers(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert call(home, "show", "ferry:2021-05-03:101.1", "--json").json()["rules"][0]["lang"] == "ja"


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ("show dm:401.1 --lang en", ["\nconcepts: deck (defined here), "]),
        ("show dm:400.3b --lang ja", ["\nconcepts: "]),
        (
            "concept dm/mana-zone --lang en",
            ["mana zone · dm · zone", "  ja      マナゾーン*", "400.4 · dm cr 2025-12-17: “", "\n* official"],
        ),
        ("concept yard --lang ja", ["墓地 · dm · zone", "墓地 · mtg · zone", "\nrulestone concept mtg/graveyard\n"]),
        ("concept Main Deck --lang en", ["Main Deck · ygo · deck", "rulestone concept ygo/main-deck"]),
        (
            "term 山札 --lang en --limit 1",
            ["│mtg  │ en      │ library*", "\nmtg · ja · ", "shown\n  mtg cr 2024-06-07 · our gloss\n"],
        ),
        ("term 山札 --lang en --game dm --in ja", ["│dm   │ en      │ deck", "\ndm · ja · "]),
    ],
)
def test_concepts_and_terms_print_their_rules(home: Path, arguments: str, wanted: list[str]) -> None:
    ended = call(home, *arguments.split())
    assert (ended.code, ended.err) == (0, "")
    for words in wanted:
        assert words in ended.out


def test_a_term_of_one_game_and_language(home: Path) -> None:
    body = call(home, "term", "山札", "--game", "dm", "--in", "ja", "--limit", 2, "--offset", 1, "--json").json()
    assert (body["label"], body["lang"], body["offset"], body["limit"]) == ("山札", "ja", 1, 2)
    assert {one["game"] for one in body["terms"]} == {"dm"}
    assert [(group["game"], group["lang"], len(group["uses"])) for group in body["concordance"]] == [("dm", "ja", 2)]


def test_cites(home: Path) -> None:
    body = call(home, "cites", "ferry:101.2", "--json").json()
    assert (body["rule"]["ref"], body["rule"]["iri"]) == ("ferry:101.2", f"{FERRY}/101.2")
    assert [cite["target"] for cite in body["cites"] if cite["lang"] == "en"] == [f"{FERRY}/100.1a", f"{FERRY}/201.1"]
    assert call(home, "cites", "ferry:201.2", "--json").json()["cited_by"] == [f"{FERRY}/100.1b", f"{FERRY}/glossary/goose"]
    assert "cited by glossary/goose\n" in call(home, "cites", "ferry:201.2").out


def test_export_writes_the_same_to_a_file(home: Path, tmp_path: Path) -> None:
    for kind in ("jsonl", "nquads", "turtle"):
        target = tmp_path / kind
        target.write_text("old")
        assert call(home, "export", kind, "-o", target) == Ended(0, "", "")
        assert target.read_text("utf-8") == call(home, "export", kind).out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jsonl", "nquads", "turtle"]
    rules = [json.loads(line) for line in (tmp_path / "jsonl").read_text("utf-8").splitlines()]
    assert len({rule["iri"] for rule in rules}) == len(rules)
    assert [rule["order"] for rule in rules if rule["iri"].startswith(FERRY)] == list(range(18 + 1))


def test_export_sssom_is_one_file_of_mappings_and_counterparts(home: Path) -> None:
    written = call(home, "export", "sssom").out
    rows = sssom.read(written, "export")
    assert [row for folder in sssom.FOLDERS for row in sssom.shipped(folder) if row not in rows] == []
    assert (written.count("#curie_map:"), written.count("\nsubject_id\t")) == (1, 1)


def test_turtle_says_what_the_quads_say(home: Path) -> None:
    from rdflib import Graph

    quads = (line.rsplit(" ", 2) for line in call(home, "export", "nquads").out.splitlines())
    triples = "\n".join(f"{triple} ." for triple, graph, _ in quads if not graph.endswith("/records>"))
    turtle = Graph().parse(data=call(home, "export", "turtle").out, format="turtle")
    assert set(turtle) == set(Graph().parse(data=triples, format="nt"))
    assert len(turtle) > 100


def test_build_keeps_what_was_added(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(home, copy)
    before = state(copy)[1]
    ended = call(copy, "build")
    assert (ended.code, ended.err) == (0, "")
    assert state(copy)[1] == before


def test_add_says_what_it_recognised(tmp_path: Path) -> None:
    (tmp_path / "ferry.txt").write_text(HUNDREDS_EN)
    (tmp_path / "poem.txt").write_text("Roses are red.\n")
    given = ["add", tmp_path / "ferry.txt", tmp_path / "poem.txt", "--game", "ferry", "--edition", "2021-05-03"]
    refused = call(tmp_path / "home", *given, "--json")
    assert (refused.code, refused.out, len(refused.err.splitlines())) == (2, "", 1)
    ended = call(tmp_path / "home", *given, "--keep-going", "--json")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    first, second = json.loads(ended.out)["added"]
    [reading] = first["readings"]
    assert (first["status"], reading["grammar"], reading["rules"], reading["lang"]) == ("added", "hundreds", 18, "en")
    assert (second["status"], second["readings"]) == ("refused", [])
    assert second["error"] and first["error"] is None
    given.remove(tmp_path / "poem.txt")
    assert "known already" in call(tmp_path / "home", *given).out
    told = call(tmp_path / "other", *given, "--verbose")
    assert "ferry.txt: ferry/cr/2021-05-03 · en · community · hundreds · 18 rules\n  language en" in told.out


def test_the_first_command_builds_the_digest(tmp_path: Path) -> None:
    ended = call(tmp_path / "home", "show", "dm:400.3b", "--json")
    assert len(ended.err.splitlines()) == 1
    assert "building the knowledge base" in ended.err
    assert ended.json()["rules"][0]["texts"] == {}


def test_what_ships_is_sound_and_its_disputes_are_listed(tmp_path: Path) -> None:
    checked = call(tmp_path / "home", "check", "--json").json()
    assert checked["findings"] == []
    assert {one["kind"] for one in checked["information"]} == {"disputed"}
    plain = call(tmp_path / "home", "check")
    assert (plain.code, len(plain.out.splitlines())) == (0, len(checked["information"]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "ferry:101.1"],
        ["cites", "ferry:101.1"],
        ["export", "jsonl"],
        ["concept", "mtg/墓地"],
        ["term", "yard", "--json"],
    ],
)
def test_a_look_up_imports_nothing_heavy(home: Path, arguments: list[str]) -> None:
    heavy = {"ingest", "search", "docutils", "spacy", "torch", "rdflib", "fastapi", "pydantic", "numpy", "rich"}
    script = "import sys\nfrom api.cli.app import main\nmain(sys.argv[2:])\nprint(set(sys.modules) & set(sys.argv[1].split()))"
    command = [sys.executable, "-c", script, " ".join(heavy), "--home", str(home), *arguments]
    assert subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()[-1] == "set()"


def test_a_search_imports_no_model_and_no_parser(home: Path) -> None:
    heavy = {"ingest", "docutils", "spacy", "torch", "sentence_transformers", "rdflib", "scipy", "bm25s", "fastapi", "rich"}
    script = "import sys\nfrom api.cli.app import main\nmain(sys.argv[2:])\nprint(set(sys.modules) & set(sys.argv[1].split()))"
    command = [sys.executable, "-c", script, " ".join(heavy), "--home", str(home), "search", "graveyard ordre", "--game", "dm"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()
    assert (ran[0][:12], ran[1][:3], ran[-1]) == ("searched for", "1. ", "set()")


# How it ends


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ("show 999.9z", 1, "no rule 999.9z"),
        ("show ferry:1066-10-14:101.1", 1, "ferry/1066-10-14"),
        ("show ::", 2, "names no rule"),
        ("show", 2, "Missing argument 'REF'; expected: rulestone show"),
        ("show 400.3b --lang fr", 2, "--lang 'fr': expected ja, zh"),
        ("show 400.3b --in xx", 2, "--in 'xx'"),
        ("show 400.3b --bogus", 2, "--bogus"),
        ("bogus", 2, "bogus"),
        ("cites 999.9z", 1, "no rule 999.9z"),
        ("concept graveyrad", 1, "close to it: Graveyard"),
        ("concept http://example.org/graveyard", 2, "no address of a concept"),
        ("concept", 2, "Missing argument 'REF'"),
        ("concept yard --lang fr", 2, "--lang 'fr'"),
        ("term graveyrad", 1, "close to it: Graveyard"),
        ("term yard --game chess", 2, "'chess' is no game"),
        ("term yard --limit 0", 2, "limit '0': expected a whole number from 1 to 1000"),
        ("term yard --offset x", 2, "offset 'x'"),
        ("term yard --in xx", 2, "--in 'xx'"),
        ("export cards", 2, "expected jsonl, nquads, turtle"),
        ("export jsonl -o /", 2, "/ is a folder"),
        ("export jsonl -o /nowhere/at/all", 3, "/nowhere/at/all"),
        ("add", 2, "Missing argument 'PATH'"),
        ("add /nowhere.txt", 2, "nowhere.txt"),
        ("add x.txt --authority pope", 2, "official, translation, community, editorial"),
        ("add x.txt --lang fr", 2, "--lang 'fr'"),
        ("serve --port 70000", 2, "70000"),
        ("serve --port web", 2, "web"),
        ("serve --host no.such.host.invalid", 2, "no.such.host.invalid"),
    ],
)
def test_errors_are_one_line(home: Path, arguments: str, code: int, words: str) -> None:
    ended = call(home, *arguments.split())
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (code, "", 1)
    assert words in ended.err


@pytest.mark.parametrize(
    ("given", "command"),
    [("show 1", "show"), ("--home show search x", "search"), ("--home=a add b", "add"), ("--help", ""), ("", ""), ("--home", "")],
)
def test_the_command_that_is_given(given: str, command: str) -> None:
    assert app._command(given.split()) == command


def test_a_look_up_imports_no_other_command() -> None:
    script = "import sys\nfrom api.cli.app import main\nmain(['show', '--help'])\nprint('api.cli.server' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "False"


def test_help_is_help(home: Path) -> None:
    assert "Usage: rulestone" in call(home, "--help").out
    assert main(["--help"]) == 0


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

    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = call(home, "serve", "--port", taken.getsockname()[1])
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "the port is in use" in ended.err


# Hostile input

NOVEL = "It was late when the ferry came. Nobody spoke, and the goose slept under the bench.\n\n" * 400
GERMAN = "Fährleute: Grundregeln\n\n" + "".join(
    f"10{n}. Die Fähre\n10{n}.1. Eine Fähre trägt höchstens sechs Marken und sinkt nicht, solange die Gans schläft.\n"
    for n in range(9)
)


def _mojibake() -> bytes:
    return HUNDREDS_JA.encode().decode("latin-1").encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.txt", b""),
        ("blank.txt", b" \n \n"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20),
        ("picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 ob"),
        ("nul.txt", HUNDREDS_EN.replace(" ", "\0").encode()),
        ("mojibake.txt", _mojibake()),
        ("german.txt", GERMAN.encode()),
        ("novel.txt", NOVEL.encode()),
        ("line.txt", b"100.1. A ferry holds six tokens. " * (50 * 2**20 // 33)),
        ("evil\x1b[31m\nname.txt", b""),
    ],
)
def test_hostile_files(home: Path, tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with untouched(home):
        ended = call(home, "add", tmp_path / name, "--game", "ferry")
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert "Traceback" not in ended.err and "\x1b" not in ended.err


def test_a_folder_without_a_rulebook(home: Path, tmp_path: Path) -> None:
    with untouched(home):
        ended = call(home, "add", tmp_path)
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)


def test_a_folder_without_permission(home: Path, unprivileged: Path) -> None:
    assert call(unprivileged / "home", "build").code == 0
    shut = unprivileged / "shut"
    shut.mkdir(mode=0)
    with untouched(unprivileged / "home"):
        ended = call(unprivileged / "home", "add", shut)
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "permission" in ended.err
    ended = call(shut / "home", "show", "400.3b")
    assert (ended.code, len(ended.err.splitlines()) in (1, 2)) == (3, True)


def test_two_adds_at_once(home: Path, tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text(HUNDREDS_EN.replace("goose", "duck"))
    with untouched(home), Home(home).writing():
        ended = call(home, "add", tmp_path / "more.txt", "--game", "duck")
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert f"locked by process {os.getpid()}" in ended.err


LONG = ("--game", "ferry", "--book", "long", "--lang", "en")


def _long_book() -> str:
    """A rulebook long enough to be interrupted."""
    rules = "".join(
        f"{chapter}00. Pier {chapter}\n"
        + "".join(f"{chapter}00.{rule}. Pier {chapter} has {rule} ropes, and no goose sits there.\n" for rule in range(1, 300))
        for chapter in range(1, 6)
    )
    return f"The Game of Ferrymen: Long Rules\n\n{rules}"


@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGINT])
def test_an_add_that_is_stopped(home: Path, tmp_path: Path, signal_: signal.Signals) -> None:
    copy = tmp_path / "home"
    shutil.copytree(home, copy)
    (tmp_path / "long.txt").write_text(_long_book())
    with untouched(copy):
        process = paused(copy, "add", tmp_path / "long.txt", *LONG)
        assert list((copy / "bundles").glob("*.tmp"))
        process.send_signal(signal_)
        out, err = process.communicate()
        if signal_ is signal.SIGINT:
            assert (process.returncode, out, len(err.splitlines())) == (130, "", 1)
    ended = call(copy, "add", tmp_path / "long.txt", *LONG)
    assert ended.code == 0, ended.err
    assert not list((copy / "bundles").glob("*.tmp"))


def test_a_full_disk(small_disk: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    book = tmp_path_factory.mktemp("book") / "long.txt"
    book.write_text(_long_book())
    built = call(small_disk / "home", "build")
    assert built.code == 0, built.err
    free = shutil.disk_usage(small_disk).free
    (small_disk / "other").write_bytes(bytes(free - 100_000))
    with untouched(small_disk / "home"):
        ended = call(small_disk / "home", "add", book, *LONG)
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "the disk is full" in ended.err


# Lines on a small terminal


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("a goose on a rope", 8, ["a goose", "on a", "rope"]),
        ("渡し舟には、印を積む。", 10, ["渡し舟に", "は、印を積", "む。"]),
        ("", 10, [""]),
        ("one\ntwo", None, ["one", "two"]),
        ("unbreakable", 4, ["unbreakable"]),
    ],
)
def test_wrap(text: str, width: int | None, lines: list[str]) -> None:
    assert list(wrap(text, width)) == lines
    assert width is None or len(lines) == 1 or max(map(cells, lines)) <= width


def test_wrapped_lines_hang() -> None:
    assert list(wrap("渡し舟 渡し舟", 12, "  1  ", "     ")) == ["  1  渡し舟", "     渡し舟"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("the ferry leaves", ["gloss: the", "ferry leaves"]),
        ("passengers wait", ["gloss:", "passengers", "wait"]),
        ("\x1b[1mthe\x1b[0m ferry", ["gloss: \x1b[1mthe\x1b[0m", "ferry"]),
    ],
)
def test_wrap_leaves_room_for_what_stands_before_the_first_line(text: str, lines: list[str]) -> None:
    assert list(wrap(text, 12, "gloss: ", "")) == lines
