"""The checks of drift on a sentence and its translation, as tables."""

from dataclasses import replace

import pytest

from corpus.address import ID
from ontology.labels import Label, LabelSort
from ontology.translation.drift.consistency import several_renderings, unusual_places
from ontology.translation.drift.drift import forbidden_names
from ontology.translation.drift.figures import figure_findings, figures, symbols
from ontology.translation.drift.finding import DriftFinding
from ontology.translation.drift.names import learn_rendering, name_findings, names
from ontology.translation.drift.pairs import PartPair, RulePart, align_part
from ontology.translation.drift.patterns import language_patterns
from ontology.translation.drift.rendering import candidates, unrendered_findings
from ontology.translation.drift.slips import CharacterModel, slip_findings
from ontology.translation.drift.surface import surface_findings
from ontology.translation.drift.terms import TermNames
from ontology.translation.renderings import Rendering, distinct_renderings


@pytest.mark.parametrize(
    ("text", "lang", "values"),
    [
        ("Draw two cards and lose 13 life.", "en", [2, 13]),
        ("抓两张牌并失去十三点生命。", "zh-Hans", [2, 13]),
        ("二十三枚を見る。7枚引く。", "ja", [7, 23]),
        ("It costs {2}{R} and gets +1/+1.", "en", []),
        ("一张牌属于第三方。", "zh-Hans", []),
        ("Wait 12,345 more times, or 2,3.", "en", [12345]),
    ],
)
def test_figures_of_any_script(text: str, lang: str, values: list[int]) -> None:
    assert sorted(figure.value for figure in figures(text, lang) if figure.strict) == values


def test_citations_are_no_figures() -> None:
    assert figures("See rule 704 for 3 more.", "en", [(9, 12)])[0].value == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pay {2}{r}: 2/2, −1/−1", ["{2}", "{R}", "2/2", "-1/-1"]),
        ("掷d20，得+1/+1直到", ["D20", "+1/+1"]),
        ("和/或", []),
        ("{RR}{TEN}", ["{R}", "{R}", "{TEN}"]),
    ],
)
def test_symbols(text: str, expected: list[str]) -> None:
    assert [name for name, _ in symbols(text)] == expected


@pytest.mark.parametrize(
    ("lang", "operator", "text", "asserted", "rendered"),
    [
        ("en", "negation", "A ferry can't sink.", True, True),
        ("en", "negation", "whether or not it sinks", False, True),
        ("en", "negation", "It has no meaning other than as a marker.", False, True),
        ("en", "only", "The word means only a ferry, not a raft.", False, True),
        ("en", "only", "Only a ferry floats.", True, True),
        ("zh-Hans", "unless", "付费才能等待。", False, True),
        ("zh-Hans", "negation", "渡船不能沉没。", True, True),
        ("zh-Hans", "unless", "除非付费，否则等待。", True, True),
        ("zh-Hans", "may", "船长装载货箱。", False, False),
        ("ja", "only", "船長のみが乗れます。", True, True),
        ("ja", "negation", "渡し舟は沈みません。", True, True),
    ],
)
def test_operators_are_data(lang: str, operator: str, text: str, asserted: bool, rendered: bool) -> None:
    pattern = language_patterns(lang).operators[operator]
    assert (bool(pattern.asserted_spans(text)), pattern.is_rendered(text)) == (asserted, rendered)


def test_every_language_has_the_same_operators() -> None:
    names = [set(language_patterns(lang).operators) for lang in ("en", "zh-Hans", "zh-Hant", "ja")]
    assert all(name == names[0] for name in names)


def findings_in(source: str, target: str, lang: str = "zh-Hans") -> list[DriftFinding]:
    mine, theirs = (
        RulePart(f"{ID}ferry/cr/1/1", "text", 1, tongue, text, False) for tongue, text in (("en", source), (lang, target))
    )
    return list(surface_findings(align_part(mine, theirs, lambda *_: ())))


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
def test_signs_and_untranslated_text(target: str, kind: str | None) -> None:
    assert [finding.kind for finding in findings_in("The captain waits and then leaves.", target)] == ([kind] if kind else [])


