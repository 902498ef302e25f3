"""Which rules are current: chapter by chapter, in whatever language, and only where the order of the editions is known."""

import pytest

from corpus.address import EditionKey
from corpus.store.currency import CurrencyTable, divisions
from corpus.store.home.manifest import EditionEntry

FERRY = "ferry/cr/"


def entry(name: str, chapters: str = "1", grammar: str = "hundreds", **languages: str) -> EditionEntry:
    """An edition with some chapters; `+` joins a chapter that is not there and its section: `4+401`."""
    game, book, edition = name.split("/")
    tags = {tag.replace("_", "-"): authority for tag, authority in languages.items()}
    parts = tuple(chapter.replace("+", " ") for chapter in chapters.split())
    covers = parts if tags else ()
    return EditionEntry(game, book, edition, grammar, 9, parts, covers, {}, tags, dict.fromkeys(tags, ("f",)), 0, "", {})


def fow(edition: str, **languages: str) -> EditionEntry:
    return entry(f"fow/cr/{edition}", "3", "dotted-bullets" if edition == "undated" else "full-hundreds", **languages)


CASES: dict[str, tuple[list[EditionEntry], dict[str, str]]] = {
    "the later date": (
        [entry(f"{FERRY}2024-01-01", en="official"), entry(f"{FERRY}2025-01-01", en="official")],
        {"2024-01-01 101.1": "2025-01-01", "2025-01-01 101.1": ""},
    ),
    "whatever the language": (
        [entry(f"{FERRY}2024-01-01", ja="official"), entry(f"{FERRY}2025-01-01", en="official")],
        {"2024-01-01 101.1": "2025-01-01 latest in ja", "2025-01-01 101.1": ""},
    ),
    "the latest in a language that is not the very latest": (
        [
            entry(f"{FERRY}2023-01-01", ja="official", en="official"),
            entry(f"{FERRY}2024-01-01", ja="official"),
            entry(f"{FERRY}2025-01-01", en="official"),
        ],
        {"2023-01-01 101.1": "2025-01-01", "2024-01-01 101.1": "2025-01-01 latest in ja", "2025-01-01 101.1": ""},
    ),
    "chapters that the later edition lacks stay current": (
        [entry(f"{FERRY}2024-01-01", "1 2", en="official"), entry(f"{FERRY}2025-01-01", "2", en="official")],
        {"2024-01-01 101.1": "", "2024-01-01 201.1": "2025-01-01", "2025-01-01 201.1": ""},
    ),
    "a section alone covers itself": (
        [entry(f"{FERRY}2024-01-01", "4", en="official"), entry(f"{FERRY}2025-01-01", "4+401", en="official")],
        {"2024-01-01 400.1": "", "2024-01-01 401.1a": "2025-01-01", "2024-01-01 4": ""},
    ),
    "a chapter covers a section that was alone": (
        [entry(f"{FERRY}2024-01-01", "4+401", en="official"), entry(f"{FERRY}2025-01-01", "4", en="official")],
        {"2024-01-01 401.1": "2025-01-01"},
    ),
    "one order, whatever the numbering": (
        [fow("undated", ja="official"), fow("2025-09-18", en="official")],
        {"undated 3.15~2": "2025-09-18 latest in ja", "2025-09-18 307.2": ""},
    ),
    "not before the year that it is known to be of": (
        [fow("undated", ja="official"), fow("2014-09-18", en="official")],
        {"undated 3.15~2": "", "2014-09-18 301.1": "undated latest in en"},
    ),
    "nor within it": (
        [fow("undated", ja="official"), fow("2015-06-01", en="official")],
        {"undated 3.15~2": " beside 2015-06-01", "2015-06-01 301.1": " beside undated"},
    ),
    "an unknown order supersedes nothing": (
        [entry(f"{FERRY}undated", en="official"), entry(f"{FERRY}2001-01-01", en="official")],
        {"undated 101.1": " beside 2001-01-01", "2001-01-01 101.1": " beside undated"},
    ),
    "and is said only of chapters that both have": (
        [entry(f"{FERRY}undated", "1", en="official"), entry(f"{FERRY}2001-01-01", "2", en="official")],
        {"undated 101.1": "", "2001-01-01 201.1": ""},
    ),
    "dates among dates, versions among versions": (
        [entry(f"{FERRY}1.9", en="official"), entry(f"{FERRY}1.10", en="official"), entry(f"{FERRY}2001-01-01", en="official")],
        {"1.9 101.1": "1.10 beside 2001-01-01", "1.10 101.1": " beside 2001-01-01", "2001-01-01 101.1": " beside 1.10 1.9"},
    ),
    "what the catalogue says came after": (
        [entry("ygo/rulebook/undated", "places", ja="official"), entry("ygo/rulebook/undated-2", "places", ja="official")],
        {"undated places/1.1~1": "undated-2", "undated-2 places/1.1~1": ""},
    ),
    "the digest supersedes nothing": (
        [entry(f"{FERRY}2024-01-01"), entry(f"{FERRY}2023-01-01", ja="official"), entry(f"{FERRY}2022-01-01")],
        {"2024-01-01 101.1": "", "2023-01-01 101.1": "", "2022-01-01 101.1": "2023-01-01"},
    ),
    "an edition that nobody has loaded": (
        [entry(f"{FERRY}2024-01-01", en="official")],
        {"2023-01-01 101.1": "2024-01-01", "2025-01-01 101.1": "", "x-0123456789ab 101.1": " beside 2024-01-01"},
    ),
    "a summary gives way to the same chapter": (
        [entry("dm/zones-summary/undated", "4", ja="community"), entry("dm/cr/2025-12-17", "1 2 3 4", ja="official")],
        {"undated 400.1": "2025-12-17", "2025-12-17 400.1": ""},
    ),
    "not to another chapter": (
        [entry("dm/zones-summary/undated", "4", ja="community"), entry("dm/cr/2025-12-17", "2", ja="official")],
        {"undated 400.1": "", "2025-12-17 200.1": ""},
    ),
    "not to the digest of that chapter": (
        [entry("dm/zones-summary/undated", "4", ja="community"), entry("dm/cr/2025-12-17", "4")],
        {"undated 400.1": "", "2025-12-17 400.1": ""},
    ),
    "the digest of a summary to the digest of that chapter": (
        [entry("dm/zones-summary/undated", "4"), entry("dm/cr/2025-12-17", "4")],
        {"undated 400.1": "2025-12-17", "2025-12-17 400.1": ""},
    ),
    "not to that of another chapter": (
        [entry("dm/zones-summary/undated", "4"), entry("dm/cr/2025-12-17", "2")],
        {"undated 400.1": "", "2025-12-17 200.1": ""},
    ),
}


