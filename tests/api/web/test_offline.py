"""Packs as the server gives them, and the search of the offline pages against the server's own."""

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from api.web.static import FOLDER
from corpus.address import concept_name, path_of, rule_iri
from corpus.words.tokens import terms, words
from ontology.keywords import keywords
from search.rank.ranker import Ranker
from search.searcher import Searcher
from tests.support.homes import searching
from tests.support.node import asked, node

TEXTS = (
    "Exiled creatures' libraries; the player’s face-down cards (400.7d, 1-3-5-1) entering the Spell & Trap Zone.",
    "手札のカードを墓地に置く。ｻｲｷｯｸ・クリーチャー４００．３B を 召喚する！",
    "玩家從牌庫頂抽一張牌；放進坟墓场/墓地，然後洗牌。战场 戦場 戰場",
    "naïve Ætherling’s 20 life, dying untapped abilities\nconditionally organized",
    "y？\u1dc2？ a \u05b0 b",
    "",
)
QUESTIONS: tuple[tuple[str, list[str]], ...] = (
    ("how many tokens may a ferry carry", []),
    ("who may look at the cards in a graveyard", []),
    ("墓地の順番", []),
    ("额外怪兽区 换控制权", ["ygo"]),
    ("what is a graveyard in duel masters", []),
    ("what does trample do", []),
    ("墓地とは", []),
    ("ferry 101.1", []),
    ("what does section 101 say about 400 crates", ["ferry"]),
    ("ferry 101 says", []),
    ("what does 100.1(b) say", []),
    ("100.1–a", ["ferry"]),
    ("rule 100.1 a geese", ["ferry"]),
    ("gravyard ordr", ["dm"]),
    ("zone", []),
    ("is a countered spell put into the graveyard", []),
    ("how tall is the president of France", []),
)


@pytest.fixture(scope="module")
def packs(client: TestClient) -> dict[str, str]:
    listing = client.get("/pack").json()
    return {part["name"]: client.get(f"/pack/{listing['bundle']}/{part['name']}").text for part in listing["parts"]}


@pytest.fixture(scope="module")
def readings(packs: dict[str, str]) -> Mapping[str, Any]:
    if node() is None:
        pytest.skip("no Node.js here: install nodejs, or pip install --group browser")
    return asked(packs, list(TEXTS), [*QUESTIONS])


@pytest.fixture(scope="module")
def searcher(home: Path) -> Searcher:
    from corpus.store.home import Home

    return searching(Home(home))


COSINES = """
const { Index } = await import(process.argv[1]), [rows, vector] = JSON.parse(process.argv[2]);
const index = Object.create(Index.prototype);
index.open(Int8Array.from(rows.flat()), vector.length);
console.log(JSON.stringify([...index.cosines(Int8Array.from(vector))]));
"""
"""How near each of some vectors is to one."""


def test_vectors_are_as_near_as_numpy_has_it() -> None:
    program = node()
    if program is None:
        pytest.skip("no Node.js here: install nodejs, or pip install --group browser")
    chance = np.random.default_rng(7)
    rows, vector = chance.integers(-127, 128, (200, 24)), chance.integers(-127, 128, 24)
    argument = json.dumps([rows.tolist(), vector.tolist()])
    command = [program, "--input-type=module", "--eval", COSINES, (FOLDER / "offline" / "index.js").as_uri(), argument]
    near = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    cosines = rows @ vector / (np.linalg.norm(rows, axis=1) * np.linalg.norm(vector))
    assert near == pytest.approx(np.maximum(cosines, 0).tolist(), abs=1e-6)


def test_words_are_cut_as_the_server_cuts_them(readings: Mapping[str, Any]) -> None:
    for text, (cut, tokens) in zip(TEXTS, readings["cut"], strict=True):
        server_tokens = words(text)
        assert cut == list(terms(server_tokens))
        assert tokens == [[token.start, token.end, token.opens] for token in server_tokens]


def test_a_question_is_read_as_the_server_reads_it(readings: Mapping[str, Any], searcher: Searcher) -> None:
    from search.searcher import Request

    for (question, games), reading in zip(QUESTIONS, readings["questions"], strict=True):
        query = searcher.understand(Request(question, tuple(games)))
        for name in ("numbers", "named_numbers", "concepts", "games"):
            assert reading[name] == list(getattr(query, name)), (question, name)
        assert reading["defining"] == [[concept, list(games)] for concept, games in query.definition_targets], question
        assert (reading["terms"], reading["corrected"], reading["asked"]) == (
            dict(query.terms),
            dict(query.corrected),
            query.encoder_text,
        )


def test_the_best_rules_by_words_are_the_servers(readings: Mapping[str, Any], searcher: Searcher) -> None:
    from search.searcher import Request

    ranker = Ranker(searcher.index, searcher.ranker.settings)
    for (question, games), reading in zip(QUESTIONS, readings["questions"], strict=True):
        hits = ranker.rank(searcher.understand(Request(question, tuple(games))), None, 10).hits
        best = {searcher.index.rules[hit.rule].iri.split("/id/")[1] for hit in hits if hit.score > hits[0].score * 0.999}
        assert reading["words"][0] in best, question


