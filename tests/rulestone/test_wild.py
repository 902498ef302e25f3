"""Posts as people write them, on invented books: what is found in them, and what is said of it."""

import pytest

from bench.verify.wild import posts, posts_figures, put_books, read_post
from rulestone import Library
from tests.support.homes import books_alone

POSTS = list(posts())


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    with books_alone():
        return put_books(tmp_path_factory.mktemp("wild") / "home")


def test_there_are_enough_posts() -> None:
    assert len(POSTS) >= 60
    assert {post.name.split()[0] for post in POSTS} == {"en", "ja", "zh-Hans", "zh-Hant"}
    statuses = [gold.status for post in POSTS for gold in post.gold]
    assert len(statuses) >= 600
    assert {"verified", "exists", "edited", "moved", "reused", "misquoted", "not_found", "unchecked"} == set(statuses)


def test_annotations_stand_where_they_stood() -> None:
    text, gold = read_post("a {{601.2a–b=moved+verified>702.1/verified}} b")
    assert text == "a 601.2a–b b"
    assert [(text[one.start : one.end], one.status, one.now, one.quote) for one in gold] == [
        ("601.2a–b", "moved", "702.1", "verified"),
        ("601.2a–b", "verified", "702.1", "verified"),
    ]


def test_what_is_found_and_said(library: Library) -> None:
    counted = posts_figures(library, POSTS)
    mistakes = "\n".join(counted.wrong)
    assert (counted.false_verified, counted.false_not_found) == (0, 0), mistakes
    assert min(counted.of_citations.recall, counted.of_citations.precision) >= 0.98, mistakes
    assert counted.status_share >= 0.97, mistakes


def test_what_is_wrong_is_counted(library: Library) -> None:
    some = [post for post in POSTS if post.name == "en tournament-report"]
    missing = posts_figures(library, [type(post)(post.name, f" {post.text}", post.gold, "ferry") for post in some])
    assert missing.of_citations.recall < 0.1
    assert missing.false_verified > 0
