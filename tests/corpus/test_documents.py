"""Tournament documents: which books are some, and which citations name one."""

import pytest

from corpus.catalogue import document_kind_in_title, document_of
from corpus.editions.citations.find import find
from tests.corpus.editions.citations.test_find import NUMBERING


@pytest.mark.parametrize(
    ("title", "document"),
    [
        ("FERRY PENALTY GUIDE", "penalties"),
        ("Infraction Procedure", "penalties"),
        ("渡し守 罰則ガイド", "penalties"),
        ("摆渡人处罚指南", "penalties"),
        ("The Game of Ferrymen: Tournament Rules", "tournament"),
        ("渡し守 大会規定", "tournament"),
        ("摆渡人比赛规则", "tournament"),
        ("The Game of Ferrymen: Complete Rules", "rules"),
        ("", "rules"),
    ],
)
def test_the_title_tells_the_kind_of_a_document(title: str, document: str) -> None:
    assert document_kind_in_title(title) == document
    assert document_of("ferry", "book", [title]) == document


@pytest.mark.parametrize(
    ("game", "book", "document"),
    [
        ("mtg", "ipg", "penalties"),
        ("mtg", "mtr", "tournament"),
        ("mtg", "cr", "rules"),
        ("riftbound", "tournament-rules", "tournament"),
        ("ferry", "tr", "tournament"),
    ],
)
def test_the_catalogue_and_the_name_of_a_book_tell_it_too(game: str, book: str, document: str) -> None:
    assert document_of(game, book) == document


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("IPG 2.1 says so", [("2.1", "penalties", ("mtg",))]),
        ("See MTR 4.8 for that.", [("4.8", "tournament", ("mtg",))]),
        ("see MTR section 2.2", [("2.2", "tournament", ("mtg",))]),
        ("TR 703.2", [("703.2", "tournament", ())]),
        ("デュエマの大会規定4.3", [("4.3", "tournament", ("dm",))]),
        ("比赛规则4.2", [("4.2", "tournament", ())]),
        ("IPG 2", []),
        ("JAR 2.1", []),
    ],
)
def test_citations_of_tournament_documents(text: str, cited: list[tuple[str, str, tuple[str, ...]]]) -> None:
    mentions = [(mention.item.number, mention.document, mention.games) for mention in find(text, NUMBERING).mentions]
    assert mentions == cited
