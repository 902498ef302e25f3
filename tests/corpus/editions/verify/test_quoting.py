"""Quoted words beside a rule's: what may differ, and what may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.editions.verify.brackets import Standing, has_negation
from corpus.editions.verify.quoting import (
    NormalisedText,
    QuotableText,
    QuotableWording,
    QuotationStatus,
    check_quotation,
    find_quotation,
    languages,
    word_count,
)

EN = "A captain can't loosen the “rope” of another captain's ferry, and pays 10 tokens. A non-goose pays [toll] twice."
JA = "船長は、他の船長の渡し舟の「綱」をほどくことができません。印を３個引きます。"
ZH = "船长不能解开其他船长的“缆绳”，并支付10个标记。"


@pytest.mark.parametrize(
    ("whole", "words"),
    [
        (EN, "A captain can’t loosen the 'rope' of another captain’s ferry"),
        (EN, 'a CAPTAIN can\'t\n  loosen the "rope"'),
        (EN, "[A] captain can't loosen"),
        (EN, "A captain can't loosen … another captain's ferry"),
        (EN, "A captain can't loosen [...] 10 tokens."),
        (EN, "[Captains] can't loosen the rope of another captain's ferry, and [pay] 10 tokens"),
        (EN, "[Captains] can't loosen the rope"),
        (EN, "pays **10** tokens,"),
        (EN, "pays ten"[:4]),
        (EN, "A non‑goose pays [toll] twice"),
        (JA, "船長は、他の船長の渡し舟の『綱』をほどくことができません"),
        (JA, "印を3個引きます。"),
        (JA, "船長は……綱をほどくことができません"),
        (JA, "船長は、他の船長の\n渡し舟の"),
        (ZH, "船长不能解开其他船长的「缆绳」"),
        (ZH, "并支付１０个标记"),
    ],
)
def test_faithful(whole: str, words: str) -> None:
    start, end = find_quotation(words, NormalisedText(whole)) or (0, 0)
    assert 0 <= start < end <= len(whole)


@pytest.mark.parametrize(
    ("whole", "words"),
    [
        (EN, "A captain can loosen the rope"),
        (EN, "A captain can"),
        (EN, "pays 1"),
        (EN, "pays 0 tokens"),
        (EN, "goose pays toll twice"),
        (EN, "loosen the rope of the other captain's ferry"),
        (EN, "another captain's ferry … A captain can't"),
        (EN, "A captain [can] loosen the rope"),
        (EN, "A captain [may never] loosen the rope"),
        (EN, "A non-goose pays [nothing at all] twice"),
        (JA, "船長は、他の船長の渡し舟の綱をほどくことができます"),
        (JA, "綱をほどくことができ"),
        (JA, "印を2個引きます"),
        (ZH, "船长能解开其他船长的缆绳"),
        (ZH, "能解开其他船长的缆绳"),
        (ZH, "支付1个标记"),
        (EN, "…"),
        ("", "rope"),
    ],
)
def test_not_faithful(whole: str, words: str) -> None:
    assert find_quotation(words, NormalisedText(whole)) is None


KITES = "A kite with Glide may be moved, and its owner ties it to [Knot] poles. They must have Dive."


def is_kite_term(words: str) -> bool:
    return words.lower().removesuffix("s") in ("glide", "dive", "knot", "kite", "滑空", "急降下", "滑翔", "俯冲")


@pytest.mark.parametrize(
    ("whole", "words", "is_found"),
    [
        (KITES, "A kite with [Glide] may be moved", True),
        (KITES, "A kite with [Dive] may be moved", False),
        (KITES, "A kite with [that word] may be moved", False),
        (KITES, "[Dive] may be moved, and its owner", False),
        (KITES, "A kite with [Dive]", False),
        (KITES, "A kite with [it]", False),
        (KITES, "[Glide] may be moved, and [the] owner", True),
        (KITES, "with [Dive] may be moved, and [the] owner", False),
        (KITES, "with [Glide] may be moved, and [the] owner ties it", True),
        (KITES, "[Kites] must have Dive", True),
        (KITES, "[Kites] may be moved", False),
        (KITES, "and [the kite's] owner ties it", True),
        (KITES, "owner ties [the Kite] to [Knot] poles", True),
        (KITES, "owner ties it [kite] to [Knot] poles", True),
        (KITES, "owner ties it to [Dive] poles", False),
        (KITES, "owner ties it to [Dive]", False),
        (KITES, "[The kite] with Glide may be moved", True),
        (KITES, "[kites] with Glide may be moved", True),
        (KITES, "A kite with [the Dive] may be moved", False),
        (KITES, "A kite [Dive] with Glide may be moved", False),
        (KITES, "A kite with Glide may … [Kites] must have Dive", True),
        (KITES, "A kite with Glide may … [Knot] must have Dive … [Glide]", False),
        (KITES, "[T]hey must have [it]", False),
        ("滑空を持つ凧は動かせる。その持ち主は糸を結ぶ。", "［急降下］を持つ凧は動かせる", False),
        ("滑空を持つ凧は動かせる。その持ち主は糸を結ぶ。", "［滑空］を持つ凧は動かせる", True),
        ("滑空を持つ凧は動かせる。その持ち主は糸を結ぶ。", "動かせる。［凧の］持ち主は糸を結ぶ", True),
        ("具有滑翔的风筝可以移动。它须系在杆上。", "具有[俯冲]的风筝可以移动", False),
        ("具有滑翔的风筝可以移动。它须系在杆上。", "[滑翔]须系在杆上", True),
    ],
)
def test_terms_in_an_editors_brackets(whole: str, words: str, is_found: bool) -> None:
    assert (find_quotation(words, NormalisedText(whole), is_kite_term) is not None) is is_found


BOATS = "If a boat sinks, that player draws a card. It’s moved to the owner’s pier. Each player may row. The red boat is free."


@pytest.mark.parametrize(
    ("whole", "words", "standing"),
    [
        (BOATS, "[They] draw a card", Standing.KEPT),
        (BOATS, "If a boat sinks, [they] draw a card", Standing.KEPT),
        (BOATS, "If a boat sinks, [the player] draws a card", Standing.KEPT),
        (BOATS, "If a boat sinks, [the players] draw a card", Standing.KEPT),
        (BOATS, "If a boat sinks, [that owner] draws a card", Standing.OPEN),
        (BOATS, "If [the] boat sinks, [they draw] a card", Standing.KEPT),
        (BOATS, "[The boat is] moved to [its] owner’s pier", Standing.OPEN),
        (BOATS, "card. [The boat is] moved to [that] owner’s pier", Standing.KEPT),
        (BOATS, "It’s moved to [their] pier", Standing.KEPT),
        (BOATS, "It’s moved to [the] pier", Standing.KEPT),
        (BOATS, "[Both boats are] moved to the owner’s pier", Standing.OPEN),
        (BOATS, "If a boat sinks, [an opponent] draws a card", Standing.OPEN),
        (BOATS, "If a boat sinks, that player [discards] a card", Standing.OPEN),
        (BOATS, "If a boat sinks, that player [must draw] a card", Standing.OPEN),
        (BOATS, "If a boat sinks, that player draws [that] card", Standing.KEPT),
        (BOATS, "If a boat sinks, that player draws a [random] card", Standing.OPEN),
        (BOATS, "[They] row", Standing.OPEN),  # not: may row
        (BOATS, "[The] player may row", Standing.OPEN),  # not: each
        (BOATS, "[The] boat is free", Standing.OPEN),  # not: red
        (BOATS, "[They] discard a card", None),
        (BOATS, "If a boat sinks, [they] drew a card", None),
        (BOATS, "If a boat sinks, that player [never] draws a card", None),
        (ZH, "[他]不能解开其他船长的缆绳", Standing.OPEN),  # not: 该船长
        (ZH, "[该船长]不能解开其他船长的缆绳", Standing.KEPT),
        (ZH, "船长不能解开其他船长的缆绳，并[必须]支付10个标记", Standing.OPEN),
        (ZH, "船长[能]解开其他船长的缆绳", None),
        (JA, "［その船長］は、他の船長の渡し舟の綱をほどくことができません", Standing.KEPT),
        (JA, "［持ち主］は、他の船長の渡し舟の綱をほどくことができません", Standing.OPEN),
        (JA, "船長は、他の船長の渡し舟の綱を［切る］ことができません", Standing.OPEN),
    ],
)
def test_what_brackets_say_of_a_rule(whole: str, words: str, standing: Standing | None) -> None:
    text = NormalisedText(whole)
    strictest = next((least for least in (Standing.KEPT, Standing.OPEN) if find_quotation(words, text, least=least)), None)
    assert strictest is standing


@pytest.mark.parametrize(
    ("whole", "words", "standing"),
    [
        ("Each player ties the rope.", "Each player ties [the] banana", None),
        ("A player may fly one kite on that hill.", "A player may fly one kite on [a] duck", None),
        ("Each boat carries four rowers and a goose.", "Each boat carries four rowers and [a] cat", None),
        ("Each boat carries it.", "Each boat carries [it] never", None),
        ("Each boat carries the goose … and sinks.", "Each boat carries [a] duck … and sinks", None),
        ("Each boat carries the goose to the pier.", "Each boat carries [a] goose", Standing.KEPT),
        ("Each opponent discards a card.", "[You] discard a card", Standing.OPEN),
        ("Each opponent discards a card.", "[They] discard a card", Standing.OPEN),
        ("You discard a card.", "[They] discard a card", Standing.OPEN),
        ("You discard a card.", "[The opponent] discards a card", Standing.OPEN),
        ("A boat deals damage to each opponent.", "A boat deals damage to [you]", Standing.OPEN),
        ("A boat deals damage to you.", "[The] boat deals damage to [you]", Standing.KEPT),
        ("The rower unties its boats.", "The rower unties [your] boats", Standing.OPEN),
        ("The rower unties your boats.", "The rower unties [their] boats", Standing.OPEN),
        ("The rower unties your boats.", "The rower unties [the] boats", Standing.OPEN),
        ("The rower unties that player's boats.", "The rower unties [their] boats", Standing.KEPT),
        ("The rower unties each player's boats.", "The rower unties [their] boats", Standing.OPEN),
        ("Return it to the pole of the owner.", "Return it to the pole of [your] owner", Standing.OPEN),
        ("对手抓一张牌。", "[你]抓一张牌", Standing.OPEN),
        ("该牌手抓一张牌。", "[他]抓一张牌", Standing.KEPT),
        ("该牌手弃牌并抓一张牌。", "[他]抓一张牌", Standing.OPEN),
        ("その凧を岸へ動かす。", "［それ］を岸へ動かす", Standing.KEPT),
        ("It deals damage to that boat and hits each pier.", "It deals damage to [it] each pier", Standing.OPEN),
        ("Pull that boat if it leaked to the pier.", "Pull [it] to the pier", Standing.OPEN),
        ("Pull that boat to the pier.", "Pull [it] to the pier", Standing.KEPT),
        ("Pull the losing boat to the pier.", "Pull [it] to the pier", Standing.KEPT),
        ("Pull each boat to the pier.", "Pull [that boat] to the pier", Standing.OPEN),
        ("Pull another boat to the pier.", "Pull [it] to the pier", Standing.OPEN),
        ("Rowers that sink boats lose.", "Rowers [they] boats lose", Standing.OPEN),
        ("Deals damage to that boat.", "Deals damage to [it]", Standing.KEPT),
        ("Deals damage to that boat's rower.", "Deals damage to [it]", Standing.OPEN),
        ("Pull them to the pier.", "Pull them [if they leaked] to the pier", Standing.OPEN),
        ("If a boat sinks that player draws a card.", "[They] draw a card", Standing.OPEN),
    ],
)
def test_brackets_hide_no_verb_person_or_condition(whole: str, words: str, standing: Standing | None) -> None:
    text = NormalisedText(whole)
    best = next((least for least in (Standing.KEPT, Standing.OPEN) if find_quotation(words, text, least=least)), None)
    assert best is standing


def test_an_editors_own_words_are_not_checked() -> None:
    passage = QuotableText("r", 0, BOATS, own=True)
    verdict = check_quotation("that player [discards] a card", [QuotableWording("en", (passage,), BOATS)])
    assert (verdict.verdict, verdict.nearest) == (QuotationStatus.UNCHECKED, "that player draws a card")


@given(st.text(max_size=80), st.text(max_size=40))
def test_any_words_in_any_text(whole: str, words: str) -> None:
    place = find_quotation(words, NormalisedText(whole))
    assert place is None or 0 <= place[0] < place[1] <= len(whole)


@given(st.text(alphabet="ab c.'“”「」é１1\n", max_size=60))
def test_every_character_that_counts_has_its_place(whole: str) -> None:
    plain = NormalisedText(whole)
    assert len(plain.text) == len(plain.source_positions)
    assert list(plain.source_positions) == sorted(plain.source_positions)


WHOLE = (
    "At the start of a turn, a captain can't loosen another captain's non-floating ferry unless 1,000 tokens are paid. Geese leave."
)
WHOLE_JA = "船長は、他の船長の渡し舟の綱をほどくことができません。その後、印を三個引きます。鵝鳥は帰ります。"
UNCUT = "渡し舟の船長は他の船長が持つ大きな渡し舟の綱を水の上で勝手にほどいてはならず必ず持ち主の許しを得るものとする"


@pytest.mark.parametrize(
    ("lang", "whole", "words", "nearest"),
    [
        ("en", WHOLE, "ain cannot loosen another captains non-float", "captain can't loosen another captain's non-floating"),
        ("en", WHOLE, "unless 100 tokens are payed", "unless 1,000 tokens are paid"),
        ("en", "Thirteen geese can't swim.", "geese can swim", "geese can't swim"),
        ("ja", WHOLE_JA, "船長の渡し舟の綱をほどけません", "他の船長の渡し舟の綱をほどくことができません。"),
        ("ja", WHOLE_JA, "印を二個引く", "印を三個引きます。"),
        ("ja", UNCUT, "水の上で自由にほどいてはならず", "水の上で勝手にほどいてはならず"),
    ],
)
def test_the_nearest_words_are_whole(lang: str, whole: str, words: str, nearest: str) -> None:
    wording = QuotableWording(lang, (QuotableText("rule", 0, whole, own=True),), whole)
    assert check_quotation(words, [wording]).nearest == nearest


def test_size_counts_words_and_pairs_of_characters() -> None:
    assert (word_count("two words"), word_count("四个汉字"), word_count("")) == (2, 2, 0)


def test_a_denial_is_recognised_in_three_languages() -> None:
    assert all(map(has_negation, ["it may not be moved", "墓地的牌不能改變順序", "動かせない"]))
    assert not any(map(has_negation, ["it may be moved", "墓地的牌可以改變順序", "動かせる", "draw 3 cards"]))


def test_chinese_words_are_not_compared_with_a_japanese_text() -> None:
    assert languages("墓地的牌不能改變順序") == {"zh-Hans", "zh-Hant"}
    assert "ja" in languages("手札 山札 墓地")
    assert languages("墓地の順番") == {"ja"}


def test_the_text_around_decides_whether_words_without_kana_may_be_japanese() -> None:
    chinese = {"zh-Hans", "zh-Hant"}
    assert languages("該当領域") == chinese
    assert languages("該当領域", {"ja"}) == {"ja", *chinese}
    assert languages("手札 山札 墓地", chinese) == chinese
    assert languages("手札 山札 墓地", {"en"}) == {"ja", *chinese}
    assert languages("墓地の順番", chinese) == {"ja"}


def test_words_without_kana_are_compared_with_the_rule_in_the_language_of_the_text() -> None:
    text = "該当領域内移動禁止"
    wording = QuotableWording("ja", (QuotableText("rule", 0, text, own=True),), text)
    wrong = "該当領域外移動禁止"
    assert check_quotation(wrong, [wording]).verdict is QuotationStatus.UNCHECKED
    assert check_quotation(wrong, [wording], languages(f"このルールは「{wrong}」です")).verdict is QuotationStatus.MISQUOTED
