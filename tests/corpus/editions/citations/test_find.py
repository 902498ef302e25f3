"""Citations in any text: found in three languages, nothing else taken for one, and never an error or a long wait."""

import gc
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from time import thread_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.catalogue import catalogue
from corpus.editions.citations.context import iso_date
from corpus.editions.citations.find import find
from corpus.editions.citations.numbers import Numbering, fits_numbering
from corpus.reference import names_of

GRAMMARS = catalogue().grammars
HELD = {
    **dict.fromkeys(("603.3", "603.3b", "603.3c", "704.5k", "613.7", "702.19", "702.19b", "613"), frozenset({"mtg"})),
    **dict.fromkeys(("400.7", "400.3b", "000.1"), frozenset({"mtg", "dm"})),
    **dict.fromkeys(("1014.3a", "319.5a-1"), frozenset({"fow"})),
    **dict.fromkeys(("7-1-2-3", "7-1-2"), frozenset({"onepiece"})),
}


def held(locators: Iterable[str]) -> Mapping[str, frozenset[str]]:
    return {locator: HELD[locator] for locator in locators if locator in HELD}


NUMBERING = Numbering(
    {
        "mtg": (GRAMMARS["hundreds"],),
        "dm": (GRAMMARS["hundreds"],),
        "fow": (GRAMMARS["full-hundreds"],),
        "onepiece": (GRAMMARS["dashed"],),
        "ygo": (GRAMMARS["restructured"],),
    },
    {game: names_of(game) for game in ("mtg", "dm", "fow", "onepiece", "ygo")},
    held,
)


def cited(text: str, game: str | None = None) -> list[str]:
    """The cited rules, with the second end of a range."""
    items = [mention.item for mention in find(text, NUMBERING, game).mentions]
    return [f"{item.number}…{item.through}" if item.through else item.number for item in items]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("CR 702.19b", ["702.19b"]),
        ("CR 702.19.b", ["702.19b"]),
        ("Judge Academy 603.3, AC 704.5k and 603.3 of the regulations", []),
        ("Rule 603.3 of our local club, clause 603.3b of the lease", []),
        ("Club rule 603.3, the store's rules 603.3b, the company handbook 702.19b, Bylaws 704.5k, Rulebook §3.4", []),
        ("社内規程603.3b、クラブのルール603.3、当店の規則704.5k、ハンドブック702.19b", []),
        ("俱乐部规则603.3，公司规章603.3b，學校的規則704.5k，手册702.19b，合同第603.3条", []),
        ("Of course, 702.19b; the rules handbook, 603.3b", ["702.19b", "603.3b"]),
        ("规则手册603.3b、ルールマニュアル704.5k", ["603.3b", "704.5k"]),
        ("Force of Will, § 3.4", ["3.4"]),
        ("Rule 603.3 of the comprehensive rules", ["603.3"]),
        ("rule 603.3b–d", ["603.3b…603.3d"]),
        ("rules 603.3b, c and 704.5k", ["603.3b", "603.3c", "704.5k"]),
        ("規則400.7", ["400.7"]),
        ("規則603.3b と c", ["603.3b", "603.3c"]),
        ("根据603.3b条，可以。", ["603.3b"]),
        ("第704.5a条", ["704.5a"]),
        ("規則７０２．１９ｂ", ["702.19b"]),
        ("rule\u00a0603.3b", ["603.3b"]),
        ("mtg:2022-06-10:701.17", ["701.17"]),
        ("https://w3id.org/rulestone/id/mtg/cr/2022-06-10/701.17.", ["701.17"]),
        ("see 613.7 (2021)", ["613.7"]),
        ("Magic 400.7d", ["400.7d"]),
        ("デュエマ 400.3b", ["400.3b"]),
        ("万智牌规则 704.5k", ["704.5k"]),
        ("fow 1014.3a or 319.5a-1", ["1014.3a", "319.5a-1"]),
        ("One Piece 7-1-2-3", ["7-1-2-3"]),
        ("dm 000.1", ["000.1"]),
        ("rules 603.3-603.5", ["603.3…603.5"]),
        ("rule 603.3b, a player may", ["603.3b"]),
        ("CR 603.3(b)", ["603.3b"]),
        ("rules 603.3(b), (c) and (d)", ["603.3b", "603.3c", "603.3d"]),
        ("CR 702.19 b.", ["702.19b"]),
        ("rule 702.19 (b) and (c)", ["702.19b", "702.19c"]),
        ("rules 603.3B and C", ["603.3b", "603.3c"]),
        ("rule 603.3 b's text, rule 702.19 a player, rule 603.3 z", ["603.3", "702.19", "603.3"]),
        ("rule 603.3B and I think so", ["603.3b"]),
        ("Under rule 603.3b and X equals 3.", ["603.3b"]),
        ("rule 603.3b or X, whichever", ["603.3b"]),
        ("According to 603.3a, T: add one", ["603.3a"]),
        ("rule 603.3b and I'd say so, 603.3b & I’m sure", ["603.3b", "603.3b"]),
        ("rule 603.3a, C's turn ends", ["603.3a"]),
        ("rule 603.3B, C's turn ends", ["603.3b"]),
        ("Rule 603.3a - E. Smith said", ["603.3a"]),
        ("規則603.3（b）と（c）", ["603.3b", "603.3c"]),
        ("a 702.19b alone, and 702.19z beside it", ["702.19b", "702.19z"]),
        ("It is $603.3 or 603.3 euros, or 603.3%.", []),
        ("On 2022-06-10, 10.6.2022, 12:30, v6.0.3, 3-1, 2d6.", []),
        ("It was 7-1-2 this season and 613 people came.", []),
        ("One Piece players know:\n7-1-2: “words”, and 7-1-2-3", ["7-1-2", "7-1-2-3"]),
        ("ワンピでは止められます（7-1-2参照）。", ["7-1-2"]),
        ("One Piece is fun. It was 7-1-2 this season.", []),
        ("The Magic event ended\n7-1-2: “what a day”", []),
        ("JAR 603.3, version 2.3 and page 613", []),
        ("192.168.100.1 and 555-1234-567 and 603.3.1.2.9", []),
        ("https://example.org/603.3b/702.19b and a702.19b@example.org", []),
        ("他花了603.3元，拿了613张牌。613円、400.7キロ。", []),
    ],
)
def test_what_is_a_citation(text: str, numbers: list[str]) -> None:
    assert cited(text) == numbers


DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d~\u301c\uff5e"


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("CR 603.3(b){}(d)", "603.3b…603.3d"),
        ("CR 603.3 (b) {} (d) apply", "603.3b…603.3d"),
        ("CR 702.19 b{}c", "702.19b…702.19c"),
        ("CR 702.19b{}c", "702.19b…702.19c"),
        ("CR 702.19b {} c", "702.19b…702.19c"),
        ("CR 702.19B{}C", "702.19b…702.19c"),
        ("rules 603.3b{}603.3d.", "603.3b…603.3d"),
        ("rules 603.3{}603.5", "603.3…603.5"),
        ("规则702.19b{}c。", "702.19b…702.19c"),
        ("規則６０３．３（ｂ）{}（ｄ）を参照", "603.3b…603.3d"),
    ],
)
def test_ranges_with_every_dash(text: str, ends: str) -> None:
    assert {dash: cited(text.format(dash)) for dash in DASHES} == {dash: [ends] for dash in DASHES}


@pytest.mark.parametrize(
    ("text", "game", "games"),
    [
        ("Magic 400.7", None, ("mtg",)),
        ("rule 400.7 of Magic", None, ("mtg",)),
        ("デュエマの規則400.7", "mtg", ("dm",)),
        ("In Duel Masters it is so (rule 400.7).", "mtg", ("dm",)),
        ("Duel Masters is nice. Rule 400.7 too.", "mtg", ("mtg",)),
        ("Duel Masters is nice. Rule 400.7 too.", None, ("dm",)),
        ("Magic and Duel Masters: rule 400.7", None, ("mtg", "dm")),
        ("rule 400.7", None, ()),
        ("the magic of it: see 400.7", None, ()),
    ],
)
def test_of_which_game(text: str, game: str | None, games: tuple[str, ...]) -> None:
    [mention] = find(text, NUMBERING, game).mentions
    assert mention.games == games


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("Rule 603.3b says so. DM 400.3b is another.", ()),
        ("Rule 400.7 says so. DM 400.3b is another.", ("dm",)),
        ("Rule 603.3b says so. By Magic 613.7, as in DM 400.3b, it is.", ("mtg", "dm")),
        ("Duel Masters has it. Rule 603.3b says so. DM 400.3b is another.", ("dm",)),
    ],
)
def test_a_game_beside_another_citation_is_not_that_of_a_number_it_lacks(text: str, games: tuple[str, ...]) -> None:
    assert find(text, NUMBERING).mentions[0].games == games


def test_a_game_that_nothing_is_known_of() -> None:
    [mention] = find("Pokémon rule 400.7", NUMBERING).mentions
    assert (mention.games, mention.elsewhere) == ((), "Pokémon")


@pytest.mark.parametrize(
    ("date", "when"),
    [
        ("2022-06-10", "2022-06-10"),
        ("2022/6/10", "2022-06-10"),
        ("June 10, 2022", "2022-06-10"),
        ("10th of June 2022", "2022-06-10"),
        ("June 2022", "2022-06"),
        ("2022年6月10日", "2022-06-10"),
        ("2022年6月", "2022-06"),
        ("20220610", "2022-06-10"),
        ("2021", "2021"),
    ],
)
def test_dates(date: str, when: str) -> None:
    assert iso_date(date) == when