def test_terms_and_their_names_in_other_games() -> None:
    mine, theirs = "https://w3id.org/rulestone/id/concept/ferry/hold", "https://w3id.org/rulestone/id/concept/barge/hold"
    terms = TermNames(
        [
            Label(mine, "en", "hold", LabelSort.PREFERRED, True),
            Label(mine, "zh-Hans", "货舱", LabelSort.PREFERRED, True),
            Label(theirs, "en", "hold", LabelSort.PREFERRED, True),
            Label(theirs, "zh-Hans", "船肚", LabelSort.PREFERRED, True),
        ],
        "ferry",
    )
    assert [concept for concept, _ in terms.mentions("Holds are dry.", "en")] == [mine]
    assert terms.has_name("货舱是干的。", mine, "zh-Hans")
    assert terms.foreign_name("船肚是干的。", mine, "zh-Hans") == (0, 2)


HOLD, EVENT = "https://w3id.org/rulestone/id/concept/ferry/hold", "https://w3id.org/rulestone/id/concept/ferry/event"


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("A lasting event ends.", "持续性事件结束。", [True]),
        ("A lasting event ends.", "它结束。", [False]),
        ("The lasting event ends.", "该事件结束。", [True]),
        ("A lasting event ends.", "该事件结束。", [False]),
        ("Add “cost” to it.", "在它后面加上“cost”。", [True]),
        ("It has a cost.", "要付费。", [True]),
        ("It has a cost.", "它很贵。", [False]),
        ("In the event of a tie, wait.", "平手则等待。", []),
    ],
)
def test_terms_are_kept_in_other_words_than_their_names(source: str, target: str, expected: list[bool]) -> None:
    terms = TermNames(
        [
            Label(HOLD, "en", "cost", LabelSort.PREFERRED, True),
            Label(HOLD, "zh-Hans", "费用", LabelSort.PREFERRED, True),
            Label(EVENT, "en", "lasting event", LabelSort.PREFERRED, True),
            Label(EVENT, "en", "event", LabelSort.ALTERNATIVE, True),
            Label(EVENT, "zh-Hans", "持续性事件", LabelSort.PREFERRED, True),
        ],
        "ferry",
    )
    part, other = (RulePart("r", "text", 1, lang, text, False) for text, lang in ((source, "en"), (target, "zh-Hans")))
    possible = candidates([align_part(part, other, terms.mentions)], terms)
    assert [candidate.observation.rendered for candidate in possible if candidate.kind in ("term", "other")] == expected


def test_a_name_is_learned_from_the_book() -> None:
    texts = ["红船长装货。", "红船长等待。", "蓝船长离开，红船长也离开。"]
    name = learn_rendering(texts, "\n".join([*texts, "码头上有货。"]))
    assert name is not None
    assert (name.words, name.share) == (["红船长"], 1.0)


def book(*sentences: tuple[str, str], lang: str = "zh-Hans") -> list[PartPair]:
    """A book of one sentence a rule, in English and Chinese or another language."""
    parts = []
    for nth, (source, target) in enumerate(sentences, 1):
        mine, theirs = (
            RulePart(f"{ID}ferry/cr/1/{nth}", "text", 1, tag, text, False) for tag, text in (("en", source), (lang, target))
        )
        parts.append(align_part(mine, theirs, lambda *_: ()))
    return parts


PEOPLE = {"captain": "船长", "pilot": "领航员", "passenger": "乘客", "owner": "货主"}
DEEDS = {"load the crate": "装载货箱", "leave the ferry": "离开渡船", "read the map": "查看海图", "sell the cargo": "卖出货物"}
HOLD = "https://w3id.org/rulestone/id/concept/ferry/hold"


def said(operator: str, word: str) -> list[tuple[str, str]]:
    """Permissions and duties of a player: enough for a pattern."""
    return [
        (f"On day {day} the {who} {operator} {deed}.", f"第{day}日{wer}{word}{tat}。")
        for day in (1, 2)
        for who, wer in PEOPLE.items()
        for deed, tat in DEEDS.items()
    ]


@pytest.mark.parametrize(("operator", "word"), [("may", "可以"), ("must", "必须"), ("can’t", "不能")])
def test_a_lost_operator_is_found_by_the_usual_words_of_the_book(operator: str, word: str) -> None:
    name = {"can’t": "negation"}.get(operator, operator)
    sound = said(operator, word)
    sentences = [
        *sound,
        (f"On day 3 the pilot {operator} read the map and go.", f"第3日领航员{word.strip('不可以必须')}查看海图，然后走。"),
    ]
    terms = TermNames([], "ferry")
    losses = [slip for slip in slip_findings(book(*sentences), [], (), terms) if slip.about == name]
    assert [finding.source.iri.rpartition("/")[2] for finding in losses if finding.source] == [str(len(sentences))]
    assert not list(slip_findings(book(*sound), [], (), terms))