def test_a_question_is_answered_as_often_as_by_a_server_without_sentence_embeddings(
    readings: Mapping[str, Any], searcher: Searcher
) -> None:
    from search.rank.answerability import answerable_probability
    from search.searcher import Request

    for (question, games), reading in zip(QUESTIONS, readings["questions"], strict=True):
        query = searcher.understand(Request(question, tuple(games)))
        static = searcher.encode_query(query).static
        similarity = searcher.out_of_scope.similarity(searcher.encoder, static, None, None)
        features = replace(searcher.ranker.rank(query, static, 10).features, out_of_scope=similarity)
        probability = answerable_probability(features, searcher.index.rules.group_count)
        assert reading["probability"] == pytest.approx(probability, abs=0.15), question


def rule_paths(searcher: Searcher) -> list[str]:
    """The path of the address of each rule in the index."""
    rules = searcher.index.rules
    return [path_of(rule_iri(key, locator)) for key, locator in zip(rules.editions, rules.locators, strict=True)]


def test_rules_are_read_together_as_on_the_server(readings: Mapping[str, Any], searcher: Searcher) -> None:
    index = searcher.index
    paths = rule_paths(searcher)
    roots = {path: paths[root] for path, root in zip(paths, index.outline.section_root.tolist(), strict=True)}
    assert len(set(readings["roots"].values())) > 20
    assert readings["roots"].items() <= roots.items()


def test_the_first_section_is_that_of_the_best_rule(readings: Mapping[str, Any], searcher: Searcher) -> None:
    starts = searcher.index.outline.section_starts.tolist()
    sections = {path for path, is_start in zip(rule_paths(searcher), starts, strict=True) if is_start}
    for (question, _), reading in zip(QUESTIONS, readings["questions"], strict=True):
        section_roots = [root for root, _ in reading["sections"]]
        assert len(set(section_roots)) == len(section_roots) <= 3, question
        assert all(readings["roots"][path] == root for root, marked_rules in reading["sections"] for path in marked_rules), question
        best = next((path for path in reading["hits"] if readings["roots"][path] in sections), None)
        assert [marked_rules[0] for _, marked_rules in reading["sections"][:1]] == ([best] if best else []), question
    assert sum(bool(reading["sections"]) for reading in readings["questions"]) >= 8


def test_questions_without_a_rule_are_not_answered(readings: Mapping[str, Any]) -> None:
    answerable = {question: reading["answered"] for (question, _), reading in zip(QUESTIONS, readings["questions"], strict=True)}
    assert {question for question, is_answered in answerable.items() if not is_answered} == {
        "what does trample do",
        "is a countered spell put into the graveyard",
        "how tall is the president of France",
    }


def test_packs_are_listed_with_their_size_and_come_whole(client: TestClient) -> None:
    listing = client.get("/pack")
    parts = {part["name"]: part for part in listing.json()["parts"]}
    assert {"core", "model", "all.en", "ferry", "ferry.en", "ferry.ja", "dm", "dm.ja"} <= parts.keys()
    for name in ("core", "model", "ferry", "ferry.ja"):
        answer = client.get(f"/pack/{listing.json()['bundle']}/{name}")
        assert sha256(answer.content).hexdigest() == parts[name]["digest"]
        assert answer.json()["format"] == 4
        assert answer.headers["content-encoding"] in ("br", "gzip")
        assert client.get(answer.url.path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    assert client.get("/pack", headers={"If-None-Match": listing.headers["etag"]}).status_code == 304


def test_packs_have_no_concept_to_which_no_offline_page_leads(packs: dict[str, str]) -> None:
    concepts = json.loads(packs["dm.ja"])["concepts"]
    assert "dm/graveyard" in concepts
    assert concepts.keys().isdisjoint(concept_name(word.concept) for word in keywords() if word.kind)


@pytest.mark.parametrize("path", ["/pack/000000/core", "/pack/{bundle}/nothing", "/pack/{bundle}/dm.tlh"])
def test_a_pack_of_another_bundle_or_of_nothing_is_not_there(client: TestClient, path: str) -> None:
    bundle = client.get("/pack").json()["bundle"]
    assert client.get(path.format(bundle=bundle)).status_code == 404


def test_a_pack_has_current_rules_and_no_superseded_ones(packs: dict[str, str]) -> None:
    frame = json.loads(packs["ferry"])
    assert [edition["edition"] for edition in frame["editions"]] == ["2021-05-03"]
    assert json.loads(packs["ferry.en"])["text"][str(frame["locator"].index("101.1"))]["text"].startswith("A ferry holds")


def test_the_worker_knows_every_file_and_answers_for_every_page(client: TestClient) -> None:
    worker = client.get("/service.js")
    assert worker.headers["service-worker-allowed"] == "/"
    assert worker.headers["content-type"].startswith("text/javascript")
    files = json.loads(re.search(r"const FILES = (\[.*?\]);", worker.text)[1])  # type: ignore[index]
    assert all(client.get(path).status_code == 200 for path in files)
    assert any(path.endswith("/offline/app.js") for path in files)


@pytest.mark.parametrize("lang", ["ja", "zh-Hans", "zh-Hant", "en"])
def test_the_page_without_a_network_is_in_every_language_whatever_is_chosen(client: TestClient, lang: str) -> None:
    assert f'<html lang="{lang}">' in client.get(f"/offline?lang={lang}", headers={"Cookie": "lang=ja"}).text
    assert client.get("/manifest.webmanifest", headers={"Accept-Language": lang}).json()["lang"] == lang
