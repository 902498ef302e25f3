"""Which edition is current: per book and language, by authority, then date; a retelling gives way to what it retells."""

import pytest

from corpus.address import EditionKey
from ontology.store.manifest import EditionEntry, current_languages


def entry(name: str, chapters: str = "1", **languages: str) -> EditionEntry:
    game, book, edition = name.split("/")
    tags = {tag.replace("_", "-"): authority for tag, authority in languages.items()}
    return EditionEntry(game, book, edition, "hundreds", 9, tuple(chapters.split()), tags, dict.fromkeys(tags, ("f",)), 0, {})


CASES: dict[str, tuple[list[EditionEntry], dict[str, str]]] = {
    "the later date": (
        [entry("ferry/cr/2024-01-01", en="official"), entry("ferry/cr/2025-01-01", en="official")],
        {"2024-01-01": "", "2025-01-01": "en"},
    ),
    "each language for itself": (
        [entry("ferry/cr/2024-01-01", en="official", zh_Hans="translation"), entry("ferry/cr/2025-01-01", zh_Hans="translation")],
        {"2024-01-01": "en", "2025-01-01": "zh-Hans"},
    ),
    "authority before date": (
        [entry("ferry/cr/2024-01-01", en="official"), entry("ferry/cr/2025-01-01", en="community")],
        {"2024-01-01": "en", "2025-01-01": ""},
    ),
    "a date before none": (
        [entry("ferry/cr/undated", en="official"), entry("ferry/cr/2001-01-01", en="official")],
        {"undated": "", "2001-01-01": "en"},
    ),
    "the digest until a text is loaded": ([entry("ferry/cr/2024-01-01")], {"2024-01-01": "*"}),
    "the digest gives way": (
        [entry("ferry/cr/2024-01-01"), entry("ferry/cr/2023-01-01", ja="official")],
        {"2024-01-01": "", "2023-01-01": "ja"},
    ),
    "a summary gives way to the same chapter": (
        [entry("dm/zones-summary/undated", "4", ja="community"), entry("dm/cr/2025-12-17", "1 2 3 4", ja="official")],
        {"undated": "", "2025-12-17": "ja"},
    ),
    "not to another chapter": (
        [entry("dm/zones-summary/undated", "4", ja="community"), entry("dm/cr/2025-12-17", "2", ja="official")],
        {"undated": "ja", "2025-12-17": "ja"},
    ),
    "not to the digest of that chapter": (
        [entry("dm/zones-summary/undated", "4", ja="community"), entry("dm/cr/2025-12-17", "4")],
        {"undated": "ja", "2025-12-17": "*"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_current(case: str) -> None:
    entries, expected = CASES[case]
    found = current_languages(entries)
    assert {key.edition: " ".join(sorted(langs)) for key, langs in found.items()} == expected
    assert all(isinstance(key, EditionKey) for key in found)
