"""Files that are bombs: refused in one line, by what they are or by what reading them takes."""

import os
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from corpus.errors import InputError
from ingest.pipeline import parse_guarded
from ingest.read import limits
from ingest.read.formats import refuse_deep_nesting
from ingest.read.limits import ReadLimits
from ingest.read.sandbox import run_sandboxed
from ingest.recognise import Hints
from tests.support.bombs import BOMBS, PAGE, folded, pdf
from tests.support.ferrymen import HUNDREDS_EN

MARKED = "\n".join(f"<p>{line}</p>" if line else "" for line in HUNDREDS_EN.splitlines())


def refusal(data: bytes, name: str) -> str:
    with pytest.raises(InputError) as error:
        parse_guarded(data, Path(name), Hints(game="ferry", lang="en"))
    assert len(str(error.value).splitlines()) == 1
    return str(error.value)


def lowered(monkeypatch: pytest.MonkeyPatch, **settings: float) -> None:
    monkeypatch.setattr(limits, "READ_LIMITS", ReadLimits(**settings))


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_are_recognised_at_once(bomb: str) -> None:
    name, data, said = BOMBS[bomb]
    assert said in refusal(data(), name)


def test_without_a_fork_they_are_told_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    name, data, said = BOMBS["attributes"]
    assert said in refusal(data(), name)


def test_unforeseen_cost_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered(monkeypatch, seconds=0)
    page = PAGE + "<svg>" + "<div/>" * 300_000
    assert "a.html: takes more than 0 seconds to read" in refusal(page.encode(), "a.html")


def citing(rules: int, each: int) -> bytes:
    """A book in which every rule cites others."""
    cited = [", ".join(f"100.{(rule * 7 + nth) % rules + 1}" for nth in range(each)) for rule in range(rules)]
    lines = [f"100.{rule + 1}. A ferry moves as rules {numbers} say." for rule, numbers in enumerate(cited)]
    return "\n".join(("The Game of Ferrymen", "", "100. Ferries", *lines, "")).encode()


def test_more_citations_than_any_book_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parse_guarded(citing(40, 10), Path("a.txt"), Hints(game="ferry", lang="en"))[1]
    lowered(monkeypatch, citations=399)
    assert "a.txt: cites 400 rules; at most 399 citations" in refusal(citing(40, 10), "a.txt")


@pytest.mark.slow
def test_an_add_of_nothing_but_citations_is_refused_while_it_is_read() -> None:
    assert "cites" in refusal(citing(600, 100), "a.txt")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is limited on Linux only")
def test_nested_compression_is_limited_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered(monkeypatch, memory=100 * 2**20)
    bomb = pdf(folded(200 * 2**20, times=2), filters=b"/FlateDecode/FlateDecode")
    assert "needed more than 104,857,600 bytes of memory" in refusal(bomb, "a.pdf")


def test_memory_of_our_own_code_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered(monkeypatch, memory=100 * 2**20)
    with pytest.raises(InputError, match="more than 104,857,600 bytes of memory"):
        run_sandboxed(lambda: len(bytearray(200 * 2**20)), "a.txt")


def test_a_stalled_reading_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered(monkeypatch, wait=0.1)
    with pytest.raises(InputError, match="takes more than 0 seconds"):
        run_sandboxed(lambda: time.sleep(600), "a.txt")


def test_a_broken_reader_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"a\.pdf: the reader crashed"):
        run_sandboxed(os.abort, "a.pdf")
    assert capfd.readouterr() == ("", "")


def test_errors_come_as_they_are() -> None:
    def fail() -> None:
        raise KeyError("a bug")

    with pytest.raises(KeyError, match="a bug"):
        run_sandboxed(fail, "a.txt")


def test_no_file_of_the_program_is_kept_open(tmp_path: Path) -> None:
    def holds() -> bool:
        with suppress(OSError):
            return os.path.samestat(os.fstat(lock.fileno()), (tmp_path / "lock").stat())
        return False

    with (tmp_path / "lock").open("wb") as lock:
        assert holds()
        assert not run_sandboxed(holds, "a.txt")


def test_from_many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered(monkeypatch, here=0)
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(nodes())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    monkeypatch.undo()
    assert counts == [nodes()] * 4


def nodes() -> int:
    return len(parse_guarded(HUNDREDS_EN.encode(), Path("ferry.txt"), Hints(game="ferry"))[1][0].nodes)


def test_a_short_plain_text_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("forked"))
    assert nodes() > 10


def test_a_process_hands_back_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    data, hints = f"<html><body>{MARKED}</body></html>".encode(), Hints(game="ferry")
    came = parse_guarded(data, Path("ferry.html"), hints)
    monkeypatch.delattr(os, "fork")
    assert came == parse_guarded(data, Path("ferry.html"), hints)


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li>a" + "<li>a" * 2_000,
        "<p>a" * 2_000,
        "<table>" + "<tr><td>a" * 2_000,
        "<svg>" + "<path d='M0 0'/>" * 2_000 + "</svg>",
        "<!-- " + "<div>" * 2_000 + "-->",
        "<script>" + "if (a<b) c;" * 2_000 + "</script>",
        f'<p title="{"word " * 2_000}">',
        "<div><br></div>" * 2_000,
    ],
)
def test_pages_as_they_are_written_pass(html: str) -> None:
    refuse_deep_nesting(PAGE + html, "a.html")
