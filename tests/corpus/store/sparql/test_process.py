"""Queries are answered in processes of their own: what they do to these, they do to nothing else."""

import http.server
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.errors import BusyError, InputError, NotAcceptableError, TooCostlyError
from corpus.store.engine import Store
from corpus.store.home import Home
from corpus.store.sparql import process as pools
from corpus.store.sparql.process import Pool
from corpus.store.sparql.question import SPARQL_LIMITS, QueryLimits, SparqlQuestion
from tests.support.commands import call
from tests.support.texts import ROOT
from tests.support.writers import LIMIT

LINES = b"".join(b'<urn:s%d> <urn:p> "%d" <urn:g> .\n' % (nth, nth) for nth in range(3000))
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(STR(?a) < STR(?e)) }"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "store"
    store = Store(path)
    store.load(LINES)
    store.close()
    return path


@pytest.fixture
def pool(path: Path) -> Iterator[Pool]:
    pool = Pool(path)
    yield pool
    pool.close()


def ask(pool: Pool, query: str, seconds: float = 60, **options: int) -> bytes:
    pieces: list[bytes] = []
    pool.ask(SparqlQuestion(query, **options), seconds, pieces.append)  # type: ignore[arg-type]
    return b"".join(pieces)


def test_it_answers_again_and_again_in_one_process(pool: Pool) -> None:
    assert ask(pool, "SELECT ?o { <urn:s7> ?p ?o }") == b'?o\n"7"\n'
    (process,) = pool._idle
    assert ask(pool, "ASK { ?s ?p '8' }") == b"true\n"
    assert pool._idle == [process]


def test_a_long_answer_comes_in_pieces(pool: Pool) -> None:
    pieces: list[bytes] = []
    answer = pool.ask(SparqlQuestion("SELECT * { ?s ?p ?o }"), 60, pieces.append)
    assert (answer.rows, b"".join(pieces).count(b"\n")) == (3000, 3001)
    assert len(pieces) > 2


@pytest.mark.parametrize(
    ("query", "error", "words"),
    [
        ("SELEC", InputError, "not well-formed"),
        ("DROP ALL", InputError, "DROP is an update"),
        ("ASK { SERVICE:x {} }", InputError, "SERVICE"),
        ("x" * 70_000, InputError, "more than 64 KiB"),
    ],
)
def test_a_refused_query_leaves_the_process_running(pool: Pool, query: str, error: type[Exception], words: str) -> None:
    ask(pool, "ASK {}")
    (process,) = pool._idle
    with pytest.raises(error, match=words):
        ask(pool, query)
    assert pool._idle == [process]


def test_triples_that_are_wanted_as_solutions(pool: Pool) -> None:
    with pytest.raises(NotAcceptableError):
        pool.ask(SparqlQuestion("DESCRIBE <urn:s1>", ("text/csv",)), 60, bytes)


@pytest.mark.parametrize(
    ("query", "seconds", "words"),
    [
        (ENDLESS, 0.5, "longer than 0.5 s"),
        pytest.param(
            *("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i", 60, "more than 512 MB"), marks=pytest.mark.slow
        ),
        ("SELECT * " + "{" * 5000 + "}" * 5000, 60, "nested too deeply"),
        ("SELECT * { ?s ?p " + "[ ?p " * 5000 + "?o" + " ]" * 5000 + " }", 60, "nested too deeply"),
        ("ASK { FILTER(" + "!" * 60_000 + "true) }", 60, "nested too deeply"),
    ],
    ids=["endless", "memory", "braces", "brackets", "signs"],
)
def test_a_costly_query_ends_its_process_alone(pool: Pool, query: str, seconds: float, words: str) -> None:
    with pytest.raises(TooCostlyError, match=words):
        ask(pool, query, seconds)
    assert pool._idle == []
    assert ask(pool, "SELECT ?o { <urn:s7> ?p ?o }") == b'?o\n"7"\n'


def test_a_process_that_was_ended_while_idle_is_replaced(pool: Pool) -> None:
    ask(pool, "ASK {}")
    pool._idle[0]._process.kill()
    pool._idle[0]._process.wait()
    assert ask(pool, "ASK {}") == b"true\n"


def test_a_process_that_grew_is_not_used_again(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "SPARQL_LIMITS", QueryLimits(kept=0))
    ask(pool, "SELECT * { ?s ?p ?o }")
    assert pool._idle == []