def test_a_finding_is_not_repeated() -> None:
    sentences = [*said("may", "可以"), ("On day 3 the pilot may read the map and go.", "第3日领航员查看海图，然后走。")]
    known = {(f"{ID}ferry/cr/1/{len(sentences)}", "text", 1, "may")}
    assert not list(slip_findings(book(*sentences), [], known, TermNames([], "ferry")))


def test_a_wrong_name_of_a_term_is_found_by_the_usual_words_of_the_book() -> None:
    terms = TermNames(
        [Label(HOLD, "en", "hold", LabelSort.PREFERRED, True), Label(HOLD, "zh-Hans", "货舱", LabelSort.PREFERRED, True)], "ferry"
    )
    sound = [
        (f"The {who} opens the hold of ship {nth}.", f"{wer}打开{nth}号船的货舱。")
        for nth in range(9)
        for who, wer in PEOPLE.items()
    ]
    pairs = book(*sound, ("The pilot opens the hold of ship 12.", "领航员打开12号船的货仓。"))
    possible = candidates(pairs, terms)
    [slipped] = [slip for slip in slip_findings(pairs, possible, (), terms) if slip.kind == "term"]
    assert slipped.about == HOLD
    assert slipped.target is not None
    assert "仓" in slipped.target.text[slice(*slipped.target.spans[0])]


def test_a_model_leaves_out_the_text_that_it_is_asked_about() -> None:
    model = CharacterModel(["船长可以装货。", "船长可以离开。"])
    with model.excluding("船长可以离开。"):
        assert model.is_new("船长可以离开。", 4, 6)
    assert not model.is_new("船长可以离开。", 4, 6)
    assert model.likelihood_gain("船长装货。", 2, 2, "可以") > model.likelihood_gain("船长装货。", 2, 2, "离开")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two ships, Red Tern and Old Gull, leave.", ["Red Tern", "Old Gull"]),
        ("Then the Two-Masted Ketch leaves.", ["Two-Masted Ketch"]),
        ("Anna’s Red Tern leaves with Ben, and Cora waits.", ["Ben", "Cora", "Anna’s Red Tern"]),
    ],
)
def test_names_in_a_text(text: str, expected: list[str]) -> None:
    assert set(names(text, "en")) >= set(expected)


def test_a_name_is_missed_where_none_of_its_words_stand() -> None:
    sound = [(f"The Red Tern takes cargo {nth} to the pier.", f"红燕鸥号把{nth}号货物送到码头。") for nth in range(4)]
    odd = ("After that the Red Tern waits.", "之后白鸽号等待。")
    plain = [(f"A boat waits for cargo {nth}.", f"一条船等待{nth}号货物，送到码头。") for nth in range(4)]
    misnamings = list(name_findings(book(*sound, odd, *plain), TermNames([], "ferry")))
    assert [(finding.about, finding.source.text) for finding in misnamings if finding.source] == [("Red Tern", odd[0])]


def test_forbidden_names_are_reported_where_the_original_has_their_concept() -> None:
    hold, chest = (f"https://w3id.org/rulestone/id/concept/ferry/{name}" for name in ("hold", "chest"))
    labels = [
        Label(hold, "en", "hold", LabelSort.PREFERRED, True),
        Label(hold, "zh-Hans", "货舱", LabelSort.PREFERRED, True),
        Label(hold, "zh-Hans", "船肚", LabelSort.ALTERNATIVE, False),
        Label(chest, "en", "chest", LabelSort.PREFERRED, True),
        Label(chest, "zh-Hans", "船肚箱", LabelSort.PREFERRED, True),
    ]
    terms = TermNames(labels, "ferry", [(hold, "zh-Hans", "船肚")])
    assert terms.preferred_names(hold, "zh-Hans") == ["货舱"]

    def reported(source: str, target: str) -> list[str]:
        original, translation = RulePart("r", "text", 1, "en", source, False), RulePart("r", "text", 1, "zh-Hans", target, False)
        return [str(finding.message) for finding in forbidden_names(PartPair(original, translation, ()), terms)]

    assert reported("The hold is dry.", "船肚是干的。") == ["船肚 must not be used"]
    assert reported("The hold is dry.", "货舱是干的。") == []
    assert reported("The chest is dry.", "船肚箱是干的。") == []
    assert reported("The hold has a chest.", "货舱里有船肚箱。") == []
    assert reported("It is dry.", "船肚是干的。") == []


