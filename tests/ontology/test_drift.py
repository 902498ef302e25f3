"""What drift looks for in a sentence and its translation, as tables."""

import pytest

from corpus.address import ID
from ontology.drift.finding import Finding
from ontology.drift.names import learned
from ontology.drift.numbers import figures, symbols
from ontology.drift.pairs import Part
from ontology.drift.pairs import pair as paired
from ontology.drift.patterns import language
from ontology.drift.surface import findings as surface
from ontology.drift.terms import Termbase
from ontology.labels import Label, Sort


@pytest.mark.parametrize(
    ("text", "lang", "values"),
    [
        ("Draw two cards and lose 13 life.", "en", [2, 13]),
        ("抓两张牌并失去十三点生命。", "zh-Hans", [2, 13]),
        ("二十三枚を見る。7枚引く。", "ja", [7, 23]),
        ("It costs {2}{R} and gets +1/+1.", "en", []),
        ("一张牌属于第三方。", "zh-Hans", []),
    ],
)
def test_figures_of_any_script(text: str, lang: str, values: list[int]) -> None:
    assert sorted(one.value for one in figures(text, lang) if one.strict) == values


def test_citations_are_no_figures() -> None:
    assert figures("See rule 704 for 3 more.", "en", [(9, 12)])[0].value == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [("pay {2}{r}: 2/2, −1/−1", ["{2}", "{R}", "2/2", "-1/-1"]), ("掷d20，得+1/+1直到", ["D20", "+1/+1"]), ("和/或", [])],
)
def test_symbols(text: str, expected: list[str]) -> None:
    assert [name for name, _ in symbols(text)] == expected


@pytest.mark.parametrize(
    ("lang", "operator", "text", "asserted", "rendered"),
    [
        ("en", "negation", "A ferry can't sink.", True, True),
        ("en", "negation", "whether or not it sinks", False, True),
        ("zh-Hans", "negation", "渡船不能沉没。", True, True),
        ("zh-Hans", "unless", "除非付费，否则等待。", True, True),
        ("zh-Hans", "may", "船长装载货箱。", False, False),
        ("ja", "only", "船長のみが乗れます。", True, True),
        ("ja", "negation", "渡し舟は沈みません。", True, True),
    ],
)
def test_operators_are_data(lang: str, operator: str, text: str, asserted: bool, rendered: bool) -> None:
    found = language(lang).operators[operator]
    assert (bool(found.asserted(text)), found.rendered(text)) == (asserted, rendered)


def test_every_language_has_the_same_operators() -> None:
    names = [set(language(lang).operators) for lang in ("en", "zh-Hans", "zh-Hant", "ja")]
    assert all(one == names[0] for one in names)


def told(source: str, target: str, lang: str = "zh-Hans") -> list[Finding]:
    mine, theirs = (Part(f"{ID}ferry/cr/1/1", "text", 1, tongue, text, False) for tongue, text in (("en", source), (lang, target)))
    return list(surface(paired(mine, theirs, lambda *_: ())))


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("船长等待，然后离开。", None),
        ("船长等待,然后离开。", "punctuation"),
        ("船长等待。。", "punctuation"),
        ("船长（等待。", "punctuation"),
        ("船长等待", "punctuation"),
        ("船长 the captain waits and then leaves", "untranslated"),
        ("船长（Red Captain of the Sea）等待。", None),
    ],
)
def test_signs_and_what_is_left(target: str, kind: str | None) -> None:
    assert [one.kind for one in told("The captain waits and then leaves.", target)] == ([kind] if kind else [])


def test_terms_and_what_other_games_call_them() -> None:
    mine, theirs = "https://w3id.org/rulestone/id/concept/ferry/hold", "https://w3id.org/rulestone/id/concept/barge/hold"
    terms = Termbase(
        [
            Label(mine, "en", "hold", Sort.PREFERRED, True),
            Label(mine, "zh-Hans", "货舱", Sort.PREFERRED, True),
            Label(theirs, "en", "hold", Sort.PREFERRED, True),
            Label(theirs, "zh-Hans", "船肚", Sort.PREFERRED, True),
        ],
        "ferry",
    )
    assert [concept for concept, _ in terms.named("Holds are dry.", "en")] == [mine]
    assert terms.has("货舱是干的。", mine, "zh-Hans")
    assert terms.elsewhere("船肚是干的。", mine, "zh-Hans") == (0, 2)


def test_a_name_is_learned_from_the_book() -> None:
    texts = ["红船长装货。", "红船长等待。", "蓝船长离开，红船长也离开。"]
    found = learned(texts, "\n".join([*texts, "码头上有货。"]))
    assert found is not None
    assert (found.words, found.share) == ("红船长", 1.0)
