"""Every fate of a rule of the invented books, cited in three languages: `python -m bench.verify.make` writes `made.tsv`."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SEED = 7
HEADER = "lang\tkind\ttext\tgame\tas_of\texpected"


class Fate(NamedTuple):
    """A rule of an edition of the ferrymen and what it is in that of 2024."""

    edition: str
    number: str
    status: str
    now: str = ""


FATES = (
    *(Fate("2019-03-01", number, "verified") for number in ("100.1a", "100.2", "200.1", "201.1", "202.2")),
    *(Fate("2021-05-03", number, "verified") for number in ("100.1b", "101.2", "200.2", "201.2", "202.1")),
    Fate("2019-03-01", "101.1", "edited", "101.1"),
    Fate("2021-05-03", "101.1", "edited", "101.1"),
    Fate("2019-03-01", "202.1a", "edited", "202.1a"),
    Fate("2021-05-03", "202.1a", "edited", "202.1a"),
    Fate("2019-03-01", "101.2", "reused", "101.4"),
    Fate("2019-03-01", "101.3", "reused", "101.5"),
    Fate("2021-05-03", "101.3", "reused", "101.4"),
    Fate("2021-05-03", "101.4", "reused", "101.5"),
    Fate("2019-03-01", "101.2a", "moved", "101.4a"),
    Fate("2021-05-03", "101.3a", "moved", "101.4a"),
    Fate("2019-03-01", "201.3", "moved", "203.1"),
    Fate("2021-05-03", "201.3", "moved", "203.1"),
    Fate("2019-03-01", "201.4", "not_found"),
    Fate("2019-03-01", "203.2", "not_found"),
    Fate("2021-05-03", "101.5", "not_found"),
    Fate("2017-01-01", "101.1", "unchecked"),
    Fate("2020-07-15", "201.1", "verified"),
    Fate("2020-07-15", "101.2", "unchecked"),
    Fate("2022-10-01", "101.1", "unchecked"),
    Fate("2022-10-01", "201.3", "unchecked"),
    Fate("2025-06-01", "201.1", "unchecked"),
)
ASKED = {
    "en": ("I cite rule {} here.", "See rule {}.", "CR {}", "What does rule {} mean?"),
    "ja": ("ここでは規則{}を引く。", "ルール{}の通り。", "第{}条を参照。", "総合ルール{}"),
    "zh": ("这里引用规则{}。", "根据规则{}，可以。", "请看第{}条。", "完整规则{}"),
}
NAMED = {
    "en": (
        "Under the {date} rules, rule {number} applies.",
        "Rule {number} ({date}) applies.",
        "As of {date}, rule {number} applies.",
    ),
    "ja": ("{date}版の規則{number}です。", "規則{number}（{date}）です。", "{date}時点のルール{number}です。"),
    "zh": ("{date}版规则{number}。", "规则{number}（{date}）。", "截至{date}，规则{number}如此。"),
}
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


def main() -> None:
    """Writes the file."""
    draw = random.Random(SEED)
    rows = [row for fate in FATES for lang in ASKED for row in _rows(draw, fate, lang)]
    Path(__file__).with_name("made.tsv").write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8")


def _rows(draw: random.Random, fate: Fate, lang: str) -> Iterator[str]:
    """A citation whose edition is asked for, and one whose sentence names it."""
    asked = draw.choice(ASKED[lang]).format(fate.number)
    yield "\t".join((lang, f"{fate.status} asked", asked, "ferry", fate.edition, _expected(fate)))
    named = draw.choice(NAMED[lang]).format(date=_date(draw, fate.edition, lang), number=fate.number)
    yield "\t".join((lang, f"{fate.status} named", named, "ferry", "", _expected(fate)))


def _date(draw: random.Random, edition: str, lang: str) -> str:
    year, month, day = (int(part) for part in edition.split("-"))
    if lang == "en":
        return draw.choice((edition, f"{MONTHS[month - 1]} {day}, {year}", f"{day} {MONTHS[month - 1]} {year}"))
    return draw.choice((f"{year}年{month}月{day}日", edition))


def _expected(fate: Fate) -> str:
    return f"{fate.number}={fate.status}" + (f">{fate.now}" if fate.now else "")


if __name__ == "__main__":
    main()