HOLD_NAMES = [Label(HOLD, "en", "hold", LabelSort.PREFERRED, True), Label(HOLD, "zh-Hans", "货舱", LabelSort.PREFERRED, True)]


def renderings(pairs: list[PartPair], terms: TermNames) -> list[list[tuple[str, int]]]:
    """The renderings of each finding about a term with several, and their numbers."""
    findings = several_renderings(pairs, candidates(pairs, terms), terms)
    return [[(each.words, len(each.parts)) for each in finding.renderings] for finding in findings]


def opened(hold: str, count: int, start: int = 0) -> list[tuple[str, str]]:
    """Rules in which people open the hold, by its name in the translation."""
    people = list(PEOPLE.items())
    return [
        (f"The {people[nth % 4][0]} opens the hold of ship {nth}.", f"{people[nth % 4][1]}打开{nth}号船的{hold}。")
        for nth in range(start, start + count)
    ]


@pytest.mark.parametrize(
    ("usual", "second", "expected"),
    [
        (7, 5, [[("货舱", 7), ("底仓", 5)]]),
        (20, 3, [[("货舱", 20), ("底仓", 3)]]),
        (20, 2, []),  # does not recur
        (70, 3, []),  # less than one in twenty
        (12, 0, []),
    ],
)
def test_a_term_with_several_renderings_is_one_finding(usual: int, second: int, expected: list[list[tuple[str, int]]]) -> None:
    pairs = book(*opened("货舱", usual), *opened("底仓", second, usual))
    assert renderings(pairs, TermNames(HOLD_NAMES, "ferry")) == expected


def test_equal_sentences_differ_only_in_the_rendering() -> None:
    source = "On a day without any wind a passenger may count the hold."
    texts = [f"在没有任何风的日子里，乘客可以自己仔细地计算一次{word}的数量。" for word in ["货舱"] * 7 + ["弃货区"] * 5]
    assert renderings(book(*((source, text) for text in texts)), TermNames(HOLD_NAMES, "ferry")) == [[("货舱", 7), ("弃货区", 5)]]


def test_two_names_of_the_termbase_are_two_renderings() -> None:
    labels = [*HOLD_NAMES, Label(HOLD, "zh-Hans", "船舱", LabelSort.ALTERNATIVE, True)]
    pairs = book(*opened("货舱", 7), *opened("船舱", 4, 7))
    assert renderings(pairs, TermNames(labels, "ferry")) == [[("货舱", 7), ("船舱", 4)]]


def test_forms_of_a_japanese_verb_are_one_rendering() -> None:
    """A form of the known name is that name, and forms of a verb that recurs are one rendering."""
    names = [Label(HOLD, "en", "stow", LabelSort.PREFERRED, True), Label(HOLD, "ja", "積む", LabelSort.PREFERRED, True)]
    known = [f"乗客は{nth}番の荷を{form}。" for nth, form in enumerate(["積む", "積んだ", "積みます", "積まない"] * 3)]
    others = [f"乗客は{nth}番の荷を{form}。" for nth, form in enumerate(["倉に収める"] * 3 + ["倉に収めた"] * 3, 12)]
    pairs = book(*((f"A passenger stows crate {nth}.", text) for nth, text in enumerate([*known, *others])), lang="ja")
    terms = TermNames(names, "ferry")
    [[usual, second]] = renderings(pairs, terms)
    assert usual == ("積む", 12)
    assert second[1] == 6
    assert terms.has_name("荷を積んだ船", HOLD, "ja")
    assert not terms.has_name("積み荷の船", HOLD, "ja")


def test_a_form_of_a_decided_verb_is_that_verb() -> None:
    names = [Label(HOLD, "en", "stow", LabelSort.PREFERRED, True), Label(HOLD, "ja", "積む", LabelSort.PREFERRED, True)]
    terms = TermNames(names, "ferry", decisions=[(HOLD, "ja", "積む")])
    assert terms.is_rendered("荷を積んだ。", HOLD, "ja")
    assert not terms.is_rendered("荷を収めた。", HOLD, "ja")