def test_waiting_too_long_for_a_turn_asks_to_retry(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "SPARQL_LIMITS", QueryLimits(processes=1, wait=0))
    pool = Pool(path)
    ask(pool, "ASK {}")
    with pool._process(), pytest.raises(BusyError, match="too many queries"):
        ask(pool, "ASK {}")
    pool.close()


def test_a_process_opens_no_connection(path: Path) -> None:
    """With the guard out of the way: what holds is the process itself."""
    request_paths: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request_paths.append(self.path)
            self.send_error(500)

    with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        query = f"SELECT * {{ SERVICE <http://127.0.0.1:{server.server_address[1]}/> {{ ?s ?p ?o }} }}"
        program = """
import sys
from corpus.store.sparql import evaluate, worker
evaluate.refuse_unsafe = lambda query: None
worker.main(*sys.argv[1:])
"""
        output = _process_output(program, path, query)
        free = _process_output(
            program.replace("worker.main", "worker.confine_process = lambda: 'seccomp'; worker.main"), path, query
        )
        server.shutdown()
    if b'"confined": "guard"' in output:
        pytest.skip("this machine has neither seccomp nor namespaces")
    assert request_paths == ["/"]  # by the one that is free
    assert b"the query failed" in output
    assert b"the query failed" in free


def _process_output(program: str, path: Path, query: str) -> bytes:
    from io import BytesIO

    from corpus.store.sparql.question import QUESTION, send_frame

    frames = BytesIO()
    send_frame(frames, QUESTION, b"30\n" + SparqlQuestion(query).to_bytes())
    command = [sys.executable, "-c", program, str(path), str(int(SPARQL_LIMITS.memory))]
    return subprocess.run(command, input=frames.getvalue(), capture_output=True, cwd=ROOT, timeout=LIMIT, check=True).stdout


DECK = "<https://w3id.org/rulestone/id/concept/dm/deck>"


@pytest.mark.parametrize(
    ("query", "options", "code", "words"),
    [
        (f'SELECT ?l {{ {DECK} <http://www.w3.org/2004/02/skos/core#prefLabel> ?l FILTER(LANG(?l) = "ja") }}', [], 0, "山札"),
        (f"ASK {{ {DECK} ?p ?o }}", ["--json"], 0, "true"),
        (f"ASK {{ {DECK} <urn:none> ?o }}", [], 1, "false"),
        (f"DESCRIBE {DECK}", [], 0, "concept/dm/hidden-zone"),
    ],
)
def test_the_command_answers(digest_home: Home, tmp_path: Path, query: str, options: list[str], code: int, words: str) -> None:
    file = tmp_path / "question.rq"
    file.write_text(query, encoding="utf-8")
    ended = call(digest_home.path, "sparql", file, *options)
    assert (ended.code, ended.err) == (code, "")
    assert words in ended.out


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (b"DROP ALL", [], "DROP is an update"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                (b"SELEC", [], "not well-formed"),
                (b"ASK { ?s ?p '\xff' }", [], "not UTF-8 text"),
                (b"DESCRIBE <urn:s>", ["--json"], "triples, which are available as"),
                (b"ASK { FILTER(" + b"!" * 60_000 + b"true) }", [], "nested too deeply"),
                (ENDLESS.encode(), ["--timeout", "0.2"], "longer than 0.2 s"),
            )
        ),
    ],
)
def test_the_command_refuses_in_one_line(digest_home: Home, data: bytes, options: list[str], words: str) -> None:
    command = [sys.executable, "-m", "api.cli.app", "--home", str(digest_home.path), "sparql", "-", *options]
    ended = subprocess.run(command, input=data, capture_output=True, cwd=ROOT, timeout=LIMIT, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert words in ended.stderr.decode()
    assert ended.stderr.count(b"\n") == 1


def test_a_file_that_is_not_there(digest_home: Home, tmp_path: Path) -> None:
    ended = call(digest_home.path, "sparql", tmp_path / "none.rq")
    assert ended.code == 2
    assert "there is no file" in ended.err


def test_a_file_that_is_too_large_is_not_read(digest_home: Home, tmp_path: Path) -> None:
    file = tmp_path / "large.rq"
    with file.open("wb") as opened:
        opened.truncate(3 << 30)
    ended = call(digest_home.path, "sparql", file)
    assert ended.code == 2
    assert "more than 64 KiB" in ended.err
