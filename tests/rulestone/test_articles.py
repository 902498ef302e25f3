"""Articles cited by ordinals (第3条, 第1部第2章第3条) wherever a citation is read, on two invented books."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.ordinals import fold_path, path_in
from rulestone import InputError, Library, NotFoundError
from tests.support.homes import books_alone

TESTS = Path(__file__).parents[1]
BOOKS = TESTS / "support" / "books"
CASES = tomllib.loads((TESTS / "cases" / "articles.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def articles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with books_alone(), Library.open(tmp_path_factory.mktemp("articles") / "home") as library:
        library.add(BOOKS / "hundreds.en.txt", game="ferry", edition="2021-05-03")
        library.add(BOOKS / "articles.ja.txt", game="ferry")
        library.add(BOOKS / "articles.zh-Hans.txt", game="barge")
        yield library


@pytest.mark.parametrize(("words", "path"), CASES["path"])
def test_words_that_are_a_path(words: str, path: str) -> None:
    assert fold_path(path_in(words)) == path


@pytest.mark.parametrize(("ref", "rule"), CASES["show"])
def test_references(articles: Library, ref: str, rule: str) -> None:
    try:
        references = [f"{rule['game']}/{rule['locator']}" for rule in articles.rules(ref)["rules"]]
    except NotFoundError:
        references = []
    assert references == ([rule] if rule else [])


def test_a_reference_that_several_articles_have_names_all_of_them(articles: Library) -> None:
    locators = [rule["locator"] for rule in articles.rules("barge:第二条")["rules"]]
    assert sorted(locators) == [f"第{chapter}章第2条" for chapter in range(1, 8)]


@pytest.mark.parametrize(("game", "question", "locator"), CASES["search"])
def test_questions(articles: Library, game: str, question: str, locator: str) -> None:
    assert articles.search(question, games=game)["hits"][0]["locator"] == locator


@pytest.mark.parametrize(("text", "game", "cited"), CASES["verify"])
def test_citations_in_a_text(articles: Library, text: str, game: str, cited: list[str]) -> None:
    citations = articles.verify(text, game=game or None)["citations"]
    lines = [f"{each['surface']} {each['status']} {(each['rule'] or '').rpartition('/')[2]}" for each in citations]
    assert lines == cited


@pytest.mark.parametrize(("game", "locator", "targets"), CASES["cites"])
def test_citations_in_rules(articles: Library, game: str, locator: str, targets: list[str]) -> None:
    cites = articles.cites(f"{game}:{locator}")["cites"]
    assert [(each["target"] or "").rpartition("/")[2] for each in cites] == targets


def test_a_later_edition_supersedes_every_article(tmp_path: Path) -> None:
    text = (BOOKS / "articles.ja.txt").read_text(encoding="utf-8")
    later = tmp_path / "later.txt"
    later.write_text(text.replace("2024年4月1日", "2025年4月1日").replace("警告を与える", "注意を与える"), encoding="utf-8")
    with Library.open(tmp_path / "home") as library:
        library.add([BOOKS / "articles.ja.txt", later], game="ferry")
        rules = library.rules("ferry:第4条")["rules"]
        assert [(rule["edition"], rule["current"]) for rule in rules] == [("2025-04-01", True), ("2024-04-01", False)]
        [cited] = library.verify("第4条", game="ferry", as_of="2024-04-01")["citations"]
        assert cited["status"] == "edited"


def test_hits_claims_and_rules_say_that_they_are_of_tournament_rules(articles: Library) -> None:
    question = "鐘を鳴らさなければならないのはいつですか"
    hits = articles.search(question, games="ferry")["hits"]
    assert {hit["book"]: hit.get("document") for hit in hits}["tr"] == "tournament"
    claims = articles.ask(question, games="ferry")["claims"]
    assert [claim.get("document") for claim in claims if claim["book"] == "tr"][:1] == ["tournament"]
    assert articles.rules("ferry:第7条")["rules"][0].get("document") == "tournament"
    assert "document" not in articles.rules("ferry:100.1")["rules"][0]


def test_too_many_citations_are_refused_before_any_is_judged(articles: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.editions.verify.verdict.CitationJudge.judge", None)
    with pytest.raises(InputError, match="201 citations, at most 200"):
        articles.verify("See rule 203.1. " * 201, game="ferry", limited=True)