@pytest.mark.parametrize(
    ("parts_by_words", "expected"),
    [
        ({"生成": [1], "生成する": [2, 3]}, {"生成": [1, 2, 3]}),
        ({"を作": [1], "状態が作": [2]}, {"を作": [1, 2]}),
        ({"を作": [1], "操作": [2]}, {"を作": [1], "操作": [2]}),
        ({"支払う": [1, 2], "の支払いに使用": [3]}, {"支払う": [1, 2, 3]}),
        ({"art": [1], "start": [2]}, {"art": [1], "start": [2]}),
        ({"art": [1], "the art": [2]}, {"art": [1, 2]}),
    ],
)
def test_renderings_within_others_are_these(parts_by_words: dict[str, list[int]], expected: dict[str, list[int]]) -> None:
    distinct = distinct_renderings(Rendering(words, parts) for words, parts in parts_by_words.items())
    assert {each.words: each.parts for each in distinct} == expected


def test_words_of_another_term_are_no_rendering() -> None:
    """Where the hold is only implied, the words that recur belong to the anchor."""
    anchors = [(f"The hold has anchor {nth}, lift it.", f"起{nth}号铁锚。") for nth in range(5)]
    others = [(f"Anchor {nth} is red.", f"{nth}号铁锚是红的。") for nth in range(5)]
    assert renderings(book(*opened("货舱", 20), *anchors, *others), TermNames(HOLD_NAMES, "ferry")) == []


def test_a_decided_name_is_always_required() -> None:
    pairs = book(*opened("货舱", 7), *opened("底仓", 5, 7), ("The hold is dry.", "它是干的。"))
    terms = TermNames(HOLD_NAMES, "ferry", decisions=[(HOLD, "zh-Hans", "货舱")])
    possible = candidates(pairs, terms)
    [group] = several_renderings(pairs, possible, terms)
    assert str(group.message) == "hold: several renderings: 货舱 7, 底仓 5; decided: 货舱"
    grouped = set(unusual_places(group))
    assert len(grouped) == 5
    [single] = unrendered_findings(possible, grouped, terms)
    assert (single.source.text, list(single.expected)) == ("The hold is dry.", ["货舱"]) if single.source else False
    assert not list(unrendered_findings(candidates(pairs, undecided := TermNames(HOLD_NAMES, "ferry")), grouped, undecided))


def test_a_decided_name_may_be_the_rarer_one() -> None:
    pairs = book(*opened("货舱", 7), *opened("底仓", 5, 7))
    terms = TermNames(HOLD_NAMES, "ferry", decisions=[(HOLD, "zh-Hans", "底仓")])
    [group] = several_renderings(pairs, candidates(pairs, terms), terms)
    assert list(group.expected) == ["底仓"]
    assert len(set(unusual_places(group))) == 7


def test_an_ordinary_word_that_begins_sentences_is_no_name() -> None:
    sentences = [(f"Rule {nth}: No ferry waits, and no boat.", f"规则{nth}：渡船不等。") for nth in range(4)]
    odd = [("Then: No ferry, no crate.", "然后没有。"), ("There is no crate.", "没有货箱。")]
    assert not list(name_findings(book(*sentences, *odd), TermNames([], "ferry")))


def test_a_figure_of_the_example_is_not_added() -> None:
    """The translation states the original's example in the text of the rule."""
    text, example = (
        RulePart("r", part, 1, "en", words, False) for part, words in (("text", "It sinks."), ("example", "5 boats sink."))
    )
    pair = align_part(text, RulePart("r", "text", 1, "zh-Hans", "它沉没。5条船沉没。", False), lambda *_: ())
    assert [finding.about for finding in figure_findings(pair, lambda _: ())] == ["|5"]
    assert not list(figure_findings(pair, lambda _: (), [example]))


@pytest.mark.parametrize("locator", ["101.2", "places/1.1.3~2"])
def test_a_rule_whose_text_is_its_own_number_cites_nothing(locator: str) -> None:
    iri = f"{ID}ferry/cr/2021-05-03/{locator}"
    text, translation = (
        RulePart(iri, "text", 1, lang, locator, False, [(locator, (0, len(locator)))]) for lang in ("en", "zh-Hans")
    )
    pair = align_part(replace(text, text="It sinks.", cites=()), translation, lambda *_: ())
    assert [finding.kind for finding in figure_findings(pair, lambda _: ())] == []
    other = align_part(
        replace(text, text="It sinks.", cites=()), replace(translation, cites=[("9.9", (0, len(locator)))]), lambda *_: ()
    )
    assert [finding.kind for finding in figure_findings(other, lambda _: ())] == ["citation"]
