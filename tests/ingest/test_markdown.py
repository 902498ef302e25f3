"""Words without the marks of Markdown."""

import pytest

from ingest.markdown import without_marks
from tests.support.ferrymen import faults, node, original, parsed


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("*Ferry Text* – words of a boat", "Ferry Text – words of a boat"),
        ("**Active Ferryman** rows.", "Active Ferryman rows."),
        ("***Both*** of _them_ and __these__", "Both of them and these"),
        ("これは**主動**の*船頭*です", "これは主動の船頭です"),
        ("1. ** **Ferries", "1.  Ferries"),
        ("3 * 4 * 5, 3*4*5 and a_b_c", "3 * 4 * 5, 3*4*5 and a_b_c"),
        ("two marks (*1) and (*2)", "two marks (*1) and (*2)"),
        ("boats with *n oars", "boats with *n oars"),
        ("\\(see 2.1\\) \\*not\\* marked", "(see 2.1) *not* marked"),
        ("see [2.1](#2-1), [boats](https://ferry.example/b) and `row`", "see 2.1, boats and row"),
        ("`*row*` and `a\\_b`, **not `[2.1](#2-1)`**", "*row* and a\\_b, not [2.1](#2-1)"),
        ("[Glide](reminder of a ferry)", "[Glide](reminder of a ferry)"),
        ("> quoted", "quoted"),
    ],
)
def test_the_words_as_a_page_shows_them(words: str, expected: str) -> None:
    assert without_marks(words) == expected


def test_rules_of_a_markdown_book_have_no_marks_and_exact_spans() -> None:
    rules = "".join(f"1.1.{n}. **Active Ferryman** rows *{n} times*, _never_ more.\n\n" for n in range(1, 13))
    text = f"# Ferries\n\n## 1. **Boats**\n\n1.1. *Rowing*\n\n{rules}"
    reading = parsed(text, "dotted", media="markdown")
    assert node(reading, "1").text == "Boats"
    assert node(reading, "1.1").text == "Rowing"
    assert node(reading, "1.1.3").text == "Active Ferryman rows 3 times, never more."
    assert original(text, node(reading, "1.1.3").spans) == "1.1.3. **Active Ferryman** rows *3 times*, _never_ more."
    assert faults(text, [reading]) == []