@pytest.mark.parametrize(
    ("text", "whens"),
    [
        ("see 613.7 (2021)", ["2021"]),
        ("As of June 2022, rules 603.3b and 613.7 apply.", ["2022-06", "2022-06"]),
        ("2022年6月版の規則603.3b", ["2022-06"]),
        ("rule 603.3b (2021) and rule 613.7 (2022)", ["2021", "2022"]),
        ("Rule 603.3b was read in a hall in 2021. Rule 613.7 too.", ["2021", None]),
        ("CR 2022-06-10 603.3b", ["2022-06-10"]),
    ],
)
def test_editions(text: str, whens: list[str | None]) -> None:
    assert [mention.when for mention in find(text, NUMBERING).mentions] == whens


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("CR 603.3b says “put it”.", ["put it"]),
        ('"put it" (CR 603.3b)', ["put it"]),
        ("規則603.3bには「置く」とある。", ["置く"]),
        ("CR 603.3b:\n> put it\n> there\n", ["put it\n> there"]),
        ("> put it\n> — CR 603.3b", ["put it"]),
        ("> 603.3b. Put it", ["Put it"]),
        ("CR 603.3b says: put it\nthen", ["put it"]),
        ('CR 603.3b says "put "it" there".', ['put "it" there']),
        ("CR 603.3b says 'the players' hands'.", ["the players' hands"]),
        ("„put it“ — 603.3b", ["put it"]),
        ('CR 603.3b says "a" and CR 613.7 says "b".', ["a", "b"]),
        ('"a" (CR 603.3b) and "b" (CR 613.7)', ["a", "b"]),
        ('He is 5" tall.\n\nCR 603.3b.', []),
    ],
)
def test_quotations(text: str, quoted: list[str]) -> None:
    ties = find(text, NUMBERING).attributions
    assert [text[tie.quotation.start : tie.quotation.end] for tie in ties] == quoted


@pytest.mark.parametrize("text", ["- 603.3b: ", "CR 603.3b says: "])
def test_of_a_long_line_no_more_is_quoted_than_a_rule_can_have(text: str) -> None:
    [tie] = find(text + "goose " * 5000 + "603.3c", NUMBERING).attributions
    assert tie.quotation.start == len(text)
    assert 2000 < tie.quotation.end - tie.quotation.start <= 4000


def test_numbers_fit_their_numbering() -> None:
    assert fits_numbering("702.19b", [GRAMMARS["hundreds"]])
    assert not fits_numbering("702-19", [GRAMMARS["hundreds"]])
    assert fits_numbering("7-1-2-3", [GRAMMARS["dashed"]])
    assert not fits_numbering("702.19b", [GRAMMARS["restructured"]])


MARKS = "“”\"'‘’「」『』>《》()[]（）。.,、;:–-~ \n\u00a0\ud800\x00🂡…"
WORDS = (
    *(
        "\n\n",
        "\n> ",
        "rule ",
        "CR ",
        "規則",
        "第",
        "条",
        "603.3b",
        "704.5k",
        "400.7",
        "７０２．１９",
        "c",
        " と ",
        " and ",
        "says: ",
    ),
    *("Magic ", "デュエマ", "(2021)", "2022年6月版", "には", "[...]", "https://w3id.org/rulestone/id/mtg/cr/", "mtg:"),
)
PIECES = st.sampled_from((*MARKS, *WORDS))
TEXTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=80).map("".join))


@settings(max_examples=300)
@given(TEXTS, st.sampled_from([None, "mtg"]))
def test_any_text_is_read_and_every_place_lies_in_it(text: str, game: str | None) -> None:
    everything = find(text, NUMBERING, game)
    last = 0
    for mention in everything.mentions:
        assert last <= mention.item.start < mention.item.end <= len(text)
        last = mention.item.start
    for tie in everything.attributions:
        assert 0 <= tie.quotation.start <= tie.quotation.end <= len(text)
        assert 0 <= tie.mention < len(everything.mentions)


def repeated(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


UNITS = (
    *("1", "1.", "1-", "(", "“", '"', "'", "‘", "「", "> ", "\n", ". ", " ", "[", "…", "a", "第", "2021 ", "Magic ", "rule "),
    *("mtg:", "rule 603.3b, c and ", "“a” 603.3b ", '"a" (CR 603.3b) ', "Magic (2021) 603.3b. ", "as of June 2022 "),
    *("1-1-1-1-", "603.3b–d ", "> 603.3b\n", "https://a/", "a@a.", "rules rules ", "says: a\n", "の規則", "[a] ", "「『"),
    *("““”", "603.3b says: ", "2022年6月版"),
)


def cost(text: str) -> float:
    start = thread_time()
    find(text, NUMBERING)
    return thread_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_linearly(unit: str) -> None:
    """Eight times the text costs about eight times the time; quadratic code would cost sixty-four times as much."""
    shape: Callable[[int], str] = partial(repeated, unit)
    gc.disable()
    try:
        ratios = []
        for runs in (1, 3, 6):
            small = max(min(cost(shape(1_000)) for _ in range(2 * runs)), 0.001)
            ratios.append(min(cost(shape(8_000)) for _ in range(runs)) / small)
            if ratios[-1] < 20:
                break
    finally:
        gc.enable()
    assert min(ratios) < 20
