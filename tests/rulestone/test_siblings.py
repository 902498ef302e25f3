"""What stands beside a rule: the two nearest of its own kind on each side, with their first words; texts without examples."""

import pytest

from corpus.editions.siblings import first_words
from rulestone import Library
from tests.support.homes import books_alone, put

BOOK = """The Game of Ferrymen
Effective 2030-01-01
1. Ferries
100. Rowing
100.1. A ferry leaves when its lantern is lit.
Example: Ana lights the lantern of the third ferry and leaves pier nine at once.
100.2. A ferry that has left cannot be called back.
100.2a No caller may ring the bell of another pier.
100.2b A torn bell rope counts as a rung bell.
100.3. While a ferry crosses, no token may be moved.
100.4. A ferry arrives when its rope is tied.
100.5. An empty ferry returns to its pier.
101. Mooring
101.1. A moored ferry holds at most four tokens.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    home = tmp_path_factory.mktemp("beside") / "home"
    with books_alone():
        put(home, BOOK, "2030-01-01")
    return Library.open(home, create=False)


def test_the_nearest_siblings_in_the_books_order(library: Library) -> None:
    [hit] = library.search("100.3", games="ferry", limit=1, siblings=True, lang="en")["hits"]
    assert [sibling["number"] for sibling in hit["siblings"]] == ["100.1.", "100.2.", "100.4.", "100.5."]
    [part] = library.search("100.2a", games="ferry", limit=1, siblings=True, lang="en")["hits"]
    assert [sibling["words"] for sibling in part["siblings"]] == ["A torn bell rope counts as a rung bell."]


def test_examples_only_on_request(library: Library) -> None:
    whole, plain = (
        library.search("lantern lit", games="ferry", limit=1, examples=with_them)["hits"][0] for with_them in (True, False)
    )
    assert whole["text"].startswith(plain["text"])
    assert ("Example" in whole["text"], "Example" in plain["text"]) == (True, False)
    assert all(span["end"] <= len(plain["text"]) for span in plain["highlights"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Short.", "Short."),
        ("two\nlines", "two lines"),
        (
            "A ferry that has left its pier with the lantern lit cannot be called back.",
            "A ferry that has left its pier with the lantern lit cannot …",
        ),
        ("渡し船は桟橋を離れたあと、呼び戻すことができない。乗客は合図を待つ。", "渡し船は桟橋を離れたあと、呼び戻すことが …"),
    ],
)
def test_first_words(text: str, words: str) -> None:
    assert first_words(text) == words
