"""Every outcome for a rule of the invented books, cited in three languages: `python -m bench.verify.make` writes `made.tsv`."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SEED = 7
HEADER = "lang\tkind\ttext\tgame\tas_of\texpected"


class RuleFate(NamedTuple):
    """A rule of an edition of the ferrymen's book and its state in that of 2024."""

    edition: str
    number: str
    status: str
    now: str = ""


RULE_FATES = (
    *(RuleFate("2019-03-01", number, "verified") for number in ("100.1a", "100.2", "200.1", "201.1", "202.2")),
    *(RuleFate("2021-05-03", number, "verified") for number in ("100.1b", "101.2", "200.2", "201.2", "202.1")),
    RuleFate("2019-03-01", "101.1", "edited", "101.1"),
    RuleFate("2021-05-03", "101.1", "edited", "101.1"),
    RuleFate("2019-03-01", "202.1a", "edited", "202.1a"),
    RuleFate("2021-05-03", "202.1a", "edited", "202.1a"),
    RuleFate("2019-03-01", "101.2", "reused", "101.4"),
    RuleFate("2019-03-01", "101.3", "reused", "101.5"),
    RuleFate("2021-05-03", "101.3", "reused", "101.4"),
    RuleFate("2021-05-03", "101.4", "reused", "101.5"),
    RuleFate("2019-03-01", "101.2a", "moved", "101.4a"),
    RuleFate("2021-05-03", "101.3a", "moved", "101.4a"),
    RuleFate("2019-03-01", "201.3", "moved", "203.1"),
    RuleFate("2021-05-03", "201.3", "moved", "203.1"),
    RuleFate("2019-03-01", "201.4", "not_found"),
    RuleFate("2019-03-01", "203.2", "not_found"),
    RuleFate("2021-05-03", "101.5", "not_found"),
    RuleFate("2017-01-01", "101.1", "unchecked"),
    RuleFate("2020-07-15", "201.1", "verified"),
    RuleFate("2020-07-15", "101.2", "unchecked"),
    RuleFate("2022-10-01", "101.1", "unchecked"),
    RuleFate("2022-10-01", "201.3", "unchecked"),
    RuleFate("2025-06-01", "201.1", "unchecked"),
)
FORMS_WITHOUT_DATE = {
    "en": ("I cite rule {} here.", "See rule {}.", "CR {}", "What does rule {} mean?"),
    "ja": ("ここでは規則{}を引く。", "ルール{}の通り。", "第{}条を参照。", "総合ルール{}"),
    "zh": ("这里引用规则{}。", "根据规则{}，可以。", "请看第{}条。", "完整规则{}"),
}
FORMS_WITH_DATE = {
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
    rows = [row for fate in RULE_FATES for lang in FORMS_WITHOUT_DATE for row in _rows(draw, fate, lang)]
    Path(__file__).with_name("made.tsv").write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8")


def _rows(draw: random.Random, fate: RuleFate, lang: str) -> Iterator[str]:
    """A citation whose edition is a parameter, and one whose sentence names the edition."""
    asked = draw.choice(FORMS_WITHOUT_DATE[lang]).format(fate.number)
    yield "\t".join((lang, f"{fate.status} asked", asked, "ferry", fate.edition, _expected(fate)))
    named = draw.choice(FORMS_WITH_DATE[lang]).format(date=_date(draw, fate.edition, lang), number=fate.number)
    yield "\t".join((lang, f"{fate.status} named", named, "ferry", "", _expected(fate)))


def _date(draw: random.Random, edition: str, lang: str) -> str:
    year, month, day = (int(part) for part in edition.split("-"))
    if lang == "en":
        return draw.choice((edition, f"{MONTHS[month - 1]} {day}, {year}", f"{day} {MONTHS[month - 1]} {year}"))
    return draw.choice((f"{year}年{month}月{day}日", edition))


def _expected(fate: RuleFate) -> str:
    return f"{fate.number}={fate.status}" + (f">{fate.now}" if fate.now else "")


if __name__ == "__main__":
    main()
