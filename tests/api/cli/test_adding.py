"""`add`, `build` and `check`: what they say and keep. An add that is stopped, locked out or out of disk changes nothing."""

import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from corpus.store.home import Home
from tests.support.commands import call, paused, quads, start, untouched
from tests.support.ferrymen import HUNDREDS_EN


@pytest.mark.slow
def test_build_keeps_what_was_added(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(home, copy)
    before = quads(copy)
    ended = call(copy, "build")
    assert (ended.code, ended.err) == (0, "")
    assert quads(copy) == before


@pytest.mark.usefixtures("books_alone")
def test_add_says_what_it_recognised(tmp_path: Path) -> None:
    (tmp_path / "ferry.txt").write_text(HUNDREDS_EN)
    (tmp_path / "poem.txt").write_text("Roses are red.\n")
    arguments = ["add", tmp_path / "ferry.txt", tmp_path / "poem.txt", "--game", "ferry", "--edition", "2021-05-03"]
    refusal = call(tmp_path / "home", *arguments, "--json")
    assert (refusal.code, refusal.out, len(refusal.err.splitlines())) == (2, "", 1)
    ended = call(tmp_path / "home", *arguments, "--keep-going", "--json")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    first, second = json.loads(ended.out)["added"]
    [reading] = first["readings"]
    assert (first["status"], reading["grammar"], reading["rules"], reading["lang"]) == ("added", "hundreds", 18, "en")
    assert (second["status"], second["readings"]) == ("refused", [])
    assert second["error"] and first["error"] is None
    arguments.remove(tmp_path / "poem.txt")
    assert "known already" in call(tmp_path / "home", *arguments).out
    verbose_result = call(tmp_path / "other", *arguments, "--verbose")
    assert "ferry.txt: ferry/cr/2021-05-03 · en · community · hundreds · 18 rules\n  language en" in verbose_result.out


@pytest.mark.slow
def test_what_ships_is_sound_and_its_disputes_are_listed(tmp_path: Path) -> None:
    body = call(tmp_path / "home", "check", "--json").json()
    assert body["findings"] == []
    assert {notice["kind"] for notice in body["information"]} == {"disputed"}
    plain = call(tmp_path / "home", "check")
    count = len(body["information"])
    assert plain.code == 0
    assert plain.out.splitlines() == [
        "no errors found",
        f"for information: in {count} places the sources of the shipped claims disagree; --json lists them",
    ]


def test_two_adds_at_once(home: Path, tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text(HUNDREDS_EN.replace("goose", "duck"))
    with untouched(home), Home(home).writing_bundle():
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


@pytest.mark.slow
@pytest.mark.usefixtures("books_alone")
@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGINT])
def test_an_add_that_is_stopped(tmp_path: Path, signal_: signal.Signals) -> None:
    copy = tmp_path / "home"
    assert call(copy, "build").code == 0
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


KILLS = int(os.environ.get("RULESTONE_KILLS", "2"))
"""Number of points at which each command is killed; `make soak` kills at more."""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["add", "build", "remove"])
def test_a_command_that_is_killed_loses_nothing(home: Path, tmp_path: Path, command: str) -> None:
    """The home is as before or as after it, and repeating the command has its normal result."""
    book, copy = tmp_path / "long.txt", tmp_path / "home"
    book.write_text(_long_book())
    arguments = {"add": (book, *LONG), "build": ("--later",), "remove": ("2021-05-03.ja.txt",)}[command]

    def run(kill_after: float | None = None) -> int:
        process = start(copy, command, *arguments)
        if kill_after is not None:
            time.sleep(kill_after)
            process.kill()
        process.communicate()
        return process.returncode

    shutil.copytree(home, copy)
    begun = time.monotonic()
    assert run() == 0
    seconds, before, after = time.monotonic() - begun, quads(home), quads(copy)
    for nth in range(KILLS):
        shutil.rmtree(copy)
        shutil.copytree(home, copy)
        run(seconds * (nth + 0.5) / KILLS)
        assert quads(copy) in (before, after), f"killed at {nth + 0.5} of {KILLS}"
        assert run() in (0, 1)  # 1: it was done, and there is nothing left to remove
        assert quads(copy) == after


@pytest.mark.usefixtures("books_alone")
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