def statements(entries: list[EditionEntry], rule: str) -> str:
    edition, locator = rule.split()
    key = EditionKey(entries[0].game, next((held.book for held in entries if held.edition == edition), entries[0].book), edition)
    valid_answers = CurrencyTable(entries).currency_of(key, locator)
    lang = valid_answers.latest_in(next((held.languages for held in entries if held.key == key), {}))
    later = valid_answers.later[0].edition if valid_answers.later else ""
    beside = " ".join(sorted(unsettled.edition for unsettled in valid_answers.unordered))
    return later + (f" latest in {lang}" if lang else "") + (f" beside {beside}" if beside else "")


@pytest.mark.parametrize("case", CASES)
def test_current(case: str) -> None:
    entries, expected = CASES[case]
    for order in (entries, entries[::-1]):
        assert {rule: statements(order, rule) for rule in expected} == expected


def test_an_edition_is_current_as_long_as_one_chapter_is() -> None:
    old, new = entry(f"{FERRY}2024-01-01", "1 2", en="official"), entry(f"{FERRY}2025-01-01", "2", en="official")
    assert CurrencyTable([old, new]).has_current(old.key)
    assert not CurrencyTable([old, entry(f"{FERRY}2025-01-01", "1 2", en="official")]).has_current(old.key)
    assert not CurrencyTable([new]).has_current(old.key)


def guide(edition: str, title: str) -> EditionEntry:
    """An edition of a book without numbers, whose one chapter is named after its file."""
    slug, langs = f"guide-{edition}", {"en": "official"}
    return EditionEntry(
        "ferry", "guide", edition, "markdown", 9, (slug,), (slug,), {slug: (f"={title}",)}, langs, {"en": ("f",)}, 0, "", {}
    )


@pytest.mark.parametrize(("title", "current"), [("piers", False), ("geese", True)])
def test_a_chapter_that_is_named_after_its_file_is_known_by_its_title(title: str, *, current: bool) -> None:
    old, new = guide("2024-01-01", "piers"), guide("2025-01-01", title)
    currency = CurrencyTable([old, new])
    assert currency.currency_of(old.key, "guide-2024-01-01/1.1~2").is_current is current
    assert currency.has_current(old.key) is current


@pytest.mark.parametrize(
    ("locator", "grammar", "names"),
    [
        ("4", "hundreds", "4"),
        ("400", "hundreds", "4 400"),
        ("400.3b", "hundreds", "4 400"),
        ("300", "full-hundreds", "3"),
        ("319.5a-1", "full-hundreds", "3 319"),
        ("1014.3a", "full-hundreds", "10 1014"),
        ("3.16~1.1", "dotted-bullets", "3 3.16"),
        ("1-3-5-1", "dashed", "1 1.3"),
        ("053.2.a", "letters-as-levels", "53 53.2"),
        ("places/1.1.3~2", "restructured", "places"),
        ("glossary", "hundreds", "glossary"),
        ("glossary/goose", "hundreds", "glossary glossary/goose"),
        ("400.3b", "", "400 400.3"),
        ("第1部第2章", "outline", "text"),
        ("第3条第2項", "outline", "text"),
        ("a-01~2", "outline", "text"),
    ],
)
def test_the_parts_that_a_rule_stands_in(locator: str, grammar: str, names: str) -> None:
    assert " ".join(divisions(locator, grammar)) == names