@pytest.mark.usefixtures("books_alone")
def test_a_game_is_called_what_its_user_calls_it(tmp_path: Path) -> None:
    (tmp_path / "cr.txt").write_text(HUNDREDS_EN.replace("The Game of Ferrymen: Complete Rules", "Of ferries"))
    home, arguments = tmp_path / "home", ["add", tmp_path / "cr.txt", "--game", "ferry", "--edition", "2021-05-03"]
    assert '--title "NAME"' in call(home, *arguments).err
    title_arguments = [*arguments, "--title", "Pier and River", "--alias", "PnR", "--alias", "桟橋", "--replace"]
    assert call(home, *title_arguments).err == ""
    assert call(home, "show", "ferry:101.1", "--lang", "en").out.startswith("Pier and River · CR, 3 May 2021 · 101.1 ·")
    assert "Pier and River CR" in call(home, "editions").out
    for name in ("pier and river", "PnR", "桟橋"):
        body = call(home, "search", "ferry holds six tokens", "--game", name, "--json").json()
        assert {hit["game"] for hit in body["hits"]} == {"ferry"}
        assert call(home, "show", f"{name} 101.1").out == call(home, "show", "ferry:101.1").out
    assert "no rule of Pier and River" in call(home, "search", "PnR 999.9z").out
    other = tmp_path / "two.txt"
    other.write_text(HUNDREDS_EN.replace("The Game of Ferrymen: Complete Rules", "Of ferries").replace("token", "coin"))
    assert call(home, "add", other, "--game", "ferry", "--edition", "2022-05-03").err == ""


@pytest.mark.usefixtures("books_alone")
def test_a_dry_run_shows_the_outline_and_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "ferry.txt").write_text(HUNDREDS_EN)
    arguments = ["add", tmp_path / "ferry.txt", "--game", "ferry", "--edition", "2021-05-03", "--dry-run"]
    [file] = call(tmp_path / "home", *arguments, "--json").json()["added"]
    assert [line["locator"] for line in file["outline"]][:3] == ["1", "100", "101"]
    result = call(tmp_path / "home", *arguments)
    assert "--dry-run" in result.out
    assert call(tmp_path / "home", "show", "ferry:100.1").code == 1
    assert not list((tmp_path / "home").glob("sources/*"))


@pytest.mark.usefixtures("books_alone")
def test_a_text_without_headings_says_that_it_has_paragraphs_only(tmp_path: Path) -> None:
    words = "".join(f"A player must ring the bell {n} times before the ferry leaves.\n\n" for n in range(1, 25))
    (tmp_path / "house.txt").write_text(words)
    arguments = ["add", tmp_path / "house.txt", "--game", "ferry", "--edition", "2021-05-03"]
    refusal = call(tmp_path / "home", *arguments)
    assert (refusal.code, "not a rulebook" in refusal.err) == (2, True)
    dry_run = call(tmp_path / "home", *arguments, "--book", "house", "--dry-run")
    assert "paragraphs only: 24 of them" in dry_run.out
    assert "house~1 · A player must ring the bell 1 times" in dry_run.out


@pytest.mark.usefixtures("books_alone")
def test_a_structure_can_be_named_and_one_that_loses_numbers_warns(tmp_path: Path) -> None:
    bells = "".join(f"1.1.{n}. Bell:\n1.1.{n}.1. Rope:\n1.1.{n}.1.1. A player must pull it.\n" for n in range(1, 25))
    (tmp_path / "bells.txt").write_text("1. Bells\n1.1. Ropes\n" + bells)
    arguments = ["add", tmp_path / "bells.txt", "--game", "ferry", "--edition", "2021-05-03", "--dry-run", "--json"]
    [whole] = call(tmp_path / "home", *arguments).json()["added"]
    assert (whole["readings"][0]["grammar"], whole["notes"]) == ("dotted", [])
    [by_sections] = call(tmp_path / "home", *arguments, "--structure", "sections").json()["added"]
    assert by_sections["readings"][0]["grammar"] == "sections"
    assert "first 1.1.1.1.1, 1.1.2.1.1, 1.1.3.1.1;" in by_sections["notes"][-1]
    refusal = call(tmp_path / "home", *arguments, "--structure", "towers")
    assert (refusal.code, refusal.err.startswith("rulestone: --structure 'towers': expected one of hundreds")) == (2, True)
